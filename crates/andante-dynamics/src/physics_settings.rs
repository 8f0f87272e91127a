//! The settings of a simulated world.

use crate::contact::SolverOptions;
use crate::math::{Vec3, vec3};

/// Physics settings: gravity, what surfaces are like, and how time is stepped.
///
/// One value of these is made for a world and handed to everything in it: the bodies that are built for it take
/// friction and restitution, the simulation takes the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct PhysicsSettings {
    /// Gravity, m/s^2: standard gravity downwards unless told otherwise. Zero to look at vibrations alone.
    pub gravity: Vec3<f64>,
    /// Coulomb friction of what is built with these settings. Usually 0.3 (ice is 0.05) to 1.2 (rubber); with 0 nothing
    /// holds on to the ground, above 2 feet stick where they should slip.
    pub friction: f64,
    /// Restitution of what is built with these settings: the part of an impact's speed that comes back, 0 to 1. Bodies
    /// have none; a hard ball has 0.8.
    pub restitution: f64,
    /// Seconds per step. Usually 0.0005 to 0.005; stiffness does not limit it, speed of rotation does.
    pub step: f64,
    /// Distance at which a contact begins to be watched, m. Larger costs time, smaller nothing: what will arrive within
    /// two steps is watched in any case.
    pub margin: f64,
    /// Overlap that is left alone, m, so that resting contacts stay contacts.
    pub slop: f64,
    /// Part of the remaining overlap that is pushed out per step, 0 to 1. Above 0.5 stacks may jump.
    pub correction: f64,
    /// Greatest speed of pushing out, m/s.
    pub push_speed: f64,
    /// Slower impacts than this do not bounce, m/s.
    pub bounce_speed: f64,
    /// Most sweeps of the contact solver per step, each of three passes over the contacts. Warm start makes a few enough
    /// once things settle.
    pub sweeps: usize,
    /// Change of velocity at which the sweeps stop, m/s.
    pub tolerance: f64,
    /// Contacts that are still as far from their laws as this after the last sweep, m/s, contradict each other, as when a
    /// limb is caught between two solids. No impulse is enough for them, and each step would begin from more than the last:
    /// what has grown so throws the body off once one of the contacts goes. They begin anew in each step. Usually 0.001
    /// to 0.1; at 0 everything does that has not settled, and what is large lets impulses grow.
    pub contradiction: f64,
    /// A lane in which any velocity (m/s, rad/s) exceeds this is quarantined. In any case one in which something turns by
    /// half a turn within a step.
    pub speed_limit: f64,
    /// Pairs of shapes of one tree that collide. Shapes of different trees always do.
    pub self_collisions: Vec<(usize, usize)>,
}

impl Default for PhysicsSettings {
    fn default() -> Self {
        PhysicsSettings {
            gravity: vec3(0.0, -Self::STANDARD_GRAVITY, 0.0),
            friction: 0.8,
            restitution: 0.0,
            step: 0.002,
            margin: 0.002,
            slop: 0.0005,
            correction: 0.2,
            push_speed: 1.0,
            bounce_speed: 0.1,
            sweeps: 30,
            tolerance: 1e-5,
            contradiction: 0.01,
            speed_limit: Self::SPEED_LIMIT,
            self_collisions: Vec::new(),
        }
    }
}

/// An error that keeps a simulation from being set up or changed so.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SimulationError {
    /// An option is no number or out of its range.
    #[error("option {option} is out of its range")]
    Option {
        /// Its name.
        option: &'static str,
    },
    /// A state or snapshot that is not of this model.
    #[error("the state does not fit the model")]
    Fit,
    /// Ground that cannot come in the place of the ground there was.
    #[error("a plane only becomes another plane, and a surface another surface")]
    Ground,
    /// A state with a quaternion that is not of unit length.
    #[error("lane {lane} of the state: a quaternion of link {link} is not of unit length")]
    NotUnit {
        /// The lane.
        lane: usize,
        /// The link.
        link: usize,
    },
    /// A state that is not finite.
    #[error("lane {lane} of the state is not finite")]
    NotFinite {
        /// The lane.
        lane: usize,
    },
}

impl PhysicsSettings {
    /// Standard gravity, m/s².
    pub const STANDARD_GRAVITY: f64 = 9.80665;
    /// The usual speed limit, m/s and rad/s: nothing that is thrown begins any faster.
    pub const SPEED_LIMIT: f64 = 500.0;

    /// The strength of gravity, m/s^2.
    pub fn gravity_strength(&self) -> f64 {
        self.gravity.length()
    }

    /// What the contact solver needs of them.
    pub(crate) fn solver(&self) -> SolverOptions {
        SolverOptions {
            h: self.step,
            sweeps: self.sweeps,
            tolerance: self.tolerance,
            contradiction: self.contradiction,
            slop: self.slop,
            correction: self.correction,
            push_speed: self.push_speed,
            bounce_speed: self.bounce_speed,
        }
    }

    /// The speed above which a lane is quarantined.
    pub(crate) fn fastest(&self) -> f64 {
        self.speed_limit.min(std::f64::consts::PI / self.step)
    }
}

pub(crate) fn check(o: &PhysicsSettings) -> Result<(), SimulationError> {
    let positive = |x: f64| x > 0.0 && x.is_finite();
    let not_negative = |x: f64| x >= 0.0 && x.is_finite();
    for (good, option) in [
        (positive(o.step), "step"),
        (o.gravity.is_finite(), "gravity"),
        (not_negative(o.friction), "friction"),
        ((0.0..=1.0).contains(&o.restitution), "restitution"),
        (not_negative(o.margin), "margin"),
        (not_negative(o.slop), "slop"),
        ((0.0..=1.0).contains(&o.correction), "correction"),
        (not_negative(o.push_speed), "push_speed"),
        (not_negative(o.bounce_speed), "bounce_speed"),
        (not_negative(o.tolerance), "tolerance"),
        (not_negative(o.contradiction), "contradiction"),
        (positive(o.speed_limit), "speed_limit"),
    ] {
        if !good {
            return Err(SimulationError::Option { option });
        }
    }
    Ok(())
}
