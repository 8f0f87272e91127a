//! Knees of legs in the air, which turn no quicker than they have to.

use super::feet::{Feet, FootPin};
use andante_skeleton::Transform;
use glam::Vec3;
use std::f32::consts::PI;

impl Feet<'_> {
    /// Keeps knees of feet in the air bent where they would be thrown straight: a foot is drawn nearer to its hip, and so
    /// farther from the ground. As fast as it takes to land as they do they may turn.
    pub(super) fn ease_knees(
        &self,
        pins: &[[Option<FootPin>; 2]],
        offsets: &[Vec3],
        targets: &mut [[Transform; 2]],
    ) {
        let lengths = self.leg_lengths();
        let bend = |length: f32, reach: f32| 2.0 * libm::acosf((reach / length).clamp(0.0, 1.0));
        let count = pins.len();
        for (foot, length) in lengths.into_iter().enumerate() {
            let hip = |frame: usize| self.frames[frame][foot].hip + offsets[frame];
            let mut frame = 0;
            while frame < count {
                if pins[frame][foot].is_some() {
                    frame += 1;
                    continue;
                }
                let first = frame;
                while frame < count && pins[frame][foot].is_none() {
                    frame += 1;
                }
                // From the last frame on the ground to the first one on it again.
                let (from, to) = (first.saturating_sub(1), frame.min(count - 1));
                let bends: Vec<f32> = (from..=to)
                    .map(|k| bend(length, hip(k).distance(targets[k][foot].translation)))
                    .collect();
                let [walking, running] = self.settings.knee_swings;
                let run = (from..=to).map(|k| self.runs[k]).sum::<f32>() / (to - from + 1) as f32;
                let eased =
                    eased(&bends, walking + (running - walking) * run, self.settings.knee_round);
                for (k, (bent, was)) in (from..=to).zip(eased.iter().zip(&bends)) {
                    if pins[k][foot].is_none() && bent > was {
                        let leg = targets[k][foot].translation - hip(k);
                        let reach = length * libm::cosf(0.5 * bent.min(PI));
                        targets[k][foot].translation = hip(k) + leg.normalize_or_zero() * reach;
                    }
                }
            }
        }
    }
}

/// Bends that are never less than those given and fall by no more than `least` a frame, or what it takes to end as they do,
/// and begin to fall in a turn of `round` frames.
fn eased(bends: &[f32], least: f32, round: f32) -> Vec<f32> {
    let Some(&ends) = bends.last() else { return Vec::new() };
    let last = bends.len() - 1;
    let left = |k: usize| (last - k) as f32;
    let needed = |(k, bent): (usize, &f32)| (bent - ends) / left(k).max(1.0);
    let most = bends.iter().enumerate().map(needed).fold(least, f32::max);
    // A cone with a round tip.
    let fall = |frames: usize| ((frames * frames) as f32 + round * round).sqrt() - round;
    let held = |k: usize| {
        let before = bends[..=k].iter().enumerate();
        before.map(|(j, bent)| bent - most * fall(k - j)).fold(bends[k], f32::max)
    };
    (0..=last).map(|k| held(k).min(bends[k].max(ends + most * left(k)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_play::FeetSettings;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn knees_are_never_straighter_and_turn_no_quicker(
            inner in prop::collection::vec(0.2f32..2.0, 4..30), ends in prop::array::uniform2(0.1f32..0.5),
            least in 0.1f32..0.4, round in 0.0f32..3.0,
        ) {
            let bends = [vec![ends[0]], inner, vec![ends[1]]].concat();
            let held = eased(&bends, least, round);
            for (held, own) in held.iter().zip(&bends) {
                prop_assert!(held >= own);
            }
            prop_assert_eq!(held.last(), bends.last(), "it lands as it did");
            let falls = |bends: &[f32]| bends.windows(2).map(|k| k[0] - k[1]).fold(0.0, f32::max);
            prop_assert!(falls(&held) <= falls(&bends).max(least) + 1e-4);
        }

        #[test]
        fn a_knee_that_is_slow_enough_is_left_alone(
            steps in prop::collection::vec(-0.02f32..0.02, 4..40), start in 0.3f32..1.0, round in 0.0f32..0.3,
        ) {
            let mut bends = vec![start];
            for step in steps {
                bends.push(bends[bends.len() - 1] + step);
            }
            let held = eased(&bends, 0.3, round);
            for (held, own) in held.iter().zip(&bends) {
                prop_assert!((held - own).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn a_leg_that_is_thrown_straight_before_it_lands_is_straightened_in_all_the_time_there_is() {
        let thrown: Vec<f32> = (0..24)
            .map(|k| {
                if k < 12 { 0.3 + 0.1 * k as f32 } else { (1.5 - 0.3 * (k - 12) as f32).max(0.25) }
            })
            .collect();
        let held = eased(&thrown, 0.1, FeetSettings::default().knee_round);
        let falls = |bends: &[f32]| bends.windows(2).map(|k| k[0] - k[1]).fold(0.0, f32::max);
        assert!(falls(&held) < 0.6 * falls(&thrown), "{}", falls(&held));
    }
}
