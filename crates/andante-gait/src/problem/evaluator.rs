//! Many candidates at once: lanes in a thread, threads on all cores.

use crate::BodyState;
use crate::problem::candidate_trial::CandidateTrial;
use crate::problem::gait_problem::GaitProblem;
use crate::problem::pulse_controller::PulseController;
use crate::problem::rollout::Rollout;
use crate::search::gait_search::Method;
use crate::search::optimiser::{Judged, Optimiser};
use andante_dynamics::{Simulation, SimulationError, f64x4};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Candidates that one thread simulates in lockstep. Groups are made of neighbours, whatever the number of threads, and a lane
/// does not notice its neighbours: results do not depend on either.
pub const LANES: usize = 4;

/// Simulates candidates of one problem.
pub struct Evaluator {
    problem: Arc<GaitProblem>,
    template: Simulation<f64x4>,
    /// Simulations that no thread is using.
    idle: Mutex<Vec<Simulation<f64x4>>>,
    /// Tells seconds since any moment, if the caller has a clock, and nanoseconds spent waiting for simulations.
    clock: Option<fn() -> f64>,
    busy: AtomicU64,
    /// `None` for the thread that asks.
    pool: Option<rayon::ThreadPool>,
}

impl Evaluator {
    /// With a number of threads; 0 for one on every core.
    pub fn new(problem: Arc<GaitProblem>, threads: usize) -> Result<Self, SimulationError> {
        let template = problem.setup.simulator.lanes()?;
        let threads = if threads == 0 {
            std::thread::available_parallelism().map_or(1, |count| count.get())
        } else {
            threads
        };
        // Where threads cannot be had, one does it all.
        let pool = (threads > 1)
            .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok())
            .flatten();
        let idle = Mutex::new(Vec::new());
        Ok(Self { problem, template, idle, clock: None, busy: AtomicU64::new(0), pool })
    }

    /// The same with a clock: what tells seconds since any moment.
    #[must_use]
    pub fn timed(mut self, seconds: fn() -> f64) -> Self {
        self.clock = Some(seconds);
        self
    }

    /// The problem that is searched.
    pub fn problem(&self) -> &Arc<GaitProblem> {
        &self.problem
    }

    /// The trials of places in the unit cube.
    pub fn evaluate(&self, points: &[Vec<f64>]) -> Vec<CandidateTrial> {
        let candidates: Vec<PulseController> =
            points.iter().map(|point| self.problem.decode(point)).collect();
        self.try_out(&candidates)
    }

    /// One question of any optimiser, answered as a method sees it: its samples, and what becomes of them.
    pub fn advance(
        &self,
        optimiser: &mut dyn Optimiser,
        method: Method,
    ) -> (Vec<Vec<f64>>, Vec<CandidateTrial>) {
        let points = optimiser.ask();
        let trials = self.evaluate(&points);
        let judged: Vec<Judged> =
            trials.iter().map(|trial| self.problem.judged(trial, method)).collect();
        optimiser.tell(&judged);
        (points, trials)
    }

    /// The trial of one place, simulated without lanes: the same, bit by bit.
    pub fn evaluate_alone(&self, point: &[f64]) -> Option<CandidateTrial> {
        let mut simulation = self.problem.setup.simulator.lanes::<f64>().ok()?;
        let rollout = Rollout::new(&self.problem);
        let laps = self.problem.decode(point).laps();
        let trials = laps.into_iter().flat_map(|lap| rollout.run(&mut simulation, &[lap]));
        trials.map(|(trial, _)| trial).reduce(CandidateTrial::joined)
    }

    /// The trials of places whose joints begin where they would end: springs and dampers forget how joints begin within
    /// about a step, so that a lap or two find out what a whole search would have to. Gives the places with their joints
    /// so.
    pub fn settle(&self, points: &[Vec<f64>], laps: usize) -> (Vec<Vec<f64>>, Vec<CandidateTrial>) {
        let mut points = points.to_vec();
        for _ in 0..laps {
            let candidates: Vec<PulseController> =
                points.iter().map(|point| self.problem.decode(point)).collect();
            for (point, (_, ends)) in points.iter_mut().zip(self.simulate(&candidates)) {
                self.problem.begin_joints(point, &ends);
            }
        }
        let trials = self.evaluate(&points);
        (points, trials)
    }

    /// The trials of candidates.
    pub fn try_out(&self, candidates: &[PulseController]) -> Vec<CandidateTrial> {
        self.simulate(candidates).into_iter().map(|(trial, _)| trial).collect()
    }

    /// What becomes of candidates, and where each lap of them ends.
    fn simulate(
        &self,
        candidates: &[PulseController],
    ) -> Vec<(CandidateTrial, Vec<Option<BodyState>>)> {
        if candidates.iter().all(|candidate| candidate.middle.is_none()) {
            let alone = self.simulate_laps(candidates).into_iter();
            return alone.map(|(trial, end)| (trial, vec![end])).collect();
        }
        let laps: Vec<Vec<PulseController>> =
            candidates.iter().map(PulseController::laps).collect();
        let mut results = self.simulate_laps(&laps.concat()).into_iter();
        let join = |laps: &Vec<PulseController>| {
            let (trials, ends): (Vec<CandidateTrial>, _) =
                results.by_ref().take(laps.len()).unzip();
            trials.into_iter().reduce(CandidateTrial::joined).map(|trial| (trial, ends))
        };
        laps.iter().filter_map(join).collect()
    }

    fn simulate_laps(
        &self,
        candidates: &[PulseController],
    ) -> Vec<(CandidateTrial, Option<BodyState>)> {
        let group = |group: &[PulseController]| {
            let mut simulation = self.take();
            let trials = Rollout::new(&self.problem).run(&mut simulation, group);
            self.give_back(simulation);
            trials
        };
        let began = self.clock.map(|seconds| seconds());
        let nested: Vec<Vec<(CandidateTrial, Option<BodyState>)>> = match &self.pool {
            Some(pool) => {
                pool.install(|| candidates.par_chunks(LANES).with_max_len(1).map(group).collect())
            }
            None => candidates.chunks(LANES).map(group).collect(),
        };
        if let (Some(seconds), Some(began)) = (self.clock, began) {
            let spent = (1e9 * (seconds() - began)).max(0.0) as u64;
            self.busy.fetch_add(spent, Ordering::Relaxed);
        }
        nested.into_iter().flatten().collect()
    }

    /// Seconds spent waiting for simulations, by the clock of [`timed`](Self::timed).
    pub fn seconds(&self) -> f64 {
        1e-9 * self.busy.load(Ordering::Relaxed) as f64
    }

    fn take(&self) -> Simulation<f64x4> {
        let idle = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        idle.unwrap_or_else(|| self.template.clone())
    }

    fn give_back(&self, simulation: Simulation<f64x4>) {
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(simulation);
        }
    }
}
