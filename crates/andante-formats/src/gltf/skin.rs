//! One set of inverse bind matrices for all skins of a document.

use super::accessor::{DocumentData, in_element, missing};
use super::json::AccessorKind;
use super::rig::NodeRig;
use crate::text::shown;
use crate::{ReadError, Warning};
use glam::{DAffine3, DMat3, DVec3, Mat4};

/// How meshes hang on joints.
///
/// A [`SkinnedMesh`](andante_skeleton::SkinnedMesh) has one inverse bind matrix per joint. Skins
/// that share joints may disagree about them, mostly because their meshes live in different
/// spaces; then the vertices of the later skin move to the space of the first.
pub(super) struct Skins {
    pub skins: Vec<Skin>,
    /// For each joint the matrix from the space of the mesh, in metres, to the joint.
    pub inverse_binds: Vec<DAffine3>,
    /// Metres per unit of the mesh.
    pub mesh_scale: f64,
}

/// One skin of the document.
pub(super) struct Skin {
    /// The joint of the skeleton for each joint of the skin.
    pub joints: Vec<usize>,
    pub space: Space,
}

/// How vertices get from the space of their own skin to the common one.
pub(super) enum Space {
    /// They are there.
    Common,
    /// By one matrix.
    Moved(DAffine3),
    /// Each so that it is in the right place in the rest pose. Holds the inverse bind matrices of
    /// the skin and those of the first one.
    Refitted { own: Vec<DAffine3>, common: Vec<DAffine3> },
}

impl Skins {
    pub fn read(
        data: &DocumentData,
        rig: &NodeRig,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self, ReadError> {
        let mut common: Vec<Option<DAffine3>> = vec![None; rig.joints.len()];
        let mut skins = Vec::with_capacity(data.root.skins.len());
        let mut mesh_scale = None;
        for (index, skin) in data.root.skins.iter().enumerate() {
            let element = || format!("skins[{index}]");
            let nodes = skin.joints.iter();
            let joints: Vec<usize> = nodes
                .map(|&node| {
                    rig.joints.of_node[node].ok_or_else(|| missing(format!("nodes[{node}]")))
                })
                .collect::<Result<_, _>>()?;
            let binds = match skin.inverse_bind_matrices {
                Some(accessor) => {
                    read_binds(data, accessor).map_err(|error| in_element(error, element()))?
                }
                None => vec![DAffine3::IDENTITY; joints.len()],
            };
            if binds.len() < joints.len() {
                let message =
                    format!("{} inverse bind matrices for {} joints", binds.len(), joints.len());
                return Err(ReadError::element(element(), message));
            }
            mesh_scale.get_or_insert_with(|| {
                let node = skin.joints[0];
                let linear = rig.rest_worlds[node].matrix3 * binds[0].matrix3;
                libm::cbrt(linear.determinant().abs())
            });
            let space = merge(rig, &joints, binds, &mut common);
            if let Space::Refitted { .. } = space {
                warnings.push(Warning::new(format!(
                    "skins[{index}] binds joints differently from the skins before it: its mesh was \
                     fitted to the rest pose"
                )));
            }
            skins.push(Skin { joints, space });
        }

        // Vertices are multiplied by the scale, so that matrices are rigid where they can be.
        let mesh_scale =
            rig.scale * mesh_scale.filter(|s| s.is_finite() && *s > 1e-9).unwrap_or(1.0);
        let mesh_scale = if (mesh_scale - 1.0).abs() < 1e-4 { 1.0 } else { mesh_scale };
        let inverse_binds = (0..rig.joints.len())
            .map(|joint| match common[joint] {
                Some(bind) => {
                    let residual = rig.residuals[joint] * rig.scale;
                    let linear = residual * bind.matrix3 * mesh_scale.recip();
                    DAffine3::from_mat3_translation(linear, residual * bind.translation)
                }
                None => rig.rest[joint].affine().inverse(),
            })
            .collect();
        Ok(Self { skins, inverse_binds, mesh_scale })
    }

    /// The matrices in single precision.
    pub fn matrices(&self, rig: &NodeRig) -> Result<Vec<Mat4>, ReadError> {
        let matrices = self.inverse_binds.iter().enumerate().map(|(joint, bind)| {
            let matrix = Mat4::from(bind.as_affine3a());
            matrix.is_finite().then_some(matrix).ok_or_else(|| {
                let name = shown(rig.joints.names[joint].as_bytes());
                let message = "the inverse bind matrix is not finite";
                ReadError::element(format!("joint `{name}`"), message)
            })
        });
        matrices.collect()
    }
}

impl Skin {
    /// The matrix that takes a vertex to the common space, given its joints (of the skin) and
    /// weights.
    pub fn to_common(&self, rig: &NodeRig, joints: &[u16; 4], weights: &[f32; 4]) -> DAffine3 {
        match &self.space {
            Space::Common => DAffine3::IDENTITY,
            Space::Moved(matrix) => *matrix,
            Space::Refitted { own, common } => {
                let blend = |binds: &[DAffine3]| {
                    let mut linear = DMat3::ZERO;
                    let mut translation = DVec3::ZERO;
                    for (&joint, &weight) in joints.iter().zip(weights) {
                        let joint = usize::from(joint);
                        let Some(node) = rig.joints.nodes[self.joints[joint]] else { continue };
                        let matrix = rig.rest_worlds[node] * binds[joint];
                        linear += matrix.matrix3 * f64::from(weight);
                        translation += matrix.translation * f64::from(weight);
                    }
                    DAffine3::from_mat3_translation(linear, translation)
                };
                let matrix = blend(common).inverse() * blend(own);
                if matrix.is_finite() { matrix } else { DAffine3::IDENTITY }
            }
        }
    }
}

/// Adds the matrices of a skin to those of the skins before it.
fn merge(
    rig: &NodeRig,
    joints: &[usize],
    own: Vec<DAffine3>,
    common: &mut [Option<DAffine3>],
) -> Space {
    // What leads from this skin's space to the common one, by the first joint they share.
    let shared = joints.iter().zip(&own).find_map(|(&joint, bind)| {
        let matrix = common[joint]?.inverse() * *bind;
        (matrix.is_finite() && matrix.inverse().is_finite()).then_some(matrix)
    });
    let moved = shared.unwrap_or(DAffine3::IDENTITY);
    let back = moved.inverse();
    let mut agrees = true;
    for (&joint, bind) in joints.iter().zip(&own) {
        match &common[joint] {
            Some(known) => {
                let size = rig.rest[joint].translation.length() + 1.0;
                agrees &= (*known * moved).abs_diff_eq(*bind, 1e-4 * size);
            }
            None => common[joint] = Some(*bind * back),
        }
    }
    if !agrees {
        let common = joints.iter().map(|&joint| common[joint].unwrap_or(DAffine3::IDENTITY));
        return Space::Refitted { own, common: common.collect() };
    }
    if moved.abs_diff_eq(DAffine3::IDENTITY, 1e-6) { Space::Common } else { Space::Moved(moved) }
}

fn read_binds(data: &DocumentData, accessor: usize) -> Result<Vec<DAffine3>, ReadError> {
    if data.kind_of(accessor)? != AccessorKind::Mat4 {
        let message = "inverse bind matrices must be MAT4";
        return Err(ReadError::element(format!("accessors[{accessor}]"), message));
    }
    let matrices = data.floats::<16>(accessor)?.into_iter().map(|m| {
        let m = m.map(f64::from);
        let columns = [m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10], m[12], m[13], m[14]];
        DAffine3::from_cols_array(&columns)
    });
    Ok(matrices.collect())
}
