//! What the chosen character would do on its way to where it was sent, planned beside the window.

use super::player::StagePlayer;
use crate::bench::Workbench;
use crate::job::{JobState, SideJob};
use andante_skeleton::PlannedFootprint;
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
            let hips = actor.character().rig.hips;
            self.job = Some(bench.jobs.start(context, "planning the way", move |_| {
                snapshot.take().map(|snapshot| plan(&snapshot, who, to, run, hips))
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
    hips: usize,
) -> Result<PlannedWay, String> {
    let mut stage = Stage::new(&Scene::default(), 1).map_err(|error| error.to_string())?;
    stage.restore(snapshot);
    let plan = stage.plan(who, to, run).map_err(|error| error.to_string())?;
    let skeleton = &stage.actors()[who].character().skeleton;
    let mut models = skeleton.rest_models();
    let frames = plan.performance.clip.frames().step_by(6);
    let mut body = Vec::new();
    for frame in frames {
        skeleton.local_to_model(frame, &mut models);
        body.push(models[hips].translation);
    }
    let corners = plan.journey.walks.iter().map(|walk| walk.corners.clone()).collect();
    Ok(PlannedWay { corners, body, prints: plan.performance.footprints })
}
