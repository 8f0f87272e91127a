//! Corrections over time: known in some frames, faded out in the others.

use super::super::spline::hermite;
use glam::Vec3;

/// Completes a correction that is known in some frames. Away from them it dies out within `window`
/// frames, leaving with the value and the slope it has at the edge, so that what is corrected
/// keeps its speed; gaps shorter than two windows are bridged in one.
pub(super) fn fill(known: &[Option<Vec3>], window: f32, slope_frames: usize) -> Vec<Vec3> {
    let mut filled: Vec<Vec3> = known.iter().map(|value| value.unwrap_or(Vec3::ZERO)).collect();
    let mut frame = 0;
    while frame < known.len() {
        if known[frame].is_some() {
            frame += 1;
            continue;
        }
        let start = frame;
        while frame < known.len() && known[frame].is_none() {
            frame += 1;
        }
        let before = start.checked_sub(1).map(|edge| (edge, slope(known, edge, -1, slope_frames)));
        let after = (frame < known.len()).then(|| (frame, slope(known, frame, 1, slope_frames)));
        let still = (Vec3::ZERO, Vec3::ZERO);
        for (gap, value) in filled[start..frame].iter_mut().enumerate() {
            let at = (start + gap) as f32;
            let edges = (before, after);
            let near = |edge: usize| (at - edge as f32).abs();
            *value = match edges {
                (Some((left, left_slope)), Some((right, right_slope)))
                    if (right - left) as f32 <= 2.0 * window =>
                {
                    let from = (known[left].unwrap_or_default(), left_slope);
                    let to = (known[right].unwrap_or_default(), right_slope);
                    hermite(from, to, (right - left) as f32, near(left))
                }
                _ => {
                    let mut sum = Vec3::ZERO;
                    if let Some((left, slope)) = before.filter(|edge| near(edge.0) < window) {
                        let from = (known[left].unwrap_or_default(), slope);
                        sum += hermite(from, still, window, near(left));
                    }
                    if let Some((right, slope)) = after.filter(|edge| near(edge.0) < window) {
                        let from = (known[right].unwrap_or_default(), -slope);
                        sum += hermite(from, still, window, near(right));
                    }
                    sum
                }
            };
        }
    }
    filled
}

/// The change per frame at the edge of a known stretch, from the frames inside of it, which lie in
/// the given direction.
fn slope(known: &[Option<Vec3>], edge: usize, direction: isize, frames: usize) -> Vec3 {
    let mut inside = edge;
    for _ in 0..frames.max(1) {
        match inside.checked_add_signed(direction) {
            Some(next) if known.get(next).is_some_and(Option::is_some) => inside = next,
            _ => break,
        }
    }
    let steps = inside.abs_diff(edge);
    match (known[edge], known[inside]) {
        (Some(at_edge), Some(within)) if steps > 0 => {
            (within - at_edge) * (direction as f32 / steps as f32)
        }
        _ => Vec3::ZERO,
    }
}

/// A smooth curve that is nowhere below the given one and follows it within `window` frames: the
/// largest value near each frame, averaged with weights that vanish at the window's ends.
pub(in super::super) fn smooth_above(values: &[f32], window: usize) -> Vec<f32> {
    let near = |frame: usize| frame.saturating_sub(window)..(frame + window + 1).min(values.len());
    let highest: Vec<f32> = (0..values.len())
        .map(|frame| values[near(frame)].iter().fold(0.0f32, |a, &b| a.max(b)))
        .collect();
    let weight = |away: usize| {
        let phase = std::f32::consts::PI * away as f32 / (window + 1) as f32;
        0.5 * (1.0 + libm::cosf(phase))
    };
    let mean = |frame: usize| {
        let (mut sum, mut total) = (0.0, 0.0);
        for other in near(frame) {
            let weight = weight(other.abs_diff(frame));
            sum += weight * highest[other];
            total += weight;
        }
        sum / total
    };
    (0..values.len()).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn corrections_die_out_within_the_window_and_leave_without_a_kink() {
        let mut known = vec![None; 100];
        for (frame, value) in known.iter_mut().enumerate().take(50).skip(40) {
            *value = Some(Vec3::X * (0.1 + 0.01 * (frame as f32 - 40.0)));
        }
        let filled = fill(&known, 12.0, 2);
        assert_eq!(filled[27], Vec3::ZERO);
        assert_eq!(filled[62], Vec3::ZERO);
        for frame in 28..61 {
            let bend = filled[frame - 1] - 2.0 * filled[frame] + filled[frame + 1];
            assert!(bend.length() < 0.012, "frame {frame}: {bend}");
        }
    }

    #[test]
    fn short_gaps_are_bridged() {
        let mut known = vec![Some(Vec3::Y); 30];
        known[10..20].fill(None);
        for value in fill(&known, 12.0, 2) {
            assert!(value.abs_diff_eq(Vec3::Y, 1e-6));
        }
    }

    #[test]
    fn nothing_known_is_nothing_to_correct() {
        assert_eq!(fill(&[None; 7], 3.0, 2), [Vec3::ZERO; 7]);
        assert!(fill(&[], 3.0, 2).is_empty());
    }

    proptest! {
        #[test]
        fn the_smooth_curve_covers_the_rough_one(values in proptest::collection::vec(0.0f32..1.0, 1..60), window in 0usize..9) {
            let smooth = smooth_above(&values, window);
            let highest = values.iter().fold(0.0f32, |a, &b| a.max(b));
            for (above, value) in smooth.iter().zip(&values) {
                prop_assert!(*above >= value - 1e-5 && *above <= highest + 1e-5);
            }
        }
    }
}
