//! The seeds of the glTF fuzz target: what they are, and that each is read or refused as it should.

#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../../../fuzz/checks/gltf.rs"]
mod check;
#[path = "../../../fuzz/checks/replay.rs"]
mod replay;
#[path = "support/seeds.rs"]
mod seeds;
#[path = "support/small.rs"]
mod small;

use andante_formats::{ReadOptions, gltf};
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/gltf")
}

#[test]
fn well_formed_files_are_read_and_malformed_ones_refused_with_their_place() {
    let read = |bytes: &[u8]| gltf::read(bytes, None, "seed", &ReadOptions::default());
    for (name, bytes) in seeds::good() {
        read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    for (name, bytes, word) in seeds::bad() {
        let error = read(&bytes).expect_err(name).to_string();
        assert!(error.contains(word), "{name}: `{word}` is not in: {error}");
    }
}

/// With `ANDANTE_WRITE_SEEDS` set, writes them.
#[test]
fn the_seeds_of_the_fuzz_target_are_these_files() {
    let good = seeds::good().into_iter().map(|(name, bytes)| (format!("good-{name}"), bytes));
    let bad = seeds::bad().into_iter().map(|(name, bytes, _)| (format!("bad-{name}"), bytes));
    for (name, bytes) in good.chain(bad) {
        let path = folder().join(&name);
        if std::env::var_os("ANDANTE_WRITE_SEEDS").is_some() {
            std::fs::create_dir_all(folder()).unwrap();
            std::fs::write(&path, &bytes).unwrap();
        }
        assert!(bytes.len() < 4096, "{name} has {} bytes", bytes.len());
        assert!(std::fs::read(&path).is_ok_and(|found| found == bytes), "{name} is out of date");
    }
}

#[test]
fn gltf_seeds_pass_the_check() {
    replay::replay("gltf", check::check);
}
