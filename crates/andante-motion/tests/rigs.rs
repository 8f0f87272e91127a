//! Roles found on skeletons of many traditions.

mod captured;

use andante_formats::{ReadOptions, read_file};
use andante_motion::rig::{RigError, detect};
use andante_skeleton::{Clip, Joint, Rig, Side, Skeleton};
use captured::{Captured, OWN};
use glam::Vec3;

fn names(skeleton: &Skeleton, joints: &[usize]) -> Vec<String> {
    joints.iter().map(|&joint| skeleton.joint(joint).name.clone()).collect()
}

/// The joints of each leg and its toes.
fn legs(skeleton: &Skeleton, rig: &Rig) -> Vec<(Vec<String>, Option<String>)> {
    let toes = |toes: Option<usize>| toes.map(|joint| skeleton.joint(joint).name.clone());
    rig.feet.iter().map(|foot| (names(skeleton, &foot.leg), toes(foot.toes))).collect()
}

#[test]
fn our_own_files_are_understood_in_every_dialect() {
    let human = andante_skeleton::humanoid();
    for name in OWN.into_iter().chain(["walker.glb"]) {
        let Captured { rig, skeleton, .. } = Captured::own(name);
        assert_eq!(rig.feet.len(), 2, "{name}");
        assert_eq!((rig.arms.len(), rig.head.is_some()), (2, true), "{name}");
        assert_eq!([rig.feet[0].side, rig.feet[1].side], [Side::Left, Side::Right], "{name}");
        let height =
            |skeleton: &Skeleton, rig: &Rig| skeleton.rest_models()[rig.hips].translation.y;
        let above = |skeleton, rig: &Rig| {
            let ankle = Skeleton::rest_models(skeleton)[rig.feet[0].ankle()].translation.y;
            height(skeleton, rig) - ankle
        };
        let (found, known) = (above(&skeleton, &rig), above(&human.skeleton, &human.rig));
        assert!((found - known).abs() < 1e-3, "{name}: {found} m, not {known} m");
    }
    let animal = Captured::own("four_legs.glb");
    assert_eq!(animal.rig.feet.len(), 4);
    assert_eq!(animal.skeleton.joint(animal.rig.feet[0].leg[0]).name, "fore_l_1");
    assert_eq!(animal.rig.arms, []);
}

#[test]
fn the_archive_is_understood_in_both_its_formats() {
    let cases = [
        (
            "cmu/16/16_15.bvh",
            ["LeftUpLeg", "LeftLeg", "LeftFoot"],
            "LeftToeBase",
            ["LeftArm", "LeftForeArm", "LeftHand"],
            ("Hips", "Head"),
        ),
        (
            "asf-amc/pirouette.amc",
            ["lfemur", "ltibia", "lfoot"],
            "ltoes",
            ["lhumerus", "lradius", "lwrist"],
            ("root", "head"),
        ),
    ];
    for (path, leg, toes, arm, (hips, head)) in cases {
        let Some(captured) = Captured::mocap(path) else { return };
        let (skeleton, rig) = (&captured.skeleton, &captured.rig);
        assert_eq!(skeleton.joint(rig.hips).name, hips);
        assert_eq!(skeleton.joint(rig.head.unwrap()).name, head);
        assert_eq!(rig.spine.len(), 5);
        let found = legs(skeleton, rig);
        assert_eq!(found[0], (leg.map(String::from).to_vec(), Some(toes.into())));
        assert_eq!([rig.feet[0].side, rig.feet[1].side], [Side::Left, Side::Right]);
        assert_eq!(names(skeleton, &rig.arms[0].chain), arm);
        assert_eq!(rig.arms[1].side, Side::Right);
    }
}

#[test]
fn soles_of_every_captured_walk_are_on_the_floor_in_mid_stance() {
    for path in ["cmu/16/16_15.bvh", "cmu/16/16_22.bvh", "cmu/other/104_02.bvh"] {
        let Some(captured) = Captured::mocap(path) else { return };
        let clip = &captured.clips[0];
        let analysis = captured.analyse(clip);
        let frames = andante_skeleton::model_frames(&captured.skeleton, clip);
        for (foot, contacts) in captured.rig.feet.iter().zip(&analysis.contacts.feet) {
            let mut heights = Vec::new();
            for (frame, models) in frames.iter().enumerate() {
                let time = clip.frame_time(frame);
                if contacts.heel_down(time) && contacts.toe_down(time) {
                    let points = [foot.heel, foot.ball, foot.tip];
                    heights.extend(points.map(|point| point.position(models).y.abs()));
                }
            }
            let mean = heights.iter().sum::<f32>() / heights.len() as f32;
            assert!(mean < 0.015, "{path}: {mean}");
            assert!(heights.iter().all(|height| *height < 0.08), "{path}");
            // A heel behind the ankle, a tip in front of the ball.
            let rest = captured.skeleton.rest_models();
            let ankle = rest[foot.ankle()].translation;
            let [heel, ball, tip] = [foot.heel, foot.ball, foot.tip].map(|p| p.position(&rest));
            assert!(heel.z < ankle.z && ankle.z < ball.z && ball.z < tip.z, "{path}");
            assert!((0.18..0.32).contains(&heel.distance(tip)), "{path}: {}", heel.distance(tip));
        }
        assert!(analysis.ground.height.abs() < 0.02 && analysis.ground.roughness < 0.02);
    }
}

#[test]
fn animals_have_as_many_legs_as_they_should() {
    let Some(horse) = Captured::gltf("horse-animations.glb") else { return };
    let found: Vec<&str> = horse.rig.feet.iter().map(|foot| foot.name.as_str()).collect();
    let order = ["front left foot", "front right foot", "back left foot", "back right foot"];
    assert_eq!(found, order);
    assert_eq!(horse.skeleton.joint(horse.rig.feet[2].ankle()).name, "back_leg_foot_l");
    assert_eq!(horse.skeleton.joint(horse.rig.hips).name, "hips");

    let Some(fox) = Captured::gltf("Fox.glb") else { return };
    let found = legs(&fox.skeleton, &fox.rig);
    assert_eq!(found[0].0, ["b_LeftUpperArm_09", "b_LeftForeArm_010", "b_LeftHand_011"]);
    assert_eq!(found[3].0.last().unwrap(), "b_RightFoot02_022");
    assert_eq!(fox.rig.arms, []);

    let Some(spider) = Captured::gltf("spider-animations.glb") else { return };
    assert_eq!(spider.rig.feet.len(), 8);
    for (index, foot) in spider.rig.feet.iter().enumerate() {
        let (row, side) = (["a", "b", "c", "d"][index / 2], ["l", "r"][index % 2]);
        let leg: Vec<String> =
            ["1", "2", "3", "tip"].map(|part| format!("leg_{row}_{part}_{side}")).to_vec();
        assert_eq!(names(&spider.skeleton, &foot.leg), leg);
    }
}

#[test]
fn numbered_joints_are_understood() {
    for file in ["CesiumMan.glb", "RiggedFigure.glb"] {
        let Some(figure) = Captured::gltf(file) else { return };
        let found = legs(&figure.skeleton, &figure.rig);
        assert_eq!(found[0].0, ["leg_joint_L_1", "leg_joint_L_2", "leg_joint_L_3"], "{file}");
        assert_eq!(found[1].1.as_deref(), Some("leg_joint_R_5"), "{file}");
        let head = &figure.skeleton.joint(figure.rig.head.unwrap()).name;
        assert!(head.ends_with("neck_joint_2"), "{file}: {head}");
        assert_eq!(figure.rig.arms.len(), 2);
    }
}

/// The same skeleton with names that say nothing.
#[allow(clippy::unwrap_used)]
fn anonymous(skeleton: &Skeleton) -> Skeleton {
    let joints = skeleton.joints().iter().enumerate();
    let joints = joints.map(|(index, joint)| Joint { name: format!("j{index}"), ..joint.clone() });
    Skeleton::new(joints.collect()).unwrap()
}

#[test]
fn legs_are_found_without_names() {
    let mocap = ["cmu/16/16_15.bvh", "cmu/16/16_35.bvh", "cmu/other/104_02.bvh"];
    let mocap = mocap.iter().map(|path| (*path, Captured::mocap(path)));
    let gltf = ["horse-animations.glb", "spider-animations.glb", "CesiumMan.glb"];
    let gltf = gltf.iter().map(|path| (*path, Captured::gltf(path)));
    for (path, captured) in mocap.chain(gltf) {
        let Some(captured) = captured else { return };
        let rig = detect(&anonymous(&captured.skeleton), &captured.clips).unwrap();
        let ends = |rig: &Rig| {
            let mut ends: Vec<(usize, Side)> =
                rig.feet.iter().map(|foot| (foot.ankle(), foot.side)).collect();
            ends.sort_by_key(|end| end.0);
            ends
        };
        let joints = |rig: &Rig| ends(rig).into_iter().map(|end| end.0).collect::<Vec<_>>();
        // Which of a few low joints of an animal is called the ankle is a matter of names.
        if rig.feet.len() == 2 {
            assert_eq!(ends(&rig), ends(&captured.rig), "{path}");
        } else if rig.feet.len() == 8 {
            // Nothing but names tells the front of this spider from its back.
            assert_eq!(joints(&rig), joints(&captured.rig), "{path}");
            let swapped = ends(&rig)[0].1 != ends(&captured.rig)[0].1;
            for (found, known) in ends(&rig).iter().zip(ends(&captured.rig)) {
                assert_eq!(found.1 != known.1, swapped, "{path}");
            }
        } else {
            assert_eq!(rig.feet.len(), captured.rig.feet.len(), "{path}");
            let sides = |rig: &Rig| rig.feet.iter().map(|foot| foot.side).collect::<Vec<_>>();
            assert_eq!(sides(&rig), sides(&captured.rig), "{path}");
        }
    }
}

#[test]
fn what_has_no_feet_says_so() {
    let Some(path) = andante_testdata::gltf("RiggedSimple.glb") else { return };
    let simple = read_file(&path, &ReadOptions::default(), None).unwrap();
    let error = detect(&simple.skeleton, &simple.clips).unwrap_err();
    assert_eq!(error, RigError::NoFeet { joints: simple.skeleton.len() });
    assert!(error.to_string().contains("no feet"));
}

/// Joints that are named like a human's, all at one point.
#[test]
fn bones_without_length_have_no_feet() {
    let human = andante_skeleton::humanoid();
    let joints = human.skeleton.joints().iter().map(|joint| Joint {
        tip: None,
        ..Joint::new(joint.name.clone(), joint.parent, Vec3::ZERO)
    });
    let flat = Skeleton::new(joints.collect()).unwrap();
    assert_eq!(detect(&flat, &[]), Err(RigError::NoFeet { joints: flat.len() }));
}

/// A clip may move every joint of a skeleton whose rest pose has no extent.
#[test]
fn a_rest_pose_without_extent_is_replaced_by_a_frame() {
    let human = andante_skeleton::humanoid();
    let joints = human.skeleton.joints().iter().map(|joint| Joint {
        tip: None,
        ..Joint::new(joint.name.clone(), joint.parent, Vec3::ZERO)
    });
    let flat = Skeleton::new(joints.collect()).unwrap();
    let pose = andante_skeleton::Pose::rest(&human.skeleton);
    let clip = Clip::new("standing", &flat, 30.0, pose.repeat(4)).unwrap();
    let rig = detect(&flat, &[clip]).unwrap();
    assert_eq!(rig.feet[0].leg, human.rig.feet[0].leg);
}

#[test]
fn a_rest_pose_that_lies_down_is_replaced_by_a_frame() {
    let human = andante_skeleton::humanoid();
    let mut joints = human.skeleton.joints().to_vec();
    joints[0].rest.rotation = glam::Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    let lying = Skeleton::new(joints).unwrap();
    let pose = andante_skeleton::Pose::rest(&human.skeleton);
    let clip = Clip::new("standing", &lying, 30.0, pose.repeat(40)).unwrap();
    for skeleton in [lying.clone(), anonymous(&lying)] {
        let rig = detect(&skeleton, std::slice::from_ref(&clip)).unwrap();
        for (found, known) in rig.feet.iter().zip(&human.rig.feet) {
            assert_eq!((&found.leg, found.side), (&known.leg, known.side));
            assert!(found.heel.offset.distance(known.heel.offset) < 0.02);
        }
    }
}

#[test]
fn other_traditions_are_understood() {
    // Hips, spine, neck, head, then per side: thigh, shin, foot, toe, shoulder, upper arm, forearm, hand.
    type Tradition = (&'static str, [&'static str; 4], [[&'static str; 8]; 2]);
    let traditions: [Tradition; 4] = [
        (
            "Mixamo",
            ["mixamorig:Hips", "mixamorig:Spine", "mixamorig:Neck", "mixamorig:Head"],
            [
                [
                    "mixamorig:LeftUpLeg",
                    "mixamorig:LeftLeg",
                    "mixamorig:LeftFoot",
                    "mixamorig:LeftToeBase",
                    "mixamorig:LeftShoulder",
                    "mixamorig:LeftArm",
                    "mixamorig:LeftForeArm",
                    "mixamorig:LeftHand",
                ],
                [
                    "mixamorig:RightUpLeg",
                    "mixamorig:RightLeg",
                    "mixamorig:RightFoot",
                    "mixamorig:RightToeBase",
                    "mixamorig:RightShoulder",
                    "mixamorig:RightArm",
                    "mixamorig:RightForeArm",
                    "mixamorig:RightHand",
                ],
            ],
        ),
        (
            "Biped",
            ["Bip01 Pelvis", "Bip01 Spine", "Bip01 Neck", "Bip01 Head"],
            [
                [
                    "Bip01 L Thigh",
                    "Bip01 L Calf",
                    "Bip01 L Foot",
                    "Bip01 L Toe0",
                    "Bip01 L Clavicle",
                    "Bip01 L UpperArm",
                    "Bip01 L Forearm",
                    "Bip01 L Hand",
                ],
                [
                    "Bip01 R Thigh",
                    "Bip01 R Calf",
                    "Bip01 R Foot",
                    "Bip01 R Toe0",
                    "Bip01 R Clavicle",
                    "Bip01 R UpperArm",
                    "Bip01 R Forearm",
                    "Bip01 R Hand",
                ],
            ],
        ),
        (
            "Rigify",
            ["spine", "spine.001", "spine.004", "spine.006"],
            [
                [
                    "thigh.L",
                    "shin.L",
                    "foot.L",
                    "toe.L",
                    "shoulder.L",
                    "upper_arm.L",
                    "forearm.L",
                    "hand.L",
                ],
                [
                    "thigh.R",
                    "shin.R",
                    "foot.R",
                    "toe.R",
                    "shoulder.R",
                    "upper_arm.R",
                    "forearm.R",
                    "hand.R",
                ],
            ],
        ),
        (
            "VRM",
            ["J_Bip_C_Hips", "J_Bip_C_Spine", "J_Bip_C_Neck", "J_Bip_C_Head"],
            [
                [
                    "J_Bip_L_UpperLeg",
                    "J_Bip_L_LowerLeg",
                    "J_Bip_L_Foot",
                    "J_Bip_L_ToeBase",
                    "J_Bip_L_Shoulder",
                    "J_Bip_L_UpperArm",
                    "J_Bip_L_LowerArm",
                    "J_Bip_L_Hand",
                ],
                [
                    "J_Bip_R_UpperLeg",
                    "J_Bip_R_LowerLeg",
                    "J_Bip_R_Foot",
                    "J_Bip_R_ToeBase",
                    "J_Bip_R_Shoulder",
                    "J_Bip_R_UpperArm",
                    "J_Bip_R_LowerArm",
                    "J_Bip_R_Hand",
                ],
            ],
        ),
    ];
    for (tradition, [hips, spine, neck, head], sides) in traditions {
        let mut joints = vec![Joint::new("Armature", None, Vec3::ZERO)];
        let mut add = |name: &str, parent: usize, offset: Vec3| {
            joints.push(Joint::new(name, Some(parent), offset));
            joints.len() - 1
        };
        let at = Vec3::new;
        let hips = add(hips, 0, at(0.0, 0.95, 0.0));
        let mut chests = Vec::new();
        for (side, sign) in sides.iter().zip([1.0, -1.0]) {
            let thigh = add(side[0], hips, at(0.1 * sign, -0.05, 0.0));
            let shin = add(side[1], thigh, at(0.0, -0.42, 0.0));
            let foot = add(side[2], shin, at(0.0, -0.4, 0.0));
            add(side[3], foot, at(0.0, -0.06, 0.13));
        }
        let spine = add(spine, hips, at(0.0, 0.4, 0.0));
        let neck = add(neck, spine, at(0.0, 0.15, 0.0));
        let head = add(head, neck, at(0.0, 0.1, 0.0));
        for (side, sign) in sides.iter().zip([1.0, -1.0]) {
            let shoulder = add(side[4], spine, at(0.03 * sign, 0.1, 0.0));
            let upper = add(side[5], shoulder, at(0.15 * sign, 0.0, 0.0));
            let lower = add(side[6], upper, at(0.28 * sign, 0.0, 0.0));
            let hand = add(side[7], lower, at(0.25 * sign, 0.0, 0.0));
            chests.push(vec![upper, lower, hand]);
        }
        let skeleton = Skeleton::new(joints).unwrap();
        let rig = detect(&skeleton, &[]).unwrap();
        assert_eq!(
            (rig.hips, rig.spine, rig.head),
            (hips, vec![spine, neck], Some(head)),
            "{tradition}"
        );
        for (index, foot) in rig.feet.iter().enumerate() {
            let thigh = hips + 1 + 4 * index;
            assert_eq!(foot.leg, [thigh, thigh + 1, thigh + 2], "{tradition}");
            assert_eq!(foot.toes, Some(thigh + 3), "{tradition}");
            assert_eq!(foot.side, [Side::Left, Side::Right][index], "{tradition}");
            assert_eq!(rig.arms[index].chain, chests[index], "{tradition}");
        }
    }
}
