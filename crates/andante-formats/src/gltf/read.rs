//! Reading.

use super::accessor::DocumentData;
use super::graph::Graph;
use super::joints::NodeJoints;
use super::rig::NodeRig;
use super::write::GltfDocument;
use super::{clips, container, mesh, vrm};
use crate::magnitude::asset_within;
use crate::{Asset, ReadError, ReadOptions, UnitSource, Units, Warning};
use andante_skeleton::Skeleton;
use std::path::Path;
use std::sync::Arc;

/// Reads a `.glb` or `.gltf` file.
///
/// `base` is the folder in which buffers and images outside the file are looked for; `name` names a
/// clip that has no name of its own.
pub fn read(
    bytes: &[u8],
    base: Option<&Path>,
    name: &str,
    options: &ReadOptions,
) -> Result<Asset, ReadError> {
    let mut asset = read_bare(bytes, base, name, options)?;
    if options.scale.is_none() {
        asset.warnings.extend(size_warning(&asset.skeleton, 1.0));
    }
    Ok(asset)
}

/// The same without a remark on how large it is.
pub(crate) fn read_bare(
    bytes: &[u8],
    base: Option<&Path>,
    name: &str,
    options: &ReadOptions,
) -> Result<Asset, ReadError> {
    for (what, value) in [("scale", options.scale), ("frame rate", options.fps)] {
        if let Some(value) = value.filter(|value| !(value.is_finite() && *value > 0.0)) {
            return Err(ReadError::file(format!("{value} is not a {what}")));
        }
    }
    let container = container::open(bytes)?;
    let root = &container.root;
    let data = DocumentData::load(root, container.binary, base, bytes.len(), &options.limits)?;
    let graph = Graph::new(root)?;

    let mut warnings = Vec::new();
    let joints = NodeJoints::choose(root, &graph, &mut warnings)?;
    let rig = NodeRig::new(&graph, joints, vrm::facing(root), options)?;
    let skeleton = vrm::with_roles(root, &rig.joints, rig.skeleton(root)?, &mut warnings)?;
    let clips = clips::read(&data, &rig, &skeleton, name, options, bytes.len(), &mut warnings)?;
    let mesh = mesh::read(&data, &rig, base, &options.limits, &mut warnings)?;
    let source = if options.scale.is_some() { UnitSource::Given } else { UnitSource::Stated };
    let units = Units { scale: options.scale.unwrap_or(1.0), source };
    let original = Some(Arc::new(GltfDocument::new(bytes, base, name, options)));
    let asset = Asset { skeleton, clips, mesh, units, warnings, original };
    asset_within(asset, options.limits.reach)
}

/// Files say their unit, and not every exporter knows it; metres per unit as the file has it.
pub(crate) fn size_warning(skeleton: &Skeleton, unit: f32) -> Option<Warning> {
    let (low, high) = skeleton.rest_bounds();
    let size = (high - low).max_element();
    if size <= 0.0 || (0.05..=10.0).contains(&size) {
        return None;
    }
    let factors = [0.01, 0.001, 0.0254, 100.0, 1000.0];
    let factor = factors.into_iter().find(|factor| (0.2..=5.0).contains(&(size * factor)));
    let advice = factor.map_or_else(
        || "a scale can be given".to_owned(),
        |factor| format!("if that is wrong, try a scale of {}", factor * unit),
    );
    Some(Warning::new(format!("the skeleton is {size:.3} m in size; {advice}")))
}
