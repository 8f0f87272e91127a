//! The world of a stage, as everybody's way sees it.

use super::kind::ActorKind;
use crate::character_plan::{PlanningGround, PlanningWorld};
use crate::scene::STEP;
use crate::{Scene, SceneGround};
use andante_plan::Clock;
use andante_plan::route::{FloorError, Network, Walls};
use andante_world::{Ground, Obstacle, ObstacleOutline};
use glam::{Vec2, Vec3};
use std::sync::Arc;

/// A world, and the change it is of.
type KnownWorld = (usize, Arc<PlanningWorld>);

/// Ground, obstacles, and the ways between them for everybody who walks there.
#[derive(Clone, Debug)]
pub(crate) struct Surroundings {
    pub ground: Arc<SceneGround>,
    pub obstacles: Vec<Obstacle>,
    place: Arc<PlanningGround>,
    level: bool,
    /// For each kind, without jumps and with them, with the change they are of; made when they are needed.
    known: Vec<[Option<KnownWorld>; 2]>,
    /// How often something has changed, and where.
    changes: usize,
    changed: Vec<ChangedPlace>,
    /// Where platforms get to that move: nobody else walks there.
    swept: Vec<Obstacle>,
    pub clock: Clock,
    /// Milliseconds that worlds took.
    pub preparation: f64,
}

/// What has changed.
#[derive(Clone, Debug)]
struct ChangedPlace {
    name: String,
    /// A disc around where it is and has been.
    at: Vec2,
    reach: f32,
    /// The number of its last change.
    last: usize,
}

/// What is farther away than this from a body is no wall to it, in metres.
const AROUND: f32 = 6.0;

/// A disc around an obstacle, seen from above.
pub(crate) fn bounds(obstacle: &Obstacle) -> (Vec2, f32) {
    match obstacle.footprint() {
        ObstacleOutline::Disc { at, radius } => (at, radius),
        ObstacleOutline::Outline(corners) => {
            let at = corners.iter().sum::<Vec2>() / corners.len().max(1) as f32;
            (at, corners.iter().map(|corner| corner.distance(at)).fold(0.0, f32::max))
        }
    }
}

impl Surroundings {
    pub fn new(scene: &Scene, kinds: usize) -> Result<Self, FloorError> {
        let patches = scene.stepped_on();
        let platforms = || patches.iter().map(|patch| &patch.platform);
        let flat = patches
            .iter()
            .all(|patch| patch.terrain.is_none() && patch.platform.slope == Vec2::ZERO);
        let first = platforms().next().map_or(0.0, |platform| platform.height);
        let same = platforms().all(|platform| (platform.height - first).abs() < 1e-3);
        let ground = Arc::new(SceneGround::new(&patches));
        let level = flat && same;
        Ok(Self {
            place: Arc::new(PlanningGround::new(
                patches,
                Arc::clone(&ground),
                &scene.settings.planner,
            )?),
            ground,
            obstacles: scene.obstacles.clone(),
            level,
            known: vec![[None, None]; kinds],
            changes: 0,
            changed: Vec::new(),
            swept: scene
                .moving
                .iter()
                .flat_map(|platform| platform.sweep(&scene.settings.moving_platforms))
                .collect(),
            clock: Clock::default(),
            preparation: 0.0,
        })
    }

    /// The world of another scene, with what was measured of this one.
    pub fn rebuilt(&self, scene: &Scene, kinds: usize) -> Result<Self, FloorError> {
        let (clock, preparation) = (self.clock, self.preparation);
        Ok(Self { clock, preparation, changes: self.changes, ..Self::new(scene, kinds)? })
    }

    /// Makes room for bodies of a kind that has come, of which nothing is known yet.
    pub fn admit(&mut self, kind: usize) {
        self.known.resize(self.known.len().max(kind + 1), [None, None]);
        self.known[kind] = [None, None];
    }

    /// True if all ground is level and of one height.
    pub fn is_level(&self) -> bool {
        self.level
    }

    /// Something has come, or gone, or stands elsewhere now.
    pub fn change(&mut self, obstacle: &Obstacle) {
        self.changes += 1;
        let (at, reach) = bounds(obstacle);
        match self.changed.iter_mut().find(|own| own.name == obstacle.name) {
            Some(own) => {
                own.reach = own.reach.max(own.at.distance(at) + reach);
                own.last = self.changes;
            }
            None => {
                let name = obstacle.name.clone();
                self.changed.push(ChangedPlace { name, at, reach, last: self.changes });
            }
        }
    }

    /// The world as bodies of a kind see it now.
    pub fn planning(
        &mut self,
        index: usize,
        kind: &ActorKind,
        jumps: bool,
    ) -> Result<Arc<PlanningWorld>, FloorError> {
        self.known(index, kind, jumps, PlanningWorld::with_obstacles)
    }

    /// The same, made of what was known before if something has changed since.
    fn known(
        &mut self,
        index: usize,
        kind: &ActorKind,
        jumps: bool,
        changed: impl Fn(&PlanningWorld, Vec<Obstacle>, &Clock) -> Result<PlanningWorld, FloorError>,
    ) -> Result<Arc<PlanningWorld>, FloorError> {
        let slot = &mut self.known[index][usize::from(jumps)];
        if let Some((change, world)) = slot
            && *change == self.changes
        {
            return Ok(Arc::clone(world));
        }
        let obstacles = [&*self.obstacles, &*self.swept].concat();
        let world = Arc::new(match slot {
            Some((_, before)) => changed(before, obstacles, &self.clock)?,
            None => {
                let body = Arc::clone(&kind.bodies[usize::from(jumps)]);
                PlanningWorld::new(body, Arc::clone(&self.place), obstacles, &self.clock)?
            }
        });
        self.preparation += world.preparation;
        *slot = Some((self.changes, Arc::clone(&world)));
        let oldest = self.known.iter().flatten().flatten().map(|(change, _)| *change).min();
        self.changed.retain(|own| oldest.is_some_and(|oldest| own.last > oldest));
        Ok(world)
    }

    /// The network of ways that bodies of a kind get through around a place. What has changed far away does not matter
    /// there.
    pub fn network_around(
        &mut self,
        index: usize,
        kind: &ActorKind,
        place: Vec2,
    ) -> Result<Arc<Network>, FloorError> {
        if let Some((change, world)) = &self.known[index][0] {
            let far = |own: &ChangedPlace| {
                own.last <= *change || own.at.distance(place) > own.reach + AROUND
            };
            if self.changed.iter().all(far) {
                return Ok(Arc::clone(world.narrow()?));
            }
        }
        self.network(index, kind, false)
    }

    /// The network of ways that bodies of a kind get through now.
    pub fn network(
        &mut self,
        index: usize,
        kind: &ActorKind,
        jumps: bool,
    ) -> Result<Arc<Network>, FloorError> {
        Ok(Arc::clone(self.known(index, kind, jumps, PlanningWorld::narrowed_by)?.narrow()?))
    }

    /// Height of the ground a body stands on.
    pub fn height(&self, place: Vec2, below: f32) -> Option<f32> {
        self.below(Vec3::new(place.x, below, place.y), f32::INFINITY)
    }

    /// Height of the ground below a point, to some depth.
    pub fn below(&self, from: Vec3, depth: f32) -> Option<f32> {
        self.ground.height_below(from, depth)
    }
}

/// The walls of the level at a place, for somebody whose floor is so high.
pub(crate) fn walls_at(network: &Network, place: Vec2, floor: f32) -> Option<&Walls> {
    let level = network.places().level_at(place, Some(floor + STEP))?;
    Some(network.places().walls(level))
}
