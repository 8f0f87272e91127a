//! The settings of a gait problem.

use andante_dynamics::PhysicsSettings;

/// Options of a gait problem: the physics, what a gait has to keep to, and how errors are weighed.
///
/// All of it belongs to the problem: gaits that were found with other numbers may not be valid with these.
#[derive(Clone, Debug, PartialEq)]
pub struct ProblemOptions {
    /// Gravity, friction and steps. Found gaits are for a friction of 0.9. Steps are half a millisecond as published; springs and
    /// dampers are integrated implicitly here, so that 2 ms do, at a quarter of the cost. Sweeps over contacts stop at changes of
    /// 0.1 mm/s: residuals are the same to three digits as with a tenth of that, for three quarters of the time.
    pub physics: PhysicsSettings,
    /// Torques of single joints instead of modes, for comparison (V1); nothing is left of the sketch but its timing.
    pub canonical: bool,
    /// How well the cycle has to close: metres, radians, m/s, rad/s.
    pub tolerance: [f64; 4],
    /// Largest torque that is reckoned with where a joint has no limit, N·m.
    pub free_torque: f64,
    /// What a gait has to keep to.
    pub limits: GaitLimits,
    /// How errors are added up.
    pub merit: MeritWeights,
    /// How far variables reach.
    pub bounds: VariableBounds,
    /// How the cycle that was found is shown.
    pub playback: PlaybackOptions,
}

impl Default for ProblemOptions {
    fn default() -> Self {
        Self {
            physics: PhysicsSettings {
                friction: 0.9,
                tolerance: 1e-4,
                ..PhysicsSettings::default()
            },
            canonical: false,
            tolerance: [0.005, 0.02, 0.05, 0.2],
            free_torque: 200.0,
            limits: GaitLimits::default(),
            merit: MeritWeights::default(),
            bounds: VariableBounds::default(),
            playback: PlaybackOptions::default(),
        }
    }
}

impl ProblemOptions {
    /// The same with another step of the simulation, s.
    #[must_use]
    pub fn with_step(mut self, step: f64) -> Self {
        self.physics.step = step;
        self
    }

    /// The same with another friction of feet on the ground.
    #[must_use]
    pub fn with_friction(mut self, friction: f64) -> Self {
        self.physics.friction = friction;
        self
    }

    /// Gravity, m/s².
    pub(crate) fn gravity(&self) -> f64 {
        -self.physics.gravity.y
    }
}

/// Limits of a gait: thresholds of its soft constraints. The first three and `lift` are the published ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GaitLimits {
    /// Fastest turn of a joint, rad/s. Usually 10 to 30; beyond that limbs flail.
    pub joint_speed: f64,
    /// Largest mean of the sum of squared torques, (N·m)², of a human of 70 kg. More allows more violent gaits.
    pub effort: f64,
    /// Largest mean velocity sideways and upwards, m/s.
    pub drift: f64,
    /// Mass times height of the root, kg·m, from which on walkers may take more effort than a human.
    pub human: f64,
    /// Height up to which a toe counts as down, m. Usually 0.5 to 5 mm: more lets feet hover.
    pub down: f64,
    /// How far the support toe rises in pushing off, m. 0 asks for no push-off.
    pub lift: f64,
    /// How much more than that is aimed at, m.
    pub lift_margin: f64,
    /// A rising toe pushes off while it is slower than the centre of mass by no less than this, m/s.
    pub lift_lag: f64,
    /// How deep a swinging foot may be below the ground, m: nothing stops it there.
    pub sunk: f64,
    /// How fast a foot that is to be down may slide, in parts of the least mean speed, where all feet can touch the ground. 0 to 1;
    /// with 1 feet may be dragged along.
    pub slip: f64,
    /// Height at which a foot is as little down as one that slides at 1 m/s, m.
    pub sliding: f64,
    /// The part of its stance, at the beginning, in which a foot may slide as it likes, 0 to 1.
    pub landing: f64,
    /// The part of the time between two landings that a foot can be asked to stay down, below 1.
    pub longest_stance: f64,
    /// From which part of a swing to which feet that could touch the ground are clear of it.
    pub mid_swing: [f64; 2],
    /// From which part of a flight to which no foot touches the ground.
    pub mid_flight: [f64; 2],
    /// Penalties that add up over time are those of steps so long, s.
    pub penalty_step: f64,
}

impl Default for GaitLimits {
    fn default() -> Self {
        Self {
            joint_speed: 20.0,
            effort: 500_000.0,
            drift: 0.25,
            human: 70.0,
            down: 0.001,
            lift: 0.02,
            lift_margin: 0.001,
            lift_lag: 0.1,
            sunk: 0.01,
            slip: 0.25,
            sliding: 0.005,
            landing: 0.05,
            longest_stance: 0.95,
            mid_swing: [0.3, 0.7],
            mid_flight: [0.25, 0.75],
            penalty_step: 0.0005,
        }
    }
}

/// Weights of what is made small.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeritWeights {
    /// Of effort × slowness, as published.
    pub objective: f64,
    /// Of every soft constraint, as published. Values below it mean that every soft constraint holds.
    pub soft: f64,
    /// Violations of each of [`SOFT_CONSTRAINTS`](crate::SOFT_CONSTRAINTS) that are just tolerable. How feet land and push off
    /// weighs most: it has to be right before the rest is, because no small change makes a heel that lands first a toe that does.
    pub units: [f64; 10],
    /// The part of a tolerance that a residual may have for nothing, 0 to 1: whoever closes one better has less left for the others.
    pub closed: f64,
    /// Of the root of effort × slowness among the errors.
    pub effort: f64,
    /// Parts of the evaluated time in which violations are told apart.
    pub parts: usize,
    /// A mode counts as unwanted up to this part of what the sketch leaves free.
    pub unwanted: f64,
}

impl Default for MeritWeights {
    fn default() -> Self {
        Self {
            objective: 1e-5,
            soft: 2e5,
            units: [0.1, 0.05, 1.0, 0.05, 0.05, 0.02, 0.0008, 0.0007, 0.04, 0.02],
            closed: 0.7,
            effort: 1e-3,
            parts: 12,
            unwanted: 0.02,
        }
    }
}

/// Bounds of the variables of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VariableBounds {
    /// How far from rest a joint may begin, rad, if its limits allow.
    pub reach: f64,
    /// How far beyond its limits a joint may begin, rad: they are springs and give way.
    pub give: f64,
    /// The shortest pulse, s.
    pub pulse: f64,
    /// How much shorter and longer than guessed a step may be, compared with the others.
    pub parts: [f64; 2],
}

impl Default for VariableBounds {
    fn default() -> Self {
        Self { reach: 1.6, give: 0.2, pulse: 0.02, parts: [0.6, 1.6] }
    }
}

/// Options of the cycle that is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaybackOptions {
    /// The part of a recording, at its end, over which it is led to where the next one begins, 0 to 1.
    pub blend: f64,
    /// Height up to which toe and heel count as down, m.
    pub down: f64,
    /// A point of a sole that moves faster than this has not landed yet, or has left, m/s.
    pub gliding: f64,
}

impl Default for PlaybackOptions {
    fn default() -> Self {
        Self { blend: 0.1, down: 0.003, gliding: 0.4 }
    }
}
