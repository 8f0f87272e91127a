//! Settings of those who ride on platforms that move.

use serde::Deserialize;

andante_skeleton::settings! {
    /// Settings of those who ride on platforms that move.
    #[serde(default, deny_unknown_fields)]
    pub struct MovingPlatformSettings: Copy, Deserialize {
        /// How tall those are who ride, in metres: others keep away from where their heads get to. Less lets them walk
        /// below.
        rider_height: f32 = 1.8, 0.0..=10.0;
        /// Whoever begins within this of the top of a platform begins on it, in metres.
        on_top: f32 = 0.1, 0.0..=2.0;
    }
}
