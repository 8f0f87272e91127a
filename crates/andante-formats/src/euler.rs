//! Rotations as three angles.

use glam::{DMat3, DQuat, DVec3};
use std::f64::consts::{PI, TAU};

/// The order of three rotations about the axes, as the product is written: `Zyx` is Rz·Ry·Rx, which
/// turns a vector about X first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum RotationOrder {
    /// Rx·Ry·Rz
    Xyz,
    /// Rx·Rz·Ry
    Xzy,
    /// Ry·Rx·Rz
    Yxz,
    /// Ry·Rz·Rx
    Yzx,
    /// Rz·Rx·Ry
    Zxy,
    /// Rz·Ry·Rx
    #[default]
    Zyx,
}

impl RotationOrder {
    /// All six.
    pub const ALL: [Self; 6] = [Self::Xyz, Self::Xzy, Self::Yxz, Self::Yzx, Self::Zxy, Self::Zyx];

    /// The axes from left to right; 0, 1, 2 for X, Y, Z.
    pub fn axes(self) -> [usize; 3] {
        match self {
            Self::Xyz => [0, 1, 2],
            Self::Xzy => [0, 2, 1],
            Self::Yxz => [1, 0, 2],
            Self::Yzx => [1, 2, 0],
            Self::Zxy => [2, 0, 1],
            Self::Zyx => [2, 1, 0],
        }
    }

    /// The product of rotations by `radians.x` about X, and so on.
    pub(crate) fn rotation(self, radians: DVec3) -> DQuat {
        let [i, j, k] =
            self.axes().map(|axis| DQuat::from_axis_angle(DVec3::AXES[axis], radians[axis]));
        i * j * k
    }

    /// The angles in radians, from left to right, whose product is `rotation`; of all that are, those
    /// closest to `near`, so that the curves of a motion have no jumps.
    pub(crate) fn angles(self, rotation: DQuat, near: [f64; 3]) -> [f64; 3] {
        let [i, j, k] = self.axes();
        let parity = if (i + 1) % 3 == j { 1.0 } else { -1.0 };
        let matrix = DMat3::from_quat(rotation);
        let m = |row: usize, column: usize| matrix.col(column)[row];
        // With Ri(a)·Rj(b)·Rk(c): the row of the first axis is (cos b cos c, ∓cos b sin c, ±sin b).
        let cosine = libm::hypot(m(i, i), m(i, j));
        let b = libm::atan2(parity * m(i, k), cosine);
        if cosine < 1e-7 {
            // Gimbal lock: only the sum or difference of the outer angles matters. The last one stays.
            let together = libm::atan2(parity * m(k, j), m(j, j));
            let c = near[2];
            let a = if b > 0.0 { together - parity * c } else { together + parity * c };
            return [closest(a, near[0]), closest(b, near[1]), c];
        }
        let a = libm::atan2(-parity * m(j, k), m(k, k));
        let c = libm::atan2(-parity * m(i, j), m(i, i));
        // Every rotation has two such triples.
        let one = [closest(a, near[0]), closest(b, near[1]), closest(c, near[2])];
        let other = [closest(a + PI, near[0]), closest(PI - b, near[1]), closest(c + PI, near[2])];
        let distance = |angles: [f64; 3]| -> f64 {
            angles.iter().zip(near).map(|(angle, near)| (angle - near).abs()).sum()
        };
        if distance(other) < distance(one) { other } else { one }
    }
}

/// The same angle, whole turns away, that is closest to another one.
fn closest(angle: f64, near: f64) -> f64 {
    angle + TAU * ((near - angle) / TAU).round()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f64::consts::FRAC_PI_2;

    fn product(order: RotationOrder, angles: [f64; 3]) -> DQuat {
        let axes = order.axes().map(|axis| DVec3::AXES[axis]);
        (0..3).map(|n| DQuat::from_axis_angle(axes[n], angles[n])).product()
    }

    fn same(a: DQuat, b: DQuat) -> bool {
        a.abs_diff_eq(b, 1e-7) || a.abs_diff_eq(-b, 1e-7)
    }

    proptest! {
        #[test]
        fn angles_recompose_to_the_rotation(a in -7.0f64..7.0, b in -7.0f64..7.0, c in -7.0f64..7.0,
                                            near in proptest::array::uniform3(-9.0f64..9.0)) {
            for order in RotationOrder::ALL {
                let rotation = product(order, [a, b, c]);
                prop_assert!(same(product(order, order.angles(rotation, near)), rotation));
            }
        }

        #[test]
        fn gimbal_lock_keeps_the_rotation(a in -3.0f64..3.0, c in -3.0f64..3.0, c_near in -3.0f64..3.0) {
            for order in RotationOrder::ALL {
                for b in [-FRAC_PI_2, FRAC_PI_2] {
                    let rotation = product(order, [a, b, c]);
                    let angles = order.angles(rotation, [0.0, b, c_near]);
                    prop_assert!(same(product(order, angles), rotation));
                }
            }
        }

        #[test]
        fn angles_stay_near_the_ones_before(a in -20.0f64..20.0, b in -20.0f64..20.0, c in -20.0f64..20.0) {
            prop_assume!(b.cos().abs() > 1e-3);
            for order in RotationOrder::ALL {
                let found = order.angles(product(order, [a, b, c]), [a + 1e-3, b, c - 1e-3]);
                for (found, wanted) in found.iter().zip([a, b, c]) {
                    prop_assert!((found - wanted).abs() < 1e-6);
                }
            }
        }
    }
}
