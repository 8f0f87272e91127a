//! The editable form of a motion: full poses at a fixed rate.

use crate::{Skeleton, Transform, rotation};
use glam::{Quat, Vec3};
use std::ops::Range;
use thiserror::Error;

/// The treatment of times outside a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Wrap {
    /// The first or last frame is held.
    #[default]
    Clamp,
    /// Time starts again; the last frame is the first one of the next round.
    Loop,
}

/// An error that keeps frames from making a clip.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ClipError {
    /// No frames.
    #[error("clip `{clip}` has no frames")]
    Empty {
        /// Name of the clip.
        clip: String,
    },
    /// The frame rate is zero, negative or not finite.
    #[error("clip `{clip}`: {fps} frames per second is not a frame rate")]
    Rate {
        /// Name of the clip.
        clip: String,
        /// The rate that was asked for.
        fps: f32,
    },
    /// The number of transforms is not a whole number of frames.
    #[error(
        "clip `{clip}`: {count} transforms are not a whole number of frames of {joints} joints"
    )]
    Shape {
        /// Name of the clip.
        clip: String,
        /// Transforms given.
        count: usize,
        /// Joints of the skeleton.
        joints: usize,
    },
    /// A number is NaN or infinite.
    #[error("clip `{clip}`, frame {}, joint `{joint}`: not a finite number", .frame + 1)]
    NonFinite {
        /// Name of the clip.
        clip: String,
        /// Name of the joint.
        joint: String,
        /// Frame, from 0; in words from 1, as files count them.
        frame: usize,
    },
}

/// A motion as full poses at a fixed rate, easy to edit; [`CompactClip`](crate::CompactClip) is
/// what crowds play.
///
/// A cyclic clip repeats its first pose in its last frame, so that it lasts
/// `(frames - 1) / fps` seconds whether it is looped or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    name: String,
    fps: f32,
    joints: usize,
    /// Frame after frame, each as long as the skeleton.
    transforms: Vec<Transform>,
}

impl Clip {
    /// Checks the frames against the skeleton and takes them over. Rotations are normalised and
    /// put on the hemisphere of the frame before, so that neighbouring frames interpolate the
    /// short way.
    pub fn new(
        name: impl Into<String>,
        skeleton: &Skeleton,
        fps: f32,
        transforms: Vec<Transform>,
    ) -> Result<Self, ClipError> {
        let mut clip = Self::shaped(name.into(), skeleton, fps, transforms)?;
        let joints = clip.joints;
        let mut odd = None;
        for frame in 0..clip.frame_count() {
            let (done, rest) = clip.transforms.split_at_mut(frame * joints);
            let before = done.len().saturating_sub(joints);
            for (joint, transform) in rest[..joints].iter_mut().enumerate() {
                let before = match done.get(before + joint) {
                    Some(before) => before.rotation,
                    None => skeleton.joint(joint).rest.rotation,
                };
                let length = transform.rotation.length();
                // Times zero only what is finite is zero; a rotation is as finite as its length.
                let Vec3 { x, y, z } = transform.translation * 0.0;
                if !(x + y + z == 0.0 && length.is_finite() && length > 1e-6) {
                    odd.get_or_insert(frame * joints + joint);
                }
                let rotation = transform.rotation * length.recip();
                transform.rotation = rotation::nearest_sign(rotation, before);
            }
            if let Some(index) = odd {
                return Err(clip.not_finite(skeleton, index));
            }
        }
        Ok(clip)
    }

    /// A clip exactly as another one had its frames, as kept in a file: nothing is normalised, so that it is the same
    /// to the bit. Rotations that are none are refused.
    pub fn restored(
        name: impl Into<String>,
        skeleton: &Skeleton,
        fps: f32,
        transforms: Vec<Transform>,
    ) -> Result<Self, ClipError> {
        let clip = Self::shaped(name.into(), skeleton, fps, transforms)?;
        let sound = |transform: &Transform| {
            transform.is_finite() && (transform.rotation.length() - 1.0).abs() < 1e-3
        };
        match clip.transforms.iter().position(|transform| !sound(transform)) {
            Some(index) => Err(clip.not_finite(skeleton, index)),
            None => Ok(clip),
        }
    }

    /// Frames of clips of one skeleton, one after the other, at the rate of the first. They stay as they are, but for the
    /// signs of rotations: each part begins on the hemisphere on which the one before ends.
    pub fn joined(
        name: impl Into<String>,
        parts: &[(&Self, Range<usize>)],
    ) -> Result<Self, ClipError> {
        let name = name.into();
        let Some((first, _)) = parts.first() else { return Err(ClipError::Empty { clip: name }) };
        let joints = first.joints;
        let count = parts.iter().map(|(_, frames)| frames.len()).sum::<usize>() * joints;
        let mut transforms: Vec<Transform> = Vec::with_capacity(count);
        for (clip, frames) in parts {
            if clip.joints != joints {
                let count = clip.transforms.len();
                return Err(ClipError::Shape { clip: name, count, joints });
            }
            let begin = transforms.len();
            transforms
                .extend_from_slice(&clip.transforms[frames.start * joints..frames.end * joints]);
            for joint in begin..(begin + joints).min(transforms.len()) {
                let Some(before) = joint.checked_sub(joints) else { break };
                if transforms[before].rotation.dot(transforms[joint].rotation) < 0.0 {
                    let same = transforms[joint..].iter_mut().step_by(joints);
                    same.for_each(|transform| transform.rotation = -transform.rotation);
                }
            }
        }
        if transforms.is_empty() {
            return Err(ClipError::Empty { clip: name });
        }
        Ok(Self { name, fps: first.fps, joints, transforms })
    }

    /// Whole frames of the skeleton at a rate that is one.
    fn shaped(
        name: String,
        skeleton: &Skeleton,
        fps: f32,
        transforms: Vec<Transform>,
    ) -> Result<Self, ClipError> {
        let joints = skeleton.len();
        if !(fps.is_finite() && fps > 0.0) {
            return Err(ClipError::Rate { clip: name, fps });
        }
        if transforms.is_empty() {
            return Err(ClipError::Empty { clip: name });
        }
        if !transforms.len().is_multiple_of(joints) {
            return Err(ClipError::Shape { clip: name, count: transforms.len(), joints });
        }
        Ok(Self { name, fps, joints, transforms })
    }

    fn not_finite(self, skeleton: &Skeleton, index: usize) -> ClipError {
        let joint = skeleton.joint(index % self.joints).name.clone();
        ClipError::NonFinite { clip: self.name, joint, frame: index / self.joints }
    }

    /// Name, as the file or the generator gave it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same clip under another name.
    pub fn renamed(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Frames per second.
    pub fn fps(&self) -> f32 {
        self.fps
    }

    /// Joints per frame.
    pub fn joint_count(&self) -> usize {
        self.joints
    }

    /// Number of frames; at least 1.
    pub fn frame_count(&self) -> usize {
        self.transforms.len() / self.joints
    }

    /// Seconds from the first frame to the last.
    pub fn duration(&self) -> f32 {
        (self.frame_count() - 1) as f32 / self.fps
    }

    /// The time of a frame in seconds.
    pub fn frame_time(&self, frame: usize) -> f32 {
        frame as f32 / self.fps
    }

    /// One frame: the placement of each joint relative to its parent.
    pub fn frame(&self, index: usize) -> &[Transform] {
        &self.transforms[index * self.joints..][..self.joints]
    }

    /// All frames in order.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = &[Transform]> {
        self.transforms.chunks_exact(self.joints)
    }

    /// All transforms, frame after frame.
    pub fn transforms(&self) -> &[Transform] {
        &self.transforms
    }

    /// Takes the clip apart into its transforms, for an edit that goes back through [`Clip::new`].
    pub fn into_transforms(self) -> Vec<Transform> {
        self.transforms
    }

    /// The pose at any time in seconds, written to `pose`.
    ///
    /// # Panics
    /// If `pose` is shorter than a frame.
    pub fn sample(&self, time: f32, wrap: Wrap, pose: &mut [Transform]) {
        self.sample_first(self.joints, time, wrap, pose);
    }

    /// The first joints of the pose at any time in seconds; the others stay as they are in `pose`.
    ///
    /// # Panics
    /// If `pose` has fewer joints, or the clip.
    pub fn sample_first(&self, joints: usize, time: f32, wrap: Wrap, pose: &mut [Transform]) {
        let at = FramePosition::new(time, self.fps, self.frame_count(), wrap);
        let (from, to) = (&self.frame(at.frame)[..joints], self.frame(at.next));
        for ((out, a), b) in pose[..joints].iter_mut().zip(from).zip(to) {
            out.translation = a.translation.lerp(b.translation, at.fraction);
            out.rotation =
                (a.rotation * (1.0 - at.fraction) + b.rotation * at.fraction).normalize();
        }
    }

    /// The same motion at another rate; first and last frame stay where they are in time, up to
    /// the length of one new frame.
    pub fn resampled(&self, fps: f32) -> Result<Self, ClipError> {
        if !(fps.is_finite() && fps > 0.0) {
            return Err(ClipError::Rate { clip: self.name.clone(), fps });
        }
        let count = (f64::from(self.duration()) * f64::from(fps)).round() as usize + 1;
        let mut transforms = vec![Transform::IDENTITY; count * self.joints];
        for (frame, pose) in transforms.chunks_exact_mut(self.joints).enumerate() {
            self.sample(frame as f32 / fps, Wrap::Clamp, pose);
        }
        Ok(Self { name: self.name.clone(), fps, joints: self.joints, transforms })
    }

    /// The rotation of one joint in one frame; a shorthand for analyses.
    pub fn rotation(&self, frame: usize, joint: usize) -> Quat {
        self.frame(frame)[joint].rotation
    }
}

/// Where a time falls between two frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FramePosition {
    pub frame: usize,
    pub next: usize,
    pub fraction: f32,
}

impl FramePosition {
    /// Non-finite times count as the start of the clip.
    #[inline]
    pub fn new(time: f32, fps: f32, frames: usize, wrap: Wrap) -> Self {
        let last = frames - 1;
        let mut at = time * fps;
        if wrap == Wrap::Loop && last > 0 && !(0.0..last as f32).contains(&at) {
            at = at.rem_euclid(last as f32);
        }
        // `max` and `min` also turn NaN into a number.
        let at = at.max(0.0).min(last as f32);
        let frame = (at as usize).min(last);
        Self { frame, next: (frame + 1).min(last), fraction: at - frame as f32 }
    }
}

/// The placement of every joint in the model, frame by frame.
pub fn model_frames(skeleton: &Skeleton, clip: &Clip) -> Vec<Vec<Transform>> {
    model_frames_but(&(0..0), skeleton, clip)
}

/// The same but for a range of joints that no other joint hangs on.
///
/// # Panics
/// If the range is longer than the skeleton.
pub fn model_frames_but(
    left_out: &Range<usize>,
    skeleton: &Skeleton,
    clip: &Clip,
) -> Vec<Vec<Transform>> {
    let models = |pose: &[Transform]| {
        let mut models = pose.to_vec();
        skeleton.local_to_model_but(left_out, pose, &mut models);
        models
    };
    clip.frames().map(models).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::humanoid;
    use glam::Vec3;

    /// A clip whose joints all turn about an axis, faster and faster.
    fn turning(axis: Vec3, rate: f32, frames: usize) -> Clip {
        let skeleton = humanoid().skeleton;
        let turned = |frame: usize| {
            let turn = Quat::from_axis_angle(axis, rate * frame as f32);
            skeleton.joints().iter().map(move |joint| Transform { rotation: turn, ..joint.rest })
        };
        Clip::new("turning", &skeleton, 60.0, (0..frames).flat_map(turned).collect()).unwrap()
    }

    #[test]
    fn parts_of_clips_are_joined_as_they_are_and_the_short_way_round() {
        let (first, second) = (turning(Vec3::Y, 0.2, 30), turning(Vec3::Y, 0.5, 20));
        let joined =
            Clip::joined("both", &[(&first, 0..25), (&second, 2..10), (&first, 28..30)]).unwrap();
        assert_eq!((joined.name(), joined.fps(), joined.frame_count()), ("both", 60.0, 35));
        let sources = (0..25).map(|frame| first.frame(frame));
        let sources = sources.chain((2..10).map(|frame| second.frame(frame)));
        let sources = sources.chain((28..30).map(|frame| first.frame(frame)));
        for (own, source) in joined.frames().zip(sources) {
            for (own, source) in own.iter().zip(source) {
                assert_eq!(own.translation, source.translation);
                assert!([source.rotation, -source.rotation].contains(&own.rotation));
            }
        }
        // 4.8 rad and 1 rad are on different hemispheres as they are.
        assert!(first.frame(24)[1].rotation.dot(second.frame(2)[1].rotation) < 0.0);
        let again = Clip::new("both", &humanoid().skeleton, 60.0, joined.transforms().to_vec());
        let apart = joined.transforms().iter().zip(again.unwrap().into_transforms());
        assert!(apart.map(|(own, other)| own.rotation.dot(other.rotation)).all(|dot| dot > 0.999));
        assert!(matches!(Clip::joined("none", &[(&first, 3..3)]), Err(ClipError::Empty { .. })));
    }
}
