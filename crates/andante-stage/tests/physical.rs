//! Characters that are pushed and hit, and go on.

#![allow(clippy::unwrap_used, clippy::panic)]

use andante_stage::{
    Command, EventKind, PlayOptions, PushOrder, Stage, Take, Track, play, read_scene,
};
use glam::{Vec2, Vec3};
use proptest::prelude::*;

const YARD: &str = r#"version = 1
name = "yard"
[[platform]]
outline = [[-8, -8], [8, -8], [8, 12], [-8, 12]]
[[character]]
name = "ann"
body = "physical_when_touched"
start = { at = [0, 0], heading = 40 }
"#;

/// Larger changes of a joint in one frame than those of the clips count as a jump, in degrees.
const JUMP: f32 = 8.0;

fn take(commands: &str) -> Take {
    let scene = read_scene(&format!("{YARD}{commands}")).unwrap();
    play(&scene, 1, &PlayOptions::default(), |_| true).unwrap()
}

fn ann(rest: &str) -> String {
    format!("[[command]]\nwho = \"ann\"\n{rest}\n")
}

/// The largest change of a joint from each frame to the next, in degrees.
fn changes(track: &Track) -> Vec<f32> {
    let clip = &track.clip;
    let change = |frame: usize| {
        let (a, b) = (clip.frame(frame - 1), clip.frame(frame));
        let angles = a.iter().zip(b).map(|(a, b)| a.rotation.angle_between(b.rotation));
        angles.fold(0.0, f32::max).to_degrees()
    };
    (1..clip.frame_count()).map(change).collect()
}

/// The time of the first event of a kind.
fn time(take: &Take, is: impl Fn(&EventKind) -> bool) -> f32 {
    let found = take.events.iter().find(|event| is(&event.kind));
    found.unwrap_or_else(|| panic!("{:?}", take.events)).time
}

fn largest(values: &[f32], from: f32, to: f32) -> f32 {
    let frame = |time: f32| ((time * 60.0).round() as usize).min(values.len());
    values[frame(from)..frame(to)].iter().copied().fold(0.0, f32::max)
}

/// Neither switch shows: joints turn by no more than in the clips and a little, and hips go on as they went.
fn assert_smooth(take: &Take, from: f32, to: f32) {
    let track = &take.tracks[0];
    let changes = changes(track);
    let own = largest(&changes, 0.0, from - 0.05);
    for switch in [from, to] {
        let most = largest(&changes, switch - 0.05, switch + 0.07);
        assert!(most < own + JUMP, "at {switch} s: {most} degrees, {own} in the clips");
        let hips = |frame: usize| track.clip.frame(frame)[0].translation;
        let first = (switch * 60.0).round() as usize;
        for frame in first.max(4) - 2..(first + 4).min(track.clip.frame_count() - 1) {
            let turn = hips(frame + 1) - 2.0 * hips(frame) + hips(frame - 1);
            assert!(turn.length() * 3600.0 < 40.0, "at {switch} s: {:?} m/s²", turn * 3600.0);
        }
    }
    let metrics = &take.metrics()[0].motion;
    // Tips of toes drag as who walks by torques lifts them.
    assert!(metrics.foot_slide_mm_max < 20.0, "{metrics:?}");
    assert!(metrics.penetration_mm_max < 5.0, "{metrics:?}");
}

fn recovered(kind: &EventKind) -> bool {
    matches!(kind, EventKind::Recovered(_))
}

#[test]
fn a_push_is_recovered_from_without_a_jump_at_either_switch() {
    for (impulse, direction) in [(15.0, 0.0), (30.0, 90.0), (35.0, 220.0)] {
        let push = format!("at = 1\npush = {{ impulse = {impulse}, direction = {direction} }}");
        // Waits after it, so that the second switch is seen.
        let take = take(&format!("{}{}", ann(&push), ann("wait = 1")));
        assert_smooth(&take, 1.0, time(&take, recovered));
        let way = |frame: usize| take.tracks[0].body[frame].position;
        let aside = way(take.tracks[0].body.len() - 1) - way(0);
        let (sin, cos) = f32::to_radians(direction).sin_cos();
        assert!(aside.dot(Vec2::new(sin, cos)) > -0.02, "{direction}: {aside}");
        assert!(!take.events.iter().any(|event| event.kind == EventKind::Fell));
    }
}

#[test]
fn a_walk_that_is_pushed_goes_on_to_its_goal_without_a_jump() {
    for (at, impulse, direction) in [(2.5, 15.0, 90.0), (2.9, 12.0, 300.0), (3.2, 8.0, 180.0)] {
        let push = format!("at = {at}\npush = {{ impulse = {impulse}, direction = {direction} }}");
        let take =
            take(&format!("{}{}", ann("walk_to = { at = [4, 8], heading = 0 }"), ann(&push)));
        let metrics = &take.metrics()[0];
        assert!(metrics.reached, "{at}: {metrics:?} {:?}", take.events);
        assert!(metrics.goal_error_m.unwrap() < 0.01);
        assert_smooth(&take, at, time(&take, recovered));
        // It walks on, rather than to stop.
        let slowest = take.tracks[0].curve("speed")[(60.0 * at) as usize..][..60].iter().copied();
        let stops = slowest.fold(f32::INFINITY, f32::min) < 0.3;
        assert!(!stops, "{at}");
    }
}

#[test]
fn what_is_thrown_hits_and_is_part_of_the_take_and_its_files() {
    let throw = "at = 1\nthrow = { ball = 0.12, mass = 2.5, from = [4, 1.5, 0], speed = 9 }";
    let take = take(&ann(throw));
    let hit = time(&take, |kind| *kind == EventKind::Struck("ball 1".into()));
    assert!((1.3..1.6).contains(&hit), "{hit}");
    assert_smooth(&take, hit, time(&take, recovered));
    let [ball] = &take.things[..] else { panic!("{:?}", take.things.len()) };
    assert_eq!((ball.name.as_str(), ball.from), ("ball 1", 61));
    assert!(ball.at(30).is_none());
    let first = ball.at(61).unwrap().translation;
    assert!(first.distance(Vec3::new(4.0, 1.5, 0.0)) < 0.2, "{first}");
    assert!(ball.places.iter().all(|place| place.translation.y > 0.1));
    let last = ball.places.last().unwrap().translation;
    assert!((last.y - 0.12).abs() < 0.01, "{last}");
    // As a file and read again, to the bit; and in the other files.
    let bytes = take.to_bytes().unwrap();
    let back = Take::from_bytes(&bytes).unwrap();
    assert_eq!(back.things, take.things);
    assert_eq!(back.to_bytes().unwrap(), bytes);
    let glb = take.to_glb().unwrap();
    let options = andante_formats::ReadOptions::default();
    let read = andante_formats::gltf::read(&glb, None, "take", &options).unwrap();
    let joint = read.skeleton.joints().iter().position(|j| j.name.ends_with("ball 1")).unwrap();
    let mut models = read.clips[0].frame(90).to_vec();
    read.skeleton.local_to_model(read.clips[0].frame(90), &mut models);
    assert!(models[joint].translation.distance(ball.at(90).unwrap().translation) < 1e-3);
}

#[test]
fn takes_with_pushes_and_throws_are_the_same_every_time() {
    let commands = format!(
        "{}{}",
        ann("at = 0.5\npush = { impulse = 25, direction = 200 }"),
        ann("at = 0.6\nthrow = { cube = 0.2, mass = 2, from = [3, 1.5, 1], speed = 8 }"),
    );
    assert_eq!(take(&commands).to_bytes().unwrap(), take(&commands).to_bytes().unwrap());
}

#[test]
fn whoever_falls_lies_until_it_is_told_to_get_up_and_then_goes_where_it_was_sent() {
    let commands = format!("{}{}", ann("at = 1\nfall = true"), ann("get_up = true"));
    let take = take(&format!("{commands}{}", ann("walk_to = { at = [2, 3], heading = 0 }")));
    let kinds: Vec<&str> = take.events.iter().map(|event| event.word()).collect();
    assert!(kinds.contains(&"fell") && kinds.contains(&"got up"), "{:?}", take.events);
    assert!(take.metrics()[0].reached, "{:?}", take.events);
    let low = take.tracks[0].clip.frames().map(|pose| pose[0].translation.y);
    assert!(low.fold(f32::INFINITY, f32::min) < 0.4);
}

/// Arms that bend or reach farther than those that get up do not push a body off the ground.
#[test]
fn whoever_falls_is_up_again_within_twenty_seconds_whichever_way_it_faces() {
    let mut scene = YARD.split("[[character]]").next().unwrap().replace('8', "30");
    for (index, heading) in [0, 75, 165, 285].iter().enumerate() {
        let name = format!("name = \"c{index}\"");
        let start = format!("start = {{ at = [{}, 0], heading = {heading} }}", 8 * index);
        scene += &format!("[[character]]\n{name}\nbody = \"physical\"\n{start}\n");
        let who = format!("[[command]]\nwho = \"c{index}\"\n");
        scene += &format!("{who}at = 1\nfall = true\n{who}get_up = true\n");
    }
    let take = play(&read_scene(&scene).unwrap(), 1, &PlayOptions::default(), |_| true).unwrap();
    for who in 0..4 {
        let when = |kind: &EventKind| {
            let mut events = take.events.iter().filter(|event| event.track == Some(who));
            let found = events.find(|event| event.kind == *kind);
            found.unwrap_or_else(|| panic!("{who} never {kind:?}: {:?}", take.events)).time
        };
        let took = when(&EventKind::GotUp) - when(&EventKind::Fell);
        assert!(took < 20.0, "{who} took {took} s");
    }
}

/// Keeping characters off walls and rims is for those who can choose where they go.
#[test]
fn whoever_falls_beside_a_rim_is_shown_where_forces_take_it() {
    let yard = YARD.replace("at = [0, 0], heading = 40", "at = [-6.5, 0], heading = 90");
    let commands = [ann("at = 0.5\nfall = true"), ann("get_up = true")].concat();
    let options = PlayOptions { longest: 5.0, ..PlayOptions::default() };
    let take = play(&read_scene(&format!("{yard}{commands}")).unwrap(), 1, &options, |_| true);
    let take = take.unwrap();
    let clip = &take.tracks[0].clip;
    let hips = |frame: usize| clip.frame(frame)[0].translation;
    let fastest = (1..clip.frame_count()).map(|frame| hips(frame).distance(hips(frame - 1)) * 60.0);
    let fastest = fastest.fold(0.0, f32::max);
    assert!((1.0..8.0).contains(&fastest), "{fastest} m/s");
}

#[test]
fn one_that_is_kinematic_feels_nothing_and_says_so() {
    let scene = read_scene(&YARD.replace("body = \"physical_when_touched\"\n", "")).unwrap();
    let mut stage = Stage::new(&scene, 1).unwrap();
    stage.command(0, Command::Push(PushOrder::new(30.0, 0.0))).unwrap();
    stage.step(1.0 / 60.0);
    let said = stage.events().iter().any(
        |event| matches!(&event.kind, EventKind::Failed(why) if why.contains("ann is kinematic")),
    );
    assert!(said && !stage.is_physical(0), "{:?}", stage.events());
}

/// Whether somebody who is physical gets to a place six metres ahead, moved by forces alone in every frame.
fn walks_by_forces(push: Option<(usize, PushOrder)>) {
    let text =
        YARD.replace("physical_when_touched", "physical").replace("heading = 40", "heading = 0");
    let mut stage = Stage::new(&read_scene(&text).unwrap(), 1).unwrap();
    for _ in 0..120 {
        stage.step(1.0 / 60.0);
    }
    let there = andante_stage::Waypoint { place: Vec2::new(0.0, 6.0), height: None, heading: None };
    stage.command(0, Command::WalkTo(there)).unwrap();
    let mut done = 0.0;
    for frame in 0..1500 {
        if let Some((_, shove)) = push.as_ref().filter(|(at, _)| *at == frame) {
            stage.command(0, Command::Push(shove.clone())).unwrap();
        }
        stage.step(1.0 / 60.0);
        if !stage.actors()[0].is_idle() {
            done = frame as f32 / 60.0;
        }
        assert!(stage.is_physical(0), "frame {frame}: {:?}", stage.events());
    }
    let actor = &stage.actors()[0];
    assert!(actor.is_idle(), "{:?}", stage.events());
    assert!(push.is_some() || done < 12.0, "{done} s");
    let off = actor.disc().place.position.distance(there.place);
    assert!(off < 0.1, "{off} m: {:?}", stage.events());
}

#[test]
fn one_that_is_physical_walks_to_its_goal_by_forces_alone() {
    walks_by_forces(None);
}

#[test]
fn one_that_is_physical_and_pushed_on_its_way_still_gets_there_by_forces_alone() {
    walks_by_forces(Some((270, PushOrder::new(10.0, 0.5))));
}

/// What somebody who is physical and faces +z does.
fn physical_take(commands: &str) -> Take {
    let yard =
        YARD.replace("physical_when_touched", "physical").replace("heading = 40", "heading = 0");
    let options = PlayOptions { longest: 60.0, ..PlayOptions::default() };
    play(&read_scene(&format!("{yard}{commands}")).unwrap(), 1, &options, |_| true).unwrap()
}

#[test]
fn one_that_is_physical_waits_no_longer_than_it_was_told_to() {
    let take = physical_take(&[ann("wait = 2"), ann("wait = 1")].concat());
    let done = |label: &str| time(&take, |kind| *kind == EventKind::Done(label.into()));
    assert!((done("wait 2") - 2.0).abs() < 0.05, "{:?}", take.events);
    assert!((done("wait 1") - 3.0).abs() < 0.1 && take.seconds() < 5.0, "{:?}", take.events);
}

#[test]
fn one_that_is_physical_and_walks_somewhere_has_reached_it() {
    for goal in
        ["[0, 4]", "[-3, -2]", "{ at = [0, 5], heading = 0 }", "{ at = [0, 4], heading = 90 }"]
    {
        let take = physical_take(&ann(&format!("at = 2\nwalk_to = {goal}")));
        let metrics = &take.metrics()[0];
        assert!(metrics.reached, "{goal}: {metrics:?} {:?}", take.events);
        assert!(take.seconds() < 20.0, "{goal}: {} s", take.seconds());
    }
}

#[test]
fn one_that_walks_by_forces_stops_when_it_is_told_to() {
    let commands = [ann("at = 2\nwalk_to = [0, 10]"), ann("at = 5\nstop = true")].concat();
    let take = physical_take(&commands);
    let last = take.tracks[0].body.last().unwrap().position;
    let at_stop = take.tracks[0].body[300].position;
    assert!(at_stop.distance(last) < 4.0 && last.y < 7.0, "{at_stop} {last} {:?}", take.events);
    let fell = take.events.iter().any(|event| event.kind == EventKind::Fell);
    assert!(take.seconds() < 15.0 && !fell, "{:?}", take.events);
}

#[test]
fn whoever_falls_off_all_ground_is_out_of_the_world_and_the_scene_ends() {
    let small = "outline = [[-1, -1], [1, -1], [1, 1], [-1, 1]]";
    let yard = YARD.replace("outline = [[-8, -8], [8, -8], [8, 12], [-8, 12]]", small);
    let push = ann("at = 0.5\npush = { impulse = 150, direction = 90 }");
    let after = ann("walk_to = [0, 0.5]");
    let scene = read_scene(&format!("{yard}{push}{after}")).unwrap();
    let options = PlayOptions { longest: 60.0, ..PlayOptions::default() };
    let take = play(&scene, 1, &options, |_| true).unwrap();
    let out = time(&take, |kind| *kind == EventKind::FellOut);
    assert!(take.seconds() < 10.0, "{:?}", take.events);
    assert_eq!(take.events.iter().filter(|e| e.kind == EventKind::FellOut).count(), 1);
    let failed = |what: &str| {
        let failed =
            |kind: &EventKind| matches!(kind, EventKind::Failed(why) if why.starts_with(what));
        take.events.iter().any(|event| failed(&event.kind))
    };
    assert!(failed("push") && failed("walk_to"), "{:?}", take.events);
    let clip = &take.tracks[0].clip;
    let low = clip.frame((60.0 * out) as usize)[0].translation.y;
    assert!((-4.5..-2.5).contains(&low), "{low}");
    assert!(!take.metrics()[0].reached);
    // It is told in the file, and stays where it is.
    let back = Take::from_bytes(&take.to_bytes().unwrap()).unwrap();
    assert_eq!(back.events, take.events);
    let mut stage = Stage::new(&scene, 1).unwrap();
    for _ in 0..600 {
        stage.step(1.0 / 60.0);
    }
    let rests = stage.actors()[0].pose().to_vec();
    for _ in 0..60 {
        stage.command(0, Command::Push(PushOrder::new(30.0, 0.0))).unwrap();
        stage.step(1.0 / 60.0);
        assert_eq!(stage.actors()[0].pose(), rests);
    }
    assert_eq!(stage.actors()[0].disc().speed, 0.0);
}

#[test]
fn one_that_is_physical_stands_by_forces_and_walks_when_it_is_told_to() {
    let text = YARD.replace("physical_when_touched", "physical");
    let mut stage = Stage::new(&read_scene(&text).unwrap(), 1).unwrap();
    for _ in 0..240 {
        stage.step(1.0 / 60.0);
        assert!(stage.is_physical(0));
    }
    let there = andante_stage::Waypoint { place: Vec2::new(2.0, 2.0), height: None, heading: None };
    stage.command(0, Command::WalkTo(there)).unwrap();
    for _ in 0..600 {
        stage.step(1.0 / 60.0);
    }
    assert!(stage.actors()[0].disc().place.position.distance(there.place) < 0.1);
    assert!(stage.is_physical(0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]
    #[test]
    fn no_push_breaks_anybody(
        impulse in prop_oneof![0.0f32..60.0, 60.0f32..10_000.0, Just(f32::NAN), Just(f32::INFINITY)],
        direction in -7.0f32..7.0,
        height in prop::option::of(-1.0f32..4.0),
        dt in prop_oneof![Just(1.0f32 / 60.0), 0.001f32..0.1],
    ) {
        let mut stage = Stage::new(&read_scene(YARD).unwrap(), 1).unwrap();
        stage.step(dt);
        let push = Command::Push(PushOrder { height, ..PushOrder::new(impulse, direction) });
        let sane = impulse.is_finite() && height.is_none_or(|height| (0.0..=3.0).contains(&height));
        prop_assert_eq!(stage.command(0, push).is_ok(), sane);
        for _ in 0..60 {
            stage.step(dt);
            prop_assert!(stage.actors()[0].models().iter().all(|model| model.translation.is_finite()));
        }
    }
}
