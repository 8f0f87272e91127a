//! The `andante` command.

mod args;
mod commands;
mod context;
mod failure;
mod motion_sheet;
mod report;

use args::{Args, Command};
use clap::Parser;
use context::Context;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // Help and version go to stdout with code 0, mistakes to stderr with code 2.
            let _ = error.print();
            if !error.use_stderr() {
                return ExitCode::SUCCESS;
            }
            if std::env::args_os().any(|argument| argument == "--json") {
                let message = error.render().to_string();
                report::print_json(&serde_json::json!({ "error": { "message": message.trim() } }));
            }
            return ExitCode::from(2);
        }
    };
    let context = Context::new(&args.global);
    let outcome = match &args.command {
        Command::Demo(options) => commands::demo::run(options, &context),
        Command::Convert(options) => commands::convert::run(options, &context),
        Command::Inspect(options) => commands::inspect::run(options, &context),
        Command::Retarget(options) => commands::retarget::run(options, &context),
        Command::Ground(options) => commands::ground::run(options, &context),
        Command::Plan(options) => commands::plan::run(options, &context),
        Command::Run(options) => commands::run::run(options, &context),
        Command::Render(options) => commands::render::run(options, &context),
        Command::Scenes(options) => commands::scenes::run(options, &context),
        Command::Edit(options) => commands::edit::run(options, &context),
        Command::Repertoire(options) => commands::repertoire::run(options, &context),
        Command::Clips(options) => commands::clips::run(options, &context),
        Command::Characters(options) => commands::characters::run(options, &context),
        Command::Modes(options) => commands::modes::run(options, &context),
        Command::Gait(options) => commands::gait::run(options, &context),
        Command::Sketches(options) => commands::sketches::run(options, &context),
        Command::Push(options) => commands::push::run(options, &context),
        Command::Simulate(options) => commands::simulate::run(options, &context),
        Command::Bench(options) => commands::bench::run(options, &context),
    };
    match outcome {
        Ok(report) => report.print(&context),
        Err(failure) => failure.print(&context),
    }
}
