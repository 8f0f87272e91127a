//! Contacts: where shapes touch terrain and each other, and the impulses that keep them apart.

mod boxes;
mod pairs;
mod points;
mod row;
mod solid_mesh;
mod solver;
mod terrain;

pub(crate) use points::{Points, SlotKind};
pub use solid_mesh::SolidMesh;
pub(crate) use solver::{ContactSet, SolverOptions};
pub use terrain::{
    ContactTerrain, ContactTerrainError, GroundMotion, HeightGrid, HeightSurface, MeshSurface,
    ProbedSurface, Surface, SurfacePoint,
};
