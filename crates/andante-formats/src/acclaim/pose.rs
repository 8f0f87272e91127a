//! From the values of a frame to the placements of the joints.

use super::amc::AmcFrame;
use super::asf::{AsfSkeleton, Dof};
use crate::convention::Convention;
use andante_skeleton::Transform;
use glam::{DQuat, DVec3};

/// Turns frames into transforms, in the order of the skeleton's joints.
pub(super) struct AcclaimPoseBuilder<'a> {
    skeleton: &'a AsfSkeleton,
    convention: Convention,
    joints: Vec<BoneRule<'a>>,
}

/// How a frame moves one joint.
struct BoneRule<'a> {
    /// The bone; `None` for the root.
    bone: Option<usize>,
    dof: &'a [Dof],
    /// The rotation C.
    axis: DQuat,
    /// Place relative to the parent at rest, in the file's unit.
    offset: DVec3,
    /// A parent that changes its length, and its direction.
    stretch: Option<(usize, DVec3)>,
}

impl<'a> AcclaimPoseBuilder<'a> {
    pub fn new(skeleton: &'a AsfSkeleton) -> Self {
        let bones = skeleton.bones();
        let rule = |bone: Option<usize>| {
            let Some(index) = bone else {
                return BoneRule {
                    bone,
                    dof: &skeleton.root().order,
                    axis: skeleton.root_rotation(),
                    offset: skeleton.root().position,
                    stretch: None,
                };
            };
            let parent = bones[index].parent;
            BoneRule {
                bone,
                dof: &bones[index].dof,
                axis: skeleton.axis_rotation(&bones[index]),
                offset: parent.map_or(DVec3::ZERO, |parent| bones[parent].vector()),
                stretch: parent
                    .filter(|&parent| bones[parent].dof.contains(&Dof::Length))
                    .map(|parent| (parent, bones[parent].direction)),
            }
        };
        let joints = skeleton.joint_bones().into_iter().map(rule).collect();
        Self { skeleton, convention: skeleton.convention(), joints }
    }

    /// Appends the placement of every joint.
    pub fn build(&self, frame: &AmcFrame, transforms: &mut Vec<Transform>) {
        transforms.extend(self.joints.iter().map(|joint| {
            let values = match joint.bone {
                None => frame.root(),
                Some(bone) => frame.bone(bone),
            };
            let mut rotation = DQuat::IDENTITY;
            let mut shift = DVec3::ZERO;
            let mut place = joint.offset;
            for (dof, &value) in joint.dof.iter().zip(values) {
                match *dof {
                    // The first one turns first: later ones are further to the left.
                    Dof::Rotation(axis) => {
                        rotation = DQuat::from_axis_angle(DVec3::AXES[axis], value) * rotation;
                    }
                    // What the file gives for the root is where it is.
                    Dof::Translation(axis) if joint.bone.is_none() => place[axis] = value,
                    Dof::Translation(axis) => shift[axis] = value,
                    Dof::Length => {}
                }
            }
            if let Some((parent, direction)) = joint.stretch {
                let dof = &self.skeleton.bones()[parent].dof;
                let change = dof.iter().position(|&dof| dof == Dof::Length);
                place += direction * change.map_or(0.0, |at| frame.bone(parent)[at]);
            }
            let rotation = joint.axis * rotation * joint.axis.conjugate();
            Transform {
                rotation: self.convention.rotation(rotation.normalize().as_quat()),
                translation: self.convention.position(place + joint.axis * shift),
            }
        }));
    }
}
