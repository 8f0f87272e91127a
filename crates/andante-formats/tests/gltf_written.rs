//! What is written: characters made in code survive it, and the rest of the scene is there.

#![allow(clippy::unwrap_used)]

use andante_formats::gltf::{self, GltfBody, GltfWriteOptions, StaticMesh, WriteError};
use andante_formats::{Asset, ReadLimits, ReadOptions, UnitSource, Units};
use andante_skeleton::{
    Clip, Joint, Material, Pose, Primitive, Skeleton, SkinnedMesh, SkinnedMeshError, Texture,
    Transform, Vertices,
};
use glam::{Mat4, Quat, Vec2, Vec3};
use proptest::prelude::*;
use serde_json::Value;

fn asset(skeleton: Skeleton, clips: Vec<Clip>, mesh: Option<SkinnedMesh>) -> Asset {
    let units = Units { scale: 1.0, source: UnitSource::Stated };
    Asset { mesh, units, ..Asset::new(skeleton, clips) }
}

/// A body with two arms, turned rest rotations and a tip.
fn figure() -> Skeleton {
    let mut joints = vec![
        Joint::new("hips", None, Vec3::new(0.0, 1.0, 0.1)),
        Joint::new("chest", Some(0), Vec3::new(0.0, 0.4, 0.0)),
        Joint::new("arm.L", Some(1), Vec3::new(0.2, 0.1, 0.0)),
        Joint::new("hand.L", Some(2), Vec3::new(0.5, 0.0, 0.0)),
        Joint::new("arm.R", Some(1), Vec3::new(-0.2, 0.1, 0.0)),
        Joint::new("hand.R", Some(4), Vec3::new(0.0, 0.5, 0.0)),
    ];
    joints[0].rest.rotation = Quat::from_rotation_y(0.3);
    joints[4].rest.rotation = Quat::from_rotation_z(1.2);
    joints[3].tip = Some(Vec3::new(0.15, 0.0, 0.02));
    Skeleton::new(joints).unwrap()
}

fn clip(skeleton: &Skeleton, fps: f32, frames: usize) -> Clip {
    let transforms = (0..frames).flat_map(|frame| {
        let time = frame as f32 / fps;
        let mut pose = Pose::rest(skeleton);
        pose[0].translation += Vec3::new(0.1 * time, (3.0 * time).sin() * 0.05, time);
        for (joint, transform) in pose.iter_mut().enumerate() {
            let turn = Quat::from_rotation_x((time * 2.0 + joint as f32).sin() * 0.6);
            transform.rotation *= turn;
        }
        pose.to_vec()
    });
    Clip::new("wave", skeleton, fps, transforms.collect()).unwrap()
}

fn through(asset: &Asset) -> Asset {
    let bytes = gltf::write_glb(asset, &GltfWriteOptions::default()).unwrap();
    gltf::read(&bytes, None, "file", &ReadOptions::default()).unwrap()
}

fn document(bytes: &[u8]) -> Value {
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&bytes[20..20 + length]).unwrap()
}

/// The largest distance between joints of two clips, in metres.
fn difference(a: (&Skeleton, &Clip), b: (&Skeleton, &Clip)) -> f32 {
    assert_eq!(a.1.frame_count(), b.1.frame_count());
    let mut largest: f32 = 0.0;
    let (mut from, mut to) = (a.0.rest_models(), b.0.rest_models());
    for frame in 0..a.1.frame_count() {
        a.0.local_to_model(a.1.frame(frame), &mut from);
        b.0.local_to_model(b.1.frame(frame), &mut to);
        for (from, to) in from.iter().zip(&to) {
            largest = largest.max(from.translation.distance(to.translation));
        }
    }
    largest
}

#[test]
fn skeleton_clip_and_tips_made_in_code_come_back() {
    for (fps, frames) in [(30.0, 40), (24.0, 2), (120.0, 300), (59.94, 100), (12.0, 9)] {
        let skeleton = figure();
        let before = asset(skeleton.clone(), vec![clip(&skeleton, fps, frames)], None);
        let after = through(&before);
        for (a, b) in skeleton.joints().iter().zip(after.skeleton.joints()) {
            assert_eq!((&a.name, a.parent), (&b.name, b.parent));
            assert!(a.rest.translation.distance(b.rest.translation) < 1e-6);
            assert_eq!(a.tip.is_some(), b.tip.is_some(), "{}", a.name);
        }
        let tip = after.skeleton.joint(3).tip.unwrap();
        assert!(tip.distance(Vec3::new(0.15, 0.0, 0.02)) < 1e-6);
        assert_eq!(after.clips[0].name(), "wave");
        assert!((after.clips[0].fps() - fps).abs() < 2e-3, "{fps}: {}", after.clips[0].fps());
        let worst = difference((&skeleton, &before.clips[0]), (&after.skeleton, &after.clips[0]));
        assert!(worst < 1e-4, "{worst} m at {fps}");
        assert!(after.warnings.is_empty(), "{:?}", after.warnings);
    }
}

#[test]
fn clips_that_do_not_move_keep_their_length() {
    let skeleton = figure();
    let rest: Vec<Transform> = Pose::rest(&skeleton).to_vec();
    let mut bent = rest.clone();
    bent[2].rotation = Quat::from_rotation_y(1.0);
    let still = |name: &str, pose: &[Transform], frames: usize| {
        Clip::new(name, &skeleton, 30.0, pose.repeat(frames)).unwrap()
    };
    let clips = vec![still("rest", &rest, 61), still("bent", &bent, 61), still("one", &bent, 1)];
    let before = asset(skeleton.clone(), clips, None);
    let after = through(&before);
    for (a, b) in before.clips.iter().zip(&after.clips) {
        assert_eq!((a.name(), a.frame_count(), a.fps()), (b.name(), b.frame_count(), b.fps()));
        assert!(difference((&skeleton, a), (&after.skeleton, b)) < 1e-5);
    }
    // Little is written for them.
    let bytes = gltf::write_glb(&before, &GltfWriteOptions::default()).unwrap();
    let animations = &document(&bytes)["animations"];
    let channels = |index: usize| animations[index]["channels"].as_array().unwrap().len();
    assert_eq!([channels(0), channels(1), channels(2)], [1, 2, 1]);
}

#[test]
fn large_skeletons_and_meshes_get_larger_indices() {
    let joints = (0..300usize).map(|index| {
        let parent = index.checked_sub(1);
        Joint::new(format!("j{index}"), parent, Vec3::Y * 0.01)
    });
    let skeleton = Skeleton::new(joints.collect()).unwrap();
    let count = 70_000;
    let vertices = Vertices {
        positions: (0..count).map(|v| Vec3::new(v as f32 * 1e-4, (v % 7) as f32, 0.0)).collect(),
        joints: (0..count).map(|v| [(v % 300) as u16, 0, 0, 0]).collect(),
        weights: vec![[1.0, 0.0, 0.0, 0.0]; count],
        ..Default::default()
    };
    let indices = (0..count as u32 / 3 * 3).rev().collect();
    let mesh = SkinnedMesh {
        primitives: vec![Primitive { vertices, indices, material: None }],
        materials: Vec::new(),
        inverse_binds: vec![Mat4::IDENTITY; 300],
    };
    let before = asset(skeleton, Vec::new(), Some(mesh.clone()));
    let after = through(&before).mesh.unwrap();
    assert!(after.primitives == mesh.primitives);
}

#[test]
fn untidy_meshes_are_tidied() {
    let skeleton = figure();
    let png = Texture { mime_type: "image/png".into(), bytes: b"\x89PNG\r\n\x1a\n...".to_vec() };
    let material = Material { base_color_texture: Some(png), ..Default::default() };
    let vertices = Vertices {
        positions: vec![Vec3::X, Vec3::Y, Vec3::Z],
        normals: vec![Vec3::new(0.0, 0.0, 7.0), Vec3::ZERO, Vec3::X],
        // The same joint twice, a sum of 2, nothing at all.
        joints: vec![[1, 1, 0, 0], [2, 3, 0, 0], [5, 4, 3, 2]],
        weights: vec![[0.25, 0.75, 0.0, 0.0], [1.5, 0.5, 0.0, 0.0], [0.0; 4]],
        colors: vec![[2.0, -1.0, 0.5, 1.0]; 3],
        ..Default::default()
    };
    let with_uvs = Vertices { uvs: vec![Vec2::ZERO; 3], ..vertices.clone() };
    let part = |vertices| Primitive { vertices, indices: vec![0, 1, 2], material: Some(0) };
    let mesh = SkinnedMesh {
        primitives: vec![part(vertices), part(with_uvs), Primitive::default()],
        materials: vec![material],
        inverse_binds: vec![Mat4::IDENTITY; 6],
    };
    let after = through(&asset(skeleton, Vec::new(), Some(mesh))).mesh.unwrap();
    assert_eq!(after.primitives.len(), 2, "an empty part is not written");
    let vertices = &after.primitives[0].vertices;
    assert_eq!((vertices.joints[0], vertices.weights[0]), ([1, 0, 0, 0], [1.0, 0.0, 0.0, 0.0]));
    assert_eq!(vertices.weights[1], [0.75, 0.25, 0.0, 0.0]);
    assert_eq!(vertices.weights[2], [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(vertices.normals[0], Vec3::Z);
    assert_eq!(vertices.colors[0], [1.0, 0.0, 0.5, 1.0]);
    // A texture needs coordinates.
    let texture = |part: usize| &after.materials[after.primitives[part].material.unwrap()];
    assert!(texture(0).base_color_texture.is_none());
    assert!(texture(1).base_color_texture.is_some());
}

#[test]
fn things_beside_the_character_are_written_in_world_space() {
    let ground = StaticMesh {
        name: "ground".into(),
        positions: vec![Vec3::ZERO, Vec3::Z * 5.0, Vec3::X * 5.0],
        normals: vec![Vec3::Y; 3],
        indices: vec![0, 1, 2],
        color: [0.2, 0.5, 0.2, 1.0],
    };
    let glass =
        StaticMesh { name: "glass".into(), normals: Vec::new(), color: [0.5; 4], ..ground.clone() };
    let nothing = StaticMesh { name: "nothing".into(), ..Default::default() };
    let options = GltfWriteOptions {
        body: GltfBody::None,
        extra: vec![ground, glass, nothing],
        ..Default::default()
    };
    let bytes = gltf::write_glb(&asset(figure(), Vec::new(), None), &options).unwrap();
    let document = document(&bytes);
    let nodes = document["nodes"].as_array().unwrap();
    let scene = document["scenes"][0]["nodes"].as_array().unwrap();
    let node = |name: &str| nodes.iter().position(|node| node["name"] == name);
    for name in ["ground", "glass"] {
        let node = node(name).unwrap();
        assert!(scene.iter().any(|shown| *shown == node) && nodes[node].get("skin").is_none());
    }
    assert_eq!(node("nothing"), None);
    assert_eq!(document["accessors"][0]["max"], serde_json::json!([5.0, 0.0, 5.0]));
    let materials = document["materials"].as_array().unwrap();
    assert_eq!(materials[1]["alphaMode"], "BLEND");
    assert_eq!(document["asset"]["generator"], "Andante");
}

#[test]
fn a_world_beside_an_animated_character_comes_back_as_it_was() {
    let ground = StaticMesh {
        name: "ground".into(),
        positions: vec![Vec3::ZERO, Vec3::Z * 5.0, Vec3::new(5.0, 1.0, 0.0), Vec3::X],
        normals: vec![Vec3::Y; 4],
        indices: vec![0, 1, 2, 0, 2, 3],
        color: [0.25, 0.5, 0.25, 1.0],
    };
    let rock = StaticMesh { name: "rock".into(), normals: Vec::new(), ..ground.clone() };
    let skeleton = figure();
    let asset = asset(skeleton.clone(), vec![clip(&skeleton, 30.0, 20)], None);
    let options =
        GltfWriteOptions { extra: vec![ground.clone(), rock.clone()], ..Default::default() };
    for bytes in [gltf::write_glb(&asset, &options), gltf::write_gltf(&asset, &options)] {
        let bytes = bytes.unwrap();
        // The character's own mesh has a skin and is no part of the world.
        assert_eq!(
            gltf::read_meshes(&bytes, None, &ReadLimits::default()).unwrap(),
            [ground.clone(), rock.clone()]
        );
        let read = gltf::read(&bytes, None, "file", &ReadOptions::default()).unwrap();
        assert_eq!((read.skeleton.len(), read.clips.len()), (6, 1));
        assert!(read.mesh.is_some());
    }
}

#[test]
fn meshes_are_read_where_their_nodes_put_them() {
    let text = r#"{
        "asset": { "version": "2.0" },
        "scenes": [{ "nodes": [0] }],
        "nodes": [
            { "children": [1], "translation": [1, 0, 0], "scale": [2, 2, -2] },
            { "name": "plate", "mesh": 0, "translation": [0, 1, 0] },
            { "mesh": 0 }
        ],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
        "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3" }],
        "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
        "buffers": [{ "byteLength": 36, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAIA/AACAPwAAAAAAAAAA" }]
    }"#;
    let meshes = gltf::read_meshes(text.as_bytes(), None, &ReadLimits::default()).unwrap();
    let [plate] = meshes.as_slice() else { panic!("{} meshes", meshes.len()) };
    let at = |x: f32, z: f32| Vec3::new(x, 2.0, z);
    assert_eq!(plate.positions, [at(1.0, 0.0), at(1.0, -2.0), at(3.0, 0.0)]);
    // A mirror turns triangles inside out, and they are turned back.
    assert_eq!((plate.name.as_str(), plate.indices.as_slice()), ("plate", [0, 2, 1].as_slice()));
    assert!(
        gltf::read_meshes(
            text.replace("\"mesh\": 0, ", "\"mesh\": 7, ").as_bytes(),
            None,
            &ReadLimits::default()
        )
        .is_err()
    );
}

#[test]
fn what_does_not_fit_is_refused_with_its_name() {
    let skeleton = figure();
    let write = |asset: &Asset, extra: Vec<StaticMesh>| {
        gltf::write_glb(asset, &GltfWriteOptions { extra, ..Default::default() }).unwrap_err()
    };
    let other = Skeleton::new(vec![Joint::new("alone", None, Vec3::ZERO)]).unwrap();
    let clip = clip(&other, 30.0, 2);
    let error = write(&asset(skeleton.clone(), vec![clip], None), Vec::new());
    assert_eq!(error, WriteError::Clip { clip: "wave".into(), found: 1, joints: 6 });

    let mesh = SkinnedMesh::default();
    let error = write(&asset(skeleton.clone(), Vec::new(), Some(mesh)), Vec::new());
    assert_eq!(error.to_string(), "0 inverse bind matrices for 6 joints");

    let mut mesh = SkinnedMesh { inverse_binds: vec![Mat4::IDENTITY; 6], ..Default::default() };
    mesh.inverse_binds[2].x_axis.x = f32::NAN;
    let error = write(&asset(skeleton.clone(), Vec::new(), Some(mesh)), Vec::new());
    assert_eq!(error, WriteError::Mesh(SkinnedMeshError::NonFiniteBind("arm.L".into())));

    let good = StaticMesh {
        name: "rock".into(),
        positions: vec![Vec3::ZERO; 3],
        indices: vec![0, 1, 2],
        ..Default::default()
    };
    let plain = asset(skeleton, Vec::new(), None);
    for (mesh, what) in [
        (StaticMesh { normals: vec![Vec3::Y], ..good.clone() }, "different lengths"),
        (StaticMesh { indices: vec![0, 1], ..good.clone() }, "whole triangles"),
        (StaticMesh { indices: vec![0, 1, 3], ..good.clone() }, "does not exist"),
        (StaticMesh { positions: vec![Vec3::NAN; 3], ..good.clone() }, "finite"),
        (StaticMesh { color: [f32::INFINITY; 4], ..good.clone() }, "finite"),
    ] {
        let error = write(&plain, vec![mesh]).to_string();
        assert!(error.contains("`rock`") && error.contains(what), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_clip_comes_back_to_a_tenth_of_a_millimetre(
        seed in proptest::collection::vec(-3.0f32..3.0, 6),
        moving in proptest::collection::vec(any::<bool>(), 6),
        frames in 2usize..40,
        fps in prop_oneof![Just(24.0f32), Just(25.0), Just(30.0), Just(60.0), Just(120.0), 10.0f32..240.0],
    ) {
        let skeleton = figure();
        let transforms = (0..frames).flat_map(|frame| {
            let mut pose = Pose::rest(&skeleton);
            for (joint, transform) in pose.iter_mut().enumerate() {
                let t = if moving[joint] { frame as f32 * 0.3 } else { 0.0 };
                let axis = Vec3::new(seed[joint], seed[(joint + 1) % 6], 1.0).normalize();
                transform.rotation *= Quat::from_axis_angle(axis, (t + seed[joint]).sin() * 2.0);
                if moving[(joint + 1) % 6] {
                    transform.translation += axis * (t * 0.7).sin() * 0.2;
                }
            }
            pose.to_vec()
        });
        let clip = Clip::new("any", &skeleton, fps, transforms.collect()).unwrap();
        let before = asset(skeleton.clone(), vec![clip], None);
        let after = through(&before);
        prop_assert!((after.clips[0].fps() / fps - 1.0).abs() < 0.01, "{}", after.clips[0].fps());
        let worst = difference((&skeleton, &before.clips[0]), (&after.skeleton, &after.clips[0]));
        prop_assert!(worst < 1e-4, "{worst}");
    }
}

/// A smooth motion of a generated body: what captured motions are like, between one frame and the next.
fn smooth_clip(skeleton: &Skeleton, seed: &[f32], fps: f32, frames: usize) -> Clip {
    let wave = |k: usize, time: f32| {
        let (size, pace) = (seed[k % seed.len()], 1.0 + 3.0 * seed[(k + 1) % seed.len()].abs());
        size * (pace * time + k as f32).sin()
    };
    let pose = |frame: usize| {
        let time = frame as f32 / fps;
        let mut pose = Pose::rest(skeleton);
        pose[0].translation += Vec3::new(wave(0, time), wave(1, time), time);
        for (joint, local) in pose.iter_mut().enumerate() {
            let turn = Vec3::new(wave(joint, time), wave(joint + 2, time), wave(joint + 4, time));
            local.rotation *= Quat::from_scaled_axis(turn);
        }
        pose[3].translation *= 1.0 + 0.1 * wave(7, time);
        pose.to_vec()
    };
    Clip::new("smooth", skeleton, fps, (0..frames).flat_map(pose).collect()).unwrap()
}

/// Where joints and tips are, by 4×4 matrices in double precision.
fn places_by_matrices(skeleton: &Skeleton, pose: &[Transform]) -> Vec<glam::DVec3> {
    let mut models: Vec<glam::DMat4> = Vec::new();
    let mut places = Vec::new();
    for (index, local) in pose.iter().enumerate() {
        let local = glam::DMat4::from_rotation_translation(
            local.rotation.as_dquat().normalize(),
            local.translation.as_dvec3(),
        );
        let model = skeleton.parent(index).map_or(local, |parent| models[parent] * local);
        places.push(model.transform_point3(glam::DVec3::ZERO));
        places.extend(skeleton.joint(index).tip.map(|tip| model.transform_point3(tip.as_dvec3())));
        models.push(model);
    }
    places
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn keys_are_left_out_as_long_as_no_joint_is_off_by_more_than_was_allowed(
        seed in proptest::collection::vec(-0.6f32..0.6, 9),
        millimetres in prop::sample::select(vec![0.1f32, 1.0, 5.0, 20.0]),
        fps in prop::sample::select(vec![24.0f32, 60.0, 119.88, 120.0]),
    ) {
        let skeleton = figure();
        let clip = smooth_clip(&skeleton, &seed, fps, 150);
        let asset = asset(skeleton.clone(), vec![clip.clone()], None);
        let all = gltf::write_glb(&asset, &GltfWriteOptions::default()).unwrap();
        let options = GltfWriteOptions { key_error: 1e-3 * millimetres, ..Default::default() };
        let few = gltf::write_glb(&asset, &options).unwrap();
        prop_assert!(few.len() <= all.len() + 2000, "{} of {}", few.len(), all.len());
        let read = gltf::read(&few, None, "file", &ReadOptions::default()).unwrap();
        let back = &read.clips[0];
        prop_assert_eq!(back.frame_count(), clip.frame_count());
        prop_assert!((back.fps() - clip.fps()).abs() < 1e-3);
        for frame in 0..clip.frame_count() {
            let before = places_by_matrices(&skeleton, clip.frame(frame));
            let after = places_by_matrices(&skeleton, back.frame(frame));
            for (a, b) in before.iter().zip(&after) {
                let off = 1e3 * a.distance(*b);
                prop_assert!(off <= f64::from(millimetres) + 0.02, "{} mm in frame {}", off, frame);
            }
        }
    }
}

#[test]
fn a_slow_motion_needs_few_keys() {
    let skeleton = figure();
    let slow = smooth_clip(&skeleton, &[0.2, 0.05, 0.1, 0.02], 120.0, 600);
    let asset = asset(skeleton, vec![slow], None);
    let options = GltfWriteOptions { body: GltfBody::None, ..Default::default() };
    let all = gltf::write_glb(&asset, &options).unwrap().len();
    let few =
        gltf::write_glb(&asset, &GltfWriteOptions { key_error: 2e-3, ..options }).unwrap().len();
    assert!(3 * few < all, "{few} of {all} bytes");
}
