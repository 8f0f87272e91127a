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
        let ends: Vec<[Vec3; 2]> =
            volume.capsules.iter().map(|capsule| capsule.placed(models)).collect();
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for ([a, b], capsule) in ends.iter().zip(&volume.capsules) {
            low = low.min(a.min(*b) - capsule.radius);
            high = high.max(a.max(*b) + capsule.radius);
        }
        Self { ends, low, high }
    }
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
    for (capsule, &ends) in volume.capsules.iter().zip(&placed.ends) {
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
    pairs: Vec<([usize; 2], f32)>,
    /// Boxes around the lines of the capsules in this frame.
    boxes: Vec<[Vec3; 2]>,
}

impl SelfClearance {
    /// Collects the pairs that must not meet, and excuses the depth at which they overlap at rest and in the first frame.
    pub fn new(volume: &BodyVolume, rest: &PlacedBody, first: &PlacedBody) -> Self {
        let mut pairs = Vec::new();
        for b in 0..volume.capsules.len() {
            for a in 0..b {
                let parts = [a, b].map(|index| volume.capsules[index].part);
                if !parts[0].may_meet(parts[1]) {
                    let excused = [rest, first].map(|placed| depth(volume, placed, [a, b]));
                    pairs.push(([a, b], excused[0].max(excused[1]).max(0.0)));
                }
            }
        }
        Self { pairs, boxes: Vec::new() }
    }

    pub fn frame(
        &mut self,
        (volume, placed): (&BodyVolume, &PlacedBody),
        time: f32,
        limit: f32,
        tally: &mut Tally,
    ) {
        self.boxes.clear();
        self.boxes.extend(placed.ends.iter().map(|[a, b]| [a.min(*b), a.max(*b)]));
        for &([a, b], excused) in &self.pairs {
            // Boxes tell of most pairs that they are not as deep in each other as would be too much.
            let radii = volume.capsules[a].radius + volume.capsules[b].radius;
            let ([low, high], [other_low, other_high]) = (self.boxes[a], self.boxes[b]);
            let gap = (low - other_high).max(other_low - high).max_element();
            if gap.max(0.0) > radii - excused - 0.99 * limit {
                continue;
            }
            let depth = depth(volume, placed, [a, b]);
            tally.note(ViolationKind::ThroughSelf, time, depth - excused, limit, || {
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
