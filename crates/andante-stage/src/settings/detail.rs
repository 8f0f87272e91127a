//! Settings of how much of those is made who are far away.

use serde::Deserialize;

andante_skeleton::settings! {
    /// Settings of how much of those is made who are far from where a stage is looked at; see
    /// [`Stage::set_viewer`](crate::Stage::set_viewer).
    #[serde(default, deny_unknown_fields)]
    pub struct DetailSettings: Copy, Deserialize {
        /// Whoever is farther from the viewer than this is far, in metres. Less is quicker.
        far: f32 = 30.0, 0.0..=1e6;
        /// The upper body of those who are far and neither look at something nor duck moves in every so-manieth step; 1 is
        /// every step. More is quicker, and arms move by jerks.
        every: usize = 6, 1..=1000;
    }
}
