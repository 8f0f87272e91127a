//! Another way when the world has changed.

use super::draft::{Cleared, Draft, ObstacleMet, PlanTask};
use super::{CharacterPlanner, PlanFailure};
use crate::Collisions;
use andante_plan::steps::{Departure, PlannedMotion, StepError};
use andante_skeleton::parallel;
use andante_world::{Ground, Obstacle};
use std::cell::OnceCell;

impl CharacterPlanner {
    /// Keeps a performance up to a time and then goes to the goal through the world as it is now. The change is made at
    /// the next step, or after the jump that is under way, and where the new way comes back to the old one the rest is
    /// kept as it was. `None` if nothing has come into its way.
    ///
    /// A repaired body touches nothing: what has come too close to stop before it or to go round it is
    /// [`PlanFailure::Unavoidable`].
    pub fn repair(&self, before: &PlannedMotion, time: f32) -> Result<Option<Draft>, PlanFailure> {
        // All of it where the other cores can take a share without being asked each time.
        parallel::together(|| self.repaired(before, time))
    }

    fn repaired(&self, before: &PlannedMotion, time: f32) -> Result<Option<Draft>, PlanFailure> {
        let clock = &self.trip.options.clock;
        let began = clock.now();
        let departures = self.world.body.planner.departures(before, time, &self.trip.options)?;
        let now = (time * before.clip.fps()) as usize;
        let Some([first, last]) = self.span(before, now) else { return Ok(None) };
        let checked = clock.since(began);
        // What is met on the walk that meets least, and when.
        let mut least: Option<(Collisions, usize)> = None;
        let (mut walks, mut refused) = (0, None);
        let mut leads_back = false;
        let passage = OnceCell::new();
        // What is met before the way can change is met whatever is done then.
        let radius = self.world.body.walker.clearance.radius;
        let room = |departure: &Departure| self.room_ahead(before, departure);
        let is_open = |departure: &Departure| {
            first >= departure.frame && room(departure) >= self.settings().straight_on * radius
        };
        let mut open: Vec<Departure> = departures.into_iter().filter(is_open).collect();
        // Whoever has no room to turn where it would stop stops sooner.
        open.sort_by_cached_key(|departure| {
            departure.halts && room(departure) < radius + self.settings().turning
        });
        let mut met: Option<ObstacleMet> = None;
        // Other ways of leaving come first, then other ways.
        for is_patient in [false, true] {
            for departure in std::mem::take(&mut open) {
                // Farther on, a way back is no less sharp.
                if leads_back && !departure.halts {
                    continue;
                }
                let again = last + 1;
                let detour =
                    PlanTask::Detour { before, departure, again, passage: &passage, is_patient };
                let way = self.routes().roomy_way(&detour);
                // Whoever goes on a little farther and then the same way meets the same: a stop comes first.
                if !(departure.halts || is_patient)
                    && let (Ok(way), Some(met)) = (&way, &met)
                    && met.is_met_by(&way.legs, &self.world.obstacles, self.settings())
                {
                    open.push(departure);
                    continue;
                }
                match way.and_then(|way| self.cleared(detour, way)) {
                    Ok(cleared) => {
                        let Some([first, _]) = cleared.best.touches.frames else {
                            let mut draft = self.draft(&detour, cleared)?;
                            draft.timings.search += checked;
                            return Ok(Some(draft));
                        };
                        walks += cleared.walks;
                        met = met.or(cleared.met);
                        let touched = cleared.best.touches.all;
                        if least.is_none_or(|(least, _)| touched.depth < least.depth) {
                            least = Some((touched, departure.frame + first));
                        }
                        // What is met much later is met however the old way is left.
                        if first > self.settings().later {
                            break;
                        }
                        open.push(departure);
                    }
                    Err(failure) => {
                        leads_back |=
                            matches!(failure, PlanFailure::Steps(StepError::TooSharp { .. }));
                        refused = Some(failure);
                    }
                }
            }
        }
        Err(match (least, refused) {
            (Some((least, first)), _) => self.unavoidable(least, first - now, walks),
            (None, Some(failure)) => failure,
            (None, None) => {
                let touches = self.touches(before, now..before.body.len());
                self.unavoidable(touches.all, first - now, 0)
            }
        })
    }

    /// Leaves a motion at the next step for another goal, or to go on at another speed.
    pub(crate) fn redirect(&self, before: &PlannedMotion, time: f32) -> Result<Draft, PlanFailure> {
        let options = &self.trip.options;
        let passage = OnceCell::new();
        let mut least: Option<(f32, PlanTask, Cleared)> = None;
        let mut refused = StepError::NoSuchTime(time).into();
        for departure in self.world.body.planner.departures(before, time, options)? {
            // The old way is not taken up again.
            let again = usize::MAX;
            let task =
                PlanTask::Detour { before, departure, again, passage: &passage, is_patient: false };
            match self.routes().roomy_way(&task).and_then(|way| self.cleared(task, way)) {
                Ok(cleared) if cleared.best.touches.frames.is_none() => {
                    return self.draft(&task, cleared);
                }
                Ok(cleared) => {
                    let depth = cleared.best.touches.all.depth;
                    if least.as_ref().is_none_or(|(less, ..)| depth < *less) {
                        least = Some((depth, task, cleared));
                    }
                }
                Err(failure) => refused = failure,
            }
        }
        let (_, task, cleared) = least.ok_or(refused)?;
        self.draft(&task, cleared)
    }

    /// How far the straight way to where a new one would begin is from what stands beside it, in metres.
    fn room_ahead(&self, before: &PlannedMotion, departure: &Departure) -> f32 {
        let [from, to] = [departure.from, departure.at].map(|at| at.position);
        let root = before.clip.frame(departure.frame)[0].translation;
        let Some(ground) = self.world.place.ground.probe(root, f32::INFINITY) else {
            return f32::INFINITY;
        };
        let (feet, head) = (
            ground.point.y + self.world.body.walker.step,
            ground.point.y + self.world.body.walker.ducked,
        );
        let reach = self.settings().straight_on * self.world.body.walker.clearance.radius;
        let parts = (from.distance(to) / (0.5 * reach)).ceil().max(1.0);
        let places = || (0..=parts as usize).map(|part| from.lerp(to, part as f32 / parts));
        let stands = |obstacle: &&Obstacle| obstacle.bottom() < head && obstacle.top() > feet;
        let beside = |obstacle: &Obstacle| {
            places().map(|place| obstacle.distance_beside(place)).fold(f32::INFINITY, f32::min)
        };
        self.world.obstacles.iter().filter(stands).map(beside).fold(f32::INFINITY, f32::min)
    }

    /// What is in the way of a body that could not be led past it, so many frames from now on.
    fn unavoidable(&self, met: Collisions, frames: usize, walks: usize) -> PlanFailure {
        let by =
            met.worst.map_or(String::new(), |(_, index)| self.world.obstacles[index].name.clone());
        PlanFailure::Unavoidable {
            by,
            seconds: frames as f32 / crate::FPS,
            depth: met.depth,
            walks,
        }
    }
}
