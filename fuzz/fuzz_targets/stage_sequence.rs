#![no_main]

#[path = "../checks/stage_sequence.rs"]
mod check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check::check(bytes));
