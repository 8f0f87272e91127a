//! Equality constraints by the method of multipliers.

use crate::search::cma::{Cma, CmaOptions};
use crate::search::optimiser::{Judged, Optimiser};
use crate::search::random::mix;
use serde::{Deserialize, Serialize};

/// Options of a [`Multipliers`]. The defaults are the published ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MultipliersOptions {
    /// Of every run; its sigma is that of run 0.
    pub cma: CmaOptions,
    /// The constant k of the quadratic penalty.
    pub penalty: f64,
    /// What sigma is multiplied with from one run to the next.
    pub sigma_decay: f64,
    /// Sigma does not fall below this.
    pub sigma_floor: f64,
    /// Runs after run 0.
    pub runs: u32,
    /// How small every residual has to become.
    pub tolerances: Vec<f64>,
    /// Run 0 ends, and a sample that meets the constraints is a solution, once the value is below this. It tells
    /// penalties of inequalities from the objective proper.
    pub settled: f64,
}

impl MultipliersOptions {
    /// The published settings for these tolerances.
    pub fn new(tolerances: Vec<f64>) -> Self {
        Self {
            cma: CmaOptions::default(),
            penalty: 0.1,
            sigma_decay: 0.7,
            sigma_floor: 0.001,
            runs: 20,
            tolerances,
            settled: f64::INFINITY,
        }
    }
}

/// The stage of a [`Multipliers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MultipliersStage {
    /// Run 0: constraints are ignored, to get the rest right.
    Settling,
    /// One of the later runs, from 1.
    Run(u32),
    /// It is over.
    Over(MultipliersOutcome),
}

/// The outcome of a search by multipliers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MultipliersOutcome {
    /// The best sample of a run is within all tolerances.
    Converged,
    /// All runs are used up.
    Exhausted,
}

/// Minimises W = f + λᵀφ + kφᵀφ by one [`Cma`] run after another, moving the multipliers λ in between by 2kφ until the
/// constraints φ = 0 hold: A. Miele, P. Moseley, A. Levy and G. Coggins, "On the method of multipliers for mathematical
/// programming problems" (1972). The multipliers do the work, so that k can stay small and W easy to search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Multipliers {
    options: MultipliersOptions,
    stage: MultipliersStage,
    lambda: Vec<f64>,
    sigma: f64,
    cma: Cma,
    /// Of this run: least W, and what it was made of.
    best: Option<(f64, Vec<f64>, Judged)>,
    earlier: u64,
}

impl Multipliers {
    /// From a first guess in the unit cube, which need not meet any constraint.
    pub fn new(start: &[f64], options: MultipliersOptions) -> Self {
        Self {
            stage: MultipliersStage::Settling,
            lambda: vec![0.0; options.tolerances.len()],
            sigma: options.cma.sigma,
            cma: Cma::new(start, &options.cma),
            best: None,
            earlier: 0,
            options,
        }
    }

    /// W of a sample, with the multipliers of this run.
    pub fn merit(&self, judged: &Judged) -> f64 {
        if matches!(self.stage, MultipliersStage::Settling) {
            return judged.value;
        }
        let terms = judged.residuals.iter().zip(&self.lambda);
        judged.value + terms.map(|(r, l)| l * r + self.options.penalty * r * r).sum::<f64>()
    }

    /// Ends the run now: as when it has found all it will.
    pub fn next_run(&mut self) {
        let Some((_, point, judged)) = self.best.take() else { return };
        let run = match self.stage {
            MultipliersStage::Settling => 1,
            MultipliersStage::Run(_) if self.is_solution(&judged) => {
                self.best = Some((self.merit(&judged), point, judged));
                self.stage = MultipliersStage::Over(MultipliersOutcome::Converged);
                return;
            }
            MultipliersStage::Run(run) if run >= self.options.runs => {
                self.best = Some((self.merit(&judged), point, judged));
                self.stage = MultipliersStage::Over(MultipliersOutcome::Exhausted);
                return;
            }
            MultipliersStage::Run(run) => {
                for (lambda, residual) in self.lambda.iter_mut().zip(&judged.residuals) {
                    *lambda += 2.0 * self.options.penalty * residual;
                }
                run + 1
            }
            MultipliersStage::Over(_) => return,
        };
        self.stage = MultipliersStage::Run(run);
        self.sigma = (self.options.sigma_decay * self.sigma).max(self.options.sigma_floor);
        self.restart_at(point, judged);
    }

    fn restart_at(&mut self, point: Vec<f64>, judged: Judged) {
        self.earlier += self.cma.evaluations();
        let seed = mix(self.options.cma.seed, self.earlier + 1);
        let population = Some(self.cma.population());
        let options = CmaOptions { sigma: self.sigma, seed, population, ..self.options.cma };
        self.cma = Cma::new(&point, &options);
        self.best = Some((self.merit(&judged), point, judged));
    }

    /// True if a sample is within all tolerances and settled.
    pub fn is_solution(&self, judged: &Judged) -> bool {
        judged.value < self.options.settled
            && judged.residuals.iter().zip(&self.options.tolerances).all(|(r, t)| r.abs() < *t)
    }

    /// The current stage.
    pub fn stage(&self) -> MultipliersStage {
        self.stage
    }

    /// The best sample of this run; of the last one once it is over.
    pub fn best(&self) -> Option<(&[f64], &Judged)> {
        self.best.as_ref().map(|(_, point, judged)| (point.as_slice(), judged))
    }

    /// The multipliers.
    pub fn lambda(&self) -> &[f64] {
        &self.lambda
    }

    /// The search of this run.
    pub fn cma(&self) -> &Cma {
        &self.cma
    }

    /// Whether all vectors fit each other and a problem of this size.
    pub(crate) fn fits(&self, variables: usize, constraints: usize) -> bool {
        let fits = |(_, point, judged): &(f64, Vec<f64>, Judged)| {
            point.len() == variables && judged.residuals.len() == constraints
        };
        self.cma.is_consistent()
            && self.cma.mean().len() == variables
            && self.lambda.len() == constraints
            && self.options.tolerances.len() == constraints
            && self.best.as_ref().is_none_or(fits)
    }
}

impl Optimiser for Multipliers {
    fn ask(&self) -> Vec<Vec<f64>> {
        self.cma.ask()
    }

    /// Moves on to the next run where one has ended.
    fn tell(&mut self, judged: &[Judged]) {
        if matches!(self.stage, MultipliersStage::Over(_)) {
            return;
        }
        let samples = self.ask();
        let merits: Vec<f64> = judged.iter().map(|judged| self.merit(judged)).collect();
        for ((sample, judged), &merit) in samples.iter().zip(judged).zip(&merits) {
            if self.best.as_ref().is_none_or(|(least, ..)| merit < *least) {
                self.best = Some((merit, sample.clone(), judged.clone()));
            }
        }
        self.cma.tell(&merits);
        let settled = matches!(self.stage, MultipliersStage::Settling)
            && self.options.settled.is_finite()
            && self.best.as_ref().is_some_and(|(_, _, best)| best.value < self.options.settled);
        if settled || self.cma.stop().is_some() {
            self.next_run();
        }
    }

    fn is_over(&self) -> bool {
        matches!(self.stage, MultipliersStage::Over(_))
    }

    fn best_point(&self) -> &[f64] {
        self.best.as_ref().map_or(&self.cma.best().point, |(_, point, _)| point)
    }

    fn evaluations(&self) -> u64 {
        self.earlier + self.cma.evaluations()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(
        n: usize,
        options: MultipliersOptions,
        judge: impl Fn(&[f64]) -> Judged,
    ) -> Multipliers {
        let mut search = Multipliers::new(&vec![0.9; n], options);
        while !matches!(search.stage(), MultipliersStage::Over(_)) {
            let judged: Vec<Judged> = search.ask().iter().map(|x| judge(x)).collect();
            search.tell(&judged);
        }
        search
    }

    /// Least (x² + y²)/100 with x + y = 1: both are ½, and ∇f + λ∇φ = 0 gives λ = −1/100.
    #[test]
    fn a_straight_constraint_gets_its_multiplier() {
        let search = solve(2, MultipliersOptions::new(vec![1e-4]), |x| Judged {
            solved: false,
            value: 0.01 * (x[0] * x[0] + x[1] * x[1]),
            residuals: vec![x[0] + x[1] - 1.0],
        });
        assert_eq!(search.stage(), MultipliersStage::Over(MultipliersOutcome::Converged));
        let (point, judged) = search.best().unwrap();
        assert!((point[0] - 0.5).abs() < 2e-3 && (point[1] - 0.5).abs() < 2e-3, "{point:?}");
        assert!(judged.residuals[0].abs() < 1e-4);
        assert!((search.lambda()[0] + 0.01).abs() < 1e-4, "{:?}", search.lambda());
    }

    /// Least −(x + y)/100 on the circle of radius ½ about the origin: x = y = 1/√8; −1/100 + 2λx = 0 gives λ = √2/100. The
    /// penalty alone would stay outside the circle.
    #[test]
    fn a_round_constraint_gets_its_multiplier() {
        let mut options = MultipliersOptions::new(vec![1e-5]);
        options.cma.tolerance = 1e-6;
        let search = solve(2, options, |x| Judged {
            solved: false,
            value: -0.01 * (x[0] + x[1]),
            residuals: vec![x[0] * x[0] + x[1] * x[1] - 0.25],
        });
        let (point, _) = search.best().unwrap();
        assert_eq!(search.stage(), MultipliersStage::Over(MultipliersOutcome::Converged));
        assert!((point[0] - 8f64.sqrt().recip()).abs() < 1e-3, "{point:?}");
        assert!((search.lambda()[0] - 2f64.sqrt() / 100.0).abs() < 2e-4, "{:?}", search.lambda());
    }

    /// Five variables, two constraints: (x₁ + … + x₅ = 2, x₁ = 2x₂) of Σ i·xᵢ²/50. The Lagrange system, solved by hand in the
    /// order λ, x: xᵢ = −25(λ₁ aᵢ + λ₂ bᵢ)/i.
    #[test]
    fn two_constraints_at_once_get_theirs() {
        let mut options = MultipliersOptions::new(vec![1e-4; 2]);
        options.cma.tolerance = 1e-6;
        let search = solve(5, options, |x| Judged {
            solved: false,
            value: x.iter().enumerate().map(|(i, x)| (i + 1) as f64 * x * x / 50.0).sum(),
            residuals: vec![x.iter().sum::<f64>() - 2.0, x[0] - 2.0 * x[1]],
        });
        assert_eq!(search.stage(), MultipliersStage::Over(MultipliersOutcome::Converged));
        let (point, _) = search.best().unwrap();
        let lambda = search.lambda();
        let (a, b) = ([1.0; 5], [1.0, -2.0, 0.0, 0.0, 0.0]);
        for (i, x) in point.iter().enumerate() {
            let expected = -25.0 * (lambda[0] * a[i] + lambda[1] * b[i]) / (i + 1) as f64;
            assert!((x - expected).abs() < 0.01, "x{i}: {x} for {expected}");
        }
        // Σ aᵢ²/i = 137/60, Σ aᵢbᵢ/i = 0, Σ bᵢ²/i = 3: the constraints do not meet, so λ₁ = −2·60/(137·25) and λ₂ = 0.
        assert!((lambda[0] + 120.0 / (137.0 * 25.0)).abs() < 1e-3 && lambda[1].abs() < 1e-3);
    }

    #[test]
    fn run_zero_ignores_constraints_and_ends_when_the_rest_is_right() {
        let mut options = MultipliersOptions::new(vec![1e-3]);
        options.settled = 1.0;
        let judge = |x: &[f64]| Judged {
            solved: false,
            value: if x[0] < 0.3 { x[0] } else { 10.0 + x[0] },
            residuals: vec![x[1] - 0.5],
        };
        let mut search = Multipliers::new(&[0.9, 0.9], options);
        assert_eq!(search.stage(), MultipliersStage::Settling);
        while search.stage() == MultipliersStage::Settling {
            let judged: Vec<Judged> = search.ask().iter().map(|x| judge(x)).collect();
            search.tell(&judged);
        }
        assert_eq!(search.stage(), MultipliersStage::Run(1));
        assert!(search.best().unwrap().1.value < 1.0);
        assert!((search.cma().sigma() - 0.21).abs() < 1e-12);
    }

    #[test]
    fn constraints_that_contradict_each_other_exhaust_all_runs() {
        let mut options = MultipliersOptions { runs: 3, ..MultipliersOptions::new(vec![1e-3; 2]) };
        options.cma.generations = 100;
        let search = solve(2, options, |x| Judged {
            solved: false,
            value: x[1],
            residuals: vec![x[0] - 0.2, x[0] - 0.8],
        });
        assert_eq!(search.stage(), MultipliersStage::Over(MultipliersOutcome::Exhausted));
        assert!((search.best().unwrap().0[0] - 0.5).abs() < 0.05);
    }
}
