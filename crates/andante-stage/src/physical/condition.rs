//! How somebody is who is moved by forces.

use super::episode::{Driver, PhysicsEpisode};
use andante_body::{BodyCondition as Doing, StepPhase};

/// How long somebody has to stand still to be safe, in seconds, and how still, in m/s.
const STANDS: f64 = 0.7;
const STILL: f64 = 0.06;

/// How long a walk has to be as it should to be safe, in seconds, and how far its balance may be off, in metres.
const WALKS: f64 = 0.8;
const OFF: f64 = 0.05;

/// A walk whose balance is farther off than this is given up, in metres.
const LOST: f64 = 0.6;

/// Somebody who is not up after so many seconds is said to lie for good.
const PATIENCE: f64 = 30.0;

/// Heels and balls nearer to the ground than this are down, in metres.
const DOWN: f64 = 0.006;

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
        let physique = &self.flesh.physique;
        let time = self.simulation.time();
        let kin = self.simulation.kinematics();
        let up = kin.rotation(physique.torso).y.y;
        let soles = [0, 1].map(|foot| physique.sole_at(kin, foot));
        let ground = soles[0].y.min(soles[1].y);
        let head = kin.point(&physique.model, physique.torso, physique.head).y - ground;
        let upright = up > 0.9 && head > 0.85 * physique.top;
        let steady = match &self.driver {
            Driver::Stand(survivor) => {
                let (momentum, _) = self.simulation.momentum(0);
                survivor.condition() == Doing::Balance
                    && *survivor.balancer().phase() == StepPhase::Stand
                    && momentum.length() / physique.mass < STILL
            }
            Driver::Walk(walker) => walker.error()[0].hypot(walker.error()[1]) < OFF,
        };
        self.touched |= struck;
        if pushed || struck || !(upright && steady) {
            self.unsafe_at = time;
        }
        if upright {
            self.up_at = time;
        }
        if self.is_off_deck(soles[0].y.max(soles[1].y)) {
            self.stays_down = true;
        }
        let falls = head < 0.8 * physique.top || up < 0.7;
        // Whoever cannot go on walking may still stand.
        if let Driver::Walk(walker) = &self.driver
            && (falls || walker.error()[0].hypot(walker.error()[1]) > LOST)
        {
            self.halt();
        }
    }

    /// Whether it lies for good: until it is told to get up, or because nothing helps.
    pub fn stays(&self) -> bool {
        let tired = self.simulation.time() > self.up_at + PATIENCE;
        self.broken
            || self.out
            || tired
            || (self.condition() == PhysicalCondition::Lies && self.stays_down)
    }

    /// How it is.
    pub fn condition(&self) -> PhysicalCondition {
        let calm = self.simulation.time() - self.unsafe_at;
        match &self.driver {
            _ if self.broken || self.out => PhysicalCondition::Lies,
            Driver::Stand(survivor) => match survivor.condition() {
                Doing::Fall => PhysicalCondition::Falls,
                Doing::Lie => PhysicalCondition::Lies,
                Doing::GetUp { .. } | Doing::Stand => PhysicalCondition::GetsUp,
                Doing::Balance if calm > STANDS => PhysicalCondition::Stands,
                Doing::Balance => PhysicalCondition::Struggling,
            },
            Driver::Walk(_) if calm > WALKS => PhysicalCondition::Walks,
            _ => PhysicalCondition::Struggling,
        }
    }

    /// Which parts of a foot are down: heel and ball.
    pub fn down(&self, foot: usize) -> [bool; 2] {
        if !matches!(
            self.condition(),
            PhysicalCondition::Struggling | PhysicalCondition::Stands | PhysicalCondition::Walks
        ) {
            return [false; 2];
        }
        let Some(corners) = self.driver.senses().corners.get(foot) else { return [false; 2] };
        let low = |a: usize, b: usize| corners[a].gap.min(corners[b].gap) < DOWN;
        [low(0, 1), low(2, 3)]
    }
}
