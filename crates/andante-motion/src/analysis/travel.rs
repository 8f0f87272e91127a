//! Clips in place: the root stays while the feet slide back, as on a treadmill. How fast the belt
//! runs is read off the feet that are down.

use super::motion::FootMotion;
use crate::signal::{median, percentile, smooth};
use andante_skeleton::{Clip, ClipError, Skeleton, Transform};
use glam::{Mat3, Quat, Vec2, Vec3};

/// The moving ground under a body that stays where it is, as on a treadmill.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Belt {
    /// Velocity of the ground below the hips as (x, z), in metres per second.
    pub velocity: Vec2,
    /// Turn rate of the ground about the hips, from +Z towards +X, in radians per second.
    pub turning: f32,
    /// How much feet that are down deviate from it, as a part of its speed: half of them by less.
    pub scatter: f32,
}

/// The belt under a clip in place; `None` if the ground stays where it is.
pub(super) fn treadmill(motion: &FootMotion) -> Option<Belt> {
    let samples = low_feet(motion);
    let belt = fit(&samples, motion.units.speed)?;
    let (speed, time) = (motion.units.speed, motion.units.time);
    let seconds = motion.frames().saturating_sub(1) as f32 / motion.fps;
    if seconds <= 0.0 {
        return None;
    }
    let last = motion.frames() - 1;
    let across = motion.hips[last] - motion.hips[0];
    let travelled = Vec2::new(across.x, across.z).length() / seconds;
    let turned = (motion.heading[last] - motion.heading[0]).abs() / seconds;
    if travelled > 0.3 * belt.speed(motion.units.length) {
        return None;
    }
    let runs = belt.velocity.length() > motion.options.slowest_belt * speed;
    let turns = belt.turning.abs() * time > motion.options.slowest_belt
        && turned < 0.3 * belt.turning.abs();
    if !(runs || turns) {
        return None;
    }
    // Most feet that are down must go with it; animators rarely keep its speed.
    let agree = samples.iter().filter(|sample| belt.carries(sample)).count();
    let miss = median(samples.iter().map(|sample| belt.miss(sample)));
    let scatter = miss / belt.speed(motion.units.length);
    (10 * agree >= 6 * samples.len()).then_some(Belt { scatter, ..belt })
}

/// A foot that is low: where it is seen from the hips, and how it moves.
struct LowFootSample {
    place: Vec2,
    velocity: Vec2,
}

impl Belt {
    /// The clip as it would be on ground that stays: the body travels, its feet do not slide.
    pub fn walked_off(&self, skeleton: &Skeleton, clip: &Clip) -> Result<Clip, ClipError> {
        self.carried(skeleton, clip, |moved| moved)
    }

    /// The opposite of [`Belt::walked_off`]: the clip back in its place.
    pub fn walked_on(&self, skeleton: &Skeleton, clip: &Clip) -> Result<Clip, ClipError> {
        self.carried(skeleton, clip, |moved| moved.inverse())
    }

    fn carried(
        &self,
        skeleton: &Skeleton,
        clip: &Clip,
        way: impl Fn(Transform) -> Transform,
    ) -> Result<Clip, ClipError> {
        let start = clip.frame(0)[0].translation;
        let mut transforms = clip.transforms().to_vec();
        for (frame, pose) in transforms.chunks_exact_mut(clip.joint_count()).enumerate() {
            let moved = self.moved(Vec2::new(start.x, start.z), clip.frame_time(frame));
            pose[0] = way(moved) * pose[0];
        }
        Clip::new(clip.name(), skeleton, clip.fps(), transforms)
    }

    /// How far a body that was at `centre` has gone after some time if the ground stays and the body moves.
    fn moved(&self, centre: Vec2, time: f32) -> Transform {
        let centre = Vec3::new(centre.x, 0.0, centre.y);
        let turn = Quat::from_rotation_y(-self.turning * time);
        // The way of a velocity that turns with the body: the integral of turn(t)·v.
        let v = Vec3::new(-self.velocity.x, 0.0, -self.velocity.y);
        let way = if self.turning.abs() * time < 1e-4 {
            v * time
        } else {
            // With ω the turn rate of the body about +Y: (sin ωt · v + (1 - cos ωt) · Y×v) / ω.
            let rate = -self.turning;
            (v * libm::sinf(rate * time) + Vec3::Y.cross(v) * (1.0 - libm::cosf(rate * time)))
                / rate
        };
        Transform::new(turn, centre + way - turn * centre)
    }

    fn at(&self, place: Vec2) -> Vec2 {
        self.velocity + Vec2::new(place.y, -place.x) * self.turning
    }

    /// The speed of the ground under a foot that is half a leg away.
    pub fn speed(&self, leg: f32) -> f32 {
        self.velocity.length().max(self.turning.abs() * 0.5 * leg)
    }

    fn carries(&self, sample: &LowFootSample) -> bool {
        let ground = self.at(sample.place);
        sample.velocity.dot(ground) > 0.2 * ground.length_squared()
    }

    fn miss(&self, sample: &LowFootSample) -> f32 {
        self.at(sample.place).distance(sample.velocity)
    }
}

fn low_feet(motion: &FootMotion) -> Vec<LowFootSample> {
    let mut samples = Vec::new();
    for foot in &motion.feet {
        let points = [&foot.heel, &foot.ball, &foot.tip];
        let height = |frame: usize| points.map(|point| point[frame].y);
        let lowest = |frame: usize| height(frame).into_iter().fold(f32::MAX, f32::min);
        let heights: Vec<f32> = (0..motion.frames()).map(lowest).collect();
        let floor = percentile(heights.iter().copied(), 0.05);
        let top = percentile(heights.iter().copied(), 0.95);
        let velocities =
            points.map(|point| smooth(point, motion.fps, 0.1 * motion.units.time).slope);
        for (frame, &low) in heights.iter().enumerate() {
            if low - floor > 0.2 * (top - floor) {
                continue;
            }
            let point = (0..3).find(|&point| height(frame)[point] <= low).unwrap_or(0);
            let place = points[point][frame] - motion.hips[frame];
            let velocity = velocities[point][frame];
            samples.push(LowFootSample {
                place: Vec2::new(place.x, place.z),
                velocity: Vec2::new(velocity.x, velocity.z),
            });
        }
    }
    samples
}

/// A robust fit: feet that swing low are outliers. A belt that turns is believed if it explains much more
/// than one that does not.
fn fit(samples: &[LowFootSample], speed: f32) -> Option<Belt> {
    if samples.is_empty() {
        return None;
    }
    let middle = |axis: usize| median(samples.iter().map(|sample| sample.velocity[axis]));
    let start = Belt { velocity: Vec2::new(middle(0), middle(1)), turning: 0.0, scatter: 0.0 };
    let scatter = 0.08 * speed + 0.3 * start.velocity.length();
    let straight = refined(samples, start, scatter, false);
    let turning = refined(samples, start, scatter, true);
    let miss = |belt: &Belt| median(samples.iter().map(|sample| belt.miss(sample)));
    let belt = if miss(&turning) < 0.6 * miss(&straight) { turning } else { straight };
    (belt.velocity.is_finite() && belt.turning.is_finite()).then_some(belt)
}

/// Least squares for v = u + ω (z, −x), weighted again and again by how well each sample fits (Cauchy).
fn refined(samples: &[LowFootSample], start: Belt, scatter: f32, turns: bool) -> Belt {
    let mut belt = start;
    for _ in 0..12 {
        // A stiff spring keeps ω at zero where it is not asked for.
        let stiff = if turns { 0.0 } else { 1e12 };
        let mut matrix = Mat3::from_diagonal(Vec3::new(0.0, 0.0, stiff));
        let mut right = Vec3::ZERO;
        for sample in samples {
            let miss = belt.miss(sample) / scatter;
            let weight = 1.0 / (1.0 + miss * miss);
            let (x, z) = (sample.place.x, sample.place.y);
            for (row, value) in [
                (Vec3::new(1.0, 0.0, z), sample.velocity.x),
                (Vec3::new(0.0, 1.0, -x), sample.velocity.y),
            ] {
                matrix += Mat3::from_cols(row * row.x, row * row.y, row * row.z) * weight;
                right += row * (value * weight);
            }
        }
        let solved = matrix.inverse() * right;
        if !solved.is_finite() {
            break;
        }
        belt.velocity = Vec2::new(solved.x, solved.y);
        belt.turning = solved.z;
    }
    belt
}

/// Takes the body off the belt: it moves over ground that stays.
pub(super) fn walk_off(motion: &mut FootMotion, belt: Belt) {
    let start = motion.hips[0];
    for frame in 0..motion.frames() {
        let moved = belt.moved(Vec2::new(start.x, start.z), frame as f32 / motion.fps);
        for model in &mut motion.models[frame * motion.joints..][..motion.joints] {
            *model = moved * *model;
        }
    }
}
