//! What is asked of a performance.

use crate::Clock;
use crate::route::RouteLeg;
use andante_play::blend_space::PlayerOptions;
use andante_play::{FeetSettings, GroundingSettings};
use andante_skeleton::{Planar, SettingError, told_apart};
use andante_world::{Ground, Obstacle};
use glam::Vec2;
use thiserror::Error;

/// From where to where, and which way.
#[derive(Clone, Debug, PartialEq)]
pub struct StepJourney {
    /// Where the hips are at first, and which way they face: the character stands.
    pub start: Planar,
    /// Where they are at last, exactly.
    pub goal: Planar,
    /// The way between, leg by leg. Without any, the way is straight.
    pub legs: Vec<RouteLeg>,
}

/// The ground of a planned motion.
#[derive(Clone, Copy)]
pub struct StepGround<'a> {
    /// Heights.
    pub ground: &'a dyn Ground,
    /// The closest place to a place that may be stepped on.
    pub walkable: &'a (dyn Fn(Vec2) -> Vec2 + Sync),
    /// What hangs low and is ducked under.
    pub overhead: &'a [Obstacle],
    /// Height of the ground where it begins; the highest ground there if it is not known.
    pub level: Option<f32>,
}

impl<'a> StepGround<'a> {
    /// Ground that may be stepped on everywhere.
    pub fn open(ground: &'a dyn Ground) -> Self {
        Self { ground, walkable: &|place| place, overhead: &[], level: None }
    }
}

andante_skeleton::settings! {
    /// Options of a planned motion. Lengths and speeds are those of an adult and are not scaled.
    pub struct StepOptions: Copy {
        /// Speed where nothing forbids it, in m/s; the repertoire's usual walk if there is none. Above its
        /// walks the character runs.
        pace: Option<f32> = None;
        /// How fast speed grows, in m/s². Less makes long starts.
        acceleration: f32 = 1.6, 1.0..=3.0;
        /// How fast it falls, in m/s². More looks like running into a wall.
        braking: f32 = 2.2, 1.0..=3.0;
        /// Acceleration to the side in bends, in m/s²: bounds the speed by curvature.
        lateral: f32 = 2.0, 1.0..=4.0;
        /// Seconds of a cross-fade into and out of a clip that is played once.
        fade: f32 = 0.3, 0.2..=0.4;
        /// Rounds of smoothing of the desired footprints.
        smoothing: usize = 4;
        /// Rounds of refinement of the desired footprints.
        refinement: usize = 10;
        /// Ground left between a rim and a foot that jumps, in metres.
        margin: f32 = 0.05, 0.0..;
        /// Corners of a way that turn by more than this, in radians, are turned round on the spot; from π on none is.
        hairpin: f32 = 4.0, 0.5..=4.0;
        /// How much of a way before and after a corner is its sides, in metres, however finely it is drawn.
        hairpin_length: f32 = 0.4, 0.05..=2.0;
        /// Whether it sets off with the other foot than the one that the way asks for.
        other_foot: bool = false;
        /// How feet reach, stand and swing.
        feet: FeetSettings = FeetSettings::default() => check;
        /// How gaits that leave the ground are played.
        player: PlayerOptions = PlayerOptions::default() => check;
        /// How their flights are put on ground that is not level.
        grounding: GroundingSettings = GroundingSettings::default() => check;
        /// What [`Timings`](super::Timings) are read from; without one they are zero.
        clock: Clock = Clock::default();
    }
}

/// An error that keeps a motion from being planned.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum StepError {
    /// A setting is out of its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A place or heading is NaN or infinite.
    #[error("{0} is not finite")]
    NonFinite(&'static str),
    /// The character does not go on two legs of two bones.
    #[error("footsteps are planned for two feet with legs of two bones; `{0}` has other legs")]
    Legs(String),
    /// The repertoire cannot walk.
    #[error("the repertoire has no gait to go with")]
    NoGait,
    /// The clip does not exist or leaves the ground nowhere.
    #[error("the repertoire has no jump `{0}`")]
    NoSuchJump(String),
    /// No jump reaches.
    #[error(
        "a gap of {gap:.2} m needs a jump of {} m, the longest clip reaches {} m",
        told_apart(*.needed, *.reach, 2), told_apart(*.reach, *.needed, 2)
    )]
    GapTooWide {
        /// Width of the gap in metres.
        gap: f32,
        /// With room for the feet on both sides.
        needed: f32,
        /// What the longest clip can be stretched to.
        reach: f32,
    },
    /// There is no room to come to the speed of a jump, or to lose it.
    #[error(
        "{} m are too short to go from {} m/s to {} m/s; {} m are needed",
        told_apart(*.room, *.needed, 2),
        told_apart(*.from, *.to, 1),
        told_apart(*.to, *.from, 1),
        told_apart(*.needed, *.room, 2)
    )]
    NoRunUp {
        /// Metres there are.
        room: f32,
        /// Metres it takes.
        needed: f32,
        /// Speed at first.
        from: f32,
        /// Speed at last.
        to: f32,
    },
    /// The way bends too sharply beside a jump.
    #[error(
        "a bend of {radius:.2} m cannot be taken at the {speed:.1} m/s that a jump leaves or needs"
    )]
    TooSharp {
        /// Speed in the bend, in m/s.
        speed: f32,
        /// Its radius in metres.
        radius: f32,
    },
    /// There are too few footprints to step on.
    #[error("footprints of both feet are needed, two at least; there are {0}")]
    TooFewFootprints(usize),
    /// No clips of the repertoire lead from the start to the goal over the places of a roadmap.
    #[error("no clips lead from the start to the goal over {0} places; more of them may help")]
    NoFootprints(usize),
    /// Something hangs too low.
    #[error(
        "`{name}` hangs {} m above the ground; the character needs {} m when it ducks",
        told_apart(*.height, *.needed, 2), told_apart(*.needed, *.height, 2)
    )]
    TooLow {
        /// What it is called.
        name: String,
        /// Above the ground, in metres.
        height: f32,
        /// As low as the character gets, in metres.
        needed: f32,
    },
    /// More frames than anybody would watch.
    #[error("the performance would last {0:.0} s")]
    TooLong(f32),
    /// A gait that nobody can place foot by foot has not come to the goal.
    #[error("its gait has not come to the goal after {0:.0} s")]
    NeverThere(f32),
    /// The time to repair from is not in the performance.
    #[error("there is nothing at {0} s to repair from")]
    NoSuchTime(f32),
}
