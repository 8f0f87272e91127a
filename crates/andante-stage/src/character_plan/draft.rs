//! A way walked, and walked again until the body touches nothing.

use super::way::{ClearedRoute, RouteForm};
use super::{CharacterPlanner, PlanFailure, PlanTimings, Trip, headings};
use crate::PlannerSettings;
use crate::head_room::HeadRoom;
use crate::room::nearest;
use andante_plan::route::{self, FloorError, Network};
use andante_plan::steps::{self, Departure, Detour, PlannedMotion, Repair, RepairBranch};
use andante_skeleton::Planar;
use andante_take::ObstacleTouches;
use andante_world::{Obstacle, ObstacleShape};
use glam::{Vec2, Vec3};
use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

/// What is to be planned.
#[derive(Clone, Copy)]
pub(super) enum PlanTask<'a> {
    /// All of the part.
    Whole,
    /// Another way from a departure on; from a frame on the old one may be taken up again.
    Detour {
        before: &'a PlannedMotion,
        departure: Departure,
        again: usize,
        /// Which passages it leads through, once that is known.
        passage: &'a OnceCell<RouteForm>,
        /// Whether other ways are looked for even if it is the departure that fails.
        is_patient: bool,
    },
}

/// A way and a motion, not measured yet.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The way, on foot and by jumps.
    pub journey: route::RouteJourney,
    /// The motion.
    pub performance: PlannedMotion,
    /// Where it was to end.
    pub goal: Planar,
    /// Frames that were made now; the others are those of the performance that was repaired.
    pub changed: Range<usize>,
    /// What the stages cost.
    pub timings: PlanTimings,
}

/// The best walk of a task.
pub(super) struct Cleared {
    pub best: Tried,
    /// How many were tried.
    pub walks: usize,
    /// What was met on the first of them.
    pub met: Option<ObstacleMet>,
    /// Milliseconds of the others.
    corrections: f64,
}

/// Something that a body met on its way.
pub(super) struct ObstacleMet {
    body: Vec2,
    /// The number of the obstacle, how far the way was from it, and how deep the body was in it.
    obstacle: usize,
    apart: f32,
    depth: f32,
}

impl ObstacleMet {
    /// Whether another way gains some of the room that was missing. Near the ends of a leg, and between two things, none
    /// does.
    fn is_passed_by(
        &self,
        legs: &[steps::StepLeg],
        obstacles: &[Obstacle],
        settings: &PlannerSettings,
    ) -> bool {
        let apart = nearest(legs, self.body).map(|at| obstacles[self.obstacle].distance_beside(at));
        apart.is_some_and(|apart| apart - self.apart > settings.gains * self.depth)
    }

    /// True if the body would meet it on another way as well. What it hardly touched it may miss by stepping otherwise.
    pub fn is_met_by(
        &self,
        legs: &[steps::StepLeg],
        obstacles: &[Obstacle],
        settings: &PlannerSettings,
    ) -> bool {
        self.depth > settings.deep && !self.is_passed_by(legs, obstacles, settings)
    }
}

/// A walk, and what the body meets on it.
pub(super) struct Tried {
    journey: route::RouteJourney,
    /// Milliseconds it took to find the way.
    search: f64,
    goal: Planar,
    branch: RepairBranch,
    /// What the body meets in frames that are new, counted from the first of them.
    pub touches: ObstacleTouches,
}

impl Tried {
    fn is_clear(&self) -> bool {
        self.touches.frames.is_none()
    }

    /// Whichever touches less; an earlier one if they are alike.
    fn or(self, earlier: Option<Self>) -> Self {
        match earlier {
            Some(earlier) if earlier.touches.all.frames <= self.touches.all.frames => earlier,
            _ => self,
        }
    }

    /// What the body is deepest in on a way.
    fn met(&self, legs: &[steps::StepLeg], obstacles: &[Obstacle]) -> Option<ObstacleMet> {
        let (frame, obstacle) = self.touches.all.worst?;
        let body = self.branch.performance.body[frame].position;
        let apart = obstacles[obstacle].distance_beside(nearest(legs, body)?);
        Some(ObstacleMet { body, obstacle, apart, depth: self.touches.all.depth })
    }

    /// Whether something is touched so soon that another departure is to be tried before another way.
    fn fails_soon(&self, task: &PlanTask, settings: &PlannerSettings) -> bool {
        let PlanTask::Detour { is_patient: false, .. } = task else { return false };
        self.touches.frames.is_some_and(|[first, _]| first <= settings.later)
    }

    /// The same task with a later return to the old walk, if it is there that something is touched: no push leads past
    /// that.
    fn later<'a>(&self, task: &PlanTask<'a>, settings: &PlannerSettings) -> Option<PlanTask<'a>> {
        let &PlanTask::Detour { before, departure, passage, is_patient, .. } = task else {
            return None;
        };
        let ([until, again], [_, last]) = (self.branch.again?, self.touches.frames?);
        let merges = last + settings.merging > until;
        merges.then_some(PlanTask::Detour { before, departure, again, passage, is_patient })
    }
}

impl CharacterPlanner {
    /// A motion along the way of a task. If the body touches something it is made again: the same way with more room around
    /// that, and if that does not help, perhaps another way around what is grown by the depth. A way that was told is
    /// walked as it is.
    pub(super) fn cleared(
        &self,
        mut task: PlanTask,
        way: ClearedRoute,
    ) -> Result<Cleared, PlanFailure> {
        let first = self.tried(&task, &way, &way.legs)?;
        let met = first.met(&way.legs, &self.world.obstacles);
        let mut cleared = Cleared { best: first, walks: 1, met, corrections: 0.0 };
        if self.trip.told.is_none() {
            let clock = &self.trip.options.clock;
            let began = clock.now();
            cleared = self.pushed(&mut task, &way, cleared);
            cleared = self.led_round(&task, &way, cleared);
            cleared.corrections = clock.since(began);
        }
        Ok(cleared)
    }

    /// The same way with more room around what is touched, or with a later return to the old walk.
    fn pushed(&self, task: &mut PlanTask, way: &ClearedRoute, cleared: Cleared) -> Cleared {
        let (settings, obstacles) = (self.settings(), &self.world.obstacles);
        let is_whole = matches!(task, PlanTask::Whole);
        let Cleared { best: mut last, mut walks, met, corrections } = cleared;
        let mut best: Option<Tried> = None;
        let (mut room, mut legs) = (way.room.clone(), way.legs.clone());
        for _ in 0..if is_whole { settings.pushes } else { settings.detour_pushes } {
            if last.is_clear() {
                break;
            }
            let later = last.later(task, settings);
            if let Some(later) = later {
                *task = later;
            } else {
                let spare = if is_whole {
                    [settings.spare, 1.0]
                } else {
                    [settings.detour_spare, settings.detour_share]
                };
                room.demand(&legs, &last.branch.performance, &last.touches, obstacles, spare);
                let pushed = room.given(&way.found, obstacles);
                let met = last.met(&legs, obstacles);
                let gains = met.is_some_and(|met| met.is_passed_by(&pushed, obstacles, settings));
                if pushed == legs || !(is_whole || gains) {
                    break;
                }
                legs = pushed;
            }
            let Ok(next) = self.tried(task, way, &legs) else { break };
            // Whoever is on the way already has no time for what hardly helps.
            let helps = is_whole
                || later.is_some()
                || next.touches.all.depth < settings.helps * last.touches.all.depth;
            best = Some(last.or(best));
            (last, walks) = (next, walks + 1);
            if !helps {
                break;
            }
        }
        Cleared { best: last.or(best), walks, met, corrections }
    }

    /// Other ways around what is still touched.
    fn led_round(&self, task: &PlanTask, way: &ClearedRoute, cleared: Cleared) -> Cleared {
        let settings = self.settings();
        let is_whole = matches!(task, PlanTask::Whole);
        let growth = [settings.first_growth, settings.second_growth];
        let Cleared { mut best, mut walks, met, corrections } = cleared;
        let mut worst = best.touches.worst.clone();
        let mut grown = self.world.obstacles.clone();
        for more in if is_whole { [settings.spare; 2] } else { growth } {
            if best.is_clear() || best.fails_soon(task, settings) {
                break;
            }
            let before = grown.clone();
            let touched = grown.iter_mut().zip(&worst).filter(|(_, worst)| worst.0 > 0.0);
            touched.for_each(|(obstacle, worst)| grow(obstacle, worst.0 + more));
            let Ok(network) = self.around(&grown, is_whole) else { break };
            let round = self.routes().way(task, &network).ok();
            let longest = settings.longest_detour * way.journey.length;
            let Some(round) = round.filter(|round| round.journey.length <= longest) else {
                // What has no way round any more, or a long one, stays as it is.
                if is_whole {
                    break;
                }
                grown = before;
                continue;
            };
            let Ok(next) = self.tried(task, &round, &round.legs) else { break };
            walks += 1;
            worst.clone_from(&next.touches.worst);
            best = next.or(Some(best));
        }
        Cleared { best, walks, met, corrections }
    }

    /// The whole of what was made of a task.
    pub(super) fn draft(&self, task: &PlanTask, cleared: Cleared) -> Result<Draft, PlanFailure> {
        let Cleared { best, corrections, .. } = cleared;
        let Tried { journey, search, mut goal, branch, .. } = best;
        let (performance, changed) = match task {
            PlanTask::Whole => {
                let changed = 0..branch.frames();
                (branch.performance, changed)
            }
            PlanTask::Detour { before, .. } => {
                let Repair { performance, changed } = branch.grafted(before)?;
                // What arrives as it was planned before faces the way it did.
                if let (Some(_), Some(last)) = (branch.again, performance.body.last()) {
                    goal.heading = self.trip.goal.heading.unwrap_or(last.heading);
                }
                (performance, changed)
            }
        };
        let timings = PlanTimings { preparation: self.world.preparation, search, corrections };
        Ok(Draft { journey, performance, goal, changed, timings })
    }

    /// The world with other obstacles.
    pub(super) fn around(&self, grown: &[Obstacle], is_whole: bool) -> Result<Network, FloorError> {
        let radius = self.world.body.walker.clearance.radius;
        if is_whole {
            self.world.network.with_obstacles(grown, radius)
        } else {
            self.world.network.roughly_with_obstacles(grown, radius)
        }
    }

    /// A walk, and what the body meets on it.
    fn tried(
        &self,
        task: &PlanTask,
        way: &ClearedRoute,
        legs: &[steps::StepLeg],
    ) -> Result<Tried, PlanFailure> {
        let (goal, branch) = self.walked(task, legs)?;
        let touches = self.touches(&branch.performance, 0..branch.frames());
        Ok(Tried { journey: way.journey.clone(), search: way.search, goal, branch, touches })
    }

    /// The motion of a task along a way, and where it is to end.
    fn walked(
        &self,
        task: &PlanTask,
        legs: &[steps::StepLeg],
    ) -> Result<(Planar, RepairBranch), PlanFailure> {
        let Trip { start, goal: post, options, .. } = &self.trip;
        let (leaving, arriving) = headings(legs);
        let goal = Planar::new(post.place, post.heading.unwrap_or(arriving));
        let walkable = |place: Vec2| self.walkable(place);
        let (mut world, planner) = (self.ground(&walkable), &self.world.body.planner);
        let branch = match *task {
            PlanTask::Whole => {
                let start = Planar::new(start.place, start.heading.unwrap_or(leaving));
                let journey = steps::StepJourney { start, goal, legs: legs.to_vec() };
                let mut performance = planner.perform(&journey, &world, options)?;
                // Who steps ducks by itself.
                if planner.ducked_height().is_none() && self.trip.ducks {
                    let body = &self.world.body;
                    let from = Vec3::new(start.position.x, 1e6, start.position.y);
                    let from =
                        self.trip.start.height.map_or(from, |height| from.with_y(height + 0.1));
                    let room = HeadRoom {
                        stoop: &body.stoop.0,
                        repertoire: planner.repertoire(),
                        radius: body.walker.clearance.radius,
                        spare: body.stoop.1,
                        floor: world.ground.height_below(from, f32::INFINITY).unwrap_or(0.0),
                    };
                    room.bend(&mut performance, &self.world.obstacles);
                }
                RepairBranch { performance, cut: 0, again: None }
            }
            PlanTask::Detour { before, departure, again, .. } => {
                let root = before.clip.frame(departure.frame)[0].translation;
                world.level = world.ground.height_below(root, f32::INFINITY);
                let detour = Detour { departure, legs, goal, again: Some(again) };
                planner.branch(before, &detour, &world, options)?
            }
        };
        Ok((goal, branch))
    }
}

/// Makes an obstacle wider all around.
fn grow(obstacle: &mut Obstacle, by: f32) {
    match &mut obstacle.shape {
        ObstacleShape::Box(size) => {
            size.x += 2.0 * by;
            size.z += 2.0 * by;
        }
        ObstacleShape::Cylinder { radius, .. } => *radius += by,
        ObstacleShape::Mesh(mesh) => *mesh = Arc::new(mesh.grown(by)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Vec3, vec2};

    #[test]
    fn a_way_as_close_to_what_was_met_deeply_meets_it_again() {
        let shape = ObstacleShape::Cylinder { radius: 0.2, height: 2.0 };
        let post =
            Obstacle { name: "post".into(), shape, at: Vec3::new(0.3, 0.0, 2.0), heading: 0.0 };
        let along = |x: f32| [steps::StepLeg::Walk(vec![vec2(x, 0.0), vec2(x, 2.0), vec2(x, 4.0)])];
        let met =
            |depth: f32| ObstacleMet { body: vec2(0.02, 2.1), obstacle: 0, apart: 0.1, depth };
        let posts = [post];
        let is_met = |depth: f32, x: f32| {
            met(depth).is_met_by(&along(x), &posts, &PlannerSettings::default())
        };
        assert!(is_met(0.2, 0.0) && is_met(0.2, 0.1) && is_met(0.2, -0.05));
        assert!(!is_met(0.2, -0.07), "some of the room that was missing is gained");
        assert!(!is_met(0.04, 0.0), "another step may miss it");
    }
}
