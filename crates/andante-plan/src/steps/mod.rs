//! Footsteps: from a way to a motion that goes it.
//!
//! After A. Granberg, "Planning bipedal character locomotion in virtual worlds" (KTH 2017): clips are
//! played along the way, the footprints they make are carried to where they have to be, and the body
//! and legs follow. What differs: the way is known before the clips are chosen, so that they are
//! played on it from the beginning, as fast as its bends allow and with as many steps as the speed
//! needs; footprints have little left to be moved.

mod aerial;
mod bspline;
mod course;
mod duck;
mod feet;
mod flight;
mod footprint;
mod footprint_method;
mod itinerary;
mod journey;
mod knees;
mod meeting;
mod mover;
mod pace;
mod placed_footprints;
mod planned_motion;
mod planner;
mod play;
mod plot;
mod reach_map;
mod refinement;
mod repair;
mod roadmap;
mod rough;
mod score;
mod search;
mod settings;
mod smoothing;
mod splice;
mod step_limits;
mod strides;
mod toes;
mod trajectory;
mod vocabulary;
mod welcome;

pub use crate::route::{Jump, RouteLeg as StepLeg};
pub use aerial::AerialPlanner;
pub use course::rounded;
pub use footprint::PlannedFootprint;
pub use footprint_method::FootprintMethod;
pub use itinerary::between_hairpins;
pub use journey::{StepError, StepGround, StepJourney, StepOptions};
pub use mover::StepMethod;
pub use placed_footprints::PlacedFootprints;
pub use planned_motion::{PlannedMotion, StepMetrics, Timings};
pub use planner::StepPlanner;
pub use repair::{Departure, Detour, Repair, RepairBranch};
pub use roadmap::{Roadmap, RoadmapOptions};
pub use search::{FootstepSearch, FootstepSearchSettings, FoundFootprints};
pub use settings::{
    AerialSettings, FootprintSettings, MeetingSettings, MixSettings, PaceSettings, RepairSettings,
    StepSettings, StrideSettings, TimelineSettings,
};
