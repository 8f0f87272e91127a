//! When a foot in the air is best turned.

use crate::feet::sole::FootSample;
use crate::ground::clip::GroundClip;
use crate::ground::curve::{smooth, spline};
use crate::{GroundStance, SwingSettings};
use andante_skeleton::rotation;
use glam::{Quat, Vec3};

/// Parts of a swing for which it is known how much of a turn belongs before them.
pub(crate) const TURNS: usize = 24;

/// How a foot turns by itself in a swing.
#[derive(Clone, Debug)]
pub(crate) struct Spin {
    /// Radians per second in each part.
    turns: [Vec3; TURNS],
    /// How far its toes are up, all the more the nearer it is to landing, and its heel, all the more the less far it
    /// has come.
    toes_up: [f32; TURNS + 1],
    heel_up: [f32; TURNS + 1],
    /// The axis about which toes are raised.
    axis: Vec3,
    /// The heel can rise less: the toes are bent at a joint.
    bends: bool,
}

/// How much of a foot's pitch matters to its landing, at a part of its swing.
#[inline]
pub(crate) fn landing(u: f32) -> f32 {
    smooth(2.0 * u - 1.0)
}

/// How much of it matters to its leaving.
#[inline]
pub(crate) fn leaving(u: f32) -> f32 {
    1.0 - smooth(2.0 * u)
}

/// How much of the turn from print to print belongs before each part of a swing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Turning([f32; TURNS + 1]);

impl Spin {
    /// Where there is room for a turn about an axis, part by part in radians per second, if the foot lands and leaves
    /// flatter and nothing is quicker than it may be.
    fn room(
        &self,
        axis: Vec3,
        part: f32,
        [lands, leaves]: [f32; 2],
        quickest: f32,
    ) -> ([f32; TURNS], f32) {
        let free: [f32; TURNS] = std::array::from_fn(|index| {
            let rise = |list: &[f32; TURNS + 1]| (list[index + 1] - list[index]) / part;
            let raised = lands * rise(&self.toes_up) - leaves * rise(&self.heel_up);
            let turn = self.turns[index] - self.axis * raised;
            let along = turn.dot(axis);
            let across = turn.length_squared() - along * along;
            ((quickest * quickest - across).max(0.0).sqrt() - along).max(0.0)
        });
        let parts = std::array::from_fn(|index| {
            // A frame may be in two parts.
            let near = &free[index.saturating_sub(1)..=(index + 1).min(TURNS - 1)];
            let u = (index as f32 + 0.5) / TURNS as f32;
            let ends = smooth(6.0 * u) * smooth(6.0 * (1.0 - u));
            ends * near.iter().copied().fold(f32::INFINITY, f32::min)
        });
        (parts, parts.iter().sum())
    }

    /// How quickly the foot may turn: as it does by itself, or quicker.
    fn quickest(&self, least: f32) -> f32 {
        self.turns.iter().fold(least, |most, turn| most.max(turn.length()))
    }
}

impl Turning {
    /// Spreads a turn over a swing whose foot turns by itself, so that the two together are nowhere quicker than
    /// they have to be: most of it where the foot turns little, or the other way. Where that is still too quick
    /// the foot lands and leaves flatter; returns how much. How it leaves may be settled already.
    pub fn new(
        spin: &Spin,
        from: Quat,
        to: Quat,
        seconds: f32,
        leaves: Option<f32>,
        settings: &SwingSettings,
    ) -> (Self, [f32; 2]) {
        let turn = rotation::log(rotation::nearest_sign(to * from.conjugate(), Quat::IDENTITY));
        let (angle, part) = (turn.length(), seconds / TURNS as f32);
        let mut flatter = [0.0, leaves.unwrap_or(0.0)];
        if angle < 1e-3 || part <= 0.0 {
            return (Self::default(), flatter);
        }
        // What is turned further turns what comes after along, but about the axis of the turn itself.
        let axis = from.conjugate() * (turn / angle);
        let mut quickest = spin.quickest(settings.turn_speed);
        let mut room = spin.room(axis, part, flatter, quickest);
        let enough = |total: f32| total * part >= angle;
        if !enough(room.1) && axis.dot(spin.axis) > 0.0 {
            let SwingSettings { land_flatter, leave_flatter, .. } = *settings;
            let leaves_less = spin.bends && leaves.is_none();
            // First it lands ever flatter, then its heel rises ever less as well.
            let parts = [0.375, 0.75, 1.0];
            let lands = parts.map(|part| [part * land_flatter, leaves.unwrap_or(0.0)]);
            let leaving = parts.map(|part| [land_flatter, part * leave_flatter]);
            for less in lands.into_iter().chain(leaving.into_iter().filter(|_| leaves_less)) {
                flatter = less;
                room = spin.room(axis, part, flatter, quickest);
                if enough(room.1) {
                    break;
                }
            }
        }
        for _ in 0..settings.turn_attempts {
            if enough(room.1) {
                break;
            }
            quickest *= settings.turn_quicker;
            room = spin.room(axis, part, flatter, quickest);
        }
        let (parts, total) = room;
        if total <= 0.0 {
            return (Self::default(), flatter);
        }
        let mut turned = [0.0f32; TURNS + 1];
        for index in 0..TURNS {
            turned[index + 1] = turned[index] + parts[index] / total;
        }
        // Beginning and end are exact, with slope and curvature.
        (turned[1], turned[TURNS - 1], turned[TURNS]) = (0.0, 1.0, 1.0);
        (Self(turned), flatter)
    }

    /// The part of the turn that has been made at a part of the swing.
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
    /// How a foot turns by itself in the swing after each stance.
    pub(crate) fn spins(
        &self,
        samples: &[FootSample],
        stances: &[GroundStance],
        bends: bool,
    ) -> Vec<Spin> {
        let last = samples.len() - 1;
        let sample_at = |time: f32| {
            let (within, round) = self.within(time);
            let at = (within * self.sample_rate).max(0.0).min(last as f32);
            let index = (at as usize).min(last);
            let sample = samples[index].lerp(&samples[(index + 1).min(last)], at - index as f32);
            round.map_or(sample, |round| sample.carried(&round.to_transform()))
        };
        let swing = |index: usize| {
            let start = stances[index].end;
            let next = stances.get(index + 1).map(|next| next.start);
            let again = stances[0].start + self.duration();
            let end = next.unwrap_or(if self.cyclic() { again } else { start });
            let mut spin = Spin {
                turns: [Vec3::ZERO; TURNS],
                toes_up: [0.0; TURNS + 1],
                heel_up: [0.0; TURNS + 1],
                axis: Vec3::ZERO,
                bends,
            };
            if start.is_finite() && end > start {
                let part = (end - start) / TURNS as f32;
                let samples: [FootSample; TURNS + 1] =
                    std::array::from_fn(|index| sample_at(start + part * index as f32));
                for (turn, pair) in spin.turns.iter_mut().zip(samples.windows(2)) {
                    let turned = pair[1].ankle.rotation * pair[0].ankle.rotation.conjugate();
                    *turn = rotation::log(rotation::nearest_sign(turned, Quat::IDENTITY)) / part;
                }
                for (index, sample) in samples.iter().enumerate() {
                    let (angle, axis) = sample.toes_up();
                    let u = index as f32 / TURNS as f32;
                    spin.toes_up[index] = landing(u) * angle.max(0.0);
                    spin.heel_up[index] = leaving(u) * (-angle).max(0.0);
                    spin.axis = axis;
                }
            }
            spin
        };
        (0..stances.len()).map(swing).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spin(turn: impl Fn(usize) -> f32) -> Spin {
        let turns = std::array::from_fn(|part| Vec3::X * turn(part));
        let (toes_up, heel_up) = ([0.0; TURNS + 1], [0.0; TURNS + 1]);
        Spin { turns, toes_up, heel_up, axis: Vec3::NEG_X, bends: true }
    }

    /// The largest speed of a foot that turns by itself and is turned besides.
    fn quickest(spin: &Spin, to: Quat, seconds: f32) -> f32 {
        let (turning, _) =
            Turning::new(spin, Quat::IDENTITY, to, seconds, None, &SwingSettings::default());
        let steps = 96;
        let mut own = Quat::IDENTITY;
        let mut last = Quat::IDENTITY;
        let mut most = 0.0f32;
        for step in 1..=steps {
            let u = step as f32 / steps as f32;
            let part = (step - 1) * TURNS / steps;
            own = rotation::exp(spin.turns[part] * (seconds / steps as f32)) * own;
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
        let spin =
            spin(|part| if part < 6 { 5.0 } else { -5.0 * (0.2 * (part as f32 - 6.0)).sin() });
        for angle in [-0.6f32, -0.3, 0.3, 0.9] {
            let most = quickest(&spin, Quat::from_rotation_x(angle), 0.4);
            assert!(most < 1.05 * SwingSettings::default().turn_speed, "{angle}: {most}");
        }
    }

    #[test]
    fn a_foot_that_has_to_turn_too_quickly_lands_flatter() {
        let mut spin = spin(|_| -3.0);
        spin.toes_up = std::array::from_fn(|part| 0.4 * landing(part as f32 / TURNS as f32));
        let turning = |angle: f32| {
            let (to, set) = (Quat::from_rotation_x(angle), SwingSettings::default());
            Turning::new(&spin, Quat::IDENTITY, to, 0.4, None, &set).1
        };
        assert_eq!((turning(-0.2), turning(1.4)), ([0.0; 2], [0.0; 2]));
        assert!(turning(-1.1)[0] > 0.0);
    }

    #[test]
    fn no_turn_is_spread_as_any() {
        let still = Quat::IDENTITY;
        let (turning, flatter) =
            Turning::new(&spin(|_| 1.0), still, still, 0.4, None, &SwingSettings::default());
        assert_eq!((turning, flatter), (Turning::default(), [0.0; 2]));
        assert_eq!((turning.at(0.0), turning.at(0.5), turning.at(1.0)), (0.0, 0.5, 1.0));
    }
}
