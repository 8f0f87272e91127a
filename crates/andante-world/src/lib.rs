//! The ground characters walk on.
//!
//! Everything that adapts motion to the ground asks one question: what is met going straight down from here?
//! [`Ground`] answers it, overhangs and holes included: a formula ([`HeightFunction`]), any [`Terrain`], or
//! a [`Platform`] with an edge.
//!
//! ```
//! use andante_world::{Ground, Terrain};
//! use glam::Vec3;
//!
//! let stairs: Terrain = "stairs:0.17:0.28".parse()?;
//! let hit = stairs.probe(Vec3::new(0.0, 2.0, 2.4), 5.0);
//! assert_eq!(hit.map(|hit| hit.point.y), Some(0.34));
//! # Ok::<(), andante_world::TerrainError>(())
//! ```

mod bounds;
mod bumps;
#[cfg(feature = "files")]
mod file;
mod footfalls;
mod formula;
mod grid;
mod heights;
mod hills;
mod hull;
mod lattice;
mod mesh_ground;
mod mesh_shape;
mod obstacle;
mod outline;
mod parts;
mod platform;
mod profile;
mod profile_ground;
mod random;
mod scene_ground;
mod slope;
mod stairs;
mod terrain;
mod terrain_error;
mod triangle;
mod triangle_mesh;
mod words;

pub use andante_skeleton::{ClosestPoint, Ground, HeightFunction, Hit, Ray};
pub use bounds::{Area, Bounds};
pub use bumps::{BumpOptions, Bumps};
pub use formula::Formula;
pub use grid::{Grid, GridError};
pub use hills::Hills;
pub use mesh_ground::MeshGround;
pub use mesh_shape::MeshShape;
pub use obstacle::{Obstacle, ObstacleOutline, ObstacleShape, Solid};
pub use parts::TerrainParts;
pub use platform::Platform;
pub use profile::Profile;
pub use profile_ground::{ProfileError, ProfileGround};
pub use scene_ground::{GroundPatch, SceneGround};
pub use slope::Slope;
pub use stairs::EndlessStairs;
pub use terrain::Terrain;
pub use terrain_error::TerrainError;
pub use triangle_mesh::{MeshError, TriangleMesh};
