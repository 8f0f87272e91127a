//! Letting a body follow a clip, and seeing how far it comes.

use andante_dynamics::{ContactTerrain, Kinematics, PhysicsSettings, Simulation, SimulationError};

use super::clip_controller::{ClipControlOptions, ClipController};
use super::clip_plan::ClipPlan;
use crate::control::tracker::mean_angle;
use crate::physique::Physique;
use andante_skeleton::SettingError;

/// An error that keeps a body from being let follow a clip.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TrackError {
    /// A setting that is out of its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The simulation refuses.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
}

/// The end of the following of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackEnd {
    /// The body is still at it.
    Open,
    /// It came to the end of the clip on its feet.
    Followed,
    /// It fell.
    Fell,
    /// A step that the clip asks for was never made.
    Stuck,
    /// The simulation had to be stopped.
    Exploded,
}

/// The energy of a body that follows a clip: what went in and what came out, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EnergyBook {
    /// Work of joints that drove.
    pub driven: f64,
    /// Work of joints that braked: negative.
    pub braked: f64,
    /// Work of the assistant.
    pub assistant: f64,
    /// Work of the ground: negative where soles strike and slide.
    pub ground: f64,
    /// By how much the energy of motion and height has grown.
    pub gained: f64,
}

impl EnergyBook {
    /// The work that no entry accounts for: the integration's own error.
    pub fn unaccounted(&self) -> f64 {
        self.gained - (self.driven + self.braked + self.assistant + self.ground)
    }
}

/// The outcome of following a clip: how far a body came with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackOutcome {
    /// How it ended.
    pub end: TrackEnd,
    /// Seconds of the clip that it stayed up.
    pub seconds_upright: f64,
    /// Mean angle between its joints and the clip's as captured, while it was up, rad.
    pub error: f64,
    /// The same against the motion that was made possible, rad.
    pub plan_error: f64,
    /// Mean force of the assistant while it was up, N.
    pub assist: f64,
    /// The largest one, N.
    pub assist_peak: f64,
    /// How far it is at the end from where the clip has it, m.
    pub drift: f64,
    /// Steps made.
    pub steps: usize,
    /// Where its energy went while it was up.
    pub energy: EnergyBook,
}

andante_skeleton::settings! {
    /// Limits beyond which somebody who follows a clip has fallen.
    pub struct TrackLimits: Copy {
        /// Lower than this part of the height that the clip has its centre of mass at, it has fallen.
        sunk: f64 = 0.7, 0.0..=1.0;
        /// Leaning by more than this away from the clip's trunk, it has fallen, rad.
        tilted: f64 = 1.0, 0.0..=3.2;
        /// How much longer than the clip it may take, as a factor: feet that come late are waited for.
        dawdle: f64 = 1.5, 1.0..;
    }
}

/// A body on level ground that follows a clip.
///
/// ```
/// use andante_body::{ClipPlan, Physique, TrackEnd, TrackTrial, fit_human};
/// use andante_dynamics::PhysicsSettings;
///
/// let human = andante_skeleton::humanoid();
/// let made = andante_motion::synth::clip(&human, "stand")?;
/// let fit = fit_human(&human, &Default::default())?;
/// let body = &fit.body;
/// let physique = Physique::new(body, &body.poses()[0], &PhysicsSettings::default())?;
/// let feet = &made.contacts.feet;
/// let down = |foot: usize, time| [feet[foot].heel_down(time), feet[foot].toe_down(time)];
/// let clip = (&human, &made.clip);
/// let plan = ClipPlan::new(&physique, &fit, clip, 0.0, &down, &Default::default())?;
/// let mut trial = TrackTrial::new(&physique, plan, Default::default(), 1.0 / 240.0)?;
/// while trial.step(&physique) {}
/// assert_eq!(trial.outcome().end, TrackEnd::Followed);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TrackTrial {
    /// The body's simulation.
    pub simulation: Simulation<f64>,
    /// What drives it.
    pub controller: ClipController,
    /// When it has fallen.
    pub limits: TrackLimits,
    end: TrackEnd,
    sums: [f64; 4],
    peak: f64,
    energy: EnergyBook,
    first_energy: f64,
    before: Kinematics<f64>,
    upright: f64,
}

impl TrackTrial {
    /// A body as the clip begins.
    pub fn new(
        physique: &Physique,
        plan: ClipPlan,
        options: ClipControlOptions,
        step: f64,
    ) -> Result<Self, TrackError> {
        options.check()?;
        let settings = PhysicsSettings { step, ..physique.physics.clone() };
        let mut simulation =
            Simulation::new(physique.model.clone(), ContactTerrain::level(), settings)?;
        let controller = ClipController::new(physique, plan, options);
        simulation.set_state(&controller.first())?;
        let first_energy = simulation.kinetic_energy() + simulation.potential_energy();
        Ok(TrackTrial {
            simulation,
            controller,
            limits: TrackLimits::default(),
            end: TrackEnd::Open,
            sums: [0.0; 4],
            peak: 0.0,
            energy: EnergyBook::default(),
            first_energy,
            before: Kinematics::new(&physique.model),
            upright: 0.0,
        })
    }

    /// One step of simulation and controller. Gives whether it still follows.
    pub fn step(&mut self, physique: &Physique) -> bool {
        let open = self.end == TrackEnd::Open;
        let model = &*physique.model;
        self.before.set_positions(model, &self.simulation.state().q);
        self.before.set_velocities(model, &self.simulation.state().v);
        self.controller.drive(physique, &mut self.simulation);
        let exploded = self.simulation.step().quarantined != 0;
        if open {
            self.judge(physique, exploded);
            self.book(physique);
        }
        self.end == TrackEnd::Open
    }

    /// The outcome so far.
    pub fn outcome(&self) -> TrackOutcome {
        let [count, error, plan_error, assist] = self.sums;
        let mean = |sum: f64| sum / count.max(1.0);
        let offset = self.controller.offset();
        TrackOutcome {
            end: self.end,
            seconds_upright: self.upright,
            error: mean(error),
            plan_error: mean(plan_error),
            assist: mean(assist),
            assist_peak: self.peak,
            drift: libm::hypot(offset.x, offset.z),
            steps: self.controller.steps(),
            energy: self.energy,
        }
    }

    /// Mean angle between its joints and the clip's as captured now, rad.
    pub fn error_now(&self, physique: &Physique) -> f64 {
        let captured = self.controller.plan().as_captured(self.controller.time());
        mean_angle(physique, &self.simulation.state().q, captured)
    }

    fn judge(&mut self, physique: &Physique, exploded: bool) {
        let own = &self.controller;
        let (centre, wanted) = (self.simulation.centre_of_mass(0), own.centre());
        let kin = self.simulation.kinematics();
        let trunk = kin.rotation(physique.torso).y;
        let plan = own.upwards(physique);
        let tilt = libm::acos(trunk.dot(plan).clamp(-1.0, 1.0));
        let ground = own.offset().y;
        let sunk = centre.y - ground < self.limits.sunk * (wanted.y - ground);
        let seconds = own.plan().seconds();
        self.end = if exploded {
            TrackEnd::Exploded
        } else if sunk || tilt > self.limits.tilted {
            TrackEnd::Fell
        } else if own.time() >= seconds {
            TrackEnd::Followed
        } else if self.simulation.time() > self.limits.dawdle * seconds + 1.0 {
            TrackEnd::Stuck
        } else {
            TrackEnd::Open
        };
        self.upright = own.time().min(seconds);
    }

    /// Keeps account of one step.
    fn book(&mut self, physique: &Physique) {
        let simulation = &self.simulation;
        let own = &self.controller;
        let q = &simulation.state().q;
        let help = own.assistance();
        self.sums[0] += 1.0;
        self.sums[1] += self.error_now(physique);
        self.sums[2] += mean_angle(physique, q, &own.reference().q);
        self.sums[3] += help[0].length();
        self.peak = self.peak.max(help[0].length());
        for link in 0..physique.model.links().len() {
            let work = simulation.joint_work(link);
            if work > 0.0 {
                self.energy.driven += work;
            } else {
                self.energy.braked += work;
            }
        }
        let model = &*physique.model;
        let step = simulation.settings().step;
        let both = [&self.before, simulation.kinematics()];
        let root = model.roots()[0];
        let at = own.senses().centre;
        for kin in both {
            let turn = kin.velocity(root).0;
            let go = kin.velocity_at(model, root, at);
            self.energy.assistant += 0.5 * step * (help[0].dot(go) + help[1].dot(turn));
            for contact in simulation.contacts(0) {
                let go = kin.velocity_at(model, contact.link, contact.point);
                self.energy.ground += 0.5 * step * contact.force.dot(go);
            }
        }
        let energy = simulation.kinetic_energy() + simulation.potential_energy();
        self.energy.gained = energy - self.first_energy;
    }
}
