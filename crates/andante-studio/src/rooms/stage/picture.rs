//! The stage as it is seen.

use super::picking::hides;
use super::player::{StagePlayer, dye};
use super::{StageChoice, StageRoom};
use crate::look::{ACCENT, BAD, GOOD, LEFT, RIGHT, sign};
use crate::scene_move::SceneThing;
use crate::view::{SolidMesh, ViewMesh, ViewPicture};
use andante_skeleton::{Side, Transform};
use andante_stage::{PropForm, RAYS};
use andante_take::{ball_mesh, cube_mesh};
use andante_world::Obstacle;
use eframe::egui::{self, Align2, Color32, Rect};
use glam::{Vec3, vec3};
use std::f32::consts::TAU;
use std::sync::Arc;

/// Marks lie so far above the ground, in metres.
const LIFT: f32 = 0.006;
const STONE: Color32 = Color32::from_rgb(0x9a, 0x8f, 0x80);
const WOOD: Color32 = Color32::from_rgb(0xb5, 0x8a, 0x5a);

/// Everything that is to be seen now.
pub fn of(room: &mut StageRoom) -> ViewPicture {
    let mut picture = ViewPicture { camera: room.camera, ..ViewPicture::default() };
    let Some(player) = &room.player else { return picture };
    let frame = player.shown();
    let (hidden, above) = match room.choice {
        StageChoice::Character(who) if room.overlays.cut_away => {
            hides(player, room.camera.eye(), who)
        }
        _ => Default::default(),
    };
    let left_out = |(index, _): &(usize, &SolidMesh)| !above.contains(index);
    let seen = player.ground().iter().enumerate().filter(left_out);
    picture.ground = seen.map(|(_, mesh)| Arc::clone(mesh)).collect();
    let chosen = match &room.choice {
        StageChoice::Thing(SceneThing::Obstacle(name)) => Some(name.as_str()),
        _ => None,
    };
    let nearness = room.camera.distance.max(9.0) * 1.3;
    let [near, far] =
        room.drawn.obstacles(&frame.obstacles, chosen, &hidden, (room.camera.target, nearness));
    (picture.solids, picture.distant) = (vec![near], vec![far]);
    for (who, models) in frame.models.iter().enumerate() {
        if !frame.gone[who] {
            picture.bodies.add(&player.skins()[who], models, dye(who));
        }
    }
    let moving = &mut picture.moving;
    for (platform, place) in player.stage().platforms().iter().zip(&frame.platforms) {
        moving.add_mesh(&platform.mesh(), place, WOOD);
    }
    for (form, place) in &frame.props {
        let mesh = match form {
            PropForm::Ball { radius } => ball_mesh(*radius as f32),
            PropForm::Cube { side } => cube_mesh(0.5 * *side as f32),
        };
        moving.add_mesh(&mesh, place, WOOD);
    }
    if let StageChoice::Thing(SceneThing::Platform(index)) = room.choice
        && let Some(patch) = player.scene().ground.get(index)
    {
        let corner = |at: &glam::Vec2| vec3(at.x, patch.platform.height_at(*at) + 2.0 * LIFT, at.y);
        let mut rim: Vec<Vec3> = patch.platform.outline.iter().map(corner).collect();
        rim.extend(rim.first().copied());
        picture.marks.add_ribbon(&rim, 0.05, ACCENT);
    }
    marks(room, player, &mut picture.marks);
    goals(room, player, moving);
    picture
}

/// Obstacles as they were drawn last.
#[derive(Default)]
pub struct DrawnObstacles {
    of: Option<Arc<Vec<Obstacle>>>,
    chosen: Option<String>,
    hidden: Vec<String>,
    near: Vec<bool>,
    meshes: [SolidMesh; 2],
}

impl DrawnObstacles {
    /// Those near a place, which throw shadows, and the others; made anew only if something has changed.
    fn obstacles(
        &mut self,
        all: &Arc<Vec<Obstacle>>,
        chosen: Option<&str>,
        hidden: &[String],
        (place, within): (Vec3, f32),
    ) -> [SolidMesh; 2] {
        let near: Vec<bool> = all
            .iter()
            .map(|thing| thing.at.distance(place) < within + thing.shape.reach())
            .collect();
        let same = self.of.as_ref().is_some_and(|old| Arc::ptr_eq(old, all))
            && self.chosen.as_deref() == chosen
            && self.hidden == hidden
            && self.near == near;
        if !same {
            let mut meshes = [ViewMesh::default(), ViewMesh::default()];
            for (thing, near) in all.iter().zip(&near) {
                let color = if Some(thing.name.as_str()) == chosen { ACCENT } else { STONE };
                // Of what hides who is chosen, its foot is left.
                if hidden.contains(&thing.name) {
                    foot_of(thing, &mut meshes[1]);
                    continue;
                }
                meshes[usize::from(!near)].add_mesh(&thing.mesh(), &Transform::IDENTITY, color);
            }
            self.meshes = meshes.map(Arc::new);
            self.of = Some(Arc::clone(all));
            (self.chosen, self.near) = (chosen.map(str::to_owned), near);
            self.hidden = hidden.to_vec();
        }
        self.meshes.clone()
    }
}

/// The outline of a thing on the ground.
fn foot_of(thing: &Obstacle, mesh: &mut ViewMesh) {
    let whole = thing.mesh();
    let low = whole.positions.iter().map(|at| at.y).fold(f32::MAX, f32::min);
    for triangle in &whole.triangles {
        let corners = triangle.map(|corner| whole.positions[corner as usize]);
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let side = [corners[a], corners[b]];
            if side.iter().all(|at| at.y < low + 0.02) {
                mesh.add_rod(side, [0.012; 2], STONE);
            }
        }
    }
}

pub fn side_color(side: Side) -> Color32 {
    match side {
        Side::Left => LEFT,
        Side::Right => RIGHT,
        Side::Middle => GOOD,
    }
}

/// Flags where characters are sent.
fn goals(room: &StageRoom, player: &StagePlayer, mesh: &mut ViewMesh) {
    if !room.overlays.goals {
        return;
    }
    for (who, actor) in
        player.stage().actors().iter().enumerate().filter(|(_, actor)| !actor.is_gone())
    {
        if let Some(goal) = actor.goal() {
            let at = vec3(goal.position.x, actor.models()[0].translation.y, goal.position.y);
            let at = super::picking::ground_below(player.surface(), at).unwrap_or(at);
            mesh.add_flag(at, if who == 0 { ACCENT } else { dye(who) });
        }
    }
}

fn marks(room: &StageRoom, player: &StagePlayer, mesh: &mut ViewMesh) {
    let frame = player.shown();
    let actors = player.stage().actors();
    if room.overlays.footprints {
        for print in player.prints() {
            let Some(foot) = actors[print.who].character().rig.feet.get(print.foot) else {
                continue;
            };
            let color = side_color(foot.side).gamma_multiply(0.55);
            let at = print.at + LIFT * print.normal;
            let half = 0.11 * print.ahead;
            mesh.add_ribbon(&[at - half, at + half], 0.085, color);
        }
    }
    if room.overlays.contacts {
        for (who, contacts) in
            frame.contacts.iter().enumerate().filter(|(who, _)| !frame.gone[*who])
        {
            let feet = &actors[who].character().rig.feet;
            for (foot, down) in feet.iter().zip(contacts) {
                for (point, down) in [foot.heel, foot.ball].into_iter().zip(down) {
                    if *down {
                        let at = point.position(&frame.models[who]) + 2.0 * LIFT * Vec3::Y;
                        mesh.add_disc(at, Vec3::Y, 0.05, side_color(foot.side));
                    }
                }
            }
        }
    }
    planned(room, player, mesh);
    room.room_to_walk.draw(mesh, room.overlays.navmesh, room.overlays.trees);
    let who = room.who();
    ankles(room, player, who, mesh);
    if room.overlays.targets
        && let Some(actor) = actors.get(who)
    {
        targets(room, player, actor, who, mesh);
    }
    if room.overlays.trails {
        for (who, actor) in actors.iter().enumerate() {
            let hips = actor.character().rig.hips;
            let frames = player.frames()[..=player.frame()].iter().step_by(3);
            let places: Vec<Vec3> =
                frames.filter_map(|frame| Some(frame.models.get(who)?[hips].translation)).collect();
            mesh.add_ribbon(&places, 0.03, dye(who).gamma_multiply(0.9));
        }
    }
    if let StageChoice::Character(who) = room.choice
        && let Some(models) = frame.models.get(who)
    {
        let hips = models[actors[who].character().rig.hips].translation;
        if let Some(at) = super::picking::ground_below(player.surface(), hips) {
            mesh.add_ring(at + LIFT * Vec3::Y, [0.34, 0.38], ACCENT.gamma_multiply(0.8));
            if room.overlays.sensors {
                sensors(room, player, who, at, mesh);
            }
        }
    }
}

/// The way ahead, as it would be planned.
fn planned(room: &StageRoom, player: &StagePlayer, mesh: &mut ViewMesh) {
    if room.overlays.plan
        && let Some(Ok(way)) = &room.outlook.way
    {
        for corners in &way.corners {
            let lifted = |place: &glam::Vec2| {
                let at = vec3(place.x, way.body.first().map_or(0.0, |body| body.y), place.y);
                super::picking::ground_below(player.surface(), at).unwrap_or(at)
                    + 2.0 * LIFT * Vec3::Y
            };
            let corners: Vec<Vec3> = corners.iter().map(lifted).collect();
            mesh.add_ribbon(&corners, 0.03, Color32::from_white_alpha(120));
        }
        mesh.add_ribbon(&way.body, 0.02, GOOD);
        for print in &way.prints {
            let half = 0.5 * (print.tip - print.heel);
            let at = 0.5 * (print.tip + print.heel) + LIFT * print.normal;
            mesh.add_ribbon(&[at - half, at + half], 0.1, GOOD.gamma_multiply(0.5));
        }
    }
}

/// Where ankles were, and where they would be planned.
fn ankles(room: &StageRoom, player: &StagePlayer, who: usize, mesh: &mut ViewMesh) {
    if room.overlays.ankles
        && let Some(actor) = player.stage().actors().get(who)
    {
        if let Some(Ok(way)) = &room.outlook.way {
            for path in &way.ankles {
                mesh.add_ribbon(path, 0.012, GOOD);
            }
        }
        for foot in &actor.character().rig.feet {
            let frames = player.frames()[..=player.frame()].iter().rev().take(360);
            let path: Vec<Vec3> = frames
                .filter_map(|frame| Some(frame.models.get(who)?[foot.ankle()].translation))
                .collect();
            mesh.add_ribbon(&path, 0.012, side_color(foot.side));
        }
    }
}

/// Where feet are held, and where they are led to next.
fn targets(
    room: &StageRoom,
    player: &StagePlayer,
    actor: &andante_stage::Actor,
    who: usize,
    mesh: &mut ViewMesh,
) {
    let frame = player.shown();
    for (index, foot) in actor.character().rig.feet.iter().enumerate() {
        let color = side_color(foot.side);
        let held =
            player.prints().iter().rev().find(|print| print.who == who && print.foot == index);
        if let Some(print) = held.filter(|_| frame.contacts[who].get(index) != Some(&[false; 2])) {
            mesh.add_ring(print.at + 3.0 * LIFT * Vec3::Y, [0.09, 0.11], color);
            let ankle = frame.models[who][foot.ankle()].translation;
            mesh.add_rod([print.at, ankle], [0.006; 2], color);
        } else if let Some(Ok(way)) = &room.outlook.way {
            let next = way.prints.iter().find(|print| print.foot == index && print.landing > 0.0);
            if let Some(print) = next {
                mesh.add_ring(print.position + 3.0 * LIFT * Vec3::Y, [0.09, 0.11], GOOD);
                let ankle = frame.models[who][foot.ankle()].translation;
                mesh.add_rod([print.position, ankle], [0.006; 2], GOOD);
            }
        }
    }
}

/// Rays that the chosen character looks around with, red where something is near.
fn sensors(room: &StageRoom, player: &StagePlayer, who: usize, at: Vec3, mesh: &mut ViewMesh) {
    let Some(perception) = room.sensed else { return };
    let heading = player.stage().actors()[who].disc().place.heading;
    for (ray, free) in perception.free.iter().enumerate() {
        let angle = heading + TAU * ray as f32 / RAYS as f32;
        let (sin, cos) = libm::sincosf(angle);
        let way = vec3(sin, 0.0, cos);
        let near = 1.0 - (free / perception.reach).clamp(0.0, 1.0);
        let color = GOOD.lerp_to_gamma(BAD, near).gamma_multiply(0.8);
        let from = at + 0.05 * Vec3::Y + 0.3 * way;
        mesh.add_ribbon(&[from, from + *free * way], 0.02, color);
    }
}

/// The box around what is chosen.
pub fn chosen_bounds(room: &StageRoom) -> Option<[Vec3; 2]> {
    let player = room.player.as_ref()?;
    let frame = player.shown();
    match &room.choice {
        StageChoice::Character(who) => {
            let mut places = frame.models.get(*who)?.iter().map(|joint| joint.translation);
            let first = places.next()?;
            let all = places.fold([first, first], |[low, high], at| [low.min(at), high.max(at)]);
            Some([all[0] - 0.3, all[1] + 0.3])
        }
        StageChoice::Thing(SceneThing::Platform(index)) => {
            let [low, high] = player.ground().get(*index)?.bounds()?;
            Some([low.with_y(low.y.max(high.y - 1.0)), high])
        }
        StageChoice::Thing(SceneThing::Obstacle(name)) => {
            let thing = frame.obstacles.iter().find(|thing| thing.name == *name)?;
            let mut mesh = ViewMesh::default();
            mesh.add_mesh(&thing.mesh(), &Transform::IDENTITY, STONE);
            mesh.bounds().map(|[low, high]| [low - 0.5, high + 0.5])
        }
        StageChoice::Nothing | StageChoice::Thing(_) => None,
    }
}

/// Names above heads, and what they do.
pub fn labels(room: &StageRoom, ui: &egui::Ui, rect: Rect) {
    let Some(player) = &room.player else { return };
    let painter = ui.painter_at(rect);
    let frame = player.shown();
    for (who, actor) in
        player.stage().actors().iter().enumerate().filter(|(who, _)| !frame.gone[*who])
    {
        let models = &frame.models[who];
        let top = models.iter().map(|joint| joint.translation).max_by(|a, b| a.y.total_cmp(&b.y));
        let Some(top) = top else { continue };
        let Some(at) = room.camera.project(top + 0.4 * Vec3::Y, rect) else { continue };
        let chosen = room.choice == StageChoice::Character(who);
        if player.stage().actors().len() > 8 && !chosen {
            continue;
        }
        let color = if chosen { ACCENT } else { Color32::from_gray(235) };
        sign(&painter, at, Align2::CENTER_BOTTOM, actor.name(), color);
    }
    let hint = match (&room.choice, room.steers) {
        (StageChoice::Character(_), true) => "W A S D lead the way; Shift runs",
        (StageChoice::Character(_), false) => {
            "Click the ground: walk there. With Shift: run. Drag a box into the way."
        }
        (StageChoice::Thing(_), _) => "Drag a handle, or  G move   R turn   S scale   Delete",
        (StageChoice::Nothing, _) => {
            "Click a character, an obstacle or the ground; Alt-click chooses ground"
        }
    };
    let at = rect.left_bottom() + egui::vec2(14.0, -12.0);
    sign(&painter, at, Align2::LEFT_BOTTOM, hint, Color32::from_gray(230));
}
