//! Every file in `fuzz/seeds` goes through the check that the fuzzer runs on it.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../../../fuzz/checks/repertoire.rs"]
mod repertoire;
#[path = "../../../fuzz/checks/replay.rs"]
mod replay;

#[test]
fn repertoire_seeds_pass_the_check() {
    replay::replay("repertoire", repertoire::check);
}
