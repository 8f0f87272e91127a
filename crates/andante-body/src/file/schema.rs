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
    pub parent: Option<Spanned<String>>,
    /// Where the joint is; the root's origin.
    pub at: Option<[f64; 3]>,
    pub joint: Option<JointKind>,
    /// Where the limb leads from the joint: the joint's y axis is opposite.
    pub along: Option<[f64; 3]>,
    /// The joint's axes as a rotation vector, instead of `along`.
    pub frame: Option<[f64; 3]>,
    pub stiffness: Option<PerAxis>,
    pub damping: Option<PerAxis>,
    pub torque: Option<PerAxis>,
    pub limits: Option<LimitsTable>,
    pub mass: Option<f64>,
    pub density: Option<f64>,
    /// Centre of mass, where it is not that of the shapes.
    pub center: Option<[f64; 3]>,
    /// xx, yy, zz, xy, xz, yz about the centre of mass, where it is not that of the shapes.
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
    pub stiffness: Option<f64>,
    pub damping: Option<f64>,
}

#[derive(Clone, Deserialize, Serialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum ShapeTable {
    Box {
        center: [f64; 3],
        size: [f64; 3],
        /// Rotation vector in degrees.
        #[serde(default)]
        turn: [f64; 3],
    },
    /// A box from one point to another.
    Bone {
        from: [f64; 3],
        to: [f64; 3],
        /// Sideways.
        width: f64,
        /// Across both.
        depth: f64,
    },
    Capsule {
        /// Centres of the end spheres.
        from: [f64; 3],
        to: [f64; 3],
        radius: f64,
    },
    Sphere {
        center: [f64; 3],
        radius: f64,
    },
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
