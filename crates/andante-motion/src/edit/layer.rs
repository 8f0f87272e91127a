//! Motions on top of others, and edits of a part of the body.

use super::error::{EditError, check};
use super::join::placement;
use super::spline::along_arc;
use super::time::posture_at;
use andante_skeleton::{
    Clip, Pose, Rig, RootMotion, Side, Skeleton, Wrap, add_layer, additive_delta,
};

/// The clip with another one on top, as a layer: what the other one does from its first pose on is added to this one, so many
/// times. A weight of 0 adds nothing, 1 all of it, −1 takes it away.
///
/// The travel and the turning of the layer on the ground are left out, and its last pose stays once it has ended: a breath, a
/// wave or a limp is added, not a walk.
pub fn with_layer(
    skeleton: &Skeleton,
    clip: &Clip,
    layer: &Clip,
    weight: f32,
) -> Result<Clip, EditError> {
    check(skeleton, clip)?;
    check(skeleton, layer)?;
    if !weight.is_finite() {
        return Err(EditError::NonFinite { what: "the weight of the layer" });
    }
    let (in_place, travel) = RootMotion::extract(skeleton, clip)?;
    let (layer, _) = RootMotion::extract(skeleton, layer)?;
    let start = placement(skeleton, clip.frame(0));
    let mut delta = Pose::rest(skeleton);
    let mut transforms = in_place.into_transforms();
    for (frame, pose) in transforms.chunks_exact_mut(skeleton.len()).enumerate() {
        let time = clip.frame_time(frame);
        additive_delta(&posture_at(&layer, time), layer.frame(0), &mut delta);
        add_layer(&delta, weight, None, pose);
        pose[0] = start.then(&travel.at(time, Wrap::Clamp)).to_transform() * pose[0];
    }
    Ok(Clip::new(clip.name(), skeleton, clip.fps(), transforms)?)
}

/// A part of the body: how much of an edit each joint takes, from 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyMask {
    weights: Vec<f32>,
}

impl BodyMask {
    /// The names of parts that rigs have, beside those of their joints.
    pub const PARTS: [&'static str; 11] = [
        "all",
        "upper",
        "lower",
        "head",
        "spine",
        "arms",
        "left-arm",
        "right-arm",
        "legs",
        "left-leg",
        "right-leg",
    ];

    /// The mask of some words, each the name of a joint, which stands for all that hangs on it as well, or of a part
    /// ([`Self::PARTS`]); a `-` before it takes it out again. Parts other than `all` need a rig.
    pub fn of_words<'a>(
        skeleton: &Skeleton,
        rig: Option<&Rig>,
        words: impl IntoIterator<Item = &'a str>,
        weight: f32,
    ) -> Result<Self, EditError> {
        if !(0.0..=1.0).contains(&weight) {
            return Err(EditError::Weight { weight });
        }
        let mut weights: Option<Vec<f32>> = None;
        for word in words {
            let (name, value) = match word.strip_prefix('-') {
                Some(name) if skeleton.find(word).is_none() => (name, 0.0),
                _ => (word, weight),
            };
            let unknown = || EditError::Part { word: name.into() };
            let joints = part(skeleton, rig, name).ok_or_else(unknown)?;
            // Whoever begins by taking something out means the rest of the body.
            let usual = if value == 0.0 { weight } else { 0.0 };
            let all = weights.get_or_insert_with(|| vec![usual; skeleton.len()]);
            joints.into_iter().for_each(|joint| all[joint] = value);
        }
        let weights = weights.ok_or_else(|| EditError::Part { word: String::new() })?;
        Ok(Self { weights })
    }

    /// The weight of each joint.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }
}

/// The joints of a part.
fn part(skeleton: &Skeleton, rig: Option<&Rig>, name: &str) -> Option<Vec<usize>> {
    if let Some(joint) = skeleton.find(name) {
        return Some(skeleton.subtree(joint).collect());
    }
    if name == "all" {
        return Some((0..skeleton.len()).collect());
    }
    let rig = rig?;
    let arms = |side: Option<Side>| {
        let of = rig.arms.iter().filter(|arm| side.is_none_or(|side| arm.side == side));
        of.filter_map(|arm| arm.chain.first()).flat_map(|&top| skeleton.subtree(top)).collect()
    };
    let legs = |side: Option<Side>| -> Vec<usize> {
        let of = rig.feet.iter().filter(|foot| side.is_none_or(|side| foot.side == side));
        of.flat_map(|foot| skeleton.subtree(foot.hip())).collect()
    };
    let found: Vec<usize> = match name {
        "upper" => {
            let low = legs(None);
            let tops = rig.spine.first().copied().into_iter().chain(rig.head);
            let arms = rig.arms.iter().filter_map(|arm| arm.chain.first().copied());
            let mut found: Vec<usize> =
                tops.chain(arms).flat_map(|top| skeleton.subtree(top)).collect();
            // The front legs of animals hang on the spine.
            found.retain(|joint| !low.contains(joint));
            found.sort_unstable();
            found.dedup();
            found
        }
        "lower" => {
            let upper = part(skeleton, Some(rig), "upper")?;
            (0..skeleton.len()).filter(|joint| !upper.contains(joint)).collect()
        }
        "head" => rig.head.map(|head| skeleton.subtree(head).collect()).unwrap_or_default(),
        "spine" => rig.spine.clone(),
        "arms" => arms(None),
        "left-arm" => arms(Some(Side::Left)),
        "right-arm" => arms(Some(Side::Right)),
        "legs" => legs(None),
        "left-leg" => legs(Some(Side::Left)),
        "right-leg" => legs(Some(Side::Right)),
        _ => return None,
    };
    (!found.is_empty()).then_some(found)
}

/// The edit of a clip kept to a part of the body: joints with weight 1 are as edited, those with weight 0 as before, others in
/// between. The edit must not have changed the number of frames or their rate.
pub fn masked(
    skeleton: &Skeleton,
    before: &Clip,
    edited: &Clip,
    mask: &BodyMask,
) -> Result<Clip, EditError> {
    check(skeleton, before)?;
    check(skeleton, edited)?;
    let (found, expected) = (mask.weights.len(), skeleton.len());
    if found != expected {
        return Err(EditError::Posture { found, expected });
    }
    if before.frame_count() != edited.frame_count() || before.fps() != edited.fps() {
        return Err(EditError::OtherFrames {
            before: before.frame_count(),
            after: edited.frame_count(),
        });
    }
    let mut transforms = edited.transforms().to_vec();
    let poses = transforms.chunks_exact_mut(skeleton.len());
    for (pose, own) in poses.zip(before.frames()) {
        for ((out, own), &weight) in pose.iter_mut().zip(own).zip(&mask.weights) {
            if weight <= 0.0 {
                *out = *own;
            } else if weight < 1.0 {
                out.translation = own.translation.lerp(out.translation, weight);
                out.rotation = along_arc(own.rotation, out.rotation, weight);
            }
        }
    }
    Ok(Clip::new(edited.name(), skeleton, edited.fps(), transforms)?)
}
