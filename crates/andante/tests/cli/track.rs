//! `andante track`: a body follows a clip by the torques of its joints.

use super::{andante, json, text, walk, workplace};
use andante_testdata::own;

#[test]
fn a_built_in_walk_is_followed_to_its_end_by_torques_alone() {
    let found = json(&["track", "walk"], 0);
    let number = |key: &str| found[key].as_f64().unwrap();
    assert_eq!(found["followed"], true);
    assert_eq!(found["end"], "followed");
    assert_eq!(number("seconds_upright"), number("seconds"));
    assert!(number("seconds") > 4.0, "{found}");
    assert!(number("error_deg_mean") < 15.0, "{found}");
    assert_eq!(number("assist_n_mean"), 0.0);
    assert_eq!(found["work_j"]["assistant"], 0.0);
    assert!(number("energy_j") > 10.0);
    assert!(number("steps") >= 6.0);
    // What goes in comes out, to two hundredths of what was moved about.
    let work = |key: &str| found["work_j"][key].as_f64().unwrap();
    let moved = work("driven") - work("braked");
    assert!(work("unaccounted").abs() < 0.02 * moved, "{found}");
    let sum = work("driven") + work("braked") + work("ground") + work("unaccounted");
    assert!((sum - work("gained")).abs() < 1e-6 * moved);
}

#[test]
fn results_hold_the_take_with_torques_forces_and_what_was_printed() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("out");
    let found = json(&["track", "stand", "-o", text(&out)], 0);
    for name in ["report.html", "track.take", "track.glb", "track.bvh", "track.json", "curves.csv"]
    {
        assert!(out.join(name).is_file(), "{name}");
    }
    let written: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(out.join("track.json")).unwrap()).unwrap();
    assert_eq!(written["seconds_upright"], found["seconds_upright"]);
    let curves = std::fs::read_to_string(out.join("curves.csv")).unwrap();
    let head = curves.lines().next().unwrap();
    for name in
        ["centre-of-mass", "capture-point", "pressure", "ground-force", "assistance", "torque"]
    {
        assert!(head.contains(name), "{name} in {head}");
    }
}

#[test]
fn the_motion_of_a_file_is_followed_and_the_same_file_gives_the_same_numbers() {
    let file = own("walk_metres.bvh");
    let run = || andante().args(["track", text(&file), "--json"]).output().unwrap();
    let (one, two) = (run(), run());
    assert_eq!(one.stdout, two.stdout);
    assert!(matches!(one.status.code(), Some(0 | 1)));
    let found: serde_json::Value = serde_json::from_slice(&one.stdout).unwrap();
    assert_eq!(found["followed"] == true, one.status.code() == Some(0));
}

#[test]
fn who_cannot_follow_falls_and_the_exit_code_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let file = walk(directory.path());
    // Nobody walks on ice that has no grip at all.
    let found = json(&["track", text(&file), "--friction", "0"], 1);
    assert_eq!(found["followed"], false);
    assert_eq!(found["end"], "fell");
    assert!(found["seconds_upright"].as_f64().unwrap() < found["seconds"].as_f64().unwrap());
}

#[test]
fn an_assistant_says_how_strongly_it_held() {
    let found = json(&["track", "walk", "--assist", "1"], 0);
    assert!(found["assist_n_mean"].as_f64().unwrap() > 1.0, "{found}");
    assert!(found["assist_n_max"].as_f64() >= found["assist_n_mean"].as_f64());
}

#[test]
fn bad_input_is_refused_with_the_reason() {
    let (_directory, biped) = workplace();
    for (arguments, told) in [
        (vec!["track", "nobody"], "neither a built-in clip nor a file"),
        (vec!["track", "walk", "--assist", "2"], "--assist"),
        (vec!["track", "walk", "--assist", "NaN"], "--assist"),
        (vec!["track", "walk", "--rounds", "0"], "--rounds"),
        (vec!["track", text(&biped)], "biped.bvh"),
    ] {
        let output = andante().args(&arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(told), "{arguments:?}: {said}");
    }
}
