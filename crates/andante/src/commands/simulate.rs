//! `andante simulate`.

use super::modes::{choose_pose, read};
use super::select;
use crate::args::SimulateArgs;
use crate::context::CliContext;
use crate::failure::Failure;
use crate::report::{BOLD, CommandReport};
use crate::take_output::{body_take, write_take};
use andante_body::{Body, BodyModel, RestPose, RigidPlacement};
use andante_draw::{Gallery, Sheet, View, body_figure};
use andante_dynamics::{
    ContactTerrain, JointState, Kinematics, Model, PhysicsSettings, Simulation,
};
use andante_formats::write_atomically;
use andante_play::Interval;
use andante_skeleton::check_setting;
use andante_take::ScalarCurve;
use glam::{DMat3, DQuat, DVec3};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// What came of it.
struct SimulationRecord {
    frames: Vec<Vec<RigidPlacement>>,
    /// Energy in J and contacts, frame by frame.
    energies: Vec<f32>,
    touching: Vec<f32>,
    steps: u64,
    microseconds: f64,
    fastest: f64,
    energy: [f64; 2],
    contacts: usize,
    trouble: Option<String>,
}

pub fn run(args: &SimulateArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    check_setting("--drop", &args.drop, 0.0..=100.0)?;
    check_setting("--seconds", &args.seconds, 0.0..=600.0)?;
    check_setting("--step", &args.step, 0.05..=10.0)?;
    check_setting("--fps", &args.fps, 1.0..=1000.0)?;
    check_setting("--tilt", &args.tilt, -180.0..=180.0)?;
    if let Some(path) = &args.svg {
        select::check_picture(path)?;
    }
    if let Some(path) = &args.output {
        select::refuse_to_overwrite(path, &[Path::new(&args.character)])?;
    }
    let body = read(&args.character, &context.limits)?;
    let pose = choose_pose(&body, args.pose.as_deref())?;
    let take = simulate(args, &body, pose, context)?;

    let at_rest = take.fastest < 0.01;
    let mut text = format!(
        "{BOLD}{}{BOLD:#}: {:.1} kg, {} joint angles; {:.1} s in {} steps, {:.1} µs each\n",
        body.name(),
        body.total_mass(),
        body.internal_dof(),
        args.seconds,
        take.steps,
        take.microseconds / take.steps.max(1) as f64,
    );
    text.push_str(&match &take.trouble {
        Some(trouble) => format!("stopped: {trouble}\n"),
        None if at_rest => format!("it lies still on {} contacts\n", take.contacts),
        None => format!(
            "its fastest segment moves at {:.2} m/s, on {} contacts\n",
            take.fastest, take.contacts
        ),
    });
    if let Some(path) = &args.svg {
        write_atomically(path, picture(args, &body, &take).as_bytes())
            .map_err(|error| Failure::write(path, &error))?;
        text.push_str(&format!("drawn to {}\n", path.display()));
    }
    if let Some(path) = &args.output {
        let about = format!("dropped from {:.2} m", args.drop);
        let mut whole = body_take(&body, &take.frames, args.fps as f32, about)?;
        whole.tracks[0].curves = vec![
            ScalarCurve::new("energy", "J", take.energies.clone()),
            ScalarCurve::new("contacts", "", take.touching.clone()),
        ];
        let end = whole.seconds();
        whole.tracks[0].physical = vec![Interval::new(0.0, end)];
        for path in write_take(&whole, path, "take", |_| {})? {
            text.push_str(&format!("written to {}\n", path.display()));
        }
    }
    let json = json!({
        "character": body.name(), "pose": pose.name, "seconds": args.seconds, "steps": take.steps, "frames": take.frames.len(),
        "fps": args.fps, "us_per_step": take.microseconds / take.steps.max(1) as f64, "contacts": take.contacts,
        "speed_max_mps": take.fastest, "at_rest": at_rest, "energy_first_j": take.energy[0], "energy_last_j": take.energy[1],
        "quarantined": take.trouble,
    });
    Ok(CommandReport { text, json, exit: u8::from(take.trouble.is_some()) })
}

fn simulate(
    args: &SimulateArgs,
    body: &Body,
    pose: &RestPose,
    context: &CliContext,
) -> Result<SimulationRecord, Failure> {
    let fail = |error: &dyn std::fmt::Display| Failure::new(format!("{}: {error}", body.name()));
    let settings = PhysicsSettings { step: 1e-3 * args.step, ..PhysicsSettings::default() };
    let character = BodyModel::new(body, pose, &settings).map_err(|error| fail(&error))?;
    let model = Arc::new(character.model);
    let mut simulation =
        Simulation::<f64>::new(Arc::clone(&model), ContactTerrain::level(), settings)
            .map_err(|error| fail(&error))?;
    let mut state = JointState::<f64>::rest(&model);
    state.q[1] += args.drop;
    // Forwards is about x.
    let upright = DQuat::from_xyzw(state.q[3], state.q[4], state.q[5], state.q[6]);
    let turned = DQuat::from_rotation_x(args.tilt.to_radians()) * upright;
    state.q[3..7].copy_from_slice(&turned.to_array());
    simulation.set_state(&state).map_err(|error| fail(&error))?;

    let energy = |simulation: &Simulation<f64>| {
        simulation.kinetic_energy() + simulation.potential_energy() + simulation.elastic_energy()
    };
    let steps = (args.seconds / simulation.settings().step).round() as u64;
    let mut take = SimulationRecord {
        frames: vec![placed(&model, simulation.kinematics())],
        energies: vec![energy(&simulation) as f32],
        touching: vec![0.0],
        steps: 0,
        microseconds: 0.0,
        fastest: 0.0,
        energy: [energy(&simulation); 2],
        contacts: 0,
        trouble: None,
    };
    let progress = context.progress(steps, "simulating");
    while take.steps < steps && !context.stopped() {
        let began = Instant::now();
        let report = simulation.step();
        take.microseconds += began.elapsed().as_secs_f64() * 1e6;
        take.steps += 1;
        progress.inc(1);
        if report.quarantined != 0 {
            take.trouble = simulation.quarantine(0).map(|quarantine| format!("{quarantine:?}"));
            break;
        }
        if simulation.time() * args.fps >= take.frames.len() as f64 {
            take.frames.push(placed(&model, simulation.kinematics()));
            take.energies.push(energy(&simulation) as f32);
            take.touching.push(simulation.contacts(0).count() as f32);
        }
    }
    progress.finish_and_clear();
    take.energy[1] = energy(&simulation);
    take.contacts = simulation.contacts(0).count();
    let speed = |link: usize| {
        let (_, linear) = simulation.kinematics().velocity(link);
        DVec3::new(linear.x, linear.y, linear.z).length()
    };
    take.fastest = (0..model.links().len()).map(speed).fold(0.0, f64::max);
    Ok(take)
}

/// Where the links are: link `i` is segment `i`.
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

fn picture(args: &SimulateArgs, body: &Body, take: &SimulationRecord) -> String {
    let mut gallery = Gallery::new(body.name(), 5);
    let count = args.figures.min(take.frames.len());
    for figure in 0..count {
        let frame = figure * (take.frames.len() - 1) / (count - 1).max(1);
        let drawn = body_figure(body, &take.frames[frame], &[], View::Quarter);
        gallery = gallery.figure(drawn, vec![format!("{:.2} s", frame as f64 / args.fps)]);
    }
    let mut sheet = Sheet::new(format!("{}, simulated", body.name()));
    sheet.add(gallery.draw());
    sheet.to_svg()
}
