//! How good a take is.

use super::{CharacterTrack, EventKind, Presence, Take};
use crate::collisions::{Collisions, Envelope};
use crate::{BodyDrive, SceneGround};
use andante_motion::metrics::{BodyMetrics, FootMetrics, body_metrics, foot_metrics_over};
use andante_skeleton::rotation::wrap_angle;
use andante_world::{Ground, Obstacle};
use glam::{Vec2, Vec3};

/// How far below the ground a sole can be and still be measured against it, in metres.
const DEEPEST: f32 = 0.5;

/// Whoever ends as near as this has reached the goal: metres and degrees.
const REACHED: (f32, f32) = (1e-3, 0.5);

/// The same for those who stand there by forces, and sway.
pub(crate) const BY_FORCES: (f32, f32) = (0.1, 10.0);

/// How good one track is, by the names every command uses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackMetrics {
    /// Whether it came to where it was sent and nothing it was told to do failed.
    pub reached: bool,
    /// Distance from the goal at the end in metres, if there was one.
    pub goal_error_m: Option<f32>,
    /// Difference of the headings, in degrees.
    pub goal_heading_error_deg: Option<f32>,
    /// Way of the body over the ground, in metres.
    pub way_m: f32,
    /// Footprints that are not on ground.
    pub footprints_off: usize,
    /// Frames in which some part of the body is inside an obstacle.
    pub collision_frames: usize,
    /// How deep at worst, in millimetres.
    pub collision_mm_max: f32,
    /// The feet.
    pub feet: FootMetrics,
    /// The body.
    pub body: BodyMetrics,
}

impl TrackMetrics {
    /// Whether it ended so near to its goal, in metres and degrees, if it has one.
    fn is_within(&self, (metres, degrees): (f32, f32)) -> bool {
        self.goal_error_m.is_none_or(|missed| missed < metres)
            && self.goal_heading_error_deg.is_none_or(|turned| turned < degrees)
    }
}

impl Take {
    /// Measures every track over the ground of the scene, among what stands there.
    pub fn metrics(&self) -> Vec<TrackMetrics> {
        let ground = SceneGround::new(&self.scene);
        let failed = |track: usize| {
            self.events.iter().any(|event| {
                event.track == Some(track) && matches!(event.kind, EventKind::Failed(_))
            })
        };
        let presences = self.presences();
        let measured = |(index, track): (usize, &CharacterTrack)| {
            let part = self.scene.characters.get(index);
            let mut metrics = match self.deck(index) {
                // Feet are measured against what they stand on.
                Some((platform, own)) => track.seen_from(platform).metrics(&own),
                None => track.metrics(&ground),
            };
            if part.is_some_and(|part| part.nature == BodyDrive::Physical) {
                metrics.reached = metrics.is_within(BY_FORCES);
            }
            metrics.reached &= !failed(index);
            let met = track.collisions(&presences);
            metrics.collision_frames = met.frames;
            metrics.collision_mm_max = 1e3 * met.depth;
            metrics
        };
        self.tracks.iter().enumerate().map(measured).collect()
    }

    /// Seconds until the last one is done.
    pub fn seconds(&self) -> f32 {
        self.tracks.iter().map(|track| track.clip.duration()).fold(0.0, f32::max)
    }

    /// Frames of the longest track.
    pub fn frames(&self) -> usize {
        self.tracks.iter().map(|track| track.clip.frame_count()).max().unwrap_or(0)
    }
}

impl CharacterTrack {
    /// What the body runs into, of what is there at that time.
    fn collisions(&self, presences: &[Presence]) -> Collisions {
        let envelope = Envelope::new(&self.character.skeleton);
        let mut times: Vec<f32> = presences.iter().flat_map(|p| [p.from, p.until]).collect();
        times.extend([0.0, f32::INFINITY]);
        times.sort_by(f32::total_cmp);
        times.dedup();
        let mut found = Collisions::default();
        for span in times.windows(2) {
            let there = presences.iter().filter(|p| p.from <= span[0] && p.until >= span[1]);
            let obstacles: Vec<Obstacle> = there.map(|p| p.obstacle.clone()).collect();
            let last = self.clip.frame_count();
            let frame = |time: f32| ((time * self.clip.fps()).round() as usize).min(last);
            let frames = frame(span[0])..frame(span[1]);
            let met = envelope.touches(&self.clip, frames, &obstacles, |_| true).all;
            found.frames += met.frames;
            found.depth = found.depth.max(met.depth);
        }
        found
    }

    /// Measures the track over some ground, alone.
    pub fn metrics(&self, ground: &dyn Ground) -> TrackMetrics {
        let (skeleton, rig) = (&self.character.skeleton, &self.character.rig);
        let below = |point: Vec3| {
            let hit = ground.probe(point + DEEPEST * Vec3::Y, f32::INFINITY);
            hit.map_or(f32::NEG_INFINITY, |hit| hit.point.y)
        };
        let last = self.body.last();
        let missed = self.goal.zip(last).map(|(goal, last)| last.position.distance(goal.position));
        let turned = self
            .goal
            .zip(last)
            .map(|(goal, last)| wrap_angle(last.heading - goal.heading).abs().to_degrees());
        let steps = self.body.windows(2);
        let is_off = |point: Vec3| !below(point).is_finite();
        let prints = self.footprints.iter();
        let mut metrics = TrackMetrics {
            reached: false,
            goal_error_m: missed,
            goal_heading_error_deg: turned,
            way_m: steps.map(|pair| pair[0].position.distance(pair[1].position)).sum(),
            footprints_off: prints
                .filter(|print| [print.heel, print.ball, print.tip].into_iter().any(is_off))
                .count(),
            collision_frames: 0,
            collision_mm_max: 0.0,
            feet: foot_metrics_over(skeleton, rig, &self.clip, &self.contacts, below),
            body: body_metrics(skeleton, rig, &self.clip),
        };
        metrics.reached = metrics.is_within(REACHED);
        metrics
    }

    /// Height of every foot's heel and ball above the ground, frame by frame; not finite where there is none below.
    pub fn foot_heights(&self, ground: &dyn Ground) -> Vec<[Vec<f32>; 2]> {
        let frames = andante_skeleton::model_frames(&self.character.skeleton, &self.clip);
        let feet = self.character.rig.feet.iter();
        feet.map(|foot| {
            [foot.heel, foot.ball].map(|point| {
                let above = |models: &Vec<_>| {
                    let at = point.position(models);
                    let hit = ground.probe(at + DEEPEST * Vec3::Y, f32::INFINITY);
                    hit.map_or(f32::INFINITY, |hit| at.y - hit.point.y)
                };
                frames.iter().map(above).collect()
            })
        })
        .collect()
    }

    /// The way of the body, as `(x, z)`.
    pub fn way(&self) -> Vec<Vec2> {
        self.body.iter().map(|place| place.position).collect()
    }
}
