//! What is made of odd and of broken BVH files. The files are the fuzzer's seeds.
#![allow(clippy::unwrap_used, clippy::panic)]

use andante_formats::{Asset, ReadError, ReadOptions, UnitSource, UpAxis, bvh};
use andante_skeleton::{Skeleton, rotation};
use glam::{Quat, Vec3};
use std::path::Path;

fn seed(name: &str) -> Vec<u8> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/bvh");
    std::fs::read(directory.join(name).with_extension("bvh")).unwrap()
}

fn read_with(name: &str, options: &ReadOptions) -> Result<Asset, ReadError> {
    bvh::read(&seed(name), "clip", options)
}

fn read(name: &str) -> Asset {
    read_with(name, &ReadOptions::default()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn warnings(name: &str) -> Vec<String> {
    read(name).warnings.iter().map(ToString::to_string).collect()
}

fn names(asset: &Asset) -> Vec<&str> {
    asset.skeleton.joints().iter().map(|joint| joint.name.as_str()).collect()
}

/// Rotations of the same frame, whatever their sign.
fn same_motion(a: &Asset, b: &Asset) -> bool {
    let transforms = |asset: &Asset| asset.clips[0].transforms().to_vec();
    let (a, b) = (transforms(a), transforms(b));
    a.len() == b.len()
        && a.iter().zip(&b).all(|(a, b)| {
            rotation::angle_between(a.rotation, b.rotation) < 1e-5
                && a.translation.abs_diff_eq(b.translation, 1e-6)
        })
}

#[test]
fn the_same_motion_is_read_however_it_is_spelt() {
    let plain = read("plain");
    assert_eq!(plain.warnings, []);
    assert_eq!((plain.clips[0].name(), plain.clips[0].fps()), ("clip", 30.0));
    assert_eq!(names(&plain), ["Hips", "Spine"]);
    assert_eq!(plain.skeleton.joint(1).tip, Some(Vec3::new(0.0, 0.5, 0.0)));
    assert_eq!(plain.units.source, UnitSource::Guessed("metres"));
    for name in [
        "tabs-and-crlf",
        "carriage-returns",
        "byte-order-mark",
        "lower-case-keywords",
        "scientific-notation",
        "name-before-brace",
        "end-site-with-name",
        "end-without-site",
        "frames-wrapped",
        "frames-with-blank-lines",
        "frame-time-first",
    ] {
        let other = read(name);
        assert_eq!(other.warnings, [], "{name}");
        assert_eq!(other.skeleton, plain.skeleton, "{name}");
        assert_eq!(other.clips[0].fps(), plain.clips[0].fps(), "{name}");
        assert!(same_motion(&plain, &other), "{name}");
    }
}

#[test]
fn rotations_multiply_in_the_order_of_their_channels() {
    let asset = read("plain");
    let turn = |axis: Vec3, degrees: f32| Quat::from_axis_angle(axis, degrees.to_radians());
    let expected = turn(Vec3::Z, 10.0) * turn(Vec3::X, 20.0) * turn(Vec3::Y, 30.0);
    assert!(rotation::angle_between(asset.clips[0].rotation(0, 0), expected) < 1e-6);

    let mixed = read("orders-of-every-kind");
    let frame = mixed.clips[0].frame(0);
    assert_eq!(frame[0].translation, Vec3::new(1.0, 2.0, 3.0) * mixed.units.scale);
    for (joint, expected) in [
        turn(Vec3::X, 10.0) * turn(Vec3::Y, 20.0) * turn(Vec3::Z, 30.0),
        turn(Vec3::Z, 40.0) * turn(Vec3::X, 50.0) * turn(Vec3::Z, 60.0),
        turn(Vec3::Y, 70.0),
        turn(Vec3::Y, 80.0) * turn(Vec3::X, 90.0),
        Quat::IDENTITY,
    ]
    .into_iter()
    .enumerate()
    {
        assert!(rotation::angle_between(frame[joint].rotation, expected) < 1e-6, "{joint}");
    }
}

#[test]
fn a_position_channel_replaces_a_component_of_the_offset() {
    let asset = read("positions-of-a-joint");
    let place = |frame: usize, joint: usize| asset.clips[0].frame(frame)[joint].translation;
    // The root's offset of 0.9 is not added to its position.
    assert_eq!(place(0, 0), Vec3::new(0.0, 0.9, 0.0));
    assert_eq!(place(0, 1), Vec3::new(0.25, 0.3, 0.0));
    assert_eq!(place(1, 1), Vec3::new(0.5, 0.3, 0.0));
}

#[test]
fn glued_numbers_are_two_numbers() {
    let asset = read("glued-numbers");
    assert_eq!(asset.warnings, []);
    assert_eq!(asset.skeleton.joint(1).rest.translation, Vec3::new(0.3, -0.1, 0.2));
    assert_eq!(asset.clips[0].frame_count(), 2);
    let turn = |axis: Vec3, degrees: f32| Quat::from_axis_angle(axis, degrees.to_radians());
    let expected = turn(Vec3::Z, 10.0) * turn(Vec3::X, -20.5) * turn(Vec3::Y, -30.25);
    assert!(rotation::angle_between(asset.clips[0].rotation(0, 0), expected) < 1e-6);
}

#[test]
fn whole_turns_make_no_difference() {
    let asset = read("angles-beyond-a-turn");
    let turn = |axis: Vec3, degrees: f64| Quat::from_axis_angle(axis, degrees.to_radians() as f32);
    let expected = turn(Vec3::Z, 10.0) * turn(Vec3::X, 20.0) * turn(Vec3::Y, 1e15 % 360.0);
    assert!(rotation::angle_between(asset.clips[0].rotation(0, 0), expected) < 1e-5);
}

#[test]
fn names_are_kept_and_made_unique() {
    assert_eq!(names(&read("names-with-spaces")), ["My Hips  x", "Spine_End"]);
    assert_eq!(names(&read("names-like-keywords")), ["End", "JOINT"]);
    assert_eq!(names(&read("name-in-latin-1")), ["Hips", "Épaule"]);
    assert_eq!(names(&read("names-repeated")), ["Hips", "Hips_2"]);
    assert_eq!(names(&read("name-missing")), ["Hips", "joint_1"]);
}

#[test]
fn harmless_oddities_are_warnings_and_say_what_was_done() {
    for (name, frames, expected) in [
        ("names-repeated", 2, "line 6: a second joint is named `Hips`; it is called `Hips_2`"),
        ("name-missing", 2, "line 6: a joint has no name; it is called `joint_1`"),
        ("end-sites-several", 2, "line 16: joint `Spine` has several end sites; the first is kept"),
        (
            "end-site-with-channels",
            2,
            "line 13: joint `Spine` has channels of its end site; they are left unused",
        ),
        (
            "scale-channels",
            2,
            "line 9: joint `Spine` has channels that scale it; they are left unused",
        ),
        ("offset-missing", 2, "line 13: joint `Spine` has no OFFSET; it is put at its parent"),
        ("frames-more-than-declared", 2, "line 16: frames: 1 declared, 2 found"),
        ("frames-fewer-than-declared", 2, "line 16: frames: 1000000000 declared, 2 found"),
        ("frames-not-declared", 2, "line 16: the number of frames is not declared; 2 found"),
        ("frames-negative", 2, "line 16: the number of frames is not declared; 2 found"),
        ("frames-none", 0, "line 16: the file has no frames; there is no clip"),
        ("motion-missing", 0, "the file has no MOTION section; there is no clip"),
        ("motion-header-only", 0, "line 16: the file has no frames; there is no clip"),
        ("channels-none", 0, "line 6: no joint has channels; there is no clip"),
        (
            "frame-time-zero",
            2,
            "line 16: a frame time of 0.0 s makes no sense; 30 frames per second assumed",
        ),
        (
            "frame-time-negative",
            2,
            "line 16: a frame time of -0.01 s makes no sense; 30 frames per second assumed",
        ),
        (
            "frame-time-tiny",
            2,
            "line 16: a frame time of 1e-30 s makes no sense; 30 frames per second assumed",
        ),
        (
            "frame-time-missing",
            2,
            "line 16: the frame time is missing; 30 frames per second assumed",
        ),
    ] {
        assert_eq!(warnings(name), [expected], "{name}");
        let count = read(name).clips.first().map_or(0, |clip| clip.frame_count());
        assert_eq!(count, frames, "{name}");
    }
}

#[test]
fn a_last_frame_that_is_cut_off_is_left_out() {
    for (name, values) in [
        ("cut-off-after-a-value", 7),
        ("cut-off-within-a-number", 7),
        ("cut-off-in-an-exponent", 8),
    ] {
        let expected = format!(
            "line 20: the file is cut off in frame 2: {values} of 9 values; the frame is left out"
        );
        assert_eq!(warnings(name), [expected.as_str(), "line 16: frames: 2 declared, 1 found"]);
        assert_eq!(read(name).clips[0].frame_count(), 1);
    }
}

#[test]
fn broken_files_are_refused_with_line_column_and_joint() {
    for (name, expected) in [
        (
            "value-nan",
            "line 20, column 23: frame 2, Xrotation of joint `Spine`: `nan` is not a finite number",
        ),
        (
            "value-infinite",
            "line 20, column 20: frame 2, Zrotation of joint `Spine`: `-inf` is not a finite number",
        ),
        (
            "value-overflows",
            "line 20, column 25: frame 2, Yrotation of joint `Spine`: `1e999` is not a finite number",
        ),
        (
            "value-of-windows-nan",
            "line 20, column 23: frame 2, Xrotation of joint `Spine`: `-1.#IND` is not a finite number",
        ),
        (
            "value-nan-at-the-end",
            "line 20, column 25: frame 2, Yrotation of joint `Spine`: `nan` is not a finite number",
        ),
        (
            "value-is-a-word",
            "line 19, column 12: frame 1, Xrotation of joint `Hips`: `twenty` is not a number",
        ),
        (
            "value-with-comma",
            "line 19, column 12: frame 1, Xrotation of joint `Hips`: `2,5` is not a number",
        ),
        (
            "value-with-two-points",
            "line 19, column 12: frame 1, Xrotation of joint `Hips`: `2.5.5` is not a number",
        ),
        (
            "value-missing",
            "line 20, column 3: frame 1 began on line 19, and its 9 values end in the middle of this one: \
             a value is missing before or superfluous here",
        ),
        (
            "value-superfluous",
            "line 19, column 26: frame 1 has more than the 9 values that its channels need",
        ),
        ("frame-time-nan", "line 18, column 13: the frame time: `nan` is not a finite number"),
        ("motion-header-strange", "line 18, column 6: expected `Frames:` or `Frame Time:`"),
        ("offset-nan", "line 8, column 14: OFFSET of joint `Spine`: `nan` is not a finite number"),
        ("offset-short", "line 9, column 5: OFFSET of joint `Spine`: `CHANNELS` is not a number"),
        ("offset-twice", "line 8, column 20: a second OFFSET for joint `Spine`"),
        (
            "channel-unknown",
            "line 5, column 24: channel 2 of the 6 of joint `Hips`: `Wposition` is not a channel; expected \
             one such as Xposition or Zrotation",
        ),
        (
            "channels-fewer-than-said",
            "line 10, column 5: channel 3 of the 3 of joint `Spine`: `End` is not a channel; expected one \
             such as Xposition or Zrotation",
        ),
        (
            "channels-more-than-said",
            "line 9, column 36: `Yrotation` inside a joint: expected OFFSET, CHANNELS, JOINT, End Site or }",
        ),
        (
            "channels-uncounted",
            "line 9, column 14: CHANNELS of joint `Spine`: `Zrotation` is not a number of channels",
        ),
        ("channels-twice", "line 9, column 26: a second CHANNELS for joint `Spine`"),
        (
            "channels-of-one-position-twice",
            "line 5, column 24: joint `Hips` has two channels Xposition",
        ),
        (
            "end-site-with-joint",
            "line 13, column 7: `JOINT` inside an end site: expected OFFSET or }",
        ),
        ("brace-missing", "line 15, column 1: joint `Hips` is not closed: `}` is missing"),
        ("brace-not-opened", "line 8, column 5: expected `{` to open joint `Spine`"),
        ("brace-superfluous", "line 16, column 1: `}` after the hierarchy: expected MOTION"),
        (
            "roots-two",
            "line 16, column 1: a second ROOT: a file with several characters must be split first",
        ),
        ("root-in-a-joint", "line 6, column 3: ROOT inside joint `Hips`: the root has no parent"),
        ("root-missing", "line 2, column 1: HIERARCHY must be followed by a ROOT"),
        (
            "word-unknown",
            "line 9, column 1: `COLOUR` inside a joint: expected OFFSET, CHANNELS, JOINT, End Site or }",
        ),
        ("empty", "line 1, column 1: this is not a BVH file: it does not begin with HIERARCHY"),
        ("not-bvh", "line 1, column 1: this is not a BVH file: it does not begin with HIERARCHY"),
    ] {
        let error = read_with(name, &ReadOptions::default()).map(|_| ()).unwrap_err();
        assert_eq!(error.to_string(), expected, "{name}");
    }
}

#[test]
fn a_rate_that_is_given_stands_in_for_one_that_makes_no_sense() {
    let options = ReadOptions { fps: Some(60.0), ..Default::default() };
    let fps = |name| read_with(name, &options).unwrap().clips[0].fps();
    assert_eq!(fps("frame-time-zero"), 60.0);
    assert_eq!(fps("frame-time-missing"), 60.0);
    // A file that has a rate keeps it.
    assert_eq!(fps("plain"), 30.0);
}

#[test]
fn rates_near_a_whole_number_are_that_number() {
    let plain = String::from_utf8(seed("plain")).unwrap();
    for (time, fps) in [
        ("0.0083333", 120.0),
        (".0083333", 120.0),
        ("0.008333", 120.0),
        ("0.016667", 60.0),
        ("0.0333667", 29.97),
        ("0.04", 25.0),
        ("0.0083", 120.48),
    ] {
        let text = plain.replace("0.0333333", time);
        let asset = bvh::read(text.as_bytes(), "clip", &ReadOptions::default()).unwrap();
        assert!((asset.clips[0].fps() - fps).abs() < 0.01, "{time}");
        assert_eq!(asset.clips[0].fps().fract() == 0.0, f32::fract(fps) == 0.0, "{time}");
    }
}

#[test]
fn a_scale_that_is_given_is_used_and_a_useless_one_refused() {
    let options = ReadOptions { scale: Some(0.01), ..Default::default() };
    let asset = read_with("plain", &options).unwrap();
    assert_eq!(asset.units.source, UnitSource::Given);
    assert!(asset.skeleton.joint(1).rest.translation.abs_diff_eq(Vec3::new(0.0, 0.003, 0.0), 1e-9));
    for scale in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(
            read_with("plain", &ReadOptions { scale: Some(scale), ..Default::default() }).is_err()
        );
    }
}

#[test]
fn z_up_files_stand_upright_at_rest_and_in_motion() {
    let y_up = read("plain");
    let z_up = read_with("plain", &ReadOptions { up: UpAxis::Z, ..Default::default() }).unwrap();
    let turn = Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
    for (frame, turned) in y_up.clips[0].frames().zip(z_up.clips[0].frames()) {
        let (mut models, mut turned_models) = (frame.to_vec(), turned.to_vec());
        y_up.skeleton.local_to_model(frame, &mut models);
        z_up.skeleton.local_to_model(turned, &mut turned_models);
        for (model, turned) in models.iter().zip(&turned_models) {
            assert!(turned.translation.abs_diff_eq(turn * model.translation, 1e-6));
        }
    }
    for (rest, turned) in y_up.skeleton.rest_models().iter().zip(z_up.skeleton.rest_models()) {
        assert!(turned.translation.abs_diff_eq(turn * rest.translation, 1e-6));
        assert_eq!(turned.rotation, Quat::IDENTITY);
    }
    assert_eq!(z_up.skeleton.joint(1).tip, Some(Vec3::new(0.0, 0.0, -0.5)));
}

/// A chain of joints, each inside the one before.
fn chain(joints: usize) -> String {
    let mut text = String::from("HIERARCHY\nROOT j\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n");
    for joint in 1..joints {
        text.push_str(&format!("JOINT j{joint}\n{{\nOFFSET 0 0.001 0\n"));
    }
    text.push_str(&"}\n".repeat(joints));
    text.push_str("MOTION\nFrames: 1\nFrame Time: 0.01\n90\n");
    text
}

#[test]
fn nesting_is_as_deep_as_there_are_joints() {
    let text = chain(Skeleton::MAX_JOINTS);
    let asset = bvh::read(text.as_bytes(), "clip", &ReadOptions::default()).unwrap();
    assert_eq!(asset.skeleton.len(), Skeleton::MAX_JOINTS);
    let written = bvh::write(&asset.skeleton, &asset.clips[0], &Default::default());
    assert!(written.len() < 400 * Skeleton::MAX_JOINTS);
    let options = ReadOptions { scale: Some(1.0), ..Default::default() };
    let again = bvh::read(written.as_bytes(), "clip", &options).unwrap();
    assert_eq!(again.skeleton.len(), Skeleton::MAX_JOINTS);
}

#[test]
fn too_many_joints_are_refused() {
    let text = chain(Skeleton::MAX_JOINTS + 1);
    let error = bvh::read(text.as_bytes(), "clip", &ReadOptions::default()).unwrap_err();
    assert!(error.message.contains("more than 16384 joints"), "{error}");
}

/// Found by reasoning about memory: each frame of two bytes would take half a megabyte.
#[test]
fn a_small_file_does_not_become_a_huge_clip() {
    let mut text = chain(Skeleton::MAX_JOINTS);
    text.push_str(&"90\n".repeat(100_000));
    let error = bvh::read(text.as_bytes(), "clip", &ReadOptions::default()).unwrap_err();
    assert!(error.message.contains("a hundred times as much memory"), "{error}");
}
