//! Every file in `fuzz/seeds` goes through the check that the fuzzer runs on it.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../../../fuzz/checks/csv.rs"]
mod csv;
#[path = "../../../fuzz/checks/replay.rs"]
mod replay;

#[test]
fn csv_seeds_pass_the_check() {
    replay::replay("csv", csv::check);
}
