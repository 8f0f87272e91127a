//! Routes, and what is measured on them.
#![allow(dead_code, clippy::expect_used)]

use andante_plan::steps::{
    Jump, PlannedMotion, StepError, StepGround, StepJourney, StepLeg, StepMetrics, StepOptions,
    StepPlanner,
};
use andante_skeleton::{Planar, Transform, humanoid};
use andante_world::HeightFunction;
use glam::{Vec2, vec2};
use std::f32::consts::PI;
use std::sync::{Arc, OnceLock};

/// The built-in repertoire, prepared once.
pub fn planner() -> &'static StepPlanner {
    static PLANNER: OnceLock<StepPlanner> = OnceLock::new();
    PLANNER.get_or_init(|| {
        let repertoire = andante_motion::repertoire::built_in(&humanoid()).expect("built in");
        StepPlanner::new(Arc::new(repertoire)).expect("gaits")
    })
}

pub fn at(x: f32, z: f32, heading: f32) -> Planar {
    Planar::new(vec2(x, z), heading)
}

/// From the origin, facing +Z.
pub fn to(goal: Planar, legs: Vec<StepLeg>) -> StepJourney {
    StepJourney { start: Planar::IDENTITY, goal, legs }
}

pub fn arc(radius: f32, angle: f32) -> Vec<Vec2> {
    let count = (angle * radius / 0.1).ceil().max(8.0) as usize;
    let place = |k: usize| {
        let angle = angle * k as f32 / count as f32;
        radius * vec2(1.0 - angle.cos(), angle.sin())
    };
    (0..=count).map(place).collect()
}

pub fn waves(length: f32) -> Vec<Vec2> {
    let count = (10.0 * length) as usize;
    (0..=count).map(|k| k as f32 * 0.1).map(|z| vec2(1.5 * (0.6 * z).sin(), z)).collect()
}

/// A run-up, a gap and a way on.
pub fn over_gap(gap: f32) -> StepJourney {
    let (near, far) = (vec2(0.0, 6.0), vec2(0.0, 6.0 + gap));
    let end = far + vec2(0.0, 5.0);
    let legs = vec![
        StepLeg::Walk(vec![Vec2::ZERO, near]),
        StepLeg::Jump(Jump { from: near, to: far, clip: None }),
        StepLeg::Walk(vec![far, end]),
    ];
    to(Planar::new(end, 0.0), legs)
}

/// Walk, bend, run up, jump, sharp bend, second jump, slow down, stop.
pub fn jumps() -> StepJourney {
    let mut first = arc(4.0, 1.2);
    let heading = 1.2f32;
    let ahead = vec2(heading.sin(), heading.cos());
    let rim = first[first.len() - 1] + 4.5 * ahead;
    first.push(rim);
    let far = rim + 1.5 * ahead;
    let corner = far + 6.0 * ahead;
    let next = vec2(0.0, -1.0);
    let second_rim = corner + 7.0 * next;
    let second_far = second_rim + 1.2 * next;
    let end = second_far + 6.0 * next;
    let legs = vec![
        StepLeg::Walk(first),
        StepLeg::Jump(Jump { from: rim, to: far, clip: None }),
        StepLeg::Walk(vec![far, corner, second_rim]),
        StepLeg::Jump(Jump { from: second_rim, to: second_far, clip: None }),
        StepLeg::Walk(vec![second_far, end]),
    ];
    to(Planar::new(end, PI), legs)
}

pub fn routes() -> Vec<(&'static str, StepJourney)> {
    let wave = waves(12.0);
    let end = wave[wave.len() - 1];
    vec![
        ("straight", to(at(0.0, 8.0, 0.0), vec![])),
        ("bend", to(at(3.0, 3.0, 1.57), vec![StepLeg::Walk(arc(3.0, 1.571))])),
        ("tight", to(at(1.0, 0.0, PI), vec![StepLeg::Walk(arc(0.5, PI))])),
        ("waves", to(Planar::new(end, 0.3), vec![StepLeg::Walk(wave)])),
        (
            "corner",
            to(at(4.0, 4.0, 0.0), vec![StepLeg::Walk(vec![vec2(0.0, 4.0), vec2(4.0, 4.0)])]),
        ),
        ("jump", over_gap(1.6)),
        ("jumps", jumps()),
        ("behind", to(at(0.3, -3.0, 0.0), vec![])),
        ("near", to(at(0.1, 0.3, 0.2), vec![])),
        ("aside", to(at(0.6, 0.0, 0.0), vec![])),
        ("back", to(at(0.0, -0.4, 0.0), vec![])),
        ("turn", to(at(0.0, 0.0, 2.5), vec![])),
    ]
}

pub fn perform(journey: &StepJourney) -> Result<(PlannedMotion, StepMetrics), StepError> {
    perform_with(journey, &StepOptions::default())
}

pub fn perform_with(
    journey: &StepJourney,
    options: &StepOptions,
) -> Result<(PlannedMotion, StepMetrics), StepError> {
    let floor = HeightFunction::new(|_| 0.0);
    let world = StepGround::open(&floor);
    let performance = planner().perform(journey, &world, options)?;
    let character = planner().repertoire().character();
    let metrics = performance.metrics(character, (&journey.goal, None), &world);
    Ok((performance, metrics))
}

/// A number for all bits of a motion (FNV-1a).
pub fn hash(transforms: &[Transform]) -> u64 {
    let numbers = transforms.iter().flat_map(|transform| {
        transform.rotation.to_array().into_iter().chain(transform.translation.to_array())
    });
    numbers.flat_map(f32::to_le_bytes).fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
