//! Bodies and how they swing: `characters` and `modes`.

use crate::{json, text, workplace};

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
