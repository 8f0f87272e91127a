//! Undo, saving, crashes, commands by name.

use super::User;
use andante_studio::{StudioHome, StudioRoom};
use eframe::egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;

#[test]
fn every_edit_is_undone_and_done_again() {
    let mut user = User::in_room(StudioRoom::Stage);
    let mut states = vec![user.app().project().clone()];
    for _ in 0..3 {
        user.key(Key::B);
        user.settle();
        states.push(user.app().project().clone());
    }
    for state in states.iter().rev().skip(1) {
        user.keys(Modifiers::COMMAND, Key::Z);
        assert_eq!(user.app().project(), state);
    }
    for state in states.iter().skip(1) {
        user.keys(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
        assert_eq!(user.app().project(), state);
    }
    user.settle();
    assert_eq!(user.app().stage.player().unwrap().scene().obstacles.len(), 3);
}

/// As after kill -9: the window is gone without a word, and another one is opened.
#[test]
fn a_crash_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut user = User::at_home(folder.path(), StudioRoom::Stage);
    for _ in 0..2 {
        user.key(Key::B);
        user.settle();
    }
    let edited = user.app().project().clone();
    std::mem::forget(user);
    let (kept, room) = StudioHome::at(folder.path()).autosaved().remove(0).unwrap();
    assert_eq!((kept, room), (edited, StudioRoom::Stage));
}

#[test]
fn commands_are_found_by_their_names() {
    let mut user = User::in_room(StudioRoom::Stage);
    user.keys(Modifiers::COMMAND, Key::K);
    user.window.get_by_label("Look for a command").type_text("creat");
    user.window.run_steps(2);
    user.key(Key::Enter);
    assert_eq!(user.app().room(), StudioRoom::Creature);
    user.keys(Modifiers::COMMAND, Key::K);
    user.key(Key::Escape);
    assert!(user.window.query_by_label("Look for a command").is_none());
}

#[test]
fn typing_a_path_plays_nothing() {
    let mut user = User::in_room(StudioRoom::Stage);
    user.key(Key::Space);
    let playing = user.app().stage.player().unwrap().playing;
    user.keys(Modifiers::COMMAND, Key::O);
    user.key(Key::Space);
    assert_eq!(user.app().stage.player().unwrap().playing, playing);
}

#[test]
fn every_room_opens_by_its_tab() {
    let mut user = User::in_room(StudioRoom::Welcome);
    for room in StudioRoom::ALL {
        user.click(room.name());
        user.settle();
        assert_eq!(user.app().room(), room);
    }
}

#[test]
fn commands_of_the_command_line_are_found_with_the_line_to_type() {
    let mut user = User::in_room(StudioRoom::Stage);
    user.keys(Modifiers::COMMAND, Key::K);
    user.window.get_by_label("Look for a command").type_text("retarget");
    user.window.run_steps(2);
    let line = "andante clips walk -o walk.bvh && andante retarget walk.bvh --to humanoid out.glb";
    assert!(user.window.query_by_label_contains(line).is_some());
    user.key(Key::Enter);
    assert_eq!(user.app().room(), StudioRoom::Motion);
    // What can only be done there is told, and nothing happens.
    user.keys(Modifiers::COMMAND, Key::K);
    user.window.get_by_label("Look for a command").type_text("bench");
    user.window.run_steps(2);
    user.key(Key::Enter);
    assert!(user.window.query_by_label_contains("only from a command line").is_some());
    assert_eq!(user.app().room(), StudioRoom::Motion);
}

#[test]
fn a_file_is_opened_by_clicking_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let deep = folder.path().join("deeper");
    std::fs::create_dir(&deep).unwrap();
    let hills = andante_stage::built_in_scenes().iter().find(|scene| scene.name == "hills");
    std::fs::write(deep.join("my-hills.toml"), hills.unwrap().text).unwrap();
    let mut user = User::in_room(StudioRoom::Welcome);
    user.keys(Modifiers::COMMAND, Key::O);
    user.window.get_by_label("Path").type_text(&format!("{}/", folder.path().display()));
    user.window.run_steps(2);
    user.click("deeper/");
    user.click("my-hills.toml");
    user.settle();
    assert_eq!(user.app().project().name, "my-hills", "{:?}", user.app().notices().all());
    assert_eq!(user.app().room(), StudioRoom::Stage);
}
