//! What a search hands over: a file that plays without searching again.

use crate::BodyState;
use crate::problem::candidate_trial::CandidateTrial;
use crate::problem::gait_problem::GaitProblem;
use crate::problem::options::ProblemOptions;
use crate::problem::pulse_controller::{ControllerError, PulseController, PulsePhase, StepPlan};
use crate::search::gait_search::SearchResult;
use crate::sketch::gait_sketch::{GaitSketch, PulseShape};
use crate::sketch::sketch_file::{character_next_to, parse, read_sketch};
use andante_dynamics::PhysicsSettings;
use andante_formats::gate::read_text;
use andante_formats::{ReadError, ReadLimits};
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use std::path::Path;
use thiserror::Error;

/// A gait in a file: whose it is, how good it is, and everything that makes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FoundGait {
    /// Of the file.
    pub version: u32,
    /// Name of the sketch.
    pub sketch: String,
    /// What made it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub made_by: String,
    /// Name of a built-in body, or the path of a character file.
    pub character: String,
    /// Name of the rest pose.
    pub pose: String,
    /// Whether the cycle closes and every soft constraint holds.
    pub valid: bool,
    /// The text of the sketch, where it is none of the built-in ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// Mean speed forwards, m/s.
    pub speed: f64,
    /// Mean of the sum of squared active torques, (N·m)².
    pub effort: f64,
    /// Work of the active torques over weight times distance.
    pub cost_of_transport: f64,
    /// The largest residual of the cycle, in units of its tolerance.
    pub residual: f64,
    /// Seconds a step of the simulation.
    pub step: f64,
    /// Of feet on the ground.
    pub friction: f64,
    /// Gravity downwards, m/s².
    #[serde(default = "standard_gravity", skip_serializing_if = "is_standard_gravity")]
    pub gravity: f64,
    /// Whether `steps` are half a cycle.
    pub mirrored: bool,
    /// How fast the way turns, degrees a second; positive turns left.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub turn: f64,
    /// Whether pulses are half sine waves instead of rectangles.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub smooth: bool,
    /// Where a cycle begins.
    pub start: StartFile,
    /// Where its second half begins, seen from a frame that has turned with the way, of a cycle whose halves are evaluated apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub middle: Option<StartFile>,
    /// In the order in which feet land.
    pub steps: Vec<StepFile>,
}

/// The start of a cycle, as it is kept in files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartFile {
    /// Of the root's origin, m.
    pub position: [f64; 3],
    /// Of the root: x, y, z, w.
    pub orientation: [f64; 4],
    /// Of the root's origin, m/s.
    pub velocity: [f64; 3],
    /// Of the root, rad/s.
    pub spin: [f64; 3],
    /// Rotation vectors of joints away from rest, in the order of the body's joint angles.
    pub deflections: Vec<f64>,
    /// Their rates.
    pub rates: Vec<f64>,
}

/// An error that keeps a gait of a file from being played on the body of its sketch.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum GaitMisfit {
    /// A step of a foot that the body does not have.
    #[error("the body has no foot `{0}`")]
    Foot(String),
    /// More steps or fewer than the sketch.
    #[error("it has {0} steps, its sketch {1}")]
    Steps(usize, usize),
    /// A middle where there is to be none, or none where there is to be one.
    #[error("a gait of two different halves, and no other, says where its second half begins")]
    Middle,
    /// Halves of different lengths.
    #[error("its halves last {0} and {1} s, and have to last as long")]
    Halves(f64, f64),
    /// Another curve.
    #[error("it turns by {0} degrees a second, its sketch by {1}")]
    Turn(f64, f64),
    /// Numbers that drive no body.
    #[error(transparent)]
    Controller(#[from] ControllerError),
}

/// One flight and one stance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepFile {
    /// Feet that may touch the ground, by name.
    pub feet: Vec<String>,
    /// Before they are down.
    pub air: PulsePhase,
    /// While they are.
    pub ground: PulsePhase,
}

impl From<&BodyState> for StartFile {
    fn from(start: &BodyState) -> Self {
        Self {
            position: start.position.to_array(),
            orientation: start.orientation.to_array(),
            velocity: start.velocity.to_array(),
            spin: start.spin.to_array(),
            deflections: start.deflections.clone(),
            rates: start.rates.clone(),
        }
    }
}

impl From<&StartFile> for BodyState {
    fn from(start: &StartFile) -> Self {
        Self {
            position: DVec3::from(start.position),
            orientation: DQuat::from_array(start.orientation),
            velocity: DVec3::from(start.velocity),
            spin: DVec3::from(start.spin),
            deflections: start.deflections.clone(),
            rates: start.rates.clone(),
        }
    }
}

/// Positive work of the active torques over weight times distance.
pub(crate) fn cost_of_transport(
    problem: &GaitProblem,
    candidate: &PulseController,
    trial: &CandidateTrial,
) -> f64 {
    let weight = problem.options().gravity() * problem.body().total_mass();
    trial.work / (weight * (trial.velocity[2] * candidate.length()).max(1e-3))
}

fn standard_gravity() -> f64 {
    PhysicsSettings::STANDARD_GRAVITY
}

fn is_standard_gravity(value: &f64) -> bool {
    *value == PhysicsSettings::STANDARD_GRAVITY
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

impl FoundGait {
    /// The gait that a search has found.
    pub fn new(problem: &GaitProblem, found: &SearchResult) -> Self {
        Self::of(problem, &problem.decode(&found.point), &found.trial)
    }

    /// A candidate and what becomes of it.
    pub fn of(problem: &GaitProblem, candidate: &PulseController, trial: &CandidateTrial) -> Self {
        let name = |&foot: &usize| problem.body().feet()[foot].name.clone();
        Self {
            version: 1,
            sketch: problem.sketch().name.clone(),
            made_by: String::new(),
            character: problem.sketch().character.clone(),
            pose: problem.pose().name.clone(),
            valid: problem.is_valid(trial),
            asked: problem.setup.own_sketch(),
            speed: trial.velocity[2],
            effort: trial.effort,
            cost_of_transport: cost_of_transport(problem, candidate, trial),
            residual: problem.worst_residual(trial).1,
            step: problem.options().physics.step,
            friction: problem.options().physics.friction,
            gravity: problem.options().gravity(),
            mirrored: problem.sketch().mirrored,
            turn: problem.sketch().turn.to_degrees(),
            smooth: candidate.pulses == PulseShape::Smooth,
            start: (&candidate.start).into(),
            middle: candidate.middle.as_ref().map(Into::into),
            steps: candidate
                .steps
                .iter()
                .map(|step| StepFile {
                    feet: step.feet.iter().map(name).collect(),
                    air: step.air.clone(),
                    ground: step.ground.clone(),
                })
                .collect(),
        }
    }

    /// Options of a problem in which it plays as it was found.
    pub fn options(&self) -> ProblemOptions {
        ProblemOptions::default()
            .with_step(self.step)
            .with_friction(self.friction)
            .with_gravity(self.gravity)
    }

    /// As text.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }

    /// From text. Errors name line and column.
    pub fn from_toml(text: &str) -> Result<Self, ReadError> {
        let gait: Self = parse(text)?;
        if gait.version != 1 {
            let message =
                format!("version {} is not known; this program reads version 1", gait.version);
            return Err(ReadError::file(message));
        }
        let ranges = [
            ("gravity", gait.gravity, 0.1..=100.0, "0.1 to 100 m/s²"),
            ("step", gait.step, 5e-5..=0.01, "0.00005 to 0.01 s"),
            ("friction", gait.friction, 0.0..=100.0, "0 to 100"),
        ];
        for (name, value, range, words) in ranges {
            if !range.contains(&value) {
                return Err(ReadError::file(format!("{name} is {value}; it is {words}")));
            }
        }
        Ok(gait)
    }

    /// The sketch that it was found for: its own, or a built-in one.
    pub fn asked_sketch(&self) -> Result<GaitSketch, ReadError> {
        let sketch = match &self.asked {
            Some(text) => read_sketch(text)?,
            None => GaitSketch::built_in(&self.sketch).map_err(|_| {
                let name = &self.sketch;
                ReadError::file(format!("its sketch `{name}` is not built in, and not in the file"))
            })?,
        };
        Ok(GaitSketch { character: self.character.clone(), ..sketch })
    }

    /// The gait as the problem of its sketch simulates it, or why it does not fit there.
    pub fn candidate(&self, problem: &GaitProblem) -> Result<PulseController, GaitMisfit> {
        let start = (&self.start).into();
        let middle: Option<BodyState> = self.middle.as_ref().map(Into::into);
        let feet = problem.body().feet();
        let find = |name: &String| {
            let found = feet.iter().position(|foot| foot.name == *name);
            found.ok_or_else(|| GaitMisfit::Foot(name.clone()))
        };
        let mut steps = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            steps.push(StepPlan {
                feet: step.feet.iter().map(find).collect::<Result<_, _>>()?,
                air: step.air.within_length(),
                ground: step.ground.within_length(),
            });
        }
        let pulses = if self.smooth { PulseShape::Smooth } else { PulseShape::Rectangular };
        // A cycle in halves has a middle, and steps in both that take the same time.
        let (first, second) = steps.split_at(steps.len() / 2);
        let seconds = |steps: &[StepPlan]| steps.iter().map(StepPlan::length).sum::<f64>();
        let (turn, halves) =
            (problem.sketch().turn.to_degrees(), [seconds(first), seconds(second)]);
        if steps.len() != problem.setup.steps.len() {
            return Err(GaitMisfit::Steps(steps.len(), problem.setup.steps.len()));
        }
        if problem.setup.unrolled.is_some() != middle.is_some() {
            return Err(GaitMisfit::Middle);
        }
        let gait = PulseController { steps, start, pulses, middle, goal: None };
        gait.check(problem.body())?;
        if gait.middle.is_some() && (halves[0] - halves[1]).abs() >= 1e-6 {
            return Err(GaitMisfit::Halves(halves[0], halves[1]));
        }
        if (self.turn - turn).abs() < 1e-6 {
            Ok(gait)
        } else {
            Err(GaitMisfit::Turn(self.turn, turn))
        }
    }
}

/// A gait from a file; `None` if the file is something else, such as a sketch. Errors name file, line and column; a character file is looked
/// for where the gait is, and may be outside that folder where the limits allow it.
pub fn read_gait_file(path: &Path, limits: &ReadLimits) -> Result<Option<FoundGait>, ReadError> {
    let text = read_text(path, limits)?;
    let keys = ["start", "steps", "sketch"];
    let is_gait = |table: &toml::Table| keys.iter().all(|key| table.contains_key(*key));
    if !text.parse::<toml::Table>().is_ok_and(|table| is_gait(&table)) {
        return Ok(None);
    }
    let mut gait = FoundGait::from_toml(&text).map_err(|error| error.in_file(path))?;
    gait.character =
        character_next_to(path, &gait.character, limits).map_err(|error| error.in_file(path))?;
    Ok(Some(gait))
}
