//! The part of a contact in which a foot stays put.
//!
//! Captured feet never quite stand still, and the thresholds of speed and height allow for that. Feet that
//! were placed do stand still: those thresholds find them down while they still arrive, and again when they
//! have left. How still a foot can be in this contact tells which of both it is.

use super::AnalysisOptions;
use crate::signal::{median_point, percentile};
use glam::Vec3;
use std::ops::Range;

/// What it means to stay put.
pub(super) struct Settling {
    /// Frames of the shortest contact.
    pub window: usize,
    /// Whatever strays less, in metres, stays put.
    pub least: f32,
    /// How far feet stray.
    pub options: AnalysisOptions,
}

impl Settling {
    /// Settles the contacts of a foot, given the tracks of its heel, and of its ball and tip.
    pub fn settle(
        &self,
        [heel, toe]: [Vec<Range<usize>>; 2],
        [heel_tracks, toe_tracks]: [&[&[Vec3]]; 2],
    ) -> [Vec<Range<usize>>; 2] {
        let contacts = |runs: Vec<Range<usize>>, tracks: &[&[Vec3]]| -> Vec<RawContact> {
            runs.into_iter().map(|run| RawContact::new(run, tracks, self.window)).collect()
        };
        let (heels, toes) = (contacts(heel, heel_tracks), contacts(toe, toe_tracks));
        let strays = heels.iter().chain(&toes).filter_map(|contact| contact.stray);
        let usual = percentile(strays, 0.25);
        let toe: Vec<Range<usize>> =
            toes.iter().filter_map(|toes| self.settled(toes, usual)).collect();
        // A heel that moves while the toes in front of it stand is off the ground.
        let moves_over = |frames: &Range<usize>, stray: f32| {
            toes.iter().zip(&toe).any(|(toes, toe)| {
                let stands = toes.stray.is_some_and(|still| stray > self.tolerance(still));
                stands && toe.start <= frames.start && frames.end <= toe.end
            })
        };
        let heel = heels.iter().filter_map(|heel| {
            let frames = self.settled(heel, usual)?;
            let afloat = heel.stray.is_some_and(|stray| moves_over(&frames, stray));
            (!afloat).then_some(frames)
        });
        [heel.collect(), toe]
    }

    fn tolerance(&self, stillest: f32) -> f32 {
        (self.options.stray * stillest).max(self.least)
    }

    /// The part of a contact in which its foot stays put, given how far feet stray in this clip at least;
    /// none if it does not stand at all.
    fn settled(&self, contact: &RawContact, usual: f32) -> Option<Range<usize>> {
        let (Some(held), Some(stray)) = (contact.points.first(), contact.stray) else {
            return Some(contact.run.clone());
        };
        if stray > self.options.afloat * self.tolerance(usual) {
            return None;
        }
        let run = &contact.run;
        let within = self.tolerance(stray.min(usual)).max(self.options.stray_roll * stray);
        let stays = |at: &usize| {
            // What is found around the contact belongs to it only if it is beyond doubt.
            let inside = run.start <= *at && at + self.window <= run.end;
            let tolerance = if inside { within } else { self.least };
            let bears = |point: &Stretches| point.bears(*at, tolerance);
            held.at(*at).slide <= tolerance && contact.points.iter().any(bears)
        };
        let mut still = held.frames().filter(stays);
        let first = still.next()?;
        Some(first..still.next_back().unwrap_or(first) + self.window)
    }
}

/// A contact as it was found.
struct RawContact {
    run: Range<usize>,
    /// The points that may bear on the ground; the first is the one that stays, seen from above.
    points: Vec<Stretches>,
    /// How far the stillest of them strays in its stillest moment.
    stray: Option<f32>,
}

impl RawContact {
    fn new(run: Range<usize>, tracks: &[&[Vec3]], window: usize) -> Self {
        let points: Vec<Stretches> =
            tracks.iter().filter_map(|track| Stretches::new(track, &run, window)).collect();
        let stray = points.iter().map(|point| point.stillest.stray).reduce(f32::min);
        Self { run, points, stray }
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

    fn settling() -> Settling {
        Settling { window: 4, least: 6e-4, options: AnalysisOptions::default() }
    }

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

    /// The contact of a foot that is the only one.
    fn settled(run: Range<usize>, tracks: &[&[Vec3]]) -> Range<usize> {
        let contact = RawContact::new(run, tracks, settling().window);
        settling().settled(&contact, contact.stray.unwrap_or_default()).unwrap()
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
        let rising: Vec<Vec3> = (0..60).map(|frame| Vec3::Y * 0.0005 * frame as f32).collect();
        let heel = |run: Range<usize>, toes: &[Vec3]| {
            let (heel, toe) = (std::iter::once(run).collect(), std::iter::once(15..45).collect());
            let [heels, _] = settling().settle([heel, toe], [&[&rising], &[toes]]);
            heels.first().cloned()
        };
        assert_eq!(heel(22..30, &step(0.0)), None);
        assert_eq!(heel(12..18, &step(0.0)), Some(12..18), "it was down before the toes");
        assert_eq!(heel(22..30, &step(0.001)), Some(22..30), "captured feet");
    }

    #[test]
    fn a_foot_that_arrives_when_the_clip_ends_is_not_down() {
        let walk: Vec<Vec3> = [step(0.0), step(0.0), step(0.0)[..22].to_vec()].concat();
        let runs = vec![15..45, 75..105, 137..142];
        let [_, toes] = settling().settle([vec![], runs], [&[], &[&walk]]);
        assert_eq!(toes, [20..40, 80..100]);
    }

    #[test]
    fn contacts_shorter_than_a_stretch_stay_as_they_are() {
        let step = step(0.0);
        assert_eq!(settled(17..19, &[&step]), 17..19);
        assert_eq!(settled(0..2, &[&step[..2]]), 0..2);
    }
}
