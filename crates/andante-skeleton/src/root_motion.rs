//! The travelling part of a clip, taken out of its poses.
//!
//! A clip of somebody walking away cannot be blended with one of somebody walking a circle: the
//! poses are metres apart. Split into an in-place clip and the travel of its root, both parts
//! blend, loop and accumulate without drift.

use crate::clip::FramePosition;
use crate::{Clip, ClipError, Planar, Skeleton, Transform, Wrap, rotation};

/// The travel of a root over a clip: one [`Planar`] per frame.
#[derive(Clone, Debug, PartialEq)]
pub struct RootMotion {
    fps: f32,
    frames: Vec<Planar>,
}

impl RootMotion {
    /// Splits a clip into one that stays in place (the root keeps its height, pitch, roll and what
    /// sways about the path) and the travel of its root. The first frame's travel is the identity:
    /// the in-place clip begins at the origin, facing +Z.
    ///
    /// Headings are those of the root relative to its rest rotation and are unwrapped, so that a
    /// full circle counts as 2π.
    pub fn extract(skeleton: &Skeleton, clip: &Clip) -> Result<(Clip, RootMotion), ClipError> {
        let rest = skeleton.joint(0).rest.rotation;
        let mut frames: Vec<Planar> = Vec::with_capacity(clip.frame_count());
        for pose in clip.frames() {
            let turned = Transform::new(pose[0].rotation * rest.conjugate(), pose[0].translation);
            let mut placed = Planar::from_transform(&turned);
            if let Some(before) = frames.last() {
                let step = rotation::wrap_angle(placed.heading - before.heading);
                placed.heading = before.heading + step;
            }
            frames.push(placed);
        }
        let mut transforms = clip.transforms().to_vec();
        for (pose, placed) in transforms.chunks_exact_mut(clip.joint_count()).zip(&frames) {
            pose[0] = placed.to_transform().inverse() * pose[0];
        }
        let in_place = Clip::new(clip.name(), skeleton, clip.fps(), transforms)?;
        let start = frames[0];
        let frames = frames.iter().map(|placed| start.to(placed)).collect();
        Ok((in_place, RootMotion { fps: clip.fps(), frames }))
    }

    /// Puts the travel back: the inverse of [`RootMotion::extract`], beginning at `start`.
    pub fn apply(
        &self,
        skeleton: &Skeleton,
        in_place: &Clip,
        start: Planar,
    ) -> Result<Clip, ClipError> {
        let mut transforms = in_place.transforms().to_vec();
        for (pose, placed) in transforms.chunks_exact_mut(in_place.joint_count()).zip(&self.frames)
        {
            pose[0] = start.then(placed).to_transform() * pose[0];
        }
        Clip::new(in_place.name(), skeleton, in_place.fps(), transforms)
    }

    /// Travel from the first frame to the last: one round of a cyclic clip.
    pub fn total(&self) -> Planar {
        self.frames[self.frames.len() - 1]
    }

    /// The travel per frame, from the first frame.
    pub fn frames(&self) -> &[Planar] {
        &self.frames
    }

    /// Seconds from the first frame to the last.
    pub fn duration(&self) -> f32 {
        (self.frames.len() - 1) as f32 / self.fps
    }

    /// Travel since the start of the clip. Looping times go on round after round: after three
    /// rounds of a circle the character is where three rounds lead.
    pub fn at(&self, time: f32, wrap: Wrap) -> Planar {
        let last = (self.frames.len() - 1) as f32;
        if wrap == Wrap::Clamp || last <= 0.0 || !time.is_finite() {
            return self.within(time);
        }
        // Rounds and the time within one come from the same division: a time that is a whole number of
        // rounds is at the start of the next one, never both at its end and counted as done.
        let position = time * self.fps;
        let rounds = (position / last).floor();
        let within = (position - rounds * last).clamp(0.0, last) / self.fps;
        power(&self.total(), rounds as i32).then(&self.within(within))
    }

    /// Travel since the start of the clip, within one round.
    fn within(&self, time: f32) -> Planar {
        let at = FramePosition::new(time, self.fps, self.frames.len(), Wrap::Clamp);
        self.frames[at.frame].lerp(&self.frames[at.next], at.fraction)
    }

    /// Travel between two times as seen by the character at the first of them: what a game adds to
    /// its character per frame.
    pub fn delta(&self, from: f32, to: f32, wrap: Wrap) -> Planar {
        self.at(from, wrap).to(&self.at(to, wrap))
    }

    /// The weighted mean of several deltas: root motion of a blend. Weights need not sum to 1; if
    /// they sum to nothing, nobody moves.
    pub fn blend(deltas: impl IntoIterator<Item = (Planar, f32)>) -> Planar {
        let mut sum = Planar::IDENTITY;
        let mut total = 0.0;
        for (delta, weight) in deltas {
            sum.position += delta.position * weight;
            sum.heading += delta.heading * weight;
            total += weight;
        }
        if total <= 1e-6 {
            return Planar::IDENTITY;
        }
        Planar::new(sum.position / total, sum.heading / total)
    }
}

/// `round` made `count` times, by squaring; negative counts go back.
fn power(round: &Planar, count: i32) -> Planar {
    let mut base = if count < 0 { round.inverse() } else { *round };
    let mut left = count.unsigned_abs();
    let mut result = Planar::IDENTITY;
    while left > 0 {
        if left & 1 == 1 {
            result = result.then(&base);
        }
        base = base.then(&base);
        left >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Joint, Pose};
    use glam::{Quat, Vec2, Vec3};

    /// A root that walks a circle of 1 m to the left, a quarter of it in one second, bobbing.
    fn quarter_circle() -> (Skeleton, Clip) {
        let skeleton = Skeleton::new(vec![Joint::new("root", None, Vec3::Y)]).unwrap();
        let frames = (0..=30).map(|frame| {
            let angle = frame as f32 / 30.0 * std::f32::consts::FRAC_PI_2;
            let bob = 1.0 + 0.05 * (8.0 * angle).sin();
            Transform::new(
                Quat::from_rotation_y(angle + 0.4) * Quat::from_rotation_x(0.2),
                Quat::from_rotation_y(0.4) * Vec3::new(1.0 - angle.cos(), bob, angle.sin())
                    + Vec3::new(5.0, 0.0, 1.0),
            )
        });
        let clip = Clip::new("circle", &skeleton, 30.0, frames.collect()).unwrap();
        (skeleton, clip)
    }

    #[test]
    fn extraction_and_application_are_inverse() {
        let (skeleton, clip) = quarter_circle();
        let (in_place, motion) = RootMotion::extract(&skeleton, &clip).unwrap();
        let back =
            motion.apply(&skeleton, &in_place, Planar::new(Vec2::new(5.0, 1.0), 0.4)).unwrap();
        for (a, b) in clip.transforms().iter().zip(back.transforms()) {
            assert!(a.translation.abs_diff_eq(b.translation, 1e-5));
            assert!(rotation::angle_between(a.rotation, b.rotation) < 1e-5);
        }
        for pose in in_place.frames() {
            assert!(Vec2::new(pose[0].translation.x, pose[0].translation.z).length() < 1e-5);
        }
    }

    #[test]
    fn four_rounds_of_a_quarter_circle_come_back_home() {
        let (skeleton, clip) = quarter_circle();
        let (_, motion) = RootMotion::extract(&skeleton, &clip).unwrap();
        let home = motion.at(4.0, Wrap::Loop);
        assert!(home.position.length() < 1e-4);
        assert!((home.heading - std::f32::consts::TAU).abs() < 1e-4);
        let back = motion.at(-4.0, Wrap::Loop);
        assert!(back.position.length() < 1e-4);
    }

    #[test]
    fn whole_rounds_are_never_counted_twice() {
        let skeleton = Skeleton::new(vec![Joint::new("root", None, Vec3::Y)]).unwrap();
        for frames in [2usize, 8, 30, 31, 60, 73] {
            for fps in [24.0, 29.97, 30.0, 60.0, 120.0] {
                let step =
                    |frame: usize| Transform::from_translation(Vec3::new(0.0, 1.0, frame as f32));
                let clip =
                    Clip::new("ahead", &skeleton, fps, (0..frames).map(step).collect()).unwrap();
                let (_, motion) = RootMotion::extract(&skeleton, &clip).unwrap();
                for rounds in 0..200 {
                    let travelled =
                        motion.at(rounds as f32 * motion.duration(), Wrap::Loop).position.y;
                    let expected = (rounds * (frames - 1)) as f32;
                    assert!(
                        (travelled - expected).abs() < 0.05,
                        "{frames} {fps} {rounds}: {travelled}"
                    );
                }
            }
        }
    }

    #[test]
    fn small_deltas_add_up_to_the_whole_way() {
        let (skeleton, clip) = quarter_circle();
        let (_, motion) = RootMotion::extract(&skeleton, &clip).unwrap();
        let mut placed = Planar::IDENTITY;
        let dt = 1.0 / 37.0;
        for step in 0..37 * 3 {
            placed =
                placed.then(&motion.delta(step as f32 * dt, (step + 1) as f32 * dt, Wrap::Loop));
        }
        let direct = motion.at(3.0, Wrap::Loop);
        assert!(placed.position.abs_diff_eq(direct.position, 1e-3));
        assert!((placed.heading - direct.heading).abs() < 1e-4);
    }

    #[test]
    fn blend_of_left_and_right_circle_goes_straight() {
        let left = Planar::new(Vec2::new(0.1, 1.0), 0.3);
        let right = Planar::new(Vec2::new(-0.1, 1.0), -0.3);
        let blended = RootMotion::blend([(left, 2.0), (right, 2.0)]);
        assert!(blended.position.abs_diff_eq(Vec2::new(0.0, 1.0), 1e-6));
        assert!(blended.heading.abs() < 1e-6);
        assert_eq!(RootMotion::blend([(left, 0.0)]), Planar::IDENTITY);
    }

    #[test]
    fn a_clip_of_one_frame_does_not_travel() {
        let skeleton = Skeleton::new(vec![Joint::new("root", None, Vec3::Y)]).unwrap();
        let clip = Clip::new("still", &skeleton, 30.0, Pose::rest(&skeleton).to_vec()).unwrap();
        let (_, motion) = RootMotion::extract(&skeleton, &clip).unwrap();
        assert_eq!(motion.delta(0.0, 7.0, Wrap::Loop), Planar::IDENTITY);
    }
}
