//! Arms beside a trunk that is wider than the one they were moved beside.
//!
//! Arms that point where those of a slender teacher do pass through a stout trunk. How wide a body is tells its skin: around
//! trunk and thighs it is taken for ellipses, one above the other, and arms are spread by the least angle that keeps forearms
//! and hands out of them. The angle is one for both arms and all frames, so that nothing else of the motion changes.

use super::actor::{RestMeasures, RetargetRig};
use crate::edit::{EditError, check, check_rig};
use andante_skeleton::{
    Clip, ClipError, Primitive, Side, SkinnedMesh, Transform, light_capsule_body, parallel,
};
use glam::{Quat, Vec3};

andante_skeleton::settings! {
    /// Settings by which arms are kept off a trunk.
    pub struct ArmRoomSettings: Copy {
        /// Height of a slice of the body, as a part of the length of its arms.
        slice: f32 = 0.06, 0.01..=0.5;
        /// Points along forearm and hand that are looked at.
        points: usize = 7, 2..=100;
        /// How far forearms and hands stay off, as a part of the length of an arm.
        off: f32 = 0.01, 0.0..=0.2;
        /// Arms are spread by no more than this, in radians.
        widest: f32 = 0.6, 0.0..=1.2;
        /// Times the angle is found anew after arms were spread.
        rounds: usize = 4, 1..=20;
    }
}

/// What is at one height of a part of the body: how far it reaches to both sides, and back and forth.
#[derive(Clone, Copy, Debug)]
struct Slice {
    low: Vec3,
    high: Vec3,
}

impl Slice {
    const NONE: Self = Self { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY };

    fn add(&mut self, at: Vec3) {
        (self.low, self.high) = (self.low.min(at), self.high.max(at));
    }

    /// How far a ball would have to go to a side, 1 or −1, to be beside it.
    fn lacks(&self, at: Vec3, radius: f32, side: f32) -> f32 {
        if self.low.x > self.high.x {
            return 0.0;
        }
        let (middle, half) = (0.5 * (self.low + self.high), 0.5 * (self.high - self.low) + radius);
        let (ahead, aside) = ((at.z - middle.z) / half.z, side * (at.x - middle.x));
        // What is on the other side is led there.
        if ahead.abs() >= 1.0 || aside < 0.0 {
            return 0.0;
        }
        (half.x * (1.0 - ahead * ahead).sqrt() - aside).max(0.0)
    }
}

/// A joint of trunk or legs and the slices of what hangs on it.
#[derive(Clone, Debug)]
struct SlicedPart {
    joint: usize,
    /// Height of the lowest slice.
    from: f32,
    slices: Vec<Slice>,
}

/// An arm: shoulder, elbow, hand and what is beyond it, and how thick it is.
#[derive(Clone, Debug)]
struct MeasuredArm {
    side: f32,
    joints: [usize; 3],
    /// The end of the hand, as the hand sees it.
    reach: Vec3,
    length: f32,
    radius: f32,
}

/// The room that arms have beside a body.
#[derive(Clone, Debug)]
pub struct ArmRoom<'a> {
    actor: RetargetRig<'a>,
    settings: ArmRoomSettings,
    /// From a joint's axes at rest to those of the body: left, up, ahead.
    axes: Vec<Quat>,
    parts: Vec<SlicedPart>,
    arms: Vec<MeasuredArm>,
    /// Height of a slice, in metres.
    thick: f32,
}

impl<'a> ArmRoom<'a> {
    /// Measures a body by its skin, or by that of a mannequin.
    pub fn new(
        actor: RetargetRig<'a>,
        skin: Option<&SkinnedMesh>,
        settings: ArmRoomSettings,
    ) -> Result<Self, EditError> {
        check_rig(actor.skeleton, actor.rig)?;
        let body = RestMeasures::new(actor, None);
        let mannequin;
        let skin = match skin.filter(|skin| skin.validate(actor.skeleton).is_ok()) {
            Some(skin) => skin,
            None => {
                mannequin = light_capsule_body(actor.skeleton);
                &mannequin
            }
        };
        let axes: Vec<Quat> =
            body.rest.iter().map(|rest| body.facing.conjugate() * rest.rotation).collect();
        let mut room =
            Self { actor, settings, axes, parts: Vec::new(), arms: Vec::new(), thick: 0.0 };
        room.arms = room.measured_arms(&body, skin);
        let longest = room.arms.iter().map(|arm| arm.length).fold(0.0, f32::max);
        room.thick = settings.slice * longest;
        if room.thick > 0.0 {
            room.parts = room.measured_parts(&body, skin);
        }
        Ok(room)
    }

    fn measured_arms(&self, body: &RestMeasures, skin: &SkinnedMesh) -> Vec<MeasuredArm> {
        let rig = self.actor.rig;
        let arm = |(arm, limb): (&andante_skeleton::Arm, &Option<_>)| {
            let side = match arm.side {
                Side::Left => 1.0,
                Side::Right => -1.0,
                Side::Middle => return None,
            };
            let andante_play::feet::LimbJoints { joints, .. } = (*limb)?;
            let [shoulder, elbow, hand] = joints.map(|joint| body.rest[joint].translation);
            let end = super::reference::reach_of(body, joints[2]);
            let mut off: Vec<f32> = Vec::new();
            each_point(skin, &body.rest, 0.0, |joint, at| {
                if joint == joints[1] {
                    let share = (at - elbow).dot(hand - elbow) / (hand - elbow).length_squared();
                    off.push(at.distance(elbow.lerp(hand, share.clamp(0.0, 1.0))));
                }
            });
            off.sort_by(f32::total_cmp);
            Some(MeasuredArm {
                side,
                joints,
                reach: body.rest[joints[2]].rotation.conjugate() * end,
                length: shoulder.distance(elbow) + elbow.distance(hand),
                radius: off.get(off.len() / 2).copied().unwrap_or(0.0),
            })
        };
        rig.arms.iter().zip(&body.arms).filter_map(arm).collect()
    }

    fn measured_parts(&self, body: &RestMeasures, skin: &SkinnedMesh) -> Vec<SlicedPart> {
        let rig = self.actor.rig;
        let thighs = rig.feet.iter().map(|foot| foot.hip());
        let solid: Vec<usize> = rig.spine.iter().copied().chain([rig.hips]).chain(thighs).collect();
        let mut points: Vec<Vec<Vec3>> = vec![Vec::new(); solid.len()];
        each_point(skin, &body.rest, self.thick, |joint, at| {
            if let Some(part) = solid.iter().position(|&part| part == joint) {
                let local = body.rest[joint].inverse().transform_point(at);
                points[part].push(self.axes[joint] * local);
            }
        });
        let part = |(&joint, points): (&usize, Vec<Vec3>)| {
            let height = |all: fn(f32, f32) -> f32| points.iter().map(|at| at.y).reduce(all);
            let (from, to) = (height(f32::min)?, height(f32::max)?);
            let count = (((to - from) / self.thick) as usize).min(1000) + 1;
            let mut slices = vec![Slice::NONE; count];
            for at in points {
                let slice = ((at.y - from) / self.thick) as usize;
                slices[slice.min(count - 1)].add(at);
            }
            Some(SlicedPart { joint, from, slices })
        };
        solid.iter().zip(points).filter_map(part).collect()
    }

    /// The clip with its arms out of trunk and thighs, and the angle by which they are spread for that, in radians.
    pub fn cleared(&self, clip: &Clip) -> Result<(Clip, f32), EditError> {
        check(self.actor.skeleton, clip)?;
        let mut spread = 0.0;
        for _ in 0..self.settings.rounds {
            let moved = self.spread(clip, spread)?;
            let frames = andante_skeleton::model_frames(self.actor.skeleton, &moved);
            let lacks = parallel::map(&frames, |models| self.lacks(models));
            let more = lacks.into_iter().fold(0.0, f32::max);
            if more == 0.0 || spread >= self.settings.widest {
                return Ok((moved, spread));
            }
            spread = (spread + more).min(self.settings.widest);
        }
        Ok((self.spread(clip, spread)?, spread))
    }

    /// By how much more arms would have to be spread in a frame, in radians.
    fn lacks(&self, models: &[Transform]) -> f32 {
        let mut most: f32 = 0.0;
        for arm in &self.arms {
            let [shoulder, elbow, hand] = arm.joints.map(|joint| models[joint].translation);
            let end = models[arm.joints[2]].transform_point(arm.reach);
            let radius = arm.radius + self.settings.off * arm.length;
            let bones = [(elbow, hand), (hand, end)];
            for point in 0..2 * self.settings.points {
                let (from, to) = bones[point / self.settings.points];
                let share = (point % self.settings.points) as f32 / self.settings.points as f32;
                let at = from.lerp(to, share);
                let deep =
                    self.parts.iter().map(|part| self.lack(part, models, at, radius, arm.side));
                let deep = deep.fold(0.0, f32::max);
                let lever = (at - shoulder).length().max(0.25 * arm.length);
                most = most.max(deep / lever);
            }
        }
        most
    }

    /// How far a point would have to go to a side to be beside a part.
    fn lack(
        &self,
        part: &SlicedPart,
        models: &[Transform],
        at: Vec3,
        radius: f32,
        side: f32,
    ) -> f32 {
        let local = self.axes[part.joint] * models[part.joint].inverse().transform_point(at);
        let slice = ((local.y - part.from) / self.thick).floor();
        if slice < 0.0 {
            return 0.0;
        }
        part.slices.get(slice as usize).map_or(0.0, |slice| slice.lacks(local, radius, side))
    }

    /// The clip with each upper arm turned outwards, about where the trunk faces.
    fn spread(&self, clip: &Clip, angle: f32) -> Result<Clip, ClipError> {
        if angle == 0.0 {
            return Ok(clip.clone());
        }
        let skeleton = self.actor.skeleton;
        let mut transforms = clip.transforms().to_vec();
        let mut models = skeleton.rest_models();
        for pose in transforms.chunks_exact_mut(clip.joint_count()) {
            skeleton.local_to_model(pose, &mut models);
            for arm in &self.arms {
                let upper = arm.joints[0];
                let carrier = skeleton.parent(upper).unwrap_or(upper);
                let chest = self.actor.rig.spine.last().copied().unwrap_or(self.actor.rig.hips);
                let ahead = models[chest].rotation * self.axes[chest].conjugate() * Vec3::Z;
                let turn = Quat::from_axis_angle(ahead.normalize(), arm.side * angle);
                let above = models[carrier].rotation;
                let turned = above.conjugate() * turn * above * pose[upper].rotation;
                pose[upper].rotation = turned.normalize();
            }
        }
        Clip::new(clip.name(), skeleton, clip.fps(), transforms)
    }
}

/// Points of a skin at rest with the joints that carry most of them: all corners, and along sides longer than `apart`.
fn each_point(
    skin: &SkinnedMesh,
    rest: &[Transform],
    apart: f32,
    mut take: impl FnMut(usize, Vec3),
) {
    for part in &skin.primitives {
        let corners: Vec<Option<(usize, Vec3)>> = (0..part.vertices.positions.len())
            .map(|index| corner(skin, part, index, rest))
            .collect();
        corners.iter().flatten().for_each(|&(joint, at)| take(joint, at));
        if apart <= 0.0 {
            continue;
        }
        for triangle in part.indices.chunks_exact(3) {
            for side in [[0, 1], [1, 2], [2, 0]] {
                let ends = side.map(|end| corners.get(triangle[end] as usize).copied().flatten());
                let [Some((one, from)), Some((other, to))] = ends else { continue };
                let count = (from.distance(to) / apart).min(100.0) as usize;
                for step in 1..=count {
                    let share = step as f32 / (count + 1) as f32;
                    take(if share < 0.5 { one } else { other }, from.lerp(to, share));
                }
            }
        }
    }
}

fn corner(
    skin: &SkinnedMesh,
    part: &Primitive,
    index: usize,
    rest: &[Transform],
) -> Option<(usize, Vec3)> {
    let (joints, weights) = (part.vertices.joints[index], part.vertices.weights[index]);
    let most = (0..4).max_by(|&a, &b| weights[a].total_cmp(&weights[b]))?;
    let at = skin.skin(&part.vertices, index, rest);
    at.is_finite().then(|| (usize::from(joints[most]), at))
}
