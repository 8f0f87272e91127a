//! The clips that are built in.

use super::cycle::SynthCycle;
use super::figure::BipedMeasures;
use super::{GaitRequest, SynthClip, SynthError, SynthSettings, jump, stand, transition, turn};
use andante_skeleton::{Character, parallel};
use std::f32::consts::PI;

/// The names of the built-in clips, in the order of [`repertoire`].
pub const NAMES: [&str; 30] = [
    "stand",
    "idle-look-around",
    "idle-shift-weight",
    "idle-stretch",
    "walk-slow",
    "walk",
    "walk-brisk",
    "walk-left",
    "walk-left-wide",
    "walk-right-wide",
    "walk-right",
    "walk-backward",
    "sidestep-left",
    "sidestep-right",
    "crouch-walk",
    "jog",
    "run",
    "run-left",
    "run-right",
    "start",
    "stop",
    "turn-left-45",
    "turn-left-90",
    "turn-left-180",
    "turn-right-45",
    "turn-right-90",
    "turn-right-180",
    "jump-short",
    "jump-long",
    "jump-standing",
];

/// Every built-in clip for a character, in the order of [`NAMES`].
pub fn repertoire(character: &Character) -> Result<Vec<SynthClip>, SynthError> {
    named_clips(character, NAMES.to_vec())
}

/// The built-in clips that take a character from place to place, in the order of [`NAMES`]: standing, gaits and jumps.
/// The others are played by whoever asks for them by name.
pub fn gaits_and_jumps(character: &Character) -> Result<Vec<SynthClip>, SynthError> {
    let on_request = |name: &str| {
        matches!(name, "start" | "stop") || name.starts_with("idle-") || name.starts_with("turn-")
    };
    named_clips(character, NAMES.into_iter().filter(|name| !on_request(name)).collect())
}

fn named_clips(character: &Character, names: Vec<&str>) -> Result<Vec<SynthClip>, SynthError> {
    parallel::map(names, |name| clip(character, name)).into_iter().collect()
}

/// One built-in clip for a character. Speeds are those of an adult of 1.75 m, scaled with the
/// square root of leg length, so that a child walks as an adult does.
pub fn clip(character: &Character, name: &str) -> Result<SynthClip, SynthError> {
    named(character, name, &SynthSettings::default())
}

pub(super) fn named(
    character: &Character,
    name: &str,
    settings: &SynthSettings,
) -> Result<SynthClip, SynthError> {
    let (walk, run) = (settings.walk_speed, settings.run_speed);
    let figure = BipedMeasures::new(character, settings)?;
    let speed = |adult: f32| figure.speed(adult);
    let ahead = |adult: f32| GaitRequest::ahead(speed(adult));
    // A turn at a speed of the adult along an arc of the adult's, given by its radius.
    let arc = |adult: f32, radius: f32| GaitRequest {
        turn_rate: speed(adult) / figure.length(radius),
        ..ahead(adult)
    };
    let aside = |adult: f32| GaitRequest { lateral: speed(adult), ..ahead(0.0) };
    let cycle = |gait: GaitRequest| SynthCycle::new(&figure, &gait).record(name, false);
    match name {
        "stand" => stand::stand(&figure),
        "idle-look-around" => stand::look_around(&figure),
        "idle-shift-weight" => stand::shift_weight(&figure),
        "idle-stretch" => stand::stretch(&figure),
        "walk-slow" => cycle(ahead(0.8)),
        "walk" => cycle(ahead(walk)),
        "walk-brisk" => cycle(ahead(1.8)),
        "walk-left" => cycle(arc(1.2, 1.5)),
        "walk-left-wide" => cycle(arc(1.3, 3.5)),
        "walk-right-wide" => cycle(arc(1.3, -3.5)),
        "walk-right" => cycle(arc(1.2, -1.5)),
        "walk-backward" => SynthCycle::new(&figure, &ahead(0.9)).record(name, true),
        "sidestep-left" => cycle(aside(0.5)),
        "sidestep-right" => cycle(aside(-0.5)),
        "crouch-walk" => cycle(GaitRequest { crouch: 1.0, ..ahead(0.9) }),
        "jog" => cycle(ahead(2.5)),
        "run" => cycle(ahead(run)),
        "run-left" => cycle(arc(3.2, 8.0)),
        "run-right" => cycle(arc(3.2, -8.0)),
        "start" => transition::start(&figure, speed(walk)),
        "stop" => transition::stop(&figure, speed(walk)),
        "turn-left-45" => turn::turn(&figure, name, 0.25 * PI),
        "turn-left-90" => turn::turn(&figure, name, 0.5 * PI),
        "turn-left-180" => turn::turn(&figure, name, PI),
        "turn-right-45" => turn::turn(&figure, name, -0.25 * PI),
        "turn-right-90" => turn::turn(&figure, name, -0.5 * PI),
        "turn-right-180" => turn::turn(&figure, name, -PI),
        "jump-short" => jump::leap(&figure, name, speed(run), 0.10),
        "jump-long" => jump::leap(&figure, name, speed(run), 0.22),
        "jump-standing" => jump::hop(&figure),
        _ => Err(SynthError::Name(name.into())),
    }
}
