//! The generalised eigenproblem of vibration.

use nalgebra::{Cholesky, DMatrix, DVector, SymmetricEigen};

/// Eigenvalues in ascending order and, in columns, eigenvectors with Xᵀ·B·X = 1.
pub(crate) struct Eigen {
    pub values: DVector<f64>,
    pub vectors: DMatrix<f64>,
}

/// Solves A·x = λ·B·x for symmetric A and symmetric positive definite B: with B = L·Lᵀ it is the ordinary
/// problem of L⁻¹·A·L⁻ᵀ. `None` if B is not positive definite or the iteration does not end.
pub(crate) fn solve(a: DMatrix<f64>, b: DMatrix<f64>) -> Option<Eigen> {
    let size = a.nrows();
    if size == 0 {
        return Some(Eigen { values: DVector::zeros(0), vectors: DMatrix::zeros(0, 0) });
    }
    let lower = Cholesky::new(b)?.unpack();
    let mut c = a;
    lower.solve_lower_triangular_mut(&mut c).then_some(())?;
    c.transpose_mut();
    lower.solve_lower_triangular_mut(&mut c).then_some(())?;
    // Rounding leaves it slightly unsymmetric.
    let c = (&c + c.transpose()) * 0.5;
    let eigen = SymmetricEigen::try_new(c, f64::EPSILON, 64 * size)?;
    let mut order: Vec<usize> = (0..size).collect();
    order.sort_by(|&i, &j| eigen.eigenvalues[i].total_cmp(&eigen.eigenvalues[j]));
    let values = DVector::from_iterator(size, order.iter().map(|&i| eigen.eigenvalues[i]));
    let mut vectors = eigen.eigenvectors.select_columns(&order);
    lower.tr_solve_lower_triangular_mut(&mut vectors).then_some(())?;
    Some(Eigen { values, vectors })
}

/// An orthonormal basis of all x with G·x = 0, in columns: what is left of Q in Gᵀ·P = Q·R beyond the rank of G.
pub(crate) fn null_space(g: &DMatrix<f64>) -> DMatrix<f64> {
    let size = g.ncols();
    if g.nrows() == 0 {
        return DMatrix::identity(size, size);
    }
    let qr = g.transpose().col_piv_qr();
    let r = qr.r();
    let diagonal = r.diagonal();
    // Pivots come in descending order; contacts may say the same thing twice (toe and heel of one foot
    // keep their distance anyway).
    let least = diagonal[0].abs() * 1e-10;
    let rank = diagonal.iter().filter(|pivot| pivot.abs() > least).count();
    let mut q_transposed = DMatrix::identity(size, size);
    qr.q_tr_mul(&mut q_transposed);
    q_transposed.rows(rank, size - rank).transpose()
}
