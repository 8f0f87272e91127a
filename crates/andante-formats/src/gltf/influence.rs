//! The joints that carry a vertex.

/// The four strongest influences, with weights that sum to 1 and each joint once. `None` if a joint
/// that carries weight does not exist.
pub(super) fn strongest(
    influences: [(u32, f32); 8],
    joints: usize,
) -> Option<([u16; 4], [f32; 4])> {
    let mut merged: [(u32, f32); 8] = [(0, 0.0); 8];
    let mut count = 0;
    for (joint, weight) in influences {
        if weight <= 0.0 {
            continue;
        }
        if joint as usize >= joints {
            return None;
        }
        match merged[..count].iter_mut().find(|known| known.0 == joint) {
            Some(known) => known.1 += weight,
            None => {
                merged[count] = (joint, weight);
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
    let sum: f64 = kept.iter().map(|&(_, weight)| f64::from(weight)).sum();
    // Weights that sum to 1 up to rounding stay as they are.
    let factor = if (sum - 1.0).abs() < 1e-7 { 1.0 } else { sum.recip() };
    let weights = std::array::from_fn(|slot| (f64::from(kept[slot].1) * factor) as f32);
    Some((std::array::from_fn(|slot| kept[slot].0 as u16), weights))
}
