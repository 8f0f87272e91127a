//! Clicks and drags on the stage.

use super::gizmo::Gizmo;
use super::picking::{Picked, ground_at, obstacle_at, pick};
use super::{StageChoice, StageRoom};
use crate::action::StudioAction;
use crate::bench::Workbench;
use crate::view::ViewportAnswer;
use eframe::egui::{self, Key, PointerButton};

/// Whether the mouse is over something that it can drag.
pub fn hovers(room: &StageRoom, ui: &egui::Ui) -> bool {
    let Some(player) = &room.player else { return false };
    let rect = ui.available_rect_before_wrap();
    // Where a drag began counts, not where it has got to.
    let at = ui.input(|input| input.pointer.press_origin().or(input.pointer.hover_pos()));
    let Some(at) = at.filter(|at| rect.contains(*at)) else { return false };
    let way = room.camera.ray(at, rect);
    obstacle_at(player, room.camera.eye(), way).is_some()
}

/// Does what a click or a drag in the view means.
pub fn point(room: &mut StageRoom, bench: &mut Workbench, answer: &ViewportAnswer) {
    let Some(player) = &room.player else { return };
    let Some((at, way)) = answer.pointer else { return };
    let eye = room.camera.eye();
    let response = &answer.response;
    let (confirm, leave) =
        response.ctx.input(|input| (input.key_pressed(Key::Enter), input.key_pressed(Key::Escape)));
    if room.carried && !response.ctx.input(|input| input.pointer.any_down()) {
        room.carried = false;
        if let Some(place) = ground_at(player.stage(), eye, way) {
            room.add_box(bench, place);
        }
        return;
    }
    if let Some(mut gizmo) = room.gizmo.take() {
        let done =
            confirm || response.clicked() || response.drag_stopped_by(PointerButton::Primary);
        if leave {
            gizmo.give_up(bench);
            return;
        }
        let ground = ground_at(player.stage(), eye, way);
        gizmo.follow(bench, at, ground);
        if !done {
            room.gizmo = Some(gizmo);
        }
        return;
    }
    if response.drag_started_by(PointerButton::Primary) {
        let origin = response.ctx.input(|input| input.pointer.press_origin()).unwrap_or(at);
        let way = room.camera.ray(origin, answer.rect);
        if let Some(Picked::Obstacle(name, _)) = pick(player, eye, way) {
            room.choice = StageChoice::Obstacle(name);
            room.gizmo = Gizmo::begin(room, StudioAction::Grab);
        }
        return;
    }
    if !response.clicked() {
        return;
    }
    match pick(player, eye, way) {
        Some(Picked::Character(who)) => room.choice = StageChoice::Character(who),
        Some(Picked::Obstacle(name, _)) => room.choice = StageChoice::Obstacle(name),
        Some(Picked::Ground(place)) => {
            if let StageChoice::Obstacle(_) = room.choice {
                room.choice = StageChoice::Character(0);
                return;
            }
            let run = response.ctx.input(|input| input.modifiers.shift);
            room.send(bench, glam::vec2(place.x, place.z), run);
        }
        None => room.choice = StageChoice::Nothing,
    }
}
