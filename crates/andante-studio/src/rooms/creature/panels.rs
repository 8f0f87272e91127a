//! What is around the palettes.

use super::{CreatureRoom, GaitHunt, ModeRole, StepPhaseKind};
use crate::bench::Workbench;
use crate::command_lines;
use crate::look::{ACCENT, BAD, GOOD, command_line, slider};
use crate::project::{body_text, sketch_text};
use andante_body::CREATURES;
use andante_gait::{Draw, GaitSketch, Progress, SKETCHES};
use eframe::egui::{self, DragValue, RichText, Sense, pos2, vec2};

/// The body.
pub fn left(room: &mut CreatureRoom, ui: &mut egui::Ui, bench: &mut Workbench) {
    egui::Panel::left("creature left").default_size(250.0).show(ui, |ui| {
        egui::ScrollArea::vertical().show(ui, |ui| {
            ui.add_space(4.0);
            let label = ui.strong("Body");
            let name = room.desk.as_ref().map_or("…", |desk| desk.body.name()).to_owned();
            egui::ComboBox::from_id_salt("creature")
                .selected_text(&name)
                .width(220.0)
                .show_ui(ui, |ui| {
                    for creature in CREATURES {
                        if ui.selectable_label(creature.0 == name, creature.0).clicked() {
                            choose(bench, creature.0);
                        }
                    }
                })
                .response
                .labelled_by(label.id)
                .on_hover_text("Built-in creatures, each with its first sketch");
            if room.desk.is_some() {
                ui.checkbox(&mut room.rest, "Shape it at rest")
                    .on_hover_text("Joints are shown in the view below: click or drag them");
                tree(room, ui);
                ui.separator();
                segment(room, ui, bench);
            }
        });
    });
}

/// A built-in creature and its first sketch.
fn choose(bench: &mut Workbench, name: &str) {
    let of = |text: &str| GaitSketch::built_in(text).is_ok_and(|sketch| sketch.character == name);
    let sketch = SKETCHES.iter().map(|(sketch, _)| *sketch).find(|sketch| of(sketch));
    if let (Some(body), Some(sketch)) = (body_text(name), sketch.and_then(sketch_text)) {
        (bench.project.body, bench.project.sketch) = (body, sketch);
    }
}

/// Segments, each below what it hangs on.
fn tree(room: &mut CreatureRoom, ui: &mut egui::Ui) {
    let Some(desk) = &room.desk else { return };
    let parents: Vec<Option<usize>> = desk.body.parents().collect();
    let depth = |mut segment: usize| {
        let mut depth = 0;
        while let Some(parent) = parents[segment] {
            (segment, depth) = (parent, depth + 1);
        }
        depth
    };
    ui.label(
        RichText::new(format!(
            "{:.1} kg, {} joint angles",
            desk.body.total_mass(),
            desk.body.internal_dof()
        ))
        .weak(),
    );
    for (index, part) in desk.body.segments().iter().enumerate() {
        ui.horizontal(|ui| {
            ui.add_space(9.0 * depth(index) as f32);
            let label = RichText::new(&part.name).size(12.5);
            let row = ui.selectable_label(room.segment == index, label);
            if row.on_hover_text("Choose it: its numbers are below").clicked() {
                room.segment = index;
            }
        });
    }
}

/// The numbers of the chosen segment.
fn segment(room: &CreatureRoom, ui: &mut egui::Ui, bench: &mut Workbench) {
    let Some(desk) = &room.desk else { return };
    let part = &desk.body.segments()[room.segment];
    ui.strong(&part.name);
    let mut changed = None;
    let mut mass = part.mass.mass;
    let label = ui.label("Mass (kg)");
    let widget = slider(&mut mass, 0.05..=60.0, 2).logarithmic(true);
    if ui
        .add(widget)
        .labelled_by(label.id)
        .on_hover_text("Its mirror image gets the same")
        .changed()
    {
        changed = Some(desk.with_mass(room.segment, mass));
    }
    if let Some(joint) = &part.joint {
        let mut stiffness = joint.stiffness;
        for (axis, name) in ["bends", "twists", "leans"].into_iter().enumerate().take(joint.dof()) {
            let label = ui.label(format!("Stiffness: {name} (N·m/rad)"));
            let widget = slider(&mut stiffness[axis], 1.0..=2000.0, 1).logarithmic(true);
            if ui.add(widget).labelled_by(label.id).on_hover_text("Dampers grow with it").changed()
            {
                changed = Some(desk.with_stiffness(room.segment, stiffness));
            }
        }
        let names = ["bends", "twists", "leans"];
        if let Some(mut angles) = desk.rest_angles(room.segment) {
            for (axis, name) in names.into_iter().enumerate().take(joint.dof()) {
                let label = ui.label(format!("At rest: {name} (°)"));
                let mut degrees = angles[axis].to_degrees();
                let widget = slider(&mut degrees, -150.0..=150.0, 0);
                let widget = ui.add(widget).labelled_by(label.id);
                if widget.on_hover_text("The pose that springs pull to").changed() {
                    angles[axis] = degrees.to_radians();
                    changed = Some(desk.with_rest(room.segment, angles));
                }
            }
        }
        if let Some(limits) = &joint.limits {
            for (axis, name) in names.into_iter().enumerate().take(joint.dof()) {
                let mut ends = [limits.lower[axis], limits.upper[axis]].map(f64::to_degrees);
                ui.horizontal(|ui| {
                    let mut moved = false;
                    for (end, word) in ends.iter_mut().zip(["from", "to"]) {
                        let label = ui.label(RichText::new(format!("{name} {word} (°)")).small());
                        let drag =
                            DragValue::new(end).speed(1.0).range(-180.0..=180.0).max_decimals(0);
                        let drag = ui.add(drag).labelled_by(label.id);
                        moved |= drag.on_hover_text("Stops are stiff beyond this").changed();
                    }
                    if moved && ends[0] < ends[1] {
                        let (mut lower, mut upper) = (limits.lower, limits.upper);
                        (lower[axis], upper[axis]) = (ends[0].to_radians(), ends[1].to_radians());
                        changed = Some(desk.with_limits(room.segment, lower, upper));
                    }
                });
            }
        }
        let mut strength = joint.torque_limit[0];
        if strength.is_finite() {
            let label = ui.label("Strength (N·m)");
            let widget = slider(&mut strength, 1.0..=1000.0, 0).logarithmic(true);
            if ui
                .add(widget)
                .labelled_by(label.id)
                .on_hover_text("The largest torque of its muscles")
                .changed()
            {
                let factor = strength / joint.torque_limit[0].max(1e-6);
                changed = Some(
                    desk.with_strength(room.segment, joint.torque_limit.map(|own| factor * own)),
                );
            }
        }
    }
    match changed {
        Some(Ok(text)) => bench.project.body = text,
        Some(Err(error)) => bench.notices.failed(error),
        None => {}
    }
}

/// The sketch and the search.
pub fn right(room: &mut CreatureRoom, ui: &mut egui::Ui, bench: &mut Workbench) {
    egui::Panel::right("creature right").default_size(280.0).show(ui, |ui| {
        egui::ScrollArea::vertical().show(ui, |ui| {
            ui.add_space(4.0);
            sketch(room, ui, bench);
            ui.separator();
            ui.strong("Search");
            search(room, ui, bench);
        });
    });
}

fn sketch(room: &mut CreatureRoom, ui: &mut egui::Ui, bench: &mut Workbench) {
    let label = ui.strong("Sketch");
    let Some(desk) = &room.desk else { return };
    let own = desk.sketch.name.clone();
    egui::ComboBox::from_id_salt("sketch")
        .selected_text(&own)
        .width(240.0)
        .show_ui(ui, |ui| {
            for (name, _) in SKETCHES {
                let character =
                    GaitSketch::built_in(name).map(|sketch| sketch.character).unwrap_or_default();
                let label = format!("{name}  ({character})");
                if ui.selectable_label(name == own, label).clicked()
                    && let (Some(body), Some(sketch)) = (body_text(&character), sketch_text(name))
                {
                    bench.project.sketch = sketch;
                    if character != desk.body.name() {
                        bench.project.body = body;
                    }
                }
            }
        })
        .response
        .labelled_by(label.id)
        .on_hover_text("What a gait should be like: which vibrations, and how much of them");
    ui.label(
        RichText::new("orange makes the style, blue may be used; click a mode to change that")
            .weak()
            .small(),
    );
    let mut sketch = desk.sketch.clone();
    let label = ui.label("Period (s)");
    let period = ui.add(slider(&mut sketch.period, 0.2..=2.0, 2)).labelled_by(label.id);
    let label = ui.label("At least so fast (m/s)");
    let speed = ui.add(slider(&mut sketch.speed, 0.2..=4.0, 2)).labelled_by(label.id);
    let speed = speed.on_hover_text("The search finds no gait that is slower");
    if period.on_hover_text("A whole cycle; a guess").changed() || speed.changed() {
        bench.project.sketch = sketch.to_toml();
    }
    if desk.sketch.steps.len() > 1 {
        ui.horizontal_wrapped(|ui| {
            for (index, step) in desk.sketch.steps.iter().enumerate() {
                let name = format!("Step {}: {}", index + 1, step.feet.join(", "));
                ui.selectable_value(&mut room.step, index, name)
                    .on_hover_text("Its vibrations are chosen in the palettes");
            }
        });
    }
    amplitudes(room, ui, bench);
    ui.horizontal(|ui| {
        let signs = ui.button("Suggested signs").on_hover_text(
            "Each mode that makes the style gets the sign with which it leads ahead",
        );
        let random = ui.button("Random sketch").on_hover_text("Modes and signs drawn at random");
        let Some(desk) = &room.desk else { return };
        if signs.clicked() {
            bench.project.sketch = desk.with_suggested_signs(room.step);
        }
        if random.clicked() {
            bench.project.seed += 1;
            let drawn =
                GaitSketch::random(&desk.body, &desk.sketch, &Draw::default(), bench.project.seed);
            bench.project.sketch = drawn.to_toml();
        }
    });
}

/// How much of each mode that makes the style.
fn amplitudes(room: &CreatureRoom, ui: &mut egui::Ui, bench: &mut Workbench) {
    let Some(desk) = &room.desk else { return };
    for phase in StepPhaseKind::BOTH {
        ui.label(RichText::new(format!("{}: how much of each", phase.name())).small());
        egui::Grid::new(phase.name()).num_columns(2).show(ui, |ui| {
            for mode in 0..desk.modes(phase).modes.len() {
                let ModeRole::Priority(mut amplitude) = desk.role(room.step, phase, mode) else {
                    continue;
                };
                let label = ui.label(format!("{} {}", phase.name(), mode + 1));
                let widget = slider(&mut amplitude, -1.0..=1.0, 2);
                let slider = ui.add(widget).labelled_by(label.id);
                if slider.on_hover_text("Its sign is kept; the search may use more of it").changed()
                    && let Some(text) =
                        desk.with_role(room.step, phase, mode, ModeRole::Priority(amplitude))
                {
                    bench.project.sketch = text;
                }
                ui.end_row();
            }
        });
    }
}

fn search(room: &mut CreatureRoom, ui: &mut egui::Ui, bench: &mut Workbench) {
    let Some(desk) = &room.desk else { return };
    let problem = match &desk.problem {
        Ok(problem) => problem,
        Err(error) => {
            ui.colored_label(BAD, error);
            return;
        }
    };
    ui.horizontal(|ui| {
        let label = ui.label("Seed");
        ui.add(DragValue::new(&mut bench.project.seed).range(1..=9999))
            .labelled_by(label.id)
            .on_hover_text("The same seed finds the same");
        match &mut room.hunt {
            Some(hunt) if hunt.is_running() => {
                if ui.button("Stop").on_hover_text("Keeps what was found").clicked() {
                    hunt.stop();
                }
            }
            Some(hunt) if !hunt.news().converged => {
                if ui.button("Go on").on_hover_text("Where it was stopped").clicked() {
                    hunt.go_on(&ui.ctx().clone(), bench);
                }
            }
            _ => {
                let button = ui.button(RichText::new("Search for a gait").strong());
                if button.on_hover_text("Beside the window; takes a minute or more").clicked() {
                    room.hunt = Some(GaitHunt::begin(&ui.ctx().clone(), bench, problem));
                }
            }
        }
    });
    // A page has no folder to keep a repertoire in.
    if !cfg!(target_arch = "wasm32") {
        let send = ui.add_enabled(room.found().is_some(), egui::Button::new("Send to the stage"));
        if send
            .on_hover_text("A scene with this creature and a goal; needs a gait that was found")
            .clicked()
            && let Err(error) = room.send_to_stage(bench)
        {
            bench.notices.failed(error);
        }
    }
    if let Some(hunt) = &room.hunt {
        let news = hunt.news();
        curve(ui, &news.history);
        ui.label(format!("{} simulations", news.evaluations));
        if let Some(last) = news.history.last() {
            ui.label(format!("{:.2} m/s, largest residual {:.2}", last.speed, last.residual));
        }
        if news.converged {
            ui.colored_label(GOOD, "A gait that repeats itself was found.");
        } else if let Some(best) = &news.best {
            for complaint in hunt.problem().complaints(&best.trial).iter().take(4) {
                ui.label(RichText::new(complaint).weak().small());
            }
        }
    } else if desk.known.is_some() {
        ui.label(RichText::new("The gait on the right was found before.").weak());
    }
    command_line(ui, &command_lines::gait(bench.project));
}

/// How what is wrong gets less, on a logarithmic scale.
fn curve(ui: &mut egui::Ui, history: &[Progress]) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 90.0), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, "Convergence"));
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 4.0, ui.visuals().extreme_bg_color);
    let Some(last) = history.last() else { return };
    let height = |merit: f64| libm::log10(merit.max(1e-6)) as f32;
    let values = || history.iter().map(|line| height(line.merit)).filter(|value| value.is_finite());
    let (low, high) =
        values().fold((f32::MAX, f32::MIN), |(low, high), at| (low.min(at), high.max(at)));
    let span = (high - low).max(0.5);
    let place = |line: &Progress| {
        let along = line.evaluations as f32 / last.evaluations.max(1) as f32;
        let up = (height(line.merit) - low) / span;
        pos2(
            rect.left() + 4.0 + along * (rect.width() - 8.0),
            rect.bottom() - 6.0 - up * (rect.height() - 12.0),
        )
    };
    let step = (history.len() / 400).max(1);
    let points: Vec<_> = history.iter().step_by(step).chain([last]).map(place).collect();
    painter.add(egui::Shape::line(points, egui::Stroke::new(1.6, ACCENT)));
}
