//! `andante studio`: starts the window, which is a program of its own.

use crate::args::StudioArgs;
use crate::context::CliContext;
use crate::failure::Failure;
use crate::report::CommandReport;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::Command;

const HOW_TO_BUILD: &str = "build it once: cargo build --release --manifest-path crates/andante-studio/Cargo.toml \
     --target-dir target, or install it: cargo install --path crates/andante-studio";

pub fn run(args: &StudioArgs, _: &CliContext) -> Result<CommandReport, Failure> {
    let name = format!("andante-studio{}", std::env::consts::EXE_SUFFIX);
    let program = find(&name).ok_or_else(|| {
        Failure::new(format!("{name} is neither beside this program nor on the path"))
            .of_work()
            .hint(HOW_TO_BUILD)
    })?;
    let status = Command::new(&program).args(&args.words).status().map_err(|error| {
        Failure::new(format!("{}: cannot be started: {error}", program.display()))
            .about(&program)
            .of_work()
    })?;
    let program = program.display().to_string();
    let exit = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    let json = json!({ "program": program, "exit": exit });
    Ok(CommandReport { text: String::new(), json, exit })
}

/// Beside the program that runs, or on the path.
fn find(name: &str) -> Option<PathBuf> {
    let own = std::env::current_exe().ok();
    let beside = own.as_deref().and_then(Path::parent).map(Path::to_path_buf);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = beside.into_iter().chain(std::env::split_paths(&path));
    folders.map(|folder| folder.join(name)).find(|program| program.is_file())
}
