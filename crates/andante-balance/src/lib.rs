#![doc = include_str!("../README.md")]

mod balance;
mod contact_forces;
mod equilibrium;
mod fall;
mod fall_and_rise;
mod fall_muscles;
mod fall_trial;
mod foothold;
mod full_body;
mod get_up;
mod least_squares;
mod physique;
mod polygon;
mod prop;
mod push;
mod reach;
mod sense;
mod stepping;
mod swing;
mod track;
mod walk;
mod whole_body;

pub use balance::{BalanceOptions, Balancer};
pub use contact_forces::{Patch, Wish, distribute};
pub use equilibrium::Equilibrium;
pub use fall::{FallOptions, Faller};
pub use fall_and_rise::{Condition, Survivor, SurvivorOptions};
pub use fall_muscles::{Key, Limbs, LimbsError, Muscles};
pub use fall_trial::{FallError, FallOutcome, FallTrial, try_falls};
pub use foothold::{Foothold, Situation, StepLimits};
pub use full_body::{Footing, PoseGoals, Poser};
pub use get_up::{GetUpOptions, Lying, Riser};
pub use least_squares::LeastSquares;
pub use physique::{Hand, Physique, PhysiqueError, Sole};
pub use polygon::{Point, Polygon};
pub use prop::{Prop, PropError, PropForm, aim, state_with_props, with_props};
pub use push::{Outcome, Push, PushError, Trial, envelope, try_pushes};
pub use reach::{ReachStatus, Reaching};
pub use sense::{Corner, Senses};
pub use stepping::{Phase, Stepper};
pub use swing::Swing;
pub use track::{Reference, Regime, TrackOptions, Tracker, difference, mean_angle};
pub use walk::{
    Ladder, Momenta, Standing, Stroll, StrollOutcome, Swinging, WalkCycle, WalkError, WalkOptions,
    Walker, stroll_pushes,
};
pub use whole_body::{FootTask, HandTask, Tasks, Weights, WholeBody};
