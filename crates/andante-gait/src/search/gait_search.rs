//! A search that can be watched, stopped and gone on with.

use crate::problem::candidate_trial::CandidateTrial;
use crate::problem::evaluator::Evaluator;
use crate::problem::gait_problem::GaitProblem;
use crate::search::checkpoint::{self, CheckpointError};
use crate::search::closing::Closing;
use crate::search::cma::{Cma, CmaOptions};
use crate::search::gait_search::direct::DirectOptions;
use crate::search::multipliers::{Multipliers, MultipliersOptions, MultipliersStage};
use crate::search::optimiser::Optimiser;
use andante_dynamics::SimulationError;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

pub(crate) mod direct;

/// The method by which a gait is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Method {
    /// Samples of what does not follow from the rest, and least squares by turns, on one smooth measure of everything that is
    /// wrong. Minutes.
    Direct,
    /// The method of multipliers around CMA-ES, with the published settings. Hours.
    Published,
}

andante_skeleton::settings! {
    /// Options of a [`Search`]. Does not include the number of threads, which changes nothing but the time.
    pub struct SearchOptions: Copy, Serialize, Deserialize {
        /// Which way.
        method: Method = Method::Direct;
        /// For everything random.
        seed: u64 = 1;
        /// Samples a generation; `None` for four times the usual number, rounded up to fill lanes and two threads: the
        /// landscape is rough, and fewer settle too soon.
        population: Option<usize> = None;
        /// Spread of the first samples.
        sigma: f64 = 0.12, 0.0..;
        /// Generations before least squares get their turn.
        generations: u64 = 500;
        /// How the direct method goes about it.
        direct: DirectOptions = DirectOptions::default() => check;
        /// Lines of history that are kept.
        history: usize = 100_000;
    }
}

/// A place and what becomes of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchResult {
    /// In the unit cube.
    pub point: Vec<f64>,
    /// What the simulation gives.
    pub trial: CandidateTrial,
}

/// One line of the story of a search.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Simulations so far.
    pub evaluations: u64,
    /// What is being made small; 0 would be perfect.
    pub merit: f64,
    /// Mean speed forwards of the best so far, m/s.
    pub speed: f64,
    /// Its mean of summed squared torques.
    pub effort: f64,
    /// Its largest residual of the cycle, in units of its tolerance.
    pub residual: f64,
    /// How many of its soft constraints are violated.
    pub violated: usize,
}

/// What is being done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
enum Work {
    /// Samples of the essential variables.
    Sampling { cma: Box<Cma> },
    /// Least squares on all variables, between samples or at the end of them.
    Closing { closing: Box<Closing>, cma: Option<Box<Cma>> },
    /// The method of multipliers.
    Published(Box<Multipliers>),
    /// A valid gait, or nothing left to try.
    #[default]
    Over,
}

/// The beginning of a round: several short searches from scattered places, of which the best goes on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SearchHeat {
    /// Short searches that are still to begin.
    left: u32,
    /// The best of those that are over.
    leader: Option<Contender>,
}

/// A short search that may go on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Contender {
    cma: Box<Cma>,
    milestone: (u64, f64),
    best: Option<SearchResult>,
}

/// Everything that decides how a search goes on: what a checkpoint holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct SearchState {
    options: SearchOptions,
    work: Work,
    /// Rounds of sampling so far.
    round: u32,
    population: usize,
    /// Generation and merit when this round last got markedly better.
    milestone: (u64, f64),
    best: Option<SearchResult>,
    /// Of this round.
    round_best: Option<SearchResult>,
    /// The best sample since the last interlude.
    recent: Option<SearchResult>,
    /// While a round has not got beyond its beginning; the first round has none.
    heat: Option<SearchHeat>,
    evaluations: u64,
    seconds: f64,
    history: Vec<Progress>,
}

/// Looks for a gait, one generation at a time. Whatever is found can be taken at any time.
///
/// The same sketch, options and seed give the same gait, bit by bit, for any number of threads and however often the search
/// is interrupted and resumed from its checkpoint.
pub struct Search {
    evaluator: Evaluator,
    state: SearchState,
    /// Tells seconds since any moment, if the caller has a clock.
    clock: Option<fn() -> f64>,
    /// Seconds before it was resumed.
    resumed: f64,
}

impl Search {
    /// From a sketch's first guess, on a number of threads; 0 for all cores.
    pub fn new(
        problem: Arc<GaitProblem>,
        options: &SearchOptions,
        threads: usize,
    ) -> Result<Self, SimulationError> {
        let essential = problem.essential();
        let automatic = (4 * crate::automatic_population(essential.len())).next_multiple_of(8);
        let population = options.population.unwrap_or(automatic).clamp(4, 4096);
        let start = problem.start();
        let cma = CmaOptions {
            population: Some(population),
            sigma: options.sigma * problem.sketch().spread,
            seed: options.seed,
            generations: options.generations,
            ..CmaOptions::default()
        };
        let work = match options.method {
            Method::Direct => {
                let start: Vec<f64> = essential.iter().map(|&index| start[index]).collect();
                Work::Sampling { cma: Box::new(Cma::new(&start, &cma)) }
            }
            Method::Published => {
                let mut settings = MultipliersOptions::new(problem.tolerances().to_vec());
                settings.settled = problem.options().merit.soft;
                settings.cma = CmaOptions { sigma: settings.cma.sigma, generations: 1000, ..cma };
                Work::Published(Box::new(Multipliers::new(&start, settings)))
            }
        };
        let state = SearchState {
            options: *options,
            work,
            population,
            milestone: (0, f64::INFINITY),
            ..SearchState::default()
        };
        Ok(Self { evaluator: Evaluator::new(problem, threads)?, state, clock: None, resumed: 0.0 })
    }

    /// Goes on from a checkpoint of the same sketch.
    pub fn resume(
        problem: Arc<GaitProblem>,
        path: &Path,
        threads: usize,
    ) -> Result<Self, CheckpointError> {
        let state = checkpoint::read(path, &problem)?;
        let evaluator = Evaluator::new(problem, threads)?;
        let resumed = state.seconds;
        Ok(Self { evaluator, state, clock: None, resumed })
    }

    /// The same with a clock: what tells seconds since any moment. Without one everything takes no time, and no clock is asked for
    /// where there may be none.
    #[must_use]
    pub fn timed(mut self, seconds: fn() -> f64) -> Self {
        self.clock = Some(seconds);
        self.evaluator = self.evaluator.timed(seconds);
        self
    }

    /// Writes everything needed to go on: whole or not at all.
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        checkpoint::write(path, self.problem(), &self.state)
    }

    /// The problem that is searched.
    pub fn problem(&self) -> &GaitProblem {
        self.evaluator.problem()
    }

    /// One generation of samples, or one step of least squares. Does nothing once the search is over.
    pub fn step(&mut self) {
        let began = self.clock.map(|seconds| seconds());
        match std::mem::take(&mut self.state.work) {
            Work::Sampling { cma } => self.sample(*cma),
            Work::Closing { closing, cma } => self.close(*closing, cma),
            Work::Published(multipliers) => self.multiply(*multipliers),
            Work::Over => {}
        }
        if let (Some(seconds), Some(began)) = (self.clock, began) {
            self.state.seconds += seconds() - began;
        }
    }

    fn multiply(&mut self, mut multipliers: Multipliers) {
        let (points, trials) = self.evaluator.advance(&mut multipliers, Method::Published);
        self.take_in(points, trials);
        let over = multipliers.is_over() || self.is_converged();
        self.state.work = if over { Work::Over } else { Work::Published(Box::new(multipliers)) };
    }

    /// Remembers what is best.
    fn take_in(&mut self, points: Vec<Vec<f64>>, trials: Vec<CandidateTrial>) {
        self.state.evaluations += trials.len() as u64;
        let problem = Arc::clone(self.evaluator.problem());
        for (point, trial) in points.into_iter().zip(trials) {
            let better = |than: &Option<SearchResult>| {
                than.as_ref().is_none_or(|than| problem.is_better(&trial, &than.trial))
            };
            let (round, all) = (better(&self.state.round_best), better(&self.state.best));
            if round || all {
                let found = SearchResult { point, trial };
                if all {
                    self.state.best = Some(found.clone());
                }
                if round {
                    self.state.round_best = Some(found);
                }
            }
        }
        if let Some(best) = &self.state.best
            && self.state.history.len() < self.state.options.history
        {
            self.state.history.push(Progress {
                evaluations: self.state.evaluations,
                merit: problem.merit(&best.trial),
                speed: best.trial.velocity[2],
                effort: best.trial.effort,
                residual: problem.worst_residual(&best.trial).1,
                violated: best.trial.soft.iter().filter(|soft| **soft > 0.0).count(),
            });
        }
    }

    /// The best so far.
    pub fn best(&self) -> Option<&SearchResult> {
        self.state.best.as_ref()
    }

    /// The number of new beginnings, and the best result since the last one.
    pub fn round(&self) -> (u32, Option<&SearchResult>) {
        (self.state.round, self.state.round_best.as_ref())
    }

    /// True if a valid gait was found.
    pub fn is_converged(&self) -> bool {
        self.state.best.as_ref().is_some_and(|best| self.problem().is_valid(&best.trial))
    }

    /// True if there is nothing left to do.
    pub fn is_over(&self) -> bool {
        matches!(self.state.work, Work::Over)
    }

    /// Simulations so far.
    pub fn evaluations(&self) -> u64 {
        self.state.evaluations
    }

    /// Seconds spent in [`step`](Self::step), before and after interruptions, by the clock of [`timed`](Self::timed).
    pub fn seconds(&self) -> f64 {
        self.state.seconds
    }

    /// The part of the time in [`step`](Self::step) that simulations took, since the search was made or resumed.
    pub fn simulating(&self) -> f64 {
        let spent = self.state.seconds - self.resumed;
        if spent > 0.0 { (self.evaluator.seconds() / spent).min(1.0) } else { 0.0 }
    }

    /// One line for every step.
    pub fn history(&self) -> &[Progress] {
        &self.state.history
    }

    /// The current activity in a word or two.
    pub fn activity(&self) -> &'static str {
        match &self.state.work {
            Work::Sampling { .. } => "sampling",
            Work::Closing { .. } => "closing the cycle",
            Work::Published(multipliers) => match multipliers.stage() {
                MultipliersStage::Settling => "settling",
                _ => "method of multipliers",
            },
            Work::Over => "over",
        }
    }
}

impl SearchState {
    /// Whether all vectors fit a problem.
    pub(crate) fn fits(&self, problem: &GaitProblem) -> bool {
        let (variables, constraints) = (problem.variables().len(), problem.tolerances().len());
        let fits = |found: &Option<SearchResult>| {
            found.as_ref().is_none_or(|found| {
                found.point.len() == variables && found.trial.residuals.len() == constraints
            })
        };
        let essential = problem.essential().len();
        let sampling = |cma: &Cma| cma.is_consistent() && cma.mean().len() == essential;
        let work = match &self.work {
            Work::Sampling { cma } => sampling(cma),
            Work::Closing { closing, cma } => {
                closing.fits(variables, constraints) && cma.as_deref().is_none_or(sampling)
            }
            Work::Published(multipliers) => multipliers.fits(variables, constraints),
            Work::Over => true,
        };
        let leader = self.heat.as_ref().and_then(|heat| heat.leader.as_ref());
        let leader = leader.is_none_or(|leader| sampling(&leader.cma) && fits(&leader.best));
        let best = fits(&self.best) && fits(&self.round_best) && fits(&self.recent);
        work && leader && best && (4..=4096).contains(&self.population)
    }
}
