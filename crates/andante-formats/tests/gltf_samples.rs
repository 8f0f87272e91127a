//! Real files: joints and skin against an independent reading, and the way through a written file
//! and back.

#![allow(clippy::unwrap_used)]

#[path = "support/oracle.rs"]
mod oracle;

use andante_formats::gltf::{self, GltfBody, GltfWriteOptions};
use andante_formats::{Asset, ReadOptions, UnitSource, UpAxis};
use andante_skeleton::{Clip, Skeleton, SkinnedMesh, Transform};
use glam::{DVec3, Vec3};
use oracle::Oracle;

const FILES: [&str; 6] = [
    "CesiumMan.glb",
    "Fox.glb",
    "RiggedFigure.glb",
    "RiggedSimple.glb",
    "horse-animations.glb",
    "spider-animations.glb",
];

fn bytes(file: &str) -> Option<Vec<u8>> {
    Some(std::fs::read(andante_testdata::gltf(file)?).unwrap())
}

fn read(bytes: &[u8], options: &ReadOptions) -> Asset {
    gltf::read(bytes, None, "clip", options).unwrap()
}

fn models(skeleton: &Skeleton, clip: &Clip, frame: usize) -> Vec<Transform> {
    let mut models = skeleton.rest_models();
    skeleton.local_to_model(clip.frame(frame), &mut models);
    models
}

/// 0.1 mm for a model the size of a person, and the same share of a larger one.
fn tolerance(skeleton: &Skeleton) -> f64 {
    let (low, high) = skeleton.rest_bounds();
    1e-4 * f64::from((high - low).max_element()).max(1.0)
}

#[test]
fn joints_and_skin_are_where_matrices_from_the_json_put_them() {
    for file in FILES {
        let Some(bytes) = bytes(file) else { return };
        let oracle = Oracle::new(&bytes);
        let asset = read(&bytes, &ReadOptions::default());
        let skeleton = &asset.skeleton;
        let mesh = asset.mesh.as_ref().unwrap();
        let vertices = &mesh.primitives[0].vertices;
        let attributes = oracle.attributes();
        assert_eq!(vertices.positions.len(), attributes.positions.len());
        let nodes: Vec<_> =
            skeleton.joints().iter().map(|joint| oracle.node_named(&joint.name)).collect();
        let within = tolerance(skeleton);
        let animations = oracle.animations();
        assert_eq!(asset.clips.len(), animations.len(), "{file}");

        let check = |models: &[Transform], worlds: &[oracle::Matrix], place: &str| {
            for (joint, &node) in nodes.iter().enumerate() {
                let world = &worlds[node];
                let expected = DVec3::new(world[0][3], world[1][3], world[2][3]);
                let found = models[joint].translation.as_dvec3();
                let name = &skeleton.joint(joint).name;
                assert!(
                    found.distance(expected) < within,
                    "{file} {place} {name} {found} {expected}"
                );
            }
            for vertex in (0..vertices.positions.len()).step_by(53) {
                let expected = DVec3::from(oracle.skinned(vertex, worlds, &attributes));
                let found = mesh.skin(vertices, vertex, models).as_dvec3();
                assert!(
                    found.distance(expected) < within,
                    "{file} {place} {vertex} {found} {expected}"
                );
            }
        };
        check(&skeleton.rest_models(), &oracle.worlds(None), "at rest");
        for (clip, animation) in asset.clips.iter().zip(&animations) {
            assert_eq!(clip.name(), animation.name.as_deref().unwrap_or("clip"));
            let duration = animation.end() - animation.start();
            assert!((f64::from(clip.duration()) - duration).abs() < 1e-4, "{file} {}", clip.name());
            for frame in (0..clip.frame_count()).step_by(1 + clip.frame_count() / 25) {
                let time = animation.start() + frame as f64 / f64::from(clip.fps());
                let worlds = oracle.worlds(Some((animation, time)));
                let place = format!("{} {frame}", clip.name());
                check(&models(skeleton, clip, frame), &worlds, &place);
            }
        }
    }
}

#[test]
fn frame_rates_are_those_of_the_keys() {
    for (file, rates) in [
        ("CesiumMan.glb", &[(48, 24.0)][..]),
        ("Fox.glb", &[(83, 24.0), (18, 24.0), (140, 120.0)]),
        ("RiggedSimple.glb", &[(50, 24.0)]),
    ] {
        let Some(bytes) = bytes(file) else { return };
        let asset = read(&bytes, &ReadOptions::default());
        let found: Vec<_> =
            asset.clips.iter().map(|clip| (clip.frame_count(), clip.fps())).collect();
        assert_eq!(found, rates, "{file}");
        assert_eq!(asset.units.source, UnitSource::Stated);
    }
    // Sparse keys too: their rest poses have two.
    for (file, rate) in [("horse-animations.glb", 30.0), ("spider-animations.glb", 24.0)] {
        let Some(bytes) = bytes(file) else { return };
        let asset = read(&bytes, &ReadOptions::default());
        assert!(asset.clips.iter().all(|clip| clip.fps() == rate), "{file}");
    }
}

#[test]
fn a_fox_in_centimetres_is_noticed_and_a_scale_makes_it_a_fox() {
    let Some(bytes) = bytes("Fox.glb") else { return };
    let large = read(&bytes, &ReadOptions::default());
    let warning = large.warnings.iter().find(|warning| warning.message.contains("0.01"));
    assert!(warning.is_some(), "{:?}", large.warnings);

    let small = read(&bytes, &ReadOptions { scale: Some(0.01), ..Default::default() });
    assert!(small.warnings.is_empty(), "{:?}", small.warnings);
    assert_eq!((small.units.scale, small.units.source), (0.01, UnitSource::Given));
    let (from, to) = (large.mesh.as_ref().unwrap(), small.mesh.as_ref().unwrap());
    for frame in [0, 7, 17] {
        let before = models(&large.skeleton, &large.clips[1], frame);
        let after = models(&small.skeleton, &small.clips[1], frame);
        for (a, b) in before.iter().zip(&after) {
            assert!((a.translation * 0.01).distance(b.translation) < 1e-5);
        }
        for vertex in (0..1728).step_by(31) {
            let a = from.skin(&from.primitives[0].vertices, vertex, &before);
            let b = to.skin(&to.primitives[0].vertices, vertex, &after);
            assert!((a * 0.01).distance(b) < 1e-5);
        }
    }
    // The vertices themselves are in metres, and the matrices rigid.
    let highest = to.primitives[0].vertices.positions.iter().map(|p| p.abs().max_element());
    assert!(highest.fold(0.0, f32::max) < 2.0);
    for bind in &to.inverse_binds {
        assert!((bind.determinant() - 1.0).abs() < 1e-3);
    }
}

#[test]
fn z_up_turns_joints_and_skin() {
    let Some(bytes) = bytes("CesiumMan.glb") else { return };
    let upright = read(&bytes, &ReadOptions::default());
    let turned = read(&bytes, &ReadOptions { up: UpAxis::Z, ..Default::default() });
    let turn = |p: Vec3| Vec3::new(p.x, p.z, -p.y);
    let (from, to) = (upright.mesh.as_ref().unwrap(), turned.mesh.as_ref().unwrap());
    for frame in [0, 20] {
        let before = models(&upright.skeleton, &upright.clips[0], frame);
        let after = models(&turned.skeleton, &turned.clips[0], frame);
        for (a, b) in before.iter().zip(&after) {
            assert!(turn(a.translation).distance(b.translation) < 1e-5);
        }
        let a = from.skin(&from.primitives[0].vertices, 100, &before);
        let b = to.skin(&to.primitives[0].vertices, 100, &after);
        assert!(turn(a).distance(b) < 1e-5);
    }
}

/// Bit for bit; says where the first difference is instead of printing both meshes.
fn assert_same_parts(a: &SkinnedMesh, b: &SkinnedMesh, file: &str) {
    assert_eq!(a.primitives.len(), b.primitives.len(), "{file}");
    for (a, b) in a.primitives.iter().zip(&b.primitives) {
        assert!(a.indices == b.indices && a.material == b.material, "{file}");
        let (a, b) = (&a.vertices, &b.vertices);
        assert_eq!(a.positions.len(), b.positions.len(), "{file}");
        for vertex in 0..a.positions.len() {
            assert_eq!(a.positions[vertex], b.positions[vertex], "{file} {vertex}");
            assert_eq!(a.normals.get(vertex), b.normals.get(vertex), "{file} {vertex}");
            assert_eq!(a.uvs.get(vertex), b.uvs.get(vertex), "{file} {vertex}");
            assert_eq!(a.colors.get(vertex), b.colors.get(vertex), "{file} {vertex}");
            assert_eq!(a.joints[vertex], b.joints[vertex], "{file} {vertex}");
            assert_eq!(a.weights[vertex], b.weights[vertex], "{file} {vertex}");
        }
    }
}

#[test]
fn written_files_read_back_the_same() {
    for file in FILES {
        let Some(bytes) = bytes(file) else { return };
        let asset = read(&bytes, &ReadOptions::default());
        let within = tolerance(&asset.skeleton) as f32;
        let options = GltfWriteOptions::default();
        for written in [
            gltf::write_glb(&asset, &options).unwrap(),
            gltf::write_gltf(&asset, &options).unwrap(),
        ] {
            let again = read(&written, &ReadOptions::default());
            assert_eq!(again.skeleton.len(), asset.skeleton.len());
            for (a, b) in asset.skeleton.joints().iter().zip(again.skeleton.joints()) {
                assert_eq!((&a.name, a.parent), (&b.name, b.parent));
            }
            assert_eq!(again.clips.len(), asset.clips.len());
            for (a, b) in asset.clips.iter().zip(&again.clips) {
                assert_eq!((a.name(), a.frame_count()), (b.name(), b.frame_count()), "{file}");
                assert!((a.fps() - b.fps()).abs() < 1e-3, "{file} {}", a.name());
                for frame in 0..a.frame_count() {
                    let before = models(&asset.skeleton, a, frame);
                    let after = models(&again.skeleton, b, frame);
                    for (a, b) in before.iter().zip(&after) {
                        assert!(a.translation.distance(b.translation) < within, "{file}");
                        assert!(a.rotation.dot(b.rotation).abs() > 1.0 - 1e-5, "{file}");
                    }
                }
            }
            let (a, b) = (asset.mesh.as_ref().unwrap(), again.mesh.as_ref().unwrap());
            assert_same_parts(a, b, file);
            assert_eq!(a.materials.len(), b.materials.len(), "{file}");
            for (a, b) in a.materials.iter().zip(&b.materials) {
                assert!(a == b, "{file}: material {}", a.name);
            }
            for (a, b) in a.inverse_binds.iter().zip(&b.inverse_binds) {
                assert!(a.abs_diff_eq(*b, within), "{file}");
            }
        }
    }
}

#[test]
fn bodies_can_be_replaced_or_left_out() {
    let Some(bytes) = bytes("RiggedFigure.glb") else { return };
    let asset = read(&bytes, &ReadOptions::default());
    let with = |body| {
        let options = GltfWriteOptions { body, ..Default::default() };
        read(&gltf::write_glb(&asset, &options).unwrap(), &ReadOptions::default())
    };
    assert_eq!(with(GltfBody::None).mesh, None);
    let original = with(GltfBody::Original).mesh.unwrap();
    assert_same_parts(asset.mesh.as_ref().unwrap(), &original, "RiggedFigure.glb");
    let capsules = with(GltfBody::Capsules).mesh.unwrap();
    assert_eq!(capsules.materials.len(), 3);
}
