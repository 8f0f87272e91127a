//! A found gait, made cheaper.

use crate::held::found_gait::cost_of_transport;
use crate::problem::candidate_trial::CandidateTrial;
use crate::problem::evaluator::Evaluator;
use crate::problem::gait_problem::GaitProblem;
use crate::problem::problem_error::ProblemError;
use crate::problem::pulse_controller::PulseController;
use crate::problem::trunk_swing::TrunkSwing;
use crate::search::cma::{Cma, CmaOptions};
use crate::search::gait_search::SearchResult;
use crate::search::levenberg_marquardt::{LevenbergMarquardt, LevenbergMarquardtOptions};
use crate::search::optimiser::{Judged, Optimiser};
use std::sync::Arc;

andante_skeleton::settings! {
    /// Options of a [`Polish`].
    pub struct PolishOptions: Copy {
        /// The part of each tolerance within which the cycle has to close.
        closed: f64 = 0.95, 0.0..=1.0;
        /// The part of each tolerance that is aimed at.
        aim: f64 = 0.3, 0.0..=1.0;
        /// Weights of the cost among the errors, one round after the other: a gait is first made cheap at the price of its
        /// cycle, which is then closed again.
        weights: [f64; 5] = [3.0, 2.0, 1.0, 0.3, 0.1], 0.0..;
        /// How many of these rounds are samples of the essential variables; the others are least squares on all of them.
        sampled: usize = 2;
        /// Generations of samples in a round.
        generations: u64 = 40;
        /// Spread of the first of them, of the interval of a variable.
        sigma: f64 = 0.015, 0.0..;
        /// For everything random.
        seed: u64 = 1;
        /// Steps of least squares in a round, three times as many in the last.
        steps: u32 = 14;
        /// Steps in a row that may be in vain before the next round begins.
        stalled: u32 = 5;
        /// In the last round, how often what is still wrong is given more weight instead.
        weighings: u32 = 6;
        /// The part by which all rounds together have to lower the cost to begin anew.
        gain: f64 = 0.01, 0.0..=1.0;
        /// How often they may begin anew.
        sweeps: u32 = 12;
        /// Of effort, compared with the cost of transport, for a human.
        effort: f64 = 1e-4, 0.0..;
        /// Of yaw and roll of the trunk that are not those of the sketch, for a tenth of a radian, compared with the cost of
        /// transport.
        style: f64 = 0.5, 0.0..;
        /// Of sway that is not that of the sketch, for 5 cm.
        sway: f64 = 0.5, 0.0..;
        /// How much farther a trunk sways over feet on the ground than it does without gravity, turning about its middle.
        grounded: f64 = 4.0, 0.0..;
        /// Of strides that are longer or shorter than those of animals of this size and speed, for the logarithm.
        stride: f64 = 0.5, 0.0..;
        /// How least squares go.
        least_squares: LevenbergMarquardtOptions = LevenbergMarquardtOptions::default() => check;
    }
}

/// Makes a found gait cheaper until that stalls: less work and less effort for the same way, with the trunk as the sketch has it and
/// strides as animals of its size make them, while its cycle closes and every soft constraint holds.
///
/// A search ends with the first gait that is valid, which is seldom the one that costs least. Here errors of the cycle and the cost are
/// made small together, with weights of the cost that fall from round to round (a penalty method; R. Fletcher, "Practical methods of
/// optimization", 1987, chapter 12): samples find what is cheaper, least squares close the cycle again.
///
/// ```
/// use andante_gait::{FoundGait, GaitProblem, GaitSketch, Polish, PolishOptions, ProblemOptions};
///
/// let sketch = GaitSketch::built_in("kangaroo-hop")?;
/// let body = andante_body::creature(&sketch.character)?;
/// let problem = GaitProblem::new(&body, &sketch, &ProblemOptions::default())?;
/// let hop = FoundGait::built_in("kangaroo-hop")?.ok_or("not there")?.candidate(&problem)?;
/// let options = PolishOptions { sweeps: 1, generations: 2, steps: 1, ..PolishOptions::default() };
/// let mut polish = Polish::new(&problem, &hop, &options, 1)?;
/// let given = polish.cost();
/// assert!(polish.found().is_empty());
/// while !polish.is_over() {
///     polish.step();
/// }
/// for better in polish.found() {
///     assert!(problem.is_valid(&better.trial));
/// }
/// assert!(polish.cost() <= given);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Polish {
    options: PolishOptions,
    evaluator: Evaluator,
    work: PolishWork,
    /// What the sketch does to the trunk.
    sketched: TrunkSwing,
    /// Where it is, and what becomes of that.
    place: SearchResult,
    round: usize,
    sweep: u32,
    /// Cost when this sweep began.
    began: f64,
    /// Valid gaits, each cheaper than the one before; the first is cheaper than the gait that was given.
    found: Vec<SearchResult>,
    given: f64,
    evaluations: u64,
}

/// What is being done.
enum PolishWork {
    Sampling(Cma),
    Closing(LevenbergMarquardt),
    Over,
}

impl Polish {
    /// From a gait of a problem, on a number of threads; 0 for all cores.
    pub fn new(
        problem: &GaitProblem,
        candidate: &PulseController,
        options: &PolishOptions,
        threads: usize,
    ) -> Result<Self, ProblemError> {
        options.check()?;
        let alike = candidate.steps.len() == problem.setup.steps.len()
            && candidate.middle.is_some() == problem.setup.unrolled.is_some();
        if !alike {
            return Err(ProblemError::OtherGait(problem.sketch().name.clone()));
        }
        let evaluator = Evaluator::new(Arc::new(problem.clone()), threads)?;
        let point = problem.encode(candidate);
        let trials = evaluator.evaluate(std::slice::from_ref(&point)).into_iter();
        let trial = trials.last().ok_or(ProblemError::NoSteps)?;
        let given = match trial.is_sound() {
            true => cost_of_transport(problem, candidate, &trial),
            false => f64::INFINITY,
        };
        let mut polish = Self {
            options: *options,
            evaluator,
            work: PolishWork::Over,
            sketched: TrunkSwing::sketched(problem)?,
            place: SearchResult { point, trial },
            round: 0,
            sweep: 0,
            began: f64::INFINITY,
            found: Vec::new(),
            given,
            evaluations: 1,
        };
        polish.begin_round();
        Ok(polish)
    }

    fn problem(&self) -> &GaitProblem {
        self.evaluator.problem()
    }

    /// Everything that is to become small at a place.
    fn judged(&self, point: &[f64], trial: &CandidateTrial) -> Judged {
        if trial.exploded {
            return Judged { value: f64::INFINITY, ..Judged::default() };
        }
        let (options, problem) = (&self.options, self.problem());
        let weight = options.weights[self.round.min(options.weights.len() - 1)];
        let sizes = trial.residuals.iter().zip(problem.tolerances()).map(|(r, t)| r / t);
        let mut residuals: Vec<f64> =
            sizes.map(|size| size - size.clamp(-options.aim, options.aim)).collect();
        residuals.extend(&trial.leads);
        let candidate = problem.decode(point);
        residuals.push(weight * cost_of_transport(problem, &candidate, trial).max(0.0).sqrt());
        let TrunkSwing { sway, yaw, roll } = trial.trunk;
        let style = weight * options.style / 0.1;
        residuals.extend([
            style * (yaw - self.sketched.yaw),
            style * (roll - self.sketched.roll),
            weight * options.sway * (sway - options.grounded * self.sketched.sway) / 0.05,
            weight * options.stride * self.stride_error(&candidate, trial),
        ]);
        // Effort joint by joint: its squares add up, so that slopes know its curvature.
        let unit = options.effort.sqrt() * weight / problem.setup.strength.sqrt();
        let (speed, seconds) = (trial.velocity[2].max(0.1), candidate.length());
        for step in &candidate.steps {
            for phase in [&step.air, &step.ground] {
                let share = unit * (phase.pulse / seconds).max(0.0).sqrt() / speed;
                residuals.extend(phase.torques.iter().map(|torque| share * torque));
            }
        }
        Judged { value: residuals.iter().map(|r| r * r).sum(), residuals, solved: false }
    }

    /// The logarithm of a stride over that of animals: 2.4 h Fr^0.34 with h the height of the hips and Fr = v²/(g h), up to
    /// Fr = 1, and 1.9 h Fr^0.40 beyond (R. McN. Alexander and A. S. Jayes, "A dynamic similarity hypothesis for the gaits of
    /// quadrupedal mammals", 1983).
    fn stride_error(&self, candidate: &PulseController, trial: &CandidateTrial) -> f64 {
        let problem = self.problem();
        let simulator = &problem.setup.simulator;
        let placed = simulator.body.stand(&simulator.pose);
        let feet = simulator.feet.iter().filter(|foot| !foot.disregarded);
        let hips = feet.map(|foot| placed[foot.hip].translation.y);
        let height = hips.fold(0.0, f64::max).max(1e-3);
        let speed = trial.velocity[2].max(0.05);
        let froude = speed * speed / (problem.options().gravity() * height);
        let natural = match froude {
            ..=1.0 => 2.4 * libm::pow(froude, 0.34),
            _ => 1.9 * libm::pow(froude, 0.40),
        };
        let halves = if problem.setup.mirror.is_some() { 2.0 } else { 1.0 };
        libm::log(halves * candidate.length() * speed / (natural * height))
    }

    fn begin_round(&mut self) {
        let options = &self.options;
        let SearchResult { point, trial } = &self.place;
        self.work = if self.round < options.sampled {
            let essential = self.problem().essential();
            let start: Vec<f64> = essential.iter().map(|&index| point[index]).collect();
            let cma = CmaOptions {
                sigma: options.sigma,
                seed: options.seed + u64::from(self.sweep),
                generations: options.generations,
                population: Some(2 * crate::automatic_population(start.len()).next_multiple_of(4)),
                ..CmaOptions::default()
            };
            PolishWork::Sampling(Cma::new(&start, &cma))
        } else {
            let judged = self.judged(point, trial);
            let least_squares = options.least_squares;
            PolishWork::Closing(LevenbergMarquardt::new(point.clone(), judged, least_squares))
        };
    }

    /// One generation of samples, or one step of least squares. Does nothing once it is over.
    pub fn step(&mut self) {
        match std::mem::replace(&mut self.work, PolishWork::Over) {
            PolishWork::Sampling(cma) => self.sample(cma),
            PolishWork::Closing(optimiser) => self.close(optimiser),
            PolishWork::Over => {}
        }
    }

    fn sample(&mut self, mut cma: Cma) {
        let essential = self.problem().essential().to_vec();
        let whole = |sample: Vec<f64>| {
            let mut point = self.place.point.clone();
            essential.iter().zip(sample).for_each(|(&index, unit)| point[index] = unit);
            point
        };
        let points: Vec<Vec<f64>> = Optimiser::ask(&cma).into_iter().map(whole).collect();
        let (points, trials) = self.evaluator.settle(&points, 1);
        self.evaluations += 2 * points.len() as u64;
        let judged: Vec<Judged> =
            (points.iter().zip(&trials)).map(|(point, trial)| self.judged(point, trial)).collect();
        Optimiser::tell(&mut cma, &judged);
        let now = self.judged(&self.place.point, &self.place.trial).value;
        let best = judged.iter().map(|judged| judged.value).enumerate();
        let best = best.min_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, value)| *value < now);
        for (point, trial) in points.iter().zip(&trials) {
            self.take_in(point, trial);
        }
        if let Some((best, _)) = best {
            let (point, trial) = (points[best].clone(), trials[best].clone());
            self.place = SearchResult { point, trial };
        }
        if Optimiser::is_over(&cma) {
            self.go_on();
        } else {
            self.work = PolishWork::Sampling(cma);
        }
    }

    fn close(&mut self, mut optimiser: LevenbergMarquardt) {
        // Slopes, then moves.
        for _ in 0..2 {
            let points = optimiser.ask();
            let trials = self.evaluator.evaluate(&points);
            self.evaluations += points.len() as u64;
            let judged: Vec<Judged> = (points.iter().zip(&trials))
                .map(|(point, trial)| self.judged(point, trial))
                .collect();
            optimiser.tell(&judged);
            for (point, trial) in points.iter().zip(&trials) {
                self.take_in(point, trial);
            }
            if let Some(moved) = optimiser.moved() {
                let (point, trial) = (points[moved].clone(), trials[moved].clone());
                self.place = SearchResult { point, trial };
            }
        }
        let last = self.round + 1 == self.options.weights.len();
        let mut over = optimiser.stalled() >= self.options.stalled;
        if over && last && optimiser.weighings() < self.options.weighings {
            optimiser.weigh();
            over = false;
        }
        over |= optimiser.steps() >= if last { 3 } else { 1 } * self.options.steps;
        if over { self.go_on() } else { self.work = PolishWork::Closing(optimiser) }
    }

    /// The next round, or the next sweep from the cheapest so far.
    fn go_on(&mut self) {
        self.round += 1;
        if self.round >= self.options.weights.len() {
            (self.round, self.sweep) = (0, self.sweep + 1);
            let cheapest = self.cost();
            let better = cheapest < (1.0 - self.options.gain) * self.began || self.found.is_empty();
            if self.sweep >= self.options.sweeps || !better {
                return;
            }
            self.began = cheapest;
            if let Some(found) = self.found.last() {
                self.place = found.clone();
            }
        }
        self.begin_round();
    }

    /// Keeps what is valid and cheaper than what was found so far.
    fn take_in(&mut self, point: &[f64], trial: &CandidateTrial) {
        let problem = self.problem();
        let closes = problem.worst_residual(trial).1 < self.options.closed;
        let cost = || cost_of_transport(problem, &problem.decode(point), trial);
        if trial.is_sound() && closes && cost() < self.cost() {
            self.found.push(SearchResult { point: point.to_vec(), trial: trial.clone() });
        }
    }

    /// Cost of transport of the cheapest gait so far.
    pub fn cost(&self) -> f64 {
        self.found.last().map_or(self.given, |found| {
            cost_of_transport(self.problem(), &self.problem().decode(&found.point), &found.trial)
        })
    }

    /// Valid gaits, each cheaper than the one before, and all of them cheaper than the gait that was given.
    pub fn found(&self) -> &[SearchResult] {
        &self.found
    }

    /// True once it gets no cheaper.
    pub fn is_over(&self) -> bool {
        matches!(self.work, PolishWork::Over)
    }

    /// The sweep and its round, from 1.
    pub fn progress(&self) -> (u32, usize) {
        (self.sweep + 1, self.round + 1)
    }

    /// Simulations so far.
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }
}
