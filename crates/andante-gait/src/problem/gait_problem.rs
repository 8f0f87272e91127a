//! A sketch and a body, made into a search.

use crate::problem::problem_error::ProblemError;
use crate::problem::setup::{check_numbers, choose_pose, disregard, opening, steps};
use crate::problem::variable::Variable;
use crate::sketch::gait_sketch::{GaitSketch, StepSketch, TouchingFeet};
use crate::{BodyState, Mirror};
use andante_body::{Body, BodyModel, RestPose};
use andante_dynamics::{ContactTerrain, PhysicsSettings, Simulation};
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// Standard gravity, m/s².
pub(crate) const GRAVITY: f64 = 9.80665;

/// Change of velocity at which sweeps over the contacts stop, m/s: residuals of found gaits are the same to three digits as with
/// a tenth of it, for three quarters of the time.
const CONTACT_TOLERANCE: f64 = 1e-4;

/// Mass times height of the root of the human for whom effort is limited, kg·m.
const HUMAN: f64 = 70.0;

/// Variables of the root: height, orientation, velocity, spin.
pub(crate) const ROOT: usize = 10;
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
pub(crate) struct TorqueDirection {
    /// Torque of every joint angle at amplitude 1.
    pub column: Vec<f64>,
    pub priority: bool,
}

/// A step as the simulation needs it.
#[derive(Clone, Debug)]
pub(crate) struct StepSetup {
    /// Indices into the body's feet.
    pub feet: Vec<usize>,
    pub air: Vec<TorqueDirection>,
    pub ground: Vec<TorqueDirection>,
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
    /// As it was given, and with the other half of the cycle where the way turns.
    asked: GaitSketch,
    pub(crate) sketch: GaitSketch,
    pub(crate) options: ProblemOptions,
    /// Of a cycle of which half is evaluated.
    pub(crate) mirror: Option<Mirror>,
    /// Of a cycle whose halves are evaluated apart, because the way turns.
    pub(crate) unrolled: Option<Mirror>,
    pub(crate) steps: Vec<StepSetup>,
    pub(crate) feet: Vec<FootSetup>,
    pub(crate) rest: BodyState,
    pub(crate) torque_limits: Vec<f64>,
    /// How much more effort it may take than a human.
    pub(crate) strength: f64,
    /// Deflections with which a search begins.
    pub(crate) opening: Vec<f64>,
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
        let mut mirror = if sketch.mirrored {
            let mirror = Mirror::new(&body).filter(|mirror| mirror.is_symmetric(&pose));
            Some(mirror.ok_or_else(|| ProblemError::NotSymmetric(body.name().into()))?)
        } else {
            None
        };
        let torque_limits: Vec<f64> = body
            .joints()
            .flat_map(|(_, joint)| joint.torque_limit.into_iter().take(joint.dof()))
            .collect();
        let mut steps = steps(&body, &pose, sketch, options, &torque_limits)?;
        let (asked, mut sketch) = (sketch.clone(), sketch.clone());
        // On a way that turns the other half of a cycle is no mirror image.
        let unrolled = mirror.take_if(|_| sketch.turn != 0.0);
        if let Some(mirror) = &unrolled {
            unroll(&body, mirror, &mut sketch, &mut steps);
        }
        let opening = opening(&body, &pose, &sketch)?;
        let settings = PhysicsSettings {
            step: options.step,
            friction: options.friction,
            tolerance: CONTACT_TOLERANCE,
            ..PhysicsSettings::default()
        };
        let character = BodyModel::new(&body, &pose, &settings)?;
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
        let simulation =
            Simulation::new(Arc::new(character.model), ContactTerrain::level(), settings)?;
        let rest = BodyState::rest(&body, &pose);
        // Torques that hold a body up grow with its weight and its height. Where feet touch the ground by turns they are measured as
        // published.
        let size = body.total_mass() * rest.position.y / HUMAN;
        let strength = match sketch.touch {
            TouchingFeet::Step => 1.0,
            TouchingFeet::All => size.max(1.0).powi(2),
        };
        let mut problem = Self {
            rest,
            body,
            pose,
            asked,
            sketch,
            options: *options,
            mirror,
            unrolled,
            steps,
            feet,
            torque_limits,
            strength,
            opening,
            simulation,
            variables: Vec::new(),
            essential: Vec::new(),
            tolerances: Vec::new(),
            constraint_names: Vec::new(),
        };
        problem.variables = problem.lay_out();
        problem.essential = problem.find_essential();
        (problem.constraint_names, problem.tolerances) = problem.constraints();
        Ok(if problem.is_bare_walk() {
            let stride = problem.stride(&problem.natural_stride());
            problem.beginning_with(&stride)
        } else {
            problem
        })
    }

    /// Whether nothing counts of a walk straight on but its feet and times.
    fn is_bare_walk(&self) -> bool {
        let drives = self.steps.iter().flat_map(|step| step.air.iter().chain(&step.ground));
        let styled = drives.into_iter().any(|drive| drive.priority);
        let sketch = &self.sketch;
        sketch.touch == TouchingFeet::All && !sketch.aerial && sketch.turn == 0.0 && !styled
    }

    /// The body, with the feet disregarded that the sketch wants so.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// The pose its springs pull to.
    pub fn pose(&self) -> &RestPose {
        &self.pose
    }

    /// What was asked for; of a way that turns the steps of a whole cycle, whether or not the sketch has but half.
    pub fn sketch(&self) -> &GaitSketch {
        &self.sketch
    }

    /// The sketch as it was given.
    pub(crate) fn asked(&self) -> &GaitSketch {
        &self.asked
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
    /// all else zero. A walk straight on of which nothing counts but feet and times begins with their paths
    /// ([`stride`](Self::stride)).
    pub fn start(&self) -> Vec<f64> {
        self.variables.iter().map(|variable| variable.unit(variable.start)).collect()
    }

    /// Lets a search begin at a place in the unit cube.
    pub(crate) fn begin_at(&mut self, point: &[f64]) {
        for (variable, unit) in self.variables.iter_mut().zip(point) {
            variable.start = variable.value(*unit);
        }
    }

    /// Variables that have to be searched for: not the beginnings of joints, which follow from the rest; and nothing that leads
    /// out of the middle plane where a gait can stay in it.
    pub fn essential(&self) -> &[usize] {
        &self.essential
    }

    fn find_essential(&self) -> Vec<usize> {
        let joints = 2 * self.rest.deflections.len();
        let drives: Vec<&TorqueDirection> =
            self.steps.iter().flat_map(|step| step.air.iter().chain(&step.ground)).collect();
        let halfway = self.variables.len() - self.halfway();
        let others = ROOT + joints..halfway;
        let Some(mirror) = self.middle_plane(&drives) else {
            let halfway = halfway..(halfway + ROOT).min(self.variables.len());
            return (0..ROOT).chain(others).chain(halfway).collect();
        };
        let even = |index: &usize| {
            let drive = index.checked_sub(ROOT + joints).and_then(|index| drives.get(index));
            drive.is_none_or(|drive| is_even(&mirror, &drive.column))
        };
        IN_PLANE.into_iter().chain(others.filter(even)).collect()
    }

    /// The mirror in which a gait is its own image: body, pose, feet of every step and what has priority are.
    fn middle_plane(&self, drives: &[&TorqueDirection]) -> Option<Mirror> {
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
        let straight = self.mirror.is_none() && self.sketch.turn == 0.0;
        (straight && paired && even).then_some(mirror)
    }

    pub(crate) fn torques(&self, drives: &[TorqueDirection], amplitudes: &[f64]) -> Vec<f64> {
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

/// Makes half a cycle a whole one: the mirror image of every step follows.
fn unroll(body: &Body, mirror: &Mirror, sketch: &mut GaitSketch, steps: &mut Vec<StepSetup>) {
    let drives = |drives: &[TorqueDirection]| -> Vec<TorqueDirection> {
        let image = |drive: &TorqueDirection| TorqueDirection {
            column: mirror.joints(&drive.column),
            ..drive.clone()
        };
        drives.iter().map(image).collect()
    };
    let images = steps.iter().map(|step| StepSetup {
        feet: step.feet.iter().map(|&foot| mirror.partner_foot(body, foot)).collect(),
        air: drives(&step.air),
        ground: drives(&step.ground),
    });
    let images: Vec<StepSetup> = images.collect();
    let named = sketch.steps.iter().zip(&images).map(|(step, image)| {
        let name = |&foot: &usize| body.feet()[foot].name.clone();
        StepSketch { feet: image.feet.iter().map(name).collect(), ..step.clone() }
    });
    let named: Vec<StepSketch> = named.collect();
    sketch.steps.extend(named);
    sketch.mirrored = false;
    steps.extend(images);
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
