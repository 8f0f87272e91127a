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
    json(&["edit", text(&stand), text(&out), "reach=LeftHand@2:9,9,9"], 1);
    for (order, expected) in [
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
    // The left arm is let go two frames later.
    assert_eq!(json(&["inspect", text(&out)], 0)["frames"], 469);
    let told = |file: &std::path::Path| json(&["inspect", text(file)], 0)["warnings"].to_string();
    assert!(told(&file).contains("the first 3 frames are an added pose"), "{}", told(&file));
    assert!(told(&file).contains("joint `LThumb` jumps at frame 9, by 56°"), "{}", told(&file));
    assert!(!told(&out).contains("Arm` jumps"), "{}", told(&out));
    let Some(lost) = andante_testdata::mocap("cmu/03/03_02.bvh") else { return };
    let told = told(&lost);
    assert!(told.contains("the motion jumps at frame 52"), "{told}");
    assert!(told.contains("joint `LeftLeg` jumps at frame 26, by 3"), "{told}");
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

/// The motion of a file, and where its joints are in every frame.
pub fn joints_of(
    path: &std::path::Path,
) -> (andante_skeleton::Skeleton, andante_skeleton::Clip, Vec<Vec<andante_skeleton::Transform>>) {
    let asset = andante_formats::read_file(path, &Default::default(), None).unwrap();
    let clip = asset.clips[0].clone();
    let frames = andante_skeleton::model_frames(&asset.skeleton, &clip);
    (asset.skeleton, clip, frames)
}

#[test]
fn joints_are_keyed_and_the_rest_stays() {
    let directory = tempfile::tempdir().unwrap();
    let stand = directory.path().join("stand.bvh");
    json(&["clips", "stand", "-o", text(&stand)], 0);
    let out = directory.path().join("out.bvh");
    let (skeleton, before, _) = joints_of(&stand);
    let head = skeleton.find("Head").unwrap();
    json(&["edit", text(&stand), text(&out), "set=Head@1:30,0,0:0.2"], 0);
    let (_, set, _) = joints_of(&out);
    // Thirty degrees about X, by the definition of a quaternion.
    let at = (set.fps()).round() as usize;
    let turned = set.rotation(at, head);
    let half = 15.0f32.to_radians();
    assert!(
        (turned.x.abs() - half.sin()).abs() < 1e-3 && (turned.w.abs() - half.cos()).abs() < 1e-3,
        "{turned}"
    );
    let angle =
        |a: &andante_skeleton::Clip, b: &andante_skeleton::Clip, frame: usize, joint: usize| {
            andante_skeleton::rotation::angle_between(
                a.rotation(frame, joint),
                b.rotation(frame, joint),
            )
            .to_degrees()
        };
    assert!(angle(&set, &before, at + 15, head) < 0.05, "it has faded");
    assert!(
        (0..skeleton.len())
            .filter(|&joint| joint != head)
            .all(|joint| angle(&set, &before, at, joint) < 0.05)
    );
    // Held, and further than it is.
    json(&["edit", text(&stand), text(&out), "bend=Head@1-1.5:0,0,20:0.3"], 0);
    let (_, bent, _) = joints_of(&out);
    for frame in at..at + (0.5 * set.fps()) as usize {
        assert!((angle(&bent, &before, frame, head) - 20.0).abs() < 0.1);
    }
    for (operation, expected) in [
        ("set=Head@1:30,0", "`30,0`"),
        ("set=Head@1:30,zero,0", "`zero`"),
        ("set=Head@soon:30,0,0", "`soon`"),
        ("set=Head:30,0,0", "JOINT@TIME"),
        ("set=Nose@1:30,0,0", "`Nose`"),
        ("set=Head@99:30,0,0", "lasts from 0 to"),
        ("set=Head@1:30,0,0:-1", "fade"),
        ("bend=Head@1.5-1:0,0,9", "nothing"),
    ] {
        let report = json(&["edit", text(&stand), text(&out), operation], 2);
        assert!(
            report["error"]["message"].as_str().unwrap_or_default().contains(expected)
                || andante()
                    .args(["edit", text(&stand), text(&out), operation])
                    .output()
                    .map(|output| String::from_utf8_lossy(&output.stderr).contains(expected))
                    .unwrap(),
            "{operation}: {report}"
        );
    }
}

#[test]
fn a_hand_is_held_at_a_point_and_a_foot_where_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let stand = directory.path().join("stand.bvh");
    json(&["clips", "stand", "-o", text(&stand)], 0);
    let out = directory.path().join("out.bvh");
    json(&["edit", text(&stand), text(&out), "reach=LeftHand@1-1.6:0.35,1.25,0.35:full:0.25"], 0);
    let (skeleton, clip, frames) = joints_of(&out);
    let (_, before, own) = joints_of(&stand);
    let hand = skeleton.find("LeftHand").unwrap();
    let frame = |time: f32| (time * clip.fps()).round() as usize;
    for models in &frames[frame(1.0)..=frame(1.6)] {
        assert!(models[hand].translation.distance([0.35, 1.25, 0.35].into()) < 6e-3);
    }
    assert_eq!(before.frame_count(), clip.frame_count());
    for at in [frame(0.7), frame(1.9)] {
        assert!(frames[at][hand].translation.distance(own[at][hand].translation) < 1e-3);
    }
    let walk = walk(directory.path());
    let place = |frames: &[Vec<andante_skeleton::Transform>], at: usize| {
        frames[at][skeleton.find("LeftFoot").unwrap()].translation
    };
    json(&["edit", text(&walk), text(&out), "lock=left-foot@1.0-1.5:0.2"], 0);
    let (_, clip, frames) = joints_of(&out);
    let (_, _, own) = joints_of(&walk);
    let frame = |time: f32| (time * clip.fps()).round() as usize;
    let most = (frame(1.02)..frame(1.48))
        .map(|at| place(&frames, at).distance(place(&frames, frame(1.1))))
        .fold(0.0, f32::max);
    assert!(most < 0.012, "the ankle of a locked foot moves {most} m");
    let free = (frame(1.02)..frame(1.48))
        .map(|at| place(&own, at).distance(place(&own, frame(1.1))))
        .fold(0.0, f32::max);
    assert!(free > 0.05, "it would have moved: {free} m");
    for (operation, expected) in [
        ("lock=left-foot@1", "a moment"),
        ("lock=wing@1-2", "`wing`"),
        ("lock=left-foot@1-2:x", "`x`"),
    ] {
        let stderr = andante()
            .args(["edit", text(&walk), text(&out), operation])
            .assert()
            .code(2)
            .get_output()
            .stderr
            .clone();
        assert!(
            String::from_utf8_lossy(&stderr).contains(expected),
            "{operation}: {}",
            String::from_utf8_lossy(&stderr)
        );
    }
}

#[test]
fn layers_masks_and_warps_do_what_they_say() {
    let directory = tempfile::tempdir().unwrap();
    let walk = walk(directory.path());
    let (out, layer) = (directory.path().join("out.bvh"), directory.path().join("lean.bvh"));
    let edit =
        |operations: &[&str]| json(&[&["edit", text(&walk), text(&out)], operations].concat(), 0);
    let (skeleton, before, _) = joints_of(&walk);
    let spine = skeleton.find("Spine").unwrap();
    // A layer that leans by 20 degrees from its second frame on.
    json(
        &[
            "edit",
            text(&walk),
            text(&layer),
            "posture=0.5",
            &format!("append={}:0", text(&walk)),
            "in-place",
        ],
        0,
    );
    json(&["edit", text(&walk), text(&layer), "speed=1", "bend=Spine@1-2:20,0,0:0"], 0);
    edit(&[&format!("add={}:0.5", text(&layer))]);
    let (_, added, _) = joints_of(&out);
    assert_eq!(added.frame_count(), before.frame_count());
    let angle = |clip: &andante_skeleton::Clip, frame: usize, joint: usize| {
        andante_skeleton::rotation::angle_between(
            clip.rotation(frame, joint),
            before.rotation(frame, joint),
        )
        .to_degrees()
    };
    let (rest, during) =
        (angle(&added, 3, spine), angle(&added, (1.5 * before.fps()) as usize, spine));
    assert!(rest < 3.0 && (during - 10.0).abs() < 3.0, "{rest} {during}");
    // An arm alone is filtered.
    edit(&["mask=left-arm", "filter=0.5", "mask=all", "speed=1"]);
    let (_, filtered, _) = joints_of(&out);
    let arm = skeleton.find("LeftUpperArm").unwrap();
    for joint in (0..skeleton.len())
        .filter(|joint| !skeleton.subtree(skeleton.find("LeftShoulder").unwrap()).contains(joint))
    {
        let most = (0..before.frame_count())
            .map(|frame| angle(&filtered, frame, joint))
            .fold(0.0, f32::max);
        assert!(most < 0.1, "{}: {most}", skeleton.joint(joint).name);
    }
    assert!((0..before.frame_count()).any(|frame| angle(&filtered, frame, arm) > 2.0));
    // Times are moved.
    let warped = edit(&["warp=0.5:0.5,1:1.5,2:2"]);
    assert!(
        (warped["seconds"].as_f64().unwrap() - warped["seconds_before"].as_f64().unwrap()).abs()
            < 0.02
    );
    let (_, warped, _) = joints_of(&out);
    let at = |clip: &andante_skeleton::Clip, time: f32| {
        clip.frame((time * clip.fps()).round() as usize)[0].translation
    };
    assert!(at(&warped, 1.5).distance(at(&before, 1.0)) < 0.02);
    for (operation, expected) in [
        ("mask=wing", "`wing`"),
        ("mask=arms:2", "from 0 to 1"),
        ("warp=1:2,1:3", "grow"),
        ("warp=1", "no pair"),
        ("warp=1:x", "`x`"),
        ("add=none.bvh", "none.bvh"),
    ] {
        let stderr = andante()
            .args(["edit", text(&walk), text(&out), operation])
            .assert()
            .code(2)
            .get_output()
            .stderr
            .clone();
        assert!(
            String::from_utf8_lossy(&stderr).contains(expected),
            "{operation}: {}",
            String::from_utf8_lossy(&stderr)
        );
    }
    let stderr = andante()
        .args(["edit", text(&walk), text(&out), "mask=arms", "speed=2"])
        .assert()
        .code(2)
        .get_output()
        .stderr
        .clone();
    assert!(
        String::from_utf8_lossy(&stderr).contains("speed=2"),
        "{}",
        String::from_utf8_lossy(&stderr)
    );
}

#[test]
fn a_bridge_leads_from_a_walk_to_a_stand_on_its_feet() {
    let directory = tempfile::tempdir().unwrap();
    let walk = walk(directory.path());
    let (stand, out) = (directory.path().join("stand.bvh"), directory.path().join("out.bvh"));
    json(&["clips", "stand", "-o", text(&stand)], 0);
    let report = json(
        &["edit", text(&walk), text(&out), "trim=0:2.2", &format!("bridge={}:0.8", text(&stand))],
        0,
    );
    let seconds = report["seconds"].as_f64().unwrap();
    let of_stand = json(&["inspect", text(&stand)], 0)["seconds"].as_f64().unwrap();
    assert!((seconds - 2.2 - 0.8 - of_stand).abs() < 0.05, "{report}");
    assert!(report["metrics"]["foot_slide_mm_mean"].as_f64().unwrap() < 2.0, "{report}");
    // A stretch of a motion is made anew.
    let report = json(&["edit", text(&walk), text(&out), "between=1:1.2"], 0);
    assert_eq!(report["frames"], report["frames_before"]);
    let (_, again, _) = joints_of(&out);
    let (_, before, _) = joints_of(&walk);
    for frame in (0..before.frame_count()).filter(|frame| !(58..=74).contains(frame)) {
        assert!(
            again.frame(frame)[0].translation.distance(before.frame(frame)[0].translation) < 1e-3,
            "{frame}"
        );
    }
    let stderr = andante()
        .args(["edit", text(&walk), text(&out), "between=3:1"])
        .assert()
        .code(2)
        .get_output()
        .stderr
        .clone();
    assert!(String::from_utf8_lossy(&stderr).contains("between=3:1"));
}

#[test]
fn keys_are_left_out_of_gltf_files() {
    let directory = tempfile::tempdir().unwrap();
    let walk = walk(directory.path());
    let (all, few) = (directory.path().join("all.glb"), directory.path().join("few.glb"));
    json(&["convert", text(&walk), text(&all), "--body", "none"], 0);
    json(&["convert", text(&walk), text(&few), "--body", "none", "--key-error", "4"], 0);
    let size = |path: &std::path::Path| std::fs::metadata(path).unwrap().len();
    assert!(3 * size(&few) < 2 * size(&all), "{} of {}", size(&few), size(&all));
    let ((_, a, before), (_, b, after)) = (joints_of(&all), joints_of(&few));
    assert_eq!((a.frame_count(), a.fps()), (b.frame_count(), b.fps()));
    for (a, b) in before.iter().flatten().zip(after.iter().flatten()) {
        assert!(a.translation.distance(b.translation) < 4.1e-3);
    }
    json(&["convert", text(&walk), text(&few), "--key-error", "-1"], 2);
}

#[test]
fn many_files_are_edited_inspected_retargeted_and_grounded_and_a_bad_one_stops_none() {
    let directory = tempfile::tempdir().unwrap();
    let walk = walk(directory.path());
    let folder = directory.path().join("mocap");
    std::fs::create_dir_all(folder.join("deep")).unwrap();
    for name in ["a.bvh", "b.bvh", "deep/c.bvh"] {
        std::fs::copy(&walk, folder.join(name)).unwrap();
    }
    std::fs::write(folder.join("notes.txt"), "no motion").unwrap();
    let pattern = format!("{}/**/*.bvh", text(&folder));
    for inputs in [text(&folder), pattern.as_str()] {
        let report = json(&["inspect", inputs], 0);
        assert_eq!(
            (report["done"].as_u64(), report["failed"].as_u64()),
            (Some(3), Some(0)),
            "{report}"
        );
        assert_eq!(report["files"][2]["class"], "walk");
    }
    let out = directory.path().join("out/");
    let report = json(&["edit", text(&folder), text(&out), "trim=0:1", "--format", "glb"], 0);
    assert_eq!(report["done"], 3, "{report}");
    assert!(out.join("a.glb").is_file() && out.join("deep/c.glb").is_file());
    let report = json(&["retarget", &pattern, text(&out), "--to", "humanoid"], 0);
    assert_eq!(report["done"], 3, "{report}");
    assert!(out.join("deep/c.bvh").is_file());
    let broken = folder.join("broken.bvh");
    std::fs::write(&broken, "HIERARCHY\nROOT\n").unwrap();
    for arguments in [
        vec!["inspect", text(&folder)],
        vec!["edit", text(&folder), text(&out), "trim=0:1", "--force"],
        vec!["retarget", text(&folder), text(&out), "--to", "humanoid", "--force"],
        vec!["ground", text(&folder), "--terrain", "slope:5", "--distance", "1"],
    ] {
        let report = json(&arguments, 2);
        assert_eq!(
            (report["done"].as_u64(), report["failed"].as_u64()),
            (Some(3), Some(1)),
            "{arguments:?}: {report}"
        );
        let files = report["files"].as_array().unwrap();
        let error = files.iter().find(|file| file["error"].is_object()).unwrap();
        assert!(error["input"].as_str().unwrap().ends_with("broken.bvh"), "{error}");
        let said = andante().args(&arguments).assert().code(2).get_output().stdout.clone();
        let said = String::from_utf8_lossy(&said).into_owned();
        assert!(said.contains("3 of 4 files") && said.contains("broken.bvh"), "{said}");
    }
    let file = directory.path().join("one.bvh");
    let stderr = andante()
        .args(["edit", text(&folder), text(&file), "mirror"])
        .assert()
        .code(2)
        .get_output()
        .stderr
        .clone();
    assert!(String::from_utf8_lossy(&stderr).contains("directory"));
    let empty = directory.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    json(&["inspect", text(&empty)], 2);
    json(&["inspect", &format!("{}/*.amc", text(&folder))], 2);
}

/// Whole frames that take another time than the motion are refused, and so is a point that nobody gets to.
#[test]
fn what_would_take_another_time_or_stay_short_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [walk, made] = ["walk.bvh", "made.bvh"].map(|name| folder.path().join(name));
    crate::andante().args(["clips", "walk", "--cycles", "4", "-o"]).arg(&walk).assert().code(0);
    let edited = |operation: &str| {
        crate::andante().arg("edit").arg(&walk).arg(&made).arg(operation).output().unwrap()
    };
    for operation in ["resample=1", "retime=100000", "reach=RightFoot@0.5:100,100,100:descent"] {
        let output = edited(operation);
        assert_ne!(output.status.code(), Some(0), "{operation}");
        assert!(!made.exists(), "{operation}");
    }
    assert_eq!(edited("resample=30").status.code(), Some(0));
}
