#![doc = include_str!("../README.md")]

pub mod archive;
pub mod blend_space;
pub mod change_over;
mod contacts;
pub mod feet;
mod goal_error;
mod ground;
pub mod measure;
pub mod posture;
pub mod repertoire;
pub mod spring;

pub use contacts::{Contacts, FootContacts, Interval};
pub use feet::{FeetSettings, FootholdSettings, Footprint, SwingSettings};
pub use goal_error::goal_error;
pub use ground::{
    FadeSettings, FootPlacement, FootReport, FootStatus, GroundClip, GroundClipError, GroundPace,
    GroundQuery, GroundReport, GroundStance, GroundStrideSettings, Grounding, GroundingError,
    GroundingOptions, GroundingSettings, Input, PlacementReport, PlacementSettings, SourceFrame,
    StageTimes, Start, SuppliedFoothold, SupportKind, SupportMotion, Trace, samples_per_frame,
};
