//! Small dense systems, solved in place.

/// Cholesky decomposition of the symmetric, row-major `matrix` of the given size into its lower triangle,
/// with reciprocals on the diagonal.
/// Pivots that rounding has made too small are raised to `least`: their unknowns hardly move.
pub(crate) fn decompose(matrix: &mut [f32], size: usize, least: f32) {
    for row in 0..size {
        let (done, rest) = matrix.split_at_mut(row * size);
        let line = &mut rest[..=row];
        for (column, above) in done.chunks_exact(size).enumerate() {
            let sum = line[column] - dot(&line[..column], &above[..column]);
            // The diagonal holds reciprocals, so that nothing is divided twice.
            line[column] = sum * above[column];
        }
        let pivot = line[row] - dot(&line[..row], &line[..row]);
        line[row] = pivot.max(least).sqrt().recip();
    }
}

/// Solves with the decomposition made by [`decompose`]; `vector` holds the right side, then the solution.
pub(crate) fn substitute(lower: &[f32], size: usize, vector: &mut [f32]) {
    let vector = &mut vector[..size];
    for (row, line) in lower.chunks_exact(size).enumerate() {
        vector[row] = (vector[row] - dot(&line[..row], &vector[..row])) * line[row];
    }
    for (row, line) in lower.chunks_exact(size).enumerate().rev() {
        let solved = vector[row] * line[row];
        vector[row] = solved;
        for (sum, entry) in vector[..row].iter_mut().zip(line) {
            *sum -= entry * solved;
        }
    }
}

/// The scalar product of two rows, in four lanes so that it is vectorised in one fixed order.
#[inline]
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0f32; 4];
    let (a_blocks, b_blocks) = (a.chunks_exact(4), b.chunks_exact(4));
    let mut rest = 0.0;
    for (x, y) in a_blocks.remainder().iter().zip(b_blocks.remainder()) {
        rest += x * y;
    }
    for (x, y) in a_blocks.zip(b_blocks) {
        for lane in 0..4 {
            lanes[lane] += x[lane] * y[lane];
        }
    }
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solution_put_back_gives_the_right_side() {
        let size = 5;
        let entry = |row: usize, column: usize| {
            let value = ((row * column + row + column) as f32 * 0.7).sin();
            if row == column { 6.0 + value } else { value }
        };
        let matrix: Vec<f32> = (0..25).map(|k| entry(k / size, k % size)).collect();
        let wanted = [1.0, -2.0, 0.5, 3.0, -0.25];
        let mut vector: Vec<f32> =
            (0..size).map(|row| dot(&matrix[row * size..(row + 1) * size], &wanted)).collect();
        let mut lower = matrix.clone();
        decompose(&mut lower, size, 1e-9);
        substitute(&lower, size, &mut vector);
        for (found, wanted) in vector.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-5);
        }
    }
}
