//! The joints of a character's own scene, driven in place.

use crate::stage::refuse;
use crate::{AndanteActor, AndanteError, AndanteStage};
use andante_skeleton::Skeleton;
use bevy::ecs::entity::EntityHashSet;
use bevy::math::Affine3A;
use bevy::mesh::skinning::SkinnedMesh;
use bevy::prelude::*;

/// The joints of an entity's scene that the stage moves. It is there as soon as the scene is.
#[derive(Component, Clone, Debug, Reflect)]
#[reflect(Component, from_reflect = false)]
pub struct AndanteSkin {
    joints: Vec<DrivenJoint>,
    /// Metres on the stage per metre of the scene.
    scale: f32,
}

impl AndanteSkin {
    /// The entities of the joints, and which joint each is.
    pub fn joints(&self) -> impl Iterator<Item = (Entity, usize)> {
        self.joints.iter().map(|own| (own.entity, own.joint))
    }
}

#[derive(Clone, Debug, Reflect)]
struct DrivenJoint {
    entity: Entity,
    joint: usize,
    on: HangsOn,
    /// The scale of its matrix in the scene at rest: that of itself and of all nodes above it.
    scale: Vec3,
}

/// What a joint hangs on.
#[derive(Clone, Debug, Reflect)]
enum HangsOn {
    /// Another joint of that scale.
    Joint { joint: usize, scale: Vec3 },
    /// A node that stays where it is on the character's entity.
    Node(Affine3A),
}

/// A matrix differs from its rotation and scale by shear if by more than this part of its size.
const SHEAR: f32 = 0.01;

/// The hierarchy of a scene, with what it takes to find joints in it.
#[derive(bevy::ecs::system::SystemParam)]
pub(crate) struct SceneTree<'w, 's> {
    children: Query<'w, 's, &'static Children>,
    parents: Query<'w, 's, &'static ChildOf>,
    nodes: Query<'w, 's, (Option<&'static Name>, &'static Transform, Has<Mesh3d>)>,
}

impl SceneTree<'_, '_> {
    /// The children of a node that may be joints, in the order of the file.
    fn below(&self, node: Entity) -> impl Iterator<Item = Entity> {
        let children = self.children.get(node).into_iter().flatten();
        children.copied().filter(|child| self.nodes.get(*child).is_ok_and(|(.., mesh)| !mesh))
    }

    fn is_called(&self, node: Entity, joint: &str) -> bool {
        let name = self.nodes.get(node).ok().and_then(|(name, ..)| name).map(Name::as_str);
        // Nodes without a name are called by their number, here and there.
        let number = joint.strip_prefix("node_").map(|number| format!("GltfNode{number}"));
        name.is_some_and(|name| name == joint || Some(name) == number.as_deref())
    }

    /// Whether a joint had this node's name before it was made unlike all others.
    fn was_called(&self, node: Entity, joint: &str) -> bool {
        let name = self.nodes.get(node).ok().and_then(|(name, ..)| name);
        name.is_some_and(|name| !name.is_empty() && joint.starts_with(name.as_str()))
    }

    /// Where a node is, seen from one above it.
    fn place(&self, node: Entity, seen_from: Entity) -> Affine3A {
        let mut place = Affine3A::IDENTITY;
        for node in std::iter::once(node).chain(self.parents.iter_ancestors(node)) {
            if node == seen_from {
                break;
            }
            if let Ok((_, transform, _)) = self.nodes.get(node) {
                place = transform.compute_affine() * place;
            }
        }
        place
    }

    /// The node of every joint; the root that only joins separate trees has none.
    fn find(&self, root: Entity, skeleton: &Skeleton) -> Vec<Option<Entity>> {
        let mut found: Vec<Option<Entity>> = vec![None; skeleton.len()];
        for joint in 0..skeleton.len() {
            let name = skeleton.joint(joint).name.as_str();
            let free = |node: &Entity| !found.contains(&Some(*node));
            found[joint] = match skeleton.parent(joint).and_then(|parent| found[parent]) {
                Some(parent) => {
                    let is = |node: &Entity| free(node) && self.is_called(*node, name);
                    let was = |node: &Entity| free(node) && self.was_called(*node, name);
                    self.below(parent).find(is).or_else(|| self.below(parent).find(was))
                }
                None => {
                    let mut below = self.children.iter_descendants_depth_first(root);
                    below.find(|node| {
                        let is_mesh = self.nodes.get(*node).is_ok_and(|(.., mesh)| mesh);
                        !is_mesh && free(node) && self.is_called(*node, name)
                    })
                }
            };
        }
        found
    }

    /// The joints of a scene, ready to be driven; none if it has none of them.
    fn bind(&self, root: Entity, skeleton: &Skeleton) -> Result<Option<AndanteSkin>, AndanteError> {
        let found = self.find(root, skeleton);
        // A root without a node has no length either.
        let is_joint = |joint: usize| joint > 0 || skeleton.joint(0).rest.translation != Vec3::ZERO;
        let missing: Vec<usize> =
            (0..found.len()).filter(|&joint| found[joint].is_none() && is_joint(joint)).collect();
        if found.iter().all(Option::is_none) {
            return Ok(None);
        }
        if let Some(&first) = missing.first() {
            let (missing, count) = (missing.len(), skeleton.len());
            let first = skeleton.joint(first).name.clone();
            return Err(AndanteError::Joints { missing, count, first });
        }
        let places: Vec<Option<Affine3A>> =
            found.iter().map(|node| node.map(|node| self.place(node, root))).collect();
        let mut scales = vec![Vec3::ONE; found.len()];
        let (mut own_length, mut length) = (0.0, 0.0);
        let mut joints = Vec::with_capacity(found.len());
        for joint in 0..found.len() {
            let (Some(entity), Some(place)) = (found[joint], places[joint]) else { continue };
            let (scale, rotation, _) = place.to_scale_rotation_translation();
            let without_shear = Mat3::from_quat(rotation) * Mat3::from_diagonal(scale);
            let off = without_shear - Mat3::from(place.matrix3);
            let size = scale.abs().max_element();
            if off.to_cols_array().iter().any(|off| off.abs() > SHEAR * size) {
                return Err(AndanteError::Sheared(skeleton.joint(joint).name.clone()));
            }
            scales[joint] = scale;
            let parent = skeleton.parent(joint);
            let on = match parent.and_then(|parent| Some((parent, places[parent]?))) {
                Some((parent, above)) => {
                    own_length += skeleton.joint(joint).rest.translation.length();
                    length += above.translation.distance(place.translation);
                    HangsOn::Joint { joint: parent, scale: scales[parent] }
                }
                None => {
                    let above = self.parents.get(entity).map_or(root, |own| own.parent());
                    HangsOn::Node(self.place(above, root))
                }
            };
            joints.push(DrivenJoint { entity, joint, on, scale });
        }
        let scale = if length > 0.0 && own_length > 0.0 { own_length / length } else { 1.0 };
        Ok(Some(AndanteSkin { joints, scale }))
    }
}

/// Finds the joints of scenes that have come, for characters that are there.
pub(crate) fn bind(
    mut commands: Commands,
    stage: Res<AndanteStage>,
    actors: Query<&AndanteActor>,
    fresh: Query<Entity, (With<AndanteActor>, Or<(Added<AndanteActor>, Changed<Children>)>)>,
    skins: Query<Entity, Added<SkinnedMesh>>,
    tree: SceneTree,
) {
    let skinned = skins.iter().flat_map(|skin| tree.parents.iter_ancestors(skin));
    let roots: EntityHashSet = fresh.iter().chain(skinned).collect();
    for root in roots {
        let Ok(actor) = actors.get(root) else { continue };
        let Ok(actor) = stage.stage().actor(actor.id) else { continue };
        match tree.bind(root, &actor.character().skeleton) {
            Ok(Some(skin)) => {
                commands.entity(root).insert(skin);
            }
            Ok(None) => {}
            Err(error) => refuse(&mut commands, root, error),
        }
    }
}

/// Moves the joints to where the stage has them.
pub(crate) fn drive(
    stage: Res<AndanteStage>,
    people: Query<(&AndanteActor, &AndanteSkin, &Transform)>,
    mut joints: Query<&mut Transform, Without<AndanteActor>>,
) {
    for (actor, skin, root) in &people {
        let Ok(actor) = stage.stage().actor(actor.id) else { continue };
        let models = actor.models();
        for own in &skin.joints {
            let Ok(mut transform) = joints.get_mut(own.entity) else { continue };
            let Some(model) = models.get(own.joint) else { continue };
            *transform = match &own.on {
                HangsOn::Joint { joint, scale } => {
                    let Some(parent) = models.get(*joint) else { continue };
                    let local = parent.inverse() * *model;
                    Transform {
                        translation: local.translation / (*scale * skin.scale),
                        rotation: local.rotation,
                        scale: own.scale / *scale,
                    }
                }
                HangsOn::Node(node) => {
                    let above = root.compute_affine() * *node;
                    let place = Affine3A::from_scale_rotation_translation(
                        own.scale * skin.scale,
                        model.rotation,
                        model.translation,
                    );
                    let local = above.inverse() * place;
                    let (scale, rotation, translation) = local.to_scale_rotation_translation();
                    Transform { translation, rotation, scale }
                }
            };
        }
    }
}
