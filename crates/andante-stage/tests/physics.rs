//! Gravity and friction are a scene's: they reach bodies, things and what is thrown.

#![allow(clippy::unwrap_used)]

use andante_body::PropForm;
use andante_stage::{EventKind, PlayOptions, SceneGround, Stage, play, read_scene};
use glam::{Vec2, Vec3};

fn scene(settings: &str, ground: &str, commands: &str) -> String {
    format!(
        r#"version = 1
name = "elsewhere"
[settings.physics]
{settings}
{ground}
[[character]]
name = "ann"
body = "physical_when_touched"
start = {{ at = [0, 0] }}
{commands}
"#
    )
}

const LEVEL: &str = "[[platform]]\noutline = [[-30, -30], [30, -30], [30, 30], [-30, 30]]";
const SLOPE: &str =
    "[[platform]]\noutline = [[-40, -40], [40, -40], [40, 40], [-40, 40]]\nslope = [0.0, 0.306]";

/// Seconds until something let go of at a height is on the ground, from frame to frame.
fn falls_for(gravity: f64, height: f32, radius: f64, dt: f32) -> f32 {
    let text = scene(&format!("gravity = {gravity}"), LEVEL, "");
    let mut stage = Stage::new(&read_scene(&text).unwrap(), 1).unwrap();
    let ball = PropForm::Ball { radius };
    stage.place_prop("ball", ball, 1.0, Vec3::new(6.0, height, 6.0)).unwrap();
    let (mut time, mut before) = (0.0, height);
    loop {
        stage.step(dt);
        let now = stage.props().next().unwrap().2.translation.y;
        time += dt;
        // It lies there, or has bounced.
        if now >= before || now < radius as f32 + 1e-3 {
            return time;
        }
        before = now;
        assert!(time < 60.0, "{gravity}: still at {now} m");
    }
}

#[test]
fn what_falls_takes_the_time_that_its_gravity_says() {
    for (gravity, height, dt) in [
        (1.62, 4.0, 1.0 / 60.0),
        (3.72, 2.5, 1.0 / 30.0),
        (9.80665, 5.0, 1.0 / 144.0),
        (24.8, 9.0, 0.01),
    ] {
        let wanted = (2.0 * (height - 0.1) / gravity as f32).sqrt();
        let found = falls_for(gravity, height, 0.1, dt);
        assert!(
            (found - wanted).abs() < 0.01 * wanted + 2.0 * dt,
            "{gravity}: {found} s, {wanted} s"
        );
    }
}

/// The vertical acceleration of what is thrown, between the frames of a take.
#[test]
fn what_is_thrown_flies_under_the_gravity_of_its_scene_and_still_hits() {
    for gravity in [1.62f32, 9.80665] {
        let throw = "[[command]]\nwho = \"ann\"\nat = 0.5\n\
                     throw = { ball = 0.12, mass = 1, from = [5, 1.5, 0], speed = 9 }";
        let text = scene(&format!("gravity = {gravity}"), LEVEL, throw);
        let take = play(&read_scene(&text).unwrap(), 1, &PlayOptions::default(), |_| true).unwrap();
        let ball = &take.things[0];
        let heights: Vec<f32> = ball.places.iter().map(|place| place.translation.y).collect();
        // While it flies: from a moment after it was thrown until a moment before it is there.
        let flight = &heights[2..28];
        let fps = take.head.fps;
        let (first, last) = (flight[1] - flight[0], flight[25] - flight[24]);
        let found = (first - last) * fps * fps / 24.0;
        assert!((found - gravity).abs() < 0.03 * gravity, "{found} m/s², not {gravity}");
        let struck = |event: &andante_stage::Event| {
            matches!(event.kind, andante_stage::EventKind::Struck(_))
        };
        assert!(take.events.iter().any(struck), "{:?}", take.events);
    }
}

/// How far somebody who has fallen on a slope of 17 degrees gets in eight seconds, along the ground.
fn slides(settings: &str) -> f32 {
    let text = scene(settings, SLOPE, "[[command]]\nwho = \"ann\"\nat = 0.2\nfall = true");
    let mut stage = Stage::new(&read_scene(&text).unwrap(), 1).unwrap();
    let place = |stage: &Stage| stage.actors()[0].disc().place.position;
    let start = place(&stage);
    for _ in 0..480 {
        stage.step(1.0 / 60.0);
    }
    place(&stage).distance(start)
}

#[test]
fn whoever_lies_on_a_slope_slides_on_ice_and_stays_on_the_usual_ground() {
    let (ice, usual) = (slides("friction = 0.03"), slides(""));
    assert!(ice > usual + 3.0, "{ice} m on ice, {usual} m otherwise");
}

#[test]
fn a_cube_on_a_slope_slides_where_friction_is_less_than_its_steepness() {
    let slid = |friction: f64| {
        let text = scene(&format!("thing_friction = {friction}"), SLOPE, "");
        let scene = read_scene(&text).unwrap();
        let mut stage = Stage::new(&scene, 1).unwrap();
        let ground = SceneGround::new(&scene.ground).height_at(Vec2::new(4.0, 0.0)).unwrap();
        let from = Vec3::new(4.0, ground + 0.3, 0.0);
        stage.place_prop("cube", PropForm::Cube { side: 0.4 }, 5.0, from).unwrap();
        (0..240).for_each(|_| stage.step(1.0 / 60.0));
        stage.props().next().unwrap().2.translation.distance(from)
    };
    // tan 17° is 0.306.
    let (slips, holds) = (slid(0.15), slid(0.6));
    assert!(slips > 3.0 && holds < 1.0, "{slips} m, {holds} m");
}

#[test]
fn what_no_world_has_is_refused_where_it_is_said() {
    let refused = |settings: &str| read_scene(&scene(settings, LEVEL, "")).unwrap_err().to_string();
    assert_eq!(refused("gravity = 0"), "line 4, column 11: gravity is 0; it is 0.1 to 100.0");
    assert_eq!(refused("friction = -1"), "line 4, column 12: friction is -1; it is 0.0 to 5.0");
}

fn taken(text: &str) -> andante_stage::Take {
    play(&read_scene(text).unwrap(), 1, &PlayOptions::default(), |_| true).unwrap()
}

/// Mean of a vector of the first track over a stretch of frames.
fn mean(take: &andante_stage::Take, name: &str, frames: std::ops::Range<usize>) -> Vec3 {
    let vector = take.tracks[0].vectors.iter().find(|vector| vector.name == name).unwrap();
    let values = &vector.values[frames];
    values.iter().sum::<Vec3>() / values.len() as f32
}

/// Who stands is carried by the ground with its weight, and the pressure is where its mass is.
#[test]
fn a_take_has_the_forces_on_whom_they_move() {
    let wait = "[[command]]\nwho = \"ann\"\nwait = 3";
    let stands = |gravity: &str| {
        let text = scene(gravity, LEVEL, wait).replace("physical_when_touched", "physical");
        let take = taken(&text);
        let count = take.tracks[0].vectors[0].values.len();
        let frames = count / 2..count - 1;
        let names = ["ground force", "centre of mass", "pressure", "capture point"];
        names.map(|name| mean(&take, name, frames.clone()))
    };
    let [force, centre, pressure, capture] = stands("");
    let [light, ..] = stands("gravity = 4.9");
    let mass = force.y / 9.80665;
    assert!((50.0..90.0).contains(&mass), "{mass} kg");
    assert!((light.y / 4.9 - mass).abs() < 0.05 * mass, "{} kg there", light.y / 4.9);
    assert!((0.8..1.1).contains(&centre.y), "{centre}");
    for below in [pressure, capture] {
        assert!(below.y.abs() < 0.02 && below.with_y(centre.y).distance(centre) < 0.03, "{below}");
    }
}

#[test]
fn forces_are_in_a_take_while_they_move_somebody_and_the_centre_of_mass_always() {
    let push = "[[command]]\nwho = \"ann\"\nat = 0.5\npush = { impulse = 30, direction = 90 }";
    let take = taken(&scene("", LEVEL, push));
    let track = &take.tracks[0];
    let of = |name: &str| track.vectors.iter().find(|vector| vector.name == name).unwrap();
    let physical =
        |frame: usize| track.physical.iter().any(|own| own.contains(frame as f32 / take.head.fps));
    let (centre, capture) = (of("centre of mass"), of("capture point"));
    assert!(centre.values.iter().all(|at| at.is_finite()));
    // But for the frames in which they take over and let go.
    let frames = (1..capture.values.len() - 1).filter(|&at| physical(at - 1) == physical(at + 1));
    let mut seen = [false; 2];
    for frame in frames {
        assert_eq!(capture.values[frame].is_finite(), physical(frame), "frame {frame}");
        seen[usize::from(physical(frame))] = true;
    }
    assert_eq!(seen, [true; 2]);
    let kinematic = scene("", LEVEL, "").replace("body = \"physical_when_touched\"\n", "");
    let kinematic = kinematic
        .replace("start = { at = [0, 0] }", "start = { at = [0, 0] }\ngoal = { at = [0, 2] }");
    let alone = taken(&kinematic);
    let names: Vec<&str> =
        alone.tracks[0].vectors.iter().map(|vector| vector.name.as_str()).collect();
    assert_eq!(names, ["centre of mass"]);
}

/// Somebody on level ground who walks under a gravity and is touched after three seconds.
fn walker(gravity: f64, height: f32, touch: &str) -> Stage {
    let text = format!(
        "version = 1\nname = \"moon\"\n[settings.physics]\ngravity = {gravity}\n\
         [[platform]]\noutline = [[-20, -20], [20, -20], [20, 20], [-20, 20]]\n\
         [[character]]\nname = \"a\"\nheight = {height}\nstart = {{ at = [0, -5], heading = 0 }}\n\
         body = \"physical_when_touched\"\n\
         [[command]]\nwho = \"a\"\nwalk_to = [0, 4]\n\
         [[command]]\nwho = \"a\"\nat = 3.0\n{touch}\n"
    );
    Stage::new(&read_scene(&text).unwrap(), 1).unwrap()
}

/// A walk of the earth is no walk on the moon: forces that took it over would fling it away.
#[test]
fn who_walks_faster_than_gravity_holds_it_is_not_flung_away_by_a_push() {
    let walks = |gravity: f64| {
        let mut stage = walker(gravity, 1.75, "push = { impulse = 30, direction = 90 }");
        let (mut said, mut pushed, mut highest) = (String::new(), false, 0.0f32);
        while !stage.is_over() && stage.time() < 60.0 {
            stage.step(1.0 / 60.0);
            for event in stage.events() {
                match &event.kind {
                    EventKind::Failed(why) => said = why.clone(),
                    EventKind::Pushed(_) => pushed = true,
                    _ => {}
                }
            }
            let actor = &stage.actors()[0];
            highest = highest.max(actor.models()[actor.character().rig.hips].translation.y);
        }
        let place = stage.actors()[0].disc().place.position;
        (said, pushed, highest, place.distance(glam::vec2(0.0, 4.0)))
    };
    for gravity in [0.5, 1.0, 1.5] {
        let (said, pushed, highest, away) = walks(gravity);
        assert!(said.contains(&format!("under {gravity} m/s² forces carry")), "{said}");
        assert!(!pushed, "{gravity}: a push that was refused was told of");
        assert!(highest < 1.1 && away < 0.01, "{gravity}: {highest} m high, {away} m away");
    }
    // Where a walk is one, forces have it.
    let (said, pushed, ..) = walks(9.81);
    assert!(pushed && !said.contains("forces carry"), "{said}");
}

/// Forces take nobody over on the moon who walks as on the earth, but what is thrown at them still does not go through them.
#[test]
fn what_strikes_somebody_whom_forces_cannot_take_over_bounces_and_says_why_that_is_all() {
    for (ball, mass, speed) in [(0.15f32, 20.0, 12.0), (0.3, 60.0, 25.0)] {
        let throw = format!(
            "throw = {{ ball = {ball}, mass = {mass}, from = [4, 1.5, 0], speed = {speed} }}"
        );
        let mut stage = walker(1.5, 1.75, &throw);
        let (mut struck, mut said, mut least) = (0, Vec::new(), f32::INFINITY);
        let mut before: Option<Vec3> = None;
        while !stage.is_over() && stage.time() < 20.0 {
            stage.step(1.0 / 60.0);
            for event in stage.events() {
                match &event.kind {
                    EventKind::Struck(_) => struck += 1,
                    EventKind::Failed(why) => said.push(why.clone()),
                    _ => {}
                }
            }
            let Some((_, _, now)) = stage.props().next() else { continue };
            let (from, to) = (before.unwrap_or(now.translation), now.translation);
            before = Some(to);
            let actor = &stage.actors()[0];
            let rig = &actor.character().rig;
            for joint in rig.spine.iter().chain([&rig.hips]).chain(&rig.head) {
                let joint = actor.models()[*joint].translation;
                let part = (joint - from).dot(to - from) / (to - from).length_squared().max(1e-9);
                least = least.min(joint.distance(from.lerp(to, part.clamp(0.0, 1.0))));
            }
        }
        assert!(least > ball, "{ball}: its middle comes to {least} m from a joint of the trunk");
        assert!(struck == 1, "{ball}: struck {struck} times");
        let [why] = &said[..] else { panic!("{ball}: {said:?}") };
        assert!(why.starts_with("throw") && why.contains("physical.walk_froude"), "{why}");
    }
}

/// Children do not fall on their way because walks by torques are made for adults.
#[test]
fn physical_people_of_any_height_arrive() {
    for height in [1.0, 1.1, 1.2, 1.3, 1.4, 1.75] {
        let text = format!(
            "version = 1\nname = \"yard\"\n\
             [[platform]]\noutline = [[-20, -20], [20, -20], [20, 20], [-20, 20]]\n\
             [[character]]\nname = \"a\"\nheight = {height}\nbody = \"physical\"\n\
             start = {{ at = [0, -3], heading = 0 }}\n\
             [[command]]\nwho = \"a\"\nwalk_to = [0, 3]\n"
        );
        let mut stage = Stage::new(&read_scene(&text).unwrap(), 1).unwrap();
        let mut fell = false;
        while !stage.is_over() && stage.time() < 60.0 {
            stage.step(1.0 / 60.0);
            fell |= stage.events().iter().any(|event| event.kind == EventKind::Fell);
        }
        let away = stage.actors()[0].disc().place.position.distance(glam::vec2(0.0, 3.0));
        assert!(!fell && away < 0.1, "{height} m tall: {away} m away, fell: {fell}");
    }
}

/// Walks by torques are no more for children who are pushed than for those who set off: motion leads them on.
#[test]
fn children_who_are_pushed_while_they_walk_do_not_fall_and_arrive() {
    for height in [1.0, 1.1, 1.2, 1.3] {
        for direction in [0, 90, 180] {
            let push = format!("push = {{ impulse = 6, direction = {direction} }}");
            let mut stage = walker(9.81, height, &push);
            let (mut pushed, mut fell) = (false, false);
            while !stage.is_over() && stage.time() < 60.0 {
                stage.step(1.0 / 60.0);
                pushed |= stage.events().iter().any(|e| matches!(e.kind, EventKind::Pushed(_)));
                fell |= stage.events().iter().any(|event| event.kind == EventKind::Fell);
            }
            let away = stage.actors()[0].disc().place.position.distance(glam::vec2(0.0, 4.0));
            assert!(pushed && !fell && away < 0.1, "{height} m, {direction}°: {away} m away");
        }
    }
}
