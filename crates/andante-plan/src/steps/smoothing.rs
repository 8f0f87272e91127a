//! Footprints made even (footstep-planning 3.2).

use andante_skeleton::Planar;

/// One round of binomial smoothing; both ends stay. Headings are smoothed by the differences
/// around each: with ω_i from print i to i+1, by (−ω_{i−2} − 5ω_{i−1} + 5ω_i + ω_{i+1})/16.
///
/// The source prints that kernel one place off; this one is that of (1, 4, 6, 4, 1)/16 on the
/// headings, and leaves a constant turn as it is. Beyond the ends the sequence is thought to go on
/// as it ends.
pub(super) fn smooth_round(prints: &[Planar]) -> Vec<Planar> {
    let last = prints.len() as isize - 1;
    let get = |index: isize| {
        if index < 0 {
            beyond(&prints[0], &prints[(-index).min(last) as usize])
        } else if index > last {
            beyond(&prints[last as usize], &prints[(2 * last - index).max(0) as usize])
        } else {
            prints[index as usize]
        }
    };
    let smoothed = |index: isize| {
        let [a, b, c, d, e] = [-2, -1, 0, 1, 2].map(|offset| get(index + offset));
        let turns = [b.heading - a.heading, c.heading - b.heading];
        let turns = [turns[0], turns[1], d.heading - c.heading, e.heading - d.heading]
            .map(andante_skeleton::rotation::wrap_angle);
        let position = a.position + e.position + 4.0 * (b.position + d.position);
        Planar::new(
            (position + 6.0 * c.position) / 16.0,
            c.heading + (-turns[0] - 5.0 * turns[1] + 5.0 * turns[2] + turns[3]) / 16.0,
        )
    };
    (0..=last)
        .map(
            |index| {
                if index == 0 || index == last { prints[index as usize] } else { smoothed(index) }
            },
        )
        .collect()
}

/// The other side of an end.
fn beyond(end: &Planar, inner: &Planar) -> Planar {
    let turn = andante_skeleton::rotation::wrap_angle(end.heading - inner.heading);
    Planar::new(2.0 * end.position - inner.position, end.heading + turn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn straight_lines_and_constant_turns_stay(
            x in -5.0f32..5.0, step in 0.1f32..1.0, first in -3.0f32..3.0, turn in -0.9f32..0.9, count in 2usize..12,
        ) {
            let at = |k: usize| Planar::new(Vec2::new(x, 1.0) + k as f32 * Vec2::new(step, 0.3), first + turn * k as f32);
            let prints: Vec<Planar> = (0..count).map(at).collect();
            for (a, b) in smooth_round(&prints).iter().zip(&prints) {
                prop_assert!(a.position.abs_diff_eq(b.position, 1e-5));
                prop_assert!((a.heading - b.heading).abs() < 1e-5);
            }
        }

        #[test]
        fn ends_stay_and_zigzags_shrink(side in 0.05f32..0.5, count in 5usize..12) {
            let at = |k: usize| Planar::new(Vec2::new(if k.is_multiple_of(2) { side } else { -side }, k as f32), 0.0);
            let prints: Vec<Planar> = (0..count).map(at).collect();
            let smooth = smooth_round(&prints);
            prop_assert_eq!(smooth[0], prints[0]);
            prop_assert_eq!(smooth[count - 1], prints[count - 1]);
            for print in &smooth[2..count - 2] {
                prop_assert!(print.position.x.abs() < 1e-5, "the kernel has a zero there");
            }
        }
    }
}
