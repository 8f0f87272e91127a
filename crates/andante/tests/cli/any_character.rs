//! Somebody from a file, in a scene, with one line.

use crate::{andante, text};
use andante_take::{TakeFile, TakeSource};
use serde_json::Value;
use std::path::Path;

/// Level ground, a flight of stairs that somebody of a metre can climb, and a goal beyond.
const COURSE: &str = r#"
version = 1
name = "course"
[[platform]]
outline = [[-2, -2], [2, -2], [2, 3], [-2, 3]]
[[stairs]]
at = [0, 3]
heading = 0
width = 4
steps = 6
rise = 0.1
run = 0.35
height = 0.0
[[platform]]
outline = [[-2, 5.1], [2, 5.1], [2, 9], [-2, 9]]
height = 0.6
[[character]]
name = "somebody"
character = "FILE"
start = { at = [0, 0], heading = 0 }
goal = { at = [0, 8], heading = 0 }
"#;

/// How many corners the skinned meshes of a file have, counted by hand.
fn corners(path: &Path) -> usize {
    let bytes = std::fs::read(path).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let json: Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    let meshes = json["nodes"].as_array().unwrap().iter().filter(|node| node.get("skin").is_some());
    let parts = meshes.flat_map(|node| {
        let mesh = node["mesh"].as_u64().unwrap() as usize;
        json["meshes"][mesh]["primitives"].as_array().unwrap().clone()
    });
    let count = |part: Value| {
        let accessor = part["attributes"]["POSITION"].as_u64().unwrap() as usize;
        json["accessors"][accessor]["count"].as_u64().unwrap() as usize
    };
    parts.map(count).sum()
}

fn walks_the_course(file: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let name = file.file_name().unwrap().to_str().unwrap();
    std::fs::copy(file, folder.path().join(name)).unwrap();
    let scene = folder.path().join("course.toml");
    std::fs::write(&scene, COURSE.replace("FILE", name)).unwrap();
    let out = folder.path().join("out");
    let output =
        andante().args(["run", text(&scene), "-o", text(&out), "--json"]).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    // It is there, whatever its arms and knees do on the way; whether that is natural is told.
    assert!(report["goal_error_m"].as_f64().unwrap() < 1e-3, "{name}: {report}");
    let violations = report["violations"].as_array().unwrap();
    assert!(violations.iter().all(|found| found["severity"] == "unnatural"), "{name}: {report}");
    assert_eq!(report["reached"] == true, violations.is_empty(), "{name}: {report}");
    assert_eq!(output.status.code() == Some(0), violations.is_empty(), "{name}: {report}");
    let take = TakeFile::open(&out.join("take.take")).unwrap();
    let track = take.track(0).unwrap();
    let skin = track.mesh.as_ref().unwrap();
    let kept: usize = skin.primitives.iter().map(|part| part.vertices.positions.len()).sum();
    assert_eq!(kept, corners(file), "{name}");
    // What other programs see has the same corners.
    assert_eq!(corners(&out.join("take.glb")), kept, "{name}");
}

#[test]
fn somebody_from_a_file_climbs_stairs_to_its_goal_in_its_own_skin() {
    walks_the_course(&andante_testdata::own("walker.glb"));
    for name in ["CesiumMan.glb", "RiggedFigure.glb", "human-male.glb"] {
        if let Some(file) = andante_testdata::gltf(name) {
            walks_the_course(&file);
        }
    }
}

/// Roots of animals are on the floor: between two samples of the ground they were below it, and the start was said to be off it.
#[test]
fn who_has_its_root_on_the_floor_is_on_the_ground() {
    for name in ["Fox.glb", "horse-animations.glb"] {
        let Some(file) = andante_testdata::gltf(name) else { return };
        let folder = tempfile::tempdir().unwrap();
        let run = ["run", "hills", "--character", text(&file), "--output"];
        let out = andante().args(run).arg(folder.path().join("o")).output().unwrap();
        let said = String::from_utf8([out.stdout, out.stderr].concat()).unwrap();
        assert!(said.contains("walker") && !said.contains("not on the ground"), "{name}: {said}");
    }
}

/// Arms that were learnt beside a slender trunk passed through wider ones.
#[test]
fn somebody_from_a_file_walks_over_hills_and_nothing_is_said_against_it() {
    const HILLS: &str = r#"
version = 1
name = "hills"
[[platform]]
outline = [[-8, -8], [8, -8], [8, 12], [-8, 12]]
terrain = "hills:0.25:4"
[[character]]
character = "FILE"
start = { at = [0, -3], heading = 0 }
goal = { at = [1, 3], heading = 0 }
jump = false
"#;
    for name in ["CesiumMan.glb", "RiggedFigure.glb", "human-male.glb"] {
        let Some(file) = andante_testdata::gltf(name) else { continue };
        let folder = tempfile::tempdir().unwrap();
        std::fs::copy(file, folder.path().join(name)).unwrap();
        let scene = folder.path().join("hills.toml");
        std::fs::write(&scene, HILLS.replace("FILE", name)).unwrap();
        let out = folder.path().join("out");
        let run = andante().args(["run", text(&scene), "-o", text(&out), "--json"]).output();
        let run = run.unwrap();
        let report: Value = serde_json::from_slice(&run.stdout).unwrap();
        assert_eq!(run.status.code(), Some(0), "{name}: {report}");
        assert_eq!(report["reached"], true, "{name}: {report}");
    }
}
