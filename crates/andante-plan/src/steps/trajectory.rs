//! The body above its footprints (footstep-planning 3.5).

use andante_skeleton::{Transform, ease, rotation};
use glam::{Quat, Vec3};

/// A point the body passes, in the middle between two footprints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TrajectoryPoint {
    pub time: f32,
    pub position: Vec3,
    /// Not wrapped.
    pub heading: f32,
}

/// A curve through waypoints: a Catmull-Rom spline over centripetal knots, in Barry and Goldman's
/// form. The source prints the matrix of the uniform one. Knots are met at their times by a monotone
/// cubic, so that speed does not jump where footprints are closer.
#[derive(Clone, Debug)]
pub(super) struct Trajectory {
    points: Vec<TrajectoryPoint>,
    knots: Vec<f32>,
    /// Knots per second at each waypoint.
    rates: Vec<f32>,
}

impl Trajectory {
    /// A curve through two waypoints or more whose times rise. Beyond its ends it goes on by reflection.
    pub fn new(waypoints: &[TrajectoryPoint]) -> Option<Self> {
        let (first, last) = (waypoints.first()?, waypoints.last()?);
        if waypoints.len() < 2 {
            return None;
        }
        let reflect = |end: &TrajectoryPoint, inner: &TrajectoryPoint| TrajectoryPoint {
            time: 2.0 * end.time - inner.time,
            position: 2.0 * end.position - inner.position,
            heading: 2.0 * end.heading - inner.heading,
        };
        let mut points = Vec::with_capacity(waypoints.len() + 2);
        points.push(reflect(first, &waypoints[1]));
        points.extend_from_slice(waypoints);
        points.push(reflect(last, &waypoints[waypoints.len() - 2]));
        let mut knots = vec![0.0];
        for pair in points.windows(2) {
            // Steps on the spot have time, if no way.
            let way = pair[0].position.distance(pair[1].position);
            let step = (way + 0.2 * (pair[1].time - pair[0].time)).sqrt().max(1e-3);
            knots.push(knots[knots.len() - 1] + step);
        }
        let slope = |k: usize| {
            let seconds = (points[k + 1].time - points[k].time).max(1e-4);
            (knots[k + 1] - knots[k]) / seconds
        };
        let count = points.len();
        let rates = (0..count)
            .map(|k| match k {
                0 => slope(0),
                k if k + 1 == count => slope(k - 1),
                k => 2.0 * slope(k - 1) * slope(k) / (slope(k - 1) + slope(k)),
            })
            .collect();
        Some(Self { points, knots, rates })
    }

    /// The point of the curve at a time, as a placement about the vertical.
    pub fn at(&self, time: f32, hint: &mut usize) -> (Vec3, f32) {
        let last = self.points.len() - 2;
        let time = time.clamp(self.points[1].time, self.points[last].time);
        while *hint + 1 < last && self.points[*hint + 1].time < time {
            *hint += 1;
        }
        let k = (*hint).clamp(1, last - 1);
        let knot = self.knot(k, time);
        let p = &self.points[k - 1..k + 3];
        let t = &self.knots[k - 1..k + 3];
        let line = |a: Vec3, b: Vec3, from: f32, to: f32| a.lerp(b, (knot - from) / (to - from));
        let a = [0, 1, 2].map(|i| line(p[i].position, p[i + 1].position, t[i], t[i + 1]));
        let b = [0, 1].map(|i| line(a[i], a[i + 1], t[i], t[i + 2]));
        let position = line(b[0], b[1], t[1], t[2]);
        let turn = |a: f32, b: f32, from: f32, to: f32| a + (b - a) * (knot - from) / (to - from);
        let a = [0, 1, 2].map(|i| turn(p[i].heading, p[i + 1].heading, t[i], t[i + 1]));
        let b = [0, 1].map(|i| turn(a[i], a[i + 1], t[i], t[i + 2]));
        (position, turn(b[0], b[1], t[1], t[2]))
    }

    /// The knot of a time between waypoints k and k + 1.
    fn knot(&self, k: usize, time: f32) -> f32 {
        let (from, to) = (self.points[k].time, self.points[k + 1].time);
        let width = (to - from).max(1e-4);
        let t = ((time - from) / width).clamp(0.0, 1.0);
        let (tt, ttt) = (t * t, t * t * t);
        let (x, y) = (self.knots[k], self.knots[k + 1]);
        x + (y - x) * (3.0 * tt - 2.0 * ttt)
            + width * self.rates[k] * (ttt - 2.0 * tt + t)
            + width * self.rates[k + 1] * (ttt - tt)
    }
}

/// Carries bodies from the played trajectory over to the desired one: R^D = M^D · (M^O)⁻¹ · R^O.
#[derive(Clone, Debug)]
pub(super) struct Carrier {
    played: Trajectory,
    desired: Trajectory,
    hints: [usize; 2],
    /// Seconds over which a change comes to an end at either end.
    ending: f32,
}

impl Carrier {
    pub fn new(
        played: &[TrajectoryPoint],
        desired: &[TrajectoryPoint],
        ending: f32,
    ) -> Option<Self> {
        let (played, desired) = (Trajectory::new(played)?, Trajectory::new(desired)?);
        Some(Self { played, desired, hints: [1; 2], ending })
    }

    /// The displacement of the body at a time; times must not fall.
    pub fn at(&mut self, time: f32) -> Transform {
        let (from, was) = self.played.at(time, &mut self.hints[0]);
        let (mut to, is) = self.desired.at(time, &mut self.hints[1]);
        let mut turn = rotation::wrap_angle(is - was);
        // Before the first waypoint and after the last nothing changes any more: that must not be sudden.
        for (end, at) in self.ends() {
            let away = ease((time - end).abs() / self.ending);
            if away < 1.0 {
                let mut hint = at;
                let (from_end, was) = self.played.at(end, &mut hint);
                let (to_end, is) = self.desired.at(end, &mut hint);
                let turn_end = rotation::wrap_angle(is - was);
                let there = to_end + Quat::from_rotation_y(turn_end) * (from - from_end);
                to = there.lerp(to, away);
                turn = turn_end + away * rotation::wrap_angle(turn - turn_end);
            }
        }
        let turn = Quat::from_rotation_y(turn);
        Transform::new(turn, to - turn * from)
    }

    /// Times of the first and the last waypoint, and hints for them.
    fn ends(&self) -> [(f32, usize); 2] {
        let last = self.played.points.len() - 2;
        [(self.played.points[1].time, 1), (self.played.points[last].time, last - 1)]
    }
}
#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn waypoints() -> impl Strategy<Value = Vec<TrajectoryPoint>> {
        let point = (0.1f32..0.8, -0.5f32..0.5, 0.1f32..1.0, -0.4f32..0.4);
        prop::collection::vec(point, 2..9).prop_map(|steps| {
            let mut at = TrajectoryPoint { time: 0.0, position: Vec3::ZERO, heading: 0.0 };
            steps
                .into_iter()
                .map(|(seconds, x, z, turn)| {
                    at.time += seconds;
                    at.position += Vec3::new(x, 0.1 * x, z);
                    at.heading += turn;
                    at
                })
                .collect()
        })
    }

    proptest! {
        #[test]
        fn the_curve_passes_its_waypoints_without_a_jump_of_speed(points in waypoints()) {
            let curve = Trajectory::new(&points).unwrap();
            let mut hint = 1;
            for point in &points {
                let (position, heading) = curve.at(point.time, &mut hint);
                prop_assert!(position.abs_diff_eq(point.position, 1e-3));
                prop_assert!((heading - point.heading).abs() < 1e-3);
            }
            for point in &points[1..points.len() - 1] {
                let at = |time: f32| curve.at(time, &mut 1).0;
                let change = |step: f32| {
                    let before = (at(point.time) - at(point.time - step)) / step;
                    let after = (at(point.time + step) - at(point.time)) / step;
                    (before - after).length()
                };
                // What is smooth changes less over a shorter time.
                let (long, short) = (change(8e-3), change(1e-3));
                prop_assert!(short < 0.3 * long + 0.05, "{long} then {short}");
            }
        }

        #[test]
        fn a_body_whose_footprints_do_not_move_stays_and_moves_with_all_of_them(points in waypoints(), x in -3.0f32..3.0, turn in -3.0f32..3.0, time in 0.0f32..4.0) {
            let by = Transform::new(Quat::from_rotation_y(turn), Vec3::new(x, 0.5, 1.0));
            let moved: Vec<TrajectoryPoint> = points.iter().map(|p| TrajectoryPoint {
                time: p.time, position: by.transform_point(p.position), heading: p.heading + turn,
            }).collect();
            let stays = Carrier::new(&points, &points, 0.35).unwrap().at(time);
            prop_assert!(stays.translation.length() < 1e-4);
            let found = Carrier::new(&points, &moved, 0.35).unwrap().at(time);
            prop_assert!(found.translation.abs_diff_eq(by.translation, 1e-3));
            prop_assert!(rotation::angle_between(found.rotation, by.rotation) < 1e-3);
        }
    }
}
