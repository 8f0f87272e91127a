//! How somebody gets along among others: what avoiding asks for, as something that a walking body can do.
//!
//! A body goes where it faces and turns slowly. It stands or walks and nothing between, and whoever stands and has to
//! go another way turns on the spot first.

use super::avoid::{Other, Own, VelocityChoice, safe_speed};
use super::disc::{ahead, heading_of};
use crate::{AvoidanceSettings, StageSettings, SteeringSettings};
use andante_plan::route::Walls;
use andante_skeleton::rotation;
use glam::Vec2;

/// What somebody has made up their mind to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Steering {
    /// Velocity they have made up their mind for, and what is left of that on the way there.
    aim: Vec2,
    chosen: Vec2,
    /// Seconds until they think about it again.
    settled: f32,
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

/// Whether somebody may turn on the spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpotTurn {
    /// It goes in bends, however narrow.
    Never,
    /// Not now: it does not stand on its feet.
    Later,
    Now,
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
    /// The steering of a character that stands and may set off.
    pub fn new(settings: &SteeringSettings) -> Self {
        Self::going(Vec2::ZERO, Some(settings.stand))
    }

    fn going(chosen: Vec2, stood: Option<f32>) -> Self {
        Self {
            aim: chosen,
            chosen,
            settled: 0.0,
            stood,
            squeezes: false,
            thought: 0.0,
            halted: false,
        }
    }

    /// True if others see that they stand.
    pub fn is_standing(&self, settings: &SteeringSettings) -> bool {
        self.stood.is_some_and(|stood| stood > settings.seen)
    }

    /// True if they have stood for longer than they like to.
    pub fn has_lost_patience(&self, settings: &SteeringSettings) -> bool {
        self.stood.is_some_and(|stood| stood > settings.patience)
    }

    /// Goes on from a velocity that something else has led to.
    pub fn resume(&mut self, velocity: Vec2, settings: &SteeringSettings) {
        let stands = velocity.length_squared() < settings.stop_below * settings.stop_below;
        let stood = stands.then_some(self.stood.unwrap_or(settings.stand));
        *self = Self::going(velocity, stood);
    }

    /// Stands from now on.
    pub fn halt(&mut self) {
        *self = Self { halted: true, ..Self::going(Vec2::ZERO, Some(0.0)) };
    }

    /// Goes for what is wanted if nobody is in the way of that, and otherwise for the best there is, thought over now and then.
    fn make_up_mind(
        &mut self,
        own: &Own,
        others: &[Other],
        walls: Option<&Walls>,
        dt: f32,
        settings: &AvoidanceSettings,
    ) {
        self.settled -= dt;
        let choice = VelocityChoice::new(own, others, walls, self.squeezes, settings);
        if let Some(wish) = choice.unhindered() {
            self.aim = wish;
        } else if self.settled <= 0.0 {
            self.aim = choice.best(self.aim);
            // Not everybody at the same time.
            let part = (7.0 * own.place.x + 3.0 * own.place.y).rem_euclid(1.0);
            self.settled = settings.rethink * (0.5 + part);
        }
        self.aim = self.aim.clamp_length_max(own.wanted.length());
    }

    /// The lead that comes of a wish among others and walls.
    pub fn lead(
        &mut self,
        own: &Own,
        others: &[Other],
        walls: Option<&Walls>,
        turning: SpotTurn,
        dt: f32,
        settings: &StageSettings,
    ) -> Lead {
        let StageSettings { avoidance, steering, .. } = settings;
        let share = 1.0 - libm::expf(-dt / steering.smoothing);
        self.make_up_mind(own, others, walls, dt, avoidance);
        self.chosen += (self.aim - self.chosen) * share;
        let can_turn = turning == SpotTurn::Now;
        let mut heading =
            if self.chosen.length() > 0.05 { heading_of(self.chosen) } else { own.heading };
        let missing = rotation::wrap_angle(heading - own.heading);
        let off = missing.abs();
        let mut speed = self.chosen.dot(ahead(own.heading)).max(0.0);
        if off > steering.stop_turn {
            speed = 0.0;
        }
        if turning == SpotTurn::Never && speed < self.chosen.length() {
            let most = 0.9 * steering.stop_turn;
            heading = own.heading + missing.clamp(-most, most);
            speed = speed.max(self.chosen.length().min(steering.bend));
        }
        let [usual, squeezing] = [steering.room, steering.squeeze_room]
            .map(|room| safe_speed(own, speed, others, walls, room, avoidance));
        match self.stood {
            Some(stood) => self.squeezes = stood > steering.patience,
            // Until there is room again.
            None => self.squeezes &= usual < steering.set_off_above,
        }
        speed = if self.squeezes { squeezing.max(usual) } else { usual };
        let [least, enough] = if self.squeezes {
            [0.5 * steering.squeeze_above, steering.squeeze_above]
        } else {
            [steering.stop_below, steering.set_off_above]
        };
        let turns_first = self.halted && can_turn && off > steering.spot_turn;
        match &mut self.stood {
            Some(stood) if speed > enough && *stood >= steering.stand && !turns_first => {
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
        let worth = self.chosen.length() > steering.turn_share * enough && off > steering.spot_turn;
        self.thought = if worth && can_turn { self.thought + dt } else { 0.0 };
        if self.thought > steering.thought {
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
        let mut leads = (0..120).map(|_| {
            steering.lead(&own, &[], None, SpotTurn::Now, 1.0 / 60.0, &StageSettings::default())
        });
        leads.find(|lead| lead.turn || lead.speed > 0.0).expect("they want to go")
    }

    /// In a doorway somebody set off at a wall, was stopped, and set off again for four minutes.
    #[test]
    fn who_was_stopped_turns_before_they_go_on() {
        let mut stopped = Steering::new(&SteeringSettings::default());
        stopped.halt();
        assert!(first(stopped).turn);
        assert!(first(Steering::new(&SteeringSettings::default())).speed > 0.0);
    }

    /// Somebody who squeezed past another stopped as soon as they were fast enough, and began again.
    #[test]
    fn who_squeezes_past_another_goes_on_until_there_is_room() {
        let own = Own { place: Vec2::ZERO, heading: 0.0, speed: 0.0, radius: 0.3, wanted: Vec2::Y };
        // 3 cm would be left between them.
        let beside = Vec2::new(0.63, 0.3);
        let other = Other {
            who: 1,
            place: beside,
            velocity: Vec2::ZERO,
            radius: 0.3,
            share: 0.0,
            goes: false,
        };
        let mut steering = Steering::new(&SteeringSettings::default());
        let mut leads = (0..600).map(|_| {
            steering.lead(
                &own,
                &[other],
                None,
                SpotTurn::Later,
                1.0 / 60.0,
                &StageSettings::default(),
            )
        });
        assert!(leads.by_ref().any(|lead| lead.speed > 0.0));
        assert!(leads.all(|lead| lead.speed > 0.0));
    }

    #[test]
    fn who_was_stopped_and_cannot_turn_goes_on_all_the_same() {
        let mut steering = Steering::new(&SteeringSettings::default());
        steering.halt();
        let own = Own { place: Vec2::ZERO, heading: 0.6, speed: 0.0, radius: 0.3, wanted: Vec2::Y };
        let leads: Vec<Lead> = (0..120)
            .map(|_| {
                steering.lead(&own, &[], None, SpotTurn::Now, 1.0 / 60.0, &StageSettings::default())
            })
            .collect();
        let turn = leads.iter().position(|lead| lead.turn).expect("they try to turn");
        assert!(leads[turn..].iter().any(|lead| lead.speed > 0.0));
    }
}
