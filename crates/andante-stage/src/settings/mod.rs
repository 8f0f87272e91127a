//! Numbers that shape what a stage does, by part.

mod avoidance;
mod behavior;
mod detail;
mod doorway;
mod moving_platform;
mod physical;
mod planner;
mod steering;

pub use avoidance::AvoidanceSettings;
pub use behavior::{BehaviorSettings, PursuitSettings, SeparationSettings};
pub use detail::DetailSettings;
pub use doorway::DoorwaySettings;
pub use moving_platform::MovingPlatformSettings;
pub use physical::{ComplianceSettings, PhysicalSettings, ThingSettings, TorqueWalkSettings};
pub use planner::PlannerSettings;
pub use steering::SteeringSettings;

use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

andante_skeleton::settings! {
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
    #[serde(default, deny_unknown_fields)]
    pub struct StageSettings: Copy, Deserialize {
        /// How bodies keep clear of each other and of walls.
        avoidance: AvoidanceSettings = AvoidanceSettings::default() => check;
        /// How narrow passages are passed in turn.
        doorways: DoorwaySettings = DoorwaySettings::default() => check;
        /// How a walking body is led among others.
        steering: SteeringSettings = SteeringSettings::default() => check;
        /// Bodies that are moved by forces.
        physical: PhysicalSettings = PhysicalSettings::default() => check;
        /// Bodies that give way to light touches while motion leads them.
        compliance: ComplianceSettings = ComplianceSettings::default() => check;
        /// Ways that are walked by a body's own torques.
        torque_walk: TorqueWalkSettings = TorqueWalkSettings::default() => check;
        /// Things that are thrown.
        things: ThingSettings = ThingSettings::default() => check;
        /// Those who ride on platforms that move.
        moving_platforms: MovingPlatformSettings = MovingPlatformSettings::default() => check;
        /// The planner of ways and footsteps.
        planner: PlannerSettings = PlannerSettings::default() => check;
        /// What characters decide.
        behavior: BehaviorSettings = BehaviorSettings::default() => check;
        /// How a way is followed.
        pursuit: PursuitSettings = PursuitSettings::default() => check;
        /// How nobody gets into another or into a wall.
        separation: SeparationSettings = SeparationSettings::default() => check;
        /// How much of those is made who are far away.
        detail: DetailSettings = DetailSettings::default() => check;
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
