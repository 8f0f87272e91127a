//! Platforms that move by themselves, whoever stands on them.

use crate::{CharacterSpec, GroundPatch, MovingPlatformSettings, Scene};
use andante_skeleton::{Planar, Transform};
use andante_world::{MeshShape, Obstacle, ObstacleShape, Platform, TriangleMesh};
use glam::{DQuat, DVec3, Vec2, Vec3};
use std::sync::Arc;

/// Poses between two stops that stand for the way between them.
const POSES: usize = 16;

/// A box that goes from stop to stop, and carries who stands on it. It sets off and stops gently: its acceleration is
/// without a jump, and never more than it is said to be.
#[derive(Clone, Debug, PartialEq)]
pub struct MovingPlatform {
    /// What it is called.
    pub name: String,
    /// Width, height and depth.
    pub size: Vec3,
    /// Where the middle of its underside is at the beginning and at each stop, and how it is turned, in radians. Turns of more
    /// than half a circle are made as they are given.
    pub stops: Vec<(Vec3, f32)>,
    /// How fast it goes, in m/s; no point of it goes faster.
    pub speed: f32,
    /// How hard it sets off and stops, in m/s².
    pub acceleration: f32,
    /// How long it waits at each stop, in seconds.
    pub wait: f32,
    /// Whether it goes from the last stop to the first; otherwise back the way it came.
    pub round: bool,
}

/// How a platform moves at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlatformMoment {
    /// The middle of its underside.
    pub place: DVec3,
    pub velocity: DVec3,
    pub acceleration: DVec3,
    /// How it is turned about y, how fast, and how that changes.
    pub heading: f64,
    pub spin: f64,
    pub spin_rate: f64,
}

impl PlatformMoment {
    /// Velocity of the point of it that is at a place.
    pub fn velocity_at(&self, place: DVec3) -> DVec3 {
        self.velocity + (DVec3::Y * self.spin).cross(place - self.place)
    }

    pub fn turned(&self) -> DQuat {
        DQuat::from_rotation_y(self.heading)
    }
}

/// A way between two stops.
struct PlatformLeg {
    from: (DVec3, f64),
    way: DVec3,
    turn: f64,
    /// Length that counts, the speed it gets to, and the seconds it takes to get to it.
    length: f64,
    speed: f64,
    ramp: f64,
}

impl PlatformLeg {
    fn seconds(&self) -> f64 {
        if self.length > 0.0 { self.ramp + self.length / self.speed } else { 0.0 }
    }

    /// Share of the way that is gone at a time, how fast it grows, and how that changes.
    fn share(&self, time: f64) -> [f64; 3] {
        if self.length <= 0.0 {
            return [1.0, 0.0, 0.0];
        }
        let (ramp, speed) = (self.ramp, self.speed);
        // Speed grows as 3u² - 2u³ does from 0 to 1.
        let begun = |time: f64| {
            let u = (time / ramp).clamp(0.0, 1.0);
            let gone = speed * ramp * (u * u * u - 0.5 * u * u * u * u);
            let after = speed * (time - ramp).max(0.0);
            [gone + after, speed * u * u * (3.0 - 2.0 * u), speed / ramp * 6.0 * u * (1.0 - u)]
        };
        let (seconds, half) = (self.seconds(), 0.5 * self.seconds());
        let [gone, rate, change] = if time < half {
            begun(time.max(0.0))
        } else {
            let [left, rate, change] = begun((seconds - time).max(0.0));
            [self.length - left, rate, -change]
        };
        [gone, rate, change].map(|value| value / self.length)
    }

    fn at(&self, time: f64) -> PlatformMoment {
        let [share, rate, change] = self.share(time);
        PlatformMoment {
            place: self.from.0 + share * self.way,
            velocity: rate * self.way,
            acceleration: change * self.way,
            heading: self.from.1 + share * self.turn,
            spin: rate * self.turn,
            spin_rate: change * self.turn,
        }
    }
}

impl MovingPlatform {
    /// Height of its top at the beginning.
    pub fn top(&self) -> f32 {
        self.stops.first().map_or(0.0, |(at, _)| at.y) + self.size.y
    }

    /// The middle of its underside at a time, and its rotation.
    pub fn at(&self, time: f32) -> Transform {
        let now = self.moment(f64::from(time));
        Transform::new(now.turned().as_quat(), now.place.as_vec3())
    }

    /// Its surface, around the middle of its underside.
    pub fn mesh(&self) -> TriangleMesh {
        self.obstacle(Vec3::ZERO, 0.0).mesh()
    }

    /// Its outline from above at each stop, as `(x, z)`.
    pub fn outlines(&self) -> Vec<Vec<Vec2>> {
        self.stops.iter().map(|&(at, heading)| self.outline(at, heading)).collect()
    }

    fn outline(&self, at: Vec3, heading: f32) -> Vec<Vec2> {
        let place = Planar::new(Vec2::new(at.x, at.z), heading);
        let half = 0.5 * Vec2::new(self.size.x, self.size.z);
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let corner = |corner| place.then(&Planar::new(half * Vec2::from(corner), 0.0)).position;
        corners.map(corner).to_vec()
    }

    /// It as a thing that stands somewhere.
    fn obstacle(&self, at: Vec3, heading: f32) -> Obstacle {
        Obstacle { name: self.name.clone(), shape: ObstacleShape::Box(self.size), at, heading }
    }

    fn leg(&self, from: (Vec3, f32), to: (Vec3, f32), turn: f64) -> PlatformLeg {
        let way = (to.0 - from.0).as_dvec3();
        let reach = 0.5 * f64::from(libm::hypotf(self.size.x, self.size.z));
        let length = way.length() + reach * turn.abs();
        let (most, hardest) = (f64::from(self.speed), f64::from(self.acceleration));
        // The steepest of 3u² - 2u³ is 1.5; on a short way there is no time to get faster.
        let speed = most.min((hardest * length / 1.5).sqrt());
        let ramp = if speed > 0.0 { 1.5 * speed / hardest } else { 0.0 };
        PlatformLeg { from: (from.0.as_dvec3(), f64::from(from.1)), way, turn, length, speed, ramp }
    }

    /// The ways of one cycle.
    fn legs(&self) -> impl Iterator<Item = PlatformLeg> + '_ {
        let count = self.stops.len();
        let turn = |a: usize, b: usize| f64::from(self.stops[b].1) - f64::from(self.stops[a].1);
        let there = (1..count).map(move |k| (k - 1, k));
        let back = (1..count).rev().map(|k| (k, k - 1)).filter(|_| !self.round);
        let home = (self.round && count > 1).then(|| (count - 1, 0));
        there.chain(back).chain(home).map(move |(a, b)| {
            // Whole turns do not have to be turned back.
            let own = turn(a, b);
            let whole = if self.round && b == 0 {
                (own / std::f64::consts::TAU).round() * std::f64::consts::TAU
            } else {
                0.0
            };
            self.leg(self.stops[a], self.stops[b], own - whole)
        })
    }

    /// How it moves at a time in seconds. It waits first.
    pub(crate) fn moment(&self, time: f64) -> PlatformMoment {
        let wait = f64::from(self.wait);
        let cycle: f64 = self.legs().map(|leg| wait + leg.seconds()).sum();
        let mut left = if cycle > 0.0 { time.max(0.0).rem_euclid(cycle) } else { 0.0 };
        for leg in self.legs() {
            if left < wait + leg.seconds() {
                return leg.at((left - wait).max(0.0));
            }
            left -= wait + leg.seconds();
        }
        let (at, heading) = self.stops.first().copied().unwrap_or_default();
        self.leg((at, heading), (at, heading), 0.0).at(0.0)
    }

    /// Its top at the beginning, as ground.
    pub(crate) fn deck(&self) -> GroundPatch {
        let (at, heading) = self.stops.first().copied().unwrap_or_default();
        let outline = self.outline(at, heading);
        GroundPatch {
            platform: Platform::level(self.name.clone(), outline, self.top()),
            terrain: None,
        }
    }

    /// Everywhere it gets to with those who ride on it, as things that others keep away from.
    pub(crate) fn sweep(&self, settings: &MovingPlatformSettings) -> Vec<Obstacle> {
        let swept = |leg: PlatformLeg| {
            let mut all = TriangleMesh::default();
            for pose in 0..=POSES {
                let now = leg.at(leg.seconds() * pose as f64 / POSES as f64);
                let (at, heading) = (now.place.as_vec3(), now.heading as f32);
                let size = self.size + Vec3::Y * settings.rider_height;
                let room =
                    Obstacle { shape: ObstacleShape::Box(size), ..self.obstacle(at, heading) };
                all.append(&room.mesh());
            }
            let shape = ObstacleShape::Mesh(Arc::new(MeshShape::new(all).ok()?));
            Some(Obstacle { name: self.name.clone(), shape, at: Vec3::ZERO, heading: 0.0 })
        };
        self.legs().filter_map(swept).collect()
    }
}

/// From where something on a platform would be if the platform had stayed where it began, to where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Carriage {
    /// Where the platform began.
    home: DVec3,
    now: PlatformMoment,
    turn: DQuat,
    /// By how much it has turned.
    pub turned: f64,
}

impl Carriage {
    pub fn new(platform: &MovingPlatform, time: f64) -> Self {
        let (at, heading) = platform.stops.first().copied().unwrap_or_default();
        let now = platform.moment(time);
        let turned = now.heading - f64::from(heading);
        Self { home: at.as_dvec3(), now, turn: DQuat::from_rotation_y(turned), turned }
    }

    pub fn now(&self) -> &PlatformMoment {
        &self.now
    }

    /// A place on it.
    pub fn place(&self, home: DVec3) -> DVec3 {
        self.now.place + self.turn * (home - self.home)
    }

    /// A place as it would be if the platform had stayed.
    pub fn back(&self, place: DVec3) -> DVec3 {
        self.home + self.turn.conjugate() * (place - self.now.place)
    }

    /// A direction on it.
    pub fn direction(&self, home: DVec3) -> DVec3 {
        self.turn * home
    }

    /// A direction as it would be if the platform had stayed.
    pub fn direction_back(&self, direction: DVec3) -> DVec3 {
        self.turn.conjugate() * direction
    }

    /// The acceleration by inertia of everything on it, seen from it: at a place and with a velocity as if it had stayed.
    pub fn push(&self, home: DVec3, velocity: DVec3) -> DVec3 {
        let (spin, change) = (DVec3::Y * self.now.spin, DVec3::Y * self.now.spin_rate);
        let from = home - self.home;
        -self.direction_back(self.now.acceleration)
            - change.cross(from)
            - spin.cross(spin.cross(from))
            - 2.0 * spin.cross(velocity)
    }

    /// As a transform.
    pub fn transform(&self) -> Transform {
        let shift = self.place(DVec3::ZERO);
        Transform::new(self.turn.as_quat(), shift.as_vec3())
    }
}

impl Scene {
    /// The number of the moving platform that a character begins on.
    pub fn rides(&self, part: &CharacterSpec) -> Option<usize> {
        let near = self.settings.moving_platforms.on_top;
        let below = part.start.height.map_or(f32::INFINITY, |height| height + near);
        let ground = self.ground.iter().filter(|patch| patch.platform.contains(part.start.place));
        let ground = ground.map(|patch| patch.platform.height_at(part.start.place));
        let ground = ground.filter(|height| *height <= below).fold(f32::NEG_INFINITY, f32::max);
        let tops = self.moving.iter().enumerate().filter(|(_, platform)| {
            let on = platform.deck().platform.contains(part.start.place);
            on && platform.top() <= below && platform.top() > ground
        });
        tops.max_by(|a, b| a.1.top().total_cmp(&b.1.top())).map(|(index, _)| index)
    }

    /// The world of those who stand on a moving platform, as if it stayed where it began.
    pub(crate) fn on_deck(&self, platform: usize) -> Scene {
        let ground = self.moving.get(platform).map(MovingPlatform::deck).into_iter().collect();
        Scene {
            name: self.name.clone(),
            about: String::new(),
            ground,
            obstacles: Vec::new(),
            moving: Vec::new(),
            characters: Vec::new(),
            orders: Vec::new(),
            settings: self.settings,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn platform() -> impl Strategy<Value = MovingPlatform> {
        let number = || -5.0f32..5.0;
        let stop = ((number(), number(), number()), -4.0f32..4.0)
            .prop_map(|((x, y, z), heading)| (Vec3::new(x, y, z), heading));
        let stops = prop::collection::vec(stop, 1..5);
        (stops, 0.1f32..3.0, 0.1f32..3.0, 0.0f32..2.0, any::<bool>()).prop_map(
            |(stops, speed, acceleration, wait, round)| MovingPlatform {
                name: "ferry".into(),
                size: Vec3::new(2.0, 0.3, 3.0),
                stops,
                speed,
                acceleration,
                wait,
                round,
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn it_moves_as_its_velocity_and_acceleration_say_within_its_limits(
            platform in platform(), time in 0.0f64..60.0,
        ) {
            const H: f64 = 1e-4;
            let [a, b, c] = [time, time + H, time + 2.0 * H].map(|time| platform.moment(time));
            let reach = 0.5 * f64::from(platform.size.x.hypot(platform.size.z));
            prop_assert!((c.place - a.place - 2.0 * H * b.velocity).length() < 1e-6);
            prop_assert!((c.velocity - a.velocity - 2.0 * H * b.acceleration).length() < 1e-5);
            prop_assert!((c.spin - a.spin - 2.0 * H * b.spin_rate).abs() < 1e-5);
            let turned = (c.heading - a.heading - 2.0 * H * b.spin).rem_euclid(std::f64::consts::TAU);
            prop_assert!(turned.min(std::f64::consts::TAU - turned) < 1e-6);
            let fastest = b.velocity.length() + reach * b.spin.abs();
            let hardest = b.acceleration.length() + reach * b.spin_rate.abs();
            prop_assert!(fastest < f64::from(platform.speed) + 1e-6);
            prop_assert!(hardest < f64::from(platform.acceleration) + 1e-6);
        }

        #[test]
        fn who_is_carried_is_pushed_as_the_laws_of_motion_say(
            platform in platform(), time in 0.1f64..60.0, x in -1.0f64..1.0, z in -1.0f64..1.0,
        ) {
            // Something that goes straight on in the world, seen from the platform.
            const H: f64 = 1e-3;
            let (at, v) = (DVec3::new(x, 1.0, z), DVec3::new(0.3, 0.2, -0.4));
            let seen = |time: f64, since: f64| Carriage::new(&platform, time + since).back(at + since * v);
            let [a, b, c] = [-H, 0.0, H].map(|since| seen(time, since));
            let accelerates = (a + c - 2.0 * b) / (H * H);
            let carriage = Carriage::new(&platform, time);
            let push = carriage.push(b, (c - a) / (2.0 * H));
            prop_assert!((accelerates - push).length() < 0.05 + 0.01 * push.length(), "{accelerates} {push}");
            prop_assert!((carriage.place(b) - at).length() < 1e-9);
        }
    }

    #[test]
    fn there_and_back_it_waits_at_each_end_and_round_it_turns_on() {
        let mut platform = MovingPlatform {
            name: "ferry".into(),
            size: Vec3::new(2.0, 0.2, 2.0),
            stops: vec![(Vec3::ZERO, 0.0), (Vec3::new(0.0, 0.0, 4.0), 0.0)],
            speed: 1.0,
            acceleration: 0.75,
            wait: 1.0,
            round: false,
        };
        // Two seconds to get to its speed, two at it, two to stop.
        let z = |time: f64| platform.moment(time).place.z;
        assert_eq!([z(0.0), z(1.0), z(7.0), z(8.0), z(14.0)], [0.0, 0.0, 4.0, 4.0, 0.0]);
        assert_eq!(z(4.0), 2.0);
        assert!((z(11.0) - 2.0).abs() < 1e-12);
        platform.stops[1] = (Vec3::ZERO, std::f32::consts::TAU);
        platform.round = true;
        assert_eq!(platform.legs().filter(|leg| leg.length > 1e-5).count(), 1);
        assert!(platform.moment(3.0).spin > 0.0);
    }
}
