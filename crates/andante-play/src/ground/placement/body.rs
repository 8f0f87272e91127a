//! The body of a source above its feet on the ground.

use super::foot::{PlacementFrame, SourceBody, SourceFoot};
use super::settings::PlacementSettings;
use crate::ground::body::leaning;
use crate::ground::watch::Follower;
use crate::spring::damped;
use andante_skeleton::{Inertializer, Planar, Transform, rotation};
use glam::{Vec2, Vec3};

impl SourceBody {
    /// Takes in where the body is now.
    pub fn see(&mut self, place: Planar, dt: f32, scale: f32, set: &PlacementSettings) {
        self.turned = rotation::wrap_angle(place.heading - self.place.heading);
        if dt >= Inertializer::SHORTEST {
            let share = 1.0 - libm::expf(-dt / (set.way_over * scale).max(1e-6));
            let velocity = (place.position - self.place.position) / dt;
            self.velocity += (velocity - self.velocity) * share;
            self.turn_rate += (self.turned / dt - self.turn_rate) * share;
        }
        self.place = place;
    }
}

/// How the body is moved.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GroundedBody {
    /// Height of the ground that it goes by, and how it follows that.
    pub height: f32,
    follower: Follower,
    /// Rise per metre of the ground below a long body, across and along, and how fast that changes.
    slopes: [Vec2; 2],
    /// How far it is down for its legs, and how fast that changes.
    pub lowered: f32,
    speed: f32,
}

/// A leg that the body comes down for.
pub(super) struct NeedyLeg {
    /// How far down it needs the body now, and how far it will soon.
    pub now: f32,
    pub soon: f32,
    /// How far down it may come.
    pub room: f32,
}

impl GroundedBody {
    /// Goes along with the ground below feet; `anew` at once. Returns what leads from the source to the ground.
    pub fn follow(&mut self, feet: &[SourceFoot], frame: &PlacementFrame, anew: bool) -> Transform {
        let (set, dt) = (frame.set, frame.dt);
        let count = feet.len().max(1) as f32;
        let mean = |of: &dyn Fn(&SourceFoot) -> f32| feet.iter().map(of).sum::<f32>() / count;
        let unit = mean(&|foot| foot.leg.length);
        let scale = (unit / 0.85).sqrt();
        let height = mean(&|foot| foot.carries(frame.floor)[0]);
        let slopes = slopes(feet, frame.floor, set.feet.long_body * unit);
        if anew {
            *self = Self { height, slopes: [slopes, Vec2::ZERO], ..Self::default() };
        }
        self.follower.behind.pass(dt, set.feet.take_in / scale);
        self.follower.moved(Vec3::Y * (height - self.height), dt, true);
        self.height = height;
        let [off, rate] = [self.slopes[0] - slopes, self.slopes[1]].map(|v| v.extend(0.0));
        let (off, rate) = damped(off, rate, set.half_slope * scale, dt);
        self.slopes = [slopes + off.truncate(), rate.truncate()];
        let level = frame.floor + mean(&|foot| foot.sole.level);
        let raised = height + self.follower.behind.value.y - level;
        let up = Transform::from_translation(Vec3::Y * raised);
        if self.slopes[0].length_squared() < 1e-10 {
            return up;
        }
        let centre = feet.iter().map(|foot| foot.home).sum::<Vec2>() / count;
        let centre = frame.body.place.then(&Planar::new(centre, 0.0)).position;
        let pivot = Vec3::new(centre.x, frame.hips + raised, centre.y);
        leaning(frame.body.place.heading, self.slopes[0], pivot) * up
    }

    /// Comes down as far as legs need, ahead of time where that is known.
    pub fn come_down(
        &mut self,
        legs: impl Iterator<Item = NeedyLeg>,
        unit: f32,
        dt: f32,
        anew: bool,
        set: &PlacementSettings,
    ) {
        let scale = (unit / 0.85).sqrt();
        let lowest = set.feet.lowest_body * unit;
        let (mut needed, mut room) = (0.0f32, lowest);
        for leg in legs {
            (needed, room) = (needed.max(leg.now).max(leg.soon), room.min(leg.room));
        }
        let goal = needed.min(room);
        if anew {
            (self.lowered, self.speed) = (goal, 0.0);
        }
        let [off, speed] = [self.lowered - goal, self.speed].map(|x| Vec3::Y * x);
        let (off, speed) = damped(off, speed, set.half_drop * scale, dt);
        (self.lowered, self.speed) = ((goal + off.y).clamp(0.0, lowest), speed.y);
    }
}

/// Rise per metre of the ground below feet, across and along; none if they are closer together than `long`.
fn slopes(feet: &[SourceFoot], floor: f32, long: f32) -> Vec2 {
    let count = feet.len().max(1) as f32;
    let centre = feet.iter().map(|foot| foot.home).sum::<Vec2>() / count;
    let (mut moments, mut spread) = (Vec2::ZERO, Vec2::ZERO);
    for foot in feet {
        let arm = foot.home - centre;
        moments += arm * foot.carries(floor)[0];
        spread += arm * arm;
    }
    let least = long * long * count;
    let slope = |moment: f32, spread: f32| if spread > least { moment / spread } else { 0.0 };
    Vec2::new(slope(moments.x, spread.x), slope(moments.y, spread.y))
}
