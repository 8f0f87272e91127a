//! Stdin and stdout in the place of files.

use crate::{BIPED, andante, json, text, walk};
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// What a command does with this on stdin.
fn fed(arguments: &[&str], stdin: &[u8], folder: &Path) -> Output {
    andante().current_dir(folder).args(arguments).write_stdin(stdin).output().unwrap()
}

fn words(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A file in and a file out: the same bytes through pipes, and nothing else in them.
#[test]
fn pipes_carry_the_same_bytes_as_files() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path();
    // The name of a motion is in some files: that of a pipe.
    let motion = folder.join("stdin.bvh");
    std::fs::copy(walk(folder), &motion).unwrap();
    json(&["convert", text(&motion), text(&folder.join("stdin.glb"))], 0);
    let scene = andante().args(["scenes", "turns"]).output().unwrap().stdout;
    std::fs::write(folder.join("stdin.toml"), scene).unwrap();
    json(&["run", text(&folder.join("stdin.toml")), "-o", text(&folder.join("made"))], 0);
    std::fs::rename(folder.join("made/take.take"), folder.join("stdin.take")).unwrap();
    std::fs::remove_dir_all(folder.join("made")).unwrap();

    // Where IN and OUT stand; what comes in, what goes out.
    let table: [(&str, &str, &str); 14] = [
        ("convert IN OUT", "bvh", "glb"),
        ("convert IN OUT", "glb", "bvh"),
        ("convert IN OUT --fps 30", "bvh", "gltf"),
        ("edit IN OUT mirror", "bvh", "bvh"),
        ("retarget IN --to humanoid OUT", "glb", "bvh"),
        ("ground IN --terrain slope:4 --distance 3 -o OUT", "bvh", "glb"),
        ("ground IN --terrain slope:4 --distance 3 -o OUT", "bvh", "take"),
        ("render IN -o OUT --width 80 --height 60", "take", "png"),
        ("render IN -o OUT --width 80 --height 60 --from 0 --to 0.5", "bvh", "gif"),
        ("render IN -o OUT", "bvh", "svg"),
        ("inspect IN --svg OUT", "bvh", "svg"),
        ("plan IN --svg OUT", "toml", "svg"),
        ("clips walk -o OUT", "", "bvh"),
        ("characters humanoid -o OUT", "", "glb"),
    ];
    for (line, from, to) in table {
        let input = format!("stdin.{from}");
        let file = format!("stdout.{to}");
        let by_name: Vec<String> =
            line.split(' ').map(|word| word.replace("IN", &input).replace("OUT", &file)).collect();
        let done = andante().current_dir(folder).args(&by_name).output().unwrap();
        assert_eq!(done.status.code(), Some(0), "{line}: {}", words(&done));
        let expected = std::fs::read(folder.join(&file)).unwrap();
        std::fs::remove_file(folder.join(&file)).unwrap();

        let before = names(folder);
        let mut piped: Vec<&str> = line
            .split(' ')
            .map(|word| if ["IN", "OUT"].contains(&word) { "-" } else { word })
            .collect();
        if !line.contains("--svg") {
            piped.extend(["--format", to]);
        }
        let stdin = std::fs::read(folder.join(&input)).unwrap_or_default();
        let output = fed(&piped, &stdin, folder);
        assert_eq!(output.status.code(), Some(0), "{piped:?}: {}", words(&output));
        assert!(output.stdout == expected, "{piped:?}: other bytes ({})", words(&output));
        // Words are told, but not there, and of no path that nobody knows.
        let told = words(&output);
        assert!(!told.is_empty() && !told.contains("/tmp"), "{piped:?}: {told}");
        assert_eq!(names(folder), before, "{piped:?}");
        let quiet = fed(&[&piped[..], &["--quiet"]].concat(), &stdin, folder);
        assert!(quiet.stderr.is_empty() && quiet.stdout == expected, "{piped:?}");
        let refused = fed(&[&piped[..], &["--json"]].concat(), &stdin, folder);
        assert_eq!(refused.status.code(), Some(2), "{piped:?}");
        let refused: serde_json::Value = serde_json::from_slice(&refused.stdout).unwrap();
        assert!(refused["error"]["message"].as_str().unwrap().contains("--json"), "{refused}");
    }
}

#[test]
fn what_is_read_from_stdin_is_told_like_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let output = fed(&["inspect", "-", "--json"], BIPED.as_bytes(), folder.path());
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((told["file"].as_str(), told["frames"].as_u64()), (Some("stdin.bvh"), Some(3)));
    let output = fed(&["inspect", "-"], &BIPED.as_bytes()[..200], folder.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(words(&output).contains("error: stdin.bvh:"), "{}", words(&output));
    // A folder of files takes its name.
    let output = fed(&["convert", "-", "out/", "--to", "bvh"], BIPED.as_bytes(), folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", words(&output));
    assert_eq!(names(&folder.path().join("out")), ["stdin.bvh"]);
    // A take and a scene.
    let take = ["run", "turns", "-o", "turns"];
    andante().current_dir(&folder).args(take).assert().code(0);
    let take = std::fs::read(folder.path().join("turns/take.take")).unwrap();
    let output = fed(&["check", "-", "turns"], &take, folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", words(&output));
    let scene = andante().args(["scenes", "turns"]).output().unwrap().stdout;
    let output = fed(&["check", "turns/take.take", "-"], &scene, folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", words(&output));
}

#[test]
fn a_skeleton_comes_beside_a_motion_on_stdin() {
    let folder = tempfile::tempdir().unwrap();
    let motion = walk(folder.path());
    json(&["convert", text(&motion), text(&folder.path().join("w.amc"))], 0);
    let amc = std::fs::read(folder.path().join("w.amc")).unwrap();
    let output = fed(&["inspect", "-", "--asf", "w.asf", "--json"], &amc, folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", words(&output));
    let output = fed(&["inspect", "-"], &amc, folder.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(words(&output).contains("skeleton is missing"), "{}", words(&output));
}

#[test]
fn pipes_that_cannot_be_are_refused_with_the_reason() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path();
    std::fs::write(folder.join("biped.bvh"), BIPED).unwrap();
    let beside = "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"hip\"}],\
        \"skins\":[{\"joints\":[0],\"inverseBindMatrices\":0}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\
        \"count\":1,\"type\":\"MAT4\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":64}],\
        \"buffers\":[{\"uri\":\"body.bin\",\"byteLength\":64}]}";
    // Even one that is here: stdin has no folder.
    std::fs::write(folder.join("body.bin"), [0; 64]).unwrap();
    let yard = "version = 1\nname = \"yard\"\n[[platform]]\noutline = [[0, 0], [8, 0], [8, 8], [0, 8]]\n\
        [[character]]\nname = \"ann\"\ncharacter = \"ann.glb\"\nstart = { at = [1, 1] }\n";
    let cases: [(&[&str], &str, &str); 15] = [
        (&["inspect", "-"], "", "nothing came through it"),
        (&["inspect", "-"], "\u{0}\u{1}\u{2}", "begins like no file"),
        (&["inspect", "-"], "Dear Ann", "not a format that can be read"),
        (&["inspect", "-", "--format", "glb"], BIPED, "stdin.glb"),
        (
            &["inspect", "-"],
            beside,
            "`body.bin` is a file beside this one, and what comes through a pipe has none",
        ),
        (&["plan", "-"], yard, "`ann.glb` is a file beside this one"),
        (&["convert", "biped.bvh", "-"], "", "--format"),
        (&["convert", "biped.bvh", "-", "--format", "amc"], "", "two files"),
        (&["convert", "biped.bvh", "-", "--format", "png"], "", "not a format"),
        (&["render", "biped.bvh", "-o", "-", "--format", "glb"], "", "not a picture"),
        (&["convert", "-", "-", "out/"], BIPED, "read once"),
        (&["inspect", "biped.bvh", "--format", "bvh"], "", "names tell their formats"),
        (
            &["ground", "walk", "--terrain", "flat", "-o", "-", "--svg", "-", "--format", "bvh"],
            "",
            "one file",
        ),
        (&["run", "turns", "-o", "-"], "", "a folder of files"),
        (&["man", "-"], "", "a folder of files"),
    ];
    let before = names(folder);
    for (arguments, stdin, expected) in cases {
        let output = fed(arguments, stdin.as_bytes(), folder);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", words(&output));
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert!(words(&output).contains(expected), "{arguments:?}: {}", words(&output));
        assert_eq!(names(folder), before, "{arguments:?}");
    }
}

/// Whoever reads may have gone: what was asked for did not arrive.
#[cfg(unix)]
#[test]
fn a_reader_that_has_gone_is_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let motion = walk(folder.path());
    let long = folder.path().join("long.bvh");
    andante().args(["clips", "walk", "--cycles", "60", "-o", text(&long)]).assert().code(0);
    for (file, code) in [(&motion, [0, 1]), (&long, [1, 1])] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("andante"))
            .args(["convert", text(file), "-", "--format", "bvh"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut start = [0; 9];
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut start).unwrap();
        assert_eq!(&start, b"HIERARCHY");
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        let ended = output.status.code().unwrap();
        // A short file may be in the pipe before its reader goes.
        assert!(code.contains(&ended), "{ended}: {}", words(&output));
        assert_eq!(ended == 1, words(&output).contains("stdout cannot be written"));
    }
}

/// A process of its own may be at the other end.
#[cfg(unix)]
#[test]
fn commands_are_joined_by_pipes() {
    let program = assert_cmd::cargo::cargo_bin!("andante");
    let start = |arguments: &[&str], stdin: Stdio| {
        Command::new(program).args(arguments).stdin(stdin).stdout(Stdio::piped()).spawn().unwrap()
    };
    let mut made = start(
        &["-q", "clips", "--speed", "1.4", "--cycles", "4", "-o", "-", "--format", "bvh"],
        Stdio::null(),
    );
    let mut looped = start(
        &["-q", "edit", "-", "-", "loop", "--format", "glb"],
        made.stdout.take().unwrap().into(),
    );
    let told = start(&["inspect", "-", "--json"], looped.stdout.take().unwrap().into());
    let told: serde_json::Value =
        serde_json::from_slice(&told.wait_with_output().unwrap().stdout).unwrap();
    assert!((told["speed_mps"].as_f64().unwrap() - 1.4).abs() < 0.1, "{told}");
    assert!(made.wait().unwrap().success() && looped.wait().unwrap().success());
}

/// It was written over without a word: a name that the shell has opened is no name to the program.
#[cfg(unix)]
#[test]
fn what_comes_through_stdin_is_not_written_over() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path();
    let motion = folder.join("in.bvh");
    std::fs::write(&motion, BIPED).unwrap();
    std::fs::hard_link(&motion, folder.join("same.bvh")).unwrap();
    for out in ["in.bvh", "./in.bvh", "same.bvh"] {
        let stdin = Stdio::from(std::fs::File::open(&motion).unwrap());
        let program = assert_cmd::cargo::cargo_bin!("andante");
        let mut command = Command::new(program);
        let ended = command.current_dir(folder).args(["edit", "-", out, "mirror"]).stdin(stdin);
        let ended = ended.output().unwrap();
        assert_eq!(ended.status.code(), Some(2), "{out}: {}", words(&ended));
        assert!(words(&ended).contains("through stdin"), "{}", words(&ended));
        assert_eq!(std::fs::read_to_string(&motion).unwrap(), BIPED);
    }
}
