//! Whole ways through the studio, as somebody goes them who has read nothing.

use super::User;
use andante_studio::StudioRoom;
use egui_kittest::kittest::Queryable;

/// A character of one's own: a body with a skin and nothing that it can do, in a file.
fn own_character(folder: &std::path::Path) -> std::path::PathBuf {
    let path = folder.join("hero.glb");
    let hero = andante_skeleton::humanoid_of_height(1.62);
    let mut skin = andante_skeleton::capsule_body(&hero.skeleton);
    skin.materials.iter_mut().for_each(|paint| paint.base_color = [0.1, 0.8, 0.2, 1.0]);
    let mut asset = andante_formats::Asset::new(hero.skeleton, Vec::new());
    asset.mesh = Some(skin);
    andante_formats::write_file(&path, &asset, &Default::default()).unwrap();
    path
}

/// From the first window: drop a character, send it to the stage, choose Jumps, wait, export.
#[test]
fn ones_own_character_crosses_the_jumps_and_is_exported() {
    let folder = tempfile::tempdir().unwrap();
    let mut user = User::at_home(&folder.path().join("home"), StudioRoom::Welcome);
    user.click("Example jumps");
    user.settle();
    own_character(folder.path());
    user.click("Welcome");
    user.click("Bring your own character");
    user.window.get_by_label("Path").type_text(&format!("{}/", folder.path().display()));
    user.window.run_steps(2);
    user.click("hero.glb");
    user.settle();
    assert_eq!(user.app().room(), StudioRoom::Motion);
    let desk = user.app().motion.desk().expect("it has borrowed a walk");
    assert_eq!(desk.clip.name(), "walk");
    user.click("Send to the stage");
    user.settle();
    assert_eq!(user.app().room(), StudioRoom::Stage, "{:?}", user.app().notices().all());
    user.settle();
    // Another scene and back: whoever was brought along stays.
    for scene in ["stairs", "jumps"] {
        user.click("Welcome");
        user.click(&format!("Example {scene}"));
        user.settle();
        assert!(user.app().project().scene.contains("hero.repertoire"), "in {scene}");
    }
    let player = user.window.state_mut().stage.player_mut().unwrap();
    assert_eq!(player.scene().name, "jumps");
    player.play_to(60 * 60);
    user.window.run_steps(2);
    let player = user.app().stage.player().unwrap();
    let tall = player.frames()[0].models[0].iter().map(|joint| joint.translation.y);
    let [low, high] = tall.fold([f32::MAX, f32::MIN], |[low, high], y| [low.min(y), high.max(y)]);
    assert!((1.2..1.62).contains(&(high - low)), "she is 1.62 m tall: {}", high - low);
    let goal = player.scene().characters[0].goal.place;
    let end = player.stage().actors()[0].disc().place.position;
    assert!(end.distance(goal) < 0.2, "{end} {goal}");
    let out = folder.path().join("out");
    let line = user.window.get_by_label("Folder");
    line.focus();
    user.window.run_steps(2);
    user.keys(eframe::egui::Modifiers::COMMAND, eframe::egui::Key::A);
    user.window.get_by_label("Folder").type_text(out.to_str().unwrap());
    user.window.run_steps(2);
    user.click("Export");
    user.settle();
    let written = andante_formats::read_file(&out.join("take.glb"), &Default::default(), None);
    let written =
        written.unwrap_or_else(|error| panic!("{error} {:?}", user.app().notices().all()));
    let green = |paint: &andante_skeleton::Material| paint.base_color[1] > 0.7;
    assert!(written.mesh.unwrap().materials.iter().any(green), "it has its own skin");
    let verdict = user.app().stage.export.verdict.as_ref().unwrap();
    let told = user.app().notices().all().last().unwrap().clone();
    assert_eq!(told.bad, verdict.wrong(None).count() > 0, "{told:?}");
}

/// From the first window to a run that was found before, sent to a goal; the search itself is begun and goes on.
#[test]
fn a_basic_run_is_found_and_sent_to_a_goal() {
    let folder = tempfile::tempdir().unwrap();
    let mut user = User::at_home(&folder.path().join("home"), StudioRoom::Welcome);
    user.click("Begin with a creature");
    user.settle();
    assert_eq!(user.app().room(), StudioRoom::Creature);
    user.click("Search for a gait");
    while user.app().creature.hunt().unwrap().news().history.is_empty() {
        user.window.step();
    }
    user.click("Stop");
    user.settle();
    assert!(user.window.query_by_label("Go on").is_some());
    user.click("Send to the stage");
    user.settle();
    assert_eq!(user.app().room(), StudioRoom::Stage, "{:?}", user.app().notices().all());
    let player = user.window.state_mut().stage.player_mut().unwrap();
    player.play_to(60 * 40);
    let there = player.stage().actors()[0].disc().place.position;
    assert!(there.distance(glam::vec2(4.0, 18.0)) < 0.5, "{there}");
}
