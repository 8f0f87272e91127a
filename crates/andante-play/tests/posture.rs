//! Ducking.
#![allow(clippy::unwrap_used)]

use andante_play::posture::{LivePosture, PostureSettings, Stoop};
use andante_skeleton::{Pose, humanoid};
use glam::Vec3;

#[test]
fn ducking_lowers_the_crown_and_leaves_the_feet() {
    let human = humanoid();
    let repertoire = andante_motion::repertoire::built_in(&human).unwrap();
    let stoop = Stoop::new(&human, 1.85, PostureSettings::default());
    let mut posture = LivePosture::default();
    (0..240).for_each(|_| posture.advance(stoop.settings(), stoop.share(1.5), None, 1.0 / 60.0));
    let mut pose = Pose::rest(&human.skeleton).to_vec();
    repertoire.clips()[0].sample(0.0, &mut pose);
    let mut models = pose.clone();
    human.skeleton.local_to_model(&pose, &mut models);
    let ankles: Vec<Vec3> =
        human.rig.feet.iter().map(|foot| models[foot.ankle()].translation).collect();
    posture.apply(&stoop, &repertoire, 0.0, &mut pose, &mut models);
    human.skeleton.local_to_model(&pose.clone(), &mut models);
    let crown = stoop.crown_of(&models).unwrap();
    assert!((1.38..1.5).contains(&crown), "{crown}");
    for (foot, was) in human.rig.feet.iter().zip(&ankles) {
        assert!(models[foot.ankle()].translation.distance(*was) < 1e-3);
    }
}
