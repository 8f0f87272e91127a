//! One clip after another, and clips with a piece taken out.

use super::error::{EditError, check};
use super::time::{checked, resampled, trim};
use andante_play::Interval;
use andante_skeleton::{Clip, Planar, Skeleton, Transform, ease, rotation};

andante_skeleton::settings! {
    /// Options of joining two clips.
    pub struct JoinOptions: Copy {
        /// Whether the second clip is moved and turned on the ground so that its root starts where the
        /// first one's is. Without it the clips keep their places, and the root may jump.
        align: bool = true;
        /// Seconds in which both clips play and the one turns into the other. 0 joins them at one frame, which jumps
        /// unless the postures agree; long fades slide the feet. The result is shorter by as much.
        fade: f32 = 0.2, 0.0..=1e3;
    }
}

/// The first clip, then the second, at the rate of the first.
///
/// Without a fade the last frame of the first clip stands for the first frame of the second, so
/// that a clip that was cut in two is whole again. Fades longer than a clip are shortened.
pub fn concatenate(
    skeleton: &Skeleton,
    first: &Clip,
    second: &Clip,
    options: &JoinOptions,
) -> Result<Clip, EditError> {
    check(skeleton, first)?;
    check(skeleton, second)?;
    options.check()?;
    let second = resampled(skeleton, second, first.fps())?;
    let shorter = first.frame_count().min(second.frame_count()) - 1;
    let overlap = ((options.fade * first.fps()).round() as usize).min(shorter);
    let meeting = first.frame_count() - 1 - overlap;
    let moved = if options.align {
        let from = placement(skeleton, second.frame(0));
        let to = placement(skeleton, first.frame(meeting));
        to.to_transform() * from.to_transform().inverse()
    } else {
        Transform::IDENTITY
    };

    let joints = skeleton.len();
    let mut transforms = first.transforms().to_vec();
    transforms.reserve((second.frame_count() - overlap) * joints);
    for (frame, pose) in second.frames().enumerate() {
        // Frame 0 of the second clip meets one of the first, which counts alone there.
        let weight = if overlap > 0 { ease(frame as f32 / overlap as f32) } else { frame as f32 };
        let start = (meeting + frame) * joints;
        for (joint, source) in pose.iter().enumerate() {
            let source = if joint == 0 { moved * *source } else { *source };
            match transforms.get_mut(start + joint) {
                Some(out) if weight < 1.0 => {
                    out.translation = out.translation.lerp(source.translation, weight);
                    out.rotation = rotation::nlerp(out.rotation, source.rotation, weight);
                }
                Some(out) => *out = source,
                None => transforms.push(source),
            }
        }
    }
    Ok(Clip::new(first.name(), skeleton, first.fps(), transforms)?)
}

/// The clip without a range: what follows is joined to what came before.
pub fn cut(
    skeleton: &Skeleton,
    clip: &Clip,
    range: Interval,
    options: &JoinOptions,
) -> Result<Clip, EditError> {
    check(skeleton, clip)?;
    let range = checked(clip, range)?;
    let frame = 1.0 / clip.fps();
    // Parts shorter than a frame go with the range.
    let head = (range.start >= frame).then(|| Interval::new(0.0, range.start));
    let tail =
        (clip.duration() - range.end >= frame).then(|| Interval::new(range.end, clip.duration()));
    match (head, tail) {
        (Some(head), Some(tail)) => {
            let (head, tail) = (trim(skeleton, clip, head)?, trim(skeleton, clip, tail)?);
            concatenate(skeleton, &head, &tail, options)
        }
        (Some(rest), None) | (None, Some(rest)) => trim(skeleton, clip, rest),
        (None, None) => Err(EditError::EmptyRange {
            clip: clip.name().into(),
            start: range.start,
            end: range.end,
        }),
    }
}

/// Where a posture stands and which way it faces, as [`RootMotion`](andante_skeleton::RootMotion)
/// sees it: relative to the root's rest rotation.
pub(crate) fn placement(skeleton: &Skeleton, pose: &[Transform]) -> Planar {
    let rest = skeleton.joint(0).rest.rotation;
    Planar::from_transform(&Transform::new(
        pose[0].rotation * rest.conjugate(),
        pose[0].translation,
    ))
}
