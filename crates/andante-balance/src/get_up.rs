//! Getting up: from lying through key poses to the feet, by joint torques alone.

use andante_dynamics::Simulation;

use crate::fall_muscles::{Key, Limbs, LimbsError, Muscles};
use crate::physique::Physique;

/// How a body lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lying {
    /// On its front.
    Prone,
    /// On its back.
    Supine,
    /// On its left or right side.
    OnSide {
        /// On the left one.
        left: bool,
    },
}

impl Lying {
    /// How the trunk of a body is turned, whether it lies or not.
    pub fn of(physique: &Physique, simulation: &Simulation<f64>) -> Self {
        let torso = simulation.kinematics().rotation(physique.torso);
        let (front, left) = (torso.z.y, torso.x.y);
        if left.abs() > 0.75 && left.abs() > front.abs() {
            Lying::OnSide { left: left < 0.0 }
        } else if front < 0.0 {
            Lying::Prone
        } else {
            Lying::Supine
        }
    }
}

/// Poses a body goes through to get up.
#[derive(Clone, Debug, PartialEq)]
pub struct GetUpOptions {
    /// From its front to its feet.
    pub prone: Vec<Key>,
    /// From its back over its left side to its front.
    pub supine: Vec<Key>,
    /// From its left side to its front.
    pub side: Vec<Key>,
}

/// Goes through the poses.
#[derive(Clone, Debug)]
pub struct Riser {
    options: GetUpOptions,
    muscles: Muscles,
    way: Lying,
    stage: usize,
}

impl Riser {
    /// For a body with arms and legs.
    pub fn new(physique: &Physique, options: GetUpOptions) -> Result<Self, LimbsError> {
        Ok(Riser { options, muscles: Muscles::new(physique)?, way: Lying::Prone, stage: 0 })
    }

    /// How the body lay when it began.
    pub fn way(&self) -> Lying {
        self.way
    }

    /// The pose it is on its way to.
    pub fn stage(&self) -> usize {
        self.stage
    }

    fn key(&self) -> Option<Key> {
        let key = match self.way {
            Lying::Prone => self.options.prone.get(self.stage),
            Lying::Supine => self.options.supine.get(self.stage),
            Lying::OnSide { .. } => self.options.side.get(self.stage),
        };
        let mirror = self.way == Lying::OnSide { left: false };
        key.map(|key| if mirror { key.mirrored() } else { *key })
    }

    /// Whether all poses have been gone through.
    pub fn finished(&self) -> bool {
        self.key().is_none()
    }

    /// Lets go, so that another controller can take over.
    pub fn release(&self, simulation: &mut Simulation<f64>) {
        self.muscles.release(simulation);
    }

    /// Begins to get up from where it lies.
    pub fn begin(&mut self, physique: &Physique, simulation: &Simulation<f64>) {
        (self.way, self.stage) = (Lying::of(physique, simulation), 0);
        if let Some(key) = self.key() {
            self.muscles.begin(physique, simulation, &key);
        }
    }

    /// Sets the controls of the next step. Gives whether there is a pose left to go to.
    pub fn drive(&mut self, physique: &Physique, simulation: &mut Simulation<f64>) -> bool {
        let time = simulation.time();
        if self.muscles.left(time) <= 0.0 {
            self.stage += 1;
            if let Some(key) = self.key() {
                self.muscles.go_on(time, &key);
            }
        }
        self.muscles.drive(physique, simulation);
        !self.finished()
    }
}

impl Default for GetUpOptions {
    fn default() -> Self {
        let limbs = |hip, knee, ankle, shoulder, elbow| Limbs { hip, knee, ankle, shoulder, elbow };
        let still = limbs([0.0; 3], 0.0, 0.0, [0.0; 3], 0.0);
        GetUpOptions {
            prone: vec![Key::both(1.0, 2.0, still)],
            supine: vec![Key::both(1.0, 2.0, still)],
            side: vec![Key::both(1.0, 2.0, still)],
        }
    }
}
