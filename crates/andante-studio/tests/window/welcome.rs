//! The way in.

use super::User;
use andante_studio::StudioRoom;
use egui_kittest::kittest::Queryable;

#[test]
fn an_example_opens_on_the_stage_with_one_click() {
    let mut user = User::in_room(StudioRoom::Welcome);
    user.click("Example stairs");
    user.settle();
    assert_eq!(user.app().room(), StudioRoom::Stage);
    assert_eq!(user.app().stage.player().unwrap().scene().name, "stairs");
}

#[test]
fn examples_come_to_life_one_after_the_other_and_first_who_is_looked_at() {
    let mut user = User::in_room(StudioRoom::Welcome);
    user.window.get_by_label("Example turns").hover();
    while user.app().welcome.pictures("turns").is_none() {
        std::thread::yield_now();
        user.window.step();
    }
    assert!(user.app().welcome.pictures("turns").unwrap() > 60, "four seconds at least");
    assert_eq!(user.app().welcome.pictures("crowd"), None, "that is the last");
    while user.app().welcome.pictures("demo").is_none() {
        std::thread::yield_now();
        user.window.step();
    }
}

#[test]
fn recent_projects_and_what_was_worked_on_last_are_there_at_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("home");
    let project = folder.path().join("my walk");
    let mut user = User::at_home(&home, StudioRoom::Stage);
    user.key(eframe::egui::Key::B);
    user.settle();
    user.keys(eframe::egui::Modifiers::COMMAND, eframe::egui::Key::S);
    user.keys(eframe::egui::Modifiers::COMMAND, eframe::egui::Key::A);
    user.window.get_by_label("Path").type_text(project.to_str().unwrap());
    user.window.run_steps(2);
    user.click("Save here");
    assert!(project.join("scene.toml").is_file(), "{:?}", user.app().notices().all());
    let saved = user.app().project().clone();
    drop(user);

    let mut user = User::at_home(&home, StudioRoom::Welcome);
    user.click("my walk");
    user.settle();
    assert_eq!(user.app().room(), StudioRoom::Stage);
    assert_eq!(user.app().project(), &saved);
    drop(user);

    let mut user = User::at_home(&home, StudioRoom::Welcome);
    user.click("Go on with untitled");
    assert_eq!(user.app().project().scene, saved.scene);
}

#[test]
fn a_file_that_cannot_be_read_is_told_with_its_place_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd.toml");
    std::fs::write(
        &path,
        "version = 1\nname = \"odd\"\n[[platform]]\noutline = [[0, 0], [1, 0]]\n",
    )
    .unwrap();
    let mut user = User::in_room(StudioRoom::Stage);
    let before = user.app().project().clone();
    user.window.state_mut().open(&path);
    user.settle();
    assert_eq!(user.app().project(), &before);
    let told = user.app().notices().all().last().unwrap().text.clone();
    assert!(told.contains("odd.toml") && told.contains('3'), "{told}");
}
