//! Searching again with a larger population.

use crate::search::cma::{Best, Cma, CmaOptions, MAX_POPULATION};
use crate::search::random::mix;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

/// How a [`Restarts`] searches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RestartsOptions {
    /// Of the first search.
    pub cma: CmaOptions,
    /// How many times as many samples a generation the next search has.
    pub growth: f64,
    /// How many searches follow the first.
    pub restarts: u32,
}

impl Default for RestartsOptions {
    fn default() -> Self {
        Self { cma: CmaOptions::default(), growth: 2.0, restarts: 8 }
    }
}

/// One search after another, each from a random place and with a larger population: small ones are quick, large ones see past
/// local minima. After A. Auger and N. Hansen, "A restart CMA evolution strategy with increasing population size" (2005).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Restarts {
    options: RestartsOptions,
    current: Cma,
    restart: u32,
    earlier: u64,
    best: Best,
}

impl Restarts {
    /// From a first guess.
    pub fn new(start: &[f64], options: &RestartsOptions) -> Self {
        let current = Cma::new(start, &options.cma);
        Self { options: *options, best: current.best().clone(), current, restart: 0, earlier: 0 }
    }

    /// The samples of this generation.
    pub fn ask(&self) -> Vec<Vec<f64>> {
        self.current.ask()
    }

    /// Takes their values; begins the next search where one has ended.
    pub fn tell(&mut self, values: &[f64]) {
        self.current.tell(values);
        if self.current.best().value < self.best.value {
            self.best = self.current.best().clone();
        }
        if self.current.stop().is_some() && self.restart < self.options.restarts {
            self.restart += 1;
            self.earlier += self.current.evaluations();
            let grown = self.current.population() as f64 * self.options.growth.max(1.0);
            let seed = mix(self.options.cma.seed, u64::from(self.restart) << 32);
            let mut rng = Pcg64Mcg::seed_from_u64(seed);
            let start: Vec<f64> =
                self.best.point.iter().map(|_| rng.random_range(0.0..1.0)).collect();
            let population = Some((grown.round() as usize).min(MAX_POPULATION));
            self.current = Cma::new(&start, &CmaOptions { population, seed, ..self.options.cma });
        }
    }

    /// Whether the last search has ended.
    pub fn is_over(&self) -> bool {
        self.current.stop().is_some()
    }

    /// The best sample of all searches.
    pub fn best(&self) -> &Best {
        &self.best
    }

    /// Samples of all searches.
    pub fn evaluations(&self) -> u64 {
        self.earlier + self.current.evaluations()
    }

    /// The search that is going on.
    pub fn current(&self) -> &Cma {
        &self.current
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    /// Rastrigin's function: a bowl full of dents. One search of the usual size gets stuck in a dent.
    #[test]
    fn larger_populations_see_past_the_dents_of_a_bowl() {
        let f = |x: &[f64]| -> f64 {
            x.iter().map(|x| 10.0 * x - 4.0).map(|x| x * x + 10.0 * (1.0 - (TAU * x).cos())).sum()
        };
        let cma = CmaOptions { generations: 400, ..CmaOptions::default() };
        let mut once = Cma::new(&[0.9; 5], &cma);
        while once.stop().is_none() {
            let values: Vec<f64> = once.ask().iter().map(|x| f(x)).collect();
            once.tell(&values);
        }
        assert!(once.best().value > 0.5, "{}", once.best().value);
        let mut search = Restarts::new(&[0.9; 5], &RestartsOptions { cma, ..Default::default() });
        let mut largest = 0;
        while !search.is_over() && search.best().value > 0.01 {
            let values: Vec<f64> = search.ask().iter().map(|x| f(x)).collect();
            largest = largest.max(values.len());
            search.tell(&values);
        }
        assert!(search.best().value < 0.01, "{}", search.best().value);
        assert!(largest >= 2 * once.population() && search.evaluations() > once.evaluations());
    }
}
