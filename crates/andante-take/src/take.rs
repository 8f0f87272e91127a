//! What happened, frame by frame.

use crate::{
    BodyDrive, Event, ExportError, ExportSettings, RigidTrack, TakeCondition, TakeFileError,
    TrackMetrics, measure, write_glb,
};
use andante_play::{Contacts, Interval};
use andante_skeleton::{Character, Clip, Planar, PlannedFootprint, SkinnedMesh, Transform};
use andante_world::{GroundPatch, Obstacle};
use glam::Vec3;
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// A recording in memory: everybody's frames, things that move, and events.
#[derive(Clone, Debug)]
pub struct Take {
    /// What does not change.
    pub head: TakeHead,
    /// Everybody in it.
    pub tracks: Vec<Track>,
    /// What moves and is nobody: props and platforms.
    pub things: Vec<RigidTrack>,
    /// What happened, in order of time.
    pub events: Vec<Event>,
}

/// The head of a take: what is the same in every frame.
#[derive(Clone, Debug)]
pub struct TakeHead {
    /// What it is called: the scene, the clip or the body.
    pub name: String,
    /// One sentence about it.
    pub about: String,
    /// The seed it was made with.
    pub seed: u64,
    /// Frames per second of everything.
    pub fps: f32,
    /// The ground, piece by piece.
    pub ground: Vec<GroundPatch>,
    /// What stands or hangs in the way at the beginning.
    pub obstacles: Vec<Obstacle>,
    /// What it was made under; nothing where that is not known.
    pub conditions: Vec<TakeCondition>,
}

impl Default for TakeHead {
    fn default() -> Self {
        Self {
            name: String::new(),
            about: String::new(),
            seed: 0,
            fps: 60.0,
            ground: Vec::new(),
            obstacles: Vec::new(),
            conditions: Vec::new(),
        }
    }
}

/// The track of one body. All curves have one value for each frame of the clip.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// What the body is called.
    pub name: String,
    /// Its joints and their roles; segments of a rigid body are joints without roles.
    pub character: Character,
    /// The skin it is drawn with; a mannequin is made from its bones if there is none.
    pub mesh: Option<Arc<SkinnedMesh>>,
    /// The thing that carries it all the time, as an index into the things of the take.
    pub rides: Option<usize>,
    /// What moves it; none where that is not known.
    pub drive: Option<BodyDrive>,
    /// Its poses, placed in the world.
    pub clip: Clip,
    /// When heels and balls are down.
    pub contacts: Contacts,
    /// Where, in the order in which feet leave the ground.
    pub footprints: Vec<PlannedFootprint>,
    /// Where the body is and where it faces.
    pub body: Vec<Planar>,
    /// Named numbers, such as `speed`.
    pub curves: Vec<ScalarCurve>,
    /// Named points and forces, such as `centre of mass`.
    pub vectors: Vec<VectorCurve>,
    /// Torques at joints, by the names of the joints, in N·m.
    pub torques: Vec<ScalarCurve>,
    /// When it is moved by forces.
    pub physical: Vec<Interval>,
    /// The last place it was sent to.
    pub goal: Option<TrackGoal>,
}

/// A number over time.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ScalarCurve {
    /// What it is, such as `speed`.
    pub name: String,
    /// Its unit, such as `m/s`; empty for ratios.
    pub unit: String,
    /// One value for each frame.
    pub values: Vec<f32>,
}

impl ScalarCurve {
    /// A curve of some values.
    pub fn new(name: &str, unit: &str, values: Vec<f32>) -> Self {
        Self { name: name.into(), unit: unit.into(), values }
    }
}

/// A point or an arrow over time, in the world.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct VectorCurve {
    /// What it is, such as `ground force`.
    pub name: String,
    /// Its unit: `m` for a point, `N` for a force.
    pub unit: String,
    /// Of an arrow: which of the track's vectors is the point it begins at.
    pub at: Option<usize>,
    /// One value for each frame; not finite where there is none.
    pub values: Vec<Vec3>,
}

impl VectorCurve {
    /// A point without values so far.
    pub fn point(name: &str) -> Self {
        Self { name: name.into(), unit: "m".into(), ..Self::default() }
    }

    /// A force that acts at another of the vectors, without values so far.
    pub fn force(name: &str, at: usize) -> Self {
        Self { name: name.into(), unit: "N".into(), at: Some(at), values: Vec::new() }
    }
}

/// The goal of a track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackGoal {
    /// Place and heading.
    pub place: Planar,
    /// Height of the ground it is to stand on there; none where there is no ground.
    pub height: Option<f32>,
    /// It is reached from as near as this, in metres.
    pub within_m: f32,
    /// And turned by no more than this, in degrees.
    pub within_deg: f32,
}

impl Track {
    /// The curve of a name; empty if there is none.
    pub fn curve(&self, name: &str) -> &[f32] {
        let found = self.curves.iter().find(|curve| curve.name == name);
        found.map_or(&[], |curve| &curve.values)
    }

    /// The vectors of a name; empty if there are none.
    pub fn vector(&self, name: &str) -> &[Vec3] {
        let found = self.vectors.iter().find(|curve| curve.name == name);
        found.map_or(&[], |curve| &curve.values)
    }

    /// The same as if what carries it had stayed where it began. Its frames begin with the given one of the take.
    pub fn seen_from(&self, carrier: &RigidTrack, from: usize) -> Self {
        let skeleton = &self.character.skeleton;
        let first = carrier.places.first().copied().unwrap_or(Transform::IDENTITY);
        let back = |frame: usize| first * carrier.at(from + frame).unwrap_or(first).inverse();
        let mut transforms = self.clip.transforms().to_vec();
        for (frame, pose) in transforms.chunks_exact_mut(skeleton.len()).enumerate() {
            pose[0] = back(frame) * pose[0];
        }
        let placed = |(frame, body): (usize, &Planar)| {
            Planar::from_transform(&(back(frame) * body.to_transform()))
        };
        let clip = Clip::new(self.clip.name(), skeleton, self.clip.fps(), transforms);
        Self {
            // Moved by rigid motions it is a clip still.
            clip: clip.unwrap_or_else(|_| self.clip.clone()),
            body: self.body.iter().enumerate().map(placed).collect(),
            ..self.clone()
        }
    }
}

/// A take in memory or in a file. Pictures, measures and files for other programs are made from it alone, one track at
/// a time.
pub trait TakeSource {
    /// What does not change.
    fn head(&self) -> &TakeHead;

    /// The names of all tracks.
    fn names(&self) -> Vec<&str>;

    /// One track with all its frames.
    fn track(&self, index: usize) -> Result<Cow<'_, Track>, TakeFileError>;

    /// Some frames of a track, one at least: clip, body and curves begin with the first of them, everything else is whole.
    fn part(&self, index: usize, frames: Range<usize>) -> Result<Track, TakeFileError>;

    /// The same frames to be looked at: nothing is copied where the track is in memory.
    fn view(&self, index: usize, frames: Range<usize>) -> Result<TrackView<'_>, TakeFileError> {
        Ok(TrackView::whole(Cow::Owned(self.part(index, frames)?)))
    }

    /// What moves and is nobody.
    fn things(&self) -> &[RigidTrack];

    /// What happened, in order of time.
    fn events(&self) -> &[Event];

    /// Frames of a track.
    fn frames_of(&self, index: usize) -> usize;

    /// Frames of the longest track.
    fn frames(&self) -> usize {
        (0..self.names().len()).map(|track| self.frames_of(track)).max().unwrap_or(0)
    }

    /// Seconds until the last one is done.
    fn seconds(&self) -> f32 {
        self.frames().saturating_sub(1) as f32 / self.head().fps
    }

    /// The names of all tracks as parts of the names of files, each different.
    fn file_names(&self) -> Vec<String> {
        let mut taken = HashSet::new();
        let different = |name: &str| {
            let plain = slug(name);
            let numbered = (2..).map(|number| format!("{plain}-{number}"));
            let mut names = std::iter::once(plain.clone()).chain(numbered);
            names.find(|name| taken.insert(name.clone())).unwrap_or(plain)
        };
        self.names().into_iter().map(different).collect()
    }
}

/// Some frames of a track that may have more.
#[derive(Clone, Debug)]
pub struct TrackView<'a> {
    track: Cow<'a, Track>,
    frames: Range<usize>,
}

impl<'a> TrackView<'a> {
    /// All frames of a track.
    pub fn whole(track: Cow<'a, Track>) -> Self {
        let frames = 0..track.clip.frame_count();
        Self { track, frames }
    }

    /// Those of some frames that a track in memory has.
    pub fn of(track: &'a Track, frames: Range<usize>) -> Self {
        let last = frames.end.min(track.clip.frame_count());
        Self { track: Cow::Borrowed(track), frames: frames.start.min(last)..last }
    }

    /// The track. Of its clip, its body and its curves the frames may be others than those that are looked at.
    pub fn track(&self) -> &Track {
        &self.track
    }

    /// The poses of the frames, in order.
    pub fn poses(&self) -> impl DoubleEndedIterator<Item = &[Transform]> + ExactSizeIterator {
        self.frames.clone().map(|frame| self.track.clip.frame(frame))
    }
}

/// Bytes of a slug at most: with what is put before and after it, it is the name of a file everywhere.
const SLUG: usize = 100;

/// A name as the name of a file or a folder: letters and digits in lower case, everything else a hyphen, and not long.
pub fn slug(name: &str) -> String {
    let plain = name.replace(|c: char| !c.is_alphanumeric(), "-").to_lowercase();
    let short = plain.char_indices().take_while(|(at, c)| at + c.len_utf8() <= SLUG);
    let short: String = short.map(|(_, c)| c).collect();
    if short.is_empty() { "unnamed".into() } else { short }
}

impl Take {
    /// Seconds until the last one is done.
    pub fn seconds(&self) -> f32 {
        TakeSource::seconds(self)
    }

    /// Frames of the longest track.
    pub fn frames(&self) -> usize {
        TakeSource::frames(self)
    }

    /// Measures every track over the ground of the take, among what stands there.
    pub fn metrics(&self) -> Vec<TrackMetrics> {
        // What is in memory can be read.
        measure(self).unwrap_or_default()
    }

    /// The take as a `.glb` file.
    pub fn to_glb(&self) -> Result<Vec<u8>, ExportError> {
        let mut bytes = Vec::new();
        write_glb(self, &ExportSettings::default(), &mut bytes)?;
        Ok(bytes)
    }
}

impl TakeSource for Take {
    fn head(&self) -> &TakeHead {
        &self.head
    }

    fn names(&self) -> Vec<&str> {
        self.tracks.iter().map(|track| track.name.as_str()).collect()
    }

    fn track(&self, index: usize) -> Result<Cow<'_, Track>, TakeFileError> {
        self.tracks.get(index).map(Cow::Borrowed).ok_or(TakeFileError::NoTrack(index))
    }

    fn part(&self, index: usize, frames: Range<usize>) -> Result<Track, TakeFileError> {
        let track = self.track(index)?;
        track.start().track(track.some_frames(frames), track.end(), self.head.fps)
    }

    fn view(&self, index: usize, frames: Range<usize>) -> Result<TrackView<'_>, TakeFileError> {
        let track = self.tracks.get(index).ok_or(TakeFileError::NoTrack(index))?;
        Ok(TrackView::of(track, frames))
    }

    fn things(&self) -> &[RigidTrack] {
        &self.things
    }

    fn events(&self) -> &[Event] {
        &self.events
    }

    fn frames_of(&self, index: usize) -> usize {
        self.tracks.get(index).map_or(0, |track| track.clip.frame_count())
    }
}
