//! Edits that do what they are for, or say that they do not.

use crate::edit::joints_of;
use crate::{andante, json, text, walk};

/// What a failed command recommends is done: the words after the last colon and blank.
fn hint_of(arguments: &[&str]) -> Option<String> {
    let output = andante().args(arguments).assert().code(1).get_output().clone();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let hint = said.lines().find_map(|line| line.trim().strip_prefix("hint: "))?;
    Some(hint.rsplit_once(": ").map_or(hint, |(_, line)| line).to_owned())
}

#[test]
fn a_foot_that_does_not_stay_where_it_is_locked_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let (walk, out) = (walk(directory.path()), directory.path().join("out.bvh"));
    // Nobody's leg is as long as two metres of way.
    let report = json(&["edit", text(&walk), text(&out), "lock=left-foot@0.4-2.4"], 1);
    let said = report["error"]["message"].as_str().unwrap();
    assert!(
        said.contains("left foot is") && said.contains("away from where it is locked"),
        "{said}"
    );
    assert!(!out.exists());
    // Whoever follows the hint gets there, and the foot stays.
    let hint = hint_of(&["edit", text(&walk), text(&out), "lock=left-foot@0.4-2.4"]).unwrap();
    json(&["edit", text(&walk), text(&out), &hint], 0);
    let (skeleton, clip, frames) = joints_of(&out);
    let (from, to) =
        hint.split_once('@').unwrap().1.split_once(':').unwrap().0.split_once('-').unwrap();
    let frame = |time: &str| (time.parse::<f32>().unwrap() * clip.fps()).round() as usize;
    let ankle = skeleton.find("LeftFoot").unwrap();
    let places: Vec<_> =
        frames[frame(from)..=frame(to)].iter().map(|models| models[ankle].translation).collect();
    let most = places.iter().map(|place| place.distance(places[0])).fold(0.0, f32::max);
    assert!(places.len() > 2 && most < 0.01, "{hint}: {most}");
}

#[test]
fn what_takes_back_an_edit_before_it_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let (walk, out) = (walk(directory.path()), directory.path().join("out.bvh"));
    let lock = "lock=left-foot@1.0-1.3:0.2";
    for later in ["bend=LeftUpperLeg@1.1:25,0,0", "lock=left-foot@1.3-1.6:0.2"] {
        let report = json(&["edit", text(&walk), text(&out), lock, later], 1);
        let said = report["error"]["message"].as_str().unwrap();
        assert!(said.contains("takes back") && said.contains(lock), "{later}: {said}");
        assert!(!out.exists());
    }
    // What comes before it, or elsewhere, takes nothing back; nor does what moves the whole.
    for (first, second) in [
        ("bend=LeftUpperLeg@1.1:5,0,0", lock),
        (lock, "bend=Head@1.1:0,20,0"),
        (lock, "move=1,0,0"),
    ] {
        json(&["edit", text(&walk), text(&out), first, second], 0);
        std::fs::remove_file(&out).unwrap();
    }
}

#[test]
fn a_mask_that_takes_back_what_was_asked_for_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let (stand, out) = (directory.path().join("stand.bvh"), directory.path().join("out.bvh"));
    json(&["clips", "stand", "-o", text(&stand)], 0);
    let walk = walk(directory.path());
    let reach = "reach=LeftHand@1:0.35,1.25,0.35";
    for (file, mask, order) in [
        (&stand, "mask=legs", reach),
        (&stand, "mask=left-arm:0.5", reach),
        (&stand, "mask=LeftHand", reach),
        (&walk, "mask=arms", "lock=left-foot@1.0-1.5:0.2"),
        (&walk, "mask=left-leg:0.3", "lock=left-foot@1.0-1.5:0.2"),
    ] {
        let report = json(&["edit", text(file), text(&out), mask, order], 1);
        let said = report["error"]["message"].as_str().unwrap();
        assert!(said.contains(mask), "{mask} {order}: {said}");
        assert!(!out.exists());
        // Without the mask it is done, and the hint is that.
        json(&["edit", text(file), text(&out), "mask=all", order], 0);
        std::fs::remove_file(&out).unwrap();
    }
    json(&["edit", text(&stand), text(&out), "mask=left-arm", reach], 0);
    // So are other edits of which nothing is left.
    let report = json(&["edit", text(&stand), text(&out), "mask=legs", "bend=Head@1:20,0,0"], 1);
    assert!(report.to_string().contains("changes nothing of what `mask=legs` leaves"), "{report}");
}

#[test]
fn hints_of_a_reach_are_lines_that_work() {
    let directory = tempfile::tempdir().unwrap();
    let (stand, out) = (directory.path().join("stand.bvh"), directory.path().join("out.bvh"));
    json(&["clips", "stand", "-o", text(&stand)], 0);
    for order in [
        "reach=LeftHand@1:0.3,0.6,0.9",
        "reach=LeftHand@1:0.3,0.6,0.9:ccd",
        "reach=LeftHand@1-1.4:0.3,0.6,0.9:0.25",
        "reach=LeftHand@1:9,9,9:full",
        "reach=RightHand@0.5-0.8:-4,1,2:fabrik:0.3",
        "reach=LeftLowerLeg@1:0.2,1.9,0.4",
    ] {
        let hint = hint_of(&["edit", text(&stand), text(&out), order]).expect(order);
        assert_ne!(hint, order);
        json(&["edit", text(&stand), text(&out), &hint], 0);
        std::fs::remove_file(&out).unwrap();
    }
    let walk = walk(directory.path());
    let hint = hint_of(&["edit", text(&walk), text(&out), "lock=LeftHand@0.5-0.9"]).unwrap();
    json(&["edit", text(&walk), text(&out), &hint], 0);
}

#[test]
fn times_before_the_motion_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let (walk, out) = (walk(directory.path()), directory.path().join("out.bvh"));
    for operation in [
        "between=-1:1",
        "between=-0.2:0.4",
        "trim=-1:1",
        "cut=-1:1",
        "posture=-1",
        "warp=-1:0,1:1",
        "set=Head@-1:10,0,0",
        "bend=Head@-1-1:10,0,0",
        "reach=LeftHand@-1:0.3,1.2,0.3",
        "lock=left-foot@-1-0.5",
    ] {
        let report = json(&["edit", text(&walk), text(&out), operation], 2);
        assert!(report["error"]["operation"].as_str() == Some(operation), "{operation}: {report}");
        assert!(!out.exists(), "{operation}");
    }
}

#[test]
fn feet_that_would_glide_between_two_poses_are_told() {
    let directory = tempfile::tempdir().unwrap();
    let (walk, out) = (walk(directory.path()), directory.path().join("out.bvh"));
    let lasts = json(&["inspect", text(&walk)], 0)["seconds"].as_f64().unwrap();
    let all = format!("between=0:{lasts:.2}");
    for operation in [all.as_str(), "between=0.3:2.6", "between=0.5:3"] {
        let report = json(&["edit", text(&walk), text(&out), operation], 1);
        let said = report["error"]["message"].as_str().unwrap();
        assert!(said.contains("glide") || said.contains("short of its foot"), "{said}");
        assert!(!out.exists(), "{operation}");
    }
}

#[test]
fn what_would_come_out_otherwise_than_it_was_asked_for_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let (walk, out) = (walk(directory.path()), directory.path().join("out.bvh"));
    let mix = format!("mix={}:1e9", walk.display());
    for (operations, words) in [
        (&["warp=0.5:1.5,1:2"][..], "what happens at 0.5 s would still happen then"),
        (&["warp=1:2"], "keeps its pace"),
        (&["warp=0:-3,1:2"], "give 0:0 as the first pair"),
        (&[&mix], "mix: T"),
        (&["set=Head@1:1e9,0,0"], "an angle"),
        (&["turn=1e9"], "an angle"),
        (&["mask=arms,-arms", "filter=1"], "no part of the body"),
        (&["mask=all:0", "filter=1"], "no part of the body"),
    ] {
        let arguments = [&["edit", text(&walk), text(&out)], operations].concat();
        let report = json(&arguments, 2)["error"].to_string();
        assert!(report.contains(words), "{operations:?}: {report}");
        assert!(!out.exists(), "{operations:?}");
    }
    // The hint of a warp moves what it is asked to.
    let (_, before, _) = joints_of(&walk);
    let report = json(&["edit", text(&walk), text(&out), "warp=0.5:1.5,1:2"], 2);
    let hint = report["error"]["hint"].as_str().unwrap().rsplit_once(": ").unwrap().1.to_owned();
    json(&["edit", text(&walk), text(&out), &hint], 0);
    let (_, warped, _) = joints_of(&out);
    let at = |clip: &andante_skeleton::Clip, time: f32| {
        clip.frame((time * clip.fps()).round() as usize)[0].translation
    };
    assert!(at(&warped, 1.5).distance(at(&before, 0.5)) < 0.02);
}
