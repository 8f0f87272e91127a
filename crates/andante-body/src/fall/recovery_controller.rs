//! A body that keeps its balance, falls when it cannot, lies, gets up and stands again.

use andante_dynamics::Simulation;
use serde::{Deserialize, Serialize};

use crate::balance::balance_controller::{BalanceController, BalanceOptions};
use crate::body_sense::BodySense;
use crate::fall::fall_controller::{FallController, FallOptions};
use crate::fall::get_up_controller::{GetUpController, GetUpOptions, Lying};
use crate::fall::muscles::LimbsError;
use crate::physique::Physique;
use crate::support_polygon::SupportPolygon;
use crate::table::default_table;

/// The condition of a body as a whole: in balance, falling, lying, getting up, coming upright.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BodyCondition {
    /// It keeps its balance.
    Balance,
    /// It cannot any more, and falls so that its head is spared.
    Fall,
    /// It has come to rest on the ground and is relaxed.
    Lie,
    /// It goes through poses towards its feet.
    GetUp {
        /// How it lay.
        from: Lying,
        /// Which pose it goes to.
        stage: usize,
    },
    /// It is on its feet and comes upright.
    Stand,
}

/// Settings of the recovery controller: balance, falls and getting up. The defaults are the table
/// `controllers/recovery.toml`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecoveryOptions {
    /// Whether it gets up by itself once it has rested; otherwise it waits to be told.
    pub gets_up: bool,
    /// How long it lies still before, s.
    pub rest: f64,
    /// Cosine of the torso's tilt at which it gives up balance.
    pub tilt: f64,
    /// Part of the hips' height in standing at which it gives up balance.
    pub sunk: f64,
    /// How far from the feet the capture point is when no step gets there, m.
    pub lost: f64,
    /// A body slower than this lies still: centre of mass, m/s.
    pub still: f64,
    /// For how long it must have been still to lie, s.
    pub still_for: f64,
    /// A body that still slides or rolls is taken to lie after this long, s.
    pub longest_fall: f64,
    /// How long a body that lies may sag before it gets up all the same, s.
    pub sags: f64,
    /// How long a body must be upright to have got up, s.
    pub upright_for: f64,
    /// Sine of the tilt to a side, or onto the back, at which getting up begins anew.
    pub toppled: f64,
    /// Sine of the tilt to a side up to which somebody crouches.
    pub aslant: f64,
    /// Height of the centre of mass of somebody who crouches, against standing.
    pub crouch: f64,
    /// How often it goes back from a crouch before it lies down.
    pub goes: usize,
    /// How long it waits in the last pose for its weight to get over its feet, s.
    pub wait: f64,
    /// How quickly and firmly it gets up in one try after the other, against the usual: what fails is not tried again in
    /// the same way. Empty: always as usual.
    pub vigours: Vec<f64>,
    /// Keeping balance.
    #[serde(default)]
    pub balance: BalanceOptions,
    /// Falling.
    #[serde(default)]
    pub fall: FallOptions,
    /// Getting up.
    #[serde(default)]
    pub get_up: GetUpOptions,
}

default_table!(RecoveryOptions, "recovery.toml");

/// Drives a body through all of it.
#[derive(Clone, Debug)]
pub struct RecoveryController {
    options: RecoveryOptions,
    balancer: BalanceController,
    faller: FallController,
    riser: GetUpController,
    senses: BodySense,
    feet: SupportPolygon,
    condition: BodyCondition,
    since: f64,
    /// Since when nothing moves (lying), or all is upright (standing), s.
    quiet: f64,
    falls: usize,
    attempts: usize,
    /// How often it has begun to get up since it stood last.
    tries: usize,
    /// How often it has gone back from where it crouches since it lay last.
    goes: usize,
}

impl RecoveryController {
    /// A body that stands.
    pub fn new(physique: &Physique, options: RecoveryOptions) -> Result<Self, LimbsError> {
        Ok(RecoveryController {
            balancer: BalanceController::new(physique, options.balance),
            faller: FallController::new(physique, options.fall)?,
            riser: GetUpController::new(physique, options.get_up.clone())?,
            senses: BodySense::default(),
            feet: SupportPolygon::with_room(8),
            condition: BodyCondition::Balance,
            since: 0.0,
            quiet: 0.0,
            falls: 0,
            attempts: 0,
            tries: 0,
            goes: 0,
            options,
        })
    }

    /// True if it gets up by itself.
    pub fn gets_up(&self) -> bool {
        self.options.gets_up
    }

    /// The condition of the body.
    pub fn condition(&self) -> BodyCondition {
        self.condition
    }

    /// Since when, s of the simulation.
    pub fn since(&self) -> f64 {
        self.since
    }

    /// The balance controller in use.
    pub fn balancer(&self) -> &BalanceController {
        &self.balancer
    }

    /// The balance controller in use, to be changed.
    pub fn balancer_mut(&mut self) -> &mut BalanceController {
        &mut self.balancer
    }

    /// The sensed state of the body before the last step.
    pub fn senses(&self) -> &BodySense {
        &self.senses
    }

    /// The number of falls so far.
    pub fn falls(&self) -> usize {
        self.falls
    }

    /// The number of attempts to get up since the last fall.
    pub fn attempts(&self) -> usize {
        self.attempts
    }

    /// Lets itself fall, whatever it does.
    pub fn fall(&mut self, physique: &Physique, simulation: &Simulation<f64>) {
        self.senses.feel(physique, simulation);
        self.faller.begin(physique, &self.senses, simulation);
        self.balancer.drop_reach();
        self.falls += 1;
        self.attempts = 0;
        self.become_(BodyCondition::Fall, simulation.time());
    }

    /// Begins to get up if it lies; otherwise nothing happens.
    pub fn get_up(&mut self, physique: &Physique, simulation: &Simulation<f64>) {
        if self.condition == BodyCondition::Lie {
            self.rise_anew(physique, simulation);
        }
    }

    fn become_(&mut self, condition: BodyCondition, time: f64) {
        (self.condition, self.since, self.quiet) = (condition, time, time);
    }

    fn rise_anew(&mut self, physique: &Physique, simulation: &Simulation<f64>) {
        self.attempts += 1;
        self.tries += 1;
        self.rise(physique, simulation);
    }

    fn rise(&mut self, physique: &Physique, simulation: &Simulation<f64>) {
        self.goes = 0;
        self.riser.begin(physique, simulation, self.vigour());
        let (from, stage) = (self.riser.way(), self.riser.stage());
        self.become_(BodyCondition::GetUp { from, stage }, simulation.time());
    }

    /// It did not get over its feet: who still crouches on hands and feet tries again from there, others lie down first.
    fn fail(&mut self, physique: &Physique, simulation: &Simulation<f64>) {
        let torso = simulation.kinematics().rotation(physique.torso);
        let crouches = torso.x.y.abs() < self.options.aslant
            && self.senses.height > self.options.crouch * physique.height;
        if !crouches || self.goes >= self.options.goes {
            self.become_(BodyCondition::Lie, simulation.time());
            return;
        }
        self.goes += 1;
        self.riser.again(physique, simulation, self.vigour());
        let (from, stage) = (self.riser.way(), self.riser.stage());
        self.become_(BodyCondition::GetUp { from, stage }, simulation.time());
    }

    fn vigour(&self) -> f64 {
        let vigours = &self.options.vigours;
        let turn = self.tries.saturating_sub(1) + self.goes;
        turn.checked_rem(vigours.len()).and_then(|k| vigours.get(k)).copied().unwrap_or(1.0)
    }

    /// Sets the controls of the next step.
    pub fn drive(&mut self, physique: &Physique, simulation: &mut Simulation<f64>) {
        let time = simulation.time();
        self.senses.feel(physique, simulation);
        let corners = self.senses.corners.iter().flatten();
        self.feet.set_hull(corners.map(|corner| [corner.point.x, corner.point.z]));
        self.decide(physique, simulation, time);
        match self.condition {
            BodyCondition::Balance | BodyCondition::Stand => {
                self.balancer.drive(physique, simulation)
            }
            BodyCondition::Fall => self.faller.drive(physique, &self.senses, simulation),
            BodyCondition::Lie => relax(physique, simulation, self.options.fall.damping.limp),
            BodyCondition::GetUp { from, .. } => {
                let open = self.riser.drive(physique, simulation);
                let stage = self.riser.stage();
                if stage != self.stage() {
                    self.become_(BodyCondition::GetUp { from, stage }, time);
                }
                if !open && time > self.since + self.options.wait {
                    self.fail(physique, simulation);
                }
            }
        }
    }

    fn stage(&self) -> usize {
        match self.condition {
            BodyCondition::GetUp { stage, .. } => stage,
            _ => 0,
        }
    }

    /// Goes from one condition to another where it is time to.
    fn decide(&mut self, physique: &Physique, simulation: &mut Simulation<f64>, time: f64) {
        match self.condition {
            BodyCondition::Balance | BodyCondition::Stand => {
                if self.hopeless(physique, simulation) {
                    self.fall(physique, simulation);
                } else if self.condition == BodyCondition::Stand {
                    if !self.upright(physique, simulation) {
                        self.quiet = time;
                    } else if time > self.quiet + self.options.upright_for {
                        self.tries = 0;
                        self.become_(BodyCondition::Balance, time);
                    }
                }
            }
            BodyCondition::Fall => {
                if self.senses.velocity.length() > self.options.still || self.faller.met().is_none()
                {
                    self.quiet = time;
                }
                if time > self.quiet + self.options.still_for
                    || time > self.since + self.options.longest_fall
                {
                    self.become_(BodyCondition::Lie, time);
                }
            }
            BodyCondition::Lie => {
                if self.senses.velocity.length() > self.options.still
                    && time < self.since + self.options.sags
                {
                    self.quiet = time;
                }
                if self.options.gets_up && time > self.quiet + self.options.rest {
                    self.get_up(physique, simulation);
                }
            }
            BodyCondition::GetUp { from, .. } => {
                if from == Lying::Prone {
                    if self.over_feet(physique, simulation) {
                        self.riser.release(simulation);
                        self.balancer.restart(physique, simulation);
                        self.become_(BodyCondition::Stand, time);
                    } else if self.toppled(physique, simulation) {
                        self.rise_anew(physique, simulation);
                    }
                } else if self.riser.finished() {
                    self.rise(physique, simulation);
                }
            }
        }
    }

    /// Whether no step helps any more.
    fn hopeless(&self, physique: &Physique, simulation: &Simulation<f64>) -> bool {
        let kin = simulation.kinematics();
        let rising = self.balancer.rising();
        let (straight, share) = self.balancer.intended(physique);
        let up = kin.rotation(physique.torso).y.dot(straight);
        let hip = physique.soles.each_ref().map(|sole| kin.position(&physique.model, sole.hip).y);
        let ground = self.senses.centre.y - self.senses.height;
        let hips = (0.5 * (hip[0] + hip[1]) - ground) / physique.hips;
        let away = -self.feet.depth(self.senses.capture_point());
        let low = if rising { 0.15 } else { self.options.sunk * share };
        let tilt = if rising { -0.2 } else { self.options.tilt };
        up < tilt || hips < low || away > self.options.lost
    }

    /// Whether it has tipped over on the way up: an arm was under it, or something hit it.
    fn toppled(&self, physique: &Physique, simulation: &Simulation<f64>) -> bool {
        let torso = simulation.kinematics().rotation(physique.torso);
        torso.x.y.abs() > self.options.toppled || torso.z.y > self.options.toppled
    }

    /// Whether the feet can take over.
    fn over_feet(&self, physique: &Physique, simulation: &Simulation<f64>) -> bool {
        let weight = physique.mass * simulation.settings().gravity.length();
        let load = self.senses.load[0].min(self.senses.load[1]);
        let up = simulation.kinematics().rotation(physique.torso).y.y;
        let options = &self.options.get_up;
        up > options.up
            && load > options.load * weight
            && self.senses.other_load < options.lean * weight
            && self.feet.depth(self.senses.capture_point()) > options.depth
    }

    fn upright(&self, physique: &Physique, simulation: &Simulation<f64>) -> bool {
        let up = simulation.kinematics().rotation(physique.torso).y.y;
        up > 0.9 && self.senses.height > 0.9 * physique.height && self.senses.other_load == 0.0
    }
}

/// No muscle pulls; joints are a little stiff.
fn relax(physique: &Physique, simulation: &mut Simulation<f64>, limp: f64) {
    let model = &*physique.model;
    let controls = simulation.controls_mut();
    controls.gain_mut().fill(0.0);
    controls.torque_mut().fill(0.0);
    for (link, definition) in model.links().iter().enumerate() {
        for (axis, k) in model.freedom_range(link).enumerate().take(definition.joint.axes()) {
            let limit = definition.axes[axis].torque_limit;
            controls.rate_gain_mut()[k] = if limit.is_finite() { limp * limit } else { 0.0 };
        }
    }
}
