//! Matrices as rigid placements.

use glam::{DAffine3, DMat3, DQuat, DVec3};

/// A rotation and a position in double precision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rigid {
    pub rotation: DQuat,
    pub translation: DVec3,
}

impl Rigid {
    pub const IDENTITY: Self = Self { rotation: DQuat::IDENTITY, translation: DVec3::ZERO };

    /// The rigid part of a matrix: its position and the rotation nearest to its linear part. What
    /// is left over is [`Rigid::residual`].
    ///
    /// A mirroring matrix counts as mirrored along its own x axis first, so that children of a
    /// mirrored node turn rigidly. `otherwise` is the rotation of a matrix that flattens space.
    pub fn nearest(matrix: &DAffine3, otherwise: DQuat) -> Self {
        let rotation = nearest_rotation(matrix.matrix3).unwrap_or(otherwise);
        Self { rotation, translation: matrix.translation }
    }

    /// Scale and shear of a matrix beyond this placement of it.
    pub fn residual(&self, matrix: &DAffine3) -> DMat3 {
        DMat3::from_quat(self.rotation.conjugate()) * matrix.matrix3
    }

    /// This placement as its parent sees it.
    pub fn relative_to(&self, parent: &Self) -> Self {
        let inverse = parent.rotation.conjugate();
        Self {
            rotation: (inverse * self.rotation).normalize(),
            translation: inverse * (self.translation - parent.translation),
        }
    }

    /// A placement relative to a parent as everybody sees it.
    pub fn on(&self, parent: &Self) -> Self {
        Self {
            rotation: (parent.rotation * self.rotation).normalize(),
            translation: parent.translation + parent.rotation * self.translation,
        }
    }

    pub fn affine(&self) -> DAffine3 {
        DAffine3::from_rotation_translation(self.rotation, self.translation)
    }
}

/// The orthogonal factor of the polar decomposition, by Newton's iteration (Higham, "Computing the
/// polar decomposition, with applications", 1986), made a rotation.
fn nearest_rotation(matrix: DMat3) -> Option<DQuat> {
    /// Ratio of volumes below which a matrix counts as flat.
    const FLAT: f64 = 1e-12;
    let columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    let size = columns.iter().fold(0.0, |size: f64, column| size.max(column.length()));
    let mut x = matrix * size.recip();
    let determinant = x.determinant();
    if !(size.is_finite() && determinant.is_finite() && determinant.abs() > FLAT) {
        return None;
    }
    // Each step halves large scales, then convergence is quadratic.
    for _ in 0..64 {
        let next = (x + x.inverse().transpose()) * 0.5;
        let change = (next - x).to_cols_array().iter().fold(0.0, |c: f64, v| c.max(v.abs()));
        x = next;
        if change < 1e-14 {
            break;
        }
    }
    if determinant < 0.0 {
        x.x_axis = -x.x_axis;
    }
    let rotation = DQuat::from_mat3(&x).normalize();
    rotation.is_finite().then_some(rotation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn turn(x: f64, y: f64, z: f64) -> DQuat {
        DQuat::from_scaled_axis(DVec3::new(x, y, z))
    }

    proptest! {
        #[test]
        fn scale_along_the_own_axes_leaves_the_rotation(
            (x, y, z) in (-3.0..3.0, -3.0..3.0, -3.0..3.0),
            (a, b, c) in (0.001..1000.0, 0.001..1000.0, 0.001..1000.0),
        ) {
            let rotation = turn(x, y, z);
            let scale = DVec3::new(a, b, c);
            let matrix = DAffine3::from_scale_rotation_translation(scale, rotation, DVec3::X);
            let rigid = Rigid::nearest(&matrix, DQuat::IDENTITY);
            prop_assert!(rigid.rotation.dot(rotation).abs() > 1.0 - 1e-10);
            let residual = rigid.residual(&matrix);
            prop_assert!(residual.abs_diff_eq(DMat3::from_diagonal(scale), 1e-6));
        }

        #[test]
        fn children_of_a_mirrored_node_keep_their_residual((x, y, z) in (-3.0..3.0, -3.0..3.0, -3.0..3.0)) {
            let mirrored = DAffine3::from_scale(DVec3::new(1.0, -1.0, 1.0));
            let still = mirrored * DAffine3::from_quat(DQuat::IDENTITY);
            let turned = mirrored * DAffine3::from_quat(turn(x, y, z));
            let residual = |m: &DAffine3| Rigid::nearest(m, DQuat::IDENTITY).residual(m);
            prop_assert!(residual(&still).abs_diff_eq(residual(&turned), 1e-9));
        }
    }

    #[test]
    fn flat_matrices_take_the_given_rotation() {
        let otherwise = turn(0.1, 0.2, 0.3);
        for scale in [DVec3::ZERO, DVec3::new(1.0, 0.0, 1.0), DVec3::splat(1e-320)] {
            let rigid = Rigid::nearest(&DAffine3::from_scale(scale), otherwise);
            assert_eq!(rigid.rotation, otherwise, "{scale}");
        }
    }
}
