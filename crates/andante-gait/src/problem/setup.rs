//! What a problem is made of: feet, poses, drives.

use crate::problem::gait_problem::{ProblemOptions, StepSetup, TorqueDirection, rotation_vector};
use crate::problem::problem_error::ProblemError;
use crate::sketch::gait_sketch::{GaitSketch, PhaseSketch};
use crate::{Basis, Modes, PinnedPoint};
use andante_body::{Body, RestPose};

/// Torque of a canonical axis that has no limit, N·m.
const UNLIMITED: f64 = 200.0;

pub(crate) fn disregard(body: &Body, names: &[String]) -> Result<Body, ProblemError> {
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

pub(crate) fn check_numbers(sketch: &GaitSketch) -> Result<(), ProblemError> {
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

pub(crate) fn steps(
    body: &Body,
    pose: &RestPose,
    sketch: &GaitSketch,
    options: &ProblemOptions,
    limits: &[f64],
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
                return Ok(canonical(limits));
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
pub(crate) fn opening(
    body: &Body,
    pose: &RestPose,
    sketch: &GaitSketch,
) -> Result<Vec<f64>, ProblemError> {
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

fn canonical(limits: &[f64]) -> Vec<TorqueDirection> {
    let axis = |index: usize| {
        let mut column = vec![0.0; limits.len()];
        column[index] = if limits[index].is_finite() { limits[index] } else { UNLIMITED };
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
