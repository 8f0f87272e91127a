//! A clip over the ground as a take: recorded as it is played, so that long ones take no more memory than short ones.

use super::ground::GroundCounts;
use crate::failure::Failure;
use crate::take_output::TakeOutput;
use andante_motion::adapt::{AdaptedMoment, PlayedTimes, TakeError};
use andante_play::measure::{Mean, MeasureSettings};
use andante_play::{GroundClip, SupportKind};
use andante_skeleton::{Clip, Planar, Pose, SkinnedMesh, Transform, Wrap, rotation};
use andante_take::{
    BodyFrame, TakeFile, TakeFileError, TakeHead, TakeRecorder, VectorCurve, ground_around,
};
use andante_world::{Ground, Terrain};
use glam::{Quat, Vec3};
use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

/// Why a clip was not played to its end.
pub(super) enum Ended {
    Play(TakeError),
    Write(Failure),
}

impl From<TakeError> for Ended {
    fn from(error: TakeError) -> Self {
        Self::Play(error)
    }
}

/// A frame whose speed is not known yet.
struct Pending {
    pose: Vec<Transform>,
    targets: Vec<Vec3>,
    down: Vec<[bool; 2]>,
    soles: Vec<[Vec3; 3]>,
}

/// Records a clip that is played over a terrain.
pub(super) struct GroundTake<'a> {
    recorder: TakeRecorder,
    track: usize,
    clip: &'a GroundClip,
    /// The motion of a file as it is there.
    raw: Option<&'a Clip>,
    terrain: &'a Terrain,
    fps: f32,
    pending: VecDeque<Pending>,
    bodies: Vec<Planar>,
    models: Pose,
    source: Pose,
    span: [Vec3; 2],
    /// Undoes how the hips are turned at rest.
    rest: Quat,
    pub times: PlayedTimes,
    pub counts: GroundCounts,
    pub changed: Mean,
    pub costs: Vec<f32>,
    pub stopped: bool,
}

impl<'a> GroundTake<'a> {
    pub fn new(
        output: &TakeOutput,
        (clip, raw): (&'a GroundClip, Option<&'a Clip>),
        mesh: Option<SkinnedMesh>,
        (terrain, word): (&'a Terrain, &str),
        fps: f32,
    ) -> Result<Self, Failure> {
        let character = clip.character();
        let name = clip.clip().name().to_owned();
        let about = format!("{name} over {word}");
        let mut recorder = output.recorder(TakeHead { name, about, fps, ..TakeHead::default() })?;
        let track = recorder.add_track(&character.name, character, mesh.map(Arc::new));
        recorder.curve(track, "speed", "m/s");
        for foot in &character.rig.feet {
            recorder.vector(track, VectorCurve::point(&format!("{} ankle, target", foot.name)));
        }
        let rest = Pose::rest(&character.skeleton);
        Ok(Self {
            recorder,
            track,
            clip,
            raw,
            terrain,
            fps,
            pending: VecDeque::new(),
            bodies: Vec::new(),
            models: rest.clone(),
            source: rest,
            span: [Vec3::INFINITY, Vec3::NEG_INFINITY],
            rest: character.skeleton.rest_models()[character.rig.hips].rotation.conjugate(),
            times: PlayedTimes::default(),
            counts: GroundCounts::new(clip),
            changed: Mean::default(),
            costs: Vec::new(),
            stopped: false,
        })
    }

    /// The next frame.
    pub fn frame(&mut self, moment: &AdaptedMoment) -> Result<(), Ended> {
        let character = self.clip.character();
        let (skeleton, rig) = (&character.skeleton, &character.rig);
        self.costs.push(moment.microseconds);
        self.stopped |= moment.report.motion == SupportKind::Stopped;
        self.times.add(moment.report.time);
        self.counts.add(moment);
        self.raw.unwrap_or(self.clip.clip()).sample(
            moment.report.time,
            Wrap::Clamp,
            &mut self.source,
        );
        for (a, b) in moment.pose.iter().zip(self.source.iter()).skip(1) {
            self.changed.add(rotation::angle_between(a.rotation, b.rotation).to_degrees());
        }
        skeleton.local_to_model(moment.pose, &mut self.models);
        for model in self.models.iter() {
            let at = model.translation;
            self.span = [self.span[0].min(at), self.span[1].max(at)];
        }
        let hips = self.models[rig.hips];
        let facing = Transform::new(hips.rotation * self.rest, hips.translation);
        self.bodies.push(Planar::from_transform(&facing));
        let sole = |foot: &andante_skeleton::Foot| {
            [foot.heel, foot.ball, foot.tip].map(|point| point.position(&self.models))
        };
        self.pending.push_back(Pending {
            pose: moment.pose.to_vec(),
            targets: moment.feet.iter().map(|foot| foot.target.translation).collect(),
            down: moment.feet.iter().map(|foot| foot.down).collect(),
            soles: rig.feet.iter().map(sole).collect(),
        });
        let reach = self.reach();
        if self.pending.len() > reach { self.write().map_err(Ended::Write) } else { Ok(()) }
    }

    /// Frames before and after one over which its speed is taken: a tenth of a second together.
    fn reach(&self) -> usize {
        ((0.05 * self.fps).round() as usize).max(1)
    }

    /// Writes the first frame that is pending.
    fn write(&mut self) -> Result<(), Failure> {
        let Some(frame) = self.pending.pop_front() else { return Ok(()) };
        let (index, reach) = (self.bodies.len() - self.pending.len() - 1, self.reach());
        let (from, to) = (index.saturating_sub(reach), (index + reach).min(self.bodies.len() - 1));
        let way = self.bodies[from].position.distance(self.bodies[to].position);
        let speed = if to == from { 0.0 } else { way * self.fps / (to - from) as f32 };
        for (foot, (&down, &sole)) in frame.down.iter().zip(&frame.soles).enumerate() {
            let (terrain, probe) = (self.terrain, MeasureSettings::default());
            self.recorder.foot(self.track, foot, down, || {
                let middle = sole[0].midpoint(sole[1]) + Vec3::Y * probe.probe_above_m;
                let hit = terrain.probe(middle, probe.probe_below_m);
                (sole, hit.map_or(Vec3::Y, |hit| hit.normal))
            });
        }
        let frame = BodyFrame {
            pose: &frame.pose,
            body: self.bodies[index],
            curves: &[speed],
            vectors: &frame.targets,
            torques: &[],
            physical: false,
            down: &frame.down,
        };
        self.recorder.frame(self.track, &frame);
        self.recorder.end_frame().map_err(fail)
    }

    /// The take, complete, on the terrain around the way; and what was noted on it.
    pub fn finish(mut self) -> Result<(TakeFile, GroundNotes), Failure> {
        while !self.pending.is_empty() {
            self.write()?;
        }
        let ground = ground_around(self.span, 0.0, Some(self.terrain));
        self.recorder.head_mut().ground = vec![ground];
        let Self { times, counts, changed, mut costs, stopped, .. } = self;
        let mean = costs.iter().sum::<f32>() / costs.len().max(1) as f32;
        let frames = costs.len();
        costs.sort_by(f32::total_cmp);
        let p99 = costs.get(frames.saturating_sub(1) * 99 / 100).copied().unwrap_or(0.0);
        let notes = GroundNotes {
            times,
            counts,
            changed: changed.mean(),
            microseconds: [mean, p99],
            frames,
            stopped,
        };
        Ok((self.recorder.into_file().map_err(fail)?, notes))
    }
}

/// What was noted while a clip was played.
pub(super) struct GroundNotes {
    pub times: PlayedTimes,
    pub counts: GroundCounts,
    /// How much poses were changed on average, in degrees, compared with the file and not with what was planted of it.
    pub changed: f32,
    /// Mean cost of a frame, and the cost that 99 % stay below.
    pub microseconds: [f32; 2],
    pub frames: usize,
    pub stopped: bool,
}

fn fail(error: TakeFileError) -> Failure {
    Failure::export(Path::new("take"), &error.into())
}
