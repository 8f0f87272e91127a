#![doc = include_str!("../README.md")]

pub mod acclaim;
mod aligned;
mod asset;
mod atomic;
mod budget;
pub mod bvh;
mod convention;
mod error;
mod euler;
#[cfg(feature = "fbx")]
pub mod fbx;
mod files;
mod foreign;
pub mod gate;
pub mod gltf;
mod inputs;
mod kind;
mod magnitude;
pub mod npz;
pub mod obj;
mod refused;
pub mod tds;
mod text;
pub mod units;

pub use asset::{Asset, ReadGuesses, ReadLimits, ReadOptions, UnitSource, Units, UpAxis, Warning};
pub use atomic::{AtomicFile, ResultFolder, write_all_atomically, write_atomically};
pub use error::{ErrorPlace, ReadError};
pub use euler::RotationOrder;
pub use files::{
    Format, WriteFileError, files_written, read_file, read_memory, skeleton_of, write_file,
    write_file_with,
};
pub use foreign::{ForeignOverwritten, guard_foreign, refuse_foreign};
pub use inputs::{InputOverwritten, guard_inputs, is_input, unguarded};
pub use kind::FileKind;
pub use refused::{refused, unwritten};
