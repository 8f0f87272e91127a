//! Entities that walk, as Bevy sees them.
#![allow(clippy::unwrap_used)]

mod common;

use bevy::prelude::*;
use bevy_andante::andante_stage::{Command, GazeTarget};
use bevy_andante::{
    AndanteActor, AndantePose, AndanteStage, GoTo, Locomotion, Order, PhysicalBody, Push, Steer,
    Wait, Walks,
};
use common::{frame_time, has, heard, human, pass, place, present, until, world, yard};
use std::path::Path;

#[test]
fn whoever_is_sent_somewhere_comes_there_and_says_so() {
    let (mut app, _) = yard(0.0);
    let ann = human(&mut app, Vec3::ZERO);
    let goal = Vec3::new(2.0, 0.0, 4.0);
    app.world_mut().entity_mut(ann).insert(GoTo::point(goal));
    until(&mut app, 30.0, "arrival", |app| !heard(app).arrived.is_empty());
    assert_eq!(heard(&app).arrived, [ann]);
    let off = place(&app, ann).distance(goal);
    assert!(off < 0.05, "{off} m off");
    app.update();
    assert!(!has::<GoTo>(&app, ann), "the order is over");
    assert!(heard(&app).refused.is_empty() && heard(&app).blocked.is_empty());
    let pose = app.world().get::<AndantePose>(ann).unwrap();
    assert_eq!(pose.joints.len(), pose.names.len());
    assert_eq!(pose.contacts, [[true; 2]; 2], "it stands");
    let head = pose.joint("Head").unwrap().translation;
    assert!(head.y > 1.3 && head.xz().distance(goal.xz()) < 0.3, "{head}");
}

#[test]
fn any_frame_time_leads_to_the_goal() {
    for seconds in [1.0 / 240.0, 1.0 / 30.0, 0.1, 0.4] {
        let (mut app, _) = yard(0.0);
        let ann = human(&mut app, Vec3::ZERO);
        frame_time(&mut app, seconds);
        app.world_mut().entity_mut(ann).insert(GoTo::place(vec2(-1.0, 3.0)));
        until(&mut app, 60.0, "arrival", |app| !heard(app).arrived.is_empty());
        assert!(place(&app, ann).distance(Vec3::new(-1.0, 0.0, 3.0)) < 0.05, "{seconds} s");
    }
}

#[test]
fn a_run_is_faster_than_a_walk() {
    let time = |go: GoTo| {
        let (mut app, _) = yard(0.0);
        let ann = human(&mut app, vec3(0.0, 0.0, -12.0));
        app.world_mut().entity_mut(ann).insert(go);
        let mut frames = 0;
        until(&mut app, 60.0, "arrival", |app| {
            frames += 1;
            !heard(app).arrived.is_empty()
        });
        frames
    };
    let goal = GoTo::place(vec2(0.0, 12.0));
    assert!(time(goal.running()) * 3 < time(goal) * 2);
}

#[test]
fn whoever_is_steered_goes_until_that_is_taken_away() {
    let (mut app, _) = yard(0.0);
    let ann = human(&mut app, Vec3::ZERO);
    app.world_mut().entity_mut(ann).insert(Steer { speed: 1.2, turn_rate: 0.0 });
    pass(&mut app, 3.0);
    let ahead = place(&app, ann).z;
    assert!(ahead > 2.0 && has::<Steer>(&app, ann), "{ahead} m");
    app.world_mut().entity_mut(ann).insert(Steer { speed: 1.2, turn_rate: 0.7 });
    pass(&mut app, 1.5);
    assert!(place(&app, ann).x > 0.2, "to the left is +X for one who faces +Z");
    app.world_mut().entity_mut(ann).remove::<Steer>();
    pass(&mut app, 2.0);
    let stopped = place(&app, ann);
    pass(&mut app, 1.0);
    assert!(place(&app, ann).distance(stopped) < 0.02, "it stands");
}

#[test]
fn the_newest_order_counts_and_takes_the_place_of_the_others() {
    let (mut app, _) = yard(0.0);
    let ann = human(&mut app, Vec3::ZERO);
    app.world_mut().entity_mut(ann).insert(GoTo::place(vec2(0.0, 9.0)));
    pass(&mut app, 2.0);
    app.world_mut().entity_mut(ann).insert(Steer { speed: 0.8, turn_rate: 0.0 });
    pass(&mut app, 0.5);
    assert!(has::<Steer>(&app, ann) && !has::<GoTo>(&app, ann));
    app.world_mut().entity_mut(ann).insert(GoTo::place(vec2(0.0, -2.0)));
    until(&mut app, 30.0, "arrival", |app| !heard(app).arrived.is_empty());
    assert!(place(&app, ann).distance(vec3(0.0, 0.0, -2.0)) < 0.05);
    assert!(!has::<Steer>(&app, ann) && heard(&app).arrived == [ann]);
}

#[test]
fn an_order_that_is_taken_away_stops_whoever_follows_it() {
    let (mut app, _) = yard(0.0);
    let ann = human(&mut app, Vec3::ZERO);
    app.world_mut().entity_mut(ann).insert(GoTo::place(vec2(0.0, 15.0)));
    pass(&mut app, 3.0);
    app.world_mut().entity_mut(ann).remove::<GoTo>();
    pass(&mut app, 2.5);
    let stopped = place(&app, ann);
    pass(&mut app, 1.0);
    assert!(stopped.z > 1.0 && stopped.z < 8.0 && place(&app, ann).distance(stopped) < 0.02);
    assert!(heard(&app).arrived.is_empty());
}

#[test]
fn waiting_is_over_after_its_time() {
    let (mut app, _) = yard(0.0);
    let ann = human(&mut app, Vec3::ZERO);
    app.world_mut().entity_mut(ann).insert(Wait(1.5));
    pass(&mut app, 1.2);
    assert!(has::<Wait>(&app, ann));
    pass(&mut app, 0.6);
    assert!(!has::<Wait>(&app, ann));
}

#[test]
fn who_is_despawned_leaves_the_stage() {
    let (mut app, _) = yard(0.0);
    let all: Vec<Entity> = (0..5).map(|x| human(&mut app, vec3(x as f32, 0.0, 0.0))).collect();
    assert_eq!(present(&app), 5);
    app.world_mut().entity_mut(all[1]).insert(GoTo::place(vec2(0.0, 9.0)));
    pass(&mut app, 0.5);
    app.world_mut().entity_mut(all[1]).despawn();
    app.world_mut().entity_mut(all[3]).remove::<Locomotion>();
    pass(&mut app, 0.1);
    assert_eq!(present(&app), 3);
    assert!(!has::<AndanteActor>(&app, all[3]));
    app.world_mut().entity_mut(all[3]).insert(Locomotion::human(1.5));
    pass(&mut app, 0.1);
    assert_eq!(present(&app), 4);
    assert!(heard(&app).refused.is_empty(), "{:?}", heard(&app).refused);
}

#[test]
fn who_becomes_another_is_that_one_from_then_on() {
    let (mut app, _) = yard(0.0);
    let ann = human(&mut app, Vec3::ZERO);
    let top = |app: &App| common::models(app, ann).iter().map(|own| own.0.y).fold(0.0, f32::max);
    let before = top(&app);
    app.world_mut().get_mut::<Locomotion>(ann).unwrap().character =
        Walks::Human { height: Some(1.2) };
    pass(&mut app, 0.1);
    assert_eq!(present(&app), 1);
    assert!(top(&app) < 0.8 * before);
}

#[test]
fn who_is_put_elsewhere_goes_on_from_there() {
    let (mut app, _) = yard(0.0);
    let ann = human(&mut app, Vec3::ZERO);
    app.world_mut().get_mut::<Transform>(ann).unwrap().translation = vec3(5.0, 2.0, -3.0);
    pass(&mut app, 0.1);
    assert!(place(&app, ann).distance(vec3(5.0, 0.0, -3.0)) < 0.03, "{}", place(&app, ann));
}

#[test]
fn feet_are_heard_left_and_right_on_the_ground_they_meet() {
    let (mut app, floor) = yard(0.25);
    let ann = human(&mut app, vec3(0.0, 0.25, 0.0));
    app.world_mut().entity_mut(ann).insert(GoTo::place(vec2(0.0, 6.0)));
    until(&mut app, 30.0, "arrival", |app| !heard(app).arrived.is_empty());
    let falls = &heard(&app).footfalls;
    assert!(falls.len() >= 6, "{} footfalls", falls.len());
    for fall in falls {
        assert_eq!((fall.entity, fall.ground), (ann, Some(floor)));
        assert!((fall.place.y - 0.25).abs() < 0.01 && fall.speed.is_finite() && fall.foot < 2);
    }
    assert!(falls.windows(2).filter(|two| two[0].foot == two[1].foot).count() <= 1);
}

#[test]
fn a_body_that_is_pushed_gives_way_and_finds_its_balance() {
    let (mut app, _) = yard(0.0);
    let ann = human(&mut app, Vec3::ZERO);
    app.world_mut().entity_mut(ann).insert(PhysicalBody::WhenTouched);
    pass(&mut app, 0.5);
    app.world_mut().trigger(Push::new(ann, vec3(45.0, 0.0, 0.0)));
    app.update();
    let id = app.world().get::<AndanteActor>(ann).unwrap().id();
    assert!(app.world().resource::<AndanteStage>().stage().is_physical(id));
    until(&mut app, 20.0, "safe again", |app| {
        heard(app).words.iter().any(|(_, word)| ["recovered", "got up"].contains(word))
    });
    assert!(heard(&app).words.contains(&(ann, "pushed")));
    assert!(place(&app, ann).x > 0.05, "it was pushed towards +X: {}", place(&app, ann));
    assert!(heard(&app).refused.is_empty(), "{:?}", heard(&app).refused);
}

#[test]
fn any_other_command_is_an_order() {
    let (mut app, _) = yard(0.0);
    let ann = human(&mut app, Vec3::ZERO);
    let command = Command::Face(GazeTarget::Heading(1.5));
    app.world_mut().trigger(Order { entity: ann, command });
    pass(&mut app, 4.0);
    let ahead = app.world().get::<Transform>(ann).unwrap().rotation * Vec3::Z;
    assert!(ahead.x > 0.95, "{ahead}");
}

#[test]
fn what_makes_no_sense_is_refused_in_the_words_of_the_library_and_changes_nothing() {
    let (mut app, _) = yard(0.0);
    let ann = human(&mut app, Vec3::ZERO);
    let goal = vec2(0.0, 3.0);
    app.world_mut().entity_mut(ann).insert(GoTo::place(goal));
    pass(&mut app, 0.5);
    let far = GoTo::place(vec2(f32::NAN, 0.0));
    app.world_mut().entity_mut(ann).insert(far);
    app.update();
    app.world_mut().entity_mut(ann).insert(Steer { speed: 1e9, turn_rate: 0.0 });
    app.update();
    app.world_mut().entity_mut(ann).insert(Wait(-1.0));
    app.update();
    app.world_mut().trigger(Push::new(ann, vec3(f32::NAN, 0.0, 0.0)));
    app.world_mut().trigger(Push::new(ann, vec3(30.0, 0.0, 0.0)));
    app.world_mut().trigger(Order { entity: ann, command: Command::Speed(Some(-1.0)) });
    let nobody = app.world_mut().spawn_empty().id();
    app.world_mut().trigger(Push::new(nobody, Vec3::X));
    app.update();
    // The same words as without Bevy.
    let same = |command: Command| command.check().unwrap_err().to_string();
    let words: Vec<&str> = heard(&app).refused.iter().map(|(_, words)| words.as_str()).collect();
    assert_eq!(
        words[0],
        same(Command::WalkTo(bevy_andante::andante_stage::Waypoint::at(far.place)))
    );
    assert_eq!(words[1], "speed is 1000000000; it is -100 to 100 m/s");
    assert_eq!(words[2], same(Command::Wait(-1.0)));
    assert!(words[3].contains("NaN"), "{}", words[3]);
    assert_eq!(words[4], same(Command::Speed(Some(-1.0))));
    assert_eq!(words[5], format!("{nobody} is not on the stage"));
    assert!(words[6].contains("is kinematic"), "{}", words[6]);
    assert_eq!(words.len(), 7, "{words:?}");
    assert!(!has::<Steer>(&app, ann) && !has::<Wait>(&app, ann) && !has::<GoTo>(&app, ann));
    until(&mut app, 30.0, "arrival at the first goal", |app| !heard(app).arrived.is_empty());
    assert!(place(&app, ann).xz().distance(goal) < 0.05);
}

#[test]
fn who_has_no_ground_is_told_so_and_comes_when_there_is_some() {
    let mut app = world(Path::new("."));
    let ann = human(&mut app, vec3(1.0, 0.0, 0.0));
    pass(&mut app, 0.2);
    assert_eq!(heard(&app).refused, [(ann, "there is no ground at [1, 0]".into())]);
    common::ground(&mut app, Plane3d::default().mesh().size(9.0, 9.0).into(), 0.0);
    pass(&mut app, 0.1);
    assert_eq!(present(&app), 1);
    let giant = human(&mut app, Vec3::ZERO);
    assert_eq!(present(&app), 2);
    app.world_mut().entity_mut(giant).insert(Locomotion::human(90.0));
    pass(&mut app, 0.2);
    assert_eq!(present(&app), 1);
    assert_eq!(heard(&app).refused.len(), 2, "{:?}", heard(&app).refused);
    assert!(heard(&app).refused[1].1.contains("height is 90"), "{:?}", heard(&app).refused[1]);
}

#[test]
fn who_hangs_on_another_entity_is_refused() {
    let (mut app, floor) = yard(0.0);
    let child = app.world_mut().spawn((Locomotion::default(), ChildOf(floor))).id();
    pass(&mut app, 0.1);
    assert_eq!(present(&app), 0);
    assert!(heard(&app).refused[0].1.starts_with(&format!("{child} is a child")));
}

#[test]
fn who_cannot_get_there_says_why_and_gives_up() {
    let (mut app, _) = yard(0.0);
    let island =
        Plane3d::default().mesh().size(4.0, 4.0).build().translated_by(vec3(40.0, 0.0, 0.0));
    common::ground(&mut app, island, 0.0);
    let ann = human(&mut app, Vec3::ZERO);
    app.world_mut().entity_mut(ann).insert(GoTo::place(vec2(40.0, 0.0)));
    until(&mut app, 10.0, "giving up", |app| heard(app).blocked.iter().any(|own| own.gave_up));
    let said = heard(&app).blocked.last().unwrap().clone();
    assert!(said.entity == ann && said.reason.len() > 10, "{said:?}");
    app.update();
    assert!(!has::<GoTo>(&app, ann) && heard(&app).arrived.is_empty());
}

#[test]
fn inspectors_and_scenes_know_every_component() {
    use bevy::ecs::reflect::{AppTypeRegistry, ReflectComponent};
    let (mut app, _) = yard(0.0);
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    let names = [
        "Locomotion",
        "GoTo",
        "Steer",
        "Wait",
        "PhysicalBody",
        "AndantePose",
        "AndanteActor",
        "AndanteSkin",
        "AndanteGround",
        "AndanteObstacle",
        "AndanteShape",
        "AndanteSceneRoot",
        "AndanteViewer",
    ];
    for name in names {
        let own = registry.get_with_short_type_path(name);
        assert!(own.is_some_and(|own| own.data::<ReflectComponent>().is_some()), "{name}");
    }
    // What an inspector changes counts like what a game changes.
    let ann = human(&mut app, Vec3::ZERO);
    let steer = registry.get_with_short_type_path("Steer").unwrap();
    let steer = steer.data::<ReflectComponent>().unwrap();
    let value = Steer { speed: 1.2, turn_rate: 0.0 };
    steer.insert(&mut app.world_mut().entity_mut(ann), &value, &registry);
    pass(&mut app, 2.0);
    assert!(place(&app, ann).z > 1.0);
    let mut shown = steer.reflect_mut(app.world_mut().entity_mut(ann)).unwrap();
    let speed = shown.reflect_mut().as_struct().unwrap().field_mut("speed").unwrap();
    *speed.try_downcast_mut::<f32>().unwrap() = 0.0;
    pass(&mut app, 2.0);
    let stopped = place(&app, ann);
    pass(&mut app, 1.0);
    assert!(place(&app, ann).distance(stopped) < 0.02, "it stands");
}
