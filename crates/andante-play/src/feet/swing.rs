//! A foot in the air, from the print it leaves to the one it will have.

use crate::SwingSettings;
use crate::feet::lift::LiftCurve;
use crate::ground::curve::detour;
use crate::ground::ends::SwingEnds;
use crate::ground::plan::PlacedPrint;
use crate::ground::turns::Turning;
use andante_skeleton::Transform;
use glam::{Vec2, Vec3};

/// What is done to the swing of the clip besides fitting its ends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SwingShape {
    /// How the turn from print to print is spread over it.
    pub turning: Turning,
    /// How much flatter than in the clip the foot lands and leaves.
    pub flatter: [f32; 2],
    /// How much higher it is over the swing.
    pub lift: LiftCurve,
    /// How far ahead the foot is sent after it left and before it lands.
    pub aside: [f32; 2],
    /// Part of the swing that each of these takes.
    pub detour_part: f32,
}

impl SwingShape {
    /// A swing that nothing is in the way of. How flat the foot leaves may be settled already.
    pub fn free(ends: &SwingEnds, leaves: Option<f32>, settings: &SwingSettings) -> Self {
        let spins = &ends.clip.feet[ends.foot].spins;
        let seconds = ends.to.landing - ends.from.end;
        let [from, to] = ends.turns();
        let (turning, flatter) = spins
            .get(ends.number.rem_euclid(spins.len().max(1) as i32) as usize)
            .map(|spin| Turning::new(spin, from, to, seconds, leaves, settings))
            .unwrap_or_default();
        Self { turning, flatter, ..Self::default() }
    }

    /// Whether nothing is in its way.
    pub fn is_free(&self) -> bool {
        self.lift == LiftCurve::default() && self.aside == [0.0; 2]
    }

    /// Where the foot belongs at a part of the swing.
    pub fn place(&self, ends: &SwingEnds, u: f32, ankle: &Transform) -> PlacedPrint {
        let mut placed = ends.fitted(u, self.turning.at(u), ankle);
        placed.ankle.translation += Vec3::Y * self.lift.at(u) + self.detour(ends.direction, u);
        placed
    }

    /// How far the foot is out of its way at a part of the swing.
    pub fn detour(&self, direction: Vec2, u: f32) -> Vec3 {
        if self.aside == [0.0; 2] {
            return Vec3::ZERO;
        }
        let ([first, last], part) = (self.aside, self.detour_part);
        let way = direction * (first * detour(u / part) + last * detour((1.0 - u) / part));
        Vec3::new(way.x, 0.0, way.y)
    }
}
