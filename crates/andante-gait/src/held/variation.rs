//! A found gait, led to another speed or round a curve.

use crate::problem::candidate_trial::CandidateTrial;
use crate::problem::evaluator::Evaluator;
use crate::problem::gait_problem::GaitProblem;
use crate::problem::problem_error::ProblemError;
use crate::problem::pulse_controller::PulseController;
use crate::search::closing::Closing;
use crate::search::gait_search::SearchResult;
use crate::search::levenberg_marquardt::LevenbergMarquardtOptions;
use crate::search::optimiser::Optimiser;
use crate::sketch::gait_sketch::PhaseSketch;
use std::sync::Arc;

/// The goal of a variation, besides keeping the style of the gait.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VariationGoal {
    /// Mean speed forwards, m/s, and up to [`VariationOptions::speed_range`] times as much; `None` for whatever the sketch allows.
    pub speed: Option<f64>,
    /// How fast the way turns, rad/s; positive turns left.
    pub turn: f64,
}

andante_skeleton::settings! {
    /// Options of a [`Variation`].
    pub struct VariationOptions: Copy {
        /// How much faster than aimed at a gait may be, as a factor of 1 or more. 1 leaves least squares no room.
        speed_range: f64 = 1.05, 0.0..;
        /// The part of the way that is tried first.
        first: f64 = 0.125, 0.0..=1.0;
        /// The most that is tried at once.
        most: f64 = 0.5, 0.0..=1.0;
        /// The least: who gets no farther by so much gives up.
        least: f64 = 1.0 / 256.0, 0.0..;
        /// What the next part is multiplied with after one that was gone.
        longer: f64 = 1.6, 0.0..;
        /// What it is multiplied with after one that was not.
        shorter: f64 = 0.4, 0.0..;
        /// Steps of least squares for one part of the way.
        steps: u32 = 60;
        /// Steps in a row that may be in vain; what is still wrong is then given more weight.
        stalled: u32 = 4;
        /// How many times that is done.
        weighings: u32 = 8;
        /// A merit up to which it is worth it.
        little: f64 = 4.0, 0.0..;
        /// How many of the slowest modes of each phase may be recruited besides those of the sketch, excluded ones as
        /// well: who is to turn has to lean. With 0 many gaits cannot turn.
        recruits: usize = 15;
        /// How least squares go.
        least_squares: LevenbergMarquardtOptions = LevenbergMarquardtOptions::default() => check;
    }
}

/// Leads a gait that was found to another speed or turn: what is asked for changes little by little, and least squares close the
/// cycle each time. Takes seconds where a search from the sketch takes minutes. What has priority keeps its sign and its least
/// magnitude; on a way that turns, modes that the sketch excludes may help.
///
/// ```
/// use andante_gait::{VariationGoal, VariationOptions, FoundGait, GaitProblem, GaitSketch, ProblemOptions, Variation};
///
/// let sketch = GaitSketch::built_in("kangaroo-hop")?;
/// let body = andante_body::creature(&sketch.character)?;
/// let problem = GaitProblem::new(&body, &sketch, &ProblemOptions::default())?;
/// let hop = FoundGait::built_in("kangaroo-hop")?.ok_or("not there")?.candidate(&problem)?;
/// let aim = VariationGoal { speed: None, turn: 2.0f64.to_radians() };
/// let mut variation = Variation::new(&problem, &hop, aim, &VariationOptions::default(), 1)?;
/// while !variation.is_over() {
///     variation.step();
/// }
/// assert!(variation.is_converged());
/// let (problem, found) = variation.best();
/// assert!(problem.is_valid(&found.trial) && problem.sketch().turn == aim.turn);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Variation {
    /// Of the gait that is varied.
    origin: GaitProblem,
    aim: VariationGoal,
    options: VariationOptions,
    threads: usize,
    /// Speed at which the gait begins, such that it is within the range.
    speed: f64,
    /// The part of the way that has been gone, and the length of what is tried next.
    reached: f64,
    stride: f64,
    /// The farthest so far.
    problem: Arc<GaitProblem>,
    found: SearchResult,
    candidate: PulseController,
    /// The one before it, and how long the way from there was.
    before: Option<(PulseController, f64)>,
    work: Option<(Evaluator, Closing)>,
    evaluations: u64,
}

impl Variation {
    /// From a valid gait of a problem, on a number of threads; 0 for all cores. Speed and turn of the problem itself are where it
    /// sets out from.
    pub fn new(
        problem: &GaitProblem,
        candidate: &PulseController,
        aim: VariationGoal,
        options: &VariationOptions,
        threads: usize,
    ) -> Result<Self, ProblemError> {
        let alike = candidate.steps.len() == problem.setup.steps.len()
            && candidate.middle.is_some() == problem.setup.unrolled.is_some();
        if !alike {
            return Err(ProblemError::OtherGait(problem.sketch().name.clone()));
        }
        let problem = Arc::new(problem.clone());
        let evaluator = Evaluator::new(Arc::clone(&problem), 1)?;
        let trials = evaluator.try_out(std::slice::from_ref(candidate)).into_iter();
        let trial = trials.last().ok_or(ProblemError::NoSteps)?;
        let found = SearchResult { point: problem.encode(candidate), trial };
        let mut variation = Self {
            origin: (*problem).clone(),
            aim,
            options: *options,
            threads,
            speed: found.trial.velocity[2] / options.speed_range.sqrt(),
            reached: 0.0,
            stride: options.first,
            problem,
            found,
            candidate: candidate.clone(),
            before: None,
            work: None,
            evaluations: 1,
        };
        variation.work = variation.set_out()?;
        Ok(variation)
    }

    /// What is asked for after a part of the way.
    fn problem_at(&self, part: f64) -> Result<GaitProblem, ProblemError> {
        let mut sketch = self.origin.setup.asked.clone();
        let mut recruits = if sketch.turn == self.aim.turn { 0 } else { self.options.recruits };
        let between = |from: f64, to: f64| if part == 1.0 { to } else { from + part * (to - from) };
        sketch.turn = between(sketch.turn, self.aim.turn);
        if let Some(speed) = self.aim.speed {
            sketch.speed = between(self.speed, speed);
            sketch.fastest = self.options.speed_range * sketch.speed;
            sketch.slowest = sketch.slowest.min(0.5 * sketch.speed);
        }
        loop {
            let mut recruited = sketch.clone();
            for step in &mut recruited.steps {
                recruit(&mut step.air, recruits);
                recruit(&mut step.ground, recruits);
            }
            match GaitProblem::new(self.origin.body(), &recruited, self.origin.options()) {
                // Bodies on several feet have fewer modes than joint angles.
                Err(ProblemError::Mode { count, .. }) if count < recruits => recruits = count,
                made => return made,
            }
        }
    }

    /// Least squares for the next part of the way, from the farthest so far.
    fn set_out(&mut self) -> Result<Option<(Evaluator, Closing)>, ProblemError> {
        if self.is_converged() {
            return Ok(None);
        }
        let problem = self.problem_at((self.reached + self.stride).min(1.0))?;
        let mut candidate = self.candidate.clone();
        // When the way begins to turn, the other half of the cycle becomes one of its own.
        if let Some(mirror) =
            self.problem.setup.mirror.as_ref().filter(|_| problem.setup.unrolled.is_some())
        {
            candidate = self.problem.whole_cycle(&candidate);
            candidate.middle = Some(candidate.start.mirrored(mirror));
        }
        let mut points = vec![problem.encode(&candidate)];
        // As it went on before, so it may go on.
        if let Some((before, length)) = &self.before {
            let ahead = self.stride.min(1.0 - self.reached) / length;
            let pairs = points[0].iter().zip(problem.encode(before));
            let led = pairs.map(|(here, before)| (here + ahead * (here - before)).clamp(0.0, 1.0));
            points.push(led.collect());
        }
        let evaluator = Evaluator::new(Arc::new(problem), self.threads)?;
        let trials = evaluator.evaluate(&points);
        self.evaluations += points.len() as u64;
        let merit = |trial: &CandidateTrial| evaluator.problem().merit(trial);
        let better =
            points.into_iter().zip(trials).min_by(|a, b| merit(&a.1).total_cmp(&merit(&b.1)));
        Ok(better.map(|(point, trial)| {
            let closing =
                Closing::new(evaluator.problem(), point, trial, self.options.least_squares);
            (evaluator, closing)
        }))
    }

    /// One step of least squares. Does nothing once it is over.
    pub fn step(&mut self) {
        let Some((evaluator, mut closing)) = self.work.take() else { return };
        let before = closing.optimiser.evaluations();
        closing.step(&evaluator);
        self.evaluations += closing.optimiser.evaluations() - before;
        let problem = evaluator.problem();
        let mut over = closing.optimiser.stalled() >= self.options.stalled;
        if over
            && closing.optimiser.weighings() < self.options.weighings
            && problem.merit(closing.trial()) < self.options.little
        {
            closing.optimiser.weigh();
            over = false;
        }
        over |= closing.optimiser.steps() >= self.options.steps;
        if problem.is_valid(closing.trial()) {
            let length = self.stride.min(1.0 - self.reached);
            self.reached = (self.reached + length).min(1.0);
            self.stride = (self.options.longer * self.stride).min(self.options.most);
            let (point, trial) = (closing.point().to_vec(), closing.trial().clone());
            let before = std::mem::replace(&mut self.candidate, problem.decode(&point));
            // Half a cycle does not tell how a whole one goes on.
            let alike = before.steps.len() == self.candidate.steps.len();
            self.before = alike.then_some((before, length));
            self.problem = Arc::clone(problem);
            self.found = SearchResult { point, trial };
        } else if over {
            self.stride *= self.options.shorter;
            if self.stride < self.options.least {
                return;
            }
        } else {
            self.work = Some((evaluator, closing));
            return;
        }
        self.work = self.set_out().ok().flatten();
    }

    /// The farthest so far on the way to what is aimed at: its problem, which has speed and turn of that place, and the gait.
    pub fn best(&self) -> (&Arc<GaitProblem>, &SearchResult) {
        (&self.problem, &self.found)
    }

    /// The part of the way that has been gone, 0 to 1.
    pub fn reached(&self) -> f64 {
        self.reached
    }

    /// True if it does what is aimed at.
    pub fn is_converged(&self) -> bool {
        self.reached >= 1.0
    }

    /// True if there is nothing left to do: it does what is aimed at, or gets no farther.
    pub fn is_over(&self) -> bool {
        self.work.is_none()
    }

    /// Simulations so far.
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }
}

/// Allows the first modes of a phase, after those that are allowed already.
fn recruit(phase: &mut PhaseSketch, count: usize) {
    for mode in 0..count {
        let known = phase.priority.iter().any(|(other, _)| *other == mode);
        if !known && !phase.allowed.contains(&mode) {
            phase.allowed.push(mode);
        }
    }
}
