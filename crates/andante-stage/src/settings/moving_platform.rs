//! Settings of platforms that move, and of those who ride on them.

use serde::Deserialize;

andante_skeleton::settings! {
    /// Settings of platforms that move, and of those who ride on them.
    #[serde(default, deny_unknown_fields)]
    pub struct MovingPlatformSettings: Copy, Deserialize {
        /// How tall those are who ride, in metres: others keep away from where their heads get to. Less lets them walk
        /// below.
        rider_height: f32 = 1.8, 0.0..=10.0;
        /// Whoever begins within this of the top of a platform begins on it, in metres.
        on_top: f32 = 0.1, 0.0..=2.0;
        /// Speed of platforms that do not say theirs, in m/s. More carries riders off their feet.
        speed: f32 = 0.6, 0.01..=10.0;
        /// Acceleration of platforms that do not say theirs, in m/s². Little creeps away from stops, much jolts.
        acceleration: f32 = 0.5, 0.01..=20.0;
        /// Time at each stop of platforms that do not say theirs, in seconds. Little leaves nobody the time to get on.
        wait: f32 = 1.0, 0.0..=86400.0;
    }
}
