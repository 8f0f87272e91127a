//! How natural somebody's motion is, frame by frame, against what captured people do.

use super::player::StagePlayer;
use super::{StageFrame, StageRoom};
use crate::look::{ACCENT, BAD, GOOD};
use andante_check::NaturalSettings;
use andante_skeleton::Rig;
use andante_stage::FPS;
use eframe::egui::{self, Sense, pos2, vec2};
use glam::Vec3;

/// The measured bands: how fast knees bend, ankles fall and rise, and how far ankles bend.
pub const BANDS: [&str; 4] = ["knee", "ankle falls", "ankle rises", "shank and foot"];

/// Parts of what is allowed, frame by frame: 1 is the most that captured people do.
#[derive(Default)]
pub struct NaturalTrack {
    of: Option<(usize, usize)>,
    /// One row for each frame but the first.
    pub rows: Vec<[f32; 4]>,
}

/// The bend of a knee, height of an ankle and angle between shank and foot, for each foot.
fn legs(rig: &Rig, frame: &StageFrame, who: usize) -> Vec<[f32; 3]> {
    let Some(models) = frame.models.get(who) else { return Vec::new() };
    let at = |joint: usize| models[joint].translation;
    let leg = |foot: &andante_skeleton::Foot| {
        let [hip, knee, ankle] = [foot.leg[0], foot.leg[1], foot.ankle()].map(at);
        let toe = foot.ball.position(models);
        let bend = (knee - hip).angle_between(ankle - knee);
        [bend.to_degrees(), ankle.y, (knee - ankle).angle_between(toe - ankle).to_degrees()]
    };
    rig.feet.iter().filter(|foot| foot.leg.len() > 1).map(leg).collect()
}

impl NaturalTrack {
    /// Looks at the frames that are new.
    pub fn follow(&mut self, player: &StagePlayer, who: usize) {
        let changes = player.journal().len();
        if self.of != Some((who, changes)) || self.rows.len() + 1 > player.frames().len() {
            *self = Self { of: Some((who, changes)), rows: Vec::new() };
        }
        let Some(actor) = player.stage().actors().get(who) else { return };
        let rig = &actor.character().rig;
        let settings = NaturalSettings::default();
        for frame in self.rows.len() + 1..player.frames().len() {
            let [before, now] = [&player.frames()[frame - 1], &player.frames()[frame]];
            let hips =
                |frame: &StageFrame| frame.models.get(who).map(|own| own[rig.hips].translation);
            let way = hips(now).unwrap_or_default() - hips(before).unwrap_or_default();
            let fast = FPS * way.with_y(0.0).distance(Vec3::ZERO) > settings.run_mps;
            let most = if fast { settings.run } else { settings.steps };
            let mut row = [0.0f32; 4];
            for (old, new) in legs(rig, before, who).into_iter().zip(legs(rig, now, who)) {
                let rise = FPS * (new[1] - old[1]);
                let parts = [
                    FPS * (new[0] - old[0]).abs() / most.knee_speed_dps,
                    -rise / most.ankle_fall_mps,
                    rise / most.ankle_rise_mps,
                    most.shank_foot_deg / new[2].max(1.0),
                ];
                row = std::array::from_fn(|band| row[band].max(parts[band]));
            }
            self.rows.push(row);
        }
    }
}

/// The bands along the bar of time: green as people do, orange at the edge, red beyond.
pub fn bands(room: &StageRoom, ui: &mut egui::Ui) {
    let Some(player) = &room.player else { return };
    let size = vec2(ui.available_width(), 9.0 * BANDS.len() as f32);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response
        .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, "Naturalness bands"));
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 3.0, ui.visuals().extreme_bg_color);
    let length = super::panels::bar_length(player.frames().len());
    let step = (room.natural.rows.len() / 1200).max(1);
    for (band, name) in BANDS.into_iter().enumerate() {
        let top = rect.top() + 9.0 * band as f32;
        for (chunk, rows) in room.natural.rows.chunks(step).enumerate() {
            let worst = rows.iter().map(|row| row[band]).fold(0.0, f32::max);
            let color = match worst {
                worst if worst > 1.0 => BAD,
                worst if worst > 0.8 => ACCENT,
                _ => GOOD.gamma_multiply(0.35 + 0.5 * worst.max(0.0)),
            };
            let x = |chunk: usize| rect.left() + rect.width() * (chunk * step) as f32 / length;
            let bar = egui::Rect::from_min_max(
                pos2(x(chunk), top),
                pos2(x(chunk + 1).max(x(chunk) + 1.0), top + 8.0),
            );
            painter.rect_filled(bar, 0.0, color);
        }
        painter.text(
            rect.right_top() + vec2(-4.0, 9.0 * band as f32 - 1.0),
            egui::Align2::RIGHT_TOP,
            name,
            egui::FontId::proportional(9.0),
            ui.visuals().weak_text_color(),
        );
    }
    response.on_hover_text("Red is beyond what captured people do on steps, or at a run");
}
