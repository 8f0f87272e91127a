//! Ground that moves under feet: planted feet look at it in every frame and go along.

use crate::feet::foothold::{self, Sensor};
use crate::feet::sole::SoleOutline;
use crate::ground::body::BodyCarrier;
use crate::ground::clip::flat;
use crate::ground::layer::{Layer, LayerContext, wish};
use crate::ground::plan::{FootPlan, FootStage, StancePrint};
use crate::spring::Trailing;
use crate::{FootStatus, Footprint, SupportMotion};
use andante_skeleton::{Planar, Transform, rotation};
use andante_world::Ground;
use glam::{Quat, Vec2, Vec3};

/// How something follows the ground: at once where the ground moves evenly, and within a moment where it jumps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Follower {
    /// How fast the ground moved in the last frame, and how fast it has moved for two.
    last: Vec3,
    steady: Vec3,
    /// How far behind the ground it is.
    pub behind: Trailing<Vec3>,
}

impl Follower {
    /// The ground has moved. What it did not do in the frame before as well is a jump; one that `starts_gently` takes up
    /// speed, too, bit by bit.
    pub fn moved(&mut self, by: Vec3, dt: f32, starts_gently: bool) {
        if by == Vec3::ZERO && self.last == Vec3::ZERO {
            return;
        }
        let now = if dt > 0.0 { by / dt } else { Vec3::ZERO };
        let both =
            |a: f32, b: f32| if a * b > 0.0 { a.signum() * a.abs().min(b.abs()) } else { 0.0 };
        let last = self.last;
        let steady = Vec3::new(both(last.x, now.x), both(last.y, now.y), both(last.z, now.z));
        let slower = if starts_gently { self.steady - steady } else { Vec3::ZERO };
        self.behind.add(steady * dt - by, slower, Vec3::ZERO);
        (self.last, self.steady) = (now, steady);
    }
}

/// How a foot follows the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FootFollower {
    place: Follower,
    /// Turns as rotation vectors.
    turn: Follower,
    /// Where the ankle belonged before the ground moved.
    before: Option<Transform>,
}

impl FootFollower {
    /// Lets time pass; what is left of a jump is followed `k` times a second.
    pub fn pass(&mut self, seconds: f32, k: f32) {
        self.place.behind.pass(seconds, k);
        self.turn.behind.pass(seconds, k);
    }

    /// An ankle that is not quite where the ground wants it yet.
    pub fn trail(&self, ankle: &mut Transform) {
        let (place, turn) = (self.place.behind.value, self.turn.behind.value);
        if place == Vec3::ZERO && turn == Vec3::ZERO {
            return;
        }
        ankle.translation += place;
        ankle.rotation = (rotation::exp(turn) * ankle.rotation).normalize();
    }

    /// A foot is wanted elsewhere than before, as seen by a point of it in the frame of its ankle: it begins to follow.
    pub fn wanted(&mut self, [before, after]: [&Transform; 2], about: Vec3, dt: f32) {
        let by = after.transform_point(about) - before.transform_point(about);
        let turn = after.rotation * before.rotation.conjugate();
        let turned = rotation::log(rotation::nearest_sign(turn, Quat::IDENTITY));
        self.place.moved(by, dt, false);
        self.turn.moved(turned, dt, false);
    }

    /// A foot that has come down stays where it is shown: it goes on down, or up, and lies down.
    pub fn stand(&mut self) {
        let (place, turn) = (&mut self.place.behind, &mut self.turn.behind);
        for upright in [&mut place.value, &mut place.speed, &mut place.acceleration] {
            *upright = Vec3::Y * upright.y;
        }
        for tilt in [&mut turn.value, &mut turn.speed, &mut turn.acceleration] {
            tilt.y = 0.0;
        }
    }

    /// An ankle that is not quite where it is wanted yet, turned about a point in its frame.
    pub fn trail_about(&self, about: Vec3, ankle: &mut Transform) {
        let (place, turn) = (self.place.behind.value, self.turn.behind.value);
        if place == Vec3::ZERO && turn == Vec3::ZERO {
            return;
        }
        let pivot = ankle.transform_point(about);
        ankle.rotation = (rotation::exp(turn) * ankle.rotation).normalize();
        ankle.translation = pivot + place - ankle.rotation * about;
    }

    /// The distance from where it is wanted.
    pub fn behind(&self) -> Vec3 {
        self.place.behind.value
    }

    /// The largest distance of a sole of a length from where the ground wants it.
    pub fn off(&self, length: f32) -> f32 {
        self.place.behind.value.length() + length * self.turn.behind.value.length()
    }
}

/// Heights below heel, ball and tip of a print; not a number where there is nothing.
pub(crate) fn below(sole: &SoleOutline, at: &Footprint, sensor: &mut Sensor) -> [f32; 3] {
    let frame = at.frame();
    [sole.heel, sole.ball, sole.tip].map(|point| {
        let point = frame.transform_point(Vec3::new(point.x, 0.0, point.y));
        sensor.height(flat(point), at.position.y).unwrap_or(f32::NAN)
    })
}

/// Whether heights below a print are what they were.
pub(crate) fn is_unmoved(before: [f32; 3], now: [f32; 3], slack: f32) -> bool {
    let same = |(a, b): (f32, f32)| (a - b).abs() <= slack || (a.is_nan() && b.is_nan());
    before.into_iter().zip(now).all(same)
}

/// How the ground carries a print along level, by what it says of itself.
pub(crate) fn drift(
    sole: &SoleOutline,
    at: &Footprint,
    dt: f32,
    ground: &dyn Ground,
) -> Option<Transform> {
    let frame = at.frame();
    let point = |point: Vec2| frame.transform_point(Vec3::new(point.x, 0.0, point.y));
    let (heel, tip) = (point(sole.heel), point(sole.tip));
    let [back, front] = [heel, tip].map(|point| ground.velocity(point));
    let speed = flat(back.midpoint(front)) * dt;
    if !(speed.is_finite() && front.is_finite()) || (back == Vec3::ZERO && front == Vec3::ZERO) {
        return None;
    }
    let (along, turns) = (flat(tip - heel), flat(front - back) * dt);
    let angle = turns.perp_dot(along) / along.length_squared().max(1e-6);
    let turn = Quat::from_rotation_y(angle);
    let middle = at.position;
    let shift = middle + Vec3::new(speed.x, 0.0, speed.y) - turn * middle;
    Some(Transform::new(turn, shift))
}

/// The prints of a foot that matter at a time.
const PRINTS: usize = 3;

impl FootPlan {
    fn print(&self, which: usize, time: f32) -> Option<&StancePrint> {
        match which {
            0 => self
                .before
                .as_ref()
                .filter(|_| self.here.as_ref().is_some_and(|here| time < here.middle)),
            1 => self.here.as_ref(),
            _ => self.next.as_ref().map(|next| &next.print),
        }
    }

    fn print_mut(&mut self, which: usize) -> Option<&mut StancePrint> {
        match which {
            0 => self.before.as_mut(),
            1 => self.here.as_mut(),
            _ => self.next.as_mut().map(|next| &mut next.print),
        }
    }
}

impl Layer {
    /// Remembers what is below prints that are new.
    pub fn remember(&mut self, sensor: &mut Sensor) {
        for foot in 0..self.plans.len() {
            for which in 0..PRINTS {
                let plan = &self.plans[foot];
                let Some(print) = plan.print(which, self.time).filter(|it| it.below.is_none())
                else {
                    continue;
                };
                let below = below(&self.clip.feet[foot].sole, &print.at, sensor);
                if let Some(print) = self.plans[foot].print_mut(which) {
                    print.below = Some(below);
                }
            }
        }
    }

    /// Whether the ground below a print is not as it was.
    fn has_moved(&self, foot: usize, print: &StancePrint, sensor: &mut Sensor) -> bool {
        let Some(before) = print.below else { return false };
        let slack = sensor.feet.unmoved * self.clip.unit;
        !is_unmoved(before, below(&self.clip.feet[foot].sole, &print.at, sensor), slack)
    }

    /// Looks at the ground below all prints, and goes along with what has moved since the last frame. What `supports` say
    /// has been taken in already.
    pub fn watch(&mut self, dt: f32, supports: &[SupportMotion], ctx: &mut LayerContext) {
        let sensor = &mut ctx.sensor;
        let set = sensor.feet;
        let told = |foot: usize| supports.iter().any(|support| support.foot == foot);
        let moves = |layer: &Self, foot: usize, sensor: &mut Sensor| {
            (0..PRINTS).filter_map(|which| layer.plans[foot].print(which, layer.time)).any(
                |print| {
                    let sole = &layer.clip.feet[foot].sole;
                    let drifts = !told(foot) && drift(sole, &print.at, dt, sensor.ground).is_some();
                    drifts || layer.has_moved(foot, print, sensor)
                },
            )
        };
        let changed = (0..self.plans.len()).any(|foot| moves(self, foot, sensor));
        let unit = (self.clip.unit / 0.85).sqrt();
        let (feet_follow, body_follows) = (set.follow / unit, set.take_in / unit);
        for plan in &mut self.plans {
            plan.follower.pass(dt, feet_follow);
        }
        self.sunk.behind.pass(dt, body_follows);
        if !changed {
            self.go_along(None, dt, set.long_body);
            return;
        }
        let body = BodyCarrier::new(&self.clip, &self.plans, self.time, set.long_body);
        for foot in 0..self.plans.len() {
            let before = self.belongs(foot);
            self.plans[foot].follower.before = before;
        }
        for foot in 0..self.plans.len() {
            for which in 0..PRINTS {
                self.follow(foot, which, dt, told(foot), sensor);
            }
        }
        for foot in 0..self.plans.len() {
            self.shape_again(foot, ctx);
        }
        self.go_along(Some(body), dt, set.long_body);
    }

    /// Where an ankle belongs now, however far behind it is.
    fn belongs(&self, foot: usize) -> Option<Transform> {
        let sample = self.clip.sample(foot, self.time);
        let placed = self.plans[foot].target_of(&self.clip, self.time, &sample)?;
        Some(placed.ankle)
    }

    /// Feet and body stay where they are shown, and begin to follow.
    fn go_along(&mut self, body: Option<BodyCarrier>, dt: f32, long: f32) {
        for foot in 0..self.plans.len() {
            let before = self.plans[foot].follower.before.take();
            let (mut by, mut turned) = (Vec3::ZERO, Vec3::ZERO);
            if let Some((before, after)) = before.zip(before.and_then(|_| self.belongs(foot))) {
                by = after.translation - before.translation;
                let turn = after.rotation * before.rotation.conjugate();
                turned = rotation::log(rotation::nearest_sign(turn, Quat::IDENTITY));
            }
            let follower = &mut self.plans[foot].follower;
            follower.place.moved(by, dt, false);
            follower.turn.moved(turned, dt, false);
        }
        let risen = body.map_or(0.0, |before| {
            BodyCarrier::new(&self.clip, &self.plans, self.time, long).height - before.height
        });
        self.sunk.moved(Vec3::Y * risen, dt, true);
    }

    /// Puts a print onto the ground as it is now.
    fn follow(&mut self, foot: usize, which: usize, dt: f32, told: bool, sensor: &mut Sensor) {
        let Some(print) = self.plans[foot].print(which, self.time).copied() else { return };
        let sole = &self.clip.feet[foot].sole;
        let drift = if told { None } else { drift(sole, &print.at, dt, sensor.ground) };
        let mut moved = print;
        if let Some(drift) = &drift {
            moved.carry(drift);
        }
        if self.has_moved(foot, &moved, sensor) {
            let place = moved.at.planar();
            let wish = wish(&self.clip, foot, place, Vec2::ZERO, moved.at.position.y);
            match foothold::fit(sensor, &wish, Vec2::ZERO) {
                Some(fit) => (moved.at, moved.status) = (fit.print, fit.status),
                None => moved.status = FootStatus::Unsupported,
            }
            moved.below = Some(below(sole, &moved.at, sensor));
        } else if drift.is_none() {
            return;
        }
        let plan = &mut self.plans[foot];
        match which {
            0 => plan.before = Some(moved),
            1 => plan.here = Some(moved),
            _ => {
                if let Some(next) = &mut plan.next {
                    next.follow(moved);
                }
            }
        }
        self.stale = true;
    }

    /// A foot that is in the air goes another way if one of its prints has come to lie higher or lower than the other.
    fn shape_again(&mut self, foot: usize, ctx: &mut LayerContext) {
        let plan = &self.plans[foot];
        let (FootStage::Swing | FootStage::Committed, Some(prints)) = (plan.stage, plan.prints())
        else {
            return;
        };
        let slack = 5.0 * ctx.sensor.feet.unmoved * self.clip.unit;
        if plan.shaped.is_none_or(|shaped| !shaped.is_near(prints, slack)) {
            self.shape_swing(foot, false, ctx);
        }
    }
}

impl StancePrint {
    /// Carries along what was below the foot, which has moved.
    pub fn carry_below(&mut self, motion: &Transform) {
        let Some(below) = &mut self.below else { return };
        let lifted = motion.transform_point(self.at.position).y - self.at.position.y;
        let level = Planar::from_transform(motion).to_transform();
        // What tilts is looked at anew; what rises evenly is known.
        if rotation::angle_between(level.rotation, motion.rotation) < 1e-6 {
            below.iter_mut().for_each(|height| *height += lifted);
        } else {
            self.below = None;
        }
    }
}
