//! One look for every room.

use eframe::egui::{self, Color32, CornerRadius, Stroke, Theme, vec2};

/// The colour of what is chosen, and of what one should do next.
pub const ACCENT: Color32 = Color32::from_rgb(0xe8, 0x8a, 0x3c);
/// Left feet, and what goes ahead.
pub const LEFT: Color32 = Color32::from_rgb(0x3f, 0x7f, 0xd0);
/// Right feet.
pub const RIGHT: Color32 = Color32::from_rgb(0xd9, 0x5f, 0x2b);
/// The colour of what is as it should be.
pub const GOOD: Color32 = Color32::from_rgb(0x4f, 0xa3, 0x62);
/// The colour of what is not as it should be.
pub const BAD: Color32 = Color32::from_rgb(0xd0, 0x4a, 0x4a);

/// Tints of the first, second … character.
pub const DYES: [Color32; 6] = [
    Color32::from_rgb(0xd8, 0xc4, 0xa8),
    Color32::from_rgb(0x8f, 0xb4, 0xd8),
    Color32::from_rgb(0x9c, 0xc8, 0x9a),
    Color32::from_rgb(0xd8, 0x9c, 0xb4),
    Color32::from_rgb(0xb4, 0xa8, 0xd8),
    Color32::from_rgb(0xd8, 0xcc, 0x80),
];

/// Sets sizes and colours, light and dark.
pub fn apply(context: &egui::Context) {
    context.all_styles_mut(|style| {
        style.spacing.item_spacing = vec2(8.0, 6.0);
        style.spacing.button_padding = vec2(10.0, 5.0);
        style.spacing.interact_size.y = 24.0;
        style.spacing.slider_width = 150.0;
        style.text_styles.insert(egui::TextStyle::Small, egui::FontId::proportional(11.5));
        let visuals = &mut style.visuals;
        visuals.selection.bg_fill = ACCENT.gamma_multiply(0.55);
        visuals.selection.stroke = Stroke::new(1.0, ACCENT);
        visuals.hyperlink_color = ACCENT;
        let corners = CornerRadius::same(5);
        visuals.window_corner_radius = CornerRadius::same(10);
        visuals.menu_corner_radius = CornerRadius::same(8);
        let widgets = &mut visuals.widgets;
        for widget in [
            &mut widgets.noninteractive,
            &mut widgets.inactive,
            &mut widgets.hovered,
            &mut widgets.active,
            &mut widgets.open,
        ] {
            widget.corner_radius = corners;
        }
    });
    context.style_mut_of(Theme::Dark, |style| {
        let visuals = &mut style.visuals;
        visuals.panel_fill = Color32::from_rgb(0x1d, 0x20, 0x26);
        visuals.window_fill = Color32::from_rgb(0x26, 0x2a, 0x32);
        visuals.extreme_bg_color = Color32::from_rgb(0x14, 0x16, 0x1a);
        visuals.faint_bg_color = Color32::from_rgb(0x25, 0x29, 0x31);
    });
    context.style_mut_of(Theme::Light, |style| {
        let visuals = &mut style.visuals;
        visuals.panel_fill = Color32::from_rgb(0xf4, 0xf2, 0xee);
        visuals.window_fill = Color32::from_rgb(0xfb, 0xfa, 0xf8);
        visuals.extreme_bg_color = Color32::WHITE;
        visuals.faint_bg_color = Color32::from_rgb(0xea, 0xe7, 0xe1);
    });
}

/// A slider that shows so many decimals and leaves values alone that nobody moves.
pub fn slider<N: egui::emath::Numeric>(
    value: &mut N,
    range: std::ops::RangeInclusive<N>,
    decimals: usize,
) -> egui::Slider<'_> {
    egui::Slider::new(value, range)
        .clamping(egui::SliderClamping::Edits)
        .custom_formatter(move |value, _| format!("{value:.decimals$}"))
}

/// Shows the command line that would do the same.
pub fn command_line(ui: &mut egui::Ui, line: &str) {
    ui.weak("The same from a command line:");
    let text = egui::RichText::new(line).monospace().small();
    ui.add(egui::Label::new(text).wrap());
    if ui.small_button("Copy the command").on_hover_text("To the clipboard").clicked() {
        ui.copy_text(line.to_owned());
    }
}

/// Text on a darker ground, so that it can be read on anything.
pub fn sign(
    painter: &egui::Painter,
    at: egui::Pos2,
    align: egui::Align2,
    text: &str,
    color: Color32,
) {
    let font = egui::FontId::proportional(13.0);
    let written = painter.layout_no_wrap(text.to_owned(), font, color);
    let place = align.anchor_size(at, written.size());
    painter.rect_filled(place.expand2(vec2(6.0, 2.0)), 5.0, Color32::from_black_alpha(120));
    painter.galley(place.min, written, color);
}
