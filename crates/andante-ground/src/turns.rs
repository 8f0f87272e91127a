//! When a foot in the air is best turned.

use crate::Stance;
use crate::clip::GroundClip;
use crate::curve::smooth;
use crate::sole::FootSample;
use andante_skeleton::rotation;
use glam::Quat;

/// Parts of a swing for which it is known how much of a turn belongs before them.
pub(crate) const TURNS: usize = 24;
/// How quickly feet may turn at any time, in radians per second: 6° a sixtieth of a second.
const QUICK: f32 = std::f32::consts::TAU;

impl GroundClip {
    /// How a foot is best turned during each swing: most where it turns least in the clip, so that the two do
    /// not add up.
    pub(crate) fn turns(
        &self,
        samples: &[FootSample],
        stances: &[Stance],
    ) -> Vec<[f32; TURNS + 1]> {
        let fps = self.clip().fps();
        let last = samples.len() - 1;
        let rotation_at = |time: f32| {
            let (within, round) = self.within(time);
            let at = (within * fps).max(0.0).min(last as f32);
            let index = (at as usize).min(last);
            let (a, b) = (&samples[index], &samples[(index + 1).min(last)]);
            let turned = a.lerp(b, at - index as f32).ankle.rotation;
            round.map_or(turned, |round| Quat::from_rotation_y(round.heading) * turned)
        };
        let swing = |index: usize| {
            let start = stances[index].end;
            let next = stances.get(index + 1).map(|next| next.start);
            let again = stances[0].start + self.duration();
            let end = next.unwrap_or(if self.cyclic() { again } else { start });
            let mut speeds = [0.0f32; TURNS];
            if start.is_finite() && end > start {
                for (part, speed) in speeds.iter_mut().enumerate() {
                    let at = |part: usize| start + (end - start) * part as f32 / TURNS as f32;
                    let (a, b) = (rotation_at(at(part)), rotation_at(at(part + 1)));
                    *speed = rotation::angle_between(a, b) * TURNS as f32 / (end - start);
                }
            }
            let fastest = speeds.iter().copied().fold(QUICK, f32::max);
            let room = |part: usize| {
                let u = (part as f32 + 0.5) / TURNS as f32;
                let ends = smooth(5.0 * u) * smooth(5.0 * (1.0 - u));
                ends * (1.05 * fastest - speeds[part])
            };
            let total: f32 = (0..TURNS).map(room).sum();
            let mut turned = [0.0f32; TURNS + 1];
            for part in 0..TURNS {
                turned[part + 1] = turned[part] + room(part) / total;
            }
            // Beginning and end are exact, with slope and curvature.
            (turned[1], turned[TURNS - 1], turned[TURNS]) = (0.0, 1.0, 1.0);
            turned
        };
        (0..stances.len()).map(swing).collect()
    }
}
