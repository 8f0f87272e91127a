//! What ends a command with exit code 1 or 2.

use crate::context::CliContext;
use crate::pipes::told;
use crate::report::{CommandReport, ERROR, say};
use andante_formats::{
    ErrorPlace, ForeignOverwritten, InputOverwritten, ReadError, WriteFileError,
};
use andante_skeleton::SettingError;
use andante_take::{ExportError, TakeFileError};
use serde_json::{Value, json};
use std::path::Path;
use std::process::ExitCode;

/// Bad input or usage, or work that could not be done: what is wrong, where, and what to do about it.
#[derive(Debug)]
pub struct Failure {
    message: String,
    /// 1 the work failed, 2 some input was bad.
    exit: u8,
    /// The offending line with a marker.
    detail: Option<String>,
    hint: Option<String>,
    json: Value,
    /// Whether nothing is wrong but that somebody had enough.
    stopped: bool,
}

impl Failure {
    /// A failure without a place.
    pub fn new(message: impl Into<String>) -> Self {
        let message = message.into();
        let json = json!({ "message": message });
        Self { message, exit: 2, detail: None, hint: None, json, stopped: false }
    }

    /// The failure of work that was stopped before there was anything to keep.
    pub fn stopped() -> Self {
        Self { stopped: true, ..Self::new("stopped").of_work() }
    }

    /// Something is wrong with a file.
    pub fn of_file(path: &Path, what: impl std::fmt::Display) -> Self {
        Self::new(format!("{}: {what}", path.display())).about(path)
    }

    /// The input is not to blame.
    pub fn of_work(mut self) -> Self {
        self.exit = 1;
        self
    }

    /// 1 the work failed, 2 some input was bad.
    pub fn exit(&self) -> u8 {
        self.exit
    }

    /// Names the file that it is about.
    pub fn about(mut self, path: &Path) -> Self {
        self.json["file"] = path.display().to_string().into();
        self
    }

    /// Adds what the user can do about it.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        let hint = hint.into();
        self.json["hint"] = hint.as_str().into();
        self.hint = Some(hint);
        self
    }

    /// A file could not be written.
    pub fn write(path: &Path, error: &std::io::Error) -> Self {
        let inner = error.get_ref();
        if let Some(input) = inner.and_then(|inner| inner.downcast_ref::<InputOverwritten>()) {
            return Self::overwrites(&input.0);
        }
        if let Some(foreign) = inner.and_then(|inner| inner.downcast_ref::<ForeignOverwritten>()) {
            return Self::new(foreign.to_string())
                .about(&foreign.0)
                .hint("write to another name, or over it with --force");
        }
        Self::of_file(path, format!("cannot be written: {error}")).of_work()
    }

    /// The refusal to write over a file that is read: a mistake there costs the original.
    pub fn overwrites(path: &Path) -> Self {
        Self::new(InputOverwritten(path.into()).to_string())
            .about(path)
            .hint("write to another name")
    }

    /// The failure of an export from a take.
    pub fn export(path: &Path, error: &ExportError) -> Self {
        match error {
            ExportError::Disk(error) | ExportError::Take(TakeFileError::Disk(error)) => {
                Self::write(path, error)
            }
            _ => Self::of_file(path, error).of_work(),
        }
    }

    /// Names the operation that failed.
    pub fn in_operation(mut self, operation: &str) -> Self {
        self.message = format!("{operation}: {}", self.message);
        self.json["operation"] = operation.into();
        self
    }

    /// As it stands in a JSON document.
    pub fn to_json(&self) -> Value {
        self.json.clone()
    }

    /// On stderr, as people read it.
    pub fn show(&self) {
        anstream::eprintln!("{ERROR}error:{ERROR:#} {}", told(&self.message));
        if let Some(detail) = &self.detail {
            anstream::eprintln!("{detail}");
        }
        if let Some(hint) = &self.hint {
            anstream::eprintln!("  hint: {}", told(hint));
        }
    }

    pub fn print(&self, context: &CliContext) -> ExitCode {
        if self.stopped {
            return CommandReport::stopped().print(context);
        }
        self.show();
        match context.json {
            true => say(&told(&format!("{:#}\n", json!({ "error": self.json }))), self.exit),
            false => ExitCode::from(self.exit),
        }
    }
}

/// Errors that end a command as bad input.
pub trait OrFail<T> {
    /// In their own words.
    fn or_fail(self) -> Result<T, Failure>;

    /// After the name of whom they are about.
    fn or_fail_of(self, name: &str) -> Result<T, Failure>;
}

impl<T, E: std::fmt::Display> OrFail<T> for Result<T, E> {
    fn or_fail(self) -> Result<T, Failure> {
        self.map_err(|error| Failure::new(error.to_string()))
    }

    fn or_fail_of(self, name: &str) -> Result<T, Failure> {
        self.map_err(|error| Failure::new(format!("{name}: {error}")))
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<SettingError> for Failure {
    fn from(error: SettingError) -> Self {
        Self::new(error.message)
    }
}

impl From<WriteFileError> for Failure {
    fn from(error: WriteFileError) -> Self {
        let path = match &error {
            WriteFileError::Format { path }
            | WriteFileError::Clips { path, .. }
            | WriteFileError::Gltf { path, .. }
            | WriteFileError::Io { path, .. } => path.clone(),
        };
        if let WriteFileError::Io { source, .. } = &error {
            return Self::write(&path, source);
        }
        let failure = Self::new(error.to_string()).about(&path);
        match error {
            WriteFileError::Clips { count: 0, .. } => {
                failure.hint("write a .glb, which may hold a body without any")
            }
            WriteFileError::Clips { .. } => {
                failure.hint("choose one animation with --clip, or write a .glb")
            }
            _ => failure,
        }
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        let (line, column, element) = match &error.place {
            ErrorPlace::Text { line, column, .. } => (Some(*line), Some(*column), None),
            ErrorPlace::Element(element) => (None, None, Some(element.clone())),
            ErrorPlace::File => (None, None, None),
        };
        let file = error.path.as_ref().map(|path| path.display().to_string());
        Self {
            message: error.to_string(),
            exit: 2,
            detail: error.detail(),
            hint: None,
            json: json!({
                "message": error.message, "file": file, "line": line, "column": column, "element": element,
            }),
            stopped: false,
        }
    }
}
