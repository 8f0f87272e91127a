//! Going through places without a stop: what is left of them, and the next part, which is planned while the last is walked.

use super::travel::{Destination, Gone, TravelStep, Travelling};
use super::{Decision, heading_of};
use crate::character_plan::{CharacterPlanner, PlanFailure};
use crate::live::body::Played;
use crate::live::planning::{MadePlan, MotionUnderWay, PlanWork};
use crate::live::way::LiveRoute;
use crate::{BehaviorSettings, FootstepMethod, Waypoint};
use andante_plan::steps::{PlannedMotion, StepLeg, StepMethod, between_hairpins};
use andante_skeleton::Planar;
use glam::Vec2;
use std::sync::Arc;

/// Places that somebody passes on its way.
#[derive(Clone, Debug)]
pub(crate) struct Passing {
    /// Those that are left, in order; the last is where the way ends.
    pub left: Vec<Waypoint>,
    /// How many were passed that nobody was told of yet.
    pub passed: usize,
    /// How near it has come to the next one.
    nearest: f32,
    /// Places that were asked for to follow those.
    more: Vec<Waypoint>,
    /// Whether it may go on from the last one without a stop.
    flows: bool,
    /// How far along its way it is at every so-manieth frame of the motion that it plays.
    timed: Option<(usize, Vec<f32>)>,
}

impl Passing {
    pub fn new(left: Vec<Waypoint>) -> Self {
        let nearest = f32::INFINITY;
        Self { left, passed: 0, nearest, more: Vec::new(), flows: true, timed: None }
    }

    /// True if its way is that of a motion.
    pub fn is_timed(&self) -> bool {
        self.timed.is_some()
    }

    /// Takes note of where it is. The last place is not passed: there it stops.
    pub fn pass(&mut self, place: Vec2, arrived: f32) {
        while self.left.len() > 1 {
            let far = self.left[0].place.distance(place);
            self.nearest = self.nearest.min(far);
            // It has come there, or leaves it behind.
            let leaves = self.nearest < arrived && far > self.nearest + 0.1 * arrived;
            if !(far < 0.3 * arrived || leaves) {
                break;
            }
            self.drop_next();
        }
    }

    fn drop_next(&mut self) {
        self.left.remove(0);
        (self.passed, self.nearest) = (self.passed + 1, f32::INFINITY);
    }

    /// Whether it went by the next place, farther off than it may.
    fn has_missed(&self, place: Vec2, arrived: f32) -> bool {
        self.left.len() > 1
            && self.nearest >= arrived
            && self.left[0].place.distance(place) > self.nearest + 2.0 * arrived
    }

    /// Forgets what it has asked for.
    pub fn ask_no_more(&mut self) {
        self.more.clear();
    }

    /// Metres from place to place.
    pub fn length(&self, from: Vec2) -> f32 {
        length(from, &self.left)
    }
}

fn length(mut from: Vec2, places: &[Waypoint]) -> f32 {
    places.iter().map(|post| std::mem::replace(&mut from, post.place).distance(from)).sum()
}

/// How sharp corners are that are turned round on the spot.
fn hairpins(settings: &BehaviorSettings) -> [f32; 2] {
    [settings.hairpin, settings.hairpin_length]
}

/// Whether it can go through places without a stop: step by step.
pub(super) fn can_flow(own: &Decision) -> bool {
    let is_stepper = matches!(own.body.kind.bodies[0].planner, StepMethod::Steps(_));
    is_stepper && own.behavior.footsteps == FootstepMethod::Route
}

/// The planner of a trip through places to the last of them.
pub(super) fn planner(
    own: &mut Decision,
    posts: &[Waypoint],
    run: bool,
) -> Result<CharacterPlanner, PlanFailure> {
    let Some((last, via)) = posts.split_last() else { return Err(PlanFailure::NoFootprints) };
    let sharp = hairpins(&own.settings().behavior);
    Ok(own.planner(*last, run, false)?.through(via.to_vec(), sharp))
}

/// The planner of a trip along a line that was told, from where it is.
pub(super) fn along(
    own: &mut Decision,
    goal: Waypoint,
    going: &Travelling,
) -> Result<CharacterPlanner, PlanFailure> {
    let from = own.place();
    let (arrived, left) = (own.settings().behavior.arrived, &going.passing.left);
    // Lines begin where one stands.
    let here = left.iter().take_while(|post| post.place.distance(from) < arrived).count();
    let places = left[here.min(left.len().saturating_sub(1))..].iter().map(|post| post.place);
    let told = vec![StepLeg::Walk(std::iter::once(from).chain(places).collect())];
    let sharp = hairpins(&own.settings().behavior);
    Ok(own.planner(goal, going.run, false)?.through(Vec::new(), sharp).along(told))
}

/// A line to the first place that has to be turned round at on the spot, and the places after that.
pub(super) fn first_part(
    own: &Decision,
    line: &[Vec2],
    posts: &[Waypoint],
) -> (Vec<Vec2>, Vec<Waypoint>) {
    let [angle, near] = hairpins(&own.settings().behavior);
    let mut part: Vec<Vec2> = Vec::new();
    for piece in between_hairpins(line, angle, near) {
        part.extend(&piece[usize::from(!part.is_empty()).min(piece.len())..]);
        let Some(&end) = part.last() else { continue };
        // Elsewhere it is the ground that leads round a corner.
        let at = posts.iter().position(|post| post.place.distance(end) < 0.05);
        if let Some(at) = at {
            return (part, posts[at + 1..].to_vec());
        }
    }
    (line.to_vec(), Vec::new())
}

/// Takes note of how far it is on its way, and of the places that it passes.
pub(super) fn follow(own: &mut Decision, going: &mut Travelling) {
    let arrived = own.settings().behavior.arrived;
    if going.passing.is_timed() && going.step != TravelStep::Performing {
        lead_on(own, going);
    }
    match (&going.passing.timed, own.body.played()) {
        (Some((every, along)), Some(played)) => {
            let at = played.left() * played.fps() / *every as f32;
            let at = (along.len() as f32 - 1.0 - at).max(0.0);
            let index = (at as usize).min(along.len() - 1);
            let next = along[(index + 1).min(along.len() - 1)];
            going.way.go_to(along[index] + (next - along[index]) * (at - index as f32));
        }
        _ => going.way.follow(own.place()),
    }
    let place = own.body.hips_place();
    going.passing.pass(place, arrived);
    let is_led = going.step == TravelStep::Live && matches!(going.to, Destination::Through(_));
    if is_led && going.passing.has_missed(place, arrived) {
        lead_on(own, going);
    }
}

/// From now on its way is that of the motion it plays.
pub(super) fn follow_motion(own: &mut Decision, going: &mut Travelling, motion: &PlannedMotion) {
    let every = own.settings().planner.way_frames;
    let now = own.body.played().map_or(0.0, |played| played.time() * played.fps()) as usize;
    // Counted from the end, so that the end is one of them.
    let last = motion.body.len() - 1;
    let count = last.saturating_sub(now) / every;
    let places: Vec<Vec2> =
        (0..=count).rev().map(|back| motion.body[last - back * every].position).collect();
    let mut along = vec![0.0];
    for pair in places.windows(2) {
        along.push(along[along.len() - 1] + pair[0].distance(pair[1]));
    }
    going.way = LiveRoute::new(&places);
    going.passing.timed = Some((every, along));
    going.then.clear();
    going.progress = (own.time, 0.0);
    own.find_passages(going);
}

/// Leads the gait through what is left, once no motion does.
pub(super) fn lead_on(own: &mut Decision, going: &mut Travelling) {
    going.passing.timed = None;
    going.passing.more.clear();
    if going.passing.left.is_empty() {
        return;
    }
    if let Ok(fresh) = own.route(going.ahead(), going.run) {
        going.way = fresh.way;
        going.then = fresh.then;
        going.passages = fresh.passages;
        going.passing.nearest = f32::INFINITY;
        going.progress = (own.time, 0.0);
    }
}

/// Goes on by the gait from a corner that was turned round at, and has been come to.
pub(super) fn turn_corner(own: &mut Decision, going: &mut Travelling) {
    // Of a line that was drawn all places before the corner are behind it.
    let is_line = matches!(going.to, Destination::Path(_));
    while going.passing.left.len() > going.then.len()
        && (is_line || going.passing.left.len() == going.then.len() + 1)
    {
        going.passing.drop_next();
    }
    own.gates.forget(own.who);
    lead_on(own, going);
}

/// The places of a patrol that are planned at a time, from one on.
pub(super) fn next_places(
    own: &Decision,
    posts: &[Waypoint],
    next: usize,
    from: Vec2,
) -> Vec<Waypoint> {
    let enough = 1.5 * own.settings().planner.flow_seconds * own.pace(false);
    let mut places: Vec<Waypoint> = Vec::new();
    for post in posts.iter().cycle().skip(next % posts.len()).take(posts.len()) {
        places.push(*post);
        // Who has to face somewhere stops.
        if post.heading.is_some() || length(from, &places) >= enough {
            break;
        }
    }
    places
}

/// Asks for the next part of a patrol if it is time to, so that it begins before the last one ends.
pub(super) fn flow_on(own: &mut Decision, going: &mut Travelling, posts: &[Waypoint], next: usize) {
    let settings = own.settings().planner;
    let is_asked = going.asked.is_some() || !going.passing.flows || !going.passing.is_timed();
    let Some(left) = own.body.played().map(Played::left) else { return };
    let is_due = going.step == TravelStep::Performing && left <= settings.flow_seconds;
    let Some(&last) = going.passing.left.last() else { return };
    if is_asked || !is_due || !own.planning.has_room(own.time) {
        return;
    }
    if last.heading.is_some() {
        going.passing.flows = false;
        return;
    }
    own.body.forget_played(1.0);
    let more = next_places(own, posts, next + going.passing.left.len(), last.place);
    let lasts = (going.passing.length(own.place()) + length(last.place, &more))
        / own.pace(going.run).max(0.1);
    let later = own.planning.seconds(own.time, lasts) as f32 + own.dt;
    let Some((time, passed)) = departure(own, going, later) else {
        going.passing.flows = false;
        return;
    };
    let through = [&going.passing.left[passed..], &more[..]].concat();
    let Some(played) = own.body.played() else { return };
    let motion = MotionUnderWay { motion: Arc::clone(played.motion()), time };
    match planner(own, &through, going.run) {
        Ok(planner) => {
            let work = PlanWork::Lengthen(motion);
            let ticket = own.planning.ask(own.time, lasts, planner, work);
            going.asked = Some((ticket, TravelStep::Performing));
            going.passing.more = more;
        }
        Err(_) => going.passing.flows = false,
    }
}

/// The time of its motion at which it can be left for what comes next, some seconds from now on, and how many places it has
/// passed by then: away from places, where it goes straight on.
fn departure(own: &Decision, going: &Travelling, later: f32) -> Option<(f32, usize)> {
    let (behavior, apart) = (&own.settings().behavior, own.settings().planner.flow_apart);
    let played = own.body.played()?;
    let (motion, fps) = (played.motion(), played.fps());
    let now = (played.time() * fps) as usize;
    let mut passing = going.passing.clone();
    let mut behind: Option<Vec2> = None;
    for frame in now..motion.body.len() {
        let place = motion.body[frame].position;
        let before = passing.left[0].place;
        let known = passing.passed;
        passing.pass(place, behavior.arrived);
        if passing.passed > known {
            behind = Some(before);
        }
        let time = frame as f32 / fps;
        let ahead = passing.left[0].place.distance(place);
        let is_behind = behind.is_none_or(|at| at.distance(place) > 0.5 * apart);
        let straight = heading_of(passing.left[0].place - place) - motion.body[frame].heading;
        if time >= played.time() + later
            && ahead > apart
            && is_behind
            && motion.speed[frame] > 0.5 * own.pace(going.run).min(1.0)
            && libm::cosf(straight) > 0.8
        {
            return Some((time, passing.passed - going.passing.passed));
        }
    }
    None
}

/// Whether it waits for the next part of its way.
pub(super) fn is_asked_for_more(going: &Travelling) -> bool {
    !going.passing.more.is_empty()
}

/// Goes on through more places, if the plan for that is there in time; otherwise it stops at the last one first.
pub(super) fn receive_more(
    own: &mut Decision,
    going: &mut Travelling,
    leaves: f32,
    planned: Result<Option<MadePlan>, PlanFailure>,
) -> Gone {
    let more = std::mem::take(&mut going.passing.more);
    let now = own.body.played().map_or(f32::INFINITY, Played::time);
    match planned {
        Ok(Some(made)) if now <= leaves + 1e-3 => {
            own.timings.add(&made.timings, &made.motion.timings);
            going.passing.left.extend(more);
            let end = going.passing.left.last().map_or(going.goal.position, |post| post.place);
            going.goal = Planar::new(end, made.goal.heading);
            own.body.go_another_way(&made.motion, &own.world.obstacles);
            follow_motion(own, going, &made.motion);
        }
        _ => going.passing.flows = false,
    }
    Gone::On
}
