//! Avatars in VRM: glTF that says which nodes are hips, knees and hands, and which way a body faces.

use super::joints::NodeJoints;
use super::json::Root;
use crate::{ReadError, Warning};
use andante_skeleton::Skeleton;
use glam::DQuat;

/// The turn that lets a body of VRM face +Z: those of version 0 face −Z.
pub(super) fn facing(root: &Root) -> DQuat {
    match (&root.extensions.vrm_1, &root.extensions.vrm_0) {
        (None, Some(_)) => DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0),
        _ => DQuat::IDENTITY,
    }
}

/// The skeleton with what its joints are said to be for.
pub(super) fn with_roles(
    root: &Root,
    joints: &NodeJoints,
    skeleton: Skeleton,
    warnings: &mut Vec<Warning>,
) -> Result<Skeleton, ReadError> {
    let bones: Vec<(&str, i64)> = match (&root.extensions.vrm_1, &root.extensions.vrm_0) {
        (Some(one), _) => {
            let bones = one.humanoid.human_bones.iter();
            bones.map(|(name, bone)| (name.as_str(), bone.node)).collect()
        }
        (None, Some(zero)) => {
            warnings.push(Warning::new(
                "faces −Z, as bodies of VRM 0 do: it is turned so that it faces +Z",
            ));
            zero.humanoid.human_bones.iter().map(|bone| (bone.bone.as_str(), bone.node)).collect()
        }
        (None, None) => return Ok(skeleton),
    };
    let mut roles: Vec<Option<String>> = vec![None; skeleton.len()];
    let mut lost = 0;
    for (name, node) in bones {
        let Ok(node) = usize::try_from(node) else { continue };
        let joint = joints.of_node.get(node).ok_or_else(|| {
            let message = format!("nodes[{node}] does not exist");
            ReadError::element(
                format!("humanoid bone `{}`", crate::text::shown(name.as_bytes())),
                message,
            )
        })?;
        match joint {
            Some(joint) => roles[*joint] = Some(name.to_owned()),
            None => lost += 1,
        }
    }
    if lost > 0 {
        warnings.push(Warning::new(format!(
            "{lost} bones of its humanoid are no joints and were left out"
        )));
    }
    warnings.extend(swapped(&skeleton, &roles));
    Ok(skeleton.with_said_roles(roles))
}

/// That left and right of the humanoid are not where the body has them, which faces +Z by now: its left is at +X.
fn swapped(skeleton: &Skeleton, roles: &[Option<String>]) -> Option<Warning> {
    let models = skeleton.rest_models();
    let place = |role: &str| {
        let joint = roles.iter().position(|own| own.as_deref() == Some(role))?;
        Some(models[joint].translation)
    };
    // How far left is to the left of right, in the middle of some bones.
    let across = |bones: &[&str]| -> f32 {
        let of = |bone: &&str| {
            Some(place(&format!("left{bone}"))?.x - place(&format!("right{bone}"))?.x)
        };
        bones.iter().filter_map(of).sum()
    };
    let legs = across(&["UpperLeg", "LowerLeg", "Foot"]);
    let arms = across(&["UpperArm", "LowerArm", "Hand"]);
    let what = match (legs < 0.0, arms < 0.0) {
        (false, false) => return None,
        (true, true) => "arms and legs",
        (true, false) => "legs",
        (false, true) => "arms",
    };
    let toes = |side: &str| {
        let (foot, toes) = (place(&format!("{side}Foot"))?, place(&format!("{side}Toes"))?);
        Some(toes.z - foot.z)
    };
    let behind = ["left", "right"].into_iter().filter_map(toes).sum::<f32>() < 0.0;
    Some(Warning::new(match (what, behind) {
        ("arms and legs", true) => {
            "its body faces −Z, and not +Z as the extension says: toes and left and right do".into()
        }
        _ => format!(
            "the {what} that its humanoid calls left are on the right of the body, which faces +Z: left and right may be swapped there; they are taken as it says"
        ),
    }))
}
