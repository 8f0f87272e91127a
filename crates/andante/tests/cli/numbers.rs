//! Numbers that nobody means: every numeric option of every command, found from the help, is refused by name or does its work.

use crate::{andante, text, walk};
use std::collections::BTreeSet;
use std::path::Path;

/// Values in and out of every range.
const VALUES: [&str; 6] = ["NaN", "inf", "-1", "0", "1e38", "1e-38"];

/// What each command does, in a folder with `w.bvh`, `s.toml` and `t.take`, so that it takes no longer than it has to.
const COMMANDS: [(&str, &[&str]); 18] = [
    ("convert", &["w.bvh", "o.glb"]),
    ("inspect", &["w.bvh"]),
    ("retarget", &["w.bvh", "--to=humanoid", "o.bvh"]),
    ("edit", &["w.bvh", "o.bvh", "mirror"]),
    ("clips", &["walk", "--output=o.bvh"]),
    ("repertoire", &["w.bvh", "--output=o.rep"]),
    ("ground", &["walk", "--terrain=flat", "--output=o.bvh", "--distance=1"]),
    ("run", &["s.toml", "--output=o"]),
    ("render", &["t.take", "--output=o.gif", "--width=64", "--height=48", "--fps=2"]),
    ("check", &["t.take"]),
    ("plan", &["s.toml"]),
    ("modes", &["kangaroo"]),
    ("simulate", &["dog", "--output=o.glb", "--seconds=0.5"]),
    ("push", &["--output=o", "--trials=1"]),
    ("track", &["walk", "--output=o", "--rounds=1"]),
    ("gait", &["kangaroo-hop", "--output=o", "--minutes=0.001", "--held=3", "--alone=2"]),
    ("sketches", &["kangaroo-hop"]),
    ("characters", &["humanoid", "--output=o.glb"]),
];

const YARD: &str = "version = 1\nname = \"yard\"\n[[platform]]\noutline = [[-4, -4], [4, -4], [4, 4], [-4, 4]]\n\
    [[character]]\nname = \"ann\"\nstart = { at = [0, 0] }\ngoal = { at = [0, 1] }\n";

/// The options of a command that take a number: those that refuse a word because it is none.
fn numeric(command: &str, arguments: &[&str], folder: &Path) -> Vec<String> {
    let help = andante().args([command, "--help"]).assert().success().get_output().stdout.clone();
    let help = String::from_utf8(help).unwrap();
    let option = |line: &str| {
        let words = line.split_whitespace();
        let mut words = words.skip_while(|word| !word.starts_with("--"));
        let (name, value) = (words.next()?.to_owned(), words.next()?);
        (line.starts_with("  ") && value.starts_with('<')).then_some(name)
    };
    let all: BTreeSet<String> = help.lines().filter_map(option).collect();
    let takes_number = |name: &String| {
        let done = with(command, arguments, name, "a-word", folder);
        let said = String::from_utf8(done.stderr).unwrap();
        ["invalid float", "invalid digit"].iter().any(|none| said.contains(none))
    };
    all.into_iter().filter(takes_number).collect()
}

/// Runs a command with one of its options, in the place of what it has of it.
fn with(
    command: &str,
    arguments: &[&str],
    option: &str,
    value: &str,
    folder: &Path,
) -> std::process::Output {
    let others = arguments.iter().filter(|word| !word.starts_with(&format!("{option}=")));
    let mut run = andante();
    run.current_dir(folder).arg(command).args(others).arg(format!("{option}={value}"));
    run.arg("--quiet").output().unwrap()
}

/// Refused by name, done, or failed for a reason; and what was written can be read again.
fn judge(what: &str, done: &std::process::Output, folder: &Path) {
    let said = String::from_utf8_lossy(&done.stderr);
    let told = !said.trim().is_empty() || !done.stdout.is_empty();
    assert!(!said.contains("panicked"), "{what}: {said}");
    let code = done.status.code();
    assert!(matches!(code, Some(0..=2)), "{what}: {code:?}: {said}");
    assert!(code == Some(0) || told, "{what}: nothing is said");
    for name in ["o.bvh", "o.glb"] {
        let path = folder.join(name);
        if path.is_file() {
            andante().args(["inspect", text(&path)]).assert().success();
            std::fs::remove_file(path).unwrap();
        }
    }
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::rename(walk(folder.path()), folder.path().join("w.bvh")).unwrap();
    std::fs::write(folder.path().join("s.toml"), YARD).unwrap();
    let run = ["run", "s.toml", "-o", "made"];
    andante().current_dir(folder.path()).args(run).assert().success();
    std::fs::rename(folder.path().join("made/take.take"), folder.path().join("t.take")).unwrap();
    folder
}

#[test]
fn every_number_of_every_command_is_done_or_refused() {
    std::thread::scope(|scope| {
        for half in [&COMMANDS[..9], &COMMANDS[9..]] {
            scope.spawn(move || {
                let folder = folder();
                for (command, arguments) in half {
                    let options = numeric(command, arguments, folder.path());
                    assert!(options.contains(&"--seed".to_owned()), "{command}: {options:?}");
                    for (option, value) in options.iter().flat_map(|own| VALUES.map(|v| (own, v))) {
                        let done = with(command, arguments, option, value, folder.path());
                        judge(&format!("{command} {option}={value}"), &done, folder.path());
                    }
                }
            });
        }
    });
}

#[test]
fn every_number_of_an_edit_is_done_or_refused_by_its_operation() {
    let folder = folder();
    let operations = [
        "trim=#:1",
        "trim=0:#",
        "cut=#:0.5",
        "cut=0.1:#",
        "append=w.bvh:#",
        "bridge=w.bvh:#",
        "between=#:0.5",
        "between=0.2:#",
        "resample=#",
        "speed=#",
        "retime=#",
        "warp=0.2:#",
        "warp=#:0.3",
        "lock=left-foot@#-0.5",
        "lock=left-foot@0.1-#",
        "lock=left-foot@0.1-0.4:#",
        "turn=#",
        "move=#,0,0",
        "move=0,#,0",
        "move=0,0,-#",
        "filter=#",
        "set=Head@#:1,2,3",
        "set=Head@0.3:#,0,0",
        "set=Head@0.3:1,2,3:#",
        "bend=Head@0.3:#,0,0",
        "reach=LeftHand@0.3:#,1,0",
        "reach=LeftHand@0.3:#,1,0:descent",
        "reach=LeftHand@0.3:-#,1,0:full",
        "reach=LeftHand@0.3:#,1,0:ccd",
        "reach=LeftHand@0.3:#,1,0:fabrik",
        "reach=LeftHand@#:0,1,0",
        "reach=LeftHand@0.3:0,1,0.3:#",
        "add=w.bvh:#",
        "mask=upper:#",
        "posture=#",
        "mix=w.bvh:#",
    ];
    for operation in operations {
        for value in VALUES.into_iter().chain(["1e10"]) {
            let operation = operation.replace('#', value).replace("--", "-");
            let mut run = andante();
            run.current_dir(folder.path()).args(["edit", "w.bvh", "o.bvh", &operation]);
            let done = run.arg("--quiet").output().unwrap();
            judge(&operation, &done, folder.path());
            if done.status.code() == Some(2) {
                let said = String::from_utf8_lossy(&done.stderr);
                let name = operation.split('=').next().unwrap();
                assert!(said.contains(name), "{operation}: {said}");
            }
        }
    }
}
