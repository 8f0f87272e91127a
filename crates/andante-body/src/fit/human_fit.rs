//! The body that balances, walks and falls, made as large as a character that is built like a human.
//!
//! It has the eleven segments of the built-in humanoid and stands with its arms down. Its joints lie where the character's
//! do, so a foot of the one is a foot of the other. What the body has no joints for, spine, hands and toes, is left out.

use crate::{Body, BodyError, BodySegment, Geometry, Mass, SolidShape, creature};
use andante_dynamics::{Model, Quat as Turn};
use andante_skeleton::{Character, Foot, Rig, Transform};
use glam::{DQuat, DVec3};
use thiserror::Error;

/// An error that keeps a physical human from being fitted to a character.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum HumanFitError {
    /// It lacks something.
    #[error("a physical character needs {0}")]
    Build(&'static str),
    /// The parts do not make a body.
    #[error(transparent)]
    Body(#[from] BodyError),
}

andante_skeleton::settings! {
    /// The feet of a fitted human, in metres for one as tall as the built-in humanoid.
    pub struct HumanFitOptions: Copy {
        /// Height of the box that is a foot. Usually 0.05 to 0.1.
        foot_height: f64 = 0.07, 0.0..;
        /// Width of that box. Narrow feet tip sideways.
        foot_width: f64 = 0.09, 0.0..;
        /// How far toe and heel spheres are within the ends of the sole.
        foot_inset: f64 = 0.01, 0.0..;
    }
}

/// A body of eleven segments, and which joints of a character they are.
#[derive(Clone, Debug)]
pub struct HumanFit {
    /// The body.
    pub body: Body,
    /// For each segment the joint it is.
    pub joints: Vec<usize>,
    /// For each segment, from the joint's axes to its own.
    pub turns: Vec<DQuat>,
}

impl HumanFit {
    /// The coordinates of the body's model when the joints of the character are placed so.
    pub fn coordinates(&self, model: &Model, models: &[Transform]) -> Vec<f64> {
        let placed = self.joints.iter().zip(&self.turns);
        let turned: Vec<DQuat> = placed
            .map(|(&joint, turn)| (models[joint].rotation.as_dquat() * *turn).normalize())
            .collect();
        let mut q = model.rest().to_vec();
        q[..3].copy_from_slice(&double(models[self.joints[0]].translation).to_array());
        write(turned[0], &mut q[3..7]);
        for (link, own) in model.links().iter().enumerate() {
            let Some(parent) = own.parent else { continue };
            let joint = turn(&own.rotation).conjugate()
                * turned[parent].conjugate()
                * turned[link]
                * turn(&own.inner);
            write(joint, &mut q[model.coordinate_range(link)]);
        }
        q
    }
}

fn write(q: DQuat, to: &mut [f64]) {
    let q = q.normalize();
    to.copy_from_slice(&[q.x, q.y, q.z, q.w]);
}

fn turn(q: &Turn<f64>) -> DQuat {
    DQuat::from_xyzw(q.x, q.y, q.z, q.w)
}

/// Makes the body of a character that is built like a human: the built-in humanoid, scaled by the length of the legs and
/// with its joints where the character has them. Masses grow with the square of the scale, strength with its cube.
///
/// ```
/// let human = andante_skeleton::humanoid_of_height(1.6);
/// let fitted = andante_body::fit_human(&human, &Default::default())?;
/// assert_eq!(fitted.body.segments().len(), 11);
/// # Ok::<(), andante_body::HumanFitError>(())
/// ```
pub fn fit_human(
    character: &Character,
    options: &HumanFitOptions,
) -> Result<HumanFit, HumanFitError> {
    let rig = &character.rig;
    let rest = character.skeleton.rest_models();
    let at = |joint: usize| double(rest[joint].translation);
    let human = rig.feet.len() == 2 && rig.feet.iter().all(|foot| foot.leg.len() == 3);
    if !human {
        return Err(HumanFitError::Build("two legs of thigh, shank and foot"));
    }
    if !(rig.arms.len() == 2 && rig.arms.iter().all(|arm| arm.chain.len() >= 3)) {
        return Err(HumanFitError::Build("two arms with hands"));
    }
    let pattern = creature("humanoid").map_err(|_| HumanFitError::Build("a pattern"))?;
    let joints = joints(rig, &pattern)?;
    let mut parts = pattern.into_parts();
    parts.partners = None;
    let bone = |segments: &[BodySegment], name: &str| {
        let of = segments.iter().find(|segment| segment.name == name);
        of.map_or(0.4, |segment| segment.anchor.length())
    };
    let pattern_leg = bone(&parts.segments, "left shank") + bone(&parts.segments, "left foot");
    let leg = &rig.feet[0].leg;
    let length = at(leg[0]).distance(at(leg[1])) + at(leg[1]).distance(at(leg[2]));
    let scale = length / pattern_leg;
    if !(0.05..20.0).contains(&scale) {
        return Err(HumanFitError::Build("legs of a length"));
    }
    let middle = 0.5 * (at(rig.feet[0].hip()) + at(rig.feet[1].hip())) - at(rig.hips);
    let thigh = parts.segments.iter().find(|segment| segment.name == "left thigh");
    let sockets = DVec3::Y * thigh.map_or(0.0, |thigh| thigh.anchor.y);
    let mut turns = vec![inverse_rest(&rest[rig.hips])];
    for (index, segment) in parts.segments.iter_mut().enumerate() {
        let joint = joints[index];
        let foot = rig.feet.iter().find(|foot| foot.ankle() == joint);
        for shape in &mut segment.shapes {
            resize(shape, scale);
            if index == 0 {
                shape.center += middle - sockets * scale;
            }
        }
        let next = next_joint(rig, &segment.name, joint);
        if let Some(next) = next {
            stretch(&mut segment.shapes, at(joint).distance(at(next)));
        }
        if let Some(foot) = foot {
            segment.shapes = vec![sole(foot, &rest, at(joint), scale, options)];
        }
        let mass = segment.mass.mass * scale * scale;
        segment.mass = Mass::of_shapes(&segment.shapes, mass);
        if index == 0 {
            segment.anchor = at(joint);
            continue;
        }
        let Some(own) = &mut segment.joint else { continue };
        own.torque_limit = own.torque_limit.map(|torque| torque * scale.powi(3));
        let above = joints[own.parent];
        segment.anchor = match own.parent {
            0 => at(joint) - at(above),
            _ => DVec3::NEG_Y * at(joint).distance(at(above)),
        };
        let down = next.and_then(|next| (at(next) - at(joint)).try_normalize());
        let hang =
            down.map_or(DQuat::IDENTITY, |down| DQuat::from_rotation_arc(DVec3::NEG_Y, down));
        turns.push(inverse_rest(&rest[joint]) * hang);
    }
    for (foot, own) in parts.feet.iter_mut().zip(&rig.feet) {
        let origin = at(own.ankle());
        let inset = DVec3::new(0.0, 0.0, options.foot_inset * scale);
        foot.heel = own.heel.position(&rest).as_dvec3() - origin + inset;
        foot.toe = own.tip.position(&rest).as_dvec3() - origin - inset;
        foot.toe.y = foot.heel.y;
        foot.radius *= scale;
    }
    let body = Body::new(parts)?;
    Ok(HumanFit { body, joints, turns })
}

fn inverse_rest(rest: &Transform) -> DQuat {
    rest.rotation.as_dquat().normalize().conjugate()
}

fn resize(shape: &mut SolidShape, scale: f64) {
    shape.center *= scale;
    shape.geometry = match shape.geometry {
        Geometry::Box { half } => Geometry::Box { half: half * scale },
        Geometry::Capsule { radius, half_length } => {
            Geometry::Capsule { radius: radius * scale, half_length: half_length * scale }
        }
        Geometry::Sphere { radius } => Geometry::Sphere { radius: radius * scale },
    };
}

/// The joint of each segment.
fn joints(rig: &Rig, pattern: &Body) -> Result<Vec<usize>, HumanFitError> {
    let mut joints = vec![rig.hips];
    for segment in &pattern.segments()[1..] {
        let side = usize::from(segment.name.starts_with("right"));
        let (leg, arm) = (&rig.feet[side].leg, &rig.arms[side].chain);
        joints.push(match segment.name.split_once(' ').map_or("", |(_, part)| part) {
            "thigh" => leg[0],
            "shank" => leg[1],
            "foot" => leg[2],
            "upper arm" => arm[0],
            "forearm" => arm[1],
            _ => return Err(HumanFitError::Build("a pattern")),
        });
    }
    Ok(joints)
}

/// Where the limb of a joint leads; `None` for trunk and feet.
fn next_joint(rig: &Rig, name: &str, joint: usize) -> Option<usize> {
    match name {
        "left thigh" | "right thigh" | "left shank" | "right shank" => {
            let leg = &rig.feet[usize::from(name.starts_with("right"))].leg;
            Some(leg[1 + leg.iter().position(|&j| j == joint).unwrap_or(0)])
        }
        "left foot" | "right foot" | "trunk" => None,
        _ => {
            let arm = &rig.arms[usize::from(name.starts_with("right"))].chain;
            Some(arm[1 + arm.iter().position(|&j| j == joint).unwrap_or(0)])
        }
    }
}

/// Makes the bone of a limb that hangs as long as it is; what is beyond its end, a hand, goes with the end.
fn stretch(shapes: &mut [SolidShape], length: f64) {
    let Some((SolidShape { geometry: Geometry::Box { half }, center, .. }, beyond)) =
        shapes.split_first_mut()
    else {
        return;
    };
    let longer = length - 2.0 * half.y;
    half.y = 0.5 * length;
    center.y = -half.y;
    for shape in beyond {
        shape.center.y -= longer;
    }
}

/// A box from heel to toes whose underside is the character's sole.
fn sole(
    foot: &Foot,
    rest: &[Transform],
    ankle: DVec3,
    scale: f64,
    options: &HumanFitOptions,
) -> SolidShape {
    let [heel, tip] = [foot.heel, foot.tip].map(|point| double(point.position(rest)) - ankle);
    let high = options.foot_height * scale;
    let half = DVec3::new(
        0.5 * options.foot_width * scale,
        0.5 * high,
        (0.5 * (tip.z - heel.z)).max(0.02 * scale),
    );
    let center = DVec3::new(0.5 * (heel.x + tip.x), heel.y + 0.5 * high, 0.5 * (heel.z + tip.z));
    SolidShape { geometry: Geometry::Box { half }, center, rotation: DQuat::IDENTITY }
}

fn double(v: glam::Vec3) -> DVec3 {
    v.as_dvec3()
}
