//! The leg that brings a foot where it belongs.

use super::limb::{Bend, LimbJoints};
use andante_skeleton::{Clip, Foot, Skeleton, Transform};
use andante_skeleton::{TwoBone, TwoBoneOptions};
use glam::{Quat, Vec3};

/// Joints below a knee and above an ankle that a leg may have, the ankle included.
const MOST_BELOW: usize = 8;

/// A leg: two bones that bend, and perhaps more below them that keep their direction.
#[derive(Clone, Debug)]
pub struct LegChain {
    solver: TwoBone,
    /// Root, knee and end of the two bones.
    pub joints: [usize; 3],
    /// From below the end to the ankle; empty if the end is the ankle.
    below: Vec<usize>,
    /// Length of each of the two bones.
    pub bones: [f32; 2],
    /// Length of the two bones.
    pub length: f32,
}

impl LegChain {
    /// The leg of a foot; `None` if it has no two bones that could bend.
    pub fn new(skeleton: &Skeleton, foot: &Foot, clip: &Clip) -> Option<Self> {
        Self::of(skeleton, foot, Some(clip))
    }

    /// The same of a foot of which no motion is known: its knee bends as it does at rest, or back.
    pub fn at_rest(skeleton: &Skeleton, foot: &Foot) -> Option<Self> {
        Self::of(skeleton, foot, None)
    }

    fn of(skeleton: &Skeleton, foot: &Foot, clip: Option<&Clip>) -> Option<Self> {
        let limb = LimbJoints::of_chain(skeleton, &foot.leg, clip, Bend::Back, Vec3::Z)?;
        let solver = limb.solver(skeleton)?;
        let end = foot.leg.iter().position(|&joint| joint == limb.joints[2])?;
        let below = foot.leg[end + 1..].to_vec();
        let bone = |joint: usize| skeleton.joint(joint).rest.translation.length();
        let bones = [bone(limb.joints[1]), bone(limb.joints[2])];
        let (joints, length) = (limb.joints, bones[0] + bones[1]);
        (below.len() <= MOST_BELOW).then_some(Self { solver, joints, below, bones, length })
    }

    /// True if the ankle is where the two bones end.
    pub fn ends_at_ankle(&self) -> bool {
        self.below.is_empty()
    }

    /// Where the end of the two bones belongs for an ankle: what is between keeps the direction it has.
    fn end(&self, ankle: Vec3, models: &[Transform], ankle_joint: usize) -> Vec3 {
        ankle + models[self.joints[2]].translation - models[ankle_joint].translation
    }

    /// The distance by which the body must come down for the leg to reach, if it may be stretched to `longest`.
    pub fn lowering(
        &self,
        ankle: Vec3,
        models: &[Transform],
        ankle_joint: usize,
        longest: f32,
    ) -> f32 {
        let hip = models[self.joints[0]].translation;
        lowering(hip, self.end(ankle, models, ankle_joint), longest)
    }

    /// The distance by which the body may come down for the leg to be folded to no less than `shortest`.
    pub fn room(
        &self,
        ankle: Vec3,
        models: &[Transform],
        ankle_joint: usize,
        shortest: f32,
    ) -> f32 {
        let leg = models[self.joints[0]].translation - self.end(ankle, models, ankle_joint);
        let across = leg.x * leg.x + leg.z * leg.z;
        (leg.y - (shortest * shortest - across).max(0.0).sqrt()).max(0.0)
    }

    /// Puts the ankle to `target`; returns by how far it is missed, and the extension of the leg.
    pub fn solve(
        &self,
        target: &Transform,
        ankle: usize,
        max_extension: f32,
        locals: &mut [Transform],
        models: &mut [Transform],
    ) -> (f32, f32) {
        let options = TwoBoneOptions { max_extension, ..TwoBoneOptions::default() };
        let report = if self.below.is_empty() {
            self.solver.solve(target, &options, locals, models)
        } else {
            let end = self.joints[2];
            let place = self.end(target.translation, models, ankle);
            let goal = Transform::new(models[end].rotation, place);
            let mut kept = [Quat::IDENTITY; MOST_BELOW];
            for (kept, &joint) in kept.iter_mut().zip(&self.below) {
                *kept = models[joint].rotation;
            }
            let report = self.solver.solve(&goal, &options, locals, models);
            let mut above = end;
            for (&kept, &joint) in kept.iter().zip(&self.below) {
                let turned = if joint == ankle { target.rotation } else { kept };
                locals[joint].rotation = (models[above].rotation.conjugate() * turned).normalize();
                models[joint] = models[above] * locals[joint];
                above = joint;
            }
            report
        };
        (report.residual, report.extension)
    }
}

/// How far a hip must come down to be no farther than `longest` from where its leg ends.
#[inline]
pub(crate) fn lowering(hip: Vec3, end: Vec3, longest: f32) -> f32 {
    let across = (hip.x - end.x).powi(2) + (hip.z - end.z).powi(2);
    let up = hip.y - end.y;
    if across + up * up <= longest * longest {
        return 0.0;
    }
    let height = (longest * longest - across).max(0.0).sqrt();
    (up - height).clamp(0.0, longest)
}

/// A length as it is up to `soft`, and from there on ever more slowly towards `most`.
pub fn soften(length: f32, soft: f32, most: f32) -> f32 {
    let room = most - soft;
    if length <= soft || room <= 0.0 {
        return length.min(most);
    }
    soft + room * (1.0 - libm::expf(-(length - soft) / room))
}
