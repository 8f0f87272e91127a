//! Ground and obstacles from what physics engines collide with.

use crate::stage::refuse;
use crate::{AndanteError, AndanteGround, AndanteObstacle, AndanteShape, AndanteSystems};
use bevy::ecs::query::{QueryData, ReadOnlyQueryData};
use bevy::prelude::*;
use std::marker::PhantomData;

/// A component of a physics engine that has a shape. Implement it for that of any engine; those of `avian3d` (feature `avian`) and
/// `bevy_rapier3d` (feature `rapier`) have it.
pub trait AndanteCollider: Component {
    /// What else of its entity tells the shape.
    type Beside: ReadOnlyQueryData;

    /// Its triangles as seen from its entity, without the scale of the entity's transform.
    fn shape(
        &self,
        beside: <Self::Beside as QueryData>::Item<'_, '_>,
        detail: &ColliderDetail,
    ) -> Result<AndanteShape, AndanteError>;
}

/// The detail with which colliders become triangles.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Resource, Default)]
pub struct ColliderDetail {
    /// Sides of what is round.
    pub sides: u32,
    /// How far what has no end is laid to each side of its entity, in metres.
    pub endless: f32,
}

impl Default for ColliderDetail {
    fn default() -> Self {
        Self { sides: 24, endless: 200.0 }
    }
}

/// The plugin that reads colliders: entities with [`AndanteGround`] or [`AndanteObstacle`] and a collider are what they collide as,
/// whatever their meshes look like.
#[derive(Clone, Copy, Debug)]
pub struct AndanteColliderPlugin<C>(PhantomData<fn() -> C>);

impl<C> Default for AndanteColliderPlugin<C> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<C: AndanteCollider> Plugin for AndanteColliderPlugin<C> {
    fn build(&self, app: &mut App) {
        app.init_resource::<ColliderDetail>()
            .register_type::<ColliderDetail>()
            .add_systems(PostUpdate, read::<C>.in_set(AndanteSystems::Shapes))
            .add_observer(forget::<C>);
    }
}

/// Entities that are ground or obstacles.
type IsWorld = Or<(With<AndanteGround>, With<AndanteObstacle>)>;

/// Entities whose collider, or what it is for, is new.
type IsNew<C> = Or<(Changed<C>, Added<AndanteGround>, Added<AndanteObstacle>)>;

/// Reads the shapes of colliders that are new.
fn read<C: AndanteCollider>(
    mut commands: Commands,
    detail: Res<ColliderDetail>,
    colliders: Query<(Entity, &C, C::Beside, Option<&AndanteShape>), (IsWorld, IsNew<C>)>,
) {
    for (entity, collider, beside, before) in &colliders {
        match collider.shape(beside, &detail) {
            Ok(shape) if before == Some(&shape) => {}
            Ok(shape) => _ = commands.entity(entity).insert(shape),
            Err(error) => {
                commands.entity(entity).remove::<AndanteShape>();
                refuse(&mut commands, entity, error);
            }
        }
    }
}

/// What does not collide any more is what its mesh is.
fn forget<C: AndanteCollider>(gone: On<Remove<C>>, mut commands: Commands) {
    if let Ok(mut entity) = commands.get_entity(gone.entity) {
        entity.try_remove::<AndanteShape>();
    }
}

#[cfg(feature = "avian")]
impl AndanteCollider for avian3d::prelude::Collider {
    type Beside = ();

    fn shape(&self, (): (), detail: &ColliderDetail) -> Result<AndanteShape, AndanteError> {
        parry::triangles(self.shape().as_typed_shape(), detail)
    }
}

#[cfg(feature = "rapier")]
impl AndanteCollider for bevy_rapier3d::prelude::Collider {
    type Beside = Option<&'static bevy_rapier3d::prelude::ColliderScale>;

    fn shape(
        &self,
        beside: Option<&bevy_rapier3d::prelude::ColliderScale>,
        detail: &ColliderDetail,
    ) -> Result<AndanteShape, AndanteError> {
        use bevy_rapier3d::prelude::ColliderScale;
        let relative = match beside {
            None => Vec3::ONE,
            Some(ColliderScale::Relative(scale)) => *scale,
            Some(ColliderScale::Absolute(_)) => {
                return Err(AndanteError::Collider("one whose scale is not its entity's"));
            }
        };
        // What is stored is scaled as it was when the engine looked last.
        let mut shape = parry::triangles(self.raw.as_typed_shape(), detail)?;
        let by = relative / self.scale();
        shape.positions.iter_mut().for_each(|at| *at *= by);
        Ok(shape)
    }
}

/// Shapes of `parry3d`, which both engines are built on.
#[cfg(any(feature = "avian", feature = "rapier"))]
mod parry {
    use super::ColliderDetail;
    use crate::{AndanteError, AndanteShape};
    use bevy::math::{Quat, Vec3};
    use parry3d::shape::{Ball, TypedShape};
    use parry3d::transformation::try_convex_hull;

    type Triangles = (Vec<Vec3>, Vec<[u32; 3]>);

    /// The triangles of a shape, counter-clockwise as seen from outside.
    pub fn triangles(
        shape: TypedShape,
        detail: &ColliderDetail,
    ) -> Result<AndanteShape, AndanteError> {
        let sides = detail.sides.max(3);
        let no = |what: &'static str| Err(AndanteError::Collider(what));
        let (positions, triangles) = match shape {
            TypedShape::Cuboid(own) => own.to_trimesh(),
            TypedShape::Voxels(own) => own.to_trimesh(),
            TypedShape::ConvexPolyhedron(own) => own.to_trimesh(),
            TypedShape::HeightField(own) => own.to_trimesh(),
            TypedShape::Triangle(own) => (vec![own.a, own.b, own.c], vec![[0, 1, 2]]),
            TypedShape::TriMesh(own) => (own.vertices().to_vec(), own.indices().to_vec()),
            TypedShape::Ball(own) => own.to_trimesh(sides, sides / 2 + 1),
            TypedShape::Capsule(own) => own.to_trimesh(sides, sides / 2 + 1),
            TypedShape::Cylinder(own) => own.to_trimesh(sides),
            TypedShape::Cone(own) => own.to_trimesh(sides),
            TypedShape::RoundCuboid(own) => {
                padded(own.inner_shape.to_trimesh().0, own.border_radius, sides)?
            }
            TypedShape::RoundTriangle(own) => {
                let corners = [own.inner_shape.a, own.inner_shape.b, own.inner_shape.c];
                padded(corners.to_vec(), own.border_radius, sides)?
            }
            TypedShape::RoundConvexPolyhedron(own) => {
                padded(own.inner_shape.to_trimesh().0, own.border_radius, sides)?
            }
            TypedShape::RoundCylinder(own) => {
                padded(own.inner_shape.to_trimesh(sides).0, own.border_radius, sides)?
            }
            TypedShape::RoundCone(own) => {
                padded(own.inner_shape.to_trimesh(sides).0, own.border_radius, sides)?
            }
            TypedShape::HalfSpace(own) => plane(own.normal, detail.endless),
            TypedShape::Compound(own) => {
                let mut all = AndanteShape::default();
                for (place, part) in own.shapes() {
                    let part = triangles(part.as_typed_shape(), detail)?;
                    let first = u32::try_from(all.positions.len()).unwrap_or(u32::MAX);
                    let at = |own: Vec3| place.rotation * own + place.translation;
                    all.positions.extend(part.positions.into_iter().map(at));
                    let own = |corner: u32| corner.saturating_add(first);
                    all.triangles.extend(part.triangles.into_iter().map(|all| all.map(own)));
                }
                return Ok(all);
            }
            TypedShape::Segment(_) | TypedShape::Polyline(_) => return no("a line"),
            TypedShape::Custom(_) => return no("a shape of one's own"),
        };
        Ok(AndanteShape { positions, triangles })
    }

    /// What is convex, with a rim all around.
    fn padded(corners: Vec<Vec3>, rim: f32, sides: u32) -> Result<Triangles, AndanteError> {
        let (mut ball, _) = Ball::new(rim).to_trimesh(sides, sides / 2 + 1);
        // Level faces stay as high as they are.
        ball.extend(
            [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|way| [rim * way, -rim * way]),
        );
        let around = |corner: Vec3| ball.iter().map(move |own| corner + *own);
        let all: Vec<Vec3> = corners.into_iter().flat_map(around).collect();
        try_convex_hull(&all).map_err(|_| AndanteError::Collider("rounded and has no inside"))
    }

    /// A square of a plane through the origin.
    fn plane(normal: Vec3, half: f32) -> Triangles {
        let turn = Quat::from_rotation_arc(Vec3::Y, normal.normalize_or(Vec3::Y));
        let corners = [[-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [1.0, -1.0]];
        let at = |[x, z]: [f32; 2]| turn * Vec3::new(half * x, 0.0, half * z);
        (corners.map(at).to_vec(), vec![[0, 1, 2], [0, 2, 3]])
    }
}
