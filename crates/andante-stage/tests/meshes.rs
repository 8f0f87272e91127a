//! Things made of triangles in the way.
#![allow(clippy::unwrap_used)]

use andante_skeleton::{humanoid, model_frames};
use andante_stage::{Collisions, Scene, collisions, plan_character, read_scene};
use andante_world::Obstacle;
use glam::Vec3;
use std::sync::Arc;

/// A rock in the way, and behind it a gate: two posts and a bar that hangs between them, all of one mesh.
fn garden() -> Scene {
    let block = |low: [f32; 3], high: [f32; 3], first: usize| {
        let corner = |k: usize| {
            let at = |axis: usize| if k >> axis & 1 == 0 { low[axis] } else { high[axis] };
            format!("[{}, {}, {}]", at(0), at(1), at(2))
        };
        let faces =
            [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
        let triangles = faces.iter().flat_map(|[a, b, c, d]| [[a, c, b], [a, d, c]]);
        let triangle = |corners: [&usize; 3]| format!("{:?}", corners.map(|corner| first + corner));
        let vertices: Vec<String> = (0..8).map(corner).collect();
        (vertices.join(", "), triangles.map(triangle).collect::<Vec<_>>().join(", "))
    };
    let gate = [
        block([-1.0, 0.0, -0.1], [-0.8, 2.2, 0.1], 0),
        block([0.8, 0.0, -0.1], [1.0, 2.2, 0.1], 8),
        block([-0.79, 1.6, -0.1], [0.79, 1.7, 0.1], 16),
    ];
    let [vertices, triangles] = [
        gate.each_ref().map(|(vertices, _)| vertices.as_str()).join(", "),
        gate.each_ref().map(|(_, triangles)| triangles.as_str()).join(", "),
    ];
    let text = format!(
        "version = 1\nname = \"garden\"\n\
         [[platform]]\noutline = [[-3, -1], [3, -1], [3, 13], [-3, 13]]\n\
         [[obstacle]]\nname = \"rock\"\nat = [0.1, 0, 4]\nheading = 25\n\
         vertices = [[0, 1.1, 0], [0.9, 0, -0.2], [0.2, -0.1, 0.8], [-0.7, 0, 0.4], [-0.5, 0.1, -0.6]]\n\
         triangles = [[0, 2, 1], [0, 3, 2], [0, 4, 3], [0, 1, 4], [1, 2, 3], [1, 3, 4]]\n\
         [[obstacle]]\nname = \"gate\"\nat = [0, 0, 9]\nvertices = [{vertices}]\ntriangles = [{triangles}]\n\
         [[obstacle]]\nname = \"left fence\"\nat = [2, 0, 9]\nbox = [2, 2, 0.1]\n\
         [[obstacle]]\nname = \"right fence\"\nat = [-2, 0, 9]\nbox = [2, 2, 0.1]\n\
         [[character]]\nstart = {{ at = [0, 0], heading = 0 }}\ngoal = {{ at = [0, 12], heading = 0 }}\nrun = false\n"
    );
    read_scene(&text).unwrap()
}

/// Points all over the triangles of a thing.
fn surface(obstacle: &Obstacle) -> Vec<Vec3> {
    const PARTS: usize = 12;
    let mesh = obstacle.mesh();
    let corners = mesh.triangles.iter().map(|corners| corners.map(|k| mesh.positions[k as usize]));
    corners
        .flat_map(|[a, b, c]| {
            (0..=PARTS).flat_map(move |u| (0..=PARTS - u).map(move |v| [u, v])).map(move |parts| {
                let [u, v] = parts.map(|part| part as f32 / PARTS as f32);
                a + u * (b - a) + v * (c - a)
            })
        })
        .collect()
}

#[test]
fn ways_lead_around_a_rock_and_through_a_gate_of_triangles() {
    let scene = garden();
    let names: Vec<&str> = scene.obstacles.iter().map(|piece| piece.name.as_str()).collect();
    assert_eq!(names[..4], ["rock", "gate, piece 1", "gate, piece 2", "gate, piece 3"]);
    let human = humanoid();
    let repertoire = Arc::new(andante_motion::repertoire::built_in(&human).unwrap());
    let plan = plan_character(&scene, &scene.characters[0], &human, &repertoire).unwrap();
    assert_eq!(plan.collisions, Collisions::default());
    let m = &plan.metrics;
    assert!(m.goal_error_m < 1e-3 && m.motion.foot_slide_mm_max < 5.0, "{m:?}");
    assert!(plan.metrics.head_room.unwrap() >= 0.02, "it ducks under the bar");

    // No joint comes near a triangle, however the planner sees it.
    let frames = model_frames(&human.skeleton, &plan.performance.clip);
    for thing in &scene.obstacles[..4] {
        let points = surface(thing);
        let joints = frames.iter().step_by(4).flatten().map(|model| model.translation);
        let nearest = joints
            .flat_map(|joint| points.iter().map(move |point| point.distance(joint)))
            .fold(f32::MAX, f32::min);
        assert!(nearest > 0.05, "{}: {nearest}", thing.name);
    }

    // Whoever does not look runs into the rock and the bar.
    let blind = Scene { obstacles: Vec::new(), ..scene.clone() };
    let plan = plan_character(&blind, &scene.characters[0], &human, &repertoire).unwrap();
    let met = |thing: &Obstacle| {
        collisions(&human.skeleton, &plan.performance.clip, std::slice::from_ref(thing)).frames > 0
    };
    assert_eq!(
        scene.obstacles.iter().map(met).collect::<Vec<_>>(),
        [true, false, false, true, false, false]
    );
}
