//! Moves, turns and scales an obstacle with the mouse.

use super::{StageChoice, StageRoom};
use crate::action::StudioAction;
use crate::bench::Workbench;
use andante_world::{Obstacle, ObstacleShape};
use eframe::egui::Pos2;
use glam::Vec3;

/// An obstacle that follows the mouse.
pub struct Gizmo {
    what: StudioAction,
    before: Obstacle,
    /// The scene file as it was.
    text: Option<String>,
    begun: Option<(Pos2, Option<Vec3>)>,
}

/// Points of the window for a turn of a radian, and for a size of e times as much.
const POINTS: f32 = 120.0;

impl Gizmo {
    /// Takes hold of what is chosen, if it can be.
    pub fn begin(room: &StageRoom, what: StudioAction) -> Option<Self> {
        let (StageChoice::Obstacle(name), Some(player)) = (&room.choice, &room.player) else {
            return None;
        };
        let before = player.scene().obstacles.iter().find(|thing| thing.name == *name)?.clone();
        Some(Self { what, before, text: None, begun: None })
    }

    /// Follows the mouse, from where it is first.
    pub fn follow(&mut self, bench: &mut Workbench, at: Pos2, ground: Option<Vec3>) {
        self.text.get_or_insert_with(|| bench.project.scene.clone());
        let (from, from_ground) = *self.begun.get_or_insert((at, ground));
        let by = (at.x - from.x) / POINTS;
        let old = &self.before;
        let name = old.name.clone();
        let place = match (self.what, ground, from_ground) {
            (StudioAction::Grab, Some(ground), Some(first)) => {
                let moved = old.at + (ground - first).with_y(0.0);
                moved.with_y(old.at.y + (ground.y - first.y))
            }
            _ => old.at,
        };
        let turned = if self.what == StudioAction::Rotate { old.heading + by } else { old.heading };
        let size = match (self.what, &old.shape) {
            (StudioAction::Scale, ObstacleShape::Box(size)) => {
                Some((*size * libm::expf(by)).clamp(Vec3::splat(0.05), Vec3::splat(20.0)))
            }
            _ => None,
        };
        if place == old.at && turned == old.heading && size.is_none() {
            return;
        }
        StageRoom::edit_scene(bench, |text| {
            if let Some(size) = size {
                return text.resize_box(&name, size);
            }
            text.move_obstacle(&name, place, turned)
        });
    }

    /// Everything is as it was.
    pub fn give_up(self, bench: &mut Workbench) {
        if let Some(text) = self.text {
            bench.project.scene = text;
        }
    }
}
