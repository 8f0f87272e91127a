//! Andante behind a C header, `include/andante.h`, which is made of what stands here: the text of each item is the text of the
//! header. `README.md` has a whole program.
//!
//! This is the one place of the project with `unsafe` in it. Each block says why it is sound; all of them rest on what the
//! header asks of its callers: pointers that are not null point to what they say, and handles are freed once.

#![allow(non_camel_case_types)]

mod asset;
mod body;
mod border;
mod character;
mod ground;
mod player;
mod skeleton;
mod stage;
mod stage_commands;
mod stage_world;
mod types;
mod walker;

pub use asset::*;
pub use body::*;
pub use border::{andante_last_error, andante_status};
pub use character::*;
pub use ground::*;
pub use player::*;
pub use skeleton::*;
pub use stage::*;
pub use stage_commands::*;
pub use stage_world::*;
pub use types::*;
pub use walker::*;

use std::ffi::{CStr, c_char};

/// Goes up when a program has to be compiled anew: compare it with andante_abi().
pub const ANDANTE_ABI: u32 = 1;

/// Stands for nobody where the number of somebody on a stage is asked for or told.
pub const ANDANTE_NOBODY: u32 = 0xffff_ffff;

/// The ABI of the library that is linked; a program made for another one must not go on.
#[unsafe(no_mangle)]
pub extern "C" fn andante_abi() -> u32 {
    ANDANTE_ABI
}

const VERSION: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => c"",
    };

/// The version of the library, such as "0.1.0". It is never freed.
#[unsafe(no_mangle)]
pub extern "C" fn andante_version() -> *const c_char {
    VERSION.as_ptr()
}
