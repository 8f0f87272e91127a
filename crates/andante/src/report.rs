//! What a command found, for people and for scripts.

use crate::context::CliContext;
use crate::failure::Failure;
use crate::pipes::told;
use andante_draw::Sheet;
use andante_formats::write_atomically;
use anstyle::{AnsiColor, Color, Style};
use serde_json::{Value, json};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Names and headings.
pub const BOLD: Style = Style::new().bold();
/// Units and remarks.
pub const FAINT: Style = Style::new().dimmed();
/// Something odd.
pub const WARNING: Style = colored(AnsiColor::Yellow);
/// Something wrong.
pub const ERROR: Style = colored(AnsiColor::Red);

/// Failures that are told of one by one.
pub const TOLD: usize = 10;

const fn colored(color: AnsiColor) -> Style {
    Style::new().bold().fg_color(Some(Color::Ansi(color)))
}

/// The result of a command.
pub struct CommandReport {
    /// For people; may hold styles, which are dropped where stdout is not a terminal.
    pub text: String,
    /// For scripts.
    pub json: Value,
    /// 0 done, 1 the work failed, 2 some input was bad.
    pub exit: u8,
}

impl CommandReport {
    /// The work is done.
    pub fn done(text: String, json: Value) -> Self {
        Self { text, json, exit: 0 }
    }

    pub fn print(&self, context: &CliContext) -> ExitCode {
        match context.json {
            true => say(&told(&format!("{:#}\n", self.json)), self.exit),
            false => say(&told(&self.text), self.exit),
        }
    }

    /// The outcome of a command that was stopped before there was anything to keep.
    pub fn stopped() -> Self {
        let text = "stopped; nothing was written\n".into();
        Self { text, json: json!({ "stopped": true }), exit: 1 }
    }
}

/// Writes a result to stdout. It is lost if that cannot be written, which is a failure; a reader that has gone wants no
/// more of it.
pub fn say(text: &str, exit: u8) -> ExitCode {
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            anstream::eprintln!("{ERROR}error:{ERROR:#} stdout cannot be written: {error}");
            ExitCode::from(exit.max(1))
        }
        _ => ExitCode::from(exit),
    }
}

/// Writes a picture to a file; says where.
pub fn draw(path: &Path, sheet: &Sheet) -> Result<String, Failure> {
    write(path, sheet.to_svg().as_bytes())?;
    Ok(format!("drawn to {}\n", path.display()))
}

/// Writes a file, whole or not at all.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_atomically(path, bytes).map_err(|error| Failure::write(path, &error))
}

/// Says where files were written to.
pub fn written(files: &[PathBuf]) -> String {
    files.iter().map(|path| format!("written to {}\n", path.display())).collect()
}

/// The same for scripts.
pub fn paths_json(files: &[PathBuf]) -> Value {
    files.iter().map(|path| path.display().to_string()).collect()
}

/// A table whose columns are as wide as they need to be; numbers to the right.
pub fn table(rows: &[Vec<String>], right: &[usize]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let padding = " ".repeat(widths[column] - cell.chars().count());
            let (before, after) = if right.contains(&column) {
                (padding.as_str(), "")
            } else {
                ("", padding.as_str())
            };
            line.push_str(&format!("  {before}{cell}{after}"));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
