//! The last frames of a body, for rates.

use andante_play::Interval;
use andante_skeleton::{Skeleton, Transform};
use std::collections::VecDeque;

/// A posed body.
#[derive(Clone, Debug, Default)]
pub(crate) struct PosedFrame {
    pub locals: Vec<Transform>,
    pub models: Vec<Transform>,
    /// Which joints turn fast, once it is asked for.
    pub fast: Vec<bool>,
}

/// The last frames over which rates are taken: 1/30 s, whatever the frame rate, and the same again before it.
#[derive(Clone, Debug)]
pub(crate) struct Recent {
    frames: VecDeque<PosedFrame>,
    /// Frames in 1/30 s.
    pub span: usize,
    /// Seconds of such a span.
    pub seconds: f32,
}

impl Recent {
    pub fn new(fps: f32) -> Self {
        let span = ((fps / 30.0).round() as usize).max(1);
        Self { frames: VecDeque::new(), span, seconds: span as f32 / fps }
    }

    pub fn push(&mut self, skeleton: &Skeleton, pose: &[Transform]) {
        let oldest = if self.frames.len() > 2 * self.span { self.frames.pop_front() } else { None };
        let mut frame = oldest.unwrap_or_default();
        frame.fast.clear();
        frame.locals.clear();
        frame.locals.extend_from_slice(pose);
        frame.models.resize(skeleton.len(), Transform::IDENTITY);
        skeleton.local_to_model(&frame.locals, &mut frame.models);
        self.frames.push_back(frame);
    }

    /// Forgets all frames, so that the next one continues nothing.
    pub fn clear(&mut self) {
        self.frames.clear();
    }

    /// The frame so many frames ago.
    pub fn ago(&self, frames: usize) -> Option<&PosedFrame> {
        self.frames.len().checked_sub(frames + 1).and_then(|index| self.frames.get(index))
    }

    /// The same to be changed.
    pub fn ago_mut(&mut self, frames: usize) -> Option<&mut PosedFrame> {
        self.frames.len().checked_sub(frames + 1).and_then(|index| self.frames.get_mut(index))
    }
}

/// Whether times that only grow lie in one of many intervals.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct IntervalCursor(usize);

impl IntervalCursor {
    pub fn contains(&mut self, intervals: &[Interval], time: f32) -> bool {
        // Ends of intervals are times of frames, rounded.
        let slack = 1e-4;
        while intervals.get(self.0).is_some_and(|interval| interval.end < time - slack) {
            self.0 += 1;
        }
        intervals.get(self.0).is_some_and(|interval| interval.start <= time + slack)
    }
}
