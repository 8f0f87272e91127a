//! What is under the mouse.

use super::player::StagePlayer;
use andante_stage::{SceneGround, Stage};
use andante_world::{Ground, Ray};
use glam::Vec3;

/// The first thing that a ray meets.
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

/// The point where a ray meets the ground.
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

/// The first thing that a ray meets in the frame that is shown.
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

/// The patch of ground that a point is on, by its number.
pub fn patch_at(stage: &Stage, at: Vec3) -> Option<usize> {
    let height = |patch: &andante_stage::GroundPatch| {
        SceneGround::new(std::slice::from_ref(patch)).height_at(glam::vec2(at.x, at.z))
    };
    let off = |patch| height(patch).map_or(f32::MAX, |own: f32| (own - at.y).abs());
    let nearest = (0..stage.ground().len())
        .min_by(|a, b| off(&stage.ground()[*a]).total_cmp(&off(&stage.ground()[*b])))?;
    (off(&stage.ground()[nearest]) < 0.2).then_some(nearest)
}

/// The obstacles and patches of ground between the eye and a body: names of the one, numbers of the other.
pub fn hides(player: &StagePlayer, eye: Vec3, who: usize) -> (Vec<String>, Vec<usize>) {
    let Some(models) = player.shown().models.get(who) else { return Default::default() };
    let Some(actor) = player.stage().actors().get(who) else { return Default::default() };
    let rig = &actor.character().rig;
    let feet = rig.feet.iter().map(|foot| foot.ankle());
    let seen: Vec<Vec3> = [Some(rig.hips), rig.head]
        .into_iter()
        .flatten()
        .chain(feet)
        .filter_map(|joint| Some(models.get(joint)?.translation))
        .collect();
    let mut hidden = (Vec::new(), Vec::new());
    for obstacle in player.shown().obstacles.iter() {
        let before = |at: &Vec3| {
            let (way, far) = ((*at - eye).normalize_or(Vec3::Y), at.distance(eye) - 0.3);
            let mut along = 0.0;
            for _ in 0..48 {
                let distance = obstacle.distance(eye + along * way);
                along += distance.max(5e-3);
                if along > far {
                    return false;
                }
                if distance < 5e-3 {
                    return true;
                }
            }
            false
        };
        if seen.iter().any(before) {
            hidden.0.push(obstacle.name.clone());
        }
    }
    for (index, patch) in player.stage().ground().iter().enumerate() {
        let ground = SceneGround::new(std::slice::from_ref(patch));
        let before = |at: &Vec3| {
            let far = at.distance(eye) - 0.4;
            let ray = Ray::new(eye, (*at - eye).normalize_or(Vec3::Y), far);
            ray.is_some_and(|ray| ground.ray(&ray).is_some())
        };
        // The ground that it stands on is hardly ever in the way; an upper floor is.
        if seen.iter().filter(|at| before(at)).count() > 1 {
            hidden.1.push(index);
        }
    }
    hidden
}
