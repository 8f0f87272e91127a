//! Pushing a body over, and seeing how hard its head lands and whether it gets up.

use andante_dynamics::{ContactTerrain, PhysicsSettings, Simulation, SimulationError, Vec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::balance::push_trial::{Push, PushError};
use crate::fall::muscles::LimbsError;
use crate::fall::recovery_controller::{BodyCondition, RecoveryController, RecoveryOptions};
use crate::physique::Physique;
use crate::trial_settings::TrialSettings;

/// An error that keeps a fall from being tried.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FallError {
    /// The push is none.
    #[error(transparent)]
    Push(#[from] PushError),
    /// The body cannot fall so.
    #[error(transparent)]
    Limbs(#[from] LimbsError),
    /// The simulation refuses.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
}

/// The outcome of a push that is too strong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FallOutcome {
    /// What it was.
    pub push: Push,
    /// Whether the body gave up its balance.
    pub fell: bool,
    /// How fast the head came down when it met the ground in the first fall, m/s; zero if it never did.
    pub head_speed: f64,
    /// Seconds from giving up balance to keeping it again; infinite if it never did.
    pub up_after: f64,
    /// Times it began to get up.
    pub attempts: usize,
    /// Whether the simulation had to be stopped.
    pub exploded: bool,
}

/// A body on level ground that is pushed over.
#[derive(Clone, Debug)]
pub struct FallTrial {
    /// The body's simulation.
    pub simulation: Simulation<f64>,
    /// What drives it.
    pub survivor: RecoveryController,
    /// When the trial is over.
    pub settings: TrialSettings,
    push: Push,
    head: usize,
    head_velocity: Vec3<f64>,
    head_speed: f64,
    fell_at: Option<f64>,
    up_at: Option<f64>,
    exploded: bool,
}

impl FallTrial {
    /// A body that stands still, before the push.
    pub fn new(
        physique: &Physique,
        options: RecoveryOptions,
        push: Push,
        step: f64,
    ) -> Result<Self, FallError> {
        push.check()?;
        let settings = PhysicsSettings { step, ..physique.physics.clone() };
        let shapes = physique.model.shapes().iter().enumerate();
        let own = shapes.filter(|(_, shape)| shape.link == physique.torso);
        let off =
            |shape: &andante_dynamics::CollisionShape| (shape.origin - physique.head).length();
        let head = own.min_by(|a, b| off(a.1).total_cmp(&off(b.1))).map_or(0, |(index, _)| index);
        Ok(FallTrial {
            simulation: Simulation::new(physique.model.clone(), ContactTerrain::level(), settings)?,
            survivor: RecoveryController::new(physique, options)?,
            settings: TrialSettings::default(),
            push,
            head,
            head_velocity: Vec3::default(),
            head_speed: 0.0,
            fell_at: None,
            up_at: None,
            exploded: false,
        })
    }

    /// Pushes that fell anybody, in all directions, at slightly different times; always the same for one seed.
    pub fn random_pushes(count: usize, seed: u64) -> Vec<Push> {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let mut push = |index: usize| {
            let turn = (index as f64 + random.random::<f64>()) / count as f64;
            let direction = std::f64::consts::TAU * turn;
            let at = 0.4 + 0.2 * random.random::<f64>();
            Push { at, ..Push::new(90.0 + 70.0 * random.random::<f64>(), direction) }
        };
        (0..count).map(&mut push).collect()
    }

    /// One step. Gives whether the trial is still open: until the body stands again, or lies if it does not get up.
    pub fn step(&mut self, physique: &Physique) -> bool {
        self.push.apply(physique, &mut self.simulation);
        self.survivor.drive(physique, &mut self.simulation);
        self.exploded = self.simulation.step().quarantined != 0;
        let landed = |c: andante_dynamics::ContactReading| c.shape == self.head && c.force.y > 0.0;
        let falls = self.survivor.condition() == BodyCondition::Fall && self.survivor.falls() == 1;
        if falls && self.simulation.contacts(0).any(landed) {
            self.head_speed = self.head_speed.max(-self.head_velocity.y);
        }
        let kin = self.simulation.kinematics();
        let head = kin.point(&physique.model, physique.torso, physique.head);
        self.head_velocity = kin.velocity_at(&physique.model, physique.torso, head);

        let (time, condition) = (self.simulation.time(), self.survivor.condition());
        if self.survivor.falls() > 0 {
            let fell = *self.fell_at.get_or_insert(time);
            let stays = condition == BodyCondition::Lie && !self.survivor.gets_up();
            if condition == BodyCondition::Balance {
                self.up_at.get_or_insert(time);
            }
            !self.exploded && self.up_at.is_none() && !stays && time < fell + self.settings.get_up
        } else {
            !self.exploded && time < self.push.at + self.settings.unfelled
        }
    }

    /// The outcome so far.
    pub fn outcome(&self) -> FallOutcome {
        let up_after = match (self.fell_at, self.up_at) {
            (Some(fell), Some(up)) => up - fell,
            _ => f64::INFINITY,
        };
        FallOutcome {
            push: self.push,
            fell: self.fell_at.is_some(),
            head_speed: self.head_speed,
            up_after,
            attempts: self.survivor.attempts(),
            exploded: self.exploded,
        }
    }

    /// Runs to the end.
    pub fn run(mut self, physique: &Physique) -> FallOutcome {
        while self.step(physique) {}
        self.outcome()
    }
}

/// Pushes a body over once for each push, in parallel; the same pushes always give the same outcomes.
pub fn try_falls(
    physique: &Physique,
    options: &RecoveryOptions,
    pushes: &[Push],
    step: f64,
) -> Result<Vec<FallOutcome>, FallError> {
    let one =
        |push: &Push| Ok(FallTrial::new(physique, options.clone(), *push, step)?.run(physique));
    andante_skeleton::parallel::map(pushes, one).into_iter().collect()
}
