//! When a foot in the air is best turned.

use crate::Stance;
use crate::clip::GroundClip;
use crate::curve::{smooth, spline};
use crate::sole::FootSample;
use andante_skeleton::rotation;
use glam::{Quat, Vec3};

/// Parts of a swing for which it is known how much of a turn belongs before them.
pub(crate) const TURNS: usize = 24;
/// How quickly feet may turn at any time, in radians per second: 5.7° a sixtieth of a second.
const QUICK: f32 = 0.95 * std::f32::consts::TAU;
/// How much quicker they turn, at each attempt, where that is not enough.
const QUICKER: f32 = 1.06;
const ATTEMPTS: usize = 16;

/// How much of the turn from print to print belongs before each part of a swing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Turning([f32; TURNS + 1]);

impl Turning {
    /// Spreads a turn over a swing whose foot turns by itself, so that the two together are nowhere quicker than
    /// they have to be: most of it where the foot turns little, or the other way.
    pub fn new(spins: &[Vec3; TURNS], from: Quat, to: Quat, seconds: f32) -> Self {
        let turn = rotation::log(rotation::nearest_sign(to * from.conjugate(), Quat::IDENTITY));
        let (angle, part) = (turn.length(), seconds / TURNS as f32);
        if angle < 1e-3 || part <= 0.0 {
            return Self::default();
        }
        // What is turned further turns what comes after along, but about the axis of the turn itself.
        let axis = from.conjugate() * (turn / angle);
        let own: [(f32, f32); TURNS] = std::array::from_fn(|index| {
            let along = spins[index].dot(axis);
            (along, spins[index].length_squared())
        });
        let mut quickest = own.iter().fold(QUICK, |most, (_, squared)| most.max(squared.sqrt()));
        let mut rooms = [0.0f32; TURNS];
        let mut total = 0.0;
        for _ in 0..ATTEMPTS {
            total = 0.0;
            for (index, (room, (along, squared))) in rooms.iter_mut().zip(own).enumerate() {
                let u = (index as f32 + 0.5) / TURNS as f32;
                let ends = smooth(6.0 * u) * smooth(6.0 * (1.0 - u));
                let across = squared - along * along;
                *room = ends * ((quickest * quickest - across).max(0.0).sqrt() - along).max(0.0);
                total += *room;
            }
            if total * part >= angle {
                break;
            }
            quickest *= QUICKER;
        }
        let mut turned = [0.0f32; TURNS + 1];
        for index in 0..TURNS {
            turned[index + 1] = turned[index] + rooms[index] / total;
        }
        // Beginning and end are exact, with slope and curvature.
        (turned[1], turned[TURNS - 1], turned[TURNS]) = (0.0, 1.0, 1.0);
        Self(turned)
    }

    /// How much of the turn has been made at a part of the swing.
    pub fn at(&self, u: f32) -> f32 {
        if self.0[TURNS] == 0.0 {
            return smooth(u);
        }
        let at = (u * TURNS as f32).clamp(0.0, TURNS as f32);
        let index = (at as usize).min(TURNS - 1);
        let control = |offset: usize| match (index + offset).checked_sub(1) {
            None => 0.0,
            Some(at) => self.0.get(at).copied().unwrap_or(1.0),
        };
        spline([control(0), control(1), control(2), control(3)], at - index as f32)
    }
}

impl GroundClip {
    /// How a foot turns by itself in each part of the swing after each stance.
    pub(crate) fn spins(&self, samples: &[FootSample], stances: &[Stance]) -> Vec<[Vec3; TURNS]> {
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
            let mut spins = [Vec3::ZERO; TURNS];
            if start.is_finite() && end > start {
                let part = (end - start) / TURNS as f32;
                for (index, spin) in spins.iter_mut().enumerate() {
                    let at = |index: usize| rotation_at(start + part * index as f32);
                    let turn = at(index + 1) * at(index).conjugate();
                    *spin = rotation::log(rotation::nearest_sign(turn, Quat::IDENTITY)) / part;
                }
            }
            spins
        };
        (0..stances.len()).map(swing).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest speed of a foot that turns by itself and is turned besides.
    fn quickest(spins: &[Vec3; TURNS], to: Quat, seconds: f32) -> f32 {
        let turning = Turning::new(spins, Quat::IDENTITY, to, seconds);
        let steps = 96;
        let mut own = Quat::IDENTITY;
        let mut last = Quat::IDENTITY;
        let mut most = 0.0f32;
        for step in 1..=steps {
            let u = step as f32 / steps as f32;
            let part = (step - 1) * TURNS / steps;
            own = rotation::exp(spins[part] * (seconds / steps as f32)) * own;
            let now = Quat::IDENTITY.slerp(to, turning.at(u)) * own;
            most = most.max(rotation::angle_between(last, now) * steps as f32 / seconds);
            last = now;
        }
        assert!((turning.at(0.0), turning.at(1.0)) == (0.0, 1.0));
        most
    }

    #[test]
    fn a_turn_is_made_where_the_foot_turns_little_or_the_other_way() {
        // Toes go down, then up, as in a walk.
        let spins: [Vec3; TURNS] = std::array::from_fn(|part| {
            Vec3::X * if part < 6 { 5.0 } else { -5.0 * (0.2 * (part as f32 - 6.0)).sin() }
        });
        for angle in [-0.9f32, -0.3, 0.3, 0.9] {
            let most = quickest(&spins, Quat::from_rotation_x(angle), 0.4);
            assert!(most < 1.03 * QUICK, "{angle}: {most}");
        }
    }

    #[test]
    fn no_turn_is_spread_as_any() {
        let turning = Turning::new(&[Vec3::X; TURNS], Quat::IDENTITY, Quat::IDENTITY, 0.4);
        assert_eq!(turning, Turning::default());
        assert_eq!((turning.at(0.0), turning.at(0.5), turning.at(1.0)), (0.0, 0.5, 1.0));
    }
}
