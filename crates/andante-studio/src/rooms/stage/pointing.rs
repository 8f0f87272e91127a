//! Clicks and drags on the stage.

use super::gizmo::{Gizmo, GizmoHold};
use super::picking::{Picked, ground_at, obstacle_at, patch_at, pick};
use super::{StageChoice, StageRoom};
use crate::bench::Workbench;
use crate::scene_move::SceneThing;
use crate::scene_text::SceneText;
use crate::view::ViewportAnswer;
use eframe::egui::{self, Key, PointerButton};

/// True if the mouse is over something that it can drag.
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
        if let Some(place) = ground_at(player.surface(), eye, way) {
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
        gizmo.follow(bench, room.ray_at(at, answer.rect));
        if !done {
            room.gizmo = Some(gizmo);
        }
        return;
    }
    if response.drag_started_by(PointerButton::Primary) {
        let origin = response.ctx.input(|input| input.pointer.press_origin()).unwrap_or(at);
        let way = room.camera.ray(origin, answer.rect);
        if let Some(Picked::Obstacle(name, _)) = pick(player, eye, way) {
            let thing = SceneThing::Obstacle(name);
            room.gizmo = Gizmo::begin(room, bench, &thing, GizmoHold::Free);
            room.choice = StageChoice::Thing(thing);
        }
        return;
    }
    if response.clicked() {
        let (shift, alt) = response.ctx.input(|input| (input.modifiers.shift, input.modifiers.alt));
        click(room, bench, pick(player, eye, way), shift, alt);
    }
}

fn click(
    room: &mut StageRoom,
    bench: &mut Workbench,
    picked: Option<Picked>,
    shift: bool,
    alt: bool,
) {
    match picked {
        Some(Picked::Character(who)) => room.choice = StageChoice::Character(who),
        Some(Picked::Obstacle(name, _)) => {
            room.choice = StageChoice::Thing(SceneThing::Obstacle(name));
        }
        Some(Picked::Ground(place)) if alt => {
            if let Some(thing) = room
                .player()
                .and_then(|player| patch_at(player.stage().ground(), place))
                .and_then(|patch| thing_of_patch(&bench.project.scene, patch))
            {
                room.choice = StageChoice::Thing(thing);
            }
        }
        Some(Picked::Ground(place)) => {
            if let StageChoice::Thing(_) = room.choice {
                room.choice = StageChoice::Character(0);
                return;
            }
            room.send(bench, glam::vec2(place.x, place.z), shift);
        }
        None => room.choice = StageChoice::Nothing,
    }
}

/// The table that a patch of ground comes from: platforms come first, and then every step of every flight.
pub fn thing_of_patch(text: &str, patch: usize) -> Option<SceneThing> {
    let mut text = SceneText::new(text).ok()?;
    let platforms = text.count("platform");
    if patch < platforms {
        return Some(SceneThing::Platform(patch));
    }
    let mut left = patch - platforms;
    for stairs in 0..text.count("stairs") {
        let steps = text.number(&SceneThing::Stairs(stairs), "steps")? as usize;
        if left < steps {
            return Some(SceneThing::Stairs(stairs));
        }
        left -= steps;
    }
    None
}
