//! Plans that are made beside the frames.
//!
//! A plan is asked for in one step and taken in a later one, when as much simulated time has passed as planning a way of
//! its length may take. What comes out does not depend on how fast it was made, nor by how many threads.

use crate::PlannerSettings;
use crate::character_plan::{CharacterPlanner, Draft, PlanFailure, PlanTimings, on_footprints};
use andante_plan::steps::{PlacedFootprints, PlannedMotion};
use andante_skeleton::Planar;
use std::sync::{Arc, OnceLock};

/// What is to be planned.
#[derive(Clone, Debug)]
pub(crate) enum PlanWork {
    /// A motion from rest.
    Fresh,
    /// One that steps on footprints, from rest.
    Footprints(Vec<PlacedFootprints>),
    /// Around what has come into the way of a motion.
    Repair(MotionUnderWay),
    /// Out of a motion, for another goal or at another speed.
    Redirect(MotionUnderWay),
}

/// A motion that is played, and the time of it from which on it may change.
#[derive(Clone, Debug)]
pub(crate) struct MotionUnderWay {
    pub motion: Arc<PlannedMotion>,
    pub time: f32,
}

/// A motion that was planned.
#[derive(Clone, Debug)]
pub(crate) struct MadePlan {
    pub motion: Arc<PlannedMotion>,
    /// Where it ends.
    pub goal: Planar,
    pub timings: PlanTimings,
}

impl From<Draft> for MadePlan {
    fn from(draft: Draft) -> Self {
        let Draft { performance, goal, timings, .. } = draft;
        Self { motion: Arc::new(performance), goal, timings }
    }
}

/// What comes of planning: none where nothing has to change.
pub(crate) type PlanResult = Result<Option<MadePlan>, PlanFailure>;

/// A plan that has been asked for.
#[derive(Clone, Debug)]
pub(crate) struct PlanTicket {
    job: Arc<PlanJob>,
    /// When it is taken.
    due: f64,
}

#[derive(Debug)]
struct PlanJob {
    planner: CharacterPlanner,
    work: PlanWork,
    result: OnceLock<PlanResult>,
}

impl PlanJob {
    fn run(&self) -> PlanResult {
        let planner = &self.planner;
        let made = match &self.work {
            PlanWork::Fresh => planner.fresh()?,
            PlanWork::Footprints(prints) => on_footprints(planner, prints)?,
            PlanWork::Redirect(way) => planner.redirect(&way.motion, way.time)?,
            PlanWork::Repair(way) => match planner.repair(&way.motion, way.time)? {
                Some(draft) => draft,
                None => return Ok(None),
            },
        };
        Ok(Some(made.into()))
    }

    fn result(&self) -> &PlanResult {
        self.result.get_or_init(|| self.run())
    }
}

impl PlanTicket {
    /// Whether the time has come to take it.
    pub fn is_due(&self, time: f64) -> bool {
        time + 1e-6 >= self.due
    }

    /// What came of it, once it is due.
    pub fn poll(&self, time: f64) -> Option<PlanResult> {
        self.is_due(time).then(|| self.job.result().clone())
    }

    /// The time of the motion that was under way from which on it changes.
    pub fn leaves_at(&self) -> Option<f32> {
        match &self.job.work {
            PlanWork::Repair(way) | PlanWork::Redirect(way) => Some(way.time),
            _ => None,
        }
    }

    /// Whether it is a repair.
    pub fn repairs(&self) -> bool {
        matches!(self.job.work, PlanWork::Repair(_))
    }
}

/// The plans of a stage, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct PlanQueue {
    settings: PlannerSettings,
    /// When what was asked for so far has been made.
    busy_until: f64,
    /// Ways that may still be looked for in this step.
    ways: usize,
}

impl PlanQueue {
    pub fn new(settings: &PlannerSettings) -> Self {
        Self { settings: *settings, busy_until: 0.0, ways: settings.ways_in_a_step }
    }

    /// Lets another step begin.
    pub fn begin_step(&mut self) {
        self.ways = self.settings.ways_in_a_step;
    }

    /// Whether another way may be looked for in this step.
    pub fn may_look(&mut self) -> bool {
        let may = self.ways > 0;
        self.ways -= usize::from(may);
        may
    }

    /// Whether a plan is made soon that is asked for now.
    pub fn has_room(&self, time: f64) -> bool {
        self.busy_until - time <= self.settings.backlog_seconds
    }

    /// Seconds until a plan for a way of so many metres can be taken.
    pub fn seconds(&self, time: f64, metres: f32) -> f64 {
        let work = (metres + self.settings.plan_overhead) / self.settings.planned_a_second;
        (self.busy_until - time).max(0.0) + f64::from(work)
    }

    /// Asks for a plan of a way of so many metres.
    pub fn ask(
        &mut self,
        time: f64,
        metres: f32,
        planner: CharacterPlanner,
        work: PlanWork,
    ) -> PlanTicket {
        let due = time + self.seconds(time, metres);
        self.busy_until = due;
        let job = Arc::new(PlanJob { planner, work, result: OnceLock::new() });
        PlanTicket { job, due }
    }
}
