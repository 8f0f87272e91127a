//! How a generated body looks.

use crate::{Skeleton, SkinnedMesh};

crate::settings! {
    /// The shape of a generated body. Lengths are parts of the body's largest extent at rest.
    pub struct CapsuleSettings: Copy {
        /// Radius of the thickest limb.
        limb: f32 = 0.055, 0.03..=0.08;
        /// How radii shrink with the distance to the end of a limb: 1 makes cones, 0 cylinders.
        slendering: f32 = 0.45, 0.0..=1.0;
        /// Radius of the trunk.
        trunk: f32 = 0.058, 0.04..=0.1;
        /// Radius of the thinnest twig.
        twig: f32 = 0.004, 0.0..;
        /// A head counts as this long for the thickness of the neck.
        head: f32 = 0.3, 0.0..;
        /// A limb that makes a pair is at least this long.
        paired: f32 = 0.15, 0.0..;
        /// How much of a limb is inside the trunk at most.
        inside: f32 = 0.2, 0.0..;
        /// The same relative to the limb.
        inside_share: f32 = 0.33, 0.0..=1.0;
        /// What hangs on the trunk and is shorter than this is inside it.
        rib: f32 = 0.15, 0.0..;
        /// Bones from this length on are parts of their own, however many meet at their joint.
        long_bone: f32 = 0.28, 0.0..;
        /// Skeletons with more joints than this get coarse parts.
        coarse_above: usize = 400;
    }
}

impl CapsuleSettings {
    /// A mannequin of this shape; see [`capsule_body`](crate::capsule_body).
    pub fn body(&self, skeleton: &Skeleton) -> SkinnedMesh {
        super::body(skeleton, super::GrowingMesh::FINE, self)
    }
}
