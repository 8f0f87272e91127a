#![doc = include_str!("../README.md")]

mod body;
mod check;
mod clearance;
mod contact;
mod deeds;
mod demand;
mod distance;
mod free_fall;
mod goal;
mod limit_gate;
mod moving;
mod naturalness;
mod near;
mod orders;
mod platform;
mod settings;
mod surface;
mod tally;
mod tile;
mod track;
mod trail;
mod verdict;
mod walls;
mod world;

pub use check::{check, check_ends};
pub use demand::{
    Demand, DemandedCue, DemandedDeed, DemandedOrder, DemandedPlatform, DemandedSpot, PartDemand,
};
pub use settings::{CheckSettings, NaturalBounds, NaturalSettings};
pub use verdict::{Severity, Verdict, Violation, ViolationKind};
