//! Clips adapted to uneven ground while they play.

pub(crate) mod body;
pub(crate) mod clip;
pub(crate) mod curve;
pub(crate) mod ends;
mod error;
pub(crate) mod fade;
mod grounding;
mod input;
pub(crate) mod layer;
mod learned;
mod path;
mod placement;
pub(crate) mod plan;
mod report;
mod stances;
mod steps;
pub(crate) mod times;
pub(crate) mod trace;
pub(crate) mod turns;
mod watch;

pub use clip::{GroundClip, GroundStance, samples_per_frame};
pub use error::{GroundClipError, GroundingError};
pub use fade::FadeSettings;
pub use grounding::Grounding;
pub use input::{
    GroundPace, GroundStrideSettings, GroundingOptions, GroundingSettings, Input, Start,
    SuppliedFoothold, SupportMotion,
};
pub use placement::{FootPlacement, PlacementReport, PlacementSettings, SourceFrame};
pub use report::{FootReport, FootStatus, GroundReport, SupportKind};
pub use times::StageTimes;
pub use trace::{GroundQuery, Trace};
