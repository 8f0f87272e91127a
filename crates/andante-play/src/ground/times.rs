//! How long each part of the work takes.

use std::time::Duration;

/// Parts of the work of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimedPart {
    Footholds,
    Swings,
    Reach,
    Pose,
    Legs,
}

/// Time that has been spent on each part of the work, in total; see
/// [`Grounding::set_clock`](crate::Grounding::set_clock).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// Steps that were timed.
    pub steps: u64,
    /// Looking for footholds.
    pub footholds: Duration,
    /// Carrying feet over what is in their way.
    pub swings: Duration,
    /// Looking ahead for how far the body has to come down.
    pub reach: Duration,
    /// Sampling clips, placing bodies and mixing them.
    pub pose: Duration,
    /// Bending legs.
    pub legs: Duration,
}

impl StageTimes {
    /// All of it.
    pub fn total(&self) -> Duration {
        self.footholds + self.swings + self.reach + self.pose + self.legs
    }
}

/// Measures what takes how long, if it is on.
#[derive(Clone, Debug, Default)]
pub(crate) struct PhaseClock {
    pub read: Option<fn() -> Duration>,
    pub times: StageTimes,
}

impl PhaseClock {
    /// The time now; none if nothing is measured.
    #[inline]
    pub fn now(&self) -> Option<Duration> {
        self.read.map(|read| read())
    }

    /// A part of the work that began at a time is done.
    #[inline]
    pub fn done(&mut self, part: TimedPart, begun: Option<Duration>) {
        let (Some(begun), Some(read)) = (begun, self.read) else { return };
        let total = match part {
            TimedPart::Footholds => &mut self.times.footholds,
            TimedPart::Swings => &mut self.times.swings,
            TimedPart::Reach => &mut self.times.reach,
            TimedPart::Pose => &mut self.times.pose,
            TimedPart::Legs => &mut self.times.legs,
        };
        *total += read().saturating_sub(begun);
    }
}
