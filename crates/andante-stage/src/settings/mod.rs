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

use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// A group of settings: for each its meaning, its usual value and the values it may have.
macro_rules! settings {
    ($(#[$about:meta])* $group:ident {
        $($(#[$meaning:meta])* $key:ident: $kind:ty = $usual:expr, $least:literal..=$most:literal;)*
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, ::serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $group {
            $(
                $(#[$meaning])*
                #[doc = concat!("\n\nUsually ", stringify!($usual), "; ", stringify!($least), " to ", stringify!($most), ".")]
                pub $key: $kind,
            )*
        }

        impl Default for $group {
            fn default() -> Self {
                Self { $($key: $usual,)* }
            }
        }

        impl $group {
            /// A key whose value it may not have, and what is wrong with it.
            pub(crate) fn problem(&self) -> Option<(&'static str, String)> {
                $(if !($least..=$most).contains(&self.$key) {
                    let (key, value) = (stringify!($key), self.$key);
                    let range = concat!(stringify!($least), " to ", stringify!($most));
                    return Some((key, format!("{key} is {value}; it is {range}")));
                })*
                None
            }
        }
    };
}
pub(crate) use settings;

/// The settings of a stage, part by part.
macro_rules! stage_settings {
    ($(#[$about:meta])* { $($(#[$meaning:meta])* $part:ident: $group:ty,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct StageSettings {
            $($(#[$meaning])* pub $part: $group,)*
        }

        impl StageSettings {
            /// The part and the key of a value that it may not have, and what is wrong with it.
            pub(crate) fn problem(&self) -> Option<(&'static str, &'static str, String)> {
                $(if let Some((key, text)) = self.$part.problem() {
                    return Some((stringify!($part), key, text));
                })*
                None
            }
        }
    };
}

stage_settings! {
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
    {
        /// How bodies keep clear of each other and of walls.
        avoidance: AvoidanceSettings,
        /// How narrow passages are passed in turn.
        doorways: DoorwaySettings,
        /// How a walking body is led among others.
        steering: SteeringSettings,
        /// Bodies that are moved by forces.
        physical: PhysicalSettings,
        /// Ways that are walked by a body's own torques.
        torque_walk: TorqueWalkSettings,
        /// Things that are thrown.
        things: ThingSettings,
        /// Those who ride on platforms that move.
        moving_platforms: MovingPlatformSettings,
        /// The planner of ways and footsteps.
        planner: PlannerSettings,
        /// What characters decide.
        behavior: BehaviorSettings,
        /// How a way is followed.
        pursuit: PursuitSettings,
        /// How nobody gets into another or into a wall.
        separation: SeparationSettings,
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
