//! Where a foot must land.

use andante_dynamics::{ContactTerrain, Vec3, vec3};
use serde::{Deserialize, Serialize};

use crate::balance::balance_controller::BalanceOptions;
use crate::body_sense::BodySense;
use crate::physique::Physique;
use crate::support_polygon::{Point, SupportPolygon};

/// Step limits: when a foot is lifted, how long it is in the air, how far it goes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepLimits {
    /// Shortest and longest time of a foot in the air, s.
    pub duration: [f64; 2],
    /// Time a metre of way takes, s.
    pub slowness: f64,
    /// By which factor a step may become longer from one moment to the next when its way does.
    pub stretch: f64,
    /// Least distance between the middles of the soles across the body, m: no foot lands in or behind the other.
    pub apart: f64,
    /// How much farther out than the capture point a foot lands, m, so that the body does not fall over it.
    pub wider: f64,
    /// How much worse a foothold may be before the foot that made the last step makes another, m.
    pub alternate: f64,
    /// Farthest from the centre of mass at landing, m.
    pub reach: f64,
    /// How far beyond the capture point a foot is placed, m.
    pub beyond: f64,
    /// How high a foot rises, m.
    pub clearance: f64,
    /// A step is made when the capture point, angular momentum included, is this far outside the feet, m.
    pub margin: f64,
    /// How fast a foot in the air seeks ground that is lower than expected, m/s. Usually 0.1 to 1.
    pub seek: f64,
    /// A foot farther from home than this goes back when all is calm, m. Zero would have it shuffle for ever.
    pub away: f64,
    /// For how long all must be calm before a foot goes home, s.
    pub calm: f64,
    /// How long the way home takes, s.
    pub home: f64,
    /// How deep within the sole of the other foot the capture point must be for a foot to go home, m.
    pub home_depth: f64,
    /// How slow the body must be for that, m/s.
    pub home_speed: f64,
    /// The same depth for a foot that joins the other at the end of a walk, m.
    pub join_depth: f64,
    /// And the same speed, m/s.
    pub join_speed: f64,
    /// Ground this much lower or higher than that under the other foot is no ground to step on, m.
    pub drop: f64,
}

impl Default for StepLimits {
    fn default() -> Self {
        BalanceOptions::default().step
    }
}

/// A step that could be made.
#[derive(Clone, Copy, Debug)]
pub struct Foothold {
    /// Where the sole's middle lands.
    pub to: Vec3<f64>,
    /// How long the way takes, s.
    pub duration: f64,
    /// How far it is from where the body would come to rest, m.
    pub miss: f64,
}

/// Everything a foothold is chosen from.
pub struct Situation<'a> {
    /// The body.
    pub physique: &'a Physique,
    /// What it feels.
    pub senses: &'a BodySense,
    /// The areas of the soles.
    pub areas: &'a [SupportPolygon; 2],
    /// Where the middles of the soles are.
    pub soles: [Vec3<f64>; 2],
    /// Which way the body faces: rotation about y.
    pub heading: f64,
    /// Where the weight goes, angular momentum included.
    pub capture: Point,
    /// What it stands on.
    pub terrain: &'a ContactTerrain,
}

impl Situation<'_> {
    /// Sideways (to the body's left) and forwards, seen from above.
    fn axes(&self) -> [Point; 2] {
        let (sin, cos) = libm::sincos(self.heading);
        [[cos, -sin], [sin, cos]]
    }

    /// The area of one sole.
    pub fn sole(&self, foot: usize) -> &SupportPolygon {
        &self.areas[foot]
    }

    /// The landing place for `foot` when it lands in `left` seconds, or after a way of usual length.
    ///
    /// The capture point moves away from the pressure under the other foot like the end of an inverted pendulum; the foot
    /// shall be where it will be then.
    pub fn foothold(&self, foot: usize, left: Option<f64>, limits: &StepLimits) -> Foothold {
        let stance = 1 - foot;
        let [low, high] = limits.duration;
        let pressure = self.sole(stance).clamp(self.capture);
        let mut duration = left.unwrap_or(0.5 * (low + high));
        let mut found = self.landing(foot, pressure, duration, limits);
        if left.is_none() {
            for _ in 0..3 {
                let way = found.0 - self.soles[foot];
                duration = (limits.slowness * libm::hypot(way.x, way.z)).clamp(low, high);
                found = self.landing(foot, pressure, duration, limits);
            }
        }
        Foothold { to: found.0, duration, miss: found.1 }
    }

    fn landing(
        &self,
        foot: usize,
        pressure: Point,
        time: f64,
        limits: &StepLimits,
    ) -> (Vec3<f64>, f64) {
        let senses = self.senses;
        let (p, x, stance) = (pressure, self.capture, self.soles[1 - foot]);
        let grow = libm::exp(senses.rate * time);
        let capture = [0, 1].map(|k| p[k] + (x[k] - p[k]) * grow);
        let (c, v) = ([senses.centre.x, senses.centre.z], [senses.velocity.x, senses.velocity.z]);
        let (sinh, cosh) = (0.5 * (grow - 1.0 / grow), 0.5 * (grow + 1.0 / grow));
        let centre = [0, 1].map(|k| p[k] + (c[k] - p[k]) * cosh + v[k] / senses.rate * sinh);

        let ahead = [capture[0] - centre[0], capture[1] - centre[1]];
        let length = libm::hypot(ahead[0], ahead[1]).max(1e-9);
        let aim = [0, 1].map(|k| capture[k] + ahead[k] / length * limits.beyond);

        // Within reach of the body, and on its own side of the other foot.
        let off = [aim[0] - centre[0], aim[1] - centre[1]];
        let shorten = (limits.reach / libm::hypot(off[0], off[1]).max(1e-9)).min(1.0);
        let [side, front] = self.axes();
        let from =
            [centre[0] + off[0] * shorten - stance.x, centre[1] + off[1] * shorten - stance.z];
        let outwards = self.physique.soles[foot].outwards;
        let across = (from[0] * side[0] + from[1] * side[1]) * outwards;
        let along = from[0] * front[0] + from[1] * front[1];
        let across = (across + limits.wider).max(limits.apart) * outwards;
        let way = [0, 1].map(|k| side[k] * across + front[k] * along);
        let to = self.on_ground(foot, way, limits);
        let miss = libm::hypot(to.x - capture[0], to.z - capture[1]);
        (to, miss)
    }

    /// Where a foot lands on a way from the other one: as far along it as there is ground for all of its sole, or where it is
    /// if there is none beside the other foot either.
    fn on_ground(&self, foot: usize, way: Point, limits: &StepLimits) -> Vec3<f64> {
        /// Parts of the way that are tried.
        const PARTS: i32 = 8;
        let (stance, own) = (self.soles[1 - foot], self.soles[foot]);
        // Beside the other foot, the side it is on counts.
        let [side, _] = self.axes();
        let across = way[0] * side[0] + way[1] * side[1];
        let beside = [side[0] * across, side[1] * across];
        let found = (0..=PARTS).rev().find_map(|part| {
            let share = f64::from(part) / f64::from(PARTS);
            let to = [0, 1].map(|k| beside[k] + (way[k] - beside[k]) * share);
            let to = [stance.x + to[0], stance.z + to[1]];
            let y = self.ground_at(to, stance.y, limits)?;
            self.is_whole(foot, vec3(to[0], y, to[1]), limits).then(|| vec3(to[0], y, to[1]))
        });
        found.unwrap_or(own)
    }

    /// Whether there is ground under all of a sole.
    fn is_whole(&self, foot: usize, at: Vec3<f64>, limits: &StepLimits) -> bool {
        if matches!(self.terrain, ContactTerrain::Plane { .. }) {
            return true;
        }
        let sole = &self.physique.soles[foot];
        let [side, front] = self.axes();
        sole.corners.iter().all(|corner| {
            let off = *corner - sole.centre;
            let place = [0, 1].map(|k| side[k] * off.x + front[k] * off.z);
            self.ground_at([at.x + place[0], at.z + place[1]], at.y, limits).is_some()
        })
    }

    /// Height of the ground at a place, if there is any that can be stepped on from a height.
    fn ground_at(&self, place: Point, from: f64, limits: &StepLimits) -> Option<f64> {
        let above = vec3(place[0], from + 0.3, place[1]);
        let at = self.terrain.at(above, 1.0)?;
        let height = above.y - at.distance / at.normal.y.max(0.1);
        ((height - from).abs() < limits.drop).then_some(height)
    }

    /// The resting place of a foot: beside the other one, or where it is if there is no ground.
    pub fn home(&self, foot: usize, limits: &StepLimits) -> Vec3<f64> {
        let [side, _] = self.axes();
        let width = 2.0 * self.physique.half_width * self.physique.soles[foot].outwards;
        self.on_ground(foot, [side[0] * width, side[1] * width], limits)
    }
}
