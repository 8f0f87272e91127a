//! The part of a performance that a body keeps at hand.
//!
//! Each second of a performance takes about 46 KB, and a long way takes many seconds. A plan always comes out the same,
//! to the bit, so nothing is lost if only the frames of the next seconds are kept: before they run out the same plan is
//! made again, and the next ones are taken from it.

use super::floor::Surroundings;
use super::kind::ActorKind;
use andante_plan::steps::{PlannedMotion, StepError, StepJourney, StepOptions};
use andante_play::Contacts;
use andante_skeleton::{Planar, Transform};
use std::ops::Range;

/// Frames that are kept: eight seconds.
const KEPT: usize = 480;

/// Frames behind that are kept all the same.
const BEHIND: usize = 2;

/// More are asked for when fewer than this are left: what is looked at ahead, and time to wait for a turn to plan.
const SOON: usize = 180;

/// What a performance was planned from.
#[derive(Clone, Debug)]
pub(crate) struct BufferedPlan {
    pub journey: StepJourney,
    pub options: StepOptions,
    pub ducks: bool,
}

impl BufferedPlan {
    /// Makes the performance, which is the same every time.
    pub fn perform(
        &self,
        kind: &ActorKind,
        world: &Surroundings,
    ) -> Result<PlannedMotion, StepError> {
        world.with_world(self.ducks, |world| {
            kind.planner.perform(&self.journey, world, &self.options)
        })
    }
}

/// The next seconds of a performance.
#[derive(Clone, Debug)]
pub(crate) struct FrameBuffer {
    plan: BufferedPlan,
    fps: f32,
    /// All frames of the performance, and which of them are kept.
    count: usize,
    kept: Range<usize>,
    joints: usize,
    transforms: Vec<Transform>,
    moments: Vec<BufferedFrame>,
    pub contacts: Contacts,
    /// The largest acceleration of the root in the clips it is made of, in m/s².
    pub clips_root_accel_max: f32,
}

/// What is known of a frame besides its pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BufferedFrame {
    pub body: Planar,
    pub curvature: f32,
    pub running: f32,
    pub speed: f32,
}

impl FrameBuffer {
    /// Keeps what comes after a frame.
    pub fn new(plan: BufferedPlan, performance: &PlannedMotion, frame: usize) -> Self {
        let count = performance.body.len();
        let mut reel = Self {
            plan,
            fps: performance.clip.fps(),
            count,
            kept: 0..0,
            joints: performance.clip.joint_count(),
            transforms: Vec::new(),
            moments: Vec::new(),
            contacts: performance.contacts.clone(),
            clips_root_accel_max: performance.clips_root_accel_max,
        };
        reel.keep(performance, from(frame, count));
        reel
    }

    fn keep(&mut self, performance: &PlannedMotion, frames: Range<usize>) {
        let poses = poses(performance, &frames);
        self.transforms.clear();
        self.transforms.reserve_exact(poses.len());
        self.transforms.extend_from_slice(poses);
        self.moments.clear();
        self.moments.reserve_exact(frames.len());
        self.moments.extend(frames.clone().map(|frame| moment(performance, frame)));
        self.kept = frames;
    }

    /// What it was planned from, if the frames after this one have to be fetched.
    pub fn wants(&self, frame: usize) -> Option<&BufferedPlan> {
        (self.kept.end < self.count && self.kept.end < frame + SOON).then_some(&self.plan)
    }

    /// Takes the frames after this one from the same performance, made again; whether it is the same.
    pub fn fetch(&mut self, performance: &PlannedMotion, frame: usize) -> bool {
        let next = from(frame, self.count);
        if performance.body.len() != self.count || !self.kept.contains(&next.start) {
            return false;
        }
        let both = next.start..self.kept.end;
        let passed = both.start - self.kept.start;
        let moments = both.clone().map(|frame| moment(performance, frame));
        let same = moments.eq(self.moments[passed..].iter().copied())
            && self.transforms[passed * self.joints..] == *poses(performance, &both);
        if same {
            self.keep(performance, next);
        }
        same
    }

    pub fn seconds(&self) -> f32 {
        (self.count - 1) as f32 / self.fps
    }

    pub fn fps(&self) -> f32 {
        self.fps
    }

    /// The frame nearest to a time.
    pub fn frame(&self, time: f32) -> usize {
        ((time * self.fps).round() as usize).min(self.count - 1)
    }

    /// What is known of the moment at a time.
    pub fn moment(&self, time: f32) -> &BufferedFrame {
        let frame = self.frame(time).clamp(self.kept.start, self.kept.end - 1);
        &self.moments[frame - self.kept.start]
    }

    /// The pose at a time, written to `pose`.
    pub fn sample(&self, time: f32, pose: &mut [Transform]) {
        let at = (time * self.fps).max(0.0).min((self.count - 1) as f32);
        let whole = at as usize;
        let [now, next] = [whole, whole + 1].map(|frame| {
            let frame = frame.clamp(self.kept.start, self.kept.end - 1) - self.kept.start;
            &self.transforms[frame * self.joints..][..self.joints]
        });
        let share = at - whole as f32;
        for ((out, a), b) in pose.iter_mut().zip(now).zip(next) {
            out.translation = a.translation.lerp(b.translation, share);
            out.rotation = (a.rotation * (1.0 - share) + b.rotation * share).normalize();
        }
    }
}

/// The frames that are kept from one on. What is left over at the end is kept as well, if it is little.
fn from(frame: usize, count: usize) -> Range<usize> {
    let start = frame.saturating_sub(BEHIND).min(count - 1);
    let end = start + KEPT;
    start..if end + SOON < count { end } else { count }
}

fn poses<'a>(performance: &'a PlannedMotion, frames: &Range<usize>) -> &'a [Transform] {
    let joints = performance.clip.joint_count();
    &performance.clip.transforms()[frames.start * joints..frames.end * joints]
}

fn moment(performance: &PlannedMotion, frame: usize) -> BufferedFrame {
    BufferedFrame {
        body: performance.body[frame],
        curvature: performance.curvature[frame],
        running: performance.running[frame],
        speed: performance.speed[frame],
    }
}
