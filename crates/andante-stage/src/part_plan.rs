//! A character's way through a scene, planned from start to goal.

use crate::{Part, Scene, SceneGround};
use andante_motion::repertoire::Repertoire;
use andante_plan::route::{
    self, Clearance, CurveOptions, Floor, FloorError, Leap, Network, NoRoute, Spot, Walker, Walls,
};
use andante_plan::steps::{self, Performance, StepError, StepMetrics, StepOptions, StepPlanner};
use andante_skeleton::{Character, Planar};
use andante_world::Platform;
use glam::Vec2;
use std::sync::Arc;
use std::time::Instant;
use thiserror::Error;

/// Half the width of a foot: how far the middle of a print keeps from rims, in metres.
const FOOT: f32 = 0.05;

/// Straight ground before and behind a jump, in metres.
const RUN: [f32; 2] = [2.0, 1.5];

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
    /// The way cannot be stepped.
    #[error(transparent)]
    Steps(#[from] StepError),
}

/// Plans a part from its start to its goal.
pub fn plan_part(
    scene: &Scene,
    part: &Part,
    character: &Character,
    repertoire: &Arc<Repertoire>,
) -> Result<PartPlan, PlanFailure> {
    let planner = StepPlanner::new(Arc::clone(repertoire))?;
    let options = StepOptions { pace: part.run.then_some(RUN_PACE), ..StepOptions::default() };
    let mut timings = PlanTimings::default();

    let began = Instant::now();
    let walker = walker(part, character, planner.widest_gap(&options));
    let platforms: Vec<Platform> =
        scene.ground.iter().map(|patch| patch.platform.clone()).collect();
    let network = Network::new(&platforms, &scene.obstacles, &walker)?;
    timings.preparation = millis(began);

    let began = Instant::now();
    let spot = |post: &crate::Post| Spot { place: post.place, height: post.height };
    let rounding = CurveOptions { handle: 0.5 * walker.height, ..CurveOptions::default() };
    let journey = network.find(spot(&part.start), spot(&part.goal), &rounding)?;
    timings.search = millis(began);

    let legs = legs(&journey, walker.clearance.rim);
    let (leaving, arriving) = headings(&legs);
    let start = Planar::new(part.start.place, part.start.heading.unwrap_or(leaving));
    let goal = Planar::new(part.goal.place, part.goal.heading.unwrap_or(arriving));
    let ground = SceneGround::new(scene);
    let footing = footing(&platforms)?;
    let walkable = |place: Vec2| footing.nearest_free(place).unwrap_or(place);
    let world = steps::World { ground: &ground, walkable: &walkable };
    let performance = planner.perform(&steps::Journey { start, goal, legs }, &world, &options)?;
    let metrics = performance.metrics(character, &goal, &world);
    let off = |print: &&steps::Footprint| {
        [print.heel, print.ball, print.tip]
            .iter()
            .any(|point| ground.height_at(Vec2::new(point.x, point.z)).is_none())
    };
    let footprints_off = performance.footprints.iter().filter(off).count();
    Ok(PartPlan { journey, performance, goal, metrics, footprints_off, timings })
}

/// What the character needs, from its height and its jumps.
pub(crate) fn walker(part: &Part, character: &Character, widest: Option<f32>) -> Walker {
    let models = character.skeleton.rest_models();
    let top = models.iter().map(|model| model.translation.y).fold(0.0, f32::max);
    let person = Walker::person((1.06 * top).max(0.3));
    let rim = person.clearance.rim;
    let jump = widest.filter(|_| part.jump && part.run).map(|gap| Leap {
        reach: [0.4, gap + 2.0 * rim],
        rise: person.step,
        run_up: RUN[0],
        run_out: RUN[1],
    });
    Walker { jump, ..person }
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

/// Where feet may stand, all levels together.
pub(crate) fn footing(platforms: &[Platform]) -> Result<Walls, FloorError> {
    let outlines: Vec<Vec<Vec2>> =
        platforms.iter().map(|platform| platform.outline.clone()).collect();
    Ok(Floor::new(&outlines, &[], &[])?.walls(Clearance { radius: FOOT, rim: FOOT }))
}

fn millis(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}
