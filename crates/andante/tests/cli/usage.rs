//! What holds for every command: help, mistakes, and files that are left alone.

use crate::{BIPED, andante, json, text, walk, workplace};

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
        (&["convert", input, text(&out), "--scale", "-1"], "--scale is -1; it is 1e-9 to"),
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

#[test]
fn costs_are_measured() {
    let costs = json(&["bench", "--repeats", "1"], 0);
    let costs = costs.as_array().unwrap();
    assert!(costs.len() >= 8);
    assert!(
        costs.iter().all(|cost| cost["value"].as_f64().unwrap() > 0.0 && cost["unit"].is_string())
    );
}

/// A copy of the program, so that no studio lies beside it that somebody built.
#[cfg(unix)]
#[test]
fn the_studio_is_started_from_beside_the_program_and_its_absence_says_how_to_build_it() {
    use std::os::unix::fs::PermissionsExt;
    let directory = tempfile::tempdir().unwrap();
    let own = directory.path().join("andante");
    std::fs::copy(assert_cmd::cargo::cargo_bin!("andante"), &own).unwrap();
    let run = || {
        let mut command = assert_cmd::Command::new(&own);
        command.args(["studio", "yard.toml", "--room", "stage"]).env("PATH", "/nowhere");
        command
    };
    let output = run().assert().code(1).get_output().clone();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("andante-studio/Cargo.toml"), "{message}");

    let studio = directory.path().join("andante-studio");
    std::fs::write(&studio, "#!/bin/sh\necho \"$@\" > \"$0.words\"\nexit 7\n").unwrap();
    std::fs::set_permissions(&studio, std::fs::Permissions::from_mode(0o755)).unwrap();
    run().assert().code(7);
    let words = std::fs::read_to_string(directory.path().join("andante-studio.words")).unwrap();
    assert_eq!(words.trim(), "yard.toml --room stage");
}
