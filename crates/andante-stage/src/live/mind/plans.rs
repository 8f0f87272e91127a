//! Plans of those who go somewhere: from rest, out of what they do, or around what has come into their way.

use super::super::actor::Actor;
use super::super::body::Played;
use super::super::disc::heading_of;
use super::super::floor::{FoundRoute, walls_at, way_of};
use super::super::frame_buffer::BufferedPlan;
use super::super::join::{Joined, join};
use super::super::task::{Destination, Stale, TravelStep, Travelling};
use super::super::way::LiveRoute;
use super::DecisionContext;
use super::detours;
use crate::character_plan::{
    CharacterPlanner, Draft, PlanFailure, StepSource, Trip, headings, on_footprints,
};
use crate::{PlannerSettings, Waypoint};
use andante_plan::steps::{
    Jump, PlacedFootprints, PlannedMotion, StepJourney, StepLeg, StepOptions,
};
use andante_skeleton::Planar;
use glam::Vec2;
use std::sync::Arc;

impl Actor {
    /// The planner of a trip from where it is, at its own speed.
    pub(in super::super) fn planner(
        &self,
        goal: Waypoint,
        run: bool,
        jumps: bool,
        ctx: &mut DecisionContext,
    ) -> Result<CharacterPlanner, PlanFailure> {
        let kind = Arc::clone(self.shared());
        let world = ctx.world.planning(self.kind, &kind, jumps)?;
        let usual = (self.vigour != 1.0).then_some(self.vigour * kind.walk);
        let pace = self.speed.or(if run { Some(self.settings().planner.run_pace) } else { usual });
        let options = StepOptions { pace, clock: ctx.world.clock, ..StepOptions::default() };
        let at = self.body.hips();
        let height = Some(self.body.pose()[0].translation.y);
        let start = Waypoint { place: at.position, height, heading: Some(at.heading) };
        let trip = Trip {
            start,
            goal,
            options,
            ducks: self.body.ducks,
            frees: true,
            route: self.route_method,
            footsteps: self.footsteps,
        };
        Ok(CharacterPlanner::on(world, trip))
    }

    /// The way somewhere.
    pub(super) fn route(
        &self,
        to: Destination,
        run: bool,
        ctx: &mut DecisionContext,
    ) -> Result<Travelling, String> {
        let from = self.body.disc.place.position;
        let anywhere = |place: Vec2| Waypoint { place, height: None, heading: None };
        let legs_to = |post: Waypoint, jumps: bool, ctx: &mut DecisionContext| {
            let legs = self.planner(post, run, jumps, ctx).and_then(|planner| planner.legs());
            legs.map_err(|failure| failure.to_string())
        };
        let (legs, goal) = match &to {
            Destination::Post(post) => {
                let legs = legs_to(*post, run && self.may_jump, ctx)?;
                let heading = post.heading.unwrap_or(headings(&legs).1);
                (legs, Planar::new(post.place, heading))
            }
            Destination::Path(places) => {
                let all = [&[from], &places[..]].concat();
                self.is_open(&all, ctx)?;
                let legs = vec![StepLeg::Walk(all)];
                let way = way_of(&legs);
                let last = heading_of(way.direction(way.length()));
                (legs, Planar::new(way.end(), last))
            }
            Destination::Footprints(prints) => {
                let places = prints.iter().map(|print| print.place.position);
                let places: Vec<Vec2> = std::iter::once(from).chain(places).collect();
                let goal = prints.last().map_or(self.body.hips(), |print| print.place);
                (vec![StepLeg::Walk(places)], goal)
            }
            Destination::Jump { from: off, to } => {
                let direction = (*to - *off).normalize_or(Vec2::Y);
                let PlannerSettings { told_run_up, told_run_out, .. } = self.settings().planner;
                let (before, after) =
                    (*off - direction * told_run_up, *to + direction * told_run_out);
                let mut legs = legs_to(anywhere(before), false, ctx)?;
                legs.push(StepLeg::Walk(vec![before, *off]));
                legs.push(StepLeg::Jump(Jump { from: *off, to: *to, clip: None }));
                legs.push(StepLeg::Walk(vec![*to, after]));
                (legs, Planar::new(after, heading_of(direction)))
            }
        };
        let route = FoundRoute { way: way_of(&legs), legs };
        let leaps = route.legs.iter().any(|leg| matches!(leg, StepLeg::Jump(_)));
        let placed = matches!(to, Destination::Footprints(_));
        let planned = leaps || placed || !ctx.world.is_level();
        let passages = if planned { Vec::new() } else { detours::passages(self, &route.way, ctx) };
        Ok(Travelling::new(to, run, route, passages, goal, planned, ctx.time))
    }

    /// Refuses a path that leads through something.
    fn is_open(&self, places: &[Vec2], ctx: &mut DecisionContext) -> Result<(), String> {
        let network = self.network(ctx);
        let walls = network.as_ref().and_then(|network| walls_at(network, places[0]));
        let blocked = |pair: &[Vec2]| {
            walls.is_some_and(|walls| {
                !walls.edge_is_free(pair[0], pair[1]) && walls.is_free(pair[0])
            })
        };
        let Some(pair) = places.windows(2).find(|pair| blocked(pair)) else { return Ok(()) };
        let [a, b] = [pair[0], pair[1]];
        Err(format!(
            "the path is blocked between [{:.2}, {:.2}] and [{:.2}, {:.2}]",
            a.x, a.y, b.x, b.y
        ))
    }

    /// Looks for the way again, because the world or the speed has changed. A motion is repaired where something has come
    /// into its way, and goes on where nothing has.
    pub(super) fn replan(
        &mut self,
        going: &mut Travelling,
        why: Stale,
        ctx: &mut DecisionContext,
    ) -> Result<(), String> {
        let performing = going.step == TravelStep::Performing;
        if performing && ctx.plans == 0 {
            going.stale = Some(why);
            return Ok(());
        }
        if performing && why == Stale::World && matches!(going.to, Destination::Post(_)) {
            match self.repaired(going, ctx) {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(failure @ (PlanFailure::Floor(_) | PlanFailure::Route(_))) => {
                    return Err(failure.to_string());
                }
                Err(failure @ PlanFailure::Blocked { .. }) => return Err(failure.to_string()),
                Err(_) => {
                    *going = self.again(going, ctx)?;
                    self.leave_plan(going);
                    return Ok(());
                }
            }
        }
        *going = self.again(going, ctx)?;
        if self.goal.is_some_and(|goal| goal.position == going.goal.position) {
            self.goal = Some(going.goal);
        }
        if performing {
            match self.set_off_to(going, ctx) {
                PlanAnswer::Made => {}
                _ => self.leave_plan(going),
            }
        }
        Ok(())
    }

    /// The same trip by the way there is now.
    fn again(&self, going: &Travelling, ctx: &mut DecisionContext) -> Result<Travelling, String> {
        let mut fresh = self.route(going.to.clone(), going.run, ctx)?;
        (fresh.step, fresh.detours) = (going.step, going.detours);
        Ok(fresh)
    }

    fn leave_plan(&mut self, going: &mut Travelling) {
        self.body.live();
        going.step = if going.planned { TravelStep::Halting } else { TravelStep::Live };
    }

    /// Goes on as planned, or around what has come into the way; not if there is no plan.
    fn repaired(
        &mut self,
        going: &mut Travelling,
        ctx: &mut DecisionContext,
    ) -> Result<bool, PlanFailure> {
        let Destination::Post(post) = going.to else { return Ok(false) };
        let Some((before, time)) = self.body.played().and_then(Played::whole) else {
            return Ok(false);
        };
        ctx.plans = ctx.plans.saturating_sub(1);
        let planner = self.planner(post, going.run, going.run && self.may_jump, ctx)?;
        if let Some(draft) = planner.repair(&before, time)? {
            self.follow_draft(going, draft, ctx);
        }
        going.passages =
            if going.planned { Vec::new() } else { detours::passages(self, &going.way, ctx) };
        Ok(true)
    }

    /// Whoever may face anywhere faces as it was planned.
    fn face_as(&mut self, going: &mut Travelling, heading: f32) {
        if going.faces() {
            return;
        }
        going.goal.heading = heading;
        if self.goal.is_some_and(|goal| goal.position == going.goal.position) {
            self.goal = Some(going.goal);
        }
    }

    /// Goes over from a motion to another that begins with it.
    fn follow_draft(&mut self, going: &mut Travelling, draft: Draft, ctx: &mut DecisionContext) {
        ctx.timings.add(&draft.timings, &draft.performance.timings);
        self.face_as(going, draft.goal.heading);
        self.body.go_another_way(Arc::new(draft.performance), &ctx.world.obstacles);
        let Some((motion, time)) = self.body.played().and_then(Played::whole) else { return };
        let now = (time * motion.clip.fps()) as usize;
        let ahead = motion
            .body
            .iter()
            .skip(now)
            .step_by(self.settings().planner.way_frames)
            .chain(motion.body.last());
        let places: Vec<Vec2> = ahead.map(|body| body.position).collect();
        going.way = LiveRoute::new(&places);
        going.legs = vec![StepLeg::Walk(places)];
        going.progress = (ctx.time, 0.0);
    }

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
        let careful = going.detours < self.settings().behavior.desperate;
        let planned = self.plan_among(&[], goal, false, careful, ctx);
        if matches!(planned, PlanAnswer::Later) {
            going.shuffle = ctx.time + 0.3;
            going.tries += 1;
        } else {
            going.tries = 0;
        }
        planned
    }

    /// Plans the whole trip from where it is: from rest, or out of the motion that is under way.
    pub(super) fn set_off_to(
        &mut self,
        going: &mut Travelling,
        ctx: &mut DecisionContext,
    ) -> PlanAnswer {
        let post = match &going.to {
            Destination::Post(post) => *post,
            Destination::Footprints(prints) => {
                let prints = prints.clone();
                return self.step_on(going, &prints, ctx);
            }
            _ => return self.plan(&going.legs, going.goal, going.run, ctx),
        };
        let stands = self.body.is_standing();
        let before = self.body.played().and_then(Played::whole).filter(|_| !stands);
        if !stands && before.is_none() {
            return self.plan(&going.legs, going.goal, going.run, ctx);
        }
        if ctx.plans == 0 {
            return PlanAnswer::Later;
        }
        ctx.plans -= 1;
        let planned =
            self.planner(post, going.run, going.run && self.may_jump, ctx).and_then(|planner| {
                match &before {
                    Some((before, time)) => {
                        planner.redirect(before, *time).map(|draft| (draft, None))
                    }
                    None => planner.fresh().map(|draft| (draft, Some(planner))),
                }
            });
        match planned {
            Ok((draft, None)) => {
                self.follow_draft(going, draft, ctx);
                PlanAnswer::Made
            }
            Ok((draft, Some(planner))) => {
                self.face_as(going, draft.goal.heading);
                self.perform_draft(draft, planner, ctx);
                PlanAnswer::Made
            }
            // What is under way is given up for a stand.
            Err(_) if before.is_some() => PlanAnswer::Later,
            Err(failure) => PlanAnswer::Refused(failure.to_string()),
        }
    }

    /// Steps on footprints that were placed by hand, from where the feet are.
    fn step_on(
        &mut self,
        going: &mut Travelling,
        placed: &[PlacedFootprints],
        ctx: &mut DecisionContext,
    ) -> PlanAnswer {
        if ctx.plans == 0 || !self.body.is_standing() {
            return PlanAnswer::Later;
        }
        ctx.plans -= 1;
        let Some(first) = placed.first() else { return PlanAnswer::Refused("no footprint".into()) };
        let feet = &self.character().rig.feet;
        if feet.len() != 2 {
            return PlanAnswer::Refused("footprints are for two feet".into());
        }
        let standing = |foot: usize| {
            let flat = |point: glam::Vec3| Vec2::new(point.x, point.z);
            let [heel, ball] = [feet[foot].heel, feet[foot].ball]
                .map(|point| flat(point.position(self.body.models())));
            let place = Planar::new(heel.midpoint(ball), heading_of(ball - heel));
            PlacedFootprints { foot, place }
        };
        let from = standing(first.foot);
        let away = from.place.position.distance(first.place.position);
        let farthest = self.settings().planner.farthest_step;
        if away > farthest {
            return PlanAnswer::Refused(format!(
                "the first footprint is {away:.2} m away from the foot; at most {farthest} m can be stepped"
            ));
        }
        let prints = [&[from, standing(1 - first.foot)], placed].concat();
        let anywhere = Waypoint { place: first.place.position, height: None, heading: None };
        let planned = self
            .planner(anywhere, false, false, ctx)
            .and_then(|planner| on_footprints(&planner, prints).map(|draft| (draft, planner)));
        match planned {
            Ok((draft, planner)) => {
                going.goal = draft.goal;
                self.goal = Some(draft.goal);
                self.perform_draft(draft, planner, ctx);
                PlanAnswer::Made
            }
            Err(failure) => PlanAnswer::Refused(failure.to_string()),
        }
    }

    /// Goes over to a motion from rest.
    fn perform_draft(
        &mut self,
        draft: Draft,
        planner: CharacterPlanner,
        ctx: &mut DecisionContext,
    ) {
        ctx.timings.add(&draft.timings, &draft.performance.timings);
        let plan = draft.steps.map(|steps| BufferedPlan { planner, steps });
        self.body.perform(plan, &Arc::new(draft.performance), 0, &ctx.world.obstacles);
    }

    /// Plans a motion along legs from here and goes over to it.
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
        let to = Waypoint { place: goal.position, height: None, heading: Some(goal.heading) };
        let planner = match self.planner(to, run, false, ctx) {
            Ok(planner) => planner,
            Err(failure) => return PlanAnswer::Refused(failure.to_string()),
        };
        let joined = if self.body.is_standing() {
            let journey = StepJourney { start: self.body.hips(), goal, legs: legs.to_vec() };
            let steps = StepSource::Journey(journey);
            let plan = BufferedPlan { planner, steps };
            plan.perform().map(|made| Joined::At(Arc::new(made), Box::new(plan), 0))
        } else {
            join(&self.body, legs, goal, &planner)
        };
        match joined {
            // The steps from one way into another must not lead into a wall.
            Ok(Joined::At(motion, _, frame))
                if frame > 0
                    && ctx.world.is_level()
                    && !legs.is_empty()
                    && self.is_walled(&motion.body[frame..], ctx) =>
            {
                PlanAnswer::Later
            }
            Ok(Joined::At(motion, ..)) if careful && self.is_crowded(&motion.body) => {
                PlanAnswer::Later
            }
            Ok(Joined::At(motion, plan, frame)) => {
                ctx.timings.add(&Default::default(), &motion.timings);
                self.body.perform(Some(*plan), &motion, frame, &ctx.world.obstacles);
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
            let sway = if gets_away { self.settings().behavior.sway } else { 0.0 };
            let most = (self.settings().behavior.touching + sway).max(deep(from) + sway);
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
        let made: Result<PlannedMotion, _> = plan.perform();
        let goes_on = made.is_ok_and(|performance| self.body.perform_on(&performance));
        if !goes_on && let Some(going) = self.task.going_mut() {
            going.stale = Some(Stale::Pace);
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
        let most = self.settings().behavior.pressed.max(deep(way[0].position));
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
