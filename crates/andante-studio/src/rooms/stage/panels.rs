//! What is around the view of the stage.

use super::player::dye;
use super::{StageChoice, StageOverlays, StageRoom};
use crate::action::StudioAction;
use crate::bench::Workbench;
use crate::look::{ACCENT, GOOD, LEFT, RIGHT, slider};
use crate::view::ViewSide;
use andante_skeleton::Side;
use andante_stage::{FPS, built_in_scenes};
use eframe::egui::{self, Color32, DragValue, RichText, Sense, pos2, vec2};

/// The left panel: who and what is there.
pub fn left(room: &mut StageRoom, ui: &mut egui::Ui, bench: &mut Workbench) {
    egui::Panel::left("stage left").default_size(250.0).show(ui, |ui| {
        egui::ScrollArea::vertical().show(ui, |ui| {
            ui.add_space(4.0);
            scenes(room, ui, bench);
            ui.separator();
            people(room, ui, bench);
            ui.separator();
            super::things::panel(room, ui, bench);
        });
    });
}

fn scenes(room: &StageRoom, ui: &mut egui::Ui, bench: &mut Workbench) {
    let known = built_in_scenes().iter().find(|scene| scene.text == bench.project.scene);
    let shown = room.player.as_ref().map_or("…", |player| player.scene().name.as_str());
    let name = known.map_or(shown, |scene| scene.name).to_owned();
    let label = ui.strong("Scene");
    egui::ComboBox::from_id_salt("scene")
        .selected_text(&name)
        .width(220.0)
        .show_ui(ui, |ui| {
            for scene in built_in_scenes() {
                if ui.selectable_label(scene.name == name, scene.name).clicked() {
                    *bench.project = bench.project.in_scene(scene);
                }
            }
        })
        .response
        .labelled_by(label.id)
        .on_hover_text("Examples; who was brought along from a file stays");
    ui.horizontal(|ui| {
        let label = ui.label("Seed");
        ui.add(DragValue::new(&mut bench.project.seed).range(1..=9999))
            .labelled_by(label.id)
            .on_hover_text("Everything random comes from it: the same seed gives the same motion");
    });
}

fn people(room: &mut StageRoom, ui: &mut egui::Ui, bench: &mut Workbench) {
    ui.strong("Characters");
    let Some(player) = &room.player else {
        ui.weak("The stage is being set …");
        return;
    };
    let doing = &player.shown().doing;
    let rows: Vec<(usize, String, String)> = player
        .stage()
        .actors()
        .iter()
        .enumerate()
        .map(|(who, actor)| {
            (who, actor.name().to_owned(), doing.get(who).cloned().unwrap_or_default())
        })
        .collect();
    for (who, name, doing) in rows.iter().take(40) {
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
            ui.painter().circle_filled(rect.center(), 5.0, dye(*who));
            let chosen = room.choice == StageChoice::Character(*who);
            let row = ui.selectable_label(chosen, name);
            if row.on_hover_text("Choose it: a click on the ground sends it there").clicked() {
                room.choice = StageChoice::Character(*who);
            }
            ui.label(RichText::new(if doing.is_empty() { "stands" } else { doing }).weak().small());
        });
    }
    if ui
        .button("Add a character")
        .on_hover_text("Somebody who stands two steps ahead, and begins there")
        .clicked()
    {
        room.add_character(bench);
    }
    if let StageChoice::Character(who) = room.choice {
        part(room, ui, bench, who);
        super::commands::panel(room, ui, bench, who);
    }
    let steer = ui.checkbox(&mut room.steers, "Steer with W A S D");
    steer.on_hover_text(
        "The keys W, A, S and D lead the chosen character; Shift runs (T). The left stick of a gamepad leads it at any time, any of its first buttons runs",
    );
}

/// Where a character begins, and where it is sent.
fn part(room: &mut StageRoom, ui: &mut egui::Ui, bench: &mut Workbench, who: usize) {
    let told = room.read.of(&bench.project.scene).is_some_and(|text| text.has_goal(who));
    let Some(own) = room.player.as_ref().and_then(|player| player.scene().characters.get(who))
    else {
        return;
    };
    let posts = [("Start", "start", own.start, true), ("Goal", "goal", own.goal, told)];
    for (name, key, post, _) in posts.into_iter().filter(|(_, _, _, told)| *told) {
        ui.horizontal(|ui| {
            let mut place = post.place;
            let label = ui.label(RichText::new(name).small());
            let mut drag = |value: &mut f32| {
                ui.add(DragValue::new(value).speed(0.05).range(-1000.0..=1000.0).max_decimals(2))
                    .labelled_by(label.id)
                    .on_hover_text("x and z in metres; the flags in the view can be dragged too")
                    .changed()
            };
            let changed = [drag(&mut place.x), drag(&mut place.y)];
            if changed.contains(&true) {
                StageRoom::edit_scene(bench, |text| {
                    text.place_character(who, key, place, post.heading)
                });
            }
        });
    }
}

/// The right panel: what is drawn, from where, and what to make of it.
pub fn right(room: &mut StageRoom, ui: &mut egui::Ui, bench: &mut Workbench) {
    egui::Panel::right("stage right").default_size(210.0).show(ui, |ui| {
        egui::ScrollArea::vertical().show(ui, |ui| {
            ui.add_space(4.0);
            ui.strong("View");
            ui.horizontal_wrapped(|ui| {
                let mut go = |ui: &mut egui::Ui, name: &str, key: &str, action: StudioAction| {
                    if ui.button(name).on_hover_text(key).clicked() {
                        room.act(&ui.ctx().clone(), bench, action);
                    }
                };
                go(ui, "Front", "Key 1", StudioAction::LookFrom(ViewSide::Front));
                go(ui, "Side", "Key 3", StudioAction::LookFrom(ViewSide::Side));
                go(ui, "Top", "Key 7", StudioAction::LookFrom(ViewSide::Top));
                go(ui, "Frame", "Key F", StudioAction::FrameView);
            });
            ui.checkbox(&mut room.camera.follows, "Follow")
                .on_hover_text("The camera stays with who is chosen (C)");
            ui.separator();
            ui.strong("Show");
            ui.horizontal_wrapped(|ui| overlays(&mut room.overlays, ui));
            ui.separator();
            ui.strong("Files");
            if let Some(moment) = room.export.panel(ui, bench, room.player.as_ref())
                && let Some(player) = &mut room.player
            {
                player.playing = false;
                player.playhead = (moment * FPS).min((player.frames().len() - 1) as f32);
            }
            if !bench.project.takes.is_empty()
                && ui.button("Show the takes").on_hover_text("Beside each other").clicked()
            {
                room.reel.open = true;
            }
            ui.separator();
            ui.strong("What happened");
            happened(room, ui);
        });
    });
}

/// What is drawn besides.
fn overlays(shown: &mut StageOverlays, ui: &mut egui::Ui) {
    for (value, name, about) in [
        (&mut shown.footprints, "Footprints", "Where feet came down"),
        (&mut shown.contacts, "Contacts", "Heels and balls that are down now"),
        (&mut shown.trails, "Body path", "The way of the hips"),
        (&mut shown.goals, "Goals", "Where characters are sent"),
        (
            &mut shown.plan,
            "Planned way",
            "The way and the footprints from here to the goal, as they would be planned now",
        ),
        (&mut shown.sensors, "Sensors", "What the chosen character notices"),
        (&mut shown.navmesh, "Room to walk", "Where its middle can be: the navigation mesh"),
        (&mut shown.trees, "Two trees", "Random trees from where it is and from its goal"),
        (
            &mut shown.ankles,
            "Ankle paths",
            "Where ankles were; green is where they would be planned",
        ),
        (&mut shown.targets, "Foot targets", "Where feet are held, and where they are led to next"),
        (
            &mut shown.bands,
            "Naturalness",
            "Knees and ankles against captured people, along the timeline",
        ),
        (&mut shown.cut_away, "Cut away", "What hides who is chosen is left out (X)"),
    ] {
        ui.checkbox(value, name).on_hover_text(about);
    }
}

/// Events, the last one first; a click shows its moment.
fn happened(room: &mut StageRoom, ui: &mut egui::Ui) {
    let Some(player) = &mut room.player else { return };
    let frames = player.frames()[..=player.frame()].iter().enumerate().rev();
    let events =
        frames.flat_map(|(at, frame)| frame.events.iter().rev().map(move |event| (at, event)));
    let mut go = None;
    for (at, event) in events.take(14) {
        let line = egui::Button::new(RichText::new(event).small()).frame(false).wrap();
        if ui.add(line).on_hover_text("Show this moment").clicked() {
            go = Some(at);
        }
    }
    if let Some(at) = go {
        player.playing = false;
        player.playhead = at as f32;
    }
}

/// Time: play, pause, scrub, slow motion, loop, and what feet do.
pub fn timeline(room: &mut StageRoom, ui: &mut egui::Ui) {
    egui::Panel::bottom("stage time").show(ui, |ui| {
        ui.add_space(4.0);
        ui.horizontal_wrapped(|ui| {
            let Some(player) = &mut room.player else {
                ui.weak("…");
                return;
            };
            let name = if player.playing { "Pause" } else { "Play" };
            let play =
                ui.add(egui::Button::new(RichText::new(name).strong()).min_size(vec2(84.0, 26.0)));
            let start = ui.button("|<").on_hover_text("To the beginning (Home)");
            start.widget_info(|| {
                egui::WidgetInfo::labeled(egui::Role::Button, true, "To the beginning")
            });
            ui.checkbox(&mut player.looping, "Loop").on_hover_text("Begin anew at the end (L)");
            let label = ui.label("Speed");
            ui.add(slider(&mut player.speed, 0.1..=2.0, 2).suffix(" ×"))
                .labelled_by(label.id)
                .on_hover_text("Slow motion, or faster than it is");
            let [now, all] = player.seconds();
            ui.label(RichText::new(format!("{now:6.2} s of {all:.2} s")).monospace());
            if play.on_hover_text("Space").clicked() {
                room.act_on_time(StudioAction::PlayOrPause);
            } else if start.clicked() {
                room.act_on_time(StudioAction::ToStart);
            }
        });
        super::commands::track(room, ui);
        if room.overlays.bands {
            super::natural::bands(room, ui);
        }
        track(room, ui);
        ui.add_space(4.0);
    });
}

/// Frames that the bar of time is long: it grows in steps, so that it does not crawl.
pub fn bar_length(frames: usize) -> f32 {
    (frames as f32 / (10.0 * FPS)).ceil().max(1.0) * 10.0 * FPS
}

/// The bar of time: drag to scrub; below it when each foot of the chosen character is down.
fn track(room: &mut StageRoom, ui: &mut egui::Ui) {
    let size = vec2(ui.available_width(), 34.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, "Timeline"));
    let Some(player) = &mut room.player else { return };
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 4.0, ui.visuals().extreme_bg_color);
    let frames = player.frames().len();
    let length = bar_length(frames);
    let x = |frame: f32| rect.left() + rect.width() * frame / length;
    if let Some(at) = response.interact_pointer_pos() {
        let frame = ((at.x - rect.left()) / rect.width() * length).clamp(0.0, (frames - 1) as f32);
        player.playhead = frame;
        if response.drag_started() || response.clicked() {
            player.playing = false;
        }
    }
    let past = egui::Rect::from_min_max(rect.min, pos2(x(frames as f32), rect.top() + 8.0));
    painter.rect_filled(past, 3.0, ACCENT.gamma_multiply(0.35));
    let who = match room.choice {
        StageChoice::Character(who) => who,
        _ => 0,
    };
    let feet = player.stage().actors().get(who).map_or(0, |actor| actor.character().rig.feet.len());
    let stride = (frames / 2000).max(1);
    for foot in 0..feet.min(6) {
        let side = player.stage().actors()[who].character().rig.feet[foot].side;
        let color = match side {
            Side::Left => LEFT,
            Side::Right => RIGHT,
            Side::Middle => GOOD,
        };
        let tall = 20.0 / feet.min(6) as f32;
        let y = rect.top() + 11.0 + tall * foot as f32;
        let mut since = None;
        for frame in (0..frames).step_by(stride).chain([frames]) {
            let down = player
                .frames()
                .get(frame)
                .is_some_and(|frame| frame.contacts[who][foot] != [false; 2]);
            match (since, down) {
                (None, true) => since = Some(frame),
                (Some(begun), false) => {
                    let bar = egui::Rect::from_min_max(
                        pos2(x(begun as f32), y),
                        pos2(x(frame as f32), y + tall - 2.0),
                    );
                    painter.rect_filled(bar, 1.0, color.gamma_multiply(0.8));
                    since = None;
                }
                _ => {}
            }
        }
    }
    for (at, _) in player.journal() {
        painter.circle_filled(pos2(x(*at as f32), rect.top() + 4.0), 3.0, Color32::WHITE);
    }
    let now = x(player.playhead);
    painter.line_segment([pos2(now, rect.top()), pos2(now, rect.bottom())], (2.0, ACCENT));
    response.on_hover_text("Drag to go back and forth; bars are feet on the ground");
}
