//! Every file in `fuzz/seeds` goes through the check that the fuzzer runs on it.
// Each check brings what it needs, because each is also a program of its own.
#![allow(clippy::unwrap_used, clippy::panic, clippy::duplicate_mod)]

#[path = "../../../fuzz/checks/body.rs"]
mod body;
#[path = "../../../fuzz/checks/mjcf.rs"]
mod mjcf;
#[path = "../../../fuzz/checks/replay.rs"]
mod replay;
#[path = "../../../fuzz/checks/urdf.rs"]
mod urdf;

use replay::replay;

#[test]
fn body_seeds_pass_the_check() {
    replay("body", body::check);
}

#[test]
fn mjcf_seeds_pass_the_check() {
    replay("mjcf", mjcf::check);
}

#[test]
fn urdf_seeds_pass_the_check() {
    replay("urdf", urdf::check);
}
