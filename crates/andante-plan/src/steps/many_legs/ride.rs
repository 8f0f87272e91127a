//! Where the trunk is, frame by frame, and how far its legs are in their cycle.

use crate::steps::score::FPS;
use crate::steps::{ManyLegSettings, StepError, StepJourney};
use andante_skeleton::{Planar, Polyline, rotation};
use glam::Vec2;

/// A trunk on its way.
#[derive(Clone, Debug, Default)]
pub(super) struct BodyRide {
    /// The hips, seen from above.
    pub body: Vec<Planar>,
    /// Cycles of the legs so far.
    pub phase: Vec<f32>,
    pub speed: Vec<f32>,
    pub curvature: Vec<f32>,
    /// Frames of a cycle at full speed.
    pub cycle: f32,
}

/// A trunk that is being led.
struct LedBody<'a> {
    ride: BodyRide,
    at: Planar,
    /// In m/s and rad/s.
    speed: f32,
    turn: f32,
    most: [f32; 2],
    settings: &'a ManyLegSettings,
}

impl BodyRide {
    /// Along a way from the start of a journey to its goal, so fast and with such strides.
    pub fn along(
        way: &Polyline,
        journey: &StepJourney,
        [speed, stride]: [f32; 2],
        settings: &ManyLegSettings,
    ) -> Result<Self, StepError> {
        let cycle = stride / speed * FPS;
        let ride = Self { cycle, ..Self::default() };
        let most = [speed, settings.turn * speed / stride];
        let mut led = LedBody { ride, at: journey.start, speed: 0.0, turn: 0.0, most, settings };
        led.push(0.0)?;
        let mut along = 0.0;
        let brakes = 0.5 * speed * settings.ramp;
        while way.length() - along > brakes.max(0.25 * stride) {
            along = way.closest(along..along + stride, led.at.position);
            let aim = way.place(along + settings.look * stride) - led.at.position;
            led.follow(libm::atan2f(aim.x, aim.y))?;
        }
        while !led.arrives(&journey.goal)? {}
        // Feet come home.
        let frames = ((2.0 - settings.duty) * cycle / settings.idle).ceil() as usize + 2;
        for _ in 0..frames {
            (led.speed, led.turn) = (0.0, 0.0);
            led.push(settings.idle)?;
        }
        Ok(led.ride)
    }
}

impl LedBody<'_> {
    fn push(&mut self, effort: f32) -> Result<(), StepError> {
        if self.ride.body.len() as f32 > self.settings.longest * FPS {
            return Err(StepError::NeverThere(self.settings.longest));
        }
        let before = self.ride.phase.last().copied().unwrap_or(0.0);
        self.ride.phase.push(before + effort / self.ride.cycle);
        self.ride.body.push(self.at);
        self.ride.speed.push(self.speed);
        let bend = if self.speed > 0.1 { self.turn / self.speed } else { 0.0 };
        self.ride.curvature.push(bend);
        Ok(())
    }

    /// Changes a speed by no more than it may in a frame.
    fn towards(now: f32, wanted: f32, most: f32) -> f32 {
        now + (wanted - now).clamp(-most, most)
    }

    /// Turns towards a heading; gives by how much it is off.
    fn steer(&mut self, heading: f32) -> f32 {
        let off = rotation::wrap_angle(heading - self.at.heading);
        let most = self.most[1];
        let gain = most / (self.settings.ramp * FPS);
        let wanted = (off * self.settings.steering).clamp(-most, most);
        self.turn = Self::towards(self.turn, wanted, gain.max(off.abs() * 0.05));
        self.at.heading += self.turn / FPS;
        off
    }

    fn effort(&self) -> f32 {
        let [speed, turn] = self.most;
        (self.speed / speed).max(self.turn.abs() / turn).clamp(self.settings.idle, 1.0)
    }

    /// Goes where it faces, slower the more it has to turn.
    fn follow(&mut self, heading: f32) -> Result<(), StepError> {
        let off = self.steer(heading).abs();
        let most = self.most[0];
        let wanted = most * (1.0 - off / self.settings.spot_bend).clamp(0.0, 1.0);
        self.speed = Self::towards(self.speed, wanted, most / (self.settings.ramp * FPS));
        self.at.position += self.speed / FPS * ahead(self.at.heading);
        self.push(self.effort())
    }

    /// Comes to the goal, whichever way it faces; true once it is there.
    fn arrives(&mut self, goal: &Planar) -> Result<bool, StepError> {
        let missing = goal.position - self.at.position;
        let off = self.steer(goal.heading);
        let far = missing.length();
        let braking = self.most[0] / self.settings.ramp;
        let wanted = (1.5 * braking * far).sqrt().min(self.most[0]).min(2.0 * far);
        self.speed = Self::towards(self.speed, wanted, braking / FPS);
        let step = (self.speed / FPS).min(far);
        self.at.position += step * missing.normalize_or_zero();
        if far < 2e-3 && off.abs() < 2e-3 {
            self.at = Planar::new(goal.position, self.at.heading + off);
            self.push(self.effort())?;
            return Ok(true);
        }
        self.push(self.effort()).map(|()| false)
    }
}

fn ahead(heading: f32) -> Vec2 {
    Vec2::new(libm::sinf(heading), libm::cosf(heading))
}
