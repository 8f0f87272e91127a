//! The keys of a character file.

use crate::JointKind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use toml::Spanned;

/// A whole file.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BodyFile {
    /// Comes first: what follows depends on it.
    pub version: Spanned<u32>,
    pub name: String,
    #[serde(default)]
    pub description: String,
    pub torso: Spanned<String>,
    #[serde(default)]
    pub symmetry: Symmetry,
    #[serde(rename = "segment")]
    pub segments: Vec<Spanned<SegmentTable>>,
    #[serde(rename = "foot", default, skip_serializing_if = "Vec::is_empty")]
    pub feet: Vec<Spanned<FootTable>>,
    #[serde(rename = "pose", default)]
    pub poses: Vec<Spanned<PoseTable>>,
}

/// How the right side comes about.
#[derive(Clone, Copy, Deserialize, Serialize, Default, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Symmetry {
    /// It is the mirror image of the left: of `left …` a `right …` is made.
    Mirror,
    /// It is written out and must be the mirror image.
    #[default]
    Check,
    /// There is none.
    None,
}

#[derive(Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SegmentTable {
    pub name: Spanned<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<Spanned<String>>,
    /// Where the joint is; the root's origin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joint: Option<JointKind>,
    /// Where the limb leads from the joint: the joint's y axis is opposite.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub along: Option<[f64; 3]>,
    /// The joint's axes as a rotation vector, instead of `along`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<PerAxis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damping: Option<PerAxis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub torque: Option<PerAxis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<LimitsTable>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mass: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub density: Option<f64>,
    /// Centre of mass, where it is not that of the shapes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub center: Option<[f64; 3]>,
    /// xx, yy, zz, xy, xz, yz about the centre of mass, where it is not that of the shapes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inertia: Option<[f64; 6]>,
    #[serde(default)]
    pub shapes: Vec<ShapeTable>,
}

/// One number for all axes, or three.
#[derive(Clone, Copy, Deserialize, Serialize)]
#[serde(untagged)]
pub(super) enum PerAxis {
    All(f64),
    Each([f64; 3]),
}

impl PerAxis {
    pub fn values(self) -> [f64; 3] {
        match self {
            Self::All(value) => [value; 3],
            Self::Each(values) => values,
        }
    }
}

/// Angles from the design pose in degrees about the joint's axes.
#[derive(Clone, Copy, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LimitsTable {
    pub lower: PerAxis,
    pub upper: PerAxis,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damping: Option<f64>,
}

#[derive(Clone, Deserialize, Serialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum ShapeTable {
    Box(CuboidTable),
    Bone(BoneTable),
    Capsule(CapsuleTable),
    Sphere(SphereTable),
}

#[derive(Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CuboidTable {
    pub center: [f64; 3],
    pub size: [f64; 3],
    /// Rotation vector in degrees.
    #[serde(default)]
    pub turn: [f64; 3],
}

/// A box from one point to another.
#[derive(Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoneTable {
    pub from: [f64; 3],
    pub to: [f64; 3],
    /// Sideways.
    pub width: f64,
    /// Across both.
    pub depth: f64,
}

#[derive(Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CapsuleTable {
    /// Centres of the end spheres.
    pub from: [f64; 3],
    pub to: [f64; 3],
    pub radius: f64,
}

#[derive(Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SphereTable {
    pub center: [f64; 3],
    pub radius: f64,
}

#[derive(Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FootTable {
    pub name: String,
    pub segment: Spanned<String>,
    pub hip: Spanned<String>,
    pub toe: [f64; 3],
    pub heel: [f64; 3],
    #[serde(default = "default_radius")]
    pub radius: f64,
    #[serde(default)]
    pub disregarded: bool,
}

fn default_radius() -> f64 {
    0.02
}

#[derive(Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PoseTable {
    pub name: String,
    /// For each segment that turns a rotation vector in degrees, in its joint's axes; the root's in the world's.
    #[serde(default)]
    pub turn: BTreeMap<Spanned<String>, [f64; 3]>,
}
