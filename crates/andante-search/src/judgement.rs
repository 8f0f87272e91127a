//! Whether a gait is one, which of two is better, and what is wrong.

use crate::problem::GaitProblem;
use crate::trial::{SOFT_CONSTRAINTS, Trial};

impl GaitProblem {
    /// Whether the cycle closes within all tolerances and no soft constraint is violated.
    pub fn is_valid(&self, trial: &Trial) -> bool {
        trial.is_sound() && self.worst_residual(trial).1 < 1.0
    }

    /// Valid before invalid, then less effort; among the invalid the smaller merit.
    pub fn is_better(&self, a: &Trial, b: &Trial) -> bool {
        match (self.is_valid(a), self.is_valid(b)) {
            (true, true) => a.objective < b.objective,
            (false, false) => self.merit(a) < self.merit(b),
            (a, _) => a,
        }
    }

    /// The residual that is largest in units of its tolerance: which, and how large.
    pub fn worst_residual(&self, trial: &Trial) -> (usize, f64) {
        let sizes = trial.residuals.iter().zip(self.tolerances()).map(|(r, t)| r.abs() / t);
        sizes.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 0.0))
    }

    /// What keeps a trial from being valid, in words; empty if it is.
    pub fn complaints(&self, trial: &Trial) -> Vec<String> {
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
}
