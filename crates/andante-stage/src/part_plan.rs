//! A character's way through a scene, planned from start to goal.

use crate::collisions::{Envelope, Touches};
use crate::room::Room;
use crate::{Collisions, Part, Scene, SceneGround};
use andante_motion::repertoire::Repertoire;
use andante_plan::route::{
    self, Clearance, CurveOptions, Floor, FloorError, Leap, Level, Network, NoRoute, Spot, Walker,
    Walls,
};
use andante_plan::steps::{
    self, Departure, Detour, Performance, Repair, StepError, StepMetrics, StepOptions, StepPlanner,
};
use andante_skeleton::{Character, Planar};
use andante_world::{Ground, Obstacle, Platform, Shape};
use glam::{Vec2, Vec3};
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use std::time::Instant;
use thiserror::Error;

/// Half the width of a foot: how far the middle of a print keeps from rims, in metres.
const FOOT: f32 = 0.05;

/// Platforms that are this close touch, in metres.
const SEAM: f32 = 0.002;

/// Straight ground before and behind a jump, in metres.
const RUN: [f32; 2] = [2.0, 1.5];

/// How often a way is given more room to keep the body off obstacles.
const PUSHES: usize = 3;

/// How often another way is looked for after that, how much more room than is missing it gets, in metres, and how much
/// longer it may become.
const CORRECTIONS: usize = 2;
const SPARE: f32 = 0.03;
const LONGEST_DETOUR: f32 = 1.1;

/// Somebody who goes straight on needs at least this part of the usual room.
const STRAIGHT_ON: f32 = 0.8;

/// How far arms swing beyond the room that is kept anyway, in metres.
const ARMS: f32 = 0.05;

/// How much longer a way may be that has room for them.
const ROOMY_DETOUR: f32 = 1.25;

/// Frames after which it does not matter any more how an old way was left.
const LATER: usize = 150;

/// Frames of a performance in a second.
const FRAMES: f32 = 60.0;

/// Speed of those who may run, in m/s.
const RUN_PACE: f32 = 2.6;

/// A way and a motion that goes it.
#[derive(Clone, Debug)]
pub struct PartPlan {
    /// The way, on foot and by jumps.
    pub journey: route::Journey,
    /// The motion.
    pub performance: Performance,
    /// Where it was to end.
    pub goal: Planar,
    /// How good it is.
    pub metrics: StepMetrics,
    /// Footprints that are not on walkable ground.
    pub footprints_off: usize,
    /// What the body runs into.
    pub collisions: Collisions,
    /// What the stages cost.
    pub timings: PlanTimings,
}

/// Milliseconds of what comes before the footsteps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlanTimings {
    /// Floors, meshes and jumps of the world; once for a world and a body.
    pub preparation: f64,
    /// The search for the way.
    pub search: f64,
    /// Ways and motions made anew to keep the body off obstacles.
    pub corrections: f64,
}

/// Why a part cannot be played.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum PlanFailure {
    /// The world has an impossible floor.
    #[error(transparent)]
    Floor(#[from] FloorError),
    /// There is no way.
    #[error(transparent)]
    Route(#[from] NoRoute),
    /// Something is where the part begins or ends.
    #[error(
        "the {what} ({:.2}, {:.2}) is blocked: `{by}` is {distance:.2} m away, the body needs {needed:.2} m",
        .place.x, .place.y
    )]
    Blocked {
        /// The start or the goal.
        what: &'static str,
        /// Where that is.
        place: Vec2,
        /// What is there.
        by: String,
        /// How far it is from the place, in metres; 0 inside it.
        distance: f32,
        /// How far it must be.
        needed: f32,
    },
    /// The way cannot be stepped.
    #[error(transparent)]
    Steps(#[from] StepError),
    /// Something has come so close that it is met before the body can stop or go round it.
    #[error(
        "`{by}` cannot be avoided any more: {seconds:.2} s after the change the body is {depth:.2} m deep in it"
    )]
    Unavoidable {
        /// What it is.
        by: String,
        /// From the change until the body is in it.
        seconds: f32,
        /// How deep at worst, in metres.
        depth: f32,
    },
}

/// Plans a part from its start to its goal.
pub fn plan_part(
    scene: &Scene,
    part: &Part,
    character: &Character,
    repertoire: &Arc<Repertoire>,
) -> Result<PartPlan, PlanFailure> {
    PartPlanner::new(scene, part, character, repertoire)?.plan()
}

/// A part, and the world as its character sees it now.
pub struct PartPlanner {
    part: Part,
    character: Character,
    envelope: Envelope,
    planner: StepPlanner,
    options: StepOptions,
    walker: Walker,
    platforms: Vec<Platform>,
    obstacles: Vec<Obstacle>,
    /// What is ducked under.
    overhead: Vec<Obstacle>,
    /// The world without obstacles that have come since.
    network: Network,
    /// The world as it is now: with room for arms, and, if that is not enough, as narrow as it gets.
    roomy: OnceLock<Network>,
    narrow: OnceLock<Network>,
    /// Obstacles that are ducked under, and those that are gone round.
    low: Vec<usize>,
    blocking: Vec<usize>,
    ground: SceneGround,
    footing: Walls,
    preparation: f64,
}

/// What is to be planned.
enum Task<'a> {
    /// All of the part.
    Whole,
    /// Another way from a departure on; from a frame on the old one may be taken up again.
    Detour { before: &'a Performance, departure: Departure, again: usize },
}

/// A way that was found.
struct Way {
    journey: route::Journey,
    /// As it was found, and with some more room where there is any.
    found: Vec<steps::Leg>,
    legs: Vec<steps::Leg>,
    /// Milliseconds it took.
    search: f64,
}

/// A way and a motion, not measured yet.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The way, on foot and by jumps.
    pub journey: route::Journey,
    /// The motion.
    pub performance: Performance,
    /// Where it was to end.
    pub goal: Planar,
    /// Frames that were made now; the others are those of the performance that was repaired.
    pub changed: Range<usize>,
    /// What the stages cost.
    pub timings: PlanTimings,
}

impl PartPlanner {
    /// Prepares the world for a part.
    pub fn new(
        scene: &Scene,
        part: &Part,
        character: &Character,
        repertoire: &Arc<Repertoire>,
    ) -> Result<Self, PlanFailure> {
        let planner = StepPlanner::new(Arc::clone(repertoire))?;
        let options = StepOptions { pace: part.run.then_some(RUN_PACE), ..StepOptions::default() };
        let began = Instant::now();
        let walker = walker(part, character, &planner, &options);
        let platforms: Vec<Platform> =
            scene.ground.iter().map(|patch| patch.platform.clone()).collect();
        let network = Network::new(&platforms, &scene.obstacles, &walker)?;
        let preparation = millis(began);
        Ok(Self {
            part: part.clone(),
            character: character.clone(),
            envelope: Envelope::new(&character.skeleton),
            planner,
            options,
            walker,
            obstacles: scene.obstacles.clone(),
            overhead: overhead(&network, &scene.obstacles),
            low: of_levels(&network, |level| &level.low),
            blocking: of_levels(&network, |level| &level.blocking),
            narrow: OnceLock::from(network.clone()),
            roomy: OnceLock::new(),
            network,
            ground: SceneGround::new(scene),
            footing: footing(&platforms)?,
            platforms,
            preparation,
        })
    }

    /// What stands or hangs in the way now.
    pub fn obstacles(&self) -> &[Obstacle] {
        &self.obstacles
    }

    /// The world has changed: this stands in the way now.
    pub fn set_obstacles(&mut self, obstacles: Vec<Obstacle>) -> Result<(), PlanFailure> {
        let began = Instant::now();
        let radius = self.walker.clearance.radius + ARMS;
        let network = self.network.with_obstacles(&obstacles, radius)?;
        self.overhead = overhead(&network, &obstacles);
        self.low = of_levels(&network, |level| &level.low);
        self.blocking = of_levels(&network, |level| &level.blocking);
        (self.roomy, self.narrow) = (OnceLock::from(network), OnceLock::new());
        self.obstacles = obstacles;
        self.preparation = millis(began);
        Ok(())
    }

    /// Plans from the start to the goal. A body that touches an obstacle is led past it with more room.
    pub fn plan(&self) -> Result<PartPlan, PlanFailure> {
        let (draft, _) = self.cleared(&Task::Whole)?;
        Ok(self.measured(draft))
    }

    /// A way and a motion for a task. If the body touches something it is made again: the same way with more room around
    /// that, and if that does not help, perhaps another way around what is grown by the depth.
    fn cleared(&self, task: &Task) -> Result<(Draft, Touches), PlanFailure> {
        let way = match task {
            Task::Whole => self.way(task, self.narrow()?)?,
            Task::Detour { .. } => self.roomy_way(task)?,
        };
        let mut best = self.walked(task, &way, &way.legs)?;
        let mut touches = self.touches(&best.performance, best.changed.clone());
        let began = Instant::now();
        let (mut room, mut latest, mut legs) = (self.room(), touches.clone(), way.legs.clone());
        let mut walked: Option<Draft> = None;
        for _ in 0..PUSHES {
            if touches.frames.is_none() {
                break;
            }
            let performance = &walked.as_ref().unwrap_or(&best).performance;
            room.demand(&legs, performance, &latest, &self.obstacles);
            legs = room.given(&way.found, &self.obstacles);
            let Ok(draft) = self.walked(task, &way, &legs) else { break };
            latest = self.touches(&draft.performance, draft.changed.clone());
            if latest.all.frames < touches.all.frames {
                touches = latest.clone();
                best = draft.clone();
            }
            walked = Some(draft);
        }
        let mut grown = self.obstacles.clone();
        let mut latest = touches.clone();
        for _ in 0..CORRECTIONS {
            if touches.frames.is_none() {
                break;
            }
            let touched = grown.iter_mut().zip(&latest.worst).filter(|(_, worst)| worst.0 > 0.0);
            touched.for_each(|(obstacle, worst)| grow(obstacle, worst.0 + SPARE));
            // What has no way round any more, or a long one, stays as it is.
            let radius = self.walker.clearance.radius;
            let Ok(network) = self.network.with_obstacles(&grown, radius) else { break };
            let Ok(round) = self.way(task, &network) else { break };
            if round.journey.length > LONGEST_DETOUR * way.journey.length {
                break;
            }
            let Ok(draft) = self.walked(task, &round, &round.legs) else { break };
            latest = self.touches(&draft.performance, draft.changed.clone());
            if latest.all.frames < touches.all.frames {
                touches = latest.clone();
                best = draft;
            }
        }
        best.timings.corrections = millis(began);
        Ok((best, touches))
    }

    /// The world as it is now, as narrow as the character gets through.
    fn narrow(&self) -> Result<&Network, FloorError> {
        if let Some(known) = self.narrow.get() {
            return Ok(known);
        }
        let radius = self.walker.clearance.radius;
        let network = self.network.with_obstacles(&self.obstacles, radius)?;
        Ok(self.narrow.get_or_init(|| network))
    }

    /// A way with room for arms, if there is one that is not much longer.
    fn roomy_way(&self, task: &Task) -> Result<Way, PlanFailure> {
        let Task::Detour { before, departure, .. } = task else {
            return self.way(task, self.narrow()?);
        };
        let roomy = self.roomy.get().and_then(|network| self.way(task, network).ok());
        let left = before.body[departure.frame..].windows(2);
        let left: f32 = left.map(|pair| pair[0].position.distance(pair[1].position)).sum();
        match roomy {
            Some(way) if way.journey.length < ROOMY_DETOUR * (left + 2.0) => Ok(way),
            Some(way) => {
                let narrow = self.way(task, self.narrow()?)?;
                let is_shorter = ROOMY_DETOUR * narrow.journey.length < way.journey.length;
                Ok(if is_shorter { narrow } else { way })
            }
            None => self.way(task, self.narrow()?),
        }
    }

    /// What the body meets in some frames. What is ducked under does not count: it is not gone round.
    fn touches(&self, performance: &Performance, frames: Range<usize>) -> Touches {
        let stands = |index: usize| !self.low.contains(&index);
        self.envelope.touches(&performance.clip, frames, &self.obstacles, stands)
    }

    /// The way of a task.
    fn way(&self, task: &Task, network: &Network) -> Result<Way, PlanFailure> {
        let began = Instant::now();
        let spot = |post: &crate::Post| Spot { place: post.place, height: post.height };
        let start = match task {
            Task::Whole => spot(&self.part.start),
            Task::Detour { before, departure, .. } => {
                let height = Some(before.clip.frame(departure.frame)[0].translation.y);
                Spot { place: freed(network, departure.at.position, height), height }
            }
        };
        let journey = self.route(network, start, spot(&self.part.goal))?;
        let search = millis(began);
        let found = legs(&journey, self.walker.clearance.rim);
        Ok(Way { legs: self.room().given(&found, &self.obstacles), found, journey, search })
    }

    /// What a body takes on its way where it can have it: room for arms, and as much for hips that sway.
    fn room(&self) -> Room {
        Room::around(self.blocking.iter().copied(), self.walker.clearance.radius + 2.0 * ARMS)
    }

    /// The motion of a task along a way.
    fn walked(&self, task: &Task, way: &Way, legs: &[steps::Leg]) -> Result<Draft, PlanFailure> {
        let Part { start, goal: post, .. } = &self.part;
        let (leaving, arriving) = headings(legs);
        let mut goal = Planar::new(post.place, post.heading.unwrap_or(arriving));
        let walkable = |place: Vec2| self.footing.nearest_free(place).unwrap_or(place);
        let world = self.world(&walkable);
        let (performance, changed) = match *task {
            Task::Whole => {
                let start = Planar::new(start.place, start.heading.unwrap_or(leaving));
                let journey = steps::Journey { start, goal, legs: legs.to_vec() };
                let performance = self.planner.perform(&journey, &world, &self.options)?;
                let changed = 0..performance.body.len();
                (performance, changed)
            }
            Task::Detour { before, departure, again } => {
                let detour = Detour { departure, legs, goal, again: Some(again) };
                let Repair { performance, changed } =
                    self.planner.detour(before, &detour, &world, &self.options)?;
                // What arrives as it was planned before faces the way it did.
                if let Some(last) = performance.body.last()
                    && changed.end < performance.body.len()
                {
                    goal.heading = post.heading.unwrap_or(last.heading);
                }
                (performance, changed)
            }
        };
        let (journey, search) = (way.journey.clone(), way.search);
        let timings = PlanTimings { preparation: self.preparation, search, corrections: 0.0 };
        Ok(Draft { journey, performance, goal, changed, timings })
    }

    fn route(
        &self,
        network: &Network,
        start: Spot,
        goal: Spot,
    ) -> Result<route::Journey, PlanFailure> {
        let handle = 0.5 * self.walker.height;
        let rounding = CurveOptions { handle, ..CurveOptions::default() };
        network.find(start, goal, &rounding).map_err(|none| {
            // Whoever tries a network of its own does not ask why.
            if !self.narrow.get().is_some_and(|narrow| std::ptr::eq(narrow, network)) {
                return none.into();
            }
            let low = self.too_low([start, goal], &rounding);
            low.unwrap_or_else(|| self.explained(none))
        })
    }

    /// What closes the only way because it hangs too low.
    fn too_low(&self, [start, goal]: [Spot; 2], rounding: &CurveOptions) -> Option<PlanFailure> {
        let walker = &self.walker;
        let dwarf = Walker { ducked: walker.step, ..walker.clone() };
        let network = Network::new(&self.platforms, &self.obstacles, &dwarf).ok()?;
        let journey = network.find(start, goal, rounding).ok()?;
        let places = || {
            journey.legs.iter().flat_map(|leg| match leg {
                route::Leg::Walk { curve, .. } => &curve.samples[..],
                route::Leg::Jump(_) => &[],
            })
        };
        self.obstacles.iter().find_map(|obstacle| {
            let at = Vec3::new(obstacle.at.x, obstacle.bottom(), obstacle.at.z);
            let height = obstacle.bottom() - self.ground.probe(at, 1e3)?.point.y;
            let reach = walker.clearance.radius;
            let hangs = height > dwarf.ducked && height < walker.ducked;
            let is_met = hangs && places().any(|&place| obstacle.distance_beside(place) < reach);
            is_met.then(|| {
                PlanFailure::Steps(StepError::TooLow {
                    name: obstacle.name.clone(),
                    height,
                    needed: walker.ducked,
                })
            })
        })
    }

    /// Names what is in the way of a start or goal.
    fn explained(&self, none: NoRoute) -> PlanFailure {
        let (what, place) = match none {
            NoRoute::StartBlocked(place) => ("start", place),
            NoRoute::GoalBlocked(place) => ("goal", place),
            other => return other.into(),
        };
        let from = |obstacle: &Obstacle| obstacle.distance_beside(place).max(0.0);
        let near = |obstacle: &&Obstacle| from(obstacle) < self.walker.clearance.radius;
        let blocking = self.obstacles.iter().filter(near);
        match blocking.min_by(|a, b| from(a).total_cmp(&from(b))) {
            Some(obstacle) => PlanFailure::Blocked {
                what,
                place,
                by: obstacle.name.clone(),
                distance: from(obstacle),
                needed: self.walker.clearance.radius,
            },
            None => none.into(),
        }
    }

    /// Keeps a performance up to a time and then goes to the goal through the world as it is now. The change is made at
    /// the next step, or after the jump that is under way, and where the new way comes back to the old one the rest is
    /// kept as it was. `None` if nothing has come into its way.
    ///
    /// A repaired body touches nothing: what has come too close to stop before it or to go round it is
    /// [`PlanFailure::Unavoidable`].
    pub fn repair(&self, before: &Performance, time: f32) -> Result<Option<Draft>, PlanFailure> {
        let began = Instant::now();
        let departures = self.planner.departures(before, time, &self.options)?;
        let now = (time * before.clip.fps()) as usize;
        let touches = self.touches(before, now..before.body.len());
        let Some([first, last]) = touches.frames else { return Ok(None) };
        let checked = millis(began);
        let mut refused = None;
        for departure in departures {
            // What is met before the way can change is met whatever is done then.
            if first < departure.frame || !self.is_clear(before, &departure) {
                continue;
            }
            match self.cleared(&Task::Detour { before, departure, again: last + 1 }) {
                Ok((mut draft, touches)) => {
                    let Some([first, _]) = touches.frames else {
                        draft.timings.search += checked;
                        return Ok(Some(draft));
                    };
                    refused = Some(self.unavoidable(&touches, now));
                    // What is met much later is met however the old way is left.
                    if first > departure.frame + LATER {
                        break;
                    }
                }
                Err(failure) => refused = Some(failure),
            }
        }
        Err(refused.unwrap_or_else(|| self.unavoidable(&touches, now)))
    }

    /// Whether the body can go straight on to where a new way would begin.
    fn is_clear(&self, before: &Performance, departure: &Departure) -> bool {
        let [from, to] = [departure.from, departure.at].map(|at| at.position);
        let root = before.clip.frame(departure.frame)[0].translation;
        let Some(ground) = self.ground.probe(root, f32::INFINITY) else { return true };
        let (feet, head) = (ground.point.y + self.walker.step, ground.point.y + self.walker.ducked);
        let reach = STRAIGHT_ON * self.walker.clearance.radius;
        let parts = (from.distance(to) / (0.5 * reach)).ceil().max(1.0);
        self.obstacles.iter().all(|obstacle| {
            obstacle.bottom() >= head
                || obstacle.top() <= feet
                || (0..=parts as usize).all(|part| {
                    let place = from.lerp(to, part as f32 / parts);
                    obstacle.distance_beside(place) >= reach
                })
        })
    }

    /// What is in the way of a body that could not be led past it.
    fn unavoidable(&self, touches: &Touches, now: usize) -> PlanFailure {
        let Collisions { depth, worst, .. } = touches.all;
        let name = |index: usize| self.obstacles[index].name.clone();
        let first = touches.frames.map_or(now, |[first, _]| first);
        PlanFailure::Unavoidable {
            by: worst.map_or(String::new(), |(_, index)| name(index)),
            seconds: first.saturating_sub(now) as f32 / FRAMES,
            depth,
        }
    }

    /// What the body meets from a time on of what stands in the way now. What is ducked under does not count.
    pub fn touched_from(&self, performance: &Performance, time: f32) -> Collisions {
        let first = (time * performance.clip.fps()).max(0.0) as usize;
        self.touches(performance, first..performance.clip.frame_count()).all
    }

    /// What the feet and the head meet.
    fn world<'a>(&'a self, walkable: &'a (dyn Fn(Vec2) -> Vec2 + Sync)) -> steps::World<'a> {
        steps::World { ground: &self.ground, walkable, overhead: &self.overhead }
    }

    /// Measures a draft.
    pub fn measured(&self, draft: Draft) -> PartPlan {
        let Draft { journey, performance, goal, timings, .. } = draft;
        let ground = &self.ground;
        let walkable = |place: Vec2| self.footing.nearest_free(place).unwrap_or(place);
        let world = self.world(&walkable);
        let metrics = performance.metrics(&self.character, &goal, &world);
        let off = |print: &&steps::Footprint| {
            [print.heel, print.ball, print.tip]
                .iter()
                .any(|point| ground.height_at(Vec2::new(point.x, point.z)).is_none())
        };
        let footprints_off = performance.footprints.iter().filter(off).count();
        let clip = &performance.clip;
        let frames = 0..clip.frame_count();
        let collisions = self.envelope.touches(clip, frames, &self.obstacles, |_| true).all;
        PartPlan { journey, performance, goal, metrics, footprints_off, collisions, timings }
    }
}

/// Numbers of obstacles, level by level.
fn of_levels(network: &Network, of: impl Fn(&Level) -> &Vec<usize>) -> Vec<usize> {
    network.places().levels().iter().flat_map(|level| of(level).iter().copied()).collect()
}

/// The place, or the nearest beside what has come to stand there.
fn freed(network: &Network, place: Vec2, height: Option<f32>) -> Vec2 {
    let level = network.places().level_at(place, height);
    let free = level.and_then(|level| network.places().walls(level).nearest_free(place));
    free.unwrap_or(place)
}

/// What the character must duck under.
pub(crate) fn overhead(network: &Network, obstacles: &[Obstacle]) -> Vec<Obstacle> {
    let low = network.places().levels().iter().flat_map(|level| &level.low);
    low.map(|&index| obstacles[index].clone()).collect()
}

/// Makes an obstacle wider all around.
fn grow(obstacle: &mut Obstacle, by: f32) {
    match &mut obstacle.shape {
        Shape::Box(size) => {
            size.x += 2.0 * by;
            size.z += 2.0 * by;
        }
        Shape::Cylinder { radius, .. } => *radius += by,
        Shape::Mesh(mesh) => *mesh = Arc::new(mesh.grown(by)),
    }
}

/// What the character needs, from its height and its jumps.
pub(crate) fn walker(
    part: &Part,
    character: &Character,
    planner: &StepPlanner,
    options: &StepOptions,
) -> Walker {
    let (low, high) = character.skeleton.rest_bounds();
    let person = Walker::person((high.y - low.y).max(0.3));
    let rim = person.clearance.rim;
    let jump = planner.widest_gap(options).filter(|_| part.jump && part.run).map(|gap| Leap {
        reach: [0.4, gap + 2.0 * rim],
        rise: person.step,
        run_up: RUN[0],
        run_out: RUN[1],
    });
    Walker { jump, ducked: planner.ducked_height().min(person.height), ..person }
}

/// The same way in the words of the step planner, whose jumps lead from rim to rim.
pub(crate) fn legs(journey: &route::Journey, rim: f32) -> Vec<steps::Leg> {
    let leg = |leg: &route::Leg| match leg {
        route::Leg::Walk { curve, .. } => steps::Leg::Walk(curve.samples.clone()),
        route::Leg::Jump(link) => {
            let ahead = rim * link.direction();
            steps::Leg::Jump(steps::Jump {
                from: link.from + ahead,
                to: link.to - ahead,
                clip: None,
            })
        }
    };
    journey.legs.iter().map(leg).collect()
}

/// Headings along the first and the last part of the way.
pub(crate) fn headings(legs: &[steps::Leg]) -> (f32, f32) {
    let walks = || {
        legs.iter().filter_map(|leg| match leg {
            steps::Leg::Walk(places) if places.len() > 1 => Some(places),
            _ => None,
        })
    };
    let heading = |pair: Option<(Vec2, Vec2)>| {
        pair.map_or(0.0, |(from, to)| (to.x - from.x).atan2(to.y - from.y))
    };
    let first = walks().next().map(|places| (places[0], places[1]));
    let last =
        walks().next_back().map(|places| (places[places.len() - 2], places[places.len() - 1]));
    (heading(first), heading(last))
}

/// Where feet may stand, all levels together. Platforms that touch are one ground, however their corners were
/// rounded.
pub(crate) fn footing(platforms: &[Platform]) -> Result<Walls, FloorError> {
    let outlines: Vec<Vec<Vec2>> = platforms.iter().map(|p| grown(&p.outline)).collect();
    let floor = Floor::new(&outlines, &[], &[])?;
    Ok(floor.walls(Clearance { radius: FOOT, rim: FOOT + SEAM }))
}

/// An outline with its sides moved outwards a little.
fn grown(outline: &[Vec2]) -> Vec<Vec2> {
    let count = outline.len();
    let twice_area: f32 = (0..count).map(|k| outline[k].perp_dot(outline[(k + 1) % count])).sum();
    let out = |a: Vec2, b: Vec2| -twice_area.signum() * (b - a).perp().normalize_or_zero();
    (0..count)
        .map(|k| {
            let (before, here, after) =
                (outline[(k + count - 1) % count], outline[k], outline[(k + 1) % count]);
            let sides = [out(before, here), out(here, after)];
            here + SEAM * (sides[0] + sides[1]) / (1.0 + sides[0].dot(sides[1])).max(0.5)
        })
        .collect()
}

fn millis(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}
