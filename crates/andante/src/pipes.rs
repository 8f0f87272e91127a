//! Stdin and stdout in the place of files: `-`.
//!
//! What comes through stdin is a file of its own for the command, and what goes to stdout is another, which is sent when it
//! is whole. In messages they are called by what they are.

use crate::args::{Args, CliCommand, PipeFormat};
use crate::commands::select::is_folder;
use crate::context::CliContext;
use crate::failure::Failure;
use crate::report::CommandReport;
use andante_formats::gate::{open_file, settle, spool};
use andante_formats::{FileKind, ReadLimits, unguarded};
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::OnceLock;
use tempfile::TempDir;

/// What stands for a pipe on the command line. A file of that name is `./-`.
const DASH: &str = "-";

/// The folder of what came in and goes out, which means something to nobody.
static FOLDER: OnceLock<String> = OnceLock::new();

/// A text as it is told: `stdin.bvh` for what came through stdin and is a BVH file.
pub fn told(text: &str) -> String {
    FOLDER.get().map_or_else(|| text.to_owned(), |folder| text.replace(folder, ""))
}

/// A word of the command line that may be a file.
trait PathSlot {
    fn is_pipe(&self) -> bool {
        self.word().as_deref() == Some(DASH)
    }
    /// The word itself, if there is one.
    fn word(&self) -> Option<String>;
    fn lead_to(&mut self, path: &Path);
}

impl PathSlot for PathBuf {
    fn word(&self) -> Option<String> {
        self.to_str().map(str::to_owned)
    }

    fn lead_to(&mut self, path: &Path) {
        *self = path.to_path_buf();
    }
}

impl PathSlot for String {
    fn word(&self) -> Option<String> {
        Some(self.clone())
    }

    fn lead_to(&mut self, path: &Path) {
        *self = path.to_string_lossy().into_owned();
    }
}

impl<S: PathSlot> PathSlot for Option<S> {
    fn word(&self) -> Option<String> {
        self.as_ref().and_then(PathSlot::word)
    }

    fn lead_to(&mut self, path: &Path) {
        if let Some(slot) = self {
            slot.lead_to(path);
        }
    }
}

/// The words of a command that may be files.
#[derive(Default)]
struct Ends<'a> {
    inputs: Vec<&'a mut dyn PathSlot>,
    /// With the extension where only one kind of file is written.
    outputs: Vec<(&'a mut dyn PathSlot, Option<&'static str>)>,
    folders: Vec<&'a mut dyn PathSlot>,
    format: Option<PipeFormat>,
    /// Whether the format may be that of files in a folder, and whether it is.
    into_folder: Option<bool>,
}

impl<'a> Ends<'a> {
    fn of(command: &'a mut CliCommand) -> Self {
        let ends = Self::default();
        match command {
            CliCommand::Convert(args) => {
                let ends = ends.into_last(args.format, &mut args.paths);
                Self { into_folder: ends.into_folder.or(Some(false)), ..ends }
            }
            CliCommand::Edit(args) => {
                let count = args.paths();
                ends.into_last(args.pipe.format, &mut args.words[..count])
            }
            CliCommand::Retarget(args) => ends
                .into_last(args.pipe.format, &mut args.paths)
                .writes_only("map", &mut args.save_map),
            CliCommand::Ground(args) => {
                let into_folder = args.output.as_deref().is_some_and(is_folder).then_some(true);
                let ends = Self { into_folder, ..ends }.format(args.pipe.format);
                let ends = args.inputs.iter_mut().fold(ends, |ends, path| ends.reads(path));
                ends.writes(&mut args.output).writes_only("svg", &mut args.svg)
            }
            CliCommand::Inspect(args) => {
                let ends = ends.format(args.pipe.format);
                let ends = args.files.iter_mut().fold(ends, |ends, path| ends.reads(path));
                ends.writes_only("svg", &mut args.svg)
            }
            CliCommand::Render(args) => {
                ends.format(args.pipe.format).reads(&mut args.take).writes(&mut args.output)
            }
            CliCommand::Clips(args) => {
                let ends = ends.format(args.pipe.format).writes(&mut args.output);
                ends.writes_only("svg", &mut args.svg)
            }
            CliCommand::Characters(args) => ends.format(args.pipe.format).writes(&mut args.output),
            CliCommand::Simulate(args) => {
                let ends = ends.format(args.pipe.format).writes(&mut args.output);
                ends.writes_only("svg", &mut args.svg)
            }
            CliCommand::Check(args) => ends.reads(&mut args.take).reads(&mut args.scene),
            CliCommand::Plan(args) => ends.reads(&mut args.scene).writes_only("svg", &mut args.svg),
            CliCommand::Run(args) => ends.reads(&mut args.scene).fills(&mut args.output),
            CliCommand::Push(args) => {
                ends.writes_only("svg", &mut args.svg).fills(&mut args.output)
            }
            CliCommand::Track(args) => {
                let ends = ends.format(args.pipe.format).reads(&mut args.input);
                ends.writes_only("svg", &mut args.svg).fills(&mut args.output)
            }
            CliCommand::Merge(args) => {
                ends.writes_only("csv", &mut args.csv).fills(&mut args.output)
            }
            CliCommand::Modes(args) => ends.writes_only("svg", &mut args.svg),
            CliCommand::Repertoire(args) => ends.writes_only("repertoire", &mut args.output),
            CliCommand::Demo(args) => ends.fills(&mut args.output),
            CliCommand::Gait(args) => ends.fills(&mut args.output),
            CliCommand::Batch(args) => ends.fills(&mut args.output),
            CliCommand::Man(args) => ends.fills(&mut args.folder),
            CliCommand::Scenes(_)
            | CliCommand::Sketches(_)
            | CliCommand::Bench(_)
            | CliCommand::Completions(_)
            | CliCommand::Studio(_) => ends,
        }
    }

    /// All that is read, and where it goes.
    fn into_last<S: PathSlot>(self, format: Option<PipeFormat>, paths: &'a mut [S]) -> Self {
        let Some((out, inputs)) = paths.split_last_mut() else { return self };
        let folder = out.word().is_some_and(|word| is_folder(Path::new(&word)));
        let into_folder = folder.then_some(true);
        let ends = Self { into_folder, ..self }.format(format).writes(out);
        inputs.iter_mut().fold(ends, |ends, path| ends.reads(path))
    }

    fn format(self, format: Option<PipeFormat>) -> Self {
        Self { format, ..self }
    }

    fn reads(mut self, slot: &'a mut dyn PathSlot) -> Self {
        self.inputs.push(slot);
        self
    }

    fn writes(mut self, slot: &'a mut dyn PathSlot) -> Self {
        self.outputs.push((slot, None));
        self
    }

    fn writes_only(mut self, extension: &'static str, slot: &'a mut dyn PathSlot) -> Self {
        self.outputs.push((slot, Some(extension)));
        self
    }

    fn fills(mut self, slot: &'a mut dyn PathSlot) -> Self {
        self.folders.push(slot);
        self
    }
}

/// True of a command that reads stdin.
pub fn reads_stdin(command: &mut CliCommand) -> bool {
    Ends::of(command).inputs.iter().any(|slot| slot.is_pipe())
}

/// True of a command that writes to stdout.
pub fn writes_stdout(command: &mut CliCommand) -> bool {
    Ends::of(command).outputs.iter().any(|(slot, _)| slot.is_pipe())
}

/// The words of a command that say where it writes.
pub fn written(command: &mut CliCommand) -> Vec<String> {
    let ends = Ends::of(command);
    let files = ends.outputs.iter().filter_map(|(slot, _)| slot.word());
    files.chain(ends.folders.iter().filter_map(|slot| slot.word())).collect()
}

/// The pipes of a command, laid before it begins.
#[derive(Default)]
pub struct Pipes {
    /// Holds what came in and what goes out.
    folder: Option<TempDir>,
    out: Option<PathBuf>,
}

impl Pipes {
    /// Reads stdin to its end if it is asked for, and leads the words of the command to files.
    pub fn lay(args: &mut Args) -> Result<Self, Failure> {
        let json = args.global.json;
        let limits = ReadLimits { outside: args.global.allow_outside, ..ReadLimits::default() };
        let mut ends = Ends::of(&mut args.command);
        if ends.folders.iter().any(|slot| slot.is_pipe()) {
            return Err(Failure::new("a folder of files cannot go to stdout"));
        }
        let format = ends.format.map(PipeFormat::extension);
        let names: Vec<String> = ends.outputs.iter().filter_map(|(slot, _)| slot.word()).collect();
        ends.inputs.retain(|slot| slot.is_pipe());
        ends.outputs.retain(|(slot, _)| slot.is_pipe());
        if ends.inputs.len() > 1 {
            return Err(Failure::new("stdin can be read once").hint("name the others"));
        }
        if ends.outputs.len() > 1 {
            return Err(Failure::new("one file goes to stdout").hint("name the others"));
        }
        let (input, output) = (ends.inputs.pop(), ends.outputs.pop());
        // What is written in one kind alone needs no other word for it.
        let format_of_out = output.as_ref().is_some_and(|(_, only)| only.is_none());
        if format.is_some() && input.is_none() && !format_of_out && ends.into_folder.is_none() {
            return Err(Failure::new("--format is for stdin and stdout: names tell their formats"));
        }
        if input.is_none() && output.is_none() {
            return Ok(Self::default());
        }
        if let Some(name) = names.iter().find(|name| input.is_some() && is_stdin(Path::new(name))) {
            return Err(Failure::new(format!(
                "{name}: it is read through stdin, and is not written over"
            ))
            .hint("write to another name"));
        }
        let format_out = match &output {
            Some((_, only)) => Some(to_stdout(json, only.or(format))?),
            None => None,
        };
        let came = input.is_some().then(|| spool(io::stdin().lock(), &limits)).transpose()?;
        let folder =
            tempfile::tempdir().map_err(|error| Failure::write(&std::env::temp_dir(), &error))?;
        let prefix = format!("{}{}", folder.path().display(), std::path::MAIN_SEPARATOR);
        let _ = FOLDER.set(prefix);
        let mut out = None;
        if let Some(((slot, _), format)) = output.zip(format_out) {
            let path = folder.path().join(format!("stdout.{format}"));
            slot.lead_to(&path);
            out = Some(path);
        }
        if let Some((slot, came)) = input.zip(came) {
            let given = format.filter(|_| !format_of_out && ends.into_folder != Some(true));
            let path = from_stdin(came, folder.path(), given)?;
            slot.lead_to(&path);
        }
        Ok(Self { folder: Some(folder), out })
    }

    /// Says what a command found. Where a file goes to stdout, words go to stderr.
    pub fn print(self, report: &CommandReport, context: &CliContext) -> ExitCode {
        let Some(out) = &self.out else { return report.print(context) };
        if !context.quiet {
            anstream::eprint!("{}", told(&report.text));
        }
        // What was stopped has left nothing.
        if let Ok(mut file) = unguarded(|| open_file(out)) {
            let mut stdout = io::stdout().lock();
            let sent = io::copy(&mut file, &mut stdout).and_then(|_| stdout.flush());
            if let Err(error) = sent {
                let failure = Failure::new(format!("stdout cannot be written: {error}"));
                return failure.of_work().print(context);
            }
        }
        drop(self.folder);
        ExitCode::from(report.exit)
    }
}

/// True of a file that stdin was led from.
fn is_stdin(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        use std::os::unix::fs::MetadataExt;
        let stdin = || {
            let file = File::from(io::stdin().as_fd().try_clone_to_owned().ok()?);
            file.metadata().ok().filter(std::fs::Metadata::is_file)
        };
        let same =
            |a: std::fs::Metadata, b: std::fs::Metadata| (a.dev(), a.ino()) == (b.dev(), b.ino());
        stdin().zip(std::fs::metadata(path).ok()).is_some_and(|(a, b)| same(a, b))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// The extension of what goes to stdout, if it can.
fn to_stdout(json: bool, format: Option<&'static str>) -> Result<&'static str, Failure> {
    if json {
        return Err(Failure::new("with --json stdout is for the document alone")
            .hint("write the file to a name"));
    }
    let Some(format) = format else {
        return Err(Failure::new("stdout has no name that tells a format")
            .hint("say it, for example with --format glb"));
    };
    if ["amc", "asf"].contains(&format) {
        return Err(Failure::new("a motion in .amc is two files with its .asf, and stdout is one")
            .hint("use bvh, glb or gltf"));
    }
    if ["glb", "png", "gif", "take", "repertoire"].contains(&format) && io::stdout().is_terminal() {
        return Err(Failure::new(format!("a .{format} file is no text for a terminal"))
            .hint("lead stdout to a file or another program"));
    }
    Ok(format)
}

/// The file that stdin becomes; its name tells what it is.
fn from_stdin(came: File, folder: &Path, given: Option<&str>) -> Result<PathBuf, Failure> {
    let raw = folder.join("stdin");
    settle(came, &raw)?;
    let kind = unguarded(|| FileKind::of_file(&raw))?;
    let extension = match (given, kind.extension()) {
        (Some(given), _) => given,
        (None, Some(extension)) => extension,
        (None, None) if kind == FileKind::Empty => {
            return Err(Failure::new("stdin: nothing came through it"));
        }
        (None, None) => {
            return Err(Failure::new("stdin: it begins like no file that can be read"));
        }
    };
    let path = folder.join(format!("stdin.{extension}"));
    std::fs::rename(&raw, &path).map_err(|error| Failure::write(&raw, &error))?;
    Ok(path)
}
