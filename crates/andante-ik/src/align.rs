//! The rotation that takes some vectors closest to others.

use glam::{Mat3, Quat, Vec3};

/// Pairs of vectors, remembered as the sum M of their weighted outer products: all that the best rotation
/// depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alignment {
    /// Column j holds the first vectors weighted by component j of the second ones.
    products: Mat3,
}

impl Alignment {
    pub const NONE: Self = Self { products: Mat3::ZERO };

    /// Wants `from` to be turned to `to`.
    pub fn add(&mut self, from: Vec3, to: Vec3, weight: f32) {
        let from = from * weight;
        self.products += Mat3::from_cols(from * to.x, from * to.y, from * to.z);
    }

    /// Σ from × to.
    fn torque(products: &Mat3) -> Vec3 {
        let [x, y, z] = [products.x_axis, products.y_axis, products.z_axis];
        Vec3::new(z.y - y.z, x.z - z.x, y.x - x.y)
    }

    /// Cosine and sine parts of the turn about a unit axis: Σ from·to across the axis, and the torque.
    fn parts(products: &Mat3, axis: Vec3) -> (f32, f32) {
        let trace = products.x_axis.x + products.y_axis.y + products.z_axis.z;
        let along = axis.dot(*products * axis);
        (trace - along, axis.dot(Self::torque(products)))
    }

    /// The best angle about a unit axis.
    pub fn angle_about(&self, axis: Vec3) -> f32 {
        let (cos, sin) = Self::parts(&self.products, axis);
        if cos * cos + sin * sin <= 1e-24 { 0.0 } else { libm::atan2f(sin, cos) }
    }

    /// The best rotation. For one pair, the shortest arc; for several, a few turns about their
    /// common torque. Vectors that are aligned or opposite ask for nothing.
    pub fn rotation(&self) -> Quat {
        let mut products = self.products;
        let mut turn = Quat::IDENTITY;
        for _ in 0..4 {
            let torque = Self::torque(&products);
            let scale = products.x_axis.abs() + products.y_axis.abs() + products.z_axis.abs();
            if torque.length() <= 1e-7 * scale.element_sum().max(1e-20) {
                break;
            }
            let axis = torque.normalize();
            let (cos, sin) = Self::parts(&products, axis);
            let step = Quat::from_axis_angle(axis, libm::atan2f(sin, cos));
            turn = step * turn;
            products = Mat3::from_quat(step) * products;
        }
        turn.normalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_skeleton::rotation;

    #[test]
    fn one_pair_is_turned_by_the_shortest_arc() {
        let (a, b) = (Vec3::new(0.3, 0.4, -0.2), Vec3::new(-1.0, 0.5, 0.3));
        let mut alignment = Alignment::NONE;
        alignment.add(a, b, 2.0);
        let turned = alignment.rotation() * a.normalize();
        assert!(turned.abs_diff_eq(b.normalize(), 1e-5));
        let angle = rotation::angle_between(alignment.rotation(), Quat::IDENTITY);
        assert!((angle - a.angle_between(b)).abs() < 1e-4);
    }

    #[test]
    fn a_rotated_set_of_vectors_is_rotated_back() {
        let turn = rotation::exp(Vec3::new(0.4, -0.9, 0.3));
        let mut alignment = Alignment::NONE;
        for v in [Vec3::new(0.9, 0.1, 0.0), Vec3::new(-0.2, 1.1, 0.1), Vec3::Z] {
            alignment.add(v, turn * v, 1.0);
        }
        assert!(rotation::angle_between(alignment.rotation(), turn) < 1e-2);
    }

    #[test]
    fn opposite_vectors_ask_for_nothing() {
        let mut alignment = Alignment::NONE;
        alignment.add(Vec3::X, -Vec3::X, 1.0);
        assert_eq!(alignment.rotation(), Quat::IDENTITY);
    }
}
