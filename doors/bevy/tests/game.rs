//! The example game, played without a window: the mouse sends and pushes, keys lead, a crowd strolls.
#![allow(clippy::unwrap_used)]

mod common;
#[allow(dead_code, unreachable_pub)]
#[path = "../examples/click_to_move.rs"]
mod game;

use bevy::camera::NormalizedRenderTarget;
use bevy::picking::backend::HitData;
use bevy::picking::pointer::{Location, PointerId};
use bevy::prelude::*;
use bevy_andante::{GoTo, Locomotion, PhysicalBody, Steer};
use common::{has, heard, human, pass, place, until, yard};
use game::{Hero, Stroller};

/// A yard in which the hero stands and clicks count.
fn play() -> (App, Entity, Entity) {
    let (mut app, floor) = yard(0.0);
    app.init_resource::<ButtonInput<KeyCode>>().add_systems(Update, game::lead);
    app.add_observer(game::stroll);
    app.world_mut().entity_mut(floor).observe(game::click);
    let hero = human(&mut app, Vec3::ZERO);
    app.world_mut().entity_mut(hero).insert((Hero, PhysicalBody::default()));
    app.update();
    (app, floor, hero)
}

fn click(app: &mut App, floor: Entity, button: PointerButton, at: Vec3) {
    let target = NormalizedRenderTarget::None { width: 1, height: 1 };
    let location = Location { target, position: Vec2::ZERO };
    let event = PointerClick {
        entity: floor,
        pointer: Pointer::new(PointerId::Mouse, location),
        button,
        hit: HitData::new(floor, 1.0, Some(at), Some(Vec3::Y)),
        duration: std::time::Duration::ZERO,
        count: 1,
    };
    app.world_mut().trigger(event);
    app.update();
}

#[test]
fn the_left_button_sends_and_with_shift_at_a_run() {
    let (mut app, floor, hero) = play();
    click(&mut app, floor, PointerButton::Primary, vec3(1.0, 0.0, 4.0));
    assert!(!app.world().get::<GoTo>(hero).unwrap().run);
    until(&mut app, 30.0, "arrival", |app| heard(app).arrived == [hero]);
    assert!(place(&app, hero).distance(vec3(1.0, 0.0, 4.0)) < 0.05);
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::ShiftLeft);
    click(&mut app, floor, PointerButton::Primary, vec3(0.0, 0.0, -8.0));
    assert!(app.world().get::<GoTo>(hero).unwrap().run);
    until(&mut app, 30.0, "arrival", |app| heard(app).arrived.len() == 2);
}

#[test]
fn the_right_button_pushes_whoever_is_near() {
    let (mut app, floor, hero) = play();
    let far = human(&mut app, vec3(8.0, 0.0, 8.0));
    app.world_mut().entity_mut(far).insert(PhysicalBody::default());
    pass(&mut app, 0.5);
    click(&mut app, floor, PointerButton::Secondary, vec3(-1.0, 0.0, 0.0));
    until(&mut app, 20.0, "safe again", |app| {
        let over = ["recovered", "got up"];
        heard(app).words.iter().any(|(who, word)| *who == hero && over.contains(word))
    });
    assert!(place(&app, hero).x > 0.05, "away from the mouse: {}", place(&app, hero));
    assert!(heard(&app).words.iter().all(|(who, word)| *who != far || *word != "pushed"));
}

#[test]
fn keys_lead_until_they_are_let_go() {
    let (mut app, _, hero) = play();
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::KeyW);
    pass(&mut app, 3.0);
    let ahead = place(&app, hero).z;
    assert!(ahead > 2.0 && has::<Steer>(&app, hero), "{ahead} m ahead");
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::KeyA);
    pass(&mut app, 1.0);
    assert!(place(&app, hero).x > 0.1, "to the left: {}", place(&app, hero));
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().reset_all();
    pass(&mut app, 2.5);
    let stopped = place(&app, hero);
    pass(&mut app, 1.0);
    assert!(!has::<Steer>(&app, hero) && place(&app, hero).distance(stopped) < 0.02);
}

#[test]
fn two_hundred_stroll_and_none_is_refused() {
    let (mut app, _, _) = play();
    let strollers: Vec<Entity> = (0..200)
        .map(|number| {
            let (place, goal) = (game::somewhere(number), game::somewhere(number + 7919));
            let at = Transform::from_xyz(place.x, 1.0, place.y);
            let own = (Stroller(0), Locomotion::default(), at, GoTo::place(goal));
            app.world_mut().spawn(own).id()
        })
        .collect();
    pass(&mut app, 12.0);
    assert_eq!(common::present(&app), 201);
    let far = |(number, own): (usize, &Entity)| {
        place(&app, *own).xz().distance(game::somewhere(number)) > 1.0
    };
    let went = strollers.iter().enumerate().filter(|own| far(*own)).count();
    assert!(went > 150, "{went} of 200 have gone more than a metre");
    let apart = |a: Entity, b: Entity| place(&app, a).distance(place(&app, b));
    let pairs = || {
        strollers
            .iter()
            .enumerate()
            .flat_map(|(at, &a)| strollers[at + 1..].iter().map(move |&b| (a, b)))
    };
    let nearest = pairs().map(|(a, b)| apart(a, b)).fold(f32::MAX, f32::min);
    assert!(nearest > 0.2, "two are {nearest} m from each other");
    assert!(heard(&app).refused.is_empty(), "{:?}", heard(&app).refused);
}
