//! Finds out what the joints of an unknown skeleton are for.
//!
//! The skeleton is split into a trunk and limbs by the lengths of its bones. Names, in whatever tradition
//! they follow, then say which limbs are legs; where names say nothing, the limbs that reach the
//! ground in mirrored pairs are. Where the soles are is measured on frames in which a foot stands
//! still, because joints say nothing about the flesh below them.

mod axes;
mod limbs;
mod names;
mod posture;
mod roles;
mod sides;
mod soles;
mod upright;

pub use axes::{described, up_axis};
pub use sides::{SideDoubt, SideOptions, side_doubt};
pub(crate) use upright::body_frame;
pub use upright::{StandingRest, UprightOptions, rest_pose};

use andante_skeleton::{Clip, Rig, Skeleton};
use thiserror::Error;

/// An error that keeps a skeleton from being given roles.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RigError {
    /// There is no limb that could be a leg: one joint, a single chain, bones without length, or
    /// nothing that reaches the ground.
    #[error(
        "no feet were recognised among {joints} joints: nothing is named like a leg, and no pair of limbs reaches the ground"
    )]
    NoFeet {
        /// Joints of the skeleton.
        joints: usize,
    },
    /// A clip belongs to another skeleton.
    #[error("clip `{clip}` has {found} joints a frame, the skeleton has {expected}")]
    Clip {
        /// Name of the clip.
        clip: String,
        /// Joints per frame of the clip.
        found: usize,
        /// Joints of the skeleton.
        expected: usize,
    },
}

andante_skeleton::settings! {
    /// Options of finding the roles of joints.
    pub struct RigOptions: Copy {
        /// A subtree shorter than this fraction of the longest one is a finger, a toe or an ear, not a limb. A human
        /// neck with head is 0.24, a foot 0.17.
        shortest_limb: f32 = 0.2, 0.18..=0.23;
        /// Frames of each clip that are looked at for a posture that stands. More are slower.
        frames_per_clip: usize = 48, 10..=200;
        /// A posture stands if its feet are this close to its lowest point, as a fraction of its height.
        standing_below: f32 = 0.15, 0.0..;
        /// Heel behind the ankle, as a fraction of the distance from ankle to ball: 0.25 to 0.45 of the length of the
        /// foot, as in the built-in human.
        heel: f32 = 0.25 / 0.45, 0.0..;
        /// Tip of the toes in front of the ball, as a fraction of the same distance.
        tip: f32 = 0.30 / 0.45, 0.0..;
        /// Sole below the toe joint, as a fraction of the length of the leg, where nothing else is known.
        sole_thickness: f32 = 0.02, 0.0..;
        /// Where a foot stands still at heights that differ by more than this fraction of the leg, the ground is not level: a
        /// foot that stands higher than the other is on a step, and its sole no thicker.
        uneven: f32 = 0.05, 0.0..;
        /// A floor at y = 0 is believed if the toes at rest on it are no higher than this fraction of the leg.
        believed_toes: f32 = 0.1, 0.0..;
        /// Or if the ankle is no higher than this fraction.
        believed_ankle: f32 = 0.15, 0.0..;
        /// Clips that soles are measured on; more add nothing.
        sole_clips: usize = 8;
    }
}

andante_skeleton::settings! {
    /// Thresholds beyond which another axis than Y is taken to point up.
    pub struct UpOptions: Copy {
        /// Legs that lead down by this part of their length stand.
        stands: f32 = 0.5, 0.2..=0.8;
        /// Another axis counts if legs lead down along it by this part of their length.
        clearly: f32 = 0.7, 0.5..=0.95;
        /// Who goes farther than this many lengths of a leg on a level way is not lying down.
        way: f32 = 1.5, 0.5..=10.0;
    }
}

/// The roles of a skeleton's joints: hips, spine, head, legs with feet and toes, arms. Clips help to
/// tell where the ground and the soles are; with none, the rest pose has to do.
///
/// ```
/// let human = andante_skeleton::humanoid();
/// let rig = andante_motion::rig::detect(&human.skeleton, &[])?;
/// assert_eq!(rig.feet.len(), 2);
/// assert_eq!(rig.feet[0].leg, human.rig.feet[0].leg);
/// # Ok::<(), andante_motion::rig::RigError>(())
/// ```
pub fn detect(skeleton: &Skeleton, clips: &[Clip]) -> Result<Rig, RigError> {
    detect_with(skeleton, clips, &RigOptions::default())
}

/// The same as [`detect`] with options.
pub fn detect_with(
    skeleton: &Skeleton,
    clips: &[Clip],
    options: &RigOptions,
) -> Result<Rig, RigError> {
    if let Some(clip) = clips.iter().find(|clip| clip.joint_count() != skeleton.len()) {
        return Err(RigError::Clip {
            clip: clip.name().to_owned(),
            found: clip.joint_count(),
            expected: skeleton.len(),
        });
    }
    let roles =
        roles::find(skeleton, clips, options).ok_or(RigError::NoFeet { joints: skeleton.len() })?;
    let feet = soles::feet(skeleton, clips, &roles, options);
    Ok(Rig { hips: roles.hips, spine: roles.spine, head: roles.head, feet, arms: roles.arms })
}

#[cfg(test)]
mod tests;
