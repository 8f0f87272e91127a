//! The keys of a scene file. Lengths in metres, angles in degrees, places as `[x, z]` or `[x, y, z]`.

use serde::Deserialize;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    /// Comes first: what follows depends on it.
    pub version: Spanned<u32>,
    pub name: String,
    #[serde(default)]
    pub about: String,
    #[serde(default)]
    pub platform: Vec<Spanned<Ground>>,
    #[serde(default)]
    pub stairs: Vec<Spanned<Stairs>>,
    #[serde(default)]
    pub obstacle: Vec<Spanned<Thing>>,
    #[serde(default)]
    pub character: Vec<Spanned<Character>>,
}

/// A platform: an outline, or a circle `at` a place with a `radius`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ground {
    #[serde(default)]
    pub name: String,
    pub outline: Option<Vec<[f32; 2]>>,
    pub at: Option<[f32; 2]>,
    pub radius: Option<f32>,
    /// Height of its first corner, or of its middle.
    #[serde(default)]
    pub height: f32,
    /// Rise per metre along x and z.
    #[serde(default)]
    pub slope: [f32; 2],
    /// Ground on top of it, such as `hills:0.25:4`.
    pub terrain: Option<Spanned<String>>,
}

/// A flight of steps.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stairs {
    #[serde(default)]
    pub name: String,
    /// The middle of the foot of the first riser.
    pub at: [f32; 2],
    /// The way up.
    #[serde(default)]
    pub heading: f32,
    pub width: f32,
    pub steps: usize,
    pub rise: f32,
    pub run: f32,
    /// Height of the ground before the first step.
    #[serde(default)]
    pub height: f32,
}

/// An obstacle: a `box` of width, height and depth, or a cylinder with a `radius` and a `tall`ness.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Thing {
    #[serde(default)]
    pub name: String,
    /// The middle of its underside.
    pub at: [f32; 3],
    #[serde(rename = "box")]
    pub size: Option<[f32; 3]>,
    pub radius: Option<f32>,
    pub tall: Option<f32>,
    #[serde(default)]
    pub heading: f32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Character {
    #[serde(default = "somebody")]
    pub name: String,
    #[serde(default = "humanoid")]
    pub character: String,
    pub repertoire: Option<String>,
    pub start: Spanned<Post>,
    pub goal: Spanned<Post>,
    #[serde(default = "yes")]
    pub run: bool,
    #[serde(default = "yes")]
    pub jump: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Post {
    pub at: [f32; 2],
    pub height: Option<f32>,
    pub heading: Option<f32>,
}

fn somebody() -> String {
    "walker".into()
}

fn humanoid() -> String {
    "humanoid".into()
}

fn yes() -> bool {
    true
}
