//! `andante push`.

use super::clips::metrics_json;
use super::modes::{choose_pose, read_standing};
use super::push_take::PushTake;
use super::push_walk;
use super::select;
use crate::args::{PushArgs, StanceChoice};
use crate::context::CliContext;
use crate::failure::{Failure, OrFail};
use crate::report::{BOLD, CommandReport, FAINT, TOLD, draw, written};
use crate::take_output::{TakeOutput, motion_metrics};
use andante_body::{
    BalanceOptions, Body, Physique, Push, PushError, PushOutcome, PushTrial, envelope, try_pushes,
};
use andante_dynamics::{ContactTerrain, PhysicsSettings};
use andante_skeleton::check_setting;
use rayon::prelude::*;
use serde_json::{Value, json};

/// Seconds per step of simulation and controller.
pub(super) const STEP: f64 = 1.0 / 240.0;

/// Pushes that are tried before the next look at Ctrl-C and the progress bar.
const BATCH: usize = 16;

/// What came of a push.
pub(super) struct TriedPush {
    pub push: Push,
    pub recovered: bool,
    /// What happened otherwise, in words.
    pub failure: &'static str,
    pub steps: usize,
    pub seconds: f64,
    pub exploded: bool,
}

/// What came of all of them, and how the first went.
pub(super) struct Trials {
    pub all: Vec<TriedPush>,
    pub text: String,
    pub json: Value,
    pub first: Option<PushTake>,
}

/// Who is pushed, and what is wanted of it.
pub(super) struct Pushed<'a> {
    pub args: &'a PushArgs,
    pub body: &'a Body,
    pub physique: &'a Physique,
    /// Where the first push is recorded.
    pub output: &'a TakeOutput,
    pub context: &'a CliContext,
}

pub fn run(args: &PushArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    check_setting("--impulse", &args.impulse, 0.0..=1e4)?;
    check_setting("--assist", &args.assist, 0.0..=1.0)?;
    check_setting("--direction", &args.direction, -1e6..=1e6)?;
    check_setting("--trials", &args.trials, 1..=1_000_000)?;
    check_setting("--goal", &args.goal, 1.0..=1000.0)?;
    select::check_picture(args.svg.as_deref())?;
    let stands = args.stance == StanceChoice::Stand;
    if !stands && (args.envelope || args.assist != 0.0) {
        let option = if args.envelope { "--envelope" } else { "--assist" };
        return Err(Failure::new(format!("{option}: only for --stance stand")));
    }
    let body = read_standing(&args.character, &context.limits)?;
    context.warn_of(&args.character, body.remarks());
    let pose = choose_pose(&body, None)?;
    let physics = args.physics.applied(PhysicsSettings::default())?;
    let physique = Physique::new(&body, pose, &physics).or_fail_of(body.name())?;
    let output = TakeOutput::new(args.output.as_deref(), "push")?;
    let pushed = Pushed { args, body: &body, physique: &physique, output: &output, context };
    let trials = if stands { stand(&pushed)? } else { push_walk::walk(&pushed)? };
    let Trials { all, mut text, mut json, first } = trials;
    for tried in all.iter().filter(|tried| !tried.recovered).take(TOLD) {
        let Push { impulse, direction, at, .. } = tried.push;
        let (towards, failure, steps) = (direction.to_degrees(), tried.failure, tried.steps);
        text.push_str(&format!(
            "{FAINT}{impulse:.1} N·s towards {towards:.0}° at {at:.2} s: {failure} ({steps} steps){FAINT:#}\n"
        ));
    }
    for ring in json["envelope"].as_array().into_iter().flatten() {
        let number = |key: &str| ring[key].as_f64().unwrap_or(0.0);
        let (direction, impulse) = (number("direction_deg"), number("impulse_ns"));
        text.push_str(&format!("{direction:4.0}°  {impulse:5.1} N·s\n"));
    }
    json["character"] = json!(body.name());
    json["gravity_mps2"] = json!(physics.gravity_strength());
    json["friction"] = json!(physics.friction);
    json["seed"] = json!(context.seed);
    json["impulse_ns"] = json!(args.impulse);
    json["trials"] = json!(all.len());
    json["recovered"] = json!(all.iter().filter(|tried| tried.recovered).count());
    json["exploded"] = json!(all.iter().filter(|tried| tried.exploded).count());
    json["steps_mean"] = json!(mean(&all, |tried| tried.steps as f64));
    // What was found until somebody had enough is kept, and said to be a part.
    let stopped = context.stopped();
    json["stopped"] = json!(stopped);
    if stopped {
        text.push_str(&format!("stopped after {} of {} pushes\n", all.len(), args.trials));
    }
    if let Some(first) = first {
        let mut output = output;
        // Of the first push, as that is what is recorded.
        let metrics = motion_metrics(&first.take)?;
        json["metrics"] = metrics.map_or(Value::Null, |metrics| metrics_json(&metrics));
        if let Some(path) = &args.svg {
            text.push_str(&draw(path, &first.sheet(args, &body)?)?);
        }
        if args.output.is_some() {
            let sheet = first.sheet(args, &body)?;
            output.add_text("push.json", &format!("{:#}", list(&all)))?;
            let files = output.publish(&first.take, |page| {
                page.heading("Filmstrip");
                page.figure(&sheet);
                page.heading("All pushes");
                let header =
                    ["impulse, N·s", "towards, °", "at, s", "recovered", "steps", "seconds"];
                page.table(&header, all.iter().take(args.rows).map(row));
            })?;
            text.push_str(&written(&files));
        }
    }
    Ok(CommandReport { text, json, exit: u8::from(stopped) })
}

/// Pushes somebody who stands.
fn stand(pushed: &Pushed) -> Result<Trials, Failure> {
    let Pushed { args, body, physique, output, context } = *pushed;
    let options = BalanceOptions { assist: args.assist, ..BalanceOptions::default() };
    // Who does not stand anyhow is not said to be felled by a push.
    let alone = Push::new(0.0, 0.0);
    let alone = PushTrial::new(physique, ContactTerrain::level(), options, alone, STEP)
        .or_fail_of(body.name())?
        .run(physique);
    if !alone.recovered {
        let how = if alone.exploded { "its simulation has to be stopped" } else { "it falls" };
        let name = body.name();
        return Err(Failure::new(format!(
            "{name} does not stand by the torques of its joints: {how} though nobody pushes it"
        )));
    }
    let mut pushes = Push::random(args.trials, args.impulse, context.seed);
    aim(&mut pushes, args);
    let trial = |outcome: PushOutcome| TriedPush {
        push: outcome.push,
        recovered: outcome.recovered && outcome.steps <= args.most_steps,
        failure: match (outcome.exploded, outcome.recovered) {
            (true, _) => "the simulation was stopped",
            (_, true) => "stood again, but with too many steps",
            (_, false) => "fell",
        },
        steps: outcome.steps,
        seconds: outcome.seconds,
        exploded: outcome.exploded,
    };
    let outcomes =
        tried(pushed, &pushes, "pushing", |some| try_pushes(physique, options, some, STEP))?;
    let all: Vec<TriedPush> = outcomes.into_iter().map(trial).collect();
    let text = format!(
        "{BOLD}{}{BOLD:#}: {} of {} recovered with at most {} steps, {:.2} steps on average\n",
        body.name(),
        all.iter().filter(|tried| tried.recovered).count(),
        all.len(),
        args.most_steps,
        mean(&all, |tried| tried.steps as f64),
    );
    let mut json = json!({ "assist": args.assist });
    if args.envelope && !context.stopped() {
        // The strongest push in each direction.
        let one = |index: usize| {
            if context.stopped() {
                return Ok(None);
            }
            let direction = 360.0 / args.directions as f64 * index as f64;
            let impulse =
                envelope(physique, options, direction.to_radians(), args.most_steps, STEP)
                    .or_fail_of(body.name())?;
            Ok(Some(json!({ "direction_deg": direction, "impulse_ns": impulse })))
        };
        let ring: Result<Vec<Option<Value>>, Failure> =
            (0..args.directions).into_par_iter().map(one).collect();
        json["envelope"] = ring?.into_iter().flatten().collect();
    }
    let first = match all.first() {
        Some(first) => {
            let level = ContactTerrain::level();
            let mut trial = PushTrial::new(physique, level, options, first.push, STEP)
                .or_fail_of(body.name())?;
            let step = |trial: &mut PushTrial| trial.step(physique);
            let take =
                PushTake::record(output, pushed, (first, all.len()), &mut trial, step, |t| {
                    &t.simulation
                })?;
            Some(take)
        }
        None => None,
    };
    Ok(Trials { all, text, json, first })
}

/// All in one direction and at full strength, if a direction is asked for.
pub(super) fn aim(pushes: &mut [Push], args: &PushArgs) {
    if let Some(direction) = args.direction {
        for push in pushes {
            push.impulse = args.impulse;
            push.direction = direction.to_radians();
        }
    }
}

/// Tries pushes some at a time, until somebody has had enough.
pub(super) fn tried<T>(
    pushed: &Pushed,
    pushes: &[Push],
    what: &'static str,
    attempt: impl Fn(&[Push]) -> Result<Vec<T>, PushError>,
) -> Result<Vec<T>, Failure> {
    let mut outcomes = Vec::with_capacity(pushes.len());
    let progress = pushed.context.progress(pushes.len() as u64, what);
    for some in pushes.chunks(BATCH) {
        if pushed.context.stopped() {
            break;
        }
        outcomes.extend(attempt(some).or_fail_of(pushed.body.name())?);
        progress.inc(some.len() as u64);
    }
    progress.finish_and_clear();
    Ok(outcomes)
}

pub(super) fn mean<T>(all: &[T], of: impl Fn(&T) -> f64) -> f64 {
    all.iter().map(of).sum::<f64>() / all.len().max(1) as f64
}

/// A row of the report's table.
fn row(tried: &TriedPush) -> Vec<String> {
    let Push { impulse, direction, at, .. } = tried.push;
    let seconds =
        if tried.seconds.is_finite() { format!("{:.2}", tried.seconds) } else { String::new() };
    vec![
        format!("{impulse:.2}"),
        format!("{:.2}", direction.to_degrees()),
        format!("{at:.2}"),
        if tried.recovered { "yes" } else { "no" }.into(),
        tried.steps.to_string(),
        seconds,
    ]
}

fn list(all: &[TriedPush]) -> Value {
    let entry = |tried: &TriedPush| {
        let seconds = tried.seconds.is_finite().then_some(tried.seconds);
        json!({
            "impulse_ns": tried.push.impulse, "direction_deg": tried.push.direction.to_degrees(),
            "at_s": tried.push.at, "recovered": tried.recovered, "steps": tried.steps,
            "seconds": seconds, "exploded": tried.exploded,
        })
    };
    all.iter().map(entry).collect()
}
