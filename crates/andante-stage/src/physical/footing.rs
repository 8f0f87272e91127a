//! What a simulation stands on and bumps into: the ground of a scene, its obstacles and the platforms that move, seen from
//! where somebody stood.

use super::probed_surface::below;
use super::solids::Solids;
use crate::moving_platform::{Carriage, MovingPlatform, PlatformMoment};
use crate::{PhysicalSettings, SceneGround};
use andante_dynamics::{
    ContactTerrain, GroundMotion, SolidMesh, Surface, SurfacePoint, Vec3 as Vector, vec3,
};
use andante_skeleton::Planar;
use andante_world::{Ground, Obstacle, ObstacleShape};
use glam::{DQuat, DVec2, DVec3, Vec2, Vec3};
use std::sync::Arc;

/// Everything that simulations stand on and bump into.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a> {
    pub ground: &'a SceneGround,
    pub obstacles: &'a [Obstacle],
    pub moving: &'a Arc<[MovingPlatform]>,
    pub solids: &'a Solids,
}

/// The ground of a scene in the frame of a simulation, which is turned about y and moved along the floor, and is carried by a
/// platform if somebody rides on it.
#[derive(Clone)]
pub(crate) struct SimulationGround {
    ground: SceneGround,
    obstacles: Arc<[SimulatedObstacle]>,
    moving: Arc<[MovingPlatform]>,
    frame: Planar,
    carrier: Option<usize>,
    now: Vec<PlatformMoment>,
    carriage: Option<Carriage>,
}

/// An obstacle, and what it is made of if that is triangles.
#[derive(Clone)]
struct SimulatedObstacle {
    obstacle: Obstacle,
    mesh: Option<Arc<SolidMesh>>,
}

/// Ground that stays, or ground some of which moves.
#[derive(Clone)]
pub(crate) enum MovingGround {
    Still(ContactTerrain),
    Moving(Arc<SimulationGround>),
}

impl std::fmt::Debug for MovingGround {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if matches!(self, Self::Still(_)) { "Still" } else { "Moving" })
    }
}

impl MovingGround {
    /// The ground at a time.
    pub fn at(&self, time: f64) -> ContactTerrain {
        match self {
            Self::Still(terrain) => terrain.clone(),
            Self::Moving(footing) => ContactTerrain::surface(footing.at(time)),
        }
    }

    /// The ground at a time, if it is another than before.
    pub fn moved(&self, time: f64) -> Option<ContactTerrain> {
        matches!(self, Self::Moving(_)).then(|| self.at(time))
    }
}

impl SimulationGround {
    /// The ground around the straight way from a frame to a place. `level` is its height if all of it is level; where it ends
    /// nearby that does not count. The frame is as if the platform that carries it had stayed.
    pub fn around(
        site: Site,
        settings: &PhysicalSettings,
        frame: Planar,
        carrier: Option<usize>,
        to: Vec2,
        level: Option<f32>,
    ) -> MovingGround {
        let way = to - frame.position;
        let beside = |thing: &Obstacle| {
            let at = Vec2::new(thing.at.x, thing.at.z) - frame.position;
            let along = (at.dot(way) / way.length_squared().max(1e-6)).clamp(0.0, 1.0);
            at.distance(along * way) < settings.around + thing.shape.reach()
        };
        if !site.moving.is_empty() {
            // Everything may come near.
            return Self::seen_from(site, frame, carrier, |_| true);
        }
        let pieces = way.length().ceil().clamp(1.0, 1000.0);
        let mut places =
            (0..=pieces as usize).map(|piece| frame.position + way * (piece as f32 / pieces));
        match level {
            // A plane is exact, and much quicker.
            Some(height)
                if !site.obstacles.iter().any(beside)
                    && places.all(|place| is_wide(site.ground, place, height, settings)) =>
            {
                let plane = ContactTerrain::plane(vec3(0.0, 1.0, 0.0), f64::from(height));
                MovingGround::Still(plane.unwrap_or_else(|_| ContactTerrain::level()))
            }
            _ => Self::seen_from(site, frame, carrier, beside),
        }
    }

    /// All ground and everything on it, in the world.
    pub fn everywhere(site: Site) -> MovingGround {
        Self::seen_from(site, Planar::IDENTITY, None, |_| true)
    }

    fn seen_from(
        site: Site,
        frame: Planar,
        carrier: Option<usize>,
        counts: impl Fn(&Obstacle) -> bool,
    ) -> MovingGround {
        let near = site.obstacles.iter().filter(|thing| counts(thing));
        let thing = |obstacle: &Obstacle| SimulatedObstacle {
            mesh: site.solids.of(&obstacle.shape),
            obstacle: obstacle.clone(),
        };
        let footing = Self {
            ground: site.ground.clone(),
            obstacles: near.map(thing).collect(),
            moving: Arc::clone(site.moving),
            frame,
            carrier,
            now: Vec::new(),
            carriage: None,
        };
        if footing.moving.is_empty() {
            MovingGround::Still(ContactTerrain::surface(footing))
        } else {
            MovingGround::Moving(Arc::new(footing))
        }
    }

    /// The same at a time.
    fn at(&self, time: f64) -> Self {
        let now = self.moving.iter().map(|platform| platform.moment(time)).collect();
        let carrier = self.carrier.and_then(|index| self.moving.get(index));
        let carriage = carrier.map(|platform| Carriage::new(platform, time));
        Self { now, carriage, ..self.clone() }
    }

    fn turn(&self) -> DQuat {
        DQuat::from_rotation_y(f64::from(self.frame.heading))
    }

    /// A point of the simulation in the world.
    fn in_world(&self, point: DVec3) -> DVec3 {
        let place = self.frame.position.as_dvec2();
        let at = self.turn() * point + DVec3::new(place.x, 0.0, place.y);
        self.carriage.map_or(at, |carriage| carriage.place(at))
    }

    /// A direction of the world in the simulation.
    fn out_of_world(&self, direction: DVec3) -> DVec3 {
        let own = self.carriage.map_or(direction, |carriage| carriage.direction_back(direction));
        self.turn().conjugate() * own
    }

    /// What is nearest to a point of the world, and the number of the platform if it is one that moves.
    fn find(&self, at: DVec3, reach: f64) -> Option<(SurfacePoint, Option<usize>)> {
        let mut best = below(&self.ground, at, reach).map(|found| (found, None));
        let mut take = |found: Option<SurfacePoint>, platform: Option<usize>| {
            if let Some(found) = found.filter(|found| found.distance <= reach)
                && best.is_none_or(|(best, _)| found.distance < best.distance)
            {
                best = Some((found, platform));
            }
        };
        for thing in &*self.obstacles {
            take(beside(thing, at, reach), None);
        }
        for (index, (platform, now)) in self.moving.iter().zip(&self.now).enumerate() {
            let half = 0.5 * platform.size.as_dvec3();
            let local = now.turned().conjugate() * (at - now.place) - DVec3::Y * half.y;
            let (distance, normal) = to_box(local, half);
            let n = now.turned() * normal;
            take(Some(SurfacePoint { distance, normal: vec3(n.x, n.y, n.z) }), Some(index));
        }
        best
    }
}

impl Surface for SimulationGround {
    fn nearest(&self, point: Vector<f64>, reach: f64) -> Option<SurfacePoint> {
        let at = self.in_world(DVec3::new(point.x, point.y, point.z));
        self.find(at, reach).map(|(SurfacePoint { distance, normal }, _)| {
            let n = self.out_of_world(DVec3::new(normal.x, normal.y, normal.z));
            SurfacePoint { distance, normal: vec3(n.x, n.y, n.z) }
        })
    }

    fn motion(&self, point: Vector<f64>, reach: f64) -> Option<GroundMotion> {
        if self.now.is_empty() {
            return None;
        }
        let at = self.in_world(DVec3::new(point.x, point.y, point.z));
        let (_, platform) = self.find(at, reach)?;
        if platform == self.carrier {
            return None;
        }
        let own = platform.and_then(|index| self.now.get(index));
        let frame = self.carriage.as_ref().map(Carriage::now);
        // Both seen from the world, at the origin of the simulation.
        let origin = self.in_world(DVec3::ZERO);
        let velocity =
            |of: Option<&PlatformMoment>| of.map_or(DVec3::ZERO, |now| now.velocity_at(origin));
        let spin = |of: Option<&PlatformMoment>| of.map_or(0.0, |now| now.spin);
        let v = self.out_of_world(velocity(own) - velocity(frame));
        Some(GroundMotion {
            velocity: vec3(v.x, v.y, v.z),
            spin: vec3(0.0, spin(own) - spin(frame), 0.0),
        })
    }
}

/// Whether there is level ground wherever somebody may get to.
fn is_wide(ground: &SceneGround, place: Vec2, height: f32, settings: &PhysicalSettings) -> bool {
    let rings = [1.0, 2.0, 3.0].map(|ring| settings.level_around * ring / 3.0);
    let turns = (0..16).map(|turn| Vec2::from_angle(turn as f32 * std::f32::consts::TAU / 16.0));
    turns.flat_map(|way| rings.map(|far| place + far * way)).all(|place| {
        let found = ground.probe(Vec3::new(place.x, height + 0.3, place.y), 1.0);
        found.is_some_and(|hit| (hit.point.y - height).abs() < 1e-3)
    })
}

/// Distance from the surface of an obstacle, as far as it matters.
fn beside(thing: &SimulatedObstacle, at: DVec3, reach: f64) -> Option<SurfacePoint> {
    let SimulatedObstacle { obstacle, mesh } = thing;
    let heading = DQuat::from_rotation_y(f64::from(obstacle.heading));
    if let Some(mesh) = mesh {
        let local = heading.conjugate() * (at - obstacle.at.as_dvec3());
        let found = mesh.nearest(vec3(local.x, local.y, local.z), reach)?;
        let n = heading * DVec3::new(found.normal.x, found.normal.y, found.normal.z);
        return Some(SurfacePoint { normal: vec3(n.x, n.y, n.z), ..found });
    }
    let (bottom, top) = (f64::from(obstacle.bottom()), f64::from(obstacle.top()));
    let middle = 0.5 * (bottom + top);
    let high = 0.5 * (top - bottom);
    let local = heading.conjugate()
        * (at - DVec3::new(f64::from(obstacle.at.x), middle, f64::from(obstacle.at.z)));
    let (distance, normal) = match &obstacle.shape {
        ObstacleShape::Box(size) => {
            let half = DVec3::new(0.5 * f64::from(size.x), high, 0.5 * f64::from(size.z));
            to_box(local, half)
        }
        ObstacleShape::Cylinder { radius, .. } => {
            let flat = DVec2::new(local.x, local.z);
            let out = flat.try_normalize().unwrap_or(DVec2::X);
            let (d, n) = to_box(
                DVec3::new(flat.length(), local.y, 0.0),
                DVec3::new(f64::from(*radius), high, 1e6),
            );
            (d, DVec3::new(out.x * n.x, n.y, out.y * n.x))
        }
        ObstacleShape::Mesh(_) => return None,
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
[[obstacle]]
at = [0, 0, -1.2]
heading = 50
vertices = [[0, 0.9, 0], [-0.6, -0.5, -0.6], [0.6, -0.5, -0.6], [0, -0.5, 0.6]]
triangles = [[0, 3, 2], [0, 2, 1], [0, 1, 3], [1, 2, 3]]
[[moving_platform]]
at = [0, 0, 2.2]
box = [1, 0.5, 0.8]
stops = [{ at = [0.5, 0.3, 2], heading = 70 }]
[[character]]
start = { at = [0, 0] }
"#;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn the_way_out_leads_to_the_surface(
            x in -3.5f64..3.5, y in 0.0f64..2.5, z in -2.0f64..3.0, heading in -3.0f32..3.0,
            time in 0.0f64..10.0, rides in any::<bool>(),
        ) {
            let scene = crate::read_scene(YARD).unwrap();
            let frame = Planar::new(Vec2::new(0.3, -0.2), heading);
            let (ground, moving) = (SceneGround::new(&scene.ground), scene.moving.clone().into());
            let solids = Solids::default();
            let site = Site {
                ground: &ground, obstacles: &scene.obstacles, moving: &moving, solids: &solids,
            };
            let carrier = rides.then_some(0);
            let terrain =
                SimulationGround::around(site, &scene.settings.physical, frame, carrier, frame.position, None).at(time);
            let at = vec3(x, y, z);
            let Some(found) = terrain.at(at, 5.0) else { return Ok(()) };
            prop_assert!((found.normal.length() - 1.0).abs() < 1e-5);
            let there = at - found.normal * found.distance;
            let left = terrain.at(there, 5.0).unwrap();
            // Inside of the edge of one thing another may be nearer; never farther. The side of a step is seen from within alone.
            let aside = found.normal.y == 0.0 && left.distance > -1e-3;
            prop_assert!(left.distance < 1e-4 || aside, "{found:?} {left:?}");
        }
    }
}
