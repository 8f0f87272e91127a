//! Something that is done to a foot over a swing.

use crate::ground::curve::spline;

/// A value over a swing: a uniform cubic B-spline that begins and ends gently at nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwingCurve {
    control: [f32; Self::KNOTS],
}

impl Default for SwingCurve {
    fn default() -> Self {
        Self { control: [0.0; Self::KNOTS] }
    }
}

impl SwingCurve {
    /// Parts of a swing at the ends of which values are given.
    pub const PARTS: usize = 24;
    /// Moments of a swing at which values are given: the ends of its parts.
    pub const KNOTS: usize = Self::PARTS + 1;

    /// The value at a part of the swing, from 0 to 1.
    pub fn at(&self, part: f32) -> f32 {
        let at = (part * Self::PARTS as f32).clamp(0.0, Self::PARTS as f32);
        let index = (at as usize).min(Self::PARTS - 1);
        let control = |offset: usize| {
            let index = (index + offset).checked_sub(1);
            index.and_then(|index| self.control.get(index)).copied().unwrap_or(0.0)
        };
        spline([control(0), control(1), control(2), control(3)], at - index as f32)
    }

    /// Makes it so many times as high.
    pub(crate) fn scale(&mut self, by: f32) {
        self.control.iter_mut().for_each(|value| *value *= by);
    }

    /// A smooth curve near the values.
    pub(crate) fn near(values: &[f32; Self::KNOTS]) -> Self {
        Self::gentle(blurred(values))
    }

    /// A smooth curve that is nowhere below the needs and leaves the ends alone.
    pub fn above(needs: &[f32; Self::KNOTS]) -> Self {
        Self::over(needs, needs)
    }

    /// A smooth curve near the values that is nowhere below the needs and leaves the ends alone.
    pub(crate) fn over(values: &[f32; Self::KNOTS], needs: &[f32; Self::KNOTS]) -> Self {
        let last = Self::PARTS;
        if values.iter().chain(needs).all(|&value| value <= 0.0) {
            return Self::default();
        }
        // It begins and ends gently: what is needed next to an end is reached by more a little farther on.
        let mut needs = *needs;
        needs[2] = needs[2].max(3.0 * needs[1]);
        needs[last - 2] = needs[last - 2].max(3.0 * needs[last - 1]);
        let mut curve = Self::gentle(blurred(values));
        for (index, need) in needs.into_iter().enumerate().take(last - 1).skip(2) {
            let lacks = need - curve.at(index as f32 / last as f32);
            if lacks > 0.0 {
                curve.control[index] += 1.5 * lacks;
            }
        }
        for (next, inner) in [(1, 2), (last - 1, last - 2)] {
            if needs[next] > 0.0 {
                curve.control[next] = curve.control[inner];
            }
        }
        Self::gentle(curve.control)
    }

    /// Zero, with slope and curvature, at both ends.
    fn gentle(mut control: [f32; Self::KNOTS]) -> Self {
        let last = Self::PARTS;
        for (end, next, inner) in [(0, 1, 2), (last, last - 1, last - 2)] {
            control[end] = 0.0;
            let most = 0.25 * control[inner].abs();
            control[next] = control[next].clamp(-most, most);
        }
        Self { control }
    }
}

/// Values mixed with those around them.
fn blurred(values: &[f32; SwingCurve::KNOTS]) -> [f32; SwingCurve::KNOTS] {
    let mut values = *values;
    for _ in 0..2 {
        let before = values;
        for (index, value) in values.iter_mut().enumerate() {
            let (a, b) = (index.saturating_sub(1), (index + 1).min(SwingCurve::PARTS));
            *value = 0.25 * (before[a] + before[b]) + 0.5 * before[index];
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_envelope_is_above_the_needs_and_at_rest_at_both_ends() {
        let mut needs = [0.0; SwingCurve::KNOTS];
        needs[5] = 0.1;
        needs[9] = 0.04;
        let lift = SwingCurve::above(&needs);
        for (index, &need) in needs.iter().enumerate() {
            let height = lift.at(index as f32 / SwingCurve::PARTS as f32);
            assert!(height >= need - 1e-6, "{index}: {height} for {need}");
        }
        assert!(lift.at(0.0).abs() < 5e-3 && lift.at(1.0).abs() < 5e-3);
        assert_eq!(SwingCurve::above(&[0.0; SwingCurve::KNOTS]), SwingCurve::default());
    }
}
