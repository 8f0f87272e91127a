//! When the foot of a motion that nobody knows ahead stands on its floor.

use super::settings::PlacementSettings;
use crate::feet::sole::FootSample;
use crate::ground::clip::flat;
use andante_skeleton::{Inertializer, Planar, ease, rotation};
use glam::{Vec2, Vec3};

/// The sole of a source from frame to frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SourceSole {
    /// Heel, ball and tip, their height above the floor; and how fast they move.
    points: [Vec3; 3],
    velocities: [Vec3; 3],
    heading: f32,
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
    /// By how much it turned about the point that bears it, where that was, and how much of that is held.
    pub turned: f32,
    about: Vec2,
    pub turn_held: f32,
}

impl Slide {
    /// The print of a source that goes along with as much of this as is held.
    pub fn take(&self, print: &mut Planar) {
        let turned = self.turned * self.turn_held;
        let pivot = Planar::new(self.about, turned);
        let turn = pivot.then(&Planar::new(print.position - self.about, 0.0));
        print.position = turn.position + self.by * self.held;
        print.heading += turned;
    }
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

    /// The part of a turn that this sole made, too, since the last frame. What turns all alike is turned by whoever moves the
    /// source about; feet that turn below a body, or each for itself, twist on purpose.
    pub fn turns_with(&self, sample: &FootSample, turn: f32) -> f32 {
        let own = rotation::wrap_angle(sample.print().heading - self.heading);
        if self.known { own.clamp(turn.min(0.0), turn.max(0.0)) } else { 0.0 }
    }

    /// Forgets what was seen, but not how high the source has its soles.
    pub fn begin_anew(&mut self) {
        *self = Self { level: self.level, ..Self::default() };
    }

    /// Sees the next frame. `carried` is how fast that moves on which the foot stands, and by how much it has turned: a
    /// source may go with it. `body` is by how much all of it has turned.
    pub fn see(
        &mut self,
        sample: &FootSample,
        (floor, (carried, spun), body): (f32, (Vec3, f32), f32),
        dt: f32,
        unit: f32,
        set: &PlacementSettings,
    ) -> Slide {
        let points = sample.sole().map(|point| point - Vec3::Y * floor);
        let heading = sample.print().heading;
        let scale = (unit / 0.85).sqrt();
        if self.known && dt >= Inertializer::SHORTEST {
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
            let rate = if dt >= Inertializer::SHORTEST { (dt * scale).recip() } else { 0.0 };
            let speed = by * rate;
            let near = set.contact_heights[0];
            slide.held = (1.0 - part(speed.max(speeds[bearing]), [slow, fast]))
                * (1.0 - part(heights[bearing], [0.25 * near, near]));
            slide.turned = self.turns_with(sample, body);
            slide.about = flat(self.points[bearing]);
            // How fast the ends of the sole go about each other: what spins on its ball is let spin, and what rolls over it
            // twists.
            let spins = (slide.turned - spun).abs().min(slide.turned.abs())
                * flat(points[1] - points[0]).length()
                * rate;
            slide.turn_held =
                if is_flat { slide.held * (1.0 - part(spins, [slow, fast])) } else { 0.0 };
            if down == [true; 2] && is_flat && speeds[bearing] < 0.5 * slow {
                let share = 1.0 - libm::expf(-dt / set.level_over);
                let most = near * unit;
                let lowest = points.iter().map(|point| point.y).fold(f32::INFINITY, f32::min);
                self.level += (lowest.clamp(-most, most) - self.level) * share;
            }
        }
        *self = Self { points, heading, known: true, down, ..*self };
        slide
    }
}
