//! Every file in `fuzz/seeds` goes through the check that the fuzzer runs on it.
#![allow(clippy::unwrap_used, clippy::panic)]

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
