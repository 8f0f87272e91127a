//! When things happen: trimming, resampling, speed, direction of time.

use super::error::{EditError, check, positive, steps};
use andante_play::Interval;
use andante_skeleton::{Clip, MirrorTable, Planar, Pose, Skeleton, Transform, Wrap};

/// The posture at any time; times outside the clip give its first or last one.
pub fn posture_at(clip: &Clip, time: f32) -> Pose {
    let mut pose = Pose::identity(clip.joint_count());
    clip.sample(time, Wrap::Clamp, &mut pose);
    pose
}

/// The part of a clip between two times, which need not be those of frames.
///
/// The first and the last posture are exactly those at the two times. The length is rounded to a
/// whole number of frames and the frames are spread evenly over the range, so that a cycle cut out
/// between two events is not a fraction of a frame too long.
pub fn trim(skeleton: &Skeleton, clip: &Clip, range: Interval) -> Result<Clip, EditError> {
    check(skeleton, clip)?;
    let range = checked(clip, range)?;
    let count = steps(f64::from(range.length()) * f64::from(clip.fps()), skeleton.len())?;
    spread(skeleton, clip, range, count, clip.fps())
}

/// The same motion at another rate; the first and the last posture stay as they are. Rates at which whole frames would take
/// another time by more than a twentieth are refused.
pub fn resampled(skeleton: &Skeleton, clip: &Clip, fps: f32) -> Result<Clip, EditError> {
    check(skeleton, clip)?;
    positive("frame rate", fps)?;
    if fps == clip.fps() || clip.frame_count() == 1 {
        return Ok(Clip::new(clip.name(), skeleton, fps, clip.transforms().to_vec())?);
    }
    let frames = f64::from(clip.duration()) * f64::from(fps);
    let count = steps(frames, skeleton.len())?;
    if (count as f64 - frames).abs() > 0.05 * frames {
        return Err(EditError::TooFew { frames });
    }
    spread(skeleton, clip, Interval::new(0.0, clip.duration()), count, fps)
}

/// The same path in another time: `factor` 2 plays twice as fast. The frame rate stays.
pub fn change_speed(skeleton: &Skeleton, clip: &Clip, factor: f32) -> Result<Clip, EditError> {
    check(skeleton, clip)?;
    positive("speed factor", factor)?;
    needs(clip, 2)?;
    let frames = (clip.frame_count() - 1) as f64 / f64::from(factor);
    let count = steps(frames, skeleton.len())?;
    if frames < 0.2 {
        return Err(EditError::TooFew { frames });
    }
    spread(skeleton, clip, Interval::new(0.0, clip.duration()), count, clip.fps())
}

/// Mean speed of the root over the ground in m/s: the length of its path, not the distance between
/// its ends, so that a circle counts.
pub fn travel_speed(clip: &Clip) -> f32 {
    let placed: Vec<_> = clip.frames().map(|pose| Planar::from_transform(&pose[0])).collect();
    let length: f32 =
        placed.windows(2).map(|step| step[0].position.distance(step[1].position)).sum();
    if clip.frame_count() > 1 { length / clip.duration() } else { 0.0 }
}

/// The same path at another speed in m/s. See [`travel_speed`].
pub fn retime_to_speed(skeleton: &Skeleton, clip: &Clip, speed: f32) -> Result<Clip, EditError> {
    check(skeleton, clip)?;
    positive("speed", speed)?;
    needs(clip, 2)?;
    let now = travel_speed(clip);
    // Slower than that is the sway of somebody who stands.
    if now < 0.01 {
        return Err(EditError::Still { clip: clip.name().into(), speed: now });
    }
    change_speed(skeleton, clip, speed / now)
}

/// The clip backwards.
pub fn reversed(skeleton: &Skeleton, clip: &Clip) -> Result<Clip, EditError> {
    check(skeleton, clip)?;
    let mut transforms = Vec::with_capacity(clip.transforms().len());
    for frame in (0..clip.frame_count()).rev() {
        transforms.extend_from_slice(clip.frame(frame));
    }
    Ok(Clip::new(clip.name(), skeleton, clip.fps(), transforms)?)
}

/// Left for right, across the plane x = 0.
pub fn mirrored(skeleton: &Skeleton, clip: &Clip) -> Result<Clip, EditError> {
    check(skeleton, clip)?;
    let table = MirrorTable::new(skeleton);
    let mut transforms = vec![Transform::IDENTITY; clip.transforms().len()];
    for (out, pose) in transforms.chunks_exact_mut(skeleton.len()).zip(clip.frames()) {
        table.mirror(pose, out);
    }
    Ok(Clip::new(clip.name(), skeleton, clip.fps(), transforms)?)
}

/// `count + 1` frames spread evenly over a range, whose ends are hit exactly.
fn spread(
    skeleton: &Skeleton,
    clip: &Clip,
    range: Interval,
    count: usize,
    fps: f32,
) -> Result<Clip, EditError> {
    let joints = skeleton.len();
    let mut transforms = Vec::with_capacity((count + 1) * joints);
    // In frames and in double precision: a clip that is cut at its own frames keeps them.
    let last = (clip.frame_count() - 1) as f64;
    let rate = f64::from(clip.fps());
    let (from, to) = (f64::from(range.start) * rate, f64::from(range.end) * rate);
    let (from, to) = (snapped(from).clamp(0.0, last), snapped(to).clamp(0.0, last));
    for index in 0..=count {
        sampled(clip, from + (to - from) * index as f64 / count as f64, &mut transforms);
    }
    Ok(Clip::new(clip.name(), skeleton, fps, transforms)?)
}

/// Appends the posture at a place in frames; places beyond the ends are the ends.
pub(super) fn sampled(clip: &Clip, at: f64, transforms: &mut Vec<Transform>) {
    let at = snapped(at).clamp(0.0, (clip.frame_count() - 1) as f64);
    let frame = (at as usize).min(clip.frame_count() - 1);
    let fraction = (at - frame as f64) as f32;
    let start = transforms.len();
    transforms.extend_from_slice(clip.frame(frame));
    if fraction > 0.0 && frame + 1 < clip.frame_count() {
        for (out, next) in transforms[start..].iter_mut().zip(clip.frame(frame + 1)) {
            out.translation = out.translation.lerp(next.translation, fraction);
            out.rotation = (out.rotation * (1.0 - fraction) + next.rotation * fraction).normalize();
        }
    }
}

/// A place in frames, put on a whole frame if it is meant to be one: times are single precision.
fn snapped(at: f64) -> f64 {
    let whole = at.round();
    if (at - whole).abs() < 1e-6 * whole.abs().max(100.0) { whole } else { at }
}

/// A range of a clip with some length; ends that miss the clip by less than half a frame are moved
/// onto it.
pub(super) fn checked(clip: &Clip, range: Interval) -> Result<Interval, EditError> {
    let Interval { start, end } = range;
    if !(start.is_finite() && end.is_finite() && start < end) {
        return Err(EditError::EmptyRange { clip: clip.name().into(), start, end });
    }
    let (duration, slack) = (clip.duration(), 0.5 / clip.fps());
    if start < -slack || end > duration + slack {
        return Err(EditError::OutsideClip { clip: clip.name().into(), start, end, duration });
    }
    let inside = Interval::new(start.clamp(0.0, duration), end.clamp(0.0, duration));
    if inside.length() > 0.0 {
        Ok(inside)
    } else {
        Err(EditError::EmptyRange { clip: clip.name().into(), start, end })
    }
}

/// Checks that there are enough frames for an edit.
pub(super) fn needs(clip: &Clip, needed: usize) -> Result<(), EditError> {
    let frames = clip.frame_count();
    if frames >= needed {
        return Ok(());
    }
    Err(EditError::TooShort { clip: clip.name().into(), frames, needed })
}
