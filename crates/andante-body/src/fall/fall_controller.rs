//! Falling: hands first, head last.

use andante_dynamics::Simulation;
use serde::{Deserialize, Serialize};

use crate::body_sense::BodySense;
use crate::fall::muscles::{Key, Limbs, LimbsError, MuscleDamping, Muscles};
use crate::physique::Physique;
use crate::table::default_table;

/// Settings of the fall controller. The defaults are the table `controllers/fall.toml`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FallOptions {
    /// How long limbs take to get there, s.
    pub seconds: f64,
    /// Share of their strength they use per radian, in the air.
    pub stiffness: f64,
    /// The same once something but the feet has met the ground: joints give way.
    pub soft: f64,
    /// How long giving way takes, s.
    pub softening: f64,
    /// Whether limbs protect. Otherwise the body drops like a puppet.
    pub protect: bool,
    /// How muscles damp the joints.
    pub damping: MuscleDamping,
    /// Poses that meet the ground ahead, behind, and on the left.
    pub poses: [[Limbs; 2]; 3],
}

default_table!(FallOptions, "fall.toml");

/// Drives a body that can no longer be kept up.
#[derive(Clone, Debug)]
pub struct FallController {
    options: FallOptions,
    muscles: Muscles,
    direction: f64,
    met: Option<f64>,
}

impl FallController {
    /// For a body with arms and legs.
    pub fn new(physique: &Physique, options: FallOptions) -> Result<Self, LimbsError> {
        let muscles = Muscles::new(physique, options.damping)?;
        Ok(FallController { options, muscles, direction: 0.0, met: None })
    }

    /// The time at which something but the feet met the ground, s.
    pub fn met(&self) -> Option<f64> {
        self.met
    }

    /// Begins to fall.
    pub fn begin(&mut self, physique: &Physique, senses: &BodySense, simulation: &Simulation<f64>) {
        self.met = None;
        self.direction = direction(physique, senses, simulation).unwrap_or(0.0);
        let key = self.key(simulation.time());
        self.muscles.begin(physique, simulation, &key);
    }

    /// Sets the controls of the next step.
    pub fn drive(
        &mut self,
        physique: &Physique,
        senses: &BodySense,
        simulation: &mut Simulation<f64>,
    ) {
        let time = simulation.time();
        if senses.other_load > 0.0 && self.met.is_none() {
            self.met = Some(time);
        }
        if self.met.is_none() {
            self.direction = direction(physique, senses, simulation).unwrap_or(self.direction);
        }
        self.muscles.retarget(&self.key(time));
        self.muscles.drive(physique, simulation);
    }

    fn key(&self, time: f64) -> Key {
        let o = &self.options;
        let (sin, cos) = libm::sincos(self.direction);
        let [ahead, behind, left] = o.poses;
        let along = if cos >= 0.0 { ahead } else { behind };
        let across = if sin >= 0.0 { left } else { [left[1], left[0]] };
        let part = sin * sin;
        let sides = [0, 1].map(|side: usize| along[side].mix(&across[side], part));
        let since =
            self.met.map_or(0.0, |met| ((time - met) / o.softening.max(1e-3)).clamp(0.0, 1.0));
        let stiffness = if o.protect { o.stiffness + (o.soft - o.stiffness) * since } else { 0.0 };
        Key { seconds: o.seconds, stiffness, sides }
    }
}

/// Where a body falls to, seen from itself; `None` once it lies.
fn direction(physique: &Physique, senses: &BodySense, simulation: &Simulation<f64>) -> Option<f64> {
    let kin = simulation.kinematics();
    let torso = kin.rotation(physique.torso);
    if torso.y.y < 0.3 {
        return None;
    }
    let feet = (physique.sole_at(kin, 0) + physique.sole_at(kin, 1)) * 0.5;
    let way = senses.centre - feet + senses.velocity * (1.0 / senses.rate);
    let heading = libm::atan2(torso.z.x, torso.z.z);
    (libm::hypot(way.x, way.z) > 1e-3).then(|| libm::atan2(way.x, way.z) - heading)
}
