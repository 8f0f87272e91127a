//! What the world is made of: lists, numbers, and things to add.

use super::{StageChoice, StageRoom};
use crate::action::{GroundKind, StudioAction};
use crate::bench::Workbench;
use crate::look::slider;
use crate::scene_move::SceneThing;
use crate::scene_text::SceneText;
use andante_world::ObstacleShape;
use eframe::egui::{self, DragValue, RichText, Sense};
use glam::{Vec3, vec2, vec3};

/// Puts ground, or a lamp, a few steps ahead of who is chosen.
pub fn add_ground(room: &mut StageRoom, bench: &mut Workbench, kind: GroundKind) {
    let at = room.ahead();
    let mut made = None;
    let done = match kind {
        GroundKind::Lamp => {
            bench.project.light.lamps.push((at + 2.4 * Vec3::Y).to_array());
            made = Some(SceneThing::Lamp(bench.project.light.lamps.len() - 1));
            true
        }
        GroundKind::Column => {
            let (name, size) = (room.free_name("column"), vec3(0.5, 2.4, 0.5));
            made = Some(SceneThing::Obstacle(name.clone()));
            StageRoom::edit_scene(bench, |text| text.add_column(&name, at, 0.5 * size.x, size.y))
        }
        GroundKind::Platform | GroundKind::Terrain => {
            let terrain = if kind == GroundKind::Terrain { "hills:0.15:3" } else { "" };
            // Beside what is there, so that it is seen.
            let lift = if kind == GroundKind::Terrain { 0.02 } else { 0.3 };
            StageRoom::edit_scene(bench, |text| {
                let index = text.add_platform(at + lift * Vec3::Y, vec2(3.0, 3.0), terrain)?;
                made = Some(SceneThing::Platform(index));
                Some(())
            })
        }
        GroundKind::Stairs => StageRoom::edit_scene(bench, |text| {
            made = Some(SceneThing::Stairs(text.add_stairs(at, 0.0)?));
            Some(())
        }),
    };
    if let Some(thing) = made.filter(|_| done) {
        room.choice = StageChoice::Thing(thing);
    }
}

/// Lists of ground, obstacles and lamps.
pub fn panel(room: &mut StageRoom, ui: &mut egui::Ui, bench: &mut Workbench) {
    ui.strong("World");
    ui.horizontal_wrapped(|ui| {
        let button = ui.add(egui::Button::new("Add a box").sense(Sense::click_and_drag()));
        let button = button.on_hover_text("Click, or drag it into the view (B)");
        if button.clicked() {
            room.act(&ui.ctx().clone(), bench, StudioAction::AddBox);
        }
        if button.drag_started() {
            room.carried = true;
        }
        for (name, kind) in [
            ("Column", GroundKind::Column),
            ("Platform", GroundKind::Platform),
            ("Terrain", GroundKind::Terrain),
            ("Stairs", GroundKind::Stairs),
            ("Lamp", GroundKind::Lamp),
        ] {
            let about = format!("Add one ahead of who is chosen: {}", name.to_lowercase());
            if ui.button(name).on_hover_text(about).clicked() {
                add_ground(room, bench, kind);
            }
        }
    });
    let Some(player) = &room.player else { return };
    let Some(text) = room.read.of(&bench.project.scene) else { return };
    let mut rows: Vec<(String, SceneThing)> = Vec::new();
    for index in 0..text.count("platform") {
        rows.push((title(text, "platform", index), SceneThing::Platform(index)));
    }
    for index in 0..text.count("stairs") {
        rows.push((title(text, "stairs", index), SceneThing::Stairs(index)));
    }
    for index in 0..text.count("moving_platform") {
        rows.push((title(text, "moving_platform", index), SceneThing::Ferry(index)));
    }
    let obstacles = player.scene().obstacles.iter().map(|thing| thing.name.clone());
    rows.extend(obstacles.map(|name| (name.clone(), SceneThing::Obstacle(name))));
    for index in 0..bench.project.light.lamps.len() {
        rows.push((format!("lamp {}", index + 1), SceneThing::Lamp(index)));
    }
    for (name, thing) in rows.iter().take(80) {
        let chosen = room.choice == StageChoice::Thing(thing.clone());
        let row = ui.selectable_label(chosen, RichText::new(name).size(12.5));
        if row.on_hover_text("Choose it: handles and numbers appear").clicked() {
            room.choice = StageChoice::Thing(thing.clone());
        }
    }
    if let StageChoice::Thing(thing) = room.choice.clone() {
        ui.separator();
        numbers(room, ui, bench, &thing);
    }
    ui.separator();
    ui.strong("Sun");
    let light = &mut bench.project.light;
    for (name, value, range) in
        [("Sun towards (°)", 0, 0.0..=360.0), ("Sun above the horizon (°)", 1, 5.0..=90.0)]
    {
        let label = ui.label(RichText::new(name).small());
        ui.add(slider(&mut light.sun[value], range, 0))
            .labelled_by(label.id)
            .on_hover_text("Where shadows come from");
    }
    let label = ui.label(RichText::new("Brightness of the sun").small());
    ui.add(slider(&mut light.strength, 0.0..=2.0, 2))
        .labelled_by(label.id)
        .on_hover_text("1 is a clear day");
}

/// What something is called.
fn title(text: &mut SceneText, kind: &str, index: usize) -> String {
    let thing = match kind {
        "platform" => SceneThing::Platform(index),
        "stairs" => SceneThing::Stairs(index),
        _ => SceneThing::Ferry(index),
    };
    let plain = || format!("{} {}", kind.replace('_', " "), index + 1);
    text.word(&thing, "name").filter(|name| !name.is_empty()).unwrap_or_else(plain)
}

/// The numbers of what is chosen.
fn numbers(room: &mut StageRoom, ui: &mut egui::Ui, bench: &mut Workbench, thing: &SceneThing) {
    match thing {
        SceneThing::Obstacle(name) => measures(room, ui, bench, name),
        SceneThing::Lamp(index) => {
            if let Some(lamp) = bench.project.light.lamps.get_mut(*index) {
                for (name, value) in ["x (m)", "Height (m)", "z (m)"].into_iter().zip(lamp) {
                    row(ui, name, value, -1000.0);
                }
            }
        }
        _ => keys(room, ui, bench, thing),
    }
    if ui.button("Delete").on_hover_text("Take this away (Delete)").clicked() {
        room.act(&ui.ctx().clone(), bench, StudioAction::Delete);
    }
}

fn row(ui: &mut egui::Ui, name: &str, value: &mut f32, least: f32) -> bool {
    let mut changed = false;
    ui.horizontal(|ui| {
        let drag = DragValue::new(value).speed(0.02).range(least..=1000.0).max_decimals(2);
        let label = ui.label(RichText::new(name).small());
        let drag = ui.add(drag).labelled_by(label.id);
        changed = drag.on_hover_text("Drag to the sides, or click and type").changed();
    });
    changed
}

/// Numbers of ground, by the keys of the file.
fn keys(room: &mut StageRoom, ui: &mut egui::Ui, bench: &mut Workbench, thing: &SceneThing) {
    let Some(text) = room.read.of(&bench.project.scene) else { return };
    let known: &[(&str, &str, f32)] = match thing {
        SceneThing::Platform(_) => {
            &[("height", "Height (m)", -100.0), ("radius", "Radius (m)", 0.1)]
        }
        SceneThing::Stairs(_) => &[
            ("width", "Width (m)", 0.3),
            ("steps", "Steps", 1.0),
            ("rise", "Rise of a step (m)", -0.5),
            ("run", "Depth of a step (m)", 0.1),
            ("height", "Height (m)", -100.0),
            ("heading", "Leads up towards (°)", -360.0),
        ],
        SceneThing::Ferry(_) => &[
            ("speed", "Speed (m/s)", 0.05),
            ("wait", "Waits (s)", 0.0),
            ("heading", "Turned by (°)", -360.0),
        ],
        _ => &[],
    };
    for (key, name, least) in known {
        let height = *key == "height" && !matches!(thing, SceneThing::Ferry(_));
        let Some(mut value) = text.number(thing, key).or(height.then_some(0.0)) else { continue };
        if row(ui, name, &mut value, *least) {
            StageRoom::edit_scene(bench, |text| text.set_number(thing, key, value));
        }
    }
    if let SceneThing::Platform(_) = thing {
        let mut words = text.word(thing, "terrain").unwrap_or_default();
        let label = ui.label(RichText::new("Terrain on it").small());
        egui::ComboBox::from_id_salt("terrain")
            .selected_text(if words.is_empty() { "level" } else { &words })
            .show_ui(ui, |ui| {
                for kind in ["", "hills:0.1:3", "hills:0.25:4", "slope:8", "stairs:0.17:0.29"] {
                    let name = if kind.is_empty() { "level" } else { kind };
                    if ui.selectable_label(words == kind, name).clicked() {
                        words = kind.to_owned();
                        StageRoom::edit_scene(bench, |text| text.set_word(thing, "terrain", kind));
                    }
                }
            })
            .response
            .labelled_by(label.id)
            .on_hover_text("What its surface is like");
    }
}

/// The numbers of an obstacle.
fn measures(room: &StageRoom, ui: &mut egui::Ui, bench: &mut Workbench, name: &str) {
    let scene = room.player.as_ref().map(|player| player.scene());
    let thing = scene.and_then(|scene| scene.obstacles.iter().find(|thing| thing.name == name));
    let Some(thing) = thing else { return };
    let (mut at, mut degrees) = (thing.at, thing.heading.to_degrees());
    let mut size = match &thing.shape {
        ObstacleShape::Box(size) => Some(*size),
        _ => None,
    };
    let moved = [
        row(ui, "x (m)", &mut at.x, -1000.0),
        row(ui, "z (m)", &mut at.z, -1000.0),
        row(ui, "Height above zero (m)", &mut at.y, -100.0),
        row(ui, "Turned by (°)", &mut degrees, -360.0),
    ];
    if moved.contains(&true) {
        StageRoom::edit_scene(bench, |text| text.move_obstacle(name, at, degrees.to_radians()));
    }
    if let Some(size) = &mut size {
        let sized = [
            row(ui, "Width (m)", &mut size.x, 0.05),
            row(ui, "Height (m)", &mut size.y, 0.05),
            row(ui, "Depth (m)", &mut size.z, 0.05),
        ];
        if sized.contains(&true) {
            StageRoom::edit_scene(bench, |text| text.resize_box(name, *size));
        }
    }
}
