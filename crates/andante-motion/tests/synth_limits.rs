//! Synthesised clips stay within the ranges of motion of the built-in human.

use andante_motion::synth;
use andante_skeleton::{JointLimit, humanoid, rotation};
use glam::{Quat, Vec3};

/// How far a rotation is outside a limit, as a multiple of the limit: at most 1 is inside.
fn excess(limit: &JointLimit, q: Quat) -> f32 {
    let within = |angle: f32, [low, high]: [f32; 2]| {
        if angle < 0.0 { angle / low.min(-1e-3) } else { angle / high.max(1e-3) }
    };
    match *limit {
        JointLimit::Free => 0.0,
        JointLimit::Fixed => rotation::log(q).length() / 1e-3,
        JointLimit::Hinge { axis, range } => within(rotation::log(q).dot(axis), range),
        JointLimit::Ball { twist_axis, swing_axis, twist, swing_a, swing_b } => {
            let (swing, turn) = rotation::swing_twist(q, twist_axis);
            let swing = rotation::log(swing);
            let a = within(swing.dot(swing_axis), swing_a);
            let b = within(swing.dot(twist_axis.cross(swing_axis)), swing_b);
            within(rotation::log(turn).dot(twist_axis), twist).max(a.hypot(b))
        }
    }
}

#[test]
fn every_joint_stays_within_its_range() {
    let human = humanoid();
    let mut wrong = Vec::new();
    for made in synth::repertoire(&human).unwrap() {
        for (index, joint) in human.skeleton.joints().iter().enumerate() {
            let rest = joint.rest.rotation;
            let worst = (0..made.clip.frame_count())
                .map(|frame| {
                    (
                        excess(&joint.limit, rest.conjugate() * made.clip.rotation(frame, index)),
                        frame,
                    )
                })
                .fold((0.0, 0), |worst, found| if found.0 > worst.0 { found } else { worst });
            // A hundredth for a knee that is at its stop, to rounding.
            if worst.0 > 1.01 {
                let turned = rotation::log(rest.conjugate() * made.clip.rotation(worst.1, index));
                wrong.push(format!(
                    "{} {} {:.2} at frame {} ({:?})",
                    made.clip.name(),
                    joint.name,
                    worst.0,
                    worst.1,
                    (turned * 57.3).round()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let _ = Vec3::X;
}
