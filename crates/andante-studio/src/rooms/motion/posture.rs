//! Postures: joints turned by sliders or led by handles in the view, for a moment or all the time.

use super::MotionRoom;
use crate::bench::Workbench;
use crate::look::{ACCENT, GOOD, LEFT, RIGHT, slider};
use crate::motion_plan::{MotionEdit, MotionPlan};
use eframe::egui::{self, Rect, RichText, Sense, vec2};
use glam::Vec3;
use std::collections::BTreeMap;

/// Sliders of a joint.
pub fn panel(room: &mut MotionRoom, ui: &mut egui::Ui, plan: &mut MotionPlan) {
    let Some(shelf) = &room.shelf else { return };
    let names: Vec<&str> =
        shelf.skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
    let own = names.get(room.joint).copied().unwrap_or_default();
    let list = egui::ComboBox::from_label("Joint").selected_text(own).show_ui(ui, |ui| {
        for (index, name) in names.iter().enumerate() {
            if ui.selectable_label(index == room.joint, *name).clicked() {
                room.joint = index;
            }
        }
    });
    list.response.on_hover_text("The joint that is turned, and whose curve is below");
    let joint = own.to_owned();
    ui.checkbox(&mut room.keyed, "Only around this moment")
        .on_hover_text("A key: the joint goes back to its own way before and after");
    let mut degrees = current(room, plan, &joint).unwrap_or([0.0; 3]);
    let mut changed = false;
    for (axis, name) in ["Turn about x", "Turn about y", "Turn about z"].into_iter().enumerate() {
        let label = ui.label(name);
        let widget = slider(&mut degrees[axis], -120.0..=120.0, 0).suffix("°");
        let widget = ui.add(widget).labelled_by(label.id);
        changed |= widget.on_hover_text("Within what the joint can do").changed();
    }
    if changed {
        set(room, plan, &joint, degrees);
    }
    limits(room, ui);
    ui.checkbox(&mut room.pinned, "Pin the feet")
        .on_hover_text("Handles in the view move the whole body, and feet stay where they are");
    ui.label(
        RichText::new("Drag a green handle in the view: hands, feet, head, hips").weak().small(),
    );
    layers(room, ui, plan);
    postures(room, ui, plan);
}

/// What was turned before: of the key at this moment, or all the time.
fn current(room: &MotionRoom, plan: &MotionPlan, joint: &str) -> Option<[f32; 3]> {
    let now = room.time;
    plan.edits.iter().rev().find_map(|edit| match edit {
        MotionEdit::Turn { joint: turned, degrees } if !room.keyed && turned == joint => {
            Some(*degrees)
        }
        MotionEdit::Key { time, joints, .. } if room.keyed && (time - now).abs() < 0.02 => {
            joints.get(joint).copied()
        }
        _ => None,
    })
}

fn set(room: &mut MotionRoom, plan: &mut MotionPlan, joint: &str, degrees: [f32; 3]) {
    let now = room.time;
    for edit in plan.edits.iter_mut().rev() {
        match edit {
            MotionEdit::Turn { joint: turned, degrees: own } if !room.keyed && turned == joint => {
                *own = degrees;
                return;
            }
            MotionEdit::Key { time, joints, .. } if room.keyed && (*time - now).abs() < 0.02 => {
                joints.insert(joint.to_owned(), degrees);
                return;
            }
            _ => {}
        }
    }
    let joint = joint.to_owned();
    plan.edits.push(match room.keyed {
        false => MotionEdit::Turn { joint, degrees },
        true => {
            room.playing = false;
            MotionEdit::Key { time: now, fade: 0.3, joints: BTreeMap::from([(joint, degrees)]) }
        }
    });
}

/// How much of what it can the joint does now.
fn limits(room: &MotionRoom, ui: &mut egui::Ui) {
    let (Some(shelf), Some(desk)) = (&room.shelf, &room.desk) else { return };
    let own = shelf.skeleton.joint(room.joint);
    let now = desk.clip.frame(desk.frame(room.time))[room.joint].rotation;
    let strain = own.limit.strain(own.rest.rotation, now);
    ui.horizontal(|ui| {
        ui.label(RichText::new("of what it can").small());
        let color = if strain > 0.98 { RIGHT } else { LEFT };
        ui.add(egui::ProgressBar::new(strain.clamp(0.0, 1.0)).fill(color).desired_width(120.0));
    });
}

/// Another clip over a part of the body.
fn layers(room: &mut MotionRoom, ui: &mut egui::Ui, plan: &mut MotionPlan) {
    let Some(shelf) = &room.shelf else { return };
    ui.separator();
    ui.strong("Layers");
    for edit in &mut plan.edits {
        if let MotionEdit::Layer { clip, part, weight } = edit {
            let label = ui.label(RichText::new(format!("{clip} over {part}")).small());
            ui.add(slider(weight, 0.0..=1.0, 2))
                .labelled_by(label.id)
                .on_hover_text("How much of it is seen");
        }
    }
    let part = shelf.skeleton.joint(room.joint).name.clone();
    ui.menu_button(format!("Lay a clip over {part}"), |ui| {
        for clip in &shelf.clips {
            if ui.button(format!("Layer {}", clip.name())).clicked() {
                let (clip, part) = (clip.name().to_owned(), part.clone());
                plan.edits.push(MotionEdit::Layer { clip, part, weight: 1.0 });
                ui.close();
            }
        }
    })
    .response
    .on_hover_text("The joint that is chosen and all that hangs on it: the mask");
}

/// A clip from postures.
fn postures(room: &mut MotionRoom, ui: &mut egui::Ui, plan: &mut MotionPlan) {
    ui.separator();
    ui.strong("A clip from postures");
    ui.horizontal_wrapped(|ui| {
        if ui.button("Take this posture").on_hover_text("As it is at this moment").clicked() {
            room.taken.push(room.time);
        }
        let forget = ui.add_enabled(!room.taken.is_empty(), egui::Button::new("Forget them"));
        if forget.on_hover_text("No posture is taken any more").clicked() {
            room.taken.clear();
        }
    });
    let times: Vec<String> = room.taken.iter().map(|time| format!("{time:.2} s")).collect();
    if !times.is_empty() {
        ui.label(RichText::new(format!("taken at {}", times.join(", "))).small());
    }
    let label = ui.label(RichText::new("Seconds from one to the next").small());
    ui.add(slider(&mut room.apart, 0.1..=3.0, 2))
        .labelled_by(label.id)
        .on_hover_text("The clip is as long as all of them together");
    let ready = room.taken.len() > 1;
    if ui
        .add_enabled(ready, egui::Button::new("Build a clip"))
        .on_hover_text("Through all of them, smoothly")
        .clicked()
    {
        let of = std::mem::take(&mut room.taken);
        plan.push(MotionEdit::Postures { of, apart: room.apart });
        room.time = 0.0;
    }
}

/// Joints that can be led in the view: ends of limbs, head and hips.
fn ends(room: &MotionRoom) -> Vec<(String, usize)> {
    let Some(rig) = room.desk.as_ref().and_then(|desk| desk.rig.as_ref()) else {
        return Vec::new();
    };
    let mut ends = vec![("hips".to_owned(), rig.hips)];
    ends.extend(rig.head.map(|head| ("head".to_owned(), head)));
    ends.extend(rig.feet.iter().map(|foot| (foot.name.clone(), foot.ankle())));
    let hands = rig.arms.iter().enumerate();
    ends.extend(hands.filter_map(|(index, arm)| {
        let side = if index == 0 { "left" } else { "right" };
        Some((format!("{side} hand"), *arm.chain.last()?))
    }));
    ends
}

/// Handles in the view.
pub fn handles(
    room: &mut MotionRoom,
    ui: &mut egui::Ui,
    bench: &mut Workbench,
    rect: Rect,
) -> bool {
    if room.mixes || room.playing {
        return false;
    }
    let mut held = false;
    for (name, joint) in ends(room) {
        let (Some(desk), Some(shelf)) = (&room.desk, &room.shelf) else { return false };
        let place = desk.models[desk.frame(room.time)][joint].translation;
        let Some(at) = room.camera.project(place, rect).filter(|at| rect.contains(*at)) else {
            continue;
        };
        let own = Rect::from_center_size(at, vec2(18.0, 18.0));
        let response = ui.interact(own, ui.scope_id().with(&name), Sense::click_and_drag());
        let title = format!("Handle of {name}");
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &title));
        let strong = response.hovered() || response.dragged();
        let color = if joint == room.joint { ACCENT } else { GOOD };
        ui.painter_at(rect).circle(
            at,
            if strong { 8.0 } else { 5.5 },
            color.gamma_multiply(0.8),
            (1.5, egui::Color32::WHITE),
        );
        let joint_name = shelf.skeleton.joint(joint).name.clone();
        if response.clicked() || response.drag_started() {
            room.joint = joint;
        }
        if response.dragged()
            && let Some(now) = response.interact_pointer_pos()
        {
            held = true;
            // In the plane that faces the camera.
            let (eye, way) = (room.camera.eye(), room.camera.ray(now, rect));
            let back = (eye - room.camera.target).normalize_or(Vec3::Z);
            let along = (place - eye).dot(back) / way.dot(back);
            lead(room, &mut bench.project.motion, joint_name, eye + along * way);
        }
        response.on_hover_text(title);
    }
    held
}

/// Leads a joint to a point at this moment.
fn lead(room: &MotionRoom, plan: &mut MotionPlan, joint: String, to: Vec3) {
    let (time, pinned) = (room.time, room.pinned);
    let point = to.to_array().map(|part| (part * 1000.0).round() / 1000.0);
    let same = plan.edits.iter_mut().rev().find(|edit| {
        matches!(edit, MotionEdit::Reach { joint: own, time: then, .. } if *own == joint && (*then - time).abs() < 0.02)
    });
    let edit = MotionEdit::Reach { joint, time, point, pinned };
    match same {
        Some(own) => *own = edit,
        None => plan.edits.push(edit),
    }
}
