#![doc = include_str!("../README.md")]

use std::io::Write;
use std::path::{Path, PathBuf};

/// The small BVH files of our own: metres; centimetres with a T-pose in front and CR LF; Z up.
pub const OWN_BVH: [&str; 3] = ["walk_metres.bvh", "run_centimetres.bvh", "turn_z_up.bvh"];

/// A small file of our own.
///
/// # Panics
/// If it is not in the repository.
pub fn own(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").join(name);
    assert!(path.exists(), "{} is missing: run the example `write_data`", path.display());
    path
}

/// A file or directory of the motion capture data, or `None` with a visible line.
///
/// # Panics
/// If it is not there although it should be: `CI` is set, or the rest of the data is there.
pub fn mocap(path: &str) -> Option<PathBuf> {
    find("ANDANTE_MOCAP", "mocap", path)
}

/// The walks, runs, jumps and turns of the Carnegie Mellon archive, sorted; none with a visible line where they are not here.
pub fn cmu() -> Vec<PathBuf> {
    let subjects = ["cmu/03", "cmu/16", "cmu/other"].into_iter().filter_map(mocap);
    let files: Vec<PathBuf> = subjects.flat_map(|subject| files(&subject, "bvh")).collect();
    assert!(files.is_empty() || files.len() == 66, "{} files of 66", files.len());
    files
}

/// A file or directory of the glTF samples, or `None` with a visible line.
///
/// # Panics
/// As [`mocap`].
pub fn gltf(path: &str) -> Option<PathBuf> {
    find("ANDANTE_GLTF", "gltf", path)
}

/// The glTF samples with joints and clips; none with visible lines where they are not here.
pub fn animated_gltf() -> Vec<PathBuf> {
    let names = [
        "CesiumMan",
        "Fox",
        "RiggedFigure",
        "RiggedSimple",
        "horse-animations",
        "spider-animations",
    ];
    names.iter().filter_map(|name| gltf(&format!("{name}.glb"))).collect()
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
    let missing = format!("{} is not here; set {variable} to where the data is", full.display());
    assert!(!root.exists(), "{missing}");
    assert!(!in_ci(), "{missing}, or unset CI");
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    // The harness captures what is printed, but not what is written to the handle.
    let line = format!("not run: {test} needs {}\n", full.display());
    let _ = std::io::stderr().write_all(line.as_bytes());
    None
}

/// Whether the environment says that this is continuous integration.
fn in_ci() -> bool {
    std::env::var_os("CI")
        .is_some_and(|value| !value.is_empty() && value != "false" && value != "0")
}
