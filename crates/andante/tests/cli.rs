//! The real binary, as scripts use it.

#![allow(clippy::unwrap_used)]

use andante_search::{Gait, GaitProblem, GaitSketch, ProblemOptions, Search, SearchOptions};
use assert_cmd::Command;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A biped of five joints, 1.7 m tall, that takes three frames.
const BIPED: &str = "HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT LeftLeg
  {
    OFFSET 0.1 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -0.9 0
    }
  }
  JOINT RightLeg
  {
    OFFSET -0.1 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -0.9 0
    }
  }
  JOINT Head
  {
    OFFSET 0 0.6 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 0.2 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.0333333
0 0.9 0    0 0 0   0 10 0   0 -10 0  0 0 0
0 0.9 0.1  0 0 5   0 20 0   0 -20 0  0 0 3
0 0.9 0.2  0 0 9   0 30 0   0 -30 0  0 0 6
";

/// A directory with `biped.bvh` in it.
fn workplace() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("biped.bvh");
    std::fs::write(&file, BIPED).unwrap();
    (directory, file)
}

fn andante() -> Command {
    Command::cargo_bin("andante").unwrap()
}

/// Runs with `--json` and returns the one document on stdout.
fn json(arguments: &[&str], code: i32) -> Value {
    let output =
        andante().args(arguments).arg("--json").assert().code(code).get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

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

#[test]
fn bad_usage_is_explained_and_changes_nothing() {
    let (directory, input) = workplace();
    let input = text(&input);
    let out = directory.path().join("x.bvh");
    let cases: [(&[&str], &str); 7] = [
        (&["convert", input, input], "overwritten"),
        (&["convert", input, "x.txt"], "not a format"),
        (&["convert", "missing.bvh", "x.glb"], "missing.bvh"),
        (&["convert", input, input, text(&out)], "directory"),
        (&["convert", input, text(&out), "--scale", "-1"], "positive"),
        (&["convert", input, text(&out), "--clip", "waltz"], "biped"),
        (&["characters", "dragon"], "humanoid"),
    ];
    for (arguments, expected) in cases {
        let output = andante().args(arguments).assert().code(2).get_output().clone();
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains(expected), "{arguments:?}: {message}");
        assert!(!out.exists());
    }
    assert_eq!(std::fs::read_to_string(input).unwrap(), BIPED);
}

#[test]
fn json_stays_json_when_something_fails() {
    let failure = json(&["inspect", "missing.bvh"], 2);
    assert!(failure["error"]["message"].as_str().unwrap().contains("cannot be read"));
    assert_eq!(failure["error"]["file"], "missing.bvh");
}

#[test]
fn characters_can_be_listed_shown_and_written() {
    let list = json(&["characters"], 0);
    assert_eq!(list[0]["name"], "humanoid");
    let human = json(&["characters", "humanoid"], 0);
    assert_eq!(human["joints"].as_array().unwrap().len(), 26);
    assert_eq!(human["feet"][0]["toes"], "LeftToes");
    let (directory, _) = workplace();
    for name in ["human.glb", "human.bvh", "human.amc"] {
        let path = directory.path().join(name);
        json(&["characters", "humanoid", "-o", text(&path)], 0);
        let joints = json(&["inspect", text(&path)], 0)["joints"].as_array().unwrap().len();
        assert!(joints >= 26, "{name}: {joints}");
    }
}

#[test]
fn a_filmstrip_is_drawn() {
    let (directory, input) = workplace();
    let svg = directory.path().join("strip.svg");
    json(&["inspect", text(&input), "--svg", text(&svg)], 0);
    assert!(std::fs::read_to_string(svg).unwrap().contains("class=\"bone left\""));
}

#[test]
fn modes_are_listed_drawn_and_the_same_for_a_written_character() {
    let guard = tempfile::tempdir().unwrap();
    let folder = guard.path();
    let human = json(&["modes", "humanoid"], 0);
    assert_eq!((&human["rigid_air"], &human["rigid_ground"]), (&6.into(), &3.into()));
    assert_eq!(human["air"].as_array().unwrap().len(), 30);
    assert!(human["air"][0]["hz"].as_f64().unwrap() > 0.1);
    let (file, picture) = (folder.join("own.toml"), folder.join("modes.svg"));
    json(&["characters", "humanoid", "-o", text(&file)], 0);
    let own = json(&["modes", text(&file), "--svg", text(&picture), "--count", "2"], 0);
    assert_eq!(own["air"], human["air"]);
    assert!(std::fs::read_to_string(&picture).unwrap().contains("<polygon"));
    let crouched = json(&["modes", "humanoid", "--pose", "crouched"], 0);
    assert_ne!(crouched["air"][0]["hz"], human["air"][0]["hz"]);
    // Mistakes name what there is, and where it is wrong.
    json(&["modes", "dragon"], 2);
    json(&["modes", "humanoid", "--pose", "flying"], 2);
    std::fs::write(&file, "version = 1\nnam = 3\n").unwrap();
    let error = json(&["modes", text(&file)], 2);
    assert_eq!((&error["error"]["line"], &error["error"]["column"]), (&2.into(), &1.into()));
}

#[test]
fn help_shows_examples_for_every_command() {
    for command in [
        "demo",
        "run",
        "render",
        "convert",
        "inspect",
        "retarget",
        "edit",
        "repertoire",
        "clips",
        "characters",
        "modes",
    ] {
        let output =
            andante().args([command, "--help"]).assert().success().get_output().stdout.clone();
        assert!(String::from_utf8(output).unwrap().contains("Examples:"), "{command}");
    }
}

#[test]
fn every_real_file_is_read_and_its_oddities_are_named() {
    let (Some(mocap), Some(gltf)) = (andante_testdata::mocap(""), andante_testdata::gltf(""))
    else {
        return;
    };
    let bvh = andante_testdata::files(&mocap.join("cmu"), "bvh");
    assert_eq!(bvh.len(), 66);
    // Every fifth of the CMU files here; the formats' own tests read all of them.
    let mut files: Vec<PathBuf> = bvh.into_iter().step_by(5).collect();
    files.extend(andante_testdata::files(&mocap, "amc"));
    files.extend(andante_testdata::files(&gltf, "glb"));
    for file in files {
        let report = json(&["inspect", text(&file)], 0);
        assert!(report["frames"].as_u64().unwrap() > 1, "{}", file.display());
    }
}

/// A built-in walk of several strides as a file, to be inspected, edited and retargeted like any other.
fn walk(directory: &Path) -> PathBuf {
    let path = directory.join("walk.bvh");
    json(&["clips", "walk", "--cycles", "4", "-o", text(&path)], 0);
    path
}

#[test]
fn the_demo_writes_a_report_and_a_take_within_limits() {
    let directory = tempfile::tempdir().unwrap();
    let report = json(&["demo", "-o", text(directory.path())], 0);
    assert_eq!(report["reached"], true);
    for character in report["characters"].as_array().unwrap() {
        let metric = |name: &str| character["metrics"][name].as_f64().unwrap();
        assert!(metric("foot_slide_mm_mean") < 0.5, "{character}");
        assert!(metric("foot_slide_mm_max") < 3.0, "{character}");
        assert!(metric("penetration_mm_max") < 3.0, "{character}");
        assert!(character["goal_error_m"].as_f64().unwrap() < 1e-3, "{character}");
        assert!(character["goal_heading_error_deg"].as_f64().unwrap() < 0.5, "{character}");
        assert_eq!(character["collisions"]["frames"], 0, "{character}");
    }
    let html = std::fs::read_to_string(directory.path().join("report.html")).unwrap();
    assert!(html.contains("<canvas") && html.len() < 3_000_000, "{} bytes", html.len());
    let anna = json(&["inspect", text(&directory.path().join("take-anna.bvh"))], 0);
    assert_eq!(anna["frames"], report["characters"][0]["frames"]);
    let both = json(&["inspect", text(&directory.path().join("take.glb"))], 0);
    assert_eq!(both["frames"], report["frames"]);
    for name in ["take.take", "take-ben.bvh", "metrics.json", "curves.csv", "plan.svg"] {
        assert!(directory.path().join(name).exists(), "{name}");
    }
    let metrics = std::fs::read(directory.path().join("metrics.json")).unwrap();
    let metrics: Value = serde_json::from_slice(&metrics).unwrap();
    let events = metrics["events"].as_array().unwrap();
    // It ends with a ball that hits her, a step and a stand.
    let kinds: Vec<&str> = events.iter().filter_map(|event| event["kind"].as_str()).collect();
    for kind in ["thrown", "struck", "recovered"] {
        assert!(kinds.contains(&kind), "{kinds:?}");
    }
    assert!(!kinds.contains(&"fell") && html.contains("\"props\":[{"));
    assert!(metrics["timings_ms"]["stage"].is_number());
}

#[test]
fn pushes_in_scenes_are_played_the_same_every_time_and_everybody_stands_in_the_end() {
    let take = || {
        let directory = tempfile::tempdir().unwrap();
        let report = json(&["run", "pushes", "-o", text(directory.path())], 0);
        assert_eq!(report["reached"], true, "{report}");
        assert!(report["seconds"].as_f64().unwrap() < 60.0, "{report}");
        for character in report["characters"].as_array().unwrap() {
            let slide = character["metrics"]["foot_slide_mm_max"].as_f64().unwrap();
            assert!(slide < 5.0, "{character}");
        }
        std::fs::read(directory.path().join("take.take")).unwrap()
    };
    assert!(take() == take());
}

#[test]
fn a_push_that_nobody_would_feel_is_refused_with_its_line() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("yard.toml");
    let yard = "version = 1\nname = \"yard\"\n[[platform]]\noutline = [[0, 0], [8, 0], [8, 8], [0, 8]]\n\
                [[character]]\nname = \"ann\"\nstart = { at = [1, 1] }\nBODY\n[[command]]\nwho = \"ann\"\nDO\n";
    let refused = |body: &str, act: &str| {
        std::fs::write(&path, yard.replace("BODY", body).replace("DO", act)).unwrap();
        let error = json(&["run", text(&path), "-o", text(directory.path())], 2);
        (error["error"]["line"].as_u64().unwrap(), error["error"]["message"].to_string())
    };
    let (line, says) = refused("", "push = { impulse = 20 }");
    assert!(line == 9 && says.contains("kinematic"), "{line}: {says}");
    let (line, says) = refused("body = \"physical\"", "push = { impulse = 1e6 }");
    assert!(line == 11 && says.contains("10000"), "{line}: {says}");
    let throw = "throw = { ball = 0.1, mass = 0, from = [3, 1, 3], speed = 9 }";
    let (line, says) = refused("body = \"physical\"", throw);
    assert!(line == 11 && says.contains("ball: a mass of 0 kg"), "{line}: {says}");
    let (line, says) = refused("body = \"wax\"", "fall = true");
    assert!(line == 8 && says.contains("wax"), "{line}: {says}");
}

#[test]
fn people_are_told_where_the_report_is() {
    let directory = tempfile::tempdir().unwrap();
    let output = andante()
        .args(["run", "jumps", "-o", text(directory.path())])
        .assert()
        .code(0)
        .get_output()
        .stdout
        .clone();
    let output = String::from_utf8(output).unwrap();
    let report = directory.path().join("report.html");
    assert!(output.lines().last().unwrap().contains(text(&report)), "{output}");
}

#[test]
fn the_same_seed_gives_the_same_take_and_the_take_knows_its_seed() {
    let take = |seed: &str| {
        let directory = tempfile::tempdir().unwrap();
        json(&["run", "hills", "-o", text(directory.path()), "--seed", seed], 0);
        std::fs::read(directory.path().join("take.take")).unwrap()
    };
    assert!(take("3") == take("3"));
    assert!(take("3") != take("4"));
}

#[test]
fn takes_scenes_and_motions_are_drawn() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    json(&["run", "hills", "-o", text(directory.path())], 0);
    let take = path("take.take");
    let draw = |source: &str, name: &str, more: &[&str]| {
        let output = path(name);
        let arguments = [&["render", source, "-o", text(&output)], more].concat();
        (json(&arguments, 0), std::fs::read(&output).unwrap())
    };
    let small = ["--width", "64", "--height", "48"];
    let (report, bytes) = draw(text(&take), "a.png", &small);
    assert_eq!(
        (&report["frames"], &report["width"], &report["height"]),
        (&1.into(), &64.into(), &48.into())
    );
    assert!(bytes.starts_with(b"\x89PNG"));
    let span =
        [&small[..], &["--from", "2", "--to", "3", "--fps", "10", "--camera", "orbit"]].concat();
    let (report, bytes) = draw(text(&take), "a.gif", &span);
    assert_eq!(report["frames"], 11);
    assert!(bytes.starts_with(b"GIF89a"));
    let (_, bytes) = draw(text(&take), "a.svg", &[]);
    assert!(bytes.starts_with(b"<svg"));
    assert!(draw("jumps", "b.png", &small).1.starts_with(b"\x89PNG"));
    let walk = walk(directory.path());
    assert!(draw(text(&walk), "c.png", &small).1.starts_with(b"\x89PNG"));
}

#[test]
fn takes_that_are_none_are_refused_and_nothing_is_written() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    json(&["run", "hills", "-o", text(directory.path())], 0);
    let take = std::fs::read(path("take.take")).unwrap();
    let mut damaged = take.clone();
    damaged[take.len() / 2] ^= 1;
    let mut newer = take.clone();
    newer[8] = 99;
    for (name, bytes, says) in [
        ("short.take", &take[..take.len() / 3], "copied incompletely"),
        ("foreign.take", b"not a take", "not a take file"),
        ("damaged.take", &damaged[..], "checksum"),
        ("newer.take", &newer[..], "version 99"),
    ] {
        std::fs::write(path(name), bytes).unwrap();
        let error = json(&["render", text(&path(name)), "-o", text(&path("x.png"))], 2);
        assert!(error["error"]["message"].as_str().unwrap().contains(says), "{error}");
        assert!(!path("x.png").exists());
    }
    for (arguments, says) in [
        (["take.take", "x.mp4", "--fps", "20"], "not a picture"),
        (["take.take", "x.png", "--width", "1"], "the width is 1"),
        (["take.take", "x.png", "--from", "999"], "first moment"),
        (["take.take", "x.png", "--character", "Zoe"], "no `Zoe`"),
        (["nowhere", "x.png", "--fps", "20"], "neither a built-in scene nor a file"),
    ] {
        let [take, output, option, value] = arguments;
        let source = if take == "nowhere" { take.into() } else { text(&path(take)).to_string() };
        let error = json(&["render", &source, "-o", text(&path(output)), option, value], 2);
        assert!(error["error"]["message"].as_str().unwrap().contains(says), "{error}");
    }
}

#[test]
fn built_in_clips_are_listed_and_made_at_any_speed() {
    let list = json(&["clips"], 0);
    assert!(list.as_array().unwrap().len() >= 25);
    let made = json(&["clips", "--speed", "1.7", "--turn", "-20"], 0);
    assert!((made["speed_mps"].as_f64().unwrap() - 1.7).abs() < 0.01);
    assert!((made["turn_rate_dps"].as_f64().unwrap() + 20.0).abs() < 0.2);
    assert!(made["metrics"]["foot_slide_mm_max"].as_f64().unwrap() < 2.0);
    for arguments in [
        &["clips", "moonwalk"][..],
        &["clips", "--speed", "99"],
        &["clips", "walk", "--height", "0"],
    ] {
        andante().args(arguments).assert().code(2);
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

/// Overwriting an input destroys an original that may exist nowhere else.
#[test]
fn no_command_overwrites_what_it_reads() {
    let directory = tempfile::tempdir().unwrap();
    let bvh = walk(directory.path());
    let amc = directory.path().join("m.amc");
    json(&["convert", text(&bvh), text(&amc)], 0);
    std::fs::rename(directory.path().join("m.asf"), directory.path().join("s.asf")).unwrap();
    let contents = || {
        let mut files: Vec<_> = std::fs::read_dir(directory.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        files
            .into_iter()
            .map(|path| (path.clone(), std::fs::read(path).unwrap()))
            .collect::<Vec<_>>()
    };
    let before = contents();
    let (asf, other) = (directory.path().join("s.asf"), directory.path().join("s.amc"));
    for arguments in [
        &["convert", text(&bvh), text(&bvh)][..],
        // Writing a pair writes the skeleton too.
        &["convert", text(&amc), text(&other)],
        &["convert", text(&amc), text(&asf)],
        &["edit", text(&bvh), text(&bvh), "mirror"],
        &["retarget", text(&bvh), "--to", "humanoid", text(&bvh)],
        &["inspect", text(&bvh), "--svg", text(&bvh)],
        &["clips", "walk", "--svg", text(&bvh)],
    ] {
        andante().args(arguments).assert().code(2);
        assert!(contents() == before, "{arguments:?}");
    }
}

#[test]
fn usage_mistakes_are_json_too() {
    for arguments in [&["inspect"][..], &["convert", "x.bvh"], &["--nonsense"]] {
        let failure = json(arguments, 2);
        assert!(failure["error"]["message"].as_str().unwrap().contains("error:"), "{arguments:?}");
    }
    let failure = json(&["clips", "walk", "--turn", "5"], 2);
    assert!(failure["error"]["message"].as_str().unwrap().contains("--speed"));
    let failure = json(&["clips", "moonwalk"], 2);
    assert!(failure["error"]["hint"].as_str().unwrap().contains("andante clips"));
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

#[test]
fn costs_are_measured() {
    let costs = json(&["bench", "--repeats", "1"], 0);
    let costs = costs.as_array().unwrap();
    assert!(costs.len() >= 8);
    assert!(
        costs.iter().all(|cost| cost["value"].as_f64().unwrap() > 0.0 && cost["unit"].is_string())
    );
}

#[test]
fn repertoires_are_made_saved_and_looked_at() {
    let directory = tempfile::tempdir().unwrap();
    let clips = directory.path().join("clips");
    std::fs::create_dir(&clips).unwrap();
    for name in ["stand", "walk", "walk-left", "run", "jump-standing"] {
        json(&["clips", name, "--cycles", "3", "-o", text(&clips.join(format!("{name}.bvh")))], 0);
    }
    let file = directory.path().join("human.repertoire");
    let made = json(&["repertoire", text(&clips), "-o", text(&file)], 0);
    let class = |name: &str| {
        let clips = made["clips"].as_array().unwrap();
        clips.iter().find(|clip| clip["name"] == name).unwrap()["class"]
            .as_str()
            .unwrap()
            .to_string()
    };
    assert_eq!(
        (class("walk"), class("run"), class("jump-standing")),
        ("walk".into(), "run".into(), "action".into())
    );
    let again = json(&["repertoire", text(&file)], 0);
    assert_eq!(again["clips"], made["clips"]);
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    andante().args(["repertoire", text(&file)]).assert().code(2);
    andante().args(["repertoire", text(directory.path())]).assert().code(2);
}

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
    assert!(String::from_utf8_lossy(&output.get_output().stderr).contains("--fps 0"));
}

#[test]
fn the_ground_under_a_recorded_walk_can_be_walked_by_another() {
    let Some(recorded) = andante_testdata::mocap("cmu/03/03_02.bvh") else { return };
    let made = json(&["ground", "walk", "--terrain", text(&recorded), "--distance", "4"], 0);
    assert!(made["metrics"]["pose_change_deg_mean"].as_f64().unwrap() > 0.1, "{made}");
    assert_eq!(made["footholds"]["without_ground"], 0, "{made}");
}

#[test]
fn a_dropped_dog_comes_to_rest_and_is_written_with_its_body() {
    let (directory, _) = workplace();
    let [glb, svg] = ["dog.glb", "dog.svg"].map(|name| directory.path().join(name));
    let arguments = [
        "simulate",
        "dog",
        "--drop",
        "0.5",
        "--seconds",
        "4",
        "-o",
        text(&glb),
        "--svg",
        text(&svg),
    ];
    let made = json(&arguments, 0);
    assert_eq!(
        (made["frames"].as_u64(), made["quarantined"].is_null()),
        (Some(241), true),
        "{made}"
    );
    assert!(made["energy_last_j"].as_f64() < made["energy_first_j"].as_f64(), "{made}");
    assert!(made["contacts"].as_u64() >= Some(3), "{made}");
    let written = json(&["inspect", text(&glb)], 0);
    assert_eq!(written["frames"], 241);
    assert!(svg.exists());
    andante().args(["simulate", "dog", "--seconds", "-1"]).assert().code(2);
    andante().args(["simulate", "unicorn"]).assert().code(2);
}

#[test]
fn a_pushed_human_stays_up_and_is_drawn_and_written() {
    let (directory, _) = workplace();
    let [out, svg] = ["push", "push.svg"].map(|name| directory.path().join(name));
    let arguments =
        ["push", "--impulse", "25", "--trials", "2", "-o", text(&out), "--svg", text(&svg)];
    let made = json(&arguments, 0);
    assert_eq!((made["trials"].as_u64(), made["recovered"].as_u64()), (Some(2), Some(2)), "{made}");
    assert_eq!(made, json(&arguments, 0));
    assert!(svg.exists() && out.join("push.glb").exists() && out.join("push.json").exists());
    let html = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(html.contains("<canvas") && html.contains("capture point") && html.len() < 3_000_000);
    for wrong in [["--impulse", "1e6"], ["--impulse", "NaN"], ["--assist", "2"], ["--trials", "0"]]
    {
        andante().arg("push").args(wrong).assert().code(2);
    }
    andante().args(["push", "dog"]).assert().code(2);
}

#[test]
fn a_walking_human_that_is_pushed_walks_on_to_its_goal() {
    let (directory, _) = workplace();
    let svg = directory.path().join("walk.svg");
    let walk = ["push", "--stance", "walk", "--impulse", "5", "--trials", "2"];
    let made = json(&[&walk[..], &["--svg", text(&svg)]].concat(), 0);
    assert_eq!((made["trials"].as_u64(), made["recovered"].as_u64()), (Some(2), Some(2)), "{made}");
    assert!(made["tracking_error_deg_mean"].as_f64().unwrap() < 3.0, "{made}");
    assert!(made["foot_slide_mm_max"].as_f64().unwrap() < 5.0, "{made}");
    assert!(svg.exists());
    for wrong in [["--speed", "9"], ["--assist", "1"]] {
        andante().args(walk).args(wrong).assert().code(2);
    }
}

#[test]
fn a_scene_is_planned_drawn_and_written_with_its_world() {
    let (directory, _) = workplace();
    let svg = directory.path().join("jumps.svg");
    let planned = json(&["plan", "jumps", "--svg", text(&svg)], 0);
    assert_eq!(planned["reached"], true);
    assert!(planned["goal_error_m"].as_f64().unwrap() < 1e-3);
    assert!(planned["goal_heading_error_deg"].as_f64().unwrap() < 0.5);
    assert!(planned["metrics"]["foot_slide_mm_max"].as_f64().unwrap() < 5.0, "{planned}");
    assert!(planned["timings_ms"]["search"].is_number());
    assert!(std::fs::read_to_string(&svg).unwrap().contains("left footprint"));

    let run = json(&["run", "hills", "-o", text(directory.path())], 0);
    assert_eq!(run["footsteps_off_the_ground"], 0);
    for name in [
        "report.html",
        "take.take",
        "take.glb",
        "take.bvh",
        "curves.csv",
        "plan.svg",
        "metrics.json",
    ] {
        assert!(directory.path().join(name).exists(), "{name}");
    }
}

#[test]
fn scenes_that_cannot_be_read_or_walked_say_why() {
    let (directory, _) = workplace();
    let scene = directory.path().join("yard.toml");
    let yard = "version = 1\nname = \"yard\"\n[[platform]]\noutline = [[0, 0], [8, 0], [8, 8], [0, 8]]\n\
                [[platform]]\noutline = [[0, 20], [8, 20], [8, 28], [0, 28]]\n\
                [[character]]\nstart = { at = [1, 1] }\ngoal = { at = [2, 24] }\n";
    std::fs::write(&scene, yard).unwrap();
    let apart = json(&["plan", text(&scene)], 1);
    assert_eq!(apart["reached"], false);
    assert!(apart["reason"].as_str().unwrap().contains("no way"), "{apart}");

    std::fs::write(&scene, yard.replace("goal", "gaol")).unwrap();
    let output =
        andante().args(["plan", text(&scene)]).assert().code(2).get_output().stderr.clone();
    let output = String::from_utf8(output).unwrap();
    assert!(output.contains("yard.toml:9:1") && output.contains("gaol"), "{output}");
    andante().args(["plan", "nowhere"]).assert().code(2);

    let listed = json(&["scenes"], 0);
    assert!(listed.as_array().unwrap().iter().any(|scene| scene["name"] == "jumps"));
    let printed = andante().args(["scenes", "house"]).assert().code(0).get_output().stdout.clone();
    std::fs::write(&scene, printed).unwrap();
    assert_eq!(json(&["plan", text(&scene)], 0)["reached"], true);
}

#[test]
fn commands_that_cannot_be_given_are_refused_with_their_place_in_the_file() {
    let (directory, _) = workplace();
    let scene = directory.path().join("script.toml");
    let script = "version = 1\nname = \"yard\"\n[[platform]]\noutline = [[0, 0], [8, 0], [8, 8], [0, 8]]\n\
                  [[obstacle]]\nname = \"wall\"\nat = [4, 0, 4]\nbox = [2, 2, 0.3]\n\
                  [[character]]\nname = \"ann\"\nstart = { at = [1, 1] }\n\
                  [[command]]\nname = \"go\"\nwho = \"ann\"\nwalk_to = [6, 6]\n\
                  [[command]]\nname = \"back\"\nwho = \"ann\"\nafter = \"go\"\nwalk_to = [1, 1]\n";
    for (from, to, says) in [
        ("who = \"ann\"\nwalk_to", "who = \"zoe\"\nwalk_to", "`zoe`"),
        (
            "name = \"go\"\nwho = \"ann\"",
            "name = \"go\"\nwho = \"ann\"\nafter = \"back\"",
            "circle",
        ),
        ("walk_to = [6, 6]", "walk_to = [4, 4]", "inside `wall`"),
    ] {
        let text_of = script.replacen(from, to, 1);
        assert_ne!(text_of, script);
        std::fs::write(&scene, text_of).unwrap();
        let error = json(&["run", text(&scene), "-o", text(&directory.path().join("out"))], 2);
        let message = error["error"]["message"].as_str().unwrap();
        assert!(message.contains(says), "{message}");
        assert!(!directory.path().join("out").exists());
    }
}

#[test]
fn sketches_are_listed_and_printed() {
    let text = String::from_utf8(andante().arg("sketches").output().unwrap().stdout).unwrap();
    assert!(text.contains("basic-run") && text.contains("kangaroo-hop"), "{text}");
    let file = andante().args(["sketches", "basic-run"]).output().unwrap();
    assert!(String::from_utf8(file.stdout).unwrap().starts_with("version = 1"));
    andante().args(["sketches", "moonwalk"]).assert().code(2);
}

/// A search that is given next to no time keeps its best, says what is wrong with it, and can be gone on with.
#[test]
fn a_search_cut_short_keeps_its_best_and_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let gait = |more: &[&str]| {
        let mut command = andante();
        command.args(["gait", "kangaroo-hop", "--json", "--minutes", "0.0001", "--threads", "1"]);
        command.args(["--search", "--step", "5", "-o"]).arg(folder.path()).args(more);
        command.output().unwrap()
    };
    andante().args(["gait", "moonwalk"]).assert().code(2);
    assert_eq!(gait(&["--resume"]).status.code(), Some(2), "there is nothing to resume yet");
    let first = gait(&[]);
    assert_eq!(first.status.code(), Some(1));
    let first: Value = serde_json::from_slice(&first.stdout).unwrap();
    for field in [
        "converged",
        "speed_mps",
        "energy",
        "cost_of_transport",
        "residual_max",
        "evaluations",
        "seconds",
        "cycles_survived",
    ] {
        assert!(!first[field].is_null(), "{field}");
    }
    assert_eq!(first["converged"], false);
    assert!(!first["violated"].as_array().unwrap().is_empty());
    for name in ["gait.toml", "gait.glb", "gait.bvh", "gait.svg", "search.bin"] {
        assert!(folder.path().join(name).exists(), "{name}");
    }
    let second: Value = serde_json::from_slice(&gait(&["--resume"]).stdout).unwrap();
    assert!(second["evaluations"].as_u64() > first["evaluations"].as_u64());
    std::fs::write(folder.path().join("search.bin"), "ANDGAIT\n").unwrap();
    let broken = gait(&["--resume"]);
    assert_eq!(broken.status.code(), Some(2));
    assert!(String::from_utf8(broken.stderr).unwrap().contains("truncated"));
}

/// A gait that was found before is played at once, and goes on for a hundred cycles held by feedback.
#[test]
fn a_gait_found_before_plays_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let output =
        andante().args(["gait", "basic-run", "--json", "-o"]).arg(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let gait: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(gait["converged"], true);
    assert!(
        gait["speed_mps"].as_f64().unwrap() >= 2.0 && gait["residual_max"].as_f64().unwrap() < 1.0
    );
    assert!(gait["aerial_fraction"].as_f64().unwrap() > 0.0);
    assert_eq!(gait["cycles_with_feedback"], 100.0);
    assert!(gait["made_by"].as_str().unwrap().contains("--seed"));
    for name in ["gait.toml", "gait.glb", "gait.bvh", "gait.svg", "gait.repertoire"] {
        assert!(folder.path().join(name).exists(), "{name}");
    }
    let page = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
    for words in ["cost of transport", "Energy and power", "Feet on the ground", "with priority"] {
        assert!(page.contains(words), "{words}");
    }
}

/// Several sketches are worked on one after the other; a name that is not known is told before the first.
#[test]
fn gaits_queue() {
    let folder = tempfile::tempdir().unwrap();
    let gaits = |names: &[&str]| {
        let mut command = andante();
        command.arg("gait").args(names).args(["--json", "-o"]).arg(folder.path());
        command.output().unwrap()
    };
    let misspelt = gaits(&["yaw-run", "moonwalk"]);
    assert_eq!(misspelt.status.code(), Some(2));
    assert!(!folder.path().join("yaw-run").exists());
    let output = gaits(&["yaw-run", "kangaroo-hop"]);
    assert_eq!(output.status.code(), Some(0));
    let list: Value = serde_json::from_slice(&output.stdout).unwrap();
    for (index, name) in ["yaw-run", "kangaroo-hop"].iter().enumerate() {
        assert_eq!(list[index]["sketch"], *name);
        assert!(folder.path().join(name).join("report.html").exists());
    }
    andante().args(["gait", "yaw-run", "--speed", "0"]).assert().code(2);
}

/// A search that is killed goes on from its last checkpoint as if nothing had happened.
#[test]
fn a_search_killed_goes_on_bit_by_bit() {
    let folder = tempfile::tempdir().unwrap();
    let search = |more: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_andante"));
        command.args(["gait", "one-foot-hop", "--search", "--step", "10", "--seed", "3", "--json"]);
        command.arg("-o").arg(folder.path()).args(more);
        command.stdout(std::process::Stdio::piped());
        command
    };
    let mut child = search(&["--threads", "1"]).spawn().unwrap();
    // As soon as there is something to go on from.
    while !folder.path().join("search.bin").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // One more step, on two threads this time.
    let output =
        search(&["--resume", "--minutes", "0.0000001", "--threads", "2"]).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = std::fs::read_to_string(folder.path().join("gait.toml")).unwrap();
    let resumed = Gait { made_by: String::new(), ..Gait::from_toml(&text).unwrap() };

    let sketch = GaitSketch::built_in("one-foot-hop").unwrap();
    let body = andante_body::creature(&sketch.character).unwrap();
    let options = ProblemOptions { step: 1e-3 * 10.0, ..ProblemOptions::default() };
    let problem = Arc::new(GaitProblem::new(&body, &sketch, &options).unwrap());
    let options = SearchOptions { seed: 3, ..SearchOptions::default() };
    let mut whole = Search::new(Arc::clone(&problem), &options, 1).unwrap();
    while whole.evaluations() < report["evaluations"].as_u64().unwrap() {
        whole.step();
    }
    assert_eq!(Some(whole.evaluations()), report["evaluations"].as_u64());
    assert_eq!(resumed, Gait::new(&problem, whole.best().unwrap()));
}

/// Ctrl-C ends a search and keeps its best.
#[cfg(unix)]
#[test]
fn a_search_interrupted_keeps_its_best() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_andante"))
        .args([
            "gait",
            "one-foot-hop",
            "--search",
            "--step",
            "10",
            "--threads",
            "1",
            "--quiet",
            "-o",
        ])
        .arg(folder.path())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    while !folder.path().join("search.bin").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(1), "no valid gait yet");
    for name in ["gait.toml", "gait.glb", "search.bin"] {
        assert!(folder.path().join(name).exists(), "{name}");
    }
}
