//! A planned motion that moves a body.

use andante_plan::steps::PlannedMotion;
use andante_skeleton::{Planar, Transform, rotation};
use glam::Vec2;
use std::ops::Range;
use std::sync::Arc;

/// A planned motion and how far it is.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    motion: Arc<PlannedMotion>,
    time: f32,
    /// By how much the crown would be too high at each frame; without any where nothing hangs low.
    pub(super) too_high: Vec<f32>,
    /// Frames under what it could not walk under upright; without any where nothing hangs low.
    pub(super) below: Vec<bool>,
}

impl Played {
    /// A motion from its beginning.
    pub(super) fn new(motion: &Arc<PlannedMotion>, low: (Vec<f32>, Vec<bool>)) -> Self {
        Self { motion: Arc::clone(motion), time: 0.0, too_high: low.0, below: low.1 }
    }

    /// Goes on with another that is the same up to now.
    pub(super) fn go_another_way(
        &mut self,
        motion: &Arc<PlannedMotion>,
        low: (Vec<f32>, Vec<bool>),
    ) {
        *self = Self { time: self.time, ..Self::new(motion, low) };
    }

    /// Keeps nothing of what has been shown longer ago than some seconds: who goes on and on needs no more memory.
    pub fn forget(&mut self, seconds: f32) {
        let first = ((self.time - seconds) * self.fps()).max(0.0) as usize;
        let Some(rest) = self.motion.since(first) else { return };
        let gone = self.motion.body.len() - rest.body.len();
        self.time -= gone as f32 / self.fps();
        self.too_high.drain(..gone.min(self.too_high.len()));
        self.below.drain(..gone.min(self.below.len()));
        self.motion = Arc::new(rest);
    }

    pub fn motion(&self) -> &Arc<PlannedMotion> {
        &self.motion
    }

    pub fn time(&self) -> f32 {
        self.time
    }

    pub fn fps(&self) -> f32 {
        self.motion.clip.fps()
    }

    pub fn is_over(&self) -> bool {
        self.time >= self.seconds()
    }

    /// True if it stands on all feet as it faces in the end, but for so much.
    pub fn has_turned(&self, least: f32) -> bool {
        let Some(end) = self.motion.body.last() else { return true };
        let missing = rotation::wrap_angle(end.heading - self.body().heading);
        let feet = 0..self.motion.contacts.feet.len();
        missing.abs() < least && feet.into_iter().all(|foot| self.down(foot).contains(&true))
    }

    /// The place of the body in some seconds.
    pub fn ahead(&self, seconds: f32) -> Vec2 {
        self.motion.body[self.frame(self.time + seconds)].position
    }

    /// The place of the body.
    pub fn body(&self) -> Planar {
        self.motion.body[self.frame(self.time)]
    }

    pub fn speed(&self) -> f32 {
        self.motion.speed[self.frame(self.time)]
    }

    pub fn curvature(&self) -> f32 {
        self.motion.curvature[self.frame(self.time)]
    }

    /// Share of running, from 0 to 1.
    pub fn running(&self) -> f32 {
        self.motion.running[self.frame(self.time)]
    }

    /// The contacts of the heel and the ball of a foot: true if down.
    pub fn down(&self, foot: usize) -> [bool; 2] {
        let time = self.time.min(self.seconds());
        let contacts = &self.motion.contacts.feet[foot];
        [contacts.heel_down(time), contacts.toe_down(time)]
    }

    /// Lets time pass, and writes the pose that is played then,
    /// but for the joints of a range.
    pub(super) fn advance(&mut self, dt: f32, left_out: &Range<usize>, pose: &mut [Transform]) {
        self.time += dt;
        self.write_pose(left_out, pose);
    }

    /// The pose that is played now.
    pub(super) fn pose(&self) -> Vec<Transform> {
        let mut pose = self.motion.clip.frame(0).to_vec();
        self.write_pose(&(0..0), &mut pose);
        pose
    }

    fn write_pose(&self, left_out: &Range<usize>, pose: &mut [Transform]) {
        let last = self.motion.body.len() - 1;
        let at = (self.time * self.fps()).max(0.0).min(last as f32);
        let whole = at as usize;
        let [now, next] = [whole, whole + 1].map(|frame| self.motion.clip.frame(frame.min(last)));
        let share = at - whole as f32;
        for part in [0..left_out.start, left_out.end..now.len()] {
            let frames = now[part.clone()].iter().zip(&next[part.clone()]);
            for (out, (a, b)) in pose[part].iter_mut().zip(frames) {
                *out = a.lerp(b, share);
            }
        }
    }

    /// Seconds until it is over.
    pub fn left(&self) -> f32 {
        self.seconds() - self.time
    }

    fn seconds(&self) -> f32 {
        (self.motion.body.len() - 1) as f32 / self.fps()
    }

    /// The frame nearest to a time.
    fn frame(&self, time: f32) -> usize {
        ((time * self.fps()).round() as usize).min(self.motion.body.len() - 1)
    }
}
