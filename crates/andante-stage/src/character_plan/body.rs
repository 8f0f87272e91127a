//! What a character needs of a world, and what the world means to it.

use crate::{CharacterSpec, PlannerSettings};
use andante_plan::route::{
    Clearance, FloorError, JumpRange, NavAgent, Network, WalkableFloor, Walls,
};
use andante_plan::steps::{StepMethod, StepOptions};
use andante_skeleton::Character;
use andante_world::{GroundPatch, Obstacle};
use glam::Vec2;

/// Platforms that are this close touch, in metres.
const SEAM: f32 = 0.002;

/// Obstacles that are gone round, level by level.
pub(super) fn blocking(network: &Network) -> Vec<usize> {
    network.places().levels().iter().flat_map(|level| level.blocking.iter().copied()).collect()
}

/// Whether each of these is gone round.
pub(super) fn standing(network: &Network, obstacles: &[Obstacle]) -> Vec<bool> {
    let mut stands = vec![false; obstacles.len()];
    for index in blocking(network) {
        stands[index] = true;
    }
    stands
}

/// What the character must duck under.
pub(crate) fn overhead(network: &Network, obstacles: &[Obstacle]) -> Vec<Obstacle> {
    let low = network.places().levels().iter().flat_map(|level| &level.low);
    low.map(|&index| obstacles[index].clone()).collect()
}

/// What the character needs, from its height and its jumps.
pub(crate) fn walker(
    part: &CharacterSpec,
    character: &Character,
    planner: &StepMethod,
    options: &StepOptions,
    settings: &PlannerSettings,
) -> NavAgent {
    let (low, high) = character.skeleton.rest_bounds();
    let person = NavAgent::person((high.y - low.y).max(0.3));
    let rim = person.clearance.rim;
    let jump = planner.widest_gap(options).filter(|_| part.jump && part.run).map(|gap| JumpRange {
        reach: [0.4, gap + 2.0 * rim],
        rise: person.step,
        run_up: settings.run_up,
        run_out: settings.run_out,
    });
    NavAgent {
        jump,
        ducked: planner.ducked_height().map_or(person.height, |ducked| ducked.min(person.height)),
        ..person
    }
}

/// Where feet may stand, all levels together. Platforms that touch are one ground, however their corners were
/// rounded.
pub(crate) fn footing(ground: &[GroundPatch], foot: f32) -> Result<Walls, FloorError> {
    let outlines: Vec<Vec<Vec2>> =
        ground.iter().map(|patch| grown(&patch.platform.outline)).collect();
    let floor = WalkableFloor::new(&outlines, &[], &[])?;
    Ok(floor.walls(Clearance { radius: foot, rim: foot + SEAM }))
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
