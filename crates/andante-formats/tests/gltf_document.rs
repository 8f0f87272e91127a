//! A document keeps what it has: clips are written into it, and nothing else changes.

#![allow(clippy::unwrap_used)]

use andante_formats::gltf::{GltfWriteOptions, read, write_glb, write_gltf};
use andante_formats::{Asset, ReadOptions};
use andante_skeleton::{Clip, Transform};
use glam::{Quat, Vec3};
use serde_json::{Map, Value, json};

/// The text and the buffer of a `.glb` file, split by hand.
fn split(bytes: &[u8]) -> (Value, Vec<u8>) {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let length = word(12);
    let json = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    let binary = bytes.get(28 + length..28 + length + word(20 + length)).unwrap_or_default();
    (json, binary.to_vec())
}

fn join(json: &Value, binary: &[u8]) -> Vec<u8> {
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut binary = binary.to_vec();
    binary.resize(binary.len().next_multiple_of(4), 0);
    let mut bytes = b"glTF".to_vec();
    let word = |bytes: &mut Vec<u8>, value: usize| bytes.extend((value as u32).to_le_bytes());
    word(&mut bytes, 2);
    word(&mut bytes, 28 + text.len() + binary.len());
    word(&mut bytes, text.len());
    bytes.extend(b"JSON");
    bytes.extend(text);
    word(&mut bytes, binary.len());
    bytes.extend(b"BIN\0");
    bytes.extend(binary);
    bytes
}

/// A document with everything that is easily lost, made of one of our own: an armature that is turned and scaled, a
/// socket, a camera, morph targets and their animation, all kinds of textures, VRM's map of a human, extras, and a key
/// that no version of glTF has.
fn rich() -> Vec<u8> {
    let (mut json, mut binary) =
        split(&std::fs::read(andante_testdata::own("walker.glb")).unwrap());
    let mut push = |json: &mut Value, kind: &str, values: &[f32]| {
        binary.resize(binary.len().next_multiple_of(4), 0);
        let view =
            json!({ "buffer": 0, "byteOffset": binary.len(), "byteLength": 4 * values.len() });
        binary.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        let views = json["bufferViews"].as_array_mut().unwrap();
        views.push(view);
        let width = if kind == "VEC3" { 3 } else { 1 };
        let accessor = json!({
            "bufferView": views.len() - 1, "componentType": 5126, "count": values.len() / width, "type": kind,
            "min": vec![-1.0; width], "max": vec![1.0; width],
        });
        let accessors = json["accessors"].as_array_mut().unwrap();
        accessors.push(accessor);
        accessors.len() - 1
    };
    let position = json["meshes"][0]["primitives"][0]["attributes"]["POSITION"].as_u64().unwrap();
    let count = json["accessors"][position as usize]["count"].as_u64().unwrap() as usize;
    let smile: Vec<f32> = (0..3 * count).map(|index| (index % 7) as f32 * 0.01).collect();
    let smile = push(&mut json, "VEC3", &smile);
    let times = push(&mut json, "SCALAR", &[0.0, 0.5, 1.0]);
    let weights = push(&mut json, "SCALAR", &[0.0, 1.0, 0.0]);
    let png = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    json["images"] = json!([{ "uri": png, "name": "dot", "extras": { "by": "hand" } }]);
    json["textures"] = json!([{ "source": 0 }, { "source": 0 }, { "source": 0 }]);
    json["materials"] = json!([{
        "name": "skin", "alphaMode": "MASK", "alphaCutoff": 0.3,
        "normalTexture": { "index": 0, "scale": 0.7 }, "emissiveTexture": { "index": 1 }, "emissiveFactor": [0.1, 0.2, 0.3],
        "pbrMetallicRoughness": { "baseColorTexture": { "index": 2 }, "roughnessFactor": 0.4 },
        "extensions": { "KHR_materials_unlit": {} },
    }]);
    for mesh in json["meshes"].as_array_mut().unwrap() {
        for part in mesh["primitives"].as_array_mut().unwrap() {
            part["material"] = json!(0);
        }
    }
    json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": smile }]);
    json["meshes"][0]["weights"] = json!([0.0]);
    json["meshes"][0]["extras"] = json!({ "targetNames": ["smile"] });
    let body = json["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .position(|node| node.get("mesh").is_some())
        .unwrap();
    let walk = &mut json["animations"][0];
    let sampler = walk["samplers"].as_array().unwrap().len();
    let smiling = json!({ "input": times, "output": weights });
    walk["samplers"].as_array_mut().unwrap().push(smiling);
    let channel = json!({ "sampler": sampler, "target": { "node": body, "path": "weights" } });
    walk["channels"].as_array_mut().unwrap().push(channel);
    walk["extras"] = json!({ "take": 7 });
    let hand = json["skins"][0]["joints"][8].as_u64().unwrap() as usize;
    let nodes = json["nodes"].as_array_mut().unwrap();
    let (socket, camera, armature) = (nodes.len(), nodes.len() + 1, nodes.len() + 2);
    nodes.push(
        json!({ "name": "socket", "translation": [0.0, 0.1, 0.0], "extras": { "holds": "sword" } }),
    );
    nodes.push(json!({ "name": "camera", "camera": 0, "translation": [0.0, 1.0, 5.0] }));
    let top = json!({
        "name": "Armature", "children": [0], "scale": [0.01, 0.01, 0.01],
        "rotation": [-std::f64::consts::FRAC_1_SQRT_2, 0.0, 0.0, std::f64::consts::FRAC_1_SQRT_2],
    });
    nodes.push(top);
    let mut children = nodes[hand]["children"].as_array().cloned().unwrap_or_default();
    children.push(json!(socket));
    nodes[hand]["children"] = children.into();
    let scene = json["scenes"][0]["nodes"].as_array_mut().unwrap();
    scene.retain(|node| *node != json!(0));
    scene.extend([json!(camera), json!(armature)]);
    json["cameras"] =
        json!([{ "type": "perspective", "perspective": { "yfov": 0.7, "znear": 0.1 } }]);
    json["extensionsUsed"] = json!(["VRMC_vrm", "KHR_materials_unlit"]);
    json["extensions"] = json!({ "VRMC_vrm": {
        "specVersion": "1.0", "humanoid": { "humanBones": { "hips": { "node": 0 } } }, "meta": { "name": "walker" },
    } });
    json["extras"] = json!({ "studio": [1, 2.5, "three", null, { "deep": true }] });
    json["futureKey"] = json!({ "unknown": 1e-7 });
    join(&json, &binary)
}

fn asset(bytes: &[u8]) -> Asset {
    read(bytes, None, "rich", &ReadOptions::default()).unwrap()
}

/// Everything but what clips are made of.
fn rest_of(json: &Value) -> Map<String, Value> {
    let mut rest = json.as_object().unwrap().clone();
    for changed in ["animations", "accessors", "bufferViews", "buffers"] {
        rest.remove(changed);
    }
    rest
}

/// The clip a little further on and turned.
fn edited(asset: &Asset) -> Clip {
    let clip = &asset.clips[0];
    let mut transforms = clip.transforms().to_vec();
    let turn = Transform::new(Quat::from_rotation_y(0.4), Vec3::new(1.0, 0.0, 2.0));
    for pose in transforms.chunks_exact_mut(clip.joint_count()) {
        pose[0] = turn * pose[0];
        pose[5].rotation *= Quat::from_rotation_x(0.3);
    }
    Clip::new(clip.name(), &asset.skeleton, clip.fps(), transforms).unwrap()
}

#[test]
fn what_was_not_edited_is_as_it_was() {
    let bytes = rich();
    let (before, buffer) = split(&bytes);
    let written = write_glb(&asset(&bytes), &GltfWriteOptions::default()).unwrap();
    let (after, binary) = split(&written);
    assert_eq!(before, after);
    assert_eq!(buffer, binary);
}

#[test]
fn an_edited_clip_changes_nothing_but_itself() {
    let bytes = rich();
    let (before, buffer) = split(&bytes);
    let mut changed = asset(&bytes);
    changed.clips[0] = edited(&changed);
    for text in [false, true] {
        let options = GltfWriteOptions::default();
        let written =
            if text { write_gltf(&changed, &options) } else { write_glb(&changed, &options) }
                .unwrap();
        let (after, binary) = match text {
            true => (serde_json::from_slice(&written).unwrap(), buffer.clone()),
            false => split(&written),
        };
        assert_eq!(rest_of(&before), rest_of(&after));
        assert_eq!(binary[..buffer.len()], buffer);
        for list in ["accessors", "bufferViews"] {
            let (old, new) = (before[list].as_array().unwrap(), after[list].as_array().unwrap());
            assert_eq!(old[..], new[..old.len()], "{list}");
        }
        let (old, new) = (&before["animations"][0], &after["animations"][0]);
        assert_eq!((&old["name"], &old["extras"]), (&new["name"], &new["extras"]));
        let of_morph = |animation: &Value| {
            let channels = animation["channels"].as_array().unwrap().clone();
            let channel = channels.into_iter().find(|c| c["target"]["path"] == "weights").unwrap();
            let sampler = channel["sampler"].as_u64().unwrap() as usize;
            (channel["target"].clone(), animation["samplers"][sampler].clone())
        };
        assert_eq!(of_morph(old), of_morph(new));
        assert_eq!(
            before["animations"].as_array().unwrap()[1..],
            after["animations"].as_array().unwrap()[1..]
        );

        let again = asset(&written);
        assert_eq!((&again.skeleton, &again.mesh), (&changed.skeleton, &changed.mesh));
        assert_eq!(again.clips.len(), changed.clips.len());
        let (found, wanted) = (&again.clips[0], &changed.clips[0]);
        assert_eq!(found.frame_count(), wanted.frame_count());
        for (a, b) in found.transforms().iter().zip(wanted.transforms()) {
            assert!(a.translation.distance(b.translation) < 2e-5, "{a:?} {b:?}");
            assert!(a.rotation.dot(b.rotation).abs() > 1.0 - 1e-6, "{a:?} {b:?}");
        }
    }
}

#[test]
fn another_skeleton_or_skin_is_written_anew() {
    let bytes = rich();
    let mut bare = asset(&bytes);
    bare.mesh = None;
    let (json, _) = split(&write_glb(&bare, &GltfWriteOptions::default()).unwrap());
    assert!(json.get("extras").is_none() && json.get("extensions").is_none());
}
