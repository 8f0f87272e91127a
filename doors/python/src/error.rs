//! Errors of the library as Python exceptions, with the same words.

use andante_formats::{ReadError, WriteFileError};
use andante_stage::StageError;
use andante_take::TakeFileError;
use pyo3::PyErr;
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyPermissionError, PyValueError};
use pyo3::prelude::*;
use std::fmt::Display;
use std::io;

pyo3::create_exception!(
    andante,
    Error,
    PyValueError,
    "Something that cannot be done, with the reason in the words of the library.\n\n\
     It is a ValueError. Files that cannot be opened or written are OSErrors instead; where the place in a \
     file is known, its line stands in a note below the message."
);

/// What the library refuses.
pub fn refused(reason: impl Display) -> PyErr {
    Error::new_err(reason.to_string())
}

/// A result whose error becomes an exception.
pub trait OrRaise<T> {
    /// Turns what was refused into [`Error`].
    fn or_raise(self) -> PyResult<T>;
}

impl<T, E: Display> OrRaise<T> for Result<T, E> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(refused)
    }
}

/// The operating system's error, as the subclass of OSError that it is, with a message that names the file.
fn of_system(message: String, source: &io::Error) -> PyErr {
    match source.kind() {
        io::ErrorKind::NotFound => PyFileNotFoundError::new_err(message),
        io::ErrorKind::PermissionDenied => PyPermissionError::new_err(message),
        _ => PyOSError::new_err(message),
    }
}

/// A file that cannot be read: an OSError where the system says so, otherwise [`Error`] with the offending line as a note.
pub fn unreadable(py: Python<'_>, error: &ReadError) -> PyErr {
    if let Some(source) = &error.source {
        return of_system(error.to_string(), source);
    }
    let raised = refused(error);
    if let Some(detail) = error.detail() {
        // Python 3.10 has no notes, and is fine without.
        let _ = raised.value(py).call_method1("add_note", (detail,));
    }
    raised
}

/// A file that cannot be written.
pub fn unwritable(error: &WriteFileError) -> PyErr {
    match error {
        WriteFileError::Io { source, .. } => of_system(error.to_string(), source),
        _ => refused(error),
    }
}

/// A take that cannot be read or written.
pub fn bad_take(path: &std::path::Path, error: &TakeFileError) -> PyErr {
    let message = format!("{}: {error}", path.display());
    match error {
        TakeFileError::Disk(source) => of_system(message, source),
        _ => refused(message),
    }
}

/// What a stage refuses.
pub fn bad_stage(error: &StageError) -> PyErr {
    match error {
        StageError::Take(TakeFileError::Disk(source)) => of_system(error.to_string(), source),
        _ => refused(error),
    }
}
