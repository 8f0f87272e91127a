//! Archives of poses as numpy writes them: made here byte by byte, and one by numpy itself.

#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "support/npz.rs"]
mod files;

use andante_formats::{Asset, ReadLimits, ReadOptions, UpAxis, npz};
use files::{archive, floats, number};
use glam::{Quat, Vec3};

/// Two frames of 52 joints as AMASS has them: upright along Z, the left knee bent by a radian in the second.
fn amass() -> Vec<(&'static str, Vec<u8>)> {
    let mut poses = vec![0.0; 2 * 156];
    poses[0] = std::f64::consts::FRAC_PI_2;
    poses[156] = std::f64::consts::FRAC_PI_2;
    poses[156 + 3 * 4] = 1.0;
    let places = [1.0, 2.0, 0.9, 1.0, 1.5, 0.95];
    vec![
        ("poses", floats("(2, 156)", &poses)),
        ("trans", floats("(2, 3)", &places)),
        ("mocap_framerate", number(60.0)),
        ("betas", floats("(3,)", &[0.1, 0.2, 0.3])),
        ("gender", b"\x93NUMPY\x01\0\x02\0{}male".to_vec()),
    ]
}

fn read(bytes: &[u8]) -> Asset {
    npz::read(bytes, "file", &ReadOptions::default()).unwrap()
}

fn error(bytes: &[u8]) -> String {
    npz::read(bytes, "file", &ReadOptions::default()).unwrap_err().to_string()
}

fn without(name: &str) -> Vec<u8> {
    let left: Vec<_> = amass().into_iter().filter(|(other, _)| *other != name).collect();
    archive(&left, true)
}

#[test]
fn poses_of_amass_become_a_body_that_stands_on_y() {
    for deflated in [false, true] {
        let asset = read(&archive(&amass(), deflated));
        let (skeleton, clip) = (&asset.skeleton, &asset.clips[0]);
        assert_eq!((skeleton.len(), clip.frame_count(), clip.fps()), (22, 2, 60.0));
        assert_eq!(clip.name(), "file");
        let mut models = skeleton.rest_models();
        let joint = |name: &str| skeleton.find(name).unwrap();
        skeleton.local_to_model(clip.frame(1), &mut models);
        let at = |name: &str| models[joint(name)].translation;
        // Z of the file is Y here, and its −Y is Z.
        assert!(at("pelvis").abs_diff_eq(Vec3::new(1.0, 0.95, -1.5), 1e-6), "{}", at("pelvis"));
        assert!(at("head").y > at("pelvis").y + 0.5);
        assert!(at("left_hip").x > at("right_hip").x);
        // The knee bends by a radian about its own X, which is the world's: the shin swings back.
        let shin = at("left_ankle") - at("left_knee");
        let straight = at("right_ankle") - at("right_knee");
        assert!(shin.abs_diff_eq(Quat::from_rotation_x(1.0) * straight, 1e-5), "{shin}");
        assert!(straight.normalize().abs_diff_eq(Vec3::NEG_Y, 1e-5), "{straight}");
        let said: Vec<&str> = asset.warnings.iter().map(|w| w.message.as_str()).collect();
        for words in ["Z is taken for up", "30 joints of fingers", "`betas`"] {
            assert!(said.iter().any(|said| said.contains(words)), "{words}: {said:?}");
        }
    }
}

#[test]
fn every_layout_of_joints_is_understood_or_refused_by_its_number() {
    let of = |joints: usize| {
        let shape = format!("(1, {})", 3 * joints);
        archive(&[("poses", floats(&shape, &vec![0.0; 3 * joints]))], false)
    };
    for (joints, read_as) in [(22, 22), (24, 24), (52, 22), (55, 22)] {
        let asset = read(&of(joints));
        assert_eq!(asset.skeleton.len(), read_as);
        // Y that is seen to point up needs no word. No rate, no places.
        assert!(!asset.warnings.iter().any(|warning| warning.message.contains("for up")));
        assert_eq!(asset.clips[0].fps(), 30.0);
        assert!(asset.clips[0].frame(0)[0].translation.y > 0.8);
    }
    for joints in [21, 23, 53] {
        let words = format!("{joints} joints are not a body");
        assert!(error(&of(joints)).contains(&words), "{}", error(&of(joints)));
    }
    // Quaternions and the like are no axis angles.
    for (shape, words) in [
        ("(2, 24, 3, 3)", "the matrix of joint 0 in frame 1 is no rotation"),
        ("(2, 24, 6)", "no axis angles"),
        ("(3, 24, 4)", "no axis angles"),
    ] {
        let count =
            shape.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse::<usize>().ok());
        let count: usize = count.product();
        let other = archive(&[("poses", floats(shape, &vec![0.0; count]))], false);
        assert!(error(&other).contains(words), "{shape}: {}", error(&other));
    }
    let parts = archive(
        &[
            ("root_orient", floats("(1, 3)", &[0.0, 0.5, 0.0])),
            ("pose_body", floats("(1, 63)", &[0.0; 63])),
        ],
        false,
    );
    let turned = read(&parts).clips[0].frame(0)[0].rotation;
    assert!(turned.abs_diff_eq(Quat::from_rotation_y(0.5), 1e-6), "{turned}");
    // Of who lies nothing tells what is up.
    let lying = archive(&[("poses", floats("(1, 66)", &[&[0.9][..], &[0.0; 65]].concat()))], false);
    assert!(read(&lying).warnings.iter().any(|w| w.message.contains("is taken for up")));
    let deep = archive(&[("poses", floats("(1, 24, 3)", &[0.0; 72]))], false);
    assert_eq!(read(&deep).skeleton.len(), 24);
}

/// As SMPL-X and what estimates poses from films have them.
#[test]
fn global_orient_body_pose_and_transl_are_the_same_in_angles_and_matrices() {
    let turn = Quat::from_rotation_y(0.5);
    let knee = Quat::from_rotation_x(0.7);
    let matrix = |turn: Quat| -> Vec<f64> {
        let rows = glam::Mat3::from_quat(turn).transpose();
        rows.to_cols_array().map(f64::from).to_vec()
    };
    let place = floats("(1, 3)", &[0.1, 0.9, 0.2]);
    for joints in [21, 23] {
        let mut angles = vec![0.0; 3 * joints];
        angles[9] = 0.7;
        let matrices: Vec<f64> =
            (0..joints).flat_map(|j| matrix(if j == 3 { knee } else { Quat::IDENTITY })).collect();
        let of = |root: Vec<u8>, body: Vec<u8>| {
            let parts = [("global_orient", root), ("body_pose", body), ("transl", place.clone())];
            read(&archive(&parts, true))
        };
        let by_angles = of(
            floats("(1, 3)", &[0.0, 0.5, 0.0]),
            floats(&format!("(1, {})", 3 * joints), &angles),
        );
        let by_matrices = of(
            floats("(1, 1, 3, 3)", &matrix(turn)),
            floats(&format!("(1, {joints}, 3, 3)"), &matrices),
        );
        for asset in [by_angles, by_matrices] {
            let pose = asset.clips[0].frame(0);
            assert!(pose[0].rotation.abs_diff_eq(turn, 1e-6));
            assert!(pose[0].translation.abs_diff_eq(Vec3::new(0.1, 0.9, 0.2), 1e-6));
            let bent = asset.skeleton.find("left_knee").unwrap();
            assert!(pose[bent].rotation.abs_diff_eq(knee, 1e-6), "{}", pose[bent].rotation);
        }
    }
}

/// Somebody who walks: one leg goes back, stretched, and the body goes ahead by that, while the other one comes with its knee bent.
fn stepping(place: f64, angle: f64) -> Vec<u8> {
    let (frames, mut poses, mut places) = (60, Vec::new(), Vec::new());
    let (mut at, mut before) = (0.0f64, 0.0f64);
    for frame in 0..frames {
        let phase = std::f64::consts::TAU * f64::from(frame) / 30.0;
        let swing = 0.5 * phase.sin();
        let mut joints = [0.0; 66];
        joints[3] = -swing * angle;
        joints[6] = swing * angle;
        joints[if phase.cos() > 0.0 { 12 } else { 15 }] = 0.6 * phase.cos().abs() * angle;
        // Arms hang.
        joints[3 * 16 + 2] = -1.2 * angle;
        joints[3 * 17 + 2] = 1.2 * angle;
        poses.extend(joints);
        at += 0.9 * (swing.sin() - before).abs();
        before = swing.sin();
        places.extend([0.0, 0.9 * swing.cos() * place, at * place]);
    }
    let members = [
        ("poses", floats(&format!("({frames}, 66)"), &poses)),
        ("trans", floats(&format!("({frames}, 3)"), &places)),
        ("mocap_framerate", number(30.0)),
    ];
    archive(&members, true)
}

#[test]
fn places_and_angles_in_other_units_are_found_out_and_told() {
    let asset = read(&stepping(1.0, 1.0));
    assert_eq!(asset.units.scale, 1.0);
    assert!(!asset.warnings.iter().any(|warning| warning.message.contains("taken for")));
    let degrees = 180.0 / std::f64::consts::PI;
    let turned = read(&stepping(1.0, degrees));
    assert!(turned.warnings.iter().any(|w| w.message.contains("`poses` is taken for degrees")));
    for (a, b) in asset.clips[0].transforms().iter().zip(turned.clips[0].transforms()) {
        assert!(a.rotation.abs_diff_eq(b.rotation, 1e-5) && a.translation == b.translation);
    }
    for (place, name, scale) in
        [(1e3, "millimetres", 1e-3), (100.0, "centimetres", 0.01), (1.0 / 0.0254, "inches", 0.0254)]
    {
        let other = read(&stepping(place, 1.0));
        assert_eq!(other.units.scale, scale, "{name}");
        let said = format!("places are taken for {name}");
        assert!(other.warnings.iter().any(|warning| warning.message.contains(&said)), "{name}");
        let (a, b) = (asset.clips[0].frame(59)[0], other.clips[0].frame(59)[0]);
        assert!(a.translation.abs_diff_eq(b.translation, 1e-4), "{name}: {}", b.translation);
        // What is told is believed.
        let told = ReadOptions { scale: Some(1.0), ..ReadOptions::default() };
        let told = npz::read(&stepping(place, 1.0), "file", &told).unwrap();
        assert_eq!(told.units.scale, 1.0);
    }
    // Somebody stiff who goes at 6 m/s: on skis, or in another unit.
    let places: Vec<f64> = (0..90).flat_map(|frame| [0.0, 0.9, 0.2 * f64::from(frame)]).collect();
    let stiff = archive(
        &[
            ("poses", floats("(90, 66)", &[0.0; 90 * 66])),
            ("trans", floats("(90, 3)", &places)),
            ("mocap_framerate", number(30.0)),
        ],
        true,
    );
    let refused = npz::read(&stiff, "file", &ReadOptions::default()).unwrap_err().to_string();
    assert!(refused.contains("feet slide at 6.0 m/s if its places are metres"), "{refused}");
    let told = ReadOptions { scale: Some(1.0), ..ReadOptions::default() };
    assert!(npz::read(&stiff, "file", &told).is_ok());
    let fast = read(&stepping(4.0, 1.0));
    assert!(fast.warnings.iter().any(|w| w.message.contains("not be those of these poses")));
    // Neither of them.
    let wild = npz::read(&stepping(1.0, 1e3), "file", &ReadOptions::default()).unwrap_err();
    assert!(wild.to_string().contains("neither radians nor degrees"), "{wild}");
    let far = npz::read(&stepping(1e5, 1.0), "file", &ReadOptions::default()).unwrap_err();
    assert!(far.to_string().contains("give --scale"), "{far}");
}

#[test]
fn frames_in_messages_are_counted_from_one() {
    let mut parts = amass();
    parts[1].1 = floats("(2, 3)", &[0.0, 0.0, 0.9, f64::NAN, 0.0, 0.9]);
    let said = error(&archive(&parts, true));
    assert!(said.contains("trans: no finite place in frame 2"), "{said}");
}

#[test]
fn axes_and_scale_that_are_given_count() {
    let flat = archive(&[("poses", floats("(1, 66)", &[0.0; 66]))], false);
    let options = ReadOptions { up: UpAxis::Z, ..ReadOptions::default() };
    let asset = npz::read(&flat, "file", &options).unwrap();
    let rotation = asset.clips[0].frame(0)[0].rotation;
    assert!((rotation * Vec3::Z).abs_diff_eq(Vec3::Y, 1e-6), "{rotation}");
    // A body that is upside down in a file whose Y points up.
    let down = archive(&[("poses", floats("(1, 66)", &[&[3.0][..], &[0.0; 65]].concat()))], false);
    let options = ReadOptions { up_is_told: true, ..ReadOptions::default() };
    let asset = npz::read(&down, "file", &options).unwrap();
    assert!((asset.clips[0].frame(0)[0].rotation * Vec3::Y).y < -0.9);
    let options = ReadOptions { scale: Some(0.01), ..ReadOptions::default() };
    let asset = npz::read(&archive(&amass(), true), "file", &options).unwrap();
    let place = asset.clips[0].frame(0)[0].translation;
    assert!(place.abs_diff_eq(Vec3::new(0.01, 0.009, -0.02), 1e-6), "{place}");
}

#[test]
fn broken_archives_are_refused_with_the_array_and_the_reason() {
    let good = archive(&amass(), true);
    assert!(error(b"").contains("too short"));
    assert!(error(&good[..good.len() / 2]).contains("no directory"));
    assert!(
        error(&without("poses")).contains("no motion of an SMPL body"),
        "{}",
        error(&without("poses"))
    );
    assert!(read(&without("trans")).warnings.iter().any(|w| w.message.contains("no `trans`")));
    // A bit in the middle of what is packed.
    let mut bent = archive(&amass(), false);
    bent[400] ^= 4;
    assert!(error(&bent).contains("poses: is broken in its archive"), "{}", error(&bent));
    let odd = archive(&[("poses", floats("(2, 67)", &[0.0; 134]))], true);
    assert!(error(&odd).contains("no axis angles"), "{}", error(&odd));
    let wild = archive(&[("poses", floats("(1, 66)", &[f64::NAN; 66]))], true);
    assert!(error(&wild).contains("joint 0 in frame 1"), "{}", error(&wild));
    let mut parts = amass();
    parts[1].1 = floats("(1, 3)", &[0.0; 3]);
    assert!(error(&archive(&parts, true)).contains("trans: 1 rows of 3 numbers for 2 frames"));
    parts[1].1 = floats("(2, 3)", &[1e9; 6]);
    assert!(error(&archive(&parts, true)).contains("farthest"));
    // What unpacks to more than it may.
    let limits = ReadLimits { decoded: 1000, decoded_per_byte: 0, ..ReadLimits::default() };
    let small = ReadOptions { limits, ..ReadOptions::default() };
    let words = npz::read(&good, "file", &small).unwrap_err().to_string();
    assert!(words.contains("more memory"), "{words}");
    for end in 0..good.len() {
        let _ = npz::read(&good[..end], "file", &ReadOptions::default());
    }
}

#[test]
fn numbers_and_frames_are_counted_before_memory_is_taken_for_them() {
    // A byte for each number there and eight here.
    let head = "{'descr': '|u1', 'fortran_order': False, 'shape': (1000, 66), }\n";
    let mut bytes = b"\x93NUMPY\x01\0".to_vec();
    bytes.extend((head.len() as u16).to_le_bytes());
    bytes.extend(head.as_bytes());
    bytes.resize(bytes.len() + 66_000, 0);
    let short = archive(&[("poses", bytes)], true);
    let of = |decoded: u64| {
        let limits = ReadLimits { decoded, decoded_per_byte: 0, ..ReadLimits::default() };
        npz::read(&short, "file", &ReadOptions { limits, ..ReadOptions::default() })
    };
    let words = of(66_000 * 9 - 1).err().unwrap().to_string();
    assert!(words.contains("poses: would take more memory"), "{words}");
    assert_eq!(of(66_000 * 9 + 1000).unwrap().clips[0].frame_count(), 1000);
    // Refused by their number, before any of them is looked at.
    let wild = archive(&[("poses", floats("(3, 66)", &[f64::NAN; 198]))], true);
    let limits = ReadLimits { transforms: 65, transforms_per_byte: 0, ..ReadLimits::default() };
    let options = ReadOptions { limits, ..ReadOptions::default() };
    let words = npz::read(&wild, "file", &options).unwrap_err().to_string();
    assert!(words.contains("poses: 3 frames of 22 joints are more than"), "{words}");
}

/// Written by `numpy.savez_compressed` 1.26 (and `savez` in the other), whose own reader says what is in them.
#[test]
fn archives_of_numpy_itself_are_read() {
    for bytes in [files::SAVED, files::COMPRESSED] {
        let asset = read(bytes);
        let clip = &asset.clips[0];
        assert_eq!((clip.frame_count(), clip.fps(), asset.skeleton.len()), (3, 120.0, 22));
        let place = clip.frame(2)[0].translation;
        assert!(place.abs_diff_eq(Vec3::new(0.5, 0.75, -0.25), 1e-6), "{place}");
        let knee = asset.skeleton.find("right_knee").unwrap();
        let rotation = clip.frame(2)[knee].rotation;
        assert!(rotation.abs_diff_eq(Quat::from_rotation_x(0.25), 1e-6), "{rotation}");
    }
}
