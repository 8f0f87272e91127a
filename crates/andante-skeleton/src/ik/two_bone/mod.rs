//! A limb of two bones, solved in closed form.

use crate::{Skeleton, Transform};
use glam::{Mat4, Quat, Vec3, Vec4};
use thiserror::Error;

mod bones;
mod closed_form;
mod lanes;
#[cfg(test)]
mod tests;

use bones::Bones;

/// A limb of two bones and the joint at its end: hip, knee and ankle, or shoulder, elbow and wrist.
///
/// The middle joint bends about one axis and always to the same side, so that a limb cannot flip
/// when it passes through full extension. The remaining freedom, the swivel about the line from the
/// limb's root to its end, is chosen so that root and end joint together stay as close as possible
/// to the pose the limb had before: an eigenvector of a 2×2 matrix, no search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBone {
    /// The three joints, each the parent of the next.
    joints: [usize; 3],
    /// The parent of the first joint, if it has one.
    parent: Option<usize>,
    /// Unit axis of flexion in the middle joint's frame.
    axis: Vec4,
    /// Leads a quaternion `q` to the product `q·axis`.
    times_axis: Mat4,
    /// The bones at rest, which nearly every pose has.
    bones: Bones,
}

crate::settings! {
    /// Options of a [`TwoBone`].
    pub struct TwoBoneOptions: Copy {
        /// Fraction of full extension at which the limb begins to resist. Between it and full extension the end lags
        /// behind its target smoothly; 1 lets the limb snap straight.
        soften_at: f32 = 1.0, 0.9..=1.0;
        /// Largest extension, as a fraction of the limb's length. Targets farther away are pointed at. 1 allows a
        /// straight limb, where speed of flexion is unbounded.
        max_extension: f32 = 0.9995, 0.95..=1.0;
        /// How much the swivel cares for the root joint's rotation, against 1 for the end joint's.
        root_weight: f32 = 1.0, 0.0..;
    }
}

/// The report of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBoneReport {
    /// Whether the end is at its target, to a ten-thousandth of the limb's length.
    pub reached: bool,
    /// Distance from the end to its target in metres.
    pub residual: f32,
    /// How far the limb is stretched; 1 is straight.
    pub extension: f32,
}

/// An error that keeps three joints from being a limb.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum TwoBoneError {
    /// A joint is not the parent of the next.
    #[error("the three joints of a limb must be parent, child and grandchild")]
    NotAChain,
    /// A bone has no length, so that it points nowhere.
    #[error("a bone of the limb has no length")]
    ZeroLength,
    /// The axis is along a bone, or no axis.
    #[error("the axis of flexion must be a direction across the bones")]
    Axis,
}

impl TwoBone {
    /// A limb that bends about `axis`, given in the model's frame at rest; rotating the lower
    /// bone about it by the right hand must flex the limb.
    ///
    /// ```
    /// use andante_skeleton::{Pose, Transform, TwoBone, TwoBoneOptions, humanoid};
    /// use glam::Vec3;
    ///
    /// let human = humanoid();
    /// let leg = &human.rig.feet[0].leg;
    /// // Knees bend backwards: about +X for somebody who faces +Z.
    /// let limb = TwoBone::new(&human.skeleton, [leg[0], leg[1], leg[2]], Vec3::X)?;
    ///
    /// let mut pose = Pose::rest(&human.skeleton);
    /// let mut models = human.skeleton.rest_models();
    /// let mut target = models[leg[2]];
    /// target.translation.y += 0.2;
    /// let report = limb.solve(&target, &TwoBoneOptions::default(), &mut pose, &mut models);
    /// assert!(report.reached);
    /// assert!(models[leg[2]].translation.abs_diff_eq(target.translation, 1e-4));
    /// # Ok::<(), andante_skeleton::TwoBoneError>(())
    /// ```
    pub fn new(skeleton: &Skeleton, joints: [usize; 3], axis: Vec3) -> Result<Self, TwoBoneError> {
        let [root, middle, end] = joints;
        let chained = end < skeleton.len()
            && skeleton.parent(end) == Some(middle)
            && skeleton.parent(middle) == Some(root);
        if !chained {
            return Err(TwoBoneError::NotAChain);
        }
        let bones = [middle, end].map(|joint| skeleton.joint(joint).rest.translation);
        if bones.iter().any(|bone| bone.length() < 1e-5) {
            return Err(TwoBoneError::ZeroLength);
        }
        let frame = skeleton.rest_models()[middle].rotation;
        let axis = (frame.conjugate() * axis).try_normalize().ok_or(TwoBoneError::Axis)?;
        if axis.cross(bones[1].normalize()).length() < 0.1 {
            return Err(TwoBoneError::Axis);
        }
        let times = |q: Quat| Vec4::from(q * Quat::from_vec4(axis.extend(0.0)));
        let units = [Vec4::X, Vec4::Y, Vec4::Z, Vec4::W].map(|unit| times(Quat::from_vec4(unit)));
        let times_axis = Mat4::from_cols(units[0], units[1], units[2], units[3]);
        let parent = skeleton.parent(root);
        let bones = Bones::of(axis, bones);
        Ok(Self { joints, parent, axis: axis.extend(0.0), times_axis, bones })
    }

    /// The three joints.
    pub fn joints(&self) -> [usize; 3] {
        self.joints
    }

    /// Places the end joint at `target` (position and rotation in the model's frame).
    ///
    /// `locals` and `models` hold the pose to stay close to and receive the result; `models` is
    /// brought up to date for the three joints of the limb alone. A target that is not finite
    /// leaves the pose as it was. A target at the root joint folds the limb where it points.
    ///
    /// # Panics
    /// If a slice is shorter than the skeleton.
    pub fn solve(
        &self,
        target: &Transform,
        options: &TwoBoneOptions,
        locals: &mut [Transform],
        models: &mut [Transform],
    ) -> TwoBoneReport {
        self.place(target.translation, Some(target.rotation), None, options, locals, models)
    }

    /// Like [`TwoBone::solve`], with the middle joint swivelled towards the point `pole`.
    ///
    /// A pole on the line from the root to the target says nothing about the swivel. Close to that
    /// line, within half a degree, its influence fades and the pose before takes over.
    ///
    /// # Panics
    /// If a slice is shorter than the skeleton.
    pub fn solve_towards(
        &self,
        target: &Transform,
        pole: Vec3,
        options: &TwoBoneOptions,
        locals: &mut [Transform],
        models: &mut [Transform],
    ) -> TwoBoneReport {
        let rotation = Some(target.rotation);
        self.place(target.translation, rotation, Some(pole), options, locals, models)
    }

    /// Like [`TwoBone::solve`] for a position alone: the end joint keeps its rotation relative to the
    /// middle one, and the swivel is closest for the root joint.
    ///
    /// # Panics
    /// If a slice is shorter than the skeleton.
    pub fn solve_position(
        &self,
        position: Vec3,
        options: &TwoBoneOptions,
        locals: &mut [Transform],
        models: &mut [Transform],
    ) -> TwoBoneReport {
        self.place(position, None, None, options, locals, models)
    }
}
