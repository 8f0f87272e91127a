//! Motions that are made: `clips` and `repertoire`.

use crate::{andante, json, text};

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
