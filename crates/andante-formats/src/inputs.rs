//! Files that were read are not written over, where a program asks for it.
//!
//! A command reads files that are named inside of others: characters of a scene, meshes, skeletons. Whoever writes results cannot
//! list them all; the gate through which every file is read can.

use std::cell::Cell;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{fmt, io};

/// What was read since somebody asked for it; nothing is kept before.
static READ: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);

thread_local! {
    static ASIDE: Cell<bool> = const { Cell::new(false) };
}

/// A refusal to write over a file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputOverwritten(
    /// The file.
    pub PathBuf,
);

impl fmt::Display for InputOverwritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is read and would be overwritten", self.0.display())
    }
}

impl std::error::Error for InputOverwritten {}

/// From now on this process refuses to write over any file that it has read. Programs that edit files do not ask for it.
pub fn guard_inputs() {
    READ.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default();
}

/// Does some work whose files are no inputs, as far as this thread reads them: results of an earlier time, which others take the place of.
pub fn unguarded<T>(work: impl FnOnce() -> T) -> T {
    let before = ASIDE.replace(true);
    let done = work();
    ASIDE.set(before);
    done
}

/// True of a file that was read since [`guard_inputs`].
pub fn is_input(path: &Path) -> bool {
    let read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(read) = read.as_ref() else { return false };
    path.canonicalize().is_ok_and(|path| read.contains(&path))
}

/// Remembers a file that is read.
pub(crate) fn note(path: &Path) {
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let (Some(read), false) = (read.as_mut(), ASIDE.get())
        && let Ok(path) = path.canonicalize()
    {
        read.insert(path);
    }
}

/// Refuses a file that was read.
pub(crate) fn refuse(path: &Path) -> io::Result<()> {
    match is_input(path) {
        true => Err(io::Error::new(io::ErrorKind::AlreadyExists, InputOverwritten(path.into()))),
        false => Ok(()),
    }
}
