//! Scenes that are played.

#![allow(clippy::unwrap_used)]

use andante_motion::metrics::foot_metrics;
use andante_skeleton::rotation;
use andante_stage::{EventKind, PlayOptions, Scene, Take, play, read_scene};

fn played(scene: &Scene, seed: u64) -> Take {
    play(scene, seed, &PlayOptions::default(), |_| true).unwrap()
}

/// Distance from the goal in metres and degrees, and the largest slide of a stance in millimetres.
fn measured(take: &Take, track: usize) -> [f32; 3] {
    let track = &take.tracks[track];
    let goal = track.goal.unwrap();
    let last = track.body[track.body.len() - 1];
    let turn = rotation::wrap_angle(last.heading - goal.heading).to_degrees().abs();
    let (skeleton, rig) = (&track.character.skeleton, &track.character.rig);
    let feet = foot_metrics(skeleton, rig, &track.clip, &track.contacts, |_, _| f32::NEG_INFINITY);
    [last.position.distance(goal.position), turn, feet.foot_slide_mm_max]
}

#[test]
fn every_scene_of_one_character_is_played_to_its_goal_exactly() {
    let mut wrong = Vec::new();
    for built_in in andante_stage::built_in_scenes() {
        let scene = Scene::built_in(built_in.name).unwrap();
        if scene.characters.len() > 1 {
            continue;
        }
        let take = played(&scene, 1);
        let [away, turn, slide] = measured(&take, 0);
        println!(
            "{:12} {:5.1} s: {:.2} mm, {turn:.2}°, slide {slide:.2} mm, {:?}",
            built_in.name,
            take.tracks[0].clip.duration(),
            1e3 * away,
            take.events
                .iter()
                .filter(|e| !matches!(e.kind, EventKind::Began(_)))
                .map(|e| format!("{:.1} {:?}", e.time, e.kind))
                .collect::<Vec<_>>()
        );
        if away > 1e-3 || turn > 0.5 || slide > 5.0 {
            wrong.push(format!("{}: {} mm, {turn}°, {slide} mm", built_in.name, 1e3 * away));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

const MEETING: &str = r#"
version = 1
name = "meeting"
[[platform]]
outline = [[-5, -5], [5, -5], [5, 5], [-5, 5]]
[[obstacle]]
name = "wall, left"
at = [2.8, 0, 0]
box = [4.4, 2.5, 0.15]
[[obstacle]]
name = "wall, right"
at = [-2.8, 0, 0]
box = [4.4, 2.5, 0.15]
[[character]]
name = "ann"
start = { at = [0, -4], heading = 0 }
goal = { at = [0, 4], heading = 0 }
run = false
[[character]]
name = "ben"
start = { at = [0, 4], heading = 180 }
goal = { at = [0, -4], heading = 180 }
run = false
"#;

#[test]
fn two_meet_in_a_doorway_and_both_get_through() {
    let scene = read_scene(MEETING).unwrap();
    let take = played(&scene, 1);
    for event in &take.events {
        println!("{:6.2} {:?} {:?}", event.time, event.track, event.kind);
    }
    let frames = take.tracks[0].body.len();
    let apart = (0..frames).map(|frame| {
        take.tracks[0].body[frame].position.distance(take.tracks[1].body[frame].position)
    });
    println!("{} s, closest {}", frames as f32 / 60.0, apart.fold(f32::INFINITY, f32::min));
    for track in 0..2 {
        let [away, turn, slide] = measured(&take, track);
        println!("{} mm {turn}° slide {slide}", 1e3 * away);
        assert!(away < 1e-3 && turn < 0.5 && slide < 3.0);
    }
}
