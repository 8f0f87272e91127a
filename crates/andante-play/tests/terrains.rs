//! How good motions are on every kind of ground.
#![allow(clippy::unwrap_used)]

#[path = "../examples/common/mod.rs"]
mod common;

use andante_motion::adapt::{Adapted, TakeOptions, adapt_clip};
use andante_play::measure::MotionMetrics;
use common::{Case, Terrain, built_in_case, captured, horse, terrains};

fn take(case: &Case, terrain: &Terrain) -> Adapted {
    let options = TakeOptions { extent: case.extent, fps: Some(60.0), ..TakeOptions::default() };
    adapt_clip(&case.clip, &*terrain.ground, &options).unwrap()
}

/// Legs are not stretched beyond 0.995 where the clip's own are not.
fn legs_are_not_stretched(take: &Adapted) -> bool {
    let feet = take.frames.iter().flat_map(|frame| &frame.feet);
    let mut limits = feet.map(|foot| (foot.extension, foot.source_extension.max(0.995)));
    limits.all(|(extension, limit)| extension <= limit + 1e-4)
}

#[test]
fn the_built_in_walk_keeps_its_quality_everywhere() {
    let case = built_in_case("walk");
    for terrain in terrains() {
        let name = &terrain.name;
        let take = take(&case, &terrain);
        let (m, own) = (take.metrics, take.source_metrics);
        let MotionMetrics { foot_slide_mm_mean: mean, foot_slide_mm_max: max, .. } = m;
        assert!(!take.stopped, "{name}");
        assert!(mean <= 1.0 && max <= 5.0, "{name}: {mean} {max}");
        assert!(m.penetration_mm_max <= 3.0, "{name}: {}", m.penetration_mm_max);
        assert!(m.sole_gap_mm_mean.abs() <= 5.0, "{name}: {}", m.sole_gap_mm_mean);
        assert!(m.foot_rotation_deg_max <= 6.0, "{name}: {}", m.foot_rotation_deg_max);
        assert!(legs_are_not_stretched(&take), "{name}");
        let jerk = m.pelvis_jerk_rms / own.pelvis_jerk_rms;
        assert!(jerk <= 1.5, "{name}: {jerk}");
    }
}

#[test]
fn captured_walks_keep_their_quality() {
    for clip in ["16", "22"] {
        let Some(case) = captured(&format!("cmu/16/16_{clip}.bvh")) else { return };
        for terrain in &terrains() {
            let name = &terrain.name;
            let take = take(&case, terrain);
            let (m, own) = (take.metrics, take.source_metrics);
            assert!(m.foot_slide_mm_mean <= own.foot_slide_mm_mean + 1.0, "{clip} {name}");
            assert!(m.foot_slide_mm_max <= own.foot_slide_mm_max + 1.0, "{clip} {name}");
            let deepest = m.penetration_mm_max;
            assert!(deepest <= 3.0, "{clip} {name}: {deepest}");
            let turned = m.foot_rotation_deg_max;
            assert!(turned <= own.foot_rotation_deg_max + 0.3, "{clip} {name}: {turned}");
            assert!(m.sole_gap_mm_mean.abs() <= 5.0, "{clip} {name}: {}", m.sole_gap_mm_mean);
            assert!(legs_are_not_stretched(&take), "{clip} {name}");
            assert!(m.pelvis_jerk_rms <= 1.5 * own.pelvis_jerk_rms, "{clip} {name}");
        }
    }
}

#[test]
fn a_horse_keeps_its_feet_on_any_ground() {
    let Some(case) = horse("Walk") else { return };
    for terrain in &terrains() {
        let name = &terrain.name;
        let take = take(&case, terrain);
        let (m, own) = (take.metrics, take.source_metrics);
        assert!(!take.stopped, "{name}");
        assert!(m.foot_slide_mm_mean <= own.foot_slide_mm_mean + 1.0, "{name}");
        assert!(m.foot_slide_mm_max <= own.foot_slide_mm_max + 1.0, "{name}");
        assert!(m.penetration_mm_max <= 3.0, "{name}: {}", m.penetration_mm_max);
        assert!(m.foot_rotation_deg_max <= own.foot_rotation_deg_max + 0.3, "{name}");
        assert!(m.pelvis_jerk_rms <= 1.5 * own.pelvis_jerk_rms, "{name}");
        assert!(m.sole_gap_mm_mean.abs() <= 5.0, "{name}");
        assert!(legs_are_not_stretched(&take), "{name}");
    }
}
