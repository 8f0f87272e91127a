//! Every check in one binary, so that the library is instrumented and linked once: `CHECK=bvh any seeds/bvh`.
#![no_main]

include!(concat!(env!("OUT_DIR"), "/checks.rs"));

static CHECK: std::sync::LazyLock<fn(&[u8])> = std::sync::LazyLock::new(|| {
    let name = std::env::var("CHECK").unwrap_or_default();
    let names: Vec<&str> = CHECKS.iter().map(|(name, _)| *name).collect();
    let known = CHECKS.iter().find(|(known, _)| *known == name);
    known.unwrap_or_else(|| panic!("CHECK is `{name}`, which is none of {names:?}")).1
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| CHECK(bytes));
