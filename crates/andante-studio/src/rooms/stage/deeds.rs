//! What is done on the stage: edits of the scene, and what keys and buttons mean.

use super::gizmo::{Gizmo, GizmoHold, GizmoRay};
use super::{ExportWish, LiveEdit, StageChoice, StageRoom, picking, picture, things};
use crate::action::StudioAction;
use crate::bench::Workbench;
use crate::project::StudioProject;
use crate::scene_move::SceneThing;
use crate::scene_text::SceneText;
use eframe::egui::{self, Key};
use glam::{Vec2, Vec3, vec3};

impl StageRoom {
    /// Edits the scene file.
    pub(super) fn edit_scene(
        bench: &mut Workbench,
        edit: impl FnOnce(&mut SceneText) -> Option<()>,
    ) -> bool {
        let mut text = match SceneText::new(&bench.project.scene) {
            Ok(text) => text,
            Err(error) => {
                bench.notices.failed(error);
                return false;
            }
        };
        if edit(&mut text).is_none() {
            bench.notices.failed("the scene file says this in a way that cannot be edited here");
            return false;
        }
        let edited = StudioProject { scene: text.finish(), ..bench.project.clone() };
        match edited.read_scene() {
            Ok(_) => {
                bench.project.scene = edited.scene;
                true
            }
            Err(error) => {
                bench.notices.failed(error.message);
                false
            }
        }
    }

    /// Sends the chosen character to a place.
    pub(super) fn send(&mut self, bench: &mut Workbench, place: Vec2, run: bool) {
        let (Some(player), StageChoice::Character(who)) = (&mut self.player, &self.choice) else {
            return;
        };
        let Some(actor) = player.stage().actors().get(*who) else { return };
        let name = actor.name().to_owned();
        let seconds = player.seconds()[0];
        if Self::edit_scene(bench, |text| text.send(&name, run, place, seconds)) {
            player.playing = true;
        }
    }

    /// Puts a box into the world, on the ground below a point.
    pub(super) fn add_box(&mut self, bench: &mut Workbench, at: Vec3) {
        let name = self.free_name("box");
        if Self::edit_scene(bench, |text| text.add_box(&name, at, vec3(0.8, 0.9, 0.8))) {
            self.choice = StageChoice::Thing(SceneThing::Obstacle(name));
        }
    }

    /// A name that no obstacle has.
    pub(super) fn free_name(&self, kind: &str) -> String {
        let taken = |name: &str| {
            let scene = self.player.as_ref().map(|player| player.scene());
            scene.is_some_and(|scene| scene.obstacles.iter().any(|thing| thing.name == name))
        };
        (1..).map(|n| format!("{kind} {n}")).find(|name| !taken(name)).unwrap_or_default()
    }

    /// Takes away what is chosen.
    pub(super) fn delete(&mut self, bench: &mut Workbench) {
        let StageChoice::Thing(thing) = self.choice.clone() else { return };
        let gone = match thing {
            SceneThing::Lamp(index) if index < bench.project.light.lamps.len() => {
                bench.project.light.lamps.remove(index);
                true
            }
            _ => Self::edit_scene(bench, |text| text.remove(&thing)),
        };
        if gone {
            self.choice = StageChoice::Nothing;
        }
    }

    /// Where a place of the view leads.
    pub(super) fn ray_at(&self, at: egui::Pos2, rect: egui::Rect) -> GizmoRay {
        let (eye, way) = (self.camera.eye(), self.camera.ray(at, rect));
        let player = self.player.as_ref();
        let ground = player.and_then(|player| picking::ground_at(player.surface(), eye, way));
        GizmoRay { at, eye, way, ground }
    }

    /// Lets somebody come on, ahead of whoever is chosen.
    pub(super) fn add_character(&mut self, bench: &mut Workbench) {
        let Some(player) = &self.player else { return };
        let parts = &player.scene().characters;
        let taken = |name: &str| parts.iter().any(|part| part.name == name);
        let name =
            (1..).map(|n| format!("walker {n}")).find(|name| !taken(name)).unwrap_or_default();
        let (at, number) = (self.ahead(), parts.len());
        if Self::edit_scene(bench, |text| {
            text.add_character(&name, glam::vec2(at.x, at.z), "physical_when_touched")
        }) {
            self.choice = StageChoice::Character(number);
        }
    }

    /// A place two steps ahead of the chosen character, or in the middle of the view.
    pub(super) fn ahead(&self) -> Vec3 {
        let Some(player) = &self.player else { return Vec3::ZERO };
        let from = match &self.choice {
            StageChoice::Character(who) => player.stage().actors().get(*who).map(|actor| {
                let models = &player.shown().models[*who];
                let hips = models[actor.character().rig.hips];
                hips.translation + (hips.rotation * (1.8 * Vec3::Z)).with_y(0.0)
            }),
            _ => None,
        };
        let at = from.unwrap_or(self.camera.target);
        picking::ground_below(player.surface(), at).unwrap_or(at)
    }

    /// Does something.
    pub fn act(&mut self, _: &egui::Context, bench: &mut Workbench, action: StudioAction) {
        if self.reel.open && self.reel.act(action, &mut self.camera) {
            return;
        }
        match action {
            StudioAction::LookFrom(side) => self.camera.look_from(side),
            StudioAction::FollowView => self.camera.follows ^= true,
            StudioAction::FrameView => match picture::chosen_bounds(self) {
                Some(bounds) => self.camera.frame(bounds),
                None => self.frame_all(),
            },
            StudioAction::AddBox => {
                let at = self.ahead();
                self.add_box(bench, at);
            }
            StudioAction::Grab | StudioAction::Rotate | StudioAction::Scale => {
                let hold = match action {
                    StudioAction::Grab => GizmoHold::Free,
                    StudioAction::Rotate => GizmoHold::Turn,
                    _ => GizmoHold::Scale,
                };
                if let StageChoice::Thing(thing) = self.choice.clone() {
                    self.gizmo = Gizmo::begin(self, bench, &thing, hold);
                }
            }
            StudioAction::Delete => self.delete(bench),
            StudioAction::AddGround(kind) => things::add_ground(self, bench, kind),
            StudioAction::CutAway => self.overlays.cut_away ^= true,
            StudioAction::Steer => self.steers ^= true,
            StudioAction::Export => self.export.wish = Some(ExportWish::Files),
            StudioAction::Check => self.export.wish = Some(ExportWish::Check),
            StudioAction::Keep => self.export.wish = Some(ExportWish::Keep),
            StudioAction::Takes => {
                self.reel.open = !self.reel.open && !bench.project.takes.is_empty()
            }
            _ => self.act_on_time(action),
        }
    }

    pub(super) fn act_on_time(&mut self, action: StudioAction) {
        let Some(player) = &mut self.player else { return };
        match action {
            StudioAction::PlayOrPause => {
                let ended = player.frame() + 1 == player.frames().len() && player.is_over();
                if !player.playing && ended {
                    player.playhead = 0.0;
                }
                player.playing ^= true;
            }
            StudioAction::Step(by) => {
                player.playing = false;
                let target = (player.frame() as i64 + i64::from(by)).max(0) as usize;
                player.play_to(target);
                player.playhead = target.min(player.frames().len() - 1) as f32;
            }
            StudioAction::ToStart => player.playhead = 0.0,
            StudioAction::Loop => player.looping ^= true,
            _ => {}
        }
    }

    /// Leads the chosen character by the keys, or by a gamepad.
    pub(super) fn steer(&mut self, context: &egui::Context, bench: &Workbench) {
        let (Some(player), StageChoice::Character(who)) = (&mut self.player, &self.choice) else {
            return;
        };
        let (pad, keyed) = (bench.pad, self.steers && !context.egui_wants_keyboard_input());
        let keys = context.input(|input| {
            let down = |key: Key| input.key_down(key);
            let fast = if input.modifiers.shift { 3.0 } else { 1.4 };
            let ahead = if down(Key::W) {
                fast
            } else if down(Key::S) {
                -0.6
            } else {
                0.0
            };
            let turn = f32::from(down(Key::A)) - f32::from(down(Key::D));
            (ahead, 1.6 * turn)
        });
        let pushed = (pad.ahead, pad.left) != (0.0, 0.0);
        let fast = match (pad.ahead > 0.0, pad.run) {
            (true, true) => 3.0,
            (true, false) => 1.4,
            (false, _) => 0.6,
        };
        let wanted = match pushed {
            true => (fast * pad.ahead, 1.6 * pad.left),
            false if keyed => keys,
            // Whoever is typing leads nobody; who has let go of the stick stops.
            false if self.padded => (0.0, 0.0),
            false => return,
        };
        self.padded = pushed;
        if wanted != self.steered {
            self.steered = wanted;
            player.edit(LiveEdit::Steer(*who, wanted.0, wanted.1));
            player.playing = true;
        }
    }
}
