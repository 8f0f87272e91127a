//! A mesh that follows a skeleton.

use crate::{Skeleton, Transform};
use glam::{Mat4, Vec2, Vec3};
use thiserror::Error;

/// A skinned mesh: what a character looks like. Kept as the file had it, in metres, so that it can be
/// shown and written again.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SkinnedMesh {
    /// Parts, each with one material.
    pub primitives: Vec<Primitive>,
    /// Materials the parts refer to.
    pub materials: Vec<Material>,
    /// For each joint of the skeleton the matrix from mesh space at binding to joint space. These may
    /// hold scale, unlike joints.
    pub inverse_binds: Vec<Mat4>,
}

/// A part of a [`SkinnedMesh`].
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Primitive {
    /// Vertex attributes.
    pub vertices: Vertices,
    /// Triangles: three vertex indices each, counter-clockwise seen from outside.
    pub indices: Vec<u32>,
    /// Index into [`SkinnedMesh::materials`].
    pub material: Option<usize>,
}

/// Vertex attributes, one array each; arrays are as long as `positions`, or empty where optional.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Vertices {
    /// Positions in mesh space at binding.
    pub positions: Vec<Vec3>,
    /// Unit normals; may be empty.
    pub normals: Vec<Vec3>,
    /// Texture coordinates; may be empty.
    pub uvs: Vec<Vec2>,
    /// Colours, linear RGBA; may be empty.
    pub colors: Vec<[f32; 4]>,
    /// The four joints of the skeleton that carry a vertex.
    pub joints: Vec<[u16; 4]>,
    /// How much each of them carries; sums to 1.
    pub weights: Vec<[f32; 4]>,
}

/// The material of a surface: the part of glTF's metallic-roughness model that previews use.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name; may be empty.
    pub name: String,
    /// Linear RGBA.
    pub base_color: [f32; 4],
    /// Multiplied with `base_color`.
    pub base_color_texture: Option<Texture>,
    /// 0 = dielectric, 1 = metal.
    pub metallic: f32,
    /// 0 = mirror, 1 = matt.
    pub roughness: f32,
    /// Whether both sides are drawn.
    pub double_sided: bool,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: [1.0; 4],
            base_color_texture: None,
            metallic: 0.0,
            roughness: 0.8,
            double_sided: false,
        }
    }
}

/// An image file, still encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    /// `image/png` or `image/jpeg`.
    pub mime_type: String,
    /// The bytes of the file.
    pub bytes: Vec<u8>,
}

/// An error that keeps a mesh from fitting a skeleton.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SkinnedMeshError {
    /// The number of bind matrices is not the number of joints.
    #[error("{found} inverse bind matrices for {joints} joints")]
    Binds {
        /// Matrices given.
        found: usize,
        /// Joints of the skeleton.
        joints: usize,
    },
    /// A bind matrix is not finite.
    #[error("the inverse bind matrix of joint `{0}` is not finite")]
    NonFiniteBind(String),
    /// An attribute array has the wrong length, an index is out of range or a number is not finite.
    #[error("mesh part {primitive}: {what}")]
    Vertices {
        /// Which part.
        primitive: usize,
        /// What is wrong.
        what: &'static str,
    },
}

impl SkinnedMesh {
    /// Checks that every array has its length, every index its target and every number is finite.
    pub fn validate(&self, skeleton: &Skeleton) -> Result<(), SkinnedMeshError> {
        let joints = skeleton.len();
        if self.inverse_binds.len() != joints {
            return Err(SkinnedMeshError::Binds { found: self.inverse_binds.len(), joints });
        }
        for (joint, bind) in skeleton.joints().iter().zip(&self.inverse_binds) {
            if !bind.is_finite() {
                return Err(SkinnedMeshError::NonFiniteBind(joint.name.clone()));
            }
        }
        for (index, part) in self.primitives.iter().enumerate() {
            let fail = |what| Err(SkinnedMeshError::Vertices { primitive: index, what });
            let v = &part.vertices;
            let count = v.positions.len();
            let optional = |length: usize| length == 0 || length == count;
            if !(optional(v.normals.len()) && optional(v.uvs.len()) && optional(v.colors.len())) {
                return fail("attributes of different lengths");
            }
            if v.joints.len() != count || v.weights.len() != count {
                return fail("joints or weights missing for some vertices");
            }
            if v.joints.iter().flatten().any(|&joint| usize::from(joint) >= joints) {
                return fail("a vertex hangs on a joint that does not exist");
            }
            let finite = v.positions.iter().chain(&v.normals).all(|p| p.is_finite())
                && v.weights.iter().chain(&v.colors).flatten().all(|w| w.is_finite())
                && v.uvs.iter().all(|uv| uv.is_finite());
            if !finite {
                return fail("not a finite number");
            }
            if !part.indices.len().is_multiple_of(3) {
                return fail("indices are not whole triangles");
            }
            if part.indices.iter().any(|&vertex| vertex as usize >= count) {
                return fail("a triangle uses a vertex that does not exist");
            }
            if part.material.is_some_and(|material| material >= self.materials.len()) {
                return fail("a material that does not exist");
            }
        }
        Ok(())
    }

    /// The position of a vertex when the joints are at `models`.
    pub fn skin(&self, vertices: &Vertices, vertex: usize, models: &[Transform]) -> Vec3 {
        let position = vertices.positions[vertex];
        let carried = vertices.joints[vertex].iter().zip(vertices.weights[vertex]);
        carried
            .filter(|&(_, weight)| weight != 0.0)
            .map(|(&joint, weight)| {
                let joint = usize::from(joint);
                let local = self.inverse_binds[joint].transform_point3(position);
                models[joint].transform_point(local) * weight
            })
            .sum()
    }
}
