//! Mixing poses.

use crate::{Transform, rotation};
use glam::{Quat, Vec3};

/// A pose that takes part in a [`blend`].
#[derive(Clone, Copy, Debug)]
pub struct BlendLayer<'a> {
    /// The pose; as long as the others.
    pub pose: &'a [Transform],
    /// How much it counts against the other layers. Weights need not sum to 1; negative ones count
    /// as 0.
    pub weight: f32,
    /// A factor per joint on the weight, to blend parts of the body alone.
    pub mask: Option<&'a [f32]>,
}

impl<'a> BlendLayer<'a> {
    /// A layer for the whole body.
    pub const fn new(pose: &'a [Transform], weight: f32) -> Self {
        Self { pose, weight, mask: None }
    }

    /// A layer for a part of the body.
    pub const fn masked(pose: &'a [Transform], weight: f32, mask: &'a [f32]) -> Self {
        Self { pose, weight, mask: Some(mask) }
    }
}

/// Below this total weight the rest pose fills in, so that a joint whose layers all fade out glides
/// to rest instead of dividing by nothing.
const REST_BELOW: f32 = 0.1;

/// Writes the weighted mean of the layers to `out`.
///
/// Rotations are put on the hemisphere of the first layer, whatever its weight: which way round a
/// joint turns then does not depend on the weights, and the result is continuous in them. Layers that
/// fade in and out should keep their place in the list.
///
/// # Panics
/// If a pose or mask is shorter than `out`.
///
/// ```
/// use andante_skeleton::{BlendLayer, Transform, blend};
/// use glam::{Quat, Vec3};
///
/// let rest = [Transform::IDENTITY];
/// let left = [Transform::from_rotation(Quat::from_rotation_y(1.0))];
/// let right = [Transform::from_rotation(Quat::from_rotation_y(-0.5))];
/// let mut out = rest;
/// blend(&rest, &[BlendLayer::new(&left, 1.0), BlendLayer::new(&right, 2.0)], &mut out);
/// assert!(out[0].rotation.angle_between(Quat::IDENTITY) < 0.02);
/// ```
pub fn blend(rest: &[Transform], layers: &[BlendLayer], out: &mut [Transform]) {
    let count = out.len();
    let rest = &rest[..count];
    let Some((first, others)) = layers.split_first() else {
        out.copy_from_slice(rest);
        return;
    };
    // Layer by layer over all joints: each pass streams through two arrays. The sum of weights is
    // the same for all joints unless there are masks.
    if layers.iter().all(|layer| layer.mask.is_none()) {
        let total: f32 = layers.iter().map(|layer| layer.weight.max(0.0)).sum();
        let fill = (REST_BELOW - total).max(0.0);
        let scale = 1.0 / (total + fill);
        let reference = &first.pose[..count];
        let weight = first.weight.max(0.0) * scale;
        for (out, pose) in out.iter_mut().zip(reference) {
            out.translation = pose.translation * weight;
            out.rotation = pose.rotation * weight;
        }
        for layer in others {
            let weight = layer.weight.max(0.0) * scale;
            if weight > 0.0 {
                accumulate(out, &layer.pose[..count], reference, weight);
            }
        }
        if fill > 0.0 {
            accumulate(out, rest, reference, fill * scale);
        }
        for (out, rest) in out.iter_mut().zip(rest) {
            out.rotation = normalize_or(out.rotation, rest.rotation);
        }
        return;
    }
    for (joint, out) in out.iter_mut().enumerate() {
        let reference = first.pose[joint].rotation;
        let mut total = 0.0;
        let mut translation = Vec3::ZERO;
        let mut sum = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        let mut add = |pose: &Transform, weight: f32| {
            translation += pose.translation * weight;
            sum += rotation::nearest_sign(pose.rotation, reference) * weight;
            total += weight;
            total
        };
        let mut reached = 0.0;
        for layer in layers {
            let weight =
                layer.weight.max(0.0) * layer.mask.map_or(1.0, |mask| mask[joint].max(0.0));
            reached = add(&layer.pose[joint], weight);
        }
        if reached < REST_BELOW {
            add(&rest[joint], REST_BELOW - reached);
        }
        out.translation = translation / total;
        out.rotation = normalize_or(sum, rest[joint].rotation);
    }
}

#[inline]
fn accumulate(out: &mut [Transform], pose: &[Transform], reference: &[Transform], weight: f32) {
    for ((out, pose), reference) in out.iter_mut().zip(pose).zip(reference) {
        let signed = weight.copysign(pose.rotation.dot(reference.rotation));
        out.translation += pose.translation * weight;
        out.rotation += pose.rotation * signed;
    }
}

/// Opposite rotations of equal weight cancel out: there is no mean then.
#[inline]
fn normalize_or(q: Quat, fallback: Quat) -> Quat {
    let squared = q.length_squared();
    if squared > 1e-12 { q * squared.sqrt().recip() } else { fallback }
}

/// Writes to `out` what leads from `reference` to `pose`, joint by joint: an additive layer, such as
/// a lean or a breath, taken from a clip.
///
/// # Panics
/// If a slice is shorter than `out`.
pub fn additive_delta(pose: &[Transform], reference: &[Transform], out: &mut [Transform]) {
    for (joint, out) in out.iter_mut().enumerate() {
        let (pose, reference) = (&pose[joint], &reference[joint]);
        out.rotation = reference.rotation.conjugate() * pose.rotation;
        out.translation = pose.translation - reference.translation;
    }
}

/// Adds a layer from [`additive_delta`] on top of a pose. A weight of 1 adds all of it, 0.5 half
/// the angle, −1 takes it away again.
///
/// # Panics
/// If `delta` or the mask is shorter than `pose`.
pub fn add_layer(delta: &[Transform], weight: f32, mask: Option<&[f32]>, pose: &mut [Transform]) {
    for (joint, pose) in pose.iter_mut().enumerate() {
        let weight = weight * mask.map_or(1.0, |mask| mask[joint]);
        if weight != 0.0 {
            let turn = rotation::exp(rotation::log(delta[joint].rotation) * weight);
            pose.rotation = (pose.rotation * turn).normalize();
            pose.translation += delta[joint].translation * weight;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Pose, humanoid};
    use proptest::prelude::*;

    fn poses(count: usize) -> impl Strategy<Value = Vec<Pose>> {
        let skeleton = humanoid().skeleton;
        let angles = proptest::collection::vec(-1.2f32..1.2, skeleton.len() * 3 * count);
        angles.prop_map(move |angles| {
            let mut angles = angles.chunks_exact(3);
            let mut pose = || {
                let mut pose = Pose::rest(&skeleton);
                for joint in pose.iter_mut() {
                    if let Some(a) = angles.next() {
                        joint.rotation = rotation::exp(Vec3::new(a[0], a[1], a[2]));
                    }
                }
                pose
            };
            (0..count).map(|_| pose()).collect()
        })
    }

    fn largest_difference(a: &[Transform], b: &[Transform]) -> f32 {
        let angle =
            |(a, b): (&Transform, &Transform)| rotation::angle_between(a.rotation, b.rotation);
        a.iter().zip(b).map(angle).fold(0.0, f32::max)
    }

    proptest! {
        #[test]
        fn one_layer_is_itself_and_so_are_equal_layers(poses in poses(1), weight in 0.2f32..3.0) {
            let rest = Pose::rest(&humanoid().skeleton);
            let mut out = rest.clone();
            blend(&rest, &[BlendLayer::new(&poses[0], weight)], &mut out);
            prop_assert!(largest_difference(&out, &poses[0]) < 1e-3);
            let twice = [BlendLayer::new(&poses[0], weight), BlendLayer::new(&poses[0], 1.0)];
            blend(&rest, &twice, &mut out);
            prop_assert!(largest_difference(&out, &poses[0]) < 1e-3);
        }

        #[test]
        fn masks_of_one_change_nothing(poses in poses(3), a in 0.0f32..1.0, b in 0.0f32..1.0) {
            let rest = Pose::rest(&humanoid().skeleton);
            let mask = vec![1.0; rest.len()];
            let (mut plain, mut masked) = (rest.clone(), rest.clone());
            let weights = [a, b, 0.3];
            let layers: Vec<_> = poses.iter().zip(weights).map(|(p, w)| BlendLayer::new(p, w)).collect();
            blend(&rest, &layers, &mut plain);
            let layers: Vec<_> = poses.iter().zip(weights).map(|(p, w)| BlendLayer::masked(p, w, &mask)).collect();
            blend(&rest, &layers, &mut masked);
            prop_assert!(largest_difference(&plain, &masked) < 1e-4);
        }

        #[test]
        fn sign_of_a_quaternion_does_not_matter(poses in poses(2), joint in 0usize..26, weight in 0.1f32..0.9) {
            let rest = Pose::rest(&humanoid().skeleton);
            prop_assume!(poses[0][joint].rotation.dot(poses[1][joint].rotation).abs() > 1e-3);
            let mut flipped = poses[1].clone();
            flipped[joint].rotation = -flipped[joint].rotation;
            let (mut a, mut b) = (rest.clone(), rest.clone());
            blend(&rest, &[BlendLayer::new(&poses[0], weight), BlendLayer::new(&poses[1], 1.0)], &mut a);
            blend(&rest, &[BlendLayer::new(&poses[0], weight), BlendLayer::new(&flipped, 1.0)], &mut b);
            prop_assert!(largest_difference(&a, &b) < 1e-4);
        }

        #[test]
        fn adding_a_delta_leads_to_the_pose_and_taking_it_away_leads_back(poses in poses(2)) {
            let mut delta = poses[0].clone();
            additive_delta(&poses[0], &poses[1], &mut delta);
            let mut pose = poses[1].clone();
            add_layer(&delta, 1.0, None, &mut pose);
            prop_assert!(largest_difference(&pose, &poses[0]) < 1e-3);
            add_layer(&delta, -1.0, None, &mut pose);
            prop_assert!(largest_difference(&pose, &poses[1]) < 1e-3);
        }
    }

    #[test]
    fn a_mask_keeps_the_other_layers_of_a_joint_out() {
        let human = humanoid();
        let rest = Pose::rest(&human.skeleton);
        let mut raised = rest.clone();
        let arm = human.rig.arms[0].chain[0];
        let leg = human.rig.feet[0].leg[0];
        raised[arm].rotation = Quat::from_rotation_z(1.0);
        raised[leg].rotation = Quat::from_rotation_x(-1.0);
        let arm_only: Vec<f32> =
            (0..rest.len()).map(|joint| if joint == arm { 1.0 } else { 0.0 }).collect();
        let others: Vec<f32> = arm_only.iter().map(|weight| 1.0 - weight).collect();
        let mut out = rest.clone();
        let layers =
            [BlendLayer::masked(&rest, 1.0, &others), BlendLayer::masked(&raised, 1.0, &arm_only)];
        blend(&rest, &layers, &mut out);
        assert!(rotation::angle_between(out[arm].rotation, raised[arm].rotation) < 1e-4);
        assert!(rotation::angle_between(out[leg].rotation, rest[leg].rotation) < 1e-4);
    }

    #[test]
    fn layers_that_fade_out_leave_the_rest_pose_without_a_jump() {
        let rest = Pose::rest(&humanoid().skeleton);
        let mut bent = rest.clone();
        bent[3].rotation = Quat::from_rotation_x(1.0);
        let mut last = 1.0;
        let mut out = rest.clone();
        for step in (0..=100).rev() {
            blend(&rest, &[BlendLayer::new(&bent, step as f32 * 0.002)], &mut out);
            let angle = rotation::angle_between(out[3].rotation, rest[3].rotation);
            assert!((angle - last).abs() < 0.05 && angle.is_finite());
            last = angle;
        }
        assert!(last < 1e-3);
    }
}
