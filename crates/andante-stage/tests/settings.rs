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
    let text =
        two("[settings]\navoidance.margin = 0.4\ndoorways.in_a_row = 2\nsteering.patience = 9\n\
                    physical.lies_seconds = 3\ntorque_walk.tries = 0\nthings.rolls_out = 5\n\
                    moving_platforms.on_top = 0.3\nplanner.pushes = 1\nbehavior.sight = 8\n\
                    pursuit.look = 0.7\nseparation.soon = 0.9");
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
        all.lines().filter(|line| line.ends_with(',') && line.contains(": ")).count()
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
    let (none, usual, wide) = (least(0.0), least_distance(close), least(0.3));
    assert!(usual > none + 0.08 && wide > usual + 0.1, "{none} m, {usual} m, {wide} m");
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
