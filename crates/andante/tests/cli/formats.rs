//! Formats that are read and not written, through every command; and those that are refused.

use crate::fbx_text::{FbxForm, fbx};
use crate::numpy::{archive, floats, number};
use crate::{andante, json, text};
use andante::prelude::{ReadOptions, humanoid, read_file, synth};
use andante_skeleton::Clip;
use glam::{Quat, Vec3};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The built-in human walking, as somebody from the web: in centimetres, Z up, with a word before every name.
fn walking_fbx(folder: &Path) -> PathBuf {
    let walk = read_file(&andante_testdata::own("walk_metres.bvh"), &ReadOptions::default(), None);
    let walk = walk.unwrap();
    let form = FbxForm { z_up: true, prefix: "mixamorig:", order: 2, ..FbxForm::default() };
    let path = folder.join("Walking.fbx");
    std::fs::write(&path, fbx(&walk.skeleton, &walk.clips, form, ("", ""))).unwrap();
    path
}

/// The joints of SMPL by those of the built-in human, in the order of SMPL.
const JOINTS: [&str; 22] = [
    "Hips",
    "LeftUpperLeg",
    "RightUpperLeg",
    "Spine",
    "LeftLowerLeg",
    "RightLowerLeg",
    "Chest",
    "LeftFoot",
    "RightFoot",
    "UpperChest",
    "LeftToes",
    "RightToes",
    "Neck",
    "LeftShoulder",
    "RightShoulder",
    "Head",
    "LeftUpperArm",
    "RightUpperArm",
    "LeftLowerArm",
    "RightLowerArm",
    "LeftHand",
    "RightHand",
];

/// A walk at 1.3 m/s of the built-in human as AMASS would have it.
fn walking_npz(folder: &Path) -> (PathBuf, Clip) {
    let human = humanoid();
    let gait = synth::GaitRequest::ahead(1.3);
    let made = synth::locomotion(&human, &gait).unwrap().clip;
    let (mut poses, mut places) = (Vec::new(), Vec::new());
    let up = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    for frame in made.frames() {
        for (index, name) in JOINTS.iter().enumerate() {
            let local = frame[human.skeleton.find(name).unwrap()];
            let rotation = if index == 0 { up * local.rotation } else { local.rotation };
            poses.extend(rotation.to_scaled_axis().to_array().map(f64::from));
        }
        let root: Vec3 = up * frame[0].translation;
        places.extend(root.to_array().map(f64::from));
    }
    let count = made.frame_count();
    let members = [
        ("poses", floats(&format!("({count}, 66)"), &poses)),
        ("trans", floats(&format!("({count}, 3)"), &places)),
        ("mocap_framerate", number(f64::from(made.fps()))),
    ];
    let path = folder.join("walk.npz");
    std::fs::write(&path, archive(&members, true)).unwrap();
    (path, made)
}

#[test]
fn fbx_is_a_motion_and_a_character_for_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let fbx = walking_fbx(folder.path());
    let own = andante_testdata::own("walk_metres.bvh");
    let (a, b) = (json(&["inspect", text(&own)], 0), json(&["inspect", text(&fbx)], 0));
    for key in ["frames", "fps", "speed_mps", "foot_slide_mm_mean"] {
        let [a, b] = [&a, &b].map(|report| report[key].as_f64().unwrap());
        assert!((a - b).abs() < 1e-2 * a.abs().max(0.1), "{key}: {a} and {b}");
    }
    assert_eq!(a["class"], b["class"]);
    let said = b["warnings"].to_string();
    assert!(said.contains("Z is up, as the file says"), "{said}");

    let at = |name: &str| folder.path().join(name);
    for name in ["a.glb", "a.gltf", "a.bvh", "a.amc"] {
        let report = json(&["convert", text(&fbx), text(&at(name))], 0);
        assert_eq!(report["files"][0]["frames"], a["frames"], "{name}");
    }
    let scene = at("scene.toml");
    std::fs::write(
        &scene,
        format!(
            "version = 1\nname = \"yard\"\n[[platform]]\noutline = [[-2, -2], [2, -2], [2, 6], [-2, 6]]\n\
             [[character]]\nname = \"one\"\ncharacter = \"{}\"\nstart = {{ at = [0, 0], heading = 0 }}\n\
             goal = {{ at = [0, 4], heading = 0 }}\n",
            fbx.file_name().unwrap().to_str().unwrap()
        ),
    )
    .unwrap();
    for arguments in [
        vec!["convert", text(&fbx), text(&at("dense.glb")), "--fps", "60"],
        vec!["retarget", text(&fbx), "--to", "humanoid", text(&at("r.glb"))],
        vec!["retarget", text(&own), "--to", text(&fbx), text(&at("s.glb"))],
        vec!["edit", text(&fbx), text(&at("e.bvh")), "loop"],
        vec!["ground", text(&fbx), "--terrain", "slope:5", "-o", text(&at("g.glb"))],
        vec!["clips", "walk", "--character", text(&fbx), "-o", text(&at("c.glb"))],
        vec!["modes", text(&fbx)],
        vec!["repertoire", text(&fbx), "-o", text(&at("one.repertoire"))],
        vec!["run", text(&scene), "-o", text(&at("out"))],
    ] {
        let report = json(&arguments, 0);
        assert!(report.is_object(), "{arguments:?}");
    }
    // Many at once become what can be written.
    std::fs::create_dir(at("in")).unwrap();
    std::fs::copy(&fbx, at("in/one.fbx")).unwrap();
    json(&["retarget", text(&at("in")), "--to", "humanoid", text(&at("many/"))], 0);
    assert!(at("many/one.glb").is_file());
    // Through a pipe it is known by how it begins.
    let mut piped = andante();
    piped.args(["convert", "-", "-", "--format", "bvh"]);
    let piped = piped.write_stdin(std::fs::read(&fbx).unwrap()).output().unwrap();
    assert!(piped.status.success() && piped.stdout.starts_with(b"HIERARCHY"));
}

#[test]
fn poses_of_smpl_walk_as_the_body_they_are_put_on_does() {
    let folder = tempfile::tempdir().unwrap();
    let (npz, made) = walking_npz(folder.path());
    let report = json(&["inspect", text(&npz)], 0);
    assert_eq!(report["frames"].as_u64(), Some(made.frame_count() as u64));
    let speed = report["speed_mps"].as_f64().unwrap();
    assert!((speed - 1.3).abs() < 0.05, "{speed}");
    assert_eq!(report["class"], "walk");
    let said = report["warnings"].to_string();
    assert!(said.contains("Z is taken for up") && said.contains("built-in human"), "{said}");
    // The joints are where forward kinematics of the human puts them.
    let asset = read_file(&npz, &ReadOptions::default(), None).unwrap();
    let human = humanoid().skeleton;
    let (mut a, mut b) = (human.rest_models(), asset.skeleton.rest_models());
    for (frame, clip) in made.frames().zip(asset.clips[0].frames()) {
        human.local_to_model(frame, &mut a);
        asset.skeleton.local_to_model(clip, &mut b);
        for (ours, theirs) in [
            ("LeftFoot", "left_ankle"),
            ("RightToes", "right_foot"),
            ("Head", "head"),
            ("LeftHand", "left_wrist"),
        ] {
            let [a, b] = [a[human.find(ours).unwrap()], b[asset.skeleton.find(theirs).unwrap()]];
            assert!(a.translation.distance(b.translation) < 1e-4, "{ours}: {a:?} {b:?}");
        }
    }
    let at = |name: &str| folder.path().join(name);
    json(&["convert", text(&npz), text(&at("walk.glb"))], 0);
    json(&["retarget", text(&npz), "--to", "humanoid", text(&at("r.bvh"))], 0);
    json(&["ground", text(&npz), "--terrain", "stairs:0.15:0.3", "-o", text(&at("g.glb"))], 0);
}

#[test]
fn meshes_of_3ds_are_ground_and_obstacles() {
    let folder = tempfile::tempdir().unwrap();
    let roof = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/tds/good-roof");
    std::fs::copy(roof, folder.path().join("roof.3ds")).unwrap();
    let scene = folder.path().join("scene.toml");
    std::fs::write(
        &scene,
        "version = 1\nname = \"yard\"\n[[platform]]\noutline = [[-4, -4], [4, -4], [4, 6], [-4, 6]]\n\
         [[obstacle]]\nname = \"roof\"\nat = [0, 0, 2]\nmesh = \"roof.3ds\"\n\
         [[character]]\nname = \"one\"\nstart = { at = [0, -3], heading = 0 }\ngoal = { at = [0, 5], heading = 0 }\n",
    )
    .unwrap();
    let report = json(&["plan", text(&scene)], 0);
    // Straight on it would be eight metres.
    let length = |value: &Value| value["route_length_m"].as_f64();
    let found = length(&report).or_else(|| length(&report["characters"][0]));
    assert!(found.is_some_and(|length| length > 8.1), "{report}");
    let motion = json(&["inspect", text(&folder.path().join("roof.3ds"))], 2);
    assert!(motion.to_string().contains("a mesh without joints is no motion"), "{motion}");
}

#[test]
fn formats_of_others_are_refused_with_what_to_use_instead() {
    let folder = tempfile::tempdir().unwrap();
    let own = andante_testdata::own("walk_metres.bvh");
    for (end, words) in [
        ("usd", ".glb"),
        ("usda", ".glb"),
        ("usdz", "Blender"),
        ("dae", ".glb or .fbx"),
        ("c3d", "markers"),
        ("trc", "markers"),
        ("blend", "Blender"),
        ("ma", "Maya"),
        ("mb", "Maya"),
        ("max", "3ds Max"),
        ("abc", "Alembic"),
    ] {
        let path = folder.path().join(format!("a.{end}"));
        let refused = json(&["convert", text(&own), text(&path)], 2).to_string();
        assert!(refused.contains(words), "{end}: {refused}");
        let refused = json(&["run", "stairs", "-o", text(&path)], 2).to_string();
        assert!(refused.contains(words), "{end}: {refused}");
        assert!(!path.exists(), "{end}");
        std::fs::write(&path, "x").unwrap();
        let refused = json(&["inspect", text(&path)], 2).to_string();
        assert!(refused.contains(words), "{end}: {refused}");
    }
    // Known, and only read.
    for (end, words) in
        [("fbx", "FBX is read and not written"), ("npz", "not written"), ("vrm", "not written")]
    {
        let path = folder.path().join(format!("b.{end}"));
        for arguments in [
            vec!["convert", text(&own), text(&path)],
            vec!["retarget", text(&own), "--to", "humanoid", text(&path)],
            vec!["run", "stairs", "-o", text(&path)],
        ] {
            let refused = json(&arguments, 2).to_string();
            assert!(refused.contains(words) && !path.exists(), "{arguments:?}: {refused}");
        }
    }
}
