//! Features of the format, each on a small file built here.

#![allow(clippy::unwrap_used)]

#[path = "support/small.rs"]
mod small;

use andante_formats::{Asset, ReadOptions, gltf};
use andante_skeleton::Transform;
use glam::{Quat, Vec3};
use serde_json::json;
use small::*;

fn read(doc: &Doc) -> Asset {
    gltf::read(&doc.glb(), None, "file", &ReadOptions::default()).unwrap()
}

fn read_at(doc: &Doc, fps: f32) -> Asset {
    let options = ReadOptions { fps: Some(fps), ..Default::default() };
    gltf::read(&doc.glb(), None, "file", &options).unwrap()
}

fn models(asset: &Asset, frame: usize) -> Vec<Transform> {
    let mut models = asset.skeleton.rest_models();
    asset.skeleton.local_to_model(asset.clips[0].frame(frame), &mut models);
    models
}

/// Positions of all vertices of a part when the joints are at `models`.
fn skin(asset: &Asset, part: usize, models: &[Transform]) -> Vec<Vec3> {
    let mesh = asset.mesh.as_ref().unwrap();
    let vertices = &mesh.primitives[part].vertices;
    (0..vertices.positions.len()).map(|vertex| mesh.skin(vertices, vertex, models)).collect()
}

fn assert_near(found: Vec3, expected: [f32; 3]) {
    assert!(found.distance(Vec3::from(expected)) < 1e-5, "{found} instead of {expected:?}");
}

fn warns(asset: &Asset, word: &str) -> bool {
    asset.warnings.iter().any(|warning| warning.message.contains(word))
}

#[test]
fn joints_are_in_world_space_and_the_mesh_follows_them() {
    let asset = read(&skinned_pole());
    let names: Vec<_> = asset.skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["base", "top"]);
    let rest = asset.skeleton.rest_models();
    assert_near(rest[1].translation, [0.0, 1.5, 0.0]);
    assert_near(skin(&asset, 0, &rest)[5], [0.0, 1.6, 0.0]);
    assert!(asset.warnings.is_empty() && asset.clips.is_empty(), "{:?}", asset.warnings);
}

#[test]
fn linear_rotations_turn_evenly() {
    let asset = read(&swinging_pole("LINEAR", &[0.0, 1.0]));
    let clip = &asset.clips[0];
    assert_eq!((clip.name(), clip.frame_count(), clip.fps()), ("move", 31, 30.0));
    for frame in 0..31 {
        let angle = frame as f32 / 30.0 * std::f32::consts::FRAC_PI_2;
        assert!(clip.rotation(frame, 1).abs_diff_eq(Quat::from_rotation_x(angle), 1e-6));
    }
    assert_near(skin(&asset, 0, &models(&asset, 30))[5], [0.0, 1.5, 0.1]);
}

#[test]
fn steps_hold_until_the_next_key() {
    let asset = read(&swinging_pole("STEP", &[0.0, 0.5, 1.0]));
    let turned = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    for frame in 0..31 {
        let expected = if (15..30).contains(&frame) { turned } else { Quat::IDENTITY };
        assert!(asset.clips[0].rotation(frame, 1).abs_diff_eq(expected, 1e-6), "{frame}");
    }
}

#[test]
fn cubic_splines_follow_their_tangents() {
    let mut doc = pole();
    let times = doc.floats("SCALAR", &[0.0, 0.4, 1.0]);
    // Key by key: tangent before, value, tangent after.
    let keys: [[f32; 3]; 9] = [
        [9.0, 9.0, 9.0],
        [0.0, 1.0, 0.0],
        [1.0, 0.0, -2.0],
        [3.0, 0.0, 0.0],
        [0.5, 1.0, 0.2],
        [0.0, 4.0, 0.0],
        [0.0, -1.0, 0.0],
        [0.0, 1.2, 0.0],
        [9.0, 9.0, 9.0],
    ];
    let values = doc.floats("VEC3", keys.as_flattened());
    doc.animate(1, "translation", "CUBICSPLINE", times, values);
    let asset = read_at(&doc, 60.0);
    // The Bézier form of the same curve, by de Casteljau's algorithm.
    let curve = |a: usize, length: f32, t: f32| {
        let key = |index: usize| Vec3::from(keys[index]);
        let (p0, p3) = (key(3 * a + 1), key(3 * a + 4));
        let p1 = p0 + key(3 * a + 2) * length / 3.0;
        let p2 = p3 - key(3 * a + 3) * length / 3.0;
        let (a, b, c) = (p0.lerp(p1, t), p1.lerp(p2, t), p2.lerp(p3, t));
        a.lerp(b, t).lerp(b.lerp(c, t), t)
    };
    assert_eq!(asset.clips[0].frame_count(), 61);
    for frame in 0..61 {
        let time = frame as f32 / 60.0;
        let expected =
            if time < 0.4 { curve(0, 0.4, time / 0.4) } else { curve(1, 0.6, (time - 0.4) / 0.6) };
        let found = asset.clips[0].frame(frame)[1].translation;
        assert!(found.distance(expected) < 1e-5, "{frame}: {found} {expected}");
    }
}

#[test]
fn cubic_rotations_stay_rotations() {
    let asset = read(&swinging_pole("CUBICSPLINE", &[0.0, 1.0]));
    // With tangents of zero the curve is halfway at half the time, by symmetry.
    let half = Quat::from_rotation_x(std::f32::consts::FRAC_PI_4);
    assert!(asset.clips[0].rotation(15, 1).abs_diff_eq(half, 1e-6));
    assert!(asset.clips[0].transforms().iter().all(|t| t.rotation.is_normalized()));
}

#[test]
fn sparse_elements_replace_others() {
    for with_base in [true, false] {
        let mut doc = pole();
        let times = doc.floats("SCALAR", &[0.0, 1.0, 2.0]);
        let base = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        let values = if with_base {
            doc.floats("VEC3", &base)
        } else {
            doc.push("accessors", json!({ "componentType": F32, "type": "VEC3", "count": 3 }))
        };
        let indices = doc.view(&[1, 0]);
        let replacements: Vec<u8> =
            [2.0f32, 3.0, 4.0].iter().flat_map(|v| v.to_le_bytes()).collect();
        let replacements = doc.view(&replacements);
        doc.json["accessors"][values]["sparse"] = json!({
            "count": 1,
            "indices": { "bufferView": indices, "componentType": U16 },
            "values": { "bufferView": replacements },
        });
        doc.animate(1, "translation", "LINEAR", times, values);
        let asset = read_at(&doc, 1.0);
        let at = |frame: usize| asset.clips[0].frame(frame)[1].translation;
        assert_near(at(1), [2.0, 3.0, 4.0]);
        assert_near(at(0), if with_base { [0.0, 1.0, 0.0] } else { [0.0; 3] });
    }
}

#[test]
fn interleaved_elements_are_told_apart() {
    let mut doc = pole();
    let times = doc.floats("SCALAR", &[0.0, 1.0]);
    let values = doc.floats("VEC3", &[1.0, 2.0, 3.0, 99.0, 98.0, 4.0, 5.0, 6.0]);
    doc.json["accessors"][values]["count"] = json!(2);
    let view = doc.json["accessors"][values]["bufferView"].as_u64().unwrap() as usize;
    doc.json["bufferViews"][view]["byteStride"] = json!(20);
    doc.animate(1, "translation", "LINEAR", times, values);
    let asset = read_at(&doc, 1.0);
    assert_near(asset.clips[0].frame(0)[1].translation, [1.0, 2.0, 3.0]);
    assert_near(asset.clips[0].frame(1)[1].translation, [4.0, 5.0, 6.0]);
}

#[test]
fn rotations_may_be_normalised_integers() {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    for (component, largest) in [(I8, 127.0f32), (U8, 255.0), (I16, 32767.0), (U16, 65535.0)] {
        let mut doc = pole();
        let times = doc.floats("SCALAR", &[0.0, 1.0]);
        let part = (half * largest).round() as i32;
        let keys = [part, 0, 0, part, 0, 0, 0, largest as i32];
        let values = doc.normalized(component, "VEC4", &keys);
        doc.animate(1, "rotation", "LINEAR", times, values);
        let clip = &read_at(&doc, 1.0).clips[0];
        assert!(clip.rotation(0, 1).abs_diff_eq(Quat::from_xyzw(half, 0.0, 0.0, half), 1e-5));
        assert!(clip.rotation(1, 1).abs_diff_eq(Quat::IDENTITY, 1e-5));
    }
    // The lowest number counts as −1 too.
    let mut doc = pole();
    let times = doc.floats("SCALAR", &[0.0]);
    let values = doc.normalized(I8, "VEC4", &[-128, 0, 0, 0]);
    doc.animate(1, "rotation", "LINEAR", times, values);
    let turned = read(&doc).clips[0].rotation(0, 1);
    assert!(turned.x.abs() > 1.0 - 1e-6);
}

#[test]
fn weights_may_be_normalised_integers() {
    for (component, largest) in [(U8, 255), (U16, 65535)] {
        let mut doc = skinned_pole();
        let mut weights = [0; 24];
        weights.chunks_exact_mut(4).for_each(|w| w[0] = largest);
        weights[..2].copy_from_slice(&[largest / 5, largest - largest / 5]);
        let weights = doc.normalized(component, "VEC4", &weights);
        let joints = doc.accessor(U8, "VEC4", 6, &[0, 1, 0, 0].repeat(6));
        let attributes = &mut doc.json["meshes"][0]["primitives"][0]["attributes"];
        attributes["WEIGHTS_0"] = json!(weights);
        attributes["JOINTS_0"] = json!(joints);
        let asset = read(&doc);
        let found = asset.mesh.as_ref().unwrap().primitives[0].vertices.weights[0];
        assert!((found[0] - 0.2).abs() < 1e-6 && (found[1] - 0.8).abs() < 1e-6, "{found:?}");
    }
}

#[test]
fn uneven_keys_get_frames_they_fall_on() {
    let asset = read(&swinging_pole("LINEAR", &[0.0, 0.125, 0.5, 0.75]));
    assert_eq!((asset.clips[0].frame_count(), asset.clips[0].fps()), (19, 24.0));
    let turned = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    assert!(asset.clips[0].rotation(3, 1).abs_diff_eq(turned, 1e-6));
}

#[test]
fn clips_start_at_their_first_key_and_keep_their_last() {
    let asset = read(&swinging_pole("LINEAR", &[2.0, 2.0 + 0.5143]));
    let clip = &asset.clips[0];
    assert_eq!((clip.frame_count(), clip.fps()), (32, 60.0));
    let turned = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    assert!(clip.rotation(0, 1).abs_diff_eq(Quat::IDENTITY, 1e-6));
    assert!(clip.rotation(31, 1).abs_diff_eq(turned, 1e-6));
}

#[test]
fn a_given_rate_counts() {
    let asset = read_at(&swinging_pole("LINEAR", &[0.0, 1.0]), 50.0);
    assert_eq!((asset.clips[0].frame_count(), asset.clips[0].fps()), (51, 50.0));
}

#[test]
fn scale_of_an_armature_goes_to_offsets_and_mesh() {
    let mut doc = skinned_pole();
    doc.json["scenes"][0]["nodes"] = json!([2, 3]);
    doc.push("nodes", json!({ "name": "armature", "scale": [0.01, 0.01, 0.01], "children": [0] }));
    let asset = read(&doc);
    let rest = asset.skeleton.rest_models();
    assert_eq!(asset.skeleton.len(), 2, "the armature is no joint");
    assert_near(rest[0].translation, [0.0, 0.005, 0.0]);
    assert_near(rest[1].translation, [0.0, 0.015, 0.0]);
    assert_near(skin(&asset, 0, &rest)[5], [0.0, 0.016, 0.0]);
    let mesh = asset.mesh.as_ref().unwrap();
    assert_near(mesh.primitives[0].vertices.positions[5], [0.0, 0.016, 0.0]);
    assert!(mesh.inverse_binds.iter().all(|bind| (bind.determinant() - 1.0).abs() < 1e-4));
    assert!(warns(&asset, "scale of 100"), "{:?}", asset.warnings);
}

#[test]
fn uneven_scale_of_a_joint_goes_to_children_and_mesh() {
    let mut doc = skinned_pole();
    doc.json["nodes"][0]["scale"] = json!([1.0, 3.0, 0.5]);
    doc.json["nodes"][0]["rotation"] = json!([0.6, 0.0, 0.0, 0.8]);
    let asset = read(&doc);
    let rest = asset.skeleton.rest_models();
    let turn = Quat::from_xyzw(0.6, 0.0, 0.0, 0.8);
    let base = Vec3::new(0.0, 0.5, 0.0);
    assert!(rest[1].translation.distance(base + turn * Vec3::new(0.0, 3.0, 0.0)) < 1e-5);
    // A vertex of the base, 0.1 above it and 0.1 beside it at binding.
    let vertex = skin(&asset, 0, &rest)[2];
    assert!(vertex.distance(base + turn * Vec3::new(0.0, 0.3, 0.0)) < 1e-5);
    let vertex = skin(&asset, 0, &rest)[3];
    assert!(vertex.distance(rest[1].translation + turn * Vec3::new(0.1, 0.0, 0.0)) < 1e-5);
}

#[test]
fn animated_scale_moves_children_and_warns() {
    let mut doc = skinned_pole();
    let times = doc.floats("SCALAR", &[0.0, 1.0]);
    let values = doc.floats("VEC3", &[1.0, 1.0, 1.0, 1.0, 2.0, 1.0]);
    doc.animate(0, "scale", "LINEAR", times, values);
    let asset = read(&doc);
    assert_near(models(&asset, 0)[1].translation, [0.0, 1.5, 0.0]);
    assert_near(models(&asset, 15)[1].translation, [0.0, 2.0, 0.0]);
    assert_near(models(&asset, 30)[1].translation, [0.0, 2.5, 0.0]);
    assert!(warns(&asset, "change the scale of joints (`base`)"), "{:?}", asset.warnings);
}

#[test]
fn a_joint_scaled_to_nothing_keeps_its_rotation() {
    let mut doc = swinging_pole("LINEAR", &[0.0, 1.0]);
    doc.json["nodes"][1]["scale"] = json!([0.0, 0.0, 0.0]);
    let asset = read(&doc);
    let turned = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    assert!(asset.clips[0].rotation(30, 1).abs_diff_eq(turned, 1e-6));
}

#[test]
fn matrices_above_the_root_are_part_of_it() {
    let mut doc = swinging_pole("LINEAR", &[0.0, 1.0]);
    // A document that is Z up, one metre along X, under a node that says so.
    let turn = [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 1];
    doc.push("nodes", json!({ "name": "Z_UP", "matrix": turn, "children": [0] }));
    doc.json["scenes"][0]["nodes"] = json!([2, 3]);
    let asset = read(&doc);
    assert_eq!(asset.skeleton.joint(0).name, "base");
    assert_near(asset.skeleton.rest_models()[1].translation, [1.0, 0.0, -1.5]);
    assert_near(models(&asset, 30)[1].translation, [1.0, 0.0, -1.5]);
    assert_near(skin(&asset, 0, &models(&asset, 30))[5], [1.0, 0.1, -1.5]);
}

#[test]
fn an_animated_node_above_the_root_moves_it() {
    let mut doc = skinned_pole();
    doc.push("nodes", json!({ "name": "armature", "children": [0] }));
    doc.json["scenes"][0]["nodes"] = json!([2, 3]);
    let times = doc.floats("SCALAR", &[0.0, 1.0]);
    let values = doc.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 0.0, 3.0]);
    doc.animate(3, "translation", "LINEAR", times, values);
    let asset = read(&doc);
    assert_eq!(asset.skeleton.len(), 2);
    assert_near(models(&asset, 10)[1].translation, [0.0, 1.5, 1.0]);
}

#[test]
fn animated_nodes_without_a_skin_are_joints() {
    let mut doc = pole();
    doc.json.as_object_mut().unwrap().remove("skins");
    let mesh = triangle(&mut doc);
    doc.json["nodes"][1]["mesh"] = json!(mesh);
    let times = doc.floats("SCALAR", &[0.0, 1.0]);
    let values = doc.floats("VEC3", &[0.0, 1.0, 0.0, 2.0, 1.0, 0.0]);
    doc.animate(1, "translation", "LINEAR", times, values);
    let asset = read(&doc);
    assert_eq!(asset.skeleton.joint(0).name, "top");
    assert_near(skin(&asset, 0, &models(&asset, 30))[1], [2.2, 1.5, 0.0]);

    doc.json.as_object_mut().unwrap().remove("animations");
    let error = gltf::read(&doc.glb(), None, "file", &ReadOptions::default()).unwrap_err();
    assert!(error.message.contains("no skeleton"), "{error}");
}

#[test]
fn nodes_alone_are_a_skeleton() {
    let mut doc = pole();
    doc.json.as_object_mut().unwrap().remove("skins");
    assert_eq!(read(&doc).skeleton.len(), 2);
}

#[test]
fn plain_nodes_at_the_ends_are_tips() {
    let mut doc = pole();
    doc.json["nodes"][1]["children"] = json!([2]);
    doc.push("nodes", json!({ "name": "top_end", "translation": [0.0, 0.25, 0.0] }));
    let asset = read(&doc);
    assert_eq!(asset.skeleton.len(), 2);
    assert_near(asset.skeleton.joint(1).tip.unwrap(), [0.0, 0.25, 0.0]);
}

#[test]
fn separate_skeletons_meet_at_their_common_ancestor() {
    let mut doc = pole();
    doc.json["skins"] = json!([{ "joints": [1] }, { "joints": [2] }]);
    doc.push("nodes", json!({ "name": "other", "translation": [1.0, 0.0, 0.0] }));
    doc.json["nodes"][0]["children"] = json!([1, 2]);
    let asset = read(&doc);
    let names: Vec<_> = asset.skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["base", "top", "other"]);
}

#[test]
fn skeletons_without_a_common_ancestor_get_a_root_at_the_origin() {
    let mut doc = pole();
    doc.push("nodes", json!({ "name": "root", "translation": [1.0, 0.0, 0.0] }));
    doc.json["skins"] = json!([{ "joints": [0, 1] }, { "joints": [2] }]);
    doc.json["scenes"][0]["nodes"] = json!([0, 2]);
    let asset = read(&doc);
    let joints = asset.skeleton.joints();
    let names: Vec<_> = joints.iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["root", "base", "top", "root_2"]);
    assert_eq!(joints[0].rest, Transform::IDENTITY);
    assert_near(asset.skeleton.rest_models()[3].translation, [1.0, 0.0, 0.0]);
}

#[test]
fn skins_that_share_joints_share_a_space() {
    // The second mesh was modelled a metre to the left.
    let mut doc = skinned_pole();
    let positions: Vec<f32> = (0..6).flat_map(|v| [-1.0 + 0.1 * v as f32, 0.7, 0.0]).collect();
    add_skinned_mesh(&mut doc, &positions);
    let binds: Vec<f32> =
        [-0.5, -1.5].into_iter().flat_map(|y| translation([1.0, y, 0.0])).collect();
    let binds = doc.floats("MAT4", &binds);
    let skin_index = doc.push("skins", json!({ "joints": [0, 1], "inverseBindMatrices": binds }));
    doc.json["nodes"][3]["skin"] = json!(skin_index);
    let asset = read(&doc);
    assert!(asset.warnings.is_empty(), "{:?}", asset.warnings);
    let rest = asset.skeleton.rest_models();
    assert_near(skin(&asset, 0, &rest)[5], [0.0, 1.6, 0.0]);
    for (vertex, found) in skin(&asset, 1, &rest).into_iter().enumerate() {
        assert_near(found, [0.1 * vertex as f32, 0.7, 0.0]);
    }
}

#[test]
fn skins_that_disagree_are_fitted_to_the_rest_pose() {
    let mut doc = skinned_pole();
    add_skinned_mesh(&mut doc, &[0.3; 18]);
    // Bound in another pose: the upper joint was lower.
    let binds: Vec<f32> =
        [-0.5, -1.0].into_iter().flat_map(|y| translation([0.0, y, 0.0])).collect();
    let binds = doc.floats("MAT4", &binds);
    let skin_index = doc.push("skins", json!({ "joints": [0, 1], "inverseBindMatrices": binds }));
    doc.json["nodes"][3]["skin"] = json!(skin_index);
    let asset = read(&doc);
    assert!(warns(&asset, "skins[1]"), "{:?}", asset.warnings);
    let found = skin(&asset, 1, &asset.skeleton.rest_models());
    assert_near(found[0], [0.3, 0.3, 0.3]);
    assert_near(found[5], [0.3, 0.8, 0.3]);
}

#[test]
fn the_strongest_four_of_eight_influences_stay() {
    let mut doc = skinned_pole();
    let joints = doc.accessor(U8, "VEC4", 6, &[0, 1, 2, 3].repeat(6));
    let more_joints = doc.accessor(U8, "VEC4", 6, &[4, 0, 0, 0].repeat(6));
    let weights = doc.floats("VEC4", &[0.1, 0.2, 0.3, 0.2].repeat(6));
    // The second set names joint 0 again: together it has 0.15.
    let more = doc.floats("VEC4", &[0.08, 0.05, 0.0, 0.0].repeat(6));
    for number in 0..3 {
        doc.push("nodes", json!({ "name": format!("j{number}") }));
    }
    doc.json["nodes"][1]["children"] = json!([3, 4, 5]);
    doc.json["skins"][0] = json!({ "joints": [0, 1, 3, 4, 5] });
    let attributes = &mut doc.json["meshes"][0]["primitives"][0]["attributes"];
    attributes["JOINTS_0"] = json!(joints);
    attributes["JOINTS_1"] = json!(more_joints);
    attributes["WEIGHTS_0"] = json!(weights);
    attributes["WEIGHTS_1"] = json!(more);
    let asset = read(&doc);
    let vertices = &asset.mesh.as_ref().unwrap().primitives[0].vertices;
    let mut pairs: Vec<_> = vertices.joints[0].into_iter().zip(vertices.weights[0]).collect();
    pairs.sort_by_key(|pair| pair.0);
    let total = 0.3 + 0.2 + 0.2 + 0.15;
    let sum: f32 = vertices.weights[0].iter().sum();
    assert!((sum - 1.0).abs() < 1e-6);
    assert_eq!(pairs[1].0, 1);
    assert!((pairs[1].1 - 0.2 / total).abs() < 1e-6, "{pairs:?}");
    assert!(pairs.iter().any(|&(joint, w)| joint == 2 && (w - 0.3 / total).abs() < 1e-6));
}

#[test]
fn meshes_without_a_skin_are_rigid_parts_of_their_joint() {
    let mut doc = swinging_pole("LINEAR", &[0.0, 1.0]);
    let mesh = triangle(&mut doc);
    // On a plain node below the joint, mirrored and larger.
    let hat = json!({ "name": "hat", "mesh": mesh, "translation": [0.0, 0.1, 0.0], "scale": [-2.0, 2.0, 2.0] });
    let hat = doc.push("nodes", hat);
    doc.json["nodes"][1]["children"] = json!([hat]);
    let ground = doc.push("nodes", json!({ "name": "ground", "mesh": mesh }));
    doc.json["scenes"][0]["nodes"].as_array_mut().unwrap().push(json!(ground));
    let asset = read(&doc);
    assert_eq!(asset.skeleton.len(), 2);
    let rest = skin(&asset, 1, &asset.skeleton.rest_models());
    assert_near(rest[1], [-0.4, 1.6, 0.0]);
    let posed = skin(&asset, 1, &models(&asset, 30));
    assert_near(posed[2], [0.0, 1.5, 0.5]);
    // Mirrored triangles are turned over, so that their normals still point out.
    let part = &asset.mesh.as_ref().unwrap().primitives[1];
    assert_eq!(part.indices, [0, 2, 1]);
    assert_near(part.vertices.normals[0], [0.0, 0.0, 1.0]);
    assert!(warns(&asset, "`ground`"), "{:?}", asset.warnings);
}

#[test]
fn missing_bind_matrices_are_the_identity() {
    let mut doc = skinned_pole();
    doc.json["skins"][0] = json!({ "joints": [0, 1] });
    let asset = read(&doc);
    let found = skin(&asset, 0, &asset.skeleton.rest_models());
    assert_near(found[2], [0.0, 1.1, 0.0]);
    assert_near(found[5], [0.0, 3.1, 0.0]);
}

#[test]
fn strips_and_fans_become_triangles() {
    for (mode, expected) in
        [(5, [0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5]), (6, [1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5, 0])]
    {
        let mut doc = skinned_pole();
        doc.json["meshes"][0]["primitives"][0]["mode"] = json!(mode);
        let indices = &read(&doc).mesh.unwrap().primitives[0].indices;
        assert_eq!(indices, &expected);
    }
    let mut doc = skinned_pole();
    doc.json["meshes"][0]["primitives"][0]["mode"] = json!(1);
    let asset = read(&doc);
    assert!(asset.mesh.is_none() && warns(&asset, "points or lines"));
}

#[test]
fn morph_targets_and_their_weights_are_left_out_with_a_warning() {
    let mut doc = swinging_pole("LINEAR", &[0.0, 1.0]);
    doc.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": 0 }]);
    let channel = json!({ "sampler": 0, "target": { "node": 2, "path": "weights" } });
    doc.json["animations"][0]["channels"].as_array_mut().unwrap().push(channel);
    let asset = read(&doc);
    assert_eq!(asset.clips.len(), 1);
    assert!(warns(&asset, "morph targets of 1"), "{:?}", asset.warnings);
    assert!(warns(&asset, "morph targets in 1 animations (`move`)"), "{:?}", asset.warnings);
}

#[test]
fn every_animation_is_a_clip_and_has_a_name() {
    let mut doc = swinging_pole("LINEAR", &[0.0, 1.0]);
    let mut second = doc.json["animations"][0].clone();
    second.as_object_mut().unwrap().remove("name");
    let third = doc.json["animations"][0].clone();
    // For a camera or an extension.
    let mut fourth = doc.json["animations"][0].clone();
    fourth["name"] = json!("pointer");
    fourth["channels"][0]["target"] = json!({ "path": "pointer", "extensions": {} });
    for animation in [second, third, fourth] {
        doc.push("animations", animation);
    }
    let asset = read(&doc);
    let names: Vec<_> = asset.clips.iter().map(|clip| clip.name()).collect();
    assert_eq!(names, ["move", "file_1", "move_2"]);
    assert!(warns(&asset, "move no joint and were left out (`pointer`)"), "{:?}", asset.warnings);
}

#[test]
fn equal_names_are_made_unique_with_a_warning() {
    let mut doc = pole();
    doc.json["nodes"][1]["name"] = json!("base");
    let asset = read(&doc);
    assert_eq!(asset.skeleton.joint(1).name, "base_2");
    assert!(warns(&asset, "`base` is now `base_2`"), "{:?}", asset.warnings);
}

#[test]
fn animated_nodes_beside_the_skeleton_are_left_out_with_a_warning() {
    let mut doc = swinging_pole("LINEAR", &[0.0, 1.0]);
    let camera = doc.push("nodes", json!({ "name": "camera" }));
    let channel = json!({ "sampler": 0, "target": { "node": camera, "path": "rotation" } });
    doc.json["animations"][0]["channels"].as_array_mut().unwrap().push(channel);
    let asset = read(&doc);
    assert_eq!(asset.skeleton.len(), 2);
    assert!(warns(&asset, "camera"), "{:?}", asset.warnings);
}

#[test]
fn base_colours_and_their_images_are_kept() {
    let mut doc = skinned_pole();
    let png = b"\x89PNG\r\n\x1a\n and so on";
    let view = doc.view(png);
    let uvs = doc.floats("VEC2", &[0.5; 12]);
    doc.push("images", json!({ "bufferView": view, "mimeType": "image/png" }));
    doc.push("textures", json!({ "source": 0 }));
    let pbr = json!({
        "baseColorFactor": [1.0, 0.5, 0.25, 1.0],
        "baseColorTexture": { "index": 0, "texCoord": 1 },
        "metallicFactor": 0.5,
        "roughnessFactor": 0.25,
    });
    doc.push("materials", json!({ "name": "unused" }));
    doc.push(
        "materials",
        json!({ "name": "fur", "pbrMetallicRoughness": pbr, "doubleSided": true }),
    );
    let primitive = &mut doc.json["meshes"][0]["primitives"][0];
    primitive["material"] = json!(1);
    primitive["attributes"]["TEXCOORD_1"] = json!(uvs);
    let asset = read(&doc);
    let mesh = asset.mesh.as_ref().unwrap();
    assert_eq!(mesh.materials.len(), 1);
    let material = &mesh.materials[0];
    assert_eq!((material.name.as_str(), material.double_sided), ("fur", true));
    assert_eq!(material.base_color, [1.0, 0.5, 0.25, 1.0]);
    assert_eq!((material.metallic, material.roughness), (0.5, 0.25));
    let texture = material.base_color_texture.as_ref().unwrap();
    assert_eq!((texture.mime_type.as_str(), texture.bytes.as_slice()), ("image/png", &png[..]));
    assert_eq!(mesh.primitives[0].vertices.uvs.len(), 6);

    // A picture that cannot be had does not cost the character.
    doc.json["images"][0] = json!({ "uri": "fur.png" });
    let asset = read(&doc);
    assert!(warns(&asset, "material `fur` has lost its texture"), "{:?}", asset.warnings);
}

#[test]
fn colours_of_vertices_have_three_or_four_numbers() {
    for (kind, values, expected) in [
        ("VEC3", vec![51, 102, 255], [0.2, 0.4, 1.0, 1.0]),
        ("VEC4", vec![51, 102, 255, 0], [0.2, 0.4, 1.0, 0.0]),
    ] {
        let mut doc = skinned_pole();
        let colors = doc.normalized(U8, kind, &values.repeat(6));
        doc.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = json!(colors);
        let asset = read(&doc);
        let found = asset.mesh.as_ref().unwrap().primitives[0].vertices.colors[5];
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}");
    }
}

#[test]
fn buffers_and_images_come_from_files_beside_the_document() {
    let doc = swinging_pole("LINEAR", &[0.0, 1.0]);
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("data")).unwrap();
    std::fs::write(folder.path().join("data/my arm.bin"), &doc.binary).unwrap();
    let read = |uri: &str, base: Option<&std::path::Path>| {
        gltf::read(&doc.gltf(uri), base, "file", &ReadOptions::default())
    };
    let asset = read("data/my%20arm.bin", Some(folder.path())).unwrap();
    assert_eq!(asset.clips[0].frame_count(), 31);
    for (uri, base, word) in [
        ("data/my%20arm.bin", None, "folder"),
        ("data/other.bin", Some(folder.path()), "cannot be read"),
        ("data", Some(folder.path()), "cannot be read"),
        ("../my arm.bin", Some(folder.path()), "leads out"),
        ("/etc/hostname", Some(folder.path()), "is not in the folder"),
        ("http://example.org/a.bin", Some(folder.path()), "is not in the folder"),
    ] {
        let error = read(uri, base).unwrap_err();
        assert!(error.message.contains(word), "{uri}: {error}");
    }
}

#[test]
fn accessors_that_share_nothing_but_hunger_are_refused() {
    // Each accessor alone would pass: zeros need no bytes in the file.
    let zeros = |kind: &str| json!({ "componentType": F32, "type": kind, "count": 1_500_000 });
    let mut doc = pole();
    let times = doc.push("accessors", zeros("SCALAR"));
    for _ in 0..40 {
        let values = doc.push("accessors", zeros("VEC3"));
        doc.animate(1, "translation", "LINEAR", times, values);
    }
    let error = gltf::read(&doc.glb(), None, "file", &ReadOptions::default()).unwrap_err();
    assert!(error.message.contains("far more data"), "{error}");

    let mut doc = skinned_pole();
    let mesh = doc.json["meshes"][0].clone();
    for node in 0..40 {
        let positions = doc.push("accessors", zeros("VEC3"));
        let mut mesh = mesh.clone();
        mesh["primitives"][0]["attributes"] = json!({ "POSITION": positions });
        let mesh = doc.push("meshes", mesh);
        let node = doc.push("nodes", json!({ "name": format!("n{node}"), "mesh": mesh }));
        doc.json["nodes"][1]["children"] = json!((3..=node).collect::<Vec<_>>());
    }
    let error = gltf::read(&doc.glb(), None, "file", &ReadOptions::default()).unwrap_err();
    assert!(error.message.contains("far more data"), "{error}");
}

#[test]
fn embedded_buffers_are_decoded() {
    let doc = swinging_pole("LINEAR", &[0.0, 1.0]);
    use base64::Engine;
    let data = base64::engine::general_purpose::STANDARD.encode(&doc.binary);
    let text = doc.gltf(&format!("data:application/octet-stream;base64,{data}"));
    let asset = gltf::read(&text, None, "file", &ReadOptions::default()).unwrap();
    // It comes from another document.
    let original = asset.original.clone();
    assert_eq!(asset, andante_formats::Asset { original, ..read(&doc) });
}
