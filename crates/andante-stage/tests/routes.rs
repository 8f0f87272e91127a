//! Ways through the built-in scenes.

#![allow(clippy::unwrap_used, clippy::panic)]

mod oracle;
mod sweep;

use andante_plan::route::{JumpRange, NavAgent, Network, RouteOptions};
use andante_stage::{Scene, built_in_scenes, read_scene};
use glam::Vec2;
use oracle::Oracle;

fn network(scene: &Scene) -> Network {
    let jump = JumpRange { reach: [1.2, 2.6], rise: 0.3, run_up: 2.0, run_out: 1.5 };
    let walker =
        NavAgent { jump: scene.characters[0].jump.then_some(jump), ..NavAgent::person(1.75) };
    Network::new(&scene.ground, &scene.obstacles, &walker).unwrap()
}

#[test]
fn every_built_in_scene_has_a_way_to_its_goal() {
    for built_in in built_in_scenes() {
        let scene = Scene::built_in(built_in.name).unwrap();
        let network = network(&scene);
        let part = &scene.characters[0];
        let journey = network
            .find(part.start.place, part.goal.place, &RouteOptions::default())
            .unwrap_or_else(|none| panic!("{}: {none}", built_in.name));
        let jumps = journey.jumps.len();
        println!(
            "{}: {:.1} m, {jumps} jumps, {} links",
            built_in.name,
            journey.length,
            network.links().len()
        );
        assert_eq!(
            jumps,
            if ["jumps", "demo"].contains(&built_in.name) { 2 } else { 0 },
            "{}",
            built_in.name
        );
    }
}

/// The full sweep is `cargo bench -p andante-stage --bench routes`.
#[test]
fn whatever_can_be_reached_is_and_by_a_way_at_most_a_tenth_longer_than_the_shortest() {
    for name in ["parking", "house", "sheep-pen"] {
        let tries = sweep::sweep(name, 60);
        let solvable = tries.iter().filter(|one| one.optimum.is_some()).count();
        assert!(solvable > 50, "{name}: {solvable} of 60");
        for one in tries {
            match (one.found, one.optimum) {
                (Some(found), Some(optimum)) => {
                    let ratio = f64::from(found) / optimum;
                    assert!(
                        (0.9999..1.1).contains(&ratio),
                        "{name}: {ratio} from {} to {}",
                        one.start,
                        one.goal
                    );
                }
                (found, optimum) => {
                    assert_eq!(
                        found.is_some(),
                        optimum.is_some(),
                        "{name}: {} to {}",
                        one.start,
                        one.goal
                    );
                }
            }
        }
    }
}

/// The oracle itself, where the shortest way is known: a post in a field, and a wall with a door.
#[test]
fn the_oracle_knows_the_shortest_way_round_a_post_and_through_a_door() {
    let scene = |obstacles: &str| {
        let text = format!(
            "version = 1\nname = \"field\"\n[[platform]]\noutline = [[0, 0], [20, 0], [20, 20], [0, 20]]\n{obstacles}"
        );
        read_scene(&text).unwrap()
    };
    let walker = NavAgent { clearance: 0.4.into(), ..NavAgent::person(1.75) };
    let post = scene("[[obstacle]]\nname = \"post\"\nat = [10, 0, 10]\nradius = 4\ntall = 3\n");
    let way = Oracle::new(&post, &walker).shortest(Vec2::new(1.0, 10.0), Vec2::new(19.0, 10.0));
    let taut = 2.0 * (81.0f64 - 4.4 * 4.4).sqrt()
        + 4.4 * (std::f64::consts::PI - 2.0 * (4.4f64 / 9.0).acos());
    assert!((way.unwrap() - taut).abs() < 1e-5, "{way:?} {taut}");
    let door = |width: f32| {
        let wall = |x: f32| {
            format!(
                "[[obstacle]]\nname = \"wall\"\nat = [{x}, 0, 10]\nbox = [{}, 2, 0.2]\n",
                11.0 - 0.5 * width
            )
        };
        let half = 0.5 * (11.0 - 0.5 * width);
        let walls = scene(&format!(
            "{}{}",
            wall(10.0 - 0.5 * width - half),
            wall(10.0 + 0.5 * width + half)
        ));
        Oracle::new(&walls, &walker).shortest(Vec2::new(10.0, 3.0), Vec2::new(10.0, 17.0))
    };
    assert!((door(0.9).unwrap() - 14.0).abs() < 1e-9);
    assert_eq!(door(0.79), None, "too narrow");
}
