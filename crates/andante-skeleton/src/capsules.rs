//! A body for any skeleton.

use crate::{Skeleton, SkinnedMesh};

/// A mannequin.
pub fn capsule_body(skeleton: &Skeleton) -> SkinnedMesh {
    let rest = skeleton.rest_models();
    SkinnedMesh {
        inverse_binds: rest
            .iter()
            .map(|t| glam::Mat4::from_rotation_translation(t.rotation, t.translation).inverse())
            .collect(),
        ..Default::default()
    }
}
