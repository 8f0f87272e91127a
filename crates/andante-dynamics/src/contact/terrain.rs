//! The ground: a plane, heights over a plane, or a mesh.

use std::fmt;
use std::sync::Arc;

use crate::math::{Vec3, vec3};
use crate::real::Real;

/// The place of a surface nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// Distance along the normal, negative inside.
    pub distance: f64,
    /// Unit normal, out of the ground.
    pub normal: Vec3<f64>,
}

/// The motion of moving ground, as of a rigid body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundMotion {
    /// Velocity of the point of it that is at the origin.
    pub velocity: Vec3<f64>,
    /// How it turns, rad/s.
    pub spin: Vec3<f64>,
}

/// A surface of any form. It is asked once per contact point and lane.
pub trait Surface: Send + Sync {
    /// The place nearest to `point`, or `None` if it is further than `reach`. Never anything that is not finite.
    fn nearest(&self, point: Vec3<f64>, reach: f64) -> Option<SurfacePoint>;

    /// How the ground moves that is nearest to `point`; `None` where it stays as it is.
    fn motion(&self, point: Vec3<f64>, reach: f64) -> Option<GroundMotion> {
        let _ = (point, reach);
        None
    }
}

/// Ground given by a function `(x, z) -> (height, slope along x, slope along z)`.
pub struct HeightSurface<F>(pub F);

impl<F: Fn(f64, f64) -> (f64, f64, f64) + Send + Sync> Surface for HeightSurface<F> {
    fn nearest(&self, p: Vec3<f64>, reach: f64) -> Option<SurfacePoint> {
        let (height, dx, dz) = (self.0)(p.x, p.z);
        above(p.y - height, dx, dz, reach)
    }
}

/// The tangent plane below or above a point, from the vertical gap and the slopes.
fn above(gap: f64, dx: f64, dz: f64, reach: f64) -> Option<SurfacePoint> {
    let normal = vec3(-dx, 1.0, -dz).normalized()?;
    let distance = gap * normal.y;
    (distance <= reach).then_some(SurfacePoint { distance, normal })
}

/// An error that keeps a terrain from being built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ContactTerrainError {
    /// A normal or an offset that is none.
    #[error("a plane needs a finite offset and a normal with a direction")]
    Plane,
    /// The mesh has no triangle, a vertex that is not finite, or an index past the end.
    #[error("a mesh needs triangles between finite vertices")]
    Mesh,
}

/// The ground of a simulation. Friction and restitution are the shapes'.
#[derive(Clone)]
pub enum ContactTerrain {
    /// Nothing.
    None,
    /// The half space below a plane.
    Plane {
        /// Unit normal.
        normal: Vec3<f64>,
        /// The plane's distance from the origin along its normal.
        offset: f64,
    },
    /// Anything else.
    Surface(Arc<dyn Surface>),
}

impl fmt::Debug for ContactTerrain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ContactTerrain::None => f.write_str("None"),
            ContactTerrain::Plane { normal, offset } => write!(f, "Plane({normal:?}, {offset})"),
            ContactTerrain::Surface(_) => f.write_str("Surface"),
        }
    }
}

impl ContactTerrain {
    /// Level ground at height zero.
    pub fn level() -> Self {
        ContactTerrain::Plane { normal: vec3(0.0, 1.0, 0.0), offset: 0.0 }
    }

    /// Ground below a plane given by any normal and a height along it.
    pub fn plane(normal: Vec3<f64>, offset: f64) -> Result<Self, ContactTerrainError> {
        let normal = normal.normalized().ok_or(ContactTerrainError::Plane)?;
        if !offset.is_finite() {
            return Err(ContactTerrainError::Plane);
        }
        Ok(ContactTerrain::Plane { normal, offset })
    }

    /// Any surface.
    pub fn surface(surface: impl Surface + 'static) -> Self {
        ContactTerrain::Surface(Arc::new(surface))
    }

    /// How the ground nearest to a point moves, if it does.
    #[inline(always)]
    pub(crate) fn motion(&self, point: Vec3<f64>, reach: f64) -> Option<GroundMotion> {
        match self {
            ContactTerrain::Surface(surface) => surface.motion(point, reach),
            ContactTerrain::None | ContactTerrain::Plane { .. } => None,
        }
    }

    /// The ground nearest to a point, or `None` if it is further than `reach`.
    pub fn at(&self, point: Vec3<f64>, reach: f64) -> Option<SurfacePoint> {
        let (distance, normal) = self.nearest::<f64>(point, reach);
        (distance <= reach).then_some(SurfacePoint { distance, normal })
    }

    /// Distance and normal at a point of every lane; far away where there is no ground.
    #[inline(always)]
    pub(crate) fn nearest<R: Real>(&self, point: Vec3<R>, reach: f64) -> (R, Vec3<R>) {
        match self {
            ContactTerrain::None => (R::splat(FAR), Vec3::splat(vec3(0.0, 1.0, 0.0))),
            ContactTerrain::Plane { normal, offset } => {
                let normal = Vec3::splat(*normal);
                (point.dot(normal) - R::splat(*offset), normal)
            }
            ContactTerrain::Surface(surface) => {
                let mut distance = R::splat(FAR);
                let mut normal = Vec3::splat(vec3(0.0, 1.0, 0.0));
                for lane in 0..R::LANES {
                    if let Some(found) = surface.nearest(point.lane(lane), reach) {
                        distance.set_lane(lane, found.distance);
                        normal.set_lane(lane, found.normal);
                    }
                }
                (distance, normal)
            }
        }
    }
}

/// A distance that is never a contact.
pub(crate) const FAR: f64 = 1e9;
