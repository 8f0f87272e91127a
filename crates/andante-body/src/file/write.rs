//! Writing character files.

use super::schema::{self, PerAxis, ShapeTable, Symmetry};
use crate::{Body, BodySegment, Geometry, SolidShape};
use glam::{DQuat, DVec3};
use std::collections::BTreeMap;
use toml::Spanned;

/// The text of a character file; reading it gives the same body again, up to rounding.
pub fn write_body(body: &Body) -> String {
    let parts = body.parts();
    let identity = vec![DQuat::IDENTITY; parts.segments.len()];
    let origins: Vec<DVec3> = body
        .place(parts.segments[0].anchor, &identity)
        .iter()
        .map(|place| place.translation)
        .collect();
    let name = |segment: usize| plain(parts.segments[segment].name.clone());
    let segments = parts
        .segments
        .iter()
        .zip(&origins)
        .map(|(segment, origin)| plain(write_segment(body, segment, *origin)));
    let feet = parts.feet.iter().map(|foot| {
        plain(schema::FootTable {
            name: foot.name.clone(),
            segment: name(foot.segment),
            hip: name(foot.hip),
            toe: (foot.toe + origins[foot.segment]).to_array(),
            heel: (foot.heel + origins[foot.segment]).to_array(),
            radius: foot.radius,
            disregarded: foot.disregarded,
        })
    });
    let poses = parts.poses.iter().map(|pose| {
        let mut turn = BTreeMap::new();
        for (segment, rotation) in parts.segments.iter().zip(&pose.rotations) {
            let frame = segment.joint.map_or(DQuat::IDENTITY, |joint| joint.frame);
            let angles = degrees(frame.conjugate() * *rotation * frame);
            if angles != [0.0; 3] {
                turn.insert(plain(segment.name.clone()), angles);
            }
        }
        plain(schema::PoseTable { name: pose.name.clone(), turn })
    });
    let file = schema::BodyFile {
        version: plain(1),
        name: parts.name.clone(),
        description: parts.description.clone(),
        torso: name(parts.torso),
        symmetry: if parts.partners.is_some() { Symmetry::Check } else { Symmetry::None },
        segments: segments.collect(),
        feet: feet.collect(),
        poses: poses.collect(),
    };
    match toml::to_string(&file) {
        Ok(text) => text,
        Err(error) => unreachable!("a body has nothing that TOML cannot say: {error}"),
    }
}

fn plain<T>(value: T) -> Spanned<T> {
    Spanned::new(0..0, value)
}

/// A rotation vector in degrees.
fn degrees(rotation: DQuat) -> [f64; 3] {
    rotation.to_scaled_axis().to_array().map(f64::to_degrees)
}

fn write_segment(body: &Body, segment: &BodySegment, origin: DVec3) -> schema::SegmentTable {
    let joint = segment.joint.as_ref();
    let inertia = segment.mass.inertia;
    schema::SegmentTable {
        name: plain(segment.name.clone()),
        parent: joint.map(|joint| plain(body.segments()[joint.parent].name.clone())),
        at: Some(origin.to_array()),
        joint: joint.map(|joint| joint.kind),
        along: None,
        frame: joint.map(|joint| degrees(joint.frame)),
        stiffness: joint.map(|joint| PerAxis::Each(joint.stiffness)),
        damping: joint.map(|joint| PerAxis::Each(joint.damping)),
        torque: joint.map(|joint| PerAxis::Each(joint.torque_limit)),
        limits: joint.and_then(|joint| joint.limits).map(|limits| schema::LimitsTable {
            lower: PerAxis::Each(limits.lower.map(f64::to_degrees)),
            upper: PerAxis::Each(limits.upper.map(f64::to_degrees)),
            stiffness: Some(limits.stiffness),
            damping: Some(limits.damping),
        }),
        mass: Some(segment.mass.mass),
        density: None,
        center: Some((segment.mass.center + origin).to_array()),
        inertia: Some([
            inertia.x_axis.x,
            inertia.y_axis.y,
            inertia.z_axis.z,
            inertia.x_axis.y,
            inertia.x_axis.z,
            inertia.y_axis.z,
        ]),
        shapes: segment.shapes.iter().map(|shape| write_shape(shape, origin)).collect(),
    }
}

fn write_shape(shape: &SolidShape, origin: DVec3) -> ShapeTable {
    let at = shape.center + origin;
    let center = at.to_array();
    match shape.geometry {
        Geometry::Box { half } => {
            ShapeTable::Box { center, size: (half * 2.0).to_array(), turn: degrees(shape.rotation) }
        }
        Geometry::Capsule { radius, half_length } if half_length > 0.0 => {
            let arm = shape.rotation * DVec3::Y * half_length;
            ShapeTable::Capsule { from: (at + arm).to_array(), to: (at - arm).to_array(), radius }
        }
        Geometry::Capsule { radius, .. } | Geometry::Sphere { radius } => {
            ShapeTable::Sphere { center, radius }
        }
    }
}
