//! A found gait, led to another speed or round a curve.

use crate::problem::candidate::Candidate;
use crate::problem::candidate_trial::CandidateTrial;
use crate::problem::evaluator::Evaluator;
use crate::problem::gait_problem::GaitProblem;
use crate::problem::problem_error::ProblemError;
use crate::search::closing::{Closing, ClosingOptions};
use crate::search::gait_search::SearchResult;
use crate::sketch::gait_sketch::PhaseSketch;
use std::sync::Arc;

/// What a gait is to do besides keeping its style.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VariationGoal {
    /// Mean speed forwards, m/s, and up to [`VariationGoal::SPEED_RANGE`] times as much; `None` for whatever the sketch allows.
    pub speed: Option<f64>,
    /// How fast the way turns, rad/s; positive turns left.
    pub turn: f64,
}

impl VariationGoal {
    /// How much faster than aimed at a gait may be.
    pub const SPEED_RANGE: f64 = 1.05;
}

/// The part of the way that is tried first, the most and the least.
const FIRST: f64 = 0.125;
const MOST: f64 = 0.5;
const LEAST: f64 = 1.0 / 256.0;
/// After a part of the way that was gone, and one that was not.
const LONGER: f64 = 1.6;
const SHORTER: f64 = 0.4;
/// Steps of least squares in a row that may be in vain; what is still wrong is then given more weight, so many times, if it is
/// little.
const STALLED: u32 = 4;
const WEIGHINGS: u32 = 8;
const LITTLE: f64 = 4.0;
/// Steps of least squares for one part of the way.
const STEPS: u32 = 60;
/// How many of the slowest modes of each phase may be recruited besides those of the sketch, excluded ones as well: who is to turn
/// has to lean.
const RECRUITS: usize = 15;

/// Leads a gait that was found to another speed or turn: what is asked for changes little by little, and least squares close the
/// cycle each time. Takes seconds where a search from the sketch takes minutes. What has priority keeps its sign and its least
/// magnitude; on a way that turns, modes that the sketch excludes may help.
///
/// ```
/// use andante_gait::{VariationGoal, FoundGait, GaitProblem, GaitSketch, ProblemOptions, Variation};
///
/// let sketch = GaitSketch::built_in("kangaroo-hop")?;
/// let body = andante_body::creature(&sketch.character)?;
/// let problem = GaitProblem::new(&body, &sketch, &ProblemOptions::default())?;
/// let hop = FoundGait::built_in("kangaroo-hop")?.and_then(|gait| gait.candidate(&problem)).ok_or("not there")?;
/// let aim = VariationGoal { speed: None, turn: 2.0f64.to_radians() };
/// let mut variation = Variation::new(&problem, &hop, aim, 1)?;
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
    threads: usize,
    /// Speed at which the gait begins, such that it is within the range.
    speed: f64,
    /// The part of the way that has been gone, and the length of what is tried next.
    reached: f64,
    stride: f64,
    /// The farthest so far.
    problem: Arc<GaitProblem>,
    found: SearchResult,
    candidate: Candidate,
    /// The one before it, and how long the way from there was.
    before: Option<(Candidate, f64)>,
    work: Option<(Evaluator, Closing)>,
    evaluations: u64,
}

impl Variation {
    /// From a valid gait of a problem, on a number of threads; 0 for all cores. Speed and turn of the problem itself are where it
    /// sets out from.
    pub fn new(
        problem: &GaitProblem,
        candidate: &Candidate,
        aim: VariationGoal,
        threads: usize,
    ) -> Result<Self, ProblemError> {
        let alike = candidate.steps.len() == problem.steps.len()
            && candidate.middle.is_some() == problem.unrolled.is_some();
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
            threads,
            speed: found.trial.velocity[2] / VariationGoal::SPEED_RANGE.sqrt(),
            reached: 0.0,
            stride: FIRST,
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
        let mut sketch = self.origin.asked().clone();
        let mut recruits = if sketch.turn == self.aim.turn { 0 } else { RECRUITS };
        let between = |from: f64, to: f64| if part == 1.0 { to } else { from + part * (to - from) };
        sketch.turn = between(sketch.turn, self.aim.turn);
        if let Some(speed) = self.aim.speed {
            sketch.speed = between(self.speed, speed);
            sketch.fastest = VariationGoal::SPEED_RANGE * sketch.speed;
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
        if let Some(mirror) = self.problem.mirror.as_ref().filter(|_| problem.unrolled.is_some()) {
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
            let closing = Closing::new(point, trial, ClosingOptions::default());
            (evaluator, closing)
        }))
    }

    /// One step of least squares. Does nothing once it is over.
    pub fn step(&mut self) {
        let Some((evaluator, mut closing)) = self.work.take() else { return };
        let before = closing.evaluations();
        closing.step(&evaluator);
        self.evaluations += closing.evaluations() - before;
        let problem = evaluator.problem();
        let mut over = closing.stalled() >= STALLED;
        if over && closing.weighings() < WEIGHINGS && problem.merit(closing.trial()) < LITTLE {
            closing.weigh(problem);
            over = false;
        }
        over |= closing.steps() >= STEPS;
        if problem.is_valid(closing.trial()) {
            let length = self.stride.min(1.0 - self.reached);
            self.reached = (self.reached + length).min(1.0);
            self.stride = (LONGER * self.stride).min(MOST);
            let (point, trial) = (closing.point().to_vec(), closing.trial().clone());
            let before = std::mem::replace(&mut self.candidate, problem.decode(&point));
            // Half a cycle does not tell how a whole one goes on.
            let alike = before.steps.len() == self.candidate.steps.len();
            self.before = alike.then_some((before, length));
            self.problem = Arc::clone(problem);
            self.found = SearchResult { point, trial };
        } else if over {
            self.stride *= SHORTER;
            if self.stride < LEAST {
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

    /// Whether it does what is aimed at.
    pub fn is_converged(&self) -> bool {
        self.reached >= 1.0
    }

    /// Whether there is nothing left to do: it does what is aimed at, or gets no farther.
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
