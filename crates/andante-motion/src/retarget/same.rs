//! Bodies that differ in proportions alone.

use super::RetargetPlacing;
use super::actor::RestMeasures;
use andante_skeleton::{Clip, Skeleton, Transform, rotation};

/// Whether two skeletons have the same joints in the same rest pose, whatever the lengths of their
/// bones: rotations can then be copied as they are.
pub(super) fn same_build(a: &Skeleton, b: &Skeleton) -> bool {
    let alike = |(a, b): (&andante_skeleton::Joint, &andante_skeleton::Joint)| {
        let (long, short) = (a.rest.translation.length(), b.rest.translation.length());
        a.name == b.name
            && a.parent == b.parent
            && rotation::angle_between(a.rest.rotation, b.rest.rotation) < 0.01
            && (a.parent.is_none()
                || long.min(short) < 0.01
                || a.rest.translation.angle_between(b.rest.translation) < 0.03)
    };
    a.len() == b.len() && a.joints().iter().zip(b.joints()).all(alike)
}

/// The frames of the target: the rotations of the source, and its path, scaled.
pub(super) fn copied(
    from: &RestMeasures,
    to: &RestMeasures,
    clip: &Clip,
    frames: &[Vec<Transform>],
    placing: &RetargetPlacing,
) -> Vec<Transform> {
    let (source, target) = (from.actor.skeleton, to.actor.skeleton);
    let hips = to.actor.rig.hips;
    let mut transforms = Vec::with_capacity(clip.transforms().len());
    let mut placed = vec![Transform::IDENTITY; target.len()];
    for (pose, models) in clip.frames().zip(frames) {
        let start = transforms.len();
        for (joint, local) in pose.iter().enumerate() {
            let rest = source.joint(joint).rest.translation;
            // Joints that move along, such as a root below the hips, do so in proportion.
            let along = (local.translation - rest) * placing.scale;
            transforms
                .push(Transform::new(local.rotation, target.joint(joint).rest.translation + along));
        }
        let pose = &mut transforms[start..];
        target.local_to_model(pose, &mut placed);
        let goal = placing.place(from.hip_centre(models));
        let missing = goal - to.hip_centre(&placed);
        let above = target.parent(hips).map(|parent| placed[parent].rotation.conjugate());
        pose[hips].translation += above.map_or(missing, |above: glam::Quat| above * missing);
    }
    transforms
}
