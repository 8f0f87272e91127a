//! `andante demo`: the built-in scene of that name, played.

use super::run::perform;
use crate::args::DemoArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::report::Report;
use andante_stage::Scene;

pub fn run(args: &DemoArgs, context: &Context) -> Result<Report, Failure> {
    perform(&Scene::built_in("demo")?, &args.output, context)
}
