//! What happens when: the way, the phase of the gait and the clips played once, frame by frame.

use super::course::SampledCourse;
use super::duck;
use super::footprint::PlanarPrint;
use super::pace::{Pace, PaceLimits};
use super::rough::Rough;
use super::strides::{StrideEnds, Strides};
use super::vocabulary::{Action, ActionMoment, Vocabulary};
use super::{PaceSettings, StepError, StepGround, StepOptions, TimelineSettings};
use andante_play::repertoire::SolePhase;
use andante_skeleton::{Planar, ease, rotation};
use glam::{Vec2, Vec3};

/// Frames a second.
pub(super) const FPS: f32 = 60.0;

/// A frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimelineStep {
    /// Where the gait's body is.
    pub course: Planar,
    /// Cycles of the gait.
    pub cycles: f32,
    pub speed: f32,
    pub turn: f32,
    /// Share of standing, beyond what the speed says.
    pub rest: f32,
    /// Whether both feet stay where they are.
    pub stands: bool,
    /// The speed that gaits are mixed for at least.
    pub least: f32,
    pub act: Option<Act>,
}

/// A frame of a clip that is played once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Act {
    /// Index into [`Timeline::jumps`].
    pub jump: usize,
    /// From 0 to 1.
    pub at: f32,
    /// How much it counts against the gait.
    pub weight: f32,
    /// Where the clip's hips are.
    pub hips: Planar,
}

/// A clip that is played once, put somewhere.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlacedAction {
    pub action: usize,
    pub mirrored: bool,
    /// Metres added to the flight.
    pub longer: f32,
    /// Course at its ends.
    pub ends: [Planar; 2],
}

/// What a walk comes from and goes over into.
#[derive(Clone, Copy, Debug)]
pub(super) struct WalkJoins {
    pub entry: ActionMoment,
    pub exit: ActionMoment,
    /// Whether it has to end on the right foot and with a frame.
    pub exact: bool,
}

/// All frames.
#[derive(Clone)]
pub(super) struct Timeline<'a> {
    pub vocabulary: &'a Vocabulary,
    pub options: StepOptions,
    pub beats: Vec<TimelineStep>,
    pub jumps: Vec<PlacedAction>,
    /// Footprints that the ground asks for, with the time at which the body is above them.
    pub footholds: Vec<(f32, PlanarPrint)>,
    pub world: StepGround<'a>,
    clock: f32,
}

impl<'a> Timeline<'a> {
    pub fn new(vocabulary: &'a Vocabulary, world: &StepGround<'a>, options: &StepOptions) -> Self {
        Self {
            vocabulary,
            options: *options,
            beats: Vec::new(),
            jumps: Vec::new(),
            footholds: Vec::new(),
            world: *world,
            clock: 0.0,
        }
    }

    fn fill(&mut self, seconds: f32, beat: impl Fn(f32) -> TimelineStep) -> Result<(), StepError> {
        let (from, to) = (self.clock, self.clock + seconds);
        if to.is_nan() || to > self.vocabulary.settings.timeline.longest {
            return Err(StepError::TooLong(to));
        }
        loop {
            let time = self.beats.len() as f32 / FPS;
            if time >= to {
                break;
            }
            self.beats.push(beat(time - from));
        }
        self.clock = to;
        Ok(())
    }

    /// Stands.
    pub fn hold(&mut self, place: Planar, seconds: f32) -> Result<(), StepError> {
        let beat = TimelineStep {
            course: place,
            cycles: 0.0,
            speed: 0.0,
            turn: 0.0,
            rest: 1.0,
            stands: true,
            least: 0.0,
            act: None,
        };
        self.fill(seconds, |_| beat)
    }

    /// Turns on the spot, step by step.
    pub fn turn(&mut self, place: Planar, angle: f32) -> Result<Planar, StepError> {
        let TimelineSettings { step_turn, haste, .. } = self.vocabulary.settings.timeline;
        self.turn_by(place, angle, [step_turn, haste], smootherstep)
    }

    /// Turns round at a corner of its way, to go on.
    pub fn turn_round(&mut self, place: Planar, angle: f32) -> Result<Planar, StepError> {
        let settings = self.vocabulary.settings.timeline;
        self.turn_by(place, angle, [settings.corner_step_turn, settings.corner_haste], ease)
    }

    fn turn_by(
        &mut self,
        place: Planar,
        angle: f32,
        [most, haste]: [f32; 2],
        eased: fn(f32) -> f32,
    ) -> Result<Planar, StepError> {
        let settings = self.vocabulary.settings.timeline;
        let foot = usize::from(angle < 0.0);
        let steps = (angle.abs() / most).ceil().max(1.0) + 1.0;
        let from = self.set_off(foot);
        let cycles =
            self.fit(from, &ActionMoment::REST, 0.5 * steps, self.least_cycles(from), 0.5).0;
        let seconds = cycles / (haste * self.vocabulary.cadence(0.0));
        let least = 0.3 * self.vocabulary.slowest;
        let vocabulary = self.vocabulary;
        self.fill(seconds, |time| {
            let part = time / seconds;
            let turned = eased(part);
            let gone = cycles * part;
            TimelineStep {
                course: Planar::new(place.position, place.heading + angle * turned),
                cycles: from + gone,
                speed: 0.0,
                turn: 0.0,
                rest: settings.resting(gone).max(settings.settling(cycles - gone)).max(0.7),
                stands: false,
                least: least.min(vocabulary.pace),
                act: None,
            }
        })?;
        Ok(Planar::new(place.position, place.heading + angle))
    }

    /// The speed where nothing forbids it.
    pub fn pace(&self) -> f32 {
        self.options
            .pace
            .filter(|pace| pace.is_finite())
            .unwrap_or(self.vocabulary.pace)
            .clamp(0.3, 12.0)
    }

    /// Walks or runs along a course. Says whether it ends half a cycle away from the moment it was to
    /// end at, so that left and right change sides.
    pub fn walk(
        &mut self,
        course: &SampledCourse,
        WalkJoins { entry, exit, exact }: WalkJoins,
        foot: usize,
        steps: f32,
    ) -> Result<bool, StepError> {
        let settings = self.vocabulary.settings.timeline;
        let (vocabulary, world) = (self.vocabulary, self.world);
        let rough =
            Rough::along(course, &world, vocabulary, &self.options.feet, &mut self.world.level);
        let mut pace = self.walk_pace(course, &rough, [entry.speed, exit.speed])?;
        // Cycles as they come, then as many as lead to the right moment.
        let count = (pace.seconds * FPS).ceil() as usize + 1;
        let step = pace.seconds / (count - 1) as f32;
        let mut natural = vec![0.0f32; count];
        for index in 1..count {
            let speed = pace.speed((index as f32 - 0.5) * step);
            natural[index] = natural[index - 1] + step * self.vocabulary.cadence(speed);
        }
        let total = natural[count - 1];
        let from = entry.cycles.unwrap_or_else(|| self.set_off(foot));
        let least = match (entry.cycles, exit.cycles) {
            (None, None) => self.least_cycles(from).max(0.5 * steps - 0.15),
            (_, None) => 0.5 + settings.rest_after,
            (None, _) => 0.4,
            _ => 0.1,
        };
        let (cycles, swapped) = self.fit(from, &exit, total, least, if exact { 1.0 } else { 0.5 });
        let ratio = cycles / total.max(1e-3);
        if entry.cycles.is_none() && exit.cycles.is_none() && ratio > settings.haste {
            pace = pace.stretched(ratio / settings.haste);
        }
        if exact {
            if rough.has_steps() {
                return Ok(true);
            }
            let end = ((self.clock + pace.seconds) * FPS).round().max(1.0) / FPS;
            let factor = (end - self.clock) / pace.seconds;
            pace = pace.stretched(factor);
        }
        if rough.has_steps() {
            let ends = StrideEnds { entry: &entry, exit: &exit, cycles: [from, from + cycles] };
            let walk = Natural { pace: &pace, cycles: &natural, ratio, from, step };
            let speed = |way: f32| walk.speed_at(way);
            let strides =
                Strides::new(&rough, course, vocabulary, &ends, speed, |cycles| walk.way(cycles));
            if let Some(strides) = strides {
                return self.stride(course, &strides, entry, exit, from);
            }
        }
        let seconds = pace.seconds;
        let rests = [entry.cycles.is_none(), exit.cycles.is_none()];
        self.fill(seconds, |time| {
            let at = (time / seconds).clamp(0.0, 1.0) * (count - 1) as f32;
            let index = (at as usize).min(count - 2);
            let gone = natural[index] + (natural[index + 1] - natural[index]) * (at - index as f32);
            let gone = ratio * gone;
            let (way, speed) = (pace.way(time), pace.speed(time));
            let rest = settings.rest(rests, gone, cycles - gone);
            walking(vocabulary, course, [way, from + gone], speed, rest)
        })?;
        if exact {
            // The last frame is the next one's.
            let frames = (self.clock * FPS).round();
            self.beats.truncate(frames as usize);
            self.clock = frames / FPS;
        }
        Ok(swapped)
    }

    /// Speed along a course: slower at edges, on slopes and under what hangs low.
    fn walk_pace(
        &self,
        course: &SampledCourse,
        rough: &Rough,
        ends: [f32; 2],
    ) -> Result<Pace, StepError> {
        let limits = PaceLimits {
            pace: self.pace(),
            acceleration: self.options.acceleration.clamp(0.2, 10.0),
            braking: self.options.braking.clamp(0.2, 10.0),
            lateral: self.options.lateral.clamp(0.1, 20.0),
            settings: self.vocabulary.settings.pace,
        };
        let settings = self.vocabulary.settings.timeline;
        let low = duck::near_low(&self.world, &course.places);
        let edges = rough.near_edges();
        let usual = self.vocabulary.pace;
        let PaceSettings { slope_near, slope_ahead, .. } = limits.settings;
        let [near, around] = rough.slopes([slope_near * self.vocabulary.leg, slope_ahead]);
        let slopes = near.into_iter().zip(around).enumerate();
        let caps: Vec<f32> = slopes
            .map(|(k, slopes)| match (low.get(k), edges.get(k)) {
                (Some(true), _) | (_, Some(true)) => settings.careful_pace * usual,
                _ => limits.settings.on_slope(slopes, limits.pace, usual),
            })
            .collect();
        let pace = Pace::new(course, ends, &limits, &caps)?;
        if pace.seconds.is_nan() || pace.seconds > settings.longest {
            return Err(StepError::TooLong(pace.seconds));
        }
        Ok(pace)
    }

    /// Walks along a course by given strides.
    fn stride(
        &mut self,
        course: &SampledCourse,
        strides: &Strides,
        entry: ActionMoment,
        exit: ActionMoment,
        from: f32,
    ) -> Result<bool, StepError> {
        let begin = self.clock;
        let settings = self.vocabulary.settings.timeline;
        self.footholds.extend(strides.prints.iter().map(|&(cycles, print)| {
            let frame = strides.frames.partition_point(|frame| frame[1] < cycles);
            (begin + frame as f32 / FPS, print)
        }));
        let vocabulary = self.vocabulary;
        let rests = [entry.cycles.is_none(), exit.cycles.is_none()];
        let end = strides.end;
        self.fill(strides.seconds, |time| {
            let ([way, cycles], speed) = (strides.at(time), strides.speed(time));
            let rest = settings.rest(rests, cycles - from, end - cycles);
            walking(vocabulary, course, [way, cycles], speed, rest)
        })?;
        let apart = (end - exit.cycles.unwrap_or(end)).rem_euclid(1.0);
        Ok((apart - 0.5).abs() < 0.25)
    }

    /// Plays a jump.
    pub fn jump(&mut self, jump: PlacedAction) -> Result<(), StepError> {
        let index = self.jumps.len();
        let vocabulary = self.vocabulary;
        let action = &vocabulary.actions[jump.action];
        let seconds = action.seconds;
        let fade = self.options.fade.max(0.01).min(0.5 * seconds);
        let cycles = |moment: &ActionMoment| {
            if jump.mirrored { moment.swapped().cycles } else { moment.cycles }
        };
        let (entry, exit) = (cycles(&action.entry), cycles(&action.exit));
        let cadences = [action.entry.speed, action.exit.speed].map(|v| vocabulary.cadence(v));
        let score = self.clone_context();
        self.fill(seconds, |time| {
            let at = time / seconds;
            let (hips, course) = score.leap_at(&jump, at);
            let left = seconds - time;
            let (weight, gait) = if time < left {
                (ease(time / fade), entry.map(|cycles| cycles + time * cadences[0]))
            } else {
                (ease(left / fade), exit.map(|cycles| cycles + 2.0 - left * cadences[1]))
            };
            let speed = action.entry.speed + (action.exit.speed - action.entry.speed) * at;
            TimelineStep {
                course,
                cycles: gait.unwrap_or(0.0),
                speed,
                turn: 0.0,
                rest: if gait.is_none() { 1.0 } else { 0.0 },
                stands: false,
                least: 0.0,
                act: Some(Act { jump: index, at, weight, hips }),
            }
        })?;
        self.jumps.push(jump);
        Ok(())
    }

    /// Writes frames as they are given.
    pub fn append(&mut self, beats: impl Iterator<Item = TimelineStep>) {
        self.beats.extend(beats);
        self.clock = self.beats.len() as f32 / FPS;
    }

    /// The last frame, at the goal.
    pub fn finish(&mut self) {
        if let Some(&last) = self.beats.last() {
            self.beats.push(last);
        }
    }

    fn clone_context(&self) -> JumpContext<'a> {
        JumpContext { vocabulary: self.vocabulary }
    }

    /// The cycles at which somebody who stands sets off with a foot.
    pub(super) fn set_off(&self, foot: usize) -> f32 {
        let phase = (self.vocabulary.toe_off(foot) - self.vocabulary.settings.timeline.lead)
            .rem_euclid(1.0);
        self.vocabulary.cycles(phase, false)
    }

    /// A step with each foot.
    fn least_cycles(&self, from: f32) -> f32 {
        let first = (2.0 * from).floor() * 0.5 + 0.5;
        first + 0.5 + self.vocabulary.settings.timeline.rest_after - from - 1e-3
    }

    /// The number of cycles nearest to a natural one that ends at a moment, and whether left and right
    /// change sides; they do not if only whole cycles may be added.
    fn fit(
        &self,
        from: f32,
        exit: &ActionMoment,
        natural: f32,
        least: f32,
        unit: f32,
    ) -> (f32, bool) {
        let end = exit.cycles.unwrap_or(self.vocabulary.settings.timeline.rest_after);
        let first = (end - from).rem_euclid(unit);
        let candidates = (0..4000).map(|k| first + unit * k as f32).filter(|c| *c >= least);
        let unlike = |cycles: &f32| libm::logf((cycles / natural.max(1e-3)).max(1e-6)).abs();
        let mut best = (f32::INFINITY, least);
        for cycles in candidates {
            let here = unlike(&cycles);
            if here >= best.0 {
                break;
            }
            best = (here, cycles);
        }
        let apart = (from + best.1 - end).rem_euclid(1.0);
        (best.1, (apart - 0.5).abs() < 0.25)
    }
}

/// A frame of a walk, after a way and so many cycles.
fn walking(
    vocabulary: &Vocabulary,
    course: &SampledCourse,
    [way, cycles]: [f32; 2],
    speed: f32,
    rest: f32,
) -> TimelineStep {
    let ahead = course.at(way + 0.06).heading - course.at(way - 0.06).heading;
    TimelineStep {
        course: course.at(way),
        cycles,
        speed,
        turn: ahead / 0.12 * speed,
        rest,
        stands: false,
        least: if speed > vocabulary.border { 0.0 } else { 0.6 * vocabulary.slowest },
        act: None,
    }
}

/// A walk as it is on even ground.
struct Natural<'a> {
    pace: &'a Pace,
    /// Cycles of the gait, sample by sample, as they come.
    cycles: &'a [f32],
    /// What they are multiplied by.
    ratio: f32,
    from: f32,
    /// Seconds from sample to sample.
    step: f32,
}

impl Natural<'_> {
    /// Speed after a way.
    fn speed_at(&self, way: f32) -> f32 {
        let (mut low, mut high) = (0.0, self.pace.seconds);
        for _ in 0..16 {
            let middle = 0.5 * (low + high);
            *(if self.pace.way(middle) < way { &mut low } else { &mut high }) = middle;
        }
        self.pace.speed(low)
    }

    /// The way after so many cycles; beyond the ends it goes straight on.
    fn way(&self, cycles: f32) -> f32 {
        let own = (cycles - self.from) / self.ratio.max(1e-3);
        let last = self.cycles.len() - 1;
        let k = self.cycles.partition_point(|c| *c <= own).clamp(1, last);
        let (a, b) = (self.cycles[k - 1], self.cycles[k]);
        let time = self.step * ((k - 1) as f32 + (own - a) / (b - a).max(1e-6));
        let inside = time.clamp(0.0, self.pace.seconds);
        self.pace.way(inside) + (time - inside) * self.pace.speed(inside)
    }
}

/// What placing a jump needs.
#[derive(Clone, Copy)]
pub(super) struct JumpContext<'a> {
    vocabulary: &'a Vocabulary,
}

impl JumpContext<'_> {
    /// Where a jump has its hips, and the gait's course.
    fn leap_at(&self, leap: &PlacedAction, at: f32) -> (Planar, Planar) {
        let action = &self.vocabulary.actions[leap.action];
        let clip = &self.vocabulary.repertoire.clips()[action.clip];
        let flip = |place: Planar| if leap.mirrored { mirrored(place) } else { place };
        let base = leap_base(action, leap);
        let travelled = flip(clip.travel(at));
        let hips = base.then(&travelled);
        let [from, to] = action.flight;
        let shift = leap.longer * smootherstep((at - from) / (to - from).max(1e-3));
        let ahead = (leap.ends[1].position - leap.ends[0].position).normalize_or_zero();
        let hips = Planar::new(hips.position + ahead * shift, hips.heading);
        let seen = [flip(action.courses[0]), flip(clip.travel(1.0)).to(&flip(action.courses[1]))];
        let course = hips.then(&seen[0].lerp(&seen[1], at));
        // The first and last frames of a recording are often shaken.
        let end = at.min(1.0 - at) * action.seconds;
        let straight = straight_on(leap, [&action.entry, &action.exit], action.seconds, at);
        let own = ease(end / self.vocabulary.settings.timeline.shaken);
        let turn = own * rotation::wrap_angle(course.heading - straight.heading);
        let place = straight.position.lerp(course.position, own);
        (hips, Planar::new(place, straight.heading + turn))
    }
}

/// A course that goes on as it comes, and ends as it will go on.
fn straight_on(leap: &PlacedAction, ends: [&ActionMoment; 2], seconds: f32, at: f32) -> Planar {
    let [from, to] = leap.ends;
    let way = to.position - from.position;
    let ahead = way.normalize_or_zero();
    let (tt, ttt) = (at * at, at * at * at);
    let [leaves, arrives] = ends.map(|end| ahead * (end.speed * seconds));
    let place = from.position
        + way * (3.0 * tt - 2.0 * ttt)
        + leaves * (ttt - 2.0 * tt + at)
        + arrives * (ttt - tt);
    Planar::new(place, from.heading + at * rotation::wrap_angle(to.heading - from.heading))
}

/// Where the first placement of a jump's clip is.
fn leap_base(action: &Action, leap: &PlacedAction) -> Planar {
    let flip = |place: Planar| if leap.mirrored { mirrored(place) } else { place };
    let own = flip(Planar::new(action.ahead, 0.0)).position;
    let heading = rotation::wrap_angle(leap.ends[0].heading - libm::atan2f(own.x, own.y));
    let turned = Planar::new(Vec2::ZERO, heading);
    let start = turned.then(&flip(action.courses[0]));
    Planar::new(leap.ends[0].position - start.position, heading)
}

/// Left for right.
pub(super) fn mirrored(place: Planar) -> Planar {
    Planar::new(Vec2::new(-place.position.x, place.position.y), -place.heading)
}

/// Left for right.
pub(super) fn mirrored_sole(sole: SolePhase) -> SolePhase {
    let flip = |p: Vec3| Vec3::new(-p.x, p.y, p.z);
    SolePhase { heel: flip(sole.heel), ball: flip(sole.ball), ..sole }
}

impl TimelineSettings {
    /// Share of standing after some cycles of a walk.
    pub(super) fn resting(&self, gone: f32) -> f32 {
        1.0 - smootherstep(gone / self.setting_off)
    }

    /// Share of standing between two rests, or what is one of them.
    fn rest(&self, rests: [bool; 2], gone: f32, left: f32) -> f32 {
        let mut rest: f32 = 0.0;
        if rests[0] {
            rest = rest.max(self.resting(gone));
        }
        if rests[1] {
            rest = rest.max(self.settling(left));
        }
        rest
    }

    /// Share of standing with some cycles of a walk left.
    pub(super) fn settling(&self, left: f32) -> f32 {
        1.0 - smootherstep(left / self.settling)
    }
}

/// From 0 to 1 with two derivatives that vanish at the ends.
pub(super) fn smootherstep(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * t * (t * (6.0 * t - 15.0) + 10.0)
}
