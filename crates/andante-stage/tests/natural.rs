//! What an animator sees between contacts, in built-in scenes.

use andante_skeleton::humanoid;
use andante_stage::{Scene, plan_character};
use std::sync::Arc;

/// Limits of captured people: of a knee in °/s, of a pop in °, and how far legs are apart in mm.
struct SceneBand {
    scene: &'static str,
    knee_dps: f32,
    pop_deg: f32,
    shank_foot_deg: f32,
    legs_mm: f32,
}

const WALKED: SceneBand =
    SceneBand { scene: "", knee_dps: 520.0, pop_deg: 14.0, shank_foot_deg: 62.0, legs_mm: 40.0 };

#[test]
fn walkers_of_built_in_scenes_move_as_people_do() {
    let human = humanoid();
    let repertoire = Arc::new(andante_motion::repertoire::built_in(&human).unwrap());
    let stairs = SceneBand { knee_dps: 560.0, pop_deg: 10.0, shank_foot_deg: 60.0, ..WALKED };
    let mut faults = Vec::new();
    for band in [
        SceneBand { scene: "turns", ..WALKED },
        SceneBand { scene: "house", ..WALKED },
        SceneBand { scene: "stairs", legs_mm: 50.0, ..stairs },
        // It is run through.
        SceneBand { scene: "parking", knee_dps: 900.0, ..WALKED },
    ] {
        let scene = Scene::built_in(band.scene).unwrap();
        let plan = plan_character(&scene, &scene.characters[0], &human, &repertoire).unwrap();
        let m = &plan.metrics.motion;
        let measured = format!(
            "{}: knee {:.0} °/s, ankle {:.1} / {:.1} m/s, shank–foot {:.1}°, pop {:.1}°, legs {:.0} mm, deep {:.2} mm",
            band.scene,
            m.knee_speed_dps_max,
            m.ankle_fall_mps_max,
            m.ankle_rise_mps_max,
            m.shank_foot_deg_min,
            m.joint_pop_deg_max,
            m.legs_apart_mm_min,
            m.penetration_mm_max,
        );
        println!("{measured}");
        let holds = m.knee_speed_dps_max <= band.knee_dps
            && m.joint_pop_deg_max <= band.pop_deg
            && m.shank_foot_deg_min >= band.shank_foot_deg
            && m.legs_apart_mm_min >= band.legs_mm
            && m.ankle_fall_mps_max <= 2.0
            && m.ankle_rise_mps_max <= 2.9
            && m.penetration_mm_max < 3.0;
        if !holds {
            faults.push(measured);
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
