//! Clips stay within the ranges of motion of the built-in human.

use crate::made;
use andante_motion::synth::NAMES;
use andante_skeleton::{JointLimit, humanoid, rotation};
use glam::Quat;

/// How far a rotation goes, as a part of what a limit allows: at most 1 is inside.
fn strain(limit: &JointLimit, q: Quat) -> f32 {
    let part = |angle: f32, [low, high]: [f32; 2]| {
        if angle < 0.0 { angle / low.min(-1e-3) } else { angle / high.max(1e-3) }
    };
    match *limit {
        JointLimit::Free => 0.0,
        JointLimit::Fixed => rotation::log(q).length() / 1e-3,
        JointLimit::Hinge { axis, range } => part(rotation::log(q).dot(axis), range),
        JointLimit::Ball { twist_axis, swing_axis, twist, swing_a, swing_b } => {
            let (swing, turn) = rotation::swing_twist(q, twist_axis);
            let swing = rotation::log(swing);
            let a = part(swing.dot(swing_axis), swing_a);
            let b = part(swing.dot(twist_axis.cross(swing_axis)), swing_b);
            part(rotation::log(turn).dot(twist_axis), twist).max(a.hypot(b))
        }
    }
}

#[test]
fn every_joint_stays_within_its_range() {
    let human = humanoid();
    let mut wrong = Vec::new();
    for name in NAMES {
        let clip = made(&human, name).clip;
        for (index, joint) in human.skeleton.joints().iter().enumerate() {
            let back = joint.rest.rotation.conjugate();
            let worst = (0..clip.frame_count())
                .map(|frame| (strain(&joint.limit, back * clip.rotation(frame, index)), frame))
                .fold((0.0, 0), |worst, found| if found.0 > worst.0 { found } else { worst });
            if worst.0 > 1.001 {
                wrong.push(format!("{name}: {} {:.2} in frame {}", joint.name, worst.0, worst.1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
