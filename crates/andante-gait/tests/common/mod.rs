//! Bodies that several tests use.
#![allow(dead_code)]

use andante_body::{
    Body, BodyFoot, BodyJoint, BodyParts, BodySegment, Geometry, JointKind, Mass, RestPose,
    SolidShape,
};
use andante_skeleton::Side;
use glam::{DQuat, DVec3};

/// A box of a mass around a centre.
pub fn segment(
    name: &str,
    joint_at: DVec3,
    parent: Option<(usize, DVec3)>,
    center: DVec3,
    size: DVec3,
    mass: f64,
    stiffness: [f64; 3],
) -> BodySegment {
    let shape = SolidShape {
        geometry: Geometry::Box { half: size * 0.5 },
        center: center - joint_at,
        rotation: DQuat::IDENTITY,
    };
    BodySegment {
        name: name.into(),
        anchor: joint_at - parent.map_or(DVec3::ZERO, |(_, at)| at),
        joint: parent.map(|(parent, _)| BodyJoint {
            parent,
            kind: JointKind::Ball,
            frame: DQuat::IDENTITY,
            stiffness,
            damping: stiffness.map(|k| 0.1 * k),
            limits: None,
            torque_limit: [1000.0; 3],
        }),
        mass: Mass::of_shapes(&[shape], mass),
        shapes: vec![shape],
    }
}

pub fn design_pose(segments: usize) -> Vec<RestPose> {
    vec![RestPose { name: "default".into(), rotations: vec![DQuat::IDENTITY; segments] }]
}

/// A body without feet and without symmetry.
pub fn body_of(segments: Vec<BodySegment>) -> Body {
    let poses = design_pose(segments.len());
    Body::new(BodyParts {
        name: "body".into(),
        description: String::new(),
        segments,
        torso: 0,
        feet: vec![],
        partners: None,
        poses,
    })
    .unwrap()
}

/// The biped of the reference case: boxes, 100 N·m/rad about every axis. The reference has x forward and z to the
/// right; here z is forward and x to the left.
pub fn reference_biped() -> Body {
    type Row = (&'static str, usize, [f64; 3], f64, [f64; 3], [f64; 3]);
    let limbs: [Row; 5] = [
        ("thigh", 0, [0.0, 0.73, 0.1], 8.0, [0.12, 0.42, 0.12], [0.0, 0.95, 0.1]),
        ("shank", 1, [0.0, 0.30, 0.1], 3.5, [0.10, 0.42, 0.10], [0.0, 0.51, 0.1]),
        ("foot", 2, [0.08, 0.04, 0.1], 1.0, [0.26, 0.07, 0.10], [0.0, 0.08, 0.1]),
        ("upper arm", 0, [0.0, 1.35, 0.2], 2.5, [0.08, 0.30, 0.08], [0.0, 1.50, 0.2]),
        ("forearm", 4, [0.0, 1.05, 0.2], 2.0, [0.07, 0.30, 0.07], [0.0, 1.20, 0.2]),
    ];
    let torso_at = DVec3::new(0.0, 1.25, 0.0);
    let torso =
        segment("torso", torso_at, None, torso_at, DVec3::new(0.30, 0.60, 0.20), 35.0, [0.0; 3]);
    let mut segments = vec![torso];
    let mut joints_at = vec![torso_at];
    let mut feet = Vec::new();
    let mut partners = vec![0];
    // Depth first: a leg and an arm of the left, then of the right.
    for (side, name, sign) in [(Side::Left, "left", 1.0), (Side::Right, "right", -1.0)] {
        let base = segments.len() - 1;
        for (part, parent, center, mass, size, joint) in limbs {
            let place = |[x, y, z]: [f64; 3]| DVec3::new(sign * z, y, x);
            let parent = if parent == 0 { 0 } else { base + parent };
            let index = segments.len();
            segments.push(segment(
                &format!("{name} {part}"),
                place(joint),
                Some((parent, joints_at[parent])),
                place(center),
                DVec3::new(size[2], size[1], size[0]),
                mass,
                [100.0; 3],
            ));
            joints_at.push(place(joint));
            partners.push(if sign > 0.0 { index + 5 } else { index - 5 });
            if part == "foot" {
                let from_joint = place(center) - place(joint);
                feet.push(BodyFoot {
                    name: format!("{name} foot"),
                    side,
                    segment: index,
                    toe: from_joint + DVec3::new(0.0, -0.03, 0.13),
                    heel: from_joint + DVec3::new(0.0, -0.03, -0.13),
                    radius: 0.02,
                    hip: base + 1,
                    disregarded: false,
                });
            }
        }
    }
    let poses = design_pose(segments.len());
    Body::new(BodyParts {
        name: "reference".into(),
        description: "the biped of the reference case".into(),
        segments,
        torso: 0,
        feet,
        partners: Some(partners),
        poses,
    })
    .unwrap()
}
