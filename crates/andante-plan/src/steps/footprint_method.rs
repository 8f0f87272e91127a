//! Where the footprints of a motion come from.

use super::{
    PlacedFootprints, PlannedMotion, Roadmap, RoadmapOptions, StepError, StepGround, StepJourney,
    StepLeg, StepOptions, StepPlanner,
};
use glam::Vec2;

/// The way footprints are chosen.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum FootprintMethod {
    /// By the clips that are played along the journey's legs.
    #[default]
    Route,
    /// By hand: these are stepped on exactly, and the journey's legs do not matter.
    Placed(Vec<PlacedFootprints>),
    /// By A* over a roadmap of footprints around the journey, whose legs only say where that is.
    Roadmap(RoadmapOptions),
}

impl StepPlanner {
    /// Performs a journey from rest to rest on footprints that are chosen in a way of one's own.
    pub fn perform_by(
        &self,
        method: &FootprintMethod,
        journey: &StepJourney,
        world: &StepGround,
        options: &StepOptions,
    ) -> Result<PlannedMotion, StepError> {
        match method {
            FootprintMethod::Route => self.perform(journey, world, options),
            FootprintMethod::Placed(prints) => self.perform_footprints(prints, world, options),
            FootprintMethod::Roadmap(roadmap) => {
                let map = Roadmap::new(self, world, bounds(journey, roadmap.around), roadmap)?;
                let prints =
                    map.find(self, world, [journey.start, journey.goal], options.smoothing);
                let prints = prints.ok_or(StepError::NoFootprints(roadmap.places))?;
                self.perform_footprints(&prints, world, options)
            }
        }
    }
}

/// A box around a journey.
fn bounds(journey: &StepJourney, around: f32) -> [Vec2; 2] {
    let legs = journey.legs.iter().flat_map(|leg| match leg {
        StepLeg::Walk(places) => places.clone(),
        StepLeg::Jump(jump) => vec![jump.from, jump.to],
    });
    let ends = [journey.start.position, journey.goal.position];
    ends.into_iter().chain(legs).fold([ends[0] - around, ends[0] + around], |[low, high], place| {
        [low.min(place - around), high.max(place + around)]
    })
}
