//! Single postures: editing them, going between them, and building clips from them.

use super::error::{EditError, check, check_posture, positive, steps};
use super::join::placement;
use super::spline::{along_arc, hermite, rotation_vector_rate};
use super::time::posture_at;
use andante_skeleton::{Clip, Planar, Pose, RootMotion, Skeleton, Transform, Wrap, ease, rotation};
use glam::{Quat, Vec3};

/// Sets the rotation of one joint relative to its parent.
pub fn set_rotation(
    skeleton: &Skeleton,
    pose: &mut Pose,
    joint: usize,
    turned: Quat,
) -> Result<(), EditError> {
    check_posture(skeleton, pose)?;
    let count = skeleton.len();
    if joint >= count {
        return Err(EditError::Joint { joint, count });
    }
    let length = turned.length();
    if !(length.is_finite() && length > 1e-6) {
        return Err(EditError::NonFinite { what: "the rotation" });
    }
    pose[joint].rotation = turned * length.recip();
    Ok(())
}

/// The posture `t` of the way from `a` to `b`: `a` itself at 0, their mean at 0.5, `b` itself at 1,
/// and beyond them for other `t`.
///
/// Rotations go along the shortest arc at an even rate, so that neither the sign of a quaternion
/// nor the order of angles matters, and going beyond is turning further about the same axis.
pub fn interpolate_postures(
    skeleton: &Skeleton,
    a: &[Transform],
    b: &[Transform],
    t: f32,
) -> Result<Pose, EditError> {
    check_posture(skeleton, a)?;
    check_posture(skeleton, b)?;
    if !t.is_finite() {
        return Err(EditError::NonFinite { what: "the weight of the second posture" });
    }
    Ok(between(a, b, t))
}

/// [`interpolate_postures`] for postures that were checked.
fn between(a: &[Transform], b: &[Transform], t: f32) -> Pose {
    if t == 0.0 || t == 1.0 {
        return Pose::from_locals(if t == 0.0 { a.to_vec() } else { b.to_vec() });
    }
    let joint = |(a, b): (&Transform, &Transform)| {
        Transform::new(
            along_arc(a.rotation, b.rotation, t),
            a.translation + (b.translation - a.translation) * t,
        )
    };
    Pose::from_locals(a.iter().zip(b).map(joint).collect())
}

/// The interpolation of a clip from one key posture to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Tween {
    /// Straight: an even rate between keys, and a corner at each.
    Linear,
    /// Through each key at the mean rate of its neighbours, and at rest at both ends.
    #[default]
    Smooth,
}

/// A posture and when it is taken.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyPosture {
    /// Seconds from the start of the clip.
    pub time: f32,
    /// The posture.
    pub pose: Pose,
}

/// A clip through key postures. It begins at time 0, where a first key that comes later is held, and
/// ends with the last key, to the nearest frame.
pub fn from_postures(
    skeleton: &Skeleton,
    name: impl Into<String>,
    fps: f32,
    keys: &[KeyPosture],
    tween: Tween,
) -> Result<Clip, EditError> {
    positive("frame rate", fps)?;
    if keys.len() < 2 {
        return Err(EditError::TooFewKeys { count: keys.len() });
    }
    let mut before = f32::NEG_INFINITY;
    for (index, key) in keys.iter().enumerate() {
        check_posture(skeleton, &key.pose)?;
        let time = key.time;
        if !(time.is_finite() && time >= 0.0 && time > before) {
            return Err(EditError::KeyTime { index, time });
        }
        before = time;
    }
    let count = steps(f64::from(before) * f64::from(fps), skeleton.len())?;
    let rates: Vec<Vec<Rate>> = (0..keys.len()).map(|key| key_rates(keys, key, tween)).collect();
    let mut transforms = Vec::with_capacity((count + 1) * skeleton.len());
    for frame in 0..=count {
        // The last frame is the last key, though its time may be a fraction of a frame away.
        let time = if frame == count { before } else { (frame as f32 / fps).min(before) };
        let next = keys.partition_point(|key| key.time <= time).clamp(1, keys.len() - 1);
        let (from, to) = (&keys[next - 1], &keys[next]);
        let length = to.time - from.time;
        let t = (time - from.time).max(0.0);
        if tween == Tween::Linear || t == 0.0 || t >= length {
            transforms.extend_from_slice(&between(&from.pose, &to.pose, (t / length).min(1.0)));
            continue;
        }
        let (poses, rates) =
            (from.pose.iter().zip(&*to.pose), rates[next - 1].iter().zip(&rates[next]));
        for ((a, b), (rate_a, rate_b)) in poses.zip(rates) {
            let translation =
                hermite((a.translation, rate_a.linear), (b.translation, rate_b.linear), length, t);
            // In the rotation vector that leads from a; at b its rate is not the angular velocity.
            let turn = rotation::log(a.rotation.conjugate() * b.rotation);
            let arrival = rotation_vector_rate(turn, rate_b.angular);
            let turned = hermite((Vec3::ZERO, rate_a.angular), (turn, arrival), length, t);
            let rotation = (a.rotation * rotation::exp(turned)).normalize();
            transforms.push(Transform::new(rotation, translation));
        }
    }
    Ok(Clip::new(name, skeleton, fps, transforms)?)
}

/// How fast a joint moves and turns (in its own frame) as it passes a key.
#[derive(Clone, Copy, Default)]
struct Rate {
    linear: Vec3,
    angular: Vec3,
}

fn key_rates(keys: &[KeyPosture], key: usize, tween: Tween) -> Vec<Rate> {
    let here = &keys[key];
    let at_end = key == 0 || key + 1 == keys.len();
    if at_end || tween == Tween::Linear {
        return vec![Rate::default(); here.pose.len()];
    }
    let (before, after) = (&keys[key - 1], &keys[key + 1]);
    let span = after.time - before.time;
    let joint = |joint: usize| {
        let [a, b, c] = [before, here, after].map(|key| &key.pose[joint]);
        let turned = rotation::log(a.rotation.conjugate() * b.rotation)
            + rotation::log(b.rotation.conjugate() * c.rotation);
        Rate { linear: (c.translation - a.translation) / span, angular: turned / span }
    };
    (0..here.pose.len()).map(joint).collect()
}

/// The motion `t` of the way from one clip to another, each taken from its start to its end; at 0
/// the first clip, at 1 the second, and beyond them for other `t`.
///
/// Durations are mixed as well. The travel of the roots is mixed apart from the postures, so that the
/// mean of a left and a right turn goes straight. The clips should be alike in phase: the mean of
/// a left and a right step is no step.
pub fn interpolate_clips(
    skeleton: &Skeleton,
    a: &Clip,
    b: &Clip,
    t: f32,
) -> Result<Clip, EditError> {
    check(skeleton, a)?;
    check(skeleton, b)?;
    if !t.is_finite() {
        return Err(EditError::NonFinite { what: "the weight of the second clip" });
    }
    let (place_a, travel_a) = RootMotion::extract(skeleton, a)?;
    let (place_b, travel_b) = RootMotion::extract(skeleton, b)?;
    let mut start_b = placement(skeleton, b.frame(0));
    let start_a = placement(skeleton, a.frame(0));
    start_b.heading = start_a.heading + rotation::wrap_angle(start_b.heading - start_a.heading);
    let start = start_a.lerp(&start_b, t);
    let duration = a.duration() + (b.duration() - a.duration()) * t;
    let length = f64::from(duration) * f64::from(a.fps());
    // Beyond clips of other lengths there may be nothing left.
    let longest = a.duration().max(b.duration());
    if longest > 0.0 && !(duration > 0.0 && length >= 0.5) {
        return Err(EditError::TooFew { frames: length });
    }
    // Two stills make a still.
    let count = if length > 0.0 { steps(length, skeleton.len())? } else { 0 };
    let mut transforms = Vec::with_capacity((count + 1) * skeleton.len());
    for frame in 0..=count {
        let part = if count == 0 { 0.0 } else { frame as f32 / count as f32 };
        let (time_a, time_b) = (part * a.duration(), part * b.duration());
        let mut pose = between(&posture_at(&place_a, time_a), &posture_at(&place_b, time_b), t);
        let travelled: Planar =
            travel_a.at(time_a, Wrap::Clamp).lerp(&travel_b.at(time_b, Wrap::Clamp), t);
        pose[0] = start.then(&travelled).to_transform() * pose[0];
        transforms.extend_from_slice(&pose);
    }
    Ok(Clip::new(a.name(), skeleton, a.fps(), transforms)?)
}

/// Puts an edited posture back into a clip: at `time` the clip takes this posture, and the
/// difference fades out over `window` seconds to both sides (A. Witkin and Z. Popović, "Motion
/// Warping", SIGGRAPH 1995). The frame nearest to `time` becomes the posture itself.
pub fn put_posture(
    skeleton: &Skeleton,
    clip: &Clip,
    time: f32,
    pose: &[Transform],
    window: f32,
) -> Result<Clip, EditError> {
    check(skeleton, clip)?;
    check_posture(skeleton, pose)?;
    if !(window.is_finite() && window >= 0.0) {
        return Err(EditError::NonFinite { what: "the window" });
    }
    let (duration, slack) = (clip.duration(), 0.5 / clip.fps());
    if !(time >= -slack && time <= duration + slack) {
        let clip = clip.name().into();
        return Err(EditError::OutsideClip { clip, start: time, end: time, duration });
    }
    let key = ((time * clip.fps()).round().max(0.0) as usize).min(clip.frame_count() - 1);
    let before = clip.frame(key).to_vec();
    let mut transforms = clip.transforms().to_vec();
    let joints = skeleton.len();
    for (frame, out) in transforms.chunks_exact_mut(joints).enumerate() {
        let away = frame.abs_diff(key) as f32 / clip.fps();
        let weight = if frame == key { 1.0 } else { ease(1.0 - away / window.max(1e-9)) };
        if weight <= 0.0 {
            continue;
        }
        for ((out, from), to) in out.iter_mut().zip(&before).zip(pose) {
            out.translation += (to.translation - from.translation) * weight;
            // On the parent's side, so that the joint turns about the same axis in every frame.
            let turn = rotation::log(to.rotation * from.rotation.conjugate());
            out.rotation = rotation::exp(turn * weight) * out.rotation;
        }
    }
    transforms[key * joints..][..joints].copy_from_slice(pose);
    Ok(Clip::new(clip.name(), skeleton, clip.fps(), transforms)?)
}
