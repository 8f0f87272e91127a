//! Clips placed in a space of parameters, and what plays them.
//!
//! [`BlendSpace2`] turns a demand into weights; [`GaitPlayer`] turns weights into
//! a body that walks without its feet sliding.

mod plane;
mod player;
mod triangles;

pub use plane::{BlendSpace2, BoundaryPoint, EXTRAPOLATION, RATE_RANGE};
pub(crate) use player::StepAhead;
pub use player::{FootMode, GaitPlayer, PlayerError, PlayerOptions, PlayerStep};

use thiserror::Error;

/// An error that keeps points from making a blend space.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum BlendSpaceError {
    /// No clips.
    #[error("a blend space needs at least one clip")]
    Empty,
    /// A parameter is NaN or infinite.
    #[error("clip {clip} of a blend space has a parameter that is not finite")]
    NonFinite {
        /// Index of the clip.
        clip: usize,
    },
}
