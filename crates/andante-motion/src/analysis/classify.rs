//! What kind of motion a clip is, as a whole and piece by piece.

use super::AnalysisOptions;
use super::contact::FootRuns;
use super::motion::{FootMotion, usual_hip_height};
use crate::signal::{Smooth, runs, seeded_runs, smooth, tidy};
use andante_play::Interval;
use glam::Vec2;
use std::ops::Range;

/// A kind of motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MotionClass {
    /// On the spot, facing the same way.
    Stand,
    /// Travelling with a foot on the ground at all times.
    Walk,
    /// Travelling with moments in the air; covers jogging.
    Run,
    /// In the air longer than running takes, or off both feet at once.
    Jump,
    /// Turning round without travelling.
    TurnInPlace,
    /// From standing to walking or running.
    Start,
    /// From walking or running to standing.
    Stop,
    /// On all fours.
    Crawl,
    /// On a seat, or on the ground with the trunk upright.
    Sit,
    /// On the ground.
    Lie,
    /// Up or down steps.
    Climb,
    /// None of these: on one's hands, or held otherwise.
    Other,
}

impl MotionClass {
    /// One word for reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stand => "stand",
            Self::Walk => "walk",
            Self::Run => "run",
            Self::Jump => "jump",
            Self::TurnInPlace => "turn in place",
            Self::Start => "start",
            Self::Stop => "stop",
            Self::Crawl => "crawl",
            Self::Sit => "sit",
            Self::Lie => "lie",
            Self::Climb => "climb",
            Self::Other => "other",
        }
    }
}

/// The direction of a path, seen by the character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Ahead.
    Straight,
    /// To the character's left.
    Left,
    /// To the character's right.
    Right,
}

/// The bearing of a travel, seen by the character: where it goes to from where it faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bearing {
    /// Where it faces.
    Ahead,
    /// Where its back is.
    Backward,
    /// To its left or right.
    Sideways,
}

impl Bearing {
    /// One word for reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ahead => "ahead",
            Self::Backward => "backward",
            Self::Sideways => "sideways",
        }
    }
}

/// The sharpness of a path's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sharpness {
    /// Not at all.
    None,
    /// A change of course.
    Veer,
    /// A turn at a corner, or more.
    Turn,
}

/// A piece of a clip of one kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipSegment {
    /// From when to when.
    pub interval: Interval,
    /// Its kind; stretches in which a walk or run begins or ends are not told apart here.
    pub class: MotionClass,
    /// Way over the ground in metres.
    pub distance: f32,
    /// Turn of the body in radians, positive to its left.
    pub heading_change: f32,
    /// Whether it goes ahead, backward or sideways.
    pub bearing: Bearing,
    /// How sure its kind is, from 0 to 1.
    pub confidence: f32,
}

/// A stretch in which no foot is down.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ClipFlight {
    pub frames: Range<usize>,
    pub jump: bool,
}

pub(super) fn flights(motion: &FootMotion, feet: &[FootRuns]) -> Vec<ClipFlight> {
    let limits = &motion.options.class;
    let mut down = vec![false; motion.frames()];
    for run in feet.iter().flat_map(|foot| &foot.stance) {
        down[run.clone()].fill(true);
    }
    let shortest = motion.frames_in(limits.flight).max(1);
    let mut found = runs(motion.frames(), |frame| !down[frame]);
    // What has no beginning or end in the clip cannot be told from a clip without contacts.
    found.retain(|run| run.len() >= shortest && run.start > 0 && run.end < motion.frames());
    found
        .into_iter()
        .map(|frames| ClipFlight { jump: is_jump(motion, feet, &frames), frames })
        .collect()
}

fn is_jump(motion: &FootMotion, feet: &[FootRuns], flight: &Range<usize>) -> bool {
    let limits = &motion.options.class;
    let natural = |frames: usize| frames as f32 / motion.fps / motion.units.time;
    let long = natural(flight.len());
    // The hips rise above the line from take-off to landing; otherwise only the contacts are unclear.
    let (first, last) = (motion.hips[flight.start].y, motion.hips[flight.end].y);
    let rise = flight.clone().map(|frame| {
        let along = (frame - flight.start) as f32 / flight.len() as f32;
        motion.hips[frame].y - (first + (last - first) * along)
    });
    if rise.fold(0.0, f32::max) < limits.rise * motion.units.length {
        return false;
    }
    if long >= limits.leap {
        return true;
    }
    // How long before the flight each foot left the ground, and how long after it each lands.
    let left = feet.iter().map(|foot| {
        let last = foot.stance.iter().rev().find(|run| run.end <= flight.start);
        last.map_or(f32::MAX, |run| natural(flight.start - run.end))
    });
    let together = left.fold(0.0, f32::max) < limits.together;
    let hop = feet.len() == 2
        && feet.iter().any(|foot| {
            foot.stance.iter().any(|run| run.end == flight.start)
                && foot.stance.iter().any(|run| run.start == flight.end)
        });
    (together && long >= limits.jump) || (hop && long >= limits.hop)
}

/// What a clip is, piece by piece and as a whole.
pub(super) struct Classes {
    pub segments: Vec<ClipSegment>,
    pub class: MotionClass,
    pub confidence: f32,
    pub locomotion: MotionClass,
    /// The frames in which the body travels, or all.
    pub moving: Range<usize>,
}

/// What each frame is held like, and whether the clip climbs.
type HeldFrames<'a> = (&'a [Option<MotionClass>], bool);

pub(super) fn classify(
    motion: &FootMotion,
    feet: &[FootRuns],
    flights: &[ClipFlight],
    (held, climbs): HeldFrames,
) -> Classes {
    let course = ClassifiedCourse {
        motion,
        path: motion.path(),
        heading: smooth(&motion.heading, motion.fps, motion.units.time),
    };
    let moving = course.moving();
    let kinds = course.kinds(feet, flights, &moving, held);
    let mut pieces: Vec<(Range<usize>, MotionClass)> = Vec::new();
    for (frame, &kind) in kinds.iter().enumerate() {
        match pieces.last_mut() {
            Some((range, last)) if *last == kind => range.end = frame + 1,
            _ => pieces.push((frame..frame + 1, kind)),
        }
    }
    let segments = course.segments(&pieces);
    let locomotion = course.locomotion(&kinds, &pieces);
    let travels = matches!(locomotion, MotionClass::Walk | MotionClass::Run);
    let still = |segment: Option<&ClipSegment>| {
        segment.is_some_and(|segment| {
            matches!(segment.class, MotionClass::Stand | MotionClass::TurnInPlace)
        })
    };
    let mut class = match (travels, still(segments.first()), still(segments.last())) {
        _ if travels && climbs => MotionClass::Climb,
        (true, true, false) => MotionClass::Start,
        (true, false, true) => MotionClass::Stop,
        _ => locomotion,
    };
    let held = course.held(&kinds);
    if let Some(held) = held {
        class = held;
    } else if climbs && matches!(locomotion, MotionClass::Stand | MotionClass::TurnInPlace) {
        class = MotionClass::Climb;
    }
    let locomotion = if held.is_some() { MotionClass::Other } else { locomotion };
    let travels = travels && held.is_none();
    let confidence = course.confidence(class, &kinds);
    let own = |run: &&Range<usize>| run.end > motion.own.start && run.start < motion.own.end;
    let from = moving.iter().filter(own).map(|run| run.start).min();
    let to = moving.iter().filter(own).map(|run| run.end).max();
    let span = match (travels, from, to) {
        (true, Some(from), Some(to)) => from.max(motion.own.start)..to.min(motion.own.end),
        _ => motion.own.clone(),
    };
    Classes { segments, class, confidence, locomotion, moving: span }
}

/// A motion with its smoothed path and heading.
struct ClassifiedCourse<'a> {
    motion: &'a FootMotion,
    path: Smooth<Vec2>,
    heading: Smooth<f32>,
}

impl ClassifiedCourse<'_> {
    /// Speed in a frame, in natural units.
    fn travel(&self, frame: usize) -> f32 {
        self.path.slope[frame].length() / self.motion.units.speed
    }

    fn distance(&self, range: &Range<usize>) -> f32 {
        way(&self.path.value, range)
    }

    /// The runs of frames in which the body gets on.
    fn moving(&self) -> Vec<Range<usize>> {
        let (motion, frames) = (self.motion, self.motion.frames());
        let limits = &motion.options.class;
        let piece = motion.frames_in(limits.piece).max(2);
        let moving = seeded_runs(
            frames,
            |frame| self.travel(frame) > limits.travel,
            |frame| self.travel(frame) > limits.travel_kept,
        );
        let mut moving = tidy(moving, piece, piece.min(frames));
        // Swaying to and fro is not going anywhere.
        moving.retain(|run| {
            let net = self.path.value[run.start].distance(self.path.value[run.end - 1]);
            let along = self.distance(run);
            net > limits.getting_on * along || along > limits.wandering * motion.units.length
        });
        moving
    }

    /// The runs of frames in which the body turns.
    fn turns(&self) -> Vec<Range<usize>> {
        let (motion, time) = (self.motion, self.motion.units.time);
        let limits = &motion.options.class;
        let piece = motion.frames_in(limits.piece).max(2);
        let turning = |frame: usize| self.heading.slope[frame].abs() * time;
        let turns = seeded_runs(
            motion.frames(),
            |frame| turning(frame) > limits.turn,
            |frame| turning(frame) > limits.turn_kept,
        );
        tidy(turns, piece, piece)
    }

    /// What each frame is part of.
    fn kinds(
        &self,
        feet: &[FootRuns],
        flights: &[ClipFlight],
        moving: &[Range<usize>],
        held: &[Option<MotionClass>],
    ) -> Vec<MotionClass> {
        let (motion, frames) = (self.motion, self.motion.frames());
        let limits = &motion.options.class;
        let mut kinds = vec![MotionClass::Stand; frames];
        let mut paint = |range: &Range<usize>, kind: MotionClass, over: fn(MotionClass) -> bool| {
            for slot in &mut kinds[range.clone()] {
                if over(*slot) {
                    *slot = kind;
                }
            }
        };
        self.turns().iter().for_each(|run| paint(run, MotionClass::TurnInPlace, |_| true));
        moving.iter().for_each(|run| paint(run, MotionClass::Walk, |_| true));
        let around = |range: &Range<usize>, margin: usize| {
            range.start.saturating_sub(margin)..(range.end + margin).min(frames)
        };
        let falling = motion.hip_acceleration();
        let doubtful = |flight: &ClipFlight| {
            let middle = (flight.frames.start + flight.frames.end) / 2;
            let short = flight.frames.len() < motion.frames_in(limits.doubtful_flight);
            let sum = falling[flight.frames.clone()].iter().sum::<f32>();
            let mean = sum / flight.frames.len() as f32;
            let travel = self.travel(middle);
            travel < limits.slow && (short || mean > limits.falling)
                || travel < limits.walked && mean > limits.borne
        };
        for run in runs(frames, |frame| self.travel(frame) > limits.fast) {
            paint(&run, MotionClass::Run, |kind| kind == MotionClass::Walk);
        }
        for flight in flights.iter().filter(|flight| !flight.jump && !doubtful(flight)) {
            let stride = around(&flight.frames, motion.frames_in(1.2));
            paint(&stride, MotionClass::Run, |kind| kind == MotionClass::Walk);
        }
        for flight in flights.iter().filter(|flight| flight.jump) {
            paint(&around(&flight.frames, motion.frames_in(1.0)), MotionClass::Jump, |_| true);
        }
        for run in runs(frames, |frame| motion.lying[frame]) {
            paint(&run, MotionClass::Other, |_| true);
        }
        // Two legs carry their hips high; many legs need not.
        let ground = super::ground::lowest(feet).unwrap_or(0.0);
        if usual_hip_height(motion, ground) < limits.low * motion.units.length && feet.len() == 2 {
            kinds.fill(MotionClass::Other);
        }
        for (slot, held) in kinds.iter_mut().zip(held) {
            // A flight over one's hands is a jump still.
            if let Some(held) =
                held.filter(|held| *slot != MotionClass::Jump || *held != MotionClass::Lie)
            {
                *slot = held;
            }
        }
        kinds
    }

    /// The posture that a clip is about, if it is not what feet do: what is held longest counts, if it is a good part of the clip.
    fn held(&self, kinds: &[MotionClass]) -> Option<MotionClass> {
        let limits = &self.motion.options.class;
        let own = &kinds[self.motion.own.clone()];
        let count = |class: MotionClass| own.iter().filter(|kind| **kind == class).count();
        let classes = [MotionClass::Sit, MotionClass::Lie, MotionClass::Crawl, MotionClass::Other];
        let (longest, class) =
            classes.map(|class| (count(class), class)).into_iter().max_by_key(|one| one.0)?;
        // On one's hands nobody stays long.
        let least = if count(MotionClass::Other) > 0 { 0.3 * limits.held } else { limits.held };
        let total: usize = classes.iter().map(|class| count(*class)).sum();
        (total as f32 >= least * own.len() as f32 && longest > 0).then_some(class)
    }

    /// How sure the kind of a clip is: how much of it there is.
    fn confidence(&self, class: MotionClass, kinds: &[MotionClass]) -> f32 {
        let own = &kinds[self.motion.own.clone()];
        let fits = |kind: &&MotionClass| match class {
            MotionClass::Start | MotionClass::Stop | MotionClass::Climb => {
                matches!(kind, MotionClass::Walk | MotionClass::Run | MotionClass::Stand)
            }
            class => **kind == class,
        };
        let share = own.iter().filter(fits).count() as f32 / own.len().max(1) as f32;
        // A jump or a turn is done when it has happened once.
        match class {
            MotionClass::Jump | MotionClass::TurnInPlace => 0.5 + 0.5 * share.min(1.0),
            _ => share,
        }
    }

    /// The pieces that the clip itself has.
    fn segments(&self, pieces: &[(Range<usize>, MotionClass)]) -> Vec<ClipSegment> {
        let motion = self.motion;
        let segment = |(range, class): &(Range<usize>, MotionClass)| {
            let range = range.start.max(motion.own.start)..range.end.min(motion.own.end);
            let last = range.end.checked_sub(1).filter(|last| *last >= range.start)?;
            Some(ClipSegment {
                interval: Interval::new(motion.time(range.start), motion.time(last)),
                class: *class,
                distance: self.distance(&range),
                heading_change: self.heading.value[last] - self.heading.value[range.start],
                bearing: bearing(motion, &self.path.value, &range),
                confidence: self.sureness(*class, &range),
            })
        };
        pieces.iter().filter_map(segment).collect()
    }

    /// How clearly a piece is of a kind: how far what decides is from where the line is drawn, and whether it lasts.
    fn sureness(&self, class: MotionClass, range: &Range<usize>) -> f32 {
        let (motion, limits) = (self.motion, &self.motion.options.class);
        let mean = |value: &dyn Fn(usize) -> f32| {
            range.clone().map(value).sum::<f32>() / range.len().max(1) as f32
        };
        let pace = mean(&|frame| self.travel(frame));
        let clear = match class {
            MotionClass::Stand => 1.0 - (pace / limits.travel).min(1.0),
            MotionClass::Walk => (pace / limits.travel - 1.0).clamp(0.0, 1.0),
            MotionClass::Run => (pace / limits.slow - 0.5).clamp(0.0, 1.0),
            MotionClass::TurnInPlace => {
                let turning = mean(&|frame| self.heading.slope[frame].abs() * motion.units.time);
                (turning / limits.turn - 0.5).clamp(0.0, 1.0)
            }
            _ => 1.0,
        };
        let lasts =
            (range.len() as f32 / motion.frames_in(2.0 * limits.piece).max(1) as f32).min(1.0);
        0.4 + 0.4 * clear + 0.2 * lasts
    }

    /// What the motion is as a whole, but for how it begins and ends.
    fn locomotion(
        &self,
        kinds: &[MotionClass],
        pieces: &[(Range<usize>, MotionClass)],
    ) -> MotionClass {
        let (motion, limits) = (self.motion, &self.motion.options.class);
        let others = kinds.iter().filter(|kind| **kind == MotionClass::Other).count();
        // All rounds of a cyclic clip count: a short loop goes as far as anybody likes.
        let total = |kind: MotionClass| -> f32 {
            let of_kind = pieces.iter().filter(|(_, class)| *class == kind);
            of_kind.map(|(range, _)| self.distance(range)).sum::<f32>() / motion.units.length
        };
        let (walked, run) = (total(MotionClass::Walk), total(MotionClass::Run));
        let jumps = pieces.iter().filter(|(_, class)| *class == MotionClass::Jump).count();
        let (first, last) = (motion.own.start, motion.own.end - 1);
        let turned = (self.heading.value[last] - self.heading.value[first]).abs();
        if 5 * others >= 2 * motion.frames() {
            MotionClass::Other
        } else if jumps > 0 && walked + run < 3.0 * jumps as f32 {
            MotionClass::Jump
        } else if run > walked && run > limits.distance {
            MotionClass::Run
        } else if walked + run > limits.distance && walked + run > 0.5 * turned {
            MotionClass::Walk
        } else if turned > limits.round {
            MotionClass::TurnInPlace
        } else {
            MotionClass::Stand
        }
    }
}

/// Where a path leads, from how far the body turns over it.
pub(super) fn direction(heading_change: f32, options: &AnalysisOptions) -> (Direction, Sharpness) {
    let size = heading_change.abs();
    if size < options.straight_below {
        (Direction::Straight, Sharpness::None)
    } else {
        let side = if heading_change > 0.0 { Direction::Left } else { Direction::Right };
        let sharp = if size < options.veer_below { Sharpness::Veer } else { Sharpness::Turn };
        (side, sharp)
    }
}

/// Where a travel leads, seen by the character: by most of the way.
pub(super) fn bearing(motion: &FootMotion, path: &[Vec2], range: &Range<usize>) -> Bearing {
    let (mut ahead, mut aside) = (0.0, 0.0);
    for frame in range.start + 1..range.end {
        let step = path[frame] - path[frame - 1];
        let (sin, cos) = (libm::sinf(motion.heading[frame]), libm::cosf(motion.heading[frame]));
        ahead += step.x * sin + step.y * cos;
        aside += step.x * cos - step.y * sin;
    }
    // Along the heading, or across it by more.
    match (ahead >= 0.0, aside.abs() > 1.2 * ahead.abs()) {
        (_, true) => Bearing::Sideways,
        (true, _) => Bearing::Ahead,
        (false, _) => Bearing::Backward,
    }
}

/// Way over the ground of a range of frames, in metres.
pub(super) fn way(path: &[Vec2], range: &Range<usize>) -> f32 {
    path[range.clone()].windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}
