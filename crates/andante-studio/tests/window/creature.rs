//! Creatures: bodies, palettes, sketches, search.

use super::User;
use andante_studio::{ModeRole, StepPhaseKind, StudioRoom};
use egui_kittest::kittest::Queryable;

/// Sliders round what they show; a body whose masses have more decimals must not be edited by being looked at.
#[test]
fn looking_is_no_edit() {
    let mut user = User::in_room(StudioRoom::Creature);
    for room in StudioRoom::ALL {
        user.click(room.name());
        user.settle();
        user.wait(0.3);
    }
    assert_eq!(user.app().edits(), [0, 0]);
    assert!(user.app().creature.desk().unwrap().known.is_some());
}

#[test]
fn both_palettes_are_ordered_by_frequency_and_every_mode_has_a_name() {
    let user = User::in_room(StudioRoom::Creature);
    let desk = user.app().creature.desk().unwrap();
    for phase in StepPhaseKind::BOTH {
        let modes = &desk.modes(phase).modes;
        assert_eq!(modes.len(), 30);
        assert!(modes.windows(2).all(|pair| pair[0].hz() <= pair[1].hz()));
        let first = format!("{} mode 1", phase.name());
        assert!(user.window.query_by_label(&first).is_some());
    }
}

#[test]
fn a_click_on_a_mode_goes_through_its_roles_and_can_be_undone() {
    let mut user = User::in_room(StudioRoom::Creature);
    let role = |user: &User| user.app().creature.desk().unwrap().role(0, StepPhaseKind::Air, 0);
    assert_eq!(role(&user), ModeRole::Excluded);
    for expected in [ModeRole::Allowed, ModeRole::Priority(0.2), ModeRole::Excluded] {
        user.click("Air mode 1");
        assert_eq!(role(&user), expected);
    }
    user.click("Undo");
    user.window.run_steps(2);
    assert_eq!(role(&user), ModeRole::Priority(0.2));
}

#[test]
fn the_amplitude_of_a_mode_has_a_sign() {
    let mut user = User::in_room(StudioRoom::Creature);
    let slider = user.window.get_all_by_label("Air 2").last().unwrap();
    slider.set_value_accesskit(-0.5);
    user.window.run_steps(3);
    let desk = user.app().creature.desk().unwrap();
    assert_eq!(desk.role(0, StepPhaseKind::Air, 1), ModeRole::Priority(-0.5));
}

#[test]
fn editing_a_mass_makes_the_palettes_anew_in_the_next_frame() {
    let mut user = User::in_room(StudioRoom::Creature);
    let frequencies = |user: &User| -> Vec<f64> {
        let desk = user.app().creature.desk().unwrap();
        desk.modes(StepPhaseKind::Air).modes.iter().map(|mode| mode.hz()).collect()
    };
    let before = frequencies(&user);
    let slider = user.window.get_all_by_label("Mass (kg)").last().unwrap();
    slider.set_value_accesskit(30.0);
    user.window.run_steps(2);
    assert_ne!(frequencies(&user), before);
}

#[test]
fn a_search_goes_on_beside_the_window_and_stops() {
    let mut user = User::in_room(StudioRoom::Creature);
    user.click("Search for a gait");
    while user.app().creature.hunt().unwrap().news().history.len() < 2 {
        user.window.step();
    }
    assert!(user.window.query_by_label("Convergence").is_some());
    user.click("Stop");
    user.settle();
    let hunt = user.app().creature.hunt().unwrap();
    assert!(!hunt.is_running() && hunt.cycle().is_some());
    let done = hunt.news().evaluations;
    user.click("Go on");
    while user.app().creature.hunt().unwrap().news().evaluations <= done {
        user.window.step();
    }
    user.click("Stop");
    user.settle();
}

#[test]
fn a_found_gait_is_sent_to_the_stage_and_gets_to_its_goal() {
    let mut user = User::in_room(StudioRoom::Creature);
    user.click("Send to the stage");
    user.settle();
    assert_eq!(user.app().room(), StudioRoom::Stage, "{:?}", user.app().notices().all());
    let player = user.window.state_mut().stage.player_mut().unwrap();
    player.play_to(60 * 40);
    let actor = &player.stage().actors()[0];
    let there = actor.disc().place.position;
    assert!(there.distance(glam::vec2(4.0, 18.0)) < 0.5, "{there}");
    assert_eq!(actor.character().name, "humanoid");
}

#[test]
fn rest_pose_limits_and_strength_are_edited_and_the_palettes_follow() {
    let mut user = User::in_room(StudioRoom::Creature);
    let body = |user: &User| andante_body::read_body(&user.app().project().body).unwrap();
    let thigh = body(&user).feet()[0].hip;
    user.window.state_mut().creature.segment = thigh;
    user.window.run_steps(2);
    let modes =
        |user: &User| user.app().creature.desk().unwrap().modes(StepPhaseKind::Air).modes[5].hz();
    let before = modes(&user);
    user.window.get_all_by_label("At rest: bends (°)").last().unwrap().set_value_accesskit(-40.0);
    user.window.run_steps(3);
    let desk = user.app().creature.desk().unwrap();
    assert!((desk.rest_angles(thigh).unwrap()[0].to_degrees() + 40.0).abs() < 0.6);
    assert_ne!(modes(&user), before);
    user.window.get_all_by_label("bends to (°)").last().unwrap().set_value_accesskit(70.0);
    user.window.run_steps(3);
    let limits = body(&user).segments()[thigh].joint.as_ref().unwrap().limits.unwrap();
    assert!((limits.upper[0].to_degrees() - 70.0).abs() < 0.6, "{limits:?}");
    user.click("Undo");
    user.click("Undo");
    user.window.run_steps(2);
    assert_eq!(modes(&user), before);
}

#[test]
fn a_joint_is_bent_at_rest_by_dragging_it_in_the_view() {
    let mut user = User::in_room(StudioRoom::Creature);
    user.click("Shape it at rest");
    let desk = user.app().creature.desk().unwrap();
    let knee = desk.body.segments()[desk.body.feet()[0].segment].joint.as_ref().unwrap().parent;
    let name = format!("Joint of {}", desk.body.segments()[knee].name);
    let before = desk.rest_angles(knee).unwrap()[0];
    let from = user.window.get_by_label(&name).rect().center();
    user.drag(from, from + eframe::egui::vec2(0.0, 25.0));
    let after = user.app().creature.desk().unwrap().rest_angles(knee).unwrap()[0];
    assert!((after - before).abs() > 0.05, "{before} {after}");
    assert_eq!(user.app().edits()[0], 1);
}

#[test]
fn suggested_signs_and_random_sketches_are_edits() {
    let mut user = User::in_room(StudioRoom::Creature);
    let slider = user.window.get_all_by_label("Air 2").last().unwrap();
    slider.set_value_accesskit(-0.5);
    user.window.run_steps(3);
    user.click("Suggested signs");
    let desk = user.app().creature.desk().unwrap();
    if let Some(sign) = desk.suggested_sign(0, StepPhaseKind::Air, 1) {
        assert_eq!(desk.role(0, StepPhaseKind::Air, 1), ModeRole::Priority(0.5 * sign));
    }
    let before = user.app().project().sketch.clone();
    user.click("Random sketch");
    assert_ne!(user.app().project().sketch, before);
}
