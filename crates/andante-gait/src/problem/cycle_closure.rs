//! What has to come out of a cycle: where it began, and the style of its sketch.

use crate::modes::body_state::rotation_vector;
use crate::problem::gait_setup::{GaitSetup, TorqueDirection, angle_ranges};
use crate::problem::penalty::{Penalty, below};
use crate::problem::pulse_controller::PulseController;
use crate::{BodyState, CoordinateLayout};
use glam::{DQuat, DVec3};

/// The equality constraints of a cycle: what each residual is of, and how small it has to become.
#[derive(Clone, Debug)]
pub(crate) struct CycleClosure {
    pub names: Vec<String>,
    pub tolerances: Vec<f64>,
}

impl CycleClosure {
    pub(crate) fn new(setup: &GaitSetup) -> Self {
        let [metres, radians, speed, rate] = setup.options.tolerance;
        let mut list: Vec<(String, f64)> = Vec::new();
        // A mirrored cycle can begin anywhere sideways, so that its path always closes, and so does one that turns.
        if setup.is_straight() {
            list.push(("place sideways".into(), metres));
        }
        list.push(("height".into(), metres));
        for axis in ["pitch", "yaw", "roll"] {
            list.push((axis.into(), radians));
        }
        for axis in ["sideways", "upwards", "forwards"] {
            list.push((format!("speed {axis}"), speed));
        }
        for axis in ["pitch", "yaw", "roll"] {
            list.push((format!("{axis} rate"), rate));
        }
        let names: Vec<String> = angle_ranges(&setup.simulator.body, &setup.simulator.pose)
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        list.extend(names.iter().map(|name| (name.clone(), radians)));
        list.extend(names.iter().map(|name| (format!("{name} rate"), rate)));
        if setup.unrolled.is_some() {
            let halfway = list.iter().map(|(name, size)| (format!("halfway {name}"), *size));
            // The first half ends halfway.
            list = halfway.chain(list.iter().cloned()).collect();
        }
        let (names, tolerances) = list.into_iter().unzip();
        Self { names, tolerances }
    }

    /// How much other modes outweigh those with priority (soft constraint 5).
    pub(crate) fn dominance(setup: &GaitSetup, candidate: &PulseController) -> Vec<Penalty> {
        let balance = |drives: &[TorqueDirection], amplitudes: &[f64]| {
            if !drives.iter().any(|drive| drive.priority) {
                return Penalty::default();
            }
            let signed = drives.iter().zip(amplitudes);
            let sum: f64 = signed.map(|(d, a)| if d.priority { a.abs() } else { -a.abs() }).sum();
            below(sum, 0.0, 0.01)
        };
        let steps = setup.steps.iter().zip(&candidate.steps);
        let phases =
            steps.flat_map(|(of, plan)| [(&of.air, &plan.air), (&of.ground, &plan.ground)]);
        phases.map(|(drives, plan)| balance(drives, &plan.amplitudes)).collect()
    }

    /// How many residuals what is evaluated at a time has.
    pub(crate) fn of_lap(&self, setup: &GaitSetup) -> usize {
        self.tolerances.len() / setup.laps()
    }

    /// How far the end of the evaluated part, so many seconds later, is from where it began: φ.
    pub(crate) fn residuals(
        setup: &GaitSetup,
        start: &BodyState,
        end: &BodyState,
        seconds: f64,
    ) -> Vec<f64> {
        let mut residuals = Vec::with_capacity(2 * setup.simulator.dof() + 11);
        let end = match &setup.mirror {
            Some(mirror) => end.mirrored(mirror),
            None if setup.is_straight() => {
                residuals.push(end.position.x - start.position.x);
                end.clone()
            }
            None => end.turned(-setup.sketch.turn * seconds),
        };
        residuals.push(end.position.y - start.position.y);
        residuals
            .extend(rotation_vector(end.orientation * start.orientation.conjugate()).to_array());
        residuals.extend((end.velocity - start.velocity).to_array());
        residuals.extend((end.spin - start.spin).to_array());
        let body = &setup.simulator.body;
        let layout = CoordinateLayout::new(body);
        for (segment, _) in body.joints() {
            let range = layout.range(segment);
            let (to, from) = (&end.deflections[range.clone()], &start.deflections[range]);
            if let ([tx, ty, tz], [fx, fy, fz]) = (to, from) {
                let to = DQuat::from_scaled_axis(DVec3::new(*tx, *ty, *tz));
                let from = DQuat::from_scaled_axis(DVec3::new(*fx, *fy, *fz));
                residuals.extend(rotation_vector(to * from.conjugate()).to_array());
            } else {
                residuals.extend(to.iter().zip(from).map(|(to, from)| to - from));
            }
        }
        residuals.extend(end.rates.iter().zip(&start.rates).map(|(end, start)| end - start));
        residuals
    }
}
