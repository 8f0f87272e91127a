//! Left for right.

use crate::{Skeleton, Transform};
use glam::{Quat, Vec3};

/// For each joint its partner on the other side of the body, and how a rotation of the one becomes
/// a rotation of the other.
///
/// Mirroring happens in the model's frame, across the plane x = 0, and is then carried back into the
/// joints' own frames, because the frames of paired joints may themselves be mirrored, rotated or
/// neither (mocap-tool appendix B.2). All of that is folded into two constant rotations a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct MirrorTable {
    partners: Vec<usize>,
    joints: Vec<MirrorJoint>,
}

/// With R the rest rotations in the model, m the partner and p the parent, a local rotation L and
/// the reflection M: `L' = R_p⁻¹ · M(R_pm · L_m · R_m⁻¹) · R_j`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct MirrorJoint {
    /// R_pm, the rest rotation of the partner's parent.
    partner_parent: Quat,
    /// R_m⁻¹.
    partner_inverse: Quat,
    /// R_p⁻¹.
    parent_inverse: Quat,
    /// R_j.
    own: Quat,
    partner_offset: Vec3,
    own_offset: Vec3,
}

/// How names tell the sides apart: a left and a right form.
const SIDE_WORDS: [(&str, &str); 3] = [("left", "right"), ("lft", "rgt"), ("lt", "rt")];

impl MirrorTable {
    /// Pairs joints by name (`LeftArm`/`RightArm`, `arm_l`/`arm_r`, `lfemur`/`rfemur`, `L_Hip`/`R_Hip` and the
    /// like). A joint without a partner is its own: it is mirrored in place. Pairs whose parents
    /// are not paired are dropped, because there is no way to mirror one onto the other.
    pub fn new(skeleton: &Skeleton) -> Self {
        let names: Vec<String> =
            skeleton.joints().iter().map(|joint| joint.name.to_lowercase()).collect();
        let mut partners: Vec<usize> = (0..skeleton.len()).collect();
        for (joint, name) in names.iter().enumerate() {
            let partner = mirrored_names(name, &skeleton.joint(joint).name)
                .into_iter()
                .find_map(|other| names.iter().position(|name| *name == other));
            // Parents come first, so their pairing is known.
            let fits = |other: usize| match (skeleton.parent(joint), skeleton.parent(other)) {
                (Some(own), Some(others)) => partners[own] == others,
                _ => false,
            };
            if let Some(partner) = partner.filter(|&other| other != joint && fits(other)) {
                partners[joint] = partner;
            }
        }
        // Pairing must be mutual.
        for joint in 0..partners.len() {
            if partners[partners[joint]] != joint {
                partners[joint] = joint;
            }
        }
        Self::from_partners(skeleton, partners)
    }

    fn from_partners(skeleton: &Skeleton, partners: Vec<usize>) -> Self {
        let rest = skeleton.rest_models();
        let parent_rotation = |joint: usize| {
            skeleton.parent(joint).map_or(Quat::IDENTITY, |parent| rest[parent].rotation)
        };
        let joint = |(joint, &partner): (usize, &usize)| MirrorJoint {
            partner_parent: parent_rotation(partner),
            partner_inverse: rest[partner].rotation.conjugate(),
            parent_inverse: parent_rotation(joint).conjugate(),
            own: rest[joint].rotation,
            partner_offset: skeleton.joint(partner).rest.translation,
            own_offset: skeleton.joint(joint).rest.translation,
        };
        let joints = partners.iter().enumerate().map(joint).collect();
        Self { partners, joints }
    }

    /// The joint on the other side, or the joint itself.
    pub fn partner(&self, joint: usize) -> usize {
        self.partners[joint]
    }

    /// Writes the mirror image of `pose` to `out`.
    ///
    /// # Panics
    /// If a slice is shorter than the skeleton.
    pub fn mirror(&self, pose: &[Transform], out: &mut [Transform]) {
        for (joint, table) in self.joints.iter().enumerate() {
            let source = &pose[self.partners[joint]];
            let in_model = table.partner_parent * source.rotation * table.partner_inverse;
            out[joint].rotation = table.parent_inverse * reflect(in_model) * table.own;
            let moved = table.partner_parent * (source.translation - table.partner_offset);
            let moved = Vec3::new(-moved.x, moved.y, moved.z);
            out[joint].translation = table.own_offset + table.parent_inverse * moved;
        }
    }
}

/// The rotation seen in a mirror at x = 0.
fn reflect(q: Quat) -> Quat {
    Quat::from_xyzw(q.x, -q.y, -q.z, q.w)
}

/// What the partner of a joint may be called, most telling first; all in lower case. `original`
/// tells `LHip` from `lip`.
fn mirrored_names(lower: &str, original: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (left, right) in SIDE_WORDS {
        for (from, to) in [(left, right), (right, left)] {
            // Short forms count at the ends alone: "lt" is in "belt".
            let inside = from.len() > 2;
            if inside && lower.contains(from) {
                found.push(lower.replacen(from, to, 1));
            } else if let Some(rest) = lower.strip_prefix(from) {
                found.push(format!("{to}{rest}"));
            }
        }
    }
    for (from, to) in [('l', 'r'), ('r', 'l')] {
        // A letter of its own: arm_l, arm.l, l_arm, "l arm", mixamorig:l_arm, arm_l_01.
        let pieces: Vec<&str> = lower.split_inclusive(|c: char| !c.is_alphanumeric()).collect();
        for (index, piece) in pieces.iter().enumerate() {
            if piece.trim_end_matches(|c: char| !c.is_alphanumeric()) == from.to_string() {
                let swapped = piece.replacen(from, &to.to_string(), 1);
                let mut parts = pieces.clone();
                parts[index] = &swapped;
                found.push(parts.concat());
            }
        }
        // A leading letter: lfemur, LHip; a trailing one: HandL.
        if let Some(rest) = lower.strip_prefix(from) {
            found.push(format!("{to}{rest}"));
        }
        if original.ends_with(from.to_ascii_uppercase()) {
            found.push(format!("{}{to}", &lower[..lower.len() - 1]));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Joint, Pose, humanoid, rotation};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn joints_of_the_mirror_image_are_where_a_mirror_shows_them(
            angles in proptest::collection::vec(-1.5f32..1.5, 26 * 3), x in -2.0f32..2.0,
        ) {
            let human = humanoid();
            let table = MirrorTable::new(&human.skeleton);
            let mut pose = Pose::rest(&human.skeleton);
            pose[0].translation += Vec3::new(x, 0.1, 3.0);
            for (joint, a) in pose.iter_mut().zip(angles.chunks_exact(3)) {
                joint.rotation = rotation::exp(Vec3::new(a[0], a[1], a[2]));
            }
            let mut mirrored = pose.clone();
            table.mirror(&pose, &mut mirrored);
            let (mut models, mut mirrored_models) = (pose.clone(), pose.clone());
            human.skeleton.local_to_model(&pose, &mut models);
            human.skeleton.local_to_model(&mirrored, &mut mirrored_models);
            for joint in 0..human.skeleton.len() {
                let seen = mirrored_models[joint].translation * Vec3::new(-1.0, 1.0, 1.0);
                let other = models[table.partner(joint)].translation;
                prop_assert!(seen.abs_diff_eq(other, 1e-4), "{}", human.skeleton.joint(joint).name);
            }
            let mut twice = pose.clone();
            table.mirror(&mirrored, &mut twice);
            for (a, b) in twice.iter().zip(pose.iter()) {
                prop_assert!(rotation::angle_between(a.rotation, b.rotation) < 1e-3);
            }
        }
    }

    /// Bone frames that point along the bone, and are neither equal nor mirrored on both sides.
    #[test]
    fn joint_frames_of_any_orientation_are_mirrored_in_the_model() {
        let mut joints = vec![Joint::new("root", None, Vec3::Y)];
        for (name, sign) in [("arm_l", 1.0), ("arm_r", -1.0)] {
            let mut joint = Joint::new(name, Some(0), Vec3::new(0.2 * sign, 0.0, 0.0));
            joint.rest.rotation =
                Quat::from_euler(glam::EulerRot::XYZ, 0.3 + sign, 0.7 * sign, -0.4);
            joint.tip = Some(joint.rest.rotation.conjugate() * Vec3::new(0.3 * sign, 0.0, 0.0));
            joints.push(joint);
        }
        let skeleton = Skeleton::new(joints).unwrap();
        let table = MirrorTable::new(&skeleton);
        assert_eq!(table.partner(1), 2);
        let mut pose = Pose::rest(&skeleton);
        pose[1].rotation = rotation::exp(Vec3::new(0.2, -0.7, 0.9)) * pose[1].rotation;
        let mut mirrored = pose.clone();
        table.mirror(&pose, &mut mirrored);
        let tip = |pose: &Pose, joint: usize| {
            let mut models = pose.clone();
            skeleton.local_to_model(pose, &mut models);
            models[joint].transform_point(skeleton.joint(joint).tip.unwrap())
        };
        let seen = tip(&mirrored, 2) * Vec3::new(-1.0, 1.0, 1.0);
        assert!(seen.abs_diff_eq(tip(&pose, 1), 1e-5));
    }

    #[test]
    fn sides_are_recognised_in_the_usual_namings() {
        for (left, right) in [
            ("LeftUpLeg", "RightUpLeg"),
            ("lfemur", "rfemur"),
            ("arm_l", "arm_r"),
            ("Arm.L", "Arm.R"),
            ("L_Hip", "R_Hip"),
            ("mixamorig:LeftHand", "mixamorig:RightHand"),
            ("HandL", "HandR"),
            ("b_LeftLeg01_015", "b_RightLeg01_015"),
            ("front_leg_upper_l", "front_leg_upper_r"),
            ("Bip01 L Thigh", "Bip01 R Thigh"),
        ] {
            let root = Joint::new("Pelvis", None, Vec3::ZERO);
            let joints = vec![
                root,
                Joint::new(left, Some(0), Vec3::X),
                Joint::new(right, Some(0), -Vec3::X),
            ];
            let table = MirrorTable::new(&Skeleton::new(joints).unwrap());
            assert_eq!((table.partner(1), table.partner(2)), (2, 1), "{left} {right}");
        }
    }

    #[test]
    fn joints_of_the_middle_are_their_own_partners() {
        let human = humanoid();
        let table = MirrorTable::new(&human.skeleton);
        for name in ["Hips", "Spine", "Chest", "Neck", "Head"] {
            let joint = human.skeleton.find(name).unwrap();
            assert_eq!(table.partner(joint), joint);
        }
        let names = ["root", "lower", "roller"];
        let joints = names
            .iter()
            .enumerate()
            .map(|(index, name)| Joint::new(*name, index.checked_sub(1), Vec3::Y));
        let table = MirrorTable::new(&Skeleton::new(joints.collect()).unwrap());
        assert_eq!((table.partner(1), table.partner(2)), (1, 2));
    }
}
