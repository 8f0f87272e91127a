//! Where platforms that move are, by the numbers they were asked for with.

use crate::tally::exceeds;
use crate::{CheckSettings, Demand, DemandedPlatform, Violation, ViolationKind};
use andante_skeleton::Transform;
use andante_skeleton::rotation::angle_between;
use andante_take::{RigidTrack, TakeSource};
use andante_world::{GroundPatch, Obstacle, TriangleMesh};
use glam::{Quat, Vec3};
use std::f64::consts::TAU;

/// A way from one stop to the next: share of it by time.
struct PlatformWay {
    from: (Vec3, f32),
    by: (Vec3, f64),
    /// Metres that the point goes that goes farthest.
    metres: f64,
    /// Speed in the middle of the way, and seconds until it is reached.
    speed: f64,
    gathering: f64,
}

impl PlatformWay {
    fn new(platform: &DemandedPlatform, from: (Vec3, f32), to: Vec3, turn: f64) -> Self {
        let corner = 0.5 * f64::from(platform.size.with_y(0.0).length());
        let metres = f64::from(to.distance(from.0)) + corner * turn.abs();
        // Speed that grows as 3u² − 2u³ grows fastest in the middle, by 3/2 of its mean.
        let hardest = f64::from(platform.acceleration) / 1.5;
        let speed = f64::from(platform.speed).min((hardest * metres).sqrt());
        let gathering = if speed > 0.0 { speed / hardest } else { 0.0 };
        Self { from, by: (to - from.0, turn), metres, speed, gathering }
    }

    fn seconds(&self) -> f64 {
        if self.metres > 0.0 { self.metres / self.speed + self.gathering } else { 0.0 }
    }

    /// Metres gone after so many seconds of setting off and going on.
    fn gone(&self, seconds: f64) -> f64 {
        let u = (seconds / self.gathering).min(1.0);
        // The integral of 3u² − 2u³.
        let gathered = self.speed * self.gathering * (u.powi(3) - 0.5 * u.powi(4));
        gathered + self.speed * (seconds - self.gathering).max(0.0)
    }

    fn at(&self, seconds: f64) -> Transform {
        let share = if self.metres <= 0.0 {
            0.0
        } else if 2.0 * seconds <= self.seconds() {
            self.gone(seconds.max(0.0)) / self.metres
        } else {
            1.0 - self.gone((self.seconds() - seconds).max(0.0)) / self.metres
        };
        let turned = f64::from(self.from.1) + share * self.by.1;
        let place = self.from.0.as_dvec3() + share * self.by.0.as_dvec3();
        Transform::new(Quat::from_rotation_y((turned % TAU) as f32), place.as_vec3())
    }
}

impl DemandedPlatform {
    /// From stop to stop until it begins again.
    fn ways(&self) -> Vec<PlatformWay> {
        let count = self.stops.len();
        let mut order: Vec<usize> = (0..count).collect();
        match self.round {
            true => order.push(0),
            false => order.extend((0..count.saturating_sub(1)).rev()),
        }
        let way = |pair: &[usize]| {
            let (from, to) = (self.stops[pair[0]], self.stops[pair[1]]);
            let mut turn = f64::from(to.1) - f64::from(from.1);
            if self.round && pair[1] == 0 {
                // Who comes round does not unwind.
                turn -= TAU * (turn / TAU).round();
            }
            PlatformWay::new(self, from, to.0, turn)
        };
        order.windows(2).map(way).collect()
    }

    /// It in every frame of a take, as a thing.
    pub(crate) fn track(&self, frames: usize, fps: f32) -> RigidTrack {
        let (ways, wait) = (self.ways(), f64::from(self.wait));
        let cycle: f64 = ways.iter().map(|way| wait + way.seconds()).sum();
        let first = self.stops.first().copied().unwrap_or_default();
        let first = Transform::new(Quat::from_rotation_y(first.1), first.0);
        let at = |frame: usize| {
            let time = frame as f64 / f64::from(fps);
            let mut left = if cycle > 0.0 { time % cycle } else { 0.0 };
            for way in &ways {
                if left <= wait + way.seconds() {
                    return way.at(left - wait);
                }
                left -= wait + way.seconds();
            }
            first
        };
        let places = (0..frames.max(1)).map(at).collect();
        RigidTrack { places, ..RigidTrack::new(&self.name, self.mesh()) }
    }

    /// Twelve triangles around the middle of its underside.
    fn mesh(&self) -> TriangleMesh {
        let corner = |index: u32| {
            let far = |bit: u32| if index & bit == 0 { -0.5 } else { 0.5 };
            self.size * Vec3::new(far(1), far(2) + 0.5, far(4))
        };
        let sides =
            [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
        let halves = sides.iter().flat_map(|&[a, b, c, d]| [[a, c, b], [a, d, c]]);
        TriangleMesh {
            positions: (0..8).map(corner).collect(),
            triangles: halves.collect(),
            ..TriangleMesh::default()
        }
    }
}

/// True of things that are platforms.
pub(crate) fn is_platform(thing: &RigidTrack) -> bool {
    !thing.outlines.is_empty()
}

/// What of the world of a take is not what was asked for.
pub(crate) fn other_world(
    take: &dyn TakeSource,
    demand: &Demand,
    settings: &CheckSettings,
) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut note = |kind: ViolationKind, who: &str, what: String, (time_s, value, limit)| {
        let who = who.to_owned();
        found.push(Violation { kind, who, what, time_s, value, limit, frames: 1 });
    };
    const OTHER: (f32, f32, f32) = (0.0, 1.0, 0.0);
    let head = take.head();
    // Of terrains it is seen by where feet stand.
    let same = |a: &&GroundPatch, b: &GroundPatch| {
        a.platform == b.platform && a.terrain.is_some() == b.terrain.is_some()
    };
    for (patch, why) in differing(&demand.ground, &head.ground, same) {
        note(ViolationKind::World, &patch.platform.name, format!("ground {why}"), OTHER);
    }
    let same = |a: &&Obstacle, b: &Obstacle| *a == b;
    for (thing, why) in differing(&demand.obstacles, &head.obstacles, same) {
        note(ViolationKind::World, &thing.name, format!("{} {why}", thing.name), OTHER);
    }
    let Some(platforms) = &demand.platforms else { return found };
    for thing in take.things().iter().filter(|thing| is_platform(thing)) {
        if platforms.iter().all(|asked| asked.name != thing.name) {
            note(ViolationKind::World, &thing.name, "a platform nobody asked for".into(), OTHER);
        }
    }
    for platform in platforms {
        let own =
            take.things().iter().find(|thing| is_platform(thing) && thing.name == platform.name);
        let Some(own) = own else {
            note(ViolationKind::World, &platform.name, "no such platform moves".into(), OTHER);
            continue;
        };
        let (low, high) = bounds(&own.mesh);
        let off = ((high - low) - platform.size).abs().max_element();
        if off > settings.platform[0] {
            note(
                ViolationKind::World,
                &platform.name,
                "of another size".into(),
                (0.0, off, settings.platform[0]),
            );
        }
        let asked = platform.track(take.frames(), head.fps);
        let mut worst = (0.0f32, 0usize);
        let mut turned = (0.0f32, 0usize);
        for (frame, place) in asked.places.iter().enumerate() {
            let Some(at) = own.at(frame) else {
                worst = (f32::INFINITY, frame);
                break;
            };
            let off = at.translation.distance(place.translation);
            if exceeds(off, worst.0) {
                worst = (off, frame);
            }
            let off = angle_between(at.rotation, place.rotation).to_degrees();
            if exceeds(off, turned.0) {
                turned = (off, frame);
            }
        }
        let kinds =
            [(ViolationKind::PlatformPlace, worst), (ViolationKind::PlatformHeading, turned)];
        for ((kind, (off, frame)), limit) in kinds.into_iter().zip(settings.platform) {
            if exceeds(off, limit) {
                note(kind, &platform.name, String::new(), (frame as f32 / head.fps, off, limit));
            }
        }
    }
    found
}

/// What is asked for and not there, and what is there and was not asked for.
fn differing<'a, T>(
    asked: &'a [T],
    there: &'a [T],
    same: impl Fn(&&T, &T) -> bool,
) -> Vec<(&'a T, &'static str)> {
    // Mostly all of it is as it was asked for, and in its order.
    if asked.len() == there.len() && asked.iter().zip(there).all(|(a, b)| same(&a, b)) {
        return Vec::new();
    }
    let without = |all: &'a [T], others: &'a [T]| {
        all.iter().filter(|own| !others.iter().any(|other| same(own, other))).collect::<Vec<_>>()
    };
    let missing = without(asked, there)
        .into_iter()
        .map(|own| (own, "is asked for, and elsewhere or not there"));
    let unasked =
        without(there, asked).into_iter().map(|own| (own, "is there, and nobody asked for it"));
    missing.chain(unasked).collect()
}

fn bounds(mesh: &TriangleMesh) -> (Vec3, Vec3) {
    let all = || mesh.positions.iter().copied();
    (all().fold(Vec3::INFINITY, Vec3::min), all().fold(Vec3::NEG_INFINITY, Vec3::max))
}
