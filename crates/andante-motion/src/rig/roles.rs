//! Which limb is a leg, which an arm, and which way the body faces.

use super::RigOptions;
use super::limbs::{LimbChain, LimbTree, body, long_bones, mirrored_pairs};
use super::names::{Label, NamedPart, label};
use super::posture;
use andante_skeleton::{Arm, Clip, Joint, Side, Skeleton, Transform};
use glam::Vec3;
use std::collections::BTreeMap;

/// A leg that has not got a sole yet.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct UnsoledLeg {
    pub name: String,
    pub side: Side,
    /// From the hip joint to the ankle.
    pub chain: Vec<usize>,
    pub toes: Option<usize>,
    /// A joint that only marks the tip of the toes.
    pub tip: Option<usize>,
}

impl UnsoledLeg {
    pub fn ankle(&self) -> usize {
        self.chain[self.chain.len() - 1]
    }

    /// From hip to ankle along the bones.
    pub fn length(&self, models: &[Transform]) -> f32 {
        let place = |joint: usize| models[joint].translation;
        self.chain.windows(2).map(|bone| place(bone[0]).distance(place(bone[1]))).sum()
    }
}

/// What the joints of a skeleton are for, without soles.
pub(super) struct Roles {
    pub hips: usize,
    pub spine: Vec<usize>,
    pub head: Option<usize>,
    pub legs: Vec<UnsoledLeg>,
    pub arms: Vec<Arm>,
    /// A posture that stands.
    pub standing: Vec<Transform>,
    /// Where the body faces in it, horizontal, of unit length.
    pub forward: Vec3,
}

/// What every joint is by what the file says of it, or else by its name. Where something is said, joints of which nothing is said
/// are cloth, hair and twists, whatever they are called.
fn labels(skeleton: &Skeleton) -> Vec<Label> {
    let of = |(joint, named): (usize, &Joint)| match skeleton.said_role(joint) {
        Some(role) => label(role),
        None if skeleton.has_said_roles() => Label { part: None, side: None, ..label(&named.name) },
        None => label(&named.name),
    };
    skeleton.joints().iter().enumerate().map(of).collect()
}

pub(super) fn find(skeleton: &Skeleton, clips: &[Clip], options: &RigOptions) -> Option<Roles> {
    let labels = labels(skeleton);
    let mut postures = posture::candidates(skeleton, clips, options);
    // Bones that have no length at rest may have one in a clip that moves every joint.
    let parted = |models: &Vec<Transform>| body(skeleton, models, &labels, options).is_some();
    let first = postures.iter().position(parted)?;
    postures.drain(..first);
    let LimbTree { hips, limbs } = body(skeleton, &postures[0], &labels, options)?;
    let hips = named_hips(skeleton, &labels, hips, &limbs);

    let named = |what: fn(NamedPart) -> bool| -> Vec<&LimbChain> {
        limbs.iter().filter(|limb| limb.has(&labels, what)).collect()
    };
    let mut legs = named(NamedPart::of_leg);
    let standing = if legs.is_empty() {
        let (found, models) = nameless_legs(skeleton, &limbs, &postures, hips, &labels);
        legs = found;
        models
    } else {
        posture::standing(skeleton, &postures, (hips, &legs), options)
    };
    if legs.is_empty() {
        return None;
    }
    // Arms that stand on the ground are legs, whatever they are called; hanging hands are at half the
    // height of the hips.
    let mut arms: Vec<&LimbChain> = named(NamedPart::of_arm);
    arms.retain(|arm| !legs.contains(arm));
    let (bottom, _) = posture::bottom_and_height(skeleton, standing, hips);
    let hip_height = standing[hips].translation.y - bottom;
    let on_ground = |limb: &LimbChain| {
        let end = posture::end_position(skeleton, standing, limb);
        hip_height > 0.0 && end.y - bottom < 0.25 * hip_height
    };
    let (front, mut arms): (Vec<&LimbChain>, Vec<&LimbChain>) =
        arms.into_iter().partition(|arm| on_ground(arm));
    legs.extend(front);
    if arms.is_empty() {
        arms = raised_pairs(&limbs, &legs, &postures, hips, &labels);
    }

    let chains: Vec<Chain> =
        legs.iter().map(|leg| chain(skeleton, leg, &labels, standing, bottom)).collect();
    let chains: Vec<Chain> = chains.into_iter().filter(|chain| chain.length > 0.0).collect();
    let head = head(skeleton, &labels, &limbs, &legs, &arms, standing);
    let forward = forward(skeleton, &chains, standing, hips, head, clips);
    let legs = ordered_legs(chains, standing, hips, forward);
    if legs.is_empty() {
        return None;
    }
    let spine = match head {
        Some(head) => {
            let mut spine: Vec<usize> =
                skeleton.ancestors(head).skip(1).take_while(|&joint| joint != hips).collect();
            spine.reverse();
            if spine.first().is_some_and(|&first| !skeleton.ancestors(first).any(|j| j == hips)) {
                spine.clear();
            }
            spine
        }
        None => Vec::new(),
    };
    let left = Vec3::Y.cross(forward);
    let mut arms: Vec<Arm> = arms
        .iter()
        .map(|limb| Arm {
            side: side_of(limb, &labels, standing, hips, left),
            chain: arm_chain(limb, &labels, standing),
        })
        .collect();
    arms.sort_by_key(|arm| side_rank(arm.side));
    Some(Roles { hips, spine, head, legs, arms, standing: standing.to_vec(), forward })
}

/// Artists put joints above the pelvis, and the pelvis may be a joint below the first branching.
fn named_hips(
    skeleton: &Skeleton,
    labels: &[Label],
    branching: usize,
    limbs: &[LimbChain],
) -> usize {
    let carries_legs = |joint: usize| {
        let below = skeleton.subtree(joint);
        let leg = |limb: &&LimbChain| {
            below.contains(&limb.path[0]) && limb.has(labels, NamedPart::of_leg)
        };
        limbs.iter().filter(leg).count() > 1
    };
    let mut named = skeleton.subtree(branching).filter(|&joint| {
        labels[joint].part == Some(NamedPart::Hips) && !labels[joint].helper && carries_legs(joint)
    });
    named.next().unwrap_or(branching)
}

/// Legs that nothing names, and a posture that stands on them: those of the rest pose if clips keep it upright, or else
/// those that touch the ground in most frames.
fn nameless_legs<'a, 'b>(
    skeleton: &Skeleton,
    limbs: &'a [LimbChain],
    postures: &'b [Vec<Transform>],
    hips: usize,
    labels: &[Label],
) -> (Vec<&'a LimbChain>, &'b [Transform]) {
    let usual = posture::usual(skeleton, postures, hips);
    let touching = |models: &[Transform]| touching_pairs(skeleton, limbs, models, hips, labels);
    let (_, legs) = touching(usual);
    if !legs.is_empty() && std::ptr::eq(usual.as_ptr(), postures[0].as_ptr()) {
        return (legs, usual);
    }
    let mut votes: BTreeMap<Vec<usize>, (usize, f32, usize)> = BTreeMap::new();
    for (index, models) in postures.iter().enumerate().skip(1) {
        let (cost, legs) = touching(models);
        let starts: Vec<usize> = legs.iter().map(|leg| leg.path[0]).collect();
        if !starts.is_empty() {
            let vote = votes.entry(starts).or_insert((0, cost, index));
            vote.0 += 1;
            if cost < vote.1 {
                (vote.1, vote.2) = (cost, index);
            }
        }
    }
    match votes.into_iter().max_by_key(|(starts, vote)| (vote.0, starts.len())) {
        Some((starts, (_, _, index))) => {
            let of = |start: &usize| limbs.iter().find(|limb| limb.path[0] == *start);
            (starts.iter().filter_map(of).collect(), &postures[index])
        }
        None => (legs, usual),
    }
}

/// Mirrored pairs of limbs whose ends are on the ground, in order, and what the pairs cost; if there are none, a single limb
/// that is.
fn touching_pairs<'a>(
    skeleton: &Skeleton,
    limbs: &'a [LimbChain],
    models: &[Transform],
    hips: usize,
    labels: &[Label],
) -> (f32, Vec<&'a LimbChain>) {
    let (bottom, height) = posture::bottom_and_height(skeleton, models, hips);
    if height <= 0.0 {
        return (f32::MAX, Vec::new());
    }
    let other = |part| matches!(part, NamedPart::Tail | NamedPart::Head | NamedPart::Neck);
    let low: Vec<&LimbChain> = limbs
        .iter()
        .filter(|limb| {
            let end = posture::end_position(skeleton, models, limb).y - bottom;
            let start = models[limb.path[0]].translation.y - bottom;
            // A leg leads down: its end is far below its beginning, or its way there is long.
            end < 0.15 * height && (start - end > 0.2 * limb.length || end < 0.05 * height)
        })
        .filter(|limb| !limb.has(labels, other) && limb.path.len() > 1)
        .collect();
    let (cost, pairs) = mirrored_pairs(&low, models, models[hips].translation);
    if pairs.is_empty() {
        return (cost, if low.len() == 1 { low } else { Vec::new() });
    }
    let mut legs: Vec<&LimbChain> = pairs.iter().flat_map(|&(a, b)| [low[a], low[b]]).collect();
    legs.sort_by_key(|leg| leg.path[0]);
    (cost, legs)
}

/// Mirrored pairs of unnamed limbs above the legs: arms, if the body has two legs.
fn raised_pairs<'a>(
    limbs: &'a [LimbChain],
    legs: &[&LimbChain],
    postures: &[Vec<Transform>],
    hips: usize,
    labels: &[Label],
) -> Vec<&'a LimbChain> {
    if legs.len() != 2 {
        return Vec::new();
    }
    let unnamed = |limb: &&LimbChain| !limb.has(labels, |_| true) && !legs.contains(limb);
    let high: Vec<&LimbChain> = limbs.iter().filter(unnamed).collect();
    // Arms swing: the posture in which they are mirrored best.
    let pairs = |models: &Vec<Transform>| mirrored_pairs(&high, models, models[hips].translation);
    let best = postures.iter().map(pairs).min_by(|a, b| a.0.total_cmp(&b.0));
    let pair = best.and_then(|(_, pairs)| pairs.first().copied());
    pair.map(|(a, b)| vec![high[a], high[b]]).unwrap_or_default()
}

/// A leg's joints sorted out: from the hip joint to the ankle, toes, tip.
struct Chain {
    joints: Vec<usize>,
    toes: Option<usize>,
    tip: Option<usize>,
    side: Option<Side>,
    length: f32,
}

fn chain(
    skeleton: &Skeleton,
    limb: &LimbChain,
    labels: &[Label],
    models: &[Transform],
    bottom: f32,
) -> Chain {
    let path = &limb.path;
    let part = |index: usize| labels[path[index]].part;
    let place = |index: usize| models[path[index]].translation;
    // The hip joint: the thigh, or the first joint with a bone of some length. A joint that is called
    // hip or pelvis above a thigh only carries it.
    let is_upper = |part| matches!(part, Some(NamedPart::Thigh | NamedPart::UpperArm));
    let long = |index: usize| {
        index + 1 < path.len() && place(index).distance(place(index + 1)) > 0.1 * limb.length
    };
    let start = (0..path.len())
        .find(|&index| is_upper(part(index)))
        .or_else(|| two_bones(limb, models))
        .or_else(|| {
            let fitting = |&index: &usize| {
                long(index) && !matches!(part(index), Some(NamedPart::Shoulder | NamedPart::Hips))
            };
            (0..path.len()).find(fitting)
        })
        .unwrap_or(0);
    let length: f32 =
        (start + 1..path.len()).map(|index| place(index).distance(place(index - 1))).sum();
    // The ankle is the joint just above the ground with only a foot beyond, or that below two long bones. Names count if they
    // agree with that: an animal's hock is called ankle or foot by some. A foot may be lifted: its own lowest point counts.
    let own = (start..path.len()).map(|index| place(index).y).fold(f32::MAX, f32::min);
    let height = |index: usize| place(index).y - own.max(bottom);
    let beyond = |index: usize| -> f32 {
        (index + 1..path.len()).map(|next| place(next).distance(place(next - 1))).sum()
    };
    let lower = |index: &usize| beyond(*index) < 0.35 * length;
    let named = |what: &[NamedPart]| {
        (start + 1..path.len()).filter(lower).rev().find(|&index| {
            part(index).is_some_and(|part| what.contains(&part))
                && !labels[path[index]].end
                && height(index) < 0.2 * length
        })
    };
    // Legs of more bones have their ankle high up, and stand on what is below it.
    let named = match two_bones(limb, models) {
        Some(_) => named(&[NamedPart::Ankle]).or_else(|| named(&[NamedPart::Foot])),
        None => named(&[NamedPart::Ankle, NamedPart::Foot]),
    };
    let low = || (start + 1..path.len()).filter(lower).find(|&i| height(i) < 0.13 * length);
    let below_two =
        || two_bones(limb, models).filter(|first| *first == start).map(|first| first + 2);
    let ankle = named.or_else(below_two).or_else(low).unwrap_or(path.len() - 1).max(start);
    let rest = &path[ankle + 1..];
    let end_only = |joint: usize| labels[joint].end;
    let (toes, tip) = match rest {
        [] => (None, None),
        [only] if end_only(*only) => (None, Some(*only)),
        [only] => (Some(*only), None),
        [first, .., last] => (Some(*first), Some(*last)),
    };
    let sides = path.iter().filter_map(|&joint| labels[joint].side);
    let length = length + skeleton.joint(limb.end()).tip.map_or(0.0, Vec3::length);
    Chain { joints: path[start..=ankle].to_vec(), toes, tip, side: majority(sides), length }
}

/// Where a leg of exactly two long bones begins.
fn two_bones(limb: &LimbChain, models: &[Transform]) -> Option<usize> {
    let place = |index: usize| models[limb.path[index]].translation;
    let bones = 0..limb.path.len().saturating_sub(1);
    let long = bones.filter(|&i| place(i).distance(place(i + 1)) > 0.2 * limb.length).count();
    long_bones(limb, models, 0.2).filter(|_| long == 2)
}

fn majority(sides: impl Iterator<Item = Side>) -> Option<Side> {
    let balance: i32 = sides
        .map(|side| match side {
            Side::Left => 1,
            Side::Right => -1,
            Side::Middle => 0,
        })
        .sum();
    match balance.signum() {
        1 => Some(Side::Left),
        -1 => Some(Side::Right),
        _ => None,
    }
}

fn head(
    skeleton: &Skeleton,
    labels: &[Label],
    limbs: &[LimbChain],
    legs: &[&LimbChain],
    arms: &[&LimbChain],
    models: &[Transform],
) -> Option<usize> {
    let named = (0..skeleton.len())
        .find(|&joint| labels[joint].part == Some(NamedPart::Head) && !labels[joint].end);
    if named.is_some() {
        return named;
    }
    // Whatever ends above the neck, else whatever ends highest and is no limb with a use.
    let used = |joint: usize| {
        let of = |limb: &&LimbChain| limb.path.contains(&joint);
        let other = |limb: &&LimbChain| limb.has(labels, |part| part == NamedPart::Tail);
        legs.iter().chain(arms).any(&of) || limbs.iter().filter(other).any(|limb| of(&limb))
    };
    let leaves = || {
        let leaf = |joint: &usize| skeleton.children(*joint).next().is_none();
        (1..skeleton.len()).filter(leaf).filter(|&joint| !used(joint))
    };
    let high = |joint: &usize| models[*joint].translation.y;
    let highest =
        |joints: Vec<usize>| joints.into_iter().max_by(|a, b| high(a).total_cmp(&high(b)));
    let on_neck = |joint: &usize| {
        skeleton.ancestors(*joint).any(|above| labels[above].part == Some(NamedPart::Neck))
    };
    highest(leaves().filter(on_neck).collect()).or_else(|| {
        // Only if it stands out: a body without a head has none.
        let trunk = limbs.iter().map(|limb| models[limb.path[0]].translation.y);
        let top = trunk.fold(f32::MIN, f32::max);
        highest(leaves().filter(|joint| high(joint) > top).collect())
    })
}

/// Where the body faces: from its named sides, from its toes, from its head, or from where it goes.
fn forward(
    skeleton: &Skeleton,
    chains: &[Chain],
    models: &[Transform],
    hips: usize,
    head: Option<usize>,
    clips: &[Clip],
) -> Vec3 {
    let flat = |v: Vec3| Vec3::new(v.x, 0.0, v.z);
    let place = |joint: usize| models[joint].translation;
    let length = chains.iter().map(|chain| chain.length).fold(0.0, f32::max);
    let mut left = Vec3::ZERO;
    let mut toes = Vec3::ZERO;
    for chain in chains {
        let (hip, ankle) = (chain.joints[0], chain.joints[chain.joints.len() - 1]);
        let sign = match chain.side {
            Some(Side::Left) => 1.0,
            Some(Side::Right) => -1.0,
            _ => 0.0,
        };
        left += flat(place(hip) + 0.1 * place(ankle)) * sign;
        let end = chain.tip.or(chain.toes);
        let tip = skeleton.joint(chain.toes.unwrap_or(ankle)).tip;
        if let Some(end) = end {
            toes += flat(place(end) - place(ankle));
        } else if let Some(tip) = tip {
            toes += flat(models[chain.toes.unwrap_or(ankle)].transform_point(tip) - place(ankle));
        }
    }
    let sided = |side| chains.iter().filter(|chain| chain.side == Some(side)).count();
    let named = sided(Side::Left) == sided(Side::Right) && sided(Side::Left) > 0;
    let ahead = head.map_or(Vec3::ZERO, |head| flat(place(head) - place(hips)));
    let travel = || -> Vec3 {
        // In the frame of the standing posture, so that a clip may start facing anywhere.
        let step = |clip: &Clip| {
            let mut sum = Vec3::ZERO;
            for pair in
                clip.transforms().chunks_exact(clip.joint_count()).collect::<Vec<_>>().windows(2)
            {
                let turn = models[0].rotation * pair[0][0].rotation.conjugate();
                sum += flat(turn * (pair[1][0].translation - pair[0][0].translation));
            }
            sum
        };
        clips.iter().map(step).sum()
    };
    let candidates: [(Vec3, f32); 4] = [
        (if named { left.cross(Vec3::Y) } else { Vec3::ZERO }, 1e-3 * length),
        (toes, 0.02 * length * chains.len() as f32),
        (ahead, 0.3 * length),
        (travel(), 0.5 * length),
    ];
    let found = candidates.iter().find(|(v, least)| v.is_finite() && v.length() > *least);
    found.and_then(|(v, _)| v.try_normalize()).unwrap_or(Vec3::Z)
}

/// Legs with sides and names, front before back, left before right.
fn ordered_legs(
    chains: Vec<Chain>,
    models: &[Transform],
    hips: usize,
    forward: Vec3,
) -> Vec<UnsoledLeg> {
    let left = Vec3::Y.cross(forward);
    let place = |joint: usize| models[joint].translation - models[hips].translation;
    let length = chains.iter().map(|chain| chain.length).fold(0.0, f32::max);
    let mut legs: Vec<(f32, UnsoledLeg)> = chains
        .into_iter()
        .map(|chain| {
            let ankle = chain.joints[chain.joints.len() - 1];
            // Feet may cross, hip joints do not.
            let out = (place(chain.joints[0]) + 0.1 * place(ankle)).dot(left);
            let side = chain.side.unwrap_or(if out.abs() < 0.02 * length {
                Side::Middle
            } else if out > 0.0 {
                Side::Left
            } else {
                Side::Right
            });
            // Legs of a body fan out: their ends tell the order better than their beginnings.
            let ahead = place(ankle).dot(forward);
            let leg = UnsoledLeg {
                name: String::new(),
                side,
                chain: chain.joints,
                toes: chain.toes,
                tip: chain.tip,
            };
            (ahead, leg)
        })
        .collect();
    legs.sort_by(|a, b| b.0.total_cmp(&a.0));
    // The n-th from the front of each side.
    let mut counts = [0usize; 3];
    let mut ranked: Vec<(usize, UnsoledLeg)> = legs
        .into_iter()
        .map(|(_, leg)| {
            let rank = &mut counts[side_rank(leg.side)];
            *rank += 1;
            (*rank - 1, leg)
        })
        .collect();
    ranked.sort_by_key(|(rank, leg)| (*rank, side_rank(leg.side)));
    let rows = counts.iter().copied().max().unwrap_or(0);
    for (rank, leg) in &mut ranked {
        let side = match leg.side {
            Side::Left => "left ",
            Side::Right => "right ",
            Side::Middle => "",
        };
        leg.name = match (rows, *rank) {
            (0 | 1, _) => format!("{side}foot"),
            (2, 0) => format!("front {side}foot"),
            (2, _) => format!("back {side}foot"),
            (_, rank) => format!("{side}foot {}", rank + 1),
        };
    }
    ranked.into_iter().map(|(_, leg)| leg).collect()
}

fn side_rank(side: Side) -> usize {
    match side {
        Side::Left => 0,
        Side::Right => 1,
        Side::Middle => 2,
    }
}

fn side_of(
    limb: &LimbChain,
    labels: &[Label],
    models: &[Transform],
    hips: usize,
    left: Vec3,
) -> Side {
    let named = majority(limb.path.iter().filter_map(|&joint| labels[joint].side));
    named.unwrap_or_else(|| {
        // Hands may cross: the whole limb tells.
        let out = |&joint: &usize| (models[joint].translation - models[hips].translation).dot(left);
        if limb.path.iter().map(out).sum::<f32>() > 0.0 { Side::Left } else { Side::Right }
    })
}

/// From the shoulder joint to the hand. Some call shoulder what others call collar: the joint above the elbow is meant, or that
/// of the last two long bones.
fn arm_chain(limb: &LimbChain, labels: &[Label], models: &[Transform]) -> Vec<usize> {
    let path = &limb.path;
    let first = |what: &[NamedPart], from: usize| {
        let named = |index: &usize| labels[path[*index]].part.is_some_and(|p| what.contains(&p));
        (from..path.len()).find(named)
    };
    let start = first(&[NamedPart::UpperArm, NamedPart::Arm], 0)
        .or_else(|| first(&[NamedPart::Forearm], 0)?.checked_sub(1))
        .or_else(|| long_bones(limb, models, 0.17))
        .unwrap_or(0);
    let hand = first(&[NamedPart::Hand], start)
        .or_else(|| long_bones(limb, models, 0.17).map(|index| index + 2))
        .filter(|&hand| hand > start)
        .unwrap_or(path.len() - 1);
    path[start..=hand].to_vec()
}
