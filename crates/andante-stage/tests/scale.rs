//! Many people, and worlds that change around them.

#![allow(clippy::unwrap_used)]

use andante_stage::{Command, EventKind, FPS, GazeTarget, Scene, Stage, Waypoint, read_scene};
use andante_world::{GroundPatch, Obstacle, ObstacleShape, Platform};
use glam::{Vec2, Vec3, vec2};

const YARD: &str = "version = 1\nname = \"yard\"\n\
    [[platform]]\noutline = [[-10, -10], [10, -10], [10, 60], [-10, 60]]\n\
    [[obstacle]]\nname = \"box\"\nat = [8, 0, 50]\nbox = [1, 1, 1]\n\
    [[character]]\nname = \"a\"\nstart = { at = [0, 0], heading = 0 }\n\
    [[character]]\nname = \"b\"\nstart = { at = [3, 0], heading = 0 }\n";

fn boxed(at: Vec2) -> Obstacle {
    let at = Vec3::new(at.x, 0.0, at.y);
    Obstacle { name: "box".into(), shape: ObstacleShape::Box(Vec3::ONE), at, heading: 0.0 }
}

#[test]
fn a_box_that_is_nudged_far_away_disturbs_nobody() {
    let [mut still, mut nudged] = [0, 1].map(|_| {
        let mut stage = Stage::new(&read_scene(YARD).unwrap(), 1).unwrap();
        stage.command(0, Command::WalkTo(Waypoint::at(vec2(0.0, 9.0)))).unwrap();
        stage.command(1, Command::RunTo(Waypoint::at(vec2(4.0, 40.0)))).unwrap();
        stage
    });
    for frame in 0..900 {
        nudged.place_obstacle(boxed(vec2(8.0 + 0.2 * (frame as f32 * 0.1).sin(), 50.0))).unwrap();
        still.step(1.0 / FPS);
        nudged.step(1.0 / FPS);
        for (a, b) in still.actors().iter().zip(nudged.actors()) {
            assert_eq!(a.models(), b.models(), "{} at {frame}", a.name());
        }
    }
    assert!(still.actors()[0].is_idle());
}

/// By a plan and by the gait, at several moments of a stride: it stops, swerves or is past it, and is not thrown about.
#[test]
fn a_box_that_is_put_before_a_runner_is_survived() {
    let mut worst = 0.0f32;
    let moments =
        [(30.0, 170), (58.0, 190)].map(|(far, from)| (0..8).map(move |k| (far, from + 5 * k)));
    for (far, begun) in moments.into_iter().flatten() {
        let mut stage = Stage::new(&read_scene(YARD).unwrap(), 1).unwrap();
        stage.command(0, Command::RunTo(Waypoint::at(vec2(0.0, far)))).unwrap();
        let usual = stage.plan(0, Waypoint::at(vec2(0.0, 20.0)), true).unwrap();
        let usual = usual.performance.clips_root_accel_max.max(8.0);
        let mut places: Vec<Vec3> = Vec::new();
        let mut depth = 0.0f32;
        let mut thing = None;
        for frame in 0..3000 {
            let disc = *stage.actors()[0].disc();
            if frame == begun {
                assert!(disc.speed > 2.0, "{far} {begun}: {}", disc.speed);
                let thing = thing.insert(boxed(disc.place.position + 1.7 * disc.ahead()));
                stage.place_obstacle(thing.clone()).unwrap();
            }
            stage.step(1.0 / FPS);
            let actor = &stage.actors()[0];
            places.push(actor.models()[actor.character().rig.hips].translation);
            if let Some(thing) = &thing {
                let hips = places[frame];
                depth = depth.max(0.1 - thing.distance_beside(vec2(hips.x, hips.z)));
            }
            if actor.is_idle() && frame > begun {
                break;
            }
        }
        let change = |three: &[Vec3]| (three[2] - 2.0 * three[1] + three[0]).length() * FPS * FPS;
        let most = places.windows(3).map(change).fold(0.0, f32::max);
        worst = worst.max(most / usual);
        assert!(depth <= 0.0, "{far} {begun}: hips {depth} m too near");
        let away = stage.actors()[0].disc().place.position.distance(vec2(0.0, far));
        assert!(away < 0.05, "{far} {begun}: {away} m away");
    }
    assert!(worst <= 2.0, "{worst} times what the clips have");
}

#[test]
fn everybody_of_a_crowd_that_is_told_at_once_moves_within_two_seconds() {
    for (people, seed) in [(300, 3), (1000, 7)] {
        let mut stage = Stage::new(&Scene::crowd_of(people, seed), 1).unwrap();
        let starts: Vec<_> = stage.actors().iter().map(|actor| actor.disc().place).collect();
        for _ in 0..120 {
            stage.step(1.0 / FPS);
            assert!(!stage.events().iter().any(|event| matches!(event.kind, EventKind::Failed(_))));
        }
        for (actor, start) in stage.actors().iter().zip(starts) {
            let now = actor.disc().place;
            let gone = now.position.distance(start.position);
            let turns = (now.heading - start.heading).abs() > 0.01;
            assert!(
                gone > 0.01 || actor.disc().speed > 0.05 || turns,
                "{}: {gone} m",
                actor.name()
            );
        }
    }
}

/// Feet that are planned look for ground; it may be far away.
#[test]
fn whose_ground_was_taken_away_is_told_so_and_not_dragged_back() {
    for command in [
        Command::Path(vec![Waypoint::at(vec2(0.0, 5.0)), Waypoint::at(vec2(2.0, 5.0))]),
        Command::Face(GazeTarget::Heading(2.0)),
        Command::WalkTo(Waypoint::at(vec2(0.0, 5.0))),
    ] {
        let mut stage = Stage::new(&read_scene(YARD).unwrap(), 1).unwrap();
        let corners = [[10.0, -4.0], [20.0, -4.0], [20.0, 4.0], [10.0, 4.0]];
        let platform = Platform::level("annex", corners.map(Vec2::from).to_vec(), 0.0);
        stage.place_ground(GroundPatch { platform, terrain: None }).unwrap();
        stage.teleport(0, Waypoint::at(vec2(17.0, 0.0))).unwrap();
        stage.step(1.0 / FPS);
        stage.remove_ground("annex").unwrap();
        stage.command(0, command.clone()).unwrap();
        let mut failed = false;
        let mut before = stage.actors()[0].models().to_vec();
        for frame in 0..180 {
            stage.step(1.0 / FPS);
            failed |= stage.events().iter().any(|event| matches!(event.kind, EventKind::Failed(_)));
            let now = stage.actors()[0].models();
            for (a, b) in before.iter().zip(now) {
                let moved = a.translation.distance(b.translation);
                assert!(moved < 0.2, "{command}: {moved} m in frame {frame}");
            }
            before = now.to_vec();
        }
        assert!(failed || !matches!(command, Command::WalkTo(_)), "{command}");
    }
}

/// Everything that happens is the same, and what carries a body too; arms move less often.
#[test]
fn whoever_is_far_away_goes_the_same_way_to_the_bit() {
    let scenes = ["meeting", "stairs", "house", "turns"].map(|name| Scene::built_in(name).unwrap());
    let mut rested = 0;
    for scene in [Scene::crowd_of(60, 5)].iter().chain(&scenes) {
        let [mut near, mut far] = [0, 1].map(|_| Stage::new(scene, 3).unwrap());
        far.set_viewer(Some(Vec3::new(5000.0, 0.0, 0.0))).unwrap();
        let mut shown: Vec<_> = far.actors().iter().map(|own| own.pose().to_vec()).collect();
        for frame in 0..600 {
            if frame == 200 {
                for stage in [&mut near, &mut far] {
                    let to = Waypoint::at(stage.actors()[0].disc().place.position);
                    stage.command(0, Command::Stop).unwrap();
                    stage.command(0, Command::RunTo(to)).unwrap();
                }
            }
            let dt = [1.0 / 60.0, 0.004, 0.03][frame % 3];
            near.step(dt);
            far.step(dt);
            assert_eq!(near.events(), far.events(), "{} at {frame}", scene.name);
            assert_eq!(near.footfalls(), far.footfalls(), "{} at {frame}", scene.name);
            for ((a, b), shown) in near.actors().iter().zip(far.actors()).zip(&mut shown) {
                let rig = &a.character().rig;
                assert_eq!(a.disc(), b.disc(), "{} at {frame}", scene.name);
                let feet = rig.feet.iter().flat_map(|foot| foot.leg.iter().copied());
                for joint in feet.chain([rig.hips]) {
                    assert_eq!(a.models()[joint], b.models()[joint], "{} at {frame}", scene.name);
                }
                let arm = rig.arms[0].chain[1];
                rested += usize::from(shown[arm] == b.pose()[arm] && a.disc().speed > 0.5);
                shown.copy_from_slice(b.pose());
            }
        }
    }
    assert!(rested > 10_000, "{rested}");
    let mut stage = Stage::new(&scenes[0], 1).unwrap();
    let error = stage.set_viewer(Some(Vec3::NAN)).unwrap_err().to_string();
    assert!(error.contains("viewer"), "{error}");
}
