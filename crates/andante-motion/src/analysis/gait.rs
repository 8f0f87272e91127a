//! In which order feet come down.

use super::contact::FootRuns;
use super::cycles::duty;
use crate::signal::median;
use glam::Vec2;
use std::f32::consts::TAU;
use std::ops::Range;

/// A pattern of footfalls. Those of four feet are told apart by duty factor and by the phases between
/// feet, after M. Hildebrand, "Symmetrical gaits of horses", Science 150 (1965).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gait {
    /// Feet in turn, each down for half of the stride or more; a little less will do for more than two.
    Walk,
    /// Feet in turn, each down for less of the stride.
    Run,
    /// Both feet of a biped together.
    Hop,
    /// Diagonal pairs of four feet together.
    Trot,
    /// Pairs of one side together.
    Pace,
    /// Three beats: one diagonal pair together, the other two feet apart.
    Canter,
    /// Four beats, front feet near each other and hind feet near each other.
    Gallop,
    /// Front feet together, hind feet together.
    Bound,
}

impl Gait {
    /// One word for reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Walk => "walk",
            Self::Run => "run",
            Self::Hop => "hop",
            Self::Trot => "trot",
            Self::Pace => "pace",
            Self::Canter => "canter",
            Self::Gallop => "gallop",
            Self::Bound => "bound",
        }
    }
}

/// The footfalls of a stride: when each foot is down.
#[derive(Clone, Debug, PartialEq)]
pub struct Footfalls {
    /// The pattern.
    pub gait: Gait,
    /// Part of the stride for which each foot is down.
    pub duty_factors: Vec<f32>,
    /// When each foot strikes, as a part of the stride from the strike of the first one, in [0, 1).
    pub phases: Vec<f32>,
}

/// `None` without strides, or if a foot does not strike in them.
pub(super) fn footfalls(
    feet: &[FootRuns],
    strides: &[Range<usize>],
    together: f32,
) -> Option<Footfalls> {
    if strides.is_empty() {
        return None;
    }
    let duty_factors: Vec<f32> =
        feet.iter().map(|foot| median(strides.iter().map(|stride| duty(foot, stride)))).collect();
    let phases: Option<Vec<f32>> = feet.iter().map(|foot| phase(foot, strides)).collect();
    let phases = phases?;
    let mean = duty_factors.iter().sum::<f32>() / duty_factors.len() as f32;
    // Two feet in turn leave the ground at less than a half; four would only at less than a quarter.
    let least = if feet.len() == 2 { 0.5 } else { 0.4 };
    let in_turn = if mean >= least { Gait::Walk } else { Gait::Run };
    let apart = |a: usize, b: usize| {
        let difference = (phases[a] - phases[b]).rem_euclid(1.0);
        difference.min(1.0 - difference)
    };
    let gait = match phases.len() {
        2 if apart(0, 1) < together => Gait::Hop,
        // Front left, front right, back left, back right.
        4 => {
            let diagonal = [apart(0, 3), apart(1, 2)];
            let lateral = [apart(0, 2), apart(1, 3)];
            let across = [apart(0, 1), apart(2, 3)];
            let both = |pairs: [f32; 2]| pairs[0].max(pairs[1]) < together;
            // In symmetrical gaits the two feet of a pair are half a stride apart.
            let symmetrical = across[0].min(across[1]) > 0.35;
            if both(across) {
                Gait::Bound
            } else if both(diagonal) {
                Gait::Trot
            } else if both(lateral) {
                Gait::Pace
            } else if symmetrical {
                in_turn
            } else if diagonal[0].min(diagonal[1]) < together {
                Gait::Canter
            } else {
                Gait::Gallop
            }
        }
        _ => in_turn,
    };
    Some(Footfalls { gait, duty_factors, phases })
}

/// The middle of the phases at which a foot strikes, on the circle.
fn phase(foot: &FootRuns, strides: &[Range<usize>]) -> Option<f32> {
    let mut sum = Vec2::ZERO;
    for stride in strides {
        let strikes = foot.stance.iter().map(|run| run.start);
        for strike in strikes.filter(|strike| stride.contains(strike)) {
            let along = (strike - stride.start) as f32 / stride.len() as f32;
            sum += Vec2::from_angle(along * TAU);
        }
    }
    (sum.length() > 1e-3).then(|| {
        let phase = (sum.to_angle() / TAU).rem_euclid(1.0);
        if phase >= 1.0 { 0.0 } else { phase }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feet that strike at these phases of strides of 100 frames and stay down for some of it.
    fn feet(phases: &[usize], down: usize) -> Vec<FootRuns> {
        let foot = |&phase: &usize| {
            let stance: Vec<Range<usize>> =
                (0..4).map(|round| 100 * round + phase).map(|at| at..at + down).collect();
            FootRuns { heel: stance.clone(), toe: stance.clone(), level: vec![0.0; 4], stance }
        };
        phases.iter().map(foot).collect()
    }

    #[test]
    fn textbook_patterns_are_recognised() {
        let strides = [100..200, 200..300];
        let cases: [(&[usize], usize, Gait); 10] = [
            (&[0, 50], 62, Gait::Walk),
            (&[0, 50], 35, Gait::Run),
            (&[0, 3], 35, Gait::Hop),
            // Lateral sequence: left hind, left front, right hind, right front.
            (&[0, 50, 75, 25], 62, Gait::Walk),
            (&[0, 50, 52, 2], 40, Gait::Trot),
            (&[0, 50, 97, 47], 40, Gait::Pace),
            (&[0, 30, 30, 70], 30, Gait::Canter),
            (&[0, 20, 60, 75], 25, Gait::Gallop),
            (&[0, 2, 50, 52], 25, Gait::Bound),
            (&[0, 50, 25, 75, 50, 0, 75, 25], 60, Gait::Walk),
        ];
        for (phases, down, gait) in cases {
            let found = footfalls(&feet(phases, down), &strides, 0.1).unwrap();
            assert_eq!(found.gait, gait, "{phases:?}");
            assert!((found.duty_factors[0] - down as f32 / 100.0).abs() < 0.02);
            let off = (found.phases[1] - phases[1] as f32 / 100.0).abs();
            assert!(off < 0.02, "{found:?}");
        }
    }

    #[test]
    fn a_foot_that_never_strikes_has_no_pattern() {
        let mut feet = feet(&[0, 50], 60);
        feet[1].stance.clear();
        assert_eq!(footfalls(&feet, std::slice::from_ref(&(100..200)), 0.1), None);
        assert_eq!(footfalls(&feet, &[], 0.1), None);
    }
}
