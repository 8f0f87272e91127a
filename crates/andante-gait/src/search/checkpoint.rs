//! Searches on disk.

use crate::problem::gait_problem::GaitProblem;
use crate::search::gait_search::SearchState;
use andante_dynamics::SimulationError;
use andante_formats::gate::read_bytes;
use andante_formats::{ReadLimits, write_atomically};
use andante_play::archive::{ArchiveError, ArchiveKind, ArchiveWriter, fnv1a};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A fingerprint of the problem, then the state. The version changes with what is in it.
const CHECKPOINT: ArchiveKind = ArchiveKind { name: "search", magic: *b"ANDGAIT\n", version: 8 };

/// An error that keeps a search from being saved or gone on with.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is another kind of file, of another version of the program, incomplete or damaged.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: ArchiveError,
    },
    /// It is of another sketch, character or step of the simulation.
    #[error(
        "{0} is the search of another sketch, or the sketch or its character has changed since"
    )]
    Other(PathBuf),
    /// The problem cannot be simulated.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
}

/// Everything that decides what a point of the unit cube means, and where rounds begin.
fn fingerprint(problem: &GaitProblem) -> u64 {
    let text = format!(
        "{:?}{:?}{:?}{:?}{:?}",
        problem.variables(),
        problem.body().parts(),
        problem.pose(),
        problem.setup.asked,
        problem.options(),
    );
    fnv1a(text.as_bytes())
}

pub(crate) fn write(
    path: &Path,
    problem: &GaitProblem,
    state: &SearchState,
) -> Result<(), CheckpointError> {
    let io = |source| CheckpointError::Io { path: path.into(), source };
    let state = postcard::to_allocvec(state).map_err(|error| io(std::io::Error::other(error)))?;
    let mut content = ArchiveWriter::default();
    content.u64(fingerprint(problem));
    content.bytes(&state);
    write_atomically(path, &CHECKPOINT.seal(content)).map_err(io)
}

pub(crate) fn read(path: &Path, problem: &GaitProblem) -> Result<SearchState, CheckpointError> {
    let refused = |source| CheckpointError::File { path: path.into(), source };
    let bytes = read_bytes(path, &ReadLimits::default())
        .map_err(|error| CheckpointError::Io { path: path.into(), source: error.into() })?;
    let mut content = CHECKPOINT.open(&bytes).map_err(refused)?;
    if content.u64().map_err(refused)? != fingerprint(problem) {
        return Err(CheckpointError::Other(path.into()));
    }
    let state: Option<SearchState> = postcard::from_bytes(content.rest()).ok();
    let state = state.filter(|state| state.fits(problem));
    state.ok_or_else(|| refused(ArchiveError::Damaged(CHECKPOINT.name)))
}
