//! `andante sketches`.

use super::modes::read;
use crate::args::SketchesArgs;
use crate::context::CliContext;
use crate::failure::Failure;
use crate::report::{CommandReport, table};
use andante_body::CREATURES;
use andante_gait::{Draw, GaitSketch, PhaseSketch, PlainWalkOptions, SKETCHES};
use serde_json::{Value, json};
use std::path::Path;

pub fn run(args: &SketchesArgs, _: &CliContext) -> Result<CommandReport, Failure> {
    if let Some(name) = &args.name {
        let Some((name, text)) = SKETCHES.iter().find(|(known, _)| known == name) else {
            return Err(Failure::new(format!("there is no built-in sketch `{name}`"))
                .hint("`andante sketches` lists them"));
        };
        return Ok(CommandReport::done((*text).to_string(), json!({ "name": name, "text": text })));
    }
    let character = args.character.as_deref();
    let made = match args.random {
        Some(seed) => Some(random(character.unwrap_or("humanoid"), seed)?),
        None if args.walk => Some(walk(character.unwrap_or("horse"))?),
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

/// Made for the build of a character.
fn walk(character: &str) -> Result<GaitSketch, Failure> {
    let walk = GaitSketch::walk(&read(character)?, &PlainWalkOptions::default());
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
