//! Motions made from nothing but a speed and a turn.

use crate::clip::Clip;
use crate::error::{OrRaise, refused};
use crate::figure::Figure;
use andante_formats::Asset;
use andante_motion::synth::{self, GaitMode, GaitRequest, SynthClip};
use andante_skeleton::{Character, check_setting, humanoid, humanoid_of_height};
use pyo3::prelude::*;

/// The built-in human, as tall as asked for.
pub fn human(height: Option<f32>) -> PyResult<Character> {
    check_setting("height", &height, 0.5..=3.0).or_raise()?;
    Ok(height.map_or_else(humanoid, humanoid_of_height))
}

fn clip_of(human: Character, made: SynthClip) -> Clip {
    let asset = Asset::new(human.skeleton, vec![made.clip]);
    Clip::of_asset(&Figure::known(asset, human.rig), 0)
        .knowing(made.contacts)
        .on_the_level(made.cyclic)
}

/// One stride of a steady gait of the built-in human, from strike to strike of the left foot; its contacts are exact.
///
/// speed: m/s ahead, -1.6 to 7; negative walks backwards. turn: rad/s to the left, -1.5 to 1.5. lateral: m/s to the left, -1 to 1.
/// crouch: 0 upright to 1 sneaking. mode: "walk", "run" or "auto", whichever suits the speed. arm_swing: multiple of the usual
/// one, 0 to 1.5. height: of the human, in metres.
#[pyfunction]
#[pyo3(signature = (speed, turn=0.0, *, lateral=0.0, crouch=0.0, mode="auto", arm_swing=1.0, height=None))]
pub fn locomotion(
    speed: f32,
    turn: f32,
    lateral: f32,
    crouch: f32,
    mode: &str,
    arm_swing: f32,
    height: Option<f32>,
) -> PyResult<Clip> {
    let human = human(height)?;
    let mode = match mode {
        "auto" => GaitMode::Auto,
        "walk" => GaitMode::Walk,
        "run" => GaitMode::Run,
        other => {
            return Err(refused(format!(
                "mode is \"{other}\"; it is \"walk\", \"run\" or \"auto\""
            )));
        }
    };
    let request = GaitRequest { speed, lateral, turn_rate: turn, crouch, mode, arm_swing };
    let made = synth::locomotion(&human, &request).or_raise()?;
    Ok(clip_of(human, made))
}

/// A built-in motion by name: walk, run, stand, jump-long, … (clips() lists them). height: of the human, in metres.
#[pyfunction]
#[pyo3(signature = (name, *, height=None))]
pub fn clip(name: &str, height: Option<f32>) -> PyResult<Clip> {
    let human = human(height)?;
    let made = synth::clip(&human, name).or_raise()?;
    Ok(clip_of(human, made))
}

/// Names of the built-in motions.
#[pyfunction]
pub fn clips() -> Vec<&'static str> {
    synth::NAMES.to_vec()
}
