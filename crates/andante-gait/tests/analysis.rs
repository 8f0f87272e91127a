//! Modal analysis against hand formulas, against itself by another route, and its promises for any tree.
#![allow(clippy::unwrap_used)]

mod common;

use andante_body::{Body, BodyParts, JointKind, RestPose};
use andante_gait::{Basis, CoordinateLayout, Modes, ModesMethod, PinnedPoint, mass_matrix};
use common::{body_of, design_pose, reference_biped, segment};
use glam::{DQuat, DVec3};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

const ROUTES: [ModesMethod; 2] = [ModesMethod::Constraints, ModesMethod::Reduced];

#[test]
fn two_bodies_bend_as_the_hand_formula_says() {
    let (k, a, b) = (70.0, 0.4, 0.25);
    let size = DVec3::new(0.1, 0.3, 0.2);
    let upper = segment("upper", DVec3::Y * a, None, DVec3::Y * a, size, 5.0, [0.0; 3]);
    let lower = segment(
        "lower",
        DVec3::ZERO,
        Some((0, DVec3::Y * a)),
        -DVec3::Y * b,
        size * 0.8,
        2.0,
        [k; 3],
    );
    let body = body_of(vec![upper, lower]);
    // With I the moments of inertia about an axis and μ the reduced mass: bending couples through μ, twisting does not.
    let (i, j) = (body.segments()[0].mass.inertia, body.segments()[1].mass.inertia);
    let mu = 5.0 * 2.0 / 7.0;
    let bend = |i: f64, j: f64| {
        let m = [i + mu * a * a, mu * a * b, j + mu * b * b];
        k * (m[0] + m[2] + 2.0 * m[1]) / (m[0] * m[2] - m[1] * m[1])
    };
    let mut expected = [
        bend(i.x_axis.x, j.x_axis.x),
        k * (1.0 / i.y_axis.y + 1.0 / j.y_axis.y),
        bend(i.z_axis.z, j.z_axis.z),
    ]
    .map(f64::sqrt);
    expected.sort_by(f64::total_cmp);
    for route in ROUTES {
        let modes = Modes::find_by(route, &body, &body.poses()[0], &[]).unwrap();
        let found: Vec<f64> = modes.modes.iter().map(|mode| mode.omega).collect();
        assert_eq!(found.len(), 3);
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9 * expected, "{route:?} {found} {expected}");
        }
    }
}

/// Three equal bodies on a line twist like three discs on a shaft: λ = k/I and 3k/I.
#[test]
fn three_bodies_twist_like_discs_on_a_shaft() {
    let k = 12.0;
    let size = DVec3::new(0.2, 0.3, 0.25);
    let at = |n: f64| -DVec3::Y * 0.3 * n;
    let discs = vec![
        segment("a", at(0.0), None, at(0.5), size, 3.0, [0.0; 3]),
        segment("b", at(1.0), Some((0, at(0.0))), at(1.5), size, 3.0, [900.0, k, 900.0]),
        segment("c", at(2.0), Some((1, at(1.0))), at(2.5), size, 3.0, [900.0, k, 900.0]),
    ];
    let body = body_of(discs);
    let ratio = k / body.segments()[0].mass.inertia.y_axis.y;
    for route in ROUTES {
        let modes = Modes::find_by(route, &body, &body.poses()[0], &[]).unwrap();
        let is_twist = |shape: &[f64]| shape[1].hypot(shape[4]) > 0.999;
        let twists: Vec<f64> = modes
            .modes
            .iter()
            .filter(|mode| is_twist(&mode.shape))
            .map(|mode| mode.omega * mode.omega)
            .collect();
        assert_eq!(twists.len(), 2);
        assert!((twists[0] / ratio - 1.0).abs() < 1e-9 && (twists[1] / ratio - 3.0).abs() < 1e-9);
    }
}

/// ΦᵀMΦ and ΦᵀKΦ with the mass matrix computed on its own.
fn check_orthogonality(body: &Body, pose: &RestPose, modes: &Modes) {
    let mass = mass_matrix(body, pose);
    let normalised: Vec<DVector<f64>> = modes
        .modes
        .iter()
        .map(|mode| {
            let whole = mode.root.iter().chain(&mode.shape).copied();
            DVector::from_iterator(mass.nrows(), whole) / mode.mass.sqrt()
        })
        .collect();
    let all = DMatrix::from_columns(&normalised);
    let gram = all.tr_mul(&(&mass * &all));
    let off = (&gram - DMatrix::identity(gram.nrows(), gram.ncols())).abs().max();
    assert!(off < 1e-10, "masses of modes are apart by {off:e}");
    let torques: Vec<Vec<f64>> = (0..modes.modes.len())
        .map(|index| {
            let mut amplitudes = vec![0.0; index + 1];
            amplitudes[index] = 1.0;
            modes.torques(Basis::Static, &amplitudes)
        })
        .collect();
    for (i, torque) in torques.iter().enumerate() {
        for (j, force) in modes.forces(torque).iter().enumerate() {
            let (a, b) = (&modes.modes[i], &modes.modes[j]);
            let expected = if i == j { a.stiffness } else { 0.0 };
            let scale = (a.stiffness * b.stiffness).sqrt();
            assert!((force - expected).abs() < 1e-9 * scale, "modes {i} and {j}: {force}");
        }
    }
}

#[test]
fn modes_of_creatures_are_orthonormal_and_the_same_by_both_routes() {
    for (name, _) in andante_body::CREATURES {
        let body = andante_body::creature(name).unwrap();
        let toe = PinnedPoint::toe(&body.feet()[0]);
        for pose in body.poses() {
            for (pins, rigid) in [(&[][..], 6), (&[toe][..], 3)] {
                let [a, b] = ROUTES.map(|route| Modes::find_by(route, &body, pose, pins).unwrap());
                assert_eq!((a.rigid, a.modes.len()), (rigid, body.internal_dof()), "{name}");
                assert_eq!((b.rigid, b.modes.len()), (rigid, body.internal_dof()), "{name}");
                for (p, q) in a.modes.iter().zip(&b.modes) {
                    assert!(
                        (p.omega / q.omega - 1.0).abs() < 1e-8,
                        "{name}: {} {}",
                        p.omega,
                        q.omega
                    );
                }
                check_orthogonality(&body, pose, &a);
                check_orthogonality(&body, pose, &b);
            }
        }
    }
}

#[test]
fn shapes_by_both_routes_are_equal_where_frequencies_are_apart() {
    let body = reference_biped();
    let pose = &body.poses()[0];
    for pins in [vec![], vec![PinnedPoint::toe(&body.feet()[0])]] {
        let [a, b] = ROUTES.map(|route| Modes::find_by(route, &body, pose, &pins).unwrap());
        for (index, (p, q)) in a.modes.iter().zip(&b.modes).enumerate() {
            let apart = |other: usize| match a.modes.get(other) {
                Some(mode) => (mode.omega / p.omega - 1.0).abs() > 1e-3,
                None => true,
            };
            if apart(index.wrapping_sub(1)) && apart(index + 1) {
                let dot: f64 = p.shape.iter().zip(&q.shape).map(|(x, y)| x * y).sum();
                assert!(dot > 1.0 - 1e-9, "mode {index}: {dot}");
                let roots = p.root.iter().zip(&q.root);
                assert!(roots.into_iter().all(|(x, y)| (x - y).abs() < 1e-7), "mode {index}");
            }
        }
    }
}

#[test]
fn a_pinned_toe_stays_where_it_is_in_every_ground_mode() {
    let body = andante_body::creature("humanoid").unwrap();
    let pose = &body.poses()[0];
    let toe = PinnedPoint::toe(&body.feet()[1]);
    let ground = Modes::find(&body, pose, &[toe]).unwrap();
    let at = |amplitudes: &[f64]| {
        ground.displace(&body, pose, DVec3::Y, amplitudes)[toe.segment].transform_point(toe.point)
    };
    let rest = at(&[]);
    for index in 0..ground.modes.len() {
        let mut amplitudes = vec![0.0; index + 1];
        // To first order: half the displacement, a quarter of the error.
        amplitudes[index] = 1e-4;
        assert!(at(&amplitudes).distance(rest) < 1e-6, "mode {index}");
    }
    // Toe and heel together say one thing twice: that their distance is fixed.
    let heel = PinnedPoint { segment: toe.segment, point: body.feet()[1].heel };
    let flat = Modes::find(&body, pose, &[toe, heel]).unwrap();
    assert_eq!((flat.rigid, flat.modes.len()), (1, 30));
}

/// As published, Φψ excites modes independently only if all joints are equally stiff.
#[test]
fn shapes_as_torques_leak_unless_stiffness_is_uniform() {
    let leak = |body: &Body| {
        let modes = Modes::find(body, &body.poses()[0], &[]).unwrap();
        let mut worst = 0.0f64;
        for index in 0..modes.modes.len() {
            let mut amplitudes = vec![0.0; index + 1];
            amplitudes[index] = 1.0;
            let forces = modes.forces(&modes.torques(Basis::Shape, &amplitudes));
            let others = forces.iter().enumerate().filter(|(other, _)| *other != index);
            worst = others.fold(worst, |worst, (_, force)| worst.max(force.abs()));
        }
        worst
    };
    assert!(leak(&reference_biped()) < 1e-10);
    assert!(leak(&andante_body::creature("humanoid").unwrap()) > 0.1);
}

#[test]
fn amplitudes_are_found_in_deflections() {
    let body = andante_body::creature("kangaroo").unwrap();
    let modes = Modes::find(&body, &body.poses()[0], &[]).unwrap();
    let mixed: Vec<f64> = (0..modes.modes.len()).map(|i| 0.01 * (i as f64 - 7.0)).collect();
    let mut deflections = vec![0.0; CoordinateLayout::new(&body).dof()];
    for (mode, amplitude) in modes.modes.iter().zip(&mixed) {
        for (angle, shape) in deflections.iter_mut().zip(&mode.shape) {
            *angle += amplitude * shape;
        }
    }
    for (found, meant) in modes.amplitudes(&deflections).iter().zip(&mixed) {
        assert!((found - meant).abs() < 1e-10);
    }
}

/// Stiffer springs, faster modes: √k exactly if all change alike; lighter bodies likewise.
#[test]
fn frequencies_follow_stiffness_and_mass() {
    let body = andante_body::creature("humanoid").unwrap();
    let hz = |body: &Body| {
        let modes = Modes::find(body, &body.poses()[0], &[]).unwrap();
        modes.modes.iter().map(|mode| mode.hz()).collect::<Vec<_>>()
    };
    let mut stiff = body.clone().into_parts();
    let mut light = body.clone().into_parts();
    for segment in &mut stiff.segments {
        if let Some(joint) = &mut segment.joint {
            joint.stiffness = joint.stiffness.map(|k| 4.0 * k);
        }
    }
    for segment in &mut light.segments {
        segment.mass.mass *= 0.25;
        segment.mass.inertia *= 0.25;
    }
    let rest = hz(&body);
    for changed in [stiff, light] {
        for (fast, slow) in hz(&Body::new(changed).unwrap()).iter().zip(&rest) {
            assert!((fast / slow - 2.0).abs() < 1e-8);
        }
    }
}

#[test]
fn what_cannot_vibrate_is_refused() {
    let body = reference_biped();
    let pose = &body.poses()[0];
    let stone = body_of(vec![body.segments()[0].clone()]);
    assert!(Modes::find(&stone, &stone.poses()[0], &[]).is_err());
    assert!(Modes::find(&body, &stone.poses()[0], &[]).is_err());
    let nowhere = PinnedPoint { segment: 99, point: DVec3::ZERO };
    assert!(Modes::find(&body, pose, &[nowhere]).is_err());
    let nan = PinnedPoint { segment: 0, point: DVec3::NAN };
    assert!(Modes::find(&body, pose, &[nan]).is_err());
}

/// A random tree: parents, places, sizes, frames, hinges, rest poses and stiffnesses of all kinds.
fn any_body() -> impl Strategy<Value = Body> {
    let vector = |reach: f64| prop::array::uniform3(-reach..reach).prop_map(DVec3::from);
    let part = (
        0.0..1.0f64,
        (vector(0.4), vector(0.3)),
        prop::array::uniform3(0.05..0.5f64),
        0.2..20.0f64,
        prop::array::uniform3(1.0..500.0f64),
        (vector(2.0), -1.5..1.5f64, vector(1.5)),
        prop::bool::weighted(0.3),
    );
    prop::collection::vec(part, 2..9).prop_map(|parts| {
        let mut segments = Vec::new();
        let mut rotations = Vec::new();
        // Hanging each segment on the chain to the one before keeps the order depth first.
        let mut chain: Vec<usize> = Vec::new();
        let mut places: Vec<DVec3> = Vec::new();
        for (index, (pick, (offset, arm), size, mass, stiffness, (frame, hinge, turn), is_hinge)) in
            parts.into_iter().enumerate()
        {
            let parent = if index == 0 {
                None
            } else {
                chain.truncate(1 + (pick * chain.len() as f64) as usize);
                chain.last().copied()
            };
            let at = parent.map_or(offset, |parent| places[parent] + offset);
            let name = format!("part {index}");
            let size = DVec3::from(size);
            let above = parent.map(|parent| (parent, places[parent]));
            let mut new = segment(&name, at, above, at + arm, size, mass, stiffness);
            let mut rotation = DQuat::from_scaled_axis(turn);
            if let Some(joint) = &mut new.joint {
                joint.frame = DQuat::from_scaled_axis(frame);
                if is_hinge {
                    joint.kind = JointKind::Hinge;
                    rotation = DQuat::from_axis_angle(joint.axes()[0], hinge);
                }
            }
            segments.push(new);
            rotations.push(rotation);
            places.push(at);
            chain.push(index);
        }
        let mut poses = design_pose(segments.len());
        poses[0].rotations = rotations;
        Body::new(BodyParts {
            name: "any".into(),
            description: String::new(),
            segments,
            torso: 0,
            feet: vec![],
            partners: None,
            poses,
        })
        .unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_tree_has_six_rigid_motions_in_the_air_and_three_about_a_pin(
        body in any_body(), point in prop::array::uniform3(-0.3..0.3f64), pick in 0.0..1.0f64,
    ) {
        let pose = &body.poses()[0];
        let last = body.segments().len() as f64;
        let pin = PinnedPoint { segment: (pick * last) as usize, point: DVec3::from(point) };
        for (pins, rigid) in [(&[][..], 6), (&[pin][..], 3)] {
            let [a, b] = ROUTES.map(|route| Modes::find_by(route, &body, pose, pins).unwrap());
            prop_assert_eq!((a.rigid, a.modes.len()), (rigid, body.internal_dof()));
            prop_assert_eq!((b.rigid, b.modes.len()), (rigid, body.internal_dof()));
            for (p, q) in a.modes.iter().zip(&b.modes) {
                prop_assert!((p.omega / q.omega - 1.0).abs() < 1e-6);
            }
            check_orthogonality(&body, pose, &b);
        }
    }
}
