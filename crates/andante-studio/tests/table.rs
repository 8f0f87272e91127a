//! The table of README.md: what can be done, and the test that does it.

#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;

/// All sources below a folder.
fn sources(folder: &Path) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            text += &sources(&path);
        } else if path.extension().is_some_and(|end| end == "rs") {
            text += &std::fs::read_to_string(&path).unwrap();
        }
    }
    text
}

#[test]
fn every_test_that_the_table_names_is_there() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = sources(&home.join("src")) + &sources(&home.join("tests"));
    let readme = include_str!("../README.md");
    let rows: Vec<&str> = readme.lines().filter(|line| line.starts_with("| ")).collect();
    let named = rows.iter().flat_map(|row| row.split('`').skip(1).step_by(2));
    let named: Vec<&str> = named.filter(|name| !name.starts_with('…')).collect();
    assert!(named.len() > 50, "{}", named.len());
    for name in named {
        assert!(text.contains(&format!("fn {name}()")), "there is no test {name}");
    }
}
