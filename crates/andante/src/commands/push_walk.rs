//! `andante push --stance walk` and `run`.

use super::push::{Pushed, STEP, Trials, TriedPush, aim, mean, tried};
use super::push_take::PushTake;
use crate::args::StanceChoice;
use crate::failure::{Failure, OrFail};
use crate::report::BOLD;
use andante_body::{Stroll, StrollOutcome, WalkCycle, WalkOptions, stroll_pushes};
use serde_json::json;

/// How somebody moves who is not told.
struct UsualPace {
    name: &'static str,
    /// What it does, for the progress bar.
    doing: &'static str,
    /// Metres per second.
    speed: f64,
    /// Metres to the goal.
    goal: f64,
}

impl UsualPace {
    fn of(stance: StanceChoice) -> Self {
        match stance {
            // A runner is pushed after six metres or more, and has to run on for a while.
            StanceChoice::Run => Self { name: "run", doing: "running", speed: 2.5, goal: 30.0 },
            _ => Self { name: "walk", doing: "walking", speed: 1.3, goal: 10.0 },
        }
    }
}

/// Pushes somebody who walks or runs.
pub(super) fn walk(pushed: &Pushed) -> Result<Trials, Failure> {
    let Pushed { args, body, physique, output, context } = *pushed;
    let runs = args.stance == StanceChoice::Run;
    let usual = UsualPace::of(args.stance);
    let (gait, goal) = (usual.name, args.goal.unwrap_or(usual.goal));
    let speed = args.speed.unwrap_or(usual.speed);
    let made = if runs { WalkCycle::running } else { WalkCycle::built_in };
    let cycle = made(physique, speed).or_fail_of(body.name())?;
    let options = WalkOptions::of(&cycle);
    let mut pushes = Stroll::random_pushes(&cycle, args.trials, args.impulse, context.seed);
    aim(&mut pushes, args);
    let outcomes = tried(pushed, &pushes, usual.doing, |some| {
        stroll_pushes(physique, &cycle, options, some, goal, STEP)
    })?;
    let error = mean(&outcomes, |outcome| outcome.error.to_degrees());
    let slide = 1e3 * outcomes.iter().map(|outcome| outcome.slide).fold(0.0, f64::max);
    let trial = |outcome: StrollOutcome| TriedPush {
        push: outcome.push,
        recovered: outcome.arrived,
        failure: if outcome.exploded { "the simulation was stopped" } else { "did not arrive" },
        steps: outcome.steps,
        seconds: outcome.seconds,
        exploded: outcome.exploded,
    };
    let all: Vec<TriedPush> = outcomes.into_iter().map(trial).collect();
    let arrived = all.iter().filter(|tried| tried.recovered).count();
    let text = format!(
        "{BOLD}{}{BOLD:#}: {arrived} of {} came to their goal; before the push {error:.2}° from the {gait} on average, feet slid by at most {slide:.1} mm\n",
        body.name(),
        all.len(),
    );
    let json = json!({
        "stance": gait, "speed_mps": speed, "tracking_error_deg_mean": error, "contact_path_mm_max": slide,
    });
    let first = match all.first() {
        Some(first) => {
            let mut stroll = Stroll::new(physique, &cycle, options, first.push, goal, STEP)
                .or_fail_of(body.name())?;
            let step = |stroll: &mut Stroll| stroll.step(physique);
            let count = all.len();
            let take = PushTake::record(output, pushed, (first, count), &mut stroll, step, |s| {
                &s.simulation
            })?;
            Some(take)
        }
        None => None,
    };
    Ok(Trials { all, text, json, first })
}
