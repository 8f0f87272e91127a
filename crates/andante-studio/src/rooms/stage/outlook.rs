//! What the chosen character would do on its way to where it was sent, planned beside the window.

use super::player::StagePlayer;
use super::{StageChoice, StageRoom};
use crate::bench::Workbench;
use crate::job::{JobState, SideJob};
use crate::look::GOOD;
use andante_skeleton::{PlannedFootprint, Rig, Side};
use andante_stage::{Scene, Stage, StageSnapshot, Waypoint};
use eframe::egui;
use glam::{Vec2, Vec3};

/// A way that was planned.
pub struct PlannedWay {
    /// Corners of the shortest way on foot.
    pub corners: Vec<Vec<Vec2>>,
    /// Where the hips would be.
    pub body: Vec<Vec3>,
    /// Where feet would stand.
    pub prints: Vec<PlannedFootprint>,
    /// Where the ankle of each foot would be.
    pub ankles: Vec<Vec<Vec3>>,
}

/// What a plan is for: who, where to, and how often the world has changed before.
type Question = (usize, [f32; 2], usize);

/// The way ahead of the chosen character.
#[derive(Default)]
pub struct StageOutlook {
    asked: Option<Question>,
    job: Option<SideJob<Result<PlannedWay, String>>>,
    /// The way, or why there is none.
    pub way: Option<Result<PlannedWay, String>>,
}

impl StageOutlook {
    /// Asks anew if something has changed, and looks whether there is an answer.
    pub fn follow(
        &mut self,
        context: &egui::Context,
        bench: &mut Workbench,
        player: &StagePlayer,
        who: usize,
    ) {
        let Some(actor) = player.stage().actors().get(who) else { return };
        let Some(goal) = actor.goal() else {
            *self = Self::default();
            return;
        };
        let question = (who, goal.position.to_array(), player.journal().len());
        if self.asked != Some(question) {
            self.asked = Some(question);
            let (mut snapshot, run) = (Some(player.snapshot()), actor.doing().contains("run_to"));
            let part = player.scene().characters.get(who);
            let height = part.and_then(|part| part.goal.height);
            let to = Waypoint { place: goal.position, height, heading: None };
            let rig = actor.character().rig.clone();
            self.job = Some(bench.jobs.start(context, "planning the way", move |_| {
                snapshot.take().map(|snapshot| plan(&snapshot, who, to, run, &rig))
            }));
        }
        if let Some(job) = &mut self.job {
            match job.poll() {
                JobState::Running => {}
                JobState::Stopped => self.job = None,
                JobState::Done(way) => {
                    self.way = Some(way);
                    self.job = None;
                }
            }
        }
    }
}

fn plan(
    snapshot: &StageSnapshot,
    who: usize,
    to: Waypoint,
    run: bool,
    rig: &Rig,
) -> Result<PlannedWay, String> {
    let mut stage = Stage::new(&Scene::default(), 1).map_err(|error| error.to_string())?;
    stage.restore(snapshot);
    let plan = stage.plan(who, to, run).map_err(|error| error.to_string())?;
    let skeleton = &stage.actors()[who].character().skeleton;
    let mut models = skeleton.rest_models();
    let frames = plan.performance.clip.frames().step_by(3);
    let mut body = Vec::new();
    let mut ankles = vec![Vec::new(); rig.feet.len()];
    for frame in frames {
        skeleton.local_to_model(frame, &mut models);
        body.push(models[rig.hips].translation);
        for (foot, path) in rig.feet.iter().zip(&mut ankles) {
            path.push(models[foot.ankle()].translation);
        }
    }
    let corners = plan.journey.walks.iter().map(|walk| walk.corners.clone()).collect();
    let prints = plan.performance.footprints.clone();
    Ok(PlannedWay { corners, body, prints, ankles })
}

/// Footprints that are planned can be dragged: from then on they are told, as they are and where one was put.
pub fn grips(room: &mut StageRoom, ui: &mut egui::Ui, bench: &mut Workbench, rect: egui::Rect) {
    let StageChoice::Character(who) = room.choice else { return };
    if !room.overlays.plan {
        return;
    }
    let Some(Ok(way)) = &room.outlook.way else { return };
    let Some(actor) = room.player.as_ref().and_then(|player| player.stage().actors().get(who))
    else {
        return;
    };
    let name = actor.name().to_owned();
    let feet = &actor.character().rig.feet;
    let left = |foot: usize| feet.get(foot).is_some_and(|foot| foot.side == Side::Left);
    let print = |print: &PlannedFootprint| {
        (Vec2::new(print.position.x, print.position.z), print.heading, left(print.foot))
    };
    let prints: Vec<(Vec2, f32, bool)> = way.prints.iter().map(print).collect();
    let places: Vec<Vec3> = way.prints.iter().map(|print| print.position).collect();
    for (index, at) in places.iter().enumerate().take(40) {
        let Some(at) = room.camera.project(*at, rect).filter(|at| rect.contains(*at)) else {
            continue;
        };
        let place = egui::Rect::from_center_size(at, egui::vec2(14.0, 14.0));
        let name_of = format!("Planned footprint {}", index + 1);
        let response = ui.interact(place, ui.scope_id().with(&name_of), egui::Sense::drag());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name_of));
        let strong = response.hovered() || response.dragged();
        let color = GOOD.gamma_multiply(if strong { 1.0 } else { 0.6 });
        ui.painter_at(rect).circle_stroke(at, 6.0, (2.0, color));
        if response.drag_stopped()
            && let Some(to) = ui.input(|input| input.pointer.latest_pos())
            && let Some(to) = room.ray_at(to, rect).ground
            && let Some(player) = &mut room.player
        {
            let mut prints = prints.clone();
            prints[index].0 = Vec2::new(to.x, to.z);
            // The plan begins where what was played ends.
            player.playhead = (player.frames().len() - 1) as f32;
            let now = player.seconds()[0];
            StageRoom::edit_scene(bench, |text| text.step_on(&name, now, &prints));
        }
        response.on_hover_text("Drag it: from then on this character steps on these footprints");
    }
}
