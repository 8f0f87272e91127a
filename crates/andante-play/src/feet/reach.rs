//! How far a body has to come down for its legs to reach, known ahead of time.

use crate::feet::{FeetSettings, leg};
use crate::ground::body::BodyCarrier;
use crate::ground::clip::GroundClip;
use crate::ground::curve::spline;
use crate::ground::fade::Eased;
use crate::ground::plan::FootPlan;
use crate::spring::Trailing;

/// Moments a need spreads to on either side, and over which the result is averaged.
const SPREAD: i32 = 7;
const MEAN: i32 = 6;
/// Moments that are kept: those that matter now, and those that will. At least 2 (SPREAD + MEAN) + 6.
const KEPT: i32 = 40;

/// The needs of the coming moments and a smooth curve above them.
#[derive(Clone, Debug)]
pub(crate) struct ReachPlan {
    spacing: f32,
    needs: [f32; KEPT as usize],
    /// The first moment whose need is not known yet, and the first whose need may have changed.
    known: i32,
    stale: i32,
    /// Control values of the curve around a moment, so that they are found once.
    control: (i32, [f32; 4]),
    /// What is left of earlier curves.
    left: Trailing<f32>,
}

/// What is looked at: a clip, where its feet go, and where the body is besides.
pub(crate) struct ReachLook<'a> {
    pub clip: &'a GroundClip,
    pub plans: &'a [FootPlan],
    pub eased: &'a Eased,
}

impl ReachPlan {
    pub fn new(clip: &GroundClip, feet: &FeetSettings) -> Self {
        let mut spacing = feet.look_spacing * (clip.unit / 0.85).sqrt();
        if clip.cyclic() {
            spacing = clip.duration() / (clip.duration() / spacing).round().max(1.0);
        }
        Self {
            spacing,
            needs: [0.0; KEPT as usize],
            known: i32::MIN,
            stale: i32::MIN,
            control: (0, [0.0; 4]),
            left: Trailing::default(),
        }
    }

    /// Looks ahead from a time. `fresh`: what was found before about the future may have changed, and is looked at
    /// again bit by bit, what comes first first. `busy`: the step has had other work to do, so the bits are small.
    pub fn look_ahead(
        &mut self,
        at: &ReachLook,
        time: f32,
        fresh: bool,
        busy: bool,
        feet: &FeetSettings,
    ) {
        let now = (time / self.spacing).floor() as i32;
        let until = now + SPREAD + MEAN + 4;
        if self.known == i32::MIN {
            for moment in now - SPREAD - MEAN - 2..=until {
                let need = if moment < now { 0.0 } else { self.look(at, moment, feet) };
                self.needs[moment.rem_euclid(KEPT) as usize] = need;
            }
            (self.known, self.stale) = (until + 1, until + 1);
            self.control = (now, self.controls(now));
            return;
        }
        let before = self.curve(time);
        if fresh {
            self.stale = now;
        }
        let from = self.stale.max(now);
        let portion = if busy { feet.looks_again_busy } else { feet.looks_again }.max(1);
        let again = from..self.known.min(from + portion);
        let new = self.known.max(now)..(until + 1).max(self.known);
        if again.is_empty() && new.is_empty() {
            return;
        }
        let changes = !again.is_empty();
        (self.stale, self.known) = if again.end == self.known || !changes {
            (new.end.max(again.end), new.end)
        } else {
            (again.end, new.end)
        };
        for moment in again.chain(new) {
            self.needs[moment.rem_euclid(KEPT) as usize] = self.look(at, moment, feet);
        }
        self.control = (now, self.controls(now));
        if changes {
            let after = self.curve(time);
            let [value, speed, acceleration] = std::array::from_fn(|i| before[i] - after[i]);
            self.left.add(value, speed, acceleration);
        }
    }

    /// What is needed from a moment to the next. Legs are stretched longest just before they leave the ground and
    /// just before they land.
    fn look(&self, at: &ReachLook, moment: i32, feet: &FeetSettings) -> f32 {
        let start = moment as f32 * self.spacing;
        let end = start + self.spacing;
        let mut need = self.need_at(feet, at, start);
        for plan in at.plans {
            let landing = plan.next.as_ref().map_or(start, |next| next.print.landing);
            if landing > start && landing < end + 0.5 * self.spacing {
                need = need.max(self.need_at(feet, at, 0.5 * (start + end)));
            }
            let leaving = plan.lift_off();
            if leaving > start && leaving < end {
                need = need.max(self.need_at(feet, at, leaving));
                need = need.max(self.need_at(feet, at, leaving + 0.5 * self.spacing));
            }
        }
        need
    }

    /// What is needed at a time.
    fn need_at(&self, feet: &FeetSettings, at: &ReachLook, time: f32) -> f32 {
        let (clip, plans) = (at.clip, at.plans);
        let eased = at.eased.at(time);
        let time = if clip.cyclic() { time } else { time.clamp(0.0, clip.duration()) };
        let map = BodyCarrier::new(clip, plans, time, feet.long_body).map(clip, 0.0);
        let mut lowest = 0.0f32;
        for (foot, (plan, leg)) in plans.iter().zip(&clip.legs).enumerate() {
            let sample = clip.sample(foot, time);
            let Some(placed) = plan.target_of(clip, time, &sample) else { continue };
            let below = map.rotation * (sample.end - sample.ankle.translation);
            let own = sample.hip.distance(sample.end);
            // A leg that reaches far down lands bent: one that is straight by then snaps.
            let bent = 1.0 - feet.step_down_bend * plan.steps_down(time, clip.unit);
            let longest = (feet.planned_reach * leg.length).max(own) * bent;
            let hip = map.transform_point(sample.hip) + eased;
            let end = placed.ankle.translation + below;
            // On the clip's own ground rounding must not lower anybody.
            if hip.distance(end) > longest + 1e-5 * leg.length {
                lowest = lowest.max(leg::lowering(hip, end, longest));
            }
        }
        lowest.min(feet.lowest_body * clip.unit)
    }

    /// Lets time pass, in seconds.
    pub fn pass(&mut self, seconds: f32, feet: &FeetSettings) {
        self.left.pass(seconds, feet.take_in);
    }

    /// Moments are counted from a round later.
    pub fn rebase(&mut self, duration: f32) {
        if self.known == i32::MIN {
            return;
        }
        let shift = (duration / self.spacing).round() as i32;
        self.known -= shift;
        self.stale -= shift;
        self.control.0 -= shift;
        self.needs.rotate_left(shift.rem_euclid(KEPT) as usize);
    }

    /// The lowering of the body at a time.
    pub fn lowered(&self, time: f32) -> f32 {
        (self.curve(time)[0] + self.left.value).max(0.0)
    }

    /// The curve above the needs, its speed and its acceleration.
    fn curve(&self, time: f32) -> [f32; 3] {
        if self.known == i32::MIN {
            return [0.0; 3];
        }
        let at = time / self.spacing;
        let index = at.floor() as i32;
        let (known, control) = self.control;
        let control = if known == index { control } else { self.controls(index) };
        if control == [0.0; 4] {
            return [0.0; 3];
        }
        let t = at - index as f32;
        let [a, b, c, d] = control;
        let (first, last) = (a - 2.0 * b + c, b - 2.0 * c + d);
        let curvature = first + (last - first) * t;
        let slope = 0.5 * (c - a) + t * (first + 0.5 * t * (last - first));
        let (per, squared) = (self.spacing.recip(), self.spacing.powi(-2));
        [spline(control, t), slope * per, curvature * squared]
    }

    /// Control values around a moment: the largest need of a neighbourhood, averaged over one that is not
    /// wider.
    fn controls(&self, index: i32) -> [f32; 4] {
        const WIDTH: usize = 2 * MEAN as usize + 4;
        const SPAN: usize = WIDTH + 2 * SPREAD as usize;
        let first = (index - 1 - MEAN - SPREAD).rem_euclid(KEPT) as usize;
        let (after, before) = (&self.needs[first..], &self.needs[..first]);
        let mut needs = [0.0; SPAN];
        for (need, known) in needs.iter_mut().zip(after.iter().chain(before)) {
            *need = *known;
        }
        if needs == [0.0; SPAN] {
            return [0.0; 4];
        }
        let widest: [f32; WIDTH] = std::array::from_fn(|at| {
            needs[at..=at + 2 * SPREAD as usize].iter().copied().fold(0.0, larger)
        });
        std::array::from_fn(|at| {
            let (mut sum, mut total) = (0.0, 0.0);
            for (offset, highest) in widest[at..=at + 2 * MEAN as usize].iter().enumerate() {
                let x = (offset as i32 - MEAN) as f32 / (MEAN + 1) as f32;
                let weight = (1.0 - x * x) * (1.0 - x * x);
                sum += weight * highest;
                total += weight;
            }
            sum / total
        })
    }
}

/// The larger of two numbers, neither of which is a NaN: one instruction, unlike [`f32::max`].
#[inline]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach() -> ReachPlan {
        let needs = [0.0; KEPT as usize];
        ReachPlan {
            spacing: 0.03,
            needs,
            known: 60,
            stale: 60,
            control: (i32::MIN, [0.0; 4]),
            left: Trailing::default(),
        }
    }

    #[test]
    fn the_body_is_low_enough_in_time() {
        let mut reach = reach();
        reach.needs[12] = 0.05;
        assert!(reach.lowered(12.0 * 0.03) >= 0.05 - 1e-6);
        assert!(reach.lowered(4.0 * 0.03) > 0.0, "it comes down ahead of time");
        let mut last = reach.lowered(0.0);
        for step in 0..240 {
            let lowered = reach.lowered(0.003 * step as f32);
            assert!((lowered - last).abs() < 3e-3, "step {step}");
            last = lowered;
        }
    }

    #[test]
    fn the_curve_knows_its_speed_and_acceleration() {
        let mut reach = reach();
        (reach.needs[12], reach.needs[25]) = (0.05, 0.02);
        for step in 1..200 {
            let time = 0.004 * step as f32 + 1e-4;
            let [_, speed, acceleration] = reach.curve(time);
            let (before, after) = (reach.curve(time - 1e-3), reach.curve(time + 1e-3));
            assert!(((after[0] - before[0]) / 2e-3 - speed).abs() < 2e-3, "{step}");
            assert!(((after[1] - before[1]) / 2e-3 - acceleration).abs() < 0.3, "{step}");
        }
    }
}
