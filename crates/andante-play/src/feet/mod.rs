//! Feet at run time: legs, soles, footholds, swings, reach.

pub(crate) mod foothold;
mod footprint;
pub(crate) mod leg;
mod lift;
mod limb;
pub(crate) mod reach;
mod settings;
pub(crate) mod shaped;
pub(crate) mod shaping;
pub(crate) mod sole;
pub(crate) mod swing;
mod toes;

pub use footprint::Footprint;
pub use leg::LegChain;
pub use lift::LiftCurve;
pub use limb::{Bend, LimbJoints};
pub use settings::{FeetSettings, FootholdSettings, SwingSettings};
pub use sole::half_width;
pub use toes::toe_lift;
