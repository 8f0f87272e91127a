//! What `inspect` tells of a motion.

use crate::{andante, json, text, walk, workplace};
use std::path::PathBuf;

#[test]
fn a_filmstrip_is_drawn() {
    let (directory, input) = workplace();
    let svg = directory.path().join("strip.svg");
    json(&["inspect", text(&input), "--svg", text(&svg)], 0);
    assert!(std::fs::read_to_string(svg).unwrap().contains("class=\"bone left\""));
}

#[test]
fn every_file_is_read_and_its_oddities_are_named() {
    let own = ["walk_metres.bvh", "run_centimetres.bvh", "leap.amc", "walker.glb", "four_legs.glb"];
    let mut files: Vec<PathBuf> = own.map(andante_testdata::own).to_vec();
    // Every fifth of the CMU files here; the formats' own tests read all of them.
    files.extend(andante_testdata::cmu().into_iter().step_by(5));
    if let Some(acclaim) = andante_testdata::mocap("asf-amc") {
        files.extend(andante_testdata::files(&acclaim, "amc"));
    }
    files.extend(andante_testdata::animated_gltf());
    for file in files {
        let report = json(&["inspect", text(&file)], 0);
        assert!(report["frames"].as_u64().unwrap() > 1, "{}", file.display());
    }
}

#[test]
fn inspect_tells_what_a_walk_is() {
    let directory = tempfile::tempdir().unwrap();
    let path = walk(directory.path());
    let svg = directory.path().join("walk.svg");
    let report = json(&["inspect", text(&path), "--svg", text(&svg)], 0);
    assert_eq!(
        (report["class"].as_str(), report["direction"].as_str()),
        (Some("walk"), Some("straight"))
    );
    assert!((report["speed_mps"].as_f64().unwrap() - 1.3).abs() < 0.05);
    assert!(report["cycles"].as_array().unwrap().len() >= 2);
    assert!(report["contacts"].as_object().unwrap().len() == 2);
    assert!(report["foot_slide_mm_mean"].as_f64().is_some());
    assert!(std::fs::read_to_string(svg).unwrap().contains("left heel"));
}

/// Feet on a slope are as high above it as those on level ground: what is a walk there is one here.
#[test]
fn walks_and_runs_up_and_down_slopes_are_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sloped.bvh");
    for clip in ["walk", "run"] {
        for degrees in [-15, -12, -10, -8, -7, -6, -5, -4, -2, 0, 2, 4, 5, 6, 7, 8, 10, 12, 15] {
            let terrain = format!("slope:{degrees}");
            let ground = ["ground", clip, "--terrain", &terrain, "-o", text(&file)];
            andante().args(ground).output().unwrap();
            let report = json(&["inspect", text(&file)], 0);
            assert_eq!(report["class"], clip, "{degrees}°: {}", report["duty_factor"]);
        }
    }
}

#[test]
fn a_motion_is_told_piece_by_piece_and_a_session_becomes_a_repertoire() {
    let directory = tempfile::tempdir().unwrap();
    let clip = |name: &str| {
        let path = directory.path().join(format!("{name}.bvh"));
        json(&["clips", name, "--cycles", "3", "-o", text(&path)], 0);
        path
    };
    let (stand, walk, run) = (clip("stand"), clip("walk"), clip("run"));
    let session = directory.path().join("session.bvh");
    let next = |path: &std::path::Path| format!("append={}", text(path));
    let operations = [next(&walk), format!("bridge={}:0.6", text(&stand)), next(&run)];
    let mut arguments = vec!["edit", text(&stand), text(&session)];
    arguments.extend(operations.iter().map(String::as_str));
    json(&arguments, 0);
    let report = json(&["inspect", text(&session)], 0);
    let segments = report["segments"].as_array().unwrap();
    let classes: Vec<&str> =
        segments.iter().map(|piece| piece["class"].as_str().unwrap()).collect();
    for class in ["stand", "walk", "run"] {
        assert!(classes.contains(&class), "{classes:?}");
    }
    for piece in segments {
        assert!((0.0..=1.0).contains(&piece["confidence"].as_f64().unwrap()), "{piece}");
        assert!(piece["end"].as_f64().unwrap() > piece["start"].as_f64().unwrap(), "{piece}");
    }
    assert!(report["parts"].as_object().unwrap().is_empty(), "feet alone: {report}");
    let out = directory.path().join("own.repertoire");
    let made = json(&["repertoire", text(&session), "-o", text(&out)], 0);
    let kinds: Vec<&str> = made["clips"]
        .as_array()
        .unwrap()
        .iter()
        .map(|clip| clip["class"].as_str().unwrap())
        .collect();
    assert!(kinds.contains(&"walk") && kinds.contains(&"stand"), "{made}");
    assert!(out.is_file());
}

#[test]
fn hands_on_the_ground_are_told_of_where_there_are_such_motions() {
    let Some(lying) = andante_testdata::mocap("cmu/hands/113_08.bvh") else { return };
    let report = json(&["inspect", text(&lying)], 0);
    assert_eq!(report["class"], "lie", "{report}");
    assert!(report["confidence"].as_f64().unwrap() > 0.2);
    for part in ["left hand", "right hand", "pelvis", "back"] {
        let part = &report["parts"][part];
        assert!(
            part["seconds"].as_f64().unwrap() > 0.5
                && !part["contacts"].as_array().unwrap().is_empty()
        );
    }
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("out.glb");
    let made = json(&["retarget", text(&lying), text(&out), "--to", "humanoid"], 0);
    for part in ["left hand", "right hand", "left knee"] {
        let off = made["clips"][0]["parts"][part]["off_mm_mean"].as_f64().unwrap();
        assert!(off < 10.0, "{part}: {made}");
    }
}

#[test]
fn motions_that_cannot_be_are_told_of() {
    let directory = tempfile::tempdir().unwrap();
    let walk = crate::walk(directory.path());
    let whole = std::fs::read_to_string(&walk).unwrap();
    let (head, motion) = whole.split_once("Frame Time:").unwrap();
    let (_, rows) = motion.split_once('\n').unwrap();
    let path = directory.path().join("odd.bvh");
    let said = |text: String| {
        std::fs::write(&path, text).unwrap();
        json(&["inspect", crate::text(&path)], 0)["warnings"].to_string()
    };
    // The root in millimetres on bones in metres; a rate for a time.
    let root = |row: &str| {
        let numbers = row.split_whitespace().enumerate();
        let number = |(at, number): (usize, &str)| match at < 3 {
            true => (1e3 * number.parse::<f64>().unwrap()).to_string(),
            false => number.to_owned(),
        };
        numbers.map(number).collect::<Vec<_>>().join(" ")
    };
    let far: Vec<String> = rows.lines().map(root).collect();
    let far = said(format!("{head}Frame Time: 0.0166667\n{}\n", far.join("\n")));
    assert!(far.contains("faster than any body does"), "{far}");
    let slow = said(format!("{head}Frame Time: 60\n{rows}"));
    assert!(slow.contains("a frame time of 60 s is long"), "{slow}");
    // Left for right in the names.
    let swapped = whole.replace("Left", "_").replace("Right", "Left").replace('_', "Right");
    let swapped = said(swapped);
    assert!(swapped.contains("toes point behind the body"), "{swapped}");
    assert!(!said(whole).contains("toes"));
}
