//! Performances: planned from where somebody is, if nothing is in their way.

use super::super::actor::Actor;
use super::super::body::Played;
use super::super::floor::walls_at;
use super::super::join::{Joined, join};
use super::super::task::{TravelStep, Travelling};
use super::super::way::LiveRoute;
use super::{DESPERATE, DecisionContext, PRESSED, RUN, TOUCHING};
use andante_plan::steps::{StepLeg, StepOptions};
use andante_skeleton::Planar;
use glam::Vec2;

/// Steps away from others may sway to them by this, in metres.
const SWAY: f32 = 0.01;

impl Actor {
    /// Turns on the spot. Whoever cannot where they are steps away first, as they stand.
    pub(super) fn turn(
        &mut self,
        going: &mut Travelling,
        mut to: Planar,
        ctx: &mut DecisionContext,
    ) {
        if going.tries % 8 >= 4 {
            to.heading = self.body.hips().heading;
        }
        if matches!(self.shuffle(going, to, ctx), PlanAnswer::Made) {
            going.step = TravelStep::Turning;
        }
    }

    /// Turns or steps on the spot among others: not into those who stand there, unless there is no other way in the end.
    pub(super) fn shuffle(
        &mut self,
        going: &mut Travelling,
        goal: Planar,
        ctx: &mut DecisionContext,
    ) -> PlanAnswer {
        if ctx.time < going.shuffle {
            return PlanAnswer::Later;
        }
        let careful = going.detours < DESPERATE;
        let planned = self.plan_among(&[], goal, false, careful, ctx);
        if matches!(planned, PlanAnswer::Later) {
            going.shuffle = ctx.time + 0.3;
            going.tries += 1;
        } else {
            going.tries = 0;
        }
        planned
    }

    /// Plans a performance from here and goes over to it.
    pub(super) fn plan(
        &mut self,
        legs: &[StepLeg],
        goal: Planar,
        run: bool,
        ctx: &mut DecisionContext,
    ) -> PlanAnswer {
        self.plan_among(legs, goal, run, false, ctx)
    }

    fn plan_among(
        &mut self,
        legs: &[StepLeg],
        goal: Planar,
        run: bool,
        careful: bool,
        ctx: &mut DecisionContext,
    ) -> PlanAnswer {
        if ctx.plans == 0 {
            return PlanAnswer::Later;
        }
        ctx.plans -= 1;
        let usual = (self.vigour != 1.0).then_some(self.vigour * self.shared().walk);
        let pace = self.speed.or(if run { Some(RUN) } else { usual });
        let options = StepOptions { pace, ..StepOptions::default() };
        match join(&self.body, legs, goal, ctx.world, &options) {
            // The steps from one way into another must not lead into a wall.
            Ok(Joined::At(performance, _, frame))
                if frame > 0
                    && ctx.world.is_level()
                    && !legs.is_empty()
                    && self.is_walled(&performance.body[frame..], ctx) =>
            {
                PlanAnswer::Later
            }
            Ok(Joined::At(performance, ..)) if careful && self.is_crowded(&performance.body) => {
                PlanAnswer::Later
            }
            Ok(Joined::At(performance, plan, frame)) => {
                self.body.perform(plan, &performance, frame, &ctx.world.obstacles);
                PlanAnswer::Made
            }
            Ok(Joined::StandFirst) => PlanAnswer::Later,
            Err(error) => PlanAnswer::Refused(error.to_string()),
        }
    }

    /// Whether hips that go this way get deeper into somebody who stands there.
    fn is_crowded(&self, way: &[Planar]) -> bool {
        let Some(from) = way.first() else { return false };
        self.others.iter().filter(|other| other.velocity.length() < 0.1).any(|other| {
            let deep =
                |body: &Planar| self.radius() + other.radius - body.position.distance(other.place);
            // Those who get away from somebody may sway.
            let gets_away = way.last().is_some_and(|last| deep(last) < deep(from) - 0.03);
            let sway = if gets_away { SWAY } else { 0.0 };
            let most = (TOUCHING + sway).max(deep(from) + sway);
            way.iter().step_by(3).any(|body| deep(body) > most)
        })
    }

    /// Has more frames of a long performance made before they are needed.
    pub(super) fn perform_on(&mut self, ctx: &mut DecisionContext) {
        let Some(plan) = self.body.played().and_then(Played::wants) else { return };
        if ctx.plans == 0 {
            return;
        }
        ctx.plans -= 1;
        let made = plan.perform(self.shared(), ctx.world);
        let goes_on = made.is_ok_and(|performance| self.body.perform_on(&performance));
        // In a world that has changed it is another one: the rest is planned anew.
        if !goes_on && let Some(going) = self.task.going_mut() {
            going.stale = true;
        }
    }

    /// Whether walls are closer to a way than they should be, and closer than to its beginning.
    fn is_walled(&self, way: &[Planar], ctx: &mut DecisionContext) -> bool {
        let network = self.network(ctx);
        let walls = way.first().zip(network.as_ref());
        let Some(walls) = walls.and_then(|(from, network)| walls_at(network, from.position)) else {
            return false;
        };
        let deep = |place: Vec2| {
            let near = walls.around(place, 0.0).map(|(at, reach)| reach - at.distance(place));
            near.fold(0.0, f32::max)
        };
        let most = PRESSED.max(deep(way[0].position));
        way.iter().step_by(6).any(|body| deep(body.position) > most)
    }
}

/// What became of a plan.
pub(super) enum PlanAnswer {
    Made,
    /// Not in this step: too many plans already, or the body is not ready.
    Later,
    Refused(String),
}

/// What is left of a way.
pub(super) fn rest_of(way: &LiveRoute, from: Vec2) -> Option<Vec<StepLeg>> {
    let mut places = vec![from];
    let count = (way.left() / 0.2).ceil() as usize;
    places.extend(
        (1..=count).map(|step| way.place((way.at() + 0.2 * step as f32).min(way.length()))),
    );
    (places.len() > 1).then(|| vec![StepLeg::Walk(places)])
}
