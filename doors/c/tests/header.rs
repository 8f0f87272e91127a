//! The header is what the Rust side says.
#![allow(clippy::unwrap_used)]

use std::path::Path;

/// What Rust wants to have said of safety is said once, at the top of the header.
fn without_safety(header: &str) -> String {
    let mut kept = String::new();
    let mut skips = false;
    for line in header.lines() {
        if line.trim() == "* # Safety" {
            skips = true;
            // The empty line before it.
            let end = kept.trim_end_matches(['\n', ' ', '*']).len();
            kept.truncate(end);
            kept.push('\n');
        }
        skips &= line.trim() != "*/";
        if !skips {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

#[test]
fn the_header_is_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).unwrap();
    let mut builder = cbindgen::Builder::new().with_config(config);
    for part in [
        "lib",
        "border",
        "types",
        "ground",
        "skeleton",
        "asset",
        "character",
        "player",
        "walker",
        "stage",
        "stage_commands",
        "stage_world",
        "body",
    ] {
        builder = builder.with_src(root.join(format!("src/{part}.rs")));
    }
    let mut made = Vec::new();
    builder.generate().unwrap().write(&mut made);
    let made = without_safety(&String::from_utf8(made).unwrap());
    let path = root.join("include/andante.h");
    if std::env::var_os("ANDANTE_WRITE_HEADER").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == made,
        "include/andante.h is not up to date: ANDANTE_WRITE_HEADER=1 cargo test --test header writes it"
    );
}
