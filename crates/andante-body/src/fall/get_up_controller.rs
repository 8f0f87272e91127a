//! Getting up: from lying through key poses to the feet, by joint torques alone.

use andante_dynamics::Simulation;
use serde::{Deserialize, Serialize};

use crate::fall::muscles::{Key, LimbsError, MuscleDamping, Muscles};
use crate::physique::Physique;
use crate::table::default_table;

/// The posture in which a body lies: prone, supine or on a side.
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
    /// The posture to which the trunk of a body is turned, whether it lies or not.
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

/// Poses a body goes through to get up, and when its feet take over.
///
/// The defaults are the table `controllers/get_up.toml`: drafted by hand and improved by random search over falls in all
/// directions. Angles beyond a joint's range press it against its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GetUpOptions {
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
    /// Cosine between an arm and the way up along the trunk below which the arm may be under it.
    pub low_arm: f64,
    /// The pose from its front in which its arms are spread, to bring them out from under it.
    pub spread: usize,
    /// How long arms take to come out, s.
    pub freeing_seconds: f64,
    /// How firmly they do: share of their strength per radian.
    pub freeing_stiffness: f64,
    /// How muscles damp the joints.
    pub damping: MuscleDamping,
    /// From its front to its feet: arms out, onto knees, up on the hands, toes under, and back over the feet.
    pub prone: Vec<Key>,
    /// From its back over its left side to its front: flat, then knees and one arm swing over to the left.
    pub supine: Vec<Key>,
    /// From its left side to its front: the upper arm and leg come over.
    pub side: Vec<Key>,
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

impl GetUpController {
    /// For a body with arms and legs.
    pub fn new(physique: &Physique, options: GetUpOptions) -> Result<Self, LimbsError> {
        Ok(GetUpController {
            muscles: Muscles::new(physique, options.damping)?,
            options,
            way: Lying::Prone,
            stage: 0,
            vigour: 1.0,
            freeing: false,
        })
    }

    /// The posture in which the body lay when it began.
    pub fn way(&self) -> Lying {
        self.way
    }

    /// The pose it is on its way to.
    pub fn stage(&self) -> usize {
        self.stage
    }

    fn key(&self) -> Option<Key> {
        if self.freeing {
            let (seconds, stiffness) =
                (self.options.freeing_seconds, self.options.freeing_stiffness);
            return self.options.prone.get(self.options.spread).map(|key| Key {
                seconds,
                stiffness,
                ..*key
            });
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

    /// True if all poses have been gone through.
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
            up.dot(arm) < self.options.low_arm * arm.length()
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

default_table!(GetUpOptions, "get_up.toml");
