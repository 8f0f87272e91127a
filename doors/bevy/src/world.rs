//! Ground and obstacles from Bevy's meshes, and from triangles of one's own.

use crate::stage::refuse;
use crate::{AndanteError, AndanteGround, AndanteObstacle, AndanteShape, AndanteStage};
use andante_world::{
    GroundPatch, MeshError, MeshGround, MeshShape, Obstacle, Platform, TriangleMesh,
};
use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::query::QueryData;
use bevy::math::Affine3A;
use bevy::mesh::{Indices, PrimitiveTopology, VertexAttributeValues};
use bevy::platform::collections::HashSet;
use bevy::prelude::*;
use tracing::error;

/// A mesh as it was placed last.
#[derive(Clone, Debug)]
pub(crate) struct PlacedMesh {
    /// Which; none if the entity has triangles of its own.
    mesh: Option<AssetId<Mesh>>,
    at: Affine3A,
    /// What stands for it, if it is an obstacle.
    pieces: Vec<Obstacle>,
}

/// What was placed, and on which stage.
#[derive(Default)]
pub(crate) struct PlacedMeshes {
    generation: u64,
    all: EntityHashMap<PlacedMesh>,
}

impl PlacedMeshes {
    /// What is on this stage: nothing if it is another than before.
    fn on(&mut self, stage: &AndanteStage) -> &mut EntityHashMap<PlacedMesh> {
        if self.generation != stage.generation {
            *self = Self { generation: stage.generation, all: EntityHashMap::default() };
        }
        &mut self.all
    }
}

/// How much more than its triangles the outline of ground covers, in metres, so that none is cut by rounding.
const RIM: f32 = 0.01;

/// Triangles whose normals point less up than this are walls, or undersides where they point down.
const STEEPEST: f32 = 0.01;

/// Lays ground where entities that are ground appear, move and change, and takes it away with them.
pub(crate) fn lay(
    mut commands: Commands,
    mut stage: ResMut<AndanteStage>,
    meshes: Res<Assets<Mesh>>,
    mut changes: MessageReader<AssetEvent<Mesh>>,
    helper: TransformHelper,
    ground: Query<Solid, (With<AndanteGround>, HasShape)>,
    mut placed: Local<PlacedMeshes>,
) {
    let modified = modified(&mut changes);
    let placed = placed.on(&stage);
    let mut gone = Vec::new();
    placed.retain(|entity, _| {
        let stays = ground.contains(*entity);
        if !stays && stage.grounds.remove(&entity.to_string()).is_some() {
            gone.push(entity.to_string());
        }
        stays
    });
    // It may have been taken away by hand.
    gone.retain(|name| stage.stage().ground().iter().any(|own| own.platform.name == *name));
    let mut patches = Vec::new();
    for solid in &ground {
        let entity = solid.entity;
        let Some(found) = find(&solid, &meshes, &helper, &modified, placed.get(&entity)) else {
            continue;
        };
        let (mesh, at) = (solid.asset(), found.at);
        placed.insert(entity, PlacedMesh { mesh, at, pieces: Vec::new() });
        let patch =
            found.triangles().and_then(|mesh| patch(entity.to_string(), mesh.transformed(&at)));
        match patch {
            Ok(patch) => patches.push((entity, patch)),
            Err(error) => {
                // What it was before it is not any more.
                if stage.grounds.remove(&entity.to_string()).is_some() {
                    gone.push(entity.to_string());
                }
                refuse(&mut commands, entity, error);
            }
        }
    }
    if gone.is_empty() && patches.is_empty() {
        return;
    }
    let names: Vec<&str> = gone.iter().map(String::as_str).collect();
    let all = patches.iter().map(|(_, patch)| patch.clone()).collect();
    // All at once; one by one if one of them is wrong.
    if stage.stage_mut().change_ground(&names, all).is_ok() {
        let laid = patches.iter().map(|(entity, _)| (entity.to_string(), *entity));
        stage.grounds.extend(laid);
    } else {
        for name in names {
            if let Err(error) = stage.stage_mut().remove_ground(name) {
                error!("ground of {name} stays where it is: {error}");
            }
        }
        for (entity, patch) in patches {
            match stage.stage_mut().place_ground(patch) {
                Ok(()) => _ = stage.grounds.insert(entity.to_string(), entity),
                Err(error) => refuse(&mut commands, entity, error),
            }
        }
    }
    stage.ground_changed();
}

/// Puts obstacles where entities that are obstacles appear, move and change, and takes them away with them.
pub(crate) fn stand(
    mut commands: Commands,
    mut stage: ResMut<AndanteStage>,
    meshes: Res<Assets<Mesh>>,
    mut changes: MessageReader<AssetEvent<Mesh>>,
    helper: TransformHelper,
    obstacles: Query<Solid, (With<AndanteObstacle>, HasShape)>,
    mut placed: Local<PlacedMeshes>,
) {
    let modified = modified(&mut changes);
    let placed = placed.on(&stage);
    placed.retain(|entity, own| {
        let stays = obstacles.contains(*entity);
        if !stays {
            take_away(&mut stage, &own.pieces);
        }
        stays
    });
    for solid in &obstacles {
        let entity = solid.entity;
        let Some(found) = find(&solid, &meshes, &helper, &modified, placed.get(&entity)) else {
            continue;
        };
        let (mesh, at) = (solid.asset(), found.at);
        let old = placed.remove(&entity);
        let same = |old: &&PlacedMesh| {
            !found.is_other && old.at.matrix3 == at.matrix3 && !old.pieces.is_empty()
        };
        let pieces = match old.as_ref().filter(same) {
            Some(old) => Ok(shifted(&old.pieces, (at.translation - old.at.translation).into())),
            None => pieces(&found),
        };
        let (pieces, error) = match pieces {
            Ok(pieces) => (pieces, None),
            Err(error) => (Vec::new(), Some(error)),
        };
        let gone: Vec<Obstacle> = old.map_or(Vec::new(), |old| old.pieces);
        let has = |name: &str| pieces.iter().any(|own| own.name == name);
        let gone: Vec<Obstacle> = gone.into_iter().filter(|own| !has(&own.name)).collect();
        take_away(&mut stage, &gone);
        let put = |piece: &Obstacle| stage.stage_mut().place_obstacle(piece.clone());
        let put = pieces.iter().try_for_each(put).map_err(AndanteError::from);
        placed.insert(entity, PlacedMesh { mesh, at, pieces });
        if let Some(error) = error.or(put.err()) {
            refuse(&mut commands, entity, error);
        }
    }
}

fn take_away(stage: &mut AndanteStage, pieces: &[Obstacle]) {
    for piece in pieces {
        // It may have been taken away by hand, or never been placed.
        let _ = stage.stage_mut().remove_obstacle(&piece.name);
    }
}

fn shifted(pieces: &[Obstacle], by: Vec3) -> Vec<Obstacle> {
    let mut pieces = pieces.to_vec();
    pieces.iter_mut().for_each(|piece| piece.at += by);
    pieces
}

fn modified(changes: &mut MessageReader<AssetEvent<Mesh>>) -> HashSet<AssetId<Mesh>> {
    let id = |event: &AssetEvent<Mesh>| match event {
        AssetEvent::Modified { id } => Some(*id),
        _ => None,
    };
    changes.read().filter_map(id).collect()
}

/// An entity that is ground or an obstacle.
#[derive(QueryData)]
pub(crate) struct Solid {
    entity: Entity,
    mesh: Option<&'static Mesh3d>,
    shape: Option<Ref<'static, AndanteShape>>,
}

/// Entities that have triangles.
type HasShape = Or<(With<Mesh3d>, With<AndanteShape>)>;

impl SolidItem<'_, '_> {
    /// The mesh that counts.
    fn asset(&self) -> Option<AssetId<Mesh>> {
        self.mesh.filter(|_| self.shape.is_none()).map(|mesh| mesh.id())
    }
}

/// Where something is, or what it is, that is new.
struct FoundShape<'a> {
    entity: Entity,
    at: Affine3A,
    /// Whether the triangles are others than before.
    is_other: bool,
    from: FoundTriangles<'a>,
}

enum FoundTriangles<'a> {
    Mesh(&'a Mesh),
    Own(&'a AndanteShape),
}

impl FoundShape<'_> {
    /// Its triangles as seen from its entity.
    fn triangles(&self) -> Result<TriangleMesh, AndanteError> {
        let mesh = match self.from {
            FoundTriangles::Mesh(mesh) => triangles(self.entity, mesh)?,
            FoundTriangles::Own(own) => TriangleMesh {
                positions: own.positions.clone(),
                normals: Vec::new(),
                triangles: own.triangles.clone(),
            },
        };
        mesh.validate()?;
        Ok(mesh)
    }
}

/// The triangles of an entity and where it is, if one of both is new and is there.
fn find<'a>(
    solid: &'a SolidItem,
    meshes: &'a Assets<Mesh>,
    helper: &TransformHelper,
    modified: &HashSet<AssetId<Mesh>>,
    old: Option<&PlacedMesh>,
) -> Option<FoundShape<'a>> {
    let (entity, asset) = (solid.entity, solid.asset());
    let at = helper.compute_global_transform(entity).ok()?.affine();
    let is_changed = match (&solid.shape, asset) {
        (Some(shape), _) => shape.is_changed(),
        (_, Some(asset)) => modified.contains(&asset),
        _ => false,
    };
    let is_other = is_changed || old.is_none_or(|old| old.mesh != asset);
    if !is_other && old.is_some_and(|old| old.at == at) {
        return None;
    }
    let from = match &solid.shape {
        Some(shape) => FoundTriangles::Own(shape),
        None => FoundTriangles::Mesh(meshes.get(asset?)?),
    };
    Some(FoundShape { entity, at, is_other, from })
}

/// The triangles of a mesh as they are.
fn triangles(entity: Entity, mesh: &Mesh) -> Result<TriangleMesh, AndanteError> {
    let no = || AndanteError::Triangles(entity);
    if mesh.primitive_topology() != PrimitiveTopology::TriangleList {
        return Err(no());
    }
    let positions = mesh.try_attribute(Mesh::ATTRIBUTE_POSITION).map_err(|_| no())?;
    let VertexAttributeValues::Float32x3(positions) = positions else { return Err(no()) };
    let corners: Vec<u32> = match mesh.try_indices_option().map_err(|_| no())? {
        Some(Indices::U16(all)) => all.iter().map(|&index| u32::from(index)).collect(),
        Some(Indices::U32(all)) => all.clone(),
        None => (0..u32::try_from(positions.len()).map_err(|_| no())?).collect(),
    };
    Ok(TriangleMesh {
        positions: positions.iter().copied().map(Vec3::from).collect(),
        normals: Vec::new(),
        triangles: corners.as_chunks().0.to_vec(),
    })
}

fn pieces(found: &FoundShape) -> Result<Vec<Obstacle>, AndanteError> {
    let turned = Affine3A::from_mat3(Mat3::from(found.at.matrix3));
    let mesh = found.triangles()?.transformed(&turned);
    let (name, place) = (found.entity.to_string(), found.at.translation.into());
    Ok(Obstacle::of_mesh(&name, &mesh, place, 0.0)?)
}

/// Triangles in the world as a patch of ground. What is one flat convex face is a platform, which is walked on much faster.
fn patch(name: String, mut mesh: TriangleMesh) -> Result<GroundPatch, AndanteError> {
    mesh.validate()?;
    let normal = |[a, b, c]: [Vec3; 3]| (b - a).cross(c - a);
    let up = |mesh: &TriangleMesh, least: f32| -> Vec<[u32; 3]> {
        let faces = |&triangle: &usize| {
            let normal = normal(mesh.corners(triangle));
            normal.length() > 0.0 && normal.y >= least * normal.length()
        };
        (0..mesh.triangles.len()).filter(faces).map(|own| mesh.triangles[own]).collect()
    };
    let tops = TriangleMesh { triangles: up(&mesh, STEEPEST), ..mesh.clone() };
    if tops.triangles.is_empty() {
        return Err(AndanteError::FacesDown);
    }
    if let Some(platform) = face(&name, &tops)? {
        return Ok(platform.into());
    }
    mesh.triangles = up(&mesh, -STEEPEST);
    let ground = MeshGround::new(mesh)?;
    let corners = ground.mesh().positions.iter().map(|at| Vec2::new(at.x, at.z));
    let low = corners.clone().fold(Vec2::INFINITY, Vec2::min) - RIM;
    let high = corners.fold(Vec2::NEG_INFINITY, Vec2::max) + RIM;
    let outline = vec![low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)];
    let platform = Platform::level(name, outline, 0.0);
    Ok(GroundPatch { platform, terrain: Some(ground.into()) })
}

/// Triangles that lie in one plane and fill a convex outline, as a platform.
fn face(name: &str, mesh: &TriangleMesh) -> Result<Option<Platform>, MeshError> {
    let normal = |triangle: usize| {
        let [a, b, c] = mesh.corners(triangle);
        (b - a).cross(c - a)
    };
    let all = || 0..mesh.triangles.len();
    let Some(largest) = all().max_by(|&a, &b| normal(a).y.total_cmp(&normal(b).y)) else {
        return Ok(None);
    };
    let up = normal(largest).normalize();
    let slope = -Vec2::new(up.x, up.z) / up.y;
    let slope = if slope.length() < 1e-5 { Vec2::ZERO } else { slope };
    let flat = |at: Vec3| Vec2::new(at.x, at.z);
    let at = mesh.corners(largest)[0];
    let height = at.y - slope.dot(flat(at));
    let off = |at: Vec3| (height + slope.dot(flat(at)) - at.y).abs();
    if all().flat_map(|triangle| mesh.corners(triangle)).any(|at| off(at) > 1e-3) {
        return Ok(None);
    }
    let covered: f32 = all().map(|triangle| 0.5 * normal(triangle).y).sum();
    let shape = MeshShape::new(mesh.clone())?;
    let outline = shape.outline();
    let sides = outline.iter().zip(outline.iter().cycle().skip(1));
    let whole: f32 = 0.5 * sides.map(|(a, b)| a.perp_dot(*b)).sum::<f32>().abs();
    let is_whole = (covered - whole).abs() <= 1e-3 * whole;
    let name = name.to_owned();
    Ok(is_whole.then(|| Platform { name, outline: outline.to_vec(), height, slope }))
}
