//! How high the ground is, as far as feet have touched it.

use super::contact::FootRuns;
use super::motion::FootMotion;
use crate::signal::{median, percentile};
use glam::Vec2;

/// The ground under a clip, read off the feet that stood on it.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct ClipGround {
    /// Middle height in metres; for flat ground its height.
    pub height: f32,
    /// Mean rise per metre of way, from the first stance to the last: uphill, or a capture that drifts.
    pub slope: f32,
    /// Root mean square of what height and slope leave unexplained, in metres: steps, rough terrain, or
    /// inaccurate capture.
    pub roughness: f32,
}

pub(super) fn lowest(feet: &[FootRuns]) -> Option<f32> {
    let levels: Vec<f32> = feet.iter().flat_map(|foot| foot.level.iter().copied()).collect();
    (!levels.is_empty()).then(|| percentile(levels, 0.1))
}

pub(super) fn measure(motion: &FootMotion, feet: &[FootRuns]) -> ClipGround {
    // Way to and height of each stance.
    let mut way = vec![0.0f32; motion.frames()];
    let path = motion.path().value;
    for frame in 1..way.len() {
        way[frame] = way[frame - 1] + path[frame].distance(path[frame - 1]);
    }
    let mut stances: Vec<Vec2> = Vec::new();
    for foot in feet {
        for (run, level) in foot.stance.iter().zip(&foot.level) {
            stances.push(Vec2::new(way[(run.start + run.end) / 2], *level));
        }
    }
    if stances.is_empty() {
        return ClipGround::default();
    }
    let height = median(stances.iter().map(|stance| stance.y));
    let count = stances.len() as f32;
    let mean = stances.iter().copied().sum::<Vec2>() / count;
    let spread: f32 = stances.iter().map(|stance| (stance.x - mean.x).powi(2)).sum();
    let together: f32 =
        stances.iter().map(|stance| (stance.x - mean.x) * (stance.y - mean.y)).sum();
    // A slope over less than a leg is the difference between two feet.
    let slope = if spread > motion.units.length.powi(2) { together / spread } else { 0.0 };
    let miss = |stance: &Vec2| (stance.y - mean.y - slope * (stance.x - mean.x)).powi(2);
    let roughness = (stances.iter().map(miss).sum::<f32>() / count).sqrt();
    ClipGround { height, slope, roughness }
}
