//! Why a part cannot be played, in words that help.

use super::PlanningWorld;
use andante_plan::route::{
    self, Clearance, FloorError, JumpRange, NavAgent, Network, NoRoute, RouteOptions, Spot,
};
use andante_plan::steps::StepError;
use andante_skeleton::{SettingError, told_apart};
use andante_world::{Ground, Obstacle};
use glam::{Vec2, Vec3};
use thiserror::Error;

/// The reason for which a character's part cannot be played.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum PlanFailure {
    /// The world has an impossible floor.
    #[error(transparent)]
    Floor(#[from] FloorError),
    /// There is no way.
    #[error(transparent)]
    Route(#[from] NoRoute),
    /// Something is where the part begins or ends.
    #[error(
        "the {what} ({:.2}, {:.2}) is blocked: `{by}` is {} m away, the body needs {} m",
        .place.x, .place.y, told_apart(*.distance, *.needed, 2), told_apart(*.needed, *.distance, 2)
    )]
    Blocked {
        /// The start or the goal.
        what: &'static str,
        /// Where that is.
        place: Vec2,
        /// What is there.
        by: String,
        /// How far it is from the place, in metres; 0 inside it.
        distance: f32,
        /// How far it must be.
        needed: f32,
    },
    /// The only ways lead over ground that is too steep.
    #[error(
        "there is no way but over `{name}`, which rises by {}°; {}° is the most that is walked on",
        told_apart(*.degrees, *.most, 0), told_apart(*.most, *.degrees, 0)
    )]
    Steep {
        /// The patch of ground.
        name: String,
        /// How steep it is.
        degrees: f32,
        /// How steep it may be.
        most: f32,
    },
    /// The only ways lead up or down something too high.
    #[error(
        "there is no way without a ledge of {} m; {} m is the highest step",
        told_apart(*.rise, *.step, 2), told_apart(*.step, *.rise, 2)
    )]
    Ledge {
        /// The least height of a step that would lead there, in metres.
        rise: f32,
        /// The highest step, in metres.
        step: f32,
    },
    /// The only ways lead through passages too narrow.
    #[error(
        "there is no way but through a passage {} m wide; the body needs {} m",
        told_apart(*.width, *.needed, 2), told_apart(*.needed, *.width, 2)
    )]
    Narrow {
        /// The width of the widest passage, in metres.
        width: f32,
        /// How wide it would have to be.
        needed: f32,
    },
    /// The only ways lead over ground too narrow to be walked on.
    #[error(
        "there is no way but over ground {} m wide; feet need {} m",
        told_apart(*.width, *.needed, 2), told_apart(*.needed, *.width, 2)
    )]
    Beam {
        /// The width of the widest ground, in metres.
        width: f32,
        /// How wide it would have to be.
        needed: f32,
    },
    /// The only ways lead below ground that is too low.
    #[error("there is no way with {needed:.2} m of room for the head")]
    HeadRoom {
        /// How much is needed, in metres.
        needed: f32,
    },
    /// A number of the scene's settings is out of its range.
    #[error("settings.{group}: {0}", group = .0.group.as_deref().unwrap_or_default())]
    Settings(#[from] SettingError),
    /// No footprints lead to the goal.
    #[error("no footprints of the roadmap lead from the start to the goal")]
    NoFootprints,
    /// What came of it is not so, as an independent check found.
    #[error("{}{found}", if *.at_start {
        "where it stands nobody can: "
    } else {
        "no way was found that stands up to a check; on the best "
    })]
    Refuted {
        /// What was found.
        found: String,
        /// Whether that is so where it begins already, before it has made a step.
        at_start: bool,
    },
    /// What came of it could not be checked.
    #[error("the way that was found cannot be checked: {0}")]
    Unchecked(String),
    /// The way cannot be stepped.
    #[error(transparent)]
    Steps(#[from] StepError),
    /// Something is met before the body can stop or go round it, or by every walk that was tried.
    #[error("{}", unavoidable(.by, *.seconds, *.depth, *.walks))]
    Unavoidable {
        /// What it is.
        by: String,
        /// From the change until the body is in it.
        seconds: f32,
        /// How deep at worst, in metres.
        depth: f32,
        /// Walks that were tried; this is about the best of them.
        walks: usize,
    },
}

/// Says what was tried, so that nobody takes a narrow passage for a closed one.
fn unavoidable(by: &str, seconds: f32, depth: f32, walks: usize) -> String {
    let met = format!("{seconds:.2} s after the change the body is {depth:.2} m deep in it");
    match walks {
        0 => format!("`{by}` cannot be avoided any more: {met}, before its way can change"),
        _ => format!(
            "`{by}` cannot be avoided by any of {walks} walks that were tried, straight on and after a stop, with more room and by other ways: on the best {met}"
        ),
    }
}

impl PlanningWorld {
    /// What closes the only way because it hangs too low.
    pub(super) fn too_low(
        &self,
        [start, goal]: [Spot; 2],
        options: &RouteOptions,
    ) -> Option<PlanFailure> {
        let walker = &self.body.walker;
        let dwarf = NavAgent { ducked: walker.step, ..walker.clone() };
        let network = Network::new(&self.place.patches, &self.obstacles, &dwarf).ok()?;
        let journey = network.find(start, goal, options).ok()?;
        let places = || {
            journey.legs.iter().flat_map(|leg| match leg {
                route::RouteLeg::Walk(places) => &places[..],
                route::RouteLeg::Jump(_) => &[],
            })
        };
        self.obstacles.iter().find_map(|obstacle| {
            let at = Vec3::new(obstacle.at.x, obstacle.bottom(), obstacle.at.z);
            let height = obstacle.bottom() - self.place.ground.probe(at, 1e3)?.point.y;
            let reach = walker.clearance.radius;
            let hangs = height > dwarf.ducked && height < walker.ducked;
            let is_met = hangs && places().any(|&place| obstacle.distance_beside(place) < reach);
            is_met.then(|| {
                PlanFailure::Steps(StepError::TooLow {
                    name: obstacle.name.clone(),
                    height,
                    needed: walker.ducked,
                })
            })
        })
    }

    /// Why there is no way: what would have to be otherwise for there to be one.
    pub(super) fn why(
        &self,
        ends: [Spot; 2],
        options: &RouteOptions,
        none: NoRoute,
    ) -> PlanFailure {
        if !matches!(none, NoRoute::Enclosed { .. } | NoRoute::Gap { .. } | NoRoute::Apart { .. }) {
            return self.explained(none);
        }
        if let Some(low) = self.too_low(ends, options) {
            return low;
        }
        let own = &self.body.walker;
        let found = |walker: &NavAgent| {
            let network = Network::new(&self.place.patches, &self.obstacles, walker).ok()?;
            network.find(ends[0], ends[1], options).ok()
        };
        // The least change that leads there, between none and all of it.
        let least = |change: &dyn Fn(f32) -> NavAgent| {
            found(&change(1.0))?;
            let (mut short, mut enough) = (0.0, 1.0);
            for _ in 0..6 {
                let half = 0.5 * (short + enough);
                if found(&change(half)).is_some() { enough = half } else { short = half }
            }
            Some(enough)
        };
        let higher = |part: f32| own.step + part * (own.height - own.step);
        if let Some(part) = least(&|part| NavAgent { step: higher(part), ..own.clone() }) {
            return PlanFailure::Ledge { rise: higher(part), step: own.step };
        }
        let Clearance { radius, rim } = own.clearance;
        // Gaps stay as wide as they are.
        let reach = |own: &Option<JumpRange>, nearer: f32| {
            let shorter = |reach: f32| (reach - 2.0 * nearer).max(0.0);
            own.map(|own| JumpRange { reach: own.reach.map(shorter), ..own })
        };
        let kept = |radius: f32, nearer: f32| NavAgent {
            clearance: Clearance { radius, rim: rim - nearer },
            stride: reach(&own.stride, nearer),
            jump: reach(&own.jump, nearer),
            ..own.clone()
        };
        if let Some(part) = least(&|part| kept(radius * (1.0 - 0.98 * part), 0.0)) {
            let width = 2.0 * radius * (1.0 - 0.98 * part);
            return PlanFailure::Narrow { width, needed: 2.0 * radius };
        }
        if let Some(part) = least(&|part| kept(radius, 0.95 * part * rim)) {
            let width = 2.0 * rim * (1.0 - 0.95 * part);
            return PlanFailure::Beam { width, needed: 2.0 * rim };
        }
        let anywhere = NavAgent { slope: f32::INFINITY, ..own.clone() };
        if let Some(journey) = found(&anywhere) {
            return self.steep(&journey).unwrap_or_else(|| self.explained(none));
        }
        let bowed = NavAgent { height: own.step + 0.05, ducked: own.step, ..own.clone() };
        if found(&bowed).is_some() {
            return PlanFailure::HeadRoom { needed: own.height };
        }
        self.explained(none)
    }

    /// The steepest ground on a way.
    fn steep(&self, journey: &route::RouteJourney) -> Option<PlanFailure> {
        let places = journey.walks.iter().flat_map(|walk| &walk.curve.samples);
        let below = places.filter_map(|place| {
            self.place.ground.patch_below(Vec3::new(place.x, 1e6, place.y), f32::INFINITY)
        });
        let (patch, hit) = below.min_by(|a, b| a.1.normal.y.total_cmp(&b.1.normal.y))?;
        let degrees = libm::acosf(hit.normal.y.clamp(-1.0, 1.0)).to_degrees();
        let most = libm::atanf(self.body.walker.slope).to_degrees();
        (degrees > most).then(|| PlanFailure::Steep {
            name: self.place.patches[patch].platform.name.clone(),
            degrees,
            most,
        })
    }

    /// Names what is in the way of a start or goal.
    pub(super) fn explained(&self, none: NoRoute) -> PlanFailure {
        let (what, place) = match none {
            NoRoute::StartBlocked(place) => ("start", place),
            NoRoute::GoalBlocked(place) => ("goal", place),
            other => return other.into(),
        };
        let from = |obstacle: &Obstacle| obstacle.distance_beside(place).max(0.0);
        let near = |obstacle: &&Obstacle| from(obstacle) < self.body.walker.clearance.radius;
        let blocking = self.obstacles.iter().filter(near);
        match blocking.min_by(|a, b| from(a).total_cmp(&from(b))) {
            Some(obstacle) => PlanFailure::Blocked {
                what,
                place,
                by: obstacle.name.clone(),
                distance: from(obstacle),
                needed: self.body.walker.clearance.radius,
            },
            None => none.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_what_was_tried_before_it() {
        let refused = |walks| PlanFailure::Unavoidable {
            by: "crate".into(),
            seconds: 1.5,
            depth: 0.02,
            walks,
        };
        let text = refused(0).to_string();
        assert!(text.contains("cannot be avoided any more"), "{text}");
        assert!(text.contains("before its way can change"), "{text}");
        let text = refused(7).to_string();
        assert!(text.contains("`crate` cannot be avoided by any of 7 walks"), "{text}");
        assert!(text.contains("1.50 s after the change the body is 0.02 m deep"), "{text}");
    }
}
