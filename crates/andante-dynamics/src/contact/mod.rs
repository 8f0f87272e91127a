//! Contacts: where shapes touch terrain and each other, and the impulses that keep them apart.

mod boxes;
#[cfg(feature = "mesh")]
mod mesh_surface;
mod pairs;
mod points;
mod row;
#[cfg(feature = "mesh")]
mod solid_mesh;
mod solver;
mod terrain;

#[cfg(feature = "mesh")]
pub use mesh_surface::MeshSurface;
pub(crate) use points::{Points, SlotKind};
#[cfg(feature = "mesh")]
pub use solid_mesh::SolidMesh;
pub(crate) use solver::{ContactSet, SolverOptions};
pub use terrain::{
    ContactTerrain, ContactTerrainError, GroundMotion, HeightSurface, Surface, SurfacePoint,
};
