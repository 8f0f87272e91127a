//! Which joints move together.

use super::measure::SkinPatch;
use super::{FitError, FitOptions};
use crate::{Body, BodyError, RigidPlacement};
use andante_skeleton::{Character, JointLimit};

/// Joints gathered into segments.
pub(super) struct Groups {
    /// For each segment its first joint, about which it turns.
    pub joints: Vec<usize>,
    /// For each segment the one it hangs on.
    pub parents: Vec<Option<usize>>,
    /// For each joint its segment.
    pub of_joint: Vec<usize>,
    /// The largest extent of the skin, in metres.
    pub size: f64,
}

/// One segment for the root and everything above the hips, and one for every joint below that moves enough flesh.
pub(super) fn group(
    character: &Character,
    rest: &[RigidPlacement],
    surface: &[SkinPatch],
    options: &FitOptions,
) -> Result<Groups, FitError> {
    let skeleton = &character.skeleton;
    let points = surface.iter().map(|patch| patch.center);
    let low = points.clone().fold(glam::DVec3::MAX, |low, p| low.min(p));
    let high = points.fold(glam::DVec3::MIN, |high, p| high.max(p));
    let size = (high - low).max_element();
    if !(size.is_finite() && size > 0.0) {
        return Err(FitError::NoSize);
    }
    // Area times distance from the bone's joint stands for volume: only shares matter here.
    let mut flesh = vec![0.0; skeleton.len()];
    for patch in surface {
        flesh[patch.joint] += patch.area * patch.center.distance(rest[patch.joint].translation);
    }
    let total: f64 = flesh.iter().sum();
    let mut below = flesh.clone();
    for joint in (1..skeleton.len()).rev() {
        if let Some(parent) = skeleton.parent(joint) {
            below[parent] += below[joint];
        }
    }
    let hips = character.rig.hips;
    let above_hips: Vec<usize> = skeleton.ancestors(hips).collect();
    let girdles = girdles(character);
    let moves = |joint: usize| {
        !above_hips.contains(&joint)
            && !girdles.contains(&joint)
            && skeleton.joint(joint).limit != JointLimit::Fixed
            && flesh[joint] > 0.0
            && below[joint] >= options.least_mass * total
    };
    let mut groups =
        Groups { joints: vec![hips], parents: vec![None], of_joint: vec![0; skeleton.len()], size };
    for joint in 1..skeleton.len() {
        let parent = skeleton.parent(joint).map_or(0, |parent| groups.of_joint[parent]);
        groups.of_joint[joint] = if moves(joint) {
            groups.joints.push(joint);
            groups.parents.push(Some(parent));
            groups.joints.len() - 1
        } else {
            parent
        };
    }
    if groups.joints.len() > Body::MAX_SEGMENTS {
        return Err(BodyError::TooMany(groups.joints.len()).into());
    }
    Ok(groups)
}

/// Joints between the trunk and the first joint of a limb: hip bones and collar bones, which hardly move.
fn girdles(character: &Character) -> Vec<usize> {
    let rig = &character.rig;
    let limbs = rig
        .feet
        .iter()
        .map(|foot| foot.hip())
        .chain(rig.arms.iter().filter_map(|arm| arm.chain.first().copied()));
    let is_trunk = |joint: usize| joint == rig.hips || rig.spine.contains(&joint);
    let above = |first: usize| {
        character
            .skeleton
            .ancestors(first)
            .skip(1)
            .take_while(|&joint| !is_trunk(joint))
            .collect::<Vec<_>>()
    };
    limbs.flat_map(above).collect()
}
