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

pub use balance::{BalanceController, BalanceOptions};
pub use contact_forces::{ContactPatch, ForceGoal, distribute};
pub use equilibrium::Equilibrium;
pub use fall::{FallController, FallOptions};
pub use fall_and_rise::{BodyCondition, RecoveryController, RecoveryOptions};
pub use fall_muscles::{Key, Limbs, LimbsError, Muscles};
pub use fall_trial::{FallError, FallOutcome, FallTrial, try_falls};
pub use foothold::{Foothold, Situation, StepLimits};
pub use full_body::{PoseGoals, Poser, SolePlacement};
pub use get_up::{GetUpController, GetUpOptions, Lying};
pub use least_squares::LeastSquares;
pub use physique::{Hand, Physique, PhysiqueError, SoleBox};
pub use polygon::{Point, SupportPolygon};
pub use prop::{Prop, PropError, PropForm, aim, state_with_props, with_props};
pub use push::{Push, PushError, PushOutcome, PushTrial, envelope, try_pushes};
pub use reach::{ReachStatus, Reaching};
pub use sense::{BodySense, Corner};
pub use stepping::{StepPhase, Stepper};
pub use swing::SoleSwing;
pub use track::{Reference, Regime, TrackOptions, Tracker, difference, mean_angle};
pub use walk::{
    Ladder, Momenta, Standing, Stroll, StrollOutcome, Swinging, WalkController, WalkCycle,
    WalkError, WalkOptions, stroll_pushes,
};
pub use whole_body::{FootTask, HandTask, Tasks, Weights, WholeBody};
