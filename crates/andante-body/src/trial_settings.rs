//! When a trial is over, and what counts as success.

andante_skeleton::settings! {
    /// Trial settings: how long trials of pushes, falls and walks go on, and what has to come of them.
    pub struct TrialSettings: Copy {
        /// How long a pushed body must stand to have recovered, s. Shorter counts luck, longer takes time.
        hold: f64 = 2.0, 0.0..;
        /// When a push is given up after it came, s.
        patience: f64 = 9.0, 0.0..;
        /// When a body that is to fall and does not is let go after the push, s.
        unfelled: f64 = 4.0, 0.0..;
        /// When a body that does not get up is given up after it fell, s.
        get_up: f64 = 20.0, 0.0..;
        /// How near to its goal a walker has arrived, m.
        arrival: f64 = 0.5, 0.0..;
        /// How much longer than usual a walk may take, as a factor.
        dawdle: f64 = 1.6, 0.0..;
        /// Weight below which a foot is not said to slide, N.
        light: f64 = 50.0, 0.0..;
        /// When a walker has settled into its walk and random pushes may begin, s.
        settled: f64 = 2.0, 0.0..;
        /// Phase of its cycle at which a walker begins.
        phase: f64 = 0.3, 0.0..=1.0;
    }
}
