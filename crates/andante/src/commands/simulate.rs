//! `andante simulate`.

use super::clips::metrics_json;
use super::modes::{COLUMNS, choose_pose, read};
use super::select;
use crate::args::SimulateArgs;
use crate::body_recorder::{BODY, BodyRecorder, RecordedBody, Stance};
use crate::context::CliContext;
use crate::failure::{Failure, OrFail};
use crate::report::{BOLD, CommandReport, draw, written};
use crate::take_output::{TakeOutput, motion_metrics};
use andante_body::{Body, BodyModel, RestPose, RigidPlacement};
use andante_draw::{BodyStrip, Sheet, View};
use andante_dynamics::{
    ContactTerrain, JointState, Kinematics, Model, PhysicsSettings, Simulation,
};
use andante_skeleton::check_setting;
use andante_take::{TakeFile, TakeHead, TakeSource, VectorCurve};
use glam::{DMat3, DQuat, DVec3};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// What came of it.
struct Outcome {
    take: TakeFile,
    steps: u64,
    seconds: f64,
    microseconds: f64,
    fastest: f64,
    energy: [f64; 2],
    contacts: usize,
    gravity: f64,
    friction: f64,
    trouble: Option<String>,
}

pub fn run(args: &SimulateArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    check_setting("--drop", &args.drop, 0.0..=100.0)?;
    check_setting("--seconds", &args.seconds, 0.0..=600.0)?;
    check_setting("--step", &args.step, 0.05..=10.0)?;
    check_setting("--fps", &args.fps, 1.0..=1000.0)?;
    check_setting("--tilt", &args.tilt, -180.0..=180.0)?;
    select::check_picture(args.svg.as_deref())?;
    if let Some(path) = &args.output {
        select::refuse_to_overwrite(path, &[Path::new(&args.character)])?;
    }
    let body = read(&args.character, &context.limits)?;
    context.warn_of(&args.character, body.remarks());
    let pose = choose_pose(&body, args.pose.as_deref())?;
    let output = TakeOutput::new(args.output.as_deref(), "take")?;
    let done = simulate(args, &body, pose, &output, context)?;
    // What has just been let go is as slow, in the air.
    let at_rest = done.fastest < 0.01 && done.contacts > 0;
    let stopped = context.stopped();
    let mut text = format!(
        "{BOLD}{}{BOLD:#}: {:.1} kg, {} joint angles; {:.1} s in {} steps, {:.1} µs each\n",
        body.name(),
        body.total_mass(),
        body.internal_dof(),
        done.seconds,
        done.steps,
        done.microseconds / done.steps.max(1) as f64,
    );
    text.push_str(&match &done.trouble {
        Some(trouble) => format!("stopped: {trouble}\n"),
        None if stopped => format!("stopped after {:.1} of {:.1} s\n", done.seconds, args.seconds),
        None if at_rest => format!("it lies still on {} contacts\n", done.contacts),
        None => format!(
            "its fastest segment moves at {:.2} m/s, on {} contacts\n",
            done.fastest, done.contacts
        ),
    });
    if let Some(path) = &args.svg {
        text.push_str(&draw(path, &picture(args, &body, &done.take)?)?);
    }
    let frames = done.take.frames();
    let metrics = motion_metrics(&done.take)?.map(|metrics| metrics_json(&metrics));
    text.push_str(&written(&output.publish(&done.take, |_| {})?));
    let json = json!({
        "character": body.name(), "pose": pose.name, "seconds": done.seconds, "steps": done.steps, "frames": frames,
        "fps": args.fps, "us_per_step": done.microseconds / done.steps.max(1) as f64, "contacts": done.contacts,
        "speed_max_mps": done.fastest, "at_rest": at_rest, "energy_first_j": done.energy[0], "energy_last_j": done.energy[1],
        "quarantined": done.trouble, "stopped": stopped, "gravity_mps2": done.gravity, "friction": done.friction, "metrics": metrics,
    });
    Ok(CommandReport { text, json, exit: u8::from(stopped || done.trouble.is_some()) })
}

fn simulate(
    args: &SimulateArgs,
    body: &Body,
    pose: &RestPose,
    output: &TakeOutput,
    context: &CliContext,
) -> Result<Outcome, Failure> {
    let settings = PhysicsSettings { step: 1e-3 * args.step, ..PhysicsSettings::default() };
    let settings = args.physics.applied(settings)?;
    let character = BodyModel::new(body, pose, &settings).or_fail_of(body.name())?;
    let model = Arc::new(character.model);
    let mut simulation =
        Simulation::<f64>::new(Arc::clone(&model), ContactTerrain::level(), settings)
            .or_fail_of(body.name())?;
    let mut state = JointState::<f64>::rest(&model);
    state.q[1] += args.drop;
    // Forwards is about x.
    let upright = DQuat::from_xyzw(state.q[3], state.q[4], state.q[5], state.q[6]);
    let turned = DQuat::from_rotation_x(args.tilt.to_radians()) * upright;
    state.q[3..7].copy_from_slice(&turned.to_array());
    simulation.set_state(&state).or_fail_of(body.name())?;

    let head = TakeHead {
        name: body.name().into(),
        about: format!("dropped from {:.2} m", args.drop),
        fps: args.fps as f32,
        ..TakeHead::default()
    };
    let mut recorder = BodyRecorder::new(output, body, head, true)?;
    recorder.take.curve(BODY, "energy", "J");
    recorder.take.curve(BODY, "contacts", "");
    recorder.take.vector(BODY, VectorCurve::point("centre of mass"));
    let energy = |simulation: &Simulation<f64>| {
        simulation.kinetic_energy() + simulation.potential_energy() + simulation.elastic_energy()
    };
    let seen = |simulation: &Simulation<f64>| {
        let curves = [energy(simulation) as f32, simulation.contacts(0).count() as f32];
        let centre = simulation.centre_of_mass(0);
        let centre = DVec3::new(centre.x, centre.y, centre.z);
        SeenBody { placed: placed(&model, simulation.kinematics()), curves, centre }
    };
    let mut record = |simulation: &Simulation<f64>, seen: &SeenBody| {
        recorder.frame(&RecordedBody {
            placed: &seen.placed,
            curves: &seen.curves,
            vectors: &[seen.centre.as_vec3()],
            stance: Stance::Simulated(simulation),
        })
    };
    let first = energy(&simulation);
    record(&simulation, &seen(&simulation))?;
    let step = simulation.settings().step;
    let most = (args.seconds / step).round() as u64;
    let (mut steps, mut frames, mut microseconds, mut trouble) = (0, 1u32, 0.0, None);
    let progress = context.progress(most, "simulating");
    while steps < most && !context.stopped() {
        // Frames are where they are in time, be that between two steps.
        let due = |frames: u32, time: f64| time - f64::from(frames) / args.fps;
        let is_seen = due(frames, simulation.time() + step) > -1e-9;
        let before = is_seen.then(|| seen(&simulation));
        let began = Instant::now();
        let report = simulation.step();
        microseconds += began.elapsed().as_secs_f64() * 1e6;
        steps += 1;
        progress.inc(1);
        if report.quarantined != 0 {
            trouble = simulation.quarantine(0).map(|quarantine| format!("{quarantine:?}"));
            break;
        }
        let Some(before) = before else { continue };
        let after = seen(&simulation);
        while due(frames, simulation.time()) > -1e-9 {
            let late = due(frames, simulation.time()).max(0.0) / step;
            record(&simulation, &before.towards(&after, 1.0 - late))?;
            frames += 1;
        }
    }
    progress.finish_and_clear();
    Ok(Outcome {
        take: recorder.finish()?,
        steps,
        seconds: simulation.time(),
        microseconds,
        fastest: fastest(&simulation),
        energy: [first, energy(&simulation)],
        contacts: simulation.contacts(0).count(),
        gravity: simulation.settings().gravity_strength(),
        friction: simulation.settings().friction,
        trouble,
    })
}

/// What is recorded of a body at a moment.
struct SeenBody {
    placed: Vec<RigidPlacement>,
    curves: [f32; 2],
    centre: DVec3,
}

impl SeenBody {
    /// A part of the way to what it is after a step. It has the contacts that it had at either end.
    fn towards(&self, after: &Self, part: f64) -> Self {
        let between = |(from, to): (&RigidPlacement, &RigidPlacement)| {
            let place = from.translation.lerp(to.translation, part);
            RigidPlacement::new(from.rotation.slerp(to.rotation, part), place)
        };
        let [from, to] = [self.curves, after.curves];
        let contacts = if part < 0.5 { from[1] } else { to[1] };
        Self {
            placed: self.placed.iter().zip(&after.placed).map(between).collect(),
            curves: [from[0] + part as f32 * (to[0] - from[0]), contacts],
            centre: self.centre.lerp(after.centre, part),
        }
    }
}

/// Speed of the fastest segment, m/s.
fn fastest(simulation: &Simulation<f64>) -> f64 {
    let speed = |link: usize| {
        let (_, linear) = simulation.kinematics().velocity(link);
        DVec3::new(linear.x, linear.y, linear.z).length()
    };
    (0..simulation.model().links().len()).map(speed).fold(0.0, f64::max)
}

/// The placements of the links: link `i` is segment `i`.
pub fn placed(model: &Model, kinematics: &Kinematics<f64>) -> Vec<RigidPlacement> {
    let place = |link: usize| {
        let (at, turn) = (kinematics.position(model, link), kinematics.rotation(link));
        let column = |[x, y, z]: [f64; 3]| {
            let v = turn * andante_dynamics::vec3(x, y, z);
            DVec3::new(v.x, v.y, v.z)
        };
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(column);
        let rotation = DQuat::from_mat3(&DMat3::from_cols(axes[0], axes[1], axes[2]));
        RigidPlacement::new(rotation, DVec3::new(at.x, at.y, at.z))
    };
    (0..model.links().len()).map(place).collect()
}

fn picture(args: &SimulateArgs, body: &Body, take: &TakeFile) -> Result<Sheet, Failure> {
    let last = take.frames() - 1;
    let count = args.figures.min(take.frames());
    let strip = BodyStrip { view: View::Quarter, columns: COLUMNS, ..BodyStrip::new(body, take) };
    let frames = (0..count).map(|figure| figure * last / (count - 1).max(1));
    let panel = strip.draw(body.name(), frames);
    let mut sheet = Sheet::new(format!("{}, simulated", body.name()));
    sheet.add(panel.map_err(|error| Failure::export(Path::new(body.name()), &error.into()))?);
    Ok(sheet)
}
