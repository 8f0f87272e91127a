//! Motions on uneven ground: `ground`.

use crate::{andante, json, text, workplace};

#[test]
fn a_built_in_walk_climbs_stairs_and_keeps_its_quality() {
    let (directory, _) = workplace();
    let [glb, svg] = ["climb.glb", "climb.svg"].map(|name| directory.path().join(name));
    let arguments =
        ["ground", "walk", "--terrain", "stairs:0.17:0.29", "-o", text(&glb), "--svg", text(&svg)];
    let made = json(&arguments, 0);
    assert!(made["distance_m"].as_f64().unwrap() > 9.9, "slow steps are steps too: {made}");
    for (metric, limit) in [
        ("foot_slide_mm_mean", 1.0),
        ("foot_slide_mm_max", 5.0),
        ("penetration_mm_max", 3.0),
        ("sole_gap_mm_mean", 5.0),
        ("foot_rotation_deg_max", 6.0),
    ] {
        assert!(made["metrics"][metric].as_f64().unwrap() <= limit, "{metric}: {made}");
    }
    assert!(made["us_per_frame_mean"].is_number() && made["us_per_frame_p99"].is_number());
    assert!(std::fs::read_to_string(&svg).unwrap().contains("left ankle, target"));
    let written = json(&["inspect", text(&glb)], 0);
    assert_eq!(written["frames"], made["frames"]);
}

#[test]
fn level_ground_leaves_a_motion_as_it_is() {
    let made = json(&["ground", "walk", "--terrain", "flat"], 0);
    assert!(made["metrics"]["pose_change_deg_mean"].as_f64().unwrap() < 0.01, "{made}");
}

#[test]
fn terrains_and_motions_that_are_none_are_refused_by_name() {
    for (arguments, says) in [
        (["ground", "walk", "--terrain", "slope:99"], "slope"),
        (["ground", "walk", "--terrain", "stairs:0.17"], "stairs:RISE:RUN"),
        (["ground", "walk", "--terrain", "nowhere.csv"], "nowhere.csv"),
        (["ground", "wlak", "--terrain", "flat"], "andante clips"),
    ] {
        let output = andante().args(arguments).assert().code(2).get_output().stderr.clone();
        let output = String::from_utf8(output).unwrap();
        assert!(output.contains(says), "{arguments:?}: {output}");
    }
    let (_directory, biped) = workplace();
    let output = andante()
        .args(["ground", text(&biped), "--terrain", "flat", "--fps", "0"])
        .assert()
        .code(2);
    assert!(String::from_utf8_lossy(&output.get_output().stderr).contains("--fps is 0"));
}

#[test]
fn the_ground_under_a_recorded_walk_can_be_walked_by_another() {
    let Some(recorded) = andante_testdata::mocap("cmu/03/03_02.bvh") else { return };
    let made = json(&["ground", "walk", "--terrain", text(&recorded), "--distance", "4"], 0);
    assert!(made["metrics"]["pose_change_deg_mean"].as_f64().unwrap() > 0.1, "{made}");
    assert_eq!(made["footholds"]["without_ground"], 0, "{made}");
}

/// What is unnatural counts unless the clip that was brought is as unnatural itself.
#[test]
fn what_the_clip_does_itself_is_not_held_against_the_ground() {
    let smooth = json(&["ground", "walk", "--terrain", "slope:8"], 0);
    assert_eq!(smooth["natural"], true);
    let rough = json(&["ground", "run", "--terrain", "hills:0.2:3"], 1);
    assert_eq!(rough["natural"], false);
    let counted = rough["violations"].as_array().unwrap();
    assert!(counted.iter().any(|found| found["counts"] == true), "{rough}");
    for found in counted {
        let [value, limit, allowed] =
            ["value", "limit", "allowed"].map(|key| found[key].as_f64().unwrap());
        // Allowed is never less than the limit, whichever way it counts.
        let is_least = value < limit;
        assert!(if is_least { allowed <= limit } else { allowed >= limit }, "{found}");
        let beyond = if is_least { value < allowed } else { value > allowed };
        assert_eq!(found["counts"], beyond, "{found}");
    }
}

/// It lasted 20 s at some of them.
#[test]
fn a_clip_lasts_as_long_at_any_number_of_frames_a_second() {
    let seconds = ["24", "60", "90", "240"].map(|fps| {
        let words = ["ground", "stand", "--terrain", "flat", "--fps", fps, "--json"];
        let output = crate::andante().args(words).output().unwrap();
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        report["seconds"].as_f64().unwrap()
    });
    assert!(seconds.iter().all(|own| (own - seconds[0]).abs() < 0.1), "{seconds:?}");
}

/// Who goes in circles never gets far from where it began: it was played until it had had enough, and said to have gone 0.6 m.
#[test]
fn the_distance_of_a_walk_that_turns_is_along_its_way() {
    // Whatever is to be said of its legs.
    let seconds = |clip: &str, turn: &str| {
        let words = ["ground", clip, "--terrain", "flat", "--turn", turn, "--distance", "6"];
        let output = crate::andante().args(words).args(["--live", "--json"]).output().unwrap();
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let gone = report["distance_m"].as_f64().unwrap();
        assert!((5.95..6.4).contains(&gone), "{clip} {turn}: {gone}");
        assert_eq!(report["stopped"], false, "{clip} {turn}");
        report["seconds"].as_f64().unwrap()
    };
    // However it turns, the same pace takes as long for the same way.
    for (clip, turns) in [("walk", &["8", "-20", "120"][..]), ("crouch-walk", &["300"])] {
        let straight = seconds(clip, "0");
        for turn in turns {
            let took = seconds(clip, turn);
            assert!((took / straight - 1.0).abs() < 0.08, "{clip} {turn}: {took} s, {straight} s");
        }
    }
}
