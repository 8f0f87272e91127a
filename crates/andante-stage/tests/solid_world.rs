//! What falls or is thrown on to things of triangles, and those who stand on slopes.

#![allow(clippy::unwrap_used, clippy::panic)]

use andante_stage::{EventKind, PlayOptions, Take, play, read_scene};

fn take(world: &str, character: &str, commands: &str) -> Take {
    let text = format!(
        "version = 1\nname = \"yard\"\n{world}\n[[character]]\nname = \"ann\"\n{character}\n{commands}"
    );
    let options = PlayOptions { longest: 40.0, ..PlayOptions::default() };
    play(&read_scene(&text).unwrap(), 1, &options, |_| true).unwrap()
}

const YARD: &str = "[[platform]]\noutline = [[-8, -8], [8, -8], [8, 8], [-8, 8]]\n";

fn ann(rest: &str) -> String {
    format!("[[command]]\nwho = \"ann\"\n{rest}\n")
}

/// A block of triangles, two metres wide, as high as given; wound inside out if asked.
fn block(at: [f32; 3], half: [f32; 3], inside_out: bool) -> String {
    let corner = |k: usize| {
        let sign = |bit: usize| if k & bit == 0 { -1.0 } else { 1.0 };
        let y = if k & 2 == 0 { 0.0 } else { 2.0 * half[1] };
        format!("[{}, {y}, {}]", half[0] * sign(1), half[2] * sign(4))
    };
    let corners: Vec<String> = (0..8).map(corner).collect();
    let quads =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [0, 2, 3, 1], [4, 5, 7, 6], [2, 6, 7, 3]];
    let turn = |[a, b, c]: [usize; 3]| if inside_out { [a, c, b] } else { [a, b, c] };
    let triangles: Vec<[usize; 3]> =
        quads.iter().flat_map(|&[a, b, c, d]| [turn([a, b, c]), turn([a, c, d])]).collect();
    format!(
        "[[obstacle]]\nname = \"block\"\nat = {at:?}\nvertices = [{}]\ntriangles = {triangles:?}\n",
        corners.join(", ")
    )
}

#[test]
fn a_ball_bounces_off_a_wall_of_triangles_whichever_way_they_are_wound() {
    for inside_out in [false, true] {
        // A wall between the one who throws and the one who is thrown at.
        let wall = block([2.0, 0.0, 0.0], [0.1, 1.5, 2.0], inside_out);
        let throw = "at = 0.5\nthrow = { ball = 0.12, mass = 1, from = [5, 1.4, 0], speed = 10 }";
        let who = "body = \"physical_when_touched\"\nstart = { at = [0, 0] }";
        let take = take(&format!("{YARD}{wall}"), who, &(ann(throw) + &ann("wait = 3")));
        let ball = &take.things[0];
        let nearest = ball.places.iter().map(|at| at.translation.x).fold(f32::INFINITY, f32::min);
        assert!((2.1..2.35).contains(&nearest), "{nearest}");
        let last = ball.places.last().unwrap().translation;
        assert!(last.x > 2.2 && (last.y - 0.12).abs() < 0.01, "{last}");
        assert!(!take.events.iter().any(|event| matches!(event.kind, EventKind::Struck(_))));
    }
}

#[test]
fn a_body_that_falls_on_to_a_block_of_triangles_rests_on_it() {
    let low = block([0.0, 0.0, 1.1], [1.2, 0.2, 0.7], false);
    let who = "body = \"physical_when_touched\"\nstart = { at = [0, 0], heading = 0 }";
    let push = ann("at = 0.5\npush = { impulse = 130, direction = 0 }");
    let fall = ann("at = 0.7\nfall = true");
    let take = take(&format!("{YARD}{low}"), who, &(push + &fall + &ann("wait = 4")));
    assert!(take.events.iter().any(|event| event.kind == EventKind::Fell), "{:?}", take.events);
    let track = &take.tracks[0];
    let skeleton = &track.character.skeleton;
    let mut models = track.clip.frame(0).to_vec();
    let last = track.clip.frame_count() - 1;
    skeleton.local_to_model(track.clip.frame(last), &mut models);
    let over: Vec<_> = models
        .iter()
        .map(|model| model.translation)
        .filter(|at| at.x.abs() < 1.1 && (0.5..1.7).contains(&at.z))
        .collect();
    assert!(over.len() > 5, "it does not lie on it");
    for at in over {
        assert!((0.38..0.9).contains(&at.y), "{at}");
    }
}

#[test]
fn whoever_is_physical_on_a_slope_stands_there_from_the_beginning() {
    for (tilt, turns) in [(10.0, [0, 45, 135, 270]), (15.0, [0, 90, 165, 210])] {
        for turn in turns {
            let steep = f32::to_radians(tilt).tan();
            let (sin, cos) = f32::to_radians(turn as f32).sin_cos();
            let hill = format!("{YARD}height = 3\nslope = [{}, {}]\n", steep * sin, steep * cos);
            let who = "body = \"physical\"\nstart = { at = [1, 1], heading = 0 }";
            let take = take(&hill, who, &ann("wait = 6"));
            let fell = take.events.iter().any(|event| event.kind == EventKind::Fell);
            assert!(!fell, "{tilt} {turn}: {:?}", take.events);
            let body = &take.tracks[0].body;
            let moved = |from: usize| {
                let from = body[from..].iter().map(|at| at.position.distance(body[from].position));
                from.fold(0.0, f32::max)
            };
            assert!(moved(0) < 0.06 && moved(120) < 0.005, "{tilt} {turn}: {}", moved(0));
            let feet = &take.metrics()[0].motion;
            let good = feet.foot_slide_mm_max < 5.0 && feet.penetration_mm_max < 5.0;
            assert!(good, "{tilt} {turn}: {feet:?}");
        }
    }
}
