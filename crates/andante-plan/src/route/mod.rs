//! Ways through a world for a character that is a disc.

mod band;
mod curve;
mod facet;
mod floor;
mod journey;
mod level_mesh;
mod links;
mod navmesh;
mod network;
mod options;
mod places;
mod seam;
mod sheet;
mod shorten;
mod two_trees;
mod walker;
mod wall_index;
mod walls;

pub use band::BandSettings;
pub use curve::{Curve, CurveOptions};
pub use floor::{Clearance, FloorError, WalkableFloor};
pub use journey::{Jump, RouteJourney, RouteLeg, RouteWalk};
pub use links::{Crossing, JumpLink, links};
pub use navmesh::Navmesh;
pub use network::{Network, Spot};
pub use options::{RouteMethod, RouteOptions};
pub use places::{Places, WalkableLevel};
pub use shorten::{Shortening, shorten};
pub use two_trees::{NoRoute, TreeBranch, TwoTrees, TwoTreesRoute, Which};
pub use walker::{JumpRange, LinkSettings, NavAgent};
pub use walls::Walls;
