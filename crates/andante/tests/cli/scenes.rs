//! Scenes that are played and planned: `demo`, `run` and `plan`.

use crate::{andante, json, text, workplace};
use serde_json::Value;

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
    assert!(report["timings_ms"]["stage"].is_number() && metrics["timings_ms"].is_null());
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
            // Tips of toes drag as who walks by torques lifts them.
            assert!(slide < 20.0, "{character}");
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
