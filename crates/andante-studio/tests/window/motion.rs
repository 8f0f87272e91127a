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
    let fps = user.app().motion.desk().unwrap().clip.fps();
    let before = user.app().motion.time;
    user.key(Key::ArrowRight);
    assert!((user.app().motion.time - before - 1.0 / fps).abs() < 0.6 / fps);
    user.key(Key::Home);
    assert_eq!(user.app().motion.time, 0.0);
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
    user.click("Posture");
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
    user.click("Gaits");
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

#[test]
fn a_contact_is_corrected_on_the_timeline_and_feet_are_planted_by_it() {
    let mut user = User::in_room(StudioRoom::Motion);
    user.key(Key::Space);
    let spans = |user: &User| user.app().motion.desk().unwrap().contacts.clone().unwrap();
    let before = spans(&user).feet[0].heel[0];
    let foot = user.app().motion.shelf().unwrap().rig.as_ref().unwrap().feet[0].name.clone();
    let from = user.window.get_by_label(&format!("{foot} heel 1 end")).rect().center();
    user.drag(from, from - vec2(30.0, 0.0));
    let after = spans(&user).feet[0].heel[0];
    assert!(after.end < before.end - 0.01 && after.start == before.start, "{before:?} {after:?}");
    assert_eq!(user.app().edits()[0], 1);
    user.click("Plant");
    user.window.run_steps(2);
    assert!(user.app().motion.error.is_none(), "{:?}", user.app().motion.error);
    user.click("Undo");
    user.click("Undo");
    assert_eq!(spans(&user).feet[0].heel[0], before);
}

#[test]
fn a_handle_in_the_view_leads_a_hand_and_feet_that_are_pinned_stay() {
    let mut user = User::in_room(StudioRoom::Motion);
    user.key(Key::Space);
    let hand = |user: &User| {
        let desk = user.app().motion.desk().unwrap();
        let rig = desk.rig.as_ref().unwrap();
        let models = &desk.models[desk.frame(user.app().motion.time)];
        let hand = models[*rig.arms[0].chain.last().unwrap()].translation;
        (hand, models[rig.feet[0].ankle()].translation)
    };
    let before = hand(&user);
    let from = user.window.get_by_label("Handle of left hand").rect().center();
    user.drag(from, from - vec2(0.0, 60.0));
    let after = hand(&user);
    assert!(after.0.y > before.0.y + 0.1, "{before:?} {after:?}");
    assert!(after.1.distance(before.1) < 0.02, "{before:?} {after:?}");
    let edits = &user.app().project().motion.edits;
    assert!(matches!(edits.as_slice(), [MotionEdit::Reach { pinned: true, .. }]), "{edits:?}");
    assert!(user.window.query_by_label_contains("andante edit").is_some());
}

#[test]
fn keys_layers_and_postures_are_edits_like_any_other() {
    let mut user = User::in_room(StudioRoom::Motion);
    user.key(Key::Space);
    user.click("Posture");
    user.click("Only around this moment");
    let joint = user.app().motion.shelf().unwrap().rig.as_ref().unwrap().head.unwrap();
    user.window.state_mut().motion.joint = joint;
    user.window.run_steps(2);
    user.window.get_all_by_label("Turn about y").last().unwrap().set_value_accesskit(25.0);
    user.window.run_steps(3);
    let edits = user.app().project().motion.edits.clone();
    assert!(matches!(edits.as_slice(), [MotionEdit::Key { .. }]), "{edits:?}");
    let name = user.app().motion.shelf().unwrap().skeleton.joint(joint).name.clone();
    user.click(&format!("Lay a clip over {name}"));
    user.click("Layer run");
    user.window.run_steps(2);
    assert!(matches!(user.app().project().motion.edits[1], MotionEdit::Layer { .. }));
    assert!(user.app().motion.error.is_none(), "{:?}", user.app().motion.error);
    for time in [0.1, 0.5, 0.8] {
        user.window.state_mut().motion.time = time;
        user.window.run_steps(1);
        user.click("Take this posture");
    }
    user.click("Build a clip");
    user.window.run_steps(2);
    let length = user.app().motion.desk().unwrap().clip.duration();
    assert!((length - 1.0).abs() < 0.05, "{length}");
}

#[test]
fn a_motion_is_put_on_another_body_and_a_role_is_corrected_by_clicking() {
    let mut user = User::in_room(StudioRoom::Motion);
    user.key(Key::Space);
    user.click("Bodies");
    user.window.get_by_label("Put it on").click();
    user.window.run_steps(2);
    user.click("child, 1.2 m");
    user.settle();
    let made = user.app().motion.retargeted().unwrap();
    assert!((made.scale - 1.2 / 1.75).abs() < 0.02, "{}", made.scale);
    let top = |models: &[andante_skeleton::Transform]| {
        models.iter().map(|joint| joint.translation.y).fold(0.0, f32::max)
    };
    let ratio = top(&made.models[3]) / top(&user.app().motion.desk().unwrap().models[3]);
    assert!((ratio - 1.2 / 1.75).abs() < 0.05, "{ratio}");
    user.click("Roles of joints");
    user.window.run_steps(20);
    let shelf = user.app().motion.shelf().unwrap();
    let rig = shelf.rig.clone().unwrap();
    let head = shelf.skeleton.joint(rig.head.unwrap()).name.clone();
    let neck = shelf.skeleton.joint(*rig.spine.last().unwrap()).name.clone();
    user.click(&format!("head: {head}"));
    user.click(&format!("Joint {neck}"));
    user.window.run_steps(2);
    assert_eq!(user.app().project().motion.roles.get("head"), Some(&neck));
    let corrected = user.app().motion.desk().unwrap().rig.as_ref().unwrap().head;
    assert_eq!(corrected, rig.spine.last().copied());
}

#[test]
fn what_is_odd_about_a_file_is_listed_with_its_repair() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.bvh");
    let human = andante_skeleton::humanoid();
    let clip = andante_motion::synth::clip(&human, "walk").unwrap().clip;
    let mut frames = clip.transforms().to_vec();
    let (joints, arm) = (human.skeleton.len(), human.rig.arms[0].chain[0]);
    let at = 20 * joints + arm;
    frames[at].rotation = (frames[at].rotation * glam::Quat::from_rotation_y(1.5)).normalize();
    let clip = andante_skeleton::Clip::new("walk", &human.skeleton, clip.fps(), frames).unwrap();
    let asset = andante_formats::Asset::new(human.skeleton, vec![clip]);
    andante_formats::write_file(&path, &asset, &Default::default()).unwrap();
    let mut user = User::in_room(StudioRoom::Motion);
    user.window.state_mut().open(&path);
    user.settle();
    user.click("What is odd, and repairs");
    user.window.run_steps(20);
    assert_eq!(user.app().motion.odd().len(), 1, "{:?}", user.app().motion.odd());
    user.click("Bridge it 1");
    user.window.run_steps(3);
    assert!(user.app().motion.odd().is_empty(), "{:?}", user.app().motion.odd());
}

#[test]
fn a_part_of_a_clip_is_copied_to_its_end() {
    let mut user = User::in_room(StudioRoom::Motion);
    let clip = |user: &User| user.app().motion.desk().unwrap().clip.clone();
    let whole = clip(&user);
    user.click("Copy");
    user.window.run_steps(2);
    let [from, to] = [0.0, whole.duration()];
    assert_eq!(user.app().project().motion.edits, [MotionEdit::Copy([from, to])]);
    let twice = clip(&user);
    assert!(twice.duration() > 1.7 * whole.duration(), "{}", twice.duration());
    let way = |clip: &andante_skeleton::Clip| {
        let last = clip.frame(clip.frame_count() - 1)[0].translation;
        last.distance(clip.frame(0)[0].translation)
    };
    assert!(way(&twice) > 1.5 * way(&whole), "it goes on where it ended");
    user.click("Undo");
    user.window.run_steps(2);
    assert_eq!(clip(&user).frame_count(), whole.frame_count());
}

#[test]
fn clips_are_filtered_by_name_and_by_kind() {
    let mut user = User::in_room(StudioRoom::Motion);
    let shown =
        |user: &User, name: &str| user.window.query_by_label(&format!("Clip {name}")).is_some();
    assert!(shown(&user, "walk") && shown(&user, "run") && shown(&user, "stand"));
    user.click("run");
    assert!(shown(&user, "run") && !shown(&user, "walk") && !shown(&user, "stand"));
    user.click("all");
    user.window.get_by_label("Only those with").focus();
    user.window.run_steps(2);
    user.window.get_by_label("Only those with").type_text("left");
    user.window.run_steps(2);
    assert!(shown(&user, "walk-left") && !shown(&user, "walk"));
}
