//! Footprints that were placed by hand, or found in a roadmap.

use super::{CharacterPlanner, Draft, PlanFailure, PlanTimings};
use andante_plan::route::RouteJourney;
use andante_plan::steps::{PlacedFootprints, Roadmap, RoadmapOptions, StepError, StepMethod};
use andante_skeleton::Planar;
use glam::Vec2;

/// Steps on footprints exactly.
pub(crate) fn on_footprints(
    own: &CharacterPlanner,
    prints: &[PlacedFootprints],
) -> Result<Draft, PlanFailure> {
    let StepMethod::Steps(planner) = &own.world.body.planner else {
        return Err(StepError::Legs(own.world.body.character.name.clone()).into());
    };
    let walkable = |place: Vec2| own.walkable(place);
    let performance =
        planner.perform_footprints(prints, &own.ground(&walkable), &own.trip.options)?;
    let goal = performance.body.last().copied().unwrap_or_default();
    let changed = 0..performance.body.len();
    let walked = performance.body.windows(2);
    let length = walked.map(|pair| pair[0].position.distance(pair[1].position)).sum();
    Ok(Draft {
        journey: RouteJourney { legs: vec![], walks: vec![], jumps: vec![], length },
        performance,
        goal,
        changed,
        timings: PlanTimings::default(),
    })
}

/// Footprints from the start to the goal, found in a roadmap of places for feet.
pub(super) fn by_roadmap(own: &CharacterPlanner) -> Result<Draft, PlanFailure> {
    let StepMethod::Steps(planner) = &own.world.body.planner else {
        let name = own.world.body.character.name.clone();
        return Err(StepError::Legs(name).into());
    };
    let (start, goal) = (&own.trip.start, &own.trip.goal);
    let towards = goal.place - start.place;
    let heading = libm::atan2f(towards.x, towards.y);
    let ends = [start, goal].map(|post| Planar::new(post.place, post.heading.unwrap_or(heading)));
    let bounds: [Vec2; 2] = [
        start.place.min(goal.place) - Vec2::splat(own.settings().roadmap_around),
        start.place.max(goal.place) + Vec2::splat(own.settings().roadmap_around),
    ];
    let walkable = |place: Vec2| own.walkable(place);
    let world = own.ground(&walkable);
    let clock = &own.trip.options.clock;
    let began = clock.now();
    let roadmap = Roadmap::new(planner, &world, bounds, &RoadmapOptions::default())?;
    let prints = roadmap
        .find(planner, &world, ends, own.settings().roadmap_smoothing)
        .ok_or(PlanFailure::NoFootprints)?;
    let mut draft = on_footprints(own, &prints)?;
    draft.goal = ends[1];
    draft.timings.search = clock.since(began) - draft.performance.timings.total;
    Ok(draft)
}
