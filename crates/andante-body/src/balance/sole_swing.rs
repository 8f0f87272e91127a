//! A foot in the air.

use andante_dynamics::{Vec3, vec3};

/// The way of a sole from where it lifts to where it lands.
///
/// A cubic Bézier curve with both inner points a fifth of the way along, so that the foot is highest at about a sixth of
/// its way as human feet are (Kitagawa & Ogihara 2016); it starts and lands at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoleSwing {
    /// Where it lifts.
    pub from: Vec3<f64>,
    /// Where it lands. May change on the way.
    pub to: Vec3<f64>,
    /// When it lifted, s.
    pub began: f64,
    /// How long it is in the air, s.
    pub duration: f64,
    /// How high it rises over the higher end, m.
    pub clearance: f64,
    /// How fast it seeks ground that is lower than expected, m/s.
    pub seek: f64,
}

impl SoleSwing {
    /// Part of the way's time that is over: 0 at lift, 1 at landing, more for a foot that is late.
    pub fn progress(&self, time: f64) -> f64 {
        (time - self.began) / self.duration
    }

    /// Position, velocity and acceleration wanted at a time.
    pub fn at(&self, time: f64) -> (Vec3<f64>, Vec3<f64>, Vec3<f64>) {
        let u = self.progress(time).clamp(0.0, 1.0);
        let late = (time - self.began - self.duration).max(0.0);
        if late > 0.0 {
            let down = vec3(0.0, -self.seek, 0.0);
            return (self.to + down * late, down, Vec3::default());
        }
        // Ease in and out.
        let t = u * u * (3.0 - 2.0 * u);
        let dt = 6.0 * u * (1.0 - u) / self.duration;
        let ddt = (6.0 - 12.0 * u) / (self.duration * self.duration);
        // The curve rises to 4/9 of its control point's height.
        let rise = 2.25 * self.clearance;
        let along = self.from + (self.to - self.from) * 0.2;
        let h = vec3(along.x, self.from.y.max(self.to.y) + rise, along.z);
        let k = vec3(along.x, self.to.y, along.z);
        let (a, b, c, d) = (self.from, h, k, self.to);
        let s = 1.0 - t;
        let place =
            a * (s * s * s) + b * (3.0 * s * s * t) + c * (3.0 * s * t * t) + d * (t * t * t);
        let first = (b - a) * (3.0 * s * s) + (c - b) * (6.0 * s * t) + (d - c) * (3.0 * t * t);
        let second = (c - b * 2.0 + a) * (6.0 * s) + (d - c * 2.0 + b) * (6.0 * t);
        (place, first * dt, second * (dt * dt) + first * ddt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn swing() -> SoleSwing {
        SoleSwing {
            from: vec3(0.1, 0.0, 0.0),
            to: vec3(0.0, 0.1, 0.5),
            began: 2.0,
            duration: 0.4,
            clearance: 0.08,
            seek: 0.3,
        }
    }

    #[test]
    fn a_swing_starts_and_lands_at_rest_and_peaks_early() {
        let swing = swing();
        let (p, v, _) = swing.at(2.0);
        assert!((p - swing.from).length() < 1e-12 && v.length() < 1e-12);
        let (p, v, _) = swing.at(2.4);
        assert!((p - swing.to).length() < 1e-12 && v.length() < 1e-12);
        let flat = SoleSwing { to: vec3(0.1, 0.0, 0.5), ..swing };
        let top = (0..=400)
            .map(|k| flat.at(2.0 + 0.001 * f64::from(k)).0)
            .max_by(|a, b| a.y.total_cmp(&b.y))
            .unwrap();
        assert!((top.y - 0.08).abs() < 1e-4, "{top:?}");
        assert!((top.z / 0.5 - 0.17).abs() < 0.01, "{top:?}");
    }

    #[test]
    fn velocities_and_accelerations_are_those_of_the_path() {
        let swing = swing();
        for time in [2.05, 2.1, 2.2, 2.35, 2.45] {
            let d = 1e-5;
            let ((before, ..), (now, v, a), (after, ..)) =
                (swing.at(time - d), swing.at(time), swing.at(time + d));
            assert!(((after - before) * (0.5 / d) - v).length() < 1e-6);
            assert!(((after - now * 2.0 + before) * (1.0 / (d * d)) - a).length() < 1e-3);
        }
    }

    #[test]
    fn a_late_foot_goes_on_down() {
        let (p, v, _) = swing().at(2.6);
        assert!(p.y < 0.05 && v.y < 0.0);
    }
}
