//! Clips: played, edited, mixed.

use super::User;
use andante_studio::{MotionEdit, StudioRoom};
use eframe::egui::{Key, vec2};
use egui_kittest::kittest::Queryable;

#[test]
fn a_clip_is_chosen_from_the_list_plays_and_is_scrubbed() {
    let mut user = User::in_room(StudioRoom::Motion);
    user.window.get_by_label("Clip walk-slow").click();
    user.window.run_steps(3);
    let desk = user.app().motion.desk().unwrap();
    assert_eq!(desk.clip.name(), "walk-slow");
    assert!(desk.contacts.as_ref().unwrap().feet.iter().all(|foot| !foot.heel.is_empty()));
    user.wait(0.3);
    assert!(user.app().motion.time > 0.2);
    let bar = user.window.get_by_label("Timeline").rect();
    user.click_at(bar.left_center() + vec2(0.5 * bar.width(), 0.0));
    let length = user.app().motion.desk().unwrap().clip.duration();
    assert!((user.app().motion.time - 0.5 * length).abs() < 0.02);
    assert!(!user.app().motion.playing);
    user.key(Key::Space);
    assert!(user.app().motion.playing);
}

#[test]
fn trim_mirror_and_speed_are_a_list_that_can_be_taken_back_and_undone() {
    let mut user = User::in_room(StudioRoom::Motion);
    let length = |user: &User| user.app().motion.desk().unwrap().clip.duration();
    let whole = length(&user);
    user.click("Faster");
    user.click("Mirror");
    user.window.run_steps(2);
    assert_eq!(user.app().project().motion.edits, [MotionEdit::Speed(1.5), MotionEdit::Mirror]);
    assert!((length(&user) - whole / 1.5).abs() < 0.03);
    user.click("Take back 1");
    user.window.run_steps(2);
    assert_eq!(user.app().project().motion.edits, [MotionEdit::Mirror]);
    assert!((length(&user) - whole).abs() < 0.01);
    assert!(user.window.query_by_label_contains("andante edit walk.bvh out.bvh mirror").is_some());
    user.click("Undo");
    user.click("Undo");
    user.click("Undo");
    assert!(user.app().project().motion.edits.is_empty());
}

#[test]
fn a_joint_is_turned_by_sliders_within_its_limits() {
    let mut user = User::in_room(StudioRoom::Motion);
    let joint = user.app().motion.shelf().unwrap().rig.as_ref().unwrap().head.unwrap();
    user.window.state_mut().motion.joint = joint;
    user.window.run_steps(2);
    let before = user.app().motion.desk().unwrap().clip.frame(3)[joint].rotation;
    user.window.get_all_by_label("Turn about x").last().unwrap().set_value_accesskit(15.0);
    user.window.run_steps(3);
    let after = user.app().motion.desk().unwrap().clip.frame(3)[joint].rotation;
    assert!((before.angle_between(after).to_degrees() - 15.0).abs() < 1.0);
}

#[test]
fn feet_do_not_slide_where_gaits_are_mixed_by_a_point_that_is_dragged() {
    let mut user = User::in_room(StudioRoom::Motion);
    user.click("Mix gaits");
    user.wait(1.0);
    let map = user.window.get_by_label("Map of speed and turn").rect();
    user.drag(map.center(), map.center() + vec2(-40.0, -20.0));
    let [speed, turn] = user.app().project().motion.mix;
    assert!(speed > 2.0 && turn > 10.0, "{speed} {turn}");
    user.drag(map.center(), map.center() + vec2(30.0, 30.0));
    user.wait(4.0);
    let slid = user.app().motion.mixer().slid;
    assert!(slid > 0.0 && slid < 0.02, "{slid}");
}

#[test]
fn a_motion_file_opens_here_and_the_graph_is_of_its_joints() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("walk.bvh");
    let human = andante_skeleton::humanoid();
    let clip = andante_motion::synth::clip(&human, "walk").unwrap().clip;
    let asset = andante_formats::Asset::new(human.skeleton, vec![clip]);
    andante_formats::write_file(&path, &asset, &Default::default()).unwrap();
    let mut user = User::in_room(StudioRoom::Welcome);
    user.window.state_mut().open(&path);
    user.settle();
    assert_eq!(user.app().room(), StudioRoom::Motion);
    let desk = user.app().motion.desk().unwrap();
    let foot = user.app().motion.shelf().unwrap().rig.as_ref().unwrap().feet[0].ankle();
    let heights = desk.heights(foot);
    let (low, high) = heights.iter().fold((f32::MAX, f32::MIN), |(a, b), h| (a.min(*h), b.max(*h)));
    assert!(low > 0.0 && high - low > 0.05, "an ankle rises: {low} {high}");
}
