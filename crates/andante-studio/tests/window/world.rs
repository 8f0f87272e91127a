//! The world of the stage: things to add, to hold, to tell and to see.

use super::User;
use super::stage::yard;
use andante_studio::{SceneThing, StageChoice};
use eframe::egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::kittest::Queryable;
use glam::vec3;

fn still() -> User {
    let mut user = yard();
    user.click("Pause");
    user
}

fn grip(user: &User, name: &str) -> Pos2 {
    user.window.get_by_label(name).rect().center()
}

fn scene(user: &User) -> andante_stage::Scene {
    user.app().project().read_scene().unwrap()
}

#[test]
fn ground_is_added_lifted_turned_and_scaled_by_its_handles_and_undone() {
    let mut user = still();
    user.click("Platform");
    user.settle();
    assert_eq!(user.app().stage.choice, StageChoice::Thing(SceneThing::Platform(1)));
    let before = scene(&user).ground[1].platform.clone();
    let from = grip(&user, "Lift");
    user.drag(from, from - vec2(0.0, 60.0));
    user.settle();
    let lifted = scene(&user).ground[1].platform.clone();
    let rise = lifted.height_at(lifted.outline[0]) - before.height_at(before.outline[0]);
    assert!(rise > 0.1, "{rise} {:?}", user.app().notices().all());
    let wide = |outline: &[glam::Vec2]| outline[0].distance(outline[1]);
    let middle = user
        .app()
        .stage
        .camera
        .project(vec3(0.0, 0.0, 0.0), user.window.get_by_label("Stage view").rect());
    let from = grip(&user, "Scale");
    let away = (from - grip(&user, "Move")).normalized();
    user.drag(from, from + 40.0 * away);
    user.settle();
    let scaled = scene(&user).ground[1].platform.clone();
    assert!(wide(&scaled.outline) > 1.1 * wide(&before.outline), "{middle:?} {scaled:?}");
    let from = grip(&user, "Turn");
    user.drag(from, from + vec2(50.0, -30.0));
    user.settle();
    let turned = scene(&user).ground[1].platform.clone();
    let side = |outline: &[glam::Vec2]| outline[1] - outline[0];
    assert!(side(&turned.outline).angle_to(side(&scaled.outline)).abs() > 0.05, "{turned:?}");
    let edits = user.app().edits()[0];
    for _ in 0..3 {
        user.click("Undo");
    }
    user.settle();
    assert_eq!(user.app().edits()[0], edits - 3);
    assert_eq!(scene(&user).ground[1].platform, before);
    user.key(Key::Delete);
    user.settle();
    assert_eq!(scene(&user).ground.len(), 1);
}

#[test]
fn stairs_terrain_columns_and_lamps_are_added_and_have_numbers() {
    let mut user = still();
    user.click("Stairs");
    user.settle();
    assert_eq!(scene(&user).ground.len(), 7);
    user.window.get_all_by_label("Steps").last().unwrap().set_value_accesskit(4.0);
    user.window.run_steps(3);
    user.settle();
    assert_eq!(scene(&user).ground.len(), 5);
    user.click("Terrain");
    user.settle();
    assert!(scene(&user).ground[1].terrain.is_some());
    user.click("Column");
    user.settle();
    assert_eq!(scene(&user).obstacles.len(), 1);
    user.click("Lamp");
    user.settle();
    let lamp = user.app().project().light.lamps[0];
    let from = grip(&user, "Move along x");
    user.drag(from, from + vec2(40.0, 0.0));
    assert_ne!(user.app().project().light.lamps[0], lamp);
    user.click("Delete");
    assert!(user.app().project().light.lamps.is_empty());
}

#[test]
fn start_and_goal_are_dragged_in_the_view() {
    let mut user = still();
    user.key(Key::Num7);
    user.key(Key::Home);
    user.window.state_mut().stage.camera.distance = 22.0;
    user.window.state_mut().stage.camera.target = vec3(0.0, 0.0, 1.0);
    user.window.state_mut().stage.camera.follows = false;
    user.window.run_steps(2);
    let before = scene(&user).characters[0].clone();
    let from = grip(&user, "Goal of Ann");
    let to = user.on_stage(vec3(3.0, 0.0, 5.0));
    user.drag(from, to);
    user.settle();
    let after = scene(&user).characters[0].clone();
    assert!(after.goal.place.distance(glam::vec2(3.0, 5.0)) < 0.3, "{:?}", after.goal);
    assert_eq!(after.start, before.start);
    let from = grip(&user, "Start of Ann");
    let to = user.on_stage(vec3(-2.0, 0.0, -3.0));
    user.drag(from, to);
    user.settle();
    let moved = scene(&user).characters[0].clone();
    assert!(moved.start.place.distance(glam::vec2(-2.0, -3.0)) < 0.3, "{:?}", moved.start);
}

#[test]
fn commands_are_added_written_anew_and_taken_away() {
    let mut user = still();
    user.click("Tell it to …");
    user.click("Wait");
    user.settle();
    assert!(user.app().project().scene.contains("wait = 2.0"), "{}", user.app().project().scene);
    user.window.get_by_label("Command 1").focus();
    user.window.run_steps(2);
    user.keys(Modifiers::COMMAND, Key::A);
    user.window.get_by_label("Command 1").type_text("walk_to = [2, 2]; at = 0.5");
    user.window.run_steps(2);
    user.key(Key::Enter);
    user.settle();
    let text = &user.app().project().scene;
    assert!(text.contains("walk_to = [2, 2]") && !text.contains("wait"), "{text}");
    let kept = text.clone();
    user.window.get_by_label("Command 1").focus();
    user.window.run_steps(2);
    user.keys(Modifiers::COMMAND, Key::A);
    user.window.get_by_label("Command 1").type_text("walk_to = [2, ");
    user.window.run_steps(2);
    user.key(Key::Enter);
    user.settle();
    assert_eq!(user.app().project().scene, kept, "what is wrong is not taken over");
    assert!(user.app().notices().all().last().unwrap().bad);
    user.click("Delete command 1");
    user.settle();
    assert!(!user.app().project().scene.contains("walk_to"));
}

#[test]
fn a_planned_footprint_that_is_dragged_is_stepped_on() {
    let mut user = still();
    user.key(Key::Num7);
    user.click("Planned way");
    user.settle();
    let prints = user.app().stage.outlook.way.as_ref().unwrap().as_ref().unwrap().prints.clone();
    let print = prints[4].position;
    let from = grip(&user, "Planned footprint 5");
    let to = user.on_stage(print + vec3(0.12, 0.0, 0.05));
    user.drag(from, to);
    user.settle();
    assert!(user.app().project().scene.contains("footprints"), "{:?}", user.app().notices().all());
    let player = user.window.state_mut().stage.player_mut().unwrap();
    player.play_to(60 * 30);
    user.window.run_steps(2);
    let player = user.app().stage.player().unwrap();
    let frames = player.frames().len();
    assert!(frames > 120, "{frames}");
    let wanted = print + vec3(0.12, 0.0, 0.05);
    let rig = &player.stage().actors()[0].character().rig;
    let foot = &rig.feet[prints[4].foot];
    let nearest = player.frames().iter().filter(|frame| frame.contacts[0][prints[4].foot][1]);
    let nearest = nearest.map(|frame| {
        let models = &frame.models[0];
        let middle = 0.5 * (foot.heel.position(models) + foot.ball.position(models));
        middle.with_y(0.0).distance(wanted.with_y(0.0))
    });
    let nearest = nearest.fold(f32::MAX, f32::min);
    assert!(nearest < 0.06, "she stepped {nearest} m beside it");
}

#[test]
fn what_is_shown_besides_is_made_of_what_is_there() {
    let mut user = yard();
    user.wait(2.0);
    user.click("Pause");
    // Where the straight way is free no tree grows.
    user.key(Key::B);
    user.settle();
    user.click("Ann");
    for name in ["Room to walk", "Two trees", "Ankle paths", "Foot targets", "Naturalness"] {
        user.click(name);
    }
    user.settle();
    let room = &user.app().stage;
    let [rims, branches] = room.walkable_lines().unwrap();
    assert!(rims >= 1 && branches >= 1, "{rims} {branches}");
    let way = room.outlook.way.as_ref().unwrap().as_ref().unwrap();
    assert!(way.ankles.len() == 2 && way.ankles[0].len() > 10);
    let rows = room.natural_rows();
    assert_eq!(rows.len() + 1, room.player().unwrap().frames().len());
    assert!(rows.iter().flatten().all(|part| part.is_finite()));
    assert!(rows.iter().any(|row| row[0] > 0.3), "knees bend");
    assert!(user.window.query_by_label("What Ann does").is_some());
}

#[test]
fn what_hides_her_is_cut_away() {
    let mut user = still();
    user.key(Key::F);
    user.window.run_steps(20);
    assert!(user.app().stage.hidden().is_empty());
    let stage = &user.app().stage;
    let between = stage.camera.target.lerp(stage.camera.eye(), 0.4).with_y(0.0);
    let text = format!(
        "{}\n[[obstacle]]\nname = \"wall\"\nat = [{}, 0, {}]\nbox = [1.5, 3, 1.5]\n",
        user.app().project().scene,
        between.x,
        between.z
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("walled.toml");
    std::fs::write(&path, text).unwrap();
    let camera = stage.camera;
    user.window.state_mut().open(&path);
    user.settle();
    user.window.state_mut().stage.camera = camera;
    user.window.run_steps(2);
    assert_eq!(user.app().stage.hidden(), ["wall"]);
    user.click("Cut away");
    assert!(user.app().stage.hidden().is_empty());
}
