//! Getting up: from lying through key poses to the feet, by joint torques alone.

use andante_dynamics::Simulation;

use crate::fall::muscles::{Key, Limbs, LimbsError, Muscles};
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
    /// Pose from its front to its feet that it goes back to when it did not get over its feet.
    pub again: usize,
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
pub struct GetUpController {
    options: GetUpOptions,
    muscles: Muscles,
    way: Lying,
    stage: usize,
    vigour: f64,
    /// Whether its arms come out from under it first.
    freeing: bool,
}

/// Cosine between an arm and the way up along the trunk below which the arm may be under it.
const LOW: f64 = -0.7;
/// The pose from its front in which its arms are spread.
const SPREAD: usize = 1;
/// How long arms take to come out, s, and how firmly they do.
const FREEING: [f64; 2] = [0.3, 6.0];

impl GetUpController {
    /// For a body with arms and legs.
    pub fn new(physique: &Physique, options: GetUpOptions) -> Result<Self, LimbsError> {
        Ok(GetUpController {
            options,
            muscles: Muscles::new(physique)?,
            way: Lying::Prone,
            stage: 0,
            vigour: 1.0,
            freeing: false,
        })
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
        if self.freeing {
            let [seconds, stiffness] = FREEING;
            return self.options.prone.get(SPREAD).map(|key| Key { seconds, stiffness, ..*key });
        }
        let key = match self.way {
            Lying::Prone => self.options.prone.get(self.stage),
            Lying::Supine => self.options.supine.get(self.stage),
            Lying::OnSide { .. } => self.options.side.get(self.stage),
        };
        let mirror = self.way == Lying::OnSide { left: false };
        let key = key.map(|key| if mirror { key.mirrored() } else { *key })?;
        let vigour = if self.way == Lying::Prone { self.vigour } else { 1.0 };
        let (seconds, stiffness) = (key.seconds / vigour, key.stiffness * vigour);
        Some(Key { seconds, stiffness, ..key })
    }

    /// Whether all poses have been gone through.
    pub fn finished(&self) -> bool {
        self.key().is_none()
    }

    /// Lets go, so that another controller can take over.
    pub fn release(&self, simulation: &mut Simulation<f64>) {
        self.muscles.release(simulation);
    }

    /// Begins to get up from where it lies; from its front so many times as quickly and firmly as usual.
    pub fn begin(&mut self, physique: &Physique, simulation: &Simulation<f64>, vigour: f64) {
        (self.way, self.stage, self.vigour) = (Lying::of(physique, simulation), 0, vigour);
        self.freeing = self.way == Lying::Prone && self.arms_are_low(physique, simulation);
        if let Some(key) = self.key() {
            self.muscles.begin(physique, simulation, &key);
        }
    }

    /// Whether an arm points down along the trunk: from under it, it comes out to the side and not ahead.
    fn arms_are_low(&self, physique: &Physique, simulation: &Simulation<f64>) -> bool {
        let (kin, model) = (simulation.kinematics(), &*physique.model);
        let up = kin.rotation(physique.torso).y;
        [0, 1].iter().any(|&side| {
            let [.., upper, fore] = *self.muscles.links(side);
            let arm = kin.position(model, fore) - kin.position(model, upper);
            up.dot(arm) < LOW * arm.length()
        })
    }

    /// Goes back to gather itself for another try, from where it is on the way from its front.
    pub fn again(&mut self, physique: &Physique, simulation: &Simulation<f64>, vigour: f64) {
        (self.way, self.stage, self.vigour) = (Lying::Prone, self.options.again, vigour);
        self.freeing = false;
        if let Some(key) = self.key() {
            self.muscles.begin(physique, simulation, &key);
        }
    }

    /// Sets the controls of the next step. Gives whether there is a pose left to go to.
    pub fn drive(&mut self, physique: &Physique, simulation: &mut Simulation<f64>) -> bool {
        let time = simulation.time();
        if self.muscles.left(time) <= 0.0 && !self.finished() {
            if !std::mem::take(&mut self.freeing) {
                self.stage += 1;
            }
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
    /// Drafted by hand and improved by random search over falls in all directions. Angles beyond a joint's range press it
    /// against its end.
    fn default() -> Self {
        GetUpOptions {
            // Arms out, onto knees, up on the hands, toes under, and back over the feet.
            prone: vec![
                Key::both(0.5, 6.0, limbs([0.0, 0.0, 3.0], 5.0, 15.0, [-165.0, 0.0, 100.0], -10.0)),
                Key::both(0.4, 3.0, limbs([5.5, 0.0, 3.0], 5.0, 15.0, [-10.0, 0.0, 86.7], -30.0)),
                Key::both(
                    0.9,
                    0.906,
                    limbs([-96.3, 0.8, -21.9], 88.3, 16.4, [-82.3, -34.2, 26.4], 7.0),
                ),
                Key::both(
                    0.448,
                    2.242,
                    limbs([-124.2, -10.6, 22.5], 126.2, 0.7, [-165.0, 2.7, 38.1], 17.2),
                ),
                Key::both(
                    0.827,
                    2.862,
                    limbs([-107.9, -19.7, -15.2], 152.1, -41.6, [-70.3, -12.0, 22.8], -7.9),
                ),
                Key::both(
                    0.159,
                    2.695,
                    limbs([-89.3, 8.7, 13.6], 156.4, -75.9, [-34.3, -9.4, 15.0], -22.3),
                ),
                Key::both(
                    0.175,
                    8.0,
                    limbs([-112.6, -21.7, 12.0], 139.0, -86.3, [-78.6, -14.2, -16.9], 1.0),
                ),
                Key::both(
                    0.4,
                    8.0,
                    limbs([-118.0, -21.5, 45.1], 125.0, -44.4, [-90.0, 15.5, -13.3], -10.0),
                ),
            ],
            // Flat, then knees and one arm swing over to the left.
            supine: vec![
                Key::both(0.4, 2.0, limbs([-5.0, 0.0, 1.0], 8.0, -3.0, [0.0, 0.0, 60.0], -10.0)),
                Key {
                    seconds: 0.153,
                    stiffness: 2.012,
                    sides: [
                        limbs([-92.1, -18.2, 54.1], 91.4, -47.9, [-12.1, 30.9, 189.1], -6.2),
                        limbs([-54.6, 33.9, 51.8], 86.3, -54.9, [-178.8, 57.5, -19.7], -24.5),
                    ],
                },
                Key {
                    seconds: 0.239,
                    stiffness: 1.108,
                    sides: [
                        limbs([44.4, -22.6, 41.0], 106.3, -78.8, [7.4, 43.1, 155.1], -0.2),
                        limbs([-49.6, -74.2, 68.7], 231.7, -5.2, [-92.8, 6.7, -72.8], 67.9),
                    ],
                },
                Key {
                    seconds: 0.163,
                    stiffness: 3.11,
                    sides: [
                        limbs([84.5, -18.7, -82.0], -6.1, -72.0, [62.2, 4.7, 171.1], 44.7),
                        limbs([33.7, 57.9, -12.0], 111.0, -5.5, [-122.5, -55.0, -66.4], -30.5),
                    ],
                },
                Key {
                    seconds: 0.3,
                    stiffness: 6.984,
                    sides: [
                        limbs([31.5, 5.8, 8.0], -12.5, 4.0, [2.6, 18.6, 203.1], -25.2),
                        limbs([14.7, -72.1, 27.8], 29.5, 85.2, [-101.2, -30.4, 31.7], 45.4),
                    ],
                },
                Key::both(
                    0.622,
                    7.065,
                    limbs([12.3, -16.9, 17.4], -33.1, 15.1, [-54.3, -2.7, 122.7], -55.9),
                ),
            ],
            // The upper arm and leg come over.
            side: vec![
                Key {
                    seconds: 0.5,
                    stiffness: 5.523,
                    sides: [
                        limbs([0.0, -5.2, 0.0], 10.0, -2.6, [0.0, 0.0, 135.0], -10.0),
                        limbs([-70.0, 0.0, -24.3], 60.0, 0.0, [-91.5, 0.0, -25.7], -20.0),
                    ],
                },
                Key::both(0.4, 5.224, limbs([0.0, 0.0, 4.3], 5.0, 8.4, [0.0, 4.8, 135.0], -20.0)),
            ],
            again: 4,
            up: 0.3,
            load: 0.25,
            lean: 0.2,
            depth: 0.02,
        }
    }
}
