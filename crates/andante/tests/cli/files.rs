//! What may be read, from where, and what is told about it.

use super::{andante, text};
use std::fs;
use std::path::Path;

/// What a command says, whatever comes of it.
fn told(arguments: &[&str]) -> (Option<i32>, String) {
    let output = andante().args(arguments).output().unwrap();
    let all = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&all).into_owned())
}

const SCENE: &str = "version = 1\nname = \"yard\"\n\
    [[platform]]\noutline = [[-2, -2], [2, -2], [2, 2], [-2, 2]]\n\
    [[obstacle]]\nat = [1, 0, 1]\nmesh = \"MESH\"\n";

/// A folder with a scene, and beside it, outside, a file that is nobody's business.
fn secret(directory: &Path) -> String {
    fs::create_dir(directory.join("scene")).unwrap();
    let secret = "root:x:0:0:the secret:/root:/bin/sh\n";
    for name in ["secret.obj", "secret.toml", "secret.xml"] {
        fs::write(directory.join(name), secret).unwrap();
    }
    text(&directory.join("secret.obj")).to_owned()
}

#[test]
fn a_path_in_a_scene_stays_in_its_folder_and_foreign_lines_are_not_shown() {
    let keep = tempfile::tempdir().unwrap();
    let directory = keep.path();
    let absolute = secret(directory);
    let scene = directory.join("scene/yard.toml");
    for mesh in ["../secret.obj", absolute.as_str(), "a/../../secret.obj"] {
        fs::write(&scene, SCENE.replace("MESH", mesh)).unwrap();
        let (code, said) = told(&["plan", text(&scene)]);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("the folder of the file that names it"), "{said}");
        assert!(!said.contains("the secret"), "{said}");
        let (code, said) = told(&["plan", "--allow-outside", text(&scene)]);
        assert_eq!(code, Some(2), "{said}");
        assert!(!said.contains("the folder of") && !said.contains("the secret"), "{said}");
    }
}

#[test]
fn sketches_and_robots_stay_in_their_folders_too() {
    let keep = tempfile::tempdir().unwrap();
    let directory = keep.path();
    secret(directory);
    let sketch = andante().args(["sketches", "basic-run"]).output().unwrap().stdout;
    let sketch = String::from_utf8(sketch).unwrap();
    let sketch = sketch.replace("\"humanoid\"", "\"../secret.toml\"");
    let gait = directory.join("scene/gait.toml");
    fs::write(&gait, sketch).unwrap();
    let robot = directory.join("scene/robot.xml");
    let include = "<mujoco><include childclass=\"file\" file=\"&#46;./secret.xml\"/></mujoco>";
    fs::write(&robot, include).unwrap();
    for arguments in [["gait", text(&gait)], ["modes", text(&robot)]] {
        let (code, said) = told(&arguments);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("leads out of the folder"), "{said}");
        assert!(!said.contains("the secret"), "{said}");
    }
}

#[test]
fn numbers_that_no_body_has_are_refused_where_they_are_read() {
    let keep = tempfile::tempdir().unwrap();
    let directory = keep.path();
    let far = directory.join("far.gltf");
    let nodes = "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\
        \"nodes\":[{\"name\":\"hip\",\"children\":[1]},{\"name\":\"tip\",\"translation\":[0,1e38,0]}],\
        \"skins\":[{\"joints\":[0,1]}]}";
    fs::write(&far, nodes).unwrap();
    let robot = directory.join("robot.xml");
    let geom = "<mujoco><worldbody><body name=\"b\"><geom type=\"box\" size=\"1e308 1 1\" mass=\"1\"/>\
        </body></worldbody></mujoco>";
    fs::write(&robot, geom).unwrap();
    let out = directory.join("out.glb");
    for arguments in [
        vec!["inspect", text(&far)],
        vec!["convert", text(&far), text(&out)],
        vec!["modes", text(&robot)],
    ] {
        let (code, said) = told(&arguments);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(text(Path::new(arguments[1]))), "{said}");
    }
}
