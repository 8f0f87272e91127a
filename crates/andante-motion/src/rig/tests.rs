use super::*;
use andante_skeleton::humanoid;

#[test]
fn the_built_in_human_is_understood_from_its_rest_pose() {
    let human = humanoid();
    let rig = detect(&human.skeleton, &[]).unwrap();
    assert_eq!(
        (rig.hips, &rig.spine, rig.head),
        (human.rig.hips, &human.rig.spine, human.rig.head)
    );
    assert_eq!(rig.arms, human.rig.arms);
    for (found, known) in rig.feet.iter().zip(&human.rig.feet) {
        assert_eq!(
            (&found.name, found.side, &found.leg, found.toes),
            (&known.name, known.side, &known.leg, known.toes)
        );
        for (found, known) in
            [(found.heel, known.heel), (found.ball, known.ball), (found.tip, known.tip)]
        {
            assert_eq!(found.joint, known.joint);
            assert!(found.offset.distance(known.offset) < 0.02, "{found:?} {known:?}");
        }
    }
}
