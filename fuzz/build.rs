//! Lists the checks: each file in `checks` that has a folder of its name in `seeds`.

use std::fmt::Write;
use std::path::Path;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = std::fs::read_dir(root.join("seeds")).expect("fuzz/seeds is there");
    let mut names: Vec<String> = folders
        .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let (mut modules, mut rows) = (String::new(), String::new());
    for name in &names {
        let file = root.join("checks").join(format!("{name}.rs"));
        assert!(file.is_file(), "fuzz/seeds/{name} has no check fuzz/checks/{name}.rs");
        let _ = writeln!(modules, "#[path = {file:?}] mod {name};");
        let _ = writeln!(rows, "({name:?}, {name}::check as fn(&[u8])),");
    }
    let text = format!("{modules}const CHECKS: &[(&str, fn(&[u8]))] = &[{rows}];\n");
    let out = std::env::var_os("OUT_DIR").expect("cargo sets it");
    std::fs::write(Path::new(&out).join("checks.rs"), text).expect("writable");
    println!("cargo::rerun-if-changed=seeds");
    println!("cargo::rerun-if-changed=checks");
}
