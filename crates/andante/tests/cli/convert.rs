//! What `convert` makes of files.

use crate::{BIPED, andante, json, text, workplace};
use serde_json::Value;

#[test]
fn a_clip_survives_every_format() {
    let (directory, input) = workplace();
    let original = json(&["inspect", text(&input)], 0);
    let mut last = input;
    for name in ["a.glb", "b.gltf", "c.bvh", "d.amc", "e.bvh"] {
        let next = directory.path().join(name);
        let report = json(&["convert", text(&last), text(&next), "--amc-fps", "30"], 0);
        let file = &report["files"][0];
        assert_eq!(
            (file["frames"].as_u64(), file["fps"].as_f64()),
            (Some(3), Some(30.0)),
            "{name}: {file}"
        );
        last = next;
    }
    let back = json(&["inspect", text(&last)], 0);
    for key in ["frames", "fps", "height_m"] {
        let (a, b) = (original[key].as_f64().unwrap(), back[key].as_f64().unwrap());
        assert!((a - b).abs() < 1e-4, "{key}: {a} became {b}");
    }
}

#[test]
fn a_directory_takes_many_files_and_reports_the_bad_one() {
    let (directory, input) = workplace();
    let other = directory.path().join("other.bvh");
    std::fs::copy(&input, &other).unwrap();
    let broken = directory.path().join("broken.bvh");
    std::fs::write(&broken, BIPED.replace("0.1  0 0 5", "0.1  0 nan 5")).unwrap();
    let out = directory.path().join("out/");
    let report = json(&["convert", text(&input), text(&broken), text(&other), text(&out)], 2);
    let files = report["files"].as_array().unwrap();
    assert_eq!(files.len(), 3);
    assert_eq!(files[1]["error"]["line"], 38);
    assert!(
        out.join("biped.glb").exists()
            && out.join("other.glb").exists()
            && !out.join("broken.glb").exists()
    );
}

#[test]
fn a_file_that_cannot_be_written_is_work_that_failed_and_a_bad_one_beside_it_is_bad_input() {
    let (directory, input) = workplace();
    let out = directory.path().join("out/");
    // A folder is where the file should be.
    std::fs::create_dir_all(out.join("biped.glb")).unwrap();
    let report = json(&["convert", text(&input), text(&out)], 1);
    assert!(report["files"][0]["error"]["message"].is_string(), "{report}");
    let broken = directory.path().join("broken.bvh");
    std::fs::write(&broken, BIPED.replace("0.1  0 0 5", "0.1  0 nan 5")).unwrap();
    json(&["convert", text(&input), text(&broken), text(&out)], 2);
}

#[test]
fn errors_show_file_line_column_and_the_line_itself() {
    let (directory, _) = workplace();
    let broken = directory.path().join("broken.bvh");
    std::fs::write(&broken, BIPED.replace("OFFSET 0 0.6 0", "OFFSET 0 six 0")).unwrap();
    let output = andante().args(["inspect", text(&broken)]).assert().code(2).get_output().clone();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("broken.bvh:26:14"), "{message}");
    assert!(message.contains("OFFSET 0 six 0") && message.contains('^'), "{message}");
    assert!(output.stdout.is_empty());
}

#[test]
fn frames_are_dropped_and_resampled_as_asked() {
    let (directory, input) = workplace();
    let out = directory.path().join("out.bvh");
    let report =
        json(&["convert", text(&input), text(&out), "--drop-first-frame", "--fps", "60"], 0);
    assert_eq!(report["files"][0]["frames"], 3);
    assert_eq!(json(&["inspect", text(&out)], 0)["fps"], 60.0);
}

#[test]
fn scale_and_up_axis_are_honoured() {
    let (_directory, input) = workplace();
    let height = |arguments: &[&str]| {
        let arguments = [&["inspect", text(&input)], arguments].concat();
        json(&arguments, 0)["height_m"].as_f64().unwrap()
    };
    assert!((height(&[]) - 1.7).abs() < 1e-4);
    assert!((height(&["--scale", "0.5"]) - 0.85).abs() < 1e-4);
    // Lying on its back, the figure is as high as it is thick.
    assert!(height(&["--up", "z"]).abs() < 1e-4);
}

/// Three animations whose names become the same file name must become three files.
#[test]
fn animations_of_alike_names_become_different_files() {
    let (directory, input) = workplace();
    let glb = directory.path().join("one.glb");
    json(&["convert", text(&input), text(&glb)], 0);
    let gltf = directory.path().join("three.gltf");
    json(&["convert", text(&glb), text(&gltf)], 0);
    let mut document: Value = serde_json::from_slice(&std::fs::read(&gltf).unwrap()).unwrap();
    let animation = document["animations"][0].clone();
    document["animations"] = ["a/b", "a:b", "A?b"]
        .iter()
        .map(|name| {
            let mut copy = animation.clone();
            copy["name"] = (*name).into();
            copy
        })
        .collect();
    std::fs::write(&gltf, document.to_string()).unwrap();
    let out = directory.path().join("out/");
    let report = json(&["convert", text(&gltf), text(&out), "--to", "bvh"], 0);
    assert_eq!(report["files"][0]["outputs"].as_array().unwrap().len(), 3);
    assert_eq!(std::fs::read_dir(out).unwrap().count(), 3);
}

#[test]
fn a_body_without_a_motion_is_not_told_to_choose_one() {
    let directory = tempfile::tempdir().unwrap();
    let walk = crate::walk(directory.path());
    let whole = std::fs::read_to_string(&walk).unwrap();
    let (still, [glb, bvh]) = (
        directory.path().join("still.bvh"),
        ["still.glb", "again.bvh"].map(|name| directory.path().join(name)),
    );
    let (head, _) = whole.split_once("MOTION").unwrap();
    std::fs::write(&still, format!("{head}MOTION\nFrames: 0\nFrame Time: 0.01\n")).unwrap();
    json(&["convert", text(&still), text(&glb)], 0);
    let report = json(&["convert", text(&glb), text(&bvh)], 2).to_string();
    assert!(report.contains("no animation to write") && !report.contains("--clip"), "{report}");
}

#[test]
fn a_rate_that_leaves_one_frame_of_a_motion_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let (walk, out) = (crate::walk(directory.path()), directory.path().join("out.bvh"));
    let report = json(&["convert", text(&walk), text(&out), "--fps", "0.01"], 2).to_string();
    assert!(report.contains("nothing but its first frame") && !out.exists(), "{report}");
    json(&["convert", text(&walk), text(&out), "--fps", "2"], 0);
}
