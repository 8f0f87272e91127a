//! What is under the mouse.

use super::player::StagePlayer;
use andante_stage::{GroundPatch, SceneGround};
use andante_world::{Ground, Ray};
use glam::{Vec2, Vec3};

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
pub fn ground_below(ground: &SceneGround, at: Vec3) -> Option<Vec3> {
    let hit =
        ground.probe(at + 0.5 * Vec3::Y, 100.0).or_else(|| ground.probe(at.with_y(1000.0), 2000.0));
    hit.map(|hit| hit.point)
}

/// The point where a ray meets the ground.
pub fn ground_at(ground: &SceneGround, eye: Vec3, way: Vec3) -> Option<Vec3> {
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
    if let Some(at) = ground_at(player.surface(), eye, way) {
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
pub fn patch_at(patches: &[GroundPatch], at: Vec3) -> Option<usize> {
    let off = |patch: &GroundPatch| {
        patch.height_below(at.with_y(1e6), f32::INFINITY).map_or(f32::MAX, |own| (own - at.y).abs())
    };
    let nearest =
        (0..patches.len()).min_by(|a, b| off(&patches[*a]).total_cmp(&off(&patches[*b])))?;
    (off(&patches[nearest]) < 0.2).then_some(nearest)
}

/// True if a patch of ground is between two points. Level ground is met where it is, uneven ground is looked at here and there: a
/// bump that is crossed within a step hides nobody.
fn patch_between(patch: &GroundPatch, from: Vec3, to: Vec3) -> bool {
    let platform = &patch.platform;
    let place = |at: Vec3| Vec2::new(at.x, at.z);
    let above = |at: Vec3| at.y - platform.height_at(place(at));
    if patch.terrain.is_none() {
        let (here, there) = (above(from), above(to));
        let crossed = (here > 0.0) != (there > 0.0);
        return crossed && platform.contains(place(from.lerp(to, here / (here - there))));
    }
    // Four times in a metre.
    let looks = ((4.0 * from.distance(to)).ceil() as usize).clamp(1, 4096);
    let above = |look: usize| {
        let at = from.lerp(to, look as f32 / looks as f32);
        let height = patch.height_below(at.with_y(1e6), f32::INFINITY);
        height.map(|height| at.y > height)
    };
    let mut before = None;
    (0..=looks).any(|look| {
        let here = above(look);
        let crossed = here.is_some() && before.is_some() && here != before;
        before = here;
        crossed
    })
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
        let before = |at: &&Vec3| {
            let far = at.distance(eye) - 0.4;
            far > 0.0 && patch_between(patch, eye, eye + far * (**at - eye).normalize_or(Vec3::Y))
        };
        // The ground that it stands on is hardly ever in the way; an upper floor is.
        if seen.iter().filter(before).count() > 1 {
            hidden.1.push(index);
        }
    }
    hidden
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_world::Platform;
    use glam::vec3;

    /// Numbers from -1 to 1 that are the same for ever.
    fn dice(seed: &mut u64) -> f32 {
        *seed =
            seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    fn patch(terrain: Option<&str>, slope: Vec2) -> GroundPatch {
        let corners = [(-4.0, -4.0), (4.0, -4.0), (5.0, 3.0), (-3.0, 4.0)];
        let outline = corners.map(|(x, z)| Vec2::new(x, z)).to_vec();
        let platform = Platform { slope, ..Platform::level("floor", outline, 1.0) };
        let terrain = terrain.map(|words| words.parse().unwrap());
        GroundPatch { terrain, ..GroundPatch::from(platform) }
    }

    /// Level and leaning ground is between two points just where a ray from one to the other meets it; of hills, what is only grazed may
    /// be overlooked and nothing else.
    #[test]
    fn ground_is_between_two_points_where_a_ray_meets_it() {
        let mut seed = 26;
        let grounds = [
            (patch(None, Vec2::ZERO), 0.0),
            (patch(None, Vec2::new(0.2, -0.1)), 0.0),
            (patch(Some("hills:0.3:3"), Vec2::ZERO), 0.05),
        ];
        for (patch, grazed) in grounds {
            let (mut met, mut overlooked) = (0, 0);
            for _ in 0..400 {
                let mut point =
                    || 6.0 * vec3(dice(&mut seed), 0.5 * dice(&mut seed) + 0.2, dice(&mut seed));
                let (from, to) = (point(), point());
                let ray = Ray::new(from, (to - from).normalize(), from.distance(to)).unwrap();
                let hit = SceneGround::new(std::slice::from_ref(&patch)).ray(&ray).is_some();
                met += usize::from(hit);
                match (hit, patch_between(&patch, from, to)) {
                    (true, false) => overlooked += 1,
                    (false, true) => panic!("nothing is between {from} and {to}"),
                    _ => {}
                }
            }
            assert!(met > 60, "{met}");
            assert!(overlooked as f32 <= grazed * met as f32, "{overlooked} of {met}");
        }
    }
}
