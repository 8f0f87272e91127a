//! The number every kernel is written over: one `f64`, or a pack of them.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use wide::{f64x4, f64x8};

/// A real number, or several that go through the same arithmetic in lockstep.
///
/// Kernels written over `Real` contain no branch on a value: where a single number would branch, a lane
/// [selects](Real::select). None of the operations fuses or reorders, so a lane of a pack holds the very bits that
/// the same computation in `f64` gives.
pub trait Real:
    Copy
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
{
    /// How many numbers are in a pack.
    const LANES: usize;
    /// The outcome of a comparison, one truth per lane.
    type Mask: Copy + Debug + Send + Sync + 'static;

    /// The same number in every lane.
    fn splat(value: f64) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// Absolute value.
    fn abs(self) -> Self;
    /// The larger; `other` where the comparison fails.
    fn max(self, other: Self) -> Self;
    /// The smaller; `other` where the comparison fails.
    fn min(self, other: Self) -> Self;
    /// Whether each lane is below its counterpart; false for a number that is none.
    fn lt(self, other: Self) -> Self::Mask;
    /// `yes` where the mask is true, else `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// A mask from a truth per lane.
    fn mask(truth: impl Fn(usize) -> bool) -> Self::Mask;
    /// Whether the mask is true in one lane; false past the end.
    fn test(mask: Self::Mask, lane: usize) -> bool;
    /// Whether the mask is true in any lane.
    fn any(mask: Self::Mask) -> bool;
    /// Both masks.
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// The first mask without the second.
    fn and_not(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// The number in one lane; lanes past the end read as the last.
    fn lane(self, lane: usize) -> f64;
    /// Replaces the number in one lane; a lane past the end is ignored.
    fn set_lane(&mut self, lane: usize, value: f64);

    /// Zero in every lane.
    #[inline(always)]
    fn zero() -> Self {
        Self::splat(0.0)
    }

    /// One in every lane.
    #[inline(always)]
    fn one() -> Self {
        Self::splat(1.0)
    }

    /// Builds a pack from one number per lane.
    #[inline(always)]
    fn from_lanes(value: impl Fn(usize) -> f64) -> Self {
        let mut pack = Self::zero();
        for lane in 0..Self::LANES {
            pack.set_lane(lane, value(lane));
        }
        pack
    }

    /// A mask with the same truth in every lane.
    #[inline(always)]
    fn mask_all(truth: bool) -> Self::Mask {
        Self::mask(|_| truth)
    }
}

impl Real for f64 {
    const LANES: usize = 1;
    type Mask = bool;

    #[inline(always)]
    fn splat(value: f64) -> f64 {
        value
    }
    #[inline(always)]
    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }
    #[inline(always)]
    fn abs(self) -> f64 {
        f64::abs(self)
    }
    #[inline(always)]
    fn max(self, other: f64) -> f64 {
        if self > other { self } else { other }
    }
    #[inline(always)]
    fn min(self, other: f64) -> f64 {
        if self < other { self } else { other }
    }
    #[inline(always)]
    fn lt(self, other: f64) -> bool {
        self < other
    }
    #[inline(always)]
    fn select(mask: bool, yes: f64, no: f64) -> f64 {
        if mask { yes } else { no }
    }
    #[inline(always)]
    fn mask(truth: impl Fn(usize) -> bool) -> bool {
        truth(0)
    }
    #[inline(always)]
    fn test(mask: bool, lane: usize) -> bool {
        mask && lane == 0
    }
    #[inline(always)]
    fn any(mask: bool) -> bool {
        mask
    }
    #[inline(always)]
    fn and(a: bool, b: bool) -> bool {
        a && b
    }
    #[inline(always)]
    fn and_not(a: bool, b: bool) -> bool {
        a && !b
    }
    #[inline(always)]
    fn lane(self, _: usize) -> f64 {
        self
    }
    #[inline(always)]
    fn set_lane(&mut self, lane: usize, value: f64) {
        if lane == 0 {
            *self = value;
        }
    }
}

macro_rules! pack {
    ($pack:ident, $lanes:literal) => {
        impl Real for $pack {
            const LANES: usize = $lanes;
            type Mask = $pack;

            #[inline(always)]
            fn splat(value: f64) -> $pack {
                $pack::splat(value)
            }
            #[inline(always)]
            fn sqrt(self) -> $pack {
                $pack::sqrt(self)
            }
            #[inline(always)]
            fn abs(self) -> $pack {
                $pack::abs(self)
            }
            #[inline(always)]
            fn max(self, other: $pack) -> $pack {
                $pack::fast_max(self, other)
            }
            #[inline(always)]
            fn min(self, other: $pack) -> $pack {
                $pack::fast_min(self, other)
            }
            #[inline(always)]
            fn lt(self, other: $pack) -> $pack {
                self.simd_lt(other)
            }
            #[inline(always)]
            fn select(mask: $pack, yes: $pack, no: $pack) -> $pack {
                mask.bitselect(yes, no)
            }
            #[inline(always)]
            fn mask(truth: impl Fn(usize) -> bool) -> $pack {
                let mut bits = [0.0; $lanes];
                for (lane, bit) in bits.iter_mut().enumerate() {
                    *bit = f64::from_bits(if truth(lane) { u64::MAX } else { 0 });
                }
                $pack::new(bits)
            }
            #[inline(always)]
            fn test(mask: $pack, lane: usize) -> bool {
                lane < $lanes && mask.to_bitmask() & (1 << lane) != 0
            }
            #[inline(always)]
            fn any(mask: $pack) -> bool {
                mask.to_bitmask() != 0
            }
            #[inline(always)]
            fn and(a: $pack, b: $pack) -> $pack {
                a & b
            }
            #[inline(always)]
            fn and_not(a: $pack, b: $pack) -> $pack {
                b.bitselect($pack::splat(0.0), a)
            }
            #[inline(always)]
            fn lane(self, lane: usize) -> f64 {
                self.as_array()[lane.min($lanes - 1)]
            }
            #[inline(always)]
            fn set_lane(&mut self, lane: usize, value: f64) {
                if let Some(slot) = self.as_mut_array().get_mut(lane) {
                    *slot = value;
                }
            }
        }
    };
}

pack!(f64x4, 4);
pack!(f64x8, 8);

/// `(cos x, sin x / x)` from the square of `x`, for `|x|` up to about 1.6.
///
/// Taylor series: even functions of `x` need no root, and nothing divides by zero at rest.
#[inline(always)]
pub(crate) fn cos_sinc<R: Real>(x2: R) -> (R, R) {
    // 1/(2k)! and 1/(2k+1)! with alternating signs; the first left out is 1.6^22/22! = 3e-17.
    const COS: [f64; 11] = [
        1.0,
        -1.0 / 2.0,
        1.0 / 24.0,
        -1.0 / 720.0,
        1.0 / 40320.0,
        -1.0 / 3628800.0,
        1.0 / 479001600.0,
        -1.0 / 87178291200.0,
        1.0 / 20922789888000.0,
        -1.0 / 6402373705728000.0,
        1.0 / 2432902008176640000.0,
    ];
    const SINC: [f64; 11] = [
        1.0,
        -1.0 / 6.0,
        1.0 / 120.0,
        -1.0 / 5040.0,
        1.0 / 362880.0,
        -1.0 / 39916800.0,
        1.0 / 6227020800.0,
        -1.0 / 1307674368000.0,
        1.0 / 355687428096000.0,
        -1.0 / 121645100408832000.0,
        1.0 / 51090942171709440000.0,
    ];
    let mut c = R::splat(COS[10]);
    let mut s = R::splat(SINC[10]);
    for k in (0..10).rev() {
        c = c * x2 + R::splat(COS[k]);
        s = s * x2 + R::splat(SINC[k]);
    }
    (c, s)
}

/// `(sin x, 1 - cos x)` for any `x`; the second without the cancellation near zero.
#[inline(always)]
pub(crate) fn sin_versine<R: Real>(x: R) -> (R, R) {
    let two_pi = R::splat(std::f64::consts::TAU);
    // Adding and taking away 1.5 * 2^52 rounds to the nearest whole number in every lane.
    let magic = R::splat(6755399441055744.0);
    let turns = (x * R::splat(1.0 / std::f64::consts::TAU) + magic) - magic;
    let half = (x - turns * two_pi) * R::splat(0.5);
    let (c, sinc) = cos_sinc(half * half);
    let s = half * sinc;
    (R::splat(2.0) * s * c, R::splat(2.0) * s * s)
}

/// `angle / sin(angle / 2)` from the sine and cosine of the half angle, both non-negative.
///
/// Halving the quarter angle's tangent twice brings it below 0.2, where the series of the arc tangent is short;
/// the ratio is smooth through zero.
#[inline(always)]
pub(crate) fn angle_over_sine<R: Real>(sin_half: R, cos_half: R) -> R {
    let one = R::one();
    let quarter = one / (one + cos_half);
    let t1 = sin_half * quarter;
    let h1 = one / (one + (one + t1 * t1).sqrt());
    let t2 = t1 * h1;
    let h2 = one / (one + (one + t2 * t2).sqrt());
    let t3 = t2 * h2;
    let z = t3 * t3;
    // atan(t)/t = sum (-z)^k / (2k+1); z <= 0.0396.
    let mut sum = R::splat(1.0 / 25.0);
    for k in (0..12).rev() {
        sum = R::splat(1.0 / (2 * k + 1) as f64) - z * sum;
    }
    // angle = 16 atan(t3), t3 = sin_half * quarter * h1 * h2.
    R::splat(16.0) * quarter * h1 * h2 * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_agree_with_the_standard_library() {
        for i in -4000..=4000 {
            let x = i as f64 * 0.01;
            let (s, v) = sin_versine(x);
            assert!((s - x.sin()).abs() < 2e-14 && (v - (1.0 - x.cos())).abs() < 2e-14, "{x}");
        }
        for i in 0..=1000 {
            let angle = std::f64::consts::PI * i as f64 / 1000.0;
            let (s, c) = (angle / 2.0).sin_cos();
            assert!((angle_over_sine(s, c) * s - angle).abs() < 1e-14, "{angle}");
        }
    }

    #[test]
    fn a_lane_holds_the_bits_of_the_single_number() {
        for i in 0..64 {
            let x = (i as f64 * 0.37).sin() * 3.0;
            let pack = f64x4::splat(x);
            let (s, v) = sin_versine(x);
            let (ps, pv) = sin_versine(pack);
            assert_eq!((ps.lane(2).to_bits(), pv.lane(3).to_bits()), (s.to_bits(), v.to_bits()));
            let (c, w) = (x.abs() / 4.0, 0.3);
            assert_eq!(
                angle_over_sine(f64x8::splat(c), f64x8::splat(w)).lane(7).to_bits(),
                angle_over_sine(c, w).to_bits()
            );
        }
    }
}
