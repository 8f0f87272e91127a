//! Files that are in memory already.
#![allow(clippy::unwrap_used)]

use andante_formats::{ReadOptions, read_file, read_memory};
use andante_testdata::{OWN_BVH, own};
use std::path::Path;

#[test]
fn a_file_in_memory_is_the_file_on_disk() {
    let options = ReadOptions::default();
    for name in OWN_BVH {
        let path = own(name);
        let bytes = std::fs::read(&path).unwrap();
        let told = read_memory(Path::new(name), &bytes, &options).unwrap();
        assert_eq!(told, read_file(&path, &options, None).unwrap(), "{name}");
    }
}

#[test]
fn what_cannot_be_read_from_memory_is_refused_with_its_name() {
    let refused = |name: &str, bytes: &[u8]| {
        read_memory(Path::new(name), bytes, &ReadOptions::default()).unwrap_err().to_string()
    };
    assert!(refused("a.png", b"").starts_with("a.png: not a format that can be read"));
    assert!(refused("a.amc", b"").starts_with("a.amc: a skeleton and its motions are two files"));
    assert!(refused("a.bvh", b"HIERARCHY\nROOF").starts_with("a.bvh:2:1: "));
    assert!(refused("a.glb", b"glTF").starts_with("a.glb: "));
}
