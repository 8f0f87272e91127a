//! How ways are looked for.

use super::{BandSettings, CurveOptions, TwoTrees};

/// The way walks are looked for on one level.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum RouteMethod {
    /// The shortest way over a navigation mesh.
    #[default]
    NavigationMesh,
    /// A way found by two random trees, then shortened. Longer than the shortest where it leads round many
    /// obstacles, and the trees can be drawn.
    TwoTrees(TwoTrees),
}

andante_skeleton::settings! {
    /// Options of [`Network::find`](super::Network::find).
    pub struct RouteOptions: Copy {
        /// How walks are looked for.
        method: RouteMethod = RouteMethod::default();
        /// How corners are rounded.
        curve: CurveOptions = CurveOptions::default() => check;
        /// How walks keep off obstacles.
        band: BandSettings = BandSettings::default() => check;
        /// A jump costs as much as this many metres on foot, besides its own length: nobody leaps for the fun of it. At
        /// 0 every gap on the way is jumped, at 10 long ways round are walked.
        jump_cost: f32 = 2.0, 0.0..=10.0;
        /// How many times as long as the shortest a walk may become to keep off obstacles. 1 keeps it along the walls.
        longest_detour: f32 = 1.07, 1.0..=1.3;
    }
}

impl RouteOptions {
    /// For a character of this height: corners are rounded over half of it.
    pub fn person(height: f32) -> Self {
        let curve = CurveOptions { handle: 0.5 * height, ..CurveOptions::default() };
        Self { curve, ..Self::default() }
    }
}
