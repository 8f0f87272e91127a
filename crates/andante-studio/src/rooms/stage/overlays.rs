//! Where there is room to walk, and two trees that look for a way.

use super::player::StagePlayer;
use crate::bench::Workbench;
use crate::job::{JobState, SideJob};
use crate::look::{ACCENT, GOOD, LEFT};
use crate::view::ViewMesh;
use andante_plan::route::{NavAgent, Network, TwoTrees, Which};
use andante_world::{GroundPatch, Obstacle};
use eframe::egui;
use glam::{Vec2, Vec3, vec3};

/// Lines on the ground.
#[derive(Default)]
pub struct WalkableLines {
    /// Rims of where the middle of a body can be.
    pub rims: Vec<Vec<Vec3>>,
    /// Branches of the tree from the start and of that from the goal.
    pub branches: Vec<(bool, [Vec3; 2])>,
}

/// What lines are for: who, how often the world has changed, where to.
type Question = (usize, usize, [f32; 2]);

/// The room in which the chosen character can walk.
#[derive(Default)]
pub struct WalkableRoom {
    asked: Option<Question>,
    job: Option<SideJob<Result<WalkableLines, String>>>,
    /// The lines, or why there are none.
    pub lines: Option<Result<WalkableLines, String>>,
}

impl WalkableRoom {
    /// Asks anew if something has changed, and looks whether there is an answer.
    pub fn follow(
        &mut self,
        context: &egui::Context,
        bench: &mut Workbench,
        player: &StagePlayer,
        who: usize,
    ) {
        let Some(actor) = player.stage().actors().get(who) else { return };
        let from = actor.disc().place.position;
        let goal = actor.goal().map_or(from, |goal| goal.position);
        let question = (who, player.journal().len(), goal.to_array());
        if self.asked != Some(question) && self.job.is_none() {
            self.asked = Some(question);
            let ground = player.stage().ground().to_vec();
            let obstacles = player.stage().obstacles().to_vec();
            let tall = actor.models().iter().map(|joint| joint.translation.y).fold(0.0, f32::max)
                - actor.models()[0].translation.y;
            let agent = NavAgent {
                clearance: actor.radius().into(),
                height: tall.max(0.3),
                ducked: 0.7 * tall.max(0.3),
                step: 0.3,
                stride: None,
                ..NavAgent::person(tall.max(0.3))
            };
            self.job = Some(bench.jobs.start(context, "finding room to walk", move |_| {
                Some(lines(&ground, &obstacles, &agent, from, goal))
            }));
        }
        if let Some(job) = &mut self.job {
            match job.poll() {
                JobState::Running => {}
                JobState::Stopped => self.job = None,
                JobState::Done(lines) => {
                    (self.lines, self.job) = (Some(lines), None);
                }
            }
        }
    }

    /// Draws what is wanted of it.
    pub fn draw(&self, mesh: &mut ViewMesh, rims: bool, trees: bool) {
        let Some(Ok(lines)) = &self.lines else { return };
        for rim in lines.rims.iter().filter(|_| rims) {
            mesh.add_ribbon(rim, 0.025, GOOD.gamma_multiply(0.9));
        }
        for (from_start, branch) in lines.branches.iter().filter(|_| trees) {
            mesh.add_ribbon(branch, 0.015, if *from_start { LEFT } else { ACCENT });
        }
    }
}

fn lines(
    ground: &[GroundPatch],
    obstacles: &[Obstacle],
    agent: &NavAgent,
    from: Vec2,
    goal: Vec2,
) -> Result<WalkableLines, String> {
    let network = Network::new(ground, obstacles, agent).map_err(|error| error.to_string())?;
    let places = network.places();
    let mut made = WalkableLines::default();
    let lift =
        |level: usize, at: Vec2| vec3(at.x, places.height(level, at).unwrap_or(0.0) + 0.015, at.y);
    for (level, own) in places.levels().iter().enumerate() {
        for rim in (0..own.mesh.islands()).flat_map(|island| own.mesh.rims(island)) {
            let mut corners: Vec<Vec3> = rim.iter().map(|at| lift(level, *at)).collect();
            corners.extend(corners.first().copied());
            made.rims.push(corners);
        }
    }
    // Trees grow on one level; where the goal is on another there are none.
    if let Some(level) = places.level_at(from, None)
        && let Ok(route) = TwoTrees::default().find(places.walls(level), from, goal)
    {
        let branch = |branch: &andante_plan::route::TreeBranch| {
            let ends: [Vec3; 2] =
                [branch.from, branch.to].map(|at| lift(level, at) + 0.01 * Vec3::Y);
            (branch.tree == Which::Start, ends)
        };
        made.branches = route.branches.iter().map(branch).collect();
    }
    Ok(made)
}
