//! Tests that need data which is not here say so, and fail where it should be.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

/// What the others run with data that is not there. On its own it looks for nothing.
#[test]
fn needs_data() {
    if std::env::var_os("ANDANTE_TEST_ASKS").is_some() {
        assert_eq!(andante_testdata::mocap("cmu/nothing.bvh"), None);
    }
}

fn harness(root: &Path, ci: bool) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "needs_data"]).env("ANDANTE_TEST_ASKS", "1");
    command.env("ANDANTE_MOCAP", root).env_remove("CI");
    if ci {
        command.env("CI", "true");
    }
    command.output().unwrap()
}

#[test]
fn what_is_not_run_is_said_although_the_harness_captures_output() {
    let output = harness(Path::new("/there is no such directory"), false);
    assert!(output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("not run: needs_data needs "), "{said}");
}

#[test]
fn tests_without_their_data_fail_in_continuous_integration() {
    assert!(!harness(Path::new("/there is no such directory"), true).status.success());
}

#[test]
fn tests_fail_where_the_rest_of_the_data_is() {
    assert!(!harness(Path::new(env!("CARGO_MANIFEST_DIR")), false).status.success());
}

#[test]
fn our_own_data_is_small_and_here() {
    let directory = andante_testdata::own("");
    let size: u64 = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().metadata().unwrap().len())
        .sum();
    assert!((50_000..600_000).contains(&size), "{size} bytes");
    for name in andante_testdata::OWN_BVH {
        assert!(andante_testdata::own(name).is_file());
    }
}
