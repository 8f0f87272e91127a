//! Footprints made like those the clips make (footstep-planning 3.4).

use andante_skeleton::{Planar, rotation};
use glam::Vec2;

/// The map that translates, turns and scales a pair of footprints onto another pair.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PairSimilarity {
    from: Vec2,
    to: Vec2,
    turn: f32,
    scale: f32,
}

impl PairSimilarity {
    fn between(from: [&Planar; 2], to: [&Planar; 2], close: f32) -> Self {
        let way = |pair: [&Planar; 2]| pair[1].position - pair[0].position;
        let (a, b) = (way(from), way(to));
        let middle = |pair: [&Planar; 2]| 0.5 * (pair[0].position + pair[1].position);
        let by_heading = || {
            let turns = [0, 1].map(|k| rotation::wrap_angle(to[k].heading - from[k].heading));
            turns[0] + 0.5 * rotation::wrap_angle(turns[1] - turns[0])
        };
        let far = a.length().min(b.length());
        // On the spot the direction says nothing, and the headings do.
        let share = ((far - close) / close).clamp(0.0, 1.0);
        let own = by_heading();
        let (turn, scale) = if share > 0.0 {
            let angle = libm::atan2f(b.x * a.y - b.y * a.x, a.dot(b));
            let turn = own + share * rotation::wrap_angle(angle - own);
            (turn, 1.0 + share * (b.length() / a.length() - 1.0))
        } else {
            (own, 1.0)
        };
        Self { from: middle(from), to: middle(to), turn, scale }
    }

    fn apply(&self, print: &Planar) -> Planar {
        let turned = Planar::new(Vec2::ZERO, self.turn);
        let offset = Planar::new((print.position - self.from) * self.scale, 0.0);
        Planar::new(self.to + turned.then(&offset).position, print.heading + self.turn)
    }
}

/// The footprint between two desired ones that is to them as the played one is to its neighbours.
///
/// Footprints closer than `close` do not tell a direction.
pub(super) fn refined(played: [&Planar; 3], desired: [&Planar; 2], close: f32) -> Planar {
    PairSimilarity::between([played[0], played[2]], desired, close).apply(played[1])
}
#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn print() -> impl Strategy<Value = Planar> {
        (-3.0f32..3.0, -3.0f32..3.0, -3.0f32..3.0)
            .prop_map(|(x, z, heading)| Planar::new(Vec2::new(x, z), heading))
    }

    proptest! {
        #[test]
        fn moved_neighbours_take_the_footprint_along(a in print(), b in print(), c in print(), by in print()) {
            let moved = |p: &Planar| by.then(p);
            let found = refined([&a, &b, &c], [&moved(&a), &moved(&c)], 0.25);
            let wanted = moved(&b);
            prop_assert!(found.position.abs_diff_eq(wanted.position, 1e-3));
            prop_assert!(rotation::wrap_angle(found.heading - wanted.heading).abs() < 1e-3);
        }

        #[test]
        fn longer_strides_scale_what_is_between(scale in 0.6f32..1.6, side in -0.3f32..0.3) {
            let at = |x: f32, z: f32| Planar::new(Vec2::new(x, z), 0.0);
            let found = refined([&at(0.0, 0.0), &at(side, 0.8), &at(0.0, 1.6)], [&at(0.0, 0.0), &at(0.0, 1.6 * scale)], 0.25);
            prop_assert!(found.position.abs_diff_eq(Vec2::new(side, 0.8) * scale, 1e-4));
        }
    }
}
