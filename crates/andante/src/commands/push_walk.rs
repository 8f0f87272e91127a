//! `andante push --stance walk` and `run`.

use super::modes::{choose_pose, read};
use super::push::{PER_FRAME, PushRecord, STEP, aim, fail, show};
use crate::args::{PushArgs, StanceChoice};
use crate::context::CliContext;
use crate::failure::Failure;
use crate::report::{BOLD, CommandReport, FAINT};
use andante_body::{
    Body, Physique, Push, Stroll, StrollOutcome, WalkCycle, WalkOptions, stroll_pushes,
};
use andante_dynamics::PhysicsSettings;
use andante_skeleton::check_setting;
use serde_json::{Value, json};

/// How somebody moves who is not told.
struct UsualPace {
    name: &'static str,
    /// Metres per second.
    speed: f64,
    /// Metres to the goal.
    goal: f64,
}

impl UsualPace {
    fn of(stance: StanceChoice) -> Self {
        match stance {
            // A runner is pushed after six metres or more, and has to run on for a while.
            StanceChoice::Run => Self { name: "run", speed: 2.5, goal: 30.0 },
            _ => Self { name: "walk", speed: 1.3, goal: 10.0 },
        }
    }
}

pub fn run(args: &PushArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    if args.envelope {
        return Err(Failure::new("--envelope: only for --stance stand"));
    }
    if args.assist != 0.0 {
        return Err(Failure::new("--assist: only for --stance stand"));
    }
    check_setting("--goal", &args.goal, 1.0..=1000.0)?;
    let body = read(&args.character, &context.limits)?;
    let pose = choose_pose(&body, None)?;
    let physique = Physique::new(&body, pose, &PhysicsSettings::default())
        .map_err(|error| fail(&body, &error))?;
    let runs = args.stance == StanceChoice::Run;
    let usual = UsualPace::of(args.stance);
    let (gait, goal) = (usual.name, args.goal.unwrap_or(usual.goal));
    let speed = args.speed.unwrap_or(usual.speed);
    let made = if runs { WalkCycle::running } else { WalkCycle::built_in };
    let cycle = made(&physique, speed).map_err(|error| fail(&body, &error))?;
    let options = WalkOptions::of(&cycle);
    let mut pushes = Stroll::random_pushes(&cycle, args.trials, args.impulse, context.seed);
    aim(&mut pushes, args);

    let mut outcomes = Vec::with_capacity(pushes.len());
    let progress = context.progress(pushes.len() as u64, if runs { "running" } else { "walking" });
    for some in pushes.chunks(16) {
        if context.stopped() {
            break;
        }
        outcomes.extend(
            stroll_pushes(&physique, &cycle, options, some, goal, STEP)
                .map_err(|error| fail(&body, &error))?,
        );
        progress.inc(some.len() as u64);
    }
    progress.finish_and_clear();
    let count = outcomes.len().max(1) as f64;
    let mean = |of: &dyn Fn(&StrollOutcome) -> f64| outcomes.iter().map(of).sum::<f64>() / count;
    let arrived = outcomes.iter().filter(|outcome| outcome.arrived).count();
    let exploded = outcomes.iter().filter(|outcome| outcome.exploded).count();
    let error = mean(&|outcome| outcome.error.to_degrees());
    let slide = outcomes.iter().map(|outcome| outcome.slide).fold(0.0, f64::max);
    let steps_mean = mean(&|outcome| outcome.steps as f64);

    let mut text = format!(
        "{BOLD}{}{BOLD:#}: {arrived} of {} came to their goal; before the push {error:.2}° from the {gait} on average, feet slid by at most {:.1} mm\n",
        body.name(),
        outcomes.len(),
        1000.0 * slide,
    );
    for outcome in outcomes.iter().filter(|outcome| !outcome.arrived).take(10) {
        text.push_str(&format!("{FAINT}{}{FAINT:#}\n", failing(outcome)));
    }
    let json = json!({
        "character": body.name(), "stance": gait, "speed_mps": speed, "seed": context.seed,
        "impulse_ns": args.impulse, "trials": outcomes.len(), "recovered": arrived, "exploded": exploded,
        "steps_mean": steps_mean, "tracking_error_deg_mean": error, "foot_slide_mm_max": 1000.0 * slide,
    });
    if (args.svg.is_some() || args.output.is_some())
        && let Some(push) = pushes.first()
    {
        let take = record(&body, &physique, &cycle, options, (*push, goal))?;
        text.push_str(&show(args, &body, &take, list(&outcomes))?);
    }
    Ok(CommandReport { text, json, exit: 0 })
}

fn failing(outcome: &StrollOutcome) -> String {
    let what = if outcome.exploded { "the simulation was stopped" } else { "did not arrive" };
    format!(
        "{:.1} N·s towards {:.0}° at {:.2} s: {what} ({} steps)",
        outcome.push.impulse,
        outcome.push.direction.to_degrees(),
        outcome.push.at,
        outcome.steps
    )
}

fn record(
    body: &Body,
    physique: &Physique,
    cycle: &WalkCycle,
    options: WalkOptions,
    (push, goal): (Push, f64),
) -> Result<PushRecord, Failure> {
    let mut stroll = Stroll::new(physique, cycle, options, push, goal, STEP)
        .map_err(|error| fail(body, &error))?;
    let mut take = PushRecord::new(push);
    loop {
        let open = stroll.step(physique);
        if stroll.simulation.steps() % PER_FRAME == 0 || !open {
            take.keep(physique, &stroll.simulation);
        }
        if !open {
            return Ok(take);
        }
    }
}

fn list(outcomes: &[StrollOutcome]) -> Value {
    let entry = |outcome: &StrollOutcome| {
        json!({
            "impulse_ns": outcome.push.impulse, "direction_deg": outcome.push.direction.to_degrees(),
            "at_s": outcome.push.at, "recovered": outcome.arrived, "steps": outcome.steps,
            "seconds": outcome.seconds, "exploded": outcome.exploded,
        })
    };
    outcomes.iter().map(entry).collect()
}
