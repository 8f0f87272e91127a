//! The two bones of a limb that bend to place its end.

use andante_skeleton::TwoBone;
use andante_skeleton::{Clip, JointLimit, Skeleton, Transform};
use glam::{Quat, Vec3};

/// Three neighbouring joints of a limb, the middle one a knee or an elbow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimbJoints {
    /// Root, middle and end.
    pub joints: [usize; 3],
    /// Unit axis of flexion in the frame of the middle joint.
    pub axis: Vec3,
}

/// The bending direction of a limb that nothing else tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bend {
    /// The lower bone goes back, as in a knee.
    Back,
    /// The lower bone goes forward, as in an elbow.
    Forward,
}

/// Sine of the least bend that shows an axis: about 4°.
const VISIBLE_BEND: f32 = 0.07;

impl LimbJoints {
    /// The longest two neighbouring bones of a chain; of equal ones the last. Chains may have short
    /// bones before the hip joint or behind the ankle, which do not take part.
    ///
    /// `forward` is where the character faces at rest.
    pub fn of_chain(
        skeleton: &Skeleton,
        chain: &[usize],
        clip: Option<&Clip>,
        bend: Bend,
        forward: Vec3,
    ) -> Option<Self> {
        let bone = |joint: usize| skeleton.joint(joint).rest.translation.length();
        let joints = chain
            .windows(3)
            .filter(|joints| joints.iter().all(|&joint| joint < skeleton.len()))
            .filter(|joints| bone(joints[1]) > 1e-4 && bone(joints[2]) > 1e-4)
            .filter(|joints| {
                skeleton.parent(joints[2]) == Some(joints[1])
                    && skeleton.parent(joints[1]) == Some(joints[0])
            })
            .max_by(|a, b| (bone(a[1]) + bone(a[2])).total_cmp(&(bone(b[1]) + bone(b[2]))))?;
        let joints = [joints[0], joints[1], joints[2]];
        let axis = hinge_axis(skeleton, joints[1])
            .or_else(|| clip.and_then(|clip| bent_axis(skeleton, joints, clip.frames())))
            .or_else(|| {
                let rest: Vec<_> = skeleton.joints().iter().map(|joint| joint.rest).collect();
                bent_axis(skeleton, joints, std::iter::once(rest.as_slice()))
            })
            .or_else(|| straight_axis(skeleton, joints, bend, forward))?;
        Some(Self { joints, axis })
    }

    /// The solver for this limb.
    pub fn solver(&self, skeleton: &Skeleton) -> Option<TwoBone> {
        let middle = skeleton.rest_models()[self.joints[1]].rotation;
        TwoBone::new(skeleton, self.joints, middle * self.axis).ok()
    }
}

/// The axis of a joint that is known to be a hinge, turned so that its larger range is positive.
fn hinge_axis(skeleton: &Skeleton, joint: usize) -> Option<Vec3> {
    match skeleton.joint(joint).limit {
        JointLimit::Hinge { axis, range } => {
            let axis = axis.try_normalize()?;
            Some(if range[1] >= -range[0] { axis } else { -axis })
        }
        _ => None,
    }
}

/// The axis about which a limb is seen to bend: across both of its bones, in the frame of the middle
/// joint. Frames count as much as the limb is bent in them.
fn bent_axis<'a>(
    skeleton: &Skeleton,
    [_, middle, end]: [usize; 3],
    frames: impl Iterator<Item = &'a [Transform]>,
) -> Option<Vec3> {
    let lower = skeleton.joint(end).rest.translation.try_normalize()?;
    let (mut sum, mut count) = (Vec3::ZERO, 0);
    for pose in frames {
        let upper = pose[middle].rotation.conjugate() * pose[middle].translation;
        sum += upper.normalize_or_zero().cross(lower);
        count += 1;
    }
    let mean = sum / count.max(1) as f32;
    (mean.length() > VISIBLE_BEND).then(|| mean.normalize())
}

/// The axis of a straight limb of a character that faces `forward` at rest.
fn straight_axis(
    skeleton: &Skeleton,
    [_, middle, end]: [usize; 3],
    bend: Bend,
    forward: Vec3,
) -> Option<Vec3> {
    let lower = skeleton.joint(end).rest.translation.try_normalize()?;
    let frame: Quat = skeleton.rest_models()[middle].rotation;
    let across = (frame.conjugate() * forward).cross(lower).try_normalize()?;
    Some(if bend == Bend::Back { across } else { -across })
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_skeleton::{Joint, Pose, humanoid};

    /// A splayed leg with a hip bone of no length above it, as motion capture files have them.
    fn splayed() -> (Skeleton, Vec<usize>) {
        let down = Quat::from_rotation_z(0.35) * Vec3::NEG_Y;
        let joints = vec![
            Joint::new("hips", None, Vec3::Y),
            Joint::new("hip joint", Some(0), Vec3::ZERO),
            Joint::new("thigh", Some(1), Vec3::new(0.1, -0.1, 0.0)),
            Joint::new("shank", Some(2), down * 0.4),
            Joint::new("foot", Some(3), down * 0.42),
        ];
        (Skeleton::new(joints).unwrap(), vec![1, 2, 3, 4])
    }

    #[test]
    fn short_bones_above_the_thigh_do_not_bend() {
        let (skeleton, leg) = splayed();
        let limb = LimbJoints::of_chain(&skeleton, &leg, None, Bend::Back, Vec3::Z).unwrap();
        assert_eq!(limb.joints, [2, 3, 4]);
        assert!(limb.axis.abs_diff_eq(Quat::from_rotation_z(0.35) * Vec3::X, 1e-5));
    }

    #[test]
    fn the_axis_of_a_knee_is_found_from_the_way_it_bends() {
        let (skeleton, leg) = splayed();
        let axis = (Quat::from_rotation_z(0.35) * Vec3::new(1.0, 0.0, 0.3)).normalize();
        let mut transforms = Vec::new();
        for frame in 0..20 {
            let mut pose = Pose::rest(&skeleton);
            pose[3].rotation = Quat::from_axis_angle(axis, 0.05 * frame as f32);
            transforms.extend_from_slice(&pose);
        }
        let clip = Clip::new("bend", &skeleton, 30.0, transforms).unwrap();
        let limb = LimbJoints::of_chain(&skeleton, &leg, Some(&clip), Bend::Back, Vec3::Z).unwrap();
        assert!(limb.axis.angle_between(axis) < 0.02, "{}", limb.axis);
    }

    #[test]
    fn hinges_and_straight_limbs_bend_the_way_bodies_do() {
        let human = humanoid();
        let leg = &human.rig.feet[0].leg;
        let limb = LimbJoints::of_chain(&human.skeleton, leg, None, Bend::Back, Vec3::Z).unwrap();
        assert!(limb.axis.abs_diff_eq(Vec3::X, 1e-6));
        for (arm, sign) in human.rig.arms.iter().zip([1.0, -1.0]) {
            let limb =
                LimbJoints::of_chain(&human.skeleton, &arm.chain, None, Bend::Forward, Vec3::Z)
                    .unwrap();
            let [_, middle, _] = limb.joints;
            let straight =
                straight_axis(&human.skeleton, limb.joints, Bend::Forward, Vec3::Z).unwrap();
            assert!(limb.axis.abs_diff_eq(Vec3::NEG_Y * sign, 1e-6), "joint {middle}");
            assert!(straight.abs_diff_eq(limb.axis, 1e-6));
        }
    }

    #[test]
    fn chains_without_two_bones_are_no_limbs() {
        let (skeleton, _) = splayed();
        for chain in [&[][..], &[3, 4], &[0, 1, 2], &[4, 3, 2], &[2, 3, 99]] {
            assert_eq!(LimbJoints::of_chain(&skeleton, chain, None, Bend::Back, Vec3::Z), None);
        }
    }
}
