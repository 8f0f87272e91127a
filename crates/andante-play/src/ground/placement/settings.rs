//! What a motion that somebody else makes is placed by, and what is said of it.

use crate::{FeetSettings, SupportMotion};

andante_skeleton::settings! {
    /// Settings of placing the feet of a motion that somebody else makes. Distances are in leg lengths; times and
    /// speeds are those of legs of 0.85 m.
    #[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(default, deny_unknown_fields))]
    pub struct PlacementSettings: Copy {
        /// How high above its floor a part of a sole is at most when it comes down, and while it is down. More takes
        /// toes that pass low over the floor for feet that stand, less loses the soles of noisy captures.
        contact_heights: [f32; 2] = [0.02, 0.035], 0.0..=0.2;
        /// How fast it moves at most, in m/s, when it comes down and while it is down.
        contact_speeds: [f32; 2] = [0.3, 0.6], 0.02..=3.0;
        /// How fast a foot that rolls over its heel or its ball may move, in m/s, for all of that to be held as a slide, and
        /// from where on none is.
        rolling_speeds: [f32; 2] = [0.08, 0.25], 0.0..=3.0;
        /// Seconds over which the speed of a sole is taken. Less takes noise for steps, more sees steps late.
        speed_over: f32 = 0.02, 0.0..=0.1;
        /// Seconds over which the way of the body is taken.
        way_over: f32 = 0.15, 0.0..=1.0;
        /// Seconds in which it is learned how high above its floor a source has the soles of feet that stand.
        level_over: f32 = 0.4, 0.05..=5.0;
        /// How far a source may drift away from a foot that stands before it makes a step of its own.
        strays: f32 = 0.2, 0.05..=0.5;
        /// How far a source may turn away from a foot that stands before it makes a step of its own, in radians.
        strays_turned: f32 = 0.6, 0.1..=1.5;
        /// Seconds that such a step takes.
        step_over: f32 = 0.35, 0.1..=1.0;
        /// Seconds that a swing is held to take before one has been seen.
        swing: f32 = 0.4, 0.1..=2.0;
        /// How much of what is seen of a swing counts for the next one.
        learned: f32 = 0.6, 0.0..=1.0;
        /// How far from where its print was looked for a foot will land for another one to be looked for.
        drifts: f32 = 0.05, 0.01..=0.3;
        /// Part of a swing after which no other print is looked for.
        latest: f32 = 0.8, 0.5..=0.95;
        /// Highest step up or down.
        highest_step: f32 = 0.65, 0.3..=0.8;
        /// Seconds ahead by which a foot in the air sees what is in its way.
        ahead: f32 = 0.22, 0.0..=0.5;
        /// Seconds in which half of the way up is made over what is in its way, and half of the way down again.
        half_lift: [f32; 2] = [0.03, 0.05], 0.005..=0.2;
        /// Seconds in which the body makes half of what its legs need of it. Less is a jolt.
        half_drop: f32 = 0.05, 0.02..=0.3;
        /// How short a leg that stands may be folded for the body to come down, in shares of its length. Less sits down
        /// on the upper leg on steep stairs, more leaves the lower foot behind.
        folded: f32 = 0.45, 0.2..=0.9;
        /// How much of a leg that is too short its foot makes up for, by rolling onto its ball.
        heel_gives: f32 = 0.03, 0.0..=0.1;
        /// How far its heel rises for that at most, in radians.
        heel_raised: f32 = 0.7, 0.0..=1.2;
        /// Seconds in which a long body makes half of a change of its slope.
        half_slope: f32 = 0.1, 0.02..=0.5;
        /// A sole this close to the ground is on it, in metres. Feet that stand and are farther are said to be settling.
        on_ground: f32 = 0.008, 0.001..=0.02;
        /// A heel or a ball this close to it is down, in metres.
        down: f32 = 0.003, 5e-4..=0.02;
        /// A root that is this far from where it was in the last frame has been put there: everything begins anew.
        teleport: f32 = 0.7, 0.2..=5.0;
        /// Seconds over which a source in the air is let go, and taken up again.
        let_go: f32 = 0.2, 0.0..=1.0;
        /// How feet meet the ground.
        feet: FeetSettings = FeetSettings::default() => check;
    }
}

/// The frame of a source: what is known of it besides its pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SourceFrame<'a> {
    /// Height of the plane on which the source has its feet: that of a capsule's end, of the floor of a capture. It may
    /// change from frame to frame. None while the source jumps, falls or swims: pose and root are left to it.
    pub floor: Option<f32>,
    /// What moves below feet and does not say so itself ([`Ground::velocity`](andante_world::Ground::velocity)); what is not
    /// named stays. The ground that is asked has moved already.
    pub supports: &'a [SupportMotion],
}

impl SourceFrame<'_> {
    /// A source over a floor.
    pub fn over(floor: f32) -> Self {
        Self { floor: Some(floor), supports: &[] }
    }
}

/// The report of a frame: where the body was put.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct PlacementReport {
    /// How far the root was moved up; negative is down.
    pub raised: f32,
    /// How far of that the body came down so that its legs reach.
    pub lowered: f32,
    /// Largest distance of an ankle from where it belongs.
    pub residual: f32,
    /// Rise per metre of the step that is made, or was made last.
    pub grade: f32,
    /// Whether everything began anew, in the first frame or because the root was elsewhere all at once.
    pub began: bool,
}
