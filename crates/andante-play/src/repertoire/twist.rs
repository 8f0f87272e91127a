//! Steady motion on the ground: a straight line or an arc.

use andante_skeleton::Planar;
use glam::Vec2;

/// A constant velocity, as seen by who moves, and a constant turn: the logarithm of a [`Planar`].
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Twist {
    /// To the left and ahead.
    pub velocity: Vec2,
    /// To the left, in radians.
    pub turn: f32,
}

impl Twist {
    /// The steady motion that leads to a placement in unit time. Headings are taken as they are, so
    /// that a full circle is one; a full circle that ends elsewhere is no arc, and taken to stay.
    pub fn to(placement: &Planar) -> Self {
        let (s, c) = arc(placement.heading);
        let p = placement.position;
        let squared = s * s + c * c;
        let scale = if squared > 1e-9 { squared.recip() } else { 0.0 };
        let velocity = Vec2::new(s * p.x - c * p.y, s * p.y + c * p.x) * scale;
        Self { velocity, turn: placement.heading }
    }

    /// The displacement of the motion in a time.
    #[inline]
    pub fn after(&self, time: f32) -> Planar {
        let (s, c) = arc(self.turn * time);
        let v = self.velocity * time;
        Planar::new(Vec2::new(s * v.x + c * v.y, s * v.y - c * v.x), self.turn * time)
    }
}

/// sin(x)/x and (1 − cos x)/x, by their series for small angles.
#[inline]
fn arc(x: f32) -> (f32, f32) {
    if x.abs() < 1e-2 {
        let xx = x * x;
        return (1.0 - xx / 6.0, x * (0.5 - xx / 24.0));
    }
    let (sin, cos) = libm::sincosf(x);
    (sin / x, (1.0 - cos) / x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_twist_leads_where_it_was_taken_from_in_any_number_of_steps(
            x in -2.0f32..2.0, z in -2.0f32..2.0, heading in -4.0f32..4.0, steps in 1u8..20,
        ) {
            let wanted = Planar::new(Vec2::new(x, z), heading);
            let twist = Twist::to(&wanted);
            let mut placed = Planar::IDENTITY;
            for _ in 0..steps {
                placed = placed.then(&twist.after(1.0 / f32::from(steps)));
            }
            prop_assert!(placed.position.abs_diff_eq(wanted.position, 1e-4));
            prop_assert!((placed.heading - wanted.heading).abs() < 1e-4);
        }
    }
}
