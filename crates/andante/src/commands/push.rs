//! `andante push`.

use super::modes::{choose_pose, read};
use super::select;
use super::simulate::placed;
use crate::args::{PushArgs, StanceChoice};
use crate::context::CliContext;
use crate::failure::Failure;
use crate::report::{BOLD, CommandReport, FAINT};
use crate::take_output::{body_take, write_take};
use andante_body::{
    BalanceOptions, Body, BodySense, Physique, Push, PushOutcome, PushTrial, RigidPlacement,
    envelope, try_pushes,
};
use andante_draw::{Gallery, LineChart, Sheet, View, body_figure};
use andante_dynamics::{ContactTerrain, PhysicsSettings, Simulation};
use andante_formats::write_atomically;
use andante_play::Interval;
use andante_skeleton::{Side, check_setting};
use andante_take::{Event, EventKind, ScalarCurve, Take, VectorCurve};
use glam::{DVec3, Vec2};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Seconds per step of simulation and controller.
pub(super) const STEP: f64 = 1.0 / 240.0;
/// Steps of simulation per frame of a take.
pub(super) const PER_FRAME: u64 = 4;

pub fn run(args: &PushArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    check_setting("--impulse", &args.impulse, 0.0..=1e4)?;
    check_setting("--assist", &args.assist, 0.0..=1.0)?;
    if args.direction.is_some_and(|direction| !direction.is_finite()) {
        return Err(Failure::new("--direction: must be a number of degrees"));
    }
    check_setting("--trials", &args.trials, 1..=1_000_000)?;
    if let Some(path) = &args.svg {
        select::check_picture(path)?;
    }
    if args.stance != StanceChoice::Stand {
        return super::push_walk::run(args, context);
    }
    let body = read(&args.character, &context.limits)?;
    let pose = choose_pose(&body, None)?;
    let physique = Physique::new(&body, pose, &PhysicsSettings::default())
        .map_err(|error| fail(&body, &error))?;
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
    let good = |outcome: &&PushOutcome| outcome.recovered && outcome.steps <= args.most_steps;
    let recovered = outcomes.iter().filter(good).count();
    let exploded = outcomes.iter().filter(|outcome| outcome.exploded).count();
    let count = outcomes.len().max(1) as f64;
    let steps_mean = outcomes.iter().map(|outcome| outcome.steps as f64).sum::<f64>() / count;
    let ring = if args.envelope { ring(&body, &physique, options, args)? } else { Vec::new() };

    let mut text = format!(
        "{BOLD}{}{BOLD:#}: {recovered} of {} recovered with at most {} steps, {steps_mean:.2} steps on average\n",
        body.name(),
        outcomes.len(),
        args.most_steps,
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
    Ok(CommandReport { text, json, exit: 0 })
}

/// Draws and writes a take as asked for; says where.
pub(super) fn show(
    args: &PushArgs,
    body: &Body,
    take: &PushRecord,
    trials: Value,
) -> Result<String, Failure> {
    let mut text = String::new();
    if let Some(path) = &args.svg {
        write_atomically(path, picture(args, body, take).as_bytes())
            .map_err(|error| Failure::write(path, &error))?;
        text.push_str(&format!("drawn to {}\n", path.display()));
    }
    if let Some(directory) = &args.output {
        for path in write(args, directory, body, take, trials)? {
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

fn failing(outcome: &PushOutcome) -> String {
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
    args: &PushArgs,
) -> Result<Vec<(f64, f64)>, Failure> {
    let one = |index: usize| {
        let direction = 360.0 / args.directions as f64 * index as f64;
        let impulse = envelope(physique, options, direction.to_radians(), args.most_steps, STEP)
            .map_err(|error| fail(body, &error))?;
        Ok((direction, impulse))
    };
    (0..args.directions).into_par_iter().map(one).collect()
}

/// A push, frame by frame.
pub(super) struct PushRecord {
    push: Push,
    frames: Vec<Vec<RigidPlacement>>,
    felt: Vec<Felt>,
    lean: Vec<f32>,
    speed: Vec<f32>,
}

/// What a body felt in a frame, in the world.
struct Felt {
    centre: DVec3,
    capture: DVec3,
    support: Vec<DVec3>,
    /// Where the ground pushes, and how, N.
    ground: Option<(DVec3, DVec3)>,
    chest: DVec3,
}

impl PushRecord {
    pub fn new(push: Push) -> Self {
        PushRecord {
            push,
            frames: Vec::new(),
            felt: Vec::new(),
            lean: Vec::new(),
            speed: Vec::new(),
        }
    }

    /// Keeps a frame of a simulation.
    pub fn keep(&mut self, physique: &Physique, simulation: &Simulation<f64>) {
        let kin = simulation.kinematics();
        let up = kin.rotation(physique.torso).y.y.clamp(-1.0, 1.0);
        let (momentum, _) = simulation.momentum(0);
        self.frames.push(placed(&physique.model, kin));
        self.felt.push(felt(physique, simulation));
        self.lean.push(libm::acos(up).to_degrees() as f32);
        self.speed.push((momentum.length() / physique.mass) as f32);
    }
}

impl PushRecord {
    /// What happened, with everything that was felt.
    fn take(&self, body: &Body, outcomes: &Value) -> Result<Take, Failure> {
        let push = &self.push;
        let about = format!(
            "{:.1} N·s towards {:.0}° at {:.2} s; {} pushes in all",
            push.impulse,
            push.direction.to_degrees(),
            push.at,
            outcomes.as_array().map_or(0, Vec::len),
        );
        let fps = (1.0 / (STEP * PER_FRAME as f64)) as f32;
        let mut take = body_take(body, &self.frames, fps, about)?;
        take.head.name = format!("{} is pushed", body.name());
        let (end, track) = (take.seconds(), &mut take.tracks[0]);
        track.physical = vec![Interval::new(0.0, end)];
        track.curves = vec![
            ScalarCurve::new("speed", "m/s", self.speed.clone()),
            ScalarCurve::new("lean of the torso", "°", self.lean.clone()),
        ];
        let nowhere = DVec3::NAN;
        let with = |vector: VectorCurve, of: &dyn Fn(&Felt) -> DVec3| VectorCurve {
            values: self.felt.iter().map(|felt| of(felt).as_vec3()).collect(),
            ..vector
        };
        track.vectors = vec![
            with(VectorCurve::point("centre of mass"), &|felt| felt.centre),
            with(VectorCurve::point("capture point"), &|felt| felt.capture),
            with(VectorCurve::point("pressure"), &|felt| felt.ground.map_or(nowhere, |(at, _)| at)),
            with(VectorCurve::force("ground force", 2), &|felt| {
                felt.ground.map_or(nowhere, |(_, force)| force)
            }),
        ];
        let kind = EventKind::Pushed(push.impulse as f32);
        take.events.push(Event { time: push.at as f32, track: Some(0), kind });
        let first = outcomes.as_array().and_then(|all| all.first());
        if let Some(first) = first {
            let kind = match first["recovered"].as_bool() {
                Some(true) => EventKind::Recovered(first["steps"].as_u64().unwrap_or(0) as usize),
                _ => EventKind::Fell,
            };
            take.events.push(Event { time: end, track: Some(0), kind });
        }
        Ok(take)
    }
}

fn record(
    body: &Body,
    physique: &Physique,
    options: BalanceOptions,
    push: Push,
) -> Result<PushRecord, Failure> {
    let mut trial = PushTrial::new(physique, ContactTerrain::level(), options, push, STEP)
        .map_err(|error| fail(body, &error))?;
    let mut take = PushRecord::new(push);
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

/// What the marks of a filmstrip mean.
const LEGEND: &str = "black: centre of mass; orange: capture point; blue: what carries; arrows: the push and the force of the ground";

fn felt(physique: &Physique, simulation: &Simulation<f64>) -> Felt {
    let mut senses = BodySense::new();
    senses.feel(physique, simulation);
    let point = |v: andante_dynamics::Vec3<f64>| DVec3::new(v.x, v.y, v.z);
    let floor = senses.centre.y - senses.height;
    let on_floor = |[x, z]: [f64; 2]| DVec3::new(x, floor, z);
    let kin = simulation.kinematics();
    let force = simulation.contacts(0).map(|contact| point(contact.force)).sum();
    Felt {
        centre: point(senses.centre),
        capture: on_floor(senses.capture_point()),
        support: senses.support.corners().iter().map(|&corner| on_floor(corner)).collect(),
        ground: senses.pressure.map(|pressure| (on_floor(pressure), force)),
        chest: point(kin.point(&physique.model, physique.torso, physique.chest)),
    }
}

/// Adds centre of mass, capture point, support and forces to a figure.
fn mark(
    figure: &mut andante_draw::GalleryFigure,
    take: &PushRecord,
    frame: usize,
    time: f64,
    view: View,
) {
    /// Metres of an arrow for each newton.
    const LONG: f64 = 0.0008;
    let [right, up, _] = view.axes().map(|axis| axis.as_dvec3());
    let flat = |point: DVec3| Vec2::new(point.dot(right) as f32, point.dot(up) as f32);
    let felt = &take.felt[frame];
    let ends = felt.support.iter().map(|corner| flat(*corner));
    let low = ends.clone().reduce(|a, b| if b.x < a.x { b } else { a });
    let high = ends.reduce(|a, b| if b.x > a.x { b } else { a });
    if let (Some(low), Some(high)) = (low, high) {
        figure.bar([low, high], Side::Left);
    }
    if let Some((at, force)) = felt.ground {
        figure.arrow([flat(at), flat(at + LONG * force)], Side::Left);
    }
    let push = &take.push;
    if (push.at..=push.at + push.duration + 0.03).contains(&time) {
        let (sin, cos) = libm::sincos(push.direction);
        let along = DVec3::new(sin, 0.0, cos) * (LONG * push.impulse / push.duration);
        figure.arrow([flat(felt.chest - along), flat(felt.chest)], Side::Right);
    }
    figure.dot(flat(felt.centre), Side::Middle);
    figure.dot(flat(felt.capture), Side::Right);
}

fn picture(args: &PushArgs, body: &Body, take: &PushRecord) -> String {
    sheet(args, body, take).to_svg()
}

fn sheet(args: &PushArgs, body: &Body, take: &PushRecord) -> Sheet {
    let sideways = libm::sin(take.push.direction).abs() > libm::cos(take.push.direction).abs();
    let view = if sideways { View::Front } else { View::Side };
    let fps = 1.0 / (STEP * PER_FRAME as f64);
    let mut gallery = Gallery::new("from a tenth of a second before the push", 6).on_ground();
    // Most happens in the two seconds after the push.
    let first = ((take.push.at - 0.1) * fps).max(0.0) as usize;
    let last = (take.frames.len() - 1).min(first + (2.2 * fps) as usize);
    for figure in 0..args.figures {
        let frame = first + figure * (last - first.min(last)) / (args.figures - 1);
        let frame = frame.min(take.frames.len() - 1);
        let mut drawn = body_figure(body, &take.frames[frame], &[], view);
        mark(&mut drawn, take, frame, frame as f64 / fps, view);
        let time = frame as f64 / fps - take.push.at;
        gallery = gallery.figure(drawn, vec![format!("{time:+.2} s")]);
    }
    let mut sheet = Sheet::new(format!(
        "{} pushed with {:.0} N·s towards {:.0}°",
        body.name(),
        take.push.impulse,
        take.push.direction.to_degrees()
    ));
    sheet.note(LEGEND);
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
    sheet
}

/// Everything about the first push, made from its take, and all outcomes.
fn write(
    args: &PushArgs,
    directory: &Path,
    body: &Body,
    take: &PushRecord,
    outcomes: Value,
) -> Result<Vec<PathBuf>, Failure> {
    let mut written = write_take(&take.take(body, &outcomes)?, directory, "push", |page| {
        page.heading("Filmstrip");
        page.figure(&sheet(args, body, take));
        page.heading("All pushes");
        let words = |value: &Value| match value {
            Value::Number(number) => {
                number.as_f64().map_or_else(String::new, |x| format!("{x:.2}"))
            }
            Value::Bool(yes) => if *yes { "yes" } else { "no" }.into(),
            _ => String::new(),
        };
        let keys = ["impulse_ns", "direction_deg", "at_s", "recovered", "steps", "seconds"];
        let rows = outcomes.as_array().into_iter().flatten().take(args.rows);
        page.table(
            &["impulse, N·s", "towards, °", "at, s", "recovered", "steps", "seconds"],
            rows.map(|row| keys.map(|key| words(&row[key])).to_vec()),
        );
    })?;
    let path = directory.join("push.json");
    write_atomically(&path, format!("{outcomes:#}").as_bytes())
        .map_err(|error| Failure::write(&path, &error))?;
    written.push(path);
    Ok(written)
}

fn list(outcomes: &[PushOutcome]) -> Value {
    let entry = |outcome: &PushOutcome| {
        let seconds = outcome.seconds.is_finite().then_some(outcome.seconds);
        json!({
            "impulse_ns": outcome.push.impulse, "direction_deg": outcome.push.direction.to_degrees(),
            "at_s": outcome.push.at, "recovered": outcome.recovered, "steps": outcome.steps,
            "seconds": seconds, "exploded": outcome.exploded,
        })
    };
    outcomes.iter().map(entry).collect()
}
