//! Terrain files.

use crate::{Grid, MeshGround, ProfileGround, Terrain, TerrainError, TriangleMesh};
use andante_formats::gate::read_bytes;
use andante_formats::gltf::{self, StaticMesh};
use andante_formats::{Format, ReadError, ReadLimits, obj, tds};
use glam::Vec2;
use std::path::Path;

/// Whether somebody who gives this means a file.
fn looks_like_one(path: &Path) -> bool {
    path.extension().is_some() || path.exists()
}

impl Terrain {
    /// The terrain that a command line means: a name as `str::parse` reads it, or else a file.
    ///
    /// For a motion file this is [`TerrainError::Motion`]: whoever can analyse it makes the ground with
    /// [`Terrain::from_footfalls`].
    pub fn named(word: &str, limits: &ReadLimits) -> Result<Self, TerrainError> {
        match word.parse() {
            // Something with an extension, or something that is there, was meant as a file.
            Err(TerrainError::Unknown { .. }) if looks_like_one(Path::new(word)) => {
                Self::read(Path::new(word), limits)
            }
            found => found,
        }
    }

    /// Reads the ground from a file, by its extension:
    ///
    /// * `.obj`, `.3ds`, `.glb`, `.gltf`: all triangles of it, in metres, Y up. Of glTF the meshes without a skin.
    /// * `.csv` of two columns: distance and height in metres, a profile along +Z. Two heights at one distance
    ///   are a step.
    /// * `.csv` of more columns: a height map. The first row holds the x of each column after a first cell that does
    ///   not count, each other row its z and the heights. Both are evenly spaced; empty cells are holes.
    ///
    /// A first row of words is a heading. Motion files are [`TerrainError::Motion`].
    pub fn read(path: &Path, limits: &ReadLimits) -> Result<Self, TerrainError> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match extension.as_str() {
            "csv" => {
                let bytes = read_bytes(path, limits)?;
                Self::from_csv(&bytes, limits).map_err(|error| named(error, path))
            }
            "obj" | "3ds" | "glb" | "gltf" => {
                let ground = MeshGround::new(TriangleMesh::read(path, limits)?);
                Ok(ground.map_err(|error| named(error.into(), path))?.into())
            }
            _ if Format::of(path).is_some() => Err(TerrainError::Motion(path.into())),
            _ => Err(TerrainError::Unknown { word: path.display().to_string() }),
        }
    }

    /// A profile or a height map from a table, as [`Terrain::read`] describes it.
    pub fn from_csv(bytes: &[u8], limits: &ReadLimits) -> Result<Self, TerrainError> {
        let text = std::str::from_utf8(bytes)
            .map_err(|error| ReadError::at(bytes, error.valid_up_to(), "is not text in UTF-8"))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut rows = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let is_comment = line.trim_start().starts_with('#');
            if !(line.trim().is_empty() || is_comment) {
                rows.push((index + 1, line));
            }
        }
        let separator = |line: &str| [';', '\t', ','].into_iter().find(|&c| line.contains(c));
        let separator = rows.first().and_then(|(_, line)| separator(line)).unwrap_or(',');
        let columns = rows.first().map_or(0, |(_, line)| line.split(separator).count());
        let table = HeightTable { rows, separator, reach: limits.reach };
        match columns {
            0 | 1 => Err(ReadError::file("expected lines of `distance,height`").into()),
            2 => profile(&table),
            _ => grid(&table),
        }
    }
}

impl TriangleMesh {
    /// Reads all triangles of an `.obj`, `.3ds`, `.glb` or `.gltf` file, in metres, Y up. Of glTF the meshes without a skin.
    pub fn read(path: &Path, limits: &ReadLimits) -> Result<Self, ReadError> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let in_file = |error: ReadError| error.in_file(path);
        let meshes = match extension.as_str() {
            "obj" => vec![obj::read(&read_bytes(path, limits)?, limits).map_err(in_file)?],
            "glb" | "gltf" => {
                let bytes = read_bytes(path, limits)?;
                gltf::read_meshes(&bytes, path.parent(), limits).map_err(in_file)?
            }
            "3ds" => {
                let parts = tds::read(&read_bytes(path, limits)?, limits).map_err(in_file)?;
                parts.into_iter().map(|part| part.mesh).collect()
            }
            _ => return Err(in_file(ReadError::file("is not an .obj, .3ds, .glb or .gltf file"))),
        };
        let mut all = Self::default();
        meshes.into_iter().for_each(|mesh| all.append(&mesh.into()));
        Ok(all)
    }

    /// The mesh as a thing beside the character in a glTF file; `color` is linear RGBA.
    pub fn to_static(&self, name: impl Into<String>, color: [f32; 4]) -> StaticMesh {
        StaticMesh {
            name: name.into(),
            positions: self.positions.clone(),
            normals: self.normals.clone(),
            indices: self.triangles.as_flattened().to_vec(),
            color,
        }
    }
}

impl From<StaticMesh> for TriangleMesh {
    fn from(mesh: StaticMesh) -> Self {
        let (triangles, _) = mesh.indices.as_chunks();
        let triangles = triangles.to_vec();
        Self { positions: mesh.positions, normals: mesh.normals, triangles }
    }
}

/// Errors of the content name the file too.
fn named(error: TerrainError, path: &Path) -> TerrainError {
    match error {
        TerrainError::File(error) => error.in_file(path).into(),
        other => ReadError::file(other.to_string()).in_file(path).into(),
    }
}

/// The rows of a table that hold something, and how to read them.
struct HeightTable<'a> {
    rows: Vec<(usize, &'a str)>,
    separator: char,
    /// The largest number, in metres.
    reach: f32,
}

fn profile(table: &HeightTable) -> Result<Terrain, TerrainError> {
    let mut points = Vec::new();
    for (index, &row) in table.rows.iter().enumerate() {
        let cells = table.cells(row, 2)?;
        let is_word = |cell: &Cell| cell.value.is_none() && !cell.text.is_empty();
        if index == 0 && cells.iter().all(is_word) {
            continue;
        }
        let values = [table.number(&cells[0])?, table.number(&cells[1])?];
        points.push(Vec2::from(values));
    }
    Ok(ProfileGround::straight(&points)?.into())
}

fn grid(table: &HeightTable) -> Result<Terrain, TerrainError> {
    let [first, rest @ ..] = table.rows.as_slice() else {
        return Err(ReadError::file("is empty").into());
    };
    let columns = first.1.split(table.separator).count();
    let mut xs = Vec::new();
    for cell in table.cells(*first, columns)?.iter().skip(1) {
        xs.push(table.number(cell)?);
    }
    let (mut zs, mut heights) = (Vec::new(), Vec::new());
    for &row in rest {
        let cells = table.cells(row, columns)?;
        zs.push(table.number(&cells[0])?);
        for cell in &cells[1..] {
            let hole = cell.text.is_empty() || cell.text.eq_ignore_ascii_case("nan");
            heights.push(if hole { f32::NAN } else { table.number(cell)? });
        }
    }
    let x = even(&xs, "x of the columns")?;
    let z = even(&zs, "z of the rows")?;
    let (origin, step) = (Vec2::new(x[0], z[0]), Vec2::new(x[1], z[1]));
    Ok(Grid::new(origin, step, xs.len(), zs.len(), heights)?.into())
}

/// The first of evenly growing numbers, and the step.
fn even(values: &[f32], what: &str) -> Result<[f32; 2], TerrainError> {
    let ([first, .., last], count) = (values, values.len()) else {
        return Err(ReadError::file(format!("there must be two or more {what}")).into());
    };
    let step = (last - first) / (count - 1) as f32;
    let uneven = values.iter().enumerate().find(|&(index, value)| {
        let error = value - (first + index as f32 * step);
        // Also true for what is not a number.
        !(step > 0.0 && error.abs() <= 0.01 * step)
    });
    match uneven {
        None => Ok([*first, step]),
        Some((_, value)) => {
            let message = format!("the {what} must grow evenly, and {value} does not fit");
            Err(ReadError::file(message).into())
        }
    }
}

/// One cell of a table and where it is.
struct Cell<'a> {
    number: usize,
    line: &'a str,
    start: usize,
    text: &'a str,
    value: Option<f32>,
}

impl HeightTable<'_> {
    fn cells<'a>(
        &self,
        (number, line): (usize, &'a str),
        expected: usize,
    ) -> Result<Vec<Cell<'a>>, ReadError> {
        let mut start = 0;
        let mut cells = Vec::with_capacity(expected);
        for raw in line.split(self.separator) {
            let text = raw.trim();
            let value = text.parse::<f32>().ok().filter(|value| value.is_finite());
            let indent = raw.len() - raw.trim_start().len();
            cells.push(Cell { number, line, start: start + indent, text, value });
            start += raw.len() + self.separator.len_utf8();
        }
        if cells.len() != expected {
            let message = format!("expected {expected} columns, found {}", cells.len());
            return Err(ReadError::in_line(number, line.as_bytes(), 0, message));
        }
        Ok(cells)
    }

    fn number(&self, cell: &Cell) -> Result<f32, ReadError> {
        let wrong = |message: String| {
            Err(ReadError::in_line(cell.number, cell.line.as_bytes(), cell.start, message))
        };
        match cell.value {
            Some(value) if value.abs() <= self.reach => Ok(value),
            Some(value) => wrong(format!("{value:e} m; {:e} m is the farthest", self.reach)),
            None => {
                let shown: String = cell.text.chars().take(30).collect();
                wrong(format!("expected a finite number, found `{shown}`"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn height(text: &str, x: f32, z: f32) -> Option<f32> {
        Terrain::from_csv(text.as_bytes(), &ReadLimits::default())
            .unwrap()
            .height_at(Vec2::new(x, z))
    }

    #[test]
    fn two_columns_are_a_profile() {
        let text = "distance, height\n# a kerb\n0,0\n1,0\n1,0.5\n2,1\n";
        assert_eq!(height(text, 9.0, 0.5), Some(0.0));
        assert_eq!(height(text, -9.0, 1.5), Some(0.75));
        assert_eq!(
            height(
                "0;1.5
1;2.5
",
                0.0,
                0.5
            ),
            Some(2.0)
        );
    }

    #[test]
    fn more_columns_are_a_height_map_with_holes() {
        let text = "z\\x,0,1,2,3\n10,1,2,3,\n11,1,2,3,4\n12,1,2,3,4\n";
        assert_eq!(height(text, 0.5, 10.5), Some(1.5));
        assert_eq!(height(text, 2.9, 10.1), None);
        assert_eq!(height(text, 2.5, 11.5), Some(3.5));
        assert_eq!(height(text, 3.5, 11.5), None);
    }

    #[test]
    fn errors_of_tables_name_line_and_column() {
        let error = |text: &str| {
            Terrain::from_csv(text.as_bytes(), &ReadLimits::default()).unwrap_err().to_string()
        };
        assert_eq!(error("0,0\n1,up\n"), "line 2, column 3: expected a finite number, found `up`");
        assert_eq!(error("0,0\n\n1,2,3\n"), "line 3, column 1: expected 2 columns, found 3");
        assert!(error("").contains("distance,height"));
        assert!(error("0,0\n").contains("two places"));
        assert!(error("1,0\n0,1\n").contains("distances must grow"));
        assert!(error("0,0\n1,1e30\n").contains("line 2, column 3: 1e30 m"));
        assert!(error("z,0,1,9\n0,1,1,1\n1,1,1,1\n").contains("grow evenly"));
    }

    proptest! {
        #[test]
        fn no_table_causes_a_panic(
            text in prop_oneof!["[-0-9.,;e\\n\\t#a ]{0,200}", "\\PC{0,100}"],
            place in prop::array::uniform2(-10.0f32..10.0),
        ) {
            if let Ok(terrain) = Terrain::from_csv(text.as_bytes(), &ReadLimits::default()) {
                let height = terrain.height_at(Vec2::from(place));
                prop_assert!(height.is_none_or(f32::is_finite));
            }
        }
    }
}
