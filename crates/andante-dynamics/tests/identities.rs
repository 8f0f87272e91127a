//! The three algorithms against each other, on seed-addressed random trees.

#![allow(clippy::unwrap_used)]

use andante_dynamics::samples::{SplitMix, random_tree};
use andante_dynamics::{Aba, Force, Inverse, Kinematics, Model, vec3};

/// Solves `m x = b` by Cholesky, the plain way.
fn solve(m: &[f64], b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let mut l = m.to_vec();
    for i in 0..n {
        for j in 0..=i {
            let mut s = l[i * n + j];
            for k in 0..j {
                s -= l[i * n + k] * l[j * n + k];
            }
            l[i * n + j] = if i == j { s.sqrt() } else { s / l[j * n + j] };
        }
    }
    let mut x = b.to_vec();
    for i in 0..n {
        for k in 0..i {
            x[i] -= l[i * n + k] * x[k];
        }
        x[i] /= l[i * n + i];
    }
    for i in (0..n).rev() {
        for k in i + 1..n {
            x[i] -= l[k * n + i] * x[k];
        }
        x[i] /= l[i * n + i];
    }
    x
}

struct Case {
    model: Model,
    kin: Kinematics<f64>,
    tau: Vec<f64>,
}

fn case(seed: u64) -> Case {
    let mut random = SplitMix::new(seed ^ 0xABCD);
    let links = 2 + random.below(59);
    let model = random_tree(seed, links, seed.is_multiple_of(2)).unwrap();
    let q = random.coordinates(&model);
    let v = random.velocities(&model, 3.0);
    let tau = random.velocities(&model, 20.0);
    let mut kin = Kinematics::new(&model);
    kin.set_positions(&model, &q);
    kin.set_velocities(&model, &v);
    Case { model, kin, tau }
}

const GRAVITY: andante_dynamics::Vec3<f64> = andante_dynamics::Vec3 { x: 0.3, y: -9.81, z: -0.2 };

#[test]
fn forward_dynamics_is_the_inverse_of_inverse_dynamics_on_a_thousand_trees() {
    let mut worst: f64 = 0.0;
    for seed in 0..1000 {
        let Case { model, kin, tau } = case(seed);
        let n = model.freedoms();
        let none = vec![Force::zero(); model.links().len()];
        let mut a = vec![0.0; n];
        let zero = vec![0.0; n];
        Aba::new(&model).solve(&model, &kin, GRAVITY, &tau, &zero, &none, &mut a);

        let mut inverse = Inverse::new(&model);
        let (mut bias, mut matrix) = (vec![0.0; n], vec![0.0; n * n]);
        inverse.rnea(&model, &kin, GRAVITY, &zero, &mut bias);
        inverse.crba(&model, &kin, &mut matrix);
        let rest: Vec<f64> = tau.iter().zip(&bias).map(|(t, b)| t - b).collect();
        let expected = solve(&matrix, &rest);
        let size = expected.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
        for (k, (a, e)) in a.iter().zip(&expected).enumerate() {
            let off = (a - e).abs() / size;
            worst = worst.max(off);
            assert!(off < 1e-9, "seed {seed}, {n} freedoms, velocity {k}: {a} against {e}");
        }
    }
    println!("largest relative difference {worst:.1e}");
}

#[test]
fn columns_of_the_mass_matrix_are_inverse_dynamics_of_unit_accelerations() {
    for seed in 0..60 {
        let Case { model, mut kin, .. } = case(seed);
        let n = model.freedoms();
        kin.set_velocities(&model, &vec![0.0; n]);
        let mut inverse = Inverse::new(&model);
        let mut matrix = vec![0.0; n * n];
        inverse.crba(&model, &kin, &mut matrix);
        let mut column = vec![0.0; n];
        for k in 0..n {
            let mut unit = vec![0.0; n];
            unit[k] = 1.0;
            inverse.rnea(&model, &kin, vec3(0.0, 0.0, 0.0), &unit, &mut column);
            for (row, c) in column.iter().enumerate() {
                assert!(
                    (matrix[row * n + k] - c).abs() < 1e-9 * (1.0 + c.abs()),
                    "seed {seed} ({row}, {k})"
                );
            }
        }
    }
}
