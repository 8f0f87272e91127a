//! Ways through a world for a character that is a disc.

mod band;
mod curve;
mod floor;
mod journey;
mod links;
mod navmesh;
mod places;
mod shorten;
mod two_trees;
mod walker;
mod walls;

pub use curve::{Curve, CurveOptions};
pub use floor::{Clearance, Floor, FloorError};
pub use journey::{Journey, Leg, Network, Spot};
pub use links::{Crossing, Link, links};
pub use navmesh::Navmesh;
pub use places::{Level, Places};
pub use shorten::{Shortening, length, shorten};
pub use two_trees::{Branch, Found, NoRoute, TwoTrees, Which};
pub use walker::{Leap, Walker};
pub use walls::Walls;
