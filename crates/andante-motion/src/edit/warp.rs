//! Time warps: moments that are moved, and a smooth pace between them.

use super::error::{EditError, check, steps};
use super::time::{needs, sampled};
use andante_skeleton::{Clip, Skeleton};

/// A moment of a clip and when it is to happen, both in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimePair {
    /// When it happens in the clip.
    pub from: f32,
    /// When it happens in the result.
    pub to: f32,
}

/// The same path in another time, so that moments happen when they are asked for. Before the first and after the last pair the
/// motion keeps its own pace; between them the pace changes smoothly and never turns round: a monotone cubic (F. N. Fritsch and
/// R. E. Carlson, "Monotone piecewise cubic interpolation", SIAM J. Numer. Anal. 17, 1980). The result begins with the clip.
pub fn time_warped(
    skeleton: &Skeleton,
    clip: &Clip,
    pairs: &[TimePair],
) -> Result<Clip, EditError> {
    check(skeleton, clip)?;
    needs(clip, 2)?;
    let curve = WarpCurve::new(clip, pairs)?;
    let (begin, end) = (curve.to_of(0.0), curve.to_of(f64::from(clip.duration())));
    let fps = f64::from(clip.fps());
    let count = steps((end - begin) * fps, skeleton.len())?;
    let mut transforms = Vec::with_capacity((count + 1) * skeleton.len());
    for frame in 0..=count {
        // The last frame is the end of the clip, though its time may be a fraction of a frame away.
        let at = match frame == count {
            true => (clip.frame_count() - 1) as f64,
            false => curve.source_time(begin + frame as f64 / fps) * fps,
        };
        sampled(clip, at, &mut transforms);
    }
    Ok(Clip::new(clip.name(), skeleton, clip.fps(), transforms)?)
}

/// A time as a monotone function of another.
struct WarpCurve {
    from: Vec<f64>,
    to: Vec<f64>,
    /// Seconds of the clip per second of the result, at each pair.
    slopes: Vec<f64>,
}

impl WarpCurve {
    fn new(clip: &Clip, pairs: &[TimePair]) -> Result<Self, EditError> {
        if pairs.is_empty() {
            return Err(EditError::TooFewKeys { count: 0 });
        }
        let mut before = TimePair { from: f32::NEG_INFINITY, to: f32::NEG_INFINITY };
        for (index, pair) in pairs.iter().enumerate() {
            let inside = pair.from >= 0.0 && pair.from <= clip.duration() + 0.5 / clip.fps();
            let grows = pair.from > before.from && pair.to > before.to;
            if !(inside && grows && pair.to.is_finite()) {
                return Err(EditError::Warp { index, from: pair.from, to: pair.to });
            }
            before = *pair;
        }
        let from: Vec<f64> = pairs.iter().map(|pair| f64::from(pair.from)).collect();
        let to: Vec<f64> = pairs.iter().map(|pair| f64::from(pair.to)).collect();
        let secants: Vec<f64> = from
            .windows(2)
            .zip(to.windows(2))
            .map(|(s, t)| (s[1] - s[0]) / (t[1] - t[0]))
            .collect();
        let last = from.len() - 1;
        let mut slopes: Vec<f64> = (0..=last)
            .map(|index| match index {
                // The pace outside.
                0 => 1.0,
                index if index == last => 1.0,
                index => 0.5 * (secants[index - 1] + secants[index]),
            })
            .collect();
        // Slopes of at most three times the secant leave a cubic monotone.
        for (index, slope) in slopes.iter_mut().enumerate() {
            let left = index.checked_sub(1).map(|before| secants[before]);
            let least =
                left.into_iter().chain(secants.get(index).copied()).fold(f64::INFINITY, f64::min);
            *slope = slope.min(3.0 * least);
        }
        Ok(Self { from, to, slopes })
    }

    /// The time of the clip for a time of the result.
    fn source_time(&self, to: f64) -> f64 {
        let last = self.to.len() - 1;
        if to <= self.to[0] {
            return self.from[0] + (to - self.to[0]);
        }
        if to >= self.to[last] {
            return self.from[last] + (to - self.to[last]);
        }
        let next = self.to.partition_point(|&other| other <= to).clamp(1, last);
        let (a, b) = (next - 1, next);
        let length = self.to[b] - self.to[a];
        let u = (to - self.to[a]) / length;
        let (u2, u3) = (u * u, u * u * u);
        self.from[a] * (2.0 * u3 - 3.0 * u2 + 1.0)
            + self.slopes[a] * length * (u3 - 2.0 * u2 + u)
            + self.from[b] * (3.0 * u2 - 2.0 * u3)
            + self.slopes[b] * length * (u3 - u2)
    }

    /// The time of the result for a time of the clip: the inverse, by halving.
    fn to_of(&self, from: f64) -> f64 {
        let last = self.from.len() - 1;
        if from <= self.from[0] {
            return self.to[0] + (from - self.from[0]);
        }
        if from >= self.from[last] {
            return self.to[last] + (from - self.from[last]);
        }
        let (mut low, mut high) = (self.to[0], self.to[last]);
        for _ in 0..64 {
            let middle = 0.5 * (low + high);
            match self.source_time(middle) < from {
                true => low = middle,
                false => high = middle,
            }
        }
        0.5 * (low + high)
    }
}
