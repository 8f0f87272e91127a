//! A skeleton as it stands in an `.asf` file.

use super::asf_parser;
use crate::convention::{Convention, given_units};
use crate::magnitude::skeleton_within;
use crate::{ReadError, ReadOptions, RotationOrder, UnitSource, Units, Warning};
use andante_skeleton::{Joint, JointLimit, Skeleton};
use glam::{DQuat, DVec3};
use std::f64::consts::PI;

/// Metres.
const INCH: f64 = 0.0254;

/// Sizes of skeletons, in metres, that are not remarked upon.
const USUAL_EXTENT: std::ops::RangeInclusive<f32> = 0.3..=4.0;

/// A degree of freedom. Axes are 0, 1, 2 for X, Y, Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dof {
    /// Rotation about an axis.
    Rotation(usize),
    /// Translation along an axis.
    Translation(usize),
    /// Change of the bone's length.
    Length,
}

/// The unit of angles in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum AngleUnit {
    /// `deg`, or `:DEGREES` in a motion.
    #[default]
    Degrees,
    /// `rad`, or `:RADIANS` in a motion.
    Radians,
}

impl AngleUnit {
    /// An angle of the file in radians.
    pub fn to_radians(self, angle: f64) -> f64 {
        match self {
            Self::Degrees => angle.to_radians(),
            Self::Radians => angle,
        }
    }
}

/// The units that a file declares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AsfUnits {
    /// Factor of masses.
    pub mass: f64,
    /// Factor of lengths; divide by it to get inches.
    pub length: f64,
    /// Unit of angles.
    pub angle: AngleUnit,
}

impl Default for AsfUnits {
    fn default() -> Self {
        Self { mass: 1.0, length: 1.0, angle: AngleUnit::default() }
    }
}

/// The root as the file describes it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AsfRoot {
    /// What the values of the root in a frame mean, in order.
    pub order: Vec<Dof>,
    /// How the angles of `orientation` are multiplied.
    pub axis_order: RotationOrder,
    /// Position in the base pose, in the file's unit.
    pub position: DVec3,
    /// Angles of the root's axis, in the file's unit.
    pub orientation: DVec3,
}

/// A bone as the file describes it: lengths and angles in the file's units.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AsfBone {
    /// Number, if the file gives one.
    pub id: Option<i64>,
    /// Name, unique within the file.
    pub name: String,
    /// Direction in the global frame of the base pose, as written: not always of length 1.
    pub direction: DVec3,
    /// Length.
    pub length: f64,
    /// Angles of the frame in which the bone's own angles are measured.
    pub axis: DVec3,
    /// How the angles of `axis` are multiplied.
    pub axis_order: RotationOrder,
    /// What the values of the bone in a frame mean, in order; none for a rigid bone.
    pub dof: Vec<Dof>,
    /// Smallest and largest value per degree of freedom; empty, or as long as `dof`.
    pub limits: Vec<[f64; 2]>,
    /// Mass.
    pub bodymass: Option<f64>,
    /// Distance of the centre of mass along the bone.
    pub cofmass: Option<f64>,
    /// Index of the parent; `None` if the bone hangs on the root.
    pub parent: Option<usize>,
    /// Indices of the bones that hang on this one, in the order of the file.
    pub children: Vec<usize>,
}

impl AsfBone {
    /// From the bone's start to its end in the base pose, in the file's unit.
    pub fn vector(&self) -> DVec3 {
        self.direction * self.length
    }
}

/// Everything that an `.asf` file says, checked: the hierarchy is a tree that holds every bone.
#[derive(Clone, Debug, PartialEq)]
pub struct AsfSkeleton {
    pub(super) version: String,
    pub(super) name: String,
    pub(super) units: AsfUnits,
    pub(super) documentation: String,
    pub(super) root: AsfRoot,
    pub(super) bones: Vec<AsfBone>,
    pub(super) root_children: Vec<usize>,
    pub(super) warnings: Vec<Warning>,
    /// The options that the file was read with.
    pub(super) options: ReadOptions,
}

/// Reads a skeleton file. The options' scale and up axis take effect in
/// [`AsfSkeleton::to_skeleton`] and in motions read for this skeleton.
pub fn read_asf(bytes: &[u8], options: &ReadOptions) -> Result<AsfSkeleton, ReadError> {
    given_units(options)?;
    let skeleton = asf_parser::parse(bytes, options)?;
    // What cannot become a skeleton is refused here, where the message is about the file.
    skeleton_within(&skeleton.to_skeleton()?.0, options.limits.reach)?;
    Ok(skeleton)
}

impl AsfSkeleton {
    /// Version of the format.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Name of the skeleton.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The units that the file declares.
    pub fn units(&self) -> AsfUnits {
        self.units
    }

    /// Free text.
    pub fn documentation(&self) -> &str {
        &self.documentation
    }

    /// The root.
    pub fn root(&self) -> &AsfRoot {
        &self.root
    }

    /// The bones in the order of the file, which is not that of the joints.
    pub fn bones(&self) -> &[AsfBone] {
        &self.bones
    }

    /// The warnings about the file.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The bone that each joint of [`AsfSkeleton::to_skeleton`] stands for: depth first, as the
    /// hierarchy lists them; `None` for the root.
    pub fn joint_bones(&self) -> Vec<Option<usize>> {
        let mut joints = vec![None];
        let mut open: Vec<usize> = self.root_children.iter().rev().copied().collect();
        while let Some(bone) = open.pop() {
            joints.push(Some(bone));
            open.extend(self.bones[bone].children.iter().rev());
        }
        joints
    }

    /// The conversion of its lengths to metres.
    pub fn metres(&self) -> Units {
        let (scale, source) = match self.options.scale {
            Some(scale) => (scale, UnitSource::Given),
            None => ((INCH / self.units.length) as f32, UnitSource::Stated),
        };
        Units { scale, source }
    }

    pub(super) fn convention(&self) -> Convention {
        let scale = self.options.scale.map_or(INCH / self.units.length, f64::from);
        Convention { scale, up: self.options.up }
    }

    /// The skeleton in metres with Y up. Bones without degrees of freedom are fixed and bones that turn
    /// about one axis are hinges; limits of several angles at once have no counterpart and are left to
    /// [`AsfBone::limits`].
    pub fn to_skeleton(&self) -> Result<(Skeleton, Units, Vec<Warning>), ReadError> {
        let convention = self.convention();
        let mut warnings = self.warnings.clone();
        let mut joint_of_bone = vec![0; self.bones.len()];
        let mut joints = Vec::with_capacity(self.bones.len() + 1);
        for (index, bone) in self.joint_bones().into_iter().enumerate() {
            let Some(bone) = bone else {
                let place = convention.position(self.root.position);
                joints.push(Joint::new("root", None, place));
                continue;
            };
            joint_of_bone[bone] = index;
            let bone = &self.bones[bone];
            let (parent, offset) = match bone.parent {
                None => (0, DVec3::ZERO),
                Some(parent) => (joint_of_bone[parent], self.bones[parent].vector()),
            };
            let mut joint =
                Joint::new(bone.name.clone(), Some(parent), convention.position(offset));
            if bone.children.is_empty() {
                joint.tip =
                    Some(convention.position(bone.vector())).filter(|tip| tip.length() > 0.0);
                if bone.dof.contains(&Dof::Length) {
                    let message = format!(
                        "bone `{}` ends a limb; its changes of length are not kept",
                        bone.name
                    );
                    warnings.push(Warning::new(message));
                }
            }
            joint.limit = self.limit(bone, &convention);
            joints.push(joint);
        }
        let skeleton = Skeleton::new(joints).map_err(|error| ReadError::file(error.to_string()))?;
        let units = self.metres();
        let (low, high) = skeleton.rest_bounds();
        let extent = (high - low).max_element();
        if units.source == UnitSource::Stated && extent > 0.0 && !USUAL_EXTENT.contains(&extent) {
            warnings.push(Warning::new(format!(
                "the skeleton measures {extent:.3} m by the unit of length that the file states; if that \
                 is wrong, give the scale"
            )));
        }
        Ok((skeleton, units, warnings))
    }

    fn limit(&self, bone: &AsfBone, convention: &Convention) -> JointLimit {
        match bone.dof.as_slice() {
            [] => JointLimit::Fixed,
            [Dof::Rotation(axis)] => {
                let axis = convention.direction(self.axis_rotation(bone) * DVec3::AXES[*axis]);
                let [a, b] =
                    bone.limits.first().copied().unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
                let range = [a.min(b), a.max(b)]
                    .map(|bound| self.units.angle.to_radians(bound).clamp(-PI, PI) as f32);
                JointLimit::Hinge { axis: axis.as_vec3(), range }
            }
            _ => JointLimit::Free,
        }
    }

    /// The rotation C of a bone.
    pub(super) fn axis_rotation(&self, bone: &AsfBone) -> DQuat {
        self.rotation(bone.axis_order, bone.axis)
    }

    /// The rotation C of the root.
    pub(super) fn root_rotation(&self) -> DQuat {
        self.rotation(self.root.axis_order, self.root.orientation)
    }

    fn rotation(&self, order: RotationOrder, angles: DVec3) -> DQuat {
        let angles = angles.to_array().map(|angle| self.units.angle.to_radians(angle));
        order.rotation(DVec3::from_array(angles))
    }
}
