//! What somebody keeps an eye on: others, and what hangs low.

use super::super::actor::Actor;
use super::super::avoid::Other;
use super::super::disc::ahead;
use super::super::sensors::overhead;
use super::{DecisionContext, SIGHT};
use crate::{EventKind, GazeTarget};
use glam::Vec3;

impl Actor {
    /// Keeps an eye on others and on what hangs low.
    pub(super) fn notice(&mut self, who: usize, ctx: &mut DecisionContext) {
        let place = self.body.disc.place.position;
        self.others.clear();
        for (index, seen) in ctx.seen.iter().enumerate() {
            if index != who && seen.place.distance_squared(place) < SIGHT * SIGHT {
                let share = if seen.looks_out { 0.5 } else { 0.0 };
                let (place, velocity) = (seen.place, seen.velocity);
                self.others.push(Other { place, velocity, radius: seen.radius, share });
            }
        }
        self.body.gaze = match self.look {
            Some(GazeTarget::Point(point)) => Some(point),
            Some(GazeTarget::Character(whom)) => {
                ctx.seen.get(whom).filter(|_| whom != who).map(|seen| seen.head)
            }
            Some(GazeTarget::Heading(heading)) => {
                let to = 10.0 * ahead(heading);
                Some(Vec3::new(place.x + to.x, 1.5, place.y + to.y))
            }
            None => None,
        };
        self.duck(who, ctx);
    }

    fn duck(&mut self, who: usize, ctx: &mut DecisionContext) {
        if ctx.world.obstacles.is_empty() {
            return;
        }
        let stoop = &self.body.kind.stoop;
        let room = self.body.planned_room().unwrap_or_else(|| {
            let disc = &self.body.disc;
            let place = disc.place.position;
            let floor = ctx.world.height(place, self.body.floor() + 0.5).unwrap_or(0.0);
            let ahead = place + disc.ahead() * (disc.speed * stoop.settings().duck_seconds + 0.1);
            let above = floor + 0.5 * stoop.tall();
            overhead(&ctx.world.obstacles, place, ahead, self.body.kind.radius, above) - floor
        });
        let share = stoop.share(room);
        let missing = stoop.lowest() - room;
        self.body.bend = if self.ducks { share } else { 0.0 };
        let is_low = share > 0.0 || self.body.is_below_something();
        let missing = if self.ducks { missing } else { stoop.tall() - room };
        if is_low && missing > 0.0 && !self.too_low {
            ctx.tell(who, EventKind::TooLow(missing));
        }
        self.too_low = is_low && missing > 0.0;
        if is_low && self.ducks && !self.ducking {
            ctx.tell(who, EventKind::Ducked);
        } else if !is_low && self.ducking {
            ctx.tell(who, EventKind::Rose);
        }
        self.ducking = is_low && self.ducks;
    }
}
