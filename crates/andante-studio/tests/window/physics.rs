//! Forces: pushes, pulls, cubes.

use super::User;
use andante_studio::{PushTool, StudioRoom};
use eframe::egui::vec2;
use egui_kittest::kittest::Queryable;

#[test]
fn a_button_pushes_and_balance_is_kept_and_drawn() {
    let mut user = User::in_room(StudioRoom::Physics);
    user.wait(0.5);
    let before = user.app().physics.world().unwrap().chest();
    user.click("Push ahead");
    user.wait(0.4);
    let world = user.app().physics.world().unwrap();
    assert!(world.chest().z > before.z + 0.02, "{} {}", before, world.chest());
    let samples = world.samples.clone();
    assert!(samples.iter().any(|sample| sample.capture < samples[0].capture - 0.03));
    user.wait(3.0);
    assert_eq!(user.app().physics.world().unwrap().falls(), 0);
    assert!(user.window.query_by_label("Balance over time").is_some());
}

#[test]
fn an_arrow_that_is_dragged_from_the_body_pushes_that_way() {
    let mut user = User::in_room(StudioRoom::Physics);
    user.wait(0.3);
    let rect = user.window.get_by_label("Physics view").rect();
    let room = &user.app().physics;
    let chest = room.world().unwrap().chest();
    let at = room.camera.project(chest, rect).unwrap();
    user.drag(at, at + vec2(90.0, 0.0));
    user.wait(0.3);
    let after = user.app().physics.world().unwrap().chest();
    let camera = user.app().physics.camera;
    let right = glam::vec3(camera.yaw.cos(), 0.0, -camera.yaw.sin());
    assert!((after - chest).dot(right) > 0.02, "{chest} {after}");
}

#[test]
fn a_spring_pulls_as_long_as_it_is_held() {
    let mut user = User::in_room(StudioRoom::Physics);
    user.window.state_mut().physics.tool = PushTool::Pull;
    user.wait(0.3);
    let rect = user.window.get_by_label("Physics view").rect();
    let room = &user.app().physics;
    let at = room.camera.project(room.world().unwrap().chest(), rect).unwrap();
    user.drag(at, at + vec2(40.0, 0.0));
    assert!(user.app().physics.world().unwrap().pull.is_none(), "it is let go");
    user.wait(2.0);
    assert!(!user.app().physics.world().unwrap().broken);
}

#[test]
fn cubes_are_thrown_and_dropped() {
    let mut user = User::in_room(StudioRoom::Physics);
    user.click("Throw a cube");
    user.wait(0.3);
    user.click("Drop a cube");
    user.wait(2.5);
    let world = user.app().physics.world().unwrap();
    assert_eq!(world.things().count(), 2);
    assert!(world.things().all(|(_, place)| place.translation.y < 1.0), "they lie about");
    user.click("Put down anew");
    assert_eq!(user.app().physics.world().unwrap().things().count(), 0);
}

#[test]
fn the_ground_is_tilted_and_shaken_by_sliders() {
    let mut user = User::in_room(StudioRoom::Physics);
    user.window.get_all_by_label("Tilt (°)").last().unwrap().set_value_accesskit(4.0);
    user.window.get_all_by_label("Shake (m)").last().unwrap().set_value_accesskit(0.01);
    user.wait(2.0);
    let world = user.app().physics.world().unwrap();
    let lean = world.ground_normal().angle_between(glam::Vec3::Y).to_degrees();
    assert!((lean - 4.0).abs() < 0.2, "{lean}");
    assert!(!world.broken);
}

#[test]
fn strength_of_a_bone_is_an_edit_and_an_invisible_hand_helps() {
    let mut user = User::in_room(StudioRoom::Physics);
    let before = user.app().project().body.clone();
    user.window.get_all_by_label("Strength of it (N·m)").last().unwrap().set_value_accesskit(30.0);
    user.window.run_steps(3);
    assert_ne!(user.app().project().body, before);
    user.click("Undo");
    assert_eq!(user.app().project().body, before);
    user.window.get_all_by_label("Assistance").last().unwrap().set_value_accesskit(1.0);
    user.wait(0.3);
    user.click("Push back");
    user.wait(3.0);
    assert_eq!(user.app().physics.world().unwrap().falls(), 0);
}

#[test]
fn the_envelope_of_pushes_is_found_beside_the_window() {
    let mut user = User::in_room(StudioRoom::Physics);
    user.click("Find the envelope");
    while user.app().physics.envelope.strongest().len() < 2 {
        user.window.step();
    }
    let found = user.app().physics.envelope.strongest();
    assert!(found.iter().all(|strongest| (4.0..200.0).contains(strongest)), "{found:?}");
    user.click("Cancel trying pushes");
    user.settle();
}

#[test]
fn a_clip_is_followed_and_let_go_of_when_nobody_helps() {
    let mut user = User::in_room(StudioRoom::Physics);
    user.click("Follow walk");
    user.settle();
    user.wait(0.6);
    let world = user.app().physics.world().unwrap();
    let following = world.following().expect("it follows");
    assert!(world.time() > 0.3 && world.falls() == 0);
    assert!(following.off < 12.0, "{} degrees off", following.off);
    // What it should do and what it does are two bodies, and not far apart.
    let told = following.of.models(world.time());
    let hips = told[0].translation;
    let own = world.models()[0].translation;
    assert!(hips.distance(own) < 0.25, "{hips} {own}");
    // An unkind shove, and nobody who holds it.
    user.window.state_mut().physics.trouble.assist = 0.0;
    for _ in 0..4 {
        user.click("Push left");
        user.wait(0.5);
    }
    let world = user.app().physics.world().unwrap();
    assert!(world.following().is_none() && world.falls() > 0 && !world.broken);
    user.click("Begin the clip anew");
    assert!(user.app().physics.world().unwrap().following().is_some());
    user.click("Stand still");
    user.wait(1.0);
    let world = user.app().physics.world().unwrap();
    assert!(world.following().is_none() && world.falls() == 0);
}
