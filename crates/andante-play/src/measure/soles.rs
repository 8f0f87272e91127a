//! Soles, and the ground below them.

use super::MeasureSettings;
use andante_skeleton::{Foot, Ground, Hit, Transform};
use glam::{Vec2, Vec3};

/// How far the point that bears has moved since a foot came down. Where another point takes over, as in rolling from the ball to
/// the tip, the drift goes on from where it was.
#[derive(Default)]
pub(super) struct Drift {
    moved: Vec2,
    before: Option<(usize, [Vec2; 2])>,
}

impl Drift {
    pub(super) fn moved(&mut self, bearing: usize, points: [Vec3; 2]) -> f32 {
        let places = points.map(|point| Vec2::new(point.x, point.z));
        if let Some((bore, before)) = self.before {
            let steps = [bore, bearing].map(|point| places[point] - before[point]);
            // While one hands over to the other the foot turns about either of them.
            let [a, b] = steps;
            self.moved += if a.length_squared() < b.length_squared() { a } else { b };
        }
        self.before = Some((bearing, places));
        self.moved.length()
    }
}

/// Heel, ball and tip of a sole, and how high each is above the ground.
pub(super) struct SolePlace {
    pub(super) points: [Vec3; 3],
    pub(super) above: [Option<f32>; 3],
}

/// Ground below soles.
pub(super) struct SoleProbe<'a> {
    pub(super) ground: &'a dyn Ground,
    pub(super) settings: &'a MeasureSettings,
}

impl SoleProbe<'_> {
    /// Which of two points of a sole bears: the first, unless it is off the ground by clearly more than the second. A second
    /// point that is in the ground does not take the weight off a first one that is on it.
    pub(super) fn bearing(&self, heights: [Option<f32>; 2]) -> usize {
        let [first, second] = heights.map(|above| above.unwrap_or(0.0));
        usize::from(first > second.max(0.0) + self.settings.risen_m)
    }

    /// The ground near a point, which may be a little below it.
    fn probe(&self, point: Vec3) -> Option<Hit> {
        let MeasureSettings { probe_above_m, probe_below_m, .. } = self.settings;
        self.ground.probe(point + Vec3::Y * *probe_above_m, *probe_below_m)
    }

    /// Height of a point above the ground below it.
    pub(super) fn above(&self, point: Vec3) -> Option<f32> {
        let MeasureSettings { probe_above_m, probe_below_m, .. } = self.settings;
        let from = point + Vec3::Y * *probe_above_m;
        self.ground.height_below(from, *probe_below_m).map(|height| point.y - height)
    }

    /// The sole of a foot in a frame.
    pub(super) fn place(&self, foot: &Foot, models: &[Transform]) -> SolePlace {
        let points = [foot.heel, foot.ball, foot.tip].map(|point| point.position(models));
        SolePlace { points, above: points.map(|point| self.above(point)) }
    }

    /// How deep a point of a known height is in the ground: the shortest way out, up or to a side.
    pub(super) fn depth(&self, point: Vec3, above: Option<f32>) -> f32 {
        if above.is_none_or(|above| above >= 0.0) {
            return 0.0;
        }
        let Some(surface) = self.probe(point) else { return 0.0 };
        // Out of a slope the shortest way is along its normal.
        let up = (surface.point.y - point.y) * surface.normal.y;
        let free = |way: f32| {
            (0..8).any(|direction| {
                let (sin, cos) = libm::sincosf(direction as f32 * std::f32::consts::FRAC_PI_4);
                let aside = point + Vec3::new(sin, 0.0, cos) * way;
                self.above(aside).is_some_and(|above| above >= 0.0)
            })
        };
        let mut shorter = self.settings.ways_out_m.into_iter().take_while(|&way| way < up);
        shorter.find(|&way| free(way)).unwrap_or(up.max(0.0))
    }
}
