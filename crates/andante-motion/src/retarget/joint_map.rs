//! Which joint of one body stands for which of another.

use super::RetargetReport;
use super::actor::Body;
use crate::edit::Limb;
use andante_skeleton::{Rig, Side, Skeleton};

/// What moves a joint of the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Drive {
    /// Nothing: it keeps its rest pose relative to its parent.
    Rest,
    /// A joint of the source.
    One(usize),
    /// Two joints of the source, and how far from the first to the second.
    Between(usize, usize, f32),
}

/// The counterpart of every joint and foot of the target.
pub(super) struct JointMap {
    /// Per joint of the target.
    pub drives: Vec<Drive>,
    /// Per foot of the target, the foot of the source.
    pub feet: Vec<Option<usize>>,
    /// Per arm of the target, the arm of the source.
    pub arms: Vec<Option<usize>>,
}

impl JointMap {
    pub fn new(from: &Body, to: &Body) -> Self {
        let (source, target) = (from.actor.rig, to.actor.rig);
        let feet = |rig: &Rig| rig.feet.iter().map(|foot| foot.side).collect::<Vec<_>>();
        let arms = |rig: &Rig| rig.arms.iter().map(|arm| arm.side).collect::<Vec<_>>();
        let (feet, arms) =
            (by_side(&feet(source), &feet(target)), by_side(&arms(source), &arms(target)));
        let mut map = Self { drives: vec![Drive::Rest; to.actor.skeleton.len()], feet, arms };
        map.by_name(from.actor.skeleton, to.actor.skeleton);
        map.trunk(from, to);
        map.limbs(from, to);
        map
    }

    /// Joints of the same name, apart from namespaces, capitals and punctuation.
    fn by_name(&mut self, source: &Skeleton, target: &Skeleton) {
        let names: Vec<String> =
            source.joints().iter().map(|joint| plain_name(&joint.name)).collect();
        for (joint, drive) in target.joints().iter().zip(&mut self.drives) {
            let name = plain_name(&joint.name);
            let same = names.iter().position(|other| *other == name && !name.is_empty());
            *drive = same.map_or(Drive::Rest, Drive::One);
        }
    }

    /// Hips, spine, neck and head, and the collar bones beside them.
    ///
    /// Trunks have any number of joints: each takes the turn of the source's trunk as far up as it
    /// is itself. The joint that carries the arms is a fixed point, so that shoulders turn with
    /// shoulders.
    fn trunk(&mut self, from: &Body, to: &Body) {
        let (source, target) = (from.actor.rig, to.actor.rig);
        self.drives[target.hips] = Drive::One(source.hips);
        for joint in above_hips(to) {
            self.drives[joint] = Drive::Rest;
        }
        if let (Some(a), Some(b)) = (source.head, target.head) {
            self.drives[b] = Drive::One(a);
        }
        let places = Places::new(from);
        for (joint, place) in Places::new(to).joints {
            if joint != target.hips && Some(joint) != target.head {
                self.drives[joint] = places.at(place);
            }
        }
        for (arm, other) in self.arms.clone().into_iter().enumerate() {
            let Some(other) = other else { continue };
            let collar = |body: &Body, arm: usize| {
                let rig = body.actor.rig;
                let shoulder = *rig.arms[arm].chain.first()?;
                let parent = body.actor.skeleton.parent(shoulder)?;
                (parent != rig.hips && !rig.spine.contains(&parent)).then_some(parent)
            };
            if let Some(joint) = collar(to, arm) {
                self.drives[joint] = collar(from, other).map_or(Drive::Rest, Drive::One);
            }
        }
    }

    /// Legs, feet, toes, arms and hands.
    fn limbs(&mut self, from: &Body, to: &Body) {
        let (source, target) = (from.actor.rig, to.actor.rig);
        for (foot, other) in self.feet.iter().enumerate() {
            let Some(other) = *other else { continue };
            let (ours, theirs) = (&target.feet[foot], &source.feet[other]);
            let limbs = (to.legs[foot], from.legs[other]);
            pair(&mut self.drives, (&ours.leg, &theirs.leg), limbs);
            if let Some(toes) = ours.toes {
                self.drives[toes] = theirs.toes.map_or(Drive::Rest, Drive::One);
            }
        }
        for (arm, other) in self.arms.iter().enumerate() {
            let Some(other) = *other else { continue };
            let chains = (&*target.arms[arm].chain, &*source.arms[other].chain);
            pair(&mut self.drives, chains, (to.arms[arm], from.arms[other]));
        }
    }

    /// Names of matched and resting joints.
    pub fn report(&self, from: &Body, to: &Body) -> RetargetReport {
        let mut report = RetargetReport::default();
        let source = |joint: usize| from.actor.skeleton.joint(joint).name.clone();
        for (joint, drive) in to.actor.skeleton.joints().iter().zip(&self.drives) {
            match *drive {
                Drive::Rest => report.resting.push(joint.name.clone()),
                Drive::One(a) => report.matched.push((joint.name.clone(), source(a))),
                Drive::Between(a, b, t) => {
                    report.matched.push((joint.name.clone(), source(if t < 0.5 { a } else { b })));
                }
            }
        }
        report
    }
}

/// Matches two limbs: joint by joint if they are built alike, or else the bones that bend and the
/// foot or hand at the end.
fn pair(
    drives: &mut [Drive],
    (ours, theirs): (&[usize], &[usize]),
    limbs: (Option<Limb>, Option<Limb>),
) {
    for &joint in ours {
        drives[joint] = Drive::Rest;
    }
    let place = |chain: &[usize], limb: Option<Limb>| {
        limb.and_then(|limb| chain.iter().position(|&joint| joint == limb.joints[0]))
    };
    if ours.len() == theirs.len() && place(ours, limbs.0) == place(theirs, limbs.1) {
        for (&joint, &source) in ours.iter().zip(theirs) {
            drives[joint] = Drive::One(source);
        }
    } else if let (Some(ours), Some(theirs)) = limbs {
        for (joint, source) in ours.joints.into_iter().zip(theirs.joints) {
            drives[joint] = Drive::One(source);
        }
    }
    if let (Some(&joint), Some(&source)) = (ours.last(), theirs.last()) {
        drives[joint] = Drive::One(source);
    }
}

/// Per entry of the target, the entry of the source on the same side and as far back.
fn by_side(source: &[Side], target: &[Side]) -> Vec<Option<usize>> {
    let nth = |index: usize| target[..index].iter().filter(|&&side| side == target[index]).count();
    let same = |side: Side| (0..source.len()).filter(move |&other| source[other] == side);
    (0..target.len()).map(|index| same(target[index]).nth(nth(index))).collect()
}

/// A name without namespace, capitals and punctuation.
fn plain_name(name: &str) -> String {
    let own = name.rsplit([':', '|']).next().unwrap_or(name);
    own.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn above_hips(body: &Body) -> Vec<usize> {
    body.actor.skeleton.ancestors(body.actor.rig.hips).skip(1).collect()
}

/// How far up the trunk its joints are: 0 at the hips, 1 at the joint that carries the arms, 2 at the
/// head. A joint counts where the middle of its bone is.
struct Places {
    joints: Vec<(usize, f32)>,
}

impl Places {
    fn new(body: &Body) -> Self {
        let (rig, skeleton) = (body.actor.rig, body.actor.skeleton);
        // From the hips to the head along the tree, whatever the rig lists.
        let top = rig.head.or(rig.spine.last().copied()).unwrap_or(rig.hips);
        let mut chain: Vec<usize> =
            skeleton.ancestors(top).take_while(|&joint| joint != rig.hips).collect();
        chain.push(rig.hips);
        chain.reverse();
        let carrier = rig.arms.iter().find_map(|arm| {
            let shoulder = *arm.chain.first()?;
            let above = skeleton.ancestors(shoulder).find(|joint| chain.contains(joint))?;
            chain.iter().position(|&joint| joint == above)
        });
        let carrier = carrier.filter(|&index| index > 0).unwrap_or(chain.len() - 1);
        let bone = |index: usize| skeleton.joint(chain[index]).rest.translation.length();
        let mut joints = Vec::with_capacity(chain.len());
        for (section, base) in [(0..carrier, 0.0), (carrier..chain.len() - 1, 1.0)] {
            let total: f32 = section.clone().map(|index| bone(index + 1)).sum();
            let mut below = 0.0;
            for index in section {
                let middle = below + 0.5 * bone(index + 1);
                below += bone(index + 1);
                let place = if total > 1e-6 { middle / total } else { 0.5 };
                joints.push((chain[index], base + place));
            }
        }
        joints.push((top, 2.0));
        for (joint, place) in &mut joints {
            if *joint == rig.hips {
                *place = 0.0;
            } else if *joint == chain[carrier] && carrier + 1 < chain.len() {
                *place = 1.0;
            }
        }
        Self { joints }
    }

    /// The joints next to a place, and how far it is from the lower to the upper one.
    fn at(&self, place: f32) -> Drive {
        let upper = self.joints.iter().position(|&(_, other)| other >= place);
        let upper = upper.unwrap_or(self.joints.len() - 1);
        let (b, high) = self.joints[upper];
        let (a, low) = self.joints[upper.saturating_sub(1)];
        let t =
            if high - low > 1e-6 { ((place - low) / (high - low)).clamp(0.0, 1.0) } else { 1.0 };
        if t >= 1.0 - 1e-6 || a == b {
            Drive::One(b)
        } else if t <= 1e-6 {
            Drive::One(a)
        } else {
            Drive::Between(a, b, t)
        }
    }
}
