//! `andante sketches`.

use super::gait::{find, style_json};
use super::modes::read;
use crate::args::SketchesArgs;
use crate::context::CliContext;
use crate::failure::{Failure, OrFail};
use crate::report::{CommandReport, table};
use andante_body::{CREATURES, RigidPartsMesh};
use andante_dynamics::{PhysicsSettings, vec3};
use andante_formats::{Asset, ReadLimits, gltf, write_file};
use andante_gait::{
    Draw, GaitProblem, GaitSketch, Modes, ModesError, PhaseSketch, PinnedPoint, PlainWalkOptions,
    ProblemOptions, PulseMotion, SKETCHES, TrunkSwing,
};
use andante_skeleton::Clip;
use serde_json::{Value, json};
use std::path::Path;

pub fn run(args: &SketchesArgs, context: &CliContext) -> Result<CommandReport, Failure> {
    if let Some(name) = &args.name {
        if let Some(file) = &args.preview {
            return preview(&find(name, &context.limits)?, file.as_deref(), &context.limits);
        }
        let Some((name, text)) = SKETCHES.iter().find(|(known, _)| known == name) else {
            return Err(Failure::new(format!("there is no built-in sketch `{name}`"))
                .hint("`andante sketches` lists them"));
        };
        return Ok(CommandReport::done((*text).to_string(), json!({ "name": name, "text": text })));
    }
    let character = args.character.as_deref();
    let made = match args.random {
        Some(seed) => Some(random(character.unwrap_or("humanoid"), seed)?),
        None if args.walk => Some(walk(character.unwrap_or("horse"), &context.limits)?),
        None => None,
    };
    if let Some(sketch) = made {
        let text = sketch.to_toml();
        return Ok(CommandReport::done(text.clone(), json!({ "name": sketch.name, "text": text })));
    }
    let mut rows = Vec::new();
    let mut json: Vec<Value> = Vec::new();
    for (name, _) in SKETCHES {
        let sketch = GaitSketch::built_in(name)?;
        let count = |pick: fn(&PhaseSketch) -> usize| {
            sketch.steps.iter().map(|step| pick(&step.air) + pick(&step.ground)).sum::<usize>()
        };
        json.push(json!({
            "name": sketch.name, "about": sketch.about, "character": sketch.character, "pose": sketch.pose,
            "steps": sketch.steps.len(), "mirrored": sketch.mirrored,
            "priority": count(|phase| phase.priority.len()), "allowed": count(|phase| phase.allowed.len()),
        }));
        rows.push(vec![sketch.name, sketch.character, sketch.about]);
    }
    Ok(CommandReport::done(table(&rows, &[]), json.into()))
}

/// A sketch as it moves before anything has been searched for: without gravity, and with it on the ground.
fn preview(
    sketch: &GaitSketch,
    file: Option<&Path>,
    limits: &ReadLimits,
) -> Result<CommandReport, Failure> {
    let body = read(&sketch.character, limits)?;
    let options = ProblemOptions::default();
    let problem = GaitProblem::new(&body, sketch, &options).or_fail_of(&sketch.name)?;
    let mut weightless = options.physics.clone();
    weightless.gravity = vec3(0.0, 0.0, 0.0);
    let puppet = RigidPartsMesh::new(problem.body()).or_fail_of(&sketch.name)?;
    let (mut clips, mut shown) = (Vec::new(), Vec::new());
    for (name, physics) in [("without gravity", &weightless), ("with gravity", &options.physics)] {
        let (clip, fell) = played(&problem, &puppet, (&sketch.name, name), physics)?;
        shown.push(json!({ "name": clip.name(), "seconds": clip.duration(), "falls": fell }));
        clips.push(clip);
    }
    let seconds = clips[0].duration();
    let written = match file {
        Some(file) => {
            let asset = Asset { mesh: Some(puppet.skin), ..Asset::new(puppet.skeleton, clips) };
            json!(write_file(file, &asset, &gltf::GltfWriteOptions::default())?)
        }
        None => Value::Null,
    };
    let modes = pushed(&problem).or_fail_of(&sketch.name)?;
    let rows: Vec<Vec<String>> = modes
        .iter()
        .map(|mode| {
            ["step", "phase", "mode", "amplitude", "does"].map(|key| text(&mode[key])).to_vec()
        })
        .collect();
    let style = style_json(TrunkSwing::sketched(&problem).or_fail_of(&sketch.name)?);
    let sways: Vec<Vec<String>> = style.as_object().map_or_else(Vec::new, |style| {
        let number = |value: &Value| format!("{:.3}", value.as_f64().unwrap_or_default());
        style.iter().map(|(name, value)| vec![name.replace('_', " "), number(value)]).collect()
    });
    let films = file.map_or_else(String::new, |file| {
        format!("{seconds:.2} s without gravity and with it, written to {}\n", file.display())
    });
    Ok(CommandReport::done(
        format!("{}{}{films}", table(&rows, &[]), table(&sways, &[])),
        json!({
            "name": sketch.name, "seconds": seconds, "modes": modes, "written": written,
            "films": shown, "style": style,
        }),
    ))
}

/// Two cycles of what a sketch does by itself; and whether its trunk came down to half its height.
fn played(
    problem: &GaitProblem,
    puppet: &RigidPartsMesh,
    (sketch, name): (&str, &str),
    physics: &PhysicsSettings,
) -> Result<(Clip, bool), Failure> {
    let (body, pose) = (problem.body(), problem.pose());
    let mut motion = PulseMotion::new(body, pose, physics).or_fail_of(sketch)?;
    let controller = problem.sketched();
    let (seconds, fps) = (2.0 * controller.length(), 60.0);
    motion.drive(controller).or_fail_of(sketch)?;
    let mut frames = Vec::new();
    let (mut stood, mut fell) = (None, false);
    for frame in 0..=(seconds * fps).round() as u32 {
        motion.run_until(f64::from(frame) / fps);
        let posed = puppet.pose(&motion.placed());
        let height = posed.first().map_or(0.0, |root| root.translation.y);
        fell |= height < 0.5 * *stood.get_or_insert(height);
        frames.extend(posed);
    }
    let clip = Clip::new(format!("{sketch} {name}"), &puppet.skeleton, fps as f32, frames);
    let has_weight = physics.gravity.to_array() != [0.0; 3];
    Ok((clip.or_fail_of(sketch)?, has_weight && fell || motion.has_failed()))
}

/// A JSON value as it is shown in a table.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

/// What a sketch pushes in each phase of its steps.
fn pushed(problem: &GaitProblem) -> Result<Vec<Value>, ModesError> {
    let (body, pose) = (problem.body(), problem.pose());
    let mut pushed = Vec::new();
    for (index, step) in problem.sketch().steps.iter().enumerate() {
        let feet = body.feet().iter().filter(|foot| step.feet.contains(&foot.name));
        let pins: Vec<PinnedPoint> = feet.map(PinnedPoint::toe).collect();
        for (phase, sketched, pins) in
            [("air", &step.air, &pins[..0]), ("ground", &step.ground, &pins[..])]
        {
            let modes = Modes::find(body, pose, pins)?;
            for &(number, amplitude) in &sketched.priority {
                let mode = &modes.modes[number];
                pushed.push(json!({
                    "step": index + 1, "phase": phase, "mode": number + 1, "hz": mode.hz(),
                    "amplitude": amplitude, "does": mode.describe(body).text,
                }));
            }
        }
    }
    Ok(pushed)
}

/// Made for the build of a character.
fn walk(character: &str, limits: &ReadLimits) -> Result<GaitSketch, Failure> {
    let walk = GaitSketch::walk(&read(character, limits)?, &PlainWalkOptions::default());
    let walk = walk.map_err(|error| {
        Failure::new(error.to_string())
            .hint("it takes a symmetric body with four feet or more; `andante characters` lists those built in")
    })?;
    if CREATURES.iter().any(|(name, _)| *name == character) {
        return Ok(walk);
    }
    // The sketch may be kept elsewhere.
    let path = Path::new(character);
    let path =
        std::path::absolute(path).map_err(|error| Failure::new(error.to_string()).about(path))?;
    Ok(GaitSketch { character: path.display().to_string(), ..walk })
}

/// Drawn at random, with feet and times of the character's first sketch.
fn random(character: &str, seed: u64) -> Result<GaitSketch, Failure> {
    let body = andante_body::creature(character)?;
    for (name, _) in SKETCHES {
        let base = GaitSketch::built_in(name)?;
        if base.character == character {
            return Ok(GaitSketch::random(&body, &base, &Draw::default(), seed));
        }
    }
    Err(Failure::new(format!("no built-in sketch is of the character `{character}`"))
        .hint("`andante sketches` lists them"))
}
