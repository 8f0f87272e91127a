//! The frames of a performance that a body keeps at hand.
//!
//! Each second of a performance takes about 46 KB, and a long way takes many seconds. A plan always comes out the same,
//! to the bit, so nothing is lost if only the frames of the next seconds are kept: before they run out the same plan is
//! made again, and the next ones are taken from it.

use crate::PlannerSettings;
use crate::character_plan::{CharacterPlanner, StepSource};
use andante_plan::steps::{PlannedMotion, StepError};
use andante_play::Contacts;
use andante_skeleton::{Planar, Transform};
use std::ops::Range;
use std::sync::Arc;

/// Frames behind that are kept all the same.
const BEHIND: usize = 2;

/// What a performance was planned from: it can be made again.
#[derive(Clone, Debug)]
pub(crate) struct BufferedPlan {
    pub planner: CharacterPlanner,
    pub steps: StepSource,
}

impl BufferedPlan {
    /// Makes the performance, which is the same every time.
    pub fn perform(&self) -> Result<PlannedMotion, StepError> {
        self.planner.performed(&self.steps)
    }
}

/// The next seconds of a performance, or all of it.
#[derive(Clone, Debug)]
pub(crate) struct FrameBuffer {
    frames: Frames,
    fps: f32,
    /// All frames of the performance, and which of them are kept.
    count: usize,
    kept: Range<usize>,
    joints: usize,
    /// Frames that are kept of a long one, and how many are left when more are fetched.
    keeps: [usize; 2],
    pub contacts: Contacts,
    /// The largest acceleration of the root in the clips it is made of, in m/s².
    pub clips_root_accel_max: f32,
}

/// Frames that are kept.
#[derive(Clone, Debug)]
enum Frames {
    /// All.
    Whole(Arc<PlannedMotion>),
    /// Some, and what the others are made from.
    Some { plan: Box<BufferedPlan>, transforms: Vec<Transform>, moments: Vec<BufferedFrame> },
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
    /// Keeps what comes after a frame; all of a short motion, and of one that cannot be made again.
    pub fn new(
        plan: Option<BufferedPlan>,
        performance: &Arc<PlannedMotion>,
        frame: usize,
        settings: &PlannerSettings,
    ) -> Self {
        let count = performance.body.len();
        let base = |frames: Frames| Self {
            fps: performance.clip.fps(),
            count,
            kept: 0..count,
            joints: performance.clip.joint_count(),
            keeps: [settings.kept_frames, settings.fetch_frames],
            contacts: performance.contacts.clone(),
            clips_root_accel_max: performance.clips_root_accel_max,
            frames,
        };
        match plan.filter(|_| count > settings.whole_frames) {
            Some(plan) => {
                let plan = Box::new(plan);
                let (transforms, moments) = (Vec::new(), Vec::new());
                let mut buffer = base(Frames::Some { plan, transforms, moments });
                buffer.keep(performance, from(frame, count, buffer.keeps));
                buffer
            }
            None => base(Frames::Whole(Arc::clone(performance))),
        }
    }

    fn keep(&mut self, performance: &PlannedMotion, frames: Range<usize>) {
        let Frames::Some { transforms, moments, .. } = &mut self.frames else { return };
        let poses = poses(performance, &frames);
        transforms.clear();
        transforms.reserve_exact(poses.len());
        transforms.extend_from_slice(poses);
        moments.clear();
        moments.reserve_exact(frames.len());
        moments.extend(frames.clone().map(|frame| moment(performance, frame)));
        self.kept = frames;
    }

    /// All of the motion; made again if only some of it was kept.
    pub fn whole(&self) -> Result<Arc<PlannedMotion>, StepError> {
        match &self.frames {
            Frames::Whole(performance) => Ok(Arc::clone(performance)),
            Frames::Some { plan, .. } => plan.perform().map(Arc::new),
        }
    }

    /// What it was planned from, if the frames after this one have to be fetched.
    pub fn wants(&self, frame: usize) -> Option<&BufferedPlan> {
        let Frames::Some { plan, .. } = &self.frames else { return None };
        (self.kept.end < self.count && self.kept.end < frame + self.keeps[1]).then_some(plan)
    }

    /// Takes the frames after this one from the same performance, made again; whether it is the same.
    pub fn fetch(&mut self, performance: &PlannedMotion, frame: usize) -> bool {
        let next = from(frame, self.count, self.keeps);
        let Frames::Some { transforms, moments, .. } = &self.frames else { return true };
        if performance.body.len() != self.count || !self.kept.contains(&next.start) {
            return false;
        }
        let both = next.start..self.kept.end;
        let passed = both.start - self.kept.start;
        let made = both.clone().map(|frame| moment(performance, frame));
        let same = made.eq(moments[passed..].iter().copied())
            && transforms[passed * self.joints..] == *poses(performance, &both);
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
    pub fn moment(&self, time: f32) -> BufferedFrame {
        let frame = self.frame(time).clamp(self.kept.start, self.kept.end - 1);
        match &self.frames {
            Frames::Whole(performance) => moment(performance, frame),
            Frames::Some { moments, .. } => moments[frame - self.kept.start],
        }
    }

    /// The pose at a time, written to `pose`.
    pub fn sample(&self, time: f32, pose: &mut [Transform]) {
        let at = (time * self.fps).max(0.0).min((self.count - 1) as f32);
        let whole = at as usize;
        let [now, next] = [whole, whole + 1].map(|frame| {
            let frame = frame.clamp(self.kept.start, self.kept.end - 1);
            match &self.frames {
                Frames::Whole(performance) => performance.clip.frame(frame),
                Frames::Some { transforms, .. } => {
                    &transforms[(frame - self.kept.start) * self.joints..][..self.joints]
                }
            }
        });
        let share = at - whole as f32;
        for ((out, a), b) in pose.iter_mut().zip(now).zip(next) {
            out.translation = a.translation.lerp(b.translation, share);
            out.rotation = (a.rotation * (1.0 - share) + b.rotation * share).normalize();
        }
    }
}

/// The frames that are kept from one on. What is left over at the end is kept as well, if it is little.
fn from(frame: usize, count: usize, [kept, soon]: [usize; 2]) -> Range<usize> {
    let start = frame.saturating_sub(BEHIND).min(count - 1);
    let end = start + kept;
    start..if end + soon < count { end } else { count }
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
