//! Whatever gets a character from one place to another.

use super::{
    AerialPlanner, Departure, Detour, FootprintMethod, PlannedMotion, RepairBranch, StepError,
    StepJourney, StepOptions, StepSettings,
};
use super::{StepGround, StepPlanner};
use andante_play::posture::PostureSettings;
use andante_play::repertoire::Repertoire;
use std::sync::Arc;

/// The method by which a character goes: step by step if it has two legs for that, by its gait's own flights otherwise.
#[derive(Clone, Debug)]
pub enum StepMethod {
    /// From footprint to footprint.
    Steps(Box<StepPlanner>),
    /// As one gait has it.
    Aerial(AerialPlanner),
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
            Err(StepError::Legs(_)) => {
                AerialPlanner::with_settings(repertoire, settings.aerial).map(Self::Aerial)
            }
            Err(error) => Err(error),
        }
    }

    /// The repertoire that is performed.
    pub fn repertoire(&self) -> &Arc<Repertoire> {
        match self {
            Self::Steps(planner) => planner.repertoire(),
            Self::Aerial(planner) => planner.repertoire(),
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
            Self::Aerial(_) => PostureSettings::default(),
        }
    }

    /// The speed of its usual walk, in m/s; none if it goes as one gait has it.
    pub fn walking_pace(&self) -> Option<f32> {
        match self {
            Self::Steps(planner) => Some(planner.vocabulary().pace),
            Self::Aerial(_) => None,
        }
    }

    /// The widest gap that can be jumped, in metres; none if there is no clip to jump with.
    pub fn widest_gap(&self, options: &StepOptions) -> Option<f32> {
        match self {
            Self::Steps(planner) => planner.widest_gap(options),
            Self::Aerial(_) => None,
        }
    }

    /// The height it needs to get through under something, in metres; none if it does not duck.
    pub fn ducked_height(&self) -> Option<f32> {
        match self {
            Self::Steps(planner) => Some(planner.ducked_height()),
            Self::Aerial(_) => None,
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
            Self::Aerial(planner) => planner.perform(journey, world, options),
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
            Self::Aerial(planner) => {
                Err(StepError::Legs(planner.repertoire().character().name.clone()))
            }
        }
    }
}
