//! The ground that somebody walked on.

use crate::{Area, Grid, GridError, ProfileGround, Terrain, TerrainError};
use glam::{Vec2, Vec3};

andante_skeleton::settings! {
    /// Settings of the ground that is made of footfalls.
    pub struct FootfallSettings: Copy {
        /// Footfalls nearer to each other than this along the way are one place, in metres: heel and toes of both feet.
        same_place: f32 = 0.05, 0.02..=0.1;
        /// Feet this far to the sides of the way, root mean square, are those of one straight walk, in metres. At 0
        /// every walk gives a height map.
        straight: f32 = 0.2, 0.1..=0.5;
        /// Length over which the heights of a height map are blurred, in metres.
        blur: f32 = 0.05, 0.02..=0.2;
        /// Ground shown around the outermost footfalls of a height map, in metres.
        margin: f32 = 1.0, 0.5..=5.0;
    }
}

/// See [`Terrain::from_footfalls`].
pub(crate) fn terrain(
    points: &[Vec3],
    settings: &FootfallSettings,
) -> Result<Terrain, TerrainError> {
    let profile = ProfileGround::from_footfalls(points, settings)?;
    let across = profile.direction().perp();
    let sides = points.iter().map(|point| Vec2::new(point.x, point.z).dot(across));
    let middle = sides.clone().sum::<f32>() / points.len() as f32;
    let spread = sides.map(|side| (side - middle).powi(2)).sum::<f32>() / points.len() as f32;
    if spread.sqrt() <= settings.straight {
        return Ok(profile.into());
    }
    Ok(height_map(points, settings)?.into())
}

/// Means of all heights, weighted by the inverse fourth power of their distance (Shepard 1968).
fn height_map(points: &[Vec3], settings: &FootfallSettings) -> Result<Grid, GridError> {
    let places = || points.iter().map(|point| Vec2::new(point.x, point.z));
    let low = places().fold(Vec2::MAX, Vec2::min) - settings.margin;
    let high = places().fold(Vec2::MIN, Vec2::max) + settings.margin;
    let cell = (high - low).max_element().max(10.0) / 200.0;
    Grid::sample(Area { low, high }, cell, |place| {
        let (mut sum, mut weights) = (0.0, 0.0);
        for point in points {
            let squared =
                place.distance_squared(Vec2::new(point.x, point.z)) + settings.blur * settings.blur;
            let weight = (squared * squared).recip();
            (sum, weights) = (sum + weight * point.y, weights + weight);
        }
        sum / weights
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ground;

    #[test]
    fn a_walk_that_wanders_leaves_a_height_map() {
        let height = |x: f32, z: f32| 0.1 * (x + 0.5 * z);
        let steps: Vec<Vec3> = (0..200)
            .map(|step| {
                let angle = 0.3 * step as f32;
                let (x, z) = (1.5 * angle.sin(), 2.0 * (0.7 * angle).cos());
                Vec3::new(x, height(x, z), z)
            })
            .collect();
        let ground = Terrain::from_footfalls(&steps, &FootfallSettings::default()).unwrap();
        assert!(matches!(ground, Terrain::Grid(_)));
        for step in &steps {
            let hit = ground.probe(*step + Vec3::Y, 3.0).unwrap();
            assert!((hit.point.y - step.y).abs() < 0.03, "{} at {step}", hit.point.y);
        }
    }
}
