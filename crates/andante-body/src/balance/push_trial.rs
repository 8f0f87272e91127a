//! Pushing a body and seeing whether it stays up.

use andante_dynamics::{ContactTerrain, PhysicsSettings, Simulation, SimulationError, vec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::balance::balance_controller::{BalanceController, BalanceOptions};
use crate::physique::Physique;
use crate::trial_settings::TrialSettings;

/// A shove at chest height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Push {
    /// Force times time, N·s.
    pub impulse: f64,
    /// Where it pushes to, as a heading: 0 forwards, a quarter turn to the body's left, rad.
    pub direction: f64,
    /// When it begins, s.
    pub at: f64,
    /// How long it lasts, s.
    pub duration: f64,
}

impl Push {
    /// Between which times random pushes begin, s.
    pub const TIMES: [f64; 2] = [0.4, 0.6];

    /// A shove of a tenth of a second, half a second after the start.
    pub fn new(impulse: f64, direction: f64) -> Self {
        Push { impulse, direction, at: 0.5, duration: 0.1 }
    }

    /// Pushes of any strength up to `strongest` in any direction, at slightly different times; always the same for one
    /// seed.
    pub fn random(count: usize, strongest: f64, seed: u64) -> Vec<Push> {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let [first, last] = Self::TIMES;
        let mut push = || Push {
            impulse: strongest * random.random::<f64>(),
            direction: std::f64::consts::TAU * random.random::<f64>(),
            at: first + (last - first) * random.random::<f64>(),
            duration: 0.1,
        };
        (0..count).map(|_| push()).collect()
    }

    /// Refuses what is no push.
    pub(crate) fn check(&self) -> Result<(), PushError> {
        if !(0.0..=1e4).contains(&self.impulse) {
            return Err(PushError::Impulse(self.impulse));
        }
        let finite = self.direction.is_finite() && self.at.is_finite();
        if !(finite && self.duration > 0.0 && self.duration.is_finite()) {
            return Err(PushError::Number);
        }
        Ok(())
    }

    /// Pushes for the part of the next step during which the push lasts.
    pub fn apply(&self, physique: &Physique, simulation: &mut Simulation<f64>) {
        let (time, step) = (simulation.time(), simulation.settings().step);
        let overlap = (time + step).min(self.at + self.duration) - time.max(self.at);
        if overlap > 0.0 {
            let force = self.impulse / self.duration * overlap / step;
            let (sin, cos) = libm::sincos(self.direction);
            let at = simulation.kinematics().point(&physique.model, physique.torso, physique.chest);
            simulation.apply_force(physique.torso, vec3(sin, 0.0, cos) * force, at);
        }
    }
}

/// An error that keeps a push trial from being set up.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PushError {
    /// An impulse that nobody survives, or no number.
    #[error("an impulse of {0} N·s is out of range: 0 to 10000")]
    Impulse(f64),
    /// A direction or time that is no number.
    #[error("the direction and times of a push must be finite, and its duration positive")]
    Number,
    /// A goal that is nowhere.
    #[error("a goal {0} m ahead is out of range: 0 to 10000")]
    Goal(f64),
    /// The simulation refuses.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
}

/// The outcome of a push.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PushOutcome {
    /// What it was.
    pub push: Push,
    /// Whether the body stood again, upright, head up and feet below it, for two seconds.
    pub recovered: bool,
    /// Steps that caught it.
    pub steps: usize,
    /// Seconds from the push until it stood for good; infinite if it never did.
    pub seconds: f64,
    /// Whether the simulation had to be stopped.
    pub exploded: bool,
}

/// A body on level ground that is pushed.
#[derive(Clone, Debug)]
pub struct PushTrial {
    /// The body's simulation.
    pub simulation: Simulation<f64>,
    /// What keeps it up.
    pub balancer: BalanceController,
    /// When the trial is over.
    pub settings: TrialSettings,
    push: Push,
    steady_since: f64,
    fallen: bool,
    exploded: bool,
}

impl PushTrial {
    /// A body that stands still, before the push.
    pub fn new(
        physique: &Physique,
        terrain: ContactTerrain,
        options: BalanceOptions,
        push: Push,
        step: f64,
    ) -> Result<Self, PushError> {
        push.check()?;
        let settings = PhysicsSettings { step, ..physique.physics.clone() };
        Ok(PushTrial {
            simulation: Simulation::new(physique.model.clone(), terrain, settings)?,
            balancer: BalanceController::new(physique, options),
            settings: TrialSettings::default(),
            push,
            steady_since: f64::INFINITY,
            fallen: false,
            exploded: false,
        })
    }

    /// One step of simulation and controller. Gives whether the trial is still open.
    pub fn step(&mut self, physique: &Physique) -> bool {
        let push = self.push;
        push.apply(physique, &mut self.simulation);
        self.balancer.drive(physique, &mut self.simulation);
        self.exploded = self.simulation.step().quarantined != 0;
        self.judge(physique);
        let after = self.simulation.time() - push.at;
        !self.fallen && !self.exploded && after < self.settings.patience && !self.recovered()
    }

    fn judge(&mut self, physique: &Physique) {
        let time = self.simulation.time();
        let kin = self.simulation.kinematics();
        let up = kin.rotation(physique.torso).y.y;
        let soles = [0, 1].map(|foot| physique.sole_at(kin, foot));
        let ground = soles[0].y.min(soles[1].y);
        let head = kin.point(&physique.model, physique.torso, physique.head);
        let centre = self.simulation.centre_of_mass(0);
        let middle = (soles[0] + soles[1]) * 0.5;
        let (momentum, _) = self.simulation.momentum(0);
        let steady = up > 0.9
            && head.y - ground > 0.85 * physique.top
            && libm::hypot(centre.x - middle.x, centre.z - middle.z) < 0.2
            && momentum.length() / physique.mass < 0.3
            && self.balancer.senses().other_load == 0.0;
        if time < self.push.at + self.push.duration || !steady {
            self.steady_since = time;
        }
        self.fallen = head.y - ground < 0.55 * physique.top || up < 0.2;
    }

    /// True if it has stood for two seconds since the push.
    pub fn recovered(&self) -> bool {
        let since = self.steady_since.max(self.push.at + self.push.duration);
        !self.fallen && !self.exploded && self.simulation.time() - since >= self.settings.hold
    }

    /// The outcome so far.
    pub fn outcome(&self) -> PushOutcome {
        let recovered = self.recovered();
        let seconds = if recovered { self.steady_since - self.push.at } else { f64::INFINITY };
        PushOutcome {
            push: self.push,
            recovered,
            steps: self.balancer.steps(),
            seconds,
            exploded: self.exploded,
        }
    }

    /// Runs to the end.
    pub fn run(mut self, physique: &Physique) -> PushOutcome {
        while self.step(physique) {}
        self.outcome()
    }
}

/// Pushes a body on level ground once for each push, in parallel; the same pushes always give the same outcomes.
pub fn try_pushes(
    physique: &Physique,
    options: BalanceOptions,
    pushes: &[Push],
    step: f64,
) -> Result<Vec<PushOutcome>, PushError> {
    let one = |push: &Push| {
        Ok(PushTrial::new(physique, ContactTerrain::level(), options, *push, step)?.run(physique))
    };
    andante_skeleton::parallel::map(pushes, one).into_iter().collect()
}

/// The strongest push in a direction from which the body recovers with at most `steps` steps, N·s, to half a newton
/// second; it recovers from all weaker ones on the way there.
pub fn envelope(
    physique: &Physique,
    options: BalanceOptions,
    direction: f64,
    steps: usize,
    step: f64,
) -> Result<f64, PushError> {
    let stands = |impulse: f64| {
        let push = Push::new(impulse, direction);
        let outcome =
            PushTrial::new(physique, ContactTerrain::level(), options, push, step)?.run(physique);
        Ok::<bool, PushError>(outcome.recovered && outcome.steps <= steps)
    };
    // Coarse from below, so that an island of luck beyond the first failure does not count.
    let mut low = 0.0;
    while low < 200.0 && stands(low + 4.0)? {
        low += 4.0;
    }
    let mut high = low + 4.0;
    while high - low > 0.5 {
        let middle = 0.5 * (low + high);
        if stands(middle)? {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(low)
}
