//! Any bytes as a `.3ds` file.

use andante_formats::{ReadLimits, tds};

/// Reads the bytes; what can be read has finite places, unit normals and whole triangles.
pub fn check(bytes: &[u8]) {
    let parts = match tds::read(bytes, &ReadLimits::default()) {
        Ok(parts) => parts,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    for part in parts {
        let mesh = &part.mesh;
        assert!(mesh.positions.iter().all(|position| position.is_finite()));
        assert!(mesh.normals.iter().all(|normal| normal.is_normalized()));
        assert_eq!(mesh.normals.len(), mesh.positions.len());
        assert!(part.uvs.is_empty() || part.uvs.len() == mesh.positions.len());
        assert_eq!(mesh.indices.len() % 3, 0);
        assert!(mesh.indices.iter().all(|&corner| (corner as usize) < mesh.positions.len()));
        assert!(mesh.color.iter().all(|channel| (0.0..=1.0).contains(channel)));
        if let Some(material) = part.material {
            let colors = [material.ambient, material.diffuse, material.specular];
            let mut shares = colors.iter().flatten().chain([&material.opacity]);
            assert!(shares.all(|share| (0.0..=1.0).contains(share)));
        }
    }
}
