//! Platforms that move, and those who stand on them.

#![allow(clippy::unwrap_used, clippy::panic)]

use andante_stage::{EventKind, PlayOptions, Take, play, read_scene};
use glam::Vec3;

/// A yard with a platform that somebody stands on.
fn yard(body: &str, platform: &str, commands: &str) -> Take {
    play_text(&text(body, platform, commands))
}

/// The same with a platform twice as wide.
fn wide_yard(body: &str, platform: &str, commands: &str) -> Take {
    play_text(&text(body, platform, commands).replace("box = [3, 0.3, 3]", "box = [6, 0.3, 6]"))
}

fn play_text(text: &str) -> Take {
    play(&read_scene(text).unwrap(), 1, &PlayOptions::default(), |_| true).unwrap()
}

fn text(body: &str, platform: &str, commands: &str) -> String {
    format!(
        r#"version = 1
name = "yard"
[[platform]]
outline = [[-8, -8], [8, -8], [8, 12], [-8, 12]]
[[moving_platform]]
name = "ferry"
at = [0, 0, 0]
box = [3, 0.3, 3]
{platform}
[[character]]
name = "ann"
body = "{body}"
start = {{ at = [0.3, 0.2], heading = 40 }}
{commands}"#
    )
}

const STANDS: &str = "[[command]]\nwho = \"ann\"\nwait = 20\n";

/// How far each sole gets from where it first was on the platform while it is said to be down, in metres; at most.
fn slip(take: &Take) -> f32 {
    let track = take.tracks[0].seen_from(&take.things[0], 0);
    let skeleton = &track.character.skeleton;
    let mut models = track.clip.frame(0).to_vec();
    let mut first: Option<Vec<Vec3>> = None;
    let mut most = 0.0f32;
    for frame in 0..track.clip.frame_count() {
        skeleton.local_to_model(track.clip.frame(frame), &mut models);
        let feet = track.character.rig.feet.iter();
        let points: Vec<Vec3> = feet
            .flat_map(|foot| [foot.heel, foot.ball].map(|point| point.position(&models)))
            .collect();
        // Forces take over in the first frames, where the body shifts its weight a little.
        let first = first.get_or_insert_with(|| points.clone());
        for (a, b) in first.iter().zip(&points) {
            most = most.max(a.distance(*b));
        }
    }
    most
}

fn fell(take: &Take) -> bool {
    take.events.iter().any(|event| event.kind == EventKind::Fell)
}

#[test]
fn somebody_stands_on_a_platform_that_goes_there_and_back_without_a_step() {
    for platform in [
        "stops = [[0, 0, 5]]\nspeed = 1\nacceleration = 0.5",
        "stops = [[4, 0, 3]]\nspeed = 0.8\nacceleration = 1",
        "stops = [{ at = [0, 0, 0], heading = 180 }]\nspeed = 0.8",
        "stops = [[0, 2, 0]]\nspeed = 0.8\nacceleration = 1",
        "stops = [{ at = [-3, 1, 4], heading = -90 }, [3, 0.5, 4]]\nround = true",
    ] {
        for body in ["physical", "kinematic"] {
            let take = yard(body, platform, STANDS);
            assert!(take.seconds() > 19.9, "{}", take.seconds());
            let slip = slip(&take);
            assert!(!fell(&take), "{platform}: {:?}", take.events);
            assert!(slip < 0.01, "{platform}, {body}: {slip} m");
            let metrics = &take.metrics()[0].motion;
            assert!(
                metrics.foot_slide_mm_max < 5.0 && metrics.penetration_mm_max < 5.0,
                "{metrics:?}"
            );
            // It was carried.
            let far = |frame: usize| {
                let at = take.tracks[0].clip.frame(frame)[0].translation;
                let ferry = take.things[0].at(frame).unwrap().translation;
                (at - ferry).length()
            };
            for frame in 0..take.frames() {
                assert!((far(frame) - far(0)).abs() < 0.15, "{platform}, {body}: {}", far(frame));
            }
        }
    }
}

#[test]
fn somebody_who_rides_and_is_pushed_or_hit_recovers_on_the_platform() {
    let moves = "stops = [[0, 0, 5]]\nspeed = 1\nacceleration = 0.5";
    let push = "[[command]]\nwho = \"ann\"\nat = 3\npush = { impulse = 25, direction = 60 }\n";
    let throw = "[[command]]\nwho = \"ann\"\nat = 3\n\
                 throw = { ball = 0.12, mass = 2.5, from = [4, 1.8, 2], speed = 9 }\n";
    for (body, command) in
        [("physical", push), ("physical_when_touched", push), ("physical", throw)]
    {
        let take = yard(body, moves, &format!("{command}{STANDS}"));
        let has = |is: fn(&EventKind) -> bool| take.events.iter().any(|event| is(&event.kind));
        assert!(has(|kind| matches!(kind, EventKind::Recovered(_))), "{body}: {:?}", take.events);
        assert!(!fell(&take), "{body}: {:?}", take.events);
        if command == throw {
            assert!(has(|kind| matches!(kind, EventKind::Struck(_))), "{:?}", take.events);
            // It comes to rest on the platform or beside it, not within it.
            let ball = take.things[1].places.last().unwrap().translation;
            let ferry = take.things[0].at(take.frames() - 1).unwrap().translation;
            let beside = (ball - ferry).x.abs().max((ball - ferry).z.abs()) > 1.5;
            let floor = if beside { 0.0 } else { 0.3 };
            assert!((ball.y - floor - 0.12).abs() < 0.02, "{ball} {ferry}");
        }
        let metrics = &take.metrics()[0].motion;
        assert!(metrics.foot_slide_mm_max < 5.0 && metrics.penetration_mm_max < 5.0, "{metrics:?}");
    }
}

#[test]
fn a_take_with_a_platform_is_the_same_as_a_file_and_shows_it_in_others() {
    let take = yard(
        "kinematic",
        "stops = [[0, 0, 5]]\nspeed = 1",
        "[[command]]\nwho = \"ann\"\nwait = 4\n",
    );
    let bytes = take.to_bytes().unwrap();
    let back = Take::from_bytes(&bytes).unwrap();
    assert_eq!(back.things, take.things);
    assert_eq!(back.to_bytes().unwrap(), bytes);
    let glb = take.to_glb().unwrap();
    let options = andante_formats::ReadOptions::default();
    let read = andante_formats::gltf::read(&glb, None, "take", &options).unwrap();
    let joint = read.skeleton.joints().iter().position(|j| j.name.ends_with("ferry")).unwrap();
    let mut models = read.clips[0].frame(200).to_vec();
    read.skeleton.local_to_model(read.clips[0].frame(200), &mut models);
    let there = take.things[0].at(200).unwrap().translation;
    assert!(models[joint].translation.distance(there) < 1e-3 && there.z > 0.5);
}

#[test]
fn others_keep_away_from_where_a_platform_gets_to() {
    let other = "[[character]]\nname = \"ben\"\nstart = { at = [-5, 2.5] }\n\
                 [[command]]\nwho = \"ben\"\nwalk_to = [5, 2.5]\n";
    let take = yard("kinematic", "stops = [[0, 0, 5]]\nspeed = 1", other);
    let ben = &take.tracks[1];
    assert!(take.metrics()[1].reached, "{:?}", take.events);
    for (frame, body) in ben.body.iter().enumerate() {
        let ferry = take.things[0].at(frame).unwrap().translation;
        let apart = (body.position.x - ferry.x).abs().max((body.position.y - ferry.z).abs());
        assert!(apart > 1.55, "frame {frame}: {apart}");
    }
}

#[test]
fn a_platform_carries_what_lies_on_it() {
    // A cube that hits somebody falls on to the platform before them.
    let throw = "[[command]]\nwho = \"ann\"\nat = 0.1\n\
                 throw = { cube = 0.3, mass = 3, from = [1.4, 1.6, 0.2], speed = 4 }\n";
    let moves = "stops = [[0, 0, 5]]\nspeed = 1\nacceleration = 0.5\nwait = 3\nround = true";
    let take = wide_yard("physical", moves, &format!("{throw}{STANDS}"));
    let cube = &take.things[1];
    let on = |frame: usize| {
        let ferry = take.things[0].at(frame).unwrap().translation;
        cube.at(frame).unwrap().translation - ferry
    };
    // It lies still on the platform while that goes.
    let (before, after) = (on(180), on(60 * 8));
    assert!(before.distance(after) < 0.02, "{before} {after}");
    assert!((after.y - 0.45).abs() < 0.01, "{after}");
}
