//! Lets bodies follow clips by the torques of their joints.
//!
//! `cargo run --release -p andante-body --example track -- walk run a.bvh b.glb` says of built-in clips and of motion files
//! how far a body that was fitted to them comes, how near its joints stay to them, and why it fell if it did. A number sets
//! the share of an assistant for the clips after it.
#![allow(clippy::print_stdout)]

use andante_body::{ClipControlOptions, ClipPlan, Physique, TrackTrial, fit_human};
use andante_dynamics::PhysicsSettings;
use andante_formats::{ReadOptions, read_file};
use andante_motion::analysis::{AnalysisOptions, analyse};
use andante_motion::edit::{GroundLevel, PlantOptions, plant_feet};
use andante_motion::{oddities, rig, synth};
use andante_skeleton::Character;
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let mut assist = 0.0;
    for name in std::env::args().skip(1) {
        match name.parse() {
            Ok(share) => assist = share,
            Err(_) => match follow(&name, assist) {
                Ok(line) => println!("{name:40} {line}"),
                Err(error) => println!("{name:40} {error}"),
            },
        }
    }
    Ok(())
}

fn follow(name: &str, assist: f64) -> Result<String, Box<dyn Error>> {
    let human = andante_skeleton::humanoid();
    let (character, clip, contacts, ground) = if synth::NAMES.contains(&name) {
        let made = synth::clip(&human, name)?;
        (human, made.clip, made.contacts, 0.0)
    } else {
        let asset = read_file(Path::new(name), &ReadOptions::default(), None)?;
        let clip = asset.clips.first().ok_or("there is no animation")?;
        let clip = oddities::without_added_frames(&asset.skeleton, clip, 0)?;
        let rig = rig::detect(&asset.skeleton, &asset.clips)?;
        let found = analyse(&asset.skeleton, &rig, &clip, &AnalysisOptions::default())?;
        let height = found.ground.height;
        let options = PlantOptions { ground: GroundLevel::Flat(height), ..PlantOptions::default() };
        let (clip, _) = plant_feet(&asset.skeleton, &rig, &clip, &found.contacts, &options)?;
        (Character::new("somebody", asset.skeleton, rig), clip, found.contacts, height)
    };
    let fit = fit_human(&character, &Default::default())?;
    let physique = Physique::new(&fit.body, &fit.body.poses()[0], &PhysicsSettings::default())?;
    let feet = &contacts.feet;
    let down = |foot: usize, time| [feet[foot].heel_down(time), feet[foot].toe_down(time)];
    let motion = (&character, &clip);
    let plan =
        ClipPlan::new(&physique, &fit, motion, f64::from(ground), &down, &Default::default())?;
    let (seconds, changed) = (plan.seconds(), plan.change(&physique).to_degrees());
    let options = ClipControlOptions { assist, ..ClipControlOptions::default() };
    let mut trial = TrackTrial::new(&physique, plan, options, 1.0 / 240.0)?;
    while trial.step(&physique) {}
    let done = trial.outcome();
    let energy = done.energy;
    Ok(format!(
        "{:?}: {:.2} of {seconds:.2} s, {:.1} degrees off ({changed:.1} by the plan, {:.1} beside it), {} steps, {:.2} m astray, assistant {:.0} N, {:.0} J driven, {:.0} J braked, {:.0} J lost to the ground, {:.1} J unaccounted",
        done.end,
        done.seconds_upright,
        done.error.to_degrees(),
        done.plan_error.to_degrees(),
        done.steps,
        done.drift,
        done.assist,
        energy.driven,
        -energy.braked,
        -energy.ground,
        energy.unaccounted(),
    ))
}
