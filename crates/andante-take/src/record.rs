//! Recording as a stream.

use crate::file::TakeWriter;
use crate::frames::{BodyFrame, TrackEnd, TrackFrames, TrackStart};
use crate::{BodyDrive, Event, RigidTrack, ScalarCurve, Take, TakeFile, TakeFileError, TakeHead};
use crate::{TrackGoal, VectorCurve};
use andante_skeleton::rotation::nearest_sign;
use andante_skeleton::{Character, PlannedFootprint, SkinnedMesh, Transform};
use glam::{Quat, Vec3};
use std::path::Path;
use std::sync::Arc;

/// Frames of a track that are kept before they go to the file together.
pub(crate) const CHUNK: usize = 128;

/// Writes down what happens: to a file, frame after frame, so that memory stays flat however long it takes; or to a
/// [`Take`] in memory.
///
/// ```
/// use andante_skeleton::{Planar, Pose, humanoid};
/// use andante_take::{BodyFrame, ScalarCurve, TakeHead, TakeRecorder};
///
/// let human = humanoid();
/// let mut recorder = TakeRecorder::in_memory(TakeHead { name: "rest".into(), ..TakeHead::default() });
/// let track = recorder.add_track("Anna", &human, None);
/// recorder.curve(track, "pulse", "1/s");
/// let pose = Pose::rest(&human.skeleton);
/// for _ in 0..60 {
///     let body = Planar::default();
///     recorder.frame(track, &BodyFrame {
///         pose: &pose, body, curves: &[1.2], vectors: &[], torques: &[], physical: false, down: &[[true; 2]; 2],
///     });
///     recorder.end_frame()?;
/// }
/// let take = recorder.into_take()?;
/// assert_eq!(take.tracks[0].curve("pulse").len(), 60);
/// assert!(take.tracks[0].contacts.feet[0].heel_down(0.5));
/// # Ok::<(), andante_take::TakeFileError>(())
/// ```
pub struct TakeRecorder {
    head: TakeHead,
    tracks: Vec<TrackRecord>,
    things: Vec<RigidTrack>,
    events: Vec<Event>,
    frames: usize,
    file: Option<TakeWriter>,
}

struct TrackRecord {
    start: TrackStart,
    frames: TrackFrames,
    end: TrackEnd,
    /// Rotations of the frame before: neighbouring frames interpolate the short way.
    last: Vec<Quat>,
    /// The prints of feet that are down.
    prints: Vec<Option<PlannedFootprint>>,
}

impl TakeRecorder {
    /// Everything is kept in memory.
    pub fn in_memory(head: TakeHead) -> Self {
        let (tracks, things, events) = (Vec::new(), Vec::new(), Vec::new());
        Self { head, tracks, things, events, frames: 0, file: None }
    }

    /// Frames go to a file. It appears under its name when everything is written.
    pub fn to_file(head: TakeHead, path: &Path) -> Result<Self, TakeFileError> {
        let file = Some(TakeWriter::create(path)?);
        Ok(Self { file, ..Self::in_memory(head) })
    }

    /// The head of the take, parts of which may be known better in the end than at first: the ground of a way, say.
    pub fn head_mut(&mut self) -> &mut TakeHead {
        &mut self.head
    }

    /// Adds the track of a character that is there from now on; all tracks begin with the first frame.
    pub fn add_track(
        &mut self,
        name: &str,
        character: &Character,
        mesh: Option<Arc<SkinnedMesh>>,
    ) -> usize {
        let start = TrackStart {
            name: name.into(),
            character: character.clone(),
            mesh,
            rides: None,
            drive: None,
            curves: Vec::new(),
            vectors: Vec::new(),
            torques: Vec::new(),
        };
        let end = TrackEnd::new(character.rig.feet.len());
        let last = character.skeleton.joints().iter().map(|joint| joint.rest.rotation).collect();
        let prints = vec![None; character.rig.feet.len()];
        self.tracks.push(TrackRecord { frames: start.frames(), start, end, last, prints });
        self.tracks.len() - 1
    }

    /// Says before the first frame that a track has a curve of this name and unit.
    pub fn curve(&mut self, track: usize, name: &str, unit: &str) {
        let track = &mut self.tracks[track];
        track.start.curves.push(ScalarCurve::new(name, unit, Vec::new()));
        track.frames.scalars.push(Vec::new());
    }

    /// Says before the first frame that a track has a vector.
    pub fn vector(&mut self, track: usize, vector: VectorCurve) {
        let track = &mut self.tracks[track];
        track.start.vectors.push(vector);
        track.frames.vectors.push(Vec::new());
    }

    /// Says before the first frame that a track has the torque at a joint.
    pub fn torque(&mut self, track: usize, joint: &str) {
        let track = &mut self.tracks[track];
        track.start.torques.push(ScalarCurve::new(joint, "N·m", Vec::new()));
        track.frames.scalars.push(Vec::new());
    }

    /// Says which thing carries a track all the time.
    pub fn ride(&mut self, track: usize, thing: usize) {
        self.tracks[track].start.rides = Some(thing);
    }

    /// Says what moves a track.
    pub fn drive(&mut self, track: usize, drive: BodyDrive) {
        self.tracks[track].start.drive = Some(drive);
    }

    /// A thing that is there from now on.
    pub fn add_thing(&mut self, thing: RigidTrack) -> usize {
        self.things.push(RigidTrack { from: self.frames, places: Vec::new(), ..thing });
        self.things.len() - 1
    }

    /// The number of things so far.
    pub fn things(&self) -> usize {
        self.things.len()
    }

    /// Adds a frame to a track.
    pub fn frame(&mut self, track: usize, frame: &BodyFrame) {
        let time = self.time();
        let track = &mut self.tracks[track];
        let first = track.frames.transforms.len();
        track.frames.push(frame);
        for (joint, last) in track.frames.transforms[first..].iter_mut().zip(&mut track.last) {
            let rotation = joint.rotation * joint.rotation.length().recip();
            joint.rotation = nearest_sign(rotation, *last);
            *last = joint.rotation;
        }
        track.end.note(frame, time, self.head.fps);
    }

    /// Adds the place of a thing in this frame.
    pub fn place(&mut self, thing: usize, place: Transform) {
        self.things[thing].places.push(place);
    }

    /// Something happened.
    pub fn event(&mut self, event: Event) {
        self.events.push(event);
    }

    /// Keeps where a foot stands in this frame, and writes it down when it has left the ground; `sole` has heel, ball and
    /// tip, and the normal of the ground below them.
    pub fn foot(
        &mut self,
        track: usize,
        foot: usize,
        down: [bool; 2],
        sole: impl FnOnce() -> ([Vec3; 3], Vec3),
    ) {
        let (now, next) = (self.time(), self.time() + 1.0 / self.head.fps);
        let track = &mut self.tracks[track];
        let print = &mut track.prints[foot];
        if down == [false; 2] {
            track.end.footprints.extend(print.take());
            return;
        }
        let landing = print.as_ref().map_or(now, |print| print.landing);
        match print {
            // A foot that is flat shows best where it is.
            Some(print) if down != [true; 2] => print.take_off = next,
            _ => {
                let (points, normal) = sole();
                *print = Some(PlannedFootprint::of_sole(foot, points, normal, [landing, next]));
            }
        }
    }

    /// Feet that are down to the end leave their prints as well.
    fn lift_feet(&mut self) {
        for track in &mut self.tracks {
            track.end.footprints.extend(track.prints.iter_mut().filter_map(Option::take));
        }
    }

    /// Sets the goal of a track; the last one counts.
    pub fn goal(&mut self, track: usize, goal: Option<TrackGoal>) {
        self.tracks[track].end.goal = goal;
    }

    /// Seconds from the beginning to the frame that is recorded now.
    pub fn time(&self) -> f32 {
        self.frames as f32 / self.head.fps
    }

    /// The frame is complete; the next one begins.
    pub fn end_frame(&mut self) -> Result<(), TakeFileError> {
        self.frames += 1;
        if self.frames.is_multiple_of(CHUNK) { self.flush() } else { Ok(()) }
    }

    /// Sends what is kept to the file, if there is one.
    fn flush(&mut self) -> Result<(), TakeFileError> {
        let Some(file) = &mut self.file else { return Ok(()) };
        for (index, track) in self.tracks.iter_mut().enumerate() {
            if track.frames.len() > 0 {
                file.frames(index, &track.frames)?;
                track.frames.clear();
            }
        }
        Ok(())
    }

    /// Everything, in memory. What went to a file is read again.
    pub fn into_take(mut self) -> Result<Take, TakeFileError> {
        if self.file.is_some() {
            return self.into_file()?.load();
        }
        self.lift_feet();
        let fps = self.head.fps;
        let whole = |track: TrackRecord| track.start.track(track.frames, track.end, fps);
        let tracks = self.tracks.into_iter().map(whole).collect::<Result<_, _>>()?;
        Ok(Take { head: self.head, tracks, things: self.things, events: self.events })
    }

    /// The file, complete and under its name. What was recorded in memory has none.
    pub fn into_file(mut self) -> Result<TakeFile, TakeFileError> {
        self.flush()?;
        self.lift_feet();
        let file = self.file.take().ok_or(TakeFileError::NoFile)?;
        let starts = self.tracks.iter().map(|track| &track.start).collect::<Vec<_>>();
        let ends = self.tracks.iter().map(|track| &track.end).collect::<Vec<_>>();
        file.finish(&self.head, (&starts, &ends), &self.things, &self.events)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_skeleton::{Planar, Pose, humanoid};

    /// However long it takes, a recorder keeps no more than what goes to the file together, and nothing is lost.
    #[test]
    fn a_long_recording_is_not_kept_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let human = humanoid();
        let head = TakeHead::default();
        let mut recorder = TakeRecorder::to_file(head, &folder.path().join("long.take")).unwrap();
        for name in ["Anna", "Ben", "Cleo"] {
            let track = recorder.add_track(name, &human, None);
            recorder.curve(track, "pulse", "1/s");
            recorder.torque(track, "knee");
        }
        let pose = Pose::rest(&human.skeleton);
        let count = 20 * CHUNK + 7;
        let mut most = 0;
        for frame in 0..count {
            for track in 0..3 {
                let number = (frame * 3 + track) as f32;
                recorder.frame(
                    track,
                    &BodyFrame {
                        pose: &pose,
                        body: Planar::default(),
                        curves: &[number],
                        vectors: &[],
                        torques: &[-number],
                        physical: true,
                        down: &[[true; 2]; 2],
                    },
                );
            }
            let kept: usize = recorder.tracks.iter().map(|track| track.frames.len()).sum();
            most = most.max(kept);
            recorder.end_frame().unwrap();
        }
        assert!(most <= 3 * CHUNK, "{most} frames");
        let take = recorder.into_take().unwrap();
        for (index, track) in take.tracks.iter().enumerate() {
            let wanted = (0..count).map(|frame| (frame * 3 + index) as f32);
            assert!(track.curve("pulse").iter().copied().eq(wanted.clone()));
            assert!(track.torques[0].values.iter().map(|torque| -torque).eq(wanted));
        }
    }
}
