//! Plans on footsteps that are searched one by one, where no line that is walked leads over the ground.

use super::footprints::on_footprints;
use super::{CharacterPlanner, Draft, PlanFailure};
use crate::FootstepMethod;
use andante_check::Verdict;
use andante_plan::route::NoRoute;
use andante_plan::steps::{FootstepSearch, FootstepSearchSettings, StepError, StepMethod};
use andante_skeleton::Planar;
use andante_world::Ground;
use glam::{Vec2, Vec3, Vec3Swizzles};

/// Whether footsteps may help that are searched one by one.
pub(crate) fn may_be_stepped(own: &CharacterPlanner, failure: &PlanFailure) -> bool {
    let far = own.trip.start.place.distance(own.trip.goal.place);
    if own.trip.told.is_some()
        || !own.trip.via.is_empty()
        || own.trip.footsteps != FootstepMethod::Route
        || far > own.settings().searched_far
    {
        return false;
    }
    match failure {
        PlanFailure::Route(NoRoute::Gap { gap, .. }) => {
            *gap < own.settings().stepped_gap * own.world.body.walker.height
        }
        PlanFailure::Route(NoRoute::Apart { .. }) => true,
        PlanFailure::Steps(error) => {
            matches!(error, StepError::NoRunUp { .. } | StepError::TooSharp { .. })
        }
        PlanFailure::Beam { .. } | PlanFailure::Refuted { .. } => true,
        _ => false,
    }
}

/// How footsteps are searched where a quick search has found none: for much longer, and straight for the goal.
pub(super) fn patiently(own: &CharacterPlanner) -> FootstepSearchSettings {
    let usual = FootstepSearchSettings::default();
    FootstepSearchSettings {
        expansions: own.settings().longer_search * usual.expansions,
        greed: 2.0 * usual.greed,
        patience: 1.0,
        ..usual
    }
}

/// A plan on footsteps that are searched. Where the check has something against it, its footprint is shunned and the
/// next are searched.
pub(super) fn by_search(
    own: &CharacterPlanner,
    settings: FootstepSearchSettings,
) -> Option<(Draft, Verdict)> {
    let StepMethod::Steps(planner) = &own.world.body.planner else { return None };
    let [start, goal] = [&own.trip.start, &own.trip.goal];
    let towards = goal.place - start.place;
    let heading = libm::atan2f(towards.x, towards.y);
    let ends = [start, goal].map(|post| Planar::new(post.place, post.heading.unwrap_or(heading)));
    let ground = &own.world.place.ground;
    let level = |post: &crate::Waypoint| {
        let from = post.height.map_or(1e4, |height| height + 0.1);
        ground.height_below(post.place.extend(from).xzy(), f32::INFINITY)
    };
    let levels = [level(start)?, level(goal)?];
    let walkable = |place: Vec2| own.walkable(place);
    let has_room = |at: Vec3| has_room(own, at);
    let clock = &own.trip.options.clock;
    let began = clock.now();
    let (mut shunned, mut odd): (Vec<Vec3>, Option<(Draft, Verdict)>) = (Vec::new(), None);
    for _ in 0..own.settings().searches {
        let search = FootstepSearch {
            planner,
            world: own.ground(&walkable),
            feet: &own.trip.options.feet,
            has_room: &has_room,
            shunned: &shunned,
            settings,
        };
        let Some(found) = search.find(ends, levels) else { break };
        let Ok(mut draft) = on_footprints(own, &found.prints) else { break };
        draft.goal = ends[1];
        draft.timings.search = clock.since(began) - draft.performance.timings.total;
        let Ok(verdict) = own.verdict(&draft.performance, true) else { break };
        let Some(worst) = verdict.violations.first() else {
            return Some((draft, verdict));
        };
        // Which footprint is to blame: the one that is landed on then, or next.
        let prints = &draft.performance.footprints;
        let blamed = prints.iter().find(|print| print.landing >= worst.time_s).or(prints.last());
        shunned.extend(blamed.map(|print| print.position));
        if verdict.wrong(None).next().is_none() {
            odd.get_or_insert((draft, verdict));
        }
    }
    odd
}

/// Whether a body has room above a point of the ground: beside obstacles and what rises beside it.
fn has_room(own: &CharacterPlanner, at: Vec3) -> bool {
    let walker = &own.world.body.walker;
    let radius = walker.legs * walker.clearance.radius;
    let [low, high] = [at.y + walker.step, at.y + walker.ducked];
    let meets = |obstacle: &andante_world::Obstacle| {
        obstacle.top() > low
            && obstacle.bottom() < high
            && obstacle.distance_beside(at.xz()) < walker.clearance.radius
    };
    if own.world.obstacles.iter().any(meets) {
        return false;
    }
    (0..8).all(|turn| {
        let (sin, cos) = libm::sincosf(turn as f32 * std::f32::consts::FRAC_PI_4);
        let from = Vec3::new(at.x + radius * sin, high, at.z + radius * cos);
        own.world.place.ground.height_below(from, high - low).is_none()
    })
}
