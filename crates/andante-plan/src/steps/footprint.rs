//! Footprints while they are planned, and the contacts that make them.

use super::vocabulary::FootShape;
use super::{FootprintSettings, StepGround};
use andante_skeleton::Planar;
pub use andante_skeleton::PlannedFootprint;
use glam::Vec2;

/// Seen from above, while it is being planned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlanarPrint {
    pub foot: usize,
    pub place: Planar,
    /// Whether it must stay where it is.
    pub fixed: bool,
}

impl PlanarPrint {
    /// Moves it to the closest place where heel, middle and tip are on walkable ground.
    pub fn snap(&mut self, shape: &FootShape, world: &StepGround) {
        let ahead = Vec2::new(libm::sinf(self.place.heading), libm::cosf(self.place.heading));
        for _ in 0..4 {
            let mut farthest = Vec2::ZERO;
            for offset in [0.0, shape.heel, shape.tip] {
                let point = self.place.position + ahead * offset;
                let closest = (world.walkable)(point);
                let missing = closest - point;
                if missing.is_finite() && missing.length_squared() > farthest.length_squared() {
                    farthest = missing;
                }
            }
            if farthest == Vec2::ZERO {
                return;
            }
            self.place.position += farthest;
        }
    }
}

/// When a foot is down, as first and last frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StanceFrames {
    pub foot: usize,
    pub frames: [usize; 2],
    pub heel: Option<[usize; 2]>,
    pub ball: Option<[usize; 2]>,
}

impl StanceFrames {
    /// The contacts of a foot whose heel and ball are down as given frame by frame.
    pub fn all(foot: usize, down: &[[bool; 2]], settings: &FootprintSettings) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        for (frame, points) in down.iter().enumerate() {
            if !points.contains(&true) {
                continue;
            }
            let near = |stance: &Self| frame <= stance.frames[1] + settings.join;
            if found.last().is_none_or(|last| !near(last)) {
                found.push(Self { foot, frames: [frame; 2], heel: None, ball: None });
            }
            let Some(stance) = found.last_mut() else { continue };
            stance.frames[1] = frame;
            for (part, &is_down) in [&mut stance.heel, &mut stance.ball].into_iter().zip(points) {
                if is_down {
                    *part = Some([part.map_or(frame, |[first, _]| first), frame]);
                }
            }
        }
        found.retain(|stance| stance.frames[1] + 1 - stance.frames[0] >= settings.shortest);
        found
    }

    /// Takes the heel off the ground in frames in which it has risen: it stays down for the longest stretch without.
    pub fn lift_heel(&mut self, risen: impl Fn(usize) -> bool) {
        let Some([first, last]) = self.heel else { return };
        let mut longest: Option<[usize; 2]> = None;
        let mut from = first;
        for frame in first..=last + 1 {
            if frame <= last && !risen(frame) {
                continue;
            }
            let length = |[a, b]: [usize; 2]| b - a;
            if frame > from && longest.is_none_or(|own| length(own) < frame - 1 - from) {
                longest = Some([from, frame - 1]);
            }
            from = frame + 1;
        }
        self.heel = longest;
    }
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_that_flicker_are_one_and_a_touch_is_none() {
        let mut down = [[false; 2]; 40];
        down[2..8].fill([true, false]);
        down[9..15].fill([false, true]);
        down[30] = [true, true];
        let found = StanceFrames::all(1, &down, &FootprintSettings::default());
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].frames, [2, 14]);
        assert_eq!((found[0].heel, found[0].ball), (Some([2, 7]), Some([9, 14])));
    }

    #[test]
    fn a_heel_that_rises_is_down_for_the_longest_stretch_that_is_left() {
        let stance = StanceFrames { foot: 0, frames: [3, 20], heel: Some([3, 15]), ball: None };
        for (risen, left) in [
            (vec![], Some([3, 15])),
            (vec![3, 4], Some([5, 15])),
            (vec![9, 14, 15], Some([3, 8])),
            ((0..30).collect(), None),
        ] {
            let mut stance = stance;
            stance.lift_heel(|frame| risen.contains(&frame));
            assert_eq!(stance.heel, left, "{risen:?}");
        }
    }
}
