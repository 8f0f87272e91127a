//! The joints that carry a vertex.

/// The four strongest influences, with weights that sum to 1 and each joint once. `None` if a joint
/// that carries weight does not exist.
pub(crate) fn strongest(
    influences: [(u32, f32); 8],
    joints: usize,
) -> Option<([u16; 4], [f32; 4])> {
    // Sums in double precision: huge weights must not become infinite.
    let mut merged: [(u32, f64); 8] = [(0, 0.0); 8];
    let mut count = 0;
    for (joint, weight) in influences {
        if weight <= 0.0 {
            continue;
        }
        if joint as usize >= joints {
            return None;
        }
        match merged[..count].iter_mut().find(|known| known.0 == joint) {
            Some(known) => known.1 += f64::from(weight),
            None => {
                merged[count] = (joint, f64::from(weight));
                count += 1;
            }
        }
    }
    if count == 0 {
        return Some(([0; 4], [1.0, 0.0, 0.0, 0.0]));
    }
    if count > 4 {
        merged[..count].sort_by(|a, b| b.1.total_cmp(&a.1));
    }
    let kept = &merged[..4];
    let sum: f64 = kept.iter().map(|&(_, weight)| weight).sum();
    // Weights that sum to 1 up to rounding stay as they are.
    let factor = if (sum - 1.0).abs() < 1e-7 { 1.0 } else { sum.recip() };
    let weights = std::array::from_fn(|slot| (kept[slot].1 * factor) as f32);
    Some((std::array::from_fn(|slot| kept[slot].0 as u16), weights))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_finite_and_sum_to_one_whatever_they_were() {
        let slots =
            |weights: [f32; 8]| std::array::from_fn(|slot| (slot as u32 / 2, weights[slot]));
        for weights in [
            [f32::MAX; 8],
            [f32::from_bits(1); 8],
            [1.0, 0.0, -3.0, 0.5, 1e-30, 1e30, 0.25, 0.25],
            [0.1, 0.2, 0.3, 0.4, 0.0, 0.0, 0.0, 0.0],
        ] {
            let Some((_, weights)) = strongest(slots(weights), 4) else { panic!("{weights:?}") };
            let sum: f32 = weights.iter().sum();
            assert!((sum - 1.0).abs() < 1e-6 && weights.iter().all(|w| *w >= 0.0), "{weights:?}");
        }
    }

    #[test]
    fn joints_without_weight_need_not_exist() {
        let mut influences = [(9, 0.0); 8];
        influences[3] = (1, 0.5);
        assert_eq!(strongest(influences, 2), Some(([1, 0, 0, 0], [1.0, 0.0, 0.0, 0.0])));
        influences[4] = (2, 0.5);
        assert_eq!(strongest(influences, 2), None);
    }
}
