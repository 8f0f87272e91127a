//! Ways through a world for a character that is a disc.

mod curve;
mod floor;
mod navmesh;
mod places;
mod shorten;
mod two_trees;
mod walker;
mod walls;

pub use curve::{Curve, CurveOptions};
pub use floor::{Clearance, Floor, FloorError};
pub use navmesh::Navmesh;
pub use places::{Level, Places};
pub use shorten::{Shortening, length, shorten};
pub use two_trees::{Branch, Found, NoRoute, TwoTrees, Which};
pub use walker::{Jump, Walker};
pub use walls::Walls;
