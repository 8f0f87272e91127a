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
