//! How somebody is who is moved by forces.

use super::episode::{Driver, PhysicsEpisode};
use super::ride;
use andante_body::{BodyCondition as Doing, StepPhase};

/// How somebody is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PhysicalCondition {
    /// It fights for its balance.
    Struggling,
    /// It stands as if nothing had been.
    Stands,
    /// It walks as if nothing had been.
    Walks,
    /// It falls.
    Falls,
    /// It lies.
    Lies,
    /// It gets up.
    GetsUp,
}

impl PhysicsEpisode {
    pub(super) fn judge(&mut self, pushed: bool) {
        let struck = self.feel_props();
        let (physique, settings) = (&self.flesh.physique, &self.flesh.settings.physical);
        let time = self.simulation.time();
        let kin = self.simulation.kinematics();
        let up = kin.rotation(physique.torso).y.y;
        let soles = [0, 1].map(|foot| physique.sole_at(kin, foot));
        let ground = soles[0].y.min(soles[1].y);
        let head = kin.point(&physique.model, physique.torso, physique.head).y - ground;
        let upright = up > settings.upright_cosine && head > settings.upright_height * physique.top;
        let steady = match &self.driver {
            Driver::Stand(survivor) => {
                let (momentum, _) = self.simulation.momentum(0);
                survivor.condition() == Doing::Balance
                    && *survivor.balancer().phase() == StepPhase::Stand
                    && momentum.length() / physique.mass < settings.still
            }
            Driver::Walk(walker) => {
                libm::hypot(walker.error()[0], walker.error()[1]) < settings.walks_off
            }
        };
        if self.condition() != PhysicalCondition::Struggling {
            self.struggles_since = time;
        }
        self.touched |= struck;
        if pushed || struck || !(upright && steady) {
            self.unsafe_at = time;
        }
        if upright {
            self.up_at = time;
        }
        if ride::is_off_deck(self, soles[0].y.max(soles[1].y)) {
            self.stays_down = true;
        }
        let settings = &self.flesh.settings.physical;
        let low = settings.falls_height * self.flesh.physique.top;
        let falls = head < low || up < settings.falls_cosine;
        // Whoever cannot go on walking may still stand.
        if let Driver::Walk(walker) = &self.driver
            && (falls || libm::hypot(walker.error()[0], walker.error()[1]) > settings.walk_lost)
        {
            self.halt();
        }
    }

    /// True if it lies for good: until it is told to get up, or because nothing helps.
    pub fn stays(&self) -> bool {
        let tired = self.simulation.time() > self.up_at + self.flesh.settings.physical.patience;
        self.broken
            || self.out
            || tired
            || (self.condition() == PhysicalCondition::Lies && self.stays_down)
    }

    /// True if it has neither stood, nor walked, nor fallen for too long.
    pub fn gives_up(&self) -> bool {
        let long =
            self.simulation.time() > self.struggles_since + self.flesh.settings.physical.struggles;
        long && self.condition() == PhysicalCondition::Struggling
    }

    /// The condition of the physical body.
    pub fn condition(&self) -> PhysicalCondition {
        let settings = &self.flesh.settings.physical;
        let calm = self.simulation.time() - self.unsafe_at;
        match &self.driver {
            _ if self.broken || self.out => PhysicalCondition::Lies,
            Driver::Stand(survivor) => match survivor.condition() {
                Doing::Fall => PhysicalCondition::Falls,
                Doing::Lie => PhysicalCondition::Lies,
                Doing::GetUp { .. } | Doing::Stand => PhysicalCondition::GetsUp,
                Doing::Balance if calm > settings.stands_seconds => PhysicalCondition::Stands,
                Doing::Balance => PhysicalCondition::Struggling,
            },
            Driver::Walk(_) if calm > settings.walks_seconds => PhysicalCondition::Walks,
            Driver::Walk(walker) if self.ends && self.shoves.is_empty() => {
                let off = libm::hypot(walker.error()[0], walker.error()[1]);
                if off < settings.ends_off {
                    PhysicalCondition::Walks
                } else {
                    PhysicalCondition::Struggling
                }
            }
            _ => PhysicalCondition::Struggling,
        }
    }

    /// True if it neither falls nor lies nor gets up.
    pub fn is_on_feet(&self) -> bool {
        matches!(
            self.condition(),
            PhysicalCondition::Struggling | PhysicalCondition::Stands | PhysicalCondition::Walks
        )
    }

    /// The contacts of a foot's heel and ball: true if down.
    pub fn down(&self, foot: usize) -> [bool; 2] {
        if !self.is_on_feet() {
            return [false; 2];
        }
        let Some(corners) = self.driver.senses().corners.get(foot) else { return [false; 2] };
        let down = self.flesh.settings.physical.down;
        let low = |a: usize, b: usize| corners[a].gap.min(corners[b].gap) < down;
        [low(0, 1), low(2, 3)]
    }
}
