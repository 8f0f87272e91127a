//! What somebody does besides going somewhere: standing, turning, patrolling, following.

use super::super::actor::Actor;
use super::super::disc::heading_of;
use super::super::floor::{find, walls_at};
use super::super::task::{ActorTask, Destination, Travelling};
use super::super::way::LiveRoute;
use super::going::Gone;
use super::plans::PlanAnswer;
use super::{DecisionContext, GAINS, RUN};
use crate::{EventKind, GazeTarget};
use andante_skeleton::{Planar, rotation};
use glam::Vec2;

impl Actor {
    /// Comes to a stand, and stands.
    pub(super) fn rest(&mut self, dt: f32) {
        if self.body.played().is_some() {
            if !self.body.is_on_ground() {
                return;
            }
            self.body.live();
        }
        let heading = self.body.disc.place.heading;
        self.body.disc.control(heading, 0.0, &GAINS, dt);
        if self.body.disc.speed.abs() < 0.02 {
            (self.body.disc.speed, self.body.disc.turn_rate) = (0.0, 0.0);
        }
    }

    pub(super) fn face(
        &mut self,
        who: usize,
        target: GazeTarget,
        begun: bool,
        ctx: &mut DecisionContext,
    ) {
        self.task = ActorTask::Face { target, begun };
        if begun {
            if self.body.played().is_none_or(|played| played.is_over()) {
                self.done(who, ctx);
            }
            return;
        }
        if !self.body.is_standing() {
            self.rest(ctx.dt);
            return;
        }
        let place = self.body.hips();
        let to = |point: Vec2| {
            let offset = point - place.position;
            if offset.length() > 0.05 { heading_of(offset) } else { place.heading }
        };
        let heading = match target {
            GazeTarget::Heading(heading) => heading,
            GazeTarget::Point(point) => to(Vec2::new(point.x, point.z)),
            GazeTarget::Character(whom) => {
                ctx.seen.get(whom).map_or(place.heading, |seen| to(seen.place))
            }
        };
        if rotation::wrap_angle(heading - place.heading).abs() < 0.01 {
            self.done(who, ctx);
            return;
        }
        match self.plan(&[], Planar::new(place.position, heading), false, ctx) {
            PlanAnswer::Made => {
                // What it was told last counts.
                self.goal = self.goal.map(|goal| Planar::new(goal.position, heading));
                self.task = ActorTask::Face { target, begun: true };
            }
            PlanAnswer::Later => {}
            PlanAnswer::Refused(reason) => self.fail(who, reason, ctx),
        }
    }

    pub(super) fn patrol(
        &mut self,
        who: usize,
        posts: Vec<crate::Waypoint>,
        mut next: usize,
        going: Option<Box<Travelling>>,
        ctx: &mut DecisionContext,
    ) {
        let mut going = match going {
            Some(going) => going,
            None => match self.route(Destination::Post(posts[next % posts.len()]), false, ctx) {
                Ok(going) => Box::new(going),
                Err(reason) => return self.fail(who, reason, ctx),
            },
        };
        let gone = self.go(who, &mut going, ctx);
        let going = match gone {
            Gone::On => Some(going),
            Gone::There => {
                ctx.tell(who, EventKind::Arrived);
                ctx.gates.forget(who);
                next += 1;
                None
            }
            Gone::Failed(reason) => return self.fail(who, reason, ctx),
        };
        self.task = ActorTask::Patrol { posts, next, going };
    }

    pub(super) fn follow(
        &mut self,
        who: usize,
        whom: usize,
        distance: f32,
        mut way: LiveRoute,
        mut planned: f64,
        ctx: &mut DecisionContext,
    ) {
        self.body.live();
        let Some(other) = ctx.seen.get(whom).copied() else {
            return self.fail(who, "there is nobody to follow".into(), ctx);
        };
        let place = self.body.disc.place.position;
        let network = self.network(ctx);
        let walls = network.as_ref().and_then(|network| walls_at(network, place));
        if walls.is_none_or(|walls| walls.edge_is_free(place, other.place) || !walls.is_free(place))
        {
            way.lead_along(&[place, other.place]);
        } else if ctx.time - planned > 0.5 {
            planned = ctx.time;
            let post = crate::Waypoint { place: other.place, height: None, heading: None };
            if let Some(route) =
                network.as_ref().and_then(|network| find(network, self.shared(), place, &post).ok())
            {
                way = route.way;
            }
        }
        way.follow(place);
        let gap = way.left() - distance;
        let most = self.speed.unwrap_or(RUN);
        let speed = (other.velocity.length() + 0.8 * gap).clamp(0.0, most);
        let pursuit = way.pursue(&self.body.disc, if gap > 0.1 { speed } else { 0.0 }, 2.0);
        self.task = ActorTask::Follow { whom, distance, way, planned };
        self.lead(pursuit.heading, pursuit.speed.min(speed), ctx);
    }
}
