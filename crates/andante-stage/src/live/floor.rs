//! The world of a stage, as everybody's way sees it.

use super::kind::ActorKind;
use super::way::LiveRoute;
use crate::part_plan::{footing, headings, overhead};
use crate::{MovingPlatform, Scene, SceneGround, Waypoint};
use andante_plan::route::{FloorError, Network, NoRoute, RouteOptions, Spot, Walls};
use andante_plan::steps::{self, StepLeg};
use andante_world::{Ground, Obstacle, ObstacleShape, Platform};
use glam::{Vec2, Vec3};
use std::sync::Arc;

/// Height of the posts that stand for people, in metres.
const PERSON: f32 = 1.7;

/// Ground, obstacles, and the ways between them for everybody who walks there.
#[derive(Clone, Debug)]
pub(crate) struct Surroundings {
    pub ground: SceneGround,
    pub obstacles: Vec<Obstacle>,
    platforms: Vec<Platform>,
    footing: Walls,
    level: bool,
    /// For each kind, without jumps and with them; made when they are needed.
    networks: Vec<[Option<Arc<Network>>; 2]>,
    /// What hangs so low that somebody has to duck under it.
    overhead: Vec<Obstacle>,
    /// Where platforms get to that move: nobody else walks there.
    swept: Vec<Obstacle>,
}

/// A way that was found.
#[derive(Clone, Debug)]
pub(crate) struct FoundRoute {
    pub legs: Vec<StepLeg>,
    pub way: LiveRoute,
    pub jumps: bool,
    /// Headings at its start and its end.
    pub headings: (f32, f32),
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
        Ok(Self {
            ground: SceneGround::new(&scene.ground),
            obstacles: scene.obstacles.clone(),
            footing: footing(&platforms)?,
            platforms,
            level: flat && same,
            networks: vec![[None, None]; kinds],
            overhead: Vec::new(),
            swept: scene.moving.iter().flat_map(MovingPlatform::sweep).collect(),
        })
    }

    /// Whether all ground is level and of one height.
    pub fn is_level(&self) -> bool {
        self.level
    }

    /// Forgets the ways that were known, because something has changed.
    pub fn changed(&mut self) {
        self.networks.iter_mut().for_each(|networks| *networks = [None, None]);
        self.overhead.clear();
    }

    pub fn network(
        &mut self,
        index: usize,
        kind: &ActorKind,
        jumps: bool,
    ) -> Result<Arc<Network>, FloorError> {
        let slot = usize::from(jumps);
        if let Some(network) = &self.networks[index][slot] {
            return Ok(Arc::clone(network));
        }
        let walker = &kind.walkers[slot];
        let obstacles = [&*self.obstacles, &*self.swept].concat();
        let network = Arc::new(Network::new(&self.platforms, &obstacles, walker)?);
        for low in overhead(&network, &obstacles) {
            if !self.overhead.contains(&low) {
                self.overhead.push(low);
            }
        }
        self.networks[index][slot] = Some(Arc::clone(&network));
        Ok(network)
    }

    /// The same for somebody who sees others as posts that stand in the way.
    pub fn network_around(
        &self,
        kind: &ActorKind,
        others: &[(Vec2, f32)],
    ) -> Result<Network, FloorError> {
        let mut obstacles = [&*self.obstacles, &*self.swept].concat();
        obstacles.extend(others.iter().map(|&(at, radius)| {
            let height = self.ground.height_at(at).unwrap_or(0.0);
            Obstacle {
                name: "somebody".into(),
                shape: ObstacleShape::Cylinder { radius, height: PERSON },
                at: Vec3::new(at.x, height, at.y),
                heading: 0.0,
            }
        }));
        Network::new(&self.platforms, &obstacles, &kind.walkers[0])
    }

    /// Height of the ground a body stands on.
    pub fn height(&self, place: Vec2, below: f32) -> Option<f32> {
        let from = Vec3::new(place.x, below, place.y);
        self.ground.probe(from, f32::INFINITY).map(|hit| hit.point.y)
    }

    /// Lends the world to the planner of footsteps, for somebody who ducks or does not.
    pub fn with_world<R>(&self, ducks: bool, work: impl FnOnce(&steps::StepGround) -> R) -> R {
        let walkable = |place: Vec2| self.footing.nearest_free(place).unwrap_or(place);
        let overhead = if ducks { self.overhead.as_slice() } else { &[] };
        work(&steps::StepGround { ground: &self.ground, walkable: &walkable, overhead })
    }
}

/// The walls of the level at a place.
pub(crate) fn walls_at(network: &Network, place: Vec2) -> Option<&Walls> {
    let level = network.places().level_at(place, None)?;
    Some(network.places().walls(level))
}

/// The way from a place to a post. Somebody who stands too close to a wall begins beside themselves.
pub(crate) fn find(
    network: &Network,
    kind: &ActorKind,
    from: Vec2,
    to: &Waypoint,
) -> Result<FoundRoute, NoRoute> {
    let options = RouteOptions::person(kind.walkers[0].height);
    let free = match walls_at(network, from) {
        Some(walls) if !walls.is_free(from) => walls.nearest_free(from).unwrap_or(from),
        _ => from,
    };
    let goal = Spot { place: to.place, height: to.height };
    let journey = network.find(Spot { place: free, height: None }, goal, &options)?;
    let mut legs = journey.legs;
    if free != from
        && let Some(StepLeg::Walk(places)) = legs.first_mut()
    {
        places.insert(0, from);
    }
    let jumps = legs.iter().any(|leg| matches!(leg, StepLeg::Jump(_)));
    Ok(FoundRoute { headings: headings(&legs), way: way_of(&legs), legs, jumps })
}

/// All legs as one line.
pub(crate) fn way_of(legs: &[StepLeg]) -> LiveRoute {
    let mut places = Vec::new();
    for leg in legs {
        match leg {
            StepLeg::Walk(walk) => places.extend_from_slice(walk),
            StepLeg::Jump(jump) => places.extend([jump.from, jump.to]),
        }
    }
    LiveRoute::new(&places)
}
