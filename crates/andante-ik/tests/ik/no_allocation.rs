//! What runs once a frame allocates nothing.

use crate::support::{leg_solvers, standing};
use andante_ik::{Balance, FullBody, FullBodyOptions, IkTarget, Solver};
use andante_skeleton::humanoid;
use glam::Vec3;

#[test]
fn nothing_allocates_per_solve() {
    let human = humanoid();
    let (mut pose, mut models) = standing(&human);
    let mut solvers = leg_solvers(&human, 0, true);
    let mut body = FullBody::of_character(&human, FullBodyOptions::default()).unwrap();
    body.set_balance(Some(Balance { place: Vec3::ZERO, radius: 0.02 }));
    let ankle = models[human.rig.feet[0].ankle()].translation;
    let off = IkTarget::position(Vec3::ZERO).weighted(0.0);

    let counted = allocation_counter::measure(|| {
        for step in 0..20 {
            let shift = Vec3::new(0.01, 0.02, 0.03) * step as f32;
            for (_, solver) in &mut solvers {
                solver.solve(&[IkTarget::position(ankle + shift)], &mut pose, &mut models);
            }
            let foot = IkTarget::position(ankle + shift);
            let hand = IkTarget::position(Vec3::new(0.3, 1.2, 0.4) + shift);
            body.solve(&[foot, off, hand, off, off, off], &mut pose, &mut models);
        }
    });
    assert_eq!(counted.count_total, 0);
}
