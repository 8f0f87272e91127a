//! What clips and characters are refused for.

use andante_skeleton::{Character, Clip, ClipError, SettingError, rotation};
use std::ops::RangeInclusive;
use thiserror::Error;

/// An error that keeps a clip from being put on the ground.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum GroundClipError {
    /// The clip belongs to another skeleton.
    #[error("clip `{clip}` has {found} joints a frame, the skeleton has {expected}")]
    Clip {
        /// Name of the clip.
        clip: String,
        /// Joints per frame of the clip.
        found: usize,
        /// Joints of the skeleton.
        expected: usize,
    },
    /// The rig has no feet.
    #[error("character `{0}` has no feet")]
    NoFeet(String),
    /// The rig names joints that the skeleton does not have, or a leg without joints.
    #[error("the rig of character `{0}` does not fit its skeleton")]
    Rig(String),
    /// There is not one entry of contacts per foot.
    #[error("contacts of {found} feet for a character with {expected}")]
    Contacts {
        /// Entries found.
        found: usize,
        /// Feet of the rig.
        expected: usize,
    },
    /// A foot never touches the ground, so that nothing tells where it belongs.
    #[error("clip `{clip}`: {foot} is never on the ground")]
    NeverDown {
        /// Name of the clip.
        clip: String,
        /// Name of the foot.
        foot: String,
    },
    /// A leg has no two bones that could bend.
    #[error("{foot}: its leg has no knee to bend")]
    NoLeg {
        /// Name of the foot.
        foot: String,
    },
    /// The clip is said to repeat, but its last pose is not its first.
    #[error(
        "clip `{clip}` does not repeat: joint `{joint}` ends {degrees:.0}° from where it began"
    )]
    NotCyclic {
        /// Name of the clip.
        clip: String,
        /// The joint that differs most.
        joint: String,
        /// By how much.
        degrees: f32,
    },
    /// The height of the ground is no number.
    #[error("the height of the clip's ground is not a finite number")]
    Height,
    /// Frames that do not make a clip, off a treadmill or out of a repertoire.
    #[error(transparent)]
    Belt(#[from] ClipError),
    /// A setting is out of its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
}

/// An error that keeps a character from playing a clip where and when it is told to.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum GroundingError {
    /// A number is not one that it may be.
    #[error("{argument} is {value}; it is {least} to {most} {unit}")]
    Number {
        /// What it is called.
        argument: &'static str,
        /// What it was.
        value: f32,
        /// The least it may be.
        least: f32,
        /// The most it may be.
        most: f32,
        /// What it is measured in.
        unit: &'static str,
    },
    /// The clip is another character's.
    #[error("clip `{0}` is of another character")]
    Character(String),
    /// A pose has more joints than the skeleton, or fewer.
    #[error("a pose of {found} joints; the skeleton has {expected}")]
    Joints {
        /// Joints of the pose.
        found: usize,
        /// Joints of the skeleton.
        expected: usize,
    },
    /// A joint of a pose is not a finite transform.
    #[error("joint `{0}` of the pose is not a finite transform")]
    Pose(String),
    /// What is said of a support is of no foot, or not a finite transform.
    #[error("the support of foot {0} is not one of a foot, or not a finite transform")]
    Support(usize),
}

impl GroundingError {
    /// Refuses a number that is not between two others.
    pub(crate) fn unless_within(
        argument: &'static str,
        value: f32,
        range: RangeInclusive<f32>,
        unit: &'static str,
    ) -> Result<(), Self> {
        if range.contains(&value) {
            return Ok(());
        }
        let (least, most) = (*range.start(), *range.end());
        Err(Self::Number { argument, value, least, most, unit })
    }
}

/// Joints that end farther from where they began than this do not repeat.
const SAME_POSE: f32 = 0.3;

/// Refuses rigs that name joints their skeleton does not have.
pub(crate) fn check_rig(character: &Character) -> Result<(), GroundClipError> {
    let (count, rig) = (character.skeleton.len(), &character.rig);
    if rig.feet.is_empty() {
        return Err(GroundClipError::NoFeet(character.name.clone()));
    }
    let fits = rig.hips < count
        && rig.spine.iter().all(|&joint| joint < count)
        && rig.feet.iter().all(|foot| {
            let points = [foot.heel, foot.ball, foot.tip];
            !foot.leg.is_empty()
                && foot.leg.iter().chain(&foot.toes).all(|&joint| joint < count)
                && points.iter().all(|point| point.joint < count && point.offset.is_finite())
        });
    if fits { Ok(()) } else { Err(GroundClipError::Rig(character.name.clone())) }
}

/// Refuses clips that do not end as they began.
pub(crate) fn check_cyclic(character: &Character, clip: &Clip) -> Result<(), GroundClipError> {
    let (first, last) = (clip.frame(0), clip.frame(clip.frame_count() - 1));
    let mut worst = (0, 0.0f32);
    for (joint, (a, b)) in first.iter().zip(last).enumerate().skip(1) {
        let angle = rotation::angle_between(a.rotation, b.rotation);
        if angle > worst.1 {
            worst = (joint, angle);
        }
    }
    if worst.1 <= SAME_POSE {
        return Ok(());
    }
    Err(GroundClipError::NotCyclic {
        clip: clip.name().into(),
        joint: character.skeleton.joint(worst.0).name.clone(),
        degrees: worst.1.to_degrees(),
    })
}
