//! What a problem is made of: feet, poses, drives.

use crate::modes::body_state::rotation_vector;
use crate::modes::coordinate_layout::joint_values;
use crate::problem::options::ProblemOptions;
use crate::problem::problem_error::ProblemError;
use crate::problem::pulse_controller::PulseController;
use crate::problem::pulse_simulator::PulseSimulator;
use crate::sketch::gait_sketch::{GaitSketch, PhaseSketch, StepSketch, TouchingFeet};
use crate::{Basis, Mirror, Modes, PinnedPoint};
use andante_body::{Body, RestPose};

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

/// What a sketch and a body make together: the simulated body, the steps and the directions of their torques.
#[derive(Clone, Debug)]
pub(crate) struct GaitSetup {
    pub simulator: PulseSimulator,
    /// As it was given, and with the other half of the cycle where the way turns.
    pub asked: GaitSketch,
    pub sketch: GaitSketch,
    pub options: ProblemOptions,
    /// Of a cycle of which half is evaluated.
    pub mirror: Option<Mirror>,
    /// Of a cycle whose halves are evaluated apart, because the way turns.
    pub unrolled: Option<Mirror>,
    pub steps: Vec<StepSetup>,
    /// How much more effort it may take than a human.
    pub strength: f64,
    /// Deflections with which a search begins.
    pub opening: Vec<f64>,
}

impl GaitSetup {
    pub(crate) fn new(
        body: &Body,
        sketch: &GaitSketch,
        options: &ProblemOptions,
    ) -> Result<Self, ProblemError> {
        options.check()?;
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
        let mut steps = steps(&body, &pose, sketch, options)?;
        let (asked, mut sketch) = (sketch.clone(), sketch.clone());
        // On a way that turns the other half of a cycle is no mirror image.
        let unrolled = mirror.take_if(|_| sketch.turn != 0.0);
        if let Some(mirror) = &unrolled {
            unroll(&body, mirror, &mut sketch, &mut steps);
        }
        let opening = opening(&body, &pose, &sketch)?;
        let simulator = PulseSimulator::new(body, pose, &options.physics, sketch.touch)?;
        // Torques that hold a body up grow with its weight and its height. Where feet touch the ground by turns they are measured as
        // published.
        let size = simulator.body.total_mass() * simulator.rest.position.y / options.limits.human;
        let strength = match sketch.touch {
            TouchingFeet::Step => 1.0,
            TouchingFeet::All => size.max(1.0).powi(2),
        };
        let options = options.clone();
        Ok(Self { simulator, asked, sketch, options, mirror, unrolled, steps, strength, opening })
    }

    /// The text of the sketch, unless it is built in.
    pub(crate) fn own_sketch(&self) -> Option<String> {
        let known = GaitSketch::built_in(&self.asked.name).is_ok_and(|known| known == self.asked);
        (!known).then(|| self.asked.to_toml())
    }

    /// Flights and stances: what can be put on the joints in each.
    pub(crate) fn drives(&self) -> impl Iterator<Item = &TorqueDirection> {
        self.steps.iter().flat_map(|step| step.air.iter().chain(&step.ground))
    }

    /// Whether nothing counts of a walk straight on but its feet and times.
    pub(crate) fn is_bare_walk(&self) -> bool {
        let styled = self.drives().any(|drive| drive.priority);
        let sketch = &self.sketch;
        sketch.touch == TouchingFeet::All && !sketch.aerial && sketch.turn == 0.0 && !styled
    }

    /// Whether a whole cycle is evaluated on a straight way.
    pub(crate) fn is_straight(&self) -> bool {
        self.mirror.is_none() && self.sketch.turn == 0.0
    }

    /// How many parts of a cycle are evaluated one by one.
    pub(crate) fn laps(&self) -> usize {
        if self.unrolled.is_some() { 2 } else { 1 }
    }

    /// The mirror in which a gait is its own image: body, pose, feet of every step and what has priority are.
    pub(crate) fn middle_plane(&self) -> Option<Mirror> {
        let PulseSimulator { body, pose, feet, .. } = &self.simulator;
        let mirror = Mirror::new(body).filter(|mirror| mirror.is_symmetric(pose))?;
        let segments = |step: &StepSetup| -> Vec<usize> {
            step.feet.iter().map(|&foot| feet[foot].segment).collect()
        };
        let paired = self
            .steps
            .iter()
            .map(segments)
            .all(|feet| feet.iter().all(|&segment| feet.contains(&mirror.partner(segment))));
        let even = self.drives().filter(|drive| drive.priority);
        let even = even.into_iter().all(|drive| is_even(&mirror, &drive.column));
        (self.is_straight() && paired && even).then_some(mirror)
    }

    pub(crate) fn torques(&self, drives: &[TorqueDirection], amplitudes: &[f64]) -> Vec<f64> {
        let limits = &self.simulator.torque_limits;
        let mut torques = vec![0.0; limits.len()];
        for (drive, amplitude) in drives.iter().zip(amplitudes) {
            for (torque, column) in torques.iter_mut().zip(&drive.column) {
                *torque += column * amplitude;
            }
        }
        for (torque, limit) in torques.iter_mut().zip(limits) {
            *torque = torque.clamp(-limit, *limit);
        }
        torques
    }

    /// The steps of a whole cycle, also of one of which half is given.
    pub(crate) fn whole_cycle(&self, candidate: &PulseController) -> PulseController {
        let mut cycle = candidate.clone();
        let half = self.unrolled.as_ref().filter(|_| candidate.goal.is_some());
        if let Some(mirror) = self.mirror.as_ref().or(half) {
            let body = &self.simulator.body;
            let other = candidate.steps.iter().map(|step| step.mirrored(body, mirror));
            cycle.steps.extend(other);
        }
        cycle
    }
}

fn disregard(body: &Body, names: &[String]) -> Result<Body, ProblemError> {
    let mut parts = body.clone().into_parts();
    for name in names {
        let index = find_foot(body, name)?;
        parts.feet[index].disregarded = true;
    }
    Ok(Body::new(parts)?)
}

fn find_foot(body: &Body, name: &str) -> Result<usize, ProblemError> {
    body.feet().iter().position(|foot| foot.name == name).ok_or_else(|| {
        let known: Vec<&str> = body.feet().iter().map(|foot| foot.name.as_str()).collect();
        if known.is_empty() {
            return ProblemError::NoFeet(body.name().into());
        }
        ProblemError::Foot { body: body.name().into(), foot: name.into(), known: known.join(", ") }
    })
}

pub(crate) fn choose_pose(body: &Body, name: Option<&str>) -> Result<RestPose, ProblemError> {
    let Some(name) = name else { return Ok(body.poses()[0].clone()) };
    body.pose(name).cloned().ok_or_else(|| {
        let known: Vec<&str> = body.poses().iter().map(|pose| pose.name.as_str()).collect();
        ProblemError::Pose { body: body.name().into(), pose: name.into(), known: known.join(", ") }
    })
}

fn check_numbers(sketch: &GaitSketch) -> Result<(), ProblemError> {
    if sketch.steps.is_empty() {
        return Err(ProblemError::NoSteps);
    }
    let range = |what: String, value: f64, low: f64, high: f64, expected: &'static str| {
        if (low..=high).contains(&value) {
            Ok(())
        } else {
            Err(ProblemError::Number { what, value, expected })
        }
    };
    range("the period".into(), sketch.period, 0.05, 10.0, "from 0.05 to 10 s")?;
    range("the least mean speed".into(), sketch.speed, 0.01, 20.0, "from 0.01 to 20 m/s")?;
    range("the least speed".into(), sketch.slowest, -20.0, 20.0, "from -20 to 20 m/s")?;
    let turn = sketch.turn.to_degrees();
    range("the turn".into(), turn, -360.0, 360.0, "from -360 to 360 degrees a second")?;
    range("the clearance".into(), sketch.clearance, 0.0, 1.0, "from 0 to 1 m")?;
    range("the duty".into(), sketch.duty, 0.0, 0.95, "from 0 to 0.95")?;
    let expected = "at least the least mean speed";
    range("the most mean speed".into(), sketch.fastest, sketch.speed, f64::INFINITY, expected)?;
    range("the spread".into(), sketch.spread, 0.01, 5.0, "from 0.01 to 5")?;
    range("the stance".into(), sketch.stance, 0.0, 1.0, "from 0 to 1")?;
    for (index, step) in sketch.steps.iter().enumerate() {
        let name = |what: &str| format!("{what} of step {}", index + 1);
        range(name("the air fraction"), step.air_fraction, 0.0, 1.0, "from 0 to 1")?;
        range(name("the part"), step.part.unwrap_or(1.0), 0.01, 100.0, "from 0.01 to 100")?;
        range(name("the air pulse"), step.air_pulse, 0.0, 10.0, "from 0 to 10 s")?;
        range(name("the ground pulse"), step.ground_pulse, 0.0, 10.0, "from 0 to 10 s")?;
        for (_, amplitude) in step.air.priority.iter().chain(&step.ground.priority) {
            let what = name("an amplitude");
            range(what.clone(), amplitude.abs(), 1e-6, 1.0, "from -1 to 1, and not 0")?;
        }
    }
    Ok(())
}

fn steps(
    body: &Body,
    pose: &RestPose,
    sketch: &GaitSketch,
    options: &ProblemOptions,
) -> Result<Vec<StepSetup>, ProblemError> {
    let phases = || sketch.steps.iter().flat_map(|step| [&step.air, &step.ground]);
    if !options.canonical && phases().all(PhaseSketch::is_empty) {
        return Err(ProblemError::Nothing);
    }
    let air = Modes::find(body, pose, &[])?;
    let mut steps = Vec::with_capacity(sketch.steps.len());
    for (index, step) in sketch.steps.iter().enumerate() {
        let feet: Vec<usize> =
            step.feet.iter().map(|name| find_foot(body, name)).collect::<Result<_, _>>()?;
        if feet.is_empty() || feet.iter().any(|&foot| body.feet()[foot].disregarded) {
            return Err(ProblemError::NoFeet(format!("step {}", index + 1)));
        }
        let pins: Vec<PinnedPoint> =
            feet.iter().map(|&foot| PinnedPoint::toe(&body.feet()[foot])).collect();
        let ground = Modes::find(body, pose, &pins)?;
        let drive = |modes: &Modes, phase: &'static str, sketched: &PhaseSketch| {
            if options.canonical {
                return Ok(canonical(body));
            }
            drives(body, modes, sketch, (index, phase), sketched)
        };
        steps.push(StepSetup {
            air: drive(&air, "air", &step.air)?,
            ground: drive(&ground, "ground", &step.ground)?,
            feet,
        });
    }
    Ok(steps)
}

/// Where joints are when the first flight begins, as a guess. What is driven faster than it would swing by itself swings
/// against the force: so do the slow modes that are to be driven in the air.
fn opening(body: &Body, pose: &RestPose, sketch: &GaitSketch) -> Result<Vec<f64>, ProblemError> {
    let air = Modes::find(body, pose, &[])?;
    let full = air.full_amplitudes(body, Basis::Static);
    let mut opening = vec![0.0; body.internal_dof()];
    for &(index, amplitude) in &sketch.steps[0].air.priority {
        let Some(mode) = air.modes.get(index).filter(|mode| mode.hz() * sketch.period < 1.0) else {
            continue;
        };
        for (angle, shape) in opening.iter_mut().zip(&mode.shape) {
            *angle -= shape * amplitude * full[index];
        }
    }
    Ok(opening)
}

/// Modes with priority first, then the allowed ones.
fn drives(
    body: &Body,
    modes: &Modes,
    sketch: &GaitSketch,
    (step, phase): (usize, &'static str),
    sketched: &PhaseSketch,
) -> Result<Vec<TorqueDirection>, ProblemError> {
    let full = modes.full_amplitudes(body, sketch.basis);
    let priority = sketched.priority.iter().map(|&(mode, _)| (mode, true));
    let allowed = sketched.allowed.iter().map(|&mode| (mode, false));
    priority
        .chain(allowed)
        .map(|(mode, priority)| {
            let full = *full.get(mode).ok_or_else(|| ProblemError::Mode {
                step: step + 1,
                phase,
                mode: mode + 1,
                body: body.name().into(),
                count: full.len(),
            })?;
            let mut unit = vec![0.0; mode + 1];
            unit[mode] = full;
            Ok(TorqueDirection { column: modes.torques(sketch.basis, &unit), priority })
        })
        .collect()
}

fn canonical(body: &Body) -> Vec<TorqueDirection> {
    let limits = joint_values(body, |joint| joint.torque_limit);
    let axis = |index: usize| {
        let mut column = vec![0.0; limits.len()];
        column[index] = limits[index];
        TorqueDirection { column, priority: false }
    };
    (0..limits.len()).map(axis).collect()
}

/// Name of every joint angle and how far it may go from rest.
pub(crate) fn angle_ranges(body: &Body, pose: &RestPose) -> Vec<(String, [f64; 2])> {
    let mut ranges = Vec::with_capacity(body.internal_dof());
    for (segment, joint) in body.joints() {
        let turn = joint.frame.conjugate() * pose.rotations[segment] * joint.frame;
        let rest = rotation_vector(turn).to_array();
        for (axis, letter) in ["x", "y", "z"].iter().enumerate().take(joint.dof()) {
            let range = match joint.limits {
                Some(limits) => [limits.lower[axis] - rest[axis], limits.upper[axis] - rest[axis]],
                None => [-1.0, 1.0],
            };
            let name = format!("{} {letter}", body.segments()[segment].name);
            // Rest poses are within their limits, up to rounding.
            ranges.push((name, [range[0].min(-1e-3), range[1].max(1e-3)]));
        }
    }
    ranges
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
pub(crate) fn is_even(mirror: &Mirror, column: &[f64]) -> bool {
    let size = column.iter().fold(0.0f64, |size, value| size.max(value.abs()));
    mirror.joints(column).iter().zip(column).all(|(a, b)| (a - b).abs() <= 1e-6 * size)
}
