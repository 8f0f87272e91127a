//! Every file in `fuzz/seeds` goes through the check that the fuzzer runs on it.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../../../fuzz/checks/checkpoint.rs"]
mod checkpoint;
#[path = "../../../fuzz/checks/gait.rs"]
mod gait;
#[path = "../../../fuzz/checks/replay.rs"]
mod replay;
#[path = "../../../fuzz/checks/sketch.rs"]
mod sketch;

use replay::replay;

#[test]
fn sketch_seeds_pass_the_check() {
    replay("sketch", sketch::check);
}

#[test]
fn gait_seeds_pass_the_check() {
    replay("gait", gait::check);
}

#[test]
fn checkpoint_seeds_pass_the_check() {
    replay("checkpoint", checkpoint::check);
}
