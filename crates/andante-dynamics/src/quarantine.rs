//! Lanes that explode are put back and kept still.

use crate::math::Vec3;
use crate::real::Real;
use crate::simulation::Simulation;

/// The reason for which a lane was quarantined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A coordinate or velocity was not finite, or beyond all measure.
    NotFinite,
    /// A velocity was above the limit.
    TooFast,
}

/// The quarantine of a lane that exploded and stands still since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quarantine {
    /// The step that would have led there; it was undone in this lane.
    pub step: u64,
    /// The first link that was out of bounds.
    pub link: usize,
    /// In what way.
    pub reason: Reason,
}

/// No coordinate gets as far as this.
const FARTHEST: f64 = 1e9;

impl<R: Real> Simulation<R> {
    /// Puts lanes back that are not finite or too fast.
    pub(crate) fn quarantine_lanes(&mut self) {
        let mut sound = self.healthy;
        let limit = R::splat(self.settings.fastest());
        for v in &self.state.v {
            sound = R::and(sound, R::lt(v.abs(), limit));
        }
        for q in &self.state.q {
            sound = R::and(sound, R::lt(q.abs(), R::splat(FARTHEST)));
        }
        if (0..R::LANES).all(|lane| R::test(sound, lane)) {
            return;
        }
        for lane in 0..R::LANES {
            if R::test(self.healthy, lane) && !R::test(sound, lane) {
                self.quarantines[lane] = Some(self.diagnosis(lane));
            }
        }
        self.healthy = sound;
        for (new, old) in self.state.q.iter_mut().zip(&self.before.q) {
            *new = R::select(sound, *new, *old);
        }
        for (new, old) in self.state.v.iter_mut().zip(&self.before.v) {
            *new = R::select(sound, *new, *old);
        }
        for memory in &mut self.contacts.memory {
            *memory = Vec3::select(sound, *memory, Vec3::zero());
        }
        self.refresh();
    }

    /// What is wrong with a lane that is not sound.
    fn diagnosis(&self, lane: usize) -> Quarantine {
        let limit = self.settings.fastest();
        let (mut first, mut reason) = (0, Reason::TooFast);
        for link in (0..self.model.links().len()).rev() {
            let v = || self.state.v[self.model.freedom_range(link)].iter().map(|x| x.lane(lane));
            let q = || self.state.q[self.model.coordinate_range(link)].iter().map(|x| x.lane(lane));
            let lost =
                v().any(|x| !x.is_finite()) || q().any(|x| x.is_nan() || x.abs() >= FARTHEST);
            if lost || v().any(|x| x.abs() >= limit) {
                first = link;
                reason = if lost { Reason::NotFinite } else { Reason::TooFast };
            }
        }
        Quarantine { step: self.steps, link: first, reason }
    }

    /// True if a lane was found exploding and stands still since.
    pub fn is_quarantined(&self, lane: usize) -> bool {
        self.quarantine(lane).is_some()
    }

    /// The quarantine of a lane that was found exploding; `None` if it is well.
    pub fn quarantine(&self, lane: usize) -> Option<Quarantine> {
        self.quarantines.get(lane).copied().flatten()
    }
}
