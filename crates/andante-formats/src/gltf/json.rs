//! The parts of a glTF document that Andante reads.
//!
//! Numbers are read as `f64`, so that a chain of nodes loses nothing before it becomes joints.
//! Whatever the format has beyond this (cameras, lights, extras) is skipped while parsing and takes
//! no memory.

use serde::Deserialize;

/// The whole document.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Root {
    pub asset: AssetInfo,
    pub extensions_required: Vec<String>,
    pub scene: Option<usize>,
    pub scenes: Vec<GltfScene>,
    pub nodes: Vec<GltfNode>,
    pub meshes: Vec<GltfMesh>,
    pub skins: Vec<GltfSkin>,
    pub animations: Vec<GltfAnimation>,
    pub accessors: Vec<Accessor>,
    pub buffer_views: Vec<BufferView>,
    pub buffers: Vec<Buffer>,
    pub materials: Vec<GltfMaterial>,
    pub textures: Vec<GltfTexture>,
    pub images: Vec<Image>,
    pub extensions: RootExtensions,
}

/// The extensions of a document that are read: those of VRM.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RootExtensions {
    #[serde(rename = "VRMC_vrm")]
    pub vrm_1: Option<VrmOne>,
    #[serde(rename = "VRM")]
    pub vrm_0: Option<VrmZero>,
}

/// VRM 1.0: bones by their names.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct VrmOne {
    pub humanoid: VrmHumanoid<std::collections::BTreeMap<String, VrmBone>>,
}

/// VRM 0.x: a list of bones.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct VrmZero {
    pub humanoid: VrmHumanoid<Vec<VrmBone>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct VrmHumanoid<T: Default> {
    pub human_bones: T,
}

#[derive(Debug, Deserialize)]
#[serde(default)]
pub(super) struct VrmBone {
    /// In the list its name.
    pub bone: String,
    /// −1 where there is none.
    pub node: i64,
}

impl Default for VrmBone {
    fn default() -> Self {
        Self { bone: String::new(), node: -1 }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct AssetInfo {
    pub version: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct GltfScene {
    pub nodes: Vec<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct GltfNode {
    pub name: Option<String>,
    pub children: Vec<usize>,
    pub mesh: Option<usize>,
    pub skin: Option<usize>,
    pub camera: Option<usize>,
    /// On the heap, because nearly no node has one and files may have very many nodes.
    pub matrix: Option<Box<[f64; 16]>>,
    pub translation: Option<[f64; 3]>,
    pub rotation: Option<[f64; 4]>,
    pub scale: Option<[f64; 3]>,
}

#[derive(Debug, Deserialize)]
pub(super) struct GltfMesh {
    pub name: Option<String>,
    pub primitives: Vec<GltfPrimitive>,
}

#[derive(Debug, Deserialize)]
pub(super) struct GltfPrimitive {
    pub attributes: Attributes,
    pub indices: Option<usize>,
    pub material: Option<usize>,
    /// 4 is triangles.
    #[serde(default = "triangles")]
    pub mode: u32,
    #[serde(default)]
    pub targets: Vec<serde::de::IgnoredAny>,
}

fn triangles() -> u32 {
    4
}

/// The attributes that are read; others are skipped.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE", default)]
pub(super) struct Attributes {
    pub position: Option<usize>,
    pub normal: Option<usize>,
    #[serde(rename = "TEXCOORD_0")]
    pub texcoord_0: Option<usize>,
    #[serde(rename = "TEXCOORD_1")]
    pub texcoord_1: Option<usize>,
    #[serde(rename = "COLOR_0")]
    pub color_0: Option<usize>,
    #[serde(rename = "JOINTS_0")]
    pub joints_0: Option<usize>,
    #[serde(rename = "JOINTS_1")]
    pub joints_1: Option<usize>,
    #[serde(rename = "WEIGHTS_0")]
    pub weights_0: Option<usize>,
    #[serde(rename = "WEIGHTS_1")]
    pub weights_1: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GltfSkin {
    pub joints: Vec<usize>,
    pub inverse_bind_matrices: Option<usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct GltfAnimation {
    pub name: Option<String>,
    pub channels: Vec<GltfChannel>,
    pub samplers: Vec<Sampler>,
}

#[derive(Debug, Deserialize)]
pub(super) struct GltfChannel {
    pub sampler: usize,
    pub target: GltfTarget,
}

#[derive(Debug, Deserialize)]
pub(super) struct GltfTarget {
    /// A channel without a node belongs to an extension.
    pub node: Option<usize>,
    pub path: Property,
}

/// What a channel moves.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Hash)]
#[serde(rename_all = "camelCase")]
pub(super) enum Property {
    Translation,
    Rotation,
    Scale,
    Weights,
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sampler {
    pub input: usize,
    pub output: usize,
    #[serde(default)]
    pub interpolation: Interpolation,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum Interpolation {
    #[default]
    Linear,
    Step,
    CubicSpline,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub buffer_view: Option<usize>,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
    #[serde(default)]
    pub normalized: bool,
    pub count: u64,
    #[serde(rename = "type")]
    pub kind: AccessorKind,
    pub sparse: Option<Sparse>,
}

/// The shape of an accessor's elements.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum AccessorKind {
    Scalar,
    Vec2,
    Vec3,
    Vec4,
    Mat2,
    Mat3,
    Mat4,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sparse {
    pub count: u64,
    pub indices: SparseIndices,
    pub values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: u64,
    pub byte_length: u64,
    pub byte_stride: Option<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub uri: Option<String>,
    pub byte_length: u64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct GltfMaterial {
    pub name: Option<String>,
    pub pbr_metallic_roughness: Pbr,
    pub double_sided: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Pbr {
    pub base_color_factor: [f32; 4],
    pub base_color_texture: Option<TextureInfo>,
    pub metallic_factor: f32,
    pub roughness_factor: f32,
}

impl Default for Pbr {
    fn default() -> Self {
        Self {
            base_color_factor: [1.0; 4],
            base_color_texture: None,
            metallic_factor: 1.0,
            roughness_factor: 1.0,
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextureInfo {
    pub index: usize,
    #[serde(default)]
    pub tex_coord: usize,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct GltfTexture {
    pub source: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Image {
    pub uri: Option<String>,
    pub buffer_view: Option<usize>,
}
