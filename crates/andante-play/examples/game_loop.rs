//! A character in a game: stands, sets off over hills, turns, and stops again.
//!
//! `cargo run --release -p andante-ground --example game_loop`

#![allow(clippy::print_stdout)]

use andante_motion::synth;
use andante_play::{GroundClip, Grounding, GroundingOptions, Input, Start};
use andante_skeleton::{Pose, humanoid};
use andante_world::HeightFunction;
use std::error::Error;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    // Once: the clips, shared by everybody who plays them.
    let human = Arc::new(humanoid());
    let clip = |name: &str| -> Result<Arc<GroundClip>, Box<dyn Error>> {
        Ok(Arc::new(synth::clip(&human, name)?.ground_clip(&human)?))
    };
    let (stand, walk) = (clip("stand")?, clip("walk")?);
    let ground = HeightFunction::new(|place| 0.3 * (0.9 * place.x).sin() * (1.1 * place.y).cos());

    // Once per character.
    let start = Start { height: 0.0, ..Start::default() };
    let mut character = Grounding::new(Arc::clone(&stand), start, GroundingOptions::default())?;
    let mut pose = Pose::rest(&human.skeleton);

    // Every frame.
    for frame in 0..480 {
        match frame {
            60 => character.play(Arc::clone(&walk))?,
            400 => character.play(Arc::clone(&stand))?,
            _ => {}
        }
        let turn_rate = if (150..300).contains(&frame) { 0.6 } else { 0.0 };
        let input = Input { turn_rate, ..Input::default() };
        let report = character.step(1.0 / 60.0, &input, &ground, &mut pose);
        // `pose` is what the renderer wants: joint 0 in the world, the others relative to their parents.
        if frame % 60 == 0 {
            let place = report.place;
            println!(
                "{:4.1} s  {:?}  at ({:5.2}, {:5.2}), heading {:4.0}°, ground {:5.2} m, rising {:3.0} %",
                frame as f32 / 60.0,
                report.motion,
                place.position.x,
                place.position.y,
                place.heading.to_degrees(),
                report.height,
                100.0 * report.grade
            );
        }
    }
    Ok(())
}
