//! Going somewhere: by a performance where the way is free, and by the gait among others.

use super::super::actor::{Actor, VisibleActor};
use super::super::avoid::Other;
use super::super::gates::DoorwayTurn;
use super::super::task::{Destination, TravelStep, Travelling};
use super::plans::PlanAnswer;
use super::plans::rest_of;
use super::{AROUND, DecisionContext, PATIENCE, RUN, SIGHT, TOUCHING};
use andante_skeleton::{Planar, rotation};
use std::sync::Arc;

/// Bodies are braked for the end of their way at this, in m/s².
const BRAKING: f32 = 1.1;

/// This close to its goal somebody has arrived, in metres.
const ARRIVED: f32 = 0.3;

/// Whoever waits goes no closer for less than this, in metres.
const SHUFFLE: f32 = 0.5;

/// Seconds until brakes take hold.
const LAG: f32 = 0.3;

/// Somebody who stands and has to turn by more than this does so on the spot, in radians.
const ABOUT: f32 = 1.0;

impl Actor {
    pub(super) fn go(
        &mut self,
        who: usize,
        going: &mut Travelling,
        ctx: &mut DecisionContext,
    ) -> Gone {
        going.way.follow(self.body.disc.place.position);
        if let Some(why) = going.stale.take()
            && let Err(reason) = self.replan(going, why, ctx)
        {
            return Gone::Failed(reason);
        }
        match going.step {
            TravelStep::Performing | TravelStep::Settling => {
                let over = self.body.played().is_none_or(|played| played.is_over());
                if over {
                    self.body.live();
                    return Gone::There;
                }
                if !going.planned
                    && going.step == TravelStep::Performing
                    && (self.has_to_wait(who, going, ctx) || self.would_collide(ctx))
                {
                    self.go_on_live();
                    going.step = TravelStep::Live;
                    going.progress = (ctx.time, going.way.at());
                    going.again = ctx.time + 1.5;
                }
                Gone::On
            }
            TravelStep::Turning => {
                // Meanwhile nobody expects to get ahead.
                going.progress.0 += f64::from(ctx.dt);
                if self.body.played().is_none_or(|played| played.is_over()) {
                    self.go_on_live();
                    going.step = TravelStep::Live;
                }
                Gone::On
            }
            TravelStep::Halting => self.set_off(going, ctx),
            TravelStep::Live => self.go_live(who, going, ctx),
        }
    }

    /// Goes over to the gait, and goes on as it went.
    fn go_on_live(&mut self) {
        self.body.live();
        self.steering.resume(self.body.disc.velocity(), &self.body.kind.settings.steering);
    }

    /// Begins to go: by a performance if the way is its own.
    fn set_off(&mut self, going: &mut Travelling, ctx: &mut DecisionContext) -> Gone {
        if going.planned || self.is_alone(going, ctx) {
            match self.set_off_to(going, ctx) {
                PlanAnswer::Made => {
                    going.step = TravelStep::Performing;
                    return Gone::On;
                }
                PlanAnswer::Refused(reason) if going.planned => return Gone::Failed(reason),
                _ if going.planned => {
                    self.rest(ctx.dt);
                    return Gone::On;
                }
                PlanAnswer::Later if self.body.is_standing() => {
                    self.rest(ctx.dt);
                    return Gone::On;
                }
                _ => {}
            }
        }
        self.go_on_live();
        going.step = TravelStep::Live;
        going.progress = (ctx.time, going.way.at());
        going.again = ctx.time + 0.5;
        Gone::On
    }

    fn go_live(&mut self, who: usize, going: &mut Travelling, ctx: &mut DecisionContext) -> Gone {
        self.body.live();
        let kind = Arc::clone(self.shared());
        let place = self.body.disc.place.position;
        let standing = self.body.is_standing();
        let left = going.goal.position.distance(place);
        if left < ARRIVED && going.way.left() < 2.0 * ARRIVED {
            return self.come_to_rest(who, going, ctx);
        }
        let (way, passages) = (&going.way, &going.passages);
        let passage = ctx.gates.pass(who, place, way, passages, kind.radius, going.stuck);
        if let DoorwayTurn::Back(out) = passage {
            let turn = self.go_back(out, ctx);
            if let Some(heading) = turn.filter(|_| self.body.is_standing()) {
                let foothold = self.foothold(going.tries, ctx).0;
                self.turn(going, Planar::new(foothold, heading), ctx);
            }
            return self.mind_progress(who, going, true, ctx);
        }
        if let Some((out, until)) = going.back {
            let _ = self.go_back(out, ctx);
            going.back = going.back.filter(|_| ctx.time < until);
            return self.mind_progress(who, going, false, ctx);
        }
        let pace = self.speed.unwrap_or(if going.run { RUN } else { self.vigour * kind.walk });
        let mut pursuit = going.way.pursue(&self.body.disc, pace, BRAKING);
        // Once nobody is in the way any more, the rest is planned, and ends exactly.
        let moving = self.body.disc.speed > 0.6 || standing;
        if passage == DoorwayTurn::Free
            && moving
            && ctx.time >= going.again
            && going.way.left() > 1.0
        {
            going.again = ctx.time + 0.5;
            if self.is_alone(going, ctx)
                && let Some(legs) = rest_of(&going.way, place)
                && matches!(self.plan(&legs, going.goal, going.run, ctx), PlanAnswer::Made)
            {
                going.step = TravelStep::Performing;
                self.blocked = false;
                return Gone::On;
            }
        }
        let room = self.room(going, passage, left);
        let waits = room < if standing { SHUFFLE } else { 0.05 };
        if !waits && ctx.time >= going.around {
            going.around = ctx.time + AROUND;
            if self.is_stood_in(going) && self.detour(going, ctx).is_some() {
                pursuit = going.way.pursue(&self.body.disc, pace, BRAKING);
            }
        }
        let slow = (2.0 * BRAKING * (room - LAG * self.body.disc.speed).max(0.0)).sqrt();
        let speed = if waits { 0.0 } else { pursuit.speed.min(slow) };
        let off = rotation::wrap_angle(pursuit.heading - self.body.disc.place.heading).abs();
        let free = standing && !waits && !going.stuck;
        let about = (free && off > ABOUT).then_some(pursuit.heading);
        let turn = self.lead(pursuit.heading, speed, ctx).or(about);
        let (foothold, pressed) = self.foothold(going.tries, ctx);
        let turn = turn.or((pressed && !waits).then_some(pursuit.heading));
        if let Some(heading) = turn
            && standing
        {
            self.turn(going, Planar::new(foothold, heading), ctx);
            if going.step != TravelStep::Turning {
                self.make_room(going, ctx);
            }
        }
        self.mind_progress(who, going, waits, ctx)
    }

    /// The last steps: to a stand, and then exactly where and how it has to stand.
    fn come_to_rest(
        &mut self,
        who: usize,
        going: &mut Travelling,
        ctx: &mut DecisionContext,
    ) -> Gone {
        ctx.gates.forget(who);
        if !self.body.is_standing() {
            let pursuit = going.way.pursue(&self.body.disc, 0.8, BRAKING);
            let close = going.goal.position.distance(self.body.disc.place.position) < 0.12;
            let speed = if close { 0.0 } else { pursuit.speed };
            self.lead(self.body.disc.place.heading, speed, ctx);
            if ctx.time - going.progress.0 > PATIENCE {
                self.rest(ctx.dt);
            }
            return Gone::On;
        }
        // Whoever may face anywhere stays as they came.
        if !matches!(&going.to, Destination::Post(post) if post.heading.is_some()) {
            going.goal.heading = self.body.hips().heading;
            if self.goal.is_some_and(|goal| goal.position == going.goal.position) {
                self.goal = Some(going.goal);
            }
        }
        let room = |other: &Other| self.radius() + other.radius - TOUCHING;
        if self.others.iter().any(|other| other.place.distance(going.goal.position) < room(other)) {
            return self.mind_progress(who, going, false, ctx);
        }
        match self.shuffle(going, going.goal, ctx) {
            PlanAnswer::Made => going.step = TravelStep::Settling,
            PlanAnswer::Later => return self.mind_progress(who, going, false, ctx),
            PlanAnswer::Refused(reason) => return Gone::Failed(reason),
        }
        Gone::On
    }

    /// Whether nobody comes near the way that is left.
    pub(in super::super) fn is_alone(&self, going: &Travelling, ctx: &DecisionContext) -> bool {
        let own = self.body.disc.place.position;
        let way = &going.way;
        let steps = ((way.left().min(15.0)) / 0.3).ceil() as usize;
        self.others_of(ctx).all(|seen| {
            let moving = seen.velocity.length() > 0.1 || seen.looks_out;
            let room = if moving { 2.5 } else { self.radius() + seen.radius + 0.15 };
            if moving && seen.place.distance(own) < 4.0 {
                return false;
            }
            (0..=steps)
                .all(|step| way.place(way.at() + 0.3 * step as f32).distance(seen.place) > room)
        })
    }

    fn others_of<'a>(&self, ctx: &'a DecisionContext) -> impl Iterator<Item = &'a VisibleActor> {
        let own = self.body.disc.place.position;
        ctx.seen.iter().filter(move |seen| seen.place != own)
    }

    /// Whether a performance would lead into somebody soon.
    fn would_collide(&self, ctx: &DecisionContext) -> bool {
        let Some(played) = self.body.played() else { return false };
        self.others_of(ctx).any(|seen| {
            let reach = self.radius() + seen.radius + 0.15;
            if seen.place.distance(self.body.disc.place.position) > SIGHT {
                return false;
            }
            let soon = if seen.looks_out { 7 } else { 10 };
            (1..=soon).any(|step| {
                let seconds = 0.2 * step as f32;
                played.ahead(seconds).distance(seen.place + seen.velocity * seconds) < reach
            })
        })
    }
}

/// What became of going.
pub(super) enum Gone {
    On,
    There,
    Failed(String),
}
