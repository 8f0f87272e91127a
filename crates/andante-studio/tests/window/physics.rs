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
