//! Reading character files.

use super::{resolve, schema};
use crate::Body;
use andante_formats::gate::read_text;
use andante_formats::{ReadError, ReadLimits};
use std::path::Path;

/// A body from the text of a character file. Errors name line and column.
///
/// ```
/// let text = r#"
/// version = 1
/// name = "pendulum"
/// torso = "ceiling"
/// [[segment]]
/// name = "ceiling"
/// mass = 100.0
/// shapes = [{ box = { center = [0, 2, 0], size = [1, 0.1, 1] } }]
/// [[segment]]
/// name = "bob"
/// parent = "ceiling"
/// at = [0, 2, 0]
/// stiffness = 10
/// mass = 1.0
/// shapes = [{ sphere = { center = [0, 1, 0], radius = 0.1 } }]
/// "#;
/// let pendulum = andante_body::read_body(text)?;
/// assert_eq!(pendulum.internal_dof(), 3);
///
/// let wrong = text.replace("stiffness", "stifness");
/// let error = andante_body::read_body(&wrong).unwrap_err();
/// assert!(error.to_string().starts_with("line 13, column 1: unknown field `stifness`"), "{error}");
/// # Ok::<(), andante_formats::ReadError>(())
/// ```
pub fn read_body(text: &str) -> Result<Body, ReadError> {
    let at = |byte: usize, message: String| ReadError::at(text.as_bytes(), byte, message);
    check_first_key(text)?;
    let file: schema::BodyFile = toml::from_str(text).map_err(|error| match error.span() {
        Some(span) => at(span.start, error.message().to_string()),
        None => ReadError::file(error.message().to_string()),
    })?;
    if *file.version.get_ref() != 1 {
        let version = file.version.get_ref();
        let message = format!("version {version} is not known; this program reads version 1");
        return Err(at(file.version.span().start, message));
    }
    resolve::body(&file).map_err(|problem| match problem.byte {
        Some(byte) => at(byte, problem.message),
        None => ReadError::file(problem.message),
    })
}

/// A body from a character file. Errors name file, line and column.
pub fn read_body_file(path: &Path) -> Result<Body, ReadError> {
    let text = read_text(path, &ReadLimits::default())?;
    read_body(&text).map_err(|error| error.in_file(path))
}

/// The version comes first, so that a later format can be told from a mistake in this one.
fn check_first_key(text: &str) -> Result<(), ReadError> {
    let mut byte = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_start_matches('\u{feff}').trim_start();
        if !(content.is_empty() || content.starts_with('#')) {
            if content.starts_with("version") {
                return Ok(());
            }
            break;
        }
        byte += line.len();
    }
    let message = "a character file begins with `version = 1`";
    Err(ReadError::at(text.as_bytes(), byte, message))
}
