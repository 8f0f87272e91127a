//! Plans that are made beside the frames.
//!
//! A plan is asked for in one step and taken in a later one, when as much simulated time has passed as planning a way of
//! its length may take. What comes out does not depend on how fast it was made, nor by how many threads.

use crate::PlannerSettings;
use crate::character_plan::{CharacterPlanner, Draft, PlanFailure, PlanTimings, on_footprints};
use andante_plan::steps::{PlacedFootprints, PlannedMotion};
use andante_skeleton::{Planar, parallel};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// A step waits so often for a tenth of a millisecond.
const PATIENCE: usize = 3;

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
    /// Out of a motion, to go on through more places; nothing else than what the check has nothing against.
    Lengthen(MotionUnderWay),
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
    /// Why it does not stand up to a check, if it does not.
    pub doubt: Option<String>,
}

impl From<Draft> for MadePlan {
    fn from(draft: Draft) -> Self {
        let Draft { performance, goal, timings, .. } = draft;
        Self { motion: Arc::new(performance), goal, timings, doubt: None }
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
            // Where nothing stands up to a check, somebody who is under way goes on as well as it can, and says why.
            PlanWork::Fresh => match planner.verified() {
                Err(refuted @ PlanFailure::Refuted { .. }) => {
                    let made = MadePlan::from(planner.fresh()?);
                    return Ok(Some(MadePlan { doubt: Some(refuted.to_string()), ..made }));
                }
                planned => planned?,
            },
            PlanWork::Footprints(prints) => on_footprints(planner, prints)?,
            PlanWork::Redirect(way) => planner.redirect(&way.motion, way.time)?,
            PlanWork::Lengthen(way) => planner.lengthened(&way.motion, way.time)?,
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
    /// True if the time has come to take it.
    pub fn is_due(&self, time: f64) -> bool {
        Self::comes(self.due, time)
    }

    fn comes(due: f64, time: f64) -> bool {
        time + 1e-6 >= due
    }

    /// The result of the planning, once it is due.
    pub fn poll(&self, time: f64) -> Option<PlanResult> {
        self.is_due(time).then(|| self.job.result().clone())
    }

    /// The time of the motion that was under way from which on it changes.
    pub fn leaves_at(&self) -> Option<f32> {
        match &self.job.work {
            PlanWork::Repair(way) | PlanWork::Redirect(way) | PlanWork::Lengthen(way) => {
                Some(way.time)
            }
            _ => None,
        }
    }

    /// True if it is a repair.
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
    /// What is made beside the steps.
    under_way: Vec<Arc<PlanJob>>,
}

impl PlanQueue {
    pub fn new(settings: &PlannerSettings) -> Self {
        let ways = settings.ways_in_a_step;
        Self { settings: *settings, busy_until: 0.0, ways, under_way: Vec::new() }
    }

    /// Lets another step begin. One that follows the last at once waits a little for what is made beside it: then none has to
    /// wait for all of it when it is due. That changes when things are made, and nothing of what comes out.
    pub fn begin_step(&mut self, people: usize) {
        self.ways = self.settings.ways_in_a_step.max(people / self.settings.people_per_way);
        for _ in 0..PATIENCE {
            self.under_way.retain(|job| job.result.get().is_none());
            if self.under_way.is_empty() {
                break;
            }
            std::thread::sleep(Duration::from_micros(100));
        }
    }

    /// True if another way may be looked for in this step that costs as much as so many.
    pub fn may_look(&mut self, cost: usize) -> bool {
        let may = self.ways > 0;
        self.ways = self.ways.saturating_sub(cost);
        may
    }

    /// True if a plan is made soon that is asked for now.
    pub fn has_room(&self, time: f64) -> bool {
        self.busy_until - time <= self.settings.backlog_seconds
    }

    /// Seconds until a plan can be taken of a motion that lasts about so long.
    pub fn seconds(&self, time: f64, lasts: f32) -> f64 {
        let work = (lasts + self.settings.plan_least) / self.settings.plan_rate;
        (self.busy_until - time).max(0.0) + f64::from(work)
    }

    /// Asks for a plan of a motion that lasts about so many seconds.
    pub fn ask(
        &mut self,
        time: f64,
        lasts: f32,
        planner: CharacterPlanner,
        work: PlanWork,
    ) -> PlanTicket {
        let due = time + self.seconds(time, lasts);
        self.busy_until = due;
        let job = Arc::new(PlanJob { planner, work, result: OnceLock::new() });
        let own = Arc::clone(&job);
        // Otherwise it is made when it is due.
        let make = move || {
            let _ = own.result();
        };
        if !PlanTicket::comes(due, time) && parallel::beside(make) {
            self.under_way.push(Arc::clone(&job));
        }
        PlanTicket { job, due }
    }
}
