//! The way along which laps of a gait follow each other.

use crate::BodyState;
use glam::{DQuat, DVec3};

/// Where a lap leads: straight on, or round a circle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LapCourse {
    stride: DVec3,
    /// Of one lap, rad; positive turns left.
    turn: f64,
    /// About which a lap turns; of no meaning on a straight way.
    centre: DVec3,
}

/// A place and heading on the ground.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct PlanarFrame {
    pub turn: f64,
    pub origin: DVec3,
}

impl PlanarFrame {
    /// A state as seen from here.
    pub(crate) fn local(&self, state: &BodyState) -> BodyState {
        let mut moved = state.clone();
        moved.position -= self.origin;
        moved.turned(-self.turn)
    }

    /// A state as seen from outside.
    pub(crate) fn global(&self, state: &BodyState) -> BodyState {
        let mut moved = state.turned(self.turn);
        moved.position += self.origin;
        moved
    }

    /// The frame of the next lap for one who ends a lap so, seen from this one, where others end at a place and have turned by an
    /// angle: as far beside the way as it is, but neither ahead nor behind.
    pub(crate) fn after(&self, end: &BodyState, place: DVec3, turn: f64) -> Self {
        let heading = DQuat::from_rotation_y(turn);
        let aside = (heading.conjugate() * (end.position - place)).x;
        let origin = (end.position - heading * (aside * DVec3::X)).with_y(0.0);
        Self {
            turn: self.turn + turn,
            origin: self.origin + DQuat::from_rotation_y(self.turn) * origin,
        }
    }
}

impl LapCourse {
    /// Of a lap from one place to another that turns by an angle.
    pub(crate) fn new(start: DVec3, end: DVec3, turn: f64) -> Self {
        let stride = end - start;
        // In the plane, z + ix as complex numbers, the turn is r = exp(iθ): end − r·start = (1 − r)·centre.
        let flat = |v: DVec3| [v.z, v.x];
        let [az, ax] = flat(end - DQuat::from_rotation_y(turn) * start);
        let [bz, bx] = [1.0 - libm::cos(turn), -libm::sin(turn)];
        let square = bz * bz + bx * bx;
        let centre = if square > 0.0 {
            DVec3::new((ax * bz - az * bx) / square, 0.0, (az * bz + ax * bx) / square)
        } else {
            DVec3::ZERO
        };
        Self { stride, turn, centre }
    }

    /// Where a state of the first lap is so many laps later.
    pub(crate) fn after(&self, laps: f64, state: &BodyState) -> BodyState {
        let mut moved = state.clone();
        if self.turn == 0.0 {
            moved.position += laps * self.stride;
            return moved;
        }
        moved.position -= self.centre;
        moved = moved.turned(laps * self.turn);
        moved.position += self.centre;
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_body::creature;
    use std::f64::consts::TAU;

    fn state(position: DVec3) -> BodyState {
        let body = creature("kangaroo").unwrap();
        let mut state = BodyState::rest(&body, &body.poses()[0]);
        (state.position, state.velocity) = (position, DVec3::new(0.1, 0.2, 2.0));
        state
    }

    #[test]
    fn laps_lead_round_a_circle() {
        let (start, end) = (DVec3::new(0.1, 0.9, 0.0), DVec3::new(0.4, 0.9, 1.3));
        let course = LapCourse::new(start, end, 0.3);
        let first = state(start);
        let next = course.after(1.0, &first);
        assert!(next.position.abs_diff_eq(end, 1e-12));
        assert!(next.velocity.abs_diff_eq(DQuat::from_rotation_y(0.3) * first.velocity, 1e-12));
        let round = course.after(TAU / 0.3, &first);
        assert!(
            round.position.abs_diff_eq(start, 1e-9)
                && round.velocity.abs_diff_eq(first.velocity, 1e-9)
        );
        assert!(
            LapCourse::new(start, end, 0.0)
                .after(3.0, &first)
                .position
                .abs_diff_eq(start + 3.0 * (end - start), 1e-12)
        );
    }

    /// Whoever keeps to the way sees every lap begin as the first one; who is beside it sees by how much, and who is ahead of its
    /// time or behind does not.
    #[test]
    fn laps_begin_where_the_first_one_did() {
        let (start, end) = (DVec3::new(0.0, 0.9, 0.0), DVec3::new(0.4, 0.9, 1.3));
        let course = LapCourse::new(start, end, 0.3);
        let mut frame = PlanarFrame::default();
        for lap in 0..30 {
            let at = course.after(f64::from(lap), &state(start));
            let seen = frame.local(&at);
            assert!(seen.position.abs_diff_eq(start, 1e-9), "{lap}: {}", seen.position);
            assert!(seen.velocity.abs_diff_eq(state(start).velocity, 1e-9));
            assert!(frame.global(&seen).position.abs_diff_eq(at.position, 1e-9));
            let after = frame.local(&course.after(f64::from(lap) + 1.0, &state(start)));
            frame = frame.after(&after, end, 0.3);
        }
        let beside = state(end + DQuat::from_rotation_y(0.3) * DVec3::new(0.02, 0.01, 0.5));
        let seen = PlanarFrame::default().after(&beside, end, 0.3).local(&beside);
        assert!(seen.position.abs_diff_eq(DVec3::new(0.02, 0.91, 0.0), 1e-9), "{}", seen.position);
    }
}
