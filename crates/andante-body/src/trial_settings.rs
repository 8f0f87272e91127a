//! When a trial is over, and what counts as success.

/// Trial settings: how long trials of pushes, falls and walks go on, and what has to come of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrialSettings {
    /// How long a pushed body must stand to have recovered, s. Shorter counts luck, longer takes time.
    pub hold: f64,
    /// When a push is given up after it came, s.
    pub patience: f64,
    /// When a body that is to fall and does not is let go after the push, s.
    pub unfelled: f64,
    /// When a body that does not get up is given up after it fell, s.
    pub get_up: f64,
    /// How near to its goal a walker has arrived, m.
    pub arrival: f64,
    /// How much longer than usual a walk may take, as a factor.
    pub dawdle: f64,
    /// Weight below which a foot is not said to slide, N.
    pub light: f64,
    /// When a walker has settled into its walk and random pushes may begin, s.
    pub settled: f64,
    /// Phase of its cycle at which a walker begins, 0 to 1.
    pub phase: f64,
}

impl Default for TrialSettings {
    fn default() -> Self {
        TrialSettings {
            hold: 2.0,
            patience: 9.0,
            unfelled: 4.0,
            get_up: 20.0,
            arrival: 0.5,
            dawdle: 1.6,
            light: 50.0,
            settled: 2.0,
            phase: 0.3,
        }
    }
}
