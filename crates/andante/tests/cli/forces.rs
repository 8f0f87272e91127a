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
