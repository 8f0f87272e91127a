//! Changing clips: cutting, joining, re-timing, mirroring, closing cycles, keys, layers and masks, making what is between
//! two poses, building from postures, and taking the slide out of captured feet.
//!
//! Every function takes a clip and gives a new one back; none keeps state. Clips are checked against
//! the skeleton they are said to belong to, because a clip alone knows only how many joints it has.

mod between;
mod cycle;
mod error;
mod join;
mod keys;
mod layer;
mod place;
mod plant;
mod posture;
mod spline;
mod time;
mod warp;

pub use between::{BetweenOptions, BetweenReport, feet_down_at, in_between};
pub use cycle::{CycleOptions, make_cyclic, seam_deg};
pub use error::EditError;
pub use join::{JoinOptions, concatenate, cut};
pub use keys::{EditWindow, JointTurn, turn_joint};
pub use layer::{BodyMask, masked, with_layer};
pub use place::{at_origin, in_place, low_pass, moved, with_part};
pub use plant::{
    GroundLevel, PartOptions, PartReport, PlantOptions, PlantReport, lock_feet, plant_feet,
    plant_parts,
};
pub use posture::{
    KeyPosture, Tween, from_postures, interpolate_clips, interpolate_postures, put_posture,
    set_rotation,
};
pub use time::{
    change_speed, mirrored, posture_at, resampled, retime_to_speed, reversed, travel_speed, trim,
};
pub use warp::{TimePair, time_warped};

pub(crate) use error::check;
pub(crate) use join::placement;
pub(crate) use plant::check_rig;
