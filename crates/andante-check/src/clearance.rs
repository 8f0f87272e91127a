//! Whether a body is clear of the world, of itself and of others.

use crate::body::{BodyPart, BodyVolume};
use crate::distance::segments;
use crate::near::NearMoment;
use crate::tally::Tally;
use crate::world::Solidity;
use crate::{CheckSettings, ViolationKind};
use andante_skeleton::Transform;
use glam::Vec3;

/// The capsules of a body in one frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlacedBody {
    pub ends: Vec<[Vec3; 2]>,
    pub low: Vec3,
    pub high: Vec3,
}

impl PlacedBody {
    pub fn new(volume: &BodyVolume, models: &[Transform]) -> Self {
        let mut placed = Self::default();
        placed.place(volume, models);
        placed
    }

    /// Places the capsules anew.
    pub fn place(&mut self, volume: &BodyVolume, models: &[Transform]) {
        self.ends.clear();
        (self.low, self.high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for capsule in &volume.capsules {
            let [a, b] = capsule.placed(models);
            self.low = lower(self.low, lower(a, b) - capsule.radius);
            self.high = -lower(-self.high, lower(-a, -b) - capsule.radius);
            self.ends.push([a, b]);
        }
    }
}

/// The lower of two numbers each; the first where the second is none.
#[inline]
fn lower(a: Vec3, b: Vec3) -> Vec3 {
    let lower = |a: f32, b: f32| if b < a { b } else { a };
    Vec3::new(lower(a.x, b.x), lower(a.y, b.y), lower(a.z, b.z))
}

/// Notes what of a body is inside the world.
pub(crate) fn of_world(
    (volume, placed): (&BodyVolume, &PlacedBody),
    near: NearMoment<'_>,
    by_forces: bool,
    settings: &CheckSettings,
    scale: f32,
    tally: &mut Tally,
) {
    // What is less deep than any limit is not looked for. Rounding stays on the safe side.
    let least = match by_forces {
        true => settings.world_depth_by_forces_m,
        false => settings.foot_depth_m.min(settings.world_depth_m),
    };
    let least = 0.99 * least * scale;
    let NearMoment { world, moment, .. } = near;
    if near.is_clear(placed.low.y) {
        return;
    }
    for (capsule, &ends) in volume.capsules.iter().zip(&placed.ends) {
        if near.is_clear(ends[0].y.min(ends[1].y) - capsule.radius) {
            continue;
        }
        let Some(found) = near.deepest(ends, capsule.radius, least) else { continue };
        let on_sole = matches!(capsule.part, BodyPart::Sole(_))
            && matches!(found.of, Solidity::Ground | Solidity::Platform(_));
        let (kind, limit) = match (by_forces, on_sole) {
            (true, _) => (ViolationKind::ThroughWorld, settings.world_depth_by_forces_m),
            (false, true) => (ViolationKind::FootInGround, settings.foot_depth_m),
            (false, false) => (ViolationKind::ThroughWorld, settings.world_depth_m),
        };
        let what = || format!("{} in {}", capsule.name, world.name(found.of));
        tally.note(kind, moment.time, found.depth, limit * scale, what);
    }
}

/// Parts of a body that must not meet, and how deep they are in each other when nothing is wrong.
#[derive(Clone, Debug)]
pub(crate) struct SelfClearance {
    pairs: Vec<PartPair>,
    /// Depth beyond the usual one that is too much, in metres.
    limit: f32,
    /// Boxes around the lines of the capsules in this frame.
    boxes: Vec<[Vec3; 2]>,
}

/// Two parts that must not meet.
#[derive(Clone, Copy, Debug)]
struct PartPair {
    parts: [usize; 2],
    /// How deep they are in each other when nothing is wrong.
    excused: f32,
    /// Lines that are farther apart than this are not too deep in each other.
    far: f32,
}

impl SelfClearance {
    /// Collects the pairs that must not meet, and excuses the depth at which they overlap at rest and in the first frame.
    /// Who looks at everything looks at pairs that are far apart as well.
    pub fn new(
        volume: &BodyVolume,
        [rest, first]: [&PlacedBody; 2],
        limit: f32,
        looks_at_all: bool,
    ) -> Self {
        let mut pairs = Vec::new();
        for b in 0..volume.capsules.len() {
            for a in 0..b {
                let parts = [a, b].map(|index| volume.capsules[index].part);
                if parts[0].may_meet(parts[1]) {
                    continue;
                }
                let excused = [rest, first].map(|placed| depth(volume, placed, [a, b]));
                let excused = excused[0].max(excused[1]).max(0.0);
                let radii = volume.capsules[a].radius + volume.capsules[b].radius;
                // Rounding stays on the safe side.
                let far = radii - excused - 0.99 * limit;
                if looks_at_all {
                    pairs.push(PartPair { parts: [a, b], excused, far: f32::INFINITY });
                } else if far >= 0.0 || far.is_nan() {
                    pairs.push(PartPair { parts: [a, b], excused, far });
                }
            }
        }
        Self { pairs, limit, boxes: Vec::new() }
    }

    pub fn frame(
        &mut self,
        (volume, placed): (&BodyVolume, &PlacedBody),
        time: f32,
        tally: &mut Tally,
    ) {
        self.boxes.clear();
        self.boxes.extend(placed.ends.iter().map(|&[a, b]| [lower(a, b), -lower(-a, -b)]));
        for &PartPair { parts: [a, b], excused, far } in &self.pairs {
            // Boxes tell of most pairs that they are not as deep in each other as would be too much.
            let ([low, high], [other_low, other_high]) = (&self.boxes[a], &self.boxes[b]);
            let is_beside = |axis: usize| {
                low[axis] - other_high[axis] > far || other_low[axis] - high[axis] > far
            };
            if is_beside(0) || is_beside(2) || is_beside(1) {
                continue;
            }
            let depth = depth(volume, placed, [a, b]);
            tally.note(ViolationKind::ThroughSelf, time, depth - excused, self.limit, || {
                format!("{} in {}", volume.capsules[a].name, volume.capsules[b].name)
            });
        }
    }
}

fn depth(volume: &BodyVolume, placed: &PlacedBody, pair: [usize; 2]) -> f32 {
    let [a, b] = pair.map(|index| placed.ends[index]);
    let radii = pair.map(|index| volume.capsules[index].radius);
    radii[0] + radii[1] - segments(a, b)
}

/// The deepest that two bodies are in each other, and the parts that are.
pub(crate) fn between(
    one: (&BodyVolume, &PlacedBody),
    other: (&BodyVolume, &PlacedBody),
) -> Option<(f32, [usize; 2])> {
    if one.1.low.cmpgt(other.1.high).any() || other.1.low.cmpgt(one.1.high).any() {
        return None;
    }
    let mut worst: Option<(f32, [usize; 2])> = None;
    for (a, &ends) in one.1.ends.iter().enumerate() {
        let radius = one.0.capsules[a].radius;
        let (low, high) = (ends[0].min(ends[1]) - radius, ends[0].max(ends[1]) + radius);
        if low.cmpgt(other.1.high).any() || other.1.low.cmpgt(high).any() {
            continue;
        }
        for (b, &others) in other.1.ends.iter().enumerate() {
            let depth = radius + other.0.capsules[b].radius - segments(ends, others);
            if depth > worst.map_or(0.0, |(worst, _)| worst) {
                worst = Some((depth, [a, b]));
            }
        }
    }
    worst
}
