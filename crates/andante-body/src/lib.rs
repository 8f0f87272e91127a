#![doc = include_str!("../README.md")]

mod body;
mod body_model;
mod creatures;
mod file;
mod fit;
mod import;
mod joint;
mod mass;
mod placement;
mod pose;
mod puppet;
mod shape;
mod silhouette;
mod symmetry;
mod weight;

pub use body::{Body, BodyError, BodyFoot, BodyParts, BodySegment, BodySide};
pub use body_model::{BodyModel, CharacterError};
pub use creatures::{CREATURES, creature};
pub use file::{read_body, read_body_file, write_body};
pub use fit::{FitError, FitOptions, Fitted, fit};
pub use import::{read_mjcf, read_mjcf_file, read_urdf, read_urdf_file};
pub use joint::{BodyJoint, JointKind, JointLimits};
pub use mass::Mass;
pub use placement::RigidPlacement;
pub use pose::RestPose;
pub use puppet::{RigidPartsMesh, creature_skin};
pub use shape::{Geometry, SolidShape};
