//! Settings of scene files: they arrive, they are checked, they are documented, and they matter.
#![allow(clippy::unwrap_used)]

use andante_stage::{EventKind, Stage, StageSettings, Waypoint, read_scene};

const DOCS: &str = include_str!("../../../docs/scenes.md");

/// Two who walk at each other, with a piece of a scene file put in.
fn two(settings: &str) -> String {
    format!(
        r#"version = 1
name = "yard"
{settings}
[[platform]]
outline = [[-6, -8], [6, -8], [6, 8], [-6, 8]]
[[character]]
name = "ann"
start = {{ at = [0, -5] }}
goal = {{ at = [0, 5] }}
[[character]]
name = "ben"
start = {{ at = [0, 5] }}
goal = {{ at = [0, -5] }}
"#
    )
}

#[test]
fn a_key_of_every_part_arrives() {
    let text = two(
        "[settings]\navoidance.margin = 0.4\ndoorways.in_a_row = 2\nsteering.patience = 9\n\
                    physical.lies_seconds = 3\ntorque_walk.tries = 0\nthings.rolls_out = 5\n\
                    moving_platforms.on_top = 0.3\nplanner.pushes = 1\nbehavior.sight = 8\n\
                    pursuit.look = 0.7\nseparation.soon = 0.9\n\
                    physics.gravity = 1.62\nplayer.fade = 0.5\nfeet.swing.spare = 0.03\nposture.room = 0.05\ngrounding.stride.commit = 0.3\n\
                    change_over.half_life = 0.2\nsteps.timeline.hold_before = 1",
    );
    let found = read_scene(&text).unwrap().settings;
    let mut wanted = StageSettings::default();
    wanted.avoidance.margin = 0.4;
    wanted.doorways.in_a_row = 2;
    wanted.steering.patience = 9.0;
    wanted.physical.lies_seconds = 3.0;
    wanted.torque_walk.tries = 0;
    wanted.things.rolls_out = 5.0;
    wanted.moving_platforms.on_top = 0.3;
    wanted.planner.pushes = 1;
    wanted.behavior.sight = 8.0;
    wanted.pursuit.look = 0.7;
    wanted.separation.soon = 0.9;
    wanted.physics.gravity = 1.62;
    wanted.player.fade = 0.5;
    wanted.feet.swing.spare = 0.03;
    wanted.posture.room = 0.05;
    wanted.grounding.stride.commit = 0.3;
    wanted.change_over.half_life = 0.2;
    wanted.steps.timeline.hold_before = 1.0;
    assert_eq!(found, wanted);
}

#[test]
fn what_is_not_known_or_out_of_range_is_refused_where_it_is() {
    let error = |settings: &str| read_scene(&two(settings)).unwrap_err().to_string();
    let unknown = error("[settings.avoidance]\nmargins = 0.4");
    assert!(unknown.starts_with("line 4, column 1: unknown field `margins`"), "{unknown}");
    let part = error("[settings.politeness]\nbows = 2");
    assert!(part.starts_with("line 3, column 11: unknown field `politeness`"), "{part}");
    let out = error("[settings.avoidance]\nhorizon = 2\nmargin = nan");
    assert_eq!(out, "line 5, column 10: margin is NaN; it is 0.0 to 2.0");
    let deep = error("[settings.feet.swing]\nspare = 0.01\nclearance = 3");
    assert_eq!(deep, "line 5, column 13: clearance is 3; it is 0.0 to 0.05");
    let mut scene = read_scene(&two("")).unwrap();
    scene.settings.doorways.at_once = 0;
    let told = Stage::new(&scene, 1).unwrap_err().to_string();
    assert_eq!(told, "settings.doorways: at_once is 0; it is 1 to 1000");
}

/// Rows of the tables of settings: keys and usual values.
fn rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    let section = DOCS.split("## Settings").nth(1).unwrap().split("\n## ").next().unwrap();
    section.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| `")?.split(" | ");
        Some((cells.next()?.trim_end_matches('`'), cells.next()?))
    })
}

#[test]
fn every_setting_is_documented_with_its_usual_value() {
    let mut count = 0;
    let mut text = String::from("[settings]\n");
    for (key, usual) in rows() {
        text += &format!("{key} = {usual}\n");
        count += 1;
    }
    assert_eq!(read_scene(&two(&text)).unwrap().settings, StageSettings::default());
    let all = format!("{:#?}", StageSettings::default());
    assert_eq!(
        count,
        // Groups end in a brace, lists in a bracket.
        all.lines().filter(|line| line.contains(": ") && !line.ends_with('{')).count()
    );
}

/// How close the two come.
fn least_distance(settings: &str) -> f32 {
    let mut stage = Stage::new(&read_scene(&two(settings)).unwrap(), 1).unwrap();
    let mut least = f32::INFINITY;
    for _ in 0..900 {
        stage.step(1.0 / 60.0);
        let places = [0, 1].map(|who: usize| stage.actors()[who].disc().place.position);
        least = least.min(places[0].distance(places[1]));
    }
    least
}

/// Up to 0.4 m: with more than that the two stop for each other and squeeze past. Hips that keep apart by themselves are not
/// what is looked at.
#[test]
fn a_larger_margin_keeps_two_people_farther_apart() {
    let close = "[settings.separation]\nswaying = 0.02\n";
    let least =
        |margin: f32| least_distance(&format!("{close}[settings.avoidance]\nmargin = {margin}"));
    let (none, usual, wide) = (least(0.0), least_distance(close), least(0.4));
    assert!(usual > none + 0.08 && wide > usual + 0.02, "{none} m, {usual} m, {wide} m");
    // Bodies are 0.3 m wide to each side.
    assert!(usual > 0.75 && wide > 0.99, "{usual} m, {wide} m");
}

#[test]
fn who_is_to_perceive_farther_does() {
    let reach = |settings: &str| {
        let mut stage = Stage::new(&read_scene(&two(settings)).unwrap(), 1).unwrap();
        stage.senses(0).unwrap().reach
    };
    assert_eq!([reach(""), reach("[settings.avoidance]\nsense_reach = 2.5")], [1.0, 2.5]);
}

#[test]
fn who_is_to_run_faster_does() {
    let seconds = |settings: &str| {
        let mut stage = Stage::new(&read_scene(&two(settings)).unwrap(), 1).unwrap();
        let to = Waypoint { place: glam::vec2(0.0, 6.0), height: None, heading: None };
        let plan = stage.plan(0, to, true).unwrap();
        plan.performance.body.len() as f32 / plan.performance.clip.fps()
    };
    let [usual, slow] = [seconds(""), seconds("[settings.planner]\nrun_pace = 2.0")];
    assert!(slow > usual + 0.3, "{usual} s, {slow} s");
}

#[test]
fn people_are_near_each_other_from_where_it_is_said() {
    let told = |settings: &str| {
        let mut stage = Stage::new(&read_scene(&two(settings)).unwrap(), 1).unwrap();
        (0..900).find(|_| {
            stage.step(1.0 / 60.0);
            stage.events().iter().any(|event| matches!(event.kind, EventKind::Near(_)))
        })
    };
    let far = told("[settings.behavior]\nnear = 5\nnot_near = 6");
    assert!(far.unwrap() + 30 < told("").unwrap());
}

/// One who walks, with a piece of a scene file and more of the world put in.
fn one(settings: &str, world: &str) -> String {
    format!(
        r#"version = 1
name = "yard"
{settings}
[[platform]]
outline = [[-6, -8], [6, -8], [6, 8], [-6, 8]]
{world}
[[character]]
name = "ann"
body = "physical_when_touched"
start = {{ at = [0, -5], heading = 0 }}
goal = {{ at = [0, 5] }}
"#
    )
}

/// The plan of the way that the one walks.
fn planned(settings: &str, world: &str) -> andante_stage::CharacterPlan {
    let mut stage = Stage::new(&read_scene(&one(settings, world)).unwrap(), 1).unwrap();
    let to = Waypoint { place: glam::vec2(0.0, 5.0), height: None, heading: None };
    stage.plan(0, to, false).unwrap()
}

#[test]
fn a_lazier_player_is_longer_on_its_way() {
    let frames = |response: f32| {
        let text = format!("[settings]\nplanner.longest_plan = 0\nplayer.response = {response}");
        let mut stage = Stage::new(&read_scene(&one(&text, "")).unwrap(), 1).unwrap();
        (0..1200).find(|_| {
            stage.step(1.0 / 60.0);
            stage.actors()[0].disc().place.position.y > -2.0
        })
    };
    let [quick, lazy] = [frames(0.05), frames(2.0)].map(Option::unwrap);
    assert!(lazy > quick + 15, "{quick} frames, {lazy} frames");
}

/// How high balls of feet are above the ground in the air, on average over the higher half of frames.
fn lifted(settings: &str, world: &str) -> f32 {
    let plan = planned(settings, world);
    let (human, clip) = (andante_skeleton::humanoid(), &plan.performance.clip);
    let mut models = human.skeleton.rest_models();
    let mut heights: Vec<f32> = Vec::new();
    for frame in 0..clip.frame_count() {
        human.skeleton.local_to_model(clip.frame(frame), &mut models);
        heights.extend(human.rig.feet.iter().map(|foot| foot.ball.position(&models).y));
    }
    heights.sort_by(f32::total_cmp);
    let upper = &heights[heights.len() / 2..];
    upper.iter().sum::<f32>() / upper.len() as f32
}

#[test]
fn feet_that_are_to_be_lifted_higher_in_a_walk_are() {
    let room = |least: f32| lifted(&format!("[settings.feet.swing]\nleast_walking = {least}"), "");
    let [low, high] = [room(0.0), room(0.03)];
    assert!(high > low + 2e-3, "{low} m, {high} m");
}

#[test]
fn more_air_is_left_below_what_is_ducked_under() {
    let beam = "[[obstacle]]\nname = \"beam\"\nat = [0, 1.55, 0]\nbox = [6, 0.2, 0.4]";
    let room = |room: f32| {
        let plan = planned(&format!("[settings.posture]\nroom = {room}"), beam);
        plan.metrics.head_room.unwrap()
    };
    let [little, much] = [room(0.03), room(0.09)];
    assert!(much > little + 0.03, "{little} m, {much} m");
}

#[test]
fn whoever_is_to_stand_longer_before_setting_off_does() {
    let seconds = |hold: f32| {
        planned(&format!("[settings.steps.timeline]\nhold_before = {hold}"), "")
            .performance
            .seconds()
    };
    let [soon, later] = [seconds(0.2), seconds(1.7)];
    assert!((later - soon - 1.5).abs() < 0.1, "{soon} s, {later} s");
}

#[test]
fn whoever_speeds_up_more_gently_needs_longer() {
    let seconds = |acceleration: f32| {
        let text = format!("[settings.planner]\nacceleration = {acceleration}");
        planned(&text, "").performance.seconds()
    };
    let [gentle, brisk] = [seconds(1.0), seconds(3.0)];
    assert!(gentle > brisk + 0.05, "{gentle} s, {brisk} s");
}

/// How far joints still are from where they come to rest, summed up over the second after forces have let go of somebody
/// who was pushed.
fn goes_over(half_life: f32) -> f32 {
    let text = format!("[settings.change_over]\nhalf_life = {half_life}");
    let scene = one(&text, "").replace("goal = { at = [0, 5] }\n", "");
    let push = "[[command]]\nwho = \"ann\"\nat = 0.2\npush = { impulse = 25, direction = 90 }\n";
    let mut stage = Stage::new(&read_scene(&format!("{scene}{push}")).unwrap(), 1).unwrap();
    let (mut was, mut poses) = (false, Vec::new());
    for _ in 0..900 {
        stage.step(1.0 / 60.0);
        let forces = stage.is_physical(0usize);
        was |= forces;
        if was && !forces {
            poses.push(stage.actors()[0].pose().to_vec());
        }
    }
    let rest = poses.last().unwrap();
    let apart = |pose: &Vec<andante_skeleton::Transform>| -> f32 {
        let both = pose.iter().zip(rest).skip(1);
        both.map(|(a, b)| a.rotation.angle_between(b.rotation)).sum()
    };
    poses[..60].iter().map(apart).sum()
}

#[test]
fn a_longer_change_over_keeps_more_of_what_was_shown() {
    let [quick, slow] = [goes_over(0.05), goes_over(0.3)];
    assert!(slow > 1.3 * quick, "{quick} rad, {slow} rad");
}

/// When somebody is in the air who walks for three seconds and is then led to run, in seconds from then on.
fn flights(settings: &str) -> Vec<f64> {
    let world = "[[platform]]\noutline = [[-6, 8], [6, 8], [6, 80], [-6, 80]]\n";
    let scene = read_scene(&one(&format!("[settings]\n{settings}"), world)).unwrap();
    let mut stage = Stage::new(&scene, 1).unwrap();
    stage.command(0, andante_stage::Command::Stop).unwrap();
    let mut times = Vec::new();
    for frame in 0..600 {
        let speed = if frame < 180 { 1.2 } else { 3.4 };
        stage.steer(0, speed, 0.0).unwrap();
        stage.step(1.0 / 60.0);
        let down = |foot: usize| stage.actors()[0].contact(foot).contains(&true);
        if frame >= 180 && !down(0) && !down(1) {
            times.push(stage.time() - 3.0);
        }
    }
    times
}

/// A cross-fade from walking to running that takes longer is later in the air.
#[test]
fn a_longer_fade_begins_to_run_later() {
    let [short, long] = ["0.05", "4"].map(|fade| flights(&format!("player.fade = {fade}")));
    assert!(short[0] + 0.2 < long[0], "{} {}", short[0], long[0]);
}

/// Whoever needs much more than the border's speed to run walks on as fast as walks go.
#[test]
fn more_hysteresis_keeps_walking() {
    let [little, much] = ["0.1", "4"].map(|least| flights(&format!("player.hysteresis = {least}")));
    assert!(little.len() > 20 && much.is_empty(), "{} {}", little.len(), much.len());
}
