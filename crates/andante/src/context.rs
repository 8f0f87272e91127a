//! What every command can rely on.

use crate::args::GlobalArgs;
use crate::failure::Failure;
use crate::pipes::told;
use andante_formats::ReadLimits;
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The console of a command: how it talks to the user, and whether they have had enough.
pub struct CliContext {
    /// One JSON document on stdout instead of text.
    pub json: bool,
    /// No progress and no warnings.
    pub quiet: bool,
    /// For everything random.
    pub seed: u64,
    /// Files of any kind are written over.
    pub force: bool,
    /// Of every file that is read.
    pub limits: ReadLimits,
    stopped: Arc<AtomicBool>,
}

impl CliContext {
    pub fn new(args: &GlobalArgs) -> Self {
        let stopped = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stopped);
        let (outlives, mut terminal) = (outlives_terminal(), has_terminal());
        // The first Ctrl-C or SIGTERM asks commands to stop and keep what they have; the second one ends the
        // process. Without a handler the first one does.
        let _ = ctrlc::set_handler(move || {
            // What comes when the terminal goes is no wish to stop for whoever is to outlive it.
            if outlives && std::mem::take(&mut terminal) && !has_terminal() {
                return;
            }
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
        if args.while_stdin {
            std::thread::spawn(leave_with_stdin);
        }
        let limits = ReadLimits { outside: args.allow_outside, ..ReadLimits::default() };
        let GlobalArgs { json, quiet, seed, force, .. } = *args;
        Self { json, quiet, seed, force, limits, stopped }
    }

    /// True once Ctrl-C was pressed, or a signal has said the same.
    pub fn stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// The same for work that runs by itself.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stopped)
    }

    /// Ends work of which nothing is kept.
    pub fn go_on(&self) -> Result<(), Failure> {
        if self.stopped() { Err(Failure::stopped()) } else { Ok(()) }
    }

    /// A progress bar on stderr; nothing where nobody would see it.
    pub fn progress(&self, steps: u64, what: &'static str) -> ProgressBar {
        if self.quiet || self.json || steps < 2 {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template("{msg} {bar:32} {pos}/{len} {eta}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        ProgressBar::new(steps).with_style(style).with_message(what)
    }

    /// The same for work that nobody knows the length of.
    pub fn spinner(&self) -> ProgressBar {
        if self.quiet || self.json {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template("{spinner} {msg}");
        ProgressBar::new_spinner()
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
    }

    /// Remarks on what was read.
    pub fn warn_of(&self, name: impl std::fmt::Display, warnings: &[String]) {
        warnings.iter().for_each(|warning| self.warn(&format!("{name}: {warning}")));
    }

    /// A remark on stderr that is not the result.
    pub fn warn(&self, text: &str) {
        if !self.quiet {
            let style = crate::report::WARNING;
            anstream::eprintln!("{style}warning:{style:#} {}", told(text));
        }
    }
}

/// Ends the process when nobody is at the other end of stdin any more.
fn leave_with_stdin() {
    // Results are whole or not at all, and searches go on from their checkpoints.
    let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
    std::process::exit(1);
}

fn has_terminal() -> bool {
    std::fs::File::open("/dev/tty").is_ok()
}

/// Whether hang-ups were ignored at first, as `nohup` has it; a handler takes that back.
fn outlives_terminal() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & 1 != 0)
}
