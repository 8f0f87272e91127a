//! What is around the view of a clip.

use super::{ClipShelf, JointGraph, MotionRoom, MotionTab, contacts};
use crate::bench::Workbench;
use crate::command_lines;
use crate::look::{ACCENT, command_line};
use crate::motion_plan::{MotionEdit, MotionPlan};
use crate::project::StudioProject;
use crate::view::{FlatFigure, FlatView};
use andante_motion::analysis::MotionClass;
use andante_skeleton::{Clip, Wrap};
use eframe::egui::{self, Color32, DragValue, Rect, RichText, Sense, pos2, vec2};
use glam::vec3;

/// The list of clips.
pub fn left(room: &mut MotionRoom, ui: &mut egui::Ui, bench: &mut Workbench) {
    egui::Panel::left("motion left").default_size(240.0).show(ui, |ui| {
        ui.add_space(4.0);
        ui.strong(match &bench.project.motion.file {
            Some(file) => file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            None => "Built-in motions".into(),
        });
        if bench.project.motion.file.is_some()
            && ui
                .button("Back to the built-in ones")
                .on_hover_text("The file stays where it is")
                .clicked()
        {
            bench.project.motion = MotionPlan::default();
        }
        super::casting::send(room, ui, bench);
        ui.collapsing("What is odd, and repairs", |ui| {
            super::repairs::panel(room, ui, &mut bench.project.motion);
        });
        let label = ui.label(RichText::new("Only those with").small());
        ui.text_edit_singleline(&mut room.filter)
            .labelled_by(label.id)
            .on_hover_text("A part of their names");
        classes(room, ui);
        egui::ScrollArea::vertical().show(ui, |ui| {
            let Some(shelf) = &room.shelf else { return };
            let kinds = shelf.classes.iter().copied().chain(std::iter::repeat(None));
            let asked = |(clip, class): &(&Clip, Option<MotionClass>)| {
                let named = clip.name().contains(room.filter.trim());
                named && (room.class.is_none() || *class == room.class)
            };
            for (clip, class) in shelf.clips.iter().zip(kinds).filter(asked) {
                let chosen = bench.project.motion.clip == clip.name();
                let (rect, response) =
                    ui.allocate_exact_size(vec2(ui.available_width(), 52.0), Sense::click());
                response.widget_info(|| {
                    egui::WidgetInfo::selected(
                        egui::Role::Button,
                        true,
                        chosen,
                        format!("Clip {}", clip.name()),
                    )
                });
                if ui.is_rect_visible(rect) {
                    let about = match class {
                        Some(class) => format!("{:.2} s  {}", clip.duration(), class.name()),
                        None => format!("{:.2} s", clip.duration()),
                    };
                    let state = (chosen, response.hovered());
                    card(ui, shelf, (clip, about), room.clock, rect, state);
                }
                if response.on_hover_text("Play and edit this clip").clicked() {
                    bench.project.motion.clip = clip.name().to_owned();
                    bench.project.motion.edits.clear();
                    room.mixes = false;
                    room.time = 0.0;
                }
            }
        });
    });
}

/// Kinds of motion to choose from.
fn classes(room: &mut MotionRoom, ui: &mut egui::Ui) {
    let Some(shelf) = &room.shelf else { return };
    let mut kinds: Vec<MotionClass> = Vec::new();
    for class in shelf.classes.iter().flatten() {
        if !kinds.contains(class) {
            kinds.push(*class);
        }
    }
    if kinds.len() < 2 {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().button_padding = vec2(6.0, 2.0);
        ui.selectable_value(&mut room.class, None, "all").on_hover_text("Every clip");
        for class in kinds {
            ui.selectable_value(&mut room.class, Some(class), class.name())
                .on_hover_text("Only clips of this kind, as the analysis sees them");
        }
    });
}

/// A clip with its picture.
fn card(
    ui: &egui::Ui,
    shelf: &ClipShelf,
    (clip, about): (&Clip, String),
    clock: f32,
    rect: Rect,
    (chosen, hovered): (bool, bool),
) {
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 5.0, ui.visuals().faint_bg_color);
    if chosen || hovered {
        let strong = if chosen { 1.0 } else { 0.4 };
        painter.rect_filled(rect, 5.0, ACCENT.gamma_multiply(0.2 * strong));
        painter.rect_stroke(
            rect,
            5.0,
            (1.5, ACCENT.gamma_multiply(strong)),
            egui::StrokeKind::Inside,
        );
    }
    let mut pose = vec![andante_skeleton::Transform::IDENTITY; shelf.skeleton.len()];
    clip.sample(clock % clip.duration().max(0.1), Wrap::Clamp, &mut pose);
    let mut models = pose.clone();
    shelf.skeleton.local_to_model(&pose, &mut models);
    let hips = models[shelf.rig.as_ref().map_or(0, |rig| rig.hips)].translation;
    let tall = shelf.skeleton.rest_bounds().1.y.max(0.3);
    let bounds = [
        hips.with_y(-0.05) - vec3(0.4, 0.0, 0.4) * tall / 1.8,
        hips.with_y(tall) + vec3(0.4, 0.0, 0.4) * tall / 1.8,
    ];
    let picture = Rect::from_min_size(rect.min + vec2(4.0, 3.0), vec2(46.0, 46.0));
    let view = FlatView::of_box(bounds, 1.2, 0.1, picture);
    let color =
        if ui.visuals().dark_mode { Color32::from_gray(215) } else { Color32::from_gray(90) };
    FlatFigure::of_models(&shelf.skeleton, &models, 0.045 * tall / 1.8, color)
        .draw(&view, &painter);
    painter.text(
        rect.min + vec2(58.0, 10.0),
        egui::Align2::LEFT_TOP,
        clip.name(),
        egui::FontId::proportional(13.0),
        ui.visuals().text_color(),
    );
    painter.text(
        rect.min + vec2(58.0, 28.0),
        egui::Align2::LEFT_TOP,
        about,
        egui::FontId::proportional(11.0),
        ui.visuals().weak_text_color(),
    );
}

/// Edits, posture, mixing.
pub fn right(room: &mut MotionRoom, ui: &mut egui::Ui, bench: &mut Workbench) {
    egui::Panel::right("motion right").default_size(270.0).show(ui, |ui| {
        egui::ScrollArea::vertical().show(ui, |ui| {
            ui.add_space(4.0);
            ui.horizontal_wrapped(|ui| {
                for tab in MotionTab::ALL {
                    ui.selectable_value(&mut room.tab, tab, tab.name()).on_hover_text(tab.about());
                }
            });
            ui.separator();
            match room.tab {
                MotionTab::Edits => {
                    edits(room, ui, &mut bench.project.motion);
                    ui.separator();
                    command(ui, bench.project);
                }
                MotionTab::Posture => {
                    super::posture::panel(room, ui, &mut bench.project.motion);
                }
                MotionTab::Bodies => {
                    super::retargeting::panel(room, ui, &mut bench.project.motion);
                }
                MotionTab::Files => super::casting::panel(room, ui, bench),
                MotionTab::Gaits => mixing(room, ui, bench),
            }
        });
    });
}

/// Gaits mixed by a point.
fn mixing(room: &mut MotionRoom, ui: &mut egui::Ui, bench: &mut Workbench) {
    ui.checkbox(&mut room.mixes, "Mix gaits")
        .on_hover_text("Built-in gaits mixed to any speed and turn; feet that are down stay");
    if !room.mixes {
        return;
    }
    room.mixer.map(ui, &mut bench.project.motion.mix);
    let [speed, turn] = bench.project.motion.mix;
    ui.label(format!("{speed:.2} m/s ahead, {turn:.0}°/s to the left"));
    let slid = format!("farthest that a foot slid while down: {:.1} mm", 1e3 * room.mixer.slid);
    ui.label(RichText::new(slid).weak().small());
    command_line(ui, &format!("andante clips --speed {speed:.2} --turn {turn:.0} -o gait.glb"));
}

fn edits(room: &mut MotionRoom, ui: &mut egui::Ui, plan: &mut MotionPlan) {
    let length = room.desk.as_ref().map_or(1.0, |desk| desk.clip.duration());
    ui.horizontal(|ui| {
        let [from, to] = &mut room.range;
        let label = ui.label("From");
        ui.add(DragValue::new(from).speed(0.01).max_decimals(2).range(0.0..=length).suffix(" s"))
            .labelled_by(label.id)
            .on_hover_text("Where the part begins that is trimmed, cut or copied");
        let label = ui.label("to");
        ui.add(DragValue::new(to).speed(0.01).max_decimals(2).range(0.0..=length).suffix(" s"))
            .labelled_by(label.id)
            .on_hover_text("Where it ends");
    });
    let [from, to] = room.range;
    ui.horizontal_wrapped(|ui| {
        let ready = to > from + 0.02;
        if ui
            .add_enabled(ready, egui::Button::new("Trim"))
            .on_hover_text("Keep what is between")
            .clicked()
        {
            plan.push(MotionEdit::Trim([from, to]));
            room.range = [0.0, to - from];
        }
        let part = ready && to - from < length - 0.1;
        if ui
            .add_enabled(part, egui::Button::new("Cut"))
            .on_hover_text("Leave out what is between")
            .clicked()
        {
            plan.push(MotionEdit::Cut([from, to]));
        }
        if ui
            .add_enabled(ready, egui::Button::new("Copy"))
            .on_hover_text("What is between comes once more at the end")
            .clicked()
        {
            plan.push(MotionEdit::Copy([from, to]));
        }
        for (name, about, edit) in [
            ("Mirror", "Left becomes right", MotionEdit::Mirror),
            ("Reverse", "Backwards in time", MotionEdit::Reverse),
            ("Close the loop", "The end leads into the beginning", MotionEdit::Loop),
            ("Faster", "Half as long again as fast", MotionEdit::Speed(1.5)),
            ("Plant", "Feet that are down stay where they are", MotionEdit::Plant),
            ("Slower", "Two thirds as fast", MotionEdit::Speed(0.667)),
        ] {
            if ui.button(name).on_hover_text(about).clicked() {
                plan.push(edit);
            }
        }
    });
    ui.menu_button("On terrain", |ui| {
        for words in ["slope:8", "slope:-8", "stairs:0.17:0.29", "hills:0.2:4"] {
            if ui.button(words).clicked() {
                plan.push(MotionEdit::Ground(words.to_owned()));
                ui.close();
            }
        }
    })
    .response
    .on_hover_text("Feet find the ground, as `andante ground` has it");
    let mut gone = None;
    for (index, edit) in plan.edits.iter().enumerate() {
        ui.horizontal(|ui| {
            let back = ui.small_button(format!("Take back {}", index + 1));
            if back.on_hover_text("As if it had not been done").clicked() {
                gone = Some(index);
            }
            ui.label(RichText::new(edit.describe()).monospace().small());
        });
    }
    if let Some(index) = gone {
        plan.edits.remove(index);
    }
}

/// The same from a command line.
fn command(ui: &mut egui::Ui, project: &StudioProject) {
    let plan = &project.motion;
    let words = plan.edits.iter().any(|edit| edit.word().is_some());
    let mut line = match (words, &plan.file) {
        (false, None) => format!("andante clips {0} -o {0}.glb", plan.clip),
        (false, Some(_)) => format!("andante convert {} out.bvh", command_lines::motion(project)),
        _ => command_lines::edit(project),
    };
    if let Some(terrain) = plan.edits.iter().rev().find_map(|edit| match edit {
        MotionEdit::Ground(terrain) => Some(terrain),
        _ => None,
    }) {
        let of = command_lines::motion(project);
        line += &format!("\nandante ground {of} --terrain {terrain} -o out.glb");
    }
    command_line(ui, &line);
    if plan.edits.iter().any(|edit| edit.word().is_none()) {
        ui.weak("Turned joints, keys, layers, copies and postures are not on the command line.");
    }
}

/// Time, contacts, and the graph of a joint.
pub fn timeline(room: &mut MotionRoom, ui: &mut egui::Ui, bench: &mut Workbench) {
    egui::Panel::bottom("motion time").show(ui, |ui| {
        ui.add_space(4.0);
        ui.horizontal_wrapped(|ui| {
            let name = if room.playing { "Pause" } else { "Play" };
            if ui
                .add(egui::Button::new(RichText::new(name).strong()).min_size(vec2(84.0, 26.0)))
                .on_hover_text("Space")
                .clicked()
            {
                room.playing ^= true;
            }
            let length = room.desk.as_ref().map_or(0.0, |desk| desk.clip.duration());
            ui.label(RichText::new(format!("{:5.2} s of {length:.2} s", room.time)).monospace());
            ui.separator();
            for (graph, name) in [
                (JointGraph::Height, "Height"),
                (JointGraph::Angle, "Angle"),
                (JointGraph::Speed, "Speed"),
            ] {
                ui.selectable_value(&mut room.graph, graph, name)
                    .on_hover_text("What the curve below shows of the chosen joint");
            }
            ui.weak("of the chosen joint");
        });
        let feet =
            room.desk.as_ref().and_then(|desk| desk.rig.as_ref()).map_or(0, |rig| rig.feet.len());
        let tall = 4.0 + 2.0 * contacts::ROW * feet.min(6) as f32;
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), tall), Sense::hover());
        let length = room.desk.as_ref().map_or(1.0, |desk| desk.clip.duration());
        contacts::rows(room, ui, &mut bench.project.motion, rect, length);
        track(room, ui);
        ui.add_space(4.0);
    });
}

fn track(room: &mut MotionRoom, ui: &mut egui::Ui) {
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), 84.0), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, "Timeline"));
    let (Some(desk), Some(shelf)) = (&room.desk, &room.shelf) else { return };
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 4.0, ui.visuals().extreme_bg_color);
    let length = desk.clip.duration().max(1e-3);
    let x = |time: f32| rect.left() + rect.width() * time / length;
    if let Some(at) = response.interact_pointer_pos() {
        room.time = ((at.x - rect.left()) / rect.width() * length).clamp(0.0, length);
        room.playing = false;
    }
    let [from, to] = room.range;
    let chosen = Rect::from_min_max(pos2(x(from), rect.top()), pos2(x(to), rect.bottom()));
    painter.rect_filled(chosen, 0.0, ACCENT.gamma_multiply(0.08));
    let values = match room.graph {
        JointGraph::Height => desk.heights(room.joint),
        JointGraph::Angle => desk.angles(&shelf.skeleton, room.joint),
        JointGraph::Speed => desk.speeds(room.joint),
    };
    let (low, high) =
        values.iter().fold((f32::MAX, f32::MIN), |(low, high), at| (low.min(*at), high.max(*at)));
    let span = (high - low).max(1e-3);
    let graph = Rect::from_min_max(pos2(rect.left(), rect.top() + 6.0), rect.max - vec2(0.0, 6.0));
    let place = |(frame, value): (usize, &f32)| {
        pos2(x(desk.clip.frame_time(frame)), graph.bottom() - graph.height() * (value - low) / span)
    };
    let points = values.iter().enumerate().map(place).collect();
    painter.add(egui::Shape::line(points, egui::Stroke::new(1.6, ACCENT)));
    let unit = match room.graph {
        JointGraph::Height => "m",
        JointGraph::Angle => "°",
        JointGraph::Speed => "m/s",
    };
    for (value, at) in [(high, graph.left_top()), (low, graph.left_bottom() - vec2(0.0, 12.0))] {
        painter.text(
            at + vec2(4.0, 0.0),
            egui::Align2::LEFT_TOP,
            format!("{value:.2} {unit}"),
            egui::FontId::proportional(10.5),
            ui.visuals().weak_text_color(),
        );
    }
    let now = x(room.time);
    painter.line_segment([pos2(now, rect.top()), pos2(now, rect.bottom())], (2.0, ACCENT));
    response.on_hover_text("Drag to go back and forth; the line is the chosen joint");
}
