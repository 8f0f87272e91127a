//! Obstacles of triangles as simulations touch them, made once.

use andante_dynamics::{SolidMesh, vec3};
use andante_world::{MeshShape, ObstacleShape};
use std::sync::{Arc, Mutex, PoisonError};

/// Those that were made so far. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Solids(Arc<Mutex<Vec<Known>>>);

/// A shape, and what it is made of; nothing if no triangle of it can be touched.
type Known = (Arc<MeshShape>, Option<Arc<SolidMesh>>);

impl std::fmt::Debug for Solids {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Solids")
    }
}

impl Solids {
    /// The solid mesh of a shape of triangles.
    pub fn of(&self, shape: &ObstacleShape) -> Option<Arc<SolidMesh>> {
        let ObstacleShape::Mesh(shape) = shape else { return None };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, made)) = known.iter().find(|(own, _)| Arc::ptr_eq(own, shape)) {
            return made.clone();
        }
        let mesh = shape.triangles();
        let places: Vec<_> = mesh
            .positions
            .iter()
            .map(|at| vec3(f64::from(at.x), f64::from(at.y), f64::from(at.z)))
            .collect();
        let made = SolidMesh::new(&places, &mesh.triangles).ok().map(Arc::new);
        known.push((Arc::clone(shape), made.clone()));
        made
    }
}
