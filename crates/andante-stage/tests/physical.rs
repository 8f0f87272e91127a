//! Characters that are pushed and hit, and go on.

#![allow(clippy::unwrap_used)]

use andante_stage::{EventKind, PlayOptions, Take, Track, play, read_scene};
use glam::{Quat, Vec3};

const YARD: &str = r#"version = 1
name = "yard"
[[platform]]
outline = [[-8, -8], [8, -8], [8, 12], [-8, 12]]
[[character]]
name = "ann"
body = "physical_when_touched"
start = { at = [0, 0], heading = 40 }
"#;

fn take(commands: &str) -> Take {
    let scene = read_scene(&format!("{YARD}{commands}")).unwrap();
    play(&scene, 1, &PlayOptions::default(), |_| true).unwrap()
}

/// The largest change of a joint from frame to frame, in degrees, and where.
fn jumps(track: &Track) -> Vec<f32> {
    let clip = &track.clip;
    (1..clip.frame_count())
        .map(|frame| {
            let (a, b) = (clip.frame(frame - 1), clip.frame(frame));
            a.iter().zip(b).map(|(a, b)| angle(a.rotation, b.rotation)).fold(0.0, f32::max)
        })
        .collect()
}

fn angle(a: Quat, b: Quat) -> f32 {
    a.angle_between(b).to_degrees()
}

fn tell(take: &Take) {
    for event in &take.events {
        println!("{:6.2} {}", event.time, event.describe(take));
    }
    let track = &take.tracks[0];
    let jumps = jumps(track);
    for (frame, jump) in jumps.iter().enumerate().filter(|(_, jump)| **jump > 4.0) {
        println!("  {:.3} {jump:.1}", frame as f32 / 60.0);
    }
    let worst = jumps.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).unwrap();
    println!("worst {:?} of {}; {:?}", worst, jumps.len(), take.metrics());
    let mut models = track.character.skeleton.rest_models();
    for frame in (0..track.clip.frame_count()).step_by(10) {
        track.character.skeleton.local_to_model(track.clip.frame(frame), &mut models);
        let p: Vec3 = models[0].translation;
        let feet: Vec<String> = track.character.rig.feet.iter().map(|f| format!("{:.2}", f.heel.position(&models))).collect();
        println!("{:.2} {:.3} {}", frame as f32 / 60.0, p, feet.join(" "));
    }
}

#[test]
fn explore() {
    let who = "[[command]]\nwho = \"ann\"\n";
    for rest in [
        "at = 1\npush = { impulse = 40, direction = 90 }\n".to_string(),
        "at = 1\nthrow = { ball = 0.12, mass = 3, from = [4, 1.5, 0], speed = 9 }\n".to_string(),
        format!("walk_to = [4, 6]\n{who}at = 2.5\npush = {{ impulse = 15, direction = 90 }}\n"),
        format!("walk_to = [4, 6]\n{who}at = 2.5\npush = {{ impulse = 1, direction = 90 }}\n"),
        format!("at = 1\nfall = true\n{who}at = 4\nget_up = true\n"),
        "at = 1\npush = { impulse = 150, direction = 0 }\n".to_string(),
    ] {
        println!("=== {rest}");
        tell(&take(&format!("{who}{rest}")));
    }
}
