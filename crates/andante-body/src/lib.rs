#![doc = include_str!("../README.md")]

mod balance;
mod body;
mod body_model;
mod body_sense;
mod control;
mod creatures;
mod fall;
mod file;
mod fit;
#[cfg(feature = "robots")]
mod import;
mod joint;
mod mass;
mod physique;
mod placement;
mod pose;
mod prop;
mod puppet;
mod shape;
mod silhouette;
mod support_polygon;
mod symmetry;
mod table;
mod track;
mod trial_settings;
mod walk;
mod weight;

pub use balance::balance_controller::{BalanceController, BalanceOptions, UnevenGround};
pub use balance::equilibrium::Equilibrium;
pub use balance::foothold::{Foothold, Situation, StepLimits};
pub use balance::push_trial::{Push, PushError, PushOutcome, PushTrial, envelope, try_pushes};
pub use balance::reaching::{ReachOptions, ReachStatus, Reaching};
pub use balance::sole_swing::SoleSwing;
pub use balance::stepper::{StepPhase, Stepper};
pub use body::{Body, BodyError, BodyFoot, BodyParts, BodySegment};
pub use body_model::{BodyModel, CharacterError};
pub use body_sense::{BodySense, Corner};
pub use control::contact_forces::{ContactPatch, ForceGoal, distribute};
pub use control::least_squares::LeastSquares;
pub use control::poser::{PoseGoals, Poser, PoserOptions, SolePlacement};
pub use control::tracker::{Reference, Regime, TrackOptions, Tracker, difference, mean_angle};
pub use control::whole_body::{FootTask, HandTask, Tasks, Weights, WholeBody};
pub use creatures::{CREATURES, creature};
pub use fall::fall_controller::{FallController, FallOptions};
pub use fall::fall_trial::{FallError, FallOutcome, FallTrial, try_falls};
pub use fall::get_up_controller::{GetUpController, GetUpOptions, Lying};
pub use fall::muscles::{Key, Limbs, LimbsError, MuscleDamping, Muscles};
pub use fall::recovery_controller::{BodyCondition, RecoveryController, RecoveryOptions};
pub use file::*;
pub use fit::{
    FitError, FitOptions, Fitted, HumanFit, HumanFitError, HumanFitOptions, fit, fit_human,
};
#[cfg(feature = "robots")]
pub use import::*;
pub use joint::{BodyJoint, JointKind, JointLimits};
pub use mass::Mass;
pub use physique::{Hand, Physique, PhysiqueError, SoleBox};
pub use placement::RigidPlacement;
pub use pose::RestPose;
pub use prop::{Prop, PropError, PropForm, aim, state_with_props, with_props};
pub use puppet::{RigidPartsMesh, creature_skin};
pub use shape::{Geometry, SolidShape};
pub use support_polygon::{Point, SupportPolygon};
pub use track::*;
pub use trial_settings::TrialSettings;
pub use walk::*;
