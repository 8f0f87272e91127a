//! FBX files that were written from skeletons and clips of ours, read again.

#![cfg(feature = "fbx")]
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "support/fbx_text.rs"]
mod fbx_text;

use andante_formats::gltf::{self, GltfWriteOptions};
use andante_formats::{Asset, ReadLimits, ReadOptions, UnitSource, UpAxis, fbx, read_file};
use andante_skeleton::{Clip, Joint, Pose, Skeleton, Transform};
use andante_testdata::own;
use fbx_text::{FbxForm, strip};
use glam::{Quat, Vec3};
use std::path::Path;

fn read(bytes: &[u8]) -> Asset {
    fbx::read(bytes, None, "file", &ReadOptions::default()).unwrap()
}

fn error(bytes: &[u8], options: &ReadOptions) -> String {
    fbx::read(bytes, None, "file", options).err().unwrap().to_string()
}

/// The farthest that a joint of the same place in the order is off, over all frames; `turn` comes first.
fn farthest(ours: (&Skeleton, &Clip), theirs: (&Skeleton, &Clip), turn: Quat) -> f32 {
    assert_eq!(ours.1.frame_count(), theirs.1.frame_count());
    let (mut a, mut b) = (ours.0.rest_models(), theirs.0.rest_models());
    let mut worst: f32 = 0.0;
    for frame in 0..ours.1.frame_count() {
        ours.0.local_to_model(ours.1.frame(frame), &mut a);
        theirs.0.local_to_model(theirs.1.frame(frame), &mut b);
        for (joint, a) in ours.0.joints().iter().zip(&a) {
            let found =
                theirs.0.joints().iter().position(|other| other.name.ends_with(&joint.name));
            let b = &b[found.unwrap_or_else(|| panic!("no joint {}", joint.name))];
            worst = worst.max((turn * a.translation).distance(b.translation));
            // Frames may lie otherwise in the bones, as long as they move with them.
            let joint_of = |skeleton: &Skeleton, name: &str| {
                skeleton.joints().iter().position(|other| other.name.ends_with(name)).unwrap()
            };
            let rest = |skeleton: &Skeleton| {
                skeleton.rest_models()[joint_of(skeleton, &joint.name)].rotation.conjugate()
            };
            let a = turn * a.rotation * rest(ours.0) * turn.conjugate();
            let b = b.rotation * rest(theirs.0);
            assert!(a.dot(b).abs() > 1.0 - 1e-5, "{} in frame {frame}: {a} {b}", joint.name);
        }
    }
    worst
}

/// A chain of two bones, and one frame in which both are turned.
fn chain() -> (Skeleton, Clip) {
    let root = Joint::new("Hips", None, Vec3::ZERO);
    let tip = Joint::new("Spine", Some(0), Vec3::Y);
    let skeleton = Skeleton::new(vec![root, tip]).unwrap();
    let bent = [0.7f32, -0.4].map(Quat::from_rotation_z);
    let frames = vec![
        Transform::IDENTITY,
        Transform::new(Quat::IDENTITY, Vec3::Y),
        Transform::new(bent[0], Vec3::X),
        Transform::new(bent[1], Vec3::Y),
    ];
    let clip = Clip::new("bend", &skeleton, 25.0, frames).unwrap();
    (skeleton, clip)
}

#[test]
fn joints_are_where_forward_kinematics_puts_them_whatever_units_axes_and_orders() {
    let forms = [
        FbxForm::default(),
        FbxForm { unit: 1.0, prefix: "mixamorig:", ..FbxForm::default() },
        FbxForm { z_up: true, ..FbxForm::default() },
        FbxForm { unit: 0.0254, z_up: true, order: 3, ..FbxForm::default() },
        FbxForm { before: Vec3::new(30.0, -75.0, 110.0), order: 1, ..FbxForm::default() },
        FbxForm {
            before: Vec3::new(-80.0, 0.0, 12.0),
            z_up: true,
            order: 5,
            unit: 0.001,
            ..FbxForm::default()
        },
        FbxForm { armature: true, order: 2, before: Vec3::X, ..FbxForm::default() },
    ];
    for file in ["walk_metres.bvh", "run_centimetres.bvh", "four_legs.glb", "leap.amc"] {
        let ours = read_file(&own(file), &ReadOptions::default(), None).unwrap();
        for (number, form) in forms.into_iter().enumerate() {
            let bytes = fbx_text::fbx(&ours.skeleton, &ours.clips, form, ("", ""));
            let theirs = read(&bytes);
            let what = format!("{file}, form {number}");
            let prefixed = |name: &str| format!("{}{name}", form.prefix);
            let names: Vec<_> = ours.skeleton.joints().iter().map(|j| prefixed(&j.name)).collect();
            for joint in theirs.skeleton.joints() {
                assert!(names.contains(&joint.name), "{what}: {}", joint.name);
            }
            assert_eq!(theirs.clips.len(), ours.clips.len(), "{what}");
            assert_eq!(theirs.units.scale, form.unit, "{what}");
            assert_eq!(theirs.units.source, UnitSource::Stated);
            let turn = match form.armature {
                true => Quat::from_rotation_y(std::f32::consts::FRAC_PI_2),
                false => Quat::IDENTITY,
            };
            for (a, b) in ours.clips.iter().zip(&theirs.clips) {
                assert_eq!((a.name(), a.fps()), (b.name(), b.fps()), "{what}");
                let off = farthest((&ours.skeleton, a), (&theirs.skeleton, b), turn);
                assert!(off < 1e-4, "{what}: {off} m");
            }
            let says = theirs.warnings.iter().any(|warning| warning.message.starts_with("Z is up"));
            assert_eq!(says, form.z_up, "{what}: {:?}", theirs.warnings);
        }
    }
}

#[test]
fn another_rate_is_sampled_between_the_keys() {
    let (skeleton, clip) = chain();
    let bytes = fbx_text::fbx(&skeleton, &[clip], FbxForm::default(), ("", ""));
    assert_eq!((read(&bytes).clips[0].fps(), read(&bytes).clips[0].frame_count()), (25.0, 2));
    let options = ReadOptions { fps: Some(100.0), ..ReadOptions::default() };
    let dense = &fbx::read(&bytes, None, "file", &options).unwrap().clips[0];
    assert_eq!((dense.fps(), dense.frame_count()), (100.0, 5));
    // Keys have straight lines between them, in degrees about one axis.
    for frame in 0..5 {
        let share = frame as f32 / 4.0;
        let rotation = dense.frame(frame)[0].rotation;
        assert!(rotation.abs_diff_eq(Quat::from_rotation_z(0.7 * share), 1e-5), "{rotation}");
        assert!((dense.frame(frame)[0].translation.x - share).abs() < 1e-5);
    }
}

#[test]
fn a_scale_and_an_axis_that_are_given_count_instead_of_what_the_file_says() {
    let (skeleton, clip) = chain();
    let bytes = fbx_text::fbx(&skeleton, &[clip], FbxForm::default(), ("", ""));
    let options = ReadOptions { scale: Some(0.02), up: UpAxis::Z, ..ReadOptions::default() };
    let asset = fbx::read(&bytes, None, "file", &options).unwrap();
    assert_eq!((asset.units.scale, asset.units.source), (0.02, UnitSource::Given));
    let tip = asset.skeleton.rest_models()[1].translation;
    assert!(tip.abs_diff_eq(Vec3::new(0.0, 0.0, -2.0), 1e-5), "{tip}");
    for scale in [0.0, -1.0, f32::NAN] {
        let options = ReadOptions { scale: Some(scale), ..ReadOptions::default() };
        assert!(error(&bytes, &options).contains("is not a scale"));
    }
}

#[test]
fn skins_materials_and_blend_shapes_come_along() {
    let (skeleton, clip) = chain();
    let bytes = fbx_text::fbx(&skeleton, std::slice::from_ref(&clip), FbxForm::default(), strip());
    let asset = read(&bytes);
    let mesh = asset.mesh.as_ref().unwrap();
    mesh.validate(&asset.skeleton).unwrap();
    let [part] = mesh.primitives.as_slice() else { panic!("{} parts", mesh.primitives.len()) };
    assert_eq!(part.indices.len(), 12);
    let material = &mesh.materials[part.material.unwrap()];
    assert_eq!((material.name.as_str(), material.base_color), ("Paint", [0.25, 0.5, 0.75, 1.0]));
    // Each corner in the second frame, by hand: joints turn about where they are.
    let mut models = asset.skeleton.rest_models();
    asset.skeleton.local_to_model(asset.clips[0].frame(1), &mut models);
    for (vertex, &at) in part.vertices.positions.iter().enumerate() {
        let both = part.vertices.joints[vertex].into_iter().zip(part.vertices.weights[vertex]);
        let moved: Vec3 = both
            .map(|(joint, weight)| {
                let joint = usize::from(joint);
                let bound = mesh.inverse_binds[joint].transform_point3(at);
                models[joint].transform_point(bound) * weight
            })
            .sum();
        let first = Quat::from_rotation_z(0.7);
        let lower = Vec3::X + first * at;
        let upper = Vec3::X + first * (Vec3::Y + Quat::from_rotation_z(-0.4) * (at - Vec3::Y));
        let share = (at.y / 2.0 * 2.0).clamp(0.0, 2.0);
        let expected = match share {
            s if s < 0.5 => lower,
            s if s < 1.5 => (lower + upper) * 0.5,
            _ => upper,
        };
        assert!(moved.abs_diff_eq(expected, 1e-5), "{at}: {moved}, not {expected}");
    }
    let uv = part.vertices.positions.iter().position(|at| *at == Vec3::ZERO).unwrap();
    assert_eq!(part.vertices.uvs[uv].to_array(), [0.0, 0.75]);

    // Written as glTF they stay, and so does what this crate has no place for.
    let written = gltf::write_gltf(&asset, &GltfWriteOptions::default()).unwrap();
    let text = String::from_utf8(written).unwrap();
    assert!(text.contains("\"targetNames\"") && text.contains("\"Smile\""), "{text}");
    assert!(text.contains("\"targets\"") && text.contains("0.4000000059604645"), "{text}");
    let again = gltf::read(text.as_bytes(), None, "file", &ReadOptions::default()).unwrap();
    assert_eq!((&again.skeleton, &again.mesh), (&asset.skeleton, &asset.mesh));
}

#[test]
fn ends_of_chains_are_tips_where_something_tells_them_from_joints() {
    let (skeleton, clip) = chain();
    let mut joints = skeleton.joints().to_vec();
    joints.push(Joint::new("Spine_end", Some(1), Vec3::new(0.0, 0.5, 0.0)));
    let longer = Skeleton::new(joints).unwrap();
    // Nothing tells.
    let bytes = fbx_text::fbx(&longer, &[], FbxForm::default(), ("", ""));
    assert_eq!(read(&bytes).skeleton.len(), 3);
    // A skin is bound to the others.
    let bytes = fbx_text::fbx(&longer, &[], FbxForm::default(), strip());
    let asset = read(&bytes);
    assert_eq!(asset.skeleton.len(), 2);
    let tip = asset.skeleton.joint(1).tip.unwrap();
    assert!(tip.abs_diff_eq(Vec3::new(0.0, 0.5, 0.0), 1e-6), "{tip}");
    assert!(asset.clips.is_empty() && clip.frame_count() == 2);
}

/// The strip with two pictures on its material, by these names.
fn strip_with_pictures(names: [&str; 2]) -> Vec<u8> {
    let (skeleton, clip) = chain();
    let texture = |id: usize, name: &str| {
        format!(
            "\tTexture: {id}, \"Texture::{id}\", \"\" {{\n\t\tType: \"TextureVideoClip\"\n\t\tVersion: 202\n\
             \t\tFileName: \"{name}\"\n\t\tRelativeFilename: \"{name}\"\n\t}}\n"
        )
    };
    let (objects, links) = strip();
    let objects = format!("{objects}{}{}", texture(710, names[0]), texture(711, names[1]));
    let links = format!(
        "{links}\tC: \"OP\",710,702, \"DiffuseColor\"\n\tC: \"OP\",711,702, \"NormalMap\"\n"
    );
    let clips = std::slice::from_ref(&clip);
    fbx_text::fbx(&skeleton, clips, FbxForm::default(), (&objects, &links))
}

/// The document of a file beside these pictures, and what was told of it.
fn document(bytes: &[u8], folder: &Path, limits: ReadLimits) -> (serde_json::Value, Vec<String>) {
    let options = ReadOptions { limits, ..ReadOptions::default() };
    let asset = fbx::read(bytes, Some(folder), "file", &options).unwrap();
    let written = gltf::write_gltf(&asset, &GltfWriteOptions::default()).unwrap();
    let warnings = asset.warnings.into_iter().map(|warning| warning.message).collect();
    (serde_json::from_slice(&written).unwrap(), warnings)
}

#[test]
fn pictures_are_loaded_once_and_take_no_room_of_meshes_and_clips() {
    let folder = tempfile::tempdir().unwrap();
    let picture = |length: usize| {
        let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
        bytes.resize(length, 1);
        bytes
    };
    // More than the scene may take by itself.
    let large = 12 << 20;
    std::fs::write(folder.path().join("a.png"), picture(large)).unwrap();
    std::fs::write(folder.path().join("b.png"), picture(1000)).unwrap();
    let tight = ReadLimits { decoded: 4 << 20, decoded_per_byte: 1, ..ReadLimits::default() };
    let spelled = strip_with_pictures(["a.png", ".\\elsewhere\\a.png"]);
    let (found, warnings) = document(&spelled, folder.path(), tight);
    assert_eq!(found["images"].as_array().unwrap().len(), 1, "{warnings:?}");
    let material = &found["materials"][0];
    assert_eq!(material["pbrMetallicRoughness"]["baseColorTexture"]["index"], 0);
    assert_eq!(material["normalTexture"]["index"], 0);
    assert!(found["animations"][0]["channels"].as_array().is_some_and(|all| !all.is_empty()));

    // Two files are two pictures, each with its own bytes.
    let both = strip_with_pictures(["a.png", "b.png"]);
    let (found, _) = document(&both, folder.path(), ReadLimits::default());
    let lengths = found["images"].as_array().unwrap().iter().map(|image| {
        let view = image["bufferView"].as_u64().unwrap() as usize;
        found["bufferViews"][view]["byteLength"].as_u64().unwrap()
    });
    assert_eq!(lengths.collect::<Vec<_>>(), [large as u64, 1000]);
    // As many as there is room for, and never a part of one.
    for (limits, why) in [
        (ReadLimits { image: 5000, ..ReadLimits::default() }, "larger than the 5000 bytes"),
        (ReadLimits { file: large as u64 + 999, ..ReadLimits::default() }, "have together"),
    ] {
        let (found, warnings) = document(&both, folder.path(), limits);
        assert_eq!(found["images"].as_array().unwrap().len(), 1);
        assert!(
            warnings.iter().any(|told| told.contains("1 pictures") && told.contains(why)),
            "{warnings:?}"
        );
    }
}

#[test]
fn a_stack_that_moves_nothing_is_left_out_of_what_is_written() {
    let (skeleton, _) = chain();
    let stack = "\tAnimationStack: 800, \"AnimStack::idle\", \"\" {\n\t\tProperties70: {\n\
                 \t\t\tP: \"LocalStop\", \"KTime\", \"Time\", \"\",46186158000\n\t\t}\n\t}\n\
                 \tAnimationLayer: 801, \"AnimLayer::base\", \"\" {\n\t}\n";
    let links = "\tC: \"OO\",801,800\n";
    let bytes = fbx_text::fbx(&skeleton, &[], FbxForm::default(), (stack, links));
    let asset = read(&bytes);
    assert!(asset.clips.is_empty());
    let told: Vec<&str> = asset.warnings.iter().map(|told| told.message.as_str()).collect();
    assert!(told.iter().any(|told| told.contains("(`idle`)")), "{told:?}");
    let (found, _) = document(&bytes, Path::new(""), ReadLimits::default());
    assert!(found.get("animations").is_none(), "{found}");
}

#[test]
fn what_cannot_be_read_is_refused_with_its_reason() {
    let options = ReadOptions::default();
    assert!(error(b"", &options).contains("empty"), "{}", error(b"", &options));
    let words = error(b"HIERARCHY\nROOT Hips\n{\n}\n", &options);
    assert!(words.contains("FBX"), "{words}");
    let (skeleton, clip) = chain();
    let still = Clip::new("s", &skeleton, 30.0, Pose::rest(&skeleton).repeat(2)).unwrap();
    let bytes = fbx_text::fbx(&skeleton, &[clip, still], FbxForm::default(), strip());
    let whole = String::from_utf8(bytes).unwrap();
    // A clip of months.
    let long = whole.replacen(
        "\"LocalStop\", \"KTime\", \"Time\", \"\",",
        "\"LocalStop\", \"KTime\", \"Time\", \"\",99999999",
        1,
    );
    let words = error(long.as_bytes(), &options);
    assert!(
        words.contains("animation stack 0 (`bend`)") && words.contains("lower rate"),
        "{words}"
    );
    // What makes no sense and does no harm is told of.
    for (from, to, told) in [
        (
            "\"CustomFrameRate\", \"double\", \"Number\", \"\",25",
            "\"CustomFrameRate\", \"double\", \"Number\", \"\",1e9",
            "30 assumed",
        ),
        (
            "\"UpAxis\", \"int\", \"Integer\", \"\",1",
            "\"UpAxis\", \"int\", \"Integer\", \"\",7",
            "Y is taken",
        ),
    ] {
        let odd = whole.replacen(from, to, 1);
        assert_ne!(odd, whole);
        let warnings = read(odd.as_bytes()).warnings;
        assert!(warnings.iter().any(|warning| warning.message.contains(told)), "{warnings:?}");
    }
    let unit = whole.replacen(
        "\"UnitScaleFactor\", \"double\", \"Number\", \"\",0.99",
        "\"UnitScaleFactor\", \"double\", \"Number\", \"\",-0.99",
        1,
    );
    assert!(error(unit.as_bytes(), &options).contains("GlobalSettings.UnitScaleFactor"));
    // A joint beyond the moon.
    let joints =
        vec![Joint::new("Hips", None, Vec3::ZERO), Joint::new("Spine", Some(0), 1e9 * Vec3::Y)];
    let far = Skeleton::new(joints).unwrap();
    let words = error(&fbx_text::fbx(&far, &[], FbxForm::default(), ("", "")), &options);
    assert!(words.contains("Spine") && words.contains("farthest"), "{words}");
    let limits = ReadLimits { decoded: 1 << 12, decoded_per_byte: 0, ..ReadLimits::default() };
    let words = error(whole.as_bytes(), &ReadOptions { limits, ..options.clone() });
    assert!(words.contains("more memory"), "{words}");
    // Cut anywhere, it is read or refused.
    for end in (0..whole.len()).step_by(97) {
        let _ = fbx::read(&whole.as_bytes()[..end], None, "file", &options);
    }
}

/// With `ANDANTE_WRITE_SEEDS` set, writes them.
#[test]
fn the_seeds_of_the_fuzz_target_are_these_files() {
    let (skeleton, clip) = chain();
    let clips = std::slice::from_ref(&clip);
    let turned = FbxForm { z_up: true, order: 4, before: Vec3::splat(20.0), ..FbxForm::default() };
    let held = FbxForm { armature: true, unit: 1.0, prefix: "a:", ..FbxForm::default() };
    let whole = fbx_text::fbx(&skeleton, clips, FbxForm::default(), strip());
    let cut = whole[..whole.len() / 2].to_vec();
    for (name, bytes) in [
        ("good-strip", whole),
        ("good-z_up", fbx_text::fbx(&skeleton, clips, turned, ("", ""))),
        ("good-armature", fbx_text::fbx(&skeleton, &[], held, ("", ""))),
        ("bad-cut", cut),
        ("bad-binary", b"Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0\xff\xff\xff\xff".to_vec()),
    ] {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/fbx");
        let path = std::path::Path::new(folder).join(name);
        if std::env::var_os("ANDANTE_WRITE_SEEDS").is_some() {
            std::fs::write(&path, &bytes).unwrap();
        }
        assert!(std::fs::read(&path).is_ok_and(|found| found == bytes), "{name} is out of date");
        assert_eq!(
            fbx::read(&bytes, None, "seed", &ReadOptions::default()).is_ok(),
            name.starts_with("good"),
            "{name}"
        );
    }
}
