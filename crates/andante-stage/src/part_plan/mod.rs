//! A character's way through a scene, planned from start to goal.

mod body;
mod draft;
mod failure;
mod repair;
mod way;

pub(crate) use body::{footing, overhead, walker};
pub use draft::Draft;
pub use failure::PlanFailure;
pub(crate) use way::headings;

use crate::{CharacterSpec, Collisions, Scene, SceneGround};
use andante_plan::route::{self, NavAgent, Network, Walls};
use andante_plan::steps::{self, PlannedMotion, StepMethod, StepMetrics, StepOptions};
use andante_play::repertoire::Repertoire;
use andante_skeleton::{Character, Planar};
use andante_take::{BodyEnvelope, ObstacleTouches};
use andante_world::{Obstacle, Platform};
use body::of_levels;
use draft::PlanTask;
use glam::Vec2;
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// How far arms swing beyond the room that is kept anyway, in metres.
const ARMS: f32 = 0.05;

/// How much more room than it needs somebody is given who has to change the way, in metres: they turn at short notice.
const ROOMY: f32 = 0.07;

/// Speed of those who may run, in m/s.
const RUN_PACE: f32 = 2.6;

/// A way and a motion that goes it.
#[derive(Clone, Debug)]
pub struct PartPlan {
    /// The way, on foot and by jumps.
    pub journey: route::RouteJourney,
    /// The motion.
    pub performance: PlannedMotion,
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

/// Plans a part from its start to its goal.
pub fn plan_part(
    scene: &Scene,
    part: &CharacterSpec,
    character: &Character,
    repertoire: &Arc<Repertoire>,
) -> Result<PartPlan, PlanFailure> {
    PartPlanner::new(scene, part, character, repertoire)?.plan()
}

/// A part, and the world as its character sees it now.
pub struct PartPlanner {
    part: CharacterSpec,
    character: Character,
    envelope: BodyEnvelope,
    planner: StepMethod,
    options: StepOptions,
    walker: NavAgent,
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

impl PartPlanner {
    /// Prepares the world for a part.
    pub fn new(
        scene: &Scene,
        part: &CharacterSpec,
        character: &Character,
        repertoire: &Arc<Repertoire>,
    ) -> Result<Self, PlanFailure> {
        let planner = StepMethod::new(Arc::clone(repertoire))?;
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
            envelope: BodyEnvelope::new(&character.skeleton),
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
            ground: SceneGround::new(&scene.ground),
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
        let radius = self.walker.clearance.radius + ROOMY;
        let network = self.network.roughly_with_obstacles(&obstacles, radius)?;
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
        let way = self.way(&PlanTask::Whole, self.narrow()?)?;
        let cleared = self.cleared(PlanTask::Whole, way)?;
        Ok(self.measured(self.draft(&PlanTask::Whole, cleared)?))
    }

    /// The first and the last frame from one on in which the body meets something. What is ducked under does not count.
    fn span(&self, performance: &PlannedMotion, first: usize) -> Option<[usize; 2]> {
        let stands = |index: usize| !self.low.contains(&index);
        let frames = first..performance.body.len();
        self.envelope.span(&performance.clip, frames, &self.obstacles, stands)
    }

    /// What the body meets in some frames. What is ducked under does not count: it is not gone round.
    fn touches(&self, performance: &PlannedMotion, frames: Range<usize>) -> ObstacleTouches {
        let stands = |index: usize| !self.low.contains(&index);
        self.envelope.touches(&performance.clip, frames, &self.obstacles, stands)
    }

    /// What the body meets from a time on of what stands in the way now. What is ducked under does not count.
    pub fn touched_from(&self, performance: &PlannedMotion, time: f32) -> Collisions {
        let first = (time * performance.clip.fps()).max(0.0) as usize;
        self.touches(performance, first..performance.clip.frame_count()).all
    }

    /// What the feet and the head meet.
    fn world<'a>(&'a self, walkable: &'a (dyn Fn(Vec2) -> Vec2 + Sync)) -> steps::StepGround<'a> {
        steps::StepGround { ground: &self.ground, walkable, overhead: &self.overhead }
    }

    /// Measures a draft.
    pub fn measured(&self, draft: Draft) -> PartPlan {
        let Draft { journey, performance, goal, timings, .. } = draft;
        let ground = &self.ground;
        let walkable = |place: Vec2| self.footing.nearest_free(place).unwrap_or(place);
        let world = self.world(&walkable);
        let metrics = performance.metrics(&self.character, &goal, &world);
        let off = |print: &&steps::PlannedFootprint| {
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

fn millis(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}
