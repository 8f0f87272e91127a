//! The descent does not depend on the size of the character.

use crate::support::walk;

#[test]
fn statistics_of_a_walk_are_the_same_at_150_times_the_size() {
    let small = walk::statistics(1.0, 60.0);
    let large = walk::statistics(150.0, 60.0);
    assert!((large.rig_height / small.rig_height - 150.0).abs() < 1e-3);
    assert_eq!(small.frames, large.frames);
    assert!((small.miss - large.miss).abs() <= 0.01 * small.miss);
    for ((name, a), (_, b)) in small.rows.iter().zip(&large.rows) {
        for (a, b) in
            [(a.mean, b.mean), (a.deviation, b.deviation), (a.least, b.least), (a.most, b.most)]
        {
            // The source found 10 to 15 %.
            assert!((a - b).abs() <= 0.01 * a.abs(), "{name}: {a} and {b}");
        }
    }
}
