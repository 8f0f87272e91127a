//! Finds out what the joints of an unknown skeleton are for.
//!
//! The skeleton is split into a trunk and limbs by the lengths of its bones. Names, in whatever tradition
//! they follow, then say which limbs are legs; where names say nothing, the limbs that reach the
//! ground in mirrored pairs are. Where the soles are is measured on frames in which a foot stands
//! still, because joints say nothing about the flesh below them.

mod limbs;
mod names;
mod posture;
mod roles;
mod soles;

use andante_skeleton::{Clip, Rig, Skeleton};
use thiserror::Error;

/// Why a skeleton cannot be given roles.
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
    if let Some(clip) = clips.iter().find(|clip| clip.joint_count() != skeleton.len()) {
        return Err(RigError::Clip {
            clip: clip.name().to_owned(),
            found: clip.joint_count(),
            expected: skeleton.len(),
        });
    }
    let roles = roles::find(skeleton, clips).ok_or(RigError::NoFeet { joints: skeleton.len() })?;
    let feet = soles::feet(skeleton, clips, &roles);
    Ok(Rig { hips: roles.hips, spine: roles.spine, head: roles.head, feet, arms: roles.arms })
}

#[cfg(test)]
mod tests;
