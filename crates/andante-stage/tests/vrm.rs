//! Avatars whose files say what their joints are for.

#![allow(clippy::unwrap_used, clippy::panic)]

use andante_formats::gltf::{self, GltfWriteOptions};
use andante_formats::{Asset, ReadLimits, ReadOptions, read_memory};
use andante_motion::rig;
use andante_skeleton::{Joint, Skeleton, Transform, humanoid};
use andante_stage::CharacterFile;
use glam::{Quat, Vec3};
use serde_json::{Value, json};
use std::path::Path;

/// The built-in human whose joints have names that lie, facing −Z if it is to.
fn liar(backwards: bool) -> Asset {
    let human = humanoid().skeleton;
    let lie = |name: &str| {
        let swapped = match name.strip_prefix("Left") {
            Some(rest) => format!("Right{rest}"),
            None => name.replacen("Right", "Left", 1),
        };
        let part = [
            ("UpperLeg", "Forearm"),
            ("LowerLeg", "Hand"),
            ("UpperArm", "Shin"),
            ("LowerArm", "Toe"),
        ];
        let (from, to) =
            part.into_iter().find(|(from, _)| name.ends_with(from)).unwrap_or(("", ""));
        if from.is_empty() { format!("hair_{swapped}") } else { swapped.replace(from, to) }
    };
    let mut joints: Vec<Joint> = human.joints().to_vec();
    joints.iter_mut().for_each(|joint| joint.name = lie(&joint.name));
    if backwards {
        joints[0].rest =
            Transform::new(Quat::from_rotation_y(std::f32::consts::PI), joints[0].rest.translation);
    }
    Asset::new(Skeleton::new(joints).unwrap(), Vec::new())
}

/// The words of VRM for the joints of the built-in human.
fn words() -> Vec<(usize, String)> {
    let human = humanoid().skeleton;
    let word = |name: &str| {
        let mut letters = name.chars();
        letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
    };
    let known = |name: &String| !name.contains("Fingers") && !name.contains("Thumb");
    let all = human.joints().iter().enumerate().map(|(index, joint)| (index, word(&joint.name)));
    all.filter(|(_, word)| known(word)).collect()
}

fn with_extension(asset: &Asset, name: &str, bones: Value) -> Vec<u8> {
    let plain = gltf::write_gltf(asset, &GltfWriteOptions::default()).unwrap();
    let mut document: Value = serde_json::from_slice(&plain).unwrap();
    document["extensions"] = json!({ name: { "humanoid": { "humanBones": bones } } });
    document["extensionsUsed"] = json!([name]);
    document.to_string().into_bytes()
}

fn vrm_1(asset: &Asset) -> Vec<u8> {
    let bones = words().into_iter().map(|(node, word)| (word, json!({ "node": node })));
    with_extension(asset, "VRMC_vrm", Value::Object(bones.collect()))
}

fn vrm_0(asset: &Asset) -> Vec<u8> {
    let bones = words().into_iter().map(|(node, word)| json!({ "bone": word, "node": node }));
    let none = json!({ "bone": "jaw", "node": -1 });
    with_extension(asset, "VRM", bones.chain([none]).collect())
}

#[test]
fn what_a_file_says_its_joints_are_for_is_believed_before_their_names() {
    let human = humanoid().rig;
    let asset = liar(false);
    let by_name = rig::detect(&asset.skeleton, &[]);
    let legs = |rig: &andante_skeleton::Rig| -> Vec<Vec<usize>> {
        rig.feet.iter().map(|foot| foot.leg.clone()).collect()
    };
    assert!(
        by_name.is_err() || legs(&by_name.unwrap()) != legs(&human),
        "the names do not lie enough"
    );
    for bytes in [vrm_1(&asset), vrm_0(&liar(true))] {
        let limits = ReadLimits::default();
        let file = CharacterFile::from_memory(Path::new("me.vrm"), &bytes, None, &limits).unwrap();
        let rig = &file.character.rig;
        assert_eq!((rig.hips, &rig.spine, rig.head), (human.hips, &human.spine, human.head));
        for (foot, own) in rig.feet.iter().zip(&human.feet) {
            assert_eq!((&foot.leg, foot.toes, foot.side), (&own.leg, own.toes, own.side));
        }
        for (arm, own) in rig.arms.iter().zip(&human.arms) {
            assert_eq!((&arm.chain, arm.side), (&own.chain, own.side));
        }
        assert!(file.repertoire().is_ok());
    }
}

#[test]
fn bodies_of_version_0_are_turned_and_it_is_said() {
    let options = ReadOptions::default();
    let read = |bytes: &[u8]| read_memory(Path::new("me.vrm"), bytes, &options).unwrap();
    let turned = read(&vrm_0(&liar(true)));
    assert!(turned.warnings.iter().any(|warning| warning.message.contains("faces −Z")));
    let straight = read(&vrm_1(&liar(false)));
    assert!(!straight.warnings.iter().any(|warning| warning.message.contains("faces −Z")));
    let (a, b) = (turned.skeleton.rest_models(), straight.skeleton.rest_models());
    for (a, b) in a.iter().zip(&b) {
        assert!(
            a.translation.abs_diff_eq(b.translation, 1e-5),
            "{} {}",
            a.translation,
            b.translation
        );
    }
    let toes = straight.skeleton.joints().iter().position(|j| j.name == "hair_RightToes").unwrap();
    assert!(b[toes].translation.z > 0.0 && b[toes].translation.x > 0.0);

    // Written again it is the same document, and is read the same.
    let again = gltf::write_glb(&turned, &GltfWriteOptions::default()).unwrap();
    let again = read(&again);
    assert_eq!(again.skeleton, turned.skeleton);
    assert!(again.skeleton.has_said_roles());
    let model = again.skeleton.rest_models()[0];
    assert!((model.rotation * Vec3::Z).z.abs() > 0.99);
}

#[test]
fn bones_that_are_not_there_are_refused_by_name() {
    let bytes = with_extension(&liar(false), "VRMC_vrm", json!({ "hips": { "node": 999 } }));
    let error = read_memory(Path::new("me.vrm"), &bytes, &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("humanoid bone `hips`: nodes[999]"), "{error}");
}

#[test]
fn left_and_right_that_contradict_the_body_are_told_of() {
    let swap = |word: &str| match word.strip_prefix("left") {
        Some(rest) => format!("right{rest}"),
        None => word.replacen("right", "left", 1),
    };
    let of_arm = |word: &str| ["Arm", "Hand", "Shoulder"].iter().any(|part| word.contains(part));
    let asset = liar(false);
    let said = |swapped: &dyn Fn(&str) -> bool| -> String {
        let bones = words().into_iter().map(|(node, word)| {
            let word = if swapped(&word) { swap(&word) } else { word };
            (word, json!({ "node": node }))
        });
        let bytes = with_extension(&asset, "VRMC_vrm", Value::Object(bones.collect()));
        let limits = ReadLimits::default();
        let file = CharacterFile::from_memory(Path::new("me.vrm"), &bytes, None, &limits).unwrap();
        file.warnings.join("\n")
    };
    assert!(
        said(&|_| true).contains("arms and legs that its humanoid calls left are on the right")
    );
    assert!(said(&of_arm).contains("the arms that its humanoid calls left"));
    assert!(!said(&|_| false).contains("left"));
    // Not the map is wrong, but which way it faces.
    let bytes = vrm_1(&liar(true));
    let file = read_memory(Path::new("me.vrm"), &bytes, &ReadOptions::default()).unwrap();
    assert!(file.warnings.iter().any(|warning| warning.message.contains("faces −Z, and not +Z")));
}
