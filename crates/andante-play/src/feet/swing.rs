//! A foot in the air, from the print it leaves to the one it will have.

use crate::ground::curve::{detour, spline};
use crate::ground::ends::SwingEnds;
use crate::ground::plan::PlacedPrint;
use crate::ground::turns::Turning;
use andante_skeleton::Transform;
use glam::{Vec2, Vec3};

/// Parts of a swing at the ends of which its lift is given.
pub(crate) const CHECKS: usize = 24;

/// What is done to the swing of the clip besides fitting its ends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SwingShape {
    /// How the turn from print to print is spread over it.
    pub turning: Turning,
    /// How much flatter than in the clip the foot lands and leaves.
    pub flatter: [f32; 2],
    /// Control values of the lift over the swing.
    pub lift: [f32; CHECKS + 1],
    /// How far ahead the foot is sent after it left and before it lands.
    pub aside: [f32; 2],
}

impl SwingShape {
    /// A swing that nothing is in the way of. How flat the foot leaves may be settled already.
    pub fn free(ends: &SwingEnds, leaves: Option<f32>) -> Self {
        let spins = &ends.clip.feet[ends.foot].spins;
        let seconds = ends.to.landing - ends.from.end;
        let [from, to] = ends.turns();
        let (turning, flatter) = spins
            .get(ends.number.rem_euclid(spins.len().max(1) as i32) as usize)
            .map_or_else(Default::default, |spin| Turning::new(spin, from, to, seconds, leaves));
        Self { turning, flatter, ..Self::default() }
    }

    /// Whether nothing is in its way.
    pub fn is_free(&self) -> bool {
        self.lift == [0.0; CHECKS + 1] && self.aside == [0.0; 2]
    }

    /// Where the foot belongs at a part of the swing.
    pub fn place(&self, ends: &SwingEnds, u: f32, ankle: &Transform) -> PlacedPrint {
        let mut placed = ends.fitted(u, self.turning.at(u), ankle);
        placed.ankle.translation += Vec3::Y * self.lift(u) + self.detour(ends.direction, u);
        placed
    }

    /// How far the foot is out of its way at a part of the swing.
    pub fn detour(&self, direction: Vec2, u: f32) -> Vec3 {
        if self.aside == [0.0; 2] {
            return Vec3::ZERO;
        }
        let [first, last] = self.aside;
        let way = direction * (first * detour(u / 0.6) + last * detour((1.0 - u) / 0.6));
        Vec3::new(way.x, 0.0, way.y)
    }

    /// How much higher it is.
    pub fn lift(&self, u: f32) -> f32 {
        let at = (u * CHECKS as f32).clamp(0.0, CHECKS as f32);
        let index = (at as usize).min(CHECKS - 1);
        let control = |offset: usize| {
            (index + offset).checked_sub(1).and_then(|i| self.lift.get(i)).copied().unwrap_or(0.0)
        };
        spline([control(0), control(1), control(2), control(3)], at - index as f32)
    }
}
