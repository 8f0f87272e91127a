//! The stage: time, camera, people, obstacles, export.

use super::User;
use andante_studio::{SceneThing, StageChoice, StudioRoom};
use eframe::egui::{Key, vec2};
use egui_kittest::kittest::Queryable;
use glam::{Vec3, vec3};

fn hips(user: &User, who: usize) -> Vec3 {
    let player = user.app().stage.player().unwrap();
    let joint = player.stage().actors()[who].character().rig.hips;
    player.shown().models[who][joint].translation
}

fn seconds(user: &User) -> f32 {
    user.app().stage.player().unwrap().seconds()[0]
}

/// A stage in the middle of an open yard.
pub fn yard() -> User {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("yard.toml");
    let text = "version = 1\nname = \"yard\"\n\n[[platform]]\noutline = [[-9, -9], [9, -9], [9, 9], [-9, 9]]\n\n\
        [[character]]\nname = \"Ann\"\nstart = { at = [0, -4], heading = 0 }\ngoal = { at = [0, 6] }\nrun = false\n";
    std::fs::write(&path, text).unwrap();
    let mut user = User::in_room(StudioRoom::Stage);
    user.window.state_mut().open(&path);
    user.settle();
    user
}

#[test]
fn an_example_plays_by_itself_and_pauses_by_button_and_by_key() {
    let mut user = User::in_room(StudioRoom::Stage);
    user.wait(1.0);
    assert!(seconds(&user) > 0.5, "{}", seconds(&user));
    user.click("Pause");
    let stopped = seconds(&user);
    user.wait(0.5);
    assert_eq!(seconds(&user), stopped);
    user.key(Key::Space);
    user.wait(0.5);
    assert!(seconds(&user) > stopped);
}

#[test]
fn time_goes_back_by_dragging_steps_by_arrows_and_shows_the_same_again() {
    let mut user = yard();
    user.wait(2.0);
    user.key(Key::Space);
    let bar = user.window.get_by_label("Timeline").rect();
    let then = |user: &User| (seconds(user), hips(user, 0));
    user.drag(
        bar.left_center() + vec2(bar.width() * 0.12, 0.0),
        bar.left_center() + vec2(bar.width() * 0.1, 0.0),
    );
    let first = then(&user);
    assert!((first.0 - 1.0).abs() < 0.05, "{first:?}");
    user.key(Key::ArrowRight);
    assert!(((seconds(&user) - first.0) * 60.0 - 1.0).abs() < 0.01);
    user.key(Key::ArrowLeft);
    assert_eq!(then(&user), first);
    user.key(Key::Home);
    assert_eq!(seconds(&user), 0.0);
}

#[test]
fn slow_motion_is_slow() {
    let mut user = yard();
    user.key(Key::Home);
    user.window.state_mut().stage.player_mut().unwrap().speed = 0.25;
    let before = seconds(&user);
    user.wait(2.0);
    let passed = seconds(&user) - before;
    assert!((passed - 0.5).abs() < 0.1, "{passed}");
}

#[test]
fn a_click_on_the_ground_sends_the_chosen_character_there() {
    let mut user = yard();
    user.wait(0.5);
    let place = vec3(1.5, 0.0, -1.5);
    let at = user.on_stage(place);
    user.click_at(at);
    user.settle();
    assert!(user.app().project().scene.contains("walk_to"), "{}", user.app().project().scene);
    user.wait(14.0);
    let there = hips(&user, 0);
    assert!(there.with_y(0.0).distance(place) < 0.3, "{there}");
}

#[test]
fn a_box_that_is_put_into_the_way_while_she_walks_is_walked_around() {
    let mut user = yard();
    user.wait(1.5);
    let before = hips(&user, 0);
    user.key(Key::B);
    user.settle();
    let player = user.app().stage.player().unwrap();
    assert_eq!(player.scene().obstacles.len(), 1);
    let thing = player.scene().obstacles[0].clone();
    assert!(thing.at.z > before.z + 1.0, "it is ahead of her: {}", thing.at);
    user.wait(14.0);
    let player = user.app().stage.player().unwrap();
    assert!(player.is_over());
    let hips = player.stage().actors()[0].character().rig.hips;
    for frame in player.frames() {
        let at = frame.models[0][hips].translation;
        assert!(thing.distance(at) > 0.05, "through the box at {at}");
    }
    let end = player.frames().last().unwrap().models[0][hips].translation;
    assert!(end.with_y(0.0).distance(vec3(0.0, 0.0, 6.0)) < 0.2, "{end}");
}

#[test]
fn an_obstacle_is_dragged_with_the_mouse_and_the_walk_repairs_itself() {
    let mut user = yard();
    user.key(Key::Space);
    user.key(Key::B);
    user.settle();
    let name = match &user.app().stage.choice {
        StageChoice::Thing(SceneThing::Obstacle(name)) => name.clone(),
        other => panic!("{other:?}"),
    };
    let place = |user: &User| {
        let scene = user.app().stage.player().unwrap().scene();
        scene.obstacles.iter().find(|thing| thing.name == name).unwrap().at
    };
    let before = place(&user);
    let from = user.on_stage(before + vec3(0.0, 0.45, 0.0));
    let to = user.on_stage(before + vec3(1.5, 0.45, 1.0));
    user.drag(from, to);
    user.settle();
    let after = place(&user);
    assert!((after - before - vec3(1.5, 0.0, 1.0)).length() < 0.6, "{before} {after}");
    assert_eq!(user.app().edits()[0], 3, "opening, adding and dragging are one edit each");
    user.keys(eframe::egui::Modifiers::COMMAND, Key::Z);
    user.settle();
    assert_eq!(place(&user), before);
}

#[test]
fn g_r_and_s_move_turn_and_scale_until_a_click_and_escape_gives_up() {
    let mut user = yard();
    user.key(Key::Space);
    user.key(Key::B);
    user.settle();
    let thing = |user: &User| user.app().stage.player().unwrap().scene().obstacles[0].clone();
    let before = thing(&user);
    let from = user.on_stage(before.at + vec3(0.0, 0.4, 0.0));
    let mouse = |user: &mut User, to| {
        user.window.hover_at(from);
        user.window.run_steps(2);
        user.window.hover_at(to);
        user.window.run_steps(2);
    };
    user.window.hover_at(from);
    user.window.step();
    user.key(Key::R);
    mouse(&mut user, from + vec2(60.0, 0.0));
    user.click_at(from + vec2(60.0, 0.0));
    user.settle();
    assert!((thing(&user).heading - before.heading - 0.5).abs() < 0.05);
    user.window.hover_at(from);
    user.window.step();
    user.key(Key::S);
    mouse(&mut user, from + vec2(60.0, 0.0));
    user.key(Key::Escape);
    user.settle();
    assert_eq!(thing(&user).shape, before.shape, "given up");
    user.key(Key::Delete);
    user.settle();
    assert!(user.app().stage.player().unwrap().scene().obstacles.is_empty());
}

#[test]
fn w_a_s_d_lead_the_way() {
    let mut user = yard();
    user.click("Steer with W A S D");
    let before = hips(&user, 0);
    user.window.key_down(Key::W);
    user.window.key_down(Key::D);
    user.wait(2.5);
    user.window.key_up(Key::W);
    user.window.key_up(Key::D);
    user.wait(0.2);
    let after = hips(&user, 0);
    assert!(after.distance(before) > 1.0);
    assert!(after.x < before.x - 0.2, "to her right, which is -x: {before} {after}");
}

#[test]
fn what_the_mouse_does_is_seen_in_the_same_frame() {
    let mut user = yard();
    user.click("Pause");
    let at = user.window.get_by_label("Stage view").rect().center() + vec2(0.0, -150.0);
    user.window.hover_at(at);
    user.window.step();
    user.window.event(eframe::egui::Event::PointerButton {
        pos: at,
        button: eframe::egui::PointerButton::Secondary,
        pressed: true,
        modifiers: Default::default(),
    });
    user.window.hover_at(at + vec2(30.0, 0.0));
    user.window.step();
    let before = user.app().stage.camera.yaw;
    user.window.hover_at(at + vec2(60.0, 0.0));
    user.window.step();
    assert_ne!(user.app().stage.camera.yaw, before);
}

#[test]
fn one_three_and_seven_look_from_the_sides_and_f_frames() {
    let mut user = yard();
    for (key, ahead) in [(Key::Num1, Vec3::Z), (Key::Num3, Vec3::X), (Key::Num7, Vec3::Y)] {
        user.key(key);
        let camera = user.app().stage.camera;
        assert!((camera.eye() - camera.target).normalize().dot(ahead) > 0.99, "{key:?}");
    }
    user.key(Key::F);
    let camera = user.app().stage.camera;
    assert!(camera.target.distance(hips(&user, 0)) < 0.6);
    assert!(camera.follows);
    user.wait(3.0);
    assert!(user.app().stage.camera.target.distance(hips(&user, 0)) < 1.0);
}

#[test]
fn what_was_played_is_exported_with_what_was_changed_on_the_way() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let mut user = yard();
    user.wait(1.0);
    user.key(Key::B);
    user.wait(2.0);
    user.key(Key::Space);
    user.settle();
    let line = user.window.get_by_label("Folder");
    line.focus();
    user.window.run_steps(2);
    user.keys(eframe::egui::Modifiers::COMMAND, Key::A);
    user.window.get_by_label("Folder").type_text(out.to_str().unwrap());
    user.window.run_steps(2);
    let frames_written = || {
        let file = out.join("take.bvh");
        andante_formats::read_file(&file, &Default::default(), None).unwrap().clips[0].frame_count()
    };
    // As somebody does who cannot wait: all of it is there nevertheless.
    user.click("Export");
    user.settle();
    let told = user.app().notices().all().last().unwrap().text.clone();
    assert!(!told.contains("under way"), "{told}");
    let whole = frames_written();
    user.click("To the end");
    user.click("Export");
    user.settle();
    let told = user.app().notices().all().last().unwrap().text.clone();
    assert!(told.contains("still under way: Ann"), "{told}");
    let player = user.app().stage.player().unwrap();
    let frames = player.frames().len();
    assert!(whole > frames + 60, "{whole} {frames}");
    assert_eq!(frames_written(), frames);
    let last = player.frames().last().unwrap().models[0].clone();
    for name in ["take.glb", "take.bvh", "report.html"] {
        assert!(out.join(name).is_file(), "{name}: {:?}", user.app().notices().all());
    }
    let asset =
        andante_formats::read_file(&out.join("take.bvh"), &Default::default(), None).unwrap();
    let clip = &asset.clips[0];
    assert_eq!(clip.frame_count(), frames);
    let mut models = vec![andante_skeleton::Transform::IDENTITY; asset.skeleton.len()];
    asset.skeleton.local_to_model(clip.frame(frames - 1), &mut models);
    let head = asset.skeleton.len().min(last.len()) - 1;
    assert!(models[0].translation.distance(last[0].translation) < 0.01 || head == 0);
    assert!(user.window.query_by_label_contains("andante run").is_some());
}

#[test]
fn the_way_ahead_is_planned_beside_the_window_and_anew_when_a_box_comes() {
    let mut user = yard();
    user.key(Key::Space);
    user.click("Planned way");
    user.settle();
    let way = |user: &User| {
        let way = user.app().stage.outlook.way.as_ref().unwrap().as_ref().unwrap();
        (way.prints.len(), way.body.last().copied().unwrap())
    };
    let (prints, end) = way(&user);
    assert!(prints > 8 && end.with_y(0.0).distance(vec3(0.0, 0.0, 6.0)) < 0.2, "{prints} {end}");
    user.key(Key::B);
    user.settle();
    user.settle();
    let thing = user.app().stage.player().unwrap().scene().obstacles[0].clone();
    let body = &user.app().stage.outlook.way.as_ref().unwrap().as_ref().unwrap().body;
    let nearest = body.iter().map(|at| thing.distance(*at)).fold(f32::MAX, f32::min);
    assert!(nearest > 0.05, "around the box: {nearest}");
}

#[test]
fn a_gamepad_leads_the_way_and_whoever_lets_go_stands() {
    let mut user = yard();
    let place = |user: &User| hips(user, 0);
    user.wait(0.5);
    let before = place(&user);
    // As a joystick of Linux says it: the left stick up and to the right.
    let mut sticks = andante_studio::PadSticks::default();
    sticks.take_in([0, 0, 0, 0, 0x01, 0x80, 2, 1]);
    sticks.take_in([0, 0, 0, 0, 0xc0, 0x5d, 2, 0]);
    user.window.state_mut().pad.hold(sticks);
    user.wait(2.5);
    let after = place(&user);
    assert!(after.distance(before) > 1.0, "{before} {after}");
    assert!(after.x < before.x - 0.2, "to her right, which is -x: {before} {after}");
    user.window.state_mut().pad.hold(Default::default());
    user.wait(4.0);
    let stopped = place(&user);
    user.wait(1.0);
    assert!(place(&user).distance(stopped) < 0.1, "{stopped} {}", place(&user));
}
