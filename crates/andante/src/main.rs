//! The `andante` command.

mod args;
mod body_recorder;
mod commands;
mod context;
mod failure;
mod pipes;
mod report;
mod take_output;

use args::{Args, CliCommand};
use clap::Parser;
use context::CliContext;
use pipes::Pipes;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // Help and version go to stdout with code 0, mistakes to stderr with code 2.
            if !error.use_stderr() {
                return report::say(&error.render().ansi().to_string(), 0);
            }
            let _ = error.print();
            if std::env::args_os().any(|argument| argument == "--json") {
                let message = error.render().to_string();
                let json = serde_json::json!({ "error": { "message": message.trim() } });
                return report::say(&format!("{json:#}\n"), 2);
            }
            return ExitCode::from(2);
        }
    };
    andante_formats::guard_inputs();
    if !args.global.force {
        andante_formats::guard_foreign();
    }
    // Before Ctrl-C means to keep what was done: nothing is while stdin is read.
    let pipes = Pipes::lay(&mut args);
    let context = CliContext::new(&args.global);
    let pipes = match pipes {
        Ok(pipes) => pipes,
        Err(failure) => return failure.print(&context),
    };
    let outcome = match &args.command {
        CliCommand::Demo(options) => commands::demo::run(options, &context),
        CliCommand::Convert(options) => commands::convert::run(options, &context),
        CliCommand::Inspect(options) => commands::inspect::run(options, &context),
        CliCommand::Retarget(options) => commands::retarget::run(options, &context),
        CliCommand::Ground(options) => commands::ground::run(options, &context),
        CliCommand::Plan(options) => commands::plan::run(options, &context),
        CliCommand::Run(options) => commands::run::run(options, &context),
        CliCommand::Check(options) => commands::check::run(options, &context),
        CliCommand::Render(options) => commands::render::run(options, &context),
        CliCommand::Scenes(options) => commands::scenes::run(options, &context),
        CliCommand::Edit(options) => commands::edit::run(options, &context),
        CliCommand::Repertoire(options) => commands::repertoire::run(options, &context),
        CliCommand::Clips(options) => commands::clips::run(options, &context),
        CliCommand::Characters(options) => commands::characters::run(options, &context),
        CliCommand::Modes(options) => commands::modes::run(options, &context),
        CliCommand::Gait(options) => commands::gait::run(options, &context),
        CliCommand::Sketches(options) => commands::sketches::run(options, &context),
        CliCommand::Push(options) => commands::push::run(options, &context),
        CliCommand::Track(options) => commands::track::run(options, &context),
        CliCommand::Simulate(options) => commands::simulate::run(options, &context),
        CliCommand::Bench(options) => commands::bench::run(options, &context),
        CliCommand::Batch(options) => commands::batch::run(options, &context),
        CliCommand::Merge(options) => commands::batch::merge::run(options, &context),
        CliCommand::Completions(options) => commands::about::completions(options),
        CliCommand::Man(options) => commands::about::man(options),
        CliCommand::Studio(options) => commands::studio::run(options, &context),
    };
    match outcome {
        Ok(report) => pipes.print(&report, &context),
        Err(failure) => failure.print(&context),
    }
}
