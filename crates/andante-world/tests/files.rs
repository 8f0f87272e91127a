//! Terrain files on disk.

#![allow(clippy::unwrap_used)]

use andante_world::{Ground, Terrain, TerrainError};
use glam::Vec3;
use std::path::PathBuf;

/// A file in a directory of its own that is removed at the end.
struct File {
    directory: PathBuf,
    path: String,
}

impl File {
    fn new(name: &str, content: &[u8]) -> Self {
        let unique = format!("andante-world-{}-{name}", std::process::id());
        let directory = std::env::temp_dir().join(unique);
        std::fs::create_dir_all(&directory).unwrap();
        let path = directory.join(name);
        std::fs::write(&path, content).unwrap();
        Self { directory, path: path.to_str().unwrap().to_owned() }
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

fn height(file: &File, x: f32, z: f32) -> Option<f32> {
    let terrain = Terrain::named(&file.path, &Default::default()).unwrap();
    terrain.probe(Vec3::new(x, 10.0, z), 20.0).map(|hit| hit.point.y)
}

#[test]
fn meshes_and_tables_are_stood_on() {
    let obj = File::new("ramp.obj", b"v 0 0 0\nv 0 1 4\nv 4 1 4\nv 4 0 0\nf 1 2 3 4\n");
    assert_eq!((height(&obj, 1.0, 2.0), height(&obj, 1.0, 5.0)), (Some(0.5), None));
    let csv = File::new("kerb.csv", b"0,0\n1,0\n1,0.12\n");
    assert_eq!((height(&csv, 7.0, 0.9), height(&csv, 7.0, 1.1)), (Some(0.0), Some(0.12)));

    let mesh = Terrain::named(&obj.path, &Default::default()).unwrap();
    let mesh = mesh.mesh(andante_world::Area::around(glam::Vec2::ZERO, 1.0), 1.0).unwrap();
    let human = andante_skeleton::humanoid();
    let asset = andante_formats::Asset::new(human.skeleton, Vec::new());
    let extra = vec![mesh.to_static("ramp", [0.5, 0.5, 0.5, 1.0])];
    let options = andante_formats::gltf::GltfWriteOptions { extra, ..Default::default() };
    let glb = andante_formats::gltf::write_glb(&asset, &options).unwrap();
    let glb = File::new("ramp.glb", &glb);
    assert_eq!((height(&glb, 1.0, 2.0), height(&glb, 1.0, 5.0)), (Some(0.5), None));
}

#[test]
fn files_that_are_no_terrain_are_refused_by_name() {
    let error = |file: &File| Terrain::named(&file.path, &Default::default()).unwrap_err();
    let motion = File::new("walk.bvh", b"HIERARCHY");
    assert!(matches!(error(&motion), TerrainError::Motion(path) if path.ends_with("walk.bvh")));
    let empty = File::new("empty.obj", b"v 0 0 0\n");
    assert!(error(&empty).to_string().ends_with("empty.obj: the mesh has no triangles"));
    let table = File::new("short.csv", b"0,0\n1,x\n");
    assert!(error(&table).to_string().contains("short.csv:2:3: expected a finite number"));
    let picture = File::new("hills.png", b"");
    assert!(error(&picture).to_string().contains("is not a terrain"));
    let gone = Terrain::named("nowhere/gone.csv", &Default::default()).unwrap_err().to_string();
    assert!(gone.contains("gone.csv: cannot be read"), "{gone}");
    assert!(
        Terrain::named("mountain", &Default::default())
            .unwrap_err()
            .to_string()
            .contains("slope:DEG")
    );
}
