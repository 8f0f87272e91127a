//! Plans that an independent check has nothing against.

use super::draft::PlanTask;
use super::searched::{by_search, may_be_stepped, patiently};
use super::{CharacterPlanner, Draft, PlanFailure, footprints};
use crate::FootstepMethod;
use andante_check::{
    CheckSettings, Demand, DemandedSpot, PartDemand, Verdict, Violation, ViolationKind,
};
use andante_plan::steps::{FootstepSearchSettings, PlannedMotion, StepError, StepOptions};
use andante_play::{Contacts, FootContacts, Interval};
use andante_skeleton::Clip;
use andante_take::{Take, TakeHead, Track};
use andante_world::{Ground, Obstacle, ObstacleShape};
use glam::{Vec2, Vec3, Vec3Swizzles};

impl CharacterPlanner {
    /// A plan from the start to the goal that the check has nothing against: along a way if there is one, and on footsteps
    /// that are searched where it is the ground that is hard.
    pub(crate) fn verified(&self) -> Result<Draft, PlanFailure> {
        self.with_verdict().map(|(draft, _)| draft)
    }

    /// The same, with what the check says of it. Where that refutes every way, ways are tried again at a walk, and more and more
    /// gently: the strides are shorter, too. Then they are set off on with the other foot. What is so before anything has been
    /// done no way of going changes.
    pub(super) fn with_verdict(&self) -> Result<(Draft, Verdict), PlanFailure> {
        let failure = match self.by_any_means() {
            Err(failure @ PlanFailure::Refuted { at_start: false, .. }) => failure,
            Err(failure) if may_be_stepped(self, &failure) => {
                return self.by_patience().ok_or(failure);
            }
            planned => return planned,
        };
        for other_foot in [false, true] {
            let mut gentler = self.clone();
            gentler.trip.options.pace = None;
            gentler.trip.options.other_foot = other_foot;
            if other_foot && let Ok(planned) = gentler.along_a_way() {
                return Ok(planned);
            }
            for _ in 0..self.settings().gentler_tries.div_ceil(2) {
                gentler.slow_down();
                gentler.slow_down();
                if let Ok(planned) = gentler.along_a_way() {
                    return Ok(planned);
                }
            }
        }
        Err(failure)
    }

    /// A plan on footsteps that are searched for long, as far as they lead neither up nor down.
    fn by_patience(&self) -> Option<(Draft, Verdict)> {
        let [start, goal] = [&self.trip.start, &self.trip.goal].map(|post| {
            let from = post.height.map_or(1e4, |height| height + 0.1);
            self.world.place.ground.height_below(post.place.extend(from).xzy(), f32::INFINITY)
        });
        let is_level = (start? - goal?).abs() <= self.world.body.walker.step;
        let is_asked = is_level && self.settings().longer_search > 0;
        is_asked.then(|| by_search(self, patiently(self))).flatten()
    }

    fn by_any_means(&self) -> Result<(Draft, Verdict), PlanFailure> {
        self.along_a_way().or_else(|failure| {
            let usual = FootstepSearchSettings::default();
            let stepped = may_be_stepped(self, &failure).then(|| by_search(self, usual)).flatten();
            stepped.ok_or(failure)
        })
    }

    /// A plan along a way from the start to the goal that the check has nothing against. Where it has, the way is walked
    /// instead of run, and then places that cannot be passed are gone round.
    fn along_a_way(&self) -> Result<(Draft, Verdict), PlanFailure> {
        let mut closed: Vec<Vec2> = Vec::new();
        let mut first: Option<PlanFailure> = None;
        let mut slowly = false;
        for _ in 0..self.settings().tries {
            let walking = StepOptions { pace: None, ..self.trip.options };
            let mut planner = self.clone();
            if slowly {
                planner.trip.options = walking;
            }
            let (failure, place) = match planner.fresh_past(&closed) {
                Ok(draft) => {
                    let verdict = self.verdict(&draft.performance, true)?;
                    let Some(wrong) = verdict.wrong(None).next() else {
                        return Ok(planner.natural(draft, verdict, &closed));
                    };
                    let frame = (wrong.time_s * draft.performance.clip.fps()) as usize;
                    let place = draft.performance.body.get(frame).map(|body| body.position);
                    let is_end = wrong.kind < ViolationKind::ContactInAir;
                    let (found, at_start) =
                        (wrong.to_string(), self.is_so_at_start(wrong, &draft.performance));
                    (PlanFailure::Refuted { found, at_start }, place.filter(|_| !is_end))
                }
                Err((failure, place)) => (failure, place),
            };
            let failure = first.get_or_insert(failure).clone();
            let Some(place) = place else { return Err(failure) };
            if self.trip.options.pace.is_some() && !slowly {
                slowly = true;
            } else {
                closed.push(place);
            }
        }
        Err(first.unwrap_or(PlanFailure::NoFootprints))
    }

    /// A draft that is right, or one that is made more gently if that moves as nobody does and the gentler one as people do.
    fn natural(&self, draft: Draft, verdict: Verdict, closed: &[Vec2]) -> (Draft, Verdict) {
        if verdict.is_ok() {
            return (draft, verdict);
        }
        let mut gentler = self.clone();
        for _ in 0..self.settings().gentler_tries {
            gentler.slow_down();
            let Ok(other) = gentler.fresh_past(closed) else { continue };
            let Ok(of_other) = self.verdict(&other.performance, true) else { continue };
            if of_other.is_ok() {
                return (other, of_other);
            }
        }
        (draft, verdict)
    }

    /// Leaves a motion at a step to go on elsewhere, as gently as the check asks for.
    pub(crate) fn lengthened(
        &self,
        before: &PlannedMotion,
        time: f32,
    ) -> Result<Draft, PlanFailure> {
        let mut gentler = self.clone();
        let mut first: Option<PlanFailure> = None;
        for _ in 0..=self.settings().gentler_tries {
            let draft = gentler.redirect(before, time)?;
            let verdict = self.verdict(&draft.performance, false)?;
            let Some(wrong) = verdict.violations.first() else { return Ok(draft) };
            let found = wrong.to_string();
            first.get_or_insert(PlanFailure::Refuted { found, at_start: false });
            gentler.slow_down();
        }
        Err(first.unwrap_or(PlanFailure::NoFootprints))
    }

    /// Goes everywhere a little more gently.
    fn slow_down(&mut self) {
        let by = self.settings().gentler;
        let options = &mut self.trip.options;
        let pace = options.pace.or(self.world.body.planner.walking_pace());
        options.pace = pace.map(|pace| by * pace);
        for most in [&mut options.acceleration, &mut options.braking, &mut options.lateral] {
            *most = (by * *most).max(most.min(1.0));
        }
        // Feet that are carried up or down take longer.
        let climb = &mut options.feet.swing.climb;
        *climb = (*climb / by).min(climb.max(4.0));
    }

    /// Whether a motion is not to blame for what is wrong with it: it is so in its first frame, however long that is held.
    fn is_so_at_start(&self, wrong: &Violation, motion: &PlannedMotion) -> bool {
        let body = &self.world.body.character;
        let still = motion.clip.frame(0).repeat(2);
        let Ok(still) = Clip::new("still", &body.skeleton, motion.clip.fps(), still) else {
            return false;
        };
        let down = vec![Interval { start: 0.0, end: still.duration() }];
        let foot = FootContacts { heel: down.clone(), toe: down };
        let stands = Contacts { feet: vec![foot; body.rig.feet.len()] };
        let same = |other: &Violation| (other.kind, &other.what) == (wrong.kind, &wrong.what);
        self.judged(&still, stands, None).is_ok_and(|still| still.wrong(None).any(same))
    }

    /// A plan that nobody has checked.
    pub(crate) fn fresh(&self) -> Result<Draft, PlanFailure> {
        self.fresh_past(&[]).map_err(|(failure, _)| failure)
    }

    /// A plan by a way that keeps off places; why there is none, and where that shows if another way may help.
    fn fresh_past(&self, closed: &[Vec2]) -> Result<Draft, (PlanFailure, Option<Vec2>)> {
        if self.trip.footsteps == FootstepMethod::Roadmap {
            return footprints::by_roadmap(self).map_err(|failure| (failure, None));
        }
        let nowhere = |failure: PlanFailure| (failure, None);
        let task = PlanTask::Whole;
        let way = if closed.is_empty() {
            let narrow = self.world.narrow().map_err(|error| nowhere(error.into()))?;
            self.routes().way(&task, narrow)
        } else {
            let mut obstacles = self.world.obstacles.clone();
            obstacles.extend(closed.iter().map(|&at| self.closing(at)));
            let around = self.around(&obstacles, true).map_err(|error| nowhere(error.into()))?;
            self.routes().way(&task, &around)
        };
        let way = way.map_err(nowhere)?;
        let jump = way.journey.jumps.first().map(|jump| jump.from);
        let drafted =
            self.cleared(task, way).and_then(|cleared| self.draft(&PlanTask::Whole, cleared));
        drafted.map_err(|failure| {
            let may_pass = matches!(
                failure,
                PlanFailure::Steps(StepError::NoRunUp { .. } | StepError::TooSharp { .. })
            );
            (failure, jump.filter(|_| may_pass))
        })
    }

    /// What closes a place.
    fn closing(&self, at: Vec2) -> Obstacle {
        let low = self.world.place.ground.lowest().unwrap_or(0.0) - 1.0;
        let shape = ObstacleShape::Cylinder { radius: self.settings().closed, height: 1e4 };
        Obstacle { name: "closed".into(), shape, at: Vec3::new(at.x, low, at.y), heading: 0.0 }
    }

    /// What is to be said against a motion, as a take of one character alone in its world as it is now.
    pub(super) fn verdict(
        &self,
        motion: &PlannedMotion,
        from_start: bool,
    ) -> Result<Verdict, PlanFailure> {
        let spot = |post: &crate::Waypoint| DemandedSpot {
            place: post.place,
            height: post.height,
            heading: post.heading,
        };
        let start = Some(DemandedSpot { heading: None, ..spot(&self.trip.start) });
        let goal = Some(spot(&self.trip.goal));
        let start = start.filter(|_| from_start);
        let part = PartDemand { start, goal, ..PartDemand::default() };
        self.judged(&motion.clip, motion.contacts.clone(), Some(part))
    }

    fn judged(
        &self,
        clip: &Clip,
        contacts: Contacts,
        part: Option<PartDemand>,
    ) -> Result<Verdict, PlanFailure> {
        let mut track = Track::of_clip(&self.world.body.character, clip, contacts);
        track.name = "the body".into();
        let head = TakeHead {
            fps: clip.fps(),
            ground: self.world.place.patches.clone(),
            obstacles: self.world.obstacles.clone(),
            ..TakeHead::default()
        };
        let take = Take { head, tracks: vec![track], things: Vec::new(), events: Vec::new() };
        let demand = part.map(|part| Demand {
            ground: take.head.ground.clone(),
            obstacles: take.head.obstacles.clone(),
            parts: vec![part],
            ..Demand::default()
        });
        // It is planned from the middle of a body that walks or stands: hips may be beside that.
        let settings = CheckSettings {
            start: [0.5, 180.0],
            start_by_soles: false,
            ..CheckSettings::default()
        };
        andante_check::check(&take, demand.as_ref(), &settings)
            .map_err(|error| PlanFailure::Unchecked(error.to_string()))
    }
}
