//! The world of a stage, as everybody's way sees it.

use super::kind::ActorKind;
use crate::character_plan::{PlanningGround, PlanningWorld};
use crate::{Scene, SceneGround};
use andante_plan::Clock;
use andante_plan::route::{FloorError, Network, Walls};
use andante_world::{Ground, Obstacle, Platform};
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
    /// How often something has changed.
    changes: usize,
    /// Where platforms get to that move: nobody else walks there.
    swept: Vec<Obstacle>,
    pub clock: Clock,
    /// Milliseconds that worlds took.
    pub preparation: f64,
}

impl Surroundings {
    pub fn new(scene: &Scene, kinds: usize) -> Result<Self, FloorError> {
        let platforms: Vec<Platform> =
            scene.ground.iter().map(|patch| patch.platform.clone()).collect();
        let flat = scene
            .ground
            .iter()
            .all(|patch| patch.terrain.is_none() && patch.platform.slope == Vec2::ZERO);
        let first = platforms.first().map_or(0.0, |platform| platform.height);
        let same = platforms.iter().all(|platform| (platform.height - first).abs() < 1e-3);
        let ground = Arc::new(SceneGround::new(&scene.ground));
        Ok(Self {
            place: Arc::new(PlanningGround::new(
                platforms,
                Arc::clone(&ground),
                &scene.settings.planner,
            )?),
            ground,
            obstacles: scene.obstacles.clone(),
            level: flat && same,
            known: vec![[None, None]; kinds],
            changes: 0,
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

    /// Whether all ground is level and of one height.
    pub fn is_level(&self) -> bool {
        self.level
    }

    /// Something stands elsewhere now.
    pub fn changed(&mut self) {
        self.changes += 1;
    }

    /// The world as bodies of a kind see it now.
    pub fn planning(
        &mut self,
        index: usize,
        kind: &ActorKind,
        jumps: bool,
    ) -> Result<Arc<PlanningWorld>, FloorError> {
        let slot = &mut self.known[index][usize::from(jumps)];
        if let Some((change, world)) = slot
            && *change == self.changes
        {
            return Ok(Arc::clone(world));
        }
        let obstacles = [&*self.obstacles, &*self.swept].concat();
        let world = Arc::new(match slot {
            Some((_, before)) => before.with_obstacles(obstacles, &self.clock)?,
            None => {
                let body = Arc::clone(&kind.bodies[usize::from(jumps)]);
                PlanningWorld::new(body, Arc::clone(&self.place), obstacles, &self.clock)?
            }
        });
        self.preparation += world.preparation;
        *slot = Some((self.changes, Arc::clone(&world)));
        Ok(world)
    }

    /// Where bodies of a kind get through now.
    pub fn network(
        &mut self,
        index: usize,
        kind: &ActorKind,
        jumps: bool,
    ) -> Result<Arc<Network>, FloorError> {
        Ok(Arc::clone(self.planning(index, kind, jumps)?.narrow()?))
    }

    /// Height of the ground a body stands on.
    pub fn height(&self, place: Vec2, below: f32) -> Option<f32> {
        let from = Vec3::new(place.x, below, place.y);
        self.ground.probe(from, f32::INFINITY).map(|hit| hit.point.y)
    }
}

/// The walls of the level at a place.
pub(crate) fn walls_at(network: &Network, place: Vec2) -> Option<&Walls> {
    let level = network.places().level_at(place, None)?;
    Some(network.places().walls(level))
}
