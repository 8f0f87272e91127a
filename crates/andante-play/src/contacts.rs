//! When feet are on the ground.

use andante_skeleton::{Clip, Rig, Skeleton, model_frames};
use glam::Vec3;

/// A stretch of time in seconds, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// First moment.
    pub start: f32,
    /// Last moment.
    pub end: f32,
}

impl Interval {
    /// From both ends.
    pub const fn new(start: f32, end: f32) -> Self {
        Self { start, end }
    }

    /// True if a time lies in it.
    pub fn contains(&self, time: f32) -> bool {
        (self.start..=self.end).contains(&time)
    }

    /// Seconds from start to end.
    pub fn length(&self) -> f32 {
        self.end - self.start
    }
}

/// The contacts of one foot with the ground, heel and toes separately, each in order and without overlap.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct FootContacts {
    /// The heel is down: from heel strike to heel off.
    pub heel: Vec<Interval>,
    /// The ball or the toes are down: from foot flat to toe off.
    pub toe: Vec<Interval>,
}

impl FootContacts {
    /// The stances of the foot: from heel strike to toe off, while any part of it is down.
    pub fn stance(&self) -> Vec<Interval> {
        let mut parts: Vec<Interval> = self.heel.iter().chain(&self.toe).copied().collect();
        parts.sort_by(|a, b| a.start.total_cmp(&b.start));
        let mut merged: Vec<Interval> = Vec::with_capacity(parts.len());
        for part in parts {
            match merged.last_mut() {
                Some(last) if part.start <= last.end => last.end = last.end.max(part.end),
                _ => merged.push(part),
            }
        }
        merged
    }

    /// True if the heel is down.
    pub fn heel_down(&self, time: f32) -> bool {
        self.heel.iter().any(|interval| interval.contains(time))
    }

    /// True if the ball or the toes are down.
    pub fn toe_down(&self, time: f32) -> bool {
        self.toe.iter().any(|interval| interval.contains(time))
    }
}

/// The contacts of every foot of a rig over a clip, in the order of its feet.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Contacts {
    /// One entry per foot.
    pub feet: Vec<FootContacts>,
}

impl Contacts {
    /// The places where heels and balls of feet rested, in the middle of each contact, in order of time.
    pub fn footfalls(&self, skeleton: &Skeleton, rig: &Rig, clip: &Clip) -> Vec<Vec3> {
        let frames = model_frames(skeleton, clip);
        let mut found = Vec::new();
        for (foot, contacts) in rig.feet.iter().zip(&self.feet) {
            for (point, intervals) in [(foot.heel, &contacts.heel), (foot.ball, &contacts.toe)] {
                for interval in intervals {
                    let time = 0.5 * (interval.start + interval.end);
                    let frame = (time * clip.fps()).round() as usize;
                    found.push((time, point.position(&frames[frame.min(frames.len() - 1)])));
                }
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        found.into_iter().map(|(_, point)| point).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stance_joins_heel_and_toe() {
        let foot = FootContacts {
            heel: vec![Interval::new(0.0, 0.4), Interval::new(1.0, 1.4)],
            toe: vec![Interval::new(0.1, 0.6), Interval::new(1.1, 1.6), Interval::new(2.0, 2.1)],
        };
        let stance = foot.stance();
        assert_eq!(
            stance,
            [Interval::new(0.0, 0.6), Interval::new(1.0, 1.6), Interval::new(2.0, 2.1)]
        );
        assert!(foot.heel_down(0.4) && !foot.toe_down(0.05));
    }
}
