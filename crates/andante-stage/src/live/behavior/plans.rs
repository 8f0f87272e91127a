//! Plans of those who go somewhere: from rest, out of what they do, or around what has come into their way.

use super::travel::{Destination, Gone, Stale, TravelStep, Travelling};
use super::{Decision, among, flow};
use crate::character_plan::{
    CharacterPlanner, PlanFailure, Trip, headings, may_be_stepped, places_of,
};
use crate::live::body::Played;
use crate::live::disc::heading_of;
use crate::live::floor::walls_at;
use crate::live::planning::{MadePlan, MotionUnderWay, PlanTicket, PlanWork};
use crate::live::way::LiveRoute;
use crate::{EventKind, PlannerSettings, Waypoint};
use andante_plan::route::NoRoute;
use andante_plan::steps::{Jump, PlacedFootprints, StepLeg, StepOptions, between_hairpins};
use andante_skeleton::Planar;
use andante_world::Obstacle;
use glam::{Vec2, Vec3};
use std::sync::Arc;

impl Decision<'_> {
    /// The planner of a trip from where it is, at its own speed.
    pub fn planner(
        &mut self,
        goal: Waypoint,
        run: bool,
        jumps: bool,
    ) -> Result<CharacterPlanner, PlanFailure> {
        let kind = &self.body.kind;
        let world = self.world.planning(self.kind, kind, jumps)?;
        let own = (self.behavior.vigour != 1.0).then_some(self.behavior.vigour * kind.walk);
        let usual = if run { Some(kind.settings.planner.run_pace) } else { own };
        let pace = self.behavior.speed.or(usual);
        let options = StepOptions { clock: self.world.clock, ..kind.settings.step_options(pace) };
        let at = self.body.hips();
        if !self.is_on_ground(at.position) {
            return Err(NoRoute::StartOff(at.position).into());
        }
        // Roots may be anywhere, on the floor as well.
        let height = Some(self.body.models()[kind.character().rig.hips].translation.y);
        let start = Waypoint { place: at.position, height, heading: Some(at.heading) };
        let trip = Trip {
            start,
            goal,
            via: Vec::new(),
            told: None,
            options,
            ducks: self.body.ducks,
            frees: true,
            route: self.behavior.route_method,
            footsteps: self.behavior.footsteps,
        };
        Ok(CharacterPlanner::on(world, trip))
    }

    /// Whether there is ground below a place or a step beside it: planned feet would be led to where there is some, however far.
    fn is_on_ground(&self, at: Vec2) -> bool {
        let up = self.body.floor() + self.settings().behavior.step_up;
        let around = (0..8).map(|k| 0.5 * Vec2::from_angle(k as f32 * std::f32::consts::FRAC_PI_4));
        let mut places = std::iter::once(Vec2::ZERO).chain(around).map(|beside| at + beside);
        places.any(|place| self.world.height(place, up).is_some())
    }

    /// The way to a post, leg by leg.
    fn legs_to(&mut self, post: Waypoint, run: bool, jumps: bool) -> Result<Vec<StepLeg>, String> {
        let legs = self.planner(post, run, jumps).and_then(|planner| planner.legs());
        legs.map_err(|failure| failure.to_string())
    }

    /// The way there at a walk, as one line.
    pub(super) fn way_to(&mut self, post: Waypoint) -> Result<Vec<Vec2>, String> {
        self.legs_to(post, false, false).map(|legs| places_of(&legs))
    }

    /// The way somewhere.
    pub(super) fn route(&mut self, to: Destination, run: bool) -> Result<Travelling, String> {
        let from = self.place();
        let (mut searched, mut then) = (false, Vec::new());
        let (legs, goal) = match &to {
            Destination::Post(post) => {
                let jumps = run && self.behavior.may_jump;
                let planner =
                    self.planner(*post, run, jumps).map_err(|failure| failure.to_string())?;
                let legs = match planner.legs() {
                    // No line leads there, but perhaps footsteps do.
                    Err(failure) if may_be_stepped(&planner, &failure) => {
                        searched = true;
                        vec![StepLeg::Walk(vec![from, post.place])]
                    }
                    legs => legs.map_err(|failure| failure.to_string())?,
                };
                let heading = post.heading.unwrap_or(headings(&legs).1);
                (legs, Planar::new(post.place, heading))
            }
            Destination::Path(posts) => {
                // Paths begin where one stands.
                let arrived = self.settings().behavior.arrived;
                let here = posts.iter().take_while(|post| post.place.distance(from) < arrived);
                let posts = &posts[here.count().min(posts.len().saturating_sub(1))..];
                let places = posts.iter().map(|post| post.place);
                let mut all: Vec<Vec2> = std::iter::once(from).chain(places).collect();
                self.is_open(&all)?;
                let flows = flow::can_flow(self);
                let end = LiveRoute::new(&all);
                let behavior = &self.settings().behavior;
                let pieces = between_hairpins(&all, behavior.hairpin, behavior.hairpin_length);
                if let [first, _, ..] = &pieces[..] {
                    then = posts[first.len() - 1..].to_vec();
                    all.truncate(first.len());
                }
                let way = if flows { end } else { LiveRoute::new(&all) };
                let last = heading_of(way.direction(way.length()));
                (vec![StepLeg::Walk(all)], Planar::new(way.end(), last))
            }
            Destination::Through(posts) => {
                let planner = flow::planner(self, posts, run);
                let legs = planner.and_then(|planner| planner.legs());
                let legs = legs.map_err(|failure| failure.to_string())?;
                let goal = posts.last().copied().unwrap_or(Waypoint::at(from));
                let heading = goal.heading.unwrap_or(headings(&legs).1);
                let (line, rest) = flow::first_part(self, &places_of(&legs), posts);
                then = rest;
                (vec![StepLeg::Walk(line)], Planar::new(goal.place, heading))
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
                let mut legs = self.legs_to(Waypoint::at(before), run, false)?;
                legs.push(StepLeg::Walk(vec![before, *off]));
                legs.push(StepLeg::Jump(Jump { from: *off, to: *to, clip: None }));
                legs.push(StepLeg::Walk(vec![*to, after]));
                (legs, Planar::new(after, heading_of(direction)))
            }
        };
        let way = LiveRoute::new(&places_of(&legs));
        let leaps = legs.iter().any(|leg| matches!(leg, StepLeg::Jump(_)));
        let placed = matches!(to, Destination::Footprints(_));
        let mut going = Travelling::new(to, run, way, goal, self.time);
        going.planned = leaps || placed || searched || !self.world.is_level();
        let is_found = matches!(going.to, Destination::Post(_) | Destination::Through(_));
        going.told = (!is_found).then_some(legs);
        going.then = then;
        self.find_passages(&mut going);
        Ok(going)
    }

    /// The narrow passages of a way.
    pub(super) fn find_passages(&mut self, going: &mut Travelling) {
        going.passages.clear();
        let network = if going.planned { None } else { self.network() };
        let floor = self.body.floor();
        let walls = network.as_ref().and_then(|network| walls_at(network, self.place(), floor));
        if let Some(walls) = walls {
            going.passages = self.gates.along(&going.way, walls, self.radius());
        }
    }

    /// Refuses a path that leads through something.
    fn is_open(&mut self, places: &[Vec2]) -> Result<(), String> {
        let (network, floor) = (self.network(), self.body.floor());
        let walls = network.as_ref().and_then(|network| walls_at(network, places[0], floor));
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

    /// Looks for the way again, because the world or the speed has changed. A motion goes on until it is repaired where
    /// something has come into its way.
    pub(super) fn replan(&mut self, going: &mut Travelling, why: Stale) -> Result<(), String> {
        going.asked = None;
        going.passing.ask_no_more();
        let performs = going.step == TravelStep::Performing;
        if performs && why == Stale::World && !going.planned && self.is_surprised() {
            self.route_again(going)?;
            self.go_live(going, 0.5);
            return Ok(());
        }
        if performs
            && why == Stale::World
            && let Destination::Post(post) = going.to
            && let Some(motion) = self.under_way(going)
        {
            let planner = self.planner(post, going.run, going.run && self.behavior.may_jump);
            let planner = planner.map_err(|failure| failure.to_string())?;
            let ticket =
                self.planning.ask(self.time, self.lasts(going), planner, PlanWork::Repair(motion));
            going.asked = Some((ticket, TravelStep::Performing));
            return Ok(());
        }
        self.route_again(going)?;
        if performs && !self.ask_trip(going).is_ok_and(|asked| asked) {
            self.leave_plan(going);
        }
        Ok(())
    }

    /// Whether something is so near before it that no plan leads past it in time: the gait brakes at once.
    fn is_surprised(&self) -> bool {
        let Some(played) = self.body.played() else { return false };
        let seconds = self.settings().planner.surprise_seconds;
        let places = || (0..=10).map(|step| played.ahead(0.1 * step as f32 * seconds));
        let met = |obstacle: &Obstacle| {
            let is_met = |place: Vec2| obstacle.distance_beside(place) < self.radius();
            obstacle.bottom() < self.body.floor() + self.body.kind.stoop.lowest()
                && places().any(is_met)
        };
        self.world.obstacles.iter().any(met)
    }

    /// Finds the way there is now.
    fn route_again(&mut self, going: &mut Travelling) -> Result<(), String> {
        let mut fresh = self.route(going.ahead(), going.run)?;
        (fresh.step, fresh.detours) = (going.step, going.detours);
        fresh.passing.passed = going.passing.passed;
        *going = fresh;
        if self.behavior.goal.is_some_and(|goal| goal.position == going.goal.position) {
            self.behavior.goal = Some(going.goal);
        }
        Ok(())
    }

    fn leave_plan(&mut self, going: &mut Travelling) {
        self.body.live();
        going.step = if going.planned { TravelStep::Halting } else { TravelStep::Live };
        if going.passing.is_timed() {
            flow::lead_on(self, going);
        }
    }

    /// About how many seconds the rest of the way takes.
    fn lasts(&self, going: &Travelling) -> f32 {
        let left = match going.to {
            Destination::Through(_) | Destination::Path(_) => going.passing.length(self.place()),
            _ => going.way.left(),
        };
        left / self.pace(going.run).max(0.1)
    }

    /// The motion that is played, and from when on it may change once a plan for that is there.
    fn under_way(&self, going: &Travelling) -> Option<MotionUnderWay> {
        let played = self.body.played().filter(|played| !played.is_over())?;
        let (motion, time) = (Arc::clone(played.motion()), played.time());
        let later = self.planning.seconds(self.time, self.lasts(going)) as f32;
        // It is taken in the first step after that.
        let later = if later > 1e-6 { later + self.dt } else { 0.0 };
        Some(MotionUnderWay { motion, time: time + later })
    }

    /// Asks for a plan of the whole trip: from rest, or out of the motion that is under way. Whether it has been asked for;
    /// not by those who have to stand first, nor for a long way that the gait can go, nor if many others have asked
    /// before.
    pub(super) fn ask_trip(&mut self, going: &mut Travelling) -> Result<bool, String> {
        let stands = self.body.is_standing();
        let under_way = if stands { None } else { self.under_way(going) };
        let lasts = self.lasts(going);
        let far = lasts > self.settings().planner.longest_plan;
        let waits = !going.planned && (far || !self.planning.has_room(self.time));
        if waits || !stands && under_way.is_none() {
            return Ok(false);
        }
        let Planar { position, heading } = going.goal;
        let there = Waypoint { place: position, height: None, heading: Some(heading) };
        let planned = match (&going.to, &going.told) {
            (Destination::Post(post), _) => {
                self.planner(*post, going.run, going.run && self.behavior.may_jump)
            }
            (Destination::Footprints(_), _) => self.planner(there, false, false),
            (Destination::Through(_), _) => {
                let posts = going.passing.left.clone();
                flow::planner(self, &posts, going.run)
            }
            (Destination::Path(_), _) if flow::can_flow(self) => flow::along(self, there, going),
            (_, told) => {
                let told = told.clone().unwrap_or_default();
                self.planner(there, going.run, false).map(|planner| planner.along(told))
            }
        };
        let planner = planned.map_err(|failure| failure.to_string())?;
        let work = match (&going.to, under_way) {
            (Destination::Footprints(_), Some(_)) => return Ok(false),
            (Destination::Footprints(prints), None) => {
                PlanWork::Footprints(self.after_own_feet(prints)?)
            }
            (_, Some(motion)) => PlanWork::Redirect(motion),
            (_, None) => PlanWork::Fresh,
        };
        let ticket = self.planning.ask(self.time, lasts, planner, work);
        going.asked = Some((ticket, TravelStep::Performing));
        Ok(true)
    }

    /// Footprints that were placed by hand, after those of the feet.
    fn after_own_feet(&self, placed: &[PlacedFootprints]) -> Result<Vec<PlacedFootprints>, String> {
        let first = placed.first().ok_or("no footprint")?;
        let feet = &self.body.kind.character().rig.feet;
        if feet.len() != 2 {
            return Err("footprints are for two feet".into());
        }
        let standing = |foot: usize| {
            let flat = |point: Vec3| Vec2::new(point.x, point.z);
            let [heel, ball] = [feet[foot].heel, feet[foot].ball]
                .map(|point| flat(point.position(self.body.models())));
            let place = Planar::new(heel.midpoint(ball), heading_of(ball - heel));
            PlacedFootprints { foot, place }
        };
        let from = standing(first.foot);
        let away = from.place.position.distance(first.place.position);
        let farthest = self.settings().planner.farthest_step;
        if away > farthest {
            return Err(format!(
                "the first footprint is {away:.2} m away from the foot; at most {farthest} m can be stepped"
            ));
        }
        Ok([&[from, standing(1 - first.foot)], placed].concat())
    }

    /// Asks for steps on the spot to a place beside it.
    pub(super) fn ask_step(&mut self, goal: Planar) -> Result<PlanTicket, PlanFailure> {
        let to = Waypoint { place: goal.position, height: None, heading: Some(goal.heading) };
        let planner = self.planner(to, false, false)?.along(Vec::new());
        Ok(self.planning.ask(self.time, 0.0, planner, PlanWork::Fresh))
    }

    /// Turns on the spot. Whoever cannot where they are steps away first, as they stand.
    pub(super) fn turn(&mut self, going: &mut Travelling, mut to: Planar) {
        if going.tries % 8 >= 4 {
            to.heading = self.body.hips().heading;
        }
        let _ = self.shuffle(going, to, TravelStep::Turning);
    }

    /// Turns or steps on the spot among others.
    pub(super) fn shuffle(
        &mut self,
        going: &mut Travelling,
        goal: Planar,
        then: TravelStep,
    ) -> Result<(), String> {
        if self.time >= going.shuffle {
            let ticket = self.ask_step(goal).map_err(|failure| failure.to_string())?;
            going.asked = Some((ticket, then));
        }
        Ok(())
    }

    /// Takes the plan that was asked for, if it is due.
    pub(super) fn receive(&mut self, going: &mut Travelling) -> Option<Gone> {
        let (ticket, then) = going.asked.take_if(|(ticket, _)| ticket.is_due(self.time))?;
        let planned = ticket.poll(self.time)?;
        if let Some(leaves) = ticket.leaves_at() {
            if flow::is_asked_for_more(going) {
                return Some(flow::receive_more(self, going, leaves, planned));
            }
            return Some(self.change_over(going, leaves, ticket.repairs(), planned));
        }
        Some(match (planned, then) {
            (Ok(None), _) => Gone::On,
            (Ok(Some(made)), TravelStep::Performing) => {
                if matches!(going.to, Destination::Footprints(_)) {
                    going.goal = made.goal;
                    self.behavior.goal = Some(made.goal);
                }
                self.face_as(going, made.goal.heading);
                self.perform(&made);
                going.step = then;
                if !going.passing.left.is_empty() && flow::can_flow(self) {
                    flow::follow_motion(self, going, &made.motion);
                }
                Gone::On
            }
            // Not into those who stand there, unless there is no other way in the end.
            (Ok(Some(made)), _)
                if going.detours < self.settings().behavior.desperate
                    && among::is_crowded(self, &made.motion.body) =>
            {
                going.shuffle = self.time + 0.3;
                going.tries += 1;
                among::make_room(self, going);
                among::mind_progress(self, going, false)
            }
            (Ok(Some(made)), _) => {
                going.tries = 0;
                self.perform(&made);
                going.step = then;
                Gone::On
            }
            (Err(failure), TravelStep::Settling) => Gone::Failed(failure.to_string()),
            (Err(_), TravelStep::Turning) => {
                going.tries = 0;
                Gone::On
            }
            // Not all at once, then.
            (Err(_), _) if going.planned && matches!(going.to, Destination::Through(_)) => {
                let first = going.passing.left.first().copied();
                let first = first.map(|post| self.route(Destination::Post(post), going.run));
                match first {
                    Some(Ok(fresh)) => *going = fresh,
                    Some(Err(reason)) => return Some(Gone::Failed(reason)),
                    None => {}
                }
                Gone::On
            }
            (Err(failure), _) if going.planned => Gone::Failed(failure.to_string()),
            (Err(_), _) => {
                self.go_live(going, 0.5);
                Gone::On
            }
        })
    }

    /// Goes over from the motion that is under way to another that begins with it.
    fn change_over(
        &mut self,
        going: &mut Travelling,
        leaves: f32,
        repairs: bool,
        planned: Result<Option<MadePlan>, PlanFailure>,
    ) -> Gone {
        let now = self.body.played().map_or(f32::INFINITY, Played::time);
        match planned {
            // It came too late.
            Ok(_) if now > leaves + 1e-3 => going.stale = Some(Stale::World),
            Ok(None) => self.find_passages(going),
            Ok(Some(made)) => {
                self.go_another_way(going, made);
                going.step = TravelStep::Performing;
                if repairs {
                    self.find_passages(going);
                }
            }
            // There is no way any more.
            Err(
                failure @ (PlanFailure::Floor(_)
                | PlanFailure::Route(_)
                | PlanFailure::Blocked { .. }),
            ) if repairs => return Gone::Failed(failure.to_string()),
            // What is under way is given up.
            Err(_) => {
                if repairs && let Err(reason) = self.route_again(going) {
                    return Gone::Failed(reason);
                }
                self.leave_plan(going);
            }
        }
        Gone::On
    }

    /// Whoever may face anywhere faces as it was planned.
    pub(super) fn face_as(&mut self, going: &mut Travelling, heading: f32) {
        if going.faces() {
            return;
        }
        going.goal.heading = heading;
        if self.behavior.goal.is_some_and(|goal| goal.position == going.goal.position) {
            self.behavior.goal = Some(going.goal);
        }
    }

    /// Goes on by a motion that begins with the one that is played.
    fn go_another_way(&mut self, going: &mut Travelling, made: MadePlan) {
        self.timings.add(&made.timings, &made.motion.timings);
        self.face_as(going, made.goal.heading);
        self.body.go_another_way(&made.motion, &self.world.obstacles);
        let motion = &made.motion;
        let now = (self.body.played().map_or(0.0, Played::time) * motion.clip.fps()) as usize;
        if !going.passing.left.is_empty() && flow::can_flow(self) {
            return flow::follow_motion(self, going, motion);
        }
        let frames = motion.body.iter().skip(now).step_by(self.settings().planner.way_frames);
        let places: Vec<Vec2> =
            frames.chain(motion.body.last()).map(|body| body.position).collect();
        going.way = LiveRoute::new(&places);
        going.progress = (self.time, 0.0);
    }

    /// Goes over to a motion from rest.
    pub(super) fn perform(&mut self, made: &MadePlan) {
        self.timings.add(&made.timings, &made.motion.timings);
        if let Some(why) = &made.doubt {
            self.tell(EventKind::Doubted(why.clone()));
        }
        self.body.perform(&made.motion, &self.world.obstacles);
    }
}
