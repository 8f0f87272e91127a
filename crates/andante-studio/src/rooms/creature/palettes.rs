//! Two palettes of vibrations that move.

use super::desk::{CreatureDesk, ModeRole, StepPhaseKind};
use crate::look::{ACCENT, LEFT};
use crate::view::FlatView;
use eframe::egui::{self, Align2, Color32, FontId, Rect, Sense, vec2};
use std::f64::consts::TAU;

const THUMB: egui::Vec2 = vec2(66.0, 84.0);

/// Shows the palette of a phase; the mode that was clicked.
pub fn show(
    desk: &CreatureDesk,
    ui: &mut egui::Ui,
    step: usize,
    phase: StepPhaseKind,
    time: f64,
) -> Option<usize> {
    let modes = desk.modes(phase);
    let bounds = desk.bounds();
    let root = desk.root();
    let mut clicked = None;
    let mut amplitudes = vec![0.0; modes.modes.len()];
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(5.0, 5.0);
        for (index, mode) in modes.modes.iter().enumerate() {
            let (rect, response) = ui.allocate_exact_size(THUMB, Sense::click());
            let name = format!("{} mode {}", phase.name(), index + 1);
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
            if !ui.is_rect_visible(rect) {
                continue;
            }
            let role = desk.role(step, phase, index);
            let painter = ui.painter_at(rect);
            let (fill, edge) = match role {
                ModeRole::Priority(_) => (ACCENT.gamma_multiply(0.25), ACCENT),
                ModeRole::Allowed => (LEFT.gamma_multiply(0.22), LEFT),
                ModeRole::Excluded => (ui.visuals().faint_bg_color, Color32::TRANSPARENT),
            };
            painter.rect_filled(rect, 6.0, fill);
            let edge = if response.hovered() { ui.visuals().strong_text_color() } else { edge };
            painter.rect_stroke(rect, 6.0, (1.5, edge), egui::StrokeKind::Inside);
            // Half as fast as they are, the fastest ones slower still: the eye has to follow.
            let pace = TAU * (0.5 * mode.hz()).min(1.6);
            let largest = mode.shape.iter().fold(0.0f64, |most, part| most.max(part.abs()));
            let sign = if let ModeRole::Priority(own) = role { own.signum() } else { 1.0 };
            amplitudes[index] = sign * 0.55 / largest.max(1e-6) * libm::sin(pace * time);
            let placed = modes.displace(&desk.body, &desk.pose, root, &amplitudes);
            amplitudes[index] = 0.0;
            let picture = Rect::from_min_max(rect.min + vec2(4.0, 3.0), rect.max - vec2(4.0, 17.0));
            let view = FlatView::of_box(bounds, 0.9, 0.12, picture);
            let dark = ui.visuals().dark_mode;
            let color = |segment: usize| segment_color(desk, segment, dark);
            desk.figure(&placed, color).draw(&view, &painter);
            let label = match role {
                ModeRole::Priority(own) => format!("{:.1} Hz {own:+.1}", mode.hz()),
                _ => format!("{:.1} Hz", mode.hz()),
            };
            let at = rect.center_bottom() - vec2(0.0, 2.0);
            painter.text(
                at,
                Align2::CENTER_BOTTOM,
                label,
                FontId::proportional(10.5),
                ui.visuals().text_color(),
            );
            let about = format!(
                "{}. {:.2} Hz: {}\nClick: allowed, priority, excluded",
                index + 1,
                mode.hz(),
                mode.describe(&desk.body).text
            );
            if response.on_hover_text(about).clicked() {
                clicked = Some(index);
            }
        }
    });
    clicked
}

/// Left and right limbs are told apart.
fn segment_color(desk: &CreatureDesk, segment: usize, dark: bool) -> Color32 {
    let name = &desk.body.segments()[segment].name;
    let plain = if dark {
        Color32::from_rgb(0xd8, 0xd2, 0xc6)
    } else {
        Color32::from_rgb(0x6f, 0x68, 0x5c)
    };
    if name.contains("left") {
        plain.lerp_to_gamma(LEFT, 0.5)
    } else if name.contains("right") {
        plain.lerp_to_gamma(crate::look::RIGHT, 0.4)
    } else {
        plain
    }
}
