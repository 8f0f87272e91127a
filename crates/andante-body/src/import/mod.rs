//! Bodies from robot descriptions.
//!
//! What both formats can say and a [`Body`] cannot is refused or simplified: slides are refused; several hinges of one
//! part become a ball; welded parts become one segment; cylinders and ellipsoids become boxes of the same volume; meshes
//! are left out (their part needs an inertia). Both have x forward and z up; here z is forward and y up. Neither knows feet,
//! and most have no springs: joints without any get the stiffness that their load asks for. The root floats.

mod guard;
mod mjcf;
mod urdf;

pub use mjcf::{read_mjcf, read_mjcf_file};
pub use urdf::{read_urdf, read_urdf_file};

use crate::file::DAMPING_PER_STIFFNESS;
use crate::{
    Body, BodyJoint, BodyParts, BodySegment, FitOptions, Geometry, JointKind, JointLimits, Mass,
    RestPose, RigidPlacement, SolidShape, weight,
};
use andante_dynamics::PhysicsSettings;
use andante_formats::ReadError;
use glam::{DMat3, DQuat, DVec3};
use std::f64::consts::PI;

/// A part of a robot before it is a segment.
struct ImportedPart {
    name: String,
    parent: Option<usize>,
    /// Where its frame is in the world, in the file's axes.
    place: RigidPlacement,
    turns: Turns,
    /// In the part's frame.
    masses: Vec<Mass>,
    shapes: Vec<SolidShape>,
}

/// How a part moves on its parent.
enum Turns {
    Weld,
    Ball(ImportedHinge),
    /// One hinge, or several at one place.
    Hinges(Vec<ImportedHinge>),
}

impl Turns {
    /// What motors can do about each axis, where the file says it.
    fn torques(&self) -> [Option<f64>; 3] {
        match self {
            Self::Weld => [None; 3],
            Self::Ball(axis) => [axis.torque; 3],
            Self::Hinges(axes) => {
                [0, 1, 2].map(|index| axes.get(index).and_then(|axis| axis.torque))
            }
        }
    }
}

/// One hinge.
#[derive(Clone, Copy)]
struct ImportedHinge {
    /// Unit direction and place in the part's frame.
    direction: DVec3,
    at: DVec3,
    range: Option<[f64; 2]>,
    stiffness: f64,
    damping: f64,
    torque: Option<f64>,
}

/// Locked axes are this much stiffer than the ones that turn.
const LOCKED: f64 = 20.0;

/// From x forward, y left, z up to x left, y up, z forward.
fn upright() -> RigidPlacement {
    let turn = DMat3::from_cols(DVec3::Z, DVec3::X, DVec3::Y);
    RigidPlacement::new(DQuat::from_mat3(&turn), DVec3::ZERO)
}

/// Makes segments of parts that come parents first, branches one after the other.
fn assemble(name: &str, parts: &[ImportedPart]) -> Result<Body, ReadError> {
    if parts.is_empty() {
        return Err(ReadError::file("the description has no bodies"));
    }
    let mut of_part: Vec<usize> = Vec::with_capacity(parts.len());
    let mut segments: Vec<BodySegment> = Vec::new();
    let mut parents: Vec<Option<usize>> = Vec::new();
    let mut origins: Vec<DVec3> = Vec::new();
    let mut masses: Vec<Vec<Mass>> = Vec::new();
    let mut torques: Vec<[Option<f64>; 3]> = Vec::new();
    for part in parts {
        let place = upright() * part.place;
        let parent = part.parent.map(|parent| of_part[parent]);
        let welded = matches!(part.turns, Turns::Weld);
        let index = match parent {
            Some(parent) if welded => parent,
            _ => {
                let (joint, at) = match (parent, &part.turns) {
                    (Some(parent), Turns::Ball(axis)) => {
                        (Some(ball(parent, axis, &place)), axis.at)
                    }
                    (Some(parent), Turns::Hinges(axes)) => {
                        let at = axes.first().map_or(DVec3::ZERO, |axis| axis.at);
                        (Some(hinges(parent, axes, &place)), at)
                    }
                    _ => (None, DVec3::ZERO),
                };
                let origin = place.transform_point(at);
                let mass = Mass { mass: 0.0, center: DVec3::ZERO, inertia: DMat3::ZERO };
                segments.push(BodySegment {
                    name: part.name.clone(),
                    anchor: origin - parent.map_or(DVec3::ZERO, |parent| origins[parent]),
                    joint,
                    mass,
                    shapes: Vec::new(),
                });
                parents.push(parent);
                origins.push(origin);
                masses.push(Vec::new());
                torques.push(part.turns.torques());
                segments.len() - 1
            }
        };
        of_part.push(index);
        let inside = RigidPlacement::new(place.rotation, place.translation - origins[index]);
        masses[index].extend(part.masses.iter().map(|mass| mass.placed(&inside)));
        segments[index].shapes.extend(part.shapes.iter().map(|shape| SolidShape {
            geometry: shape.geometry,
            center: inside.transform_point(shape.center),
            rotation: inside.rotation * shape.rotation,
        }));
    }
    for (segment, masses) in segments.iter_mut().zip(&masses) {
        if masses.is_empty() {
            let message = "it has neither an inertia nor a shape that could give it one";
            return Err(ReadError::element(segment.name.clone(), message));
        }
        segment.mass = Mass::sum(masses.iter().copied());
    }
    let carried = weight::carried(&segments, &parents, PhysicsSettings::STANDARD_GRAVITY);
    soften(&mut segments, &carried);
    for ((segment, torques), carried) in segments.iter_mut().zip(torques).zip(carried) {
        let Some(joint) = &mut segment.joint else { continue };
        let fitted = FitOptions::default().torques(joint.stiffness, carried);
        joint.torque_limit = [0, 1, 2].map(|axis| torques[axis].unwrap_or(fitted[axis]));
    }
    let poses = vec![RestPose::design(segments.len())];
    let body = Body::new(BodyParts {
        name: name.into(),
        description: String::new(),
        segments,
        torso: 0,
        feet: Vec::new(),
        partners: None,
        poses,
    });
    body.map_err(|error| ReadError::file(error.to_string()))
}

/// Joints without springs, if there is none at all, get those that their load asks for.
fn soften(segments: &mut [BodySegment], carried: &[f64]) {
    let sprung =
        |segment: &BodySegment| segment.joint.is_some_and(|joint| joint.stiffness[0] > 0.0);
    if segments.iter().any(sprung) {
        return;
    }
    for (segment, &carried) in segments.iter_mut().zip(carried) {
        let Some(joint) = &mut segment.joint else { continue };
        let locked = |axis: usize| joint.limits.is_some_and(|l| l.lower[axis] == l.upper[axis]);
        let stiffness = [0, 1, 2].map(|axis| if locked(axis) { LOCKED * carried } else { carried });
        joint.stiffness = stiffness;
        if joint.damping == [0.0; 3] {
            joint.damping = stiffness.map(|k| DAMPING_PER_STIFFNESS * k);
        }
        if let Some(limits) = &mut joint.limits {
            limits.stiffness = LOCKED * carried;
            limits.damping = DAMPING_PER_STIFFNESS * LOCKED * carried;
        }
    }
}

fn ball(parent: usize, axis: &ImportedHinge, place: &RigidPlacement) -> BodyJoint {
    let reach = axis.range.map(|range| range[1].abs().max(1e-3));
    let stop = LOCKED * axis.stiffness;
    BodyJoint {
        parent,
        kind: JointKind::Ball,
        frame: place.rotation,
        stiffness: [axis.stiffness; 3],
        damping: [axis.damping; 3],
        limits: reach.map(|reach| JointLimits {
            lower: [-reach; 3],
            upper: [reach; 3],
            stiffness: stop,
            damping: DAMPING_PER_STIFFNESS * stop,
        }),
        torque_limit: [0.0; 3],
    }
}

/// One hinge as it is; of two or three a ball whose axes they are, with the missing one locked.
fn hinges(parent: usize, axes: &[ImportedHinge], place: &RigidPlacement) -> BodyJoint {
    let world = |index: usize| axes.get(index).map(|axis| place.rotation * axis.direction);
    let x = world(0).and_then(DVec3::try_normalize).unwrap_or(DVec3::X);
    let y = world(1).and_then(|axis| axis.reject_from(x).try_normalize());
    let y = y.unwrap_or_else(|| x.any_orthonormal_vector());
    let z = x.cross(y);
    // The third hinge may turn the other way about the third axis.
    let sign = world(2).map_or(1.0, |axis| if axis.dot(z) < 0.0 { -1.0 } else { 1.0 });
    let stiffest = axes.iter().map(|axis| axis.stiffness).fold(0.0, f64::max);
    let mut joint = BodyJoint {
        parent,
        kind: if axes.len() == 1 { JointKind::Hinge } else { JointKind::Ball },
        frame: DQuat::from_mat3(&DMat3::from_cols(x, y, z)),
        stiffness: [LOCKED * stiffest; 3],
        damping: [DAMPING_PER_STIFFNESS * LOCKED * stiffest; 3],
        limits: None,
        torque_limit: [0.0; 3],
    };
    let mut limits = JointLimits {
        lower: [0.0; 3],
        upper: [0.0; 3],
        stiffness: LOCKED * stiffest,
        damping: DAMPING_PER_STIFFNESS * LOCKED * stiffest,
    };
    for (index, axis) in axes.iter().enumerate().take(3) {
        joint.stiffness[index] = axis.stiffness;
        joint.damping[index] = axis.damping;
        let [low, high] = axis.range.unwrap_or([f64::MIN, f64::MAX]);
        (limits.lower[index], limits.upper[index]) =
            if index == 2 && sign < 0.0 { (-high, -low) } else { (low, high) };
    }
    let limited = axes.iter().any(|axis| axis.range.is_some()) || axes.len() == 2;
    joint.limits = limited.then_some(limits);
    joint
}

/// A cylinder along y as a box of the same volume.
fn cylinder(radius: f64, half_length: f64) -> Geometry {
    let round = (PI / 4.0).sqrt();
    let half = DVec3::new(radius, half_length, radius) * DVec3::new(round, 1.0, round);
    Geometry::Box { half }
}

#[cfg(test)]
mod tests;
