//! What has to come out of a cycle: where it began, and the style of its sketch.

use crate::problem::candidate::Candidate;
use crate::problem::gait_problem::{GaitProblem, TorqueDirection, rotation_vector};
use crate::problem::penalty::{Penalty, below};
use crate::problem::setup::angle_ranges;
use crate::{BodyState, CoordinateLayout};
use glam::{DQuat, DVec3};

impl GaitProblem {
    /// Names and tolerances of residuals.
    pub(crate) fn constraints(&self) -> (Vec<String>, Vec<f64>) {
        let [metres, radians, speed, rate] = self.options.tolerance;
        let mut list: Vec<(String, f64)> = Vec::new();
        // A mirrored cycle can begin anywhere sideways, so that its path always closes, and so does one that turns.
        if self.is_straight() {
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
        let names: Vec<String> =
            angle_ranges(&self.body, &self.pose).into_iter().map(|(name, _)| name).collect();
        list.extend(names.iter().map(|name| (name.clone(), radians)));
        list.extend(names.iter().map(|name| (format!("{name} rate"), rate)));
        if self.unrolled.is_some() {
            let halfway = list.iter().map(|(name, size)| (format!("halfway {name}"), *size));
            // The first half ends halfway.
            list = halfway.chain(list.iter().cloned()).collect();
        }
        list.into_iter().unzip()
    }

    /// How much other modes outweigh those with priority (soft constraint 5).
    pub(crate) fn dominance(&self, candidate: &Candidate) -> Vec<Penalty> {
        let balance = |drives: &[TorqueDirection], amplitudes: &[f64]| {
            if !drives.iter().any(|drive| drive.priority) {
                return Penalty::default();
            }
            let signed = drives.iter().zip(amplitudes);
            let sum: f64 = signed.map(|(d, a)| if d.priority { a.abs() } else { -a.abs() }).sum();
            below(sum, 0.0, 0.01)
        };
        let steps = self.steps.iter().zip(&candidate.steps);
        let phases = steps
            .flat_map(|(setup, plan)| [(&setup.air, &plan.air), (&setup.ground, &plan.ground)]);
        phases.map(|(drives, plan)| balance(drives, &plan.amplitudes)).collect()
    }

    /// How many residuals what is evaluated at a time has.
    pub(crate) fn tolerances_of_lap(&self) -> usize {
        self.tolerances().len() / if self.unrolled.is_some() { 2 } else { 1 }
    }

    /// Whether a whole cycle is evaluated on a straight way.
    fn is_straight(&self) -> bool {
        self.mirror.is_none() && self.sketch.turn == 0.0
    }

    /// How far the end of the evaluated part, so many seconds later, is from where it began: φ.
    pub fn residuals(&self, start: &BodyState, end: &BodyState, seconds: f64) -> Vec<f64> {
        let mut residuals = Vec::with_capacity(self.tolerances().len());
        let end = match &self.mirror {
            Some(mirror) => end.mirrored(mirror),
            None if self.is_straight() => {
                residuals.push(end.position.x - start.position.x);
                end.clone()
            }
            None => end.turned(-self.sketch.turn * seconds),
        };
        residuals.push(end.position.y - start.position.y);
        residuals
            .extend(rotation_vector(end.orientation * start.orientation.conjugate()).to_array());
        residuals.extend((end.velocity - start.velocity).to_array());
        residuals.extend((end.spin - start.spin).to_array());
        let layout = CoordinateLayout::new(&self.body);
        for (segment, _) in self.body.joints() {
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
