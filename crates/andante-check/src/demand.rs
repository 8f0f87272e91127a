//! What was asked for, told by whoever asked and not by whoever made the take.

use andante_skeleton::{Planar, Skeleton};
use andante_take::{BodyDrive, TakeCondition};
use andante_world::{GroundPatch, Obstacle};
use glam::{Vec2, Vec3};

/// A world, the parts of everybody in it, and what they are told.
#[derive(Clone, Debug, Default)]
pub struct Demand {
    /// The ground, piece by piece.
    pub ground: Vec<GroundPatch>,
    /// What stands or hangs in the way at the beginning.
    pub obstacles: Vec<Obstacle>,
    /// What the take is to be made under; anything if nothing is asked.
    pub conditions: Vec<TakeCondition>,
    /// Platforms that move; those the take says if nothing is asked.
    pub platforms: Option<Vec<DemandedPlatform>>,
    /// What is asked of each track, in the order of the take.
    pub parts: Vec<PartDemand>,
    /// What they are told to do, in the order of the scene; anything if nothing is asked.
    pub orders: Option<Vec<DemandedOrder>>,
}

/// The demands on one character of a take.
#[derive(Clone, Debug, Default)]
pub struct PartDemand {
    /// Its name; any if not given.
    pub name: Option<String>,
    /// How tall it is, in metres; any if not given.
    pub height: Option<f32>,
    /// Its bones; any if not given.
    pub skeleton: Option<Skeleton>,
    /// What moves it; anything if not given.
    pub drive: Option<BodyDrive>,
    /// Where it is to begin.
    pub start: Option<DemandedSpot>,
    /// Where it is to end; none for who is sent nowhere.
    pub goal: Option<DemandedSpot>,
}

/// A place to be at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DemandedSpot {
    /// As `(x, z)`.
    pub place: Vec2,
    /// The storey: the highest ground that is not higher than this. The highest of all if not given.
    pub height: Option<f32>,
    /// Where to face, from +Z towards +X, in radians; anywhere if not given.
    pub heading: Option<f32>,
}

/// A box that goes from stop to stop by itself. It waits at each stop and before it sets off, and its speed grows and falls as
/// 3u² − 2u³ does, no faster than the acceleration allows.
#[derive(Clone, Debug, PartialEq)]
pub struct DemandedPlatform {
    /// What it is called.
    pub name: String,
    /// Width, height and depth.
    pub size: Vec3,
    /// Where the middle of its underside is at the beginning and at each stop, and how it is turned, in radians.
    pub stops: Vec<(Vec3, f32)>,
    /// The greatest speed of any point of it, in m/s.
    pub speed: f32,
    /// The greatest acceleration of any point of it, in m/s².
    pub acceleration: f32,
    /// Seconds at each stop.
    pub wait: f32,
    /// Whether it goes from the last stop to the first instead of back.
    pub round: bool,
}

/// One thing that somebody is told to do.
#[derive(Clone, Debug, PartialEq)]
pub struct DemandedOrder {
    /// Who, as a part of the demand.
    pub who: usize,
    /// Its words, as events of the take have them.
    pub words: String,
    /// When.
    pub cue: DemandedCue,
    /// What.
    pub deed: DemandedDeed,
}

/// The moment at which somebody is told.
#[derive(Clone, Debug, PartialEq)]
pub enum DemandedCue {
    /// When what the same character was told before has ended.
    Next,
    /// So many seconds from the beginning.
    At(f32),
    /// When these orders have ended.
    After(Vec<usize>),
    /// When a character has come to where it was sent.
    Arrived(usize),
    /// When something is in a character's way.
    Blocked(usize),
    /// When two characters are as close as this, in metres.
    Near([usize; 2], f32),
}

/// The evidence of having done something.
#[derive(Clone, Debug, PartialEq)]
pub enum DemandedDeed {
    /// Is there in the end.
    Go(DemandedSpot),
    /// Comes by each of these, and is at the last one in the end.
    Along(Vec<DemandedSpot>),
    /// Comes to each of these in turn, round and round.
    Round(Vec<DemandedSpot>),
    /// Is in the air from one place to the other.
    Leap([Vec2; 2]),
    /// Faces this way in the end.
    Face(f32),
    /// Faces this point in the end.
    FacePoint(Vec2),
    /// Faces this character in the end, as it is meanwhile.
    FaceCharacter(usize),
    /// Stands, for so many seconds.
    Stand(f32),
    /// Stands in the end.
    Stop,
    /// Is so far behind this character, in metres.
    Follow(usize, f32),
    /// Puts its feet there, one after the other: the middle between heel and ball, and the way the foot points.
    Step(Vec<(usize, Planar)>),
    /// Is pushed by so many N·s.
    Push(f32),
    /// Something of this size comes from a point at this speed.
    Throw {
        /// Width, height and depth.
        size: f32,
        /// Where its middle is.
        from: Vec3,
        /// In m/s.
        speed: f32,
    },
    /// Lies in the end.
    Fall,
    /// Is on its feet in the end.
    GetUp,
    /// Nothing that is seen at once: to look somewhere, or to go faster from then on.
    Heed,
}

impl DemandedDeed {
    /// Spots it leads to.
    pub(crate) fn spots(&self) -> &[DemandedSpot] {
        match self {
            Self::Go(spot) => std::slice::from_ref(spot),
            Self::Along(spots) | Self::Round(spots) => spots,
            _ => &[],
        }
    }
}
