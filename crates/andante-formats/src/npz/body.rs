//! The joints of SMPL's body, in the proportions of the built-in human.

use crate::ReadError;
use andante_skeleton::{Joint, Skeleton, humanoid};
use glam::Vec3;

/// Names in the order of the poses, with the number of the parent.
const JOINTS: [(&str, Option<usize>); 24] = [
    ("pelvis", None),
    ("left_hip", Some(0)),
    ("right_hip", Some(0)),
    ("spine1", Some(0)),
    ("left_knee", Some(1)),
    ("right_knee", Some(2)),
    ("spine2", Some(3)),
    ("left_ankle", Some(4)),
    ("right_ankle", Some(5)),
    ("spine3", Some(6)),
    ("left_foot", Some(7)),
    ("right_foot", Some(8)),
    ("neck", Some(9)),
    ("left_collar", Some(9)),
    ("right_collar", Some(9)),
    ("head", Some(12)),
    ("left_shoulder", Some(13)),
    ("right_shoulder", Some(14)),
    ("left_elbow", Some(16)),
    ("right_elbow", Some(17)),
    ("left_wrist", Some(18)),
    ("right_wrist", Some(19)),
    ("left_hand", Some(20)),
    ("right_hand", Some(21)),
];

/// The joint of the built-in human that is where one of these is: of both, what follows the side.
const PLACES: [(&str, &str); 13] = [
    ("pelvis", "Hips"),
    ("spine1", "Spine"),
    ("spine2", "Chest"),
    ("spine3", "UpperChest"),
    ("neck", "Neck"),
    ("head", "Head"),
    ("hip", "UpperLeg"),
    ("knee", "LowerLeg"),
    ("ankle", "Foot"),
    ("foot", "Toes"),
    ("collar", "Shoulder"),
    ("shoulder", "UpperArm"),
    ("elbow", "LowerArm"),
];

/// The numbers of the joints in the order of a skeleton: depth first.
pub(super) fn order(joints: usize) -> Vec<usize> {
    let mut order = Vec::with_capacity(joints);
    let mut open = vec![0];
    while let Some(joint) = open.pop() {
        order.push(joint);
        open.extend((0..joints).rev().filter(|&child| JOINTS[child].1 == Some(joint)));
    }
    order
}

/// The body of 22 or 24 joints: standing upright in T-pose, facing +Z, every frame parallel to the world's.
pub(super) fn skeleton(joints: usize) -> Result<Skeleton, ReadError> {
    let human = humanoid().skeleton;
    let models = human.rest_models();
    let named = |name: &str| human.find(name);
    let place = |name: &str| -> Option<(usize, Vec3)> {
        let (side, part) = match name.split_once('_') {
            Some(("left", part)) => ("Left", part),
            Some(("right", part)) => ("Right", part),
            _ => ("", name),
        };
        // Hands of SMPL are at the knuckles, and wrists where hands begin.
        let of_ours = match part {
            "wrist" => "Hand",
            "hand" => "Fingers",
            part => PLACES.iter().find(|(own, _)| *own == part)?.1,
        };
        let joint = named(&format!("{side}{of_ours}"))?;
        Some((joint, models[joint].translation))
    };
    let missing = |name: &str| ReadError::element(name, "is no joint of the built-in human");
    let order = order(joints);
    let mut made: Vec<Joint> = Vec::with_capacity(joints);
    for &number in &order {
        let (name, parent) = JOINTS[number];
        let (own, at) = place(name).ok_or_else(|| missing(name))?;
        let offset = match parent {
            Some(parent) => at - place(JOINTS[parent].0).ok_or_else(|| missing(name))?.1,
            None => at,
        };
        let above = parent.and_then(|parent| order.iter().position(|&other| other == parent));
        let mut joint = Joint::new(name, above, offset);
        let is_parent = (0..joints).any(|child| JOINTS[child].1 == Some(number));
        if !is_parent {
            // Without hands an arm ends at the knuckles.
            joint.tip = human.joint(own).tip.or_else(|| {
                let side = name.split_once('_').map_or("", |(side, _)| side);
                let end = place(&format!("{side}_hand"))?.1 - at;
                (end != Vec3::ZERO).then_some(end)
            });
        }
        made.push(joint);
    }
    Skeleton::new(made).map_err(|error| ReadError::file(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_body_is_upright_symmetric_and_as_tall_as_the_built_in_human() {
        for joints in [22, 24] {
            let body = skeleton(joints).unwrap();
            assert_eq!(body.len(), joints);
            let models = body.rest_models();
            let at = |name: &str| models[body.find(name).unwrap()].translation;
            for name in ["hip", "knee", "ankle", "foot", "collar", "shoulder", "elbow", "wrist"] {
                let (left, right) = (at(&format!("left_{name}")), at(&format!("right_{name}")));
                assert!(left.x > 0.0, "{name}");
                assert!(left.abs_diff_eq(right * Vec3::new(-1.0, 1.0, 1.0), 1e-6), "{name}");
            }
            assert!(at("left_foot").z > at("left_ankle").z);
            let (low, high) = body.rest_bounds();
            assert!((high.y - low.y) > 1.65 && high.y - low.y < 1.75, "{low} {high}");
            // Parents are those of the format, whatever the order.
            for (child, parent) in JOINTS.iter().take(joints).filter_map(|(n, p)| Some((*n, (*p)?)))
            {
                let joint = body.find(child).unwrap();
                let above = body.parent(joint).unwrap();
                assert_eq!(body.joint(above).name, JOINTS[parent].0, "{child}");
            }
        }
    }
}
