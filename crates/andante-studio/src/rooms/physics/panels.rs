//! What is around the view of forces.

use super::{PhysicsRoom, PushTool};
use crate::bench::Workbench;
use crate::command_lines;
use crate::look::{ACCENT, BAD, GOOD, LEFT, RIGHT, command_line, slider};
use crate::project::StudioProject;
use crate::rooms::creature::CreatureDesk;
use andante_body::BodyCondition;
use eframe::egui::{self, Color32, RichText, Sense, pos2, vec2};

/// The condition of a body in words.
pub fn condition(condition: BodyCondition) -> &'static str {
    match condition {
        BodyCondition::Balance => "keeps its balance",
        BodyCondition::Fall => "falls",
        BodyCondition::Lie => "lies",
        BodyCondition::GetUp { .. } => "gets up",
        BodyCondition::Stand => "comes upright",
    }
}

/// The left panel: what can be done to the body.
pub fn left(room: &mut PhysicsRoom, ui: &mut egui::Ui, bench: &mut Workbench) {
    egui::Panel::left("physics left").default_size(240.0).show(ui, |ui| {
        egui::ScrollArea::vertical().show(ui, |ui| {
            ui.add_space(4.0);
            if ui
                .button(RichText::new("Put down anew").strong())
                .on_hover_text("Somebody who stands still")
                .clicked()
            {
                room.put_down(bench);
            }
            if let Some(error) = &room.error {
                ui.label(RichText::new(error).color(BAD).small());
            }
            ui.separator();
            ui.strong("Dragging from the body");
            ui.radio_value(&mut room.tool, PushTool::Push, "Pushes: an arrow")
                .on_hover_text("A shove of a tenth of a second when it is let go");
            ui.radio_value(&mut room.tool, PushTool::Pull, "Pulls: a spring")
                .on_hover_text("The chest is drawn to the cursor");
            ui.horizontal_wrapped(|ui| {
                for (name, impulse) in [
                    ("Push ahead", [0.0, 25.0]),
                    ("Push back", [0.0, -20.0]),
                    ("Push left", [25.0, 0.0]),
                    ("Push right", [-25.0, 0.0]),
                ] {
                    if ui.button(name).on_hover_text("25 N·s, backwards 20").clicked()
                        && let Some(world) = &mut room.world
                    {
                        world.push(impulse.into());
                    }
                }
            });
            falls_and_envelope(room, ui, bench);
            following(room, ui, bench);
            cubes_and_time(room, ui, bench);
            trouble(room, ui, bench);
            legend(ui, bench.project);
        });
    });
}

/// Ground that leans and shakes, an invisible hand, strength, and the strongest pushes.
fn trouble(room: &mut PhysicsRoom, ui: &mut egui::Ui, bench: &mut Workbench) {
    ui.separator();
    ui.strong("Ground");
    let own = &mut room.trouble;
    egui::Grid::new("ground").num_columns(2).show(ui, |ui| {
        ui.spacing_mut().slider_width = 62.0;
        for (name, about, value, range, decimals) in [
            ("Tilt (°)", "How far the ground leans", &mut own.tilt, 0.0..=30.0, 1),
            ("Down towards (°)", "0 is ahead, 90 to the left", &mut own.towards, -180.0..=180.0, 0),
            ("Shake (m)", "How far the ground goes to each side", &mut own.shake, 0.0..=0.15, 3),
            ("Shakes (Hz)", "How often in a second", &mut own.rate, 0.2..=5.0, 1),
            (
                "Assistance",
                "How much of the balance an invisible hand keeps",
                &mut own.assist,
                0.0..=1.0,
                2,
            ),
        ] {
            let label = ui.label(RichText::new(name).small());
            ui.add(slider(value, range, decimals)).labelled_by(label.id).on_hover_text(about);
            ui.end_row();
        }
    });
    ui.separator();
    ui.strong("Strength");
    if let Ok(desk) = andante_body::read_body(&bench.project.body) {
        strength(room, ui, bench, &desk);
    }
}

/// A clip to follow.
fn following(room: &mut PhysicsRoom, ui: &mut egui::Ui, bench: &mut Workbench) {
    ui.separator();
    ui.strong("A clip to follow");
    ui.horizontal_wrapped(|ui| {
        let name = match room.clip {
            None => format!("Follow {}", bench.project.motion.clip),
            Some(_) => "Begin the clip anew".to_owned(),
        };
        let button = ui.add_enabled(room.fitting.is_none(), egui::Button::new(name));
        let about =
            "The clip of the room Motion, by the torques of joints; blue is what it should do";
        if button.on_hover_text(about).clicked() {
            match &room.clip {
                Some(clip) if clip.plan == bench.project.motion => room.begin_to_follow(),
                _ => room.fit(&ui.ctx().clone(), bench),
            }
        }
        let stop = ui.add_enabled(room.clip.is_some(), egui::Button::new("Stand still"));
        if stop.on_hover_text("Nothing is followed any more").clicked() {
            room.trouble.assist = 0.0;
            room.put_down(bench);
        }
    });
    if room.clip.is_some() {
        let helped = "An invisible hand helps as much as Assistance says; without it most clips end in a fall.";
        ui.label(RichText::new(helped).weak().small());
    }
}

/// Falling, and the strongest pushes that are withstood.
fn falls_and_envelope(room: &mut PhysicsRoom, ui: &mut egui::Ui, bench: &mut Workbench) {
    ui.horizontal(|ui| {
        if ui.button("Let it fall").on_hover_text("It protects itself, lies, and gets up").clicked()
            && let Some(world) = &mut room.world
        {
            world.let_fall();
        }
        let ready = room.world.is_some() && !room.envelope.is_running();
        let button = ui.add_enabled(ready, egui::Button::new("Find the envelope")).on_hover_text(
            "The strongest push in each direction from which it recovers with three steps",
        );
        if button.clicked()
            && let Some(world) = &room.world
        {
            let assist = f64::from(room.trouble.assist);
            room.envelope.begin(&ui.ctx().clone(), bench, world.physique(), assist);
        }
    });
    let found = room.envelope.strongest();
    if let (Some(least), Some(most)) =
        (found.iter().copied().reduce(f64::min), found.iter().copied().reduce(f64::max))
    {
        let text = format!("{} directions: {least:.0} to {most:.0} N·s", found.len());
        ui.label(RichText::new(text).small());
        command_line(ui, &command_lines::push(bench.project, "--envelope"));
    }
    if let Some(error) = &room.envelope.error {
        ui.colored_label(BAD, error);
    }
}

/// How strong the joint of a segment is.
fn strength(
    room: &mut PhysicsRoom,
    ui: &mut egui::Ui,
    bench: &mut Workbench,
    body: &andante_body::Body,
) {
    let jointed: Vec<usize> = body.joints().map(|(segment, _)| segment).collect();
    if !jointed.contains(&room.segment) {
        room.segment = jointed.first().copied().unwrap_or(0);
    }
    let own = body.segments()[room.segment].name.as_str();
    let list = egui::ComboBox::from_label("Bone").selected_text(own).show_ui(ui, |ui| {
        for segment in jointed {
            ui.selectable_value(&mut room.segment, segment, &body.segments()[segment].name);
        }
    });
    list.response.on_hover_text("Whose muscles are made stronger or weaker");
    let Some(joint) = &body.segments()[room.segment].joint else { return };
    let mut strength = joint.torque_limit[0];
    if !strength.is_finite() {
        ui.weak("It is as strong as it has to be.");
        return;
    }
    let label = ui.label(RichText::new("Strength of it (N·m)").small());
    let widget = slider(&mut strength, 1.0..=1000.0, 0).logarithmic(true);
    if ui
        .add(widget)
        .labelled_by(label.id)
        .on_hover_text("Its mirror image gets the same")
        .changed()
    {
        let factor = strength / joint.torque_limit[0].max(1e-6);
        let torque = joint.torque_limit.map(|own| factor * own);
        let desk = CreatureDesk::new(&bench.project.body, &bench.project.sketch, 0);
        match desk.and_then(|desk| desk.with_strength(room.segment, torque)) {
            Ok(text) => bench.project.body = text,
            Err(error) => bench.notices.failed(error),
        }
    }
}

/// Things to throw, and how fast all goes.
fn cubes_and_time(room: &mut PhysicsRoom, ui: &mut egui::Ui, bench: &mut Workbench) {
    ui.separator();
    ui.strong("Cubes");
    let label = ui.label("Mass (kg)");
    ui.add(slider(&mut room.mass, 0.5..=20.0, 1))
        .labelled_by(label.id)
        .on_hover_text("Of the next cube");
    ui.horizontal(|ui| {
        for (name, about, drop) in [
            ("Throw a cube", "At the chest, from where you look", false),
            ("Drop a cube", "From above the shoulder", true),
        ] {
            if ui.button(name).on_hover_text(about).clicked()
                && let Err(error) = room.throw(drop)
            {
                bench.notices.failed(error);
            }
        }
    });
    ui.separator();
    ui.strong("Time");
    let label = ui.label("Speed");
    ui.add(slider(&mut room.speed, 0.05..=1.0, 2).suffix(" ×"))
        .labelled_by(label.id)
        .on_hover_text("Slow motion");
    let name = if room.playing { "Pause" } else { "Play" };
    if ui.button(name).on_hover_text("Space").clicked() {
        room.playing ^= true;
    }
}

/// What marks on the ground mean.
fn legend(ui: &mut egui::Ui, project: &StudioProject) {
    ui.separator();
    ui.strong("On the ground");
    for (color, text) in [
        (GOOD, "support"),
        (ACCENT, "centre of mass"),
        (BAD, "capture point"),
        (LEFT, "centre of pressure"),
    ] {
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(10.0, 10.0), Sense::hover());
            ui.painter().circle_filled(rect.center(), 4.5, color);
            ui.label(RichText::new(text).small());
        });
    }
    ui.separator();
    command_line(ui, &command_lines::push(project, "--impulse 25 --direction 0 --svg push.svg"));
}

/// Balance over time.
pub fn curves(room: &PhysicsRoom, ui: &mut egui::Ui) {
    egui::Panel::bottom("physics curves").show(ui, |ui| {
        ui.add_space(4.0);
        ui.horizontal_wrapped(|ui| {
            ui.strong("Within the support (m)");
            ui.colored_label(ACCENT, "centre of mass");
            ui.colored_label(BAD, "capture point");
            ui.separator();
            ui.strong("Weight on the feet");
            ui.colored_label(LEFT, "left");
            ui.colored_label(RIGHT, "right");
            ui.separator();
            ui.colored_label(GOOD, "equilibrium");
        });
        let (rect, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), 110.0), Sense::hover());
        response.widget_info(|| {
            egui::WidgetInfo::labeled(egui::Role::Image, true, "Balance over time")
        });
        let painter = ui.painter_at(rect);
        painter.rect_filled(rect, 4.0, ui.visuals().extreme_bg_color);
        let Some(world) = &room.world else { return };
        let now = world.time();
        let x = |time: f64| rect.right() - 6.0 - (now - time) as f32 / 12.0 * (rect.width() - 12.0);
        let upper = |value: f32| rect.top() + 30.0 - 150.0 * value.clamp(-0.2, 0.18);
        let lower = |load: f32| rect.bottom() - 4.0 - 45.0 * (load / 1400.0).clamp(0.0, 1.0);
        painter.line_segment(
            [pos2(rect.left(), upper(0.0)), pos2(rect.right(), upper(0.0))],
            (1.0, Color32::from_gray(120)),
        );
        let line = |value: &dyn Fn(&super::BalanceSample) -> f32, color: Color32| {
            let points =
                world.samples.iter().map(|sample| pos2(x(sample.time), value(sample))).collect();
            painter.add(egui::Shape::line(points, egui::Stroke::new(1.5, color)));
        };
        line(&|sample| lower(sample.load[0]), LEFT.gamma_multiply(0.8));
        line(&|sample| lower(sample.load[1]), RIGHT.gamma_multiply(0.8));
        line(&|sample| rect.bottom() - 4.0 - 45.0 * sample.equilibrium.clamp(0.0, 1.2), GOOD);
        line(&|sample| upper(sample.centre), ACCENT);
        line(&|sample| upper(sample.capture), BAD);
        ui.add_space(4.0);
    });
}
