//! The curves everything is blended along.

/// From 0 to 1 with slope and curvature zero at both ends: 6t⁵ − 15t⁴ + 10t³.
#[inline]
pub(crate) fn smooth(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * t * (t * (6.0 * t - 15.0) + 10.0)
}

/// From 0 to 1 with a speed that is a raised cosine: two of them half a turn apart add up to a constant speed.
/// So a body that follows two feet which take turns climbs regular stairs in a straight line.
#[inline]
pub(crate) fn glide(t: f32) -> f32 {
    use std::f32::consts::TAU;
    let t = t.clamp(0.0, 1.0);
    t - libm::sinf(TAU * t) / TAU
}

/// A hill of height 1 over (0, 1) that is steep where it begins: a foot that stood still goes up, or comes down,
/// before it goes on. Flat to the first derivative at 1.
#[inline]
pub(crate) fn detour(t: f32) -> f32 {
    if !(0.0..1.0).contains(&t) {
        return 0.0;
    }
    6.75 * t * (1.0 - t) * (1.0 - t)
}

/// A uniform cubic B-spline through four neighbouring control values, at `t` in 0…1 between the middle ones.
#[inline]
pub(crate) fn spline(control: [f32; 4], t: f32) -> f32 {
    let [a, b, c, d] = control;
    let s = 1.0 - t;
    let (s3, t3) = (s * s * s, t * t * t);
    let near = 3.0 * t3 - 6.0 * t * t + 4.0;
    let far = 3.0 * s3 - 6.0 * s * s + 4.0;
    (a * s3 + b * near + c * far + d * t3) / 6.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_glides_half_a_turn_apart_go_at_a_constant_speed() {
        for step in 0..=20 {
            let t = 0.5 * step as f32 / 20.0;
            assert!((glide(t) + glide(t + 0.5) - (0.5 + 2.0 * t)).abs() < 1e-6);
        }
    }

    #[test]
    fn curves_begin_and_end_where_they_should() {
        assert_eq!((smooth(-1.0), smooth(0.5), smooth(2.0)), (0.0, 0.5, 1.0));
        assert_eq!((glide(0.0), detour(0.0), detour(1.0), detour(1.5)), (0.0, 0.0, 0.0, 0.0));
        assert!((detour(1.0 / 3.0) - 1.0).abs() < 1e-6);
        assert!((glide(1.0) - 1.0).abs() < 1e-6);
        assert!((spline([2.0; 4], 0.3) - 2.0).abs() < 1e-6);
    }
}
