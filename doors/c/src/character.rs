//! Somebody who can walk.

use crate::border::{
    Failure, andante_status, c_text, call, fill, free, make, put, reference, slice, text,
};
use crate::skeleton::andante_skeleton;
use ::andante_door::SharedCharacter;
use std::ffi::{CString, c_char};
use std::path::Path;

/// A character: joints and what they are for, and what it can do. It never changes: any number of threads may read it, and any
/// number of players, walkers and stages share it. It may be freed while they still play it.
pub struct andante_character {
    pub(crate) own: SharedCharacter,
    clips: Vec<CString>,
    warnings: Vec<CString>,
}

impl andante_character {
    fn new(own: SharedCharacter) -> Self {
        let clips = own.repertoire().clips().iter().map(|clip| c_text(clip.name())).collect();
        let warnings = own.warnings().iter().map(|odd| c_text(odd)).collect();
        Self { own, clips, warnings }
    }
}

/// A height that is not said is NAN.
fn said(height: f32) -> Option<f32> {
    (!height.is_nan()).then_some(height)
}

/// The built-in human, so many metres tall (0.5 to 3), or as it is with NAN.
///
/// # Safety
/// `out` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_character_humanoid(
    height: f32,
    out: *mut *mut andante_character,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe { make(out, || Ok(andante_character::new(SharedCharacter::humanoid(said(height))?))) }
}

/// Somebody from a file: its bones are understood, and it learns to walk from its own clips and from the built-in human. With a
/// height, in metres, it is made as tall as that; NAN leaves it as it is.
///
/// # Safety
/// The path ends with a zero; `out` points to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_character_read(
    path: *const c_char,
    height: f32,
    out: *mut *mut andante_character,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe {
        make(out, || {
            let path = Path::new(text(path, "path")?);
            Ok(andante_character::new(SharedCharacter::read(path, said(height))?))
        })
    }
}

/// The same from memory. The name, such as "hero.glb", tells the format; nothing is opened.
///
/// # Safety
/// The name ends with a zero, `bytes` points to `length` of them; `out` to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_character_read_memory(
    name: *const c_char,
    bytes: *const u8,
    length: usize,
    height: f32,
    out: *mut *mut andante_character,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe {
        make(out, || {
            let (name, bytes) = (text(name, "name")?, slice(bytes, length, "bytes")?);
            let own = SharedCharacter::from_memory(name, bytes, said(height))?;
            Ok(andante_character::new(own))
        })
    }
}

/// A copy of its skeleton, to be freed by the caller.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_character_skeleton(
    character: *const andante_character,
    out: *mut *mut andante_skeleton,
) -> andante_status {
    // SAFETY: as the header asks.
    unsafe {
        make(out, || {
            let own = reference(character, "character")?;
            Ok(andante_skeleton::new(&own.own.character().skeleton))
        })
    }
}

/// How many feet it has.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_character_foot_count(
    character: *const andante_character,
    out: *mut usize,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(character, "character") }?;
        // SAFETY: as the header asks.
        unsafe { put(out, own.own.character().rig.feet.len(), "out") }
    })
}

/// How many clips it can play.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_character_clip_count(
    character: *const andante_character,
    out: *mut usize,
) -> andante_status {
    // SAFETY: as the header asks.
    call(|| unsafe { put(out, reference(character, "character")?.clips.len(), "out") })
}

/// The name of one of its clips; stays as long as the handle.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_character_clip_name(
    character: *const andante_character,
    index: usize,
    out: *mut *const c_char,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(character, "character") }?;
        let told = entry(&own.clips, index, "clip")?;
        // SAFETY: as the header asks.
        unsafe { put(out, told, "out") }
    })
}

fn entry(all: &[CString], index: usize, what: &str) -> Result<*const c_char, Failure> {
    let count = all.len();
    let none = || Failure::argument(format!("there is no {what} {index}; there are {count}"));
    all.get(index).map(|text| text.as_ptr()).ok_or_else(none)
}

/// How many things were odd about its file.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_character_warning_count(
    character: *const andante_character,
    out: *mut usize,
) -> andante_status {
    // SAFETY: as the header asks.
    call(|| unsafe { put(out, reference(character, "character")?.warnings.len(), "out") })
}

/// One of the things that were odd; stays as long as the handle.
///
/// # Safety
/// Pointers are null or what they are called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_character_warning(
    character: *const andante_character,
    index: usize,
    out: *mut *const c_char,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(character, "character") }?;
        let told = entry(&own.warnings, index, "warning")?;
        // SAFETY: as the header asks.
        unsafe { put(out, told, "out") }
    })
}

/// Its bones and its skin as a binary glTF file, in metres and without scale: joint i of its skin is joint i here, so that poses
/// can be written to its joints as they are. Who has no skin is a mannequin. `length` is told in any case; with null and a
/// capacity of 0 nothing else is.
///
/// # Safety
/// `bytes` is null or has room for `capacity`; `length` is null or points to a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_character_glb(
    character: *const andante_character,
    bytes: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> andante_status {
    call(|| {
        // SAFETY: as the header asks.
        let own = unsafe { reference(character, "character") }?;
        let file = own.own.glb()?;
        if !length.is_null() {
            // SAFETY: it is not null, and then it is a number of the caller's.
            unsafe { put(length, file.len(), "length") }?;
        }
        if bytes.is_null() && capacity == 0 {
            return Ok(());
        }
        // SAFETY: as the header asks.
        unsafe { fill(bytes, capacity, file.into_iter(), "bytes") }
    })
}

/// Frees a character; null is nothing.
///
/// # Safety
/// It is null or came from here, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn andante_character_free(character: *mut andante_character) {
    // SAFETY: as the header asks.
    unsafe { free(character) }
}
