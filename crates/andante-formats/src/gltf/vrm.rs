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
    Ok(skeleton.with_said_roles(roles))
}
