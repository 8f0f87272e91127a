//! The physical body of a character, and how poses of the one become poses of the other.
//!
//! Balance is kept by a body of eleven segments that stands with its arms down. It is made as large as the character: its
//! joints lie where the character's do, so a foot of the one is a foot of the other. What the body has no joints for, spine,
//! hands and toes, is shown as in standing.

use crate::{PhysicalSettings, StageSettings};
use andante_body::{
    Body, BodyError, BodySegment, Geometry, Mass, Physique, PhysiqueError, SolidShape, creature,
};
use andante_dynamics::{Kinematics, Model, PhysicsSettings, Quat as Turn, Vec3 as Vector};
use andante_skeleton::{Character, Foot, Rig, Transform};
use glam::{DQuat, DVec3};
use std::sync::Arc;
use thiserror::Error;

/// Why a character cannot be physical.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum PhysicalBodyError {
    /// It lacks something.
    #[error("a physical character needs {0}")]
    Build(&'static str),
    /// The parts do not make a body.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// Nobody could balance it.
    #[error(transparent)]
    Physique(#[from] PhysiqueError),
}

/// A body, and which joints of a character its links are.
#[derive(Clone, Debug)]
pub(crate) struct PhysicalBody {
    pub physique: Physique,
    /// For each link the joint it is.
    joints: Vec<usize>,
    /// For each link, from the joint's axes to its own.
    turns: Vec<DQuat>,
    hips: usize,
    /// For each joint the link it is, if any.
    links: Vec<Option<usize>>,
    /// Those of the stage it is on.
    pub settings: Arc<StageSettings>,
}

fn double(v: glam::Vec3) -> DVec3 {
    v.as_dvec3()
}

impl PhysicalBody {
    /// The body of a character that is built like a human.
    pub fn new(
        character: &Character,
        settings: Arc<StageSettings>,
    ) -> Result<Self, PhysicalBodyError> {
        let rig = &character.rig;
        let rest = character.skeleton.rest_models();
        let pattern = creature("humanoid").map_err(|_| PhysicalBodyError::Build("a pattern"))?;
        let joints = joints_of(&pattern, rig)?;
        let mut parts = pattern.into_parts();
        parts.partners = None;
        let fit = BodyFit::new(rig, &rest, &parts.segments, &settings.physical)?;
        let mut turns = vec![inverse_rest(&rest[rig.hips])];
        for (index, segment) in parts.segments.iter_mut().enumerate() {
            let joint = joints[index];
            let next = fit.next(&segment.name, joint);
            fit.shape(index, segment, joint, next);
            if index == 0 {
                segment.anchor = fit.at(joint);
                continue;
            }
            let Some(own) = &mut segment.joint else { continue };
            own.torque_limit = own.torque_limit.map(|torque| torque * fit.scale.powi(3));
            let above = joints[own.parent];
            segment.anchor = match own.parent {
                0 => fit.at(joint) - fit.at(above),
                _ => DVec3::NEG_Y * fit.at(joint).distance(fit.at(above)),
            };
            let down = next.and_then(|next| (fit.at(next) - fit.at(joint)).try_normalize());
            let hang =
                down.map_or(DQuat::IDENTITY, |down| DQuat::from_rotation_arc(DVec3::NEG_Y, down));
            turns.push(inverse_rest(&rest[joint]) * hang);
        }
        for (foot, own) in parts.feet.iter_mut().zip(&rig.feet) {
            let origin = fit.at(own.ankle());
            let inset = DVec3::new(0.0, 0.0, settings.physical.foot_inset * fit.scale);
            foot.heel = own.heel.position(&rest).as_dvec3() - origin + inset;
            foot.toe = own.tip.position(&rest).as_dvec3() - origin - inset;
            foot.toe.y = foot.heel.y;
            foot.radius *= fit.scale;
        }
        let body = Body::new(parts)?;
        let physique = Physique::new(&body, &body.poses()[0], &PhysicsSettings::default())?;
        let mut links = vec![None; character.skeleton.len()];
        for (link, &joint) in joints.iter().enumerate() {
            links[joint] = Some(link);
        }
        Ok(Self { physique, joints, turns, hips: rig.hips, links, settings })
    }

    /// The coordinates of the body when the joints are placed so.
    pub fn coordinates(&self, models: &[Transform]) -> Vec<f64> {
        let model = &*self.physique.model;
        let turned: Vec<DQuat> = self
            .joints
            .iter()
            .zip(&self.turns)
            .map(|(&joint, turn)| (models[joint].rotation.as_dquat() * *turn).normalize())
            .collect();
        let mut q = model.rest().to_vec();
        q[..3].copy_from_slice(&models[self.hips].translation.as_dvec3().to_array());
        write(turned[0], &mut q[3..7]);
        for (link, own) in model.links().iter().enumerate() {
            let Some(parent) = own.parent else { continue };
            let joint = glam(&own.rotation).conjugate()
                * turned[parent].conjugate()
                * turned[link]
                * glam(&own.inner);
            write(joint, &mut q[model.coordinate_range(link)]);
        }
        q
    }

    /// The pose of the character when the links are placed so; what has no link is as in `others`. The root's translation is
    /// where the hips are.
    pub fn write_pose(
        &self,
        character: &Character,
        kin: &Kinematics<f64>,
        others: &[Transform],
        pose: &mut [Transform],
    ) {
        let (skeleton, model) = (&character.skeleton, &*self.physique.model);
        pose.copy_from_slice(others);
        let at = kin.position(model, self.joints.iter().position(|&j| j == self.hips).unwrap_or(0));
        let hips =
            Transform::new(self.rotation(kin, 0), glam::DVec3::new(at.x, at.y, at.z).as_vec3());
        // Whatever is above the hips is moved so that they are where they are.
        let above = skeleton.ancestors(self.hips).skip(1);
        let chain = above.fold(Transform::IDENTITY, |chain, joint| others[joint] * chain);
        if self.hips == 0 {
            pose[0] = hips;
        } else {
            let root = hips * (chain * others[self.hips]).inverse() * others[0];
            pose[0] = root;
        }
        let mut turned = vec![glam::Quat::IDENTITY; skeleton.len()];
        for joint in 0..skeleton.len() {
            let parent = skeleton.parent(joint).map(|parent| turned[parent]);
            let own = match (self.links[joint], parent) {
                (Some(link), Some(parent)) => {
                    let own = self.rotation(kin, link);
                    pose[joint].rotation = (parent.conjugate() * own).normalize();
                    own
                }
                (_, Some(parent)) => (parent * pose[joint].rotation).normalize(),
                (_, None) => pose[joint].rotation,
            };
            turned[joint] = own;
        }
    }

    /// How a link's joint is turned.
    fn rotation(&self, kin: &Kinematics<f64>, link: usize) -> glam::Quat {
        let m = kin.rotation(link);
        let [x, y, z] = [m.x, m.y, m.z].map(|v| DVec3::new(v.x, v.y, v.z));
        let own = DQuat::from_mat3(&glam::DMat3::from_cols(x, y, z));
        (own * self.turns[link].conjugate()).normalize().as_quat()
    }

    pub fn model(&self) -> &Model {
        &self.physique.model
    }
}

/// For each segment of a pattern the joint of a character that is built like a human.
fn joints_of(pattern: &Body, rig: &Rig) -> Result<Vec<usize>, PhysicalBodyError> {
    if !(rig.feet.len() == 2 && rig.feet.iter().all(|foot| foot.leg.len() == 3)) {
        return Err(PhysicalBodyError::Build("two legs of thigh, shank and foot"));
    }
    if !(rig.arms.len() == 2 && rig.arms.iter().all(|arm| arm.chain.len() >= 3)) {
        return Err(PhysicalBodyError::Build("two arms with hands"));
    }
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
            _ => return Err(PhysicalBodyError::Build("a pattern")),
        });
    }
    Ok(joints)
}

/// How segments of a pattern become as large as a character.
struct BodyFit<'a> {
    rig: &'a Rig,
    rest: &'a [Transform],
    settings: &'a PhysicalSettings,
    /// Length of the character's legs as a part of the pattern's.
    scale: f64,
    /// From the pattern's trunk to the character's.
    shift: DVec3,
}

impl<'a> BodyFit<'a> {
    fn new(
        rig: &'a Rig,
        rest: &'a [Transform],
        segments: &[BodySegment],
        settings: &'a PhysicalSettings,
    ) -> Result<Self, PhysicalBodyError> {
        let at = |joint: usize| double(rest[joint].translation);
        let find = |name: &str| segments.iter().find(|segment| segment.name == name);
        let bone = |name: &str| find(name).map_or(0.4, |segment| segment.anchor.length());
        let leg = &rig.feet[0].leg;
        let length = at(leg[0]).distance(at(leg[1])) + at(leg[1]).distance(at(leg[2]));
        let scale = length / (bone("left shank") + bone("left foot"));
        if !(0.05..20.0).contains(&scale) {
            return Err(PhysicalBodyError::Build("legs of a length"));
        }
        let middle = 0.5 * (at(rig.feet[0].hip()) + at(rig.feet[1].hip())) - at(rig.hips);
        let sockets = DVec3::Y * find("left thigh").map_or(0.0, |thigh| thigh.anchor.y);
        Ok(Self { rig, rest, settings, scale, shift: middle - sockets * scale })
    }

    /// Where a joint is at rest.
    fn at(&self, joint: usize) -> DVec3 {
        double(self.rest[joint].translation)
    }

    /// The joint at the far end of a segment, if it is a bone.
    fn next(&self, name: &str, joint: usize) -> Option<usize> {
        let side = usize::from(name.starts_with("right"));
        let chain = match name {
            "left thigh" | "right thigh" | "left shank" | "right shank" => &self.rig.feet[side].leg,
            "left foot" | "right foot" | "trunk" => return None,
            _ => &self.rig.arms[side].chain,
        };
        Some(chain[1 + chain.iter().position(|&j| j == joint).unwrap_or(0)])
    }

    /// Gives a segment its shapes and its mass.
    fn shape(&self, index: usize, segment: &mut BodySegment, joint: usize, next: Option<usize>) {
        for shape in &mut segment.shapes {
            resize(shape, self.scale);
            if index == 0 {
                shape.center += self.shift;
            }
        }
        if let Some(next) = next {
            stretch(&mut segment.shapes, self.at(joint).distance(self.at(next)));
        }
        if let Some(foot) = self.rig.feet.iter().find(|foot| foot.ankle() == joint) {
            let sole = sole(foot, self.rest, self.at(joint), self.scale, self.settings);
            segment.shapes = vec![sole];
        }
        let mass = segment.mass.mass * self.scale * self.scale;
        segment.mass = Mass::of_shapes(&segment.shapes, mass);
    }
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
    settings: &PhysicalSettings,
) -> SolidShape {
    let [heel, tip] = [foot.heel, foot.tip].map(|point| double(point.position(rest)) - ankle);
    let high = settings.foot_height * scale;
    let half = DVec3::new(
        0.5 * settings.foot_width * scale,
        0.5 * high,
        (0.5 * (tip.z - heel.z)).max(0.02 * scale),
    );
    let center = DVec3::new(0.5 * (heel.x + tip.x), heel.y + 0.5 * high, 0.5 * (heel.z + tip.z));
    SolidShape { geometry: Geometry::Box { half }, center, rotation: DQuat::IDENTITY }
}

fn write(q: DQuat, to: &mut [f64]) {
    let q = q.normalize();
    to.copy_from_slice(&[q.x, q.y, q.z, q.w]);
}

fn glam(q: &Turn<f64>) -> DQuat {
    DQuat::from_xyzw(q.x, q.y, q.z, q.w)
}

/// A vector of the simulation.
pub(crate) fn vector(v: glam::Vec3) -> Vector<f64> {
    Vector { x: f64::from(v.x), y: f64::from(v.y), z: f64::from(v.z) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_body::{BalanceOptions, Push, WalkCycle, try_pushes};
    use andante_skeleton::{humanoid, humanoid_of_height};

    #[test]
    fn a_pose_that_becomes_coordinates_becomes_the_pose_again() {
        let human = humanoid();
        let flesh = PhysicalBody::new(&human, Arc::default()).unwrap();
        let walk = andante_motion::synth::clip(&human, "walk").unwrap().clip;
        let mut models = human.skeleton.rest_models();
        for frame in (0..walk.frame_count()).step_by(7) {
            human.skeleton.local_to_model(walk.frame(frame), &mut models);
            let q = flesh.coordinates(&models);
            let mut kin = Kinematics::new(flesh.model());
            kin.set_positions(flesh.model(), &q);
            let mut pose = walk.frame(0).to_vec();
            flesh.write_pose(&human, &kin, walk.frame(frame), &mut pose);
            let mut back = models.clone();
            human.skeleton.local_to_model(&pose, &mut back);
            for (joint, (a, b)) in models.iter().zip(&back).enumerate() {
                let name = &human.skeleton.joint(joint).name;
                assert!(a.translation.distance(b.translation) < 2e-3, "{name} {a:?} {b:?}");
                assert!(a.rotation.angle_between(b.rotation) < 2e-3, "{name}");
            }
        }
    }

    #[test]
    fn soles_of_body_and_character_are_one() {
        for height in [1.2, 1.75, 2.0] {
            let human = humanoid_of_height(height);
            let flesh = PhysicalBody::new(&human, Arc::default()).unwrap();
            let mut kin = Kinematics::new(flesh.model());
            kin.set_positions(flesh.model(), &flesh.coordinates(&human.skeleton.rest_models()));
            for sole in &flesh.physique.soles {
                for corner in sole.edges() {
                    let at = kin.point(flesh.model(), sole.link, corner);
                    assert!(at.y.abs() < 1e-4, "{height}: {at:?}");
                }
            }
        }
    }

    #[test]
    fn bodies_of_any_height_recover_from_pushes_and_can_walk() {
        for height in [1.6, 1.75, 1.9] {
            let flesh = PhysicalBody::new(&humanoid_of_height(height), Arc::default()).unwrap();
            let pushes = Push::random(16, 40.0, 3);
            let options = BalanceOptions::default();
            let outcomes = try_pushes(&flesh.physique, options, &pushes, 1.0 / 240.0).unwrap();
            let good = outcomes.iter().filter(|outcome| outcome.recovered).count();
            assert!(good >= 15, "{height}: {good} of 16");
            assert!(WalkCycle::built_in(&flesh.physique, 1.3).is_ok(), "{height}");
        }
    }

    #[test]
    fn who_is_not_built_like_a_human_is_told_what_is_missing() {
        let mut nobody = humanoid();
        nobody.rig.arms.pop();
        let error = PhysicalBody::new(&nobody, Arc::default()).unwrap_err().to_string();
        assert_eq!(error, "a physical character needs two arms with hands");
        nobody.rig.feet.pop();
        let error = PhysicalBody::new(&nobody, Arc::default()).unwrap_err().to_string();
        assert_eq!(error, "a physical character needs two legs of thigh, shank and foot");
    }
}
