//! A physical body for any skeleton.

mod group;
mod human;
mod human_fit;
mod measure;
mod springs;

#[cfg(feature = "walks")]
pub(crate) use human::HIP_HEIGHT;
pub use human_fit::{HumanFit, HumanFitError, HumanFitOptions, fit_human};

use crate::file::{DAMPING_PER_STIFFNESS, limb_frame};
use crate::{
    Body, BodyError, BodyFoot, BodyParts, BodySegment, Geometry, Mass, RestPose, RigidPlacement,
    SolidShape,
};
use andante_dynamics::PhysicsSettings;
use andante_skeleton::{Character, MirrorTable, Skeleton, SkinnedMesh, Transform, capsule_body};
use glam::{DQuat, DVec3};
use thiserror::Error;

andante_skeleton::settings! {
    /// Settings of fitting a body to a skeleton.
    pub struct FitOptions: Copy {
        /// Of the whole body in kilograms; `None` takes what `density` makes of its volume, or for a human
        /// `body_mass_index` times its height squared.
        mass: Option<f64> = None;
        /// Of flesh, kg/m³.
        density: f64 = 1000.0, 0.0..;
        /// Limbs whose part of the mass is smaller than this, with all that hangs on them, are stiff: fingers, toes,
        /// ears. Usually 0.003 to 0.02; 0 keeps every joint that has a size.
        least_mass: f64 = 0.005, 0.0..;
        /// Stiffness of joints: 1 holds a limb by about its weight at an angle of one radian. Usually 0.5 to 5.
        stiffness: f64 = 1.0, 0.0..;
        /// How much more or less stiffly limbs bend, twist and lean: a limb twists more easily than it bends, and leans
        /// less.
        by_axis: [f64; 3] = [1.0, 0.5, 1.2], 0.0..;
        /// Damping by stiffness, s. Usually 0.05 to 0.3; at zero joints swing for ever.
        damping: f64 = DAMPING_PER_STIFFNESS, 0.0..;
        /// Muscles can turn a joint by about this many radians against its own spring.
        strength: f64 = 2.5, 0.0..;
        /// Gravity that joints are made to carry their limbs under, m/s²: that of the earth for whoever grew up there. More
        /// is stiffer.
        gravity: f64 = PhysicsSettings::STANDARD_GRAVITY, 0.01..;
        /// Stops are this much stiffer than the joint.
        stop: f64 = 10.0, 0.0..;
        /// Body mass by height squared of a person, kg/m²: 18.5 to 25 is called normal weight.
        body_mass_index: f64 = 22.0, 0.0..;
    }
}

impl FitOptions {
    /// Stiffness about each axis of a joint under a load, N·m/rad.
    pub(crate) fn springs(&self, carried: f64) -> [f64; 3] {
        self.by_axis.map(|factor| factor * self.stiffness * carried)
    }

    /// What muscles can do about each axis of a joint with these springs under a load, N·m: springs that are softer than
    /// the load asks for have muscles that carry it all the same.
    pub(crate) fn torques(&self, springs: [f64; 3], carried: f64) -> [f64; 3] {
        let asked = self.springs(carried);
        [0, 1, 2].map(|axis| self.strength * springs[axis].max(asked[axis]))
    }
}

/// An error that keeps a body from being fitted to a skeleton.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum FitError {
    /// An option that is not a sensible number.
    #[error("{0} must be a positive number")]
    Option(&'static str),
    /// Nothing has a size.
    #[error("the skeleton has no bones of any length")]
    NoSize,
    /// The mesh belongs to another skeleton.
    #[error("the mesh does not belong to the skeleton: {0}")]
    Mesh(String),
    /// The parts do not make a body.
    #[error(transparent)]
    Body(#[from] BodyError),
}

/// A body and how it carries the skeleton it was made for.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The body, in the skeleton's rest pose.
    pub body: Body,
    /// For each segment the joint it turns about.
    pub joints: Vec<usize>,
    /// For each joint the segment that carries it, and where it is in that segment.
    carried: Vec<(usize, RigidPlacement)>,
}

/// Makes a body for a skeleton: segments are boxes around the mesh, or around a mannequin where there is none. Masses
/// come from tables for what is built like a human, otherwise from volume.
///
/// ```
/// use andante_body::{FitOptions, fit};
/// let human = andante_skeleton::humanoid();
/// let fitted = fit(&human, None, &FitOptions::default())?;
/// assert!((fitted.body.total_mass() - 22.0 * 1.75 * 1.75).abs() < 0.1);
/// assert_eq!(fitted.body.feet().len(), 2);
/// # Ok::<(), andante_body::FitError>(())
/// ```
pub fn fit(
    character: &Character,
    mesh: Option<&SkinnedMesh>,
    options: &FitOptions,
) -> Result<Fitted, FitError> {
    check(options)?;
    let skeleton = &character.skeleton;
    let mannequin;
    let mesh = match mesh {
        Some(mesh) => {
            mesh.validate(skeleton).map_err(|error| FitError::Mesh(error.to_string()))?;
            mesh
        }
        None => {
            mannequin = capsule_body(skeleton);
            &mannequin
        }
    };
    let rest: Vec<RigidPlacement> = skeleton.rest_models().iter().map(placement).collect();
    let surface = measure::surface(skeleton, mesh);
    let groups = group::group(character, &rest, &surface, options)?;
    let partners = partners(skeleton, &groups);
    let mut boxes = measure::boxes(character, &rest, &surface, &groups);
    measure::symmetrise(&mut boxes, &partners, groups.size);
    let masses = human::masses(character, &groups, &boxes, options);

    let origin = |segment: usize| rest[groups.joints[segment]].translation;
    let segment = |(index, &joint): (usize, &usize)| {
        let shape = SolidShape {
            geometry: Geometry::Box { half: boxes[index].half },
            center: boxes[index].center - origin(index),
            rotation: boxes[index].rotation,
        };
        BodySegment {
            name: skeleton.joint(joint).name.clone(),
            anchor: origin(index) - groups.parents[index].map_or(DVec3::ZERO, origin),
            joint: None,
            mass: Mass::of_shapes(&[shape], masses[index]),
            shapes: vec![shape],
        }
    };
    let mut segments: Vec<BodySegment> = groups.joints.iter().enumerate().map(segment).collect();
    springs::add(skeleton, &rest, &groups, options, &mut segments);

    let identity =
        RestPose { name: "rest".into(), rotations: vec![DQuat::IDENTITY; segments.len()] };
    let mut parts = BodyParts {
        name: character.name.clone(),
        description: character.description.clone(),
        torso: groups.of_joint[character.rig.spine.first().copied().unwrap_or(character.rig.hips)],
        feet: feet(character, &rest, &groups),
        partners: Some(partners),
        poses: vec![identity],
        segments,
    };
    let body = match Body::new(parts.clone()) {
        // Most captured people are not symmetric to the last millimetre.
        Err(BodyError::Pair(..)) => {
            parts.partners = None;
            Body::new(parts)?
        }
        other => other?,
    };
    let carried = groups
        .of_joint
        .iter()
        .zip(&rest)
        .map(|(&segment, place)| {
            (segment, RigidPlacement::new(place.rotation, place.translation - origin(segment)))
        })
        .collect();
    Ok(Fitted { body, joints: groups.joints, carried })
}

/// Refuses options that are no sensible numbers.
fn check(options: &FitOptions) -> Result<(), FitError> {
    let positive = |value: f64| value.is_finite() && value > 0.0;
    for (good, name) in [
        (options.mass.is_none_or(positive), "mass"),
        (positive(options.density), "density"),
        (options.least_mass.is_finite() && options.least_mass >= 0.0, "least_mass"),
        (positive(options.stiffness), "stiffness"),
        (options.by_axis.into_iter().all(positive), "by_axis"),
        (positive(options.damping), "damping"),
        (positive(options.strength), "strength"),
        (positive(options.gravity), "gravity"),
        (positive(options.stop), "stop"),
        (positive(options.body_mass_index), "body_mass_index"),
    ] {
        if !good {
            return Err(FitError::Option(name));
        }
    }
    Ok(())
}

impl Fitted {
    /// The rest pose in which segments are turned as a pose of the skeleton turns them; `models` as
    /// [`Skeleton::local_to_model`] writes them.
    ///
    /// # Panics
    /// If `models` is shorter than the skeleton.
    pub fn rest_pose(&self, name: impl Into<String>, models: &[Transform]) -> RestPose {
        let orientations: Vec<DQuat> = self
            .joints
            .iter()
            .map(|&joint| {
                placement(&models[joint]).rotation * self.carried[joint].1.rotation.conjugate()
            })
            .collect();
        RestPose::from_orientations(name, self.body.parents(), &orientations)
    }

    /// The model transforms of the skeleton's joints for given placements of the body's segments.
    ///
    /// # Panics
    /// If there are fewer placements than segments.
    pub fn models(&self, placed: &[RigidPlacement]) -> Vec<Transform> {
        let joint = |(segment, own): &(usize, RigidPlacement)| {
            let place = placed[*segment] * *own;
            Transform::new(place.rotation.as_quat(), place.translation.as_vec3())
        };
        self.carried.iter().map(joint).collect()
    }
}

fn placement(transform: &Transform) -> RigidPlacement {
    RigidPlacement::new(transform.rotation.as_dquat().normalize(), transform.translation.as_dvec3())
}

/// A foot's points, on the segment of its ankle: the toe is the tip, or the ball if toes move on their own.
fn feet(character: &Character, rest: &[RigidPlacement], groups: &group::Groups) -> Vec<BodyFoot> {
    let foot = |foot: &andante_skeleton::Foot| {
        let segment = groups.of_joint[foot.ankle()];
        let origin = rest[groups.joints[segment]].translation;
        let at = |point: &andante_skeleton::BodyPoint| {
            rest[point.joint].transform_point(point.offset.as_dvec3()) - origin
        };
        let toe = if groups.of_joint[foot.tip.joint] == segment { &foot.tip } else { &foot.ball };
        let (toe, heel) = (at(toe), at(&foot.heel));
        BodyFoot {
            name: foot.name.clone(),
            side: foot.side,
            segment,
            radius: (0.08 * toe.distance(heel)).max(1e-3),
            toe,
            heel,
            hip: groups.of_joint[foot.hip()],
            disregarded: false,
        }
    };
    character.rig.feet.iter().map(foot).collect()
}

fn partners(skeleton: &Skeleton, groups: &group::Groups) -> Vec<usize> {
    let table = MirrorTable::new(skeleton);
    let partner = |(own, &joint): (usize, &usize)| {
        let other = table.partner(joint);
        groups.joints.iter().position(|&first| first == other).unwrap_or(own)
    };
    groups.joints.iter().enumerate().map(partner).collect()
}

/// The axes of a bone: as a joint's, or the world's where it has no direction.
fn bone_frame(along: DVec3) -> DQuat {
    limb_frame(along).unwrap_or(DQuat::IDENTITY)
}

#[cfg(test)]
mod tests;
