//! What planning for a character knows of its body and of the world.

use super::body::{blocking, overhead, standing, walker};
use super::footing;
use crate::{CharacterSpec, PlannerSettings, SceneGround, StageSettings};
use andante_plan::Clock;
use andante_plan::route::{FloorError, NavAgent, Network, Walls};
use andante_plan::steps::StepMethod;
use andante_play::posture::Stoop;
use andante_skeleton::Character;
use andante_take::BodyEnvelope;
use andante_world::{GroundPatch, Obstacle};
use std::sync::{Arc, OnceLock};

/// A body that ways are planned for: its shape, how it steps and what room it needs.
#[derive(Debug)]
pub(crate) struct PlanningBody {
    pub character: Character,
    pub envelope: BodyEnvelope,
    pub planner: StepMethod,
    pub walker: NavAgent,
    pub settings: PlannerSettings,
    /// How it bends under what hangs low, and how much air it keeps there, in metres.
    pub stoop: (Stoop, f32),
}

impl PlanningBody {
    /// The body of a part; whether it runs and jumps is the part's.
    pub fn new(
        part: &CharacterSpec,
        character: &Character,
        planner: StepMethod,
        settings: &StageSettings,
    ) -> Self {
        let options = settings.step_options(None);
        let walker = walker(part, character, &planner, &options, &settings.planner);
        let envelope = BodyEnvelope::new(&character.skeleton);
        let stoop = Stoop::new(character, walker.height, settings.posture);
        let stoop = (stoop, settings.behavior.head_room);
        let (character, settings) = (character.clone(), settings.planner);
        Self { character, envelope, planner, walker, settings, stoop }
    }
}

/// Ground that stays as it is.
#[derive(Debug)]
pub(crate) struct PlanningGround {
    pub patches: Vec<GroundPatch>,
    pub ground: Arc<SceneGround>,
    /// Where feet may stand.
    pub footing: Walls,
}

impl PlanningGround {
    pub fn new(
        patches: Vec<GroundPatch>,
        ground: Arc<SceneGround>,
        settings: &PlannerSettings,
    ) -> Result<Self, FloorError> {
        Ok(Self { footing: footing(&patches, settings.foot_margin)?, ground, patches })
    }
}

/// The world as a body sees it, with what stands in the way at some time.
#[derive(Debug)]
pub(crate) struct PlanningWorld {
    pub body: Arc<PlanningBody>,
    pub place: Arc<PlanningGround>,
    pub obstacles: Vec<Obstacle>,
    /// What is ducked under.
    pub overhead: Vec<Obstacle>,
    /// The world without obstacles that have come since.
    pub network: Arc<Network>,
    /// The world as it is now: with room for arms, and, if that is not enough, as narrow as it gets.
    roomy: OnceLock<Network>,
    narrow: OnceLock<Arc<Network>>,
    /// Obstacles that are gone round, and for each whether it is; others are ducked under or stepped on.
    pub blocking: Vec<usize>,
    pub stands: Vec<bool>,
    /// Whether things stand otherwise in it than in the network.
    has_changed: bool,
    /// Milliseconds it took, but for what is made when a way is looked for.
    pub preparation: f64,
}

impl PlanningWorld {
    pub fn new(
        body: Arc<PlanningBody>,
        place: Arc<PlanningGround>,
        obstacles: Vec<Obstacle>,
        clock: &Clock,
    ) -> Result<Self, FloorError> {
        let began = clock.now();
        let network = Arc::new(Network::new(&place.patches, &obstacles, &body.walker)?);
        let world = Self {
            overhead: Vec::new(),
            stands: Vec::new(),
            blocking: Vec::new(),
            roomy: OnceLock::new(),
            narrow: OnceLock::from(Arc::clone(&network)),
            network,
            obstacles,
            body,
            place,
            has_changed: false,
            preparation: 0.0,
        };
        Ok(world.met(clock.since(began)))
    }

    /// The same world with other things in the way.
    pub fn with_obstacles(
        &self,
        obstacles: Vec<Obstacle>,
        clock: &Clock,
    ) -> Result<Self, FloorError> {
        let began = clock.now();
        let network = self.made_roomy(&obstacles)?;
        let world = Self { roomy: OnceLock::from(network), ..self.changed(obstacles) };
        Ok(world.met(clock.since(began)))
    }

    /// The same for those who look for no way in it yet, only for how narrow it is.
    pub fn narrowed_by(&self, obstacles: Vec<Obstacle>, clock: &Clock) -> Result<Self, FloorError> {
        let began = clock.now();
        let network = Arc::new(self.made_narrow(&obstacles)?);
        let world = Self { narrow: OnceLock::from(network), ..self.changed(obstacles) };
        Ok(world.met(clock.since(began)))
    }

    fn changed(&self, obstacles: Vec<Obstacle>) -> Self {
        Self {
            body: Arc::clone(&self.body),
            place: Arc::clone(&self.place),
            network: Arc::clone(&self.network),
            roomy: OnceLock::new(),
            narrow: OnceLock::new(),
            overhead: Vec::new(),
            stands: Vec::new(),
            blocking: Vec::new(),
            obstacles,
            has_changed: true,
            preparation: 0.0,
        }
    }

    /// What each obstacle is to the body, by a network that is known.
    fn met(mut self, preparation: f64) -> Self {
        if let Some(network) = self.roomy.get().or(self.narrow.get().map(Arc::as_ref)) {
            self.overhead = overhead(network, &self.obstacles);
            self.stands = standing(network, &self.obstacles);
            self.blocking = blocking(network);
        }
        Self { preparation, ..self }
    }

    fn made_roomy(&self, obstacles: &[Obstacle]) -> Result<Network, FloorError> {
        let radius = self.body.walker.clearance.radius + self.body.settings.roomy;
        self.network.roughly_with_obstacles(obstacles, radius)
    }

    fn made_narrow(&self, obstacles: &[Obstacle]) -> Result<Network, FloorError> {
        self.network.with_obstacles(obstacles, self.body.walker.clearance.radius)
    }

    /// The world as it is now with room for arms, if it has changed.
    pub fn roomy(&self) -> Option<&Network> {
        if self.has_changed && self.roomy.get().is_none() {
            let network = self.made_roomy(&self.obstacles).ok()?;
            return Some(self.roomy.get_or_init(|| network));
        }
        self.roomy.get()
    }

    /// The world as it is now, as narrow as the character gets through.
    pub fn narrow(&self) -> Result<&Arc<Network>, FloorError> {
        if let Some(known) = self.narrow.get() {
            return Ok(known);
        }
        let network = self.made_narrow(&self.obstacles)?;
        Ok(self.narrow.get_or_init(|| Arc::new(network)))
    }

    /// True if this is the network as narrow as it gets.
    pub fn is_narrow(&self, network: &Network) -> bool {
        self.narrow.get().is_some_and(|narrow| std::ptr::eq(&**narrow, network))
    }
}
