//! Inverse kinematics: limbs and bodies that reach targets and stay close to the motion they come from.
//!
//! | solver | for | how |
//! |---|---|---|
//! | [`TwoBoneSolver`] | a leg or an arm | [`andante_skeleton::TwoBone`]: closed form, closest swivel |
//! | [`Ccd`] | chains and trees | joint after joint |
//! | [`Fabrik`] | chains and trees | points first, then rotations within limits |
//! | [`Jacobian`] | chains and trees, with priorities | damped least squares |
//! | [`ChainDescent`] | chains that stay close to a clip | gradient descent on three terms |
//! | [`FullBody`] | pelvis, spine, limbs and head at once, in balance | trunk by least squares, limbs in closed form |
//!
//! All of them keep bone lengths, work on any skeleton, allocate when they are made and never again,
//! and say what they achieved. The iterative ones share the trait [`Solver`].

mod align;
mod body;
mod ccd;
mod descent;
mod fabrik;
mod jacobian;
mod linear;
mod reach;
mod solver;
mod tree;
mod two_bone_solver;

pub use andante_skeleton::ChainError;
pub use body::{Balance, BodyPlan, FullBody, FullBodyOptions, Masses};
pub use ccd::{Ccd, CcdOptions};
pub use descent::{
    ChainDescent, ChainDescentOptions, DescentMode, DescentOptions, DescentReport, DescentTerms,
    Freedom, GradientDescent, Term,
};
pub use fabrik::{Fabrik, FabrikOptions};
pub use jacobian::{Jacobian, JacobianOptions};
pub use reach::{Reach, ReachError, SolverChoice, reach};
pub use solver::{IkReport, IkTarget, Solver};
pub use two_bone_solver::TwoBoneSolver;
