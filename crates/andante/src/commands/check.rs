//! `andante check`, and what `andante run` and `andante plan` share with it.

use super::plan;
use crate::args::CheckArgs;
use crate::context::CliContext;
use crate::failure::Failure;
use crate::report::{BOLD, CommandReport, ERROR, WARNING};
use andante_check::{CheckSettings, Severity, Verdict, Violation, check};
use andante_take::{TakeFile, TakeSource};
use serde_json::{Value, json};

pub fn run(args: &CheckArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    let path = &args.take;
    if !(0.0..=90.0).contains(&args.slope) {
        return Err(Failure::new(format!("--slope {}: not between 0 and 90 degrees", args.slope)));
    }
    let scene = args.scene.as_deref().map(|name| {
        plan::cast(plan::scene(name, &context.limits)?, args.character.as_deref(), context)
    });
    let demand = scene.transpose()?.map(|scene| scene.demand());
    let take = TakeFile::open(path)
        .map_err(|error| Failure::of_file(path, error).hint("`andante run SCENE` writes takes"))?;
    let settings = CheckSettings { slope_deg: args.slope, ..CheckSettings::default() };
    let verdict =
        check(&take, demand.as_ref(), &settings).map_err(|error| Failure::of_file(path, error))?;
    let (name, seconds) = (&take.head().name, take.seconds());
    let mut text =
        format!("{BOLD}{name}{BOLD:#}: {seconds:.1} s, {} frames checked\n", verdict.frames);
    text.extend(verdict.violations.iter().map(line));
    if verdict.is_ok() {
        text.push_str("  nothing is wrong with it\n");
    }
    let json = json!({
        "ok": verdict.is_ok(), "frames": verdict.frames, "violations": to_json(&verdict),
    });
    Ok(CommandReport { text, json, exit: u8::from(!verdict.is_ok()) })
}

/// The violations of a take in words, the worst first; of what is unnatural the first few lines.
pub fn words(verdict: &Verdict) -> String {
    const FEW: usize = 6;
    let wrong = verdict.wrong(None).count();
    let mut text: String = verdict.violations.iter().take(wrong + FEW).map(line).collect();
    let more = verdict.violations.len().saturating_sub(wrong + FEW);
    if more > 0 {
        text.push_str(&format!("  and {more} more that are unnatural: see `andante check`\n"));
    }
    text
}

fn line(violation: &Violation) -> String {
    match violation.severity() {
        Severity::Wrong => format!("  {ERROR}wrong{ERROR:#}: {violation}\n"),
        Severity::Unnatural => format!("  {WARNING}unnatural{WARNING:#}: {violation}\n"),
    }
}

/// The same for scripts.
pub fn to_json(verdict: &Verdict) -> Value {
    let violation = |found: &Violation| {
        let severity = match found.severity() {
            Severity::Wrong => "wrong",
            Severity::Unnatural => "unnatural",
        };
        json!({
            "kind": found.kind.name(), "severity": severity, "who": found.who, "what": found.what,
            "time_s": found.time_s, "value": found.value, "limit": found.limit,
            "unit": found.kind.unit(), "frames": found.frames,
        })
    };
    verdict.violations.iter().map(violation).collect()
}
