//! The worst of each kind, so that nothing grows with the length of a take.

use crate::verdict::{ViolationKind, excess};
use crate::{Severity, Violation};

/// True of what is beyond a limit; what is not a number is beyond any.
pub(crate) fn exceeds(value: f32, limit: f32) -> bool {
    value > limit || value.is_nan()
}

/// What was found about one character.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    who: String,
    worst: [Option<Violation>; ViolationKind::ALL.len()],
}

impl Tally {
    pub fn new(who: &str) -> Self {
        Self { who: who.into(), worst: [const { None }; ViolationKind::ALL.len()] }
    }

    /// Notes a value that is beyond its limit; `what` is asked for only if it is the worst so far.
    #[inline]
    pub fn note(
        &mut self,
        kind: ViolationKind,
        time_s: f32,
        value: f32,
        limit: f32,
        what: impl FnOnce() -> String,
    ) {
        let beyond = if kind.is_least() { value < limit } else { exceeds(value, limit) };
        if beyond || value.is_nan() {
            self.keep(kind, time_s, value, limit, what);
        }
    }

    #[cold]
    fn keep(
        &mut self,
        kind: ViolationKind,
        time_s: f32,
        value: f32,
        limit: f32,
        what: impl FnOnce() -> String,
    ) {
        let slot = &mut self.worst[kind as usize];
        let frames = slot.as_ref().map_or(0, |worst| worst.frames) + 1;
        match slot {
            Some(worst) if worst.excess() >= excess(kind, value, limit) => worst.frames = frames,
            _ => {
                let who = self.who.clone();
                *slot = Some(Violation { kind, who, what: what(), time_s, value, limit, frames });
            }
        }
    }

    pub fn into_violations(self) -> impl Iterator<Item = Violation> {
        self.worst.into_iter().flatten()
    }
}

/// Puts the worst first: what is wrong before what is unnatural, and each by how far it is beyond its limit.
pub(crate) fn sort(violations: &mut [Violation]) {
    let order = |violation: &Violation| violation.severity() == Severity::Unnatural;
    violations
        .sort_by(|a, b| order(a).cmp(&order(b)).then_with(|| b.excess().total_cmp(&a.excess())));
}
