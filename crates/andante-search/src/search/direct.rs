//! The direct method: samples, least squares, and hops from one valley to the next.

use super::{Search, Work};
use crate::closing::{Closing, ClosingOptions};
use crate::cma::{Cma, CmaOptions, fold};
use crate::random::{Normals, mix};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde::{Deserialize, Serialize};

/// Laps in which joints find out where they begin, before the one that counts.
const LAPS: usize = 1;
/// Generations between interludes of least squares, and how many steps those have at most.
const INTERLUDE: u64 = 50;
const INTERLUDE_STEPS: u32 = 6;
/// The part of the merit to which an interlude has to get for samples to move there.
const WORTHWHILE: f64 = 0.9;
/// A round that has not brought the merit down to this part of itself for so many generations is given up.
const MARKEDLY: f64 = 0.9;
const PATIENCE: u64 = 110;
/// Steps of least squares that may fail before samples get their turn.
const STALLED: u32 = 4;

/// Places tried for a hop, how far they spread, and the part of it that is between the nearest and the farthest.
const HOP_SAMPLES: usize = 16;
const HOP_NEAR: f64 = 0.005;
const HOP_FAR: f64 = 0.1;
/// Steps of least squares after a hop at most, how many may fail, and after how many it is given up if its merit is still so
/// many times what it was before.
const HOP_STEPS: u32 = 12;
const HOP_STALLED: u32 = 2;
const HOP_LOOK: u32 = 4;
const HOPELESS: f64 = 10.0;
/// Hops without a marked improvement before the round is given up.
const HOPS: u32 = 8;

/// How hopping gets on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Hops {
    /// Hops of this round.
    count: u32,
    /// Those since the merit last fell markedly, and to what.
    since: u32,
    milestone: f64,
    /// The merit before the last hop.
    from: f64,
}

impl Default for Hops {
    fn default() -> Self {
        Self { count: 0, since: 0, milestone: f64::INFINITY, from: f64::INFINITY }
    }
}

impl Search {
    pub(super) fn sample(&mut self, mut cma: Cma) {
        // Joints begin where they do in the best so far, or in the sketch.
        let known = self.state.round_best.as_ref().map(|best| best.point.clone());
        let base = known.unwrap_or_else(|| self.problem().start());
        let essential = self.problem().essential().to_vec();
        let placed = |sample: Vec<f64>| {
            let mut point = base.clone();
            essential.iter().zip(sample).for_each(|(&index, value)| point[index] = value);
            point
        };
        let points: Vec<Vec<f64>> = cma.ask().into_iter().map(placed).collect();
        let (points, trials) = self.evaluator.settle(&points, LAPS);
        self.state.evaluations += (LAPS * points.len()) as u64;
        let merits: Vec<f64> = trials.iter().map(|trial| self.problem().merit(trial)).collect();
        cma.tell(&merits);
        self.take_in(points, trials);
        self.state.work = if self.is_converged() {
            Work::Over
        } else if cma.stop().is_some() || self.is_stuck(cma.generation()) {
            self.closing(None)
        } else if cma.generation().is_multiple_of(INTERLUDE) {
            self.closing(Some(Box::new(cma)))
        } else {
            Work::Sampling { cma: Box::new(cma) }
        };
    }

    /// Whether this round has not got markedly better for long.
    fn is_stuck(&mut self, generation: u64) -> bool {
        let Some(best) = &self.state.round_best else { return false };
        let merit = self.evaluator.problem().merit(&best.trial);
        if merit < MARKEDLY * self.state.milestone.1 {
            self.state.milestone = (generation, merit);
        }
        generation >= self.state.milestone.0 + PATIENCE
    }

    /// Least squares from the best of this round.
    fn closing(&self, cma: Option<Box<Cma>>) -> Work {
        let Some(best) = &self.state.round_best else { return Work::Over };
        let closing =
            Closing::new(best.point.clone(), best.trial.clone(), ClosingOptions::default());
        Work::Closing { closing: Box::new(closing), cma }
    }

    pub(super) fn close(&mut self, mut closing: Closing, cma: Option<Box<Cma>>) {
        self.step_of(&mut closing);
        let over = closing.stalled() >= STALLED;
        self.state.work = if self.is_converged() {
            Work::Over
        } else if let Some(mut cma) = cma {
            if !over && closing.steps() < INTERLUDE_STEPS {
                Work::Closing { closing: Box::new(closing), cma: Some(cma) }
            } else {
                let merit = self.problem().merit(closing.trial());
                if merit < WORTHWHILE * cma.best().value {
                    let essential = self.problem().essential();
                    let there: Vec<f64> =
                        essential.iter().map(|&index| closing.point()[index]).collect();
                    cma.move_to(&there, merit);
                }
                Work::Sampling { cma }
            }
        } else if over {
            self.next_hop(Hops::default())
        } else {
            Work::Closing { closing: Box::new(closing), cma }
        };
    }

    /// From the sketch again, with other and more samples.
    fn next_round(&mut self) -> Work {
        let state = &mut self.state;
        state.round += 1;
        state.round_best = None;
        state.milestone = (0, f64::INFINITY);
        state.population = (state.population * 3 / 2).next_multiple_of(8).min(4096);
        let settings = CmaOptions {
            population: Some(state.population),
            seed: mix(state.options.seed, u64::from(state.round) << 20),
            generations: state.options.generations,
            sigma: state.options.sigma,
            ..CmaOptions::default()
        };
        let start = self.problem().start();
        let start: Vec<f64> =
            self.problem().essential().iter().map(|&index| start[index]).collect();
        Work::Sampling { cma: Box::new(Cma::new(&start, &settings)) }
    }

    /// Goes on with least squares from where the last hop led, or hops again.
    pub(super) fn hop(&mut self, mut closing: Closing, mut hops: Hops) {
        self.step_of(&mut closing);
        let merit = self.problem().merit(closing.trial());
        let hopeless = closing.steps() >= HOP_LOOK && merit > HOPELESS * hops.from;
        let over = closing.stalled() >= HOP_STALLED || closing.steps() >= HOP_STEPS || hopeless;
        self.state.work = if self.is_converged() {
            Work::Over
        } else if !over {
            Work::Hopping { closing: Box::new(closing), hops }
        } else {
            hops.since += 1;
            if merit < MARKEDLY * hops.milestone {
                hops = Hops { since: 0, milestone: merit, ..hops };
            }
            if hops.since < HOPS { self.next_hop(hops) } else { self.next_round() }
        };
    }

    /// To the best of some places near the best of this round: who has come to the bottom of a valley finds the next one,
    /// which may be deeper, not far away (D. Wales and J. Doye, "Global optimization by basin-hopping", 1997).
    fn next_hop(&mut self, mut hops: Hops) -> Work {
        let Some(best) = &self.state.round_best else { return Work::Over };
        hops.from = self.problem().merit(&best.trial);
        hops.milestone = hops.milestone.min(hops.from);
        hops.count += 1;
        let seed = mix(self.state.options.seed, u64::from(self.state.round) << 20 | 1 << 40);
        let mut rng = Pcg64Mcg::seed_from_u64(mix(seed, u64::from(hops.count)));
        let mut normals = Normals::default();
        let sigma = HOP_NEAR * (HOP_FAR / HOP_NEAR).powf(rng.random_range(0.0..1.0));
        let share = if rng.random_bool(0.5) { 1.0 } else { 0.3 };
        let near: Vec<Vec<f64>> = (0..HOP_SAMPLES)
            .map(|_| {
                let mut point = best.point.clone();
                for &index in self.problem().essential() {
                    if rng.random_bool(share) {
                        point[index] = fold(point[index] + sigma * normals.draw(&mut rng));
                    }
                }
                point
            })
            .collect();
        let (points, trials) = self.evaluator.settle(&near, LAPS);
        self.state.evaluations += (LAPS * points.len()) as u64;
        let merits = trials.iter().map(|trial| self.problem().merit(trial));
        let first = merits.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(k, _)| k);
        let closing =
            Closing::new(points[first].clone(), trials[first].clone(), ClosingOptions::default());
        self.take_in(points, trials);
        Work::Hopping { closing: Box::new(closing), hops }
    }

    /// One step of least squares, taken in.
    fn step_of(&mut self, closing: &mut Closing) {
        let before = closing.evaluations();
        closing.step(&self.evaluator);
        let found = (closing.point().to_vec(), closing.trial().clone());
        // The simulation of what was found is among those of the step.
        self.state.evaluations += closing.evaluations() - before - 1;
        self.take_in(vec![found.0], vec![found.1]);
    }
}
