//! The keys of a scene file. Lengths in metres, angles in degrees, places as `[x, z]` or `[x, y, z]`.

use super::commands::CommandTable;
use crate::StageSettings;
use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SceneFile {
    /// Comes first: what follows depends on it.
    pub version: Spanned<u32>,
    pub name: String,
    #[serde(default)]
    pub about: String,
    #[serde(default)]
    pub platform: Vec<Spanned<GroundTable>>,
    #[serde(default)]
    pub stairs: Vec<Spanned<StairsTable>>,
    #[serde(default)]
    pub obstacle: Vec<Spanned<ObstacleTable>>,
    #[serde(default)]
    pub moving_platform: Vec<Spanned<Ferry>>,
    #[serde(default)]
    pub character: Vec<Spanned<CharacterTable>>,
    #[serde(default)]
    pub command: Vec<Spanned<CommandTable>>,
    #[serde(default)]
    pub settings: StageSettings,
}

/// A platform: an outline, a circle `at` a place with a `radius`, or a `mesh` file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GroundTable {
    #[serde(default)]
    pub name: String,
    pub outline: Option<Vec<GivenPlace>>,
    pub at: Option<GivenPlace>,
    pub radius: Option<f32>,
    /// Height of its first corner, or of its middle.
    pub height: Option<f32>,
    /// Rise per metre along x and z.
    pub slope: Option<[f32; 2]>,
    /// Ground on top of it, such as `hills:0.25:4`.
    pub terrain: Option<Spanned<String>>,
    /// A file of triangles that are the ground, with their origin `at` a place.
    pub mesh: Option<Spanned<String>>,
}

/// A flight of steps.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StairsTable {
    #[serde(default)]
    pub name: String,
    /// The middle of the foot of the first riser.
    pub at: GivenPlace,
    /// The way up.
    #[serde(default)]
    pub heading: f32,
    pub width: f32,
    pub steps: usize,
    pub rise: f32,
    pub run: f32,
    /// Height of the ground before the first step.
    pub height: Option<f32>,
}

/// An obstacle: a `box` of width, height and depth, a cylinder with a `radius` and a `tall`ness, or triangles, here or in a
/// `mesh` file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ObstacleTable {
    #[serde(default)]
    pub name: String,
    /// The middle of its underside; of triangles, where their origin is.
    pub at: [f32; 3],
    #[serde(rename = "box")]
    pub size: Option<[f32; 3]>,
    pub radius: Option<f32>,
    pub tall: Option<f32>,
    pub mesh: Option<Spanned<String>>,
    pub vertices: Option<Vec<Spanned<[f32; 3]>>>,
    /// Numbers of vertices, from 0.
    pub triangles: Option<Vec<Spanned<[u32; 3]>>>,
    #[serde(default)]
    pub heading: f32,
}

/// A `box` that goes from stop to stop.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ferry {
    #[serde(default)]
    pub name: String,
    /// The middle of its underside at the beginning.
    pub at: [f32; 3],
    #[serde(default)]
    pub heading: f32,
    #[serde(rename = "box")]
    pub size: [f32; 3],
    pub stops: Vec<Spanned<Stop>>,
    /// m/s.
    pub speed: Option<Spanned<f32>>,
    /// m/s².
    pub acceleration: Option<Spanned<f32>>,
    /// Seconds at each stop.
    pub wait: Option<Spanned<f32>>,
    #[serde(default)]
    pub round: bool,
}

/// `[x, y, z]`, or with a heading.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected a stop `[x, y, z]`, or `{ at = [x, y, z], heading = degrees }`"
)]
pub(super) enum Stop {
    At([f32; 3]),
    Turned(TurnedStop),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TurnedStop {
    pub at: [f32; 3],
    pub heading: f32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CharacterTable {
    #[serde(default = "somebody")]
    pub name: String,
    #[serde(default = "humanoid")]
    pub character: String,
    pub repertoire: Option<String>,
    /// Of the built-in character, in metres.
    pub height: Option<f32>,
    pub start: Spanned<WaypointTable>,
    /// Short for one command.
    pub goal: Option<Spanned<WaypointTable>>,
    #[serde(default = "yes")]
    pub run: bool,
    #[serde(default = "yes")]
    pub jump: bool,
    /// `kinematic`, `physical` or `physical_when_touched`.
    pub body: Option<Spanned<String>>,
    /// `navigation_mesh` or `two_trees`.
    pub route: Option<Spanned<String>>,
    /// `route` or `roadmap`.
    pub steps: Option<Spanned<String>>,
}

/// A place, or one with a heading: `[x, z]`, `[x, y, z]` or `{ at = …, heading = degrees }`.
pub(super) struct WaypointTable {
    pub at: GivenPlace,
    pub height: Option<f32>,
    pub heading: Option<f32>,
}

impl<'de> Deserialize<'de> for WaypointTable {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Keys {
            at: GivenPlace,
            height: Option<f32>,
            heading: Option<f32>,
        }
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = WaypointTable;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(
                    "a place `[x, z]` or `[x, y, z]`, or `{ at = [x, z], heading = degrees }`",
                )
            }

            fn visit_seq<A: SeqAccess<'de>>(self, numbers: A) -> Result<Self::Value, A::Error> {
                let at = GivenPlace::deserialize(SeqAccessDeserializer::new(numbers))?;
                Ok(WaypointTable { at, height: None, heading: None })
            }

            fn visit_map<A: MapAccess<'de>>(self, keys: A) -> Result<Self::Value, A::Error> {
                let Keys { at, height, heading } =
                    Keys::deserialize(MapAccessDeserializer::new(keys))?;
                Ok(WaypointTable { at, height, heading })
            }
        }
        from.deserialize_any(Either)
    }
}

/// A place seen from above, `[x, z]`, or one with the height of its ground, `[x, y, z]`.
#[derive(Clone, Copy)]
pub(super) struct GivenPlace {
    pub place: [f32; 2],
    pub height: Option<f32>,
}

impl<'de> Deserialize<'de> for GivenPlace {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match Vec::<f32>::deserialize(from)?[..] {
            [x, z] => Ok(Self { place: [x, z], height: None }),
            [x, y, z] => Ok(Self { place: [x, z], height: Some(y) }),
            ref numbers => Err(serde::de::Error::custom(format!(
                "expected a place `[x, z]` or `[x, y, z]`, found {} numbers",
                numbers.len()
            ))),
        }
    }
}

impl GivenPlace {
    /// Its height, or the one that is given by a key; not both.
    pub fn height_or(&self, key: Option<f32>) -> Result<Option<f32>, String> {
        match (self.height, key) {
            (Some(y), Some(height)) => Err(format!(
                "a height is said twice: {y} in `[x, y, z]` and `height = {height}`; leave one out"
            )),
            (y, height) => Ok(y.or(height)),
        }
    }
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
