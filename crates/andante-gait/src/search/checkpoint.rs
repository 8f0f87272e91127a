//! Searches on disk.

use crate::problem::gait_problem::GaitProblem;
use crate::search::gait_search::SearchState;
use andante_dynamics::SimulationError;
use andante_formats::gate::read_bytes;
use andante_formats::{ReadLimits, write_atomically};
use andante_play::archive::fnv1a;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What a checkpoint begins with.
const MAGIC: &[u8; 8] = b"ANDGAIT\n";
/// Changes with what is in it.
const VERSION: u32 = 6;
/// Magic, version, problem, length and checksum.
const HEADER: usize = 8 + 4 + 8 + 8 + 8;

/// Why a search cannot be saved or gone on with.
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
    /// Another kind of file.
    #[error("{0} is not a checkpoint of a search")]
    NotOne(PathBuf),
    /// Written by another version of the program.
    #[error(
        "{path} was written by another version of the program (format {found}, this one reads {VERSION})"
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// The end is missing.
    #[error("{path} is truncated: {found} of {expected} bytes are there")]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Bytes that are there.
        found: usize,
        /// Bytes that should be.
        expected: u64,
    },
    /// Some bytes are not what was written.
    #[error("{0} is damaged: its checksum does not match")]
    Damaged(PathBuf),
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
    let payload = postcard::to_allocvec(state).map_err(|error| io(std::io::Error::other(error)))?;
    let mut bytes = Vec::with_capacity(HEADER + payload.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&fingerprint(problem).to_le_bytes());
    bytes.extend_from_slice(&(payload.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&fnv1a(&payload).to_le_bytes());
    bytes.extend_from_slice(&payload);
    write_atomically(path, &bytes).map_err(io)
}

pub(crate) fn read(path: &Path, problem: &GaitProblem) -> Result<SearchState, CheckpointError> {
    let io = |source| CheckpointError::Io { path: path.into(), source };
    let bytes = read_bytes(path, &ReadLimits::default()).map_err(|error| io(error.into()))?;
    let number = |at: usize| {
        let mut number = [0; 8];
        number.copy_from_slice(&bytes[at..at + 8]);
        u64::from_le_bytes(number)
    };
    if bytes.len() < 8 || &bytes[..8] != MAGIC {
        return Err(CheckpointError::NotOne(path.into()));
    }
    let truncated = |expected: u64| CheckpointError::Truncated {
        path: path.into(),
        found: bytes.len(),
        expected,
    };
    if bytes.len() < HEADER {
        return Err(truncated(HEADER as u64));
    }
    let found = u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]);
    if found != VERSION {
        return Err(CheckpointError::Version { path: path.into(), found });
    }
    let expected = (HEADER as u64).saturating_add(number(20));
    if (bytes.len() as u64) < expected {
        return Err(truncated(expected));
    }
    let payload = &bytes[HEADER..];
    if bytes.len() as u64 != expected || fnv1a(payload) != number(28) {
        return Err(CheckpointError::Damaged(path.into()));
    }
    if number(12) != fingerprint(problem) {
        return Err(CheckpointError::Other(path.into()));
    }
    let state: SearchState =
        postcard::from_bytes(payload).map_err(|_| CheckpointError::Damaged(path.into()))?;
    if !state.fits(problem) {
        return Err(CheckpointError::Damaged(path.into()));
    }
    Ok(state)
}
