//! `andante completions` and `andante man`: what a shell and a reader of manuals need.

use crate::args::{Args, CompletionsArgs, ManArgs};
use crate::failure::Failure;
use crate::report::{CommandReport, paths_json, write, written};
use clap::CommandFactory;
use serde_json::json;
use std::path::PathBuf;

pub fn completions(args: &CompletionsArgs) -> Result<CommandReport, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "andante", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    let json = json!({ "shell": args.shell.to_string(), "script": script });
    Ok(CommandReport::done(script, json))
}

pub fn man(args: &ManArgs) -> Result<CommandReport, Failure> {
    let folder = &args.folder;
    std::fs::create_dir_all(folder).map_err(|error| Failure::write(folder, &error))?;
    let mut whole = Args::command();
    whole.build();
    let mut files: Vec<PathBuf> = Vec::new();
    let mut add = |name: &str, command: clap::Command| {
        let path = folder.join(format!("{name}.1"));
        let mut page = Vec::new();
        clap_mangen::Man::new(command)
            .render(&mut page)
            .map_err(|error| Failure::write(&path, &error))?;
        write(&path, &page)?;
        files.push(path);
        Ok::<(), Failure>(())
    };
    add("andante", whole.clone())?;
    for command in whole.get_subcommands().filter(|command| command.get_name() != "help") {
        let name = format!("andante-{}", command.get_name());
        add(&name, command.clone().display_name(&name))?;
    }
    let json = json!({ "files": paths_json(&files) });
    Ok(CommandReport::done(written(&files), json))
}
