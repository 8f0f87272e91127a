//! Every line for a shell that is printed in a page of ours: it runs, here or in a script that says it.

use crate::{andante, text};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Lines that need more than the program, with the script that has them or does the same and what it says there.
const ELSEWHERE: [(&str, &str, &str); 17] = [
    ("cargo run --release -- demo", ".ci/release", "cargo run --release -- demo"),
    (
        "cargo install --path crates/andante --locked",
        ".ci/release",
        "cargo install --path crates/andante --locked",
    ),
    ("cargo test --workspace", ".ci/run", "cargo test --workspace"),
    (
        "cargo build --release --manifest-path crates/andante-studio/Cargo.toml --target-dir target",
        ".ci/studio",
        "cargo build \"${manifest[@]}\"",
    ),
    (
        "cargo run --release --manifest-path crates/andante-studio/Cargo.toml --target-dir target",
        ".ci/studio",
        "andante-studio\" ${file:+\"$file\"}",
    ),
    // A window.
    ("andante studio", ".ci/studio", "\"$target/debug/andante-studio\""),
    ("andante studio stairs", ".ci/studio", "--room \"$room\""),
    ("andante studio my-scene.toml", ".ci/studio", "--room \"$room\""),
    (
        "andante-studio --room creature --screenshot creature.png",
        ".ci/studio",
        "--screenshot \"$folder/$room.png\"",
    ),
    // A search takes minutes.
    ("andante gait dog-walk.toml", ".ci/long", "andante gait dog-walk.toml"),
    (
        "cargo build --release --manifest-path doors/c/Cargo.toml --target-dir target",
        ".ci/c",
        "cargo build \"${manifest[@]}\" --release",
    ),
    (
        "cc walk.c -Idoors/c/include target/release/libandante.a -lpthread -ldl -lm",
        ".ci/c",
        "doors/c/examples/walk.c",
    ),
    ("pip install doors/python", ".ci/python", "maturin\" build --release"),
    ("pip install \"doors/python[gym,plot,rerun]\"", ".ci/python", "[gym,plot,rerun]"),
    (".ci/web package", ".ci/web", "package)"),
    ("npx serve target/web/site", ".ci/web", "web-page.mjs"),
    (".ci/fuzz", ".ci/fuzz", "build"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All pages, in an order in which files that one makes are there for the next.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
    let mut open = vec![root().join("crates"), root().join("doors"), root().join("docs")];
    while let Some(folder) = open.pop() {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        for path in entries {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir()
                && !["target", "node_modules", "src", "tests", "out"].contains(&name.as_str())
            {
                open.push(path);
            } else if name.ends_with(".md") {
                pages.push(path);
            }
        }
    }
    pages[2..].sort();
    pages
}

/// The lines of a page that are for a shell.
fn lines(page: &str) -> Vec<String> {
    let mut inside = false;
    let mut lines = Vec::new();
    for line in page.lines() {
        if line.starts_with("```") {
            inside = ["```sh", "```bash", "```shell", "```console"].contains(&line.trim_end());
        } else if inside && !line.trim().is_empty() && !line.starts_with('#') {
            lines.push(line.to_owned());
        }
    }
    lines
}

/// A line without what it says about itself.
fn command(line: &str) -> &str {
    line.split(" #").next().unwrap_or_default().trim()
}

/// Files that the pages speak of, under the names they have there.
fn files(folder: &Path) {
    let motion = andante_testdata::own("walk_metres.bvh");
    std::fs::create_dir_all(folder.join("mocap/cmu/16")).unwrap();
    std::fs::create_dir_all(folder.join("out/hop")).unwrap();
    for name in ["16_15.bvh", "mocap/16_15.bvh", "mocap/16_16.bvh", "mocap/cmu/16/16_15.bvh"] {
        std::fs::copy(&motion, folder.join(name)).unwrap();
    }
    let fbx = root().join("fuzz/seeds/fbx/good-strip");
    std::fs::copy(fbx, folder.join("Walking.fbx")).unwrap();
    let made = |arguments: &[&str]| andante().args(arguments).output().unwrap().stdout;
    andante()
        .args(["characters", "humanoid", "-o", text(&folder.join("mine.glb"))])
        .assert()
        .code(0);
    let scene = made(&["scenes", "turns"]);
    std::fs::write(folder.join("my-scene.toml"), &scene).unwrap();
    let hopping = "version = 1\nname = \"yard\"\n[[platform]]\noutline = [[0, 0], [9, 0], [9, 9], [0, 9]]\n\
        [[character]]\nname = \"skippy\"\nrepertoire = \"gait.repertoire\"\nstart = { at = [2, 2] }\n";
    std::fs::write(folder.join("out/hop/scene.toml"), hopping).unwrap();
}

#[cfg(unix)]
#[test]
fn every_line_for_a_shell_runs_as_it_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    let program = assert_cmd::cargo::cargo_bin!("andante");
    let path = format!("{}:{}", text(program.parent().unwrap()), std::env::var("PATH").unwrap());
    let (mut ran, mut used) = (0, BTreeSet::new());
    for page in pages() {
        for line in lines(&std::fs::read_to_string(&page).unwrap()) {
            let place = format!("{}: {line}", page.display());
            let is_it = |(known, _, _): &&(&str, &str, &str)| {
                command(&line) == *known
                    || (known.starts_with(".ci/fuzz") && line.starts_with(known))
            };
            if let Some((known, script, says)) = ELSEWHERE.iter().find(is_it) {
                let script = std::fs::read_to_string(root().join(script)).unwrap();
                assert!(script.contains(says), "{place}: {known} is in no script");
                used.insert(*known);
                continue;
            }
            assert!(line.starts_with("andante "), "{place}: nothing runs this line");
            let output = Command::new("sh")
                .args(["-c", &line])
                .current_dir(&folder)
                .env("PATH", &path)
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let told = String::from_utf8_lossy(&output.stdout).into_owned();
            assert_eq!(output.status.code(), Some(0), "{place}: {said}\n{told}");
            ran += 1;
        }
    }
    assert!(ran >= 25, "{ran} lines");
    for (known, _, _) in ELSEWHERE {
        assert!(used.contains(known), "no page has the line {known}");
    }
}
