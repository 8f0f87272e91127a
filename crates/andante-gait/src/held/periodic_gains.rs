//! Linear feedback for a linear motion that repeats itself.

use nalgebra::{DMatrix, DVector};

/// x' = state · x + input · u.
pub(crate) struct LinearStage {
    pub state: DMatrix<f64>,
    pub input: DMatrix<f64>,
}

/// For each stage of a cycle the gain K for which u = −K x costs least over some cycles to come, at a price for every square of
/// x and u. `None` if that has no answer.
///
/// Riccati's recursion, backwards round the cycle.
pub(crate) fn periodic_gains(
    stages: &[LinearStage],
    worth: &DVector<f64>,
    price: &DVector<f64>,
    cycles: usize,
) -> Option<Vec<DMatrix<f64>>> {
    let worth = DMatrix::from_diagonal(worth);
    let price = DMatrix::from_diagonal(price);
    let mut cost = worth.clone();
    let mut gains = Vec::new();
    for _ in 0..cycles.max(1) {
        gains.clear();
        for stage in stages.iter().rev() {
            let (a, b) = (&stage.state, &stage.input);
            let ahead = &cost * a;
            let (bt, at) = (b.transpose(), a.transpose());
            let gain = (&price + &bt * (&cost * b)).cholesky()?.solve(&(&bt * &ahead));
            let next = &worth + &at * ahead - at * (&cost * b) * &gain;
            cost = 0.5 * (&next + next.transpose());
            if !cost.iter().all(|value| value.is_finite()) {
                return None;
            }
            gains.push(gain);
        }
    }
    gains.reverse();
    Some(gains)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scalar_that_doubles_is_held_by_the_known_gain() {
        // x' = 2x + u, both at price 1: p = 1 + 4p − 4p²/(1 + p), so p = 2 + √5 and the gain is 2p/(1 + p).
        let stage =
            LinearStage { state: DMatrix::from_element(1, 1, 2.0), input: DMatrix::identity(1, 1) };
        let one = DVector::from_element(1, 1.0);
        let gains = periodic_gains(&[stage], &one, &one, 100).unwrap();
        let p = 2.0 + 5.0f64.sqrt();
        assert!((gains[0][0] - 2.0 * p / (1.0 + p)).abs() < 1e-9);
    }

    #[test]
    fn a_motion_that_can_be_moved_only_in_part_of_its_cycle_is_held() {
        let a = DMatrix::from_row_slice(2, 2, &[1.2, 0.3, 0.0, 1.4]);
        let with =
            LinearStage { state: a.clone(), input: DMatrix::from_row_slice(2, 1, &[0.0, 1.0]) };
        let without = LinearStage { state: a, input: DMatrix::zeros(2, 1) };
        let stages = [without, with];
        let (worth, price) = (DVector::from_element(2, 1.0), DVector::from_element(1, 1.0));
        let gains = periodic_gains(&stages, &worth, &price, 100).unwrap();
        let mut x = DVector::from_vec(vec![1.0, -1.0]);
        for step in 0..200 {
            let stage = &stages[step % 2];
            x = &stage.state * &x - &stage.input * (&gains[step % 2] * &x);
        }
        assert!(x.norm() < 1e-6, "{x}");
    }
}
