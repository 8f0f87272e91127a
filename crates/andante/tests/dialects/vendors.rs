//! How the tools of the trade name joints, rest, and write files.

use crate::motion::Motion;
use glam::{DQuat, DVec3};

/// What a joint of our files and of the Carnegie Mellon ones is: its part, counted from the hips, and its side.
pub fn role(name: &str) -> (&'static str, &'static str) {
    let side = match name {
        _ if name.starts_with("Left") || name.starts_with("LHip") || name.starts_with("LThumb") => {
            "L"
        }
        _ if name.starts_with("Right")
            || name.starts_with("RHip")
            || name.starts_with("RThumb") =>
        {
            "R"
        }
        _ => "",
    };
    let bare = name.trim_start_matches("Left").trim_start_matches("Right");
    let part = match bare {
        "Hips" => "hips",
        "LHipJoint" | "RHipJoint" => "hip joint",
        "LowerBack" => "spine 1",
        "Chest" => "spine 2",
        "UpperChest" | "Spine1" => "spine 3",
        "Neck1" => "neck 2",
        "Neck" => "neck 1",
        "Head" => "head",
        "UpLeg" | "UpperLeg" => "thigh",
        "Leg" | "LowerLeg" => "shin",
        "Foot" => "foot",
        "ToeBase" | "Toes" => "toe",
        "Shoulder" => "collar",
        "Arm" | "UpperArm" => "upper arm",
        "ForeArm" | "LowerArm" => "forearm",
        "Hand" => "hand",
        "Fingers" | "FingerBase" => "finger",
        "HandIndex1" => "finger 2",
        "LThumb" | "RThumb" | "Thumb" => "thumb",
        _ => "spine",
    };
    (part, side)
}

/// The words of a tool: parts in the order of [`PARTS`], and how a side is said: `<` is replaced by it.
pub struct Vendor {
    pub name: &'static str,
    pub sides: [&'static str; 2],
    pub words: [&'static str; 18],
}

const PARTS: [&str; 18] = [
    "hips",
    "spine 1",
    "spine 2",
    "spine 3",
    "neck 1",
    "neck 2",
    "head",
    "hip joint",
    "thigh",
    "shin",
    "foot",
    "toe",
    "collar",
    "upper arm",
    "forearm",
    "hand",
    "finger",
    "thumb",
];

#[rustfmt::skip]
pub const VENDORS: [Vendor; 20] = [
    Vendor { name: "Mixamo", sides: ["Left", "Right"], words: ["mixamorig:Hips", "mixamorig:Spine", "mixamorig:Spine1", "mixamorig:Spine2", "mixamorig:Neck", "mixamorig:Neck1", "mixamorig:Head", "mixamorig:<HipJoint", "mixamorig:<UpLeg", "mixamorig:<Leg", "mixamorig:<Foot", "mixamorig:<ToeBase", "mixamorig:<Shoulder", "mixamorig:<Arm", "mixamorig:<ForeArm", "mixamorig:<Hand", "mixamorig:<HandIndex1", "mixamorig:<HandThumb1"] },
    Vendor { name: "Unreal", sides: ["l", "r"], words: ["pelvis", "spine_01", "spine_02", "spine_03", "neck_01", "neck_02", "head", "hip_<", "thigh_<", "calf_<", "foot_<", "ball_<", "clavicle_<", "upperarm_<", "lowerarm_<", "hand_<", "index_01_<", "thumb_01_<"] },
    Vendor { name: "Unity", sides: ["Left", "Right"], words: ["Hips", "Spine", "Chest", "UpperChest", "Neck", "Neck2", "Head", "<HipRoot", "<UpperLeg", "<LowerLeg", "<Foot", "<Toes", "<Shoulder", "<UpperArm", "<LowerArm", "<Hand", "<IndexProximal", "<ThumbProximal"] },
    Vendor { name: "VRM", sides: ["L", "R"], words: ["J_Bip_C_Hips", "J_Bip_C_Spine", "J_Bip_C_Chest", "J_Bip_C_UpperChest", "J_Bip_C_Neck", "J_Bip_C_Neck2", "J_Bip_C_Head", "J_Bip_<_HipRoot", "J_Bip_<_UpperLeg", "J_Bip_<_LowerLeg", "J_Bip_<_Foot", "J_Bip_<_ToeBase", "J_Bip_<_Shoulder", "J_Bip_<_UpperArm", "J_Bip_<_LowerArm", "J_Bip_<_Hand", "J_Bip_<_Index1", "J_Bip_<_Thumb1"] },
    Vendor { name: "Rigify", sides: ["L", "R"], words: ["DEF-spine", "DEF-spine.001", "DEF-spine.002", "DEF-spine.003", "DEF-spine.004", "DEF-spine.005", "DEF-spine.006", "DEF-pelvis.<", "DEF-thigh.<", "DEF-shin.<", "DEF-foot.<", "DEF-toe.<", "DEF-shoulder.<", "DEF-upper_arm.<", "DEF-forearm.<", "DEF-hand.<", "DEF-f_index.01.<", "DEF-thumb.01.<"] },
    Vendor { name: "Rokoko", sides: ["Left", "Right"], words: ["Hips", "Spine1", "Spine2", "Spine3", "Neck", "Neck2", "Head", "<HipRoot", "<Thigh", "<Shin", "<Foot", "<Toe", "<Shoulder", "<Arm", "<ForeArm", "<Hand", "<Finger2Metacarpal", "<Finger1Metacarpal"] },
    Vendor { name: "Xsens", sides: ["Left", "Right"], words: ["Hips", "Chest", "Chest2", "Chest3", "Neck", "Neck2", "Head", "<HipRoot", "<Hip", "<Knee", "<Ankle", "<Toe", "<Collar", "<Shoulder", "<Elbow", "<Wrist", "<Finger", "<Thumb"] },
    Vendor { name: "OptiTrack", sides: ["L", "R"], words: ["Hip", "Ab", "Chest", "Chest2", "Neck", "Neck2", "Head", "<HipRoot", "<Thigh", "<Shin", "<Foot", "<Toe", "<Shoulder", "<UArm", "<FArm", "<Hand", "<Index1", "<Thumb1"] },
    Vendor { name: "LaFAN", sides: ["Left", "Right"], words: ["Hips", "Spine", "Spine1", "Spine2", "Neck", "Neck1", "Head", "<HipJoint", "<UpLeg", "<Leg", "<Foot", "<Toe", "<Shoulder", "<Arm", "<ForeArm", "<Hand", "<HandEnd", "<ThumbEnd"] },
    Vendor { name: "Poser", sides: ["l", "r"], words: ["hip", "abdomen", "abdomen2", "chest", "neck", "neck2", "head", "<Buttock", "<Thigh", "<Shin", "<Foot", "<Toe", "<Collar", "<Shldr", "<ForeArm", "<Hand", "<Index1", "<Thumb1"] },
    Vendor { name: "Biped", sides: ["L", "R"], words: ["Bip01", "Bip01_Spine", "Bip01_Spine1", "Bip01_Spine2", "Bip01_Neck", "Bip01_Neck1", "Bip01_Head", "Bip01_<_HipRoot", "Bip01_<_Thigh", "Bip01_<_Calf", "Bip01_<_Foot", "Bip01_<_Toe0", "Bip01_<_Clavicle", "Bip01_<_UpperArm", "Bip01_<_Forearm", "Bip01_<_Hand", "Bip01_<_Finger1", "Bip01_<_Finger0"] },
    Vendor { name: "Neuron", sides: ["Left", "Right"], words: ["Robot_Hips", "Robot_Spine", "Robot_Spine1", "Robot_Spine2", "Robot_Neck", "Robot_Neck1", "Robot_Head", "Robot_<HipRoot", "Robot_<UpLeg", "Robot_<Leg", "Robot_<Foot", "Robot_<Toe", "Robot_<Shoulder", "Robot_<Arm", "Robot_<ForeArm", "Robot_<Hand", "Robot_<InHandIndex", "Robot_<HandThumb1"] },
    Vendor { name: "Bandai", sides: ["L", "R"], words: ["Hips", "Spine", "Chest", "Chest2", "Neck", "Neck2", "Head", "HipRoot_<", "UpperLeg_<", "LowerLeg_<", "Foot_<", "Toes_<", "Shoulder_<", "UpperArm_<", "LowerArm_<", "Hand_<", "Index_<", "Thumb_<"] },
    Vendor { name: "MikuMikuDance", sides: ["左", "右"], words: ["センター", "上半身", "上半身2", "上半身3", "首", "首2", "頭", "<腰", "<足", "<ひざ", "<足首", "<つま先", "<肩", "<腕", "<ひじ", "<手首", "<人指", "<親指"] },
    Vendor { name: "Acclaim", sides: ["l", "r"], words: ["root", "lowerback", "upperback", "thorax", "lowerneck", "upperneck", "head", "<hipjoint", "<femur", "<tibia", "<foot", "<toes", "<clavicle", "<humerus", "<radius", "<hand", "<fingers", "<thumb"] },
    Vendor { name: "SMPL", sides: ["L", "R"], words: ["Pelvis", "Spine1", "Spine2", "Spine3", "Neck", "Neck2", "Head", "<_HipRoot", "<_Hip", "<_Knee", "<_Ankle", "<_Foot", "<_Collar", "<_Shoulder", "<_Elbow", "<_Wrist", "<_Hand", "<_Thumb"] },
    Vendor { name: "AdvancedSkeleton", sides: ["L", "R"], words: ["Root_M", "Spine1_M", "Spine2_M", "Chest_M", "Neck_M", "Neck1_M", "Head_M", "HipPart_<", "Hip_<", "Knee_<", "Ankle_<", "Toes_<", "Scapula_<", "Shoulder_<", "Elbow_<", "Wrist_<", "IndexFinger1_<", "ThumbFinger1_<"] },
    Vendor { name: "Kinect", sides: ["Left", "Right"], words: ["SpineBase", "SpineMid", "SpineMid2", "SpineShoulder", "Neck", "Neck2", "Head", "HipRoot<", "Hip<", "Knee<", "Ankle<", "Foot<", "Clavicle<", "Shoulder<", "Elbow<", "Wrist<", "HandTip<", "Thumb<"] },
    Vendor { name: "MotionBuilder", sides: ["Left", "Right"], words: ["Character1_Hips", "Character1_Spine", "Character1_Spine1", "Character1_Spine2", "Character1_Neck", "Character1_Neck1", "Character1_Head", "Character1_<HipRoot", "Character1_<UpLeg", "Character1_<Leg", "Character1_<Foot", "Character1_<ToeBase", "Character1_<Shoulder", "Character1_<Arm", "Character1_<ForeArm", "Character1_<Hand", "Character1_<HandIndex1", "Character1_<HandThumb1"] },
    // A language that no table knows.
    Vendor { name: "Finnish", sides: ["V", "O"], words: ["lantio", "selka1", "selka2", "selka3", "kaula", "kaula2", "paa", "<_lonkka", "<_reisi", "<_saari", "<_jalka", "<_varvas", "<_solis", "<_olka", "<_kyynar", "<_kasi", "<_sormi", "<_peukalo"] },
];

/// Joints with the names of a tool; what has no word there keeps its number.
pub fn rename(motion: &mut Motion, vendor: &Vendor) {
    // What we call a spine is the second joint of the captured back.
    let spine = if motion.find("LowerBack").is_some() { "spine 2" } else { "spine 1" };
    for (index, node) in motion.nodes.iter_mut().enumerate() {
        let (part, side) = role(&node.name);
        let part = if part == "spine" { spine } else { part };
        let word = PARTS.iter().position(|known| *known == part).map(|index| vendor.words[index]);
        let side = if side == "R" { vendor.sides[1] } else { vendor.sides[0] };
        node.name = word.map_or_else(|| format!("extra_{index}"), |word| word.replace('<', side));
    }
}

/// The child in whose direction a joint points.
fn onward(motion: &Motion, joint: usize) -> Option<DVec3> {
    let part = |node: usize| role(&motion.nodes[node].name).0;
    let wanted = ["spine", "spine 1", "spine 2", "spine 3", "neck 1", "neck 2", "head"];
    let children: Vec<usize> = motion.children(joint).collect();
    let along_trunk = children.iter().find(|&&child| wanted.contains(&part(child)));
    let child = along_trunk.or(children.first());
    let offset = child.map(|&child| motion.nodes[child].offset).or(motion.nodes[joint].tip);
    offset.filter(|offset| offset.length() > 1e-6)
}

/// Rest poses in which every bone lies along an axis of its joint.
pub fn bones_along(motion: &Motion, axis: DVec3) -> Vec<DQuat> {
    let turn = |joint| match onward(motion, joint) {
        Some(along) => DQuat::from_rotation_arc(along.normalize(), axis),
        None => DQuat::IDENTITY,
    };
    (0..motion.nodes.len()).map(turn).collect()
}

/// Arms lowered by an angle, legs apart by another.
pub fn a_pose(motion: &Motion, arms: f64, legs: f64) -> Vec<DQuat> {
    let mut turns = vec![DQuat::IDENTITY; motion.nodes.len()];
    for joint in 0..turns.len() {
        let above = motion.nodes[joint].parent.map_or(DQuat::IDENTITY, |parent| turns[parent]);
        let (part, side) = role(&motion.nodes[joint].name);
        let sign = if side == "L" { 1.0 } else { -1.0 };
        let angle = match part {
            "upper arm" => -arms * sign,
            "thigh" => legs * sign,
            _ => 0.0,
        };
        turns[joint] = above * DQuat::from_rotation_z(angle);
    }
    turns
}

/// Numbers from a seed.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, count: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % count
    }

    pub fn part(&mut self) -> f64 {
        self.below(1 << 20) as f64 / f64::from(1 << 20)
    }

    fn turn(&mut self, most: f64) -> DQuat {
        let axis = DVec3::new(self.part() - 0.5, self.part() - 0.5, self.part() - 0.5);
        DQuat::from_axis_angle(axis.try_normalize().unwrap_or(DVec3::X), most * self.part())
    }

    /// A rest pose: whatever a rigger may have left it in.
    pub fn rest(&mut self, motion: &Motion) -> (String, Vec<DQuat>) {
        let axes = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y, DVec3::NEG_Z];
        match self.below(6) {
            0 => ("rest T".into(), vec![DQuat::IDENTITY; motion.nodes.len()]),
            1 => ("rest A".into(), a_pose(motion, 0.4 + 0.6 * self.part(), 0.3 * self.part())),
            2 => {
                let axis = self.below(6);
                (format!("bones along {}", axes[axis]), bones_along(motion, axes[axis]))
            }
            3 => {
                let frame = self.below(motion.frames.len());
                (
                    format!("rest as frame {frame}"),
                    motion.frames[frame].iter().map(|place| place.0).collect(),
                )
            }
            4 => {
                let turns =
                    (0..motion.nodes.len()).map(|_| self.turn(std::f64::consts::PI)).collect();
                ("rest at random".into(), turns)
            }
            _ => {
                let turn = self.turn(std::f64::consts::PI);
                ("rest lying anyhow".into(), vec![turn; motion.nodes.len()])
            }
        }
    }
}
