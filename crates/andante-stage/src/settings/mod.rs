//! Numbers that shape what a stage does, by part.

mod avoidance;
mod behavior;
mod detail;
mod doorway;
mod moving_platform;
mod physical;
mod physics;
mod planner;
mod steering;

pub use avoidance::AvoidanceSettings;
pub use behavior::{BehaviorSettings, PursuitSettings, SeparationSettings};
pub use detail::DetailSettings;
pub use doorway::DoorwaySettings;
pub use moving_platform::MovingPlatformSettings;
pub use physical::{ComplianceSettings, PhysicalSettings, ThingSettings, TorqueWalkSettings};
pub use physics::ScenePhysicsSettings;
pub use planner::PlannerSettings;
pub use steering::SteeringSettings;

use andante_plan::steps::{StepError, StepMethod, StepOptions, StepSettings};
use andante_play::GroundingSettings;
use andante_play::blend_space::PlayerOptions;
use andante_play::change_over::ChangeOverSettings;
use andante_play::feet::FeetSettings;
use andante_play::posture::PostureSettings;
use andante_play::repertoire::Repertoire;
use serde::Deserialize;
use std::sync::Arc;
use toml::de::{DeTable, DeValue};

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
        /// Gravity, friction and contacts.
        physics: ScenePhysicsSettings = ScenePhysicsSettings::default() => check;
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
        /// How gaits follow what is asked of them.
        player: PlayerOptions = PlayerOptions::default() => check;
        /// What feet may do: reach, footholds, swings; whoever leads them.
        feet: FeetSettings = FeetSettings::default() => check;
        /// How clips are put on ground that is not level: the flights of creatures.
        grounding: GroundingSettings = GroundingSettings::default() => check;
        /// How bodies duck and look.
        posture: PostureSettings = PostureSettings::default() => check;
        /// How bodies go over from one motion to another.
        change_over: ChangeOverSettings = ChangeOverSettings::default() => check;
        /// How characters step where that is planned.
        steps: StepSettings = StepSettings::default() => check;
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

impl StageSettings {
    /// Options of a planned motion at a pace, m/s.
    pub(crate) fn step_options(&self, pace: Option<f32>) -> StepOptions {
        let planner = &self.planner;
        StepOptions {
            pace,
            acceleration: planner.acceleration,
            braking: planner.braking,
            lateral: planner.lateral,
            fade: planner.fade,
            smoothing: planner.smoothing,
            refinement: planner.refinement,
            margin: planner.jump_margin,
            feet: self.feet,
            player: self.player,
            grounding: self.grounding,
            ..StepOptions::default()
        }
    }

    /// How a repertoire is stepped with.
    pub(crate) fn step_method(
        &self,
        repertoire: &Arc<Repertoire>,
    ) -> Result<StepMethod, StepError> {
        let method = StepMethod::with_settings(Arc::clone(repertoire), self.steps)?;
        Ok(method.with_posture(self.posture))
    }
}

/// The byte of a scene file at which the value of a key begins; `part` is its group, as `feet.swing` is.
pub(crate) fn byte_of(text: &str, part: &str, key: &str) -> usize {
    let Ok(file) = DeTable::parse(text) else { return 0 };
    let mut table = file.get_ref();
    for name in std::iter::once("settings").chain(part.split('.')) {
        match table.get(name).map(|value| value.get_ref()) {
            Some(DeValue::Table(inner)) => table = inner,
            _ => return 0,
        }
    }
    table.get(key).map_or(0, |value| value.span().start)
}
