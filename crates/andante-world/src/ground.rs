//! The question every foot asks.

use glam::Vec3;

/// Where a probe met the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The point of the surface.
    pub point: Vec3,
    /// The surface's unit normal there, pointing up.
    pub normal: Vec3,
}

/// Something that can be stood on.
///
/// Implementations never return a non-finite hit: a height that is not a number is a hole.
pub trait Ground: Send + Sync {
    /// The first surface met going straight down from `from`, at most `depth` below it.
    ///
    /// Surfaces above `from` are not seen, so a character under a bridge stands on the road and one on the
    /// bridge stands on the bridge. `None` is a hole.
    fn probe(&self, from: Vec3, depth: f32) -> Option<Hit>;

    /// The height of what [`Ground::probe`] meets, which takes less than the whole answer where the ground is
    /// curved.
    fn height_below(&self, from: Vec3, depth: f32) -> Option<f32> {
        self.probe(from, depth).map(|hit| hit.point.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HeightFunction, Terrain};

    #[test]
    fn the_height_alone_is_that_of_the_whole_answer() {
        let words = ["flat", "slope:20:30", "stairs:0.17:0.29", "hills:0.25:2", "random:7"];
        let mut grounds: Vec<Box<dyn Ground>> = vec![Box::new(HeightFunction::new(|place| {
            if place.x > 1.0 { f32::NAN } else { 0.3 * place.y.sin() }
        }))];
        grounds
            .extend(words.map(|word| Box::new(Terrain::named(word).unwrap()) as Box<dyn Ground>));
        for (number, ground) in grounds.iter().enumerate() {
            for step in 0..400 {
                let t = step as f32;
                let from = Vec3::new(3.0 * (0.7 * t).sin(), 0.6 * (1.1 * t).cos(), 0.02 * t);
                for depth in [0.0, 0.4, f32::INFINITY] {
                    let whole = ground.probe(from, depth).map(|hit| hit.point.y);
                    assert_eq!(ground.height_below(from, depth), whole, "{number} from {from}");
                }
            }
        }
    }
}
