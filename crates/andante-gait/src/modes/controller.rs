//! Torque in pulses: the cyclic state machine (K1, K2).

use crate::{Basis, BodyState, Mirror, Modes};
use andante_body::{Body, RestPose};
use thiserror::Error;

/// Constant torque for a while.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Pulse {
    /// Of every joint, in the order of [`CoordinateLayout`](crate::CoordinateLayout); no torque if it is empty.
    pub torques: Vec<f64>,
    /// In seconds; cut off where the state ends.
    pub duration: f64,
}

/// What a foot is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FootPhase {
    /// Nothing touches the ground; the body prepares to land on the foot.
    Air,
    /// The foot pushes off.
    Ground,
}

/// One state of the machine.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlState {
    /// Whether its foot is in the air or on the ground.
    pub phase: FootPhase,
    /// The foot that may touch the ground, as an index into [`Body::feet`].
    pub foot: usize,
    /// How long the state lasts, in seconds.
    pub length: f64,
    /// What it does when it begins.
    pub pulse: Pulse,
}

/// What one foot does in a cycle: it is in the air, then on the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct FootStep {
    /// Index into [`Body::feet`].
    pub foot: usize,
    /// The part of the step that is in the air, 0 to 1.
    pub air_fraction: f64,
    /// Torque from the beginning of the flight.
    pub air: Pulse,
    /// Torque from the beginning of the stance.
    pub ground: Pulse,
}

/// How a locomotion is described with modes: one flight and one stance, repeated for every foot.
#[derive(Clone, Debug, PartialEq)]
pub struct Sketch {
    /// Amplitude of each mode in the air, −1 to 1; 1 takes the weakest joint to its torque limit.
    pub air: Vec<f64>,
    /// Amplitude of each mode on the ground, likewise.
    pub ground: Vec<f64>,
    /// How long the pulse of a flight lasts, in seconds.
    pub air_pulse: f64,
    /// How long the pulse of a stance lasts, in seconds.
    pub ground_pulse: f64,
    /// A whole cycle: one step of every foot, in seconds.
    pub period: f64,
    /// The part of every step that is in the air, 0 to 1.
    pub air_fraction: f64,
    /// From amplitudes to torques.
    pub basis: Basis,
}

impl Default for Sketch {
    fn default() -> Self {
        Self {
            air: Vec::new(),
            ground: Vec::new(),
            air_pulse: 0.1,
            ground_pulse: 0.1,
            period: 0.8,
            air_fraction: 0.5,
            basis: Basis::default(),
        }
    }
}

/// Why there is no controller.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ControllerError {
    /// No foot counts.
    #[error("all feet are disregarded, or there are none")]
    NoFeet,
    /// A number that makes no sense.
    #[error("{0} of {1} is not {2}")]
    Number(&'static str, f64, &'static str),
    /// One sketch for both feet needs a symmetric body and rest pose.
    #[error(
        "the body or its rest pose is not symmetric, so the steps of one foot cannot be mirrored"
    )]
    NotSymmetric,
    /// A sketch mirrors one foot to another; more feet have different modes.
    #[error("a sketch is for one or two feet, not {0}: give each foot its own step")]
    Feet(usize),
    /// A step of a foot that does not exist.
    #[error("there is no foot {0}")]
    Foot(usize),
    /// Torques of another body.
    #[error("a pulse has {0} torques, the body {1} joint angles")]
    Torques(usize, usize),
}

/// A cyclic machine of 2n states for n feet: air and ground of the first, air and ground of the next, and so on. All
/// transitions are by time. It runs open loop; where it starts belongs to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Controller {
    states: Vec<ControlState>,
    period: f64,
    /// Where a cycle begins (K4).
    pub start: BodyState,
}

impl Controller {
    /// From a sketch: of a body with one foot that counts two states, of a symmetric one with two feet four, the steps
    /// of the second foot being the mirror image of the first's. `ground` are the modes with the toe of the first foot
    /// that counts pinned.
    pub fn from_sketch(
        body: &Body,
        pose: &RestPose,
        air: &Modes,
        ground: &Modes,
        sketch: &Sketch,
    ) -> Result<Self, ControllerError> {
        let feet: Vec<usize> =
            (0..body.feet().len()).filter(|&foot| !body.feet()[foot].disregarded).collect();
        let pulse = |modes: &Modes, amplitudes: &[f64], duration: f64| {
            let full = modes.full_amplitudes(body, sketch.basis);
            let scaled: Vec<f64> =
                amplitudes.iter().zip(full).map(|(part, full)| part * full).collect();
            Pulse { torques: modes.torques(sketch.basis, &scaled), duration }
        };
        let first = FootStep {
            foot: *feet.first().ok_or(ControllerError::NoFeet)?,
            air_fraction: sketch.air_fraction,
            air: pulse(air, &sketch.air, sketch.air_pulse),
            ground: pulse(ground, &sketch.ground, sketch.ground_pulse),
        };
        let steps = match feet[..] {
            [_] => vec![first],
            [_, other] => {
                let mirror = Mirror::new(body).filter(|mirror| mirror.is_symmetric(pose));
                let mirror = mirror.ok_or(ControllerError::NotSymmetric)?;
                let second = first.mirrored(&mirror, other);
                vec![first, second]
            }
            _ => return Err(ControllerError::Feet(feet.len())),
        };
        Self::from_steps(body, sketch.period, steps, BodyState::rest(body, pose))
    }

    /// From one step of every foot, in the order in which they land; each takes the same part of the period.
    pub fn from_steps(
        body: &Body,
        period: f64,
        steps: Vec<FootStep>,
        start: BodyState,
    ) -> Result<Self, ControllerError> {
        if steps.is_empty() {
            return Err(ControllerError::NoFeet);
        }
        if !(period.is_finite() && period > 0.0) {
            return Err(ControllerError::Number("a period", period, "positive"));
        }
        let length = period / steps.len() as f64;
        let mut states = Vec::with_capacity(2 * steps.len());
        for step in steps {
            if step.foot >= body.feet().len() {
                return Err(ControllerError::Foot(step.foot));
            }
            if !(0.0..=1.0).contains(&step.air_fraction) {
                let what = "between 0 and 1";
                return Err(ControllerError::Number("an air fraction", step.air_fraction, what));
            }
            for (phase, pulse, part) in [
                (FootPhase::Air, step.air, step.air_fraction),
                (FootPhase::Ground, step.ground, 1.0 - step.air_fraction),
            ] {
                if !(pulse.duration.is_finite() && pulse.duration >= 0.0) {
                    let what = "zero or more";
                    return Err(ControllerError::Number("a pulse", pulse.duration, what));
                }
                let (given, dof) = (pulse.torques.len(), body.internal_dof());
                if given != 0 && given != dof {
                    return Err(ControllerError::Torques(given, dof));
                }
                if let Some(&torque) = pulse.torques.iter().find(|torque| !torque.is_finite()) {
                    return Err(ControllerError::Number("a torque", torque, "finite"));
                }
                states.push(ControlState { phase, foot: step.foot, length: part * length, pulse });
            }
        }
        Ok(Self { states, period, start })
    }

    /// The states in their order.
    pub fn states(&self) -> &[ControlState] {
        &self.states
    }

    /// A whole cycle in seconds.
    pub fn period(&self) -> f64 {
        self.period
    }

    /// The active state at a time and for how long it has been active. States of no length are never active.
    pub fn state_at(&self, time: f64) -> (&ControlState, f64) {
        let mut elapsed = if time.is_finite() { time.rem_euclid(self.period) } else { 0.0 };
        let mut last = &self.states[0];
        for state in self.states.iter().filter(|state| state.length > 0.0) {
            last = state;
            if elapsed < state.length {
                return (state, elapsed);
            }
            elapsed -= state.length;
        }
        // Rounding has left a little time at the end of the cycle.
        (last, last.length)
    }

    /// The torques at a time: those of the active state while its pulse lasts, else none.
    pub fn torques(&self, time: f64) -> &[f64] {
        let (state, elapsed) = self.state_at(time);
        if elapsed < state.pulse.duration { &state.pulse.torques } else { &[] }
    }

    /// The same locomotion starting with the other side.
    pub fn mirrored(&self, body: &Body, mirror: &Mirror) -> Self {
        let states = self.states.iter().map(|state| ControlState {
            foot: mirror.partner_foot(body, state.foot),
            pulse: state.pulse.mirrored(mirror),
            ..state.clone()
        });
        Self { states: states.collect(), period: self.period, start: self.start.mirrored(mirror) }
    }
}

impl Pulse {
    /// In a mirror.
    pub fn mirrored(&self, mirror: &Mirror) -> Self {
        let torques =
            if self.torques.is_empty() { Vec::new() } else { mirror.joints(&self.torques) };
        Self { torques, duration: self.duration }
    }
}

impl FootStep {
    /// In a mirror, for another foot.
    pub fn mirrored(&self, mirror: &Mirror, foot: usize) -> Self {
        Self {
            foot,
            air_fraction: self.air_fraction,
            air: self.air.mirrored(mirror),
            ground: self.ground.mirrored(mirror),
        }
    }
}

impl Modes {
    /// For each mode the amplitude at which the first joint reaches its torque limit; 0 for modes that move no
    /// joint that has one.
    pub fn full_amplitudes(&self, body: &Body, basis: Basis) -> Vec<f64> {
        let limits: Vec<f64> = body
            .joints()
            .flat_map(|(_, joint)| joint.torque_limit.into_iter().take(joint.dof()))
            .collect();
        let full = |index: usize| {
            let mut unit = vec![0.0; index + 1];
            unit[index] = 1.0;
            let torques = self.torques(basis, &unit);
            let room = torques.iter().zip(&limits).filter(|(torque, _)| torque.abs() > 1e-9);
            let least = room.map(|(torque, limit)| limit / torque.abs()).fold(f64::MAX, f64::min);
            if least < f64::MAX { least } else { 0.0 }
        };
        (0..self.modes.len()).map(full).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PinnedPoint;
    use andante_body::creature;

    fn sketched(name: &str, sketch: &Sketch) -> (Body, Controller) {
        let body = creature(name).unwrap();
        let pose = body.poses()[0].clone();
        let air = Modes::find(&body, &pose, &[]).unwrap();
        let ground = Modes::find(&body, &pose, &[PinnedPoint::toe(&body.feet()[0])]).unwrap();
        let controller = Controller::from_sketch(&body, &pose, &air, &ground, sketch).unwrap();
        (body, controller)
    }

    fn sketch() -> Sketch {
        Sketch {
            air: vec![0.0, 0.3],
            ground: vec![0.0, -0.4, 0.2],
            air_pulse: 0.05,
            ground_pulse: 0.5,
            period: 1.0,
            air_fraction: 0.4,
            basis: Basis::Static,
        }
    }

    #[test]
    fn one_foot_makes_two_states_and_two_feet_four() {
        let (_, hop) = sketched("kangaroo", &sketch());
        assert_eq!(hop.states().len(), 2);
        let (_, run) = sketched("humanoid", &sketch());
        let order: Vec<(FootPhase, usize)> =
            run.states().iter().map(|state| (state.phase, state.foot)).collect();
        let expected = [
            (FootPhase::Air, 0),
            (FootPhase::Ground, 0),
            (FootPhase::Air, 1),
            (FootPhase::Ground, 1),
        ];
        assert_eq!(order, expected);
        let lengths: Vec<f64> = run.states().iter().map(|state| state.length).collect();
        for (length, expected) in lengths.iter().zip([0.2, 0.3, 0.2, 0.3]) {
            assert!((length - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn pulses_begin_with_their_state_and_end_with_it_at_the_latest() {
        let (body, run) = sketched("humanoid", &sketch());
        let dof = body.internal_dof();
        assert_eq!(run.torques(0.0).len(), dof);
        assert!(run.torques(0.051).is_empty());
        // The pulse of the stance is longer than the stance.
        assert_eq!(run.torques(0.2).len(), dof);
        assert_eq!(run.torques(0.4999).len(), dof);
        assert_ne!(run.torques(0.4999), run.torques(0.5001));
        assert_eq!(run.torques(0.3), run.torques(7.3));
        for odd in [f64::NAN, f64::INFINITY, -0.1] {
            let _ = run.torques(odd);
        }
    }

    #[test]
    fn the_second_foot_does_what_the_first_did_in_a_mirror() {
        let (body, run) = sketched("humanoid", &sketch());
        let mirror = Mirror::new(&body).unwrap();
        for time in [0.0, 0.21, 0.4] {
            assert_eq!(mirror.joints(run.torques(time)), run.torques(time + 0.5));
        }
        let twice = run.mirrored(&body, &mirror).mirrored(&body, &mirror);
        assert_eq!(twice.states(), run.states());
    }

    #[test]
    fn a_disregarded_foot_has_no_states() {
        let body = creature("humanoid").unwrap();
        let mut parts = body.into_parts();
        parts.feet[1].disregarded = true;
        let body = Body::new(parts).unwrap();
        let pose = body.pose("one foot").unwrap();
        let air = Modes::find(&body, pose, &[]).unwrap();
        let ground = Modes::find(&body, pose, &[PinnedPoint::toe(&body.feet()[0])]).unwrap();
        let hop = Controller::from_sketch(&body, pose, &air, &ground, &sketch()).unwrap();
        assert_eq!(hop.states().len(), 2);
    }

    #[test]
    fn full_amplitude_takes_one_joint_to_its_limit_and_none_beyond() {
        let body = creature("humanoid").unwrap();
        let air = Modes::find(&body, &body.poses()[0], &[]).unwrap();
        let limits: Vec<f64> = body.joints().flat_map(|(_, joint)| joint.torque_limit).collect();
        for basis in [Basis::Static, Basis::Shape] {
            for (index, full) in air.full_amplitudes(&body, basis).into_iter().enumerate() {
                let mut amplitudes = vec![0.0; index + 1];
                amplitudes[index] = full;
                let torques = air.torques(basis, &amplitudes);
                let used = torques.iter().zip(&limits).map(|(torque, limit)| torque.abs() / limit);
                let most = used.fold(0.0, f64::max);
                assert!((most - 1.0).abs() < 1e-9, "mode {index}: {most}");
            }
        }
    }

    #[test]
    fn numbers_that_make_no_sense_are_refused() {
        let body = creature("kangaroo").unwrap();
        let pose = &body.poses()[0];
        let air = Modes::find(&body, pose, &[]).unwrap();
        let make = |sketch: Sketch| Controller::from_sketch(&body, pose, &air, &air, &sketch);
        assert!(make(Sketch { period: 0.0, ..sketch() }).is_err());
        assert!(make(Sketch { air_fraction: 1.5, ..sketch() }).is_err());
        assert!(make(Sketch { ground_pulse: f64::NAN, ..sketch() }).is_err());
        assert!(make(Sketch { air: vec![f64::NAN], ..sketch() }).is_err());
        let dog = creature("dog").unwrap();
        let modes = Modes::find(&dog, &dog.poses()[0], &[]).unwrap();
        let refused = Controller::from_sketch(&dog, &dog.poses()[0], &modes, &modes, &sketch());
        assert_eq!(refused, Err(ControllerError::Feet(4)));
    }
}
