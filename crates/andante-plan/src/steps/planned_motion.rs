//! What comes out.

use super::StepGround;
use super::duck::head_room;
use super::footprint::PlannedFootprint;
use andante_play::measure::{MeasureSettings, MotionMetrics, measure_motion};
use andante_play::{Contacts, goal_error};
use andante_skeleton::{Character, Clip, Planar, Transform};

/// A motion from start to goal, and how it was made.
#[derive(Clone, Debug)]
pub struct PlannedMotion {
    /// The frames, 60 a second.
    pub clip: Clip,
    /// When heels and balls are down.
    pub contacts: Contacts,
    /// Where, in the order in which feet leave the ground.
    pub footprints: Vec<PlannedFootprint>,
    /// Where the hips are, frame by frame.
    pub body: Vec<Planar>,
    /// Curvature of the way the body goes in 1/m, positive to the left, low-passed.
    pub curvature: Vec<f32>,
    /// Walking is 0, running 1.
    pub running: Vec<f32>,
    /// Speed along the way in m/s.
    pub speed: Vec<f32>,
    /// Mean angle in degrees by which joints differ from the clips they come from.
    pub pose_change_deg_mean: f32,
    /// The largest acceleration of the root in the clips it is made of, in m/s².
    pub clips_root_accel_max: f32,
    /// What it cost.
    pub timings: Timings,
    pub(super) record: super::planner::Record,
}

/// Milliseconds of each stage, by the rows of footstep-planning 4.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timings {
    /// Speed and phase along the way; not a row of the source, whose search gives both.
    pub scoring: f64,
    /// Footprints the clips make, and smoothing of the desired ones.
    pub smoothing: f64,
    /// Both refinements.
    pub refinement: f64,
    /// Body trajectory, and the poses along it.
    pub body_trajectory: f64,
    /// Curvature and the mixes of clips.
    pub blend_groups: f64,
    /// Body offset and legs.
    pub inverse_kinematics: f64,
    /// Everything.
    pub total: f64,
}

/// The quality of a performance, by the names every command uses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepMetrics {
    /// Distance from the goal at the end in metres, from level to level.
    pub goal_error_m: f32,
    /// Difference of the headings, in degrees.
    pub goal_heading_error_deg: f32,
    /// How good the motion is over the ground.
    pub motion: MotionMetrics,
    /// The largest acceleration of the root over that of the clips it is made of.
    pub root_accel_ratio: f32,
    /// Way of the hips over the distance from start to goal.
    pub path_length_ratio: f32,
    /// The least room above the body where it is under something that hangs low, in metres.
    pub head_room: Option<f32>,
}

impl PlannedMotion {
    /// Seconds it lasts.
    pub fn seconds(&self) -> f32 {
        self.clip.duration()
    }

    /// Measures it. `goal` is where it was to end, and how high the ground is there, if that is known.
    pub fn metrics(
        &self,
        character: &Character,
        goal: (&Planar, Option<f32>),
        world: &StepGround,
    ) -> StepMetrics {
        let (skeleton, rig) = (&character.skeleton, &character.rig);
        let last = self.body.last().copied().unwrap_or_default();
        let first = self.body.first().copied().unwrap_or_default();
        let way: f32 =
            self.body.windows(2).map(|pair| pair[0].position.distance(pair[1].position)).sum();
        let (place, height) = goal;
        let straight = first.position.distance(place.position);
        let hips = self.clip.frames().last().map_or(0.0, |pose| {
            let chain = skeleton.ancestors(rig.hips);
            chain.fold(Transform::IDENTITY, |below, joint| pose[joint] * below).translation.y
        });
        let (goal_error_m, goal_heading_error_deg) =
            goal_error(last, hips, (*place, height), world.ground);
        let settings = MeasureSettings::default();
        let (clip, contacts) = (&self.clip, &self.contacts);
        let motion = measure_motion(skeleton, rig, clip, contacts, world.ground, &settings);
        let pose_change_deg_mean = Some(self.pose_change_deg_mean);
        StepMetrics {
            goal_error_m,
            goal_heading_error_deg,
            motion: MotionMetrics { pose_change_deg_mean, ..motion },
            root_accel_ratio: motion.root_accel_max / self.clips_root_accel_max.max(1e-3),
            path_length_ratio: if straight > 1e-3 { way / straight } else { 1.0 },
            head_room: head_room(character, &self.clip, world.overhead),
        }
    }
}
