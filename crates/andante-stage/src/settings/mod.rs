//! Numbers that shape what a stage does, by part.

mod avoidance;
mod behavior;
mod doorway;
mod moving_platform;
mod physical;
mod planner;
mod steering;

pub use avoidance::AvoidanceSettings;
pub use behavior::{BehaviorSettings, PursuitSettings, SeparationSettings};
pub use doorway::DoorwaySettings;
pub use moving_platform::MovingPlatformSettings;
pub use physical::{PhysicalSettings, ThingSettings, TorqueWalkSettings};
pub use planner::PlannerSettings;
pub use steering::SteeringSettings;

use andante_skeleton::SettingError;
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// The settings of a stage: all numbers that shape what characters do on it. They are part of a
/// [`Scene`](crate::Scene); a scene file sets them in `[settings.PART]` tables.
///
/// ```
/// use andante_stage::read_scene;
///
/// let text = r#"
/// version = 1
/// name = "yard"
/// [settings.avoidance]
/// margin = 0.4
/// [[platform]]
/// outline = [[-4, -4], [4, -4], [4, 4], [-4, 4]]
/// "#;
/// assert_eq!(read_scene(text)?.settings.avoidance.margin, 0.4);
///
/// let error = read_scene(&text.replace("0.4", "-1")).unwrap_err();
/// assert_eq!(error.to_string(), "line 5, column 10: margin is -1; it is 0.0 to 2.0");
/// # Ok::<(), andante_formats::ReadError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StageSettings {
    /// How bodies keep clear of each other and of walls.
    pub avoidance: AvoidanceSettings,
    /// How narrow passages are passed in turn.
    pub doorways: DoorwaySettings,
    /// How a walking body is led among others.
    pub steering: SteeringSettings,
    /// Bodies that are moved by forces.
    pub physical: PhysicalSettings,
    /// Ways that are walked by a body's own torques.
    pub torque_walk: TorqueWalkSettings,
    /// Things that are thrown.
    pub things: ThingSettings,
    /// Those who ride on platforms that move.
    pub moving_platforms: MovingPlatformSettings,
    /// The planner of ways and footsteps.
    pub planner: PlannerSettings,
    /// What characters decide.
    pub behavior: BehaviorSettings,
    /// How a way is followed.
    pub pursuit: PursuitSettings,
    /// How nobody gets into another or into a wall.
    pub separation: SeparationSettings,
}

impl StageSettings {
    /// Refuses a value that is out of its range, and names the part that it is in.
    pub(crate) fn check(&self) -> Result<(), (&'static str, SettingError)> {
        let parts = [
            ("avoidance", self.avoidance.check()),
            ("doorways", self.doorways.check()),
            ("steering", self.steering.check()),
            ("physical", self.physical.check()),
            ("torque_walk", self.torque_walk.check()),
            ("things", self.things.check()),
            ("moving_platforms", self.moving_platforms.check()),
            ("planner", self.planner.check()),
            ("behavior", self.behavior.check()),
            ("pursuit", self.pursuit.check()),
            ("separation", self.separation.check()),
        ];
        parts.into_iter().try_for_each(|(part, check)| check.map_err(|error| (part, error)))
    }
}

/// Tables of settings, for where their values are in a file.
#[derive(Deserialize)]
struct SettingsTables {
    settings: BTreeMap<String, BTreeMap<String, Spanned<toml::Value>>>,
}

/// The byte of a scene file at which the value of a key begins.
pub(crate) fn byte_of(text: &str, part: &str, key: &str) -> usize {
    let tables = toml::from_str::<SettingsTables>(text).ok();
    let value = tables.as_ref().and_then(|tables| tables.settings.get(part)?.get(key));
    value.map_or(0, |value| value.span().start)
}
