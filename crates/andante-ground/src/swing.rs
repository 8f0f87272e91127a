//! A foot in the air, from the print it leaves to the one it will have.

use crate::Footprint;
use crate::clip::{GroundClip, flat};
use crate::curve::{detour, smooth, spline};
use crate::foothold::Sensor;
use crate::plan::{Placed, Print};
use andante_skeleton::{Transform, rotation};
use glam::{Quat, Vec2, Vec3};

/// Moments of a swing at which it is checked.
const CHECKS: usize = 24;
/// Room below a sole in the air that the clip itself has is kept up to this, in leg lengths.
const CLEARANCE: f32 = 0.025;
/// Room above edges that are in the way.
const SPARE: f32 = 0.02;
/// How far a foot is held back at first, or sent ahead at last, to get round an edge; in leg lengths.
const DETOURS: [f32; 7] = [0.0, 0.03, 0.06, 0.09, 0.13, 0.17, 0.22];
/// Rounding.
const NOTHING: f32 = 1e-5;
/// What a foot may lack, in leg lengths, without another detour being tried.
const EXCUSED: f32 = 2e-3;
/// Steepest rise and fall of a correction: what it may be a part of the swing away from its ends, in leg
/// lengths. More is not asked for.
const STEEPEST: f32 = 2.2;

/// What is done to the swing of the clip besides fitting its ends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Swing {
    /// Control values of the lift over the swing.
    lift: [f32; CHECKS + 1],
    back: f32,
    ahead: f32,
}

/// The two prints of a swing.
pub(crate) struct Ends<'a> {
    pub from: &'a Print,
    pub to: &'a Print,
    /// Where the second one is at the moment.
    pub at: &'a Footprint,
    pub clip: &'a GroundClip,
    pub foot: usize,
    /// Number of the stance it comes from.
    pub number: i32,
}

impl Ends<'_> {
    /// Rise per metre from print to print, as a horizontal vector.
    fn grade(&self) -> Vec2 {
        let way = self.at.position - self.from.at.position;
        let across = flat(way);
        let length = across.length();
        if length < 0.05 * self.clip.unit {
            return Vec2::ZERO;
        }
        across / length * (way.y / length).clamp(-1.5, 1.5)
    }

    fn direction(&self) -> Vec2 {
        flat(self.at.position - self.from.at.position).normalize_or_zero()
    }

    /// The foot seen from one of its prints. Near the print it moves in the print's plane; away from it
    /// (`away` towards 1), upright over the line from print to print.
    fn seen_from(&self, print: &Print, at: &Footprint, away: f32, ankle: Vec3) -> Vec3 {
        let from = Vec3::new(print.clip.position.x, self.clip.height, print.clip.position.y);
        let offset = print.yaw(at) * (ankle - from);
        if at.tilt == Quat::IDENTITY && away <= 0.0 {
            return at.position + offset;
        }
        let tilt = rotation::nlerp(at.tilt, Quat::IDENTITY, away);
        at.position + tilt * offset + Vec3::Y * (away * self.grade().dot(flat(offset)))
    }

    /// The foot of the clip at a part of the swing, its ends fitted to the prints.
    fn fitted(&self, u: f32, ankle: &Transform) -> Placed {
        let share = smooth(u);
        let (from, to) = (&self.from.at, self.at);
        let a = self.seen_from(self.from, from, smooth(2.0 * u), ankle.translation);
        let b = self.seen_from(self.to, to, smooth(2.0 - 2.0 * u), ankle.translation);
        let turn_a = from.tilt * self.from.yaw(from);
        let turn_b = to.tilt * self.to.yaw(to);
        // Where the clip leaves room for it: on rough ground soles turn a lot.
        let turn = rotation::nlerp(turn_a, turn_b, self.clip.turned(self.foot, self.number, u));
        Placed {
            ankle: Transform::new((turn * ankle.rotation).normalize(), a.lerp(b, share)),
            turn,
        }
    }
}

impl Swing {
    /// Where the foot belongs at a part of the swing.
    pub fn place(&self, ends: &Ends, u: f32, ankle: &Transform) -> Placed {
        let mut placed = ends.fitted(u, ankle);
        placed.ankle.translation += self.correction(ends, u);
        placed
    }

    fn correction(&self, ends: &Ends, u: f32) -> Vec3 {
        let mut correction = Vec3::Y * self.lift(u);
        let aside = self.ahead * detour((1.0 - u) / 0.6) - self.back * detour(u / 0.6);
        if aside != 0.0 {
            let way = ends.direction() * aside;
            correction += Vec3::new(way.x, 0.0, way.y);
        }
        correction
    }

    fn lift(&self, u: f32) -> f32 {
        let at = (u * CHECKS as f32).clamp(0.0, CHECKS as f32);
        let index = (at as usize).min(CHECKS - 1);
        let control = |offset: usize| {
            (index + offset).checked_sub(1).and_then(|i| self.lift.get(i)).copied().unwrap_or(0.0)
        };
        spline([control(0), control(1), control(2), control(3)], at - index as f32)
    }

    /// The corrections that carry a foot over the ground between its prints with the room it has in the
    /// clip. As much as can be done smoothly is done; nothing where nothing is in the way.
    pub fn over(ends: &Ends, sensor: &mut Sensor) -> Self {
        let unit = ends.clip.unit;
        let mut best: Option<(f32, Self)> = None;
        let climbs = ends.at.position.y > ends.from.at.position.y;
        for detour in DETOURS {
            let mut swing = Self::default();
            *(if climbs { &mut swing.back } else { &mut swing.ahead }) = detour * unit;
            let (mut needs, mut unmet) = swing.needs(ends, sensor);
            swing.lift = envelope(&needs);
            if needs.iter().any(|&need| need > 0.0) && unmet <= EXCUSED * unit {
                unmet = unmet.max(swing.refine(ends, &mut needs, sensor));
            }
            if best.as_ref().is_none_or(|(least, _)| unmet < 0.8 * least) {
                best = Some((unmet, swing));
            }
            if unmet <= EXCUSED * unit {
                break;
            }
        }
        best.map(|(_, swing)| swing).unwrap_or_default()
    }

    /// How much lift is needed at each check, and how much more than can be given near the ends.
    fn needs(&self, ends: &Ends, sensor: &mut Sensor) -> ([f32; CHECKS + 1], f32) {
        let unit = ends.clip.unit;
        let mut needs = [0.0f32; CHECKS + 1];
        let mut unmet = 0.0f32;
        for (index, need) in needs.iter_mut().enumerate().take(CHECKS).skip(1) {
            let u = index as f32 / CHECKS as f32;
            let lacks = self.lacks(ends, u, sensor);
            if lacks > 0.0 {
                // What has to be passed over is passed over with room to spare, once there is time for it.
                let spare = (0.3 * lacks).min(SPARE * unit) * smooth(5.0 * u.min(1.0 - u));
                *need = lacks + spare;
            }
            unmet = unmet.max(*need - most(u, unit));
            *need = need.min(most(u, unit));
        }
        (needs, unmet)
    }

    /// How much higher the sole has to be at a part of the swing.
    fn lacks(&self, ends: &Ends, u: f32, sensor: &mut Sensor) -> f32 {
        let Ends { clip, foot, .. } = *ends;
        let unit = clip.unit;
        let (start, end) = (ends.from.end, ends.to.landing);
        let expected = 0.5 * (ends.from.at.position.y + ends.at.position.y);
        let sample = clip.sample(foot, start + u * (end - start));
        let placed = self.place(ends, u, &sample.ankle);
        let mut lacks = 0.0f32;
        for point in sample.sole() {
            let place = placed.ankle.translation + placed.turn * (point - sample.ankle.translation);
            let Some(ground) = sensor.height(flat(place), expected) else { continue };
            // Next to the prints the clip has hardly any room, and what little there is shrinks with slopes.
            let own = (point.y - clip.height).min(CLEARANCE * unit);
            let room = if own > 0.0 { own * smooth(4.0 * u.min(1.0 - u)) } else { own };
            lacks = lacks.max(ground + room - place.y);
        }
        if lacks > NOTHING * unit { lacks } else { 0.0 }
    }

    /// Edges may be passed between two checks: looks there too, and lifts a little more. Returns what is
    /// still missing.
    fn refine(&mut self, ends: &Ends, needs: &mut [f32; CHECKS + 1], sensor: &mut Sensor) -> f32 {
        let unit = ends.clip.unit;
        let mut missing = 0.0;
        for _ in 0..2 {
            missing = 0.0;
            for index in 0..CHECKS {
                let u = (index as f32 + 0.5) / CHECKS as f32;
                let lacks = self.lacks(ends, u, sensor);
                if lacks > 0.0 {
                    let now = self.lift(u);
                    for (near, need) in needs.iter_mut().enumerate().skip(index).take(2) {
                        let most = most(near as f32 / CHECKS as f32, unit);
                        *need = need.max(now + lacks + 1e-3 * unit).min(most);
                    }
                    missing = f32::max(missing, lacks);
                }
            }
            if missing <= 0.0 {
                break;
            }
            self.lift = envelope(needs);
        }
        missing
    }
}

/// The highest lift at a part of the swing.
fn most(u: f32, unit: f32) -> f32 {
    (STEEPEST * unit * (u.min(1.0 - u) - 0.5 / CHECKS as f32)).max(0.0)
}

/// Control values of a smooth curve that is nowhere below the needs and leaves the ends alone.
fn envelope(needs: &[f32; CHECKS + 1]) -> [f32; CHECKS + 1] {
    if needs.iter().all(|&need| need <= 0.0) {
        return [0.0; CHECKS + 1];
    }
    let widest = |values: &[f32; CHECKS + 1]| -> [f32; CHECKS + 1] {
        std::array::from_fn(|i| {
            let near = i.saturating_sub(1)..=(i + 1).min(CHECKS);
            values[near].iter().copied().fold(0.0, f32::max)
        })
    };
    let wide = widest(&widest(needs));
    let narrow = widest(needs);
    let mut result: [f32; CHECKS + 1] = std::array::from_fn(|i| {
        let (before, after) = (wide[i.saturating_sub(1)], wide[(i + 1).min(CHECKS)]);
        (0.25 * (before + 2.0 * wide[i] + after)).max(narrow[i])
    });
    // Zero, with slope and curvature, at both ends.
    result[0] = 0.0;
    result[1] = result[1].min(0.25 * result[2]);
    result[CHECKS] = 0.0;
    result[CHECKS - 1] = result[CHECKS - 1].min(0.25 * result[CHECKS - 2]);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_envelope_is_above_the_needs_and_at_rest_at_both_ends() {
        let mut needs = [0.0; CHECKS + 1];
        needs[5] = 0.1;
        needs[9] = 0.04;
        let swing = Swing { lift: envelope(&needs), ..Swing::default() };
        for (index, &need) in needs.iter().enumerate() {
            let lift = swing.lift(index as f32 / CHECKS as f32);
            assert!(lift >= need - 1e-6, "{index}: {lift} for {need}");
        }
        assert!(swing.lift(0.0).abs() < 5e-3 && swing.lift(1.0).abs() < 5e-3);
        assert_eq!(envelope(&[0.0; CHECKS + 1]), [0.0; CHECKS + 1]);
    }
}
