//! Contacts: where shapes touch terrain and each other, and the impulses that keep them apart.

mod boxes;
mod pairs;
mod points;
mod row;
mod solver;
mod terrain;

pub(crate) use points::{Points, SlotKind};
pub(crate) use solver::{Contacts, SolverOptions};
pub use terrain::{
    GroundMotion, Height, HeightGrid, Mesh, Probed, Surface, SurfacePoint, Terrain, TerrainError,
};
