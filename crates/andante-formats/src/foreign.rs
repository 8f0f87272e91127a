//! Files of somebody else are not written over, where a program asks for it.
//!
//! What is written takes the place of what it was written to before, so that a command may be given twice. A file of another
//! kind was made by nobody who gave this command: a letter that is called `walk.bvh`, a photograph that is called `plan.svg`.

use crate::inputs::unguarded;
use crate::kind::FileKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fmt, io};

static GUARDED: AtomicBool = AtomicBool::new(false);

/// A refusal to write over a file of another kind than what is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignOverwritten(
    /// The file.
    pub PathBuf,
);

impl fmt::Display for ForeignOverwritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} is there and holds something else than what would be written",
            self.0.display()
        )
    }
}

impl std::error::Error for ForeignOverwritten {}

/// From now on this process writes over files of the same kind alone, by how they begin ([`FileKind`]), and over empty ones.
pub fn guard_foreign() {
    GUARDED.store(true, Ordering::Relaxed);
}

/// Whether a file may take the place of another. One that cannot be read may be anything.
pub(crate) fn may_replace(new: &Path, old: &Path) -> bool {
    if !GUARDED.load(Ordering::Relaxed) || !old.is_file() {
        return true;
    }
    match (kind(old), kind(new)) {
        (Some(FileKind::Empty), _) => true,
        // Of what was made before nothing may be left.
        (Some(kind), Some(FileKind::Empty)) => kind.is_called(extension(old)) == Some(true),
        (Some(old), Some(new)) => old == new,
        _ => false,
    }
}

/// Whether a file may be taken away that is of earlier results: only if it is what it is called.
pub(crate) fn may_remove(old: &Path) -> bool {
    !GUARDED.load(Ordering::Relaxed)
        || kind(old).is_some_and(|kind| kind.is_called(extension(old)) == Some(true))
}

/// Refuses a name beforehand where something else is than what it is called, so that no work is done in vain.
pub fn refuse_foreign(path: &Path) -> io::Result<()> {
    if !GUARDED.load(Ordering::Relaxed) || !path.is_file() {
        return Ok(());
    }
    match kind(path) {
        Some(kind) if kind != FileKind::Empty && kind.is_called(extension(path)) == Some(false) => {
            Err(io::Error::new(io::ErrorKind::AlreadyExists, ForeignOverwritten(path.into())))
        }
        _ => Ok(()),
    }
}

fn kind(path: &Path) -> Option<FileKind> {
    unguarded(|| FileKind::of_file(path)).ok()
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}

/// Refuses to put a file in the place of one of another kind.
pub(crate) fn refuse(new: &Path, old: &Path) -> io::Result<()> {
    match may_replace(new, old) {
        true => Ok(()),
        false => {
            Err(io::Error::new(io::ErrorKind::AlreadyExists, ForeignOverwritten(old.to_path_buf())))
        }
    }
}
