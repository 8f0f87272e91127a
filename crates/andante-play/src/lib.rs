//! Clips adapted to uneven ground while they play.
//!
//! A clip was made on a plane. [`GroundClip`] finds out, once, what it does there: where each foot stands and
//! when, how it gets from one print to the next, how the body travels above them. [`Grounding`] plays such
//! clips over any [`Ground`](andante_world::Ground): it looks ahead for the next footholds, moves each foot
//! relative to its footprint exactly as the clip does, carries it over what is in its way, and lets the body
//! follow its feet. On the clip's own plane the result is the clip.
//!
//! ```
//! use andante_play::{Grounding, GroundingOptions, Input, Start};
//! use andante_motion::synth;
//! use andante_skeleton::{Pose, humanoid};
//! use andante_world::HeightFunction;
//! use std::sync::Arc;
//!
//! let human = Arc::new(humanoid());
//! let walk = Arc::new(synth::clip(&human, "walk")?.ground_clip(&human)?);
//! let hills = HeightFunction::new(|place| 0.2 * (1.5 * place.y).sin());
//!
//! let mut walker = Grounding::new(walk, Start::default(), GroundingOptions::default());
//! let mut pose = Pose::rest(&human.skeleton);
//! for _ in 0..60 {
//!     let report = walker.step(1.0 / 60.0, &Input::default(), &hills, &mut pose);
//!     assert!(report.residual < 0.01);
//! }
//! assert!(pose[0].translation.z > 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod archive;
pub mod blend_space;
mod contacts;
pub mod feet;
mod ground;
pub mod posture;
pub mod repertoire;
pub mod spring;

pub use contacts::{Contacts, FootContacts, Interval};
pub use feet::{FeetSettings, FootholdSettings, Footprint, SwingSettings};
pub use ground::{
    FootReport, FootStatus, GroundClip, GroundClipError, GroundPace, GroundQuery, GroundReport,
    GroundStance, Grounding, GroundingOptions, Input, StageTimes, Start, StrideSettings,
    SuppliedFoothold, SupportKind, SupportMotion, Trace, samples_per_frame,
};
