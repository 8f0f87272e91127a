//! `andante push`.

use super::modes::{choose_pose, read};
use super::select;
use super::simulate::placed;
use crate::args::{PushArgs, Stance};
use crate::context::Context;
use crate::failure::Failure;
use crate::report::{BOLD, FAINT, Report};
use andante_balance::{BalanceOptions, Outcome, Physique, Push, Trial, envelope, try_pushes};
use andante_body::{Body, Placement, Puppet};
use andante_draw::{Gallery, LineChart, Sheet, View, body_figure};
use andante_dynamics::{Simulation, Terrain};
use andante_formats::{Asset, gltf, write_atomically, write_file};
use andante_skeleton::Clip;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Seconds per step of simulation and controller.
pub(super) const STEP: f64 = 1.0 / 240.0;
/// Steps of simulation per frame of a take.
pub(super) const PER_FRAME: u64 = 4;
/// Friction of everything.
pub(super) const FRICTION: f64 = 0.8;
/// Most steps with which a recovery counts.
const MOST_STEPS: usize = 4;
/// Directions of the envelope.
const DIRECTIONS: usize = 16;
/// Figures of a picture.
const FIGURES: usize = 18;

pub fn run(args: &PushArgs, context: &Context) -> Result<Report, Failure> {
    if !(0.0..=10_000.0).contains(&args.impulse) {
        let impulse = args.impulse;
        return Err(Failure::new(format!("--impulse {impulse}: must be from 0 to 10000")));
    }
    if !(0.0..=1.0).contains(&args.assist) {
        return Err(Failure::new(format!("--assist {}: must be from 0 to 1", args.assist)));
    }
    if args.direction.is_some_and(|direction| !direction.is_finite()) {
        return Err(Failure::new("--direction: must be a number of degrees"));
    }
    if !(1..=1_000_000).contains(&args.trials) {
        return Err(Failure::new(format!("--trials {}: must be 1 to 1000000", args.trials)));
    }
    if let Some(path) = &args.svg {
        select::check_picture(path)?;
    }
    if args.stance == Stance::Walk {
        return super::push_walk::run(args, context);
    }
    let body = read(&args.character)?;
    let pose = choose_pose(&body, None)?;
    let physique = Physique::new(&body, pose, FRICTION).map_err(|error| fail(&body, &error))?;
    let options = BalanceOptions { assist: args.assist, ..BalanceOptions::default() };
    let pushes = pushes(args, context.seed);

    let mut outcomes = Vec::with_capacity(pushes.len());
    let progress = context.progress(pushes.len() as u64, "pushing");
    for some in pushes.chunks(16) {
        if context.stopped() {
            break;
        }
        outcomes.extend(
            try_pushes(&physique, options, some, STEP).map_err(|error| fail(&body, &error))?,
        );
        progress.inc(some.len() as u64);
    }
    progress.finish_and_clear();
    let good = |outcome: &&Outcome| outcome.recovered && outcome.steps <= MOST_STEPS;
    let recovered = outcomes.iter().filter(good).count();
    let exploded = outcomes.iter().filter(|outcome| outcome.exploded).count();
    let count = outcomes.len().max(1) as f64;
    let steps_mean = outcomes.iter().map(|outcome| outcome.steps as f64).sum::<f64>() / count;
    let ring = if args.envelope { ring(&body, &physique, options)? } else { Vec::new() };

    let mut text = format!(
        "{BOLD}{}{BOLD:#}: {recovered} of {} recovered with at most {MOST_STEPS} steps, {steps_mean:.2} steps on average\n",
        body.name(),
        outcomes.len(),
    );
    for outcome in outcomes.iter().filter(|outcome| !good(outcome)).take(10) {
        text.push_str(&format!("{FAINT}{}{FAINT:#}\n", failing(outcome)));
    }
    for (direction, impulse) in &ring {
        text.push_str(&format!("{direction:4.0}°  {impulse:5.1} N·s\n"));
    }
    let mut json = json!({
        "character": body.name(), "assist": args.assist, "seed": context.seed, "impulse_ns": args.impulse,
        "trials": outcomes.len(), "recovered": recovered, "exploded": exploded, "steps_mean": steps_mean,
    });
    if args.envelope {
        let entry = |(direction, impulse): &(f64, f64)| json!({ "direction_deg": direction, "impulse_ns": impulse });
        json["envelope"] = ring.iter().map(entry).collect();
    }
    if (args.svg.is_some() || args.output.is_some())
        && let Some(push) = pushes.first()
    {
        let take = record(&body, &physique, options, *push)?;
        text.push_str(&show(args, &body, &take, list(&outcomes))?);
    }
    Ok(Report { text, json, exit: 0 })
}

/// Draws and writes a take as asked for; says where.
pub(super) fn show(
    args: &PushArgs,
    body: &Body,
    take: &Take,
    trials: Value,
) -> Result<String, Failure> {
    let mut text = String::new();
    if let Some(path) = &args.svg {
        write_atomically(path, picture(body, take).as_bytes())
            .map_err(|error| Failure::write(path, &error))?;
        text.push_str(&format!("drawn to {}\n", path.display()));
    }
    if let Some(directory) = &args.output {
        for path in write(directory, body, take, trials)? {
            text.push_str(&format!("written to {}\n", path.display()));
        }
    }
    Ok(text)
}

pub(super) fn fail(body: &Body, error: &dyn std::fmt::Display) -> Failure {
    Failure::new(format!("{}: {error}", body.name()))
}

fn pushes(args: &PushArgs, seed: u64) -> Vec<Push> {
    let mut pushes = Push::random(args.trials, args.impulse, seed);
    aim(&mut pushes, args);
    pushes
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

fn failing(outcome: &Outcome) -> String {
    let what = match (outcome.exploded, outcome.recovered) {
        (true, _) => "the simulation was stopped",
        (_, true) => "stood again, but with too many steps",
        (_, false) => "fell",
    };
    format!(
        "{:.1} N·s towards {:.0}°: {what} ({} steps)",
        outcome.push.impulse,
        outcome.push.direction.to_degrees(),
        outcome.steps
    )
}

/// The strongest push in each direction.
fn ring(
    body: &Body,
    physique: &Physique,
    options: BalanceOptions,
) -> Result<Vec<(f64, f64)>, Failure> {
    let one = |index: usize| {
        let direction = 360.0 / DIRECTIONS as f64 * index as f64;
        let impulse = envelope(physique, options, direction.to_radians(), MOST_STEPS, STEP)
            .map_err(|error| fail(body, &error))?;
        Ok((direction, impulse))
    };
    (0..DIRECTIONS).into_par_iter().map(one).collect()
}

/// A push, frame by frame.
pub(super) struct Take {
    push: Push,
    frames: Vec<Vec<Placement>>,
    lean: Vec<f32>,
    speed: Vec<f32>,
}

impl Take {
    pub fn new(push: Push) -> Self {
        Take { push, frames: Vec::new(), lean: Vec::new(), speed: Vec::new() }
    }

    /// Keeps a frame of a simulation.
    pub fn keep(&mut self, physique: &Physique, simulation: &Simulation<f64>) {
        let kin = simulation.kinematics();
        let up = kin.rotation(physique.torso).y.y.clamp(-1.0, 1.0);
        let (momentum, _) = simulation.momentum(0);
        self.frames.push(placed(&physique.model, kin));
        self.lean.push(up.acos().to_degrees() as f32);
        self.speed.push((momentum.length() / physique.mass) as f32);
    }
}

fn record(
    body: &Body,
    physique: &Physique,
    options: BalanceOptions,
    push: Push,
) -> Result<Take, Failure> {
    let mut trial = Trial::new(physique, Terrain::level(), options, push, STEP)
        .map_err(|error| fail(body, &error))?;
    let mut take = Take::new(push);
    loop {
        let open = trial.step(physique);
        if trial.simulation.steps() % PER_FRAME == 0 || !open {
            take.keep(physique, &trial.simulation);
        }
        if !open {
            return Ok(take);
        }
    }
}

fn picture(body: &Body, take: &Take) -> String {
    let sideways = take.push.direction.sin().abs() > take.push.direction.cos().abs();
    let view = if sideways { View::Front } else { View::Side };
    let fps = 1.0 / (STEP * PER_FRAME as f64);
    let mut gallery = Gallery::new("from a tenth of a second before the push", 6).on_ground();
    // Most happens in the two seconds after the push.
    let first = ((take.push.at - 0.1) * fps).max(0.0) as usize;
    let last = (take.frames.len() - 1).min(first + (2.2 * fps) as usize);
    for figure in 0..FIGURES {
        let frame = first + figure * (last - first.min(last)) / (FIGURES - 1);
        let frame = frame.min(take.frames.len() - 1);
        let drawn = body_figure(body, &take.frames[frame], &[], view);
        let time = frame as f64 / fps - take.push.at;
        gallery = gallery.figure(drawn, vec![format!("{time:+.2} s")]);
    }
    let mut sheet = Sheet::new(format!(
        "{} pushed with {:.0} N·s towards {:.0}°",
        body.name(),
        take.push.impulse,
        take.push.direction.to_degrees()
    ));
    sheet.add(gallery.draw());
    let duration = (take.frames.len() as f64 / fps) as f32;
    sheet.add(
        LineChart::new("lean of the torso, degrees", duration)
            .curve("lean", take.lean.clone())
            .draw(),
    );
    sheet.add(
        LineChart::new("speed of the centre of mass, m/s", duration)
            .curve("speed", take.speed.clone())
            .draw(),
    );
    sheet.to_svg()
}

fn write(
    directory: &Path,
    body: &Body,
    take: &Take,
    outcomes: Value,
) -> Result<Vec<PathBuf>, Failure> {
    std::fs::create_dir_all(directory).map_err(|error| Failure::write(directory, &error))?;
    let puppet = Puppet::new(body).map_err(|error| fail(body, &error))?;
    let frames = take.frames.iter().flat_map(|placed| puppet.pose(placed)).collect();
    let fps = (1.0 / (STEP * PER_FRAME as f64)) as f32;
    let clip = Clip::new(body.name(), &puppet.skeleton, fps, frames)
        .map_err(|error| fail(body, &error))?;
    let asset = Asset { mesh: Some(puppet.skin), ..Asset::new(puppet.skeleton, vec![clip]) };
    let mut written = Vec::new();
    for name in ["push.glb", "push.bvh"] {
        let path = directory.join(name);
        written.extend(write_file(&path, &asset, &gltf::WriteOptions::default())?);
    }
    let path = directory.join("push.json");
    write_atomically(&path, format!("{outcomes:#}").as_bytes())
        .map_err(|error| Failure::write(&path, &error))?;
    written.push(path);
    Ok(written)
}

fn list(outcomes: &[Outcome]) -> Value {
    let entry = |outcome: &Outcome| {
        let seconds = outcome.seconds.is_finite().then_some(outcome.seconds);
        json!({
            "impulse_ns": outcome.push.impulse, "direction_deg": outcome.push.direction.to_degrees(),
            "at_s": outcome.push.at, "recovered": outcome.recovered, "steps": outcome.steps,
            "seconds": seconds, "exploded": outcome.exploded,
        })
    };
    outcomes.iter().map(entry).collect()
}
