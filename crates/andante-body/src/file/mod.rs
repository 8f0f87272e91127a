//! Character files: a body as TOML.
//!
//! Lengths are in metres, masses in kilograms, angles in degrees. Places are in the world, in the design
//! pose, so that a file can be written from a drawing: a character stands on y = 0 and faces +Z, its left at +X.

mod read;
mod resolve;
mod schema;
mod sides;
mod write;

pub use read::{read_body, read_body_file};
pub(crate) use resolve::{DAMPING_PER_STIFFNESS, limb_frame};
pub use write::write_body;
