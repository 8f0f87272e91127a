//! Reports in a real browser, where there is one.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use andante_draw::{PageSettings, take_report};
use andante_stage::{PlayOptions, Scene, Take, play};
use andante_world::{Obstacle, TriangleMesh};
use glam::Vec3;
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

/// Two characters for about twenty seconds.
fn take() -> &'static Take {
    static TAKE: OnceLock<Take> = OnceLock::new();
    TAKE.get_or_init(|| {
        let scene = Scene::built_in("demo").unwrap();
        let mut take = play(&scene, 1, &PlayOptions::default(), |_| true).unwrap();
        // One flat, one with normals.
        let rock = TriangleMesh {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z],
            normals: Vec::new(),
            triangles: vec![[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]],
        };
        let smooth = TriangleMesh { normals: rock.smooth_normals(), ..rock.clone() };
        for (mesh, at) in [(rock, Vec3::new(2.0, 0.0, 2.0)), (smooth, Vec3::new(2.0, 0.0, 4.0))] {
            take.head.obstacles.extend(Obstacle::of_mesh("rock", &mesh, at, 0.5).unwrap());
        }
        take
    })
}

fn report() -> String {
    take_report(take(), &take().metrics(), &PageSettings::default()).unwrap().to_html()
}

fn browser() -> Option<&'static str> {
    let there = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(there)
}

#[test]
fn a_report_is_small_and_loads_nothing() {
    let html = report();
    assert!(take().seconds() > 15.0 && take().tracks.len() == 2);
    assert!(html.len() < 3_000_000, "{} bytes", html.len());
    for loading in ["http://", "https://", " src=", "@import", "url("] {
        assert_eq!(html.matches(loading).count(), 0, "{loading}");
    }
    for part in ["Anna begins to", "foot slide, mean, mm", "curvature"] {
        assert!(html.contains(part), "{part}");
    }
}

/// The page plays, scrubs, orbits, toggles and follows: it tries so itself and says what it found.
#[test]
fn the_controls_of_a_report_work_in_a_browser() {
    let Some(browser) = browser() else {
        println!("no Chromium here: the report is not tried in a browser");
        return;
    };
    let directory = std::env::temp_dir().join(format!("andante-report-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let page = directory.join("report.html");
    std::fs::write(&page, report()).unwrap();
    let found = tried(browser, &page, &directory);
    // A browser may still be tidying up.
    let _ = std::fs::remove_dir_all(&directory);
    assert_eq!(found["faults"], serde_json::json!([]), "{found:#}");
    let checks = found["checks"].as_object().unwrap();
    assert!(checks.len() > 25, "{found:#}");
    for (name, works) in checks {
        assert_eq!(works, true, "{name}: {found:#}");
    }
    assert_eq!(found["passed"], true);
}

fn tried(browser: &str, page: &Path, profile: &Path) -> Value {
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--use-angle=swiftshader"])
        .args(["--enable-unsafe-swiftshader", "--virtual-time-budget=60000"])
        .args(["--window-size=1000,800", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.join("profile").display()))
        .arg(format!("file://{}#selftest", page.display()))
        .output()
        .unwrap();
    let document = String::from_utf8_lossy(&output.stdout);
    let result = document.split("id=\"selftest-result\">").nth(1);
    let result = result.and_then(|rest| rest.split("</pre>").next()).unwrap_or_else(|| {
        panic!("the page did not try itself: {}", String::from_utf8_lossy(&output.stderr))
    });
    let plain = result.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    serde_json::from_str(&plain).unwrap()
}
