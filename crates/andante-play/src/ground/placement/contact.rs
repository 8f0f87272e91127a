//! When the foot of a motion that nobody knows ahead stands on its floor.

use super::settings::PlacementSettings;
use crate::feet::sole::FootSample;
use crate::ground::clip::flat;
use andante_skeleton::ease;
use glam::{Vec2, Vec3};

/// The sole of a source from frame to frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SourceSole {
    /// Heel, ball and tip, their height above the floor; and how fast they move.
    points: [Vec3; 3],
    velocities: [Vec3; 3],
    known: bool,
    /// How high above its floor the source has the sole of a foot that stands.
    pub level: f32,
    /// Heel and toes are down.
    pub down: [bool; 2],
}

/// What a sole that stands did in a frame that it should not.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slide {
    pub by: Vec2,
    /// How much of that is held: all of what creeps, nothing of what leaves.
    pub held: f32,
}

impl SourceSole {
    pub fn is_down(&self) -> bool {
        self.down != [false; 2]
    }

    /// The speed of the foot, and its height above the floor.
    pub fn velocity(&self) -> Vec3 {
        self.velocities[0].midpoint(self.velocities[1])
    }

    pub fn height(&self) -> f32 {
        0.5 * (self.points[0].y + self.points[1].y) - self.level
    }

    /// Forgets what was seen.
    pub fn forget(&mut self) {
        *self = Self { level: self.level, ..Self::default() };
    }

    /// Sees the next frame. `carried` is how fast that moves on which the foot stands: a source may go with it.
    pub fn see(
        &mut self,
        sample: &FootSample,
        (floor, carried): (f32, Vec3),
        dt: f32,
        unit: f32,
        set: &PlacementSettings,
    ) -> Slide {
        let points = sample.sole().map(|point| point - Vec3::Y * floor);
        let scale = (unit / 0.85).sqrt();
        if self.known && dt > 0.0 {
            let share = 1.0 - libm::expf(-dt / (set.speed_over * scale).max(1e-6));
            for (velocity, (now, before)) in
                self.velocities.iter_mut().zip(points.iter().zip(&self.points))
            {
                *velocity += ((*now - *before) / dt - *velocity) * share;
            }
        }
        let speeds = self.velocities.map(|v| v.length().min((v - carried).length()) / scale);
        let heights = points.map(|point| (point.y - self.level) / unit);
        let stands = |point: usize, part: usize| {
            let stood = usize::from(self.down[part]);
            let slow = !self.known || speeds[point] < set.contact_speeds[stood];
            heights[point] < set.contact_heights[stood] && slow
        };
        let down = [stands(0, 0), stands(1, 1) || stands(2, 1)];
        let mut slide = Slide::default();
        if self.known {
            // Of the points that are lowest the one bears that moves least: feet roll over the others.
            let least = heights.into_iter().fold(f32::INFINITY, f32::min);
            let low = |height: f32| height < least + set.contact_heights[0] / 4.0;
            let bearing = (0..3)
                .filter(|&point| low(heights[point]))
                .min_by(|&a, &b| speeds[a].total_cmp(&speeds[b]))
                .unwrap_or(1);
            slide.by = flat(points[bearing] - self.points[bearing]);
            let is_flat = low(heights[0]) && low(heights[1]);
            // A foot that rolls is about to leave, or has just come down: little of its way is a slide.
            let [slow, fast] = if is_flat { set.contact_speeds } else { set.rolling_speeds };
            let part =
                |value: f32, [from, to]: [f32; 2]| ease((value - from) / (to - from).max(1e-6));
            let by = slide.by.length().min((slide.by - flat(carried) * dt).length());
            let speed = if dt > 0.0 { by / (dt * scale) } else { 0.0 };
            let near = set.contact_heights[0];
            slide.held = (1.0 - part(speed.max(speeds[bearing]), [slow, fast]))
                * (1.0 - part(heights[bearing], [0.25 * near, near]));
            if down == [true; 2] && is_flat && speeds[bearing] < 0.5 * slow {
                let share = 1.0 - libm::expf(-dt / set.level_over);
                let most = near * unit;
                let lowest = points.iter().map(|point| point.y).fold(f32::INFINITY, f32::min);
                self.level += (lowest.clamp(-most, most) - self.level) * share;
            }
        }
        *self = Self { points, known: true, down, ..*self };
        slide
    }
}
