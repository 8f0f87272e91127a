//! How much higher than in its motion a foot in the air is.

use super::settings::SwingSettings;
use crate::ground::curve::{detour, smooth, spline};

/// Parts of a swing at the ends of which its lift is given.
pub(crate) const CHECKS: usize = 24;

/// Height over a swing: a uniform cubic B-spline that begins and ends gently.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LiftCurve {
    control: [f32; Self::KNOTS],
}

impl Default for LiftCurve {
    fn default() -> Self {
        Self { control: [0.0; Self::KNOTS] }
    }
}

impl LiftCurve {
    /// Places over a swing, ends included, at which a height can be asked for.
    pub const KNOTS: usize = CHECKS + 1;

    /// The height at a part of the swing, from 0 to 1.
    pub fn at(&self, part: f32) -> f32 {
        let at = (part * CHECKS as f32).clamp(0.0, CHECKS as f32);
        let index = (at as usize).min(CHECKS - 1);
        let control = |offset: usize| {
            let index = (index + offset).checked_sub(1);
            index.and_then(|index| self.control.get(index)).copied().unwrap_or(0.0)
        };
        spline([control(0), control(1), control(2), control(3)], at - index as f32)
    }

    /// A smooth curve that is nowhere below the needs and leaves the ends alone.
    pub fn above(needs: &[f32; Self::KNOTS]) -> Self {
        if needs.iter().all(|&need| need <= 0.0) {
            return Self::default();
        }
        let widest = |values: &[f32; CHECKS + 1]| -> [f32; CHECKS + 1] {
            std::array::from_fn(|i| {
                let near = i.saturating_sub(1)..=(i + 1).min(CHECKS);
                values[near].iter().copied().fold(0.0, f32::max)
            })
        };
        // Lifts begin and end gently: what is needed next to an end is reached by more a little farther on.
        let mut needs = *needs;
        needs[2] = needs[2].max(3.0 * needs[1]);
        needs[CHECKS - 2] = needs[CHECKS - 2].max(3.0 * needs[CHECKS - 1]);
        let narrow = widest(&needs);
        let wide = widest(&narrow);
        let mut control: [f32; CHECKS + 1] = std::array::from_fn(|i| {
            let (before, after) = (wide[i.saturating_sub(1)], wide[(i + 1).min(CHECKS)]);
            (0.25 * (before + 2.0 * wide[i] + after)).max(narrow[i])
        });
        // Zero, with slope and curvature, at both ends.
        for (end, next, inner) in [(0, 1, 2), (CHECKS, CHECKS - 1, CHECKS - 2)] {
            control[end] = 0.0;
            control[next] = control[next].min(0.25 * control[inner]);
        }
        Self { control }
    }
}

impl SwingSettings {
    /// Room that a point of a sole keeps at a part of a swing, given its height in the motion; in metres, of a foot
    /// whose leg is `unit` long. Next to the prints there is hardly any, and what little there is shrinks with slopes.
    pub fn room(&self, height: f32, part: f32, unit: f32) -> f32 {
        let own = height.min(self.clearance * unit);
        if own > 0.0 { own * smooth(4.0 * part.min(1.0 - part)) } else { own }
    }

    /// Room to spare above what has to be passed over, once there is time for it, in metres.
    pub fn spare(&self, lacks: f32, part: f32, unit: f32) -> f32 {
        (0.3 * lacks).min(self.spare * unit) * smooth(5.0 * part.min(1.0 - part))
    }

    /// How far a foot is out of its way at a part of a swing, as a part of its detours after it left and before it
    /// lands.
    pub fn detour(&self, part: f32) -> [f32; 2] {
        [detour(part / self.detour_part), detour((1.0 - part) / self.detour_part)]
    }

    /// The highest lift at a part of a swing, in metres, of a foot whose leg is `unit` long.
    pub fn highest(&self, part: f32, unit: f32) -> f32 {
        (self.steepest * unit * (part.min(1.0 - part) - 0.5 / CHECKS as f32)).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_envelope_is_above_the_needs_and_at_rest_at_both_ends() {
        let mut needs = [0.0; CHECKS + 1];
        needs[5] = 0.1;
        needs[9] = 0.04;
        let lift = LiftCurve::above(&needs);
        for (index, &need) in needs.iter().enumerate() {
            let height = lift.at(index as f32 / CHECKS as f32);
            assert!(height >= need - 1e-6, "{index}: {height} for {need}");
        }
        assert!(lift.at(0.0).abs() < 5e-3 && lift.at(1.0).abs() < 5e-3);
        assert_eq!(LiftCurve::above(&[0.0; CHECKS + 1]), LiftCurve::default());
    }
}
