//! Finds real motion data for tests and benchmarks.
//!
//! The data is not part of the repository. It is looked for where the environment variables
//! `ANDANTE_MOCAP` and `ANDANTE_GLTF` point, or else in `../shared/mocap` and `../shared/gltf`
//! beside the checkout. Tests that need it run when it is there and say so when it is not.

use std::path::{Path, PathBuf};

/// A file or directory of the motion capture data, or `None` with a visible line.
pub fn mocap(path: &str) -> Option<PathBuf> {
    find("ANDANTE_MOCAP", "mocap", path)
}

/// A file or directory of the glTF samples, or `None` with a visible line.
pub fn gltf(path: &str) -> Option<PathBuf> {
    find("ANDANTE_GLTF", "gltf", path)
}

/// All files with this extension in and below a directory, sorted.
pub fn files(directory: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_path_buf()];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(&directory).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn find(variable: &str, directory: &str, path: &str) -> Option<PathBuf> {
    let root = std::env::var_os(variable).map(PathBuf::from).unwrap_or_else(|| {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(directory)
    });
    let full = root.join(path);
    if full.exists() {
        return Some(full);
    }
    eprintln!("skipped: {} is not here; set {variable} to where the data is", full.display());
    None
}
