//! Gaits mixed to any speed and turn, by a point that is dragged.

use crate::look::{ACCENT, DYES, LEFT, RIGHT};
use crate::view::ViewPicture;
use andante_motion::repertoire;
use andante_play::blend_space::{GaitPlayer, PlayerOptions};
use andante_skeleton::{Planar, Side, SkinnedMesh, Transform, capsule_body, humanoid};
use eframe::egui::{self, Align2, Color32, FontId, Sense, pos2, vec2};
use glam::{Vec2, Vec3};
use std::sync::Arc;

/// The mixer of gaits: a character that walks as fast and turns as much as a point says.
#[derive(Default)]
pub struct GaitMixer {
    player: Option<(GaitPlayer, Arc<SkinnedMesh>)>,
    points: Vec<Vec2>,
    /// How far the foot that has slid most did so while it was down, in metres.
    pub slid: f32,
    held: Vec<Option<Vec3>>,
}

/// The largest speed and turn of the map, in m/s and degrees a second.
const FAR: [f32; 2] = [4.0, 90.0];

/// Every joint in the world.
fn world(player: &GaitPlayer) -> Vec<Transform> {
    let place = player.placement().to_transform();
    player.models().iter().map(|joint| place * *joint).collect()
}

impl GaitMixer {
    /// Begins, once it is looked at.
    fn begin(&mut self) -> Option<&mut (GaitPlayer, Arc<SkinnedMesh>)> {
        if self.player.is_none() {
            let human = humanoid();
            let repertoire = Arc::new(repertoire::built_in(&human).ok()?);
            self.points = repertoire
                .clips()
                .iter()
                .filter(|clip| clip.is_cyclic())
                .map(|clip| clip.point())
                .collect();
            self.held = vec![None; human.rig.feet.len()];
            let player = GaitPlayer::new(repertoire, PlayerOptions::default()).ok()?;
            self.player = Some((player, Arc::new(capsule_body(&human.skeleton))));
        }
        self.player.as_mut()
    }

    /// Lets time pass at a speed and a turn in degrees a second.
    pub fn advance(&mut self, seconds: f32, [speed, turn]: [f32; 2]) {
        let Some((player, _)) = self.begin() else { return };
        player.advance(seconds.clamp(1e-4, 0.05), speed, turn.to_radians());
        // The floor has an end.
        if player.placement().position.length() > 16.0 {
            let place = player.placement();
            player.place(Planar { position: -0.9 * place.position, ..place });
            self.held.fill(None);
            return;
        }
        // What the eye sees: where heels are while they are said to be down.
        let (rig, models) = (player.repertoire().character().rig.clone(), world(player));
        let frame: Vec<([bool; 2], Vec3)> = (0..rig.feet.len())
            .map(|foot| (player.contact(foot), rig.feet[foot].ball.position(&models)))
            .collect();
        for (foot, (down, at)) in frame.into_iter().enumerate() {
            self.held[foot] = match (self.held[foot], down[1]) {
                (Some(first), true) => {
                    self.slid = self.slid.max(first.distance(at));
                    Some(first)
                }
                (None, true) => Some(at),
                _ => None,
            };
        }
    }

    /// Draws whoever walks; where the hips are.
    pub fn draw(&mut self, picture: &mut ViewPicture) -> Option<Vec3> {
        let (player, skin) = self.begin()?;
        let models = world(player);
        picture.bodies.add(skin, &models, DYES[0]);
        let rig = &player.repertoire().character().rig;
        for (index, foot) in rig.feet.iter().enumerate() {
            let color = if foot.side == Side::Right { RIGHT } else { LEFT };
            for (point, down) in [foot.heel, foot.ball].into_iter().zip(player.contact(index)) {
                if down {
                    let at = point.position(&models) + 0.012 * Vec3::Y;
                    picture.marks.add_disc(at, Vec3::Y, 0.05, color);
                }
            }
        }
        Some(models[rig.hips].translation)
    }

    /// The map of speed and turn with its point.
    pub fn map(&mut self, ui: &mut egui::Ui, mix: &mut [f32; 2]) {
        self.begin();
        let (rect, response) =
            ui.allocate_exact_size(vec2(ui.available_width(), 170.0), Sense::click_and_drag());
        response.widget_info(|| {
            egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Map of speed and turn")
        });
        let painter = ui.painter_at(rect);
        painter.rect_filled(rect, 4.0, ui.visuals().extreme_bg_color);
        let at = |speed: f32, turn: f32| {
            pos2(
                rect.center().x - 0.5 * rect.width() * turn / FAR[1],
                rect.bottom() - 8.0 - (rect.height() - 16.0) * speed / FAR[0],
            )
        };
        for speed in 0..=FAR[0] as i32 {
            let y = at(speed as f32, 0.0).y;
            painter.line_segment(
                [pos2(rect.left(), y), pos2(rect.right(), y)],
                (1.0, Color32::from_gray(90).gamma_multiply(0.4)),
            );
            painter.text(
                pos2(rect.left() + 3.0, y),
                Align2::LEFT_BOTTOM,
                format!("{speed} m/s"),
                FontId::proportional(10.0),
                ui.visuals().weak_text_color(),
            );
        }
        for point in &self.points {
            painter.circle_filled(at(point.x, point.y.to_degrees()), 3.5, LEFT);
        }
        if let Some(pointer) = response.interact_pointer_pos() {
            let turn = (rect.center().x - pointer.x) / (0.5 * rect.width()) * FAR[1];
            let speed = (rect.bottom() - 8.0 - pointer.y) / (rect.height() - 16.0) * FAR[0];
            *mix = [speed.clamp(0.0, FAR[0]), turn.clamp(-FAR[1], FAR[1])];
        }
        painter.circle(at(mix[0], mix[1]), 7.0, ACCENT, (1.5, Color32::WHITE));
        response.on_hover_text("Up is faster, left turns left; blue points are clips");
    }
}
