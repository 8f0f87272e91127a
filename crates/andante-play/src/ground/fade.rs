//! Going over from one clip to another: when, where in the newer one, how fast both are played, and what is left of the
//! older one.

use crate::FeetSettings;
use crate::ground::clip::GroundClip;
use crate::ground::layer::{Layer, LayerContext};
use crate::ground::plan::FootStage;
use glam::{Vec2, Vec3};
use std::sync::Arc;

andante_skeleton::settings! {
    /// Settings of the fade from one clip to another.
    pub struct FadeSettings: Copy {
        /// Seconds over which joints go over.
        joints: f32 = 0.35, 0.1..=1.0;
        /// Seconds over which a foot passes from one clip to another.
        foot: f32 = 0.2, 0.1..=0.5;
        /// Seconds in which half of it is made that a body comes down so that its feet can stay.
        drop: f32 = 0.1, 0.02..=0.2;
        /// How hard a body becomes faster or slower for it, as a part of what the clips do to it themselves.
        hardest: f32 = 0.6, 0.2..=1.0;
        /// How slowly clips are played at least that have to stop, or to set off; 1 is as they were made.
        slowest: f32 = 0.25, 0.1..=1.0;
        /// How much faster and slower they are played to meet each other's speed.
        stretch: f32 = 1.5, 1.0..=2.0;
        /// How long is waited at most for a better moment, in seconds.
        patience: f32 = 1.5, 0.0..=3.0;
        /// What a second of waiting costs, against feet that are a tenth of a leg apart.
        waiting: f32 = 1.0, 0.0..=10.0;
    }
}

/// What is asked for: a clip, and if it is told, a time of it and seconds for the fade.
pub(crate) type Wanted = (Arc<GroundClip>, Option<[f32; 2]>);

/// On the way to the moment at which one clip is left for another.
#[derive(Clone, Debug)]
pub(crate) struct Approach {
    pub clip: Arc<GroundClip>,
    /// Time of the newer clip.
    pub time: f32,
    /// Seconds of the older clip until then.
    pub left: f32,
    /// How fast the older is played then, and the newer.
    rates: [f32; 2],
    /// How fast that changes, per second of time.
    quickest: [f32; 2],
    /// How long it has taken.
    waited: f32,
    patience: f32,
}

/// Moments of a clip that are compared.
const MOMENTS: usize = 24;
/// Seconds over which speeds are taken.
const MOMENT: f32 = 1.0 / 60.0;
/// Speeds below are none, in m/s with legs of 0.85 m.
const STILL: f32 = 0.1;

impl Approach {
    /// From a time of one clip to another clip.
    pub fn new(old: &Layer, clip: &Arc<GroundClip>, rate: f32, set: &FadeSettings) -> Self {
        let before = &*old.clip;
        let [from, to] = [before, &**clip].map(|clip| clip.speed_ahead());
        let scale = (clip.unit / 0.85).sqrt();
        let rates = rates(from / scale, to / scale, set);
        let hardest = set.hardest * before.hardest.max(clip.hardest).max(1.0);
        let quickest = [from, to].map(|speed| hardest / speed.length().max(STILL * scale));
        let [slow, fast] = [rates[0].min(rate), rates[0].max(rate)];
        let needs = (fast * fast - slow * slow) / (2.0 * quickest[0]);
        let (left, time) = best_moment(old, clip, needs, rates, set);
        let patience = set.patience + needs;
        Self { clip: Arc::clone(clip), time, left, rates, quickest, waited: 0.0, patience }
    }

    /// The next playback rate of the older clip, given the last one.
    pub fn rate(&self, rate: f32, dt: f32) -> f32 {
        let [to, most] = [self.rates[0], self.quickest[0]];
        if rate < to {
            return (rate + most * dt).min(to);
        }
        let needed = (to * to + 2.0 * most * self.left.max(0.0)).sqrt();
        rate.min(needed.max(rate - 2.0 * most * dt)).max(to)
    }

    /// Lets time pass; true when the moment has come.
    pub fn pass(&mut self, dt: f32, clip_dt: f32) -> bool {
        self.left -= clip_dt;
        self.waited += dt;
        self.left <= 1e-4 || self.waited > self.patience
    }

    /// The first playback rate of the newer clip, and the rate at which it changes.
    pub fn sets_off(&self) -> (f32, f32) {
        (self.rates[1], self.quickest[1])
    }
}

/// How fast both clips are played when one is left for the other, so that they are as fast: half of the change is made by
/// each. Where they lead elsewhere both are slow.
fn rates(from: Vec2, to: Vec2, set: &FadeSettings) -> [f32; 2] {
    let (before, after) = (from.length(), to.length());
    let slow = |speed: f32| if speed > STILL { set.slowest } else { 1.0 };
    if before < STILL || after < STILL || from.dot(to) < 0.7 * before * after {
        return [slow(before), slow(after)];
    }
    let most = set.stretch;
    let own = (after / before).sqrt().clamp(most.recip(), most);
    [own, (own * before / after).clamp(most.recip(), most)]
}

/// Where a foot is below the body, how fast, and whether it is down.
#[derive(Clone, Copy)]
struct FootMoment {
    place: Vec3,
    speed: Vec3,
    down: bool,
}

impl FootMoment {
    fn new(clip: &GroundClip, foot: usize, time: f32) -> Self {
        let seen = |time: f32| {
            let ankle = clip.sample(foot, time).ankle.translation;
            clip.placement(time).inverse().to_transform().transform_point(ankle)
        };
        let (place, next) = (seen(time), seen(time + MOMENT));
        let down = clip.down(foot, time).contains(&true);
        Self { place, speed: (next - place) / MOMENT, down }
    }

    /// How different two are, in tenths of a leg, squared.
    fn cost(&self, other: &Self, unit: f32) -> f32 {
        let place = (self.place - other.place).length_squared();
        let speed = 0.01 * (self.speed - other.speed).length_squared();
        let down = if self.down == other.down { 0.0 } else { 1.0 };
        (place + speed) / (0.1 * unit).powi(2) + down
    }
}

/// The moment at which feet are most alike: in how many seconds of the older clip, and at which time of the newer.
fn best_moment(
    old: &Layer,
    clip: &GroundClip,
    needs: f32,
    rates: [f32; 2],
    set: &FadeSettings,
) -> (f32, f32) {
    let before = &*old.clip;
    let moves = |clip: &GroundClip| !clip.idle() && clip.duration() > 0.0;
    let left = if before.cyclic() { f32::INFINITY } else { before.duration() - old.time };
    // A clip that repeats is met anywhere, another one at its beginning.
    let starts = if clip.cyclic() && moves(clip) { MOMENTS } else { 1 };
    let waits = if moves(before) && left > needs { MOMENTS } else { 1 };
    if waits == 1 && starts > 1 && !moves(before) {
        return (0.0, clip.good_start());
    }
    let stride = if before.cyclic() { before.duration() } else { left.clamp(0.0, 1.2) - needs };
    let mut best = (f32::INFINITY, 0.0, 0.0);
    for wait in 0..waits {
        let later = needs.min(left.max(0.0)) + stride.max(0.0) * wait as f32 / waits as f32;
        for start in 0..starts {
            let time = clip.duration() * start as f32 / starts as f32;
            let mut cost = set.waiting * later;
            for foot in 0..clip.feet.len() {
                let scaled = |moment: FootMoment, rate: f32| FootMoment {
                    speed: moment.speed * rate,
                    ..moment
                };
                let from = scaled(FootMoment::new(before, foot, old.time + later), rates[0]);
                let to = scaled(FootMoment::new(clip, foot, time), rates[1]);
                cost += from.cost(&to, clip.unit);
                if cost > best.0 {
                    break;
                }
            }
            if cost < best.0 {
                best = (cost, later, time);
            }
        }
    }
    (best.1, best.2)
}

/// A difference of place and speed that is gone after a time, and its acceleration at both ends: a polynomial of fifth
/// degree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Easing {
    place: Vec3,
    speed: Vec3,
    seconds: f32,
}

impl Easing {
    /// The quickest that is no harder than this, in m/s²; or the gentlest there is.
    pub fn new(place: Vec3, speed: Vec3, hardest: f32) -> Self {
        const LONGEST: usize = 30;
        let mut best = Self { place, speed, seconds: 0.0 };
        let mut least = f32::INFINITY;
        for step in 5..=LONGEST {
            let tried = Self { seconds: 0.05 * step as f32, ..best };
            let peak = tried.peak();
            if peak < least {
                (least, best) = (peak, tried);
            }
            if peak <= hardest {
                break;
            }
        }
        best
    }

    /// The remaining offset after a time.
    pub fn at(&self, seconds: f32) -> Vec3 {
        if seconds >= self.seconds {
            return Vec3::ZERO;
        }
        let u = seconds / self.seconds;
        let place = 1.0 + u * u * u * (-10.0 + u * (15.0 - 6.0 * u));
        let speed = u + u * u * u * (-6.0 + u * (8.0 - 3.0 * u));
        self.place * place + self.speed * (self.seconds * speed)
    }

    fn peak(&self) -> f32 {
        const LOOKS: usize = 16;
        let t = self.seconds.recip();
        let hard = |u: f32| {
            let place = u * (-60.0 + u * (180.0 - 120.0 * u));
            let speed = u * (-36.0 + u * (96.0 - 60.0 * u));
            (self.place * (place * t * t) + self.speed * (speed * t)).length()
        };
        (1..LOOKS).map(|look| hard(look as f32 / LOOKS as f32)).fold(0.0, f32::max)
    }
}

/// What a body still has to make up for, by the times of the newer clip.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Eased {
    pub by: Easing,
    /// When it begins, and how fast the clip is played.
    pub begins: f32,
    pub rate: f32,
}

impl Eased {
    /// The offset of the body from where the clip has it, at a time of the clip.
    pub fn at(&self, time: f32) -> Vec3 {
        if self.by.seconds == 0.0 {
            return Vec3::ZERO;
        }
        self.by.at(((time - self.begins) / self.rate.max(0.1)).max(0.0))
    }
}

/// A clip that is being left.
#[derive(Clone, Debug)]
pub(crate) struct Fade {
    pub layer: Layer,
    pub elapsed: f32,
    pub duration: f32,
    /// Seconds each foot takes.
    pub feet: Vec<f32>,
    /// How fast the clip is still played.
    rate: f32,
    /// Where the body was shown against the newer clip, once that is known, and since when.
    pub body: Option<Easing>,
    pub began: f32,
    /// Time and seconds were told: clips are mixed as they are.
    pub told: bool,
}

impl Fade {
    pub fn of(mut layer: Layer, duration: f32, rate: f32, told: bool, set: &FadeSettings) -> Self {
        let longest = if told { f32::INFINITY } else { set.joints.max(set.foot) };
        let feet = layer.plans.iter().map(|plan| match (&plan.next, plan.stage) {
            (Some(next), FootStage::Swing | FootStage::Committed) => {
                (next.print.landing - layer.time).max(set.foot).min(longest)
            }
            _ => set.foot.min(duration.max(0.05)),
        });
        let feet = feet.collect();
        layer.close();
        Self {
            layer,
            elapsed: 0.0,
            duration,
            feet,
            rate: rate.max(0.5),
            body: None,
            began: 0.0,
            told,
        }
    }

    /// Lets time pass: the old clip goes on, but makes no further steps. True if the fade is over.
    pub fn pass(
        &mut self,
        dt: f32,
        clip_dt: f32,
        ctx: &mut LayerContext,
        feet: &FeetSettings,
    ) -> bool {
        self.elapsed += dt;
        let to = self.layer.time + clip_dt * self.rate;
        ctx.time = to;
        self.layer.reach.pass(dt, feet);
        self.layer.advance(to, ctx);
        let body = self.body.map_or(0.0, |body| self.began + body.seconds);
        self.elapsed >= self.feet.iter().copied().fold(self.duration.max(body), f32::max)
    }
}

/// The point of a foot, as its ankle sees it, that two motions leave where it is: the heel if it is all that is down in
/// both, else the joint of the toes.
pub(crate) fn pivot(clip: &GroundClip, index: usize, down: [[bool; 2]; 2]) -> Vec3 {
    let (foot, skeleton) = (&clip.character().rig.feet[index], &clip.character().skeleton);
    let heel = down.iter().all(|down| down[0]) && !down.iter().all(|down| down[1]);
    match foot.toes.filter(|_| !heel) {
        Some(toes) if skeleton.parent(toes) == Some(foot.ankle()) => {
            skeleton.joint(toes).rest.translation
        }
        _ if heel && foot.heel.joint == foot.ankle() => foot.heel.offset,
        _ if foot.ball.joint == foot.ankle() => foot.ball.offset,
        _ => Vec3::ZERO,
    }
}

impl GroundClip {
    /// How fast the body goes, as it sees itself, in m/s: that of a whole round, or that at the beginning.
    pub(crate) fn speed_ahead(&self) -> Vec2 {
        let duration = self.duration();
        if self.idle() || duration <= 0.0 {
            return Vec2::ZERO;
        }
        if !self.cyclic() {
            return self.placement(0.0).to(&self.placement(MOMENT)).position / MOMENT;
        }
        let parts = 8;
        let at = |part: usize| self.placement(duration * part as f32 / parts as f32);
        let ways = (0..parts).map(|part| at(part).to(&at(part + 1)).position);
        ways.sum::<Vec2>() / duration
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_eased_begins_as_it_was_and_ends_at_rest() {
        let easing = Easing::new(Vec3::new(0.2, 0.0, -0.1), Vec3::new(0.0, 1.0, 2.0), 6.0);
        let end = easing.seconds;
        assert!((0.3..1.5).contains(&end), "{end}");
        let step = 1e-3;
        let speed = |t: f32| (easing.at(t + step) - easing.at(t)) / step;
        assert!(easing.at(0.0).distance(easing.place) < 1e-6);
        assert!(speed(0.0).distance(easing.speed) < 0.02);
        assert!(easing.at(end - step).length() < 1e-5 && speed(end - 2.0 * step).length() < 1e-2);
        let hard = |t: f32| ((speed(t + step) - speed(t)) / step).length();
        let hardest = (1..100).map(|k| hard(0.0098 * end * k as f32)).fold(0.0, f32::max);
        assert!(hardest < 6.8, "{hardest}");
    }

    #[test]
    fn clips_meet_halfway_and_slow_down_where_they_lead_elsewhere() {
        let set = FadeSettings::default();
        let [run, walk] = rates(Vec2::Y * 3.0, Vec2::Y * 1.5, &set);
        assert!((run * 3.0 - walk * 1.5).abs() < 1e-4 && run < 1.0 && walk > 1.0);
        assert_eq!(rates(Vec2::Y, -Vec2::Y, &set), [set.slowest; 2]);
        assert_eq!(rates(Vec2::Y, Vec2::ZERO, &set), [set.slowest, 1.0]);
    }
}
