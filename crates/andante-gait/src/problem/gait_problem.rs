//! A sketch and a body, made into a search.

use crate::BodyState;
use crate::problem::cycle_closure::CycleClosure;
use crate::problem::gait_setup::GaitSetup;
use crate::problem::options::ProblemOptions;
use crate::problem::problem_error::ProblemError;
use crate::problem::pulse_controller::PulseController;
use crate::problem::search_space::SearchSpace;
use crate::problem::stride_pattern::StridePattern;
use crate::problem::variable::Variable;
use crate::sketch::gait_sketch::GaitSketch;
use andante_body::{Body, RestPose};

/// A gait problem: what a search may change, what is simulated, and what has to come out of it.
///
/// Its parts are the setup (body, sketch, drives), the search space (variables) and the closure of the cycle (residuals).
#[derive(Clone, Debug)]
pub struct GaitProblem {
    pub(crate) setup: GaitSetup,
    space: SearchSpace,
    pub(crate) closure: CycleClosure,
}

impl GaitProblem {
    /// The search that a sketch asks for.
    pub fn new(
        body: &Body,
        sketch: &GaitSketch,
        options: &ProblemOptions,
    ) -> Result<Self, ProblemError> {
        let setup = GaitSetup::new(body, sketch, options)?;
        let problem =
            Self { space: SearchSpace::new(&setup), closure: CycleClosure::new(&setup), setup };
        Ok(if problem.setup.is_bare_walk() {
            let stride = StridePattern::natural(&problem).controller(&problem);
            problem.beginning_with(&stride)
        } else {
            problem
        })
    }

    /// The same search from another place.
    #[must_use]
    pub fn beginning_with(mut self, candidate: &PulseController) -> Self {
        let point = self.encode(candidate);
        self.space.begin_at(&point);
        self
    }

    /// The body, with the feet disregarded that the sketch wants so.
    pub fn body(&self) -> &Body {
        &self.setup.simulator.body
    }

    /// The pose its springs pull to.
    pub fn pose(&self) -> &RestPose {
        &self.setup.simulator.pose
    }

    /// The sketch that was asked for; of a way that turns the steps of a whole cycle, whether or not the sketch has but
    /// half.
    pub fn sketch(&self) -> &GaitSketch {
        &self.setup.sketch
    }

    /// The sketch as it was given.
    pub fn asked(&self) -> &GaitSketch {
        &self.setup.asked
    }

    /// The options of the problem.
    pub fn options(&self) -> &ProblemOptions {
        &self.setup.options
    }

    /// Everything the search may change.
    pub fn variables(&self) -> &[Variable] {
        &self.space.variables
    }

    /// Variables that have to be searched for: not the beginnings of joints, which follow from the rest; and nothing that leads
    /// out of the middle plane where a gait can stay in it.
    pub fn essential(&self) -> &[usize] {
        &self.space.essential
    }

    /// The tolerance of each residual of the cycle.
    pub fn tolerances(&self) -> &[f64] {
        &self.closure.tolerances
    }

    /// The name of each residual.
    pub fn constraint_names(&self) -> &[String] {
        &self.closure.names
    }

    /// The start of a search, in the unit cube: the rest pose, its slow modes deflected, thrown forwards; the sketch's
    /// torques, all else zero. A walk straight on of which nothing counts but feet and times begins with their paths
    /// ([`StridePattern`]).
    pub fn start(&self) -> Vec<f64> {
        self.space.start()
    }

    /// The controller that a place in the unit cube stands for.
    ///
    /// Numbers that are missing count as where the search begins.
    pub fn decode(&self, point: &[f64]) -> PulseController {
        self.space.decode(&self.setup, point)
    }

    /// The place in the unit cube of a controller: what [`decode`](Self::decode) makes it of, as near as intervals allow.
    pub fn encode(&self, candidate: &PulseController) -> Vec<f64> {
        self.space.encode(&self.setup, candidate)
    }

    /// Lets the joints of a place begin where they end, the root as it was: those of each lap where the lap before ends.
    pub(crate) fn begin_joints(&self, point: &mut [f64], ends: &[Option<BodyState>]) {
        self.space.begin_joints(&self.setup, point, ends);
    }

    /// The residuals φ of the cycle: how far the end of the evaluated part, so many seconds later, is from where it
    /// began.
    pub fn residuals(&self, start: &BodyState, end: &BodyState, seconds: f64) -> Vec<f64> {
        CycleClosure::residuals(&self.setup, start, end, seconds)
    }

    /// The steps of a whole cycle, also of one of which half is given.
    pub fn whole_cycle(&self, candidate: &PulseController) -> PulseController {
        self.setup.whole_cycle(candidate)
    }

    /// The sketch as it stands, as a whole cycle from rest: what a [`PulseMotion`](crate::PulseMotion) shows before anything has
    /// been searched for.
    pub fn sketched(&self) -> PulseController {
        let start = self.setup.simulator.rest.clone();
        let cycle = self.whole_cycle(&self.decode(&self.start()));
        PulseController { start, middle: None, ..cycle }
    }
}
