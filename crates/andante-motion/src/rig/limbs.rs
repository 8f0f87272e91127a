//! A tree of joints as a trunk with limbs.

use super::RigOptions;
use super::names::{Label, NamedPart};
use andante_skeleton::{Skeleton, Transform};
use glam::Vec3;
use std::collections::BTreeMap;

/// A chain that leaves the trunk, from its first joint to its far end.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LimbChain {
    pub path: Vec<usize>,
    /// Sum of the bones along the path, without the one that leads to it.
    pub length: f32,
}

impl LimbChain {
    pub fn end(&self) -> usize {
        self.path[self.path.len() - 1]
    }

    pub fn has(&self, labels: &[Label], what: impl Fn(NamedPart) -> bool) -> bool {
        self.path.iter().any(|&joint| labels[joint].part.is_some_and(&what))
    }
}

/// The trunk and the limbs of a skeleton.
pub(super) struct LimbTree {
    /// Where the first limbs part: the joint that carries everything.
    pub hips: usize,
    pub limbs: Vec<LimbChain>,
}

/// Splits a skeleton into trunk and limbs by the lengths of its bones in a posture; `None` if it does
/// not branch or has no extent.
pub(super) fn body(
    skeleton: &Skeleton,
    models: &[Transform],
    labels: &[Label],
    options: &RigOptions,
) -> Option<LimbTree> {
    let count = skeleton.len();
    let mut children = vec![Vec::new(); count];
    for joint in 1..count {
        if let Some(parent) = skeleton.parent(joint) {
            children[parent].push(joint);
        }
    }
    // Handles of artists' rigs hang about at the feet: a subtree of nothing else is left out.
    let mut left_out = vec![false; count];
    for joint in (0..count).rev() {
        left_out[joint] = labels[joint].helper && children[joint].iter().all(|&c| left_out[c]);
    }
    let bone = |joint: usize| match skeleton.parent(joint) {
        Some(parent) => models[joint].translation.distance(models[parent].translation),
        None => 0.0,
    };
    // How far a subtree extends, measured from the joint above it.
    let mut extent = vec![0.0f32; count];
    for joint in (0..count).rev().filter(|&joint| !left_out[joint]) {
        let tip = skeleton.joint(joint).tip.map_or(0.0, Vec3::length);
        let below = children[joint].iter().map(|&child| extent[child]).fold(tip, f32::max);
        extent[joint] = bone(joint) + below;
    }
    let branches = |joint: usize| children[joint].iter().filter(|&&c| !left_out[c]).count() > 1;
    let first = (0..count).find(|&joint| branches(joint))?;
    let longest = extent[first] - bone(first);
    if !(longest.is_finite() && longest > f32::MIN_POSITIVE) {
        return None;
    }
    let major = |joint: usize| !left_out[joint] && extent[joint] >= options.shortest_limb * longest;
    // How many limbs end at or below a joint.
    let mut ends = vec![0usize; count];
    for joint in (0..count).rev() {
        let below: usize = children[joint].iter().filter(|&&c| major(c)).map(|&c| ends[c]).sum();
        ends[joint] = below.max(1);
    }
    let hips = (0..count).find(|&joint| {
        ends[joint] > 1 && children[joint].iter().filter(|&&c| major(c)).count() > 1
    })?;
    let mut limbs = Vec::new();
    for joint in skeleton.subtree(hips) {
        let Some(parent) = skeleton.parent(joint) else { continue };
        if ends[parent] > 1 && ends[joint] == 1 && major(joint) && joint != hips {
            let mut path = vec![joint];
            let mut at = joint;
            while let Some(next) = onward(&children[at], labels, &extent, &left_out) {
                path.push(next);
                at = next;
            }
            limbs.push(LimbChain { path, length: extent[joint] - bone(joint) });
        }
    }
    Some(LimbTree { hips, limbs })
}

/// The child a limb continues with: toes rather than a heel, else the longest way.
fn onward(
    children: &[usize],
    labels: &[Label],
    extent: &[f32],
    left_out: &[bool],
) -> Option<usize> {
    let rank = |&&joint: &&usize| (labels[joint].part == Some(NamedPart::Toe), extent[joint]);
    let candidates = children.iter().filter(|&&child| !left_out[child]);
    let best = candidates.max_by(|a, b| {
        let (a, b) = (rank(a), rank(b));
        // The first of equals.
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(std::cmp::Ordering::Greater)
    });
    best.copied()
}

/// Pairs of limbs that mirror each other in a posture: bones of the same lengths, ends opposite each other across a vertical
/// plane through `centre`. With what they cost, which is little if they are mirrored well and none is left over.
pub(super) fn mirrored_pairs(
    limbs: &[&LimbChain],
    models: &[Transform],
    centre: Vec3,
) -> (f32, Vec<(usize, usize)>) {
    // Rest poses stand along the axes; anybody else faces across some pair of limbs.
    let mut planes = vec![Vec3::X, Vec3::Z];
    for (a, first) in limbs.iter().enumerate() {
        planes.extend(limbs[a + 1..].iter().filter_map(|second| apart(first, second, models)));
    }
    let mut best: Option<(f32, Vec<(usize, usize)>)> = None;
    for normal in planes {
        let mut costs = BTreeMap::new();
        for (a, first) in limbs.iter().enumerate() {
            for (b, second) in limbs.iter().enumerate().skip(a + 1) {
                let length = first.length.max(second.length);
                let alike = first.path.len() == second.path.len()
                    && (first.length - second.length).abs() <= 0.1 * length;
                let end = |limb: &LimbChain| models[limb.end()].translation - centre;
                let mirrored = end(first) - 2.0 * end(first).dot(normal) * normal;
                let miss = mirrored.distance(end(second)) / length;
                if alike && miss < 0.5 {
                    costs.insert((miss.to_bits(), a, b), miss);
                }
            }
        }
        let mut taken = vec![false; limbs.len()];
        let mut pairs = Vec::new();
        let mut total = 0.0;
        for ((_, a, b), miss) in costs {
            if !taken[a] && !taken[b] {
                (taken[a], taken[b]) = (true, true);
                pairs.push((a, b));
                total += miss;
            }
        }
        // Every limb left over costs as much as a bad pair.
        total += 0.5 * taken.iter().filter(|&&taken| !taken).count() as f32;
        if best.as_ref().is_none_or(|(least, _)| total < *least) {
            best = Some((total, pairs));
        }
    }
    best.unwrap_or((f32::MAX, Vec::new()))
}

/// The level direction in which two limbs are apart where they begin.
fn apart(first: &LimbChain, second: &LimbChain, models: &[Transform]) -> Option<Vec3> {
    let joints = first.path.iter().zip(&second.path);
    joints.into_iter().find_map(|(&a, &b)| {
        let across = (models[a].translation - models[b].translation).with_y(0.0);
        across.try_normalize().filter(|_| across.length() > 0.05 * first.length)
    })
}

/// Where the two long bones of an arm or of a leg of two bones begin: the last two neighbours that are longer than a part of
/// the limb. What carries them is short, and so are hands and feet.
pub(super) fn long_bones(limb: &LimbChain, models: &[Transform], part: f32) -> Option<usize> {
    let place = |index: usize| models[limb.path[index]].translation;
    let long = |index: usize| place(index).distance(place(index + 1)) > part * limb.length;
    (0..limb.path.len().saturating_sub(2)).rev().find(|&index| long(index) && long(index + 1))
}
