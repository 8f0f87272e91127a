//! Where a motion happens, how noisy it is, and which part of the body makes it.

use super::error::{EditError, check};
use super::join::placement;
use super::time::posture_at;
use andante_skeleton::{Clip, Planar, RootMotion, Skeleton, Transform, check_setting, rotation};
use glam::{Quat, Vec3};

/// The motion without its travel: it stays at the origin and faces +Z.
pub fn in_place(skeleton: &Skeleton, clip: &Clip) -> Result<Clip, EditError> {
    check(skeleton, clip)?;
    Ok(RootMotion::extract(skeleton, clip)?.0)
}

/// The same motion beginning at the origin and facing +Z.
pub fn at_origin(skeleton: &Skeleton, clip: &Clip) -> Result<Clip, EditError> {
    check(skeleton, clip)?;
    moved(skeleton, clip, &placement(skeleton, clip.frame(0)).inverse(), 0.0)
}

/// The same motion elsewhere: turned about the origin, then moved, also upwards.
pub fn moved(skeleton: &Skeleton, clip: &Clip, place: &Planar, up: f32) -> Result<Clip, EditError> {
    check(skeleton, clip)?;
    let mut by = place.to_transform();
    by.translation.y += up;
    let mut transforms = clip.transforms().to_vec();
    for pose in transforms.chunks_exact_mut(skeleton.len()) {
        pose[0] = by * pose[0];
    }
    Ok(Clip::new(clip.name(), skeleton, clip.fps(), transforms)?)
}

/// The motion without what is faster than a frequency in Hz: a Gaussian filter without delay, which halves the power at
/// that frequency. Captured people move at up to 6 Hz or so; what is above is noise. Frequencies go from 0.01 Hz, which is slower
/// than any motion, to 10 kHz.
pub fn low_pass(skeleton: &Skeleton, clip: &Clip, hertz: f32) -> Result<Clip, EditError> {
    check(skeleton, clip)?;
    check_setting("frequency", &hertz, 0.01..=1e4)?;
    // exp(−2π²σ²f²) is 1/√2 at the frequency.
    let width = 0.1325 / hertz * clip.fps();
    let reach = (3.0 * width).ceil() as isize;
    let weights: Vec<f32> =
        (-reach..=reach).map(|k| libm::expf(-0.5 * (k as f32 / width).powi(2))).collect();
    let last = clip.frame_count() as isize - 1;
    let mut transforms = Vec::with_capacity(clip.transforms().len());
    for frame in 0..=last {
        for joint in 0..skeleton.len() {
            let here = clip.rotation(frame as usize, joint);
            let (mut turn, mut place) = (Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), Vec3::ZERO);
            let mut sum = 0.0;
            for (weight, offset) in weights.iter().zip(-reach..=reach) {
                // Beyond its ends a motion goes on as it came, turned round: its ends stay where they are.
                let at = frame + offset;
                let inside = at.clamp(0, last);
                let beyond = (2 * inside - at).clamp(0, last);
                let mirrored = at != inside;
                let of = |frame: isize| clip.frame(frame as usize)[joint];
                let near = if mirrored { of(beyond) } else { of(inside) };
                let (rotation, translation) = if mirrored {
                    let end = of(inside);
                    let on = end.rotation * near.rotation.conjugate() * end.rotation;
                    (on, 2.0 * end.translation - near.translation)
                } else {
                    (near.rotation, near.translation)
                };
                turn += rotation::nearest_sign(rotation, here) * *weight;
                place += translation * *weight;
                sum += weight;
            }
            let turn = if turn.length() > 1e-6 { turn.normalize() } else { here };
            transforms.push(Transform::new(turn, place / sum));
        }
    }
    Ok(Clip::new(clip.name(), skeleton, clip.fps(), transforms)?)
}

/// The motion with a joint and everything on it turned as in another one, from its beginning to its end: waving while walking.
pub fn with_part(
    skeleton: &Skeleton,
    clip: &Clip,
    other: &Clip,
    joint: usize,
) -> Result<Clip, EditError> {
    check(skeleton, clip)?;
    check(skeleton, other)?;
    if joint >= skeleton.len() {
        return Err(EditError::Joint { joint, count: skeleton.len() });
    }
    let mut transforms = clip.transforms().to_vec();
    for (frame, pose) in transforms.chunks_exact_mut(skeleton.len()).enumerate() {
        let theirs = posture_at(other, clip.frame_time(frame));
        for part in skeleton.subtree(joint) {
            pose[part].rotation = theirs[part].rotation;
        }
    }
    Ok(Clip::new(clip.name(), skeleton, clip.fps(), transforms)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_skeleton::{Pose, humanoid};

    #[test]
    fn a_filter_slower_than_any_motion_is_refused_instead_of_filling_the_memory() {
        let human = humanoid();
        let still = Pose::rest(&human.skeleton).repeat(10);
        let clip = Clip::new("still", &human.skeleton, 60.0, still).unwrap();
        for hertz in [1e-9, 0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert!(low_pass(&human.skeleton, &clip, hertz).is_err(), "{hertz}");
        }
        assert!(low_pass(&human.skeleton, &clip, 0.01).is_ok());
    }
}
