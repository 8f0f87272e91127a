//! Feet at run time: legs, soles, footholds, swings, reach.

pub(crate) mod foothold;
mod footprint;
mod heel;
pub(crate) mod leg;
mod limb;
pub(crate) mod live;
pub(crate) mod reach;
mod settings;
pub(crate) mod shaped;
pub(crate) mod sole;
pub(crate) mod swing;
mod swing_curve;
mod swing_plan;
mod toes;

pub use footprint::Footprint;
pub(crate) use heel::BendingAnkle;
pub use heel::{RolledFoot, shank_foot_angle};
pub use leg::{LegChain, soften};
pub use limb::{Bend, LimbJoints};
pub use live::{GaitPlane, LiveStepSettings};
pub use settings::{FeetSettings, FootholdSettings, SwingSettings};
pub use swing_curve::SwingCurve;
pub use swing_plan::{StandingFoot, SwingBrief, SwingMoment, SwingPath, SwingPlan};
pub use toes::bend_toes;
pub(crate) use toes::toe_lift;
