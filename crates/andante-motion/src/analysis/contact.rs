//! When heels and toes are on the ground.
//!
//! A foot is taken to bear weight while it is slow and low. Low is measured against the feet that
//! must bear weight because no other does: so stairs and rough ground need no map, and a foot that is
//! held up in the air is not taken for one that stands.

use super::motion::{FootMotion, Tracks};
use super::settle::Settling;
use crate::signal::{percentile, seeded_runs, smooth, tidy};
use glam::Vec3;
use std::ops::Range;

/// The contacts of a foot in frames.
pub(super) struct FootRuns {
    pub heel: Vec<Range<usize>>,
    pub toe: Vec<Range<usize>>,
    /// Heel or toe.
    pub stance: Vec<Range<usize>>,
    /// Height of the ground under each stance.
    pub level: Vec<f32>,
}

/// A point of a foot: where it is, and how fast.
struct Point {
    height: Vec<f32>,
    speed: Vec<f32>,
}

impl Point {
    fn new(track: &[Vec3], motion: &FootMotion, ahead: &[Vec3]) -> Self {
        let smoothed =
            smooth(track, motion.fps, motion.options.contact.smoothing * motion.units.time);
        let speed = |(velocity, ahead): (&Vec3, &Vec3)| match motion.belt {
            // Feet on a belt may lag behind it or run ahead of it, but do not go against it.
            Some(_) => {
                let back = (-velocity.dot(*ahead)).max(0.0);
                (*velocity + *ahead * (back * (1.0 - motion.options.contact.lag))).length()
            }
            None => velocity.length(),
        };
        Self {
            height: smoothed.value.iter().map(|place| place.y).collect(),
            speed: smoothed.slope.iter().zip(ahead).map(speed).collect(),
        }
    }
}

/// Heel and toes of a foot; the toes are whichever of ball and tip is nearer to the ground.
struct FootPoints {
    heel: Point,
    ball: Point,
    tip: Point,
    /// Speeds below which a point is still, and below which it stays so.
    still: [f32; 2],
    /// Heights above the ground below which a point is down, and below which it stays so.
    low: [f32; 2],
}

impl FootPoints {
    fn new(tracks: &Tracks, motion: &FootMotion, ahead: &[Vec3]) -> Self {
        let [heel, ball, tip] =
            [&tracks.heel, &tracks.ball, &tracks.tip].map(|track| Point::new(track, motion, ahead));
        let fast = percentile(ball.speed.iter().copied(), 0.95);
        let limits = &motion.options.contact;
        let still = limits.bounds().map(|bound| {
            let natural = bound.speed * motion.units.speed;
            let noise = bound.noise * motion.units.speed;
            let belt = motion.belt.map_or(0.0, |belt| {
                let part = (bound.scatter * belt.scatter).min(bound.belt);
                part * belt.speed(motion.units.length)
            });
            natural.min(bound.swing * fast).max(noise).max(belt)
        });
        let mut foot = Self { heel, ball, tip, still, low: [0.0; 2] };
        let lowest: Vec<f32> = (0..motion.frames()).map(|frame| foot.lowest(frame)).collect();
        let range = percentile(lowest.iter().copied(), 0.95) - percentile(lowest, 0.05);
        foot.low = limits.bounds().map(|bound| {
            let natural = bound.height * motion.units.length;
            match motion.belt {
                Some(belt) => {
                    let part = bound.belt_height * (limits.scatter * belt.scatter).min(1.0);
                    natural.max(part * range)
                }
                None => natural,
            }
        });
        foot
    }

    fn slowest(&self, frame: usize) -> f32 {
        self.heel.speed[frame].min(self.ball.speed[frame]).min(self.tip.speed[frame])
    }

    fn lowest(&self, frame: usize) -> f32 {
        self.heel.height[frame].min(self.ball.height[frame]).min(self.tip.height[frame])
    }
}

/// A stretch in which a foot hardly moves: it may stand or be held up.
struct Pause {
    foot: usize,
    frames: Range<usize>,
    level: f32,
    bears: bool,
}

pub(super) fn contacts(motion: &FootMotion) -> Vec<FootRuns> {
    let way = motion.path().slope;
    let ahead: Vec<Vec3> =
        way.iter().map(|way| Vec3::new(way.x, 0.0, way.y).normalize_or_zero()).collect();
    let feet: Vec<FootPoints> =
        motion.feet.iter().map(|tracks| FootPoints::new(tracks, motion, &ahead)).collect();
    let pauses = standing(motion, &feet, pauses(motion, &feet));
    let rough = is_rough(motion, &pauses);
    feet.iter()
        .enumerate()
        .map(|(index, foot)| {
            let own: Vec<&Pause> = pauses.iter().filter(|pause| pause.foot == index).collect();
            runs_of(motion, &motion.feet[index], foot, &own, rough)
        })
        .collect()
}

fn pauses(motion: &FootMotion, feet: &[FootPoints]) -> Vec<Pause> {
    let shortest = motion.frames_in(motion.options.contact.shortest).max(3);
    let mut found = Vec::new();
    for (foot, points) in feet.iter().enumerate() {
        let slow = |bound: usize| move |frame: usize| points.slowest(frame) < points.still[bound];
        let runs = seeded_runs(motion.frames(), slow(0), slow(1));
        for frames in tidy(runs, 1, shortest) {
            let core = frames.clone().filter(|&frame| slow(0)(frame));
            let level = percentile(core.map(|frame| points.lowest(frame)), 0.25);
            // Who stands came from above and leaves upwards; a foot at the top of its swing does neither.
            let around = motion.frames_in(motion.options.contact.around).max(1);
            let before = frames.start.checked_sub(around).map(|frame| points.lowest(frame));
            let after = frames.end + around;
            let after = (after < motion.frames()).then(|| points.lowest(after));
            let rise = motion.options.contact.height * motion.units.length;
            let from_below =
                |height: Option<f32>| height.is_some_and(|height| height < level - rise);
            if !(from_below(before) && from_below(after)) {
                found.push(Pause { foot, frames, level, bears: false });
            }
        }
    }
    found
}

/// The pauses in which a foot stands on the ground.
fn standing(motion: &FootMotion, feet: &[FootPoints], mut pauses: Vec<Pause>) -> Vec<Pause> {
    let falling = motion.hip_acceleration();
    // Feet that may bear weight, frame by frame, and the lowest of them.
    let mut paused = vec![(0usize, f32::MAX); motion.frames()];
    for pause in &pauses {
        for (count, lowest) in &mut paused[pause.frames.clone()] {
            *count += 1;
            *lowest = lowest.min(pause.level);
        }
    }
    let least = motion.frames_in(0.15).max(1);
    let level = motion.options.contact.level * motion.units.length;
    for pause in &mut pauses {
        // The body does not fall, so somebody bears it: the lowest foot, or all if they are few.
        let carries = |frame: &usize| {
            let (count, lowest) = paused[*frame];
            let few = 2 * count <= feet.len().max(2);
            falling[*frame] > -0.6 && (few || pause.level < lowest + level)
        };
        pause.bears = pause.frames.clone().filter(carries).count() >= least;
    }
    let lowest = pauses.iter().map(|pause| pause.level).fold(f32::MAX, f32::min);
    // Animators' feet on a treadmill do not keep to one level.
    let loose = feet.iter().map(|foot| foot.low[1]).fold(0.0, f32::max);
    let tolerance = level.max(loose);
    // What stands as low as a foot that must bear weight, just before or after, stands too.
    let bearing: Vec<(Range<usize>, f32)> = pauses
        .iter()
        .filter(|pause| pause.bears)
        .map(|pause| (pause.frames.clone(), pause.level))
        .collect();
    pauses.retain(|pause| {
        if pause.bears {
            return true;
        }
        let before = bearing.iter().rev().find(|(frames, _)| frames.start <= pause.frames.start);
        let after = bearing.iter().filter(|(frames, _)| frames.end >= pause.frames.end);
        let after = after.min_by_key(|(frames, _)| frames.end);
        let near = before.into_iter().chain(after).map(|(_, level)| *level);
        let ground = near.fold(f32::MIN, f32::max).max(lowest);
        pause.level < ground + tolerance
    });
    pauses
}

/// Whether feet stood at different heights: on stairs, a slope or rough ground a standing foot may be
/// tilted.
fn is_rough(motion: &FootMotion, pauses: &[Pause]) -> bool {
    let bearing = || pauses.iter().filter(|pause| pause.bears).map(|pause| pause.level);
    let spread = percentile(bearing(), 0.85) - percentile(bearing(), 0.15);
    spread > motion.options.contact.rough * motion.units.length
}

/// Heel and toe contacts of a foot in the pauses in which it stands.
fn runs_of(
    motion: &FootMotion,
    tracks: &Tracks,
    foot: &FootPoints,
    pauses: &[&Pause],
    rough: bool,
) -> FootRuns {
    let shortest = motion.frames_in(motion.options.contact.shortest).max(3);
    let gap = motion.frames_in(motion.options.contact.lift).max(2);
    let tilt = motion.units.length
        * if rough { motion.options.contact.tilt } else { motion.options.contact.flat };
    let contact = |points: &[&Point]| {
        let mut strict = vec![false; motion.frames()];
        let mut loose = strict.clone();
        for point in points {
            for (frame, level) in levels(motion, foot, point, pauses, tilt).into_iter().enumerate()
            {
                let Some(level) = level else { continue };
                let (speed, height) = (point.speed[frame], point.height[frame] - level);
                strict[frame] |= speed < foot.still[0] && height < foot.low[0];
                // While the heel is up the foot rolls over its toes, and they rise before they leave.
                let rolls = foot.heel.height[frame] - level > foot.low[1];
                let [faster, higher] = if rolls {
                    [motion.options.contact.roll_faster, motion.options.contact.roll_higher]
                } else {
                    [1.0; 2]
                };
                loose[frame] |= speed < faster * foot.still[1] && height < higher * foot.low[1];
            }
        }
        tidy(seeded_runs(motion.frames(), |f| strict[f], |f| loose[f]), gap, shortest)
    };
    let settling = Settling {
        window: shortest,
        least: motion.options.contact.settled * motion.units.length,
        options: motion.options,
    };
    let found = [contact(&[&foot.heel]), contact(&[&foot.ball, &foot.tip])];
    let settled = settling.settle(found, [&[&tracks.heel], &[&tracks.ball, &tracks.tip]]);
    let [mut heel, mut toe] = settled.map(|runs| tidy(runs, 1, shortest));
    // A hoof is too short for one end to bear while the other is up.
    let rolls =
        tracks.heel[0].distance(tracks.ball[0]) > motion.options.contact.sole * motion.units.length;
    let inner = motion.options.contact.inner * motion.units.length;
    for run in toe.iter_mut().filter(|_| rolls) {
        *run = while_low(run.clone(), &[&foot.ball, &foot.tip], &heel, inner, shortest);
    }
    for run in heel.iter_mut().filter(|_| rolls) {
        *run = while_low(run.clone(), &[&foot.heel], &toe, inner, shortest);
    }
    let mut both: Vec<Range<usize>> = heel.iter().chain(&toe).cloned().collect();
    both.sort_by_key(|run| run.start);
    let stance = tidy(both, gap, shortest);
    let level = stance
        .iter()
        .map(|run| percentile(run.clone().map(|frame| foot.lowest(frame)), 0.25))
        .collect();
    FootRuns { heel, toe, stance, level }
}

/// The part of a contact in which one of its points is low; the rest belongs to it only while the other end
/// of the foot is not down.
fn while_low(
    run: Range<usize>,
    points: &[&Point],
    other: &[Range<usize>],
    tolerance: f32,
    shortest: usize,
) -> Range<usize> {
    let levels: Vec<f32> = points
        .iter()
        .map(|point| percentile(point.height[run.clone()].iter().copied(), 0.25))
        .collect();
    let spare = |frame: usize| {
        let high = |(point, level): (&&Point, &f32)| point.height[frame] - level > tolerance;
        points.iter().zip(&levels).all(high) && other.iter().any(|other| other.contains(&frame))
    };
    let (mut start, mut end) = (run.start, run.end);
    while start + shortest < end && spare(start) {
        start += 1;
    }
    while start + shortest < end && spare(end - 1) {
        end -= 1;
    }
    start..end
}

/// The height at which a point would touch the ground, in the frames of the pauses and a little around
/// them. A point of a tilted foot may rest higher than the lowest one.
fn levels(
    motion: &FootMotion,
    foot: &FootPoints,
    point: &Point,
    pauses: &[&Pause],
    tilt: f32,
) -> Vec<Option<f32>> {
    let mut levels = vec![None; motion.frames()];
    let margin = motion.frames_in(0.3);
    for pause in pauses {
        let still = pause.frames.clone().filter(|&frame| point.speed[frame] < foot.still[0]);
        let resting = percentile(still.map(|frame| point.height[frame]), 0.2);
        let own = resting.clamp(pause.level, pause.level + tilt);
        let reach = pause.frames.start.saturating_sub(margin)
            ..(pause.frames.end + margin).min(motion.frames());
        for frame in reach {
            if levels[frame].is_none() || pause.frames.contains(&frame) {
                levels[frame] = Some(own);
            }
        }
    }
    levels
}
