//! The seeds of the glTF fuzz target: what they are, and that each is read or refused as it should.

#![allow(clippy::unwrap_used)]

#[path = "support/seeds.rs"]
mod seeds;
#[path = "support/small.rs"]
mod small;

use andante_formats::gltf::{self, WriteOptions};
use andante_formats::{ReadOptions, UpAxis};
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/gltf")
}

/// What the fuzz target does with any bytes; also run on whatever fuzzing has found.
fn replay(bytes: &[u8]) -> Result<(), String> {
    let options = ReadOptions { scale: Some(0.5), up: UpAxis::Z, fps: Some(30.0) };
    // Every error must be a value; which one does not matter for these options.
    let _ = gltf::read(bytes, None, "seed", &options);
    let asset = gltf::read(bytes, None, "seed", &ReadOptions::default())
        .map_err(|error| error.to_string())?;
    let written = gltf::write_glb(&asset, &WriteOptions::default()).unwrap();
    let again = gltf::read(&written, None, "seed", &ReadOptions::default()).unwrap();
    assert_eq!(again.skeleton.len(), asset.skeleton.len());
    assert_eq!(again.clips.len(), asset.clips.len());
    Ok(())
}

#[test]
fn well_formed_files_are_read_and_malformed_ones_refused_with_their_place() {
    for (name, bytes) in seeds::good() {
        replay(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    for (name, bytes, word) in seeds::bad() {
        let error = replay(&bytes).expect_err(name);
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

/// Seeds that fuzzing has added come from nowhere else, so that every file is replayed.
#[test]
fn no_seed_makes_reader_or_writer_panic() {
    let mut count = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        // Found or refused: both are answers.
        let _ = replay(&bytes);
        count += 1;
    }
    assert!(count >= seeds::good().len() + seeds::bad().len());
}
