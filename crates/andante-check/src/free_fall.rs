//! Whether what nothing holds falls as it has to.

use crate::body::BodyVolume;
use crate::clearance::PlacedBody;
use crate::near::NearWorld;
use crate::platform::is_platform;
use crate::tally::exceeds;
use crate::tile::TILE;
use crate::trail::Trail;
use crate::world::{Moment, World};
use crate::{CheckSettings, Demand, Violation, ViolationKind};
use andante_take::{RigidTrack, TakeCondition, TakeSource};
use glam::{Vec3, Vec3Swizzles};

/// Fewest frames over which it is told how something falls.
const FEWEST: usize = 5;

/// The gravity that is asked for; otherwise the one the take says it was made under, if it says so.
pub(crate) fn gravity(take: &dyn TakeSource, demand: Option<&Demand>) -> Option<f64> {
    let named = |all: &[TakeCondition]| {
        all.iter().find(|own| own.name == TakeCondition::GRAVITY).map(|own| own.value)
    };
    let asked = demand.and_then(|demand| named(&demand.conditions));
    asked.or_else(|| named(&take.head().conditions))
}

/// The frames in which forces move a body that touches nothing of the world.
#[derive(Clone, Debug, Default)]
pub(crate) struct FreeFrames {
    /// With where its middle is.
    frames: Vec<(usize, Vec3)>,
}

impl FreeFrames {
    /// Notes a frame of a body that forces move.
    pub fn note(
        &mut self,
        volume: &BodyVolume,
        placed: &PlacedBody,
        world: (&mut NearWorld, &World),
        moment: Moment,
        room: f32,
    ) {
        let near = world.0.at(world.1, placed, moment);
        let is_held = volume.capsules.iter().zip(&placed.ends).any(|(capsule, &ends)| {
            let radius = capsule.radius + room;
            !near.is_clear(ends[0].y.min(ends[1].y) - radius)
                && near.deepest(ends, radius, 0.0).is_some()
        });
        if is_held || placed.ends.is_empty() {
            return;
        }
        let (mut whole, mut middle) = (0.0, Vec3::ZERO);
        for (capsule, [a, b]) in volume.capsules.iter().zip(&placed.ends) {
            let weight = capsule.radius * capsule.radius * (a.distance(*b) + capsule.radius);
            whole += weight;
            middle += weight * a.midpoint(*b);
        }
        self.frames.push((moment.frame, middle / whole));
    }
}

/// A body that may fall.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faller {
    pub height: f32,
    pub free: FreeFrames,
}

/// Everybody and everything of a take that may fall freely.
pub(crate) struct FallCase<'a> {
    pub take: &'a dyn TakeSource,
    pub gravity: f64,
    /// Height of the lowest ground.
    pub lowest: Option<f32>,
    /// Where everybody is, track by track.
    pub trails: &'a [Trail],
    pub bodies: Vec<Faller>,
    pub settings: &'a CheckSettings,
}

impl FallCase<'_> {
    /// The verdict on whoever and whatever falls otherwise than gravity lets it.
    pub fn judge(&self, world: &mut World) -> Vec<Violation> {
        let falling = || self.take.things().iter().filter(|thing| !is_platform(thing));
        for place in falling().flat_map(|thing| &thing.places) {
            world.prepare(place.translation.xz(), TILE);
        }
        let names = self.take.names();
        let mut found = Vec::new();
        for (index, Faller { height, free }) in self.bodies.iter().enumerate() {
            let alone =
                free.frames.iter().filter(|&&(frame, at)| self.is_alone(frame, at, *height, index));
            let alone: Vec<(usize, Vec3)> =
                alone.filter(|(_, at)| self.is_in_world(*at)).copied().collect();
            let CheckSettings { body_fall, fall_least, fall_mps, .. } = *self.settings;
            let limits = (body_fall, fall_least, fall_mps);
            found.extend(self.worst(&alone, limits, names.get(index).unwrap_or(&"")));
        }
        for (index, thing) in self.take.things().iter().enumerate() {
            if !is_platform(thing) {
                let limits = (self.settings.thing_fall, 0.0, f32::INFINITY);
                found.extend(self.worst(&self.free(thing, index, world), limits, &thing.name));
            }
        }
        found
    }

    /// Whether a place is above the lowest ground: what has fallen out of the world stays where it is.
    fn is_in_world(&self, at: Vec3) -> bool {
        self.lowest.is_none_or(|lowest| at.y > lowest)
    }

    /// Whether nobody else and no thing is near somebody.
    fn is_alone(&self, frame: usize, at: Vec3, height: f32, who: usize) -> bool {
        let mut others = self.around(frame).filter(|(index, ..)| *index != who);
        let things = self.take.things().iter().filter(|thing| !is_platform(thing));
        let mut things = things.filter_map(|thing| Some((thing.at(frame)?, radius(thing))));
        others.all(|(_, hips, tall)| hips.distance(at) > height + tall)
            && things.all(|(thing, radius)| thing.translation.distance(at) > height + radius)
    }

    /// Everybody's hips in a frame, and how tall they are.
    fn around(&self, frame: usize) -> impl Iterator<Item = (usize, Vec3, f32)> {
        let all = self.trails.iter().zip(&self.bodies).enumerate();
        all.filter_map(move |(who, (trail, body))| Some((who, trail.at(frame)?.at, body.height)))
    }

    /// The frames in which a thing touches nothing.
    fn free(&self, thing: &RigidTrack, own: usize, world: &World) -> Vec<(usize, Vec3)> {
        let round = radius(thing) + self.settings.fall_room_m;
        let mut near = NearWorld::new(true);
        let fps = self.take.head().fps;
        let is_free = |&(frame, at): &(usize, Vec3)| {
            let moment = Moment { frame, time: frame as f32 / fps };
            let placed = PlacedBody { ends: vec![[at; 2]], low: at - round, high: at + round };
            let touches = near.at(world, &placed, moment).deepest([at; 2], round, 0.0);
            let apart = |other: &RigidTrack| {
                let place = other.at(frame).filter(|_| !is_platform(other));
                place.is_none_or(|place| place.translation.distance(at) > round + radius(other))
            };
            let others = self.take.things().iter().enumerate();
            touches.is_none()
                && others.filter(|(index, _)| *index != own).all(|(_, other)| apart(other))
                && self.around(frame).all(|(_, hips, tall)| hips.distance(at) > round + tall)
        };
        let places = thing.places.iter().enumerate();
        let places = places.map(|(index, at)| (thing.from + index, at.translation));
        places.filter(|(_, at)| self.is_in_world(*at)).filter(is_free).collect()
    }

    /// The fall that is farthest from how it has to be, of those that last long enough and are no faster than that.
    fn worst(
        &self,
        free: &[(usize, Vec3)],
        ([seconds, share], least, fastest): ([f32; 2], f32, f32),
        who: &str,
    ) -> Option<Violation> {
        let fps = self.take.head().fps;
        let fewest = ((seconds * fps) as usize).max(FEWEST);
        let falls = free.chunk_by(|a, b| b.0 == a.0 + 1).filter_map(|run| {
            // What touched something between two frames is free again in the second.
            let run = run.get(1..run.len().saturating_sub(1)).filter(|run| run.len() >= fewest)?;
            let (first, last) = (run.first()?, run.last()?);
            let time = (run.len() - 1) as f32 / fps;
            let speed = last.1.distance(first.1) / time;
            (speed < fastest).then(|| (first.0, downwards(run, fps)))
        });
        let off = |fall: f64| (fall - self.gravity).abs() as f32;
        let worst = falls.max_by(|a, b| off(a.1).total_cmp(&off(b.1)))?;
        let limit = least.max(share * self.gravity as f32);
        exceeds(off(worst.1), limit).then(|| Violation {
            kind: ViolationKind::FreeFall,
            who: who.into(),
            what: format!("by {:.2} m/s², where gravity is {}", worst.1, self.gravity),
            time_s: worst.0 as f32 / fps,
            value: off(worst.1),
            limit,
            frames: 1,
        })
    }
}

fn radius(thing: &RigidTrack) -> f32 {
    thing.mesh.positions.iter().map(|at| at.length()).fold(0.0, f32::max)
}

/// The acceleration downwards of a run of frames: of the parabola that fits their heights best.
fn downwards(run: &[(usize, Vec3)], fps: f32) -> f64 {
    let middle = 0.5 * (run.len() - 1) as f64;
    let seconds = |index: usize| (index as f64 - middle) / f64::from(fps);
    // Around the middle odd powers vanish; of the even ones t² without its mean is apart from the height itself.
    let count = run.len() as f64;
    let mean = (0..run.len()).map(|index| seconds(index).powi(2)).sum::<f64>() / count;
    let (mut over, mut under) = (0.0, 0.0);
    for (index, (_, at)) in run.iter().enumerate() {
        let bent = seconds(index).powi(2) - mean;
        over += bent * f64::from(at.y);
        under += bent * bent;
    }
    -2.0 * over / under
}
