//! What is under the mouse.

use super::player::StagePlayer;
use andante_stage::{SceneGround, Stage};
use andante_world::{Ground, Ray};
use glam::Vec3;

/// What a ray meets first.
#[derive(Clone, Debug, PartialEq)]
pub enum Picked {
    /// A character, by its number.
    Character(usize),
    /// An obstacle, by its name, and where it is met.
    Obstacle(String, Vec3),
    /// The ground.
    Ground(Vec3),
}

/// How far one can point, in metres.
const REACH: f32 = 300.0;

/// The ground straight below a point, or above it.
pub fn ground_below(stage: &Stage, at: Vec3) -> Option<Vec3> {
    let ground = SceneGround::new(stage.ground());
    let hit =
        ground.probe(at + 0.5 * Vec3::Y, 100.0).or_else(|| ground.probe(at.with_y(1000.0), 2000.0));
    hit.map(|hit| hit.point)
}

/// Where a ray meets the ground.
pub fn ground_at(stage: &Stage, eye: Vec3, way: Vec3) -> Option<Vec3> {
    let ground = SceneGround::new(stage.ground());
    Some(ground.ray(&Ray::new(eye, way, REACH)?)?.point)
}

/// The first obstacle that a ray meets in the frame that is shown, and how far off.
pub fn obstacle_at(player: &StagePlayer, eye: Vec3, way: Vec3) -> Option<(f32, String)> {
    let mut best: Option<(f32, String)> = None;
    for obstacle in player.shown().obstacles.iter() {
        // Steps as long as there is nothing nearer cannot pass through anything.
        let mut along = 0.0;
        for _ in 0..96 {
            let distance = obstacle.distance(eye + along * way);
            if distance < 2e-3 {
                best = Some((along, obstacle.name.clone()));
                break;
            }
            along += distance;
            if along > best.as_ref().map_or(REACH, |(nearest, _)| *nearest) {
                break;
            }
        }
    }
    best
}

/// What a ray meets first in the frame that is shown.
pub fn pick(player: &StagePlayer, eye: Vec3, way: Vec3) -> Option<Picked> {
    let frame = player.shown();
    let mut best: Option<(f32, Picked)> = None;
    let mut offer = |distance: f32, picked: Picked| {
        if best.as_ref().is_none_or(|(nearest, _)| distance < *nearest) {
            best = Some((distance, picked));
        }
    };
    if let Some(at) = ground_at(player.stage(), eye, way) {
        offer(eye.distance(at), Picked::Ground(at));
    }
    if let Some((along, name)) = obstacle_at(player, eye, way) {
        offer(along, Picked::Obstacle(name, eye + along * way));
    }
    for (who, models) in frame.models.iter().enumerate().filter(|(who, _)| !frame.gone[*who]) {
        // People are as easy to hit as a wide column of balls.
        let near = models.iter().filter_map(|joint| {
            let from = joint.translation - eye;
            let along = from.dot(way);
            (along > 0.0 && (from - along * way).length() < 0.14).then_some(along)
        });
        if let Some(nearest) = near.reduce(f32::min) {
            offer(nearest - 0.2, Picked::Character(who));
        }
    }
    best.map(|(_, picked)| picked)
}
