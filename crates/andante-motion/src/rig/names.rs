//! What joint names say: the part of the body and the side.

use andante_skeleton::{Side, name_words};

/// A part of the body, as far as a name tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamedPart {
    Hips,
    /// A hip of one side: a thigh in some traditions, a joint of its own above it in others.
    HipSide,
    Spine,
    Neck,
    Head,
    Thigh,
    Shin,
    /// Some part of a leg.
    Leg,
    Ankle,
    Foot,
    Toe,
    Shoulder,
    UpperArm,
    Forearm,
    /// Some part of an arm.
    Arm,
    Hand,
    Finger,
    Tail,
}

impl NamedPart {
    pub fn of_leg(self) -> bool {
        use NamedPart::{Ankle, Foot, Leg, Shin, Thigh, Toe};
        matches!(self, Thigh | Shin | Leg | Ankle | Foot | Toe)
    }

    pub fn of_arm(self) -> bool {
        use NamedPart::{Arm, Finger, Forearm, Hand, Shoulder, UpperArm};
        matches!(self, Shoulder | UpperArm | Forearm | Arm | Hand | Finger)
    }
}

/// What a name tells about its joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label {
    pub part: Option<NamedPart>,
    pub side: Option<Side>,
    /// The end of a bone rather than a joint that bends: `Toe_End`, `leg_a_tip_l`, `ear_leaf_l`.
    pub end: bool,
    /// A handle of an artist's rig rather than a bone: `ik_foot_l`, `knee_pole_R`.
    pub helper: bool,
}

/// Parts by what the words of a name, written together, contain. The first match counts: `back_leg_foot`
/// is a foot, `LeftToeBase` a toe.
const PARTS: [(&str, NamedPart); 47] = [
    ("toe", NamedPart::Toe),
    ("hallux", NamedPart::Toe),
    ("foot", NamedPart::Foot),
    ("feet", NamedPart::Foot),
    ("ankle", NamedPart::Ankle),
    ("hoof", NamedPart::Foot),
    ("paw", NamedPart::Foot),
    ("heel", NamedPart::Foot),
    ("thigh", NamedPart::Thigh),
    ("upleg", NamedPart::Thigh),
    ("upperleg", NamedPart::Thigh),
    ("legupper", NamedPart::Thigh),
    ("femur", NamedPart::Thigh),
    ("shin", NamedPart::Shin),
    ("calf", NamedPart::Shin),
    ("tibia", NamedPart::Shin),
    ("knee", NamedPart::Shin),
    ("lowleg", NamedPart::Shin),
    ("lowerleg", NamedPart::Shin),
    ("leglower", NamedPart::Shin),
    ("leg", NamedPart::Leg),
    ("finger", NamedPart::Finger),
    ("thumb", NamedPart::Finger),
    ("metacarp", NamedPart::Finger),
    ("hand", NamedPart::Hand),
    ("wrist", NamedPart::Hand),
    ("forearm", NamedPart::Forearm),
    ("lowerarm", NamedPart::Forearm),
    ("elbow", NamedPart::Forearm),
    ("radius", NamedPart::Forearm),
    ("uparm", NamedPart::UpperArm),
    ("upperarm", NamedPart::UpperArm),
    ("humerus", NamedPart::UpperArm),
    ("shoulder", NamedPart::Shoulder),
    ("clavicle", NamedPart::Shoulder),
    ("collar", NamedPart::Shoulder),
    ("scapula", NamedPart::Shoulder),
    ("arm", NamedPart::Arm),
    ("tail", NamedPart::Tail),
    ("neck", NamedPart::Neck),
    ("head", NamedPart::Head),
    ("pelvis", NamedPart::Hips),
    ("hip", NamedPart::Hips),
    ("spine", NamedPart::Spine),
    ("chest", NamedPart::Spine),
    ("thorax", NamedPart::Spine),
    ("torso", NamedPart::Spine),
];

/// Whole words that say more than letters inside a word would.
const WORDS: [(&str, NamedPart); 3] =
    [("ball", NamedPart::Toe), ("back", NamedPart::Spine), ("abdomen", NamedPart::Spine)];

/// Bones that carry their side as a leading letter, as in `lfemur`.
const LETTERED: [&str; 24] = [
    "hipjoint", "hip", "femur", "thigh", "upleg", "leg", "tibia", "shin", "calf", "knee", "ankle",
    "foot", "toes", "toe", "clavicle", "collar", "shoulder", "humerus", "arm", "elbow", "radius",
    "wrist", "hand", "forearm",
];

pub(super) fn label(name: &str) -> Label {
    let mut side = None;
    let mut end = false;
    let mut helper = false;
    let mut flat = String::new();
    let words = name_words(name);
    for word in &words {
        let mut word = word.as_str();
        match word {
            "l" | "left" | "lft" | "lt" => side = Some(Side::Left),
            "r" | "right" | "rgt" | "rt" => side = Some(Side::Right),
            "end" | "tip" | "leaf" | "nub" | "site" | "effector" => end = true,
            "ik" | "fk" | "pole" | "target" | "ctrl" | "control" | "twist" | "roll" | "helper" => {
                helper = true;
            }
            // Words of a tradition rather than of a body.
            "armature" | "joint" | "jnt" | "bone" | "bip" | "mixamorig" | "skeleton" | "anchor" => {
            }
            _ => {
                for (prefix, found) in [("left", Side::Left), ("right", Side::Right)] {
                    if let Some(rest) = word.strip_prefix(prefix).or(word.strip_suffix(prefix)) {
                        (side, word) = (Some(found), rest);
                    }
                }
                for (letter, found) in [('l', Side::Left), ('r', Side::Right)] {
                    if let Some(rest) = word.strip_prefix(letter).filter(|r| LETTERED.contains(r)) {
                        (side, word) = (Some(found), rest);
                    }
                }
                flat.push_str(word);
            }
        }
    }
    let whole = || {
        let known = |word: &String| WORDS.iter().find(|(known, _)| known == word);
        words.iter().find_map(known).map(|&(_, part)| part)
    };
    let mut part = PARTS.iter().find(|(key, _)| flat.contains(key)).map(|&(_, part)| part);
    part = part.or_else(whole);
    if flat.contains("lowerback") || flat.contains("upperback") {
        part = Some(NamedPart::Spine);
    }
    if part == Some(NamedPart::Hips) && side.is_some() {
        part = Some(NamedPart::HipSide);
    }
    Label { part, side, end, helper }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traditions_are_understood() {
        use NamedPart::*;
        let (l, r) = (Some(Side::Left), Some(Side::Right));
        let cases = [
            // CMU as BVH and as ASF
            ("LHipJoint", HipSide, l),
            ("LeftUpLeg", Thigh, l),
            ("RightLeg", Leg, r),
            ("RightToeBase", Toe, r),
            ("LowerBack", Spine, None),
            ("LeftFingerBase", Finger, l),
            ("lfemur", Thigh, l),
            ("rtibia", Shin, r),
            ("ltoes", Toe, l),
            ("rhipjoint", HipSide, r),
            ("lowerback", Spine, None),
            ("rclavicle", Shoulder, r),
            ("rradius", Forearm, r),
            ("lowerneck", Neck, None),
            // Mixamo, VRM, Unreal
            ("mixamorig:LeftForeArm", Forearm, l),
            ("J_Bip_R_UpperLeg", Thigh, r),
            ("leftLowerLeg", Shin, l),
            ("rightupperarm", UpperArm, r),
            ("ball_r", Toe, r),
            ("calf_l", Shin, l),
            ("pelvis", Hips, None),
            // Biped, Rigify
            ("Bip01 L Foot", Foot, l),
            ("Bip01 Pelvis", Hips, None),
            ("DEF-shin.R", Shin, r),
            ("thigh.L", Thigh, l),
            // Animals
            ("back_leg_foot_l", Foot, l),
            ("back_leg_upper_r", Thigh, r),
            ("front_scapula_l", Shoulder, l),
            ("leg_c_2_r", Leg, r),
            ("tail_3", Tail, None),
            ("b_LeftFoot01_015", Foot, l),
            ("b_RightForeArm_07", Forearm, r),
            ("Skeleton_arm_joint_L__4_", Arm, l),
            ("leg_joint_R_5", Leg, r),
            ("torso_joint_2", Spine, None),
        ];
        for (name, part, side) in cases {
            let label = label(name);
            assert_eq!((label.part, label.side), (Some(part), side), "{name}");
        }
    }

    #[test]
    fn words_that_only_look_like_sides_or_parts_say_nothing() {
        for name in ["root", "Armature", "rear", "lip", "mouth_tip", "joint12", "Bone.001", "ear_1"]
        {
            let label = label(name);
            assert_eq!((label.part, label.side), (None, None), "{name}");
        }
    }

    #[test]
    fn ends_and_helpers_are_told_from_bones() {
        assert!(label("LeftToe_End").end && label("leg_a_tip_l").end && label("Bip01 HeadNub").end);
        assert!(label("ik_foot_l").helper && label("thigh_twist_01_l").helper);
        assert!(!label("LeftFoot").end && !label("LeftFoot").helper);
    }
}
