//! The settings of a gait problem.

use andante_dynamics::{PhysicsSettings, vec3};

andante_skeleton::settings! {
    /// Options of a gait problem: the physics, what a gait has to keep to, and how errors are weighed.
    ///
    /// All of it belongs to the problem: gaits that were found with other numbers may not be valid with these.
    pub struct ProblemOptions {
        /// Gravity, friction and steps. Found gaits are for a friction of 0.9. Steps are half a millisecond as
        /// published; springs and dampers are integrated implicitly here, so that 2 ms do, at a quarter of the cost.
        /// Sweeps over contacts stop at changes of 0.1 mm/s: residuals are the same to three digits as with a tenth of
        /// that, for three quarters of the time.
        physics: PhysicsSettings = PhysicsSettings { friction: 0.9, tolerance: 1e-4, ..PhysicsSettings::default() };
        /// Torques of single joints instead of modes, for comparison (V1); nothing is left of the sketch but its timing.
        canonical: bool = false;
        /// How well the cycle has to close: metres, radians, m/s, rad/s.
        tolerance: [f64; 4] = [0.005, 0.02, 0.05, 0.2], 0.0..;
        /// What a gait has to keep to.
        limits: GaitLimits = GaitLimits::default() => check;
        /// How errors are added up.
        merit: MeritWeights = MeritWeights::default() => check;
        /// How far variables reach.
        bounds: VariableBounds = VariableBounds::default() => check;
        /// How the cycle that was found is shown.
        playback: PlaybackOptions = PlaybackOptions::default() => check;
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

    /// The same under another gravity downwards, m/s².
    #[must_use]
    pub fn with_gravity(mut self, gravity: f64) -> Self {
        self.physics.gravity = vec3(0.0, -gravity, 0.0);
        self
    }

    /// Gravity, m/s².
    pub(crate) fn gravity(&self) -> f64 {
        -self.physics.gravity.y
    }
}

andante_skeleton::settings! {
    /// Limits of a gait: thresholds of its soft constraints. The first three and `lift` are the published ones.
    pub struct GaitLimits: Copy {
        /// Fastest turn of a joint, rad/s. Usually 10 to 30; beyond that limbs flail.
        joint_speed: f64 = 20.0, 0.0..;
        /// Largest mean of the sum of squared torques, (N·m)², of a human of 70 kg. More allows more violent gaits.
        effort: f64 = 500_000.0, 0.0..;
        /// Largest mean velocity sideways and upwards, m/s.
        drift: f64 = 0.25, 0.0..;
        /// Mass times height of the root, kg·m, from which on walkers may take more effort than a human.
        human: f64 = 70.0, 0.0..;
        /// Height up to which a toe counts as down, m. Usually 0.5 to 5 mm: more lets feet hover.
        down: f64 = 0.001, 0.0..;
        /// How far the support toe rises in pushing off, m. 0 asks for no push-off.
        lift: f64 = 0.02, 0.0..;
        /// How much more than that is aimed at, m.
        lift_margin: f64 = 0.001, 0.0..;
        /// A rising toe pushes off while it is slower than the centre of mass by no less than this, m/s.
        lift_lag: f64 = 0.1, 0.0..;
        /// How deep a swinging foot may be below the ground, m: nothing stops it there.
        sunk: f64 = 0.01, 0.0..;
        /// How fast a foot that is to be down may slide, in parts of the least mean speed, where all feet can touch the
        /// ground. With 1 feet may be dragged along.
        slip: f64 = 0.25, 0.0..=1.0;
        /// Height at which a foot is as little down as one that slides at 1 m/s, m.
        sliding: f64 = 0.005, 0.0..;
        /// The part of its stance, at the beginning, in which a foot may slide as it likes.
        landing: f64 = 0.05, 0.0..=1.0;
        /// The part of the time between two landings that a foot can be asked to stay down, below 1.
        longest_stance: f64 = 0.95, 0.0..;
        /// From which part of a swing to which feet that could touch the ground are clear of it.
        mid_swing: [f64; 2] = [0.3, 0.7], 0.0..;
        /// From which part of a flight to which no foot touches the ground.
        mid_flight: [f64; 2] = [0.25, 0.75], 0.0..;
        /// Penalties that add up over time are those of steps so long, s.
        penalty_step: f64 = 0.0005, 0.0..;
    }

    /// Weights of what is made small.
    pub struct MeritWeights: Copy {
        /// Of effort × slowness, as published.
        objective: f64 = 1e-5, 0.0..;
        /// Of every soft constraint, as published. Values below it mean that every soft constraint holds.
        soft: f64 = 2e5, 0.0..;
        /// Violations of each of [`SOFT_CONSTRAINTS`](crate::SOFT_CONSTRAINTS) that are just tolerable. How feet land
        /// and push off weighs most: it has to be right before the rest is, because no small change makes a heel that
        /// lands first a toe that does.
        units: [f64; 10] = [0.1, 0.05, 1.0, 0.05, 0.05, 0.02, 0.0008, 0.0007, 0.04, 0.02], 0.0..;
        /// The part of a tolerance that a residual may have for nothing: whoever closes one better has less left for
        /// the others.
        closed: f64 = 0.7, 0.0..=1.0;
        /// Of the root of effort × slowness among the errors.
        effort: f64 = 1e-3, 0.0..;
        /// Parts of the evaluated time in which violations are told apart.
        parts: usize = 12;
        /// A mode counts as unwanted up to this part of what the sketch leaves free.
        unwanted: f64 = 0.02, 0.0..;
    }

    /// Bounds of the variables of a search.
    pub struct VariableBounds: Copy {
        /// How far from rest a joint may begin, rad, if its limits allow.
        reach: f64 = 1.6, 0.0..;
        /// How far beyond its limits a joint may begin, rad: they are springs and give way.
        give: f64 = 0.2, 0.0..;
        /// The shortest pulse, s.
        pulse: f64 = 0.02, 0.0..;
        /// How much shorter and longer than guessed a step may be, compared with the others.
        parts: [f64; 2] = [0.6, 1.6], 0.0..;
    }

    /// Options of the cycle that is shown.
    pub struct PlaybackOptions: Copy {
        /// The part of a recording, at its end, over which it is led to where the next one begins.
        blend: f64 = 0.1, 0.0..=1.0;
        /// Height up to which toe and heel count as down, m.
        down: f64 = 0.003, 0.0..;
        /// A point of a sole that moves faster than this has not landed yet, or has left, m/s.
        gliding: f64 = 0.4, 0.0..;
    }
}
