//! From one motion to the next.

use crate::{RecentPoses, Transform, rotation};
use glam::Vec3;
use std::ops::Range;

/// A smooth step from 0 to 1 over `t` in [0, 1] with flat ends: the weight of the newer motion in
/// a cross-fade.
///
/// ```
/// use andante_skeleton::ease;
/// assert_eq!((ease(-1.0), ease(0.5), ease(2.0)), (0.0, 0.5, 1.0));
/// ```
#[inline]
pub fn ease(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// A timed cross-fade: both motions keep playing and the weight moves over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrossFade {
    duration: f32,
    elapsed: f32,
}

impl CrossFade {
    /// A fade over `duration` seconds; 0 or less switches at once. Gait transitions usually take
    /// 0.2…0.4 s: shorter looks abrupt, longer floats.
    pub fn new(duration: f32) -> Self {
        Self { duration: duration.max(0.0), elapsed: 0.0 }
    }

    /// Lets time pass.
    pub fn advance(&mut self, dt: f32) {
        self.elapsed += dt;
    }

    /// The weight of the newer motion; the older one has the rest.
    pub fn weight(&self) -> f32 {
        if self.duration > 0.0 { ease(self.elapsed / self.duration) } else { 1.0 }
    }

    /// True if the older motion can be forgotten.
    pub fn is_done(&self) -> bool {
        self.elapsed >= self.duration
    }
}

/// Transitions that play the newer motion alone: the difference to the older one at the moment of
/// the switch is carried along and dies away.
///
/// After D. Bollo, "Inertialization: high-performance animation transitions in Gears of War" (GDC
/// 2018), with a critically damped decay instead of a quintic: it keeps the velocity for any start,
/// where the quintic must drop velocities that lead away from the target.
#[derive(Clone, Debug, PartialEq)]
pub struct Inertializer {
    offsets: Vec<Offset>,
    shown: RecentPoses,
    elapsed: f32,
    half_life: f32,
}

/// What is left to die away of one joint, as it was at the switch.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
struct Offset {
    rotation: Vec3,
    rotation_rate: Vec3,
    translation: Vec3,
    translation_rate: Vec3,
}

impl Inertializer {
    /// Over frames of less than this, in seconds, what a motion moves is lost in rounding.
    pub const SHORTEST: f32 = 1e-4;

    /// For skeletons of `joints` joints. Half of a difference is gone after about `half_life`
    /// seconds (0.05…0.2): shorter snaps, longer swims.
    pub fn new(joints: usize, half_life: f32) -> Self {
        Self {
            offsets: vec![Offset::default(); joints],
            shown: RecentPoses::new(joints),
            elapsed: f32::INFINITY,
            half_life: half_life.max(1e-4),
        }
    }

    /// Switches to a newer motion. `before` is its pose at the time of the last frame shown and
    /// `now` its pose `dt` later, at the frame about to be shown. Without a frame shown before,
    /// nothing has to be smoothed. Frames may be as short as they like: over less than
    /// [`Inertializer::SHORTEST`] a motion does not tell how fast it is, and its speed is taken at once.
    ///
    /// # Panics
    /// If a pose is shorter than the skeleton.
    pub fn switch(&mut self, before: &[Transform], now: &[Transform], dt: f32) {
        if self.shown.is_empty() {
            return;
        }
        let last = self.shown.last();
        let moving = self.shown.earlier().filter(|_| dt >= Self::SHORTEST);
        for (joint, offset) in self.offsets.iter_mut().enumerate() {
            let last = &last[joint];
            let (before, now) = (&before[joint], &now[joint]);
            let offset_before = rotation::log(last.rotation * before.rotation.conjugate());
            let translation_before = last.translation - before.translation;
            *offset = Offset {
                rotation: offset_before,
                translation: translation_before,
                ..Offset::default()
            };
            if let Some((earlier, seconds)) = moving {
                let earlier = &earlier[joint];
                // Where the older motion would be in the frame to come, against the newer one: the
                // difference dies away from there, so that it does so alike at any frame rate.
                let ahead = dt / seconds;
                let turn = rotation::log(last.rotation * earlier.rotation.conjugate()) * ahead;
                let continued = rotation::exp(turn) * last.rotation;
                let step = nearest_turn(
                    rotation::log(continued * now.rotation.conjugate()),
                    offset_before,
                );
                offset.rotation = offset_before + step;
                offset.rotation_rate = step / dt;
                let translation =
                    last.translation + (last.translation - earlier.translation) * ahead;
                offset.translation = translation - now.translation;
                offset.translation_rate = (offset.translation - translation_before) / dt;
            }
        }
        // The next call of `apply` shows the frame at which the decay starts.
        self.elapsed = -dt.max(0.0);
    }

    /// Adds what is left of the difference to the pose of the newer motion, `dt` after the last
    /// call, and remembers what is shown. Call it for every frame.
    ///
    /// # Panics
    /// If `pose` is shorter than the skeleton.
    pub fn apply(&mut self, pose: &mut [Transform], dt: f32) {
        self.apply_but(&(0..0), pose, dt);
    }

    /// The same but for the joints of a range, which are shown as they are.
    ///
    /// # Panics
    /// If `pose` is shorter than the skeleton.
    pub fn apply_but(&mut self, left_out: &Range<usize>, pose: &mut [Transform], dt: f32) {
        if self.elapsed < 20.0 * self.half_life {
            self.elapsed += dt.max(0.0);
            // Critically damped: x(t) = e^(-yt)·(x₀ + (v₀ + y·x₀)·t), with half of x₀ gone after one
            // half-life: (1 + yt)·e^(-yt) = 1/2 at yt = 1.678.
            let y = 1.678_347 / self.half_life;
            let t = self.elapsed;
            let decay = libm::expf(-y * t);
            for (joint, (pose, offset)) in pose.iter_mut().zip(&self.offsets).enumerate() {
                if left_out.contains(&joint) {
                    continue;
                }
                let left = |x: Vec3, v: Vec3| (x + (v + x * y) * t) * decay;
                let turn = rotation::exp(left(offset.rotation, offset.rotation_rate));
                pose.rotation = (turn * pose.rotation).normalize();
                pose.translation += left(offset.translation, offset.translation_rate);
            }
        }
        self.shown.pass(dt);
        self.amend(pose);
    }

    /// Replaces what was shown last, for whoever changes a pose after [`Inertializer::apply`]: by putting feet on the
    /// ground, say. The next switch goes on from there.
    ///
    /// # Panics
    /// If `pose` is shorter than the skeleton.
    pub fn amend(&mut self, pose: &[Transform]) {
        let joints = self.offsets.len();
        self.shown.last_mut().copy_from_slice(&pose[..joints]);
    }
}

/// The step between two rotation vectors, taken the short way when one of them went past π.
fn nearest_turn(to: Vec3, from: Vec3) -> Vec3 {
    let direct = to - from;
    let angle = to.length();
    if angle < 1e-6 {
        return direct;
    }
    let around = to * ((angle - std::f32::consts::TAU) / angle) - from;
    if around.length_squared() < direct.length_squared() { around } else { direct }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pose;
    use glam::Quat;

    /// One joint turning about X at a constant rate from an angle.
    fn turning(angle: f32, rate: f32, time: f32) -> Pose {
        Pose::from_locals(vec![Transform::new(
            Quat::from_rotation_x(angle + rate * time),
            Vec3::new(0.0, angle + rate * time, 0.0),
        )])
    }

    /// Plays one motion, switches at time 0 and returns the angle and height per frame.
    fn played(dt: f32, old: (f32, f32), new: (f32, f32)) -> Vec<(f32, f32)> {
        let mut inertia = Inertializer::new(1, 0.1);
        let mut shown = Vec::new();
        let frames = (0.5 / dt).round() as i32;
        for frame in -frames..=4 * frames {
            let time = frame as f32 * dt;
            let motion = if frame < 0 { old } else { new };
            let mut pose = turning(motion.0, motion.1, time);
            if frame == 0 {
                let before = turning(new.0, new.1, time - dt);
                inertia.switch(&before, &pose, dt);
            }
            inertia.apply(&mut pose, dt);
            shown.push((rotation::log(pose[0].rotation).x, pose[0].translation.y));
        }
        shown
    }

    #[test]
    fn a_switch_keeps_pose_and_velocity_and_ends_at_the_newer_motion() {
        let dt = 1.0 / 120.0;
        let shown = played(dt, (0.3, 1.0), (-0.6, -0.2));
        let mut rate = (shown[1].0 - shown[0].0) / dt;
        for pair in shown.windows(2) {
            let next = (pair[1].0 - pair[0].0) / dt;
            assert!((next - rate).abs() < 4.0, "velocity jumps by {}", next - rate);
            rate = next;
            assert!((pair[1].0 - pair[1].1).abs() < 1e-3, "rotation and translation decay alike");
        }
        let last = shown[shown.len() - 1].0;
        let time = 240.0 * dt;
        assert!((last - (-0.6 - 0.2 * time)).abs() < 1e-3);
    }

    #[test]
    fn a_switch_looks_the_same_at_any_frame_rate() {
        let slow = played(1.0 / 30.0, (0.3, 1.0), (-0.6, -0.2));
        let fast = played(1.0 / 120.0, (0.3, 1.0), (-0.6, -0.2));
        for (index, shown) in slow.iter().enumerate() {
            let same = fast[index * 4];
            assert!((shown.0 - same.0).abs() < 0.03, "{} {}", shown.0, same.0);
        }
    }

    /// A frame of a microsecond when a motion changed threw joints metres away: what two frames of a sixtieth of a
    /// second had moved was divided by it.
    #[test]
    fn a_switch_in_a_frame_of_any_length_stays_near_both_motions() {
        for tiny in [0.0, 1e-9, 1e-7, 1e-5, 1e-4, 5e-4, 0.5] {
            for place in 0..4 {
                let mut inertia = Inertializer::new(1, 0.1);
                let (old, new) = ((0.3, 1.0), (-0.6, -0.2));
                let (mut time, mut last) = (-0.1f32, f32::NAN);
                for frame in -6..60 {
                    let dt = if frame == place - 2 { tiny } else { 1.0 / 60.0 };
                    time += dt;
                    let motion = if frame < 0 { old } else { new };
                    let mut pose = turning(motion.0, motion.1, time);
                    if frame == 0 {
                        inertia.switch(&turning(new.0, new.1, time - dt), &pose, dt);
                    }
                    inertia.apply(&mut pose, dt);
                    let at = pose[0].translation.y;
                    let moved = (at - last).abs();
                    assert!(
                        last.is_nan() || moved <= 20.0 * dt + 1e-3,
                        "{tiny} {place} {frame}: {moved}"
                    );
                    last = at;
                }
                assert!((last - (new.0 + new.1 * time)).abs() < 1e-2, "{tiny}: {last}");
            }
        }
    }

    #[test]
    fn half_of_the_difference_is_gone_after_the_half_life() {
        let mut inertia = Inertializer::new(1, 0.1);
        let mut pose = turning(1.0, 0.0, 0.0);
        inertia.apply(&mut pose, 0.01);
        inertia.apply(&mut pose, 0.01);
        let target = turning(0.0, 0.0, 0.0);
        inertia.switch(&target, &target, 0.01);
        let mut pose = target.clone();
        inertia.apply(&mut pose, 0.01);
        let mut pose = target.clone();
        inertia.apply(&mut pose, 0.1);
        assert!((pose[0].translation.y - 0.5).abs() < 1e-3);
    }

    #[test]
    fn the_first_motion_starts_without_a_transition() {
        let mut inertia = Inertializer::new(1, 0.1);
        let target = turning(0.7, 0.0, 0.0);
        inertia.switch(&target, &target, 0.01);
        let mut pose = target.clone();
        inertia.apply(&mut pose, 0.01);
        assert_eq!(pose, target);
    }

    #[test]
    fn cross_fade_moves_the_weight_over() {
        let mut fade = CrossFade::new(0.3);
        assert_eq!(fade.weight(), 0.0);
        fade.advance(0.15);
        assert!((fade.weight() - 0.5).abs() < 1e-6 && !fade.is_done());
        fade.advance(0.15001);
        assert!(fade.weight() == 1.0 && fade.is_done());
        assert_eq!(CrossFade::new(0.0).weight(), 1.0);
    }
}
