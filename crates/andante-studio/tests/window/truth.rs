//! What is exported is checked, what is wrong is said, and nothing is lost.

use super::User;
use super::stage::yard;
use andante_studio::{LiveEdit, MotionEdit, StudioRoom};
use andante_world::{Obstacle, ObstacleShape};
use egui_kittest::kittest::Queryable;
use glam::Vec3;

#[test]
fn what_was_played_is_checked_and_a_walk_on_open_ground_is_not_wrong() {
    let mut user = yard();
    user.wait(2.0);
    user.click("Pause");
    user.click("Check");
    user.settle();
    let verdict = user.app().stage.export.verdict.as_ref().unwrap();
    assert!(verdict.frames > 100 && verdict.wrong(None).count() == 0, "{verdict:?}");
    assert!(user.app().notices().all().last().unwrap().text.contains("nothing is wrong"));
}

/// She cannot help it that somebody put a box around her; that she is in it is said all the same.
#[test]
fn a_body_inside_something_is_said_to_be_wrong_before_its_files_are_used() {
    let mut user = yard();
    user.wait(1.0);
    let player = user.window.state_mut().stage.player_mut().unwrap();
    player.playing = false;
    let hips = player.shown().models[0][player.stage().actors()[0].character().rig.hips];
    let thing = Obstacle {
        name: "crate".into(),
        at: hips.translation.with_y(0.0),
        heading: 0.0,
        shape: ObstacleShape::Box(Vec3::splat(1.2)),
    };
    assert!(player.edit(LiveEdit::Place(thing)));
    player.play_to(90);
    user.window.run_steps(2);
    user.click("Export");
    user.settle();
    let verdict = user.app().stage.export.verdict.as_ref().unwrap();
    assert!(verdict.wrong(None).any(|one| one.what.contains("crate")), "{verdict:?}");
    let told = user.app().notices().all().last().unwrap();
    assert!(told.bad && told.text.contains("wrong"), "{told:?}");
    let found = std::fs::read_to_string("out/studio/check.txt").unwrap();
    assert!(found.contains("crate"), "{found}");
}

fn take(folder: &std::path::Path, seed: u64) -> std::path::PathBuf {
    let scene = andante_stage::read_scene(
        "version = 1\nname = \"lane\"\n[[platform]]\noutline = [[-2, -2], [2, -2], [2, 8], [-2, 8]]\n\
         [[character]]\nname = \"Ann\"\nstart = { at = [0, 0], heading = 0 }\ngoal = { at = [0, 5] }\nrun = false\n",
    );
    let take = andante_stage::play(&scene.unwrap(), seed, &Default::default(), |_| true).unwrap();
    let path = folder.join(format!("walk-{seed}.take"));
    take.save(&path).unwrap();
    path
}

#[test]
fn takes_open_on_the_stage_play_together_and_are_scrubbed() {
    let folder = tempfile::tempdir().unwrap();
    let mut user = User::in_room(StudioRoom::Welcome);
    for seed in 1..3 {
        user.window.state_mut().open(&take(folder.path(), seed));
        user.settle();
    }
    assert_eq!(user.app().room(), StudioRoom::Stage);
    let reel = &user.app().stage.reel;
    assert!(reel.open && reel.takes().len() == 2);
    let at = |user: &User, take: usize, time: f32| {
        user.app().stage.reel.takes()[take].models(0, time)[0].translation
    };
    let apart = at(&user, 1, 0.0) - at(&user, 0, 0.0);
    assert!(apart.x > 4.0 && apart.z.abs() < 0.1, "{apart}");
    assert!(at(&user, 0, 4.0).z > at(&user, 0, 0.0).z + 2.0, "she walks");
    user.click("Side by side");
    let apart = at(&user, 1, 0.0) - at(&user, 0, 0.0);
    assert!(apart.length() < 0.1, "{apart}");
    let bar = user.window.get_by_label("Timeline").rect();
    user.click_at(bar.center());
    let reel = &user.app().stage.reel;
    assert!((reel.time - 0.5 * reel.seconds()).abs() < 0.1 && !reel.playing);
    user.click("Close walk-1");
    assert_eq!(user.app().stage.reel.takes().len(), 1);
    user.click("Undo");
    user.settle();
    assert_eq!(user.app().stage.reel.takes().len(), 2);
    user.click("Back to the stage");
    assert!(user.window.query_by_label("Stage view").is_some());
}

#[test]
fn what_was_played_is_kept_as_a_take_and_shows_the_same() {
    let mut user = yard();
    user.wait(1.5);
    user.click("Pause");
    let shown = user.app().stage.player().unwrap().frames().last().unwrap().models[0].clone();
    user.click("Keep as a take");
    user.settle();
    user.settle();
    let reel = &user.app().stage.reel;
    assert_eq!(reel.takes().len(), 1, "{:?}", user.app().notices().all());
    let (take, end) = (&reel.takes()[0], reel.seconds());
    let (kept, shift) = (take.models(0, end), take.models(0, 0.0)[0].translation);
    let first = user.app().stage.player().unwrap().frames()[0].models[0][0].translation;
    for (kept, shown) in kept.iter().zip(&shown) {
        let off = kept.translation - shift - (shown.translation - first);
        assert!(off.length() < 2e-3, "{off}");
    }
}

#[test]
fn damaged_files_are_told_by_name_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = std::fs::read(take(folder.path(), 1)).unwrap();
    bytes.truncate(bytes.len() / 2);
    let path = folder.path().join("half.take");
    std::fs::write(&path, &bytes).unwrap();
    let odd = folder.path().join("odd");
    std::fs::create_dir(&odd).unwrap();
    std::fs::write(
        odd.join("project.toml"),
        "version = 1\nname = \"odd\"\nroom = \"attic\"\nseed = 1\n",
    )
    .unwrap();
    let walk = folder.path().join("walk.bvh");
    std::fs::write(&walk, "HIERARCHY\nROOT hips\n{\n  OFFSET 0 0\n").unwrap();
    let mut user = User::in_room(StudioRoom::Stage);
    let before = user.app().project().clone();
    for (path, part) in [(&path, "half.take"), (&odd, "project.toml:3:"), (&walk, "walk.bvh")] {
        user.window.state_mut().open(path);
        user.settle();
        let told = user.app().notices().all().last().unwrap().clone();
        assert!(told.bad && told.text.contains(part), "{told:?}");
        assert_eq!(user.app().project(), &before);
    }
}

#[test]
fn edits_of_a_motion_whose_file_is_gone_stay_until_it_is_there_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("walk.bvh");
    let human = andante_skeleton::humanoid();
    let clip = andante_motion::synth::clip(&human, "walk").unwrap().clip;
    let asset = andante_formats::Asset::new(human.skeleton, vec![clip]);
    andante_formats::write_file(&path, &asset, &Default::default()).unwrap();
    let project = folder.path().join("mine");
    let mut user = User::at_home(folder.path(), StudioRoom::Motion);
    user.window.state_mut().open(&path);
    user.settle();
    user.click("Mirror");
    user.keys(eframe::egui::Modifiers::COMMAND, eframe::egui::Key::S);
    user.keys(eframe::egui::Modifiers::COMMAND, eframe::egui::Key::A);
    user.window.get_by_label("Path").type_text(project.to_str().unwrap());
    user.window.run_steps(2);
    user.click("Save here");
    drop(user);
    let away = folder.path().join("elsewhere.bvh");
    std::fs::rename(&path, &away).unwrap();
    let mut user = User::at_home(folder.path(), StudioRoom::Motion);
    user.window.state_mut().open(&project);
    user.settle();
    assert_eq!(user.app().project().motion.edits, [MotionEdit::Mirror]);
    assert!(user.app().motion.error.as_ref().unwrap().contains("walk.bvh"));
    std::fs::rename(&away, &path).unwrap();
    user.click("Try again");
    user.settle();
    assert_eq!(user.app().motion.desk().unwrap().plan.edits, [MotionEdit::Mirror]);
    assert!(user.app().motion.error.is_none(), "{:?}", user.app().motion.error);
}

#[test]
fn a_motion_that_is_dropped_without_a_path_opens_as_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("walk.glb");
    let human = andante_skeleton::humanoid();
    let clip = andante_motion::synth::clip(&human, "walk").unwrap().clip;
    let asset = andante_formats::Asset::new(human.skeleton, vec![clip]);
    andante_formats::write_file(&path, &asset, &Default::default()).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let mut user = User::in_room(StudioRoom::Welcome);
    user.window.state_mut().open_bytes("dropped.glb", &bytes);
    user.settle();
    assert_eq!(user.app().room(), StudioRoom::Motion);
    assert!(user.app().motion.desk().is_some(), "{:?}", user.app().motion.error);
    let walked = std::fs::read(take(folder.path(), 1)).unwrap();
    user.window.state_mut().open_bytes("dropped.take", &walked);
    user.settle();
    assert_eq!(user.app().stage.reel.takes().len(), 1);
}

#[test]
fn a_project_that_is_saved_elsewhere_has_all_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let mut user = User::at_home(&folder.path().join("home"), StudioRoom::Creature);
    user.click("Send to the stage");
    user.settle();
    let project = folder.path().join("mine");
    user.keys(eframe::egui::Modifiers::COMMAND, eframe::egui::Key::S);
    user.keys(eframe::egui::Modifiers::COMMAND, eframe::egui::Key::A);
    user.window.get_by_label("Path").type_text(project.to_str().unwrap());
    user.window.run_steps(2);
    user.click("Save here");
    let scene = andante_stage::read_scene_file(&project.join("scene.toml")).unwrap();
    assert!(scene.characters[0].repertoire.is_some());
    andante_stage::Stage::new(&scene, 1).unwrap();
    assert!(user.app().project().scene_folder.is_none());
}

#[test]
fn what_was_said_about_one_scene_is_not_said_about_the_next() {
    let mut user = yard();
    user.wait(1.0);
    user.click("Check");
    user.settle();
    assert!(user.app().stage.export.verdict.is_some());
    user.click("Welcome");
    user.click("Example turns");
    user.settle();
    assert!(user.app().stage.export.verdict.is_none());
    // The notice of it goes by itself.
    user.wait(7.0);
    assert!(user.window.query_by_label_contains("frames were checked").is_none());
}
