//! Every file in `fuzz/seeds` goes through the check that the fuzzer runs on it.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;

#[path = "../../../fuzz/checks/amc.rs"]
mod amc;
#[path = "../../../fuzz/checks/asf.rs"]
mod asf;
#[path = "../../../fuzz/checks/bvh.rs"]
mod bvh;

/// Runs a check on every seed of a format, and names the one that fails.
fn replay(format: &str, check: fn(&[u8])) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(format);
    let mut count = 0;
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        if std::panic::catch_unwind(|| check(&bytes)).is_err() {
            panic!("{}", path.display());
        }
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn bvh_seeds_pass_the_check() {
    replay("bvh", bvh::check);
}

#[test]
fn asf_seeds_pass_the_check() {
    replay("asf", asf::check);
}

#[test]
fn amc_seeds_pass_the_check() {
    replay("amc", amc::check);
}
