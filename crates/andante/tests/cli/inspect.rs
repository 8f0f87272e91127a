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
        for degrees in [-15, -12, -10, -8, -6, -4, -2, 0, 2, 4, 6, 8, 10, 12, 15] {
            let terrain = format!("slope:{degrees}");
            let ground = ["ground", clip, "--terrain", &terrain, "-o", text(&file)];
            andante().args(ground).output().unwrap();
            let report = json(&["inspect", text(&file)], 0);
            assert_eq!(report["class"], clip, "{degrees}°: {}", report["duty_factor"]);
        }
    }
}
