//! Frames of one body, before they are a track.

use crate::{BodyDrive, ScalarCurve, TakeFileError, Track, TrackGoal, VectorCurve};
use andante_play::{Contacts, FootContacts, Interval};
use andante_skeleton::{Character, Clip, Planar, PlannedFootprint, SkinnedMesh, Transform};
use glam::Vec3;
use std::ops::Range;
use std::sync::Arc;

/// One frame of one body, as a recorder is given it.
#[derive(Clone, Copy, Debug)]
pub struct BodyFrame<'a> {
    /// Every joint in its parent, the first in the world.
    pub pose: &'a [Transform],
    /// Where the body is and where it faces.
    pub body: Planar,
    /// One value for each curve of the track.
    pub curves: &'a [f32],
    /// One value for each vector of the track; not finite where there is none.
    pub vectors: &'a [Vec3],
    /// One value for each torque of the track.
    pub torques: &'a [f32],
    /// Whether it is moved by forces.
    pub physical: bool,
    /// Whether heel and ball are down, for each foot.
    pub down: &'a [[bool; 2]],
}

/// What is known of a track before its first frame.
#[derive(Clone, Debug)]
pub(crate) struct TrackStart {
    pub name: String,
    pub character: Character,
    pub mesh: Option<Arc<SkinnedMesh>>,
    pub rides: Option<usize>,
    pub drive: Option<BodyDrive>,
    /// Curves, vectors and torques without values.
    pub curves: Vec<ScalarCurve>,
    pub vectors: Vec<VectorCurve>,
    pub torques: Vec<ScalarCurve>,
}

/// What is known after the last frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct TrackEnd {
    pub contacts: Contacts,
    pub footprints: Vec<PlannedFootprint>,
    pub physical: Vec<Interval>,
    pub goal: Option<TrackGoal>,
}

/// Some frames one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct TrackFrames {
    pub transforms: Vec<Transform>,
    pub body: Vec<Planar>,
    /// Of curves, and then of torques.
    pub scalars: Vec<Vec<f32>>,
    pub vectors: Vec<Vec<Vec3>>,
}

impl TrackStart {
    /// Room for frames of this track.
    pub fn frames(&self) -> TrackFrames {
        TrackFrames {
            scalars: vec![Vec::new(); self.curves.len() + self.torques.len()],
            vectors: vec![Vec::new(); self.vectors.len()],
            ..TrackFrames::default()
        }
    }

    /// Bytes of memory that a frame fills.
    pub fn frame_bytes(&self) -> usize {
        self.character.skeleton.len() * size_of::<Transform>()
            + size_of::<Planar>()
            + (self.curves.len() + self.torques.len()) * size_of::<f32>()
            + self.vectors.len() * size_of::<Vec3>()
    }

    /// The whole track.
    pub fn track(
        self,
        frames: TrackFrames,
        end: TrackEnd,
        fps: f32,
    ) -> Result<Track, TakeFileError> {
        let skeleton = &self.character.skeleton;
        let clip = Clip::restored(self.name.clone(), skeleton, fps, frames.transforms)?;
        let mut scalars = frames.scalars.into_iter();
        let mut filled = |curves: Vec<ScalarCurve>| {
            let fill = |(curve, values)| ScalarCurve { values, ..curve };
            curves.into_iter().zip(scalars.by_ref()).map(fill).collect()
        };
        let (curves, torques) = (filled(self.curves), filled(self.torques));
        let vector = |(curve, values)| VectorCurve { values, ..curve };
        Ok(Track {
            name: self.name,
            mesh: self.mesh,
            rides: self.rides,
            drive: self.drive,
            clip,
            contacts: end.contacts,
            footprints: end.footprints,
            body: frames.body,
            curves,
            vectors: self.vectors.into_iter().zip(frames.vectors).map(vector).collect(),
            torques,
            physical: end.physical,
            goal: end.goal,
            character: self.character,
        })
    }
}

impl Track {
    /// What was known before its first frame.
    pub(crate) fn start(&self) -> TrackStart {
        let empty = |curve: &ScalarCurve| ScalarCurve::new(&curve.name, &curve.unit, Vec::new());
        let arrow = |curve: &VectorCurve| VectorCurve {
            name: curve.name.clone(),
            unit: curve.unit.clone(),
            at: curve.at,
            values: Vec::new(),
        };
        TrackStart {
            name: self.name.clone(),
            character: self.character.clone(),
            mesh: self.mesh.clone(),
            rides: self.rides,
            drive: self.drive,
            curves: self.curves.iter().map(empty).collect(),
            vectors: self.vectors.iter().map(arrow).collect(),
            torques: self.torques.iter().map(empty).collect(),
        }
    }

    /// What was known after the last.
    pub(crate) fn end(&self) -> TrackEnd {
        TrackEnd {
            contacts: self.contacts.clone(),
            footprints: self.footprints.clone(),
            physical: self.physical.clone(),
            goal: self.goal,
        }
    }

    /// Some of its frames.
    pub(crate) fn some_frames(&self, range: Range<usize>) -> TrackFrames {
        let joints = self.character.skeleton.len();
        let some = |curve: &ScalarCurve| curve.values[range.clone()].to_vec();
        TrackFrames {
            transforms: self.clip.transforms()[range.start * joints..range.end * joints].to_vec(),
            body: self.body[range.clone()].to_vec(),
            scalars: self.curves.iter().chain(&self.torques).map(some).collect(),
            vectors: self.vectors.iter().map(|v| v.values[range.clone()].to_vec()).collect(),
        }
    }
}

impl TrackFrames {
    pub fn push(&mut self, frame: &BodyFrame) {
        self.transforms.extend_from_slice(frame.pose);
        self.body.push(frame.body);
        for (values, value) in self.scalars.iter_mut().zip(frame.curves.iter().chain(frame.torques))
        {
            values.push(*value);
        }
        for (values, value) in self.vectors.iter_mut().zip(frame.vectors) {
            values.push(*value);
        }
    }

    /// Those of later frames behind these.
    pub fn append(&mut self, mut later: Self) {
        self.transforms.append(&mut later.transforms);
        self.body.append(&mut later.body);
        for (own, mut later) in self.scalars.iter_mut().zip(later.scalars) {
            own.append(&mut later);
        }
        for (own, mut later) in self.vectors.iter_mut().zip(later.vectors) {
            own.append(&mut later);
        }
    }

    /// Keeps some of them alone.
    pub fn keep(&mut self, range: Range<usize>) {
        if range == (0..self.len()) {
            return;
        }
        let joints = self.transforms.len() / self.len().max(1);
        self.transforms = self.transforms[range.start * joints..range.end * joints].to_vec();
        self.body = self.body[range.clone()].to_vec();
        for values in &mut self.scalars {
            *values = values[range.clone()].to_vec();
        }
        for values in &mut self.vectors {
            *values = values[range.clone()].to_vec();
        }
    }

    /// Forgets everything and keeps the room.
    pub fn clear(&mut self) {
        self.transforms.clear();
        self.body.clear();
        self.scalars.iter_mut().for_each(Vec::clear);
        self.vectors.iter_mut().for_each(Vec::clear);
    }

    pub fn len(&self) -> usize {
        self.body.len()
    }
}

impl TrackEnd {
    pub fn new(feet: usize) -> Self {
        let contacts = Contacts { feet: vec![FootContacts::default(); feet] };
        Self { contacts, ..Self::default() }
    }

    /// Notes which feet are down and whether forces move the body, in the frame at a time.
    pub fn note(&mut self, frame: &BodyFrame, time: f32, fps: f32) {
        for (contact, [heel, ball]) in self.contacts.feet.iter_mut().zip(frame.down) {
            mark(&mut contact.heel, *heel, time, fps);
            mark(&mut contact.toe, *ball, time, fps);
        }
        mark(&mut self.physical, frame.physical, time, fps);
    }
}

/// Makes the last stretch longer, or begins another. They reach a little beyond their frames, so that rounding
/// loses none.
fn mark(intervals: &mut Vec<Interval>, is_so: bool, time: f32, fps: f32) {
    let edge = 0.1 / fps;
    if !is_so {
        return;
    }
    match intervals.last_mut() {
        Some(last) if time - last.end < 1.5 / fps => last.end = time + edge,
        _ => intervals.push(Interval::new((time - edge).max(0.0), time + edge)),
    }
}
