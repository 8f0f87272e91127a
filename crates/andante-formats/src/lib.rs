//! Motion capture and character files.

mod asset;
mod atomic;
mod error;
pub mod gltf;
pub mod units;

pub use asset::{Asset, ReadOptions, UnitSource, Units, UpAxis, Warning};
pub use atomic::write_atomically;
pub use error::{Place, ReadError};
