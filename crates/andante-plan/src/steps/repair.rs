//! Another way from the middle of a performance on.

use super::footprint::PlanarPrint;
use super::itinerary::{self, Arrival};
use super::meeting::Meeting;
use super::planned_motion::{PlannedMotion, Timings};
use super::planner::{Ahead, Constraints, Record, StepPlanner};
use super::plot::Plot;
use super::score::{FPS, Timeline, TimelineStep};
use super::splice::SplicedMotion;
use super::vocabulary::ActionMoment;
use super::{StepError, StepGround, StepJourney, StepLeg, StepOptions};
use andante_skeleton::{Planar, rotation};
use glam::Vec2;
use std::ops::Range;

/// The departure from a performance for another way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Departure {
    /// The first frame that changes.
    pub frame: usize,
    /// Where the character is then.
    pub from: Planar,
    /// Where its new way begins: straight ahead of that, or where it stands.
    pub at: Planar,
    /// Whether it comes to a stop there.
    pub halts: bool,
    /// Ways that lead back by more than this, in radians, are too sharp.
    pub(super) about: f32,
}

/// A performance that goes another way from some frame on.
#[derive(Clone, Debug)]
pub struct Repair {
    /// All of it.
    pub performance: PlannedMotion,
    /// Frames that are not those of the old performance, earlier or later.
    pub changed: Range<usize>,
}

/// The new part of a performance that goes another way, not put together yet with what is kept of the old one.
#[derive(Clone, Debug)]
pub struct RepairBranch {
    /// The new part. It goes on somewhat beyond where the old performance is taken up again.
    pub performance: PlannedMotion,
    /// The frame of the old performance that it begins with.
    pub cut: usize,
    /// A frame of the new part, and the frame of the old performance that is the same moment.
    pub again: Option<[usize; 2]>,
}

/// Another way: where it leads from a [`Departure`] on.
#[derive(Clone, Copy, Debug)]
pub struct Detour<'a> {
    /// How the old way is left.
    pub departure: Departure,
    /// The new way from there on.
    pub legs: &'a [StepLeg],
    /// Where it ends.
    pub goal: Planar,
    /// From this frame on, the old performance may be taken up again where the new way comes back to it; none if it
    /// leads somewhere else.
    pub again: Option<usize>,
}

impl Departure {
    /// True if a way to a goal leads back, which whoever does not halt cannot follow.
    pub fn is_too_sharp(&self, legs: &[StepLeg], goal: Vec2) -> bool {
        let ahead = next_place(self.at.position, legs, goal) - self.at.position;
        let turn = rotation::wrap_angle(libm::atan2f(ahead.x, ahead.y) - self.at.heading);
        // Whoever stands can turn.
        turn.abs() > self.about && !self.halts && self.at != self.from
    }
}

impl RepairBranch {
    /// The number of its frames that are part of the whole.
    pub fn frames(&self) -> usize {
        self.again.map_or(self.performance.body.len(), |[until, _]| until)
    }

    /// The old performance with this in it.
    pub fn grafted(&self, before: &PlannedMotion) -> Result<Repair, StepError> {
        let splice =
            SplicedMotion { before, cut: self.cut, after: &self.performance, again: self.again };
        let performance = splice.performance()?;
        let [first, end] = splice.changed();
        Ok(Repair { performance, changed: first..end })
    }
}

impl StepPlanner {
    /// Keeps a performance up to a time and then goes another way: to a new goal, or to the same one when
    /// the world has changed. The change is made at the next step, or after the jump that is under
    /// way; what comes before it is kept as it is.
    ///
    /// `legs` begin near where the character is then; [`PlannedMotion::body`] tells. Whoever has to know exactly where
    /// asks for the [`Self::departures`].
    pub fn repair(
        &self,
        before: &PlannedMotion,
        time: f32,
        legs: &[StepLeg],
        goal: Planar,
        world: &StepGround,
        options: &StepOptions,
    ) -> Result<PlannedMotion, StepError> {
        let departures = self.departures(before, time, options)?;
        let mut refused = StepError::NoSuchTime(time);
        for departure in departures {
            let mut legs = legs.to_vec();
            drop_passed(&mut legs, &departure);
            let detour = Detour { departure, legs: &legs, goal, again: None };
            match self.detour(before, &detour, world, options) {
                Ok(repair) => return Ok(repair.performance),
                Err(error) => refused = error,
            }
        }
        Err(refused)
    }

    /// The ways to leave a performance at the first step from a time on, those that look best first: a little straight on
    /// and into the bend, somewhat farther and slower, and to a stop, if need be a hard one.
    pub fn departures(
        &self,
        before: &PlannedMotion,
        time: f32,
        options: &StepOptions,
    ) -> Result<Vec<Departure>, StepError> {
        let settings = &self.vocabulary().settings;
        let about = settings.repair.about;
        let frame = cut(&before.record, time).ok_or(StepError::NoSuchTime(time))?;
        let TimelineStep { course: from, speed, stands, .. } = before.record.beats[frame];
        if stands {
            return Ok(vec![Departure { frame, from, at: from, halts: false, about }]);
        }
        let stopping = |braking: f32| speed * speed / (2.0 * braking);
        let usual = stopping(options.braking.max(0.5));
        let soon = 0.2 + 0.3 * speed;
        let ways = [
            (soon, false),
            (soon + 0.6 * usual, false),
            (usual + 0.4, true),
            (stopping(0.9 * settings.pace.hardest) + 0.15, true),
        ];
        let departure = |(way, halts): (f32, bool)| {
            let place = from.position + itinerary::forward(from.heading) * way;
            Departure { frame, from, at: Planar::new(place, from.heading), halts, about }
        };
        Ok(ways.map(departure).to_vec())
    }

    /// Leaves a performance for another way.
    pub fn detour(
        &self,
        before: &PlannedMotion,
        detour: &Detour,
        world: &StepGround,
        options: &StepOptions,
    ) -> Result<Repair, StepError> {
        self.branch(before, detour, world, options)?.grafted(before)
    }

    /// Another way out of a performance, by itself.
    pub fn branch(
        &self,
        before: &PlannedMotion,
        detour: &Detour,
        world: &StepGround,
        options: &StepOptions,
    ) -> Result<RepairBranch, StepError> {
        let began = options.clock.now();
        let record = &before.record;
        let &Detour { departure: Departure { frame: cut, from, at, halts, .. }, legs, goal, again } =
            detour;
        let beat = *record.beats.get(cut).ok_or(StepError::NoSuchTime(cut as f32 / FPS))?;
        let journey = StepJourney { start: at, goal, legs: legs.to_vec() };
        if detour.departure.is_too_sharp(legs, goal.position) {
            return Err(StepError::TooSharp { speed: beat.speed, radius: 0.0 });
        }
        let mut start = Timeline::new(self.vocabulary(), world, options);
        // The way from where the character sets off, and how fast it is there.
        let (way, entry) = if beat.stands {
            start.hold(at, self.vocabulary().settings.timeline.hold_before)?;
            (vec![at.position], ActionMoment::REST)
        } else if halts {
            let stop = [vec![from.position, at.position]];
            itinerary::travel(
                &mut start,
                from,
                &stop,
                Vec::new(),
                &Arrival::Rest(at),
                moment(&beat),
            )?;
            start.hold(at, self.vocabulary().settings.repair.pause)?;
            (vec![at.position], ActionMoment::REST)
        } else {
            (vec![from.position, at.position], moment(&beat))
        };
        let place = Planar::new(way[0], at.heading);
        let met = again.and_then(|after| {
            let Some(StepLeg::Walk(places)) = legs.first() else { return None };
            let way = [&way[..], places].concat();
            let meeting = Meeting::find(record, after, &way, self.vocabulary(), world)?;
            let mut score = start.clone();
            let to = Arrival::Meeting(&meeting);
            let is_met =
                itinerary::travel(&mut score, place, &[way], Vec::new(), &to, entry).ok()?;
            is_met.then_some((score, meeting))
        });
        let mut timings = Timings::default();
        let mut pins = standing_on(&record.plot, cut, self.vocabulary().settings.repair.down);
        let poses = [cut, cut.saturating_sub(1)].map(|frame| before.clip.frame(frame));
        let constraints = Constraints { continued: Some(poses), ..Constraints::default() };
        let (mut performance, again) = match met {
            Some((mut score, Meeting { frame, again, end, .. })) => {
                let met = score.beats.len();
                score.append(record.beats[frame..=end].iter().copied());
                pins.extend(prints_between(&record.plot, frame, end, met));
                let until = met + again - frame;
                let ahead = Some(Ahead { frame: until, pose: before.clip.frame(again) });
                let constraints = Constraints { pins: &pins, ahead, ..constraints };
                timings.scoring = options.clock.since(began);
                let performance = self.realise(&score, &constraints, world, &mut timings)?;
                (performance, Some([until, again]))
            }
            None => {
                let mut score = start;
                let mut journey = StepJourney { start: place, ..journey };
                journey.legs.insert(0, StepLeg::Walk(way[1..].to_vec()));
                itinerary::go(&mut score, &journey, entry)?;
                score.hold(goal, self.vocabulary().settings.timeline.hold_after)?;
                score.finish();
                timings.scoring = options.clock.since(began);
                let constraints = Constraints { pins: &pins, ..constraints };
                (self.realise(&score, &constraints, world, &mut timings)?, None)
            }
        };
        timings.total = options.clock.since(began);
        performance.timings = timings;
        Ok(RepairBranch { performance, cut, again })
    }
}

/// Where in its gait a character is.
fn moment(beat: &TimelineStep) -> ActionMoment {
    ActionMoment { speed: beat.speed.max(0.05), cycles: Some(beat.cycles.rem_euclid(1.0)) }
}

/// The first frame from a time on at which the way can change: standing, or as a foot comes down.
fn cut(record: &Record, time: f32) -> Option<usize> {
    if !(time.is_finite() && time >= 0.0) {
        return None;
    }
    let first = (time * FPS).ceil() as usize;
    let lands = |frame: usize| record.plot.stances.iter().any(|s| s.frames[0] == frame);
    (first..record.beats.len()).find(|&frame| {
        let beat = &record.beats[frame];
        beat.stands || (beat.act.is_none() && beat.rest < 0.5 && lands(frame))
    })
}

/// The footprints a character stands on, each with a frame from now on in which it still does.
fn standing_on(plot: &Plot, frame: usize, down: usize) -> Vec<(usize, PlanarPrint)> {
    let contacts = plot.stances.iter().zip(&plot.desired);
    let standing = contacts.filter(|(s, _)| s.frames[0] <= frame && frame <= s.frames[1]);
    standing.map(|(stance, print)| (down.min((stance.frames[1] - frame) / 2), *print)).collect()
}

/// The footprints between two frames, each with a frame of its contact if the first were another one.
fn prints_between(plot: &Plot, frame: usize, end: usize, met: usize) -> Vec<(usize, PlanarPrint)> {
    let contacts = plot.stances.iter().zip(&plot.desired);
    contacts
        .filter_map(|(stance, print)| {
            let (first, last) = (stance.frames[0].max(frame), stance.frames[1].min(end));
            (first <= last).then(|| (met + (first + last) / 2 - frame, *print))
        })
        .collect()
}

/// Leaves out places that a character which goes straight on passes anyway.
fn drop_passed(legs: &mut [StepLeg], departure: &Departure) {
    let Departure { from, at, .. } = departure;
    let way = 0.4 + 2.0 * from.position.distance(at.position);
    let ahead = itinerary::forward(from.heading);
    if let Some(StepLeg::Walk(places)) = legs.first_mut() {
        let last = places.len().saturating_sub(1);
        let near = |place: &Vec2| {
            let offset = *place - from.position;
            offset.length() < way || offset.dot(ahead) < 0.0 && offset.length() < 2.0 * way
        };
        let passed = places[..last].iter().take_while(|place| near(place)).count();
        places.drain(..passed);
    }
}

/// Where a way from a place to a goal leads to next.
fn next_place(from: Vec2, legs: &[StepLeg], goal: Vec2) -> Vec2 {
    let far = |place: &&Vec2| place.distance(from) > 0.5;
    let found = legs.iter().find_map(|leg| match leg {
        StepLeg::Walk(places) => places.iter().find(far).copied(),
        StepLeg::Jump(jump) => Some(jump.from),
    });
    found.unwrap_or(goal)
}
