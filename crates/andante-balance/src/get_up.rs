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
    /// Least cosine of the torso's tilt at which the feet take over.
    pub up: f64,
    /// Least share of the weight on each foot then.
    pub load: f64,
    /// Largest share of the weight on anything else then.
    pub lean: f64,
    /// How far within the feet the capture point must be then, m.
    pub depth: f64,
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
        if self.muscles.left(time) <= 0.0 && !self.finished() {
            self.stage += 1;
            if let Some(key) = self.key() {
                self.muscles.go_on(time, &key);
            }
        }
        self.muscles.drive(physique, simulation);
        !self.finished()
    }
}

/// Angles in the order of [`Limbs`].
const fn limbs(hip: [f64; 3], knee: f64, ankle: f64, shoulder: [f64; 3], elbow: f64) -> Limbs {
    Limbs { hip, knee, ankle, shoulder, elbow }
}

impl Default for GetUpOptions {
    fn default() -> Self {
        GetUpOptions {
            prone: vec![
                Key::both(
                    0.500,
                    3.00,
                    limbs([0.0, 0.0, 3.0], 5.0, 15.0, [-10.0, 0.0, 85.0], -30.0),
                ),
                Key::both(
                    1.222,
                    0.91,
                    limbs([-95.8, 1.7, -23.2], 90.0, 16.4, [-82.3, -31.2, 26.4], 10.1),
                ),
                Key::both(
                    0.468,
                    2.24,
                    limbs([-126.8, -10.6, 19.7], 126.2, 4.4, [-165.0, 0.0, 36.9], 17.2),
                ),
                Key::both(
                    0.879,
                    2.86,
                    limbs([-107.9, -22.5, -15.2], 151.7, -41.6, [-66.4, -12.0, 16.6], -7.9),
                ),
                Key::both(
                    0.159,
                    2.69,
                    limbs([-89.3, 0.0, 13.3], 156.4, -75.9, [-34.3, -5.7, 15.0], -23.6),
                ),
                Key::both(
                    0.165,
                    8.00,
                    limbs([-113.9, -21.8, 12.0], 139.0, -86.3, [-78.5, -14.2, -16.9], 1.0),
                ),
                Key::both(
                    0.400,
                    8.00,
                    limbs([-118.0, -21.5, 45.1], 125.0, -44.0, [-90.0, 15.3, -16.0], -10.0),
                ),
            ],
            supine: vec![
                Key {
                    seconds: 0.352,
                    stiffness: 2.63,
                    sides: [
                        limbs([-89.8, 10.1, 27.5], 79.2, 0.6, [-13.7, 8.7, 198.4], -41.2),
                        limbs([-93.1, 27.4, 36.5], 81.8, -16.0, [-192.5, 31.5, -24.4], -1.5),
                    ],
                },
                Key {
                    seconds: 0.220,
                    stiffness: 4.12,
                    sides: [
                        limbs([48.5, -10.5, 68.6], 96.1, -20.2, [13.3, 64.6, 173.6], -7.2),
                        limbs([-77.9, -49.7, -5.5], 200.6, -46.8, [-64.3, -7.0, -50.9], 60.1),
                    ],
                },
                Key {
                    seconds: 0.377,
                    stiffness: 8.00,
                    sides: [
                        limbs([36.2, -6.5, -53.0], 14.8, -41.2, [65.0, 21.3, 161.2], 29.6),
                        limbs([5.2, 22.8, -3.1], 116.2, 14.4, [-113.4, -31.9, -47.6], -64.8),
                    ],
                },
                Key {
                    seconds: 0.354,
                    stiffness: 6.85,
                    sides: [
                        limbs([-13.2, -47.7, 1.4], -10.7, 18.7, [8.1, 28.4, 203.0], -15.2),
                        limbs([6.8, -49.1, 16.3], 39.2, 66.0, [-84.9, -0.1, 36.0], 50.2),
                    ],
                },
                Key::both(0.400, 5.00, limbs([0.0, 0.0, 3.0], 5.0, 15.0, [0.0, 0.0, 135.0], -20.0)),
            ],
            side: vec![
                Key {
                    seconds: 0.500,
                    stiffness: 5.00,
                    sides: [
                        limbs([0.0, 0.0, 0.0], 10.0, 0.0, [0.0, 0.0, 135.0], -10.0),
                        limbs([-70.0, 0.0, -28.0], 60.0, 0.0, [-90.0, 0.0, -30.0], -20.0),
                    ],
                },
                Key::both(0.400, 5.00, limbs([0.0, 0.0, 3.0], 5.0, 15.0, [0.0, 0.0, 135.0], -20.0)),
            ],
            up: 0.3,
            load: 0.25,
            lean: 0.2,
            depth: 0.02,
        }
    }
}
