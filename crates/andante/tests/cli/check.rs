//! `andante check`, and that nobody says a goal is reached by a way that is not there.

use crate::{andante, json, text};
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;

/// A level rectangle of a scene file.
fn platform(name: &str, [x, z]: [f32; 2], [right, ahead]: [f32; 2], height: f32) -> String {
    format!(
        "[[platform]]\nname = \"{name}\"\noutline = [[{x}, {z}], [{right}, {z}], [{right}, {ahead}], [{x}, {ahead}]]\nheight = {height}\n\n"
    )
}

/// A flight of stairs, 1.7 m wide.
fn flight(name: &str, [x, z]: [f32; 2], heading: f32, steps: usize, height: f32) -> String {
    format!(
        "[[stairs]]\nname = \"{name}\"\nat = [{x}, {z}]\nheading = {heading}\nwidth = 1.7\nsteps = {steps}\nrise = 0.17\nrun = 0.29\nheight = {height}\n\n"
    )
}

fn block(name: &str, at: [f32; 3], size: [f32; 3]) -> String {
    format!("[[obstacle]]\nname = \"{name}\"\nat = {at:?}\nbox = {size:?}\n\n")
}

/// Scenes whose answers were wrong and called right: the file without its character, start and goal as x, height and z.
fn reviewed() -> Vec<(&'static str, String, [f32; 3], [f32; 3])> {
    let dock = platform("ground", [-6.0, -6.0], [6.0, 2.0], 0.0)
        + &platform("dock", [-2.0, 2.0], [6.0, 8.0], 1.02)
        + &flight("up", [-4.0, 2.0], 0.0, 6, 0.0)
        + &platform("landing", [-6.0, 3.45], [-2.0, 8.0], 1.02);
    let building = platform("first", [0.0, 0.0], [8.0, 12.0], 0.0)
        + &flight("up", [2.0, 2.0], 0.0, 18, 0.0)
        + &platform("second", [0.0, 6.93], [8.0, 12.0], 3.06)
        + &flight("on", [6.0, 6.93], 180.0, 18, 3.06)
        + &platform("third", [0.0, -4.0], [8.0, 2.0], 6.12);
    let back = platform("ground", [-2.0, -3.0], [2.0, 1.0], 0.0)
        + &flight("up", [0.0, 1.0], 0.0, 9, 0.0)
        + &platform("landing", [-1.0, 3.61], [3.2, 5.5], 1.53)
        + &flight("back", [2.2, 3.61], 180.0, 9, 1.53)
        + &platform("top", [-1.0, -2.0], [3.2, 1.0], 3.06);
    let yard = platform("ground", [-4.0, -2.0], [4.0, 10.0], 0.0);
    let log = yard.clone() + &block("log", [0.0, 0.0, 4.0], [8.0, 0.2, 0.3]);
    let door = yard
        + &block("left jamb", [-2.15, 0.0, 4.0], [3.7, 2.2, 0.2])
        + &block("right jamb", [2.15, 0.0, 4.0], [3.7, 2.2, 0.2]);
    let mut slope = platform("ground", [-4.0, -3.0], [4.0, 2.0], 0.0);
    slope += "[[platform]]\nname = \"steep\"\noutline = [[-4, 2], [4, 2], [4, 4], [-4, 4]]\nslope = [0, 5]\n\n";
    slope += &platform("top", [-4.0, 4.0], [4.0, 8.0], 10.0);
    vec![
        ("dock_102", dock, [3.0, 0.0, -4.0], [3.0, 1.02, 6.0]),
        ("building3", building, [4.0, 0.0, 1.0], [4.0, 6.12, 0.0]),
        ("ustairs", back, [0.0, 0.0, -2.0], [2.2, 3.06, -1.0]),
        ("log", log, [0.0, 0.0, 0.0], [0.0, 0.0, 8.0]),
        ("door_060", door, [0.0, 0.0, 0.0], [0.0, 0.0, 8.0]),
        ("slope 5", slope, [0.0, 0.0, -1.0], [0.0, 10.0, 6.0]),
    ]
}

fn run(arguments: &[&str]) -> (Value, i32) {
    let output = andante().args(arguments).arg("--json").output().unwrap();
    let code = output.status.code().unwrap();
    (serde_json::from_slice(&output.stdout).unwrap(), code)
}

fn wrong(report: &Value) -> usize {
    let violations = report["violations"].as_array().unwrap();
    violations.iter().filter(|violation| violation["severity"] == "wrong").count()
}

/// Height of the root in the last frame of a BVH file.
fn last_height(path: &Path) -> f32 {
    let file = std::fs::read_to_string(path).unwrap();
    file.lines().last().unwrap().split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn no_goal_is_called_reached_beside_a_violation() {
    let directory = tempfile::tempdir().unwrap();
    for (name, world, start, goal) in reviewed() {
        let mut scene =
            format!("version = 1\nname = \"{name}\"\n\n{world}[[character]]\nrun = false\n");
        for (key, [x, height, z]) in [("start", start), ("goal", goal)] {
            writeln!(scene, "{key} = {{ at = [{x}, {z}], height = {height}, heading = 0 }}")
                .unwrap();
        }
        let file = directory.path().join("scene.toml");
        std::fs::write(&file, scene).unwrap();
        let out = directory.path().join(name);
        for arguments in [&["plan", text(&file)][..], &["run", text(&file), "-o", text(&out)]] {
            let (report, code) = run(arguments);
            // Whoever is refused has no frames to judge.
            let is_free = report["violations"].as_array().unwrap().is_empty();
            assert!(report["reached"] == false || is_free, "{name}: {report}");
            assert!(code == 1 || is_free, "{name}: {report}");
            assert_eq!(report["reached"] == true, code == 0, "{name}: {report}");
            if arguments[0] == "run" && code == 0 {
                // By its own words it is there: hips of a person are about a metre above the goal.
                let above = last_height(&out.join("take.bvh")) - goal[1];
                assert!((0.7..1.2).contains(&above), "{name}: {above}");
            }
        }
        let take = out.join("take.take");
        let (again, code) = run(&["check", text(&take), text(&file)]);
        assert_eq!(again["ok"] == true, code == 0, "{name}: {again}");
    }
}

#[test]
fn scenes_that_are_well_are_reached_and_nothing_is_wrong_with_their_takes() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["turns", "house", "stepping-stones"] {
        let out = directory.path().join(name);
        let report = json(&["run", name, "-o", text(&out)], 0);
        assert_eq!(report["violations"], serde_json::json!([]), "{name}: {report}");
        assert!(report["timings_ms"]["check"].is_number());
        let (again, _) = run(&["check", text(&out.join("take.take")), name]);
        assert_eq!(again["violations"], report["violations"]);
        // The same take in a world in which a wall stands that it knows nothing of.
        let scene = andante().args(["scenes", name]).output().unwrap().stdout;
        let mut scene = String::from_utf8(scene).unwrap();
        let place = &report["characters"][0];
        assert!(place["way_m"].as_f64().unwrap() > 2.0);
        scene +=
            "\n[[obstacle]]\nname = \"everywhere\"\nat = [0, 1.45, 0]\nbox = [200, 0.1, 200]\n";
        let file = directory.path().join("walled.toml");
        std::fs::write(&file, scene).unwrap();
        let (walled, code) = run(&["check", text(&out.join("take.take")), text(&file)]);
        assert!(code == 1 && wrong(&walled) > 0, "{name}: {walled}");
        let text = walled["violations"][0]["what"].as_str().unwrap();
        assert!(text.contains("everywhere"), "{text}");
    }
}

#[test]
fn what_is_no_take_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("no.take");
    std::fs::write(&file, "nothing").unwrap();
    json(&["check", text(&file)], 2);
    json(&["check", text(&directory.path().join("missing.take"))], 2);
}

/// A body of one segment has no bones between joints; looking for what is near them ended the program.
#[test]
fn a_take_of_a_body_without_bones_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    let body = "version = 1\nname = \"ball\"\ntorso = \"ball\"\n[[segment]]\nname = \"ball\"\nmass = 1.0\nat = [0, 0.1, 0]\n\
                shapes = [{ capsule = { from = [0, 0.1, 0], to = [0, 0.15, 0], radius = 0.1 } }]\n";
    std::fs::write(folder.path().join("ball.toml"), body).unwrap();
    let run = |args: &[&str]| andante().current_dir(&folder).args(args).output().unwrap();
    let dropped = run(&["simulate", "ball.toml", "--seconds", "0.5", "-o", "ball.take"]);
    assert!(dropped.status.success(), "{}", String::from_utf8_lossy(&dropped.stderr));
    let checked = run(&["check", "ball.take"]);
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}
