//! Whatever gets a character from one place to another.

use super::{
    AerialPlanner, Departure, Detour, FootprintMethod, ManyLegPlanner, PlannedMotion, RepairBranch,
    StepError, StepJourney, StepOptions, StepSettings,
};
use super::{StepGround, StepPlanner};
use andante_play::posture::PostureSettings;
use andante_play::repertoire::Repertoire;
use std::sync::Arc;

/// The method by which a character goes: step by step if it has two legs for that, otherwise by its gait's own flights or foot by
/// foot.
#[derive(Clone, Debug)]
pub enum StepMethod {
    /// From footprint to footprint.
    Steps(Box<StepPlanner>),
    /// As one gait has it; who has four legs or more goes foot by foot where that cannot be or is refused, and slowly.
    Aerial(AerialPlanner, Option<Box<ManyLegPlanner>>),
    /// Foot by foot on four legs or more.
    ManyLegs(Box<ManyLegPlanner>),
}

impl StepMethod {
    /// The one that suits a repertoire. Who has neither two legs nor a gait that flies is refused.
    pub fn new(repertoire: Arc<Repertoire>) -> Result<Self, StepError> {
        Self::with_settings(repertoire, StepSettings::default())
    }

    /// The same with other settings.
    pub fn with_settings(
        repertoire: Arc<Repertoire>,
        settings: StepSettings,
    ) -> Result<Self, StepError> {
        match StepPlanner::with_settings(Arc::clone(&repertoire), settings) {
            Ok(planner) => Ok(Self::Steps(Box::new(planner))),
            Err(error @ (StepError::Legs(_) | StepError::NoGait)) => {
                let many = ManyLegPlanner::new(Arc::clone(&repertoire), settings.many_legs);
                let many = many.ok().map(Box::new);
                match (AerialPlanner::with_settings(repertoire, settings.aerial), many) {
                    (Ok(aerial), many) => Ok(Self::Aerial(aerial, many)),
                    (Err(_), Some(many)) => Ok(Self::ManyLegs(many)),
                    (Err(refused), None) => match error {
                        StepError::Legs(_) => Err(refused),
                        error => Err(error),
                    },
                }
            }
            Err(error) => Err(error),
        }
    }

    /// The repertoire that is performed.
    pub fn repertoire(&self) -> &Arc<Repertoire> {
        match self {
            Self::Steps(planner) => planner.repertoire(),
            Self::Aerial(planner, _) => planner.repertoire(),
            Self::ManyLegs(planner) => planner.repertoire(),
        }
    }

    /// The same, ducking another way, if it ducks.
    #[must_use]
    pub fn with_posture(self, posture: PostureSettings) -> Self {
        match self {
            Self::Steps(planner) => Self::Steps(Box::new(planner.with_posture(posture))),
            aerial => aerial,
        }
    }

    /// The posture settings: how it ducks and looks.
    pub fn posture(&self) -> PostureSettings {
        match self {
            Self::Steps(planner) => *planner.posture(),
            _ => PostureSettings::default(),
        }
    }

    /// The speed of its usual walk, in m/s; none if it goes as one gait has it and in no other way.
    pub fn walking_pace(&self) -> Option<f32> {
        match self {
            Self::Steps(planner) => Some(planner.vocabulary().pace),
            Self::Aerial(_, many) => many.as_ref().map(|many| many.pace()),
            Self::ManyLegs(planner) => Some(planner.pace()),
        }
    }

    /// The widest gap that can be jumped, in metres; none if there is no clip to jump with.
    pub fn widest_gap(&self, options: &StepOptions) -> Option<f32> {
        match self {
            Self::Steps(planner) => planner.widest_gap(options),
            _ => None,
        }
    }

    /// The height it needs to get through under something, in metres; none if it does not duck.
    pub fn ducked_height(&self) -> Option<f32> {
        match self {
            Self::Steps(planner) => Some(planner.ducked_height()),
            _ => None,
        }
    }

    /// Performs a journey from rest to rest.
    pub fn perform(
        &self,
        journey: &StepJourney,
        world: &StepGround,
        options: &StepOptions,
    ) -> Result<PlannedMotion, StepError> {
        match self {
            Self::Steps(planner) => planner.perform(journey, world, options),
            Self::ManyLegs(planner) => planner.perform(journey, world, options),
            Self::Aerial(planner, None) => planner.perform(journey, world, options),
            Self::Aerial(planner, Some(many)) => {
                // Slower than it walks no gait is that leaves the ground.
                if options.pace.is_some_and(|pace| pace < many.pace()) {
                    return many.perform(journey, world, options);
                }
                let flown = planner.perform(journey, world, options);
                flown.or_else(|_| many.perform(journey, world, options))
            }
        }
    }

    /// Performs a journey on footprints that are chosen in a way of one's own ([`StepPlanner::perform_by`]).
    pub fn perform_by(
        &self,
        method: &FootprintMethod,
        journey: &StepJourney,
        world: &StepGround,
        options: &StepOptions,
    ) -> Result<PlannedMotion, StepError> {
        match (self, method) {
            (_, FootprintMethod::Route) => self.perform(journey, world, options),
            _ => self.steps()?.perform_by(method, journey, world, options),
        }
    }

    /// The departures at which a performance can be left for another way ([`StepPlanner::departures`]).
    pub fn departures(
        &self,
        before: &PlannedMotion,
        time: f32,
        options: &StepOptions,
    ) -> Result<Vec<Departure>, StepError> {
        self.steps()?.departures(before, time, options)
    }

    /// The new part of a performance that goes another way ([`StepPlanner::branch`]).
    pub fn branch(
        &self,
        before: &PlannedMotion,
        detour: &Detour,
        world: &StepGround,
        options: &StepOptions,
    ) -> Result<RepairBranch, StepError> {
        self.steps()?.branch(before, detour, world, options)
    }

    fn steps(&self) -> Result<&StepPlanner, StepError> {
        match self {
            Self::Steps(planner) => Ok(planner),
            _ => Err(StepError::Legs(self.repertoire().character().name.clone())),
        }
    }
}
