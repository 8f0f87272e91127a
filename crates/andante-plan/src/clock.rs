//! Where the time comes from that planning is said to take.

/// A clock that the caller reads. The library asks no clock of its own: some targets have none.
///
/// Two clocks are always equal: what is planned does not depend on them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock(Option<fn() -> f64>);

impl Clock {
    /// One that tells seconds since any moment. Without one (`Clock::default()`) everything takes no time.
    pub fn new(seconds: fn() -> f64) -> Self {
        Self(Some(seconds))
    }

    /// Milliseconds since any moment.
    pub fn now(&self) -> f64 {
        self.0.map_or(0.0, |seconds| 1e3 * seconds())
    }

    /// Milliseconds since another reading.
    pub fn since(&self, before: f64) -> f64 {
        self.now() - before
    }
}

impl PartialEq for Clock {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
