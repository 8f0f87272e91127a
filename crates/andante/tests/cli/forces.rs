//! Bodies moved by forces: `simulate` and `push`.

use crate::{andante, json, text, workplace};

#[test]
fn a_dropped_dog_comes_to_rest_and_is_written_with_its_body() {
    let (directory, _) = workplace();
    let [glb, svg] = ["dog.glb", "dog.svg"].map(|name| directory.path().join(name));
    let arguments = [
        "simulate",
        "dog",
        "--drop",
        "0.5",
        "--seconds",
        "4",
        "-o",
        text(&glb),
        "--svg",
        text(&svg),
    ];
    let made = json(&arguments, 0);
    assert_eq!(
        (made["frames"].as_u64(), made["quarantined"].is_null()),
        (Some(241), true),
        "{made}"
    );
    assert!(made["energy_last_j"].as_f64() < made["energy_first_j"].as_f64(), "{made}");
    assert!(made["contacts"].as_u64() >= Some(3), "{made}");
    let written = json(&["inspect", text(&glb)], 0);
    assert_eq!(written["frames"], 241);
    assert!(svg.exists());
    andante().args(["simulate", "dog", "--seconds", "-1"]).assert().code(2);
    andante().args(["simulate", "unicorn"]).assert().code(2);
}

#[test]
fn a_pushed_human_stays_up_and_is_drawn_and_written() {
    let (directory, _) = workplace();
    let [out, svg] = ["push", "push.svg"].map(|name| directory.path().join(name));
    let arguments =
        ["push", "--impulse", "25", "--trials", "2", "-o", text(&out), "--svg", text(&svg)];
    let made = json(&arguments, 0);
    assert_eq!((made["trials"].as_u64(), made["recovered"].as_u64()), (Some(2), Some(2)), "{made}");
    assert_eq!(made, json(&arguments, 0));
    assert!(svg.exists() && out.join("push.glb").exists() && out.join("push.json").exists());
    let html = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(html.contains("<canvas") && html.contains("capture point") && html.len() < 3_000_000);
    for wrong in [["--impulse", "1e6"], ["--impulse", "NaN"], ["--assist", "2"], ["--trials", "0"]]
    {
        andante().arg("push").args(wrong).assert().code(2);
    }
    andante().args(["push", "dog"]).assert().code(2);
}

#[test]
fn a_walking_human_that_is_pushed_walks_on_to_its_goal() {
    let (directory, _) = workplace();
    let svg = directory.path().join("walk.svg");
    let walk = ["push", "--stance", "walk", "--impulse", "5", "--trials", "2"];
    let made = json(&[&walk[..], &["--svg", text(&svg)]].concat(), 0);
    assert_eq!((made["trials"].as_u64(), made["recovered"].as_u64()), (Some(2), Some(2)), "{made}");
    assert!(made["tracking_error_deg_mean"].as_f64().unwrap() < 3.0, "{made}");
    assert!(made["contact_path_mm_max"].as_f64().unwrap() < 5.0, "{made}");
    assert!(svg.exists());
    for wrong in [["--speed", "9"], ["--assist", "1"]] {
        andante().args(walk).args(wrong).assert().code(2);
    }
}

/// Frames that are closer to each other than steps were written as if they were steps, and time went by twice as fast.
#[test]
fn what_falls_falls_as_fast_at_any_number_of_frames_a_second() {
    let directory = tempfile::tempdir().unwrap();
    for (step, fps) in [("10", 200.0), ("5", 240.0), ("2", 60.0), ("10", 60.0), ("2", 1000.0)] {
        let path = directory.path().join("fall.bvh");
        let fps_word = format!("{fps}");
        let words = ["simulate", "dog", "--drop", "20", "--seconds", "1", "--step", step];
        andante().args(words).args(["--fps", &fps_word, "-o", text(&path)]).assert().code(0);
        let read = std::fs::read_to_string(&path).unwrap();
        let (_, motion) = read.split_once("Frame Time:").unwrap();
        let heights: Vec<f64> = motion
            .lines()
            .skip(1)
            .filter_map(|line| line.split_whitespace().nth(1)?.parse().ok())
            .collect();
        let last = heights.len() - 1;
        assert!((last as f64 / fps - 1.0).abs() < 0.02, "step {step}, {fps} fps: {last} frames");
        // Of what falls freely, at any moment.
        let fallen = |frame: usize| heights[0] - heights[frame];
        let unit = fallen(last) / 4.905;
        for frame in (0..=last).step_by(1 + last / 40) {
            let time = frame as f64 / fps;
            let off = fallen(frame) / unit - 4.905 * time * time * (last as f64 / fps).powi(-2);
            assert!(off.abs() < 0.06, "step {step}, {fps} fps, {time} s: off by {off} m");
        }
        assert!((0.9..1.1).contains(&unit) || (90.0..110.0).contains(&unit), "{unit}");
    }
}

/// What has just been let go is slow, and in the air.
#[test]
fn what_hangs_in_the_air_is_not_said_to_lie_still() {
    for seconds in ["0", "0.01"] {
        let words = ["simulate", "dog", "--drop", "5", "--gravity", "0.1", "--seconds", seconds];
        let told = crate::json(&words, 0);
        assert_eq!(told["at_rest"], false, "{told}");
    }
}
