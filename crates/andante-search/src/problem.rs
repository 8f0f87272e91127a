//! A sketch and a body, made into a search.

use crate::candidate::{Candidate, Phasing, StepPlan};
use crate::problem_error::ProblemError;
use crate::rollout::JOINT_SPEED;
use crate::setup::{angle_ranges, check_numbers, choose_pose, disregard, opening, steps};
use crate::sketch::GaitSketch;
use crate::variables::Variable;
use andante_body::{Body, RestPose};
use andante_dynamics::{Character, Options, Simulation, Terrain, vec3};
use andante_modes::{BodyState, Mirror};
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// Standard gravity, m/s².
const GRAVITY: f64 = 9.80665;

/// Change of velocity at which sweeps over the contacts stop, m/s: residuals of found gaits are the same to three digits as with
/// a tenth of it, for three quarters of the time.
const CONTACT_TOLERANCE: f64 = 1e-4;

/// How far from rest a joint may begin, rad, if its limits allow.
const REACH: f64 = 1.6;

/// How far beyond its limits a joint may begin, rad: they are springs and give way.
const GIVE: f64 = 0.2;

/// Variables of the root: height, orientation, velocity, spin.
const ROOT: usize = 10;
/// Those of them that keep it in its middle plane: height, pitch, speed upwards and forwards, pitch rate.
const IN_PLANE: [usize; 5] = [0, 1, 5, 6, 7];

/// How a gait is searched for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProblemOptions {
    /// Seconds a step of the simulation: half a millisecond as published; springs and dampers are integrated implicitly here,
    /// so that 2 ms do, at a quarter of the cost.
    pub step: f64,
    /// Of feet on the ground.
    pub friction: f64,
    /// Torques of single joints instead of modes, for comparison (V1); nothing is left of the sketch but its timing.
    pub canonical: bool,
    /// How well the cycle has to close: metres, radians, m/s, rad/s.
    pub tolerance: [f64; 4],
}

impl Default for ProblemOptions {
    fn default() -> Self {
        Self { step: 0.002, friction: 0.9, canonical: false, tolerance: [0.005, 0.02, 0.05, 0.2] }
    }
}

/// One direction in which torque can be put on the joints.
#[derive(Clone, Debug)]
pub(crate) struct Drive {
    /// Torque of every joint angle at amplitude 1.
    pub column: Vec<f64>,
    pub priority: bool,
}

/// A step as the simulation needs it.
#[derive(Clone, Debug)]
pub(crate) struct StepSetup {
    /// Indices into the body's feet.
    pub feet: Vec<usize>,
    pub air: Vec<Drive>,
    pub ground: Vec<Drive>,
}

/// What can be told of a foot.
#[derive(Clone, Debug)]
pub(crate) struct FootSetup {
    pub segment: usize,
    pub toe: DVec3,
    pub heel: DVec3,
    pub hip: usize,
    pub disregarded: bool,
    /// Shapes that may touch the ground.
    pub shapes: Vec<usize>,
}

/// The variables, the simulation and the limits of one search.
#[derive(Clone, Debug)]
pub struct GaitProblem {
    pub(crate) body: Body,
    pub(crate) pose: RestPose,
    pub(crate) sketch: GaitSketch,
    pub(crate) options: ProblemOptions,
    pub(crate) mirror: Option<Mirror>,
    pub(crate) steps: Vec<StepSetup>,
    pub(crate) feet: Vec<FootSetup>,
    pub(crate) rest: BodyState,
    pub(crate) torque_limits: Vec<f64>,
    /// Deflections with which a search begins.
    opening: Vec<f64>,
    pub(crate) simulation: Simulation<f64>,
    variables: Vec<Variable>,
    essential: Vec<usize>,
    tolerances: Vec<f64>,
    constraint_names: Vec<String>,
}

impl GaitProblem {
    /// The search that a sketch asks for.
    pub fn new(
        body: &Body,
        sketch: &GaitSketch,
        options: &ProblemOptions,
    ) -> Result<Self, ProblemError> {
        let body = disregard(body, &sketch.disregarded)?;
        let pose = choose_pose(&body, sketch.pose.as_deref())?;
        if body.feet().iter().all(|foot| foot.disregarded) {
            return Err(ProblemError::NoFeet(body.name().into()));
        }
        check_numbers(sketch)?;
        let mirror = if sketch.mirrored {
            let mirror = Mirror::new(&body).filter(|mirror| mirror.is_symmetric(&pose));
            Some(mirror.ok_or_else(|| ProblemError::NotSymmetric(body.name().into()))?)
        } else {
            None
        };
        let torque_limits: Vec<f64> = body
            .joints()
            .flat_map(|(_, joint)| joint.torque_limit.into_iter().take(joint.dof()))
            .collect();
        let steps = steps(&body, &pose, sketch, options, &torque_limits)?;
        let opening = opening(&body, &pose, sketch)?;
        let character = Character::new(&body, &pose, options.friction, 0.0)?;
        let feet = body.feet().iter().zip(&character.feet).map(|(foot, spheres)| {
            let shapes = character.shapes[foot.segment].clone();
            FootSetup {
                segment: foot.segment,
                toe: foot.toe,
                heel: foot.heel,
                hip: foot.hip,
                disregarded: foot.disregarded,
                shapes: spheres.iter().flatten().copied().chain(shapes).collect(),
            }
        });
        let feet = feet.collect();
        let settings = Options {
            step: options.step,
            gravity: vec3(0.0, -GRAVITY, 0.0),
            tolerance: CONTACT_TOLERANCE,
            ..Options::default()
        };
        let simulation = Simulation::new(Arc::new(character.model), Terrain::level(), settings)?;
        let mut problem = Self {
            rest: BodyState::rest(&body, &pose),
            body,
            pose,
            sketch: sketch.clone(),
            options: *options,
            mirror,
            steps,
            feet,
            torque_limits,
            opening,
            simulation,
            variables: Vec::new(),
            essential: Vec::new(),
            tolerances: Vec::new(),
            constraint_names: Vec::new(),
        };
        problem.lay_out();
        problem.essential = problem.find_essential();
        (problem.constraint_names, problem.tolerances) = problem.constraints();
        Ok(problem)
    }

    /// The body, with the feet disregarded that the sketch wants so.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// The pose its springs pull to.
    pub fn pose(&self) -> &RestPose {
        &self.pose
    }

    /// What was asked for.
    pub fn sketch(&self) -> &GaitSketch {
        &self.sketch
    }

    /// How it is searched for.
    pub fn options(&self) -> &ProblemOptions {
        &self.options
    }

    /// Everything the search may change.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// How small each residual of the cycle has to become.
    pub fn tolerances(&self) -> &[f64] {
        &self.tolerances
    }

    /// What each residual is of.
    pub fn constraint_names(&self) -> &[String] {
        &self.constraint_names
    }

    /// Where a search begins, in the unit cube: the rest pose, its slow modes deflected, thrown forwards; the sketch's torques,
    /// all else zero.
    pub fn start(&self) -> Vec<f64> {
        self.variables.iter().map(|variable| variable.unit(variable.start)).collect()
    }

    fn lay_out(&mut self) {
        let (sketch, body) = (&self.sketch, &self.body);
        let height = self.rest.position.y;
        let mut list = Vec::new();
        let mut add = |name: String, low: f64, high: f64, start: f64| {
            list.push(Variable::new(name, low, high, start));
        };
        // Flight of the first step: up and down again in its time.
        let flight = sketch.steps[0].air_fraction * self.step_seconds(sketch.period);
        let rise = 0.5 * GRAVITY * flight;
        add("height".into(), 0.75 * height, 1.2 * height, 1.02 * height);
        for axis in ["pitch", "yaw", "roll"] {
            add(axis.into(), -0.5, 0.5, 0.0);
        }
        add("speed sideways".into(), -0.8, 0.8, 0.0);
        add("speed upwards".into(), -1.5, 2.5, rise);
        add("speed forwards".into(), 0.5, 2.5 * sketch.speed + 2.0, 1.5 * sketch.speed);
        for axis in ["pitch", "yaw", "roll"] {
            add(format!("{axis} rate"), -4.0, 4.0, 0.0);
        }
        let angles: Vec<(String, [f64; 2])> = angle_ranges(body, &self.pose);
        for ((name, [low, high]), opening) in angles.iter().zip(&self.opening) {
            let (low, high) = (low - GIVE, high + GIVE);
            add(name.clone(), low.max(-REACH), high.min(REACH), *opening);
        }
        for (name, _) in &angles {
            add(format!("{name} rate"), -JOINT_SPEED, JOINT_SPEED, 0.0);
        }
        for (number, (setup, step)) in self.steps.iter().zip(&sketch.steps).enumerate() {
            let phases = [("air", &setup.air, &step.air), ("ground", &setup.ground, &step.ground)];
            for (phase, drives, sketched) in phases {
                for (index, drive) in drives.iter().enumerate() {
                    let name = format!("step {} {phase} drive {}", number + 1, index + 1);
                    let (low, high, start) = if drive.priority {
                        let amplitude = sketched.priority[index].1;
                        (
                            amplitude.min(amplitude.signum()),
                            amplitude.max(amplitude.signum()),
                            amplitude,
                        )
                    } else {
                        (-1.0, 1.0, 0.0)
                    };
                    add(name, low, high, start);
                }
            }
        }
        for (number, step) in sketch.steps.iter().enumerate() {
            let longest = 0.7 * self.step_seconds(sketch.period);
            let name = |what: &str| format!("step {} {what}", number + 1);
            add(name("air pulse"), 0.02, longest, step.air_pulse);
            add(name("ground pulse"), 0.02, longest, step.ground_pulse);
            let (low, high) = if sketch.aerial { (0.2, 0.75) } else { (0.0, 0.4) };
            add(name("air fraction"), low, high, step.air_fraction);
        }
        add("period".into(), 0.6 * sketch.period, 1.5 * sketch.period, sketch.period);
        self.variables = list;
    }

    /// Seconds of one step of a whole cycle.
    pub(crate) fn step_seconds(&self, period: f64) -> f64 {
        let parts = self.sketch.steps.len() * if self.sketch.mirrored { 2 } else { 1 };
        period / parts as f64
    }

    /// What a place in the unit cube stands for.
    ///
    /// Numbers that are missing count as where the search begins.
    pub fn decode(&self, point: &[f64]) -> Candidate {
        let mut values =
            self.variables.iter().enumerate().map(|(k, variable)| {
                point.get(k).map_or(variable.start, |unit| variable.value(*unit))
            });
        let mut next = || values.next().unwrap_or(0.0);
        let mut start = self.rest.clone();
        start.position = DVec3::new(0.0, next(), 0.0);
        let turn = DVec3::new(next(), next(), next());
        start.orientation = DQuat::from_scaled_axis(turn) * self.rest.orientation;
        start.velocity = DVec3::new(next(), next(), next());
        start.spin = DVec3::new(next(), next(), next());
        start.deflections.iter_mut().for_each(|value| *value = next());
        start.rates.iter_mut().for_each(|value| *value = next());
        let mut amplitudes = Vec::with_capacity(self.steps.len());
        for setup in &self.steps {
            let air: Vec<f64> = setup.air.iter().map(|_| next()).collect();
            let ground: Vec<f64> = setup.ground.iter().map(|_| next()).collect();
            amplitudes.push([air, ground]);
        }
        let times: Vec<[f64; 3]> = self.steps.iter().map(|_| [next(), next(), next()]).collect();
        let period = next();
        let whole = self.step_seconds(period);
        let steps = self.steps.iter().zip(amplitudes).zip(times).map(
            |((setup, [air, ground]), [air_pulse, ground_pulse, fraction])| {
                let flight = fraction * whole;
                let stance = whole - flight;
                StepPlan {
                    feet: setup.feet.clone(),
                    air: Phasing {
                        length: flight,
                        pulse: air_pulse.min(flight),
                        torques: self.torques(&setup.air, &air),
                        amplitudes: air,
                    },
                    ground: Phasing {
                        length: stance,
                        pulse: ground_pulse.min(stance),
                        torques: self.torques(&setup.ground, &ground),
                        amplitudes: ground,
                    },
                }
            },
        );
        Candidate { steps: steps.collect(), start }
    }

    /// The place in the unit cube of a candidate with another beginning.
    pub fn encode_start(&self, point: &[f64], start: &BodyState) -> Vec<f64> {
        let mut encoded = point.to_vec();
        let turn = rotation_vector(start.orientation * self.rest.orientation.conjugate());
        let values = std::iter::once(start.position.y)
            .chain(turn.to_array())
            .chain(start.velocity.to_array())
            .chain(start.spin.to_array())
            .chain(start.deflections.iter().copied())
            .chain(start.rates.iter().copied());
        for ((unit, variable), value) in encoded.iter_mut().zip(&self.variables).zip(values) {
            *unit = variable.unit(value);
        }
        encoded
    }

    /// Lets the joints of a place begin where they end, the root as it was.
    pub(crate) fn begin_joints(&self, point: &mut [f64], end: &BodyState) {
        let mirrored = self.mirror.as_ref().map(|mirror| end.mirrored(mirror));
        let end = mirrored.as_ref().unwrap_or(end);
        let values = end.deflections.iter().chain(&end.rates);
        let joints = point.iter_mut().zip(&self.variables).skip(ROOT);
        for ((unit, variable), value) in joints.zip(values) {
            *unit = variable.unit(*value);
        }
    }

    /// Variables that have to be searched for: not the beginnings of joints, which follow from the rest; and nothing that leads
    /// out of the middle plane where a gait can stay in it.
    pub fn essential(&self) -> &[usize] {
        &self.essential
    }

    fn find_essential(&self) -> Vec<usize> {
        let joints = 2 * self.rest.deflections.len();
        let drives: Vec<&Drive> =
            self.steps.iter().flat_map(|step| step.air.iter().chain(&step.ground)).collect();
        let others = ROOT + joints..self.variables.len();
        let Some(mirror) = self.middle_plane(&drives) else {
            return (0..ROOT).chain(others).collect();
        };
        let even = |index: &usize| {
            let drive = index.checked_sub(ROOT + joints).and_then(|index| drives.get(index));
            drive.is_none_or(|drive| is_even(&mirror, &drive.column))
        };
        IN_PLANE.into_iter().chain(others.filter(even)).collect()
    }

    /// The mirror in which a gait is its own image: body, pose, feet of every step and what has priority are.
    fn middle_plane(&self, drives: &[&Drive]) -> Option<Mirror> {
        let mirror = Mirror::new(&self.body).filter(|mirror| mirror.is_symmetric(&self.pose))?;
        let segments = |step: &StepSetup| -> Vec<usize> {
            step.feet.iter().map(|&foot| self.feet[foot].segment).collect()
        };
        let paired = self
            .steps
            .iter()
            .map(segments)
            .all(|feet| feet.iter().all(|&segment| feet.contains(&mirror.partner(segment))));
        let even = drives.iter().filter(|drive| drive.priority);
        let even = even.into_iter().all(|drive| is_even(&mirror, &drive.column));
        (self.mirror.is_none() && paired && even).then_some(mirror)
    }

    fn torques(&self, drives: &[Drive], amplitudes: &[f64]) -> Vec<f64> {
        let mut torques = vec![0.0; self.torque_limits.len()];
        for (drive, amplitude) in drives.iter().zip(amplitudes) {
            for (torque, column) in torques.iter_mut().zip(&drive.column) {
                *torque += column * amplitude;
            }
        }
        for (torque, limit) in torques.iter_mut().zip(&self.torque_limits) {
            *torque = torque.clamp(-limit, *limit);
        }
        torques
    }
}

/// Whether torques are their own mirror image.
fn is_even(mirror: &Mirror, column: &[f64]) -> bool {
    let size = column.iter().fold(0.0f64, |size, value| size.max(value.abs()));
    mirror.joints(column).iter().zip(column).all(|(a, b)| (a - b).abs() <= 1e-6 * size)
}

/// The short way round.
pub(crate) fn rotation_vector(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    q.to_scaled_axis()
}
