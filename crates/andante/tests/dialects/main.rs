//! The same walk and the same run as every tool of the trade would write them: retargeted from each, the pose is the same to 10 mm,
//! or a warning says why it is not, and it is to 20 mm. Files are written, and results read, by code that shares nothing with what is tested.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod encode;
mod motion;
mod vendors;

use assert_cmd::Command;
use encode::{Dialect, drawn, known};
use glam::{DQuat, DVec3};
use motion::Motion;
use serde_json::Value;
use std::path::Path;

/// How far a joint may be off on average, in metres.
const LIMIT: f64 = 0.010;

/// Retargets a file with the command, and reads what it wrote.
fn retargeted(text: &str, folder: &Path, options: &[&str]) -> (Option<Motion>, Vec<String>) {
    let (input, output) = (folder.join("in.bvh"), folder.join("out.bvh"));
    std::fs::write(&input, text).unwrap();
    let _ = std::fs::remove_file(&output);
    let arguments = [
        "retarget",
        input.to_str().unwrap(),
        "--to",
        "humanoid",
        output.to_str().unwrap(),
        "--json",
    ];
    let mut command = Command::cargo_bin("andante").unwrap();
    let run = command.args(arguments).args(options).output().unwrap();
    let report: Value = serde_json::from_slice(&run.stdout).unwrap();
    let list = report["warnings"].as_array().cloned().unwrap_or_default();
    let mut warnings: Vec<String> =
        list.iter().map(|text| text.as_str().unwrap().to_owned()).collect();
    if !run.status.success() {
        warnings.push(format!("refused: {}", report["error"]));
    }
    (std::fs::read_to_string(&output).ok().map(|text| Motion::parse(&text)), warnings)
}

/// Mean distance of the joints from where they should be, seen from the hips; and how far the hips stray from their way.
fn difference(found: &Motion, expected: &Motion, back: DQuat) -> (f64, f64) {
    assert_eq!(found.frames.len(), expected.frames.len());
    let (mut pose, mut way, mut count) = (0.0, 0.0, 0.0);
    for (a, b) in found.frames.iter().zip(&expected.frames) {
        for (x, y) in a.iter().zip(b) {
            pose += (back * (x.1 - a[0].1)).distance(y.1 - b[0].1);
            count += 1.0;
        }
        let walked = |motion: &Motion, frame: &[(DQuat, DVec3)]| frame[0].1 - motion.frames[0][0].1;
        way += (back * walked(found, a)).distance(walked(expected, b)) / found.frames.len() as f64;
    }
    (pose / count, way)
}

/// The walk and the run of our own, and captured ones where they are here, about three seconds of each.
fn motions() -> Vec<(&'static str, Motion)> {
    let read = |path: &Path, scale: f64, skip: usize| {
        let mut motion = Motion::parse(&std::fs::read_to_string(path).unwrap());
        motion.scaled(scale);
        motion.frames.drain(..skip);
        motion.frames.truncate((3.0 / motion.frame_time) as usize);
        motion
    };
    let mut found = vec![
        ("walk", read(&andante_testdata::own("walk_metres.bvh"), 1.0, 0)),
        // Without the T-pose in front of it.
        ("run", read(&andante_testdata::own("run_centimetres.bvh"), 0.01, 1)),
    ];
    for (name, path) in
        [("captured walk", "cmu/16/16_15.bvh"), ("captured jog", "cmu/16/16_35.bvh")]
    {
        if let Some(path) = andante_testdata::mocap(path) {
            found.push((name, read(&path, 0.056444, 1)));
        }
    }
    found
}

/// What is said of files that are off by more than the limit; what is silent is counted.
fn judge(dialects: impl Fn(&Motion) -> Vec<Dialect>) {
    let folder = tempfile::tempdir().unwrap();
    let (mut silent, mut far, mut count) = (Vec::new(), Vec::new(), 0);
    for (what, motion) in motions() {
        let (reference, warnings) = retargeted(&motion.bvh([2, 1, 0]), folder.path(), &[]);
        let reference = reference.unwrap_or_else(|| panic!("{what}: {warnings:?}"));
        for dialect in dialects(&motion) {
            count += 1;
            let (result, mut warnings) = retargeted(&dialect.text, folder.path(), &[]);
            let (pose, way) = match &result {
                Some(result) => difference(result, &reference, dialect.back),
                None => (f64::INFINITY, f64::INFINITY),
            };
            // That another axis points up is said of right results too: it excuses nothing.
            warnings.retain(|text| !text.contains("taken for up"));
            let line = format!(
                "{what}, {}: {:.1} mm, way {:.1} mm {warnings:?}",
                dialect.name,
                1e3 * pose,
                1e3 * way
            );
            if pose > 2.0 * LIMIT || way > 2.0 * LIMIT {
                far.push(line);
            } else if pose > LIMIT && warnings.is_empty() {
                silent.push(line);
            }
        }
    }
    assert!(
        silent.is_empty(),
        "{} of {count} wrong in silence:\n{}",
        silent.len(),
        silent.join("\n")
    );
    // A warning excuses little: rest poses that are none leave a few degrees open.
    assert!(far.is_empty(), "{} of {count} are far off:\n{}", far.len(), far.join("\n"));
}

#[test]
fn what_the_tools_of_the_trade_write_is_retargeted_to_the_same_pose() {
    judge(known);
}

#[test]
fn what_nobody_has_thought_of_is_retargeted_to_the_same_pose_or_said() {
    judge(|motion| (0..30).map(|seed| drawn(motion, seed)).collect());
}

/// A map that is written down is the one that is used, and one that is given counts more than what is recognised.
#[test]
fn a_map_tells_what_joints_are() {
    let folder = tempfile::tempdir().unwrap();
    let (_, walk) = motions().swap_remove(0);
    let map = folder.path().join("walk.map");
    let plain = walk.bvh([2, 1, 0]);
    let (reference, _) = retargeted(&plain, folder.path(), &["--save-map", map.to_str().unwrap()]);
    let reference = reference.unwrap();
    let saved = std::fs::read_to_string(&map).unwrap();
    assert!(saved.contains("LeftLowerArm = LeftLowerArm\n"), "{saved}");

    // The built-in human has the names of this file: each joint is told by its number.
    let mut bare = walk.clone();
    encode::nameless(&mut bare);
    let line =
        |(old, new): (&motion::Node, &motion::Node)| format!("{} = {}\n", old.name, new.name);
    let lines: String = walk.nodes.iter().zip(&bare.nodes).map(line).collect();
    std::fs::write(&map, &lines).unwrap();
    let given = ["--map", map.to_str().unwrap()];
    let (found, warnings) = retargeted(&bare.bvh([2, 1, 0]), folder.path(), &given);
    let (pose, way) = difference(&found.unwrap(), &reference, DQuat::IDENTITY);
    assert!(pose < LIMIT && way < 2.0 * LIMIT, "{pose} {way} {warnings:?}");

    // An arm that is not in the map stays at rest, and that is said.
    let kept = lines.lines().filter(|line| {
        !line.starts_with("Left")
            || line.contains("Leg")
            || line.contains("Foot")
            || line.contains("Toe")
    });
    std::fs::write(&map, kept.collect::<Vec<_>>().join("\n")).unwrap();
    let (_, warnings) = retargeted(&bare.bvh([2, 1, 0]), folder.path(), &given);
    assert!(warnings.iter().any(|text| text.contains("arms")), "{warnings:?}");

    std::fs::write(&map, "LeftHand = nothing\n").unwrap();
    let (_, warnings) = retargeted(&plain, folder.path(), &given);
    assert!(warnings.iter().any(|text| text.contains("line 1")), "{warnings:?}");
}
