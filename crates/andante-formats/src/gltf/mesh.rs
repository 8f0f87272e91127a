//! Meshes of a document, as one skinned mesh.

use super::accessor::{DocumentData, in_element, missing};
use super::material::Materials;
use super::primitive::PrimitiveReader;
use super::rig::NodeRig;
use super::skin::Skins;
use crate::text::shown;
use crate::{ReadError, ReadLimits, Warning};
use andante_skeleton::SkinnedMesh;
use std::path::Path;

/// What can be dropped from meshes, told once per file.
#[derive(Default)]
struct MeshLosses {
    morphs: usize,
    lines: usize,
    unattached: Vec<String>,
    weightless: usize,
}

/// All meshes of the scene that hang on the skeleton, or `None` if there are none.
pub(super) fn read(
    data: &DocumentData,
    rig: &NodeRig,
    base: Option<&Path>,
    limits: &ReadLimits,
    warnings: &mut Vec<Warning>,
) -> Result<Option<SkinnedMesh>, ReadError> {
    let skins = Skins::read(data, rig, warnings)?;
    let mut materials = Materials::new(data, base, limits);
    let mut losses = MeshLosses::default();
    let mut primitives = Vec::new();
    for (index, node) in data.root.nodes.iter().enumerate() {
        let Some(mesh_index) = node.mesh.filter(|_| rig.graph.in_scene[index]) else { continue };
        let mesh = data
            .root
            .meshes
            .get(mesh_index)
            .ok_or_else(|| missing(format!("meshes[{mesh_index}]")))?;
        let skin = match node.skin {
            Some(skin) => {
                let skin = skins.skins.get(skin).ok_or_else(|| missing(format!("skins[{skin}]")));
                Some(skin?)
            }
            None => None,
        };
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            losses.morphs += usize::from(!primitive.targets.is_empty());
            if !matches!(primitive.mode, 4..=6) {
                losses.lines += 1;
                continue;
            }
            let reader = PrimitiveReader { data, rig, skins: &skins, primitive };
            let skin = skin.filter(|_| primitive.attributes.joints_0.is_some());
            let part = match (skin, rig.joints.carriers[index]) {
                (Some(skin), _) => reader.skinned(skin, &materials, &mut losses.weightless),
                (None, Some(joint)) => reader.rigid(index, joint, &materials),
                (None, None) => {
                    let name = node.name.as_ref().or(mesh.name.as_ref());
                    let name = name.cloned().unwrap_or_else(|| format!("nodes[{index}]"));
                    losses.unattached.push(shown(name.as_bytes()));
                    continue;
                }
            };
            let element = || format!("meshes[{mesh_index}].primitives[{number}]");
            let part = part.map_err(|error| in_element(error, element()))?;
            if let Some(mut part) = part {
                part.material = match primitive.material {
                    Some(material) => Some(materials.place(material, warnings)?),
                    None => None,
                };
                primitives.push(part);
            }
        }
    }
    losses.tell(warnings);
    if primitives.is_empty() {
        return Ok(None);
    }
    let inverse_binds = skins.matrices(rig)?;
    Ok(Some(SkinnedMesh { primitives, materials: materials.found, inverse_binds }))
}

impl MeshLosses {
    fn tell(&self, warnings: &mut Vec<Warning>) {
        let mut tell = |message: String| warnings.push(Warning::new(message));
        if self.morphs > 0 {
            tell(format!("morph targets of {} mesh parts were left out", self.morphs));
        }
        if self.lines > 0 {
            tell(format!("{} mesh parts of points or lines were left out", self.lines));
        }
        if let Some(first) = self.unattached.first() {
            let count = self.unattached.len();
            tell(format!("{count} mesh parts hang on no joint and were left out (`{first}`)"));
        }
        if self.weightless > 0 {
            let count = self.weightless;
            tell(format!("{count} vertices have no weights and now follow a single joint"));
        }
    }
}
