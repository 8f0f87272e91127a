//! Toes that turn hardly faster than they did.

use super::PlantOptions;
use super::anchors::{Anchors, PlantedFoot};
use super::target::FootTarget;
use andante_skeleton::rotation;
use glam::{Quat, Vec3};

/// Frames around one in which toes of the clip turn as fast as in it.
const AROUND: usize = 2;

/// Slows down toes where planting makes them turn faster than they do in the clip by more than the options allow: those
/// that are down stay as they are as far as that goes, those in the air come later.
pub(super) fn calm(
    track: &PlantedFoot,
    anchors: &Anchors,
    options: &PlantOptions,
    targets: &mut [FootTarget],
) {
    let Some(toes) = track.foot.toes.filter(|_| targets.len() > 1) else { return };
    let raw =
        |frame: usize| track.ankle(frame).rotation.conjugate() * track.models[frame][toes].rotation;
    let local = |target: &FootTarget| {
        target.toes.map_or(Quat::IDENTITY, |toes| target.ankle.rotation.conjugate() * toes)
    };
    let more = options.toes_faster * 60.0 / track.clip.fps();
    let steps: Vec<f32> =
        (1..targets.len()).map(|at| rotation::angle_between(raw(at - 1), raw(at))).collect();
    // How far toes may turn from each frame to the next.
    let near = |at: usize| &steps[at.saturating_sub(AROUND)..(at + AROUND + 1).min(steps.len())];
    let allowed: Vec<f32> =
        (0..steps.len()).map(|at| near(at).iter().copied().fold(0.0, f32::max) + more).collect();
    let middle = local(&targets[0]);
    let seen = |turn: Quat| {
        rotation::log(rotation::nearest_sign(turn * middle.conjugate(), Quat::IDENTITY))
    };
    let planted: Vec<Quat> = targets.iter().map(local).collect();
    let too_fast = |turns: &[Quat]| {
        let pairs = turns.windows(2).zip(&allowed);
        pairs.into_iter().any(|(pair, most)| rotation::angle_between(pair[0], pair[1]) > *most)
    };
    if !too_fast(&planted) {
        return;
    }
    let vectors: Vec<Vec3> = planted.iter().map(|turn| seen(*turn)).collect();
    let down: Vec<bool> = (0..targets.len()).map(|frame| anchors.toe(frame).is_some()).collect();
    let mut calmed = planted.clone();
    // Three coordinates together turn faster than each.
    for share in [1.0, 0.8, 0.65, 0.5] {
        let most: Vec<f32> = allowed.iter().map(|most| share * most).collect();
        let axes: [Vec<f32>; 3] = std::array::from_fn(|axis| {
            let values: Vec<f32> = vectors.iter().map(|vector| vector[axis]).collect();
            within_steps(&values, &most, &down)
        });
        let at = |frame: usize| Vec3::new(axes[0][frame], axes[1][frame], axes[2][frame]);
        calmed = (0..targets.len()).map(|frame| rotation::exp(at(frame)) * middle).collect();
        if !too_fast(&calmed) {
            break;
        }
    }
    for (target, (calmed, before)) in targets.iter_mut().zip(calmed.into_iter().zip(planted)) {
        let turned = rotation::angle_between(calmed, before);
        if turned > 1e-5 && target.toes.is_some() {
            target.toes = Some((target.ankle.rotation * calmed).normalize());
            target.toes_turned += turned;
        }
    }
}

/// Values that change by no more from each to the next than they may: first those that are not kept give way, then, where
/// that is not enough, all by half.
fn within_steps(values: &[f32], most: &[f32], kept: &[bool]) -> Vec<f32> {
    let free = |frame: usize| !kept[frame];
    let [low, high] = [-1.0, 1.0].map(|sign| envelope(values, most, sign, |at| kept[at]));
    let given: Vec<f32> = (0..values.len())
        .map(|at| match free(at) {
            true if low[at] <= high[at] => values[at].clamp(low[at], high[at]),
            true => 0.5 * (low[at] + high[at]),
            false => values[at],
        })
        .collect();
    let [low, high] = [-1.0, 1.0].map(|sign| envelope(&given, most, sign, |_| true));
    low.into_iter().zip(high).map(|(low, high)| 0.5 * (low + high)).collect()
}

/// The least values (`sign` 1), or the largest (−1), that those which count can be left for, or come from.
fn envelope(values: &[f32], most: &[f32], sign: f32, counts: impl Fn(usize) -> bool) -> Vec<f32> {
    let own = |at: usize| if counts(at) { sign * values[at] } else { f32::INFINITY };
    let mut bound: Vec<f32> = (0..values.len()).map(own).collect();
    for at in 1..bound.len() {
        bound[at] = bound[at].min(bound[at - 1] + most[at - 1]);
    }
    for at in (1..bound.len()).rev() {
        bound[at - 1] = bound[at - 1].min(bound[at] + most[at - 1]);
    }
    bound.iter().map(|value| sign * value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_step_is_larger_than_it_may_be(
            values in proptest::collection::vec(-2.0f32..2.0, 2..60), step in 0.05f32..0.5,
            seed in 0u64..1000,
        ) {
            let kept: Vec<bool> = (0..values.len()).map(|at| (seed >> (at % 10)) & 1 == 0).collect();
            let most = vec![step; values.len() - 1];
            let calm = within_steps(&values, &most, &kept);
            for pair in calm.windows(2) {
                prop_assert!((pair[1] - pair[0]).abs() <= step + 1e-5);
            }
            let slow: Vec<f32> = (0..values.len()).map(|at| 0.5 * step * at as f32).collect();
            let same = within_steps(&slow, &most, &kept);
            prop_assert!(same.iter().zip(&slow).all(|(a, b)| (a - b).abs() < 1e-4));
        }
    }
}
