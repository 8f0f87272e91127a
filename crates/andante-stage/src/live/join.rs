//! Planning a performance for a body that is already on its way.
//!
//! Performances begin at rest. One that is to take over from a body in mid-stride is planned as if it had come the
//! way the body has come, from a little behind, so that at the place where the body is it makes the same step; it is
//! joined there. What is still different the splice takes care of.

use super::body::AnimatedBody;
use super::disc::{ahead, heading_of};
use super::frame_buffer::BufferedPlan;
use crate::character_plan::{CharacterPlanner, StepSource};
use andante_plan::steps::{PlannedMotion, StepError, StepJourney, StepLeg};
use andante_skeleton::{Planar, rotation};
use glam::Vec2;
use std::sync::Arc;

/// What became of it.
pub(crate) enum Joined {
    /// A performance, what it was planned from, and the frame at which to join it.
    At(Arc<PlannedMotion>, Box<BufferedPlan>, usize),
    /// The body has to stand first.
    StandFirst,
}

/// Plans a performance along legs from where a body is that is led by its gait.
pub(crate) fn join(
    body: &AnimatedBody,
    legs: &[StepLeg],
    goal: Planar,
    planner: &CharacterPlanner,
) -> Result<Joined, StepError> {
    let settings = &body.kind.settings.planner;
    let at = body.hips();
    let speed = body.disc.speed;
    let trail = body.trail();
    let facing = body.disc.place.heading;
    let next = next_place(legs, at.position, goal.position);
    let turn = rotation::wrap_angle(heading_of(next - at.position) - facing).abs();
    if speed < settings.take_up_slow || turn > settings.take_up_turn || trail.len() < 6 {
        return Ok(Joined::StandFirst);
    }
    // Straight on a little, and then into the new way.
    let lead = at.position + ahead(facing) * (0.25 + 0.35 * speed);
    let mut onward = legs.to_vec();
    drop_passed(&mut onward, at.position, ahead(facing), 0.4 + 0.5 * speed);
    onward.insert(0, StepLeg::Walk(vec![at.position, lead]));
    let planner = planner.at_least(body.kind.walk, settings.take_up_least);
    let mut behind = settings.take_up_behind;
    let mut best: Option<(Arc<PlannedMotion>, BufferedPlan, usize)> = None;
    for round in 0..3 {
        let back = back_along(trail, at.position, behind);
        let start = back[0];
        let heading = heading_of(back.get(1).map_or(ahead(facing), |next| *next - start));
        let mut all = vec![StepLeg::Walk(back)];
        all.extend(onward.iter().cloned());
        let from = Planar::new(start, heading);
        let steps = StepSource::Journey(StepJourney { start: from, goal, legs: all });
        let plan = BufferedPlan { planner: planner.clone(), steps };
        let made = Arc::new(plan.perform()?);
        // The first rounds look for the same step, the last for the best of step and place.
        let pull = if round < 2 { 0.2 } else { 12.0 };
        let Some((frame, missing)) = body.closest_frame(&made, 0.8, pull) else {
            return Ok(Joined::StandFirst);
        };
        best = Some((made, plan, frame));
        if missing.abs() < 0.02 {
            break;
        }
        behind = (behind - missing).clamp(1.2, 3.6);
    }
    Ok(match best {
        Some((performance, plan, frame)) if body.could_take_up(&performance, frame) => {
            Joined::At(performance, Box::new(plan), frame)
        }
        _ => Joined::StandFirst,
    })
}

/// The last metres of a trail, to a place; straight on backwards if it is shorter.
fn back_along(trail: &[Vec2], to: Vec2, metres: f32) -> Vec<Vec2> {
    let mut places = vec![to];
    let mut left = metres;
    let mut from = to;
    for &place in trail.iter().rev() {
        let way = from.distance(place);
        if way < 0.05 {
            continue;
        }
        if way >= left {
            break;
        }
        left -= way;
        places.push(place);
        from = place;
    }
    // What is missing, in the direction it came from.
    let direction = match places.len() {
        0 | 1 => Vec2::NEG_Y,
        count => (places[count - 1] - places[count.saturating_sub(4).min(count - 2)])
            .normalize_or(Vec2::NEG_Y),
    };
    places.push(from + direction * left);
    places.reverse();
    places
}

/// Where legs lead to next.
fn next_place(legs: &[StepLeg], at: Vec2, goal: Vec2) -> Vec2 {
    let far = |place: &&Vec2| place.distance(at) > 0.8;
    let found = legs.iter().find_map(|leg| match leg {
        StepLeg::Walk(places) => places.iter().find(far).copied(),
        StepLeg::Jump(jump) => Some(jump.from),
    });
    found.unwrap_or(goal)
}

/// Leaves out places that somebody who goes straight on passes anyway.
fn drop_passed(legs: &mut [StepLeg], at: Vec2, ahead: Vec2, way: f32) {
    if let Some(StepLeg::Walk(places)) = legs.first_mut() {
        let last = places.len().saturating_sub(1);
        let near = |place: &Vec2| {
            let offset = *place - at;
            offset.length() < way || offset.dot(ahead) < 0.0 && offset.length() < 2.0 * way
        };
        let passed = places[..last].iter().take_while(|place| near(place)).count();
        places.drain(..passed);
    }
}
