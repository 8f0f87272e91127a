//! What an animator sees between contacts, in built-in scenes and on generated ground.

#![allow(clippy::unwrap_used)]

use andante_play::measure::MotionMetrics;
use andante_play::repertoire::Repertoire;
use andante_skeleton::{Character, humanoid};
use andante_stage::{FPS, Recorder, Scene, Stage, plan_character, read_scene};
use andante_take::TrackMetrics;
use std::sync::Arc;

/// Limits of captured people: of a knee in °/s, of a pop in °, of an ankle that falls in m/s, and how far legs are apart in
/// mm.
struct SceneBand {
    scene: &'static str,
    knee_dps: f32,
    pop_deg: f32,
    fall_mps: f32,
    shank_foot_deg: f32,
    legs_mm: f32,
}

const WALKED: SceneBand = SceneBand {
    scene: "",
    knee_dps: 520.0,
    pop_deg: 14.0,
    fall_mps: 2.0,
    shank_foot_deg: 62.0,
    legs_mm: 40.0,
};

const SLOPES: SceneBand =
    SceneBand { pop_deg: 10.0, fall_mps: 2.4, shank_foot_deg: 60.0, legs_mm: 50.0, ..WALKED };

impl SceneBand {
    /// What somebody does in a scene, and whether people do that.
    fn judge(
        &self,
        name: &str,
        scene: &Scene,
        human: &Character,
        repertoire: &Arc<Repertoire>,
    ) -> (String, bool) {
        let plan = plan_character(scene, &scene.characters[0], human, repertoire).unwrap();
        self.holds(name, &plan.metrics.motion)
    }

    /// A motion in words, and whether people move like that.
    fn holds(&self, name: &str, m: &MotionMetrics) -> (String, bool) {
        let measured = format!(
            "{name}: knee {:.0} °/s, ankle {:.1} / {:.1} m/s, shank–foot {:.1}°, pop {:.1}°, legs {:.0} mm, deep {:.2} mm",
            m.knee_speed_dps_max,
            m.ankle_fall_mps_max,
            m.ankle_rise_mps_max,
            m.shank_foot_deg_min,
            m.joint_pop_deg_max,
            m.legs_apart_mm_min,
            m.penetration_mm_max,
        );
        let holds = m.knee_speed_dps_max <= self.knee_dps
            && m.joint_pop_deg_max <= self.pop_deg
            && m.shank_foot_deg_min >= self.shank_foot_deg
            && m.legs_apart_mm_min >= self.legs_mm
            && m.ankle_fall_mps_max <= self.fall_mps
            && m.ankle_rise_mps_max <= 2.9
            && m.penetration_mm_max < 3.0;
        (measured, holds)
    }
}

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
        // Where it is steep nobody runs.
        SceneBand { scene: "hills", ..SLOPES },
        // These are run through.
        SceneBand { scene: "parking", knee_dps: 900.0, ..WALKED },
        SceneBand { scene: "jumps", knee_dps: 900.0, ..WALKED },
        SceneBand { scene: "sheep-pen", knee_dps: 900.0, ..WALKED },
    ] {
        let scene = Scene::built_in(band.scene).unwrap();
        let (measured, holds) = band.judge(band.scene, &scene, &human, &repertoire);
        if !holds {
            faults.push(measured);
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn whoever_is_sent_over_steep_slopes_and_hills_walks_as_people_do() {
    let human = humanoid();
    let repertoire = Arc::new(andante_motion::repertoire::built_in(&human).unwrap());
    let mut seed = 7u64;
    let mut random = |from: f32, to: f32| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        from + (to - from) * ((seed >> 40) as f32 / (1u64 << 24) as f32)
    };
    let mut grounds: Vec<String> = [-25, -20, -15, -10, 10, 15, 20, 25]
        .iter()
        .map(|degrees| format!("slope:{degrees}"))
        .collect();
    for _ in 0..6 {
        let (length, steep) = (random(3.0, 7.0), random(0.2, 0.42));
        let way = if random(0.0, 1.0) < 0.5 { -1.0 } else { 1.0 };
        grounds
            .push(format!("hills:{:.3}:{length:.2}", way * steep * length / std::f32::consts::TAU));
    }
    let mut faults = Vec::new();
    for ground in &grounds {
        let (x, goal) = (random(-3.0, 3.0), [random(-3.0, 3.0), random(7.0, 15.0)]);
        let text = format!(
            "version = 1\nname = \"slopes\"\n[[platform]]\nname = \"ground\"\n\
             outline = [[-8, -8], [8, -8], [8, 22], [-8, 22]]\nterrain = \"{ground}\"\n\
             [[character]]\nstart = {{ at = [{x}, -5], heading = 0 }}\n\
             goal = {{ at = [{}, {}], heading = 0 }}\njump = false\n",
            goal[0], goal[1]
        );
        let (measured, holds) =
            SLOPES.judge(ground, &read_scene(&text).unwrap(), &human, &repertoire);
        if !holds {
            faults.push(measured);
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// What somebody does who is led over a terrain by speed and turn rate.
fn led(terrain: &str, speed: f32, turn: f32) -> TrackMetrics {
    let text = format!(
        "version = 1\nname = \"led\"\n[[platform]]\n\
         outline = [[-30, -6], [30, -6], [30, 30], [-30, 30]]\nterrain = \"{terrain}\"\n\
         [[character]]\nstart = {{ at = [0, 0], heading = 0 }}\n"
    );
    let scene = read_scene(&text).unwrap();
    let mut stage = Stage::new(&scene, 1).unwrap();
    let mut recorder = Recorder::new(&stage, &scene, 1).unwrap();
    for frame in 0..720 {
        let time = frame as f32 / FPS;
        let (speed, turn) =
            if time < 10.5 { (speed, turn * (0.9 * time).sin()) } else { (0.0, 0.0) };
        stage.steer(0, speed, turn).unwrap();
        stage.step(1.0 / FPS);
        recorder.frame(&stage).unwrap();
    }
    recorder.finish(&stage).unwrap().metrics()[0]
}

/// Feet of whoever is led on the fly find footholds and get over edges as those of planned walks do.
#[test]
fn whoever_is_led_over_slopes_hills_and_stairs_walks_as_people_do() {
    let stairs = SceneBand { knee_dps: 560.0, fall_mps: 2.0, ..SLOPES };
    // Down steep slopes the first step, and over steep hills some, bend knees faster. Down stairs is left out: whoever is
    // stopped there steps hastily onto the tread it stands on.
    let hasty = SceneBand { knee_dps: 600.0, pop_deg: 12.0, ..SLOPES };
    let mut faults = Vec::new();
    for (band, terrain, turn) in [
        (&SLOPES, "slope:10", 0.0),
        (&SLOPES, "slope:-10", 0.3),
        (&SLOPES, "slope:15", 0.0),
        (&hasty, "slope:-15", 0.0),
        (&SLOPES, "hills:0.15:5", 0.3),
        (&hasty, "hills:0.3:7", 0.0),
        (&stairs, "stairs:0.15:0.3", 0.0),
    ] {
        let own = led(terrain, 1.1, turn);
        let m = &own.motion;
        let (measured, natural) = band.holds(terrain, m);
        let stands = m.foot_slide_mm_max < 5.0 && m.sole_gap_mm_mean.abs() < 2.0;
        if !(natural && stands && own.way_m > 6.0) {
            let MotionMetrics { foot_slide_mm_max, sole_gap_mm_mean, .. } = m;
            faults.push(format!(
                "{measured}, slide {foot_slide_mm_max:.2} mm, gap {sole_gap_mm_mean:.2} mm, {:.1} m",
                own.way_m
            ));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
