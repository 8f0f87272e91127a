//! Speed along a way.

use super::course::SampledCourse;
use super::score::FPS;
use super::{PaceSettings, StepError};
use andante_skeleton::ease;

/// Bounds on speed and its change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PaceLimits {
    /// Where nothing else forbids it, in m/s.
    pub pace: f32,
    /// Growth and fall in m/s².
    pub acceleration: f32,
    pub braking: f32,
    /// To the side in m/s².
    pub lateral: f32,
    pub settings: PaceSettings,
}

/// Way over time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pace {
    /// The way at every 1/[`FPS`] second, in metres.
    ways: Vec<f32>,
    pub seconds: f32,
}

impl Pace {
    /// The fastest that keeps all limits (mocap-tool B.6): bounded by curvature, then by
    /// acceleration from the start on and by braking back from the end. Ends that are at rest are
    /// padded, so that speed grows and falls smoothly there.
    /// No sample of the way is passed faster than its cap, if there are caps.
    pub fn new(
        course: &SampledCourse,
        ends: [f32; 2],
        limits: &PaceLimits,
        caps: &[f32],
    ) -> Result<Self, StepError> {
        let PaceSettings { hardest, turn_rate, sharpest, slowest, spread, .. } = limits.settings;
        let curvatures = course.curvatures();
        let spacing = course.spacing;
        let room = course.length();
        let mut hard = needed(ends, room, limits)?;
        // Nobody takes a hairpin out of a jump: before a bend one brakes as hard as need be, and behind it one
        // accelerates so.
        for (index, curvature) in curvatures.iter().enumerate() {
            let bend = curvature.abs().max(1e-4);
            let most = (sharpest * limits.lateral / bend).sqrt().min(sharpest * turn_rate / bend);
            let most = most.max(slowest);
            let way = index as f32 * spacing;
            for (end, (speed, way)) in [(1, (ends[0], way)), (0, (ends[1], room - way))] {
                let need = 1.001 * (speed * speed - most * most).max(0.0) / (2.0 * way.max(1e-6));
                if need > hardest {
                    return Err(StepError::TooSharp { speed, radius: bend.recip() });
                }
                hard[end] = hard[end].max(need);
            }
        }
        let [acceleration, braking] = hard;
        let mut speeds: Vec<f32> = curvatures
            .iter()
            .enumerate()
            .map(|(index, curvature)| {
                let bend = curvature.abs().max(1e-4);
                let allowed = (limits.lateral / bend).sqrt().min(turn_rate / bend);
                let cap = caps.get(index).copied().unwrap_or(f32::INFINITY);
                allowed.max(slowest).min(limits.pace).min(cap)
            })
            .collect();
        let last = speeds.len() - 1;
        // A jump may begin and end faster than the pace.
        let (mut from_start, mut from_end) = (vec![0.0; last + 1], vec![0.0; last + 1]);
        for index in 0..=last {
            let way = index as f32 * spacing;
            from_start[index] = (ends[0] * ends[0] - 2.0 * braking * way).max(0.0).sqrt();
            let left = room - way;
            from_end[index] = (ends[1] * ends[1] - 2.0 * acceleration * left).max(0.0).sqrt();
        }
        for index in 0..=last {
            speeds[index] = speeds[index].max(from_start[index]).max(from_end[index]);
        }
        (speeds[0], speeds[last]) = (ends[0], ends[1]);
        for index in 0..last {
            let most = (speeds[index].powi(2) + 2.0 * acceleration * spacing).sqrt();
            speeds[index + 1] = speeds[index + 1].min(most);
        }
        for index in (0..last).rev() {
            let most = (speeds[index + 1].powi(2) + 2.0 * braking * spacing).sqrt();
            speeds[index] = speeds[index].min(most);
        }
        let mut times = vec![0.0; last + 1];
        for index in 0..last {
            let mean = 0.5 * (speeds[index] + speeds[index + 1]);
            times[index + 1] = times[index] + spacing / mean.max(0.02);
        }
        Ok(Self::spread(&times, &speeds, spacing, ends, spread))
    }

    /// Samples by time and spreads what is sudden.
    fn spread(times: &[f32], speeds: &[f32], spacing: f32, ends: [f32; 2], over: f32) -> Self {
        let total = times[times.len() - 1];
        let room = spacing * (times.len() - 1) as f32;
        let half = (0.5 * over * FPS).round() as isize;
        let pads = ends.map(|speed| if speed > 0.0 { 0 } else { half });
        let inner = (total * FPS).ceil().max(1.0) as isize;
        // Cells are gone through in order; within one, speed changes evenly.
        let mut cell = 0;
        let raw: Vec<f32> = (-2 * half..=inner + 2 * half)
            .map(|sample| {
                let time = total * sample as f32 / inner as f32;
                if time <= 0.0 {
                    return ends[0] * time;
                }
                if time >= total {
                    return room + ends[1] * (time - total);
                }
                while cell + 2 < times.len() && times[cell + 1] < time {
                    cell += 1;
                }
                let (a, b) = (times[cell], times[cell + 1]);
                let part = if b > a { (time - a) / (b - a) } else { 0.0 };
                let (v, w) = (speeds[cell], speeds[cell + 1]);
                let part = part * (2.0 * v + (w - v) * part) / (v + w).max(1e-3);
                spacing * (cell as f32 + part)
            })
            .collect();
        let width = (2 * half + 1) as usize;
        let mean = |centre: isize| {
            let first = (centre + half) as usize;
            raw[first..first + width].iter().sum::<f32>() / width as f32
        };
        let mut ways: Vec<f32> = (-pads[0]..=inner + pads[1]).map(mean).collect();
        // The ends are where they are.
        let last = ways.len() - 1;
        let (low, high) = (-ways[0], room - ways[last]);
        for (index, way) in ways.iter_mut().enumerate() {
            let part = index as f32 / last as f32;
            *way += low + (high - low) * part;
        }
        let seconds = total * last as f32 / inner as f32;
        Self { ways, seconds }
    }

    /// The same in another time.
    pub fn stretched(mut self, factor: f32) -> Self {
        self.seconds *= factor;
        self
    }

    /// The way after a time.
    pub fn way(&self, time: f32) -> f32 {
        let last = self.ways.len() - 1;
        let at = (time / self.seconds).clamp(0.0, 1.0) * last as f32;
        let index = (at as usize).min(last - 1);
        self.ways[index] + (self.ways[index + 1] - self.ways[index]) * (at - index as f32)
    }

    /// The speed at a time.
    pub fn speed(&self, time: f32) -> f32 {
        let step = 0.5 / FPS;
        let (a, b) = ((time - step).max(0.0), (time + step).min(self.seconds));
        (self.way(b) - self.way(a)) / (b - a).max(1e-6)
    }
}

impl PaceSettings {
    /// The speed on slopes, given as tangents, here and not far away, of somebody who would go at `pace` on level ground and
    /// whose usual walk is `walk`.
    pub(super) fn on_slope(&self, (slope, around): (f32, f32), pace: f32, walk: f32) -> f32 {
        let slower = 1.0 + self.slope_slows * (slope - self.slope_felt).max(0.0);
        let span = (self.slope_walked - self.slope_felt).max(1e-3);
        let runs = 1.0 - ease((around - self.slope_felt) / span);
        (pace.min(walk) + runs * (pace - walk).max(0.0)) / slower
    }
}

/// Acceleration and braking; more than wanted where a jump leaves little room.
fn needed(ends: [f32; 2], room: f32, limits: &PaceLimits) -> Result<[f32; 2], StepError> {
    let squares = ends[1] * ends[1] - ends[0] * ends[0];
    let need = squares.abs() / (2.0 * room.max(1e-3));
    if need > limits.settings.hardest {
        let needed = squares.abs() / (2.0 * limits.settings.hardest);
        return Err(StepError::NoRunUp { room, needed, from: ends[0], to: ends[1] });
    }
    let need = 1.02 * need;
    Ok(if squares > 0.0 {
        [limits.acceleration.max(need), limits.braking]
    } else {
        [limits.acceleration, limits.braking.max(need)]
    })
}
#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Vec2, vec2};

    fn limits() -> PaceLimits {
        let settings = PaceSettings::default();
        PaceLimits { pace: 1.4, acceleration: 1.6, braking: 1.6, lateral: 2.0, settings }
    }

    fn straight(length: f32) -> SampledCourse {
        SampledCourse::along(&[Vec2::ZERO, vec2(0.0, length)]).unwrap()
    }

    #[test]
    fn from_rest_to_rest_it_speeds_up_cruises_and_brakes() {
        let pace = Pace::new(&straight(8.0), [0.0, 0.0], &limits(), &[]).unwrap();
        assert!((pace.way(pace.seconds) - 8.0).abs() < 1e-4 && pace.way(0.0) == 0.0);
        assert!(pace.speed(0.0) < 0.06 && pace.speed(pace.seconds) < 0.06);
        assert!((pace.speed(0.5 * pace.seconds) - 1.4).abs() < 0.01);
        let (mut before, mut most) = (pace.speed(0.0), 0.0f32);
        for step in 1..(pace.seconds * 60.0) as usize {
            let speed = pace.speed(step as f32 / 60.0);
            most = most.max((speed - before).abs() * 60.0);
            before = speed;
        }
        assert!(most < 2.1, "{most} m/s²");
    }

    #[test]
    fn bends_are_taken_as_fast_as_the_lateral_bound_allows() {
        let arc = |radius: f32| -> Vec<Vec2> {
            (0..200).map(|k| radius * Vec2::from_angle(k as f32 * 0.03)).collect()
        };
        for radius in [0.5f32, 2.0, 4.0] {
            let course = SampledCourse::along(&arc(radius)).unwrap();
            let fast = PaceLimits { pace: 4.0, ..limits() };
            let pace = Pace::new(&course, [0.0, 0.0], &fast, &[]).unwrap();
            let speed = pace.speed(0.5 * pace.seconds);
            let bound = (2.0 * radius).sqrt().min(1.3 * radius);
            assert!((0.8 * bound..1.06 * bound).contains(&speed), "{radius} m: {speed} m/s");
        }
    }

    #[test]
    fn a_run_up_ends_at_the_speed_of_the_jump_and_a_short_one_is_refused() {
        let pace = Pace::new(&straight(6.0), [0.0, 3.6], &limits(), &[]).unwrap();
        assert!((pace.speed(pace.seconds) - 3.6).abs() < 0.1);
        assert!((pace.speed(0.8) - 1.2).abs() < 0.3, "walks first");
        let refused = Pace::new(&straight(1.0), [0.0, 3.6], &limits(), &[]);
        assert!(matches!(refused, Err(StepError::NoRunUp { .. })));
    }
}
