//! How good a take is.

use crate::collisions::{BodyEnvelope, Collisions};
use crate::{EventKind, Presence, TakeFileError, TakeSource, Track, TrackGoal, presences};
use andante_play::goal_error;
use andante_play::measure::{MeasureSettings, MotionMetrics, measure_motion};
use andante_skeleton::model_frames_but;
use andante_world::{Ground, MeshGround, Obstacle, SceneGround};
use glam::Vec3;

/// How far below the ground a sole can be and still be measured against it, in metres.
const DEEPEST: f32 = 0.5;

/// The quality of one track, by the names every command uses.
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
    /// Footprints.
    pub footsteps: usize,
    /// Footprints that are not on ground.
    pub footprints_off: usize,
    /// Frames in which some part of the body is inside an obstacle.
    pub collision_frames: usize,
    /// How deep at worst, in millimetres.
    pub collision_mm_max: f32,
    /// How good the motion is over the ground.
    pub motion: MotionMetrics,
}

/// Measures every track over the ground of the take, among what stands there.
pub fn measure(take: &dyn TakeSource) -> Result<Vec<TrackMetrics>, TakeFileError> {
    let ground = SceneGround::new(&take.head().ground);
    let presences = presences(take);
    let failed = |track: usize| {
        take.events()
            .iter()
            .any(|event| event.track == Some(track) && matches!(event.kind, EventKind::Failed(_)))
    };
    let measured = |index: usize| {
        let track = take.track(index)?;
        let mut metrics = match carried(take, &track, 0) {
            // Feet are measured against what they stand on.
            Some((seen, deck)) => seen.metrics(&deck),
            None => track.metrics(&ground),
        };
        metrics.reached &= !failed(index);
        let met = track.collisions(&presences);
        metrics.collision_frames = met.frames;
        metrics.collision_mm_max = 1e3 * met.depth;
        Ok(metrics)
    };
    (0..take.names().len()).map(measured).collect()
}

/// A track that rides on something, as if that had stayed where it began, and what it stands on. The frames of the
/// track begin with the given one of the take.
fn carried(take: &dyn TakeSource, track: &Track, from: usize) -> Option<(Track, MeshGround)> {
    let carrier = take.things().get(track.rides?)?;
    let first = *carrier.places.first()?;
    let mut deck = carrier.mesh.clone();
    deck.normals.clear();
    for at in &mut deck.positions {
        *at = first.transform_point(*at);
    }
    Some((track.seen_from(carrier, from), MeshGround::new(deck).ok()?))
}

/// Height of every foot's heel and ball above what it stands on, frame by frame; not finite where there is nothing below.
pub fn foot_heights(take: &dyn TakeSource, track: &Track) -> Vec<[Vec<f32>; 2]> {
    foot_heights_of(take, track, 0)
}

/// The same for a track whose frames begin with the given one of the take.
pub(crate) fn foot_heights_of(
    take: &dyn TakeSource,
    track: &Track,
    from: usize,
) -> Vec<[Vec<f32>; 2]> {
    match carried(take, track, from) {
        Some((seen, deck)) => seen.foot_heights(&deck),
        None => track.foot_heights(&SceneGround::new(&take.head().ground)),
    }
}

impl Track {
    /// What the body runs into, of what is there at that time.
    fn collisions(&self, presences: &[Presence]) -> Collisions {
        let envelope = BodyEnvelope::new(&self.character.skeleton);
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
        let settings = MeasureSettings::default();
        let missed = self.goal.and_then(|goal| self.missed(&goal, ground));
        let steps = self.body.windows(2);
        let is_off = |point: Vec3| !below(point).is_finite();
        let prints = self.footprints.iter();
        let within = |goal: &TrackGoal| {
            missed.is_none_or(|(far, turned)| far < goal.within_m && turned < goal.within_deg)
        };
        TrackMetrics {
            reached: self.goal.as_ref().is_none_or(within),
            goal_error_m: missed.map(|(far, _)| far),
            goal_heading_error_deg: missed.map(|(_, turned)| turned),
            way_m: steps.map(|pair| pair[0].position.distance(pair[1].position)).sum(),
            footsteps: self.footprints.len(),
            footprints_off: prints
                .filter(|print| [print.heel, print.ball, print.tip].into_iter().any(is_off))
                .count(),
            collision_frames: 0,
            collision_mm_max: 0.0,
            motion: measure_motion(skeleton, rig, &self.clip, &self.contacts, ground, &settings),
        }
    }

    /// How far from a goal it ended, in metres, on the ground and from level to level, and in degrees.
    fn missed(&self, goal: &TrackGoal, ground: &dyn Ground) -> Option<(f32, f32)> {
        let last = self.body.last()?;
        let pose = self.clip.frames().last()?;
        let mut models = pose.to_vec();
        self.character.skeleton.local_to_model(pose, &mut models);
        let hips = models.get(self.character.rig.hips)?.translation.y;
        Some(goal_error(*last, hips, (goal.place, goal.height), ground))
    }

    /// Height of every foot's heel and ball above the ground, frame by frame; not finite where there is none below.
    pub fn foot_heights(&self, ground: &dyn Ground) -> Vec<[Vec<f32>; 2]> {
        let upper_body = self.character.upper_body();
        let frames = model_frames_but(&upper_body, &self.character.skeleton, &self.clip);
        let feet = self.character.rig.feet.iter();
        feet.map(|foot| {
            [foot.heel, foot.ball].map(|point| {
                let above = |models: &Vec<_>| {
                    let at = point.position(models);
                    let below = ground.height_below(at + DEEPEST * Vec3::Y, f32::INFINITY);
                    below.map_or(f32::INFINITY, |height| at.y - height)
                };
                frames.iter().map(above).collect()
            })
        })
        .collect()
    }
}
