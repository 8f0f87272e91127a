//! When heels and balls are down, along the timeline, to be corrected by dragging.

use super::MotionRoom;
use crate::look::{LEFT, RIGHT};
use crate::motion_plan::{ContactSpans, MotionPlan};
use andante_skeleton::Side;
use eframe::egui::{self, CursorIcon, Rect, Sense, pos2, vec2};

/// Height of a row, in points.
pub const ROW: f32 = 9.0;

/// Bars of contacts; their ends are dragged, an empty place is clicked twice for a new one, a bar for none.
pub fn rows(
    room: &mut MotionRoom,
    ui: &mut egui::Ui,
    plan: &mut MotionPlan,
    rect: Rect,
    length: f32,
) {
    let Some(desk) = &room.desk else { return };
    let (Some(contacts), Some(rig)) = (&desk.contacts, &desk.rig) else { return };
    let mut spans = match plan.contacts.is_empty() {
        true => ContactSpans::of(contacts),
        false => plan.contacts.clone(),
    };
    let x = |time: f32| rect.left() + rect.width() * time / length.max(1e-3);
    let time = |x: f32| ((x - rect.left()) / rect.width() * length).clamp(0.0, length);
    let mut changed = false;
    for (index, (foot, own)) in rig.feet.iter().zip(&mut spans).enumerate().take(6) {
        let color = if foot.side == Side::Right { RIGHT } else { LEFT };
        for (part, name) in ["heel", "ball"].into_iter().enumerate() {
            let top = rect.top() + 2.0 + 2.0 * ROW * index as f32 + ROW * part as f32;
            let row = Rect::from_min_max(pos2(rect.left(), top), pos2(rect.right(), top + ROW));
            let spans = if part == 0 { &mut own.heel } else { &mut own.ball };
            let title = format!("{} {name}", foot.name);
            let back = ui.interact(row, ui.scope_id().with(&title), Sense::click());
            back.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, &title));
            if back.double_clicked()
                && let Some(at) = back.interact_pointer_pos()
            {
                let now = time(at.x);
                let before = spans.len();
                spans.retain(|[from, to]| !(*from..=*to).contains(&now));
                if spans.len() == before {
                    spans.push([(now - 0.1).max(0.0), (now + 0.1).min(length)]);
                    spans.sort_by(|a, b| a[0].total_cmp(&b[0]));
                }
                changed = true;
            }
            back.on_hover_text(format!(
                "{title}: double-click adds or removes a contact, drag its ends"
            ));
            for (number, span) in spans.iter_mut().enumerate() {
                let bar =
                    Rect::from_min_max(pos2(x(span[0]), top), pos2(x(span[1]), top + ROW - 1.5));
                ui.painter_at(rect).rect_filled(bar, 1.5, color);
                for (end, word) in ["start", "end"].into_iter().enumerate() {
                    let place =
                        Rect::from_center_size(pos2(x(span[end]), top + 0.5 * ROW), vec2(8.0, ROW));
                    let title = format!("{title} {} {word}", number + 1);
                    let grip = ui.interact(place, ui.scope_id().with(&title), Sense::drag());
                    grip.widget_info(|| {
                        egui::WidgetInfo::labeled(egui::Role::Slider, true, &title)
                    });
                    if grip.dragged()
                        && let Some(at) = grip.interact_pointer_pos()
                    {
                        let (low, high) = match end {
                            0 => (0.0, span[1] - 0.02),
                            _ => (span[0] + 0.02, length),
                        };
                        span[end] = (time(at.x) * 1000.0).round() / 1000.0;
                        span[end] = span[end].clamp(low.min(high), high.max(low));
                        changed = true;
                    }
                    grip.on_hover_cursor(CursorIcon::ResizeHorizontal)
                        .on_hover_text("Drag to say when it is down");
                }
            }
        }
    }
    if changed {
        plan.contacts = spans;
        room.playing = false;
    }
}
