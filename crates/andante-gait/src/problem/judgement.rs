//! Whether a gait is one, which of two is better, and what is wrong.

use crate::problem::candidate_trial::{CandidateTrial, EXPLODED, SOFT_CONSTRAINTS};
use crate::problem::gait_problem::GaitProblem;
use crate::problem::pulse_controller::PulseController;
use crate::search::gait_search::Method;
use crate::search::optimiser::Judged;

impl GaitProblem {
    /// The worth of a trial to an optimiser: the errors and their squares, or as published the value and the residuals.
    pub fn judged(&self, trial: &CandidateTrial, method: Method) -> Judged {
        let (value, residuals) = match method {
            Method::Direct if trial.exploded => (f64::INFINITY, Vec::new()),
            Method::Direct => (self.merit(trial), self.errors(trial)),
            Method::Published => (self.value(trial), trial.residuals.clone()),
        };
        Judged { value, residuals, solved: self.is_valid(trial) }
    }

    /// f: what the published method makes small besides the residuals.
    pub fn value(&self, trial: &CandidateTrial) -> f64 {
        if trial.exploded {
            return EXPLODED;
        }
        let merit = &self.options().merit;
        merit.objective * trial.objective + merit.soft * trial.soft.iter().sum::<f64>()
    }

    /// Everything that is to become small, each in units that are just tolerable: residuals of the cycle, violations of soft
    /// constraints, and a little of the effort.
    pub fn errors(&self, trial: &CandidateTrial) -> Vec<f64> {
        let merit = &self.options().merit;
        let cycle = trial.residuals.iter().zip(self.tolerances()).map(|(residual, tolerance)| {
            let size = residual / tolerance;
            size - size.clamp(-merit.closed, merit.closed)
        });
        let soft = trial.leads.iter().copied();
        let effort = std::iter::once(merit.effort * (trial.objective / self.setup.strength).sqrt());
        cycle.chain(soft).chain(effort).collect()
    }

    /// Sum of the squares of [`errors`](Self::errors): one smooth number that leads to a closed cycle.
    pub fn merit(&self, trial: &CandidateTrial) -> f64 {
        if trial.exploded {
            return EXPLODED;
        }
        self.errors(trial).iter().map(|error| error * error).sum()
    }

    /// True if the cycle closes within all tolerances and no soft constraint is violated.
    pub fn is_valid(&self, trial: &CandidateTrial) -> bool {
        trial.is_sound() && self.worst_residual(trial).1 < 1.0
    }

    /// Valid before invalid, then less effort; among the invalid the smaller merit.
    pub fn is_better(&self, a: &CandidateTrial, b: &CandidateTrial) -> bool {
        match (self.is_valid(a), self.is_valid(b)) {
            (true, true) => a.objective < b.objective,
            (false, false) => self.merit(a) < self.merit(b),
            (a, _) => a,
        }
    }

    /// The residual that is largest in units of its tolerance: which, and how large.
    pub fn worst_residual(&self, trial: &CandidateTrial) -> (usize, f64) {
        let sizes = trial.residuals.iter().zip(self.tolerances()).map(|(r, t)| r.abs() / t);
        sizes.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 0.0))
    }

    /// The reasons for which a trial is not valid, in words; empty if it is.
    pub fn complaints(&self, trial: &CandidateTrial) -> Vec<String> {
        if trial.exploded {
            return vec!["the simulation explodes".into()];
        }
        let violated = trial.soft.iter().zip(SOFT_CONSTRAINTS).filter(|(soft, _)| **soft > 0.0);
        let mut complaints: Vec<String> =
            violated.map(|(_, name)| format!("`{name}` is violated")).collect();
        let (index, size) = self.worst_residual(trial);
        if size >= 1.0 {
            let name = &self.constraint_names()[index];
            let (off, allowed) = (trial.residuals[index], self.tolerances()[index]);
            complaints.push(format!(
                "the cycle does not close: {name} is off by {off:.3}, {allowed} is allowed"
            ));
        }
        complaints
    }

    /// Modes with priority that a search has made as small as the sketch allows: it would rather do without them, or with the
    /// other sign. Said in words.
    pub fn unwanted(&self, candidate: &PulseController) -> Vec<String> {
        let least_part = self.options().merit.unwanted;
        let mut words = Vec::new();
        for (index, (sketched, found)) in
            self.sketch().steps.iter().zip(&candidate.steps).enumerate()
        {
            let phases =
                [("air", &sketched.air, &found.air), ("ground", &sketched.ground, &found.ground)];
            for (name, sketched, found) in phases {
                let amplitudes = sketched.priority.iter().zip(&found.amplitudes);
                let least = amplitudes.filter(|((_, wanted), amplitude)| {
                    amplitude.abs() < wanted.abs() + least_part * (1.0 - wanted.abs())
                });
                words.extend(least.map(|((mode, wanted), _)| {
                    let (step, mode) = (index + 1, mode + 1);
                    format!(
                        "mode {mode} of step {step}, {name}, is at the least of the sketch, {wanted}: \
                         the other sign may be easier"
                    )
                }));
            }
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use crate::{GaitProblem, GaitSketch, ProblemOptions};

    #[test]
    fn modes_as_small_as_the_sketch_allows_are_named() {
        let sketch = GaitSketch::built_in("kangaroo-hop").unwrap();
        let body = andante_body::creature(&sketch.character).unwrap();
        let problem = GaitProblem::new(&body, &sketch, &ProblemOptions::default()).unwrap();
        let mut candidate = problem.decode(&problem.start());
        assert_eq!(problem.unwanted(&candidate).len(), 4, "a search begins with the least");
        let step = &mut candidate.steps[0];
        step.air.amplitudes[0] = 0.6;
        step.ground.amplitudes[0] = 0.6;
        step.ground.amplitudes[1] = -0.6;
        let words = problem.unwanted(&candidate);
        assert_eq!(words.len(), 1, "{words:?}");
        assert!(words[0].starts_with("mode 5 of step 1, ground, is at the least"), "{words:?}");
    }
}
