//! Every file in `fuzz/seeds` goes through the check that the fuzzer runs on it.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../../../fuzz/checks/replay.rs"]
mod replay;
#[path = "../../../fuzz/checks/take.rs"]
mod take;

#[test]
fn take_seeds_pass_the_check() {
    replay::replay("take", take::check);
}
