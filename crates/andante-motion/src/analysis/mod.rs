//! What a clip is about: when feet are down, where its strides begin, how fast it goes and where to.

mod classify;
mod contact;
mod cycles;
mod frames;
mod gait;
mod ground;
mod limits;
mod motion;
mod posture;
mod settle;
mod touch;
mod travel;

pub use classify::{Bearing, ClipSegment, Direction, MotionClass, Sharpness};
pub use cycles::{Cycle, LoopPoint};
pub use frames::Oddity;
pub use gait::{Footfalls, Gait};
pub use ground::ClipGround;
pub use limits::{ClassLimits, ContactLimits};
pub use motion::NaturalUnits;
pub use posture::PostureLimits;
pub use touch::{TouchContacts, TouchLimits, TouchPart, touch_contacts};
pub use travel::Belt;

use crate::signal::median;
use andante_play::{Contacts, FootContacts, Interval};
use andante_skeleton::{Clip, Rig, Skeleton};
use contact::FootRuns;
use glam::Vec2;
use motion::FootMotion;
use std::ops::Range;
use thiserror::Error;

andante_skeleton::settings! {
    /// Thresholds of the analysis. The defaults are meant for any clip.
    pub struct AnalysisOptions: Copy {
        /// A body that turns by less than this over its way, in radians, goes straight. Usually 20° to 30°;
        /// the sway of the pelvis in walking is up to 10°.
        straight_below: f32 = 25.0f32.to_radians(), 0.0..;
        /// Up to this turn, in radians, a path veers; beyond, it turns. Usually 50° to 65°.
        veer_below: f32 = 58.0f32.to_radians(), 0.0..;
        /// Runs slower than this are jogs, in natural speeds (1 is 3 m/s for a human).
        jog_below: f32 = 1.15, 0.0..;
        /// Most frames that a dropout lasts, in natural times.
        longest_dropout: f32 = 0.5, 0.2..=1.0;
        /// Joints do not turn faster than this on average, in radians per natural time: by default twice what sprinters
        /// reach.
        fastest_turn: f32 = 3.6, 0.0..;
        /// The root does not travel faster than this, in natural speeds: by default four times a sprinter's.
        fastest_travel: f32 = 16.0, 0.0..;
        /// Longer clips, in natural times, are not taken for one cycle.
        longest_cycle: f32 = 15.0, 10.0..=30.0;
        /// How much farther, in radians, than twice what it ever turns in a frame a joint of a cycle may be at its end from where it began.
        cycle_seam: f32 = 3.0 * std::f32::consts::PI / 180.0, 0.0..=0.2;
        /// Slower belts than this are sliding feet, in natural speeds, and in radians per natural time.
        slowest_belt: f32 = 0.08, 0.03..=0.2;
        /// Feet that strike within this part of a stride strike together.
        together: f32 = 0.1, 0.05..=0.2;
        /// A point on the ground strays this many times farther than in its stillest moment. Stances of captured walks
        /// stray by half a millimetre and more within the shortest contact, which leaves them as they are.
        stray: f32 = 60.0, 20.0..=100.0;
        /// Among feet that stand still, one that does not is trusted to stay put as far as this times its stillest
        /// moment: its sole may not be quite where the rig believes.
        stray_roll: f32 = 1.2, 1.0..=2.0;
        /// If even that is this many times farther than the others stray, it does not stand.
        afloat: f32 = 4.0, 0.0..;
        /// What counts as a foot on the ground.
        contact: ContactLimits = ContactLimits::default() => check;
        /// What tells classes of motion apart.
        class: ClassLimits = ClassLimits::default() => check;
        /// What tells sitting, lying, crawling and climbing from walking.
        posture: PostureLimits = PostureLimits::default() => check;
        /// What counts as another part of the body on the ground.
        touch: TouchLimits = TouchLimits::default() => check;
    }
}

/// An error that keeps a clip from being analysed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum AnalysisError {
    /// The clip belongs to another skeleton.
    #[error("clip `{clip}` has {found} joints a frame, the skeleton has {expected}")]
    Clip {
        /// Name of the clip.
        clip: String,
        /// Joints per frame of the clip.
        found: usize,
        /// Joints of the skeleton.
        expected: usize,
    },
    /// The rig names a joint that the skeleton does not have.
    #[error("the rig uses joint {joint}; the skeleton has {joints}")]
    Rig {
        /// The joint.
        joint: usize,
        /// Joints of the skeleton.
        joints: usize,
    },
    /// The rig has no feet, or legs without joints.
    #[error("the rig has no feet to analyse")]
    NoFeet,
    /// The legs have no length.
    #[error("the legs of the rig have no length")]
    NoLength,
}

/// The travel of a clip, over the part of it in which it travels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipTravel {
    /// From when to when the body travels; the whole clip if it stays.
    pub interval: Interval,
    /// Way over the ground in metres.
    pub distance: f32,
    /// Mean speed in metres per second.
    pub speed: f32,
    /// Turn of the body in radians, positive to its left.
    pub heading_change: f32,
    /// Mean turn rate in radians per second.
    pub turn_rate: f32,
    /// Turn per metre of way, in radians: 1 over the radius of the path.
    pub curvature: f32,
    /// Where it leads.
    pub direction: Direction,
    /// How sharply.
    pub sharpness: Sharpness,
    /// Whether the body goes ahead, backward or sideways.
    pub bearing: Bearing,
}

/// The analysis of a clip: its ground, contacts, cycles and kinds of motion.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipAnalysis {
    /// The size of the body, in which all thresholds are measured.
    pub units: NaturalUnits,
    /// The frames of the clip that are motion: without an added first one.
    pub frames: Range<usize>,
    /// What is odd about the clip.
    pub oddities: Vec<Oddity>,
    /// The root stays while the feet slide back, as on a treadmill: how the ground moves. Speeds are those
    /// of the ground under the feet.
    pub belt: Option<Belt>,
    /// The last pose leads on to the first.
    pub cyclic: bool,
    /// The ground.
    pub ground: ClipGround,
    /// When heels and toes are down.
    pub contacts: Contacts,
    /// When other parts of the body are: hands, elbows, knees, pelvis, back and head, those that ever are.
    pub touching: Vec<TouchContacts>,
    /// When no foot is down, between two contacts.
    pub flights: Vec<Interval>,
    /// The phase of each frame of the clip in its stride, from 0 at a strike of the first foot; none
    /// where there is no stride.
    pub phase: Vec<Option<f32>>,
    /// The strides.
    pub cycles: Vec<Cycle>,
    /// Where the clip is best cut into a loop.
    pub loop_point: Option<LoopPoint>,
    /// Steps per second of all feet together; 0 without strides.
    pub cadence: f32,
    /// Middle of the strides' lengths in metres; 0 without strides.
    pub stride_length: f32,
    /// Middle of the strides' duty factors; 0 without strides.
    pub duty_factor: f32,
    /// In which order the feet come down; none without strides.
    pub footfalls: Option<Footfalls>,
    /// Way, speed and turning.
    pub travel: ClipTravel,
    /// The clip piece by piece.
    pub segments: Vec<ClipSegment>,
    /// The kind of the clip as a whole, with beginnings and ends of a walk or run told apart.
    pub class: MotionClass,
    /// How sure that is, from 0 to 1: the part of the clip that is of this kind, and how clearly it is.
    pub confidence: f32,
    /// The kind of the clip as a whole, where a walk that stops or climbs stairs is a walk, and what is not done on one's feet
    /// alone is another one.
    pub locomotion: MotionClass,
    /// Whether a run is slow.
    pub jog: bool,
}

impl ClipAnalysis {
    /// True if the root stays while the feet slide back.
    pub fn in_place(&self) -> bool {
        self.belt.is_some()
    }
}

/// Analyses a clip of any skeleton that has feet.
pub fn analyse(
    skeleton: &Skeleton,
    rig: &Rig,
    clip: &Clip,
    options: &AnalysisOptions,
) -> Result<ClipAnalysis, AnalysisError> {
    check(skeleton, rig, clip)?;
    let middle = clip.frame(clip.frame_count() / 2);
    let units = NaturalUnits::of(skeleton, rig)
        .or_else(|| NaturalUnits::in_pose(skeleton, rig, middle))
        .ok_or(AnalysisError::NoLength)?;
    let motion = FootMotion::new(skeleton, rig, clip, units, options);
    let feet = contact::contacts(&motion);
    let flights = classify::flights(&motion, &feet);
    let level = ground::lowest(&feet);
    let height = level.unwrap_or_else(|| lowest_point(&motion));
    let held = posture::postures(&motion, skeleton, rig, height, &options.posture);
    let climbs = posture::climbs(&motion, &feet, &options.posture);
    let classes = classify::classify(&motion, &feet, &flights, (&held, climbs));
    let strides = cycles::strides(&motion, &feet[0]);
    // Those of a cyclic clip may end in its next round, but its last frame begins one.
    let own = match motion.period {
        Some(period) => motion.own.start..motion.own.start + period,
        None => motion.own.clone(),
    };
    let in_clip = |stride: &&Range<usize>| {
        own.contains(&stride.start) && (motion.period.is_some() || own.contains(&stride.end))
    };
    let own_strides: Vec<Range<usize>> = strides.iter().filter(in_clip).cloned().collect();
    let cycles: Vec<Cycle> =
        own_strides.iter().map(|stride| cycles::cycle(&motion, &feet, stride)).collect();
    let phases = cycles::phases(&motion, &strides);
    let mut phase = vec![None; clip.frame_count()];
    for (slot, value) in phase[motion.first..].iter_mut().zip(&phases[motion.own.clone()]) {
        *slot = *value;
    }
    let middle = |value: fn(&Cycle) -> f32| median(cycles.iter().map(value));
    let duration = middle(|cycle| cycle.interval.length());
    let cadence = if duration > 0.0 { feet.len() as f32 / duration } else { 0.0 };
    let travel = travelled(&motion, &classes.moving, options);
    let jog = classes.locomotion == MotionClass::Run
        && travel.speed < options.jog_below * motion.units.speed;
    let first = motion.first;
    let ground = ground::measure(&motion, &feet);
    Ok(ClipAnalysis {
        touching: touch_contacts(skeleton, rig, clip, height, &options.touch),
        confidence: classes.confidence,
        units: motion.units,
        frames: first..clip.frame_count(),
        belt: motion.belt,
        cyclic: motion.period.is_some(),
        ground,
        contacts: clip_contacts(&motion, &feet),
        flights: intervals(&motion, flights.iter().map(|flight| flight.frames.clone())),
        phase,
        loop_point: cycles::best_loop(&motion, &own_strides),
        cadence,
        stride_length: middle(|cycle| cycle.stride_length),
        duty_factor: middle(|cycle| cycle.duty_factor),
        cycles,
        footfalls: gait::footfalls(&feet, &own_strides, options.together),
        travel,
        segments: classes.segments,
        class: classes.class,
        locomotion: classes.locomotion,
        jog,
        oddities: motion.oddities,
    })
}

fn check(skeleton: &Skeleton, rig: &Rig, clip: &Clip) -> Result<(), AnalysisError> {
    let joints = skeleton.len();
    if clip.joint_count() != joints {
        let (clip, found) = (clip.name().to_owned(), clip.joint_count());
        return Err(AnalysisError::Clip { clip, found, expected: joints });
    }
    if rig.feet.is_empty() || rig.feet.iter().any(|foot| foot.leg.is_empty()) {
        return Err(AnalysisError::NoFeet);
    }
    let feet = rig.feet.iter().flat_map(|foot| {
        let points = [foot.heel.joint, foot.ball.joint, foot.tip.joint];
        foot.leg.iter().copied().chain(foot.toes).chain(points)
    });
    let arms = rig.arms.iter().flat_map(|arm| arm.chain.iter().copied());
    let mut used = feet.chain(arms).chain([rig.hips]);
    match used.find(|&joint| joint >= joints) {
        Some(joint) => Err(AnalysisError::Rig { joint, joints }),
        None => Ok(()),
    }
}

fn travelled(motion: &FootMotion, moving: &Range<usize>, options: &AnalysisOptions) -> ClipTravel {
    let path: Vec<Vec2> = motion.path().value;
    let last = moving.end.max(moving.start + 1) - 1;
    let interval = Interval::new(motion.time(moving.start), motion.time(last));
    let distance = classify::way(&path, &(moving.start..last + 1));
    let seconds = interval.length();
    let over = |amount: f32, by: f32, least: f32| if by > least { amount / by } else { 0.0 };
    let smoothed = crate::signal::smooth(&motion.heading, motion.fps, motion.units.time).value;
    let heading_change = smoothed[last] - smoothed[moving.start];
    let (direction, sharpness) = classify::direction(heading_change, options);
    ClipTravel {
        interval,
        distance,
        speed: over(distance, seconds, 0.0),
        heading_change,
        turn_rate: over(heading_change, seconds, 0.0),
        curvature: over(heading_change, distance, 0.1 * motion.units.length),
        direction,
        sharpness,
        bearing: classify::bearing(motion, &path, moving),
    }
}

/// The lowest that any foot ever was, for clips in which none stands.
fn lowest_point(motion: &FootMotion) -> f32 {
    let points = motion.feet.iter().flat_map(|foot| foot.heel.iter().chain(&foot.ball));
    points.map(|point| point.y).fold(f32::INFINITY, f32::min)
}

fn clip_contacts(motion: &FootMotion, feet: &[FootRuns]) -> Contacts {
    let foot = |foot: &FootRuns| FootContacts {
        heel: intervals(motion, foot.heel.iter().cloned()),
        toe: intervals(motion, foot.toe.iter().cloned()),
    };
    Contacts { feet: feet.iter().map(foot).collect() }
}

/// Ranges of frames as times in the clip; what lies outside the clip's own frames is cut off.
fn intervals(motion: &FootMotion, runs: impl Iterator<Item = Range<usize>>) -> Vec<Interval> {
    runs.filter_map(|run| {
        let (start, end) = (run.start.max(motion.own.start), run.end.min(motion.own.end));
        // The end of a cyclic clip is its beginning: a single frame there says nothing new.
        let least = if motion.period.is_some() { 2 } else { 1 };
        (start + least <= end).then(|| Interval::new(motion.time(start), motion.time(end - 1)))
    })
    .collect()
}
