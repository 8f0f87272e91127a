//! What written files look like.
#![allow(clippy::unwrap_used)]

use andante_formats::{ReadOptions, RotationOrder, acclaim, bvh};
use andante_skeleton::{Clip, Joint, Skeleton, Transform};
use glam::{Quat, Vec3};

/// A root with this many children at the same place, under these names.
fn named(names: &[&str]) -> Skeleton {
    let joint = |(index, name): (usize, &&str)| {
        Joint::new(*name, (index > 0).then_some(0), Vec3::Y * 0.1 * index.min(1) as f32)
    };
    Skeleton::new(names.iter().enumerate().map(joint).collect()).unwrap()
}

fn still(skeleton: &Skeleton) -> Clip {
    let rest = skeleton.joints().iter().map(|joint| joint.rest).collect();
    Clip::new("still", skeleton, 60.0, rest).unwrap()
}

fn read_names(skeleton: &Skeleton) -> Vec<String> {
    skeleton.joints().iter().map(|joint| joint.name.clone()).collect()
}

#[test]
fn names_in_bvh_keep_their_spaces_and_lose_what_would_break_the_file() {
    let skeleton = named(&[
        "My Hips",
        "tab\tinside",
        " edge ",
        "_edge_",
        "{brace}",
        "line\nbreak",
        "",
        "End",
        "é 腕",
    ]);
    let text = bvh::write(&skeleton, &still(&skeleton), &Default::default());
    let read = bvh::read(text.as_bytes(), "clip", &ReadOptions::default()).unwrap();
    assert_eq!(read.warnings, []);
    let expected = [
        "My Hips",
        "tab\tinside",
        "_edge_",
        "_edge__2",
        "_brace_",
        "line_break",
        "joint_6",
        "End",
        "é 腕",
    ];
    assert_eq!(read_names(&read.skeleton), expected);
}

#[test]
fn names_in_acclaim_files_are_single_words_that_mean_nothing_else() {
    let skeleton = named(&["Hips", "left arm", "left,arm", "root", "END", "12", "-x", "a#b:c", ""]);
    let files = acclaim::write(&skeleton, &still(&skeleton), &Default::default());
    let (asf, amc) = (files.asf.as_bytes(), files.amc.as_bytes());
    let read = acclaim::read(asf, amc, "clip", &ReadOptions::default()).unwrap();
    let names = read_names(&read.skeleton);
    let joints: Vec<_> = names.iter().filter(|name| !name.ends_with("_offset")).collect();
    let expected = [
        "root",
        "left_arm",
        "left_arm_2",
        "bone_root",
        "bone_END",
        "bone_12",
        "bone_-x",
        "a_b_c",
        "bone_",
    ];
    assert_eq!(joints, expected);
    assert_eq!(read.clips[0].fps(), 60.0);
}

#[test]
fn bones_that_bridge_gaps_are_written_only_where_there_are_gaps() {
    let skeleton = Skeleton::new(vec![
        Joint::new("hips", None, Vec3::new(0.0, 0.9, 0.0)),
        Joint::new("spine", Some(0), Vec3::ZERO),
        Joint::new("neck", Some(1), Vec3::Y * 0.5),
        Joint { tip: Some(Vec3::Y * 0.2), ..Joint::new("head", Some(2), Vec3::Y * 0.1) },
        Joint::new("left leg", Some(0), Vec3::X * 0.1),
        Joint::new("left eye", Some(4), Vec3::new(0.0, -0.4, 0.0)),
        Joint::new("left ear", Some(4), Vec3::new(0.0, -0.5, 0.0)),
    ])
    .unwrap();
    let options = acclaim::AcclaimWriteOptions { length_unit: 1.0, ..Default::default() };
    let text = acclaim::write_asf(&skeleton, &options);
    let file = acclaim::read_asf(text.as_bytes(), &ReadOptions::default()).unwrap();
    let inches = |metres: f64| metres / 0.0254;
    let expected = [
        ("spine", inches(0.5)),
        ("neck", inches(0.1)),
        ("head", inches(0.2)),
        ("left_leg_offset", inches(0.1)),
        ("left_leg", 0.0),
        ("left_eye_offset", inches(0.4)),
        ("left_eye", 0.0),
        ("left_ear_offset", inches(0.5)),
        ("left_ear", 0.0),
    ];
    assert_eq!(file.bones().len(), expected.len());
    for (bone, (name, length)) in file.bones().iter().zip(expected) {
        assert_eq!(bone.name, name);
        assert!((bone.length - length).abs() < 1e-5, "{name}: {}", bone.length);
        assert_eq!(bone.dof.is_empty(), name.ends_with("_offset"), "{name}");
    }
}

/// A joint that spins twice, written in every order: without care an angle jumps by a whole turn.
#[test]
fn angles_have_no_jumps() {
    let skeleton = named(&["wheel"]);
    for axis in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(0.6, 0.0, 0.8)] {
        let turn =
            |frame| Transform::from_rotation(Quat::from_axis_angle(axis, frame as f32 * 0.05));
        let clip = Clip::new("spin", &skeleton, 60.0, (0..252).map(turn).collect()).unwrap();
        for order in RotationOrder::ALL {
            let text = bvh::write(
                &skeleton,
                &clip,
                &bvh::BvhWriteOptions { order, scale: 1.0, ..Default::default() },
            );
            let frames = text.lines().skip_while(|line| !line.starts_with("Frame Time")).skip(1);
            let angles: Vec<Vec<f64>> = frames
                .map(|line| line.split(' ').skip(3).map(|word| word.parse().unwrap()).collect())
                .collect();
            assert_eq!(angles.len(), 252);
            for pair in angles.windows(2) {
                for (a, b) in pair[0].iter().zip(&pair[1]) {
                    assert!((a - b).abs() < 20.0, "{order:?}: {a} to {b}");
                }
            }
        }
    }
}

#[test]
fn lengths_are_in_the_unit_that_is_asked_for() {
    let skeleton = named(&["a", "b"]);
    for (scale, offset) in
        [(1.0, "0 0.1 0"), (100.0, "0 10 0"), (f32::NAN, "0 0.1 0"), (-1.0, "0 0.1 0")]
    {
        let options = bvh::BvhWriteOptions { scale, ..Default::default() };
        let text = bvh::write(&skeleton, &still(&skeleton), &options);
        assert!(text.contains(&format!("OFFSET {offset}\n")), "{text}");
    }
}

#[test]
#[should_panic(expected = "the clip is one of another skeleton")]
fn a_clip_of_another_skeleton_is_not_written() {
    let clip = still(&named(&["a", "b"]));
    bvh::write(&named(&["a"]), &clip, &Default::default());
}

#[test]
fn a_root_with_y_first_turns_round_and_round_in_one_even_channel() {
    let skeleton = named(&["Hips", "Chest"]);
    let frame = |k: usize| {
        let turn = 0.05 * k as f32;
        let tilt = Quat::from_rotation_x(0.12 * (0.3 * turn).sin())
            * Quat::from_rotation_z(0.1 * (0.7 * turn).cos());
        let root = Transform::new(Quat::from_rotation_y(turn) * tilt, Vec3::new(0.0, 0.9, turn));
        [root, skeleton.joint(1).rest]
    };
    let clip = Clip::new("turns", &skeleton, 60.0, (0..400).flat_map(frame).collect()).unwrap();
    let root_order = Some(RotationOrder::Yxz);
    let options = bvh::BvhWriteOptions { root_order, ..Default::default() };
    let text = bvh::write(&skeleton, &clip, &options);
    assert!(text.contains("Zposition Yrotation Xrotation Zrotation"));
    assert!(text.contains("CHANNELS 3 Zrotation Yrotation Xrotation"));
    let rows = text.lines().skip_while(|line| !line.starts_with("Frame Time")).skip(1);
    let angles: Vec<[f64; 3]> = rows
        .map(|row| {
            let values: Vec<f64> = row.split(' ').map(|value| value.parse().unwrap()).collect();
            [values[3], values[4], values[5]]
        })
        .collect();
    assert_eq!(angles.len(), 400);
    for pair in angles.windows(2) {
        let step = [0, 1, 2].map(|axis| (pair[1][axis] - pair[0][axis]).abs());
        assert!((step[0] - 0.05f64.to_degrees()).abs() < 0.05, "{step:?}");
        assert!(step[1] < 0.5 && step[2] < 0.5, "{step:?}");
    }
    let read = bvh::read(text.as_bytes(), "turns", &ReadOptions::default()).unwrap();
    for (own, back) in clip.frames().zip(read.clips[0].frames()) {
        assert!(own[0].rotation.dot(back[0].rotation).abs() > 1.0 - 1e-5);
    }
}
