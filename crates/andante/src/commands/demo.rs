//! `andante demo`: the built-in scene of that name, played.

use super::run::perform;
use crate::args::DemoArgs;
use crate::context::CliContext;
use crate::failure::Failure;
use crate::report::CommandReport;
use andante_stage::Scene;

pub fn run(args: &DemoArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    perform(&Scene::built_in("demo")?, &args.output, context)
}
