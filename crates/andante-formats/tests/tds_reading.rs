//! Meshes in `.3ds` that were written here, chunk by chunk.

#![allow(clippy::unwrap_used, clippy::panic)]

use andante_formats::tds::{self, TdsPart};
use andante_formats::{ReadError, ReadLimits};
use glam::{Vec2, Vec3};
use proptest::prelude::*;

fn chunk(id: u16, body: Vec<u8>) -> Vec<u8> {
    let mut bytes = id.to_le_bytes().to_vec();
    bytes.extend((body.len() as u32 + 6).to_le_bytes());
    bytes.extend(body);
    bytes
}

fn text(name: &str) -> Vec<u8> {
    [name.as_bytes(), b"\0"].concat()
}

fn list<const N: usize>(rows: &[[f32; N]]) -> Vec<u8> {
    let mut bytes = (rows.len() as u16).to_le_bytes().to_vec();
    bytes.extend(rows.iter().flatten().flat_map(|value| value.to_le_bytes()));
    bytes
}

/// What a roof is made of.
struct Roof {
    faces: Vec<[u16; 3]>,
    groups: Vec<u32>,
    red: Vec<u16>,
    ridge: f32,
}

impl Default for Roof {
    fn default() -> Self {
        let faces = vec![[0, 1, 3], [0, 3, 2], [2, 3, 5], [2, 5, 4]];
        Self { faces, groups: vec![1, 1, 3, 2], red: vec![2, 3], ridge: 1.0 }
    }
}

impl Roof {
    /// Two slopes whose ridge is along Y of the file, Z up there.
    fn file(&self) -> Vec<u8> {
        let (low, high) = (0.0, self.ridge);
        let places = [
            [-1.0, 0.0, low],
            [-1.0, 2.0, low],
            [0.0, 0.0, high],
            [0.0, 2.0, high],
            [1.0, 0.0, low],
            [1.0, 2.0, low],
        ];
        let uvs = places.map(|[x, y, _]| [x, y]);
        let mut faces = (self.faces.len() as u16).to_le_bytes().to_vec();
        for face in &self.faces {
            // Seen from above counter-clockwise.
            let [a, b, c] = *face;
            faces.extend([a, c, b, 7].into_iter().flat_map(u16::to_le_bytes));
        }
        let words = |numbers: &[u16]| -> Vec<u8> {
            let count = [numbers.len() as u16];
            count.iter().chain(numbers).flat_map(|number| number.to_le_bytes()).collect()
        };
        faces.extend(chunk(0x4130, [text("red tiles"), words(&self.red)].concat()));
        let groups = self.groups.iter().flat_map(|groups| groups.to_le_bytes()).collect();
        faces.extend(chunk(0x4150, groups));
        let mesh = [
            chunk(0x4110, list(&places)),
            chunk(0x4140, list(&uvs)),
            chunk(0x4120, faces),
            chunk(0x4160, vec![0; 48]),
        ];
        let red = [
            chunk(0xa000, text("red tiles")),
            chunk(0xa010, chunk(0x0011, vec![51, 0, 0])),
            chunk(0xa020, [chunk(0x0011, vec![255, 51, 0]), chunk(0x0012, vec![0, 0, 0])].concat()),
            chunk(0xa030, chunk(0x0010, list(&[[0.5f32, 0.25, 1.0]])[2..].to_vec())),
            chunk(0xa050, chunk(0x0030, 25u16.to_le_bytes().to_vec())),
            chunk(0xa200, [chunk(0x0030, vec![100, 0]), chunk(0xa300, text("TILES.PNG"))].concat()),
        ];
        let roof = [text("roof"), chunk(0x4100, mesh.concat())].concat();
        let lamp = [text("lamp"), chunk(0x4600, vec![0; 12])].concat();
        let editor = [chunk(0xafff, red.concat()), chunk(0x4000, roof), chunk(0x4000, lamp)];
        chunk(0x4d4d, [chunk(0x0002, vec![3, 0, 0, 0]), chunk(0x3d3d, editor.concat())].concat())
    }
}

/// A triangle at some height, as parts of a mesh: its vertices and its faces.
fn triangle(height: f32) -> [Vec<u8>; 2] {
    let places = [[0.0, 0.0, height], [1.0, 0.0, height], [0.0, 1.0, height]];
    let face = [1u16, 0, 1, 2, 7].into_iter().flat_map(u16::to_le_bytes).collect();
    [chunk(0x4110, list(&places)), chunk(0x4120, face)]
}

/// A file of materials and of an object with these meshes.
fn file(materials: &[Vec<u8>], meshes: &[Vec<u8>]) -> Vec<u8> {
    let meshes = meshes.iter().flat_map(|parts| chunk(0x4100, parts.clone()));
    let object = text("pair").into_iter().chain(meshes).collect();
    chunk(0x4d4d, chunk(0x3d3d, [materials.concat(), chunk(0x4000, object)].concat()))
}

fn two_meshes() -> Vec<u8> {
    file(&[], &[triangle(1.0).concat(), triangle(2.0).concat()])
}

fn faces_twice() -> Vec<u8> {
    let [vertices, faces] = triangle(1.0);
    // Two faces and then one.
    let two = [2u16, 0, 1, 2, 7, 0, 2, 1, 7].into_iter().flat_map(u16::to_le_bytes).collect();
    file(&[], &[[vertices, chunk(0x4120, two), faces].concat()])
}

/// A material with this colour and this share that light goes through, and a mesh.
fn painted(color: [f32; 3], percent: f32) -> Vec<u8> {
    let numbers = color.iter().flat_map(|channel| channel.to_le_bytes()).collect();
    let parts = [
        chunk(0xa000, text("paint")),
        chunk(0xa020, chunk(0x0010, numbers)),
        chunk(0xa050, chunk(0x0031, percent.to_le_bytes().to_vec())),
    ];
    let mut mesh = triangle(0.0);
    let words = [1u16, 0].into_iter().flat_map(u16::to_le_bytes).collect();
    let face = [1u16, 0, 1, 2, 7].into_iter().flat_map(u16::to_le_bytes).collect();
    mesh[1] = chunk(0x4120, [face, chunk(0x4130, [text("paint"), words].concat())].concat());
    file(&[chunk(0xafff, parts.concat())], &[mesh.concat()])
}

fn read(bytes: &[u8]) -> Result<Vec<TdsPart>, ReadError> {
    tds::read(bytes, &ReadLimits::default())
}

fn normal_at(parts: &[TdsPart], place: Vec3) -> Vec<Vec3> {
    let corners = parts.iter().flat_map(|part| {
        let of = |index: &u32| {
            (part.mesh.positions[*index as usize], part.mesh.normals[*index as usize])
        };
        part.mesh.indices.iter().map(of)
    });
    let mut found: Vec<Vec3> = Vec::new();
    for (_, normal) in corners.filter(|(corner, _)| *corner == place) {
        if !found.iter().any(|other| other.abs_diff_eq(normal, 1e-5)) {
            found.push(normal);
        }
    }
    found
}

#[test]
fn objects_are_upright_and_cut_by_material() {
    let parts = read(&Roof::default().file()).unwrap();
    let [plain, red] = parts.as_slice() else { panic!("{} parts", parts.len()) };
    assert!(plain.material.is_none() && plain.mesh.color == [1.0; 4]);
    let material = red.material.as_ref().unwrap();
    assert_eq!(
        (material.name.as_str(), material.texture.as_deref()),
        ("red tiles", Some("TILES.PNG"))
    );
    assert_eq!((material.ambient, material.diffuse), ([0.2, 0.0, 0.0], [1.0, 0.2, 0.0]));
    assert_eq!((material.specular, material.opacity), ([0.5, 0.25, 1.0], 0.75));
    assert_eq!(red.mesh.color, [1.0, 0.2, 0.0, 0.75]);
    for part in &parts {
        assert_eq!((part.mesh.name.as_str(), part.mesh.indices.len()), ("roof", 6));
        // The ridge is at the height of one, along −Z.
        for (place, uv) in part.mesh.positions.iter().zip(&part.uvs) {
            assert!(
                (place.y - (1.0 - place.x.abs())).abs() < 1e-6 && [0.0, -2.0].contains(&place.z)
            );
            assert_eq!(*uv, Vec2::new(place.x, -place.z));
        }
        for corners in part.mesh.indices.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|corner| part.mesh.positions[corners[corner] as usize]);
            assert!((b - a).cross(c - a).y > 0.0, "seen from above");
        }
    }
}

#[test]
fn faces_of_a_common_group_bend_into_each_other_and_others_meet_in_an_edge() {
    let ridge = Vec3::new(0.0, 1.0, 0.0);
    let (left, right) =
        (Vec3::new(-1.0, 1.0, 0.0).normalize(), Vec3::new(1.0, 1.0, 0.0).normalize());
    // At the far end of the ridge faces 0, 1 and 2 meet, at the near end all but the first.
    let far = Vec3::new(0.0, 1.0, -2.0);
    let of = |groups: [u32; 4]| {
        read(&Roof { groups: groups.to_vec(), ..Roof::default() }.file()).unwrap()
    };
    let flat = of([0; 4]);
    assert_eq!(normal_at(&flat, ridge).len(), 2);
    for normal in normal_at(&flat, ridge) {
        assert!(normal.abs_diff_eq(left, 1e-5) || normal.abs_diff_eq(right, 1e-5), "{normal}");
    }
    // Two faces of the same area on each side, or one of the other.
    let smooth = of([1; 4]);
    let mean = (2.0 * right + left).normalize();
    assert_eq!(normal_at(&smooth, ridge).len(), 1);
    assert!(
        normal_at(&smooth, ridge)[0].abs_diff_eq(mean, 1e-5),
        "{:?}",
        normal_at(&smooth, ridge)
    );
    // The third has something in common with both sides, which have nothing with each other.
    let chained = normal_at(&of([1, 1, 3, 2]), far);
    let mean = (2.0 * left + right).normalize();
    assert!(chained.iter().any(|normal| normal.abs_diff_eq(mean, 1e-5)), "{chained:?}");
    let apart = normal_at(&of([1, 1, 2, 2]), far);
    assert_eq!(apart.len(), 2);
}

#[test]
fn broken_files_are_refused_with_the_place() {
    let error = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
    let good = Roof::default().file();
    assert!(error(b"").contains("not a .3ds file"));
    assert!(error(b"HIERARCHY").contains("not a .3ds file"));
    assert!(error(&good[..good.len() - 30]).contains("chunk 3d3d says it has"));
    let far = Roof { ridge: 1e9, ..Roof::default() };
    assert!(error(&far.file()).contains("farthest"), "{}", error(&far.file()));
    let wild = Roof { ridge: f32::NAN, ..Roof::default() };
    assert!(error(&wild.file()).contains("object `roof`: vertex 2"), "{}", error(&wild.file()));
    let beyond = Roof { faces: vec![[0, 1, 6]], groups: vec![0], red: vec![], ..Roof::default() };
    assert!(error(&beyond.file()).contains("face 0 has vertex 6; there are 6"));
    let material = Roof { red: vec![4], ..Roof::default() };
    assert!(error(&material.file()).contains("face 4 does not exist"));
    let groups = Roof { groups: vec![1], ..Roof::default() };
    assert!(error(&groups.file()).contains("chunk 4150 ends before"));
    for end in 0..good.len() {
        let _ = read(&good[..end]);
    }
}

#[test]
fn each_mesh_of_an_object_is_a_part_of_its_own() {
    let parts = read(&two_meshes()).unwrap();
    assert_eq!(parts.len(), 2);
    for (part, height) in parts.iter().zip([1.0, 2.0]) {
        assert_eq!((part.mesh.name.as_str(), part.mesh.indices.len()), ("pair", 3));
        assert_eq!(part.mesh.positions.len(), 3);
        assert!(part.mesh.positions.iter().all(|place| place.y == height));
    }
}

#[test]
fn a_mesh_whose_lists_are_there_twice_is_refused() {
    let error = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
    let words = error(&faces_twice());
    assert!(words.contains("chunk 4120 is there twice"), "{words}");
    let [vertices, faces] = triangle(1.0);
    let twice = file(&[], &[[vertices.clone(), vertices, faces].concat()]);
    assert!(error(&twice).contains("chunk 4110 is there twice"), "{}", error(&twice));
}

#[test]
fn colours_that_are_no_numbers_are_refused() {
    let parts = read(&painted([0.25, 2.0, -1.0], 0.5)).unwrap();
    assert_eq!(parts[0].mesh.color, [0.25, 1.0, 0.0, 0.5]);
    for wild in [f32::NAN, f32::INFINITY] {
        let words = read(&painted([0.0, wild, 0.0], 0.0)).unwrap_err().to_string();
        assert!(words.contains("chunk 0010 has no finite number"), "{words}");
        let words = read(&painted([0.0; 3], wild)).unwrap_err().to_string();
        assert!(words.contains("chunk 0031 has no finite number"), "{words}");
    }
}

/// With `ANDANTE_WRITE_SEEDS` set, writes them.
#[test]
fn the_seeds_of_the_fuzz_target_are_these_files() {
    let good = Roof::default().file();
    let cut = good[..good.len() / 2].to_vec();
    for (name, bytes) in [
        ("good-roof", good),
        ("good-two_meshes", two_meshes()),
        ("bad-cut", cut),
        ("bad-faces_twice", faces_twice()),
        ("bad-colour_nan", painted([f32::NAN; 3], 0.0)),
    ] {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/tds");
        let path = std::path::Path::new(folder).join(name);
        if std::env::var_os("ANDANTE_WRITE_SEEDS").is_some() {
            std::fs::write(&path, &bytes).unwrap();
        }
        assert!(std::fs::read(&path).is_ok_and(|found| found == bytes), "{name} is out of date");
        assert_eq!(read(&bytes).is_ok(), name.starts_with("good"), "{name}");
    }
}

proptest! {
    #[test]
    fn no_change_of_some_bytes_causes_a_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = Roof::default().file();
        for (index, byte) in changes {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(parts) = read(&bytes) {
            for part in parts {
                let count = part.mesh.positions.len();
                prop_assert!(part.mesh.indices.iter().all(|&index| (index as usize) < count));
            }
        }
    }
}
