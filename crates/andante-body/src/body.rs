//! The tree of segments.

use crate::{BodyJoint, Mass, RestPose, RigidPlacement, SolidShape, symmetry};
use andante_skeleton::Side;
use glam::{DQuat, DVec3};
use thiserror::Error;

/// A rigid part of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodySegment {
    /// Unique within a body.
    pub name: String,
    /// Where its origin is in the parent's frame: the joint's place. The root's is in the world, in the
    /// design pose.
    pub anchor: DVec3,
    /// What holds it to its parent; the root alone has none.
    pub joint: Option<BodyJoint>,
    /// How it resists being moved.
    pub mass: Mass,
    /// What it looks like and collides with.
    pub shapes: Vec<SolidShape>,
}

/// A foot: what stands on the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyFoot {
    /// Such as `left foot`.
    pub name: String,
    /// Which side of the body it is on.
    pub side: Side,
    /// The segment that touches the ground.
    pub segment: usize,
    /// The lowest point of the toes, in the segment's frame; ground modes pin it.
    pub toe: DVec3,
    /// The lowest point of the heel, in the segment's frame.
    pub heel: DVec3,
    /// Radius of the spheres that touch the ground at toe and heel: their lowest points are `toe` and `heel`.
    pub radius: f64,
    /// The segment whose joint is this leg's hip.
    pub hip: usize,
    /// Whether locomotion does without it: it neither touches the ground nor has states of its own.
    pub disregarded: bool,
}

/// Everything that makes a [`Body`], before it is checked.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyParts {
    /// Short name, as typed on a command line.
    pub name: String,
    /// One sentence for lists.
    pub description: String,
    /// Depth first, parents before children, the root first.
    pub segments: Vec<BodySegment>,
    /// The segment that is to stay upright.
    pub torso: usize,
    /// Front before back, left before right.
    pub feet: Vec<BodyFoot>,
    /// For each segment its mirror image in the plane x = 0 of the design pose, which is the segment itself
    /// in the middle; `None` for a body that is not symmetric.
    pub partners: Option<Vec<usize>>,
    /// At least one; the first is the default.
    pub poses: Vec<RestPose>,
}

/// An error in the parts of a body.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum BodyError {
    /// No segment at all.
    #[error("a body needs at least one segment")]
    Empty,
    /// More segments than [`Body::MAX_SEGMENTS`].
    #[error("{0} segments; a body has at most {max}", max = Body::MAX_SEGMENTS)]
    TooMany(usize),
    /// The first segment has a joint, or another one has none.
    #[error("segment `{0}`: exactly the first segment must be without a joint")]
    Root(String),
    /// A segment comes before its parent or not depth first.
    #[error("segment `{0}` is out of order: segments must come depth first, each after its parent")]
    Order(String),
    /// Two segments have one name.
    #[error("two segments are named `{0}`")]
    Duplicate(String),
    /// Mass or inertia that nothing can have.
    #[error("segment `{0}`: {1}")]
    Mass(String, &'static str),
    /// Farther off or larger than [`Body::MAX_LENGTH`].
    #[error("segment `{0}`: a place or a shape is larger than {max:e} m", max = Body::MAX_LENGTH)]
    Size(String),
    /// A shape without size.
    #[error("segment `{0}` has a shape whose lengths are not positive")]
    Shape(String),
    /// An anchor, frame or pose that is not finite, or a rotation that is none.
    #[error("segment `{0}`: its {1} is not finite or no rotation")]
    NonFinite(String, &'static str),
    /// Negative or missing numbers of a joint.
    #[error("the joint of segment `{0}`: {1}")]
    Joint(String, &'static str),
    /// A foot that refers to nothing or has no size.
    #[error("foot `{0}`: {1}")]
    Foot(String, &'static str),
    /// The torso is no segment.
    #[error("the torso is segment {0}, which does not exist")]
    Torso(usize),
    /// Partners that are not mutual or not alike.
    #[error("segments `{0}` and `{1}` are a pair, but {2}")]
    Pair(String, String, &'static str),
    /// No rest pose, or one with the wrong number of rotations.
    #[error("rest pose `{0}`: {1}")]
    Pose(String, &'static str),
}

/// A physical character: checked once, here, so that nothing that simulates has to.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    parts: BodyParts,
    /// What of the file it is from it is not.
    remarks: Vec<String>,
}

impl Body {
    /// More segments than any creature in use; readers refuse more.
    pub const MAX_SEGMENTS: usize = 1024;
    /// Metres: larger numbers are mistakes, and their squares and volumes soon no numbers at all.
    pub const MAX_LENGTH: f64 = 1e6;
    /// Kilograms.
    pub const MAX_MASS: f64 = 1e12;
    /// Newton metres of a joint, and of its springs and dampers for a radian or a radian a second: larger numbers stand for
    /// "anything", and whoever reckons with them gets no numbers at all.
    pub const MAX_TORQUE: f64 = 1e12;

    /// Checks the parts and takes them over; rotations are normalised.
    pub fn new(mut parts: BodyParts) -> Result<Self, BodyError> {
        check_tree(&parts.segments)?;
        for segment in &mut parts.segments {
            check_segment(segment)?;
        }
        check_references(&parts)?;
        symmetry::check(&parts)?;
        check_poses(&mut parts)?;
        Ok(Self { parts, remarks: Vec::new() })
    }

    /// Remarks for whoever brought the file that it was read from: what that says and the body is not.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// The same body with remarks.
    #[cfg(feature = "robots")]
    #[must_use]
    pub(crate) fn with_remarks(self, remarks: Vec<String>) -> Self {
        Self { remarks, ..self }
    }

    /// The parts of the body.
    pub fn parts(&self) -> &BodyParts {
        &self.parts
    }

    /// To change it and check it again.
    pub fn into_parts(self) -> BodyParts {
        self.parts
    }

    /// Short name.
    pub fn name(&self) -> &str {
        &self.parts.name
    }

    /// All segments, parents first.
    pub fn segments(&self) -> &[BodySegment] {
        &self.parts.segments
    }

    /// The parent of every segment, `None` for the root.
    pub fn parents(&self) -> impl Iterator<Item = Option<usize>> + '_ {
        self.parts.segments.iter().map(|segment| segment.joint.map(|joint| joint.parent))
    }

    /// Every segment but the root with its joint: index and joint.
    pub fn joints(&self) -> impl Iterator<Item = (usize, &BodyJoint)> + '_ {
        let segments = self.parts.segments.iter().enumerate();
        segments.filter_map(|(index, segment)| segment.joint.as_ref().map(|joint| (index, joint)))
    }

    /// The number of joint angles, without the root's six coordinates.
    pub fn internal_dof(&self) -> usize {
        self.joints().map(|(_, joint)| joint.dof()).sum()
    }

    /// Feet, front before back, left before right.
    pub fn feet(&self) -> &[BodyFoot] {
        &self.parts.feet
    }

    /// The segment that is to stay upright.
    pub fn torso(&self) -> usize {
        self.parts.torso
    }

    /// For each segment its mirror image, or itself in the middle; `None` if the body is not symmetric.
    pub fn partners(&self) -> Option<&[usize]> {
        self.parts.partners.as_deref()
    }

    /// Rest poses; the first is the default.
    pub fn poses(&self) -> &[RestPose] {
        &self.parts.poses
    }

    /// The rest pose of this name.
    pub fn pose(&self, name: &str) -> Option<&RestPose> {
        self.parts.poses.iter().find(|pose| pose.name == name)
    }

    /// The segment of this name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.parts.segments.iter().position(|segment| segment.name == name)
    }

    /// Of all segments together, in kilograms.
    pub fn total_mass(&self) -> f64 {
        self.parts.segments.iter().map(|segment| segment.mass.mass).sum()
    }

    /// The placement of every segment, given the origin of the root and the rotations of a pose (the root's in the world,
    /// the others relative to their parents).
    ///
    /// # Panics
    /// If there are fewer rotations than segments.
    pub fn place(&self, root: DVec3, rotations: &[DQuat]) -> Vec<RigidPlacement> {
        let mut placed: Vec<RigidPlacement> = Vec::with_capacity(self.parts.segments.len());
        for (index, segment) in self.parts.segments.iter().enumerate() {
            placed.push(match segment.joint {
                None => RigidPlacement::new(rotations[index], root),
                Some(joint) => {
                    placed[joint.parent] * RigidPlacement::new(rotations[index], segment.anchor)
                }
            });
        }
        placed
    }

    /// The placement of every segment when the body stands in a pose: above the root's place in the design pose, the
    /// lowest toe or heel of the feet that count on the ground.
    pub fn stand(&self, pose: &RestPose) -> Vec<RigidPlacement> {
        let root = self.parts.segments[0].anchor;
        let placed = self.place(root, &pose.rotations);
        let lowest = self
            .parts
            .feet
            .iter()
            .filter(|foot| !foot.disregarded)
            .flat_map(|foot| [foot.toe, foot.heel].map(|point| (foot.segment, point)))
            .map(|(segment, point)| placed[segment].transform_point(point).y)
            .min_by(f64::total_cmp);
        let lift = DVec3::Y * lowest.unwrap_or(0.0);
        placed
            .iter()
            .map(|place| RigidPlacement::new(place.rotation, place.translation - lift))
            .collect()
    }

    /// Centre of mass of the whole.
    pub fn center_of_mass(&self, placed: &[RigidPlacement]) -> DVec3 {
        let moment: DVec3 = self
            .parts
            .segments
            .iter()
            .zip(placed)
            .map(|(segment, place)| place.transform_point(segment.mass.center) * segment.mass.mass)
            .sum();
        moment / self.total_mass()
    }
}

fn check_tree(segments: &[BodySegment]) -> Result<(), BodyError> {
    let first = segments.first().ok_or(BodyError::Empty)?;
    if segments.len() > Body::MAX_SEGMENTS {
        return Err(BodyError::TooMany(segments.len()));
    }
    if first.joint.is_some() {
        return Err(BodyError::Root(first.name.clone()));
    }
    // The chain from the root to the segment before: a depth-first order hangs the next one on it.
    let mut chain = vec![0];
    let mut names = std::collections::HashSet::with_capacity(segments.len());
    for (index, segment) in segments.iter().enumerate() {
        if index > 0 {
            let joint = segment.joint.ok_or_else(|| BodyError::Root(segment.name.clone()))?;
            while chain.last().is_some_and(|&last| last != joint.parent) {
                chain.pop();
            }
            if chain.is_empty() {
                return Err(BodyError::Order(segment.name.clone()));
            }
            chain.push(index);
        }
        if !names.insert(segment.name.as_str()) {
            return Err(BodyError::Duplicate(segment.name.clone()));
        }
    }
    Ok(())
}

fn check_segment(segment: &mut BodySegment) -> Result<(), BodyError> {
    let name = || segment.name.clone();
    if segment.mass.mass.is_nan() || segment.mass.mass <= 0.0 {
        return Err(BodyError::Mass(name(), "its mass is not positive"));
    }
    if !segment.anchor.is_finite() {
        return Err(BodyError::NonFinite(name(), "anchor"));
    }
    if segment.mass.mass > Body::MAX_MASS {
        return Err(BodyError::Mass(name(), "its mass is that of no body"));
    }
    if !segment.mass.is_physical() {
        let what = "its inertia is that of no solid (moments must be positive and no one larger than the sum \
                    of the other two)";
        return Err(BodyError::Mass(name(), what));
    }
    for shape in &segment.shapes {
        if !shape.geometry.is_valid() || !shape.center.is_finite() {
            return Err(BodyError::Shape(name()));
        }
        if unit(shape.rotation).is_none() {
            return Err(BodyError::NonFinite(name(), "shape's rotation"));
        }
    }
    let shapes = segment.shapes.iter();
    let lengths = shapes.map(|shape| shape.center.abs().max_element() + shape.geometry.extent());
    let places = [segment.anchor, segment.mass.center].map(|place| place.abs().max_element());
    if !places.into_iter().chain(lengths).all(|length| length <= Body::MAX_LENGTH) {
        return Err(BodyError::Size(name()));
    }
    let Some(joint) = &segment.joint else { return Ok(()) };
    let frame = unit(joint.frame).ok_or_else(|| BodyError::NonFinite(name(), "joint frame"))?;
    let amounts =
        |values: &[f64]| values.iter().all(|value| (0.0..=Body::MAX_TORQUE).contains(value));
    if !amounts(&joint.stiffness) {
        return Err(BodyError::Joint(name(), "stiffness must be from 0 to 1e12 N·m/rad"));
    }
    if !amounts(&joint.damping) {
        return Err(BodyError::Joint(name(), "damping must be from 0 to 1e12 N·m·s/rad"));
    }
    if !amounts(&joint.torque_limit) {
        return Err(BodyError::Joint(
            name(),
            "torque limits must be from 0 to 1e12 N·m; a file that leaves `torque` out gets what the joint carries",
        ));
    }
    if let Some(limits) = joint.limits {
        if !amounts(&[limits.stiffness, limits.damping]) {
            return Err(BodyError::Joint(
                name(),
                "stiffness and damping of stops must be from 0 to 1e12",
            ));
        }
        let ordered = |axis: usize| limits.lower[axis] <= limits.upper[axis];
        if !(0..joint.dof()).all(ordered) {
            return Err(BodyError::Joint(name(), "its lower limit is above its upper one"));
        }
    }
    let dof = joint.dof();
    if let Some(joint) = &mut segment.joint {
        joint.frame = frame;
        for values in [&mut joint.stiffness, &mut joint.damping, &mut joint.torque_limit] {
            values[dof..].fill(0.0);
        }
    }
    for shape in &mut segment.shapes {
        shape.rotation = shape.rotation.normalize();
    }
    Ok(())
}

fn check_references(parts: &BodyParts) -> Result<(), BodyError> {
    let count = parts.segments.len();
    if parts.torso >= count {
        return Err(BodyError::Torso(parts.torso));
    }
    for foot in &parts.feet {
        let wrong = |what| Err(BodyError::Foot(foot.name.clone(), what));
        if foot.segment >= count || foot.hip >= count {
            return wrong("its segment or hip does not exist");
        }
        if !(foot.toe.is_finite() && foot.heel.is_finite()) {
            return wrong("toe or heel is not finite");
        }
        if !(foot.radius.is_finite() && foot.radius > 0.0) {
            return wrong("its radius must be positive");
        }
        let parent = |segment: usize| parts.segments[segment].joint.map(|joint| joint.parent);
        if !std::iter::successors(Some(foot.segment), |&s| parent(s)).any(|s| s == foot.hip) {
            return wrong("its hip is not above it in the tree");
        }
    }
    Ok(())
}

fn check_poses(parts: &mut BodyParts) -> Result<(), BodyError> {
    if parts.poses.is_empty() {
        return Err(BodyError::Pose("default".into(), "a body needs at least one"));
    }
    for pose in &mut parts.poses {
        if pose.rotations.len() != parts.segments.len() {
            let what = "it does not have one rotation for each segment";
            return Err(BodyError::Pose(pose.name.clone(), what));
        }
        for (rotation, segment) in pose.rotations.iter_mut().zip(&parts.segments) {
            let Some(unit) = unit(*rotation) else {
                return Err(BodyError::Pose(pose.name.clone(), "a rotation is not finite or zero"));
            };
            *rotation = unit;
            let flaw = |joint: BodyJoint| joint.kind.flaw(*rotation, joint.axes());
            if let Some(what) = segment.joint.and_then(flaw) {
                return Err(BodyError::Pose(pose.name.clone(), what));
            }
        }
    }
    Ok(())
}

/// The rotation of length one, if it is one at all.
fn unit(rotation: DQuat) -> Option<DQuat> {
    let length = rotation.length();
    (length.is_finite() && length > 1e-6).then(|| rotation * length.recip())
}
