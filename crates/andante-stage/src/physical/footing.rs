//! What a simulation stands on and bumps into: the ground of a scene and its obstacles, seen from where somebody stood.

use super::flesh::vector;
use crate::SceneGround;
use andante_dynamics::{Surface, SurfacePoint, Terrain, Vec3 as Vector, vec3};
use andante_skeleton::Planar;
use andante_world::{Ground, Obstacle, Shape};
use glam::{DVec2, DVec3, Vec2, Vec3};

/// Ground is looked for from so far above, in metres.
const ABOVE: f64 = 0.5;

/// How far around somebody ground is looked for that is level, in metres.
const WIDE: [f32; 3] = [1.0, 2.0, 3.0];

/// How far around somebody obstacles matter, in metres.
const AROUND: f32 = 8.0;

/// The ground of a scene in the frame of a simulation, which is turned about y and moved along the floor.
pub(crate) struct Footing {
    ground: SceneGround,
    obstacles: Vec<Obstacle>,
    frame: Planar,
}

impl Footing {
    /// The ground around the straight way from a frame to a place, as a terrain. `level` is its height if all of it is level;
    /// where it ends nearby that does not count.
    pub fn terrain(
        ground: &SceneGround,
        obstacles: &[Obstacle],
        frame: Planar,
        to: Vec2,
        level: Option<f32>,
    ) -> Terrain {
        let way = to - frame.position;
        let beside = |thing: &Obstacle| {
            let at = Vec2::new(thing.at.x, thing.at.z) - frame.position;
            let along = (at.dot(way) / way.length_squared().max(1e-6)).clamp(0.0, 1.0);
            at.distance(along * way) < AROUND
        };
        let near: Vec<Obstacle> = obstacles.iter().filter(|thing| beside(thing)).cloned().collect();
        let pieces = way.length().ceil().clamp(1.0, 1000.0);
        let mut places =
            (0..=pieces as usize).map(|piece| frame.position + way * (piece as f32 / pieces));
        match level {
            // A plane is exact, and much quicker.
            Some(height)
                if near.is_empty() && places.all(|place| is_wide(ground, place, height)) =>
            {
                let plane = Terrain::plane(vec3(0.0, 1.0, 0.0), f64::from(height));
                plane.unwrap_or_else(|_| Terrain::level())
            }
            _ => Terrain::surface(Self { ground: ground.clone(), obstacles: near, frame }),
        }
    }

    /// All ground and everything on it, in the world.
    pub fn everywhere(ground: &SceneGround, obstacles: &[Obstacle]) -> Terrain {
        let (ground, obstacles) = (ground.clone(), obstacles.to_vec());
        Terrain::surface(Self { ground, obstacles, frame: Planar::IDENTITY })
    }

    fn below(&self, at: DVec3, reach: f64) -> Option<SurfacePoint> {
        let from = (at + DVec3::Y * ABOVE).as_vec3();
        let hit = self.ground.probe(from, (ABOVE + 2.0 * reach) as f32)?;
        let normal = hit.normal.as_dvec3();
        let distance = (at - hit.point.as_dvec3()).dot(normal);
        (distance <= reach).then(|| SurfacePoint { distance, normal: vector(hit.normal) })
    }
}

impl Surface for Footing {
    fn nearest(&self, point: Vector<f64>, reach: f64) -> Option<SurfacePoint> {
        let turn = glam::DQuat::from_rotation_y(f64::from(self.frame.heading));
        let place = self.frame.position.as_dvec2();
        let at = turn * DVec3::new(point.x, point.y, point.z) + DVec3::new(place.x, 0.0, place.y);
        let mut best = self.below(at, reach);
        for thing in &self.obstacles {
            if let Some(found) = beside(thing, at).filter(|found| found.distance <= reach)
                && best.is_none_or(|best| found.distance < best.distance)
            {
                best = Some(found);
            }
        }
        best.map(|SurfacePoint { distance, normal }| {
            let n = turn.conjugate() * DVec3::new(normal.x, normal.y, normal.z);
            SurfacePoint { distance, normal: vec3(n.x, n.y, n.z) }
        })
    }
}

/// Whether there is level ground wherever somebody may get to.
fn is_wide(ground: &SceneGround, place: Vec2, height: f32) -> bool {
    let turns = (0..16).map(|turn| Vec2::from_angle(turn as f32 * std::f32::consts::TAU / 16.0));
    turns.flat_map(|way| WIDE.map(|far| place + far * way)).all(|place| {
        let found = ground.probe(Vec3::new(place.x, height + 0.3, place.y), 1.0);
        found.is_some_and(|hit| (hit.point.y - height).abs() < 1e-3)
    })
}

/// Distance from the surface of an obstacle; obstacles of triangles are as their outline.
fn beside(thing: &Obstacle, at: DVec3) -> Option<SurfacePoint> {
    let (bottom, top) = (f64::from(thing.bottom()), f64::from(thing.top()));
    let middle = 0.5 * (bottom + top);
    let high = 0.5 * (top - bottom);
    let heading = glam::DQuat::from_rotation_y(f64::from(thing.heading));
    let local = heading.conjugate()
        * (at - DVec3::new(f64::from(thing.at.x), middle, f64::from(thing.at.z)));
    let (distance, normal) = match &thing.shape {
        Shape::Box(size) => {
            let half = DVec3::new(0.5 * f64::from(size.x), high, 0.5 * f64::from(size.z));
            to_box(local, half)
        }
        Shape::Cylinder { radius, .. } => {
            let flat = DVec2::new(local.x, local.z);
            let out = flat.try_normalize().unwrap_or(DVec2::X);
            let (d, n) = to_box(
                DVec3::new(flat.length(), local.y, 0.0),
                DVec3::new(f64::from(*radius), high, 1e6),
            );
            (d, DVec3::new(out.x * n.x, n.y, out.y * n.x))
        }
        Shape::Mesh(_) => return None,
    };
    let n = heading * normal;
    Some(SurfacePoint { distance, normal: vec3(n.x, n.y, n.z) })
}

/// Distance from a box, negative inside, and the way out.
fn to_box(at: DVec3, half: DVec3) -> (f64, DVec3) {
    let over = at.abs() - half;
    if over.max_element() <= 0.0 {
        let out = if over.x >= over.y && over.x >= over.z {
            DVec3::X * at.x.signum()
        } else if over.y >= over.z {
            DVec3::Y * at.y.signum()
        } else {
            DVec3::Z * at.z.signum()
        };
        return (over.max_element(), out);
    }
    let away = over.max(DVec3::ZERO);
    (away.length(), (away * at.signum()).normalize_or(DVec3::Y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const YARD: &str = r#"version = 1
name = "yard"
[[platform]]
outline = [[-8, -8], [8, -8], [8, 8], [-8, 8]]
slope = [0.1, 0.05]
[[obstacle]]
at = [2, 0, 1]
heading = 30
box = [1, 2, 0.6]
[[obstacle]]
at = [-2, 0, 1]
radius = 0.5
tall = 1.5
[[character]]
start = { at = [0, 0] }
"#;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn the_way_out_leads_to_the_surface(
            x in -3.5f64..3.5, y in 0.0f64..2.5, z in -2.0f64..3.0, heading in -3.0f32..3.0,
        ) {
            let scene = crate::read_scene(YARD).unwrap();
            let frame = Planar::new(Vec2::new(0.3, -0.2), heading);
            let terrain =
                Footing::terrain(&SceneGround::new(&scene), &scene.obstacles, frame, frame.position, None);
            let at = vec3(x, y, z);
            let Some(found) = terrain.at(at, 5.0) else { return Ok(()) };
            prop_assert!((found.normal.length() - 1.0).abs() < 1e-5);
            let there = at - found.normal * found.distance;
            let left = terrain.at(there, 5.0).unwrap();
            // Inside of the edge of one thing another may be nearer; never farther.
            prop_assert!(left.distance < 1e-4, "{found:?} {left:?}");
        }
    }
}
