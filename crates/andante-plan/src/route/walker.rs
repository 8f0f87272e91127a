//! What a character needs to get through.

use super::Clearance;

/// The dimensions of a walking character: its size, how high it steps and how far it jumps.
#[derive(Clone, Debug, PartialEq)]
pub struct NavAgent {
    /// How far its middle keeps from obstacles and rims.
    pub clearance: Clearance,
    /// Upright, from the ground, in metres.
    pub height: f32,
    /// As low as it can duck while walking. What hangs lower blocks the way.
    pub ducked: f32,
    /// The highest step it takes up or down in its stride.
    pub step: f32,
    /// The steepest ground it walks on, as rise per metre.
    pub slope: f32,
    /// Height of its hips, as a part of its own: legs pass what is lower. 0 keeps the whole body off every kerb.
    pub hips: f32,
    /// How far its middle keeps from what is lower than its hips, as a part of its radius: usually 0.3 to 1.
    pub legs: f32,
    /// Gaps it steps over in its stride.
    pub stride: Option<JumpRange>,
    /// Gaps it jumps, from run to run.
    pub jump: Option<JumpRange>,
    /// How crossings are looked for.
    pub links: LinkSettings,
}

andante_skeleton::settings! {
    /// Settings of the search for crossings of gaps.
    pub struct LinkSettings: Copy {
        /// Distance between the places of a rim that are tried, in metres. Fewer may miss a narrow landing.
        spacing: f32 = 0.5, 0.2..=2.0;
        /// Both rims must lie square to the crossing, to this cosine.
        square: f32 = 0.85, 0.5..=1.0;
    }
}

/// Gaps a character can cross.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JumpRange {
    /// Shortest and longest distance between the last footprint before the gap and the first after it.
    pub reach: [f32; 2],
    /// How much higher, at most, it may land than it took off; a jump lower by twice as much, a stride by as much.
    pub rise: f32,
    /// Straight ground needed before the take-off, to run up.
    pub run_up: f32,
    /// Straight ground needed behind the landing.
    pub run_out: f32,
}

impl NavAgent {
    /// A person of this height that does not jump.
    pub fn person(height: f32) -> Self {
        Self {
            clearance: Clearance { radius: 0.17 * height, rim: 0.09 * height },
            height,
            ducked: 0.7 * height,
            step: 0.2 * height,
            slope: 0.7,
            hips: 0.45,
            legs: 0.6,
            stride: Some(JumpRange {
                reach: [0.0, 0.42 * height],
                rise: 0.15 * height,
                run_up: 0.0,
                run_out: 0.0,
            }),
            jump: None,
            links: LinkSettings::default(),
        }
    }
}
