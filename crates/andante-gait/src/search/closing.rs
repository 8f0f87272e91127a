//! Closing a cycle by least squares.

use crate::problem::candidate_trial::CandidateTrial;
use crate::problem::evaluator::Evaluator;
use crate::problem::gait_problem::GaitProblem;
use crate::search::gait_search::Method;
use crate::search::levenberg_marquardt::{LevenbergMarquardt, LevenbergMarquardtOptions};
use serde::{Deserialize, Serialize};

/// Least squares on the residuals of a cycle, the violated soft constraints and the effort together.
///
/// A sampling search gets near a cycle and takes its time to close it: seventy residuals, each of a different slope.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Closing {
    /// Takes the steps, and knows how they have gone.
    pub optimiser: LevenbergMarquardt,
    trial: CandidateTrial,
}

impl Closing {
    /// From a place in the unit cube and what becomes of it.
    pub fn new(
        problem: &GaitProblem,
        point: Vec<f64>,
        trial: CandidateTrial,
        options: LevenbergMarquardtOptions,
    ) -> Self {
        let judged = problem.judged(&trial, Method::Direct);
        Self { optimiser: LevenbergMarquardt::new(point, judged, options), trial }
    }

    /// One step: slopes, then the best of several damped moves. Whether it got better.
    pub fn step(&mut self, evaluator: &Evaluator) -> bool {
        evaluator.advance(&mut self.optimiser, Method::Direct);
        let (_, mut trials) = evaluator.advance(&mut self.optimiser, Method::Direct);
        let Some(moved) = self.optimiser.moved() else { return false };
        self.trial = trials.swap_remove(moved);
        true
    }

    /// The current point.
    pub fn point(&self) -> &[f64] {
        self.optimiser.place().0
    }

    /// The trial of the current point.
    pub fn trial(&self) -> &CandidateTrial {
        &self.trial
    }

    /// Whether all vectors fit a problem of this size.
    pub(crate) fn fits(&self, variables: usize, constraints: usize) -> bool {
        self.point().len() == variables && self.trial.residuals.len() == constraints
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GaitSketch, ProblemOptions};
    use nalgebra::DVector;
    use std::sync::Arc;

    #[test]
    fn what_is_most_wrong_gains_most_weight_and_steps_follow_it() {
        let sketch = GaitSketch::built_in("kangaroo-hop").unwrap();
        let body = andante_body::creature(&sketch.character).unwrap();
        let options = ProblemOptions::default().with_step(0.005);
        let problem = Arc::new(GaitProblem::new(&body, &sketch, &options).unwrap());
        let evaluator = Evaluator::new(Arc::clone(&problem), 1).unwrap();
        let start = problem.start();
        let trial = evaluator.evaluate(std::slice::from_ref(&start)).remove(0);
        let errors = DVector::from_vec(problem.errors(&trial));
        let mut closing =
            Closing::new(&problem, start, trial, LevenbergMarquardtOptions::default());
        assert_eq!(closing.optimiser.weighed(closing.optimiser.place().1), errors);
        closing.optimiser.weigh();
        closing.optimiser.weigh();
        let weighed = closing.optimiser.weighed(closing.optimiser.place().1);
        let worst = errors.iamax();
        assert!((weighed[worst] - 4.0 * errors[worst]).abs() < 1e-9 * errors[worst].abs());
        for (weighed, error) in weighed.iter().zip(errors.iter()) {
            assert!(weighed.abs() >= error.abs() && weighed.abs() <= 4.0 * error.abs() + 1e-9);
        }
        assert!(closing.step(&evaluator));
        let after = closing.optimiser.weighed(closing.optimiser.place().1).norm_squared();
        assert!(after < weighed.norm_squared(), "{after} from {}", weighed.norm_squared());
    }
}
