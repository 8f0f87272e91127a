//! What is wrong with a file, and where.

use std::fmt;
use std::path::{Path, PathBuf};

/// The place of an error in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorPlace {
    /// A text file: line and column from 1, and the line itself, shortened if it is long.
    Text {
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// The line as it stands in the file; `excerpt_column` says where in it the error is.
        excerpt: String,
        /// Column within `excerpt`, from 1.
        excerpt_column: usize,
    },
    /// A structured file: the path of the element, such as `animations[2].channels[0]`.
    Element(String),
    /// The file as a whole.
    File,
}

/// The error of a file that could not be read.
///
/// `Display` gives one line; [`ReadError::detail`] adds the offending line with a marker under the
/// place, as compilers do.
#[derive(Debug)]
pub struct ReadError {
    /// The file, where one was opened.
    pub path: Option<PathBuf>,
    /// Where in the file.
    pub place: ErrorPlace,
    /// What is wrong and, where it helps, what to do.
    pub message: String,
    /// The operating system's error, if that was the cause.
    pub source: Option<std::io::Error>,
}

impl ReadError {
    /// An error that concerns the whole file.
    pub fn file(message: impl Into<String>) -> Self {
        Self { path: None, place: ErrorPlace::File, message: message.into(), source: None }
    }

    /// An error in an element of a structured file.
    pub fn element(element: impl Into<String>, message: impl Into<String>) -> Self {
        Self { place: ErrorPlace::Element(element.into()), ..Self::file(message) }
    }

    /// An error at a byte of a text file.
    pub fn at(text: &[u8], byte: usize, message: impl Into<String>) -> Self {
        Self { place: locate(text, byte), ..Self::file(message) }
    }

    /// An error at a byte of one line, for files that are read line by line.
    pub fn in_line(number: usize, line: &[u8], byte: usize, message: impl Into<String>) -> Self {
        let mut error = Self::at(line, byte, message);
        if let ErrorPlace::Text { line, .. } = &mut error.place {
            *line = number;
        }
        error
    }

    /// An error of the operating system.
    pub fn io(path: &Path, source: std::io::Error) -> Self {
        let message = format!("cannot be read: {source}");
        Self { path: Some(path.into()), source: Some(source), ..Self::file(message) }
    }

    /// Names the file, unless one is named already.
    pub fn in_file(mut self, path: &Path) -> Self {
        self.path.get_or_insert_with(|| path.into());
        self
    }

    /// The same without the offending line: for files that somebody else than the reader of the message chose.
    pub fn without_excerpt(mut self) -> Self {
        if let ErrorPlace::Text { line, column, .. } = self.place {
            self.place = ErrorPlace::Element(format!("line {line}, column {column}"));
        }
        self
    }

    /// The offending line with a marker below it, or nothing for files that are not text.
    pub fn detail(&self) -> Option<String> {
        let ErrorPlace::Text { line, excerpt, excerpt_column, .. } = &self.place else {
            return None;
        };
        let number = line.to_string();
        let gap = " ".repeat(number.len());
        let marker = " ".repeat(excerpt_column.saturating_sub(1));
        Some(format!("{gap} |\n{number} | {excerpt}\n{gap} | {marker}^"))
    }
}

/// For errors that name the file themselves.
impl From<ReadError> for std::io::Error {
    fn from(error: ReadError) -> Self {
        error.source.unwrap_or_else(|| Self::new(std::io::ErrorKind::InvalidInput, error.message))
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{}", path.display())?;
        }
        let named = self.path.is_some();
        match &self.place {
            ErrorPlace::Text { line, column, .. } if named => write!(f, ":{line}:{column}: ")?,
            ErrorPlace::Text { line, column, .. } => write!(f, "line {line}, column {column}: ")?,
            ErrorPlace::Element(element) if named => write!(f, ": {element}: ")?,
            ErrorPlace::Element(element) => write!(f, "{element}: ")?,
            ErrorPlace::File if named => write!(f, ": ")?,
            ErrorPlace::File => {}
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| source as _)
    }
}

/// Line, column and a readable part of the line around a byte.
fn locate(text: &[u8], byte: usize) -> ErrorPlace {
    /// Characters shown before and after the place.
    const AROUND: usize = 60;
    let byte = byte.min(text.len());
    let is_break = |b: &u8| *b == b'\n';
    let line = text[..byte].iter().filter(|b| is_break(b)).count() + 1;
    let start = text[..byte].iter().rposition(is_break).map_or(0, |at| at + 1);
    let end = text[byte..].iter().position(is_break).map_or(text.len(), |at| byte + at);
    let before = String::from_utf8_lossy(&text[start..byte]).replace('\t', " ");
    // Enough bytes for the excerpt even where each character takes four.
    let after = &text[byte..end.min(byte + 4 * AROUND)];
    let after = String::from_utf8_lossy(after).replace('\t', " ");
    let column = before.chars().count() + 1;
    let skipped = (column - 1).saturating_sub(AROUND);
    let mut excerpt: String = if skipped > 0 { "…".into() } else { String::new() };
    excerpt.extend(before.chars().skip(skipped));
    let excerpt_column = excerpt.chars().count() + 1;
    excerpt.extend(after.trim_end().chars().take(AROUND));
    ErrorPlace::Text { line, column, excerpt, excerpt_column }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_shows_line_and_marks_the_column() {
        let error =
            ReadError::at(b"one\n\ttwo three\nfour", 9, "bad word").in_file(Path::new("a.bvh"));
        assert_eq!(error.to_string(), "a.bvh:2:6: bad word");
        assert_eq!(error.detail().as_deref(), Some("  |\n2 |  two three\n  |      ^"));
    }

    #[test]
    fn long_lines_are_shortened_around_the_place() {
        let text = "7 ".repeat(5000);
        let error = ReadError::at(text.as_bytes(), 6000, "x");
        let ErrorPlace::Text { column, excerpt, .. } = error.place else { panic!("not text") };
        assert_eq!(column, 6001);
        assert!(excerpt.chars().count() < 130);
    }
}
