//! The frame rate behind the keys of an animation.

use crate::ReadGuesses;

/// Frames per second for key times in increasing order, without repetition.
///
/// Evenly spaced keys with straight lines between them keep their rate. Otherwise it is the first
/// usual rate on whose frames all keys fall, or else one at which frames are closer together than
/// most keys are.
pub(super) fn guess(times: &[f64], is_curved: bool, guesses: &ReadGuesses) -> f64 {
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else {
        return f64::from(guesses.fps);
    };
    let duration = last - first;
    if duration <= 0.0 {
        return f64::from(guesses.fps);
    }
    // Times are stored in single precision.
    let slack = |rate: f64| guesses.off_frame + last.abs() * f64::from(f32::EPSILON) * rate;
    let fits = |rate: f64, origin: f64| {
        times.iter().all(|time| {
            let frame = (time - origin) * rate;
            (frame - frame.round()).abs() < slack(rate)
        })
    };

    let gaps = (times.len() - 1) as f64;
    let even = gaps / duration;
    if !is_curved && guesses.own_fps.contains(&even) && fits(even, first) {
        let whole = even.round();
        let drift = (even - whole).abs() * duration;
        return if drift < slack(even) { whole } else { even };
    }
    // Frames counted from time zero, as in the tool that made the animation, or else from the first key.
    let usual = |origin: f64| guesses.usual_fps.iter().copied().find(|&rate| fits(rate, origin));
    if let Some(rate) = usual(0.0).or_else(|| usual(first)) {
        return rate;
    }
    let mut spacing: Vec<_> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    spacing.sort_by(f64::total_cmp);
    let median = spacing[spacing.len() / 2];
    [60.0, 120.0].into_iter().find(|rate| rate * median >= 1.0).unwrap_or(240.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guess(times: &[f64], is_curved: bool) -> f64 {
        super::guess(times, is_curved, &ReadGuesses::default())
    }

    fn keys(rate: f64, frames: impl IntoIterator<Item = u32>) -> Vec<f64> {
        frames.into_iter().map(|frame| f64::from((f64::from(frame) / rate) as f32)).collect()
    }

    #[test]
    fn evenly_spaced_keys_keep_their_rate() {
        for rate in [10.0, 12.0, 24.0, 25.0, 30.0, 33.0, 60.0, 119.0, 120.0, 240.0] {
            assert_eq!(guess(&keys(rate, 0..500), false), rate);
            assert_eq!(guess(&keys(rate, 7..500), false), rate, "not from zero");
        }
        let ntsc = 30_000.0 / 1001.0;
        assert!((guess(&keys(ntsc, 0..500), false) - ntsc).abs() < 1e-4);
    }

    #[test]
    fn sparse_keys_get_the_first_usual_rate_that_meets_them_all() {
        assert_eq!(guess(&keys(24.0, [0, 3, 4, 17]), false), 24.0);
        assert_eq!(guess(&keys(60.0, [0, 1, 9, 40]), false), 60.0);
        assert_eq!(guess(&keys(120.0, [0, 5, 10, 80, 104, 139]), false), 120.0);
        assert_eq!(guess(&[0.0, 1.0], false), 30.0);
        assert_eq!(guess(&keys(24.0, [1, 5]), false), 24.0, "the start counts too");
        assert_eq!(guess(&[0.001, 0.501], false), 30.0, "unless it is on no frame");
        assert_eq!(guess(&keys(10.0, 0..20), true), 30.0, "curves need frames between keys");
    }

    #[test]
    fn keys_on_no_frame_get_a_rate_denser_than_they_are() {
        assert_eq!(guess(&[0.0, 0.1234, 0.7771, 1.0001], false), 60.0);
        let dense: Vec<_> =
            (0..100).map(|k| f64::from(k) * 0.01 + f64::from(k % 7) * 7e-4).collect();
        assert_eq!(guess(&dense, false), 120.0);
    }

    #[test]
    fn a_single_key_has_the_default_rate() {
        assert_eq!(guess(&[], false), 30.0);
        assert_eq!(guess(&[2.5], false), 30.0);
    }
}
