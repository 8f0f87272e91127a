//! What an animator says about a gait.

use crate::Basis;
use serde::{Deserialize, Serialize};

/// Modes of one phase by class (U3). Modes that are not named are excluded.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct PhaseSketch {
    /// Modes that make the style, counted from zero, with their amplitude, −1 to 1: the gait keeps its sign and has at least
    /// as much of it.
    pub priority: Vec<(usize, f64)>,
    /// Modes that the search may use besides.
    pub allowed: Vec<usize>,
}

impl PhaseSketch {
    /// The first modes are allowed, none has priority.
    pub fn first(count: usize) -> Self {
        Self { priority: Vec::new(), allowed: (0..count).collect() }
    }

    /// True if every mode is excluded.
    pub fn is_empty(&self) -> bool {
        self.priority.is_empty() && self.allowed.is_empty()
    }
}

/// One flight and one stance.
#[derive(Clone, Debug, PartialEq)]
pub struct StepSketch {
    /// Feet that land and push off together, by name.
    pub feet: Vec<String>,
    /// What the body does before they land.
    pub air: PhaseSketch,
    /// What it does while they stand.
    pub ground: PhaseSketch,
    /// The part of the step before the feet are to be down, 0 to 1; a guess, as are the following.
    pub air_fraction: f64,
    /// Seconds.
    pub air_pulse: f64,
    /// Seconds.
    pub ground_pulse: f64,
    /// How long the step is compared with the others; a guess. `None` if all steps take the same time.
    pub part: Option<f64>,
}

/// The shape of a pulse: how torque rises and falls within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PulseShape {
    /// All of it at once, as published.
    #[default]
    Rectangular,
    /// Half a sine wave, as high as the rectangle.
    Smooth,
}

/// The feet that can touch the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TouchingFeet {
    /// Those of the step that is being made, as published; the others pass through the ground, and a soft constraint keeps them
    /// above it.
    Step,
    /// All of them at any time, so that feet can be down together: each leg has a phase of its own.
    All,
}

/// A locomotion described with modes: what the search starts from and may not lose.
#[derive(Clone, Debug, PartialEq)]
pub struct GaitSketch {
    /// As typed on a command line.
    pub name: String,
    /// One sentence.
    pub about: String,
    /// Name of a built-in body, or the path of a character file.
    pub character: String,
    /// Name of a rest pose; `None` for the first.
    pub pose: Option<String>,
    /// Feet that locomotion does without, by name.
    pub disregarded: Vec<String>,
    /// Whether the steps are half a cycle and the other half is their mirror image.
    pub mirrored: bool,
    /// In the order in which feet land.
    pub steps: Vec<StepSketch>,
    /// A whole cycle in seconds; a guess.
    pub period: f64,
    /// From amplitudes to torques.
    pub basis: Basis,
    /// Least mean speed forwards, m/s.
    pub speed: f64,
    /// Most mean speed forwards, m/s: with the least one it makes a target.
    pub fastest: f64,
    /// Least speed forwards at any time, m/s.
    pub slowest: f64,
    /// How fast the way turns, rad/s; positive turns left.
    pub turn: f64,
    /// Whether feet have to leave the ground together, as in running.
    pub aerial: bool,
    /// The least part of a step for which its feet stay down once they are to be down, 0 to 1; half of the pulse in any case.
    /// Without it feet may get away with tapping the ground.
    pub stance: f64,
    /// Which feet can touch the ground.
    pub touch: TouchingFeet,
    /// The least part of the cycle for which every foot is down from when it lands, 0 to 1; where all feet can touch the ground.
    pub duty: f64,
    /// The least height of toe and heel halfway through the swing of a foot, m; where all feet can touch the ground.
    pub clearance: f64,
    /// How torque rises and falls.
    pub pulses: PulseShape,
    /// How far from its guesses a search begins to look, in parts of the usual: less for a sketch that is nearly right.
    pub spread: f64,
}
