//! Clips in a row: one parameter, such as curvature or the length of a jump.

use super::BlendSpaceError;

/// A group of clips ordered by one parameter (footstep-planning 3.6).
///
/// Weights are linear between the two neighbouring clips; outside the range the nearest clip has
/// all of it.
///
/// ```
/// use andante_play::blend_space::BlendSpace1;
///
/// let turns = BlendSpace1::new(&[-1.0, 0.0, 1.0])?;
/// let mut weights = [0.0; 3];
/// turns.weights(0.25, &mut weights);
/// assert_eq!(weights, [0.0, 0.75, 0.25]);
/// # Ok::<(), andante_play::blend_space::BlendSpaceError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BlendSpace1 {
    /// Clip and its parameter, by rising parameter and without duplicates.
    points: Vec<(usize, f32)>,
    clips: usize,
}

impl BlendSpace1 {
    /// One parameter per clip, in any order. Of clips with the same parameter the first is used.
    pub fn new(parameters: &[f32]) -> Result<Self, BlendSpaceError> {
        if parameters.is_empty() {
            return Err(BlendSpaceError::Empty);
        }
        if let Some(clip) = parameters.iter().position(|value| !value.is_finite()) {
            return Err(BlendSpaceError::NonFinite { clip });
        }
        let mut points: Vec<(usize, f32)> = parameters.iter().copied().enumerate().collect();
        points.sort_by(|a, b| a.1.total_cmp(&b.1));
        points.dedup_by(|later, earlier| later.1 == earlier.1);
        Ok(Self { points, clips: parameters.len() })
    }

    /// Number of clips.
    pub fn clip_count(&self) -> usize {
        self.clips
    }

    /// Smallest and largest parameter.
    pub fn range(&self) -> [f32; 2] {
        [self.points[0].1, self.points[self.points.len() - 1].1]
    }

    /// Writes one weight per clip, none negative, with sum 1, and returns the parameter they stand
    /// for. A parameter that is not a number leaves the weights as they were.
    ///
    /// # Panics
    /// If there are fewer weights than clips.
    pub fn weights(&self, parameter: f32, weights: &mut [f32]) -> Option<f32> {
        if parameter.is_nan() {
            return None;
        }
        let [low, high] = self.range();
        let parameter = parameter.clamp(low, high);
        weights[..self.clips].fill(0.0);
        let above = self.points.partition_point(|point| point.1 <= parameter);
        let (a, from) = self.points[above - 1];
        match self.points.get(above) {
            Some(&(b, to)) => {
                let share = (parameter - from) / (to - from);
                weights[b] = share;
                weights[a] = 1.0 - share;
            }
            None => weights[a] = 1.0,
        }
        Some(parameter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn weights_reproduce_the_parameter_inside_and_the_nearest_clip_outside(
            parameters in proptest::collection::vec(-3.0f32..3.0, 1..9),
            at in -5.0f32..5.0,
        ) {
            let space = BlendSpace1::new(&parameters).unwrap();
            let mut weights = vec![9.0; parameters.len()];
            let reached = space.weights(at, &mut weights).unwrap();
            let [low, high] = space.range();
            prop_assert_eq!(reached, at.clamp(low, high));
            let sum: f32 = weights.iter().sum();
            let mean: f32 = weights.iter().zip(&parameters).map(|(w, p)| w * p).sum();
            prop_assert!((sum - 1.0).abs() < 1e-6);
            prop_assert!((mean - reached).abs() < 1e-5);
            prop_assert!(weights.iter().all(|w| *w >= 0.0));
            prop_assert!(weights.iter().filter(|w| **w > 0.0).count() <= 2);
        }
    }

    #[test]
    fn odd_groups_are_refused_or_handled() {
        assert_eq!(BlendSpace1::new(&[]), Err(BlendSpaceError::Empty));
        assert_eq!(BlendSpace1::new(&[0.0, f32::NAN]), Err(BlendSpaceError::NonFinite { clip: 1 }));
        let twins = BlendSpace1::new(&[1.0, 1.0]).unwrap();
        let mut weights = [0.5; 2];
        assert_eq!(twins.weights(7.0, &mut weights), Some(1.0));
        assert_eq!(weights, [1.0, 0.0]);
        assert_eq!(twins.weights(f32::NAN, &mut weights), None);
        assert_eq!(weights, [1.0, 0.0]);
        assert_eq!(twins.weights(f32::INFINITY, &mut weights), Some(1.0));
    }
}
