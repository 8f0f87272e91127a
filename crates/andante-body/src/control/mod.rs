//! Torques: tracking of poses, tasks of the whole body, forces at the ground.

pub(crate) mod contact_forces;
pub(crate) mod least_squares;
pub(crate) mod motion_aim;
pub(crate) mod poser;
pub(crate) mod tracker;
pub(crate) mod whole_body;
