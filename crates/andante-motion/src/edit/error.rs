//! Why an edit cannot be made.

use andante_skeleton::{Clip, ClipError, SettingError, Skeleton, Transform};
use thiserror::Error;

/// An error that keeps a clip from being edited as asked.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum EditError {
    /// An option is out of its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The clip does not belong to the skeleton.
    #[error("clip `{clip}` has {found} joints, its skeleton {expected}")]
    Skeleton {
        /// Name of the clip.
        clip: String,
        /// Joints of the clip.
        found: usize,
        /// Joints of the skeleton.
        expected: usize,
    },
    /// A posture does not belong to the skeleton.
    #[error("a posture has {found} joints, its skeleton {expected}")]
    Posture {
        /// Joints of the posture.
        found: usize,
        /// Joints of the skeleton.
        expected: usize,
    },
    /// The range holds no time, or an end of it is not a number.
    #[error("from {start} s to {end} s there is nothing of clip `{clip}`")]
    EmptyRange {
        /// Name of the clip.
        clip: String,
        /// First moment asked for.
        start: f32,
        /// Last moment asked for.
        end: f32,
    },
    /// The range reaches beyond the clip.
    #[error("clip `{clip}` lasts from 0 to {duration} s, not from {start} to {end} s")]
    OutsideClip {
        /// Name of the clip.
        clip: String,
        /// First moment asked for.
        start: f32,
        /// Last moment asked for.
        end: f32,
        /// Length of the clip in seconds.
        duration: f32,
    },
    /// The clip has too few frames for the edit.
    #[error("clip `{clip}` has {frames} frames; {needed} are needed for this")]
    TooShort {
        /// Name of the clip.
        clip: String,
        /// Frames it has.
        frames: usize,
        /// Frames it would need.
        needed: usize,
    },
    /// The result would not fit into any sensible amount of memory.
    #[error("{frames} frames of {joints} joints are too many; use a lower rate or a higher speed")]
    TooLong {
        /// Frames of the result.
        frames: f64,
        /// Joints per frame.
        joints: usize,
    },
    /// A factor, speed or rate is not a positive number.
    #[error("{what} must be a positive number, not {value}")]
    NotPositive {
        /// What was given, such as `speed`.
        what: &'static str,
        /// Its value.
        value: f32,
    },
    /// A weight, window or rotation is not a finite number.
    #[error("{what} is not a finite number")]
    NonFinite {
        /// What was given.
        what: &'static str,
    },
    /// The clip stays in place, so that it has no speed to change.
    #[error("clip `{clip}` travels at {speed} m/s: too slow to be given another speed")]
    Still {
        /// Name of the clip.
        clip: String,
        /// Its speed in m/s.
        speed: f32,
    },
    /// There is no such joint.
    #[error("joint {joint} does not exist; the skeleton has {count}")]
    Joint {
        /// Index asked for.
        joint: usize,
        /// Joints of the skeleton.
        count: usize,
    },
    /// Key postures are missing, or their times do not increase.
    #[error(
        "key posture {index} at {time} s: times must be finite, at least 0, and grow from key to key"
    )]
    KeyTime {
        /// The posture, from 0.
        index: usize,
        /// Its time in seconds.
        time: f32,
    },
    /// A clip from postures needs two of them.
    #[error("{count} key postures; a clip needs at least 2")]
    TooFewKeys {
        /// Postures given.
        count: usize,
    },
    /// Contacts are for another number of feet.
    #[error("contacts of {found} feet for a rig of {expected}")]
    Feet {
        /// Feet of the contacts.
        found: usize,
        /// Feet of the rig.
        expected: usize,
    },
    /// A joint of the rig is not in the skeleton, or a leg has no joints.
    #[error("the rig does not fit the skeleton: {what}")]
    Rig {
        /// What does not fit.
        what: String,
    },
    /// Neither a joint nor a part of the body has this name.
    #[error("`{word}` is neither a joint nor a part of this body")]
    Part {
        /// The word.
        word: String,
    },
    /// A weight is not from 0 to 1.
    #[error("a weight is from 0 to 1, not {weight}")]
    Weight {
        /// Its value.
        weight: f32,
    },
    /// An edit of a part of the body has changed how many frames there are, or their rate.
    #[error(
        "the motion had {before} frames and has {after} now: a part of the body cannot take another time than the rest"
    )]
    OtherFrames {
        /// Frames before the edit.
        before: usize,
        /// Frames after it.
        after: usize,
    },
    /// A pair of a time warp is outside of the clip, or goes back.
    #[error(
        "pair {index}, {from} s to {to} s: moments must be in the clip, and both times grow from pair to pair"
    )]
    Warp {
        /// The pair, from 0.
        index: usize,
        /// When it happens in the clip.
        from: f32,
        /// When it is to happen.
        to: f32,
    },
    /// There are too few frames in a motion to keep its time.
    #[error("{frames:.2} frames are all that is left of it: whole ones would take another time")]
    TooFew {
        /// How many would keep it.
        frames: f64,
    },
    /// The edited frames are not a clip.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

/// More transforms than this (a gigabyte) are refused: three hours of a human at 120 frames/s.
const MAX_TRANSFORMS: f64 = (1u64 << 25) as f64;

/// Checks that a clip can be one of this skeleton.
pub(crate) fn check(skeleton: &Skeleton, clip: &Clip) -> Result<(), EditError> {
    let (found, expected) = (clip.joint_count(), skeleton.len());
    if found == expected {
        return Ok(());
    }
    Err(EditError::Skeleton { clip: clip.name().into(), found, expected })
}

/// Checks that a posture can be one of this skeleton and is finite.
pub(crate) fn check_posture(skeleton: &Skeleton, pose: &[Transform]) -> Result<(), EditError> {
    let (found, expected) = (pose.len(), skeleton.len());
    if found != expected {
        return Err(EditError::Posture { found, expected });
    }
    if pose.iter().all(Transform::is_finite) {
        Ok(())
    } else {
        Err(EditError::NonFinite { what: "a posture" })
    }
}

/// Checks a factor, speed, rate or duration.
pub(crate) fn positive(what: &'static str, value: f32) -> Result<f32, EditError> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(EditError::NotPositive { what, value })
    }
}

/// The whole number of frame steps nearest to a length in frames, at least 1, if they fit into memory.
pub(crate) fn steps(length: f64, joints: usize) -> Result<usize, EditError> {
    if length.is_finite() && length * joints as f64 <= MAX_TRANSFORMS {
        Ok((length.round() as usize).max(1))
    } else {
        Err(EditError::TooLong { frames: length, joints })
    }
}
