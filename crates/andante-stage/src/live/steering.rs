//! How somebody gets along among others: what avoiding asks for, as something that a walking body can do.
//!
//! A body goes where it faces and turns slowly. It stands or walks and nothing between, and whoever stands and has to
//! go another way turns on the spot first.

use super::avoid::{Other, Own, choose, safe_speed};
use super::disc::{ahead, heading_of};
use crate::StageSettings;
use andante_plan::route::Walls;
use andante_skeleton::rotation;
use glam::Vec2;

/// Seconds in which two thirds of a change of mind are made.
const SMOOTHING: f32 = 0.15;

/// Whoever walks stops below the first speed, and whoever stands sets off above the second, or in the end above the
/// third, in m/s.
const SPEEDS: [f32; 3] = [0.25, 0.35, 0.12];

/// Part of the usual room that is left to others on the way ahead, usually and in the end.
const ROOM: [f32; 2] = [0.6, 0.15];

/// That end comes after so many seconds.
const PATIENCE: f32 = 2.0;

/// Somebody who has to turn by more than this stops for it, in radians.
const STOP: f32 = 1.2;

/// Somebody who stands turns on the spot by at least this if others are ahead, and for this even if not, in radians.
const TURNS: [f32; 2] = [0.12, 1.0];

/// Turns on the spot are thought over for so many seconds.
const THOUGHT: f32 = 0.4;

/// Seconds after a stop until somebody sets off again, and after which others see that they stand.
const STAND: f32 = 0.4;
const SEEN: f32 = 0.5;

/// What somebody has made up their mind to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Steering {
    /// Velocity they go for.
    chosen: Vec2,
    /// Seconds they have stood; none while they walk.
    stood: Option<f32>,
    /// Whether they squeeze through.
    squeezes: bool,
    /// Seconds they have wanted to turn.
    thought: f32,
    /// Whether they were stopped as they went. They turn to where they want to go before they try again: who sets off
    /// at a wall and is stopped, time after time, never gets away from it.
    halted: bool,
}

impl Default for Steering {
    fn default() -> Self {
        Self {
            chosen: Vec2::ZERO,
            stood: Some(STAND),
            squeezes: false,
            thought: 0.0,
            halted: false,
        }
    }
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lead {
    pub heading: f32,
    pub speed: f32,
    /// Whether to turn to the heading on the spot.
    pub turn: bool,
}

impl Steering {
    /// Whether others see that they stand.
    pub fn is_standing(&self) -> bool {
        self.stood.is_some_and(|stood| stood > SEEN)
    }

    /// Goes on from a velocity that something else has led to.
    pub fn resume(&mut self, velocity: Vec2) {
        let stands = velocity.length_squared() < SPEEDS[0] * SPEEDS[0];
        let stood = stands.then_some(self.stood.unwrap_or(STAND));
        *self = Self { chosen: velocity, stood, ..Self::default() };
    }

    /// Stands from now on.
    pub fn halt(&mut self) {
        *self = Self { stood: Some(0.0), halted: true, ..Self::default() };
    }

    /// What comes of a wish among others and walls. `can_turn` is whether the body stands on its feet.
    pub fn lead(
        &mut self,
        own: &Own,
        others: &[Other],
        walls: Option<&Walls>,
        can_turn: bool,
        dt: f32,
        settings: &StageSettings,
    ) -> Lead {
        let avoidance = &settings.avoidance;
        let share = 1.0 - (-dt / SMOOTHING).exp();
        self.chosen += (choose(own, others, walls, avoidance) - self.chosen) * share;
        let heading =
            if self.chosen.length() > 0.05 { heading_of(self.chosen) } else { own.heading };
        let off = rotation::wrap_angle(heading - own.heading).abs();
        let mut speed = self.chosen.dot(ahead(own.heading)).max(0.0);
        if off > STOP {
            speed = 0.0;
        }
        let [usual, squeezing] =
            ROOM.map(|room| speed.min(safe_speed(own, others, walls, room, avoidance)));
        match self.stood {
            Some(stood) => self.squeezes = stood > PATIENCE,
            // Until there is room again.
            None => self.squeezes &= usual < SPEEDS[1],
        }
        speed = if self.squeezes { squeezing.max(usual) } else { usual };
        let [least, enough] =
            if self.squeezes { [0.5 * SPEEDS[2], SPEEDS[2]] } else { [SPEEDS[0], SPEEDS[1]] };
        let turns_first = self.halted && can_turn && off > TURNS[0];
        match &mut self.stood {
            Some(stood) if speed > enough && *stood >= STAND && !turns_first => {
                (self.stood, self.halted) = (None, false);
            }
            Some(stood) => {
                *stood += dt;
                speed = 0.0;
            }
            None if speed < least => {
                self.stood = Some(0.0);
                speed = 0.0;
            }
            None => {}
        }
        if speed > 0.0 {
            self.thought = 0.0;
            return Lead { heading, speed, turn: false };
        }
        let worth = self.chosen.length() > 0.8 * enough && off > TURNS[0];
        self.thought = if worth && can_turn { self.thought + dt } else { 0.0 };
        if self.thought > THOUGHT {
            (self.thought, self.halted) = (0.0, false);
            return Lead { heading, speed, turn: true };
        }
        Lead { heading: own.heading, speed, turn: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is done first by somebody who stands and wants to go where they do not face: 0.6 rad to the right.
    fn first(mut steering: Steering) -> Lead {
        let own = Own { place: Vec2::ZERO, heading: 0.6, speed: 0.0, radius: 0.3, wanted: Vec2::Y };
        let mut leads = (0..120)
            .map(|_| steering.lead(&own, &[], None, true, 1.0 / 60.0, &StageSettings::default()));
        leads.find(|lead| lead.turn || lead.speed > 0.0).expect("they want to go")
    }

    /// In a doorway somebody set off at a wall, was stopped, and set off again for four minutes.
    #[test]
    fn who_was_stopped_turns_before_they_go_on() {
        let mut stopped = Steering::default();
        stopped.halt();
        assert!(first(stopped).turn);
        assert!(first(Steering::default()).speed > 0.0);
    }

    /// Somebody who squeezed past another stopped as soon as they were fast enough, and began again.
    #[test]
    fn who_squeezes_past_another_goes_on_until_there_is_room() {
        let own = Own { place: Vec2::ZERO, heading: 0.0, speed: 0.0, radius: 0.3, wanted: Vec2::Y };
        // 3 cm would be left between them.
        let beside = Vec2::new(0.63, 0.3);
        let other = Other { place: beside, velocity: Vec2::ZERO, radius: 0.3, share: 0.0 };
        let mut steering = Steering::default();
        let mut leads = (0..600).map(|_| {
            steering.lead(&own, &[other], None, false, 1.0 / 60.0, &StageSettings::default())
        });
        assert!(leads.by_ref().any(|lead| lead.speed > 0.0));
        assert!(leads.all(|lead| lead.speed > 0.0));
    }

    #[test]
    fn who_was_stopped_and_cannot_turn_goes_on_all_the_same() {
        let mut steering = Steering::default();
        steering.halt();
        let own = Own { place: Vec2::ZERO, heading: 0.6, speed: 0.0, radius: 0.3, wanted: Vec2::Y };
        let leads: Vec<Lead> = (0..120)
            .map(|_| steering.lead(&own, &[], None, true, 1.0 / 60.0, &StageSettings::default()))
            .collect();
        let turn = leads.iter().position(|lead| lead.turn).expect("they try to turn");
        assert!(leads[turn..].iter().any(|lead| lead.speed > 0.0));
    }
}
