//! What cannot be done is refused at once, with the reason.

#![allow(clippy::unwrap_used)]

use andante_skeleton::humanoid;
use andante_stage::{Scene, plan_character, read_scene};
use glam::Vec2;
use std::sync::Arc;

fn refusal(scene: &Scene) -> String {
    let human = humanoid();
    let repertoire = Arc::new(andante_motion::repertoire::built_in(&human).unwrap());
    plan_character(scene, &scene.characters[0], &human, &repertoire)
        .map(|_| ())
        .unwrap_err()
        .to_string()
}

fn house(change: impl FnOnce(&mut Scene)) -> String {
    let mut scene = Scene::built_in("house").unwrap();
    change(&mut scene);
    refusal(&scene)
}

#[test]
fn a_goal_or_start_in_a_wall_is_refused_by_the_name_of_the_wall() {
    let goal = house(|scene| scene.characters[0].goal.place = Vec2::new(9.0, 5.0));
    assert!(
        goal.contains(
            "the goal (9.00, 5.00) is blocked: `hall, right, beyond the door` is 0.00 m away"
        ),
        "{goal}"
    );
    let start = house(|scene| scene.characters[0].start.place = Vec2::new(5.1, 4.0));
    assert!(
        start.contains("the start (5.10, 4.00) is blocked: `hall, left, beyond the door` is 0.0"),
        "{start}"
    );
}

#[test]
fn a_place_beside_the_ground_is_refused_as_such() {
    let goal = house(|scene| scene.characters[0].goal.place = Vec2::new(30.0, 5.0));
    assert_eq!(goal, "the goal (30.00, 5.00) is not on the ground");
    let start = house(|scene| scene.characters[0].start.place = Vec2::new(-3.0, 5.0));
    assert_eq!(start, "the start (-3.00, 5.00) is not on the ground");
    let rim = "version = 1\nname = \"rock\"\n[[platform]]\noutline = [[0, 0], [9, 0], [9, 9], [0, 9]]\n\
               [[character]]\nstart = { at = [1, 1] }\ngoal = { at = [8.95, 8] }\n";
    let rim = refusal(&read_scene(rim).unwrap());
    assert!(
        rim.contains("the goal (8.95, 8.00) is blocked: an obstacle or the end of the ground"),
        "{rim}"
    );
}

#[test]
fn an_enclosed_goal_is_refused_with_the_width_that_is_missing() {
    let text = "version = 1\nname = \"cell\"\n[[platform]]\noutline = [[0, 0], [20, 0], [20, 20], [0, 20]]\n\
        [[obstacle]]\nname = \"a\"\nat = [10, 0, 8]\nbox = [4.2, 2, 0.2]\n\
        [[obstacle]]\nname = \"b\"\nat = [10, 0, 12]\nbox = [4.2, 2, 0.2]\n\
        [[obstacle]]\nname = \"c\"\nat = [8, 0, 10]\nbox = [0.2, 2, 4.2]\n\
        [[obstacle]]\nname = \"d\"\nat = [12, 0, 10.35]\nbox = [0.2, 2, 3.5]\n\
        [[character]]\nstart = { at = [2, 2] }\ngoal = { at = [10, 10] }\n";
    let told = refusal(&read_scene(text).unwrap());
    assert!(
        told.starts_with("there is no way but through a passage 0.49 m wide; the body needs 0."),
        "{told}"
    );
}
