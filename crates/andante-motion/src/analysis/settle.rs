//! The part of a contact in which a foot stays put.
//!
//! Captured feet never quite stand still, and the thresholds of speed and height allow for that. Feet that
//! were placed do stand still: those thresholds find them down while they still arrive, and again when they
//! have left. How still a foot can be in this contact tells which of both it is.

use crate::signal::median_point;
use glam::Vec3;
use std::ops::Range;

/// A point on the ground strays this many times farther than in its stillest moment. Stances of captured
/// walks stray by half a millimetre and more within the shortest contact, which leaves them as they are.
const STRAY: f32 = 60.0;

/// What it means to stay put.
pub(super) struct Settling {
    /// Frames of the shortest contact.
    pub window: usize,
    /// Whatever strays less, in metres, stays put.
    pub least: f32,
}

/// A contact without the frames in which the foot arrives and leaves.
pub(super) struct Settled {
    pub frames: Range<usize>,
    /// How far the foot strays in its stillest moment.
    stray: f32,
}

impl Settling {
    /// Settles contacts of the first of the given points; while it stays where it is, seen from above, any of
    /// them may be the one that bears on the ground.
    pub fn settle(&self, runs: Vec<Range<usize>>, points: &[&[Vec3]]) -> Vec<Settled> {
        runs.into_iter().map(|run| self.settled(run, points)).collect()
    }

    /// Whether a heel moves while the toes in front of it stand: it is off the ground.
    pub fn moves_over(&self, heel: &Settled, toes: &Settled) -> bool {
        toes.frames.start <= heel.frames.start
            && heel.frames.end <= toes.frames.end
            && heel.stray > self.tolerance(toes.stray)
    }

    fn tolerance(&self, stillest: f32) -> f32 {
        (STRAY * stillest).max(self.least)
    }

    fn settled(&self, run: Range<usize>, points: &[&[Vec3]]) -> Settled {
        let points: Vec<Stretches> =
            points.iter().filter_map(|track| Stretches::new(track, &run, self.window)).collect();
        let stray = points.iter().map(|point| point.stillest.stray).fold(f32::MAX, f32::min);
        let Some(held) = points.first() else { return Settled { frames: run, stray } };
        let stays = |at: &usize| {
            // What is found around the contact belongs to it only if it is beyond doubt.
            let inside = run.start <= *at && at + self.window <= run.end;
            let tolerance = if inside { self.tolerance(stray) } else { self.least };
            held.at(*at).slide <= tolerance
                && points.iter().any(|point| point.bears(*at, tolerance))
        };
        let mut still = held.frames().filter(stays);
        let frames = match still.next() {
            Some(first) => first..still.next_back().unwrap_or(first) + self.window,
            None => run,
        };
        Settled { frames, stray }
    }
}

/// All stretches of one length in a contact and around it.
struct Stretches {
    /// The frame in which the first one begins.
    start: usize,
    stretches: Vec<Stretch>,
    /// The stillest of those in the contact.
    stillest: Stretch,
}

impl Stretches {
    /// `None` if the contact is shorter than a stretch.
    fn new(track: &[Vec3], run: &Range<usize>, window: usize) -> Option<Self> {
        let start = run.start.saturating_sub(window);
        let reach = start..(run.end + window).min(track.len());
        let stretches: Vec<Stretch> = track[reach].windows(window).map(Stretch::new).collect();
        let inside = run.start - start..(run.end + 1).checked_sub(start + window)?;
        let inside = stretches.get(inside)?.iter();
        let stillest = *inside.min_by(|a, b| a.stray.total_cmp(&b.stray))?;
        Some(Self { start, stretches, stillest })
    }

    /// The frames in which stretches begin.
    fn frames(&self) -> Range<usize> {
        self.start..self.start + self.stretches.len()
    }

    fn at(&self, frame: usize) -> &Stretch {
        &self.stretches[frame - self.start]
    }

    /// Whether the point stays where it is, and as high as when it is stillest.
    fn bears(&self, frame: usize, tolerance: f32) -> bool {
        let stretch = self.at(frame);
        let risen = (stretch.height - self.stillest.height).abs();
        stretch.stray <= tolerance && risen <= tolerance
    }
}

/// A few frames of a point.
#[derive(Clone, Copy)]
struct Stretch {
    /// Farthest distance from the middle of its places, in space and seen from above.
    stray: f32,
    slide: f32,
    /// Height of the middle.
    height: f32,
}

impl Stretch {
    fn new(points: &[Vec3]) -> Self {
        let middle = median_point(points);
        let farthest = |scale: Vec3| {
            let away = points.iter().map(|&point| ((point - middle) * scale).length());
            away.fold(0.0, f32::max)
        };
        let slide = farthest(Vec3::new(1.0, 0.0, 1.0));
        Self { stray: farthest(Vec3::ONE), slide, height: middle.y }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTLING: Settling = Settling { window: 4, least: 6e-4 };

    /// A point that comes down, stands from frame 20 to 40 but for `noise`, and leaves.
    fn step(noise: f32) -> Vec<Vec3> {
        let place = |frame: i32| {
            let away = (20 - frame).max(frame - 39).max(0) as f32;
            let wobble = noise * (2.4 * frame as f32).sin();
            let ahead = 0.003 * away * away * (frame - 30).signum() as f32;
            Vec3::new(wobble, 0.002 * away, ahead)
        };
        (0..60).map(place).collect()
    }

    fn settled(run: Range<usize>, points: &[&[Vec3]]) -> Range<usize> {
        SETTLING.settled(run, points).frames
    }

    #[test]
    fn feet_that_stand_still_are_down_while_they_do() {
        let step = step(0.0);
        assert_eq!(settled(15..45, &[&step]), 20..40);
        assert_eq!(settled(22..39, &[&step]), 20..40, "found too short");
    }

    #[test]
    fn contacts_of_captured_feet_stay_as_they_are() {
        let step = step(0.001);
        assert_eq!(settled(17..43, &[&step]), 17..43);
    }

    #[test]
    fn toes_bear_while_the_ball_rolls_over_them() {
        let tip = step(0.0);
        let mut ball = tip.clone();
        for (frame, place) in ball.iter_mut().enumerate() {
            place.y = 0.005 * (frame as f32 - 34.0).max(0.0);
        }
        assert_eq!(settled(15..45, &[&ball]), 20..35);
        assert_eq!(settled(15..45, &[&ball, &tip]), 20..40);
    }

    #[test]
    fn a_heel_that_rises_over_standing_toes_is_off_the_ground() {
        let toes = SETTLING.settled(15..45, &[&step(0.0)]);
        let rising: Vec<Vec3> = (0..60).map(|frame| Vec3::Y * 0.001 * frame as f32).collect();
        let heel = |run: Range<usize>| SETTLING.settled(run, &[&rising]);
        assert!(SETTLING.moves_over(&heel(22..30), &toes));
        assert!(!SETTLING.moves_over(&heel(12..30), &toes), "it was down before the toes");
        let shaky = SETTLING.settled(17..43, &[&step(0.001)]);
        assert!(!SETTLING.moves_over(&heel(22..30), &shaky));
    }

    #[test]
    fn contacts_shorter_than_a_stretch_stay_as_they_are() {
        let step = step(0.0);
        assert_eq!(settled(17..19, &[&step]), 17..19);
        assert_eq!(settled(0..2, &[&step[..2]]), 0..2);
    }
}
