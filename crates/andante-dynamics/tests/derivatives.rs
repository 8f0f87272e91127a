//! Velocities and Jacobians against finite differences, on random trees.

#![allow(clippy::unwrap_used)]

mod common;

use andante_dynamics::samples::{SplitMix, random_tree};
use andante_dynamics::{
    Aba, ContactTerrain, Force, Inverse, JointState, Kinematics, PhysicsSettings, Simulation, vec3,
};
use common::smooth_step;
use proptest::prelude::*;
use std::sync::Arc;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_jacobian_is_the_derivative_of_its_point(seed in 0u64..1 << 32, links in 1usize..20, floating: bool) {
        let model = random_tree(seed, links, floating).unwrap();
        let mut random = SplitMix::new(seed);
        let state = JointState { q: random.coordinates(&model), v: random.velocities(&model, 2.0) };
        let mut kin = Kinematics::new(&model);
        kin.set_positions(&model, &state.q);
        kin.set_velocities(&model, &state.v);
        let (link, local) = (random.below(links), random.vector(0.5));
        let point = kin.point(&model, link, local);
        let n = model.freedoms();
        let (mut columns, mut turns) = (vec![vec3(0.0, 0.0, 0.0); n], vec![vec3(0.0, 0.0, 0.0); n]);
        kin.jacobian(&model, link, point, &mut columns, Some(&mut turns));
        let sum = |c: &[andante_dynamics::Vec3<f64>]| {
            c.iter().zip(&state.v).fold(vec3(0.0, 0.0, 0.0), |sum, (&c, &v)| sum + c * v)
        };
        let (velocity, spin) = (sum(&columns), sum(&turns));
        prop_assert!((velocity - kin.velocity_at(&model, link, point)).length() < 1e-9);
        prop_assert!((spin - kin.velocity(link).0).length() < 1e-9);
        let h = 1e-6;
        let mut at = |h: f64| {
            let mut state = state.clone();
            state.advance(&model, h);
            kin.set_positions(&model, &state.q);
            kin.point(&model, link, local)
        };
        let slope = (at(h) - at(-h)) * (0.5 / h);
        prop_assert!((slope - velocity).length() < 1e-6 * (1.0 + velocity.length()));
    }

    #[test]
    fn power_of_torques_and_gravity_is_the_rate_of_energy(seed in 0u64..1 << 32, links in 1usize..15, floating: bool) {
        // d/dt (kinetic energy) = v . (tau - g(q)): ties the velocity terms, which no other identity sees, to energy.
        let model = Arc::new(random_tree(seed, links, floating).unwrap());
        let mut random = SplitMix::new(seed);
        let state = JointState { q: random.coordinates(&model), v: random.velocities(&model, 2.0) };
        let gravity = vec3(0.5, -9.81, 1.0);
        let mut tau: Vec<f64> = random.velocities(&model, 5.0);
        tau[..if floating { 6 } else { 0 }].fill(0.0);
        let options = PhysicsSettings { gravity, ..PhysicsSettings::default() };
        let mut meter = Simulation::<f64>::new(Arc::clone(&model), ContactTerrain::None, options).unwrap();
        let h = 1e-5;
        let mut energy = |h: f64| {
            meter.set_state(&smooth_step(&model, &state, &tau, gravity, h)).unwrap();
            meter.kinetic_energy() + meter.potential_energy()
        };
        let slope = (energy(h) - energy(-h)) / (2.0 * h);
        let power: f64 = tau.iter().zip(&state.v).map(|(t, v)| t * v).sum();
        prop_assert!((slope - power).abs() < 1e-5 * (10.0 + power.abs()), "{slope} {power}");
    }

    #[test]
    fn implicit_terms_are_a_diagonal_of_the_inertia(seed in 0u64..1 << 32, links in 1usize..20) {
        let model = random_tree(seed, links, true).unwrap();
        let mut random = SplitMix::new(seed);
        let n = model.freedoms();
        let mut kin = Kinematics::new(&model);
        kin.set_positions(&model, &random.coordinates(&model));
        kin.set_velocities(&model, &random.velocities(&model, 2.0));
        let tau = random.velocities(&model, 5.0);
        let mut augment: Vec<f64> = random.velocities(&model, 1.0).iter().map(|x| x.abs()).collect();
        augment[..6].fill(0.0);
        let mut a = vec![0.0; n];
        let none = vec![Force::zero(); links];
        let gravity = vec3(0.0, -9.81, 0.0);
        Aba::new(&model).solve(&model, &kin, gravity, &tau, &augment, &none, &mut a);
        // M a + C v + g + diag a = tau.
        let mut needed = vec![0.0; n];
        Inverse::new(&model).rnea(&model, &kin, gravity, &a, &mut needed);
        let scale = a.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        for k in 0..n {
            prop_assert!((needed[k] + augment[k] * a[k] - tau[k]).abs() < 1e-9 * scale * 100.0);
        }
    }
}
