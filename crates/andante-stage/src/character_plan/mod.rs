//! A character's way through a scene, planned from start to goal.

mod body;
mod draft;
mod failure;
mod footprints;
mod repair;
mod searched;
mod verified;
mod way;
mod world;

pub(crate) use body::footing;
pub use draft::Draft;
pub use failure::PlanFailure;
pub(crate) use footprints::on_footprints;
pub(crate) use searched::may_be_stepped;
pub(crate) use way::{headings, places_of};
pub(crate) use world::{PlanningBody, PlanningGround, PlanningWorld};

use crate::{
    CharacterSpec, Collisions, FootstepMethod, PlannerSettings, RouteMethod, Scene, SceneGround,
    Waypoint,
};
use andante_check::{Verdict, Violation};
use andante_plan::route;
use andante_plan::steps::{self, PlannedMotion, StepMetrics, StepOptions};
use andante_play::repertoire::Repertoire;
use andante_skeleton::{Character, Planar};
use andante_take::ObstacleTouches;
use andante_world::{Ground, GroundPatch, Obstacle, ObstacleShape};
use draft::PlanTask;
use glam::{Vec2, Vec3, Vec3Swizzles};
use std::ops::Range;
use std::sync::Arc;
use way::RouteFinder;

/// A way and a motion that goes it.
#[derive(Clone, Debug)]
pub struct CharacterPlan {
    /// The way, on foot and by jumps.
    pub journey: route::RouteJourney,
    /// The motion.
    pub performance: Arc<PlannedMotion>,
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
    checked: Option<CheckedMotion>,
}

/// What a check said of a motion, of whose, and in which world.
#[derive(Clone, Debug)]
struct CheckedMotion {
    verdict: Verdict,
    motion: Arc<PlannedMotion>,
    body: Arc<PlanningBody>,
    place: Arc<PlanningGround>,
    obstacles: Vec<Obstacle>,
}

impl CharacterPlan {
    /// The verdict of an independent check on the motion of a character in a world, if this very motion was checked with
    /// this one in this one for certain. Where it was to begin and to end may have been told otherwise to who planned it:
    /// that is for others to check.
    pub fn verdict_in(
        &self,
        character: &Character,
        ground: &[GroundPatch],
        obstacles: &[Obstacle],
    ) -> Option<Verdict> {
        let checked = self.checked.as_ref()?;
        let (verdict, patches) = (&checked.verdict, &checked.place.patches);
        // As long as it is known here, a motion cannot be changed where it is.
        let is_same = Arc::ptr_eq(&checked.motion, &self.performance)
            && checked.body.character == *character
            && patches.len() == ground.len()
            && patches.iter().zip(ground).all(|(own, other)| own.is_same(other))
            && checked.obstacles == obstacles;
        let about_motion = |violation: &&Violation| !violation.kind.is_of_ends();
        is_same.then(|| Verdict {
            violations: verdict.violations.iter().filter(about_motion).cloned().collect(),
            frames: verdict.frames,
        })
    }
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

/// Plans a part from its start to its goal.
pub fn plan_character(
    scene: &Scene,
    part: &CharacterSpec,
    character: &Character,
    repertoire: &Arc<Repertoire>,
) -> Result<CharacterPlan, PlanFailure> {
    CharacterPlanner::new(scene, part, character, repertoire)?.plan()
}

/// From where to where, and how fast.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Trip {
    pub start: Waypoint,
    pub goal: Waypoint,
    /// Places that it passes on the way, in order.
    pub via: Vec<Waypoint>,
    /// The way, if it was told and is walked as it is.
    pub told: Option<Vec<steps::StepLeg>>,
    pub options: StepOptions,
    /// Whether it ducks under what hangs low.
    pub ducks: bool,
    /// Whether somebody who stands too close to something begins beside it; otherwise that is refused.
    pub frees: bool,
    /// How the way is found, and the footsteps.
    pub route: RouteMethod,
    pub footsteps: FootstepMethod,
}

/// The planner of a character's way through the world as it is now: from rest, or out of a motion that is under way.
#[derive(Clone, Debug)]
pub struct CharacterPlanner {
    world: Arc<PlanningWorld>,
    trip: Trip,
}

impl CharacterPlanner {
    /// Prepares the world for a part.
    pub fn new(
        scene: &Scene,
        part: &CharacterSpec,
        character: &Character,
        repertoire: &Arc<Repertoire>,
    ) -> Result<Self, PlanFailure> {
        scene.settings.check()?;
        let settings = &scene.settings.planner;
        let planner = scene.settings.step_method(repertoire)?;
        let options = scene.settings.step_options(part.run.then_some(settings.run_pace));
        let body = Arc::new(PlanningBody::new(part, character, planner, &scene.settings));
        let patches = scene.stepped_on();
        let ground = Arc::new(SceneGround::new(&patches));
        let place = PlanningGround::new(patches, ground, settings)?;
        let obstacles = scene.obstacles.clone();
        let world = PlanningWorld::new(body, Arc::new(place), obstacles, &options.clock)?;
        let (start, goal) = (part.start, part.goal);
        let trip = Trip {
            start,
            goal,
            via: Vec::new(),
            told: None,
            options,
            ducks: true,
            frees: false,
            route: part.route,
            footsteps: part.footsteps,
        };
        Ok(Self { world: Arc::new(world), trip })
    }

    /// Plans a trip in a world that is known.
    pub(crate) fn on(world: Arc<PlanningWorld>, trip: Trip) -> Self {
        Self { world, trip }
    }

    /// The same trip by a way that was told.
    pub(crate) fn along(mut self, told: Vec<steps::StepLeg>) -> Self {
        self.trip.told = Some(told);
        self
    }

    /// The same trip through places, without a stop; corners that turn by more than an angle, in radians, are turned
    /// round on the spot, by so many metres before and after them.
    pub(crate) fn through(mut self, via: Vec<Waypoint>, [hairpin, near]: [f32; 2]) -> Self {
        self.trip.via = via;
        self.trip.options.hairpin = hairpin;
        self.trip.options.hairpin_length = near;
        self
    }

    /// The search for its ways.
    fn routes(&self) -> RouteFinder<'_> {
        RouteFinder { world: &self.world, trip: &self.trip }
    }

    fn settings(&self) -> &PlannerSettings {
        &self.world.body.settings
    }

    /// The obstacles that stand or hang in the way now.
    pub fn obstacles(&self) -> &[Obstacle] {
        &self.world.obstacles
    }

    /// The world has changed: this stands in the way now.
    pub fn set_obstacles(&mut self, obstacles: Vec<Obstacle>) -> Result<(), PlanFailure> {
        let world = self.world.with_obstacles(obstacles, &self.trip.options.clock)?;
        self.world = Arc::new(world);
        Ok(())
    }

    /// Plans from the start to the goal. A body that touches an obstacle is led past it with more room, and what an
    /// independent check finds wrong is planned by another way or refused.
    pub fn plan(&self) -> Result<CharacterPlan, PlanFailure> {
        let (draft, verdict) = self.with_verdict()?;
        let plan = self.measured(draft);
        let checked = CheckedMotion {
            verdict,
            motion: Arc::clone(&plan.performance),
            body: Arc::clone(&self.world.body),
            place: Arc::clone(&self.world.place),
            obstacles: self.world.obstacles.clone(),
        };
        Ok(CharacterPlan { checked: Some(checked), ..plan })
    }

    /// The way from the start to the goal, leg by leg.
    pub(crate) fn legs(&self) -> Result<Vec<steps::StepLeg>, PlanFailure> {
        Ok(self.routes().found(&PlanTask::Whole, self.world.narrow()?)?.legs)
    }

    /// The same around others who stand there, as places and radii of posts that are so tall, in metres.
    pub(crate) fn legs_around(
        &self,
        others: &[(Vec2, f32)],
        height: f32,
    ) -> Result<Vec<steps::StepLeg>, PlanFailure> {
        let post = |&(at, radius): &(Vec2, f32)| {
            let ground = self.world.place.ground.height_at(at).unwrap_or(0.0);
            Obstacle {
                name: "somebody".into(),
                shape: ObstacleShape::Cylinder { radius, height },
                at: Vec3::new(at.x, ground, at.y),
                heading: 0.0,
            }
        };
        let mut obstacles = self.world.obstacles.clone();
        obstacles.extend(others.iter().map(post));
        Ok(self.routes().found(&PlanTask::Whole, &self.around(&obstacles, true)?)?.legs)
    }

    /// The first and the last frame from one on in which the body meets something. What is ducked under does not count.
    fn span(&self, performance: &PlannedMotion, first: usize) -> Option<[usize; 2]> {
        let stands = |index: usize| self.world.stands[index];
        let frames = first..performance.body.len();
        self.world.body.envelope.span(&performance.clip, frames, &self.world.obstacles, stands)
    }

    /// What the body meets in some frames. What is ducked under does not count: it is not gone round.
    fn touches(&self, performance: &PlannedMotion, frames: Range<usize>) -> ObstacleTouches {
        let stands = |index: usize| self.world.stands[index];
        self.world.body.envelope.touches(&performance.clip, frames, &self.world.obstacles, stands)
    }

    /// The collisions of the body, from a time on, with what stands in the way now. What is ducked under does not count.
    pub fn touched_from(&self, performance: &PlannedMotion, time: f32) -> Collisions {
        let first = (time * performance.clip.fps()).max(0.0) as usize;
        self.touches(performance, first..performance.clip.frame_count()).all
    }

    /// What the feet and the head meet.
    fn ground<'a>(&'a self, walkable: &'a (dyn Fn(Vec2) -> Vec2 + Sync)) -> steps::StepGround<'a> {
        let overhead = if self.trip.ducks { &*self.world.overhead } else { &[] };
        let level = self.trip.start.height.and_then(|height| {
            let from = self.trip.start.place.extend(height + 0.1).xzy();
            self.world.place.ground.height_below(from, f32::INFINITY)
        });
        steps::StepGround { ground: &*self.world.place.ground, walkable, overhead, level }
    }

    /// The nearest place where a foot may stand.
    fn walkable(&self, place: Vec2) -> Vec2 {
        self.world.place.footing.nearest_free(place).unwrap_or(place)
    }

    /// Measures a draft.
    pub fn measured(&self, draft: Draft) -> CharacterPlan {
        let Draft { journey, performance, goal, timings, .. } = draft;
        let ground = &self.world.place.ground;
        let walkable = |place: Vec2| self.walkable(place);
        let world = self.ground(&walkable);
        let from = self.trip.goal.height.map_or(1e6, |height| height + 0.1);
        let height = ground.height_below(goal.position.extend(from).xzy(), f32::INFINITY);
        let metrics = performance.metrics(&self.world.body.character, (&goal, height), &world);
        let off = |print: &&steps::PlannedFootprint| {
            [print.heel, print.ball, print.tip]
                .iter()
                .any(|point| ground.height_at(Vec2::new(point.x, point.z)).is_none())
        };
        let footprints_off = performance.footprints.iter().filter(off).count();
        let clip = &performance.clip;
        let frames = 0..clip.frame_count();
        let collisions =
            self.world.body.envelope.touches(clip, frames, &self.world.obstacles, |_| true).all;
        CharacterPlan {
            journey,
            performance: Arc::new(performance),
            goal,
            metrics,
            footprints_off,
            collisions,
            timings,
            checked: None,
        }
    }
}
