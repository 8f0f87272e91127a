//! The room a body takes: capsules around its bones, thin enough that what they touch is touched.

use andante_skeleton::{BodyPoint, Character, Rig, Side, SkinnedMesh, Transform};
use glam::Vec3;

/// What a capsule belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyPart {
    Trunk,
    Head,
    Thigh(usize),
    Shank(usize),
    Sole(usize),
    UpperArm(Side),
    Forearm(Side),
    Other,
}

impl BodyPart {
    /// Its radius as a part of the height of a body: of a lean person, so that doubt counts for the motion.
    fn radius(self) -> f32 {
        match self {
            Self::Trunk => 0.06,
            Self::Head => 0.045,
            Self::Thigh(_) => 0.04,
            Self::Shank(_) => 0.026,
            Self::Sole(_) => 0.011,
            Self::UpperArm(_) => 0.026,
            Self::Forearm(_) => 0.02,
            Self::Other => 0.015,
        }
    }

    /// True if it may be where another part of the same body is: neighbours meet at their joint.
    pub fn may_meet(self, other: Self) -> bool {
        use BodyPart::{Forearm, Head, Shank, Sole, Thigh, Trunk};
        match (self, other) {
            (Shank(a) | Sole(a), Shank(b) | Sole(b) | Thigh(b)) => a == b,
            (Thigh(a), Shank(b) | Sole(b)) => a == b,
            (Forearm(a), Forearm(b)) => a == b,
            (Forearm(_), Trunk | Head) | (Trunk | Head, Forearm(_)) => false,
            _ => true,
        }
    }
}

/// A capsule between two points that move with joints.
#[derive(Clone, Debug)]
pub(crate) struct BoneCapsule {
    pub name: String,
    pub part: BodyPart,
    pub ends: [BodyPoint; 2],
    pub radius: f32,
}

impl BoneCapsule {
    pub fn placed(&self, models: &[Transform]) -> [Vec3; 2] {
        // Most ends are joints.
        self.ends.map(|end| match end.offset == Vec3::ZERO {
            true => models[end.joint].translation,
            false => end.position(models),
        })
    }
}

/// All capsules of a body.
#[derive(Clone, Debug)]
pub(crate) struct BodyVolume {
    pub capsules: Vec<BoneCapsule>,
    /// Height at rest, in metres.
    pub height: f32,
}

impl BodyVolume {
    pub fn new(character: &Character, mesh: Option<&SkinnedMesh>) -> Self {
        let (skeleton, rig) = (&character.skeleton, &character.rig);
        let rest = skeleton.rest_models();
        let (low, high) = skeleton.rest_bounds();
        let size = high - low;
        let height = if rig.feet.len() == 2 { size.y } else { size.max_element() };
        let girths = mesh.map(|mesh| girths(skeleton.len(), &rest, mesh, skeleton));
        let mut capsules = Vec::new();
        for joint in 0..skeleton.len() {
            let part = part_of(rig, skeleton, joint);
            // Soles have capsules of their own.
            if matches!(part, BodyPart::Sole(_)) {
                continue;
            }
            let tip = skeleton.joint(joint).tip.map(|offset| BodyPoint { joint, offset });
            let children =
                skeleton.children(joint).map(|joint| BodyPoint { joint, offset: Vec3::ZERO });
            for end in children.chain(tip) {
                let start = BodyPoint { joint, offset: Vec3::ZERO };
                let length = start.position(&rest).distance(end.position(&rest));
                // What leads from a root on the floor to the hips is no bone.
                let is_stand =
                    joint != rig.hips && skeleton.ancestors(rig.hips).any(|up| up == joint);
                if length < 0.01 * height || is_stand {
                    continue;
                }
                let usual = part.radius() * height;
                let girth = girths.as_ref().and_then(|girths| girths[joint]);
                let radius = girth.map_or(usual, |girth| 0.8 * girth).min(0.5 * length.max(usual));
                let name = skeleton.joint(joint).name.clone();
                capsules.push(BoneCapsule { name, part, ends: [start, end], radius });
            }
        }
        for (index, foot) in rig.feet.iter().enumerate() {
            let [heel, ball, tip] = [foot.heel, foot.ball, foot.tip];
            let places = [heel, ball, tip].map(|point| point.position(&rest));
            let long = places[0].distance(places[2]);
            let radius = (BodyPart::Sole(index).radius() * height).min(0.12 * long).max(1e-3);
            // Round ends stay inside the sole, and the sole is their lowest line.
            let raised = |point: BodyPoint, towards: Vec3| {
                let at = point.position(&rest);
                let inwards = (towards - at).with_y(0.0).normalize_or_zero();
                let inner = at + radius * (inwards + Vec3::Y);
                let offset = rest[point.joint].inverse().transform_point(inner);
                BodyPoint { joint: point.joint, offset }
            };
            let up = |point: BodyPoint| raised(point, point.position(&rest));
            let ankle = BodyPoint { joint: foot.ankle(), offset: Vec3::ZERO };
            for (ends, what) in [
                ([raised(heel, places[1]), up(ball)], "sole"),
                ([up(ball), raised(tip, places[1])], "toes"),
                ([ankle, raised(heel, places[1])], "heel"),
                ([ankle, up(ball)], "instep"),
            ] {
                let part = BodyPart::Sole(index);
                capsules.push(BoneCapsule {
                    name: format!("{} {what}", foot.name),
                    part,
                    ends,
                    radius,
                });
            }
        }
        Self { capsules, height }
    }
}

fn part_of(rig: &Rig, skeleton: &andante_skeleton::Skeleton, joint: usize) -> BodyPart {
    let is_below = |upper: usize| skeleton.ancestors(joint).any(|up| up == upper);
    for (index, foot) in rig.feet.iter().enumerate() {
        if is_below(foot.ankle()) {
            return BodyPart::Sole(index);
        }
        match foot.leg.iter().position(|&part| part == joint) {
            Some(0) => return BodyPart::Thigh(index),
            Some(_) => return BodyPart::Shank(index),
            None => {}
        }
    }
    for arm in &rig.arms {
        match arm.chain.iter().position(|&part| part == joint) {
            Some(0) => return BodyPart::UpperArm(arm.side),
            Some(_) => return BodyPart::Forearm(arm.side),
            None if arm.chain.last().is_some_and(|&hand| is_below(hand)) => return BodyPart::Other,
            None => {}
        }
    }
    match rig.head {
        Some(head) if is_below(head) => BodyPart::Head,
        _ if joint == rig.hips || rig.spine.contains(&joint) => BodyPart::Trunk,
        _ => BodyPart::Other,
    }
}

/// How far the skin of each joint lies from its bones, in the middle of all vertices.
fn girths(
    joints: usize,
    rest: &[Transform],
    mesh: &SkinnedMesh,
    skeleton: &andante_skeleton::Skeleton,
) -> Vec<Option<f32>> {
    let mut distances: Vec<Vec<f32>> = vec![Vec::new(); joints];
    for part in &mesh.primitives {
        let vertices = &part.vertices;
        for index in 0..vertices.positions.len() {
            let (Some(carriers), Some(weights)) =
                (vertices.joints.get(index), vertices.weights.get(index))
            else {
                continue;
            };
            let most = (0..4).max_by(|&a, &b| weights[a].total_cmp(&weights[b])).unwrap_or(0);
            let joint = usize::from(carriers[most]);
            if joint >= joints {
                continue;
            }
            let at = mesh.skin(vertices, index, rest);
            let from = rest[joint].translation;
            let tip = skeleton.joint(joint).tip.map(|tip| rest[joint].transform_point(tip));
            let ends = skeleton.children(joint).map(|child| rest[child].translation).chain(tip);
            let far = ends.map(|end| {
                let share = (at - from).dot(end - from) / (end - from).length_squared().max(1e-9);
                at.distance(from.lerp(end, share.clamp(0.0, 1.0)))
            });
            distances[joint].push(far.fold(f32::INFINITY, f32::min));
        }
    }
    let middle = |mut all: Vec<f32>| {
        all.retain(|far| far.is_finite());
        all.sort_by(f32::total_cmp);
        (all.len() > 8).then(|| all[all.len() / 3])
    };
    distances.into_iter().map(middle).collect()
}
