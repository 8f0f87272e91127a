//! Rotation of ground vectors, with its sine and cosine worked out once.

use andante_skeleton::Planar;
use glam::Vec2;

/// A heading by which (x, z) is turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlanarTurn {
    sin: f32,
    cos: f32,
}

impl PlanarTurn {
    #[inline]
    pub fn by(heading: f32) -> Self {
        let (sin, cos) = libm::sincosf(heading);
        Self { sin, cos }
    }

    #[inline]
    pub fn apply(&self, v: Vec2) -> Vec2 {
        Vec2::new(v.x * self.cos + v.y * self.sin, v.y * self.cos - v.x * self.sin)
    }

    #[inline]
    pub fn undo(&self, v: Vec2) -> Vec2 {
        Vec2::new(v.x * self.cos - v.y * self.sin, v.y * self.cos + v.x * self.sin)
    }
}

/// A placement that is applied to many points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlacementMatrix {
    pub turn: PlanarTurn,
    position: Vec2,
}

impl PlacementMatrix {
    #[inline]
    pub fn new(placement: &Planar) -> Self {
        Self { turn: PlanarTurn::by(placement.heading), position: placement.position }
    }

    /// A point of the character in the world.
    #[inline]
    pub fn to_world(self, own: Vec2) -> Vec2 {
        self.position + self.turn.apply(own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_as_placements_do() {
        let placement = Planar::new(Vec2::new(3.0, -1.0), 0.8);
        let own = Vec2::new(0.3, 0.9);
        let frame = PlacementMatrix::new(&placement);
        let wanted = placement.then(&Planar::new(own, 0.0)).position;
        assert!(frame.to_world(own).abs_diff_eq(wanted, 1e-6));
        assert!(frame.turn.undo(frame.turn.apply(own)).abs_diff_eq(own, 1e-6));
    }
}
