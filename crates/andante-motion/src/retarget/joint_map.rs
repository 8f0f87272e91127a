//! Which joint of one body stands for which of another.

use super::RetargetReport;
use super::actor::RestMeasures;
use super::trunk::SpineChain;
use andante_play::feet::LimbJoints;
use andante_skeleton::{Rig, Side, Skeleton};

/// What moves a joint of the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum JointSource {
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
    pub drives: Vec<JointSource>,
    /// Per foot of the target, the foot of the source.
    pub feet: Vec<Option<usize>>,
    /// Per arm of the target, the arm of the source.
    pub arms: Vec<Option<usize>>,
}

impl JointMap {
    pub fn new(from: &RestMeasures, to: &RestMeasures) -> Self {
        let (source, target) = (from.actor.rig, to.actor.rig);
        let feet = |rig: &Rig| rig.feet.iter().map(|foot| foot.side).collect::<Vec<_>>();
        let arms = |rig: &Rig| rig.arms.iter().map(|arm| arm.side).collect::<Vec<_>>();
        let (feet, arms) =
            (by_side(&feet(source), &feet(target)), by_side(&arms(source), &arms(target)));
        let mut map = Self { drives: vec![JointSource::Rest; to.actor.skeleton.len()], feet, arms };
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
            *drive = same.map_or(JointSource::Rest, JointSource::One);
        }
    }

    /// Hips, spine, neck and head, and the collar bones beside them.
    ///
    /// Trunks have any number of joints: each takes the turn of the source's trunk as far up as it
    /// is itself. The joint that carries the arms is a fixed point, so that shoulders turn with
    /// shoulders.
    fn trunk(&mut self, from: &RestMeasures, to: &RestMeasures) {
        let (source, target) = (from.actor.rig, to.actor.rig);
        self.drives[target.hips] = JointSource::One(source.hips);
        for joint in above_hips(to) {
            self.drives[joint] = JointSource::Rest;
        }
        if let (Some(a), Some(b)) = (source.head, target.head) {
            self.drives[b] = JointSource::One(a);
        }
        let (theirs, ours) = (SpineChain::new(from).places(from), SpineChain::new(to).places(to));
        for (joint, place) in ours {
            if joint != target.hips && Some(joint) != target.head {
                self.drives[joint] = between(&theirs, place);
            }
        }
        for (arm, other) in self.arms.clone().into_iter().enumerate() {
            let Some(other) = other else { continue };
            let collar = |body: &RestMeasures, arm: usize| {
                let rig = body.actor.rig;
                let shoulder = *rig.arms[arm].chain.first()?;
                let parent = body.actor.skeleton.parent(shoulder)?;
                (parent != rig.hips && !rig.spine.contains(&parent)).then_some(parent)
            };
            if let Some(joint) = collar(to, arm) {
                self.drives[joint] =
                    collar(from, other).map_or(JointSource::Rest, JointSource::One);
            }
        }
    }

    /// Legs, feet, toes, arms and hands.
    fn limbs(&mut self, from: &RestMeasures, to: &RestMeasures) {
        let (source, target) = (from.actor.rig, to.actor.rig);
        for (foot, other) in self.feet.iter().enumerate() {
            let Some(other) = *other else { continue };
            let (ours, theirs) = (&target.feet[foot], &source.feet[other]);
            let limbs = (to.legs[foot], from.legs[other]);
            pair(&mut self.drives, (&ours.leg, &theirs.leg), limbs);
            if let Some(toes) = ours.toes {
                self.drives[toes] = theirs.toes.map_or(JointSource::Rest, JointSource::One);
            }
        }
        for (arm, other) in self.arms.iter().enumerate() {
            let Some(other) = *other else { continue };
            let chains = (&*target.arms[arm].chain, &*source.arms[other].chain);
            pair(&mut self.drives, chains, (to.arms[arm], from.arms[other]));
        }
    }

    /// Names of matched and resting joints.
    pub fn report(&self, from: &RestMeasures, to: &RestMeasures) -> RetargetReport {
        let mut report = RetargetReport::default();
        let source = |joint: usize| from.actor.skeleton.joint(joint).name.clone();
        for (joint, drive) in to.actor.skeleton.joints().iter().zip(&self.drives) {
            match *drive {
                JointSource::Rest => report.resting.push(joint.name.clone()),
                JointSource::One(a) => report.matched.push((joint.name.clone(), source(a))),
                JointSource::Between(a, b, t) => {
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
    drives: &mut [JointSource],
    (ours, theirs): (&[usize], &[usize]),
    limbs: (Option<LimbJoints>, Option<LimbJoints>),
) {
    for &joint in ours {
        drives[joint] = JointSource::Rest;
    }
    let place = |chain: &[usize], limb: Option<LimbJoints>| {
        limb.and_then(|limb| chain.iter().position(|&joint| joint == limb.joints[0]))
    };
    if ours.len() == theirs.len() && place(ours, limbs.0) == place(theirs, limbs.1) {
        for (&joint, &source) in ours.iter().zip(theirs) {
            drives[joint] = JointSource::One(source);
        }
    } else if let (Some(ours), Some(theirs)) = limbs {
        for (joint, source) in ours.joints.into_iter().zip(theirs.joints) {
            drives[joint] = JointSource::One(source);
        }
    }
    if let (Some(&joint), Some(&source)) = (ours.last(), theirs.last()) {
        drives[joint] = JointSource::One(source);
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

fn above_hips(body: &RestMeasures) -> Vec<usize> {
    body.actor.skeleton.ancestors(body.actor.rig.hips).skip(1).collect()
}

/// The joints of a trunk next to a place, and how far it is from the lower to the upper one.
fn between(places: &[(usize, f32)], place: f32) -> JointSource {
    let upper = places.iter().position(|&(_, other)| other >= place).unwrap_or(places.len() - 1);
    let (b, high) = places[upper];
    let (a, low) = places[upper.saturating_sub(1)];
    let t = if high - low > 1e-6 { ((place - low) / (high - low)).clamp(0.0, 1.0) } else { 1.0 };
    if t >= 1.0 - 1e-6 || a == b {
        JointSource::One(b)
    } else if t <= 1e-6 {
        JointSource::One(a)
    } else {
        JointSource::Between(a, b, t)
    }
}
