//! What a command found, for people and for scripts.

use crate::context::CliContext;
use anstyle::{AnsiColor, Color, Style};
use serde_json::Value;
use std::io::Write;
use std::process::ExitCode;

/// Names and headings.
pub const BOLD: Style = Style::new().bold();
/// Units and remarks.
pub const FAINT: Style = Style::new().dimmed();
/// Something odd.
pub const WARNING: Style = colored(AnsiColor::Yellow);
/// Something wrong.
pub const ERROR: Style = colored(AnsiColor::Red);

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
        if context.json {
            print_json(&self.json);
        } else {
            let mut out = anstream::stdout().lock();
            // Nobody is there to read it when the pipe is closed.
            let _ = out.write_all(self.text.as_bytes());
            let _ = out.flush();
        }
        ExitCode::from(self.exit)
    }
}

/// Exactly one document on stdout.
pub fn print_json(value: &Value) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{value:#}");
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
