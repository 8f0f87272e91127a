//! Ways to where somebody is sent.

use super::super::actor::Actor;
use super::super::disc::heading_of;
use super::super::floor::{FoundRoute, find, walls_at, way_of};
use super::super::task::{Destination, TravelStep, Travelling};
use super::DecisionContext;
use super::plans::PlanAnswer;
use andante_plan::steps::{Jump, StepLeg};
use andante_skeleton::Planar;
use glam::Vec2;
use std::sync::Arc;

/// Straight ground before and behind a jump, in metres.
const RUN_UP: f32 = 2.5;
const RUN_OUT: f32 = 3.0;

impl Actor {
    /// The way somewhere.
    pub(super) fn route(
        &self,
        to: Destination,
        run: bool,
        ctx: &mut DecisionContext,
    ) -> Result<Travelling, String> {
        let kind = Arc::clone(self.shared());
        let from = self.body.disc.place.position;
        let network = |ctx: &mut DecisionContext, jumps: bool| {
            ctx.world.network(self.kind, &kind, jumps).map_err(|error| error.to_string())
        };
        let (route, goal) = match &to {
            Destination::Post(post) => {
                let network = network(ctx, run && self.may_jump)?;
                let route = find(&network, &kind, from, post).map_err(|none| none.to_string())?;
                let heading = post.heading.unwrap_or(route.headings.1);
                (route, Planar::new(post.place, heading))
            }
            Destination::Path(places) => {
                let network = network(ctx, false)?;
                let walls = walls_at(&network, from);
                let mut all = vec![from];
                all.extend_from_slice(places);
                let blocked = |pair: &[Vec2]| {
                    walls.is_some_and(|walls| {
                        !walls.edge_is_free(pair[0], pair[1]) && walls.is_free(pair[0])
                    })
                };
                if let Some(pair) = all.windows(2).find(|pair| blocked(pair)) {
                    let [a, b] = [pair[0], pair[1]];
                    return Err(format!(
                        "the path is blocked between [{:.2}, {:.2}] and [{:.2}, {:.2}]",
                        a.x, a.y, b.x, b.y
                    ));
                }
                let legs = vec![StepLeg::Walk(all)];
                let way = way_of(&legs);
                let last = heading_of(way.direction(way.length()));
                let goal = Planar::new(way.end(), last);
                (FoundRoute { headings: (last, last), way, legs, jumps: false }, goal)
            }
            Destination::Jump { from: off, to } => {
                let network = network(ctx, false)?;
                let direction = (*to - *off).normalize_or(Vec2::Y);
                let (before, after) = (*off - direction * RUN_UP, *to + direction * RUN_OUT);
                let post = crate::Waypoint { place: before, height: None, heading: None };
                let mut route =
                    find(&network, &kind, from, &post).map_err(|none| none.to_string())?;
                route.legs.push(StepLeg::Walk(vec![before, *off]));
                route.legs.push(StepLeg::Jump(Jump { from: *off, to: *to, clip: None }));
                route.legs.push(StepLeg::Walk(vec![*to, after]));
                route.way = way_of(&route.legs);
                route.jumps = true;
                (route, Planar::new(after, heading_of(direction)))
            }
        };
        let network = network(ctx, false)?;
        let planned = route.jumps || !ctx.world.is_level();
        let passages = match walls_at(&network, from) {
            Some(walls) if !planned => ctx.gates.along(&route.way, walls, kind.radius),
            _ => Vec::new(),
        };
        Ok(Travelling {
            to,
            run,
            way: route.way,
            legs: route.legs,
            passages,
            goal,
            planned,
            step: TravelStep::Halting,
            progress: (ctx.time, 0.0),
            again: ctx.time,
            detours: 0,
            around: ctx.time,
            stuck: false,
            back: None,
            shuffle: ctx.time,
            tries: 0,
            stale: false,
        })
    }

    /// Looks for the way again, because the world or the speed has changed.
    pub(super) fn replan(
        &mut self,
        going: &mut Travelling,
        ctx: &mut DecisionContext,
    ) -> Result<(), String> {
        let fresh = self.route(going.to.clone(), going.run, ctx)?;
        let performing = going.step == TravelStep::Performing;
        let (step, detours) = (going.step, going.detours);
        *going = fresh;
        (going.step, going.detours) = (step, detours);
        // Whoever may face anywhere may face another way now.
        if self.goal.is_some_and(|goal| goal.position == going.goal.position) {
            self.goal = Some(going.goal);
        }
        if performing {
            match self.plan(&going.legs, going.goal, going.run, ctx) {
                PlanAnswer::Made => {}
                PlanAnswer::Later if ctx.plans == 0 => going.stale = true,
                _ => {
                    self.body.live();
                    going.step = if going.planned { TravelStep::Halting } else { TravelStep::Live };
                }
            }
        }
        Ok(())
    }
}
