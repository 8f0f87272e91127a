//! How a generated body looks.

use crate::{Skeleton, SkinnedMesh};

/// The shape of a generated body. Lengths are parts of the body's largest extent at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CapsuleSettings {
    /// Radius of the thickest limb (0.03…0.08).
    pub limb: f32,
    /// How radii shrink with the distance to the end of a limb (0…1): 1 makes cones, 0 cylinders.
    pub slendering: f32,
    /// Radius of the trunk (0.04…0.1).
    pub trunk: f32,
    /// Radius of the thinnest twig.
    pub twig: f32,
    /// A head counts as this long for the thickness of the neck.
    pub head: f32,
    /// A limb that makes a pair is at least this long.
    pub paired: f32,
    /// How much of a limb is inside the trunk at most.
    pub inside: f32,
    /// The same relative to the limb (0…1).
    pub inside_share: f32,
    /// What hangs on the trunk and is shorter than this is inside it.
    pub rib: f32,
    /// Bones from this length on are parts of their own, however many meet at their joint.
    pub long_bone: f32,
    /// Skeletons with more joints than this get coarse parts.
    pub coarse_above: usize,
}

impl Default for CapsuleSettings {
    fn default() -> Self {
        Self {
            limb: 0.055,
            slendering: 0.45,
            trunk: 0.058,
            twig: 0.004,
            head: 0.3,
            paired: 0.15,
            inside: 0.2,
            inside_share: 0.33,
            rib: 0.15,
            long_bone: 0.28,
            coarse_above: 400,
        }
    }
}

impl CapsuleSettings {
    /// A mannequin of this shape; see [`capsule_body`](crate::capsule_body).
    pub fn body(&self, skeleton: &Skeleton) -> SkinnedMesh {
        super::body(skeleton, super::GrowingMesh::FINE, self)
    }
}
