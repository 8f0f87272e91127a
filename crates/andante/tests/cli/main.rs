//! The real binary, as scripts use it.

#![allow(clippy::unwrap_used)]

mod any_character;
mod batch;
mod characters;
mod check;
mod clips;
mod convert;
mod edit;
mod edit_promises;
#[allow(dead_code)]
#[path = "../../../andante-formats/tests/support/fbx_text.rs"]
mod fbx_text;
mod files;
mod force;
mod forces;
mod formats;
mod gait;
mod ground;
mod inputs;
mod inspect;
mod measure;
mod numbers;
#[allow(dead_code)]
#[path = "../../../andante-formats/tests/support/npz.rs"]
mod numpy;
mod pipes;
mod readme;
mod render;
mod results;
mod scenes;
mod track;
mod usage;

use assert_cmd::Command;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A biped of five joints, 1.7 m tall, that takes three frames.
const BIPED: &str = "HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT LeftLeg
  {
    OFFSET 0.1 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -0.9 0
    }
  }
  JOINT RightLeg
  {
    OFFSET -0.1 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -0.9 0
    }
  }
  JOINT Head
  {
    OFFSET 0 0.6 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 0.2 0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.0333333
0 0.9 0    0 0 0   0 10 0   0 -10 0  0 0 0
0 0.9 0.1  0 0 5   0 20 0   0 -20 0  0 0 3
0 0.9 0.2  0 0 9   0 30 0   0 -30 0  0 0 6
";

/// A directory with `biped.bvh` in it.
fn workplace() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("biped.bvh");
    std::fs::write(&file, BIPED).unwrap();
    (directory, file)
}

fn andante() -> Command {
    Command::cargo_bin("andante").unwrap()
}

/// Runs with `--json` and returns the one document on stdout.
fn json(arguments: &[&str], code: i32) -> Value {
    let output =
        andante().args(arguments).arg("--json").assert().code(code).get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A built-in walk of several strides as a file, to be inspected, edited and retargeted like any other.
fn walk(directory: &Path) -> PathBuf {
    let path = directory.join("walk.bvh");
    json(&["clips", "walk", "--cycles", "4", "-o", text(&path)], 0);
    path
}
