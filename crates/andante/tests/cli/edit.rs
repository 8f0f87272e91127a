//! Motions that are changed: `edit` and `retarget`.

use crate::{andante, json, text, walk};
use serde_json::Value;

#[test]
fn edits_are_applied_in_order() {
    let directory = tempfile::tempdir().unwrap();
    let path = walk(directory.path());
    let edited = |operations: &[&str]| {
        let out = directory.path().join("edited.bvh");
        json(&[&["edit", text(&path), text(&out)], operations].concat(), 0)
    };
    let seconds = |report: &Value| report["seconds"].as_f64().unwrap();
    let half = edited(&["trim=0.5:1.5", "speed=2"]);
    assert!((seconds(&half) - 0.5).abs() < 0.02);
    let stride = edited(&["loop"]);
    assert!((seconds(&stride) - 1.1).abs() < 0.1, "{stride}");
    let joined = edited(&["mirror", &format!("append={}:0.2", path.display()), "resample=30"]);
    assert!(seconds(&joined) > 8.0 && joined["fps"] == 30.0);
    assert!(stride["metrics"]["foot_slide_mm_mean"].as_f64().is_some(), "{stride}");
    assert!(stride["metrics"].get("pose_change_deg_mean").is_none(), "other frames: {stride}");
    let planted = edited(&["plant"]);
    let change = planted["metrics"]["pose_change_deg_mean"].as_f64().unwrap();
    let mirrored = edited(&["mirror"]);
    assert!(change < mirrored["metrics"]["pose_change_deg_mean"].as_f64().unwrap(), "{planted}");
    edited(&[
        "plant",
        "reverse",
        "retime=1.0",
        "cut=0.2:0.4",
        &format!("mix={}:0.5", path.display()),
    ]);
    for (operation, expected) in [
        ("waltz", "no operation"),
        ("trim=1", "FROM:TO"),
        ("speed=fast", "not a number"),
        ("speed", "value"),
        ("mirror=2", "no value"),
    ] {
        let out = directory.path().join("none.bvh");
        let output = andante()
            .args(["edit", text(&path), text(&out), operation])
            .assert()
            .code(2)
            .get_output()
            .clone();
        assert!(String::from_utf8(output.stderr).unwrap().contains(expected), "{operation}");
        assert!(!out.exists());
    }
}

#[test]
fn a_hand_reaches_a_point_with_every_solver() {
    let directory = tempfile::tempdir().unwrap();
    let stand = directory.path().join("stand.bvh");
    json(&["clips", "stand", "-o", text(&stand)], 0);
    let out = directory.path().join("out.bvh");
    for solver in ["two-bone", "ccd", "fabrik", "jacobian", "descent", "full"] {
        let order = format!("reach=LeftHand@2:0.35,1.25,0.35:{solver}");
        let report = json(&["edit", text(&stand), text(&out), &order], 0);
        let change = report["metrics"]["pose_change_deg_mean"].as_f64().unwrap();
        assert!(change > 0.1 && change < 20.0, "{solver}: {report}");
        let read = andante_formats::read_file(&out, &Default::default(), None).unwrap();
        let (skeleton, clip) = (&read.skeleton, &read.clips[0]);
        let frame = clip.frame((2.0 * clip.fps()).round() as usize);
        let mut models = frame.to_vec();
        skeleton.local_to_model(frame, &mut models);
        let hand = models[skeleton.find("LeftHand").unwrap()].translation;
        let miss = hand.distance([0.35, 1.25, 0.35].into());
        let most = if solver == "descent" { 0.12 } else { 0.005 };
        assert!(miss < most, "{solver}: {miss} m");
    }
    for (order, expected) in [
        ("reach=LeftHand@2:9,9,9", "short"),
        ("reach=LeftHand@2:1,1,1:magic", "no solver"),
        ("reach=Tentacle@2:1,1,1", "no joint"),
        ("reach=LeftHand@2:1,1", "JOINT@TIME"),
        ("reach=LeftHand@99:1,1,1", "lasts"),
        ("reach=Spine@2:0,1,0:full", "limbs"),
    ] {
        let failed = andante().args(["edit", text(&stand), text(&out), order]).assert().code(2);
        let said = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
        assert!(said.contains(expected), "{order}: {said}");
    }
}

#[test]
fn a_walk_is_put_on_another_body() {
    let directory = tempfile::tempdir().unwrap();
    let path = walk(directory.path());
    let child = directory.path().join("child.glb");
    json(&["clips", "stand", "--height", "1.2", "-o", text(&child)], 0);
    let out = directory.path().join("out.glb");
    let report = json(&["retarget", text(&path), "--to", text(&child), text(&out)], 0);
    let metric = |name: &str| report["metrics"][name].as_f64().unwrap();
    assert!(metric("foot_slide_mm_mean") < 0.5 && metric("foot_slide_mm_max") < 2.0, "{report}");
    assert!(metric("pose_change_deg_mean") < 3.0, "{report}");
    // Whoever inspects the result finds the same.
    let inspected = json(&["inspect", text(&out)], 0);
    assert!(inspected["foot_slide_mm_mean"].as_f64().unwrap() < 0.5, "{inspected}");
    assert!((report["clips"][0]["scale"].as_f64().unwrap() - 1.2 / 1.75).abs() < 0.03);
    andante().args(["retarget", text(&path), "--to", "dragon", text(&out)]).assert().code(2);
}

#[test]
fn added_t_poses_are_told_of_and_left_out_where_feet_are_planted() {
    let Some(file) = andante_testdata::mocap("cmu/16/16_15.bvh") else { return };
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("out.glb");
    let warned = |report: &Value| report["warnings"].to_string().contains("T-pose");
    assert!(warned(&json(&["convert", text(&file), text(&out)], 0)["files"][0]));
    assert!(!warned(
        &json(&["convert", text(&file), text(&out), "--drop-first-frame"], 0)["files"][0]
    ));
    let report = json(&["retarget", text(&file), "--to", "humanoid", text(&out)], 0);
    assert!(warned(&report));
    assert!(report["metrics"]["foot_rotation_deg_max"].as_f64().unwrap() < 10.0, "{report}");
    assert_eq!(json(&["inspect", text(&out)], 0)["frames"], 471);
}

#[test]
fn a_walk_in_place_keeps_its_pace_when_its_feet_are_planted() {
    let Some(file) = andante_testdata::gltf("CesiumMan.glb") else { return };
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("out.glb");
    let before = json(&["inspect", text(&file)], 0);
    json(&["edit", text(&file), text(&out), "plant"], 0);
    let after = json(&["inspect", text(&out)], 0);
    for report in [&before, &after] {
        assert_eq!(report["in_place"], true, "{report}");
    }
    // Its feet keep the pace of the belt that it walks on.
    let speed = |report: &Value| report["speed_mps"].as_f64().unwrap();
    assert!((speed(&after) / speed(&before) - 1.0).abs() < 0.15, "{after}");
    assert!(
        after["foot_slide_mm_mean"].as_f64().unwrap()
            < before["foot_slide_mm_mean"].as_f64().unwrap()
    );
}

/// Places of the root, frame by frame, read by hand from a file whose root comes first.
fn root_places(path: &std::path::Path) -> Vec<[f64; 3]> {
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().skip_while(|line| !line.starts_with("Frame Time")).skip(1);
    let numbers = |line: &str| -> Vec<f64> {
        line.split_whitespace().map(|number| number.parse().unwrap()).collect()
    };
    rows.map(|line| numbers(line)[..3].try_into().unwrap()).collect()
}

#[test]
fn a_motion_is_moved_turned_and_kept_in_place() {
    let directory = tempfile::tempdir().unwrap();
    let walk = walk(directory.path());
    let out = directory.path().join("out.bvh");
    let edit = |operations: &[&str]| {
        let mut arguments = vec!["edit", text(&walk), text(&out)];
        arguments.extend(operations);
        json(&arguments, 0);
        root_places(&out)
    };
    let before = root_places(&walk);
    let far = |places: &[[f64; 3]]| {
        let [first, last] = [places[0], places[places.len() - 1]];
        f64::hypot(last[0] - first[0], last[2] - first[2])
    };
    assert!(far(&before) > 2.0);
    assert!(far(&edit(&["in-place"])) < 0.1);
    let moved = edit(&["move=1,0.5,-2"]);
    for (a, b) in before.iter().zip(&moved) {
        let by = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
        assert!(by.iter().zip([1.0, 0.5, -2.0]).all(|(a, b)| (a - b).abs() < 1e-5), "{by:?}");
    }
    // Left of +Z is +X.
    let turned = edit(&["turn=90"]);
    let (was, is) = (before[before.len() - 1], turned[turned.len() - 1]);
    assert!((is[0] - was[2]).abs() < 1e-4 && (is[2] + was[0]).abs() < 1e-4, "{was:?} {is:?}");
    let shorter = edit(&["--drop-first-frame", "speed=1"]);
    assert_eq!(shorter.len(), before.len() - 1);
    // What people do is slower than 12 Hz.
    let smooth = edit(&["filter=12"]);
    for (a, b) in before.iter().zip(&smooth) {
        assert!((0..3).all(|axis| (a[axis] - b[axis]).abs() < 0.004), "{a:?} {b:?}");
    }
    // In another unit and order it is the same motion.
    let centimetres = edit(&["speed=1", "--unit", "cm", "--rotation-order", "xyz"]);
    assert!((centimetres[5][2] - 100.0 * before[5][2]).abs() < 1e-2);
    assert!(std::fs::read_to_string(&out).unwrap().contains("Xrotation Yrotation Zrotation"));
    let (here, there) = (json(&["inspect", text(&walk)], 0), json(&["inspect", text(&out)], 0));
    assert_eq!(here["class"], there["class"]);
    let height = |report: &serde_json::Value| report["height_m"].as_f64().unwrap();
    assert!((height(&here) - height(&there)).abs() < 1e-3);
}

#[test]
fn an_arm_of_one_motion_goes_with_the_legs_of_another() {
    let directory = tempfile::tempdir().unwrap();
    let (walk, stand) = (walk(directory.path()), directory.path().join("stand.bvh"));
    json(&["clips", "stand", "-o", text(&stand)], 0);
    let out = directory.path().join("out.bvh");
    let part = format!("part=LeftShoulder:{}", text(&stand));
    json(&["edit", text(&walk), text(&out), &part], 0);
    assert_eq!(root_places(&walk), root_places(&out));
    assert_ne!(std::fs::read(&walk).unwrap(), std::fs::read(&out).unwrap());
    let gone = format!("part=NoSuchJoint:{}", text(&stand));
    let report = json(&["edit", text(&walk), text(&out), &gone], 2);
    assert!(report["error"]["message"].as_str().unwrap().contains("NoSuchJoint"), "{report}");
}
