//! One phase for all gaits of a family: the same foot does the same thing at the same phase.

use super::BuildSettings;
use super::stride::FootEvents;
use andante_play::repertoire::PhaseMap;
use std::f32::consts::TAU;

/// The phases at which the feet of a family of gaits strike, and of what follows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StrikePhases {
    /// Phase of each foot's strike.
    strikes: Vec<f32>,
    /// How long after its strike each event of a foot comes, if all gaits have it.
    offsets: Vec<[Option<f32>; 4]>,
    /// How steep a map of phases may be, and how close events.
    even: [f32; 2],
}

/// Steepest and flattest course of time over phase, against its mean; events that would need more are
/// Which events matter most: ball up and ball down, then heel up and heel down.
const IMPORTANCE: [usize; 4] = [3, 1, 2, 0];

impl StrikePhases {
    /// The mean of several gaits. The first foot strikes at phase 0; of two feet, the second at a
    /// half.
    pub fn of(gaits: &[Vec<FootEvents>], settings: &BuildSettings) -> Self {
        let feet = gaits.iter().map(Vec::len).min().unwrap_or(0);
        let strikes: Vec<f32> = (0..feet)
            .map(|foot| match (foot, feet) {
                (0, _) => 0.0,
                (1, 2) => 0.5,
                _ => circular_mean(gaits.iter().filter_map(|events| events[foot].strike)),
            })
            .collect();
        let even = [settings.steepest, settings.apart];
        let mut schedule = Self { offsets: vec![[None; 4]; feet], strikes, even };
        let mut offsets = schedule.offsets.clone();
        for (foot, offsets) in offsets.iter_mut().enumerate() {
            for (event, offset) in offsets.iter_mut().enumerate() {
                // Two feet do the same half a cycle apart.
                let same: Vec<usize> = if feet == 2 { vec![0, 1] } else { vec![foot] };
                let found: Vec<f32> = gaits
                    .iter()
                    .flat_map(|events| {
                        let knots = schedule.strike_knots(events);
                        let offset = |&foot: &usize| {
                            let part = events[foot].parts[event]?;
                            let phase = phase_of(&knots, part);
                            Some((phase - schedule.strikes[foot]).rem_euclid(1.0))
                        };
                        same.iter().filter_map(offset).collect::<Vec<_>>()
                    })
                    .collect();
                if found.len() == gaits.len() * same.len() && !found.is_empty() {
                    *offset = Some(circular_mean(found.into_iter()));
                }
            }
        }
        schedule.offsets = offsets;
        schedule
    }

    /// The map of one gait onto the schedule.
    pub fn map(&self, events: &[FootEvents], period: f32) -> PhaseMap {
        let mut knots = self.strike_knots(events);
        for event in IMPORTANCE {
            for (foot, events) in events.iter().enumerate().take(self.strikes.len()) {
                if let (Some(part), Some(offset)) = (events.parts[event], self.offsets[foot][event])
                {
                    let phase = (self.strikes[foot] + offset).rem_euclid(1.0);
                    insert(self.even, &mut knots, (phase, part));
                }
            }
        }
        PhaseMap::through(&knots, period)
    }

    /// Strikes as (phase, part of the stride), rising.
    fn strike_knots(&self, events: &[FootEvents]) -> Vec<(f32, f32)> {
        let mut knots = vec![(0.0, 0.0)];
        for (events, &phase) in events.iter().zip(&self.strikes).skip(1) {
            if let Some(part) = events.strike {
                insert(self.even, &mut knots, (phase, part));
            }
        }
        knots
    }
}

/// Adds an event where it keeps the course of time even.
fn insert([steepest, apart]: [f32; 2], knots: &mut Vec<(f32, f32)>, knot: (f32, f32)) {
    let at = knots.partition_point(|other| other.0 < knot.0);
    if at == 0 {
        return;
    }
    let before = knots[at - 1];
    let after = knots.get(at).copied().unwrap_or((1.0, 1.0));
    let even = |a: (f32, f32), b: (f32, f32)| {
        let (run, rise) = (b.0 - a.0, b.1 - a.1);
        run > apart && rise > apart && (1.0 / steepest..steepest).contains(&(rise / run))
    };
    if even(before, knot) && even(knot, after) {
        knots.insert(at, knot);
    }
}

/// The phase of a part of the stride, linear between knots.
fn phase_of(knots: &[(f32, f32)], part: f32) -> f32 {
    let at = knots.partition_point(|knot| knot.1 <= part).max(1);
    let before = knots[at - 1];
    let after = knots.get(at).copied().unwrap_or((1.0, 1.0));
    before.0 + (after.0 - before.0) * (part - before.1) / (after.1 - before.1)
}

/// The mean of phases, across the end of the round too.
fn circular_mean(phases: impl Iterator<Item = f32>) -> f32 {
    let (sin, cos) = phases.fold((0.0, 0.0), |(sin, cos), phase| {
        let (s, c) = libm::sincosf(TAU * phase);
        (sin + s, cos + c)
    });
    (libm::atan2f(sin, cos) / TAU).rem_euclid(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gait(duty: f32, flat: f32, right: f32) -> Vec<FootEvents> {
        let foot = |strike: f32| FootEvents {
            strike: Some(strike),
            parts: [0.0, flat, 0.5 * duty, duty].map(|offset| Some((strike + offset).fract())),
        };
        vec![foot(0.0), foot(right)]
    }

    #[test]
    fn gaits_of_a_family_touch_and_leave_the_ground_at_the_same_phase() {
        let gaits = [gait(0.66, 0.08, 0.5), gait(0.62, 0.06, 0.48), gait(0.64, 0.07, 0.53)];
        let schedule = StrikePhases::of(&gaits, &BuildSettings::default());
        let maps: Vec<PhaseMap> = gaits.iter().map(|events| schedule.map(events, 1.1)).collect();
        for foot in 0..2 {
            for event in 0..4 {
                let phases: Vec<f32> = maps
                    .iter()
                    .zip(&gaits)
                    .map(|(map, events)| map.phase(events[foot].parts[event].unwrap() * 1.1))
                    .collect();
                for phase in &phases {
                    let apart = (phase - phases[0] + 0.5).rem_euclid(1.0) - 0.5;
                    assert!(apart.abs() < 0.01, "foot {foot} event {event}: {phases:?}");
                }
            }
        }
        let strike = maps[1].phase(0.48 * 1.1);
        assert!((strike - 0.5).abs() < 0.01);
    }

    #[test]
    fn events_that_would_tear_time_apart_are_left_alone() {
        let schedule = StrikePhases::of(
            &[gait(0.66, 0.1, 0.5), gait(0.2, 0.02, 0.5)],
            &BuildSettings::default(),
        );
        let map = schedule.map(&gait(0.2, 0.02, 0.5), 1.0);
        for k in 0..64 {
            let slope = map.slope((k as f32 + 0.5) / 64.0);
            assert!((0.1..5.0).contains(&slope), "{slope}");
        }
    }

    #[test]
    fn a_gait_without_events_keeps_its_own_time() {
        let nothing = vec![FootEvents::default(); 2];
        let map = StrikePhases::of(std::slice::from_ref(&nothing), &BuildSettings::default())
            .map(&nothing, 2.0);
        assert!((map.seconds(0.3) - 0.6).abs() < 1e-4);
    }
}
