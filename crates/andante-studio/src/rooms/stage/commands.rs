//! What the chosen character is told, as a list, and what it does, along time.

use super::{StageChoice, StageRoom};
use crate::bench::Workbench;
use crate::look::{ACCENT, DYES};
use crate::scene_move::SceneThing;
use crate::scene_text::SceneText;
use andante_stage::FPS;
use eframe::egui::{self, Color32, RichText, Sense, pos2, vec2};
use toml_edit::Value;

/// What can be told: a name, the key of the file, and a value to begin with; `@` is a place ahead.
const KINDS: [(&str, &str, &str); 14] = [
    ("Walk to", "walk_to", "[@]"),
    ("Run to", "run_to", "[@]"),
    ("Patrol", "patrol", "[[@], [@]]"),
    ("Path", "path", "[[@]]"),
    ("Face", "face", "90"),
    ("Wait", "wait", "2.0"),
    ("Stop", "stop", "true"),
    ("Follow", "follow", "\"?\""),
    ("Speed", "speed", "1.8"),
    ("Look at", "look_at", "[@]"),
    ("Push", "push", "{ impulse = 30, direction = 90 }"),
    ("Throw at", "throw", "{ ball = 0.12, mass = 2.5, from = [4, 1.5, 0], speed = 9 }"),
    ("Fall", "fall", "true"),
    ("Get up", "get_up", "true"),
];

/// Something to be done to the scene file.
type SceneChange = Box<dyn FnOnce(&mut SceneText) -> Option<()>>;

/// The list of commands of a character, which can be written anew line by line.
pub fn panel(room: &mut StageRoom, ui: &mut egui::Ui, bench: &mut Workbench, who: usize) {
    let Some(player) = &room.player else { return };
    let Some(part) = player.scene().characters.get(who) else { return };
    let (name, now) = (part.name.clone(), player.seconds()[0]);
    let others: Vec<String> =
        player.scene().characters.iter().map(|part| part.name.clone()).collect();
    let Some(text) = room.read.of(&bench.project.scene) else { return };
    let lines = text.commands(&name);
    ui.label(RichText::new(format!("What {name} is told")).strong().size(12.5));
    let mut change: Option<SceneChange> = None;
    for (number, (index, line)) in lines.iter().enumerate() {
        let index = *index;
        let mut own = match &room.written {
            Some((written, text)) if *written == index => text.clone(),
            _ => line.clone(),
        };
        let edit = egui::TextEdit::singleline(&mut own)
            .font(egui::TextStyle::Monospace)
            .desired_width(f32::INFINITY);
        let edit = ui.add(edit);
        edit.widget_info(|| {
            let name = format!("Command {}", number + 1);
            egui::WidgetInfo::labeled(egui::Role::TextInput, true, name)
        });
        if edit.changed() {
            room.written = Some((index, own.clone()));
        }
        if edit.lost_focus() && room.written.as_ref().is_some_and(|(written, _)| *written == index)
        {
            rewrite(room, bench, index, &own);
            return;
        }
        ui.horizontal(|ui| {
            let small = |ui: &mut egui::Ui, ready: bool, name: String, about: &str| {
                let button = egui::Button::new(RichText::new(name).small());
                ui.add_enabled(ready, button).on_hover_text(about).clicked()
            };
            let about = "Before the one above it";
            if small(ui, number > 0, format!("Earlier {}", number + 1), about) {
                let before = lines[number - 1].0;
                change = Some(Box::new(move |text| text.swap_commands(before, index)));
            }
            let about = "Its place can be dragged in the view";
            if small(ui, true, format!("Choose {}", number + 1), about) {
                room.choice = StageChoice::Thing(SceneThing::Command(index));
            }
            let about = "It is not told this any more";
            if small(ui, true, format!("Delete command {}", number + 1), about) {
                change = Some(Box::new(move |text| text.remove(&SceneThing::Command(index))));
            }
        });
        edit.on_hover_text(
            "As in a scene file; `; at = 2` says when, otherwise after the one before",
        );
    }
    let ahead = room.ahead();
    let place = format!("{:.2}, {:.2}", ahead.x, ahead.z);
    ui.horizontal_wrapped(|ui| {
        ui.menu_button("Tell it to …", |ui| {
            for (title, key, begin) in KINDS {
                if !ui.button(title).clicked() {
                    continue;
                }
                let other =
                    others.iter().find(|other| **other != name).cloned().unwrap_or_default();
                let said = begin.replace('@', &place).replace('?', &other);
                let (name, key) = (name.clone(), key.to_owned());
                change = Some(Box::new(move |text| {
                    let said: Value = said.parse().ok()?;
                    text.tell(&name, Some(now), &key, said)
                }));
                ui.close();
            }
        })
        .response
        .on_hover_text("A command more, from this moment on");
    });
    if let Some(change) = change {
        room.written = None;
        StageRoom::edit_scene(bench, change);
    }
}

/// Takes over a line that was written; what is wrong with it is told, and it stays to be mended.
fn rewrite(room: &mut StageRoom, bench: &mut Workbench, index: usize, line: &str) {
    let mut wrong = None;
    let done = StageRoom::edit_scene(bench, |text| {
        wrong = text.rewrite(index, line).err();
        Some(())
    });
    match wrong {
        Some(wrong) => bench.notices.failed(wrong),
        None if done => room.written = None,
        None => {}
    }
}

/// The track of a character's tasks along the bar of time; a click goes there.
pub fn track(room: &mut StageRoom, ui: &mut egui::Ui) {
    let who = room.who();
    let Some(player) = &mut room.player else { return };
    let Some(name) = player.stage().actors().get(who).map(|actor| actor.name().to_owned()) else {
        return;
    };
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), 18.0), Sense::click_and_drag());
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::Slider, true, format!("What {name} does"))
    });
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 3.0, ui.visuals().extreme_bg_color);
    let frames = player.frames().len();
    let length = super::panels::bar_length(frames);
    let x = |frame: usize| rect.left() + rect.width() * frame as f32 / length;
    let doing = |frame: usize| player.frames()[frame].doing.get(who).map_or("", String::as_str);
    let mut begun = 0;
    let mut tone = 0;
    for frame in 1..=frames {
        if frame < frames && doing(frame) == doing(begun) {
            continue;
        }
        let bar = egui::Rect::from_min_max(
            pos2(x(begun), rect.top() + 2.0),
            pos2(x(frame), rect.bottom() - 2.0),
        );
        if !doing(begun).is_empty() {
            painter.rect_filled(bar, 2.0, DYES[tone % DYES.len()].gamma_multiply(0.55));
            ui.painter_at(bar).text(
                bar.left_center() + vec2(4.0, 0.0),
                egui::Align2::LEFT_CENTER,
                doing(begun),
                egui::FontId::proportional(10.5),
                Color32::from_gray(20),
            );
            tone += 1;
        }
        begun = frame;
    }
    for frame in (0..frames).filter(|frame| !player.frames()[*frame].events.is_empty()) {
        let own = format!(" {name}:");
        if player.frames()[frame].events.iter().any(|event| event.contains(&own)) {
            painter.circle_filled(pos2(x(frame), rect.top() + 3.0), 2.5, ACCENT);
        }
    }
    if let Some(at) = response.interact_pointer_pos() {
        let frame = (at.x - rect.left()) / rect.width() * length;
        player.playing = false;
        player.playhead = frame.clamp(0.0, (frames - 1) as f32);
    }
    let hovered =
        response.hover_pos().map(|at| ((at.x - rect.left()) / rect.width() * length) as usize);
    let hovered = hovered.and_then(|frame| player.frames().get(frame).map(|own| (frame, own)));
    let text = hovered.map(|(frame, own)| {
        format!("{:.2} s: {}", frame as f32 / FPS, own.doing.get(who).map_or("", String::as_str))
    });
    response.on_hover_text(text.unwrap_or_else(|| "What it does, and what happened to it".into()));
}
