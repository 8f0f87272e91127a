//! A character seen as a disc that faces somewhere.

use andante_skeleton::{Planar, rotation};
use glam::Vec2;

/// The oriented disc of a character (mocap-tool 5.1): where it is, where it faces, how fast it goes and turns.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Disc {
    /// Its middle and its heading.
    pub place: Planar,
    /// Along its heading, in m/s.
    pub speed: f32,
    /// To the left, in rad/s.
    pub turn_rate: f32,
}

andante_skeleton::settings! {
    /// The gains of a disc's control (mocap-tool 5.3); the bounds are what gaits can follow.
    pub struct Gains: Copy {
        /// How fast speed follows, in 1/s.
        speed: f32 = 4.0, 0.0..;
        /// Turn rate per angle that is missing, in 1/s.
        heading: f32 = 3.0, 0.0..;
        /// How fast the turn rate follows, in 1/s; four times the gain of the heading is critically damped.
        turn: f32 = 12.0, 0.0..;
        /// Largest turn rate, in rad/s.
        most_turn: f32 = f32::INFINITY, 0.0..;
        /// Largest acceleration and braking, in m/s².
        most_change: [f32; 2] = [f32::INFINITY; 2];
    }
}

/// Longer steps than this are made in pieces, in seconds: the rate of mocap-tool 5.2.
const LONGEST: f32 = 1.0 / 25.0;

impl Disc {
    /// The way it faces, as `(x, z)`.
    pub fn ahead(&self) -> Vec2 {
        ahead(self.place.heading)
    }

    /// The velocity over the ground.
    pub fn velocity(&self) -> Vec2 {
        self.ahead() * self.speed
    }

    /// Changes speed and turn rate towards a heading and a speed (mocap-tool 2.2).
    pub fn control(&mut self, heading: f32, speed: f32, gains: &Gains, dt: f32) {
        self.in_pieces(dt, |disc, dt| disc.accelerate(heading, speed, gains, dt));
    }

    /// Controls and moves (mocap-tool 2.1).
    pub fn advance(&mut self, heading: f32, speed: f32, gains: &Gains, dt: f32) {
        self.in_pieces(dt, |disc, dt| {
            let before = *disc;
            disc.accelerate(heading, speed, gains, dt);
            disc.place.position += before.velocity() * dt;
            disc.place.heading += before.turn_rate * dt;
        });
    }

    /// Goes along with what moves it, from a place to the next: ahead at once, while what a gait sways to the side
    /// evens out, as does the distance from a motion that has just taken over. Two thirds of that take `sway` seconds.
    pub(crate) fn go_along(&mut self, from: Vec2, to: &Planar, sways: bool, sway: f32, dt: f32) {
        self.place.heading = to.heading;
        let moved = to.position - from;
        let ahead = self.ahead();
        self.place.position += if sways { moved.dot(ahead) * ahead } else { moved };
        let share = 1.0 - libm::expf(-dt / sway);
        self.place.position += (to.position - self.place.position) * share;
    }

    fn in_pieces(&mut self, dt: f32, mut step: impl FnMut(&mut Self, f32)) {
        let pieces = (dt / LONGEST).ceil().clamp(1.0, 1e3);
        for _ in 0..pieces as usize {
            step(self, dt / pieces);
        }
    }

    fn accelerate(&mut self, heading: f32, speed: f32, gains: &Gains, dt: f32) {
        let [faster, slower] = gains.most_change;
        let change = (gains.speed * (speed - self.speed)).clamp(-slower, faster);
        let missing = rotation::wrap_angle(heading - self.place.heading);
        let turn = (gains.heading * missing).clamp(-gains.most_turn, gains.most_turn);
        self.speed += change * dt;
        self.turn_rate += gains.turn * (turn - self.turn_rate) * dt;
    }
}

/// The direction of a heading, as `(x, z)`.
pub(crate) fn ahead(heading: f32) -> Vec2 {
    Vec2::new(libm::sinf(heading), libm::cosf(heading))
}

/// The heading of a direction.
pub(crate) fn heading_of(direction: Vec2) -> f32 {
    libm::atan2f(direction.x, direction.y)
}

/// Ninety degrees to the left of a direction.
pub(crate) fn left_of(direction: Vec2) -> Vec2 {
    Vec2::new(direction.y, -direction.x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::way::LiveRoute;
    use glam::vec2;

    #[test]
    fn a_step_of_ninety_degrees_settles_without_overshoot() {
        for dt in [1.0 / 25.0, 1.0 / 60.0, 1.0 / 144.0] {
            let mut disc = Disc::default();
            let goal = 90f32.to_radians();
            let mut most = 0.0f32;
            for _ in 0..(5.0 / dt) as usize {
                disc.advance(goal, 0.0, &Gains::default(), dt);
                most = most.max(disc.place.heading);
            }
            assert!(most <= 1.02 * goal, "{dt}: {}", most.to_degrees());
            assert!((disc.place.heading - goal).abs() < 0.01 * goal);
            assert_eq!(disc.place.position, Vec2::ZERO);
        }
    }

    #[test]
    fn the_last_point_is_reached_without_circling_from_a_stroll_to_a_sprint() {
        // The path of mocap-tool 5.3: points 2 m apart with one right-angle turn.
        let corners = [vec2(0.0, 0.0), vec2(0.0, 8.0), vec2(6.0, 8.0)];
        for speed in [0.8, 1.4, 3.0, 5.0, 7.0] {
            let mut way = LiveRoute::new(&corners);
            let mut disc = Disc::default();
            let (mut travelled, mut seconds, dt) = (0.0, 0.0, 1.0 / 25.0);
            while seconds < 40.0 {
                way.follow(disc.place.position);
                let pursuit = way.pursue(&disc, speed, 2.0, &crate::PursuitSettings::default());
                let before = disc.place.position;
                disc.advance(pursuit.heading, pursuit.speed, &Gains::default(), dt);
                travelled += before.distance(disc.place.position);
                seconds += dt;
            }
            let missed = disc.place.position.distance(corners[2]);
            assert!(missed < 0.5, "{speed} m/s: {missed} m");
            assert!(travelled < 1.15 * way.length(), "{speed} m/s: {travelled} m");
            assert!(disc.speed.abs() < 0.02, "{speed} m/s: still {}", disc.speed);
        }
    }
}
