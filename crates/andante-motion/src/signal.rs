//! Smoothing and statistics of sampled curves, shared by everything that looks at clips.

use andante_skeleton::Transform;
use glam::{Quat, Vec2, Vec3};
use std::ops::{Add, Mul, Range, Sub};

/// What a curve may consist of.
pub(crate) trait SignalValue:
    Copy + Default + Add<Output = Self> + Sub<Output = Self> + Mul<f32, Output = Self>
{
}
impl SignalValue for f32 {}
impl SignalValue for Vec2 {}
impl SignalValue for Vec3 {}

/// A smoothed curve and its slope per second.
pub(crate) struct Smooth<T> {
    pub value: Vec<T>,
    pub slope: Vec<T>,
}

/// More frames than any filter window needs; bounds the work on clips with absurd frame rates.
const WIDEST: usize = 128;

/// Fits a parabola to the samples within `half_width` seconds of each sample and takes its value
/// and slope there (A. Savitzky and M. Golay, 1964). Symmetric in time, so that events do not move;
/// at the ends the parabola is fitted to what is there.
pub(crate) fn smooth<T: SignalValue>(samples: &[T], rate: f32, half_width: f32) -> Smooth<T> {
    let reach = ((half_width * rate).round().max(1.0) as usize).min(WIDEST);
    let inner = Kernel::new(reach, reach);
    let mut value = Vec::with_capacity(samples.len());
    let mut slope = Vec::with_capacity(samples.len());
    for (at, &centre) in samples.iter().enumerate() {
        let left = samples.len() - 1 - at;
        // At least three samples, where there are as many, also at the ends.
        let before = at.min(reach.max(2usize.saturating_sub(left)));
        let after = left.min(reach.max(2usize.saturating_sub(at)));
        let edge;
        let kernel = if before == reach && after == reach {
            &inner
        } else {
            edge = Kernel::new(before, after);
            &edge
        };
        let mut fitted = T::default();
        let mut rising = T::default();
        // Differences from the centre keep the precision of small motions far from the origin.
        for (sample, weight) in samples[at - before..=at + after].iter().zip(&kernel.weights) {
            let difference = *sample - centre;
            fitted = fitted + difference * weight[0];
            rising = rising + difference * weight[1];
        }
        value.push(centre + fitted);
        slope.push(rising * rate);
    }
    Smooth { value, slope }
}

/// Weights of the samples from `before` frames back to `after` frames on, for value and slope per
/// frame of the fitted parabola.
struct Kernel {
    weights: Vec<[f32; 2]>,
}

impl Kernel {
    fn new(before: usize, after: usize) -> Self {
        let offsets = || (-(before as i32)..=after as i32).map(f64::from);
        // Power sums of the offsets: the normal equations of the least-squares parabola.
        let mut s = [0.0; 5];
        for k in offsets() {
            for (power, sum) in s.iter_mut().enumerate() {
                *sum += k.powi(power as i32);
            }
        }
        let weights = match before + after {
            0 => vec![[1.0, 0.0]],
            // A line through two samples.
            1 if before == 1 => vec![[0.0, -1.0], [1.0, 1.0]],
            1 => vec![[1.0, -1.0], [0.0, 1.0]],
            _ => {
                // First two rows of the inverse of [s0 s1 s2; s1 s2 s3; s2 s3 s4], by cofactors.
                let c00 = s[2] * s[4] - s[3] * s[3];
                let c01 = s[2] * s[3] - s[1] * s[4];
                let c02 = s[1] * s[3] - s[2] * s[2];
                let c11 = s[0] * s[4] - s[2] * s[2];
                let c12 = s[1] * s[2] - s[0] * s[3];
                let determinant = s[0] * c00 + s[1] * c01 + s[2] * c02;
                let weight = |k: f64| {
                    [(c00 + c01 * k + c02 * k * k), (c01 + c11 * k + c12 * k * k)]
                        .map(|w| (w / determinant) as f32)
                };
                offsets().map(weight).collect()
            }
        };
        Self { weights }
    }
}

/// Puts joints that garbage has thrown out of the world back to its edge, `reach` metres from the origin, so
/// that no sum overflows.
pub(crate) fn tame(models: &mut [Transform], reach: f32) {
    for model in models {
        let place = &mut model.translation;
        if !(place.abs().max_element() <= reach && model.rotation.is_finite()) {
            let inside = |x: f32| if x.is_nan() { 0.0 } else { x.clamp(-reach, reach) };
            *place = Vec3::new(inside(place.x), inside(place.y), inside(place.z));
            if !model.rotation.is_finite() {
                model.rotation = Quat::IDENTITY;
            }
        }
    }
}

/// The value below which the fraction `at` of the values lie; 0 if there are none.
pub(crate) fn percentile(values: impl IntoIterator<Item = f32>, at: f32) -> f32 {
    let mut values: Vec<f32> = values.into_iter().collect();
    if values.is_empty() {
        return 0.0;
    }
    let index = ((values.len() - 1) as f32 * at.clamp(0.0, 1.0)).round() as usize;
    let (_, value, _) = values.select_nth_unstable_by(index, f32::total_cmp);
    *value
}

/// The middle value; 0 if there are none.
pub(crate) fn median(values: impl IntoIterator<Item = f32>) -> f32 {
    percentile(values, 0.5)
}

/// The component-wise middle of some points.
pub(crate) fn median_point(points: &[Vec3]) -> Vec3 {
    let axis = |axis: usize| median(points.iter().map(|point| point[axis]));
    Vec3::new(axis(0), axis(1), axis(2))
}

/// Runs of frames in which `loose` holds throughout and `strict` at least once: a threshold with
/// hysteresis that is the same forwards and backwards in time.
pub(crate) fn seeded_runs(
    frames: usize,
    strict: impl Fn(usize) -> bool,
    loose: impl Fn(usize) -> bool,
) -> Vec<Range<usize>> {
    let mut found = runs(frames, |frame| strict(frame) || loose(frame));
    found.retain(|run| run.clone().any(&strict));
    found
}

/// Runs of frames in which something holds.
pub(crate) fn runs(frames: usize, holds: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for frame in (0..frames).filter(|&frame| holds(frame)) {
        match found.last_mut() {
            Some(last) if last.end == frame => last.end = frame + 1,
            _ => found.push(frame..frame + 1),
        }
    }
    found
}

/// Joins runs that are fewer than `gap` frames apart, then drops those of fewer than `shortest`.
pub(crate) fn tidy(runs: Vec<Range<usize>>, gap: usize, shortest: usize) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::with_capacity(runs.len());
    for run in runs {
        match joined.last_mut() {
            Some(last) if run.start < last.end + gap => last.end = last.end.max(run.end),
            _ => joined.push(run),
        }
    }
    joined.retain(|run| run.len() >= shortest);
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn parabolas_pass_unchanged_up_to_their_ends(
            a in -2.0f32..2.0, b in -2.0f32..2.0, c in -2.0f32..2.0, count in 3usize..60, half in 0.0f32..0.3,
        ) {
            let rate = 60.0;
            let at = |frame: usize| frame as f32 / rate;
            let samples: Vec<f32> = (0..count).map(|f| a + b * at(f) + c * at(f) * at(f)).collect();
            let smoothed = smooth(&samples, rate, half);
            for (frame, sample) in samples.iter().enumerate() {
                prop_assert!((smoothed.value[frame] - sample).abs() < 1e-4);
                let slope = b + 2.0 * c * at(frame);
                prop_assert!((smoothed.slope[frame] - slope).abs() < 2e-2, "{} {slope}", smoothed.slope[frame]);
            }
        }

        #[test]
        fn smoothing_commutes_with_time_reversal(samples in proptest::collection::vec(-1.0f32..1.0, 1..40)) {
            let mut reversed = samples.clone();
            reversed.reverse();
            let (forward, backward) = (smooth(&samples, 30.0, 0.1), smooth(&reversed, 30.0, 0.1));
            let last = samples.len() - 1;
            for frame in 0..=last {
                prop_assert!((forward.value[frame] - backward.value[last - frame]).abs() < 1e-4);
                prop_assert!((forward.slope[frame] + backward.slope[last - frame]).abs() < 1e-2);
            }
        }
    }

    #[test]
    fn one_and_two_samples_are_smoothed_too() {
        let one = smooth(&[3.0f32], 30.0, 0.1);
        assert_eq!((one.value[0], one.slope[0]), (3.0, 0.0));
        let two = smooth(&[1.0f32, 2.0], 30.0, 0.1);
        assert_eq!(two.value, [1.0, 2.0]);
        assert_eq!(two.slope, [30.0, 30.0]);
    }

    #[test]
    fn noise_is_averaged_away_but_edges_stay_where_they_are() {
        let step: Vec<f32> = (0..40).map(|f| if f < 20 { 0.0 } else { 1.0 }).collect();
        let smoothed = smooth(&step, 100.0, 0.04).value;
        let crossing = smoothed.iter().position(|&v| v > 0.5).unwrap();
        assert_eq!(crossing, 20);
    }

    #[test]
    fn runs_are_seeded_joined_and_cleaned() {
        let values = [0, 1, 2, 1, 0, 1, 1, 0, 2, 0, 0, 0, 2, 2, 2];
        let found = seeded_runs(values.len(), |f| values[f] > 1, |f| values[f] > 0);
        assert_eq!(found, [1..4, 8..9, 12..15]);
        assert_eq!(tidy(found.clone(), 4, 2), [1..4, 8..15]);
        assert_eq!(tidy(found, 1, 2), [1..4, 12..15]);
    }

    #[test]
    fn garbage_is_put_back_to_the_edge_of_the_world() {
        let far = Transform::from_translation(Vec3::new(f32::MAX, f32::NAN, -2.0));
        let mut models = [far, Transform::IDENTITY];
        tame(&mut models, 1e6);
        assert_eq!(models[0].translation, Vec3::new(1e6, 0.0, -2.0));
        assert_eq!(models[1], Transform::IDENTITY);
    }

    #[test]
    fn percentiles_of_nothing_are_zero() {
        assert_eq!(median([]), 0.0);
        assert_eq!(median([3.0, 1.0, 2.0]), 2.0);
        assert_eq!(percentile([3.0, 1.0, 2.0], 1.0), 3.0);
    }
}
