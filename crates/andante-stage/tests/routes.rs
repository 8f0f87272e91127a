//! Ways through the built-in scenes.

#![allow(clippy::unwrap_used)]

use andante_plan::route::{CurveOptions, Leap, Leg, Network, NoRoute, Walker, length};
use andante_stage::{Scene, built_in_scenes};
use andante_world::Platform;
use glam::Vec2;

fn network(scene: &Scene) -> Network {
    let platforms: Vec<Platform> =
        scene.ground.iter().map(|patch| patch.platform.clone()).collect();
    let jump = Leap { reach: [1.2, 2.6], rise: 0.3, run_up: 2.0, run_out: 1.5 };
    let walker = Walker { jump: scene.characters[0].jump.then_some(jump), ..Walker::person(1.75) };
    Network::new(&platforms, &scene.obstacles, &walker).unwrap()
}

#[test]
fn every_built_in_scene_has_a_way_to_its_goal() {
    for built_in in built_in_scenes() {
        let scene = Scene::built_in(built_in.name).unwrap();
        let network = network(&scene);
        let part = &scene.characters[0];
        let journey = network
            .find(part.start.place, part.goal.place, &CurveOptions::default())
            .unwrap_or_else(|none| panic!("{}: {none}", built_in.name));
        let jumps = journey.legs.iter().filter(|leg| matches!(leg, Leg::Jump(_))).count();
        println!(
            "{}: {:.1} m, {jumps} jumps, {} links",
            built_in.name,
            journey.length,
            network.links().len()
        );
        assert_eq!(jumps, if built_in.name == "jumps" { 2 } else { 0 }, "{}", built_in.name);
    }
}

/// Every pair of free places on one island is connected, by a way that random trees do not beat.
#[test]
fn random_goals_are_reached_whenever_they_can_be() {
    for name in ["parking", "house", "sheep-pen"] {
        let scene = Scene::built_in(name).unwrap();
        let network = network(&scene);
        let walls = network.places().walls(0);
        let (low, high) = walls.bounds();
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f32 / (1u64 << 24) as f32
        };
        let (mut solved, mut apart) = (0, 0);
        while solved + apart < 300 {
            let mut place = || low + (high - low) * Vec2::new(random(), random());
            let (start, goal) = (place(), place());
            if !(walls.is_free(start) && walls.is_free(goal)) {
                continue;
            }
            let island = |place| network.places().levels()[0].mesh.island_of(place);
            match network.find(start, goal, &CurveOptions::default()) {
                Ok(journey) => {
                    solved += 1;
                    assert!(journey.length < 4.0 * length(&[start, goal]) + 40.0);
                }
                Err(NoRoute::Enclosed { .. }) if island(start) != island(goal) => apart += 1,
                Err(none) => panic!("{name}: {start} to {goal}: {none}"),
            }
        }
        println!("{name}: {solved} solved, {apart} between islands");
        assert!(solved > 150);
    }
}
