//! Any bytes as a table of heights.

use andante_formats::ReadLimits;
use andante_world::Terrain;
use glam::Vec2;

/// Reads the bytes; wherever what was read has a height, it is a number.
pub fn check(bytes: &[u8]) {
    let terrain = match Terrain::from_csv(bytes, &ReadLimits::default()) {
        Ok(terrain) => terrain,
        Err(error) => {
            let _ = error.to_string();
            return;
        }
    };
    for step in 0..200u8 {
        let far = 1.5f32.powi(i32::from(step) % 35) * f32::from(step);
        for place in [Vec2::new(far, -far), Vec2::new(-far, far), Vec2::new(far, far)] {
            let height = terrain.height_at(place);
            assert!(height.is_none_or(f32::is_finite), "{height:?} at {place}");
        }
    }
}
