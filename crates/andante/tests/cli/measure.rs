//! One measure: the same names in every command that has a motion with feet, and the same values of the same motion.

use crate::{json, text};
use serde_json::Value;
use std::collections::BTreeSet;

/// What is measured of every motion with feet, as scripts rely on it.
const NAMES: [&str; 17] = [
    "foot_slide_mm_mean",
    "foot_slide_mm_max",
    "penetration_mm_max",
    "sole_gap_mm_mean",
    "foot_rotation_deg_max",
    "knee_extension_max",
    "pelvis_jerk_rms",
    "root_accel_max",
    "knee_speed_dps_max",
    "ankle_fall_mps_max",
    "ankle_rise_mps_max",
    "shank_foot_deg_min",
    "knee_bend_deg_max",
    "joint_pop_deg_max",
    "toe_pop_deg_max",
    "hips_accel_max",
    "legs_apart_mm_min",
];

/// What some commands measure besides, since they know what a motion was made from.
const BESIDES: [&str; 4] =
    ["pose_change_deg_mean", "clips_root_accel_max", "head_room_m", "root_accel_ratio"];

fn names(metrics: &Value) -> BTreeSet<String> {
    metrics.as_object().map(|all| all.keys().cloned().collect()).unwrap_or_default()
}

#[test]
fn every_command_measures_by_the_same_names() {
    let folder = tempfile::tempdir().unwrap();
    let walk = andante_testdata::own("walk_metres.bvh");
    let (walk, out) = (text(&walk), |name: &str| text(&folder.path().join(name)).to_owned());
    let scene = folder.path().join("short.toml");
    let words = "version = 1\nname = \"short\"\n[[platform]]\noutline = [[-4, -4], [4, -4], [4, 4], [-4, 4]]\n\
                 [[character]]\nname = \"ann\"\nstart = { at = [0, -2] }\ngoal = { at = [0, 1] }\n";
    std::fs::write(&scene, words).unwrap();
    let commands: [&[&str]; 9] = [
        &["inspect", walk],
        &["retarget", walk, "--to", "humanoid", &out("retargeted.glb")],
        &["edit", walk, &out("edited.bvh"), "mirror"],
        &["ground", "walk", "--terrain", "flat", "--distance", "2"],
        &["plan", text(&scene)],
        &["run", text(&scene), "-o", &out("run")],
        &["push", "--trials", "1", "--impulse", "10"],
        &["simulate", "humanoid", "--seconds", "0.3"],
        &["gait", "basic-run", "-o", &out("gait")],
    ];
    let wanted: BTreeSet<String> = NAMES.map(String::from).into();
    for command in commands {
        let told = json(command, 0);
        let found: BTreeSet<String> = names(&told["metrics"])
            .into_iter()
            .filter(|name| !BESIDES.contains(&&**name))
            .collect();
        assert_eq!(found, wanted, "{command:?}");
        let finite = |name: &str| told["metrics"][name].as_f64().is_some_and(f64::is_finite);
        assert!(NAMES.iter().all(|name| finite(name)), "{command:?}: {}", told["metrics"]);
    }
}

#[test]
fn the_same_motion_has_the_same_values_whoever_measures_it() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["walk_metres.bvh", "run_centimetres.bvh"] {
        let file = andante_testdata::own(name);
        let inspected = json(&["inspect", text(&file)], 0);
        // Reversed twice it is what it was.
        let again = folder.path().join("again.glb");
        let edited = json(&["edit", text(&file), text(&again), "reverse", "reverse"], 0);
        for name in NAMES {
            let [a, b] = [&inspected, &edited].map(|told| told["metrics"][name].as_f64().unwrap());
            assert!((a - b).abs() <= 1e-3 * a.abs().max(1.0), "{name}: {a} and {b}");
        }
        let read = json(&["inspect", text(&again)], 0);
        for name in ["knee_bend_deg_max", "knee_extension_max", "legs_apart_mm_min"] {
            let [a, b] = [&inspected, &read].map(|told| told["metrics"][name].as_f64().unwrap());
            assert!((a - b).abs() <= 1e-2 * a.abs().max(1.0), "{name}: {a} and {b}");
        }
    }
}

/// On a slope: what a plan says of its goal is what the run of it says.
#[test]
fn a_plan_and_a_run_miss_a_goal_by_the_same_distance() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("slope.toml");
    let words = "version = 1\nname = \"slope\"\n[[platform]]\noutline = [[-4, -6], [4, -6], [4, 6], [-4, 6]]\n\
                 slope = [0.0, 0.1]\n[[character]]\nname = \"ann\"\nstart = { at = [0, -3] }\ngoal = { at = [0, 2] }\n";
    std::fs::write(&scene, words).unwrap();
    let planned = json(&["plan", text(&scene)], 0);
    let played = json(&["run", text(&scene), "-o", text(&folder.path().join("out"))], 0);
    for key in ["goal_error_m", "goal_heading_error_deg"] {
        let [a, b] = [&planned, &played].map(|told| told[key].as_f64().unwrap());
        assert!((a - b).abs() < 1e-3, "{key}: {a} and {b}");
    }
}

#[test]
fn takes_of_forces_have_feet_that_land_and_leave_prints() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("push");
    json(&["push", "--trials", "1", "--impulse", "45", "--direction", "0", "-o", text(&out)], 0);
    let take = andante_take::TakeFile::open(&out.join("push.take")).unwrap().load().unwrap();
    let track = &take.tracks[0];
    assert_eq!(track.character.rig.feet.len(), 2);
    let stances: usize = track.contacts.feet.iter().map(|foot| foot.stance().len()).sum();
    assert!(stances >= 3 && track.footprints.len() >= 3, "it steps: {stances} stances");
    let names: Vec<&str> = track.vectors.iter().map(|vector| vector.name.as_str()).collect();
    for name in ["centre of mass", "capture point", "pressure", "ground force"] {
        assert!(names.contains(&name), "{names:?}");
    }
    // Somebody who stands before the push is carried by its weight.
    let force = track.vectors.iter().find(|vector| vector.name == "ground force").unwrap();
    let weight = force.values[15].y;
    let moon = json(&["push", "--trials", "1", "--impulse", "5", "--gravity", "1.62"], 0);
    assert!((500.0..1100.0).contains(&weight), "{weight} N");
    assert_eq!(moon["gravity_mps2"].as_f64(), Some(1.62));
}

/// On level ground a drop of h takes √(2h/g), under any gravity.
#[test]
fn what_is_dropped_takes_as_long_as_its_gravity_says() {
    let folder = tempfile::tempdir().unwrap();
    for (gravity, name) in [("1.62", "moon.take"), ("9.80665", "earth.take")] {
        let out = folder.path().join(name);
        json(
            &[
                "simulate",
                "humanoid",
                "--drop",
                "0.6",
                "--gravity",
                gravity,
                "--fps",
                "200",
                "-o",
                text(&out),
            ],
            0,
        );
        let take = andante_take::TakeFile::open(&out).unwrap().load().unwrap();
        let track = &take.tracks[0];
        let landed =
            track.contacts.feet.iter().filter_map(|foot| Some(foot.stance().first()?.start));
        let landed = landed.fold(f32::INFINITY, f32::min);
        let wanted = (2.0 * 0.6 / gravity.parse::<f32>().unwrap()).sqrt();
        assert!((landed - wanted).abs() < 0.02, "{gravity}: {landed} s, {wanted} s");
    }
}
