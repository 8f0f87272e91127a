//! The way of a part: through the narrowest passages or with room for arms.

use super::draft::PlanTask;
use super::{PlanFailure, PlanningWorld, Trip};
use crate::PlannerSettings;
use crate::room::Room;
use andante_plan::route::{self, Network, RouteOptions, Spot};
use andante_plan::steps;
use andante_skeleton::Polyline;
use glam::Vec2;

/// Which passages a way leads through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RouteForm {
    /// Those with room for arms.
    Roomy,
    /// All that one gets through.
    Narrow,
}

/// A way as it was found.
pub(super) struct RouteFound {
    journey: route::RouteJourney,
    pub legs: Vec<steps::StepLeg>,
    /// Milliseconds it took.
    search: f64,
}

impl RouteFound {
    /// A way that was told, from its beginning or from where a motion is left for it.
    fn told(told: &[steps::StepLeg], task: &PlanTask) -> Self {
        let mut legs = told.to_vec();
        if let (PlanTask::Detour { departure, .. }, Some(steps::StepLeg::Walk(places))) =
            (task, legs.first_mut())
            && let Some(first) = places.first_mut()
        {
            *first = departure.at.position;
        }
        let length = Polyline::length_of(&places_of(&legs));
        let journey =
            route::RouteJourney { legs: legs.clone(), walks: vec![], jumps: vec![], length };
        Self { journey, legs, search: 0.0 }
    }
}

/// A way with room for the body.
pub(super) struct ClearedRoute {
    pub journey: route::RouteJourney,
    /// As it was found, and with some more room where there is any.
    pub found: Vec<steps::StepLeg>,
    pub legs: Vec<steps::StepLeg>,
    /// How much room it has.
    pub room: Room,
    /// Milliseconds it took.
    pub search: f64,
}

/// The search for ways of a trip through the world as it is now, with the room that bodies want on them.
pub(super) struct RouteFinder<'a> {
    pub world: &'a PlanningWorld,
    pub trip: &'a Trip,
}

impl RouteFinder<'_> {
    fn settings(&self) -> &PlannerSettings {
        &self.world.body.settings
    }

    /// A way with room for arms, if there is one that is not much longer.
    pub(super) fn roomy_way(&self, task: &PlanTask) -> Result<ClearedRoute, PlanFailure> {
        let found = self.roomy_found(task)?;
        if let PlanTask::Detour { before, departure, .. } = task
            && departure.is_too_sharp(&found.legs, self.trip.goal.place)
        {
            let speed = before.speed.get(departure.frame).copied().unwrap_or(0.0);
            return Err(steps::StepError::TooSharp { speed, radius: 0.0 }.into());
        }
        Ok(self.with_room(task, found))
    }

    fn roomy_found(&self, task: &PlanTask) -> Result<RouteFound, PlanFailure> {
        let narrow = || self.found(task, self.world.narrow()?);
        let PlanTask::Detour { before, departure, passage, .. } = task else { return narrow() };
        if passage.get() == Some(&RouteForm::Narrow) {
            return narrow();
        }
        let Some(way) = self.world.roomy().and_then(|network| self.found(task, network).ok())
        else {
            let way = narrow()?;
            passage.get_or_init(|| RouteForm::Narrow);
            return Ok(way);
        };
        let left = before.body[departure.frame..].windows(2);
        let left: f32 = left.map(|pair| pair[0].position.distance(pair[1].position)).sum();
        if passage.get().is_some()
            || way.journey.length < self.settings().roomy_detour * (left + 2.0)
        {
            return Ok(way);
        }
        let narrow = narrow()?;
        let is_shorter = self.settings().roomy_detour * narrow.journey.length < way.journey.length;
        passage.get_or_init(|| if is_shorter { RouteForm::Narrow } else { RouteForm::Roomy });
        Ok(if is_shorter { narrow } else { way })
    }

    /// The way of a task.
    pub(super) fn way(
        &self,
        task: &PlanTask,
        network: &Network,
    ) -> Result<ClearedRoute, PlanFailure> {
        Ok(self.with_room(task, self.found(task, network)?))
    }

    /// The shortest way of a task.
    pub(super) fn found(
        &self,
        task: &PlanTask,
        network: &Network,
    ) -> Result<RouteFound, PlanFailure> {
        if let Some(told) = &self.trip.told {
            return Ok(RouteFound::told(told, task));
        }
        let clock = &self.trip.options.clock;
        let began = clock.now();
        let spot = |post: &crate::Waypoint| Spot { place: post.place, height: post.height };
        let start = match task {
            PlanTask::Whole if self.trip.frees => {
                let Spot { place, height } = spot(&self.trip.start);
                Spot { place: freed(network, place, height), height }
            }
            PlanTask::Whole => spot(&self.trip.start),
            PlanTask::Detour { before, departure, .. } => {
                let height = Some(before.clip.frame(departure.frame)[0].translation.y);
                Spot { place: freed(network, departure.at.position, height), height }
            }
        };
        let mut journey: Option<route::RouteJourney> = None;
        let mut from = start;
        for post in self.trip.via.iter().chain([&self.trip.goal]) {
            let next = self.route(network, from, spot(post))?;
            from = spot(post);
            journey = Some(match journey {
                None => next,
                Some(mut way) => {
                    way.legs.extend(next.legs);
                    way.walks.extend(next.walks);
                    way.jumps.extend(next.jumps);
                    way.length += next.length;
                    way
                }
            });
        }
        let Some(journey) = journey else { return Err(PlanFailure::NoFootprints) };
        let mut legs = journey.legs.clone();
        let from = self.trip.start.place;
        if let (PlanTask::Whole, Some(steps::StepLeg::Walk(places))) = (task, legs.first_mut())
            && start.place != from
        {
            places.insert(0, from);
        }
        Ok(RouteFound { journey, legs, search: clock.since(began) })
    }

    /// Gives a way more room where there is any.
    fn with_room(&self, task: &PlanTask, found: RouteFound) -> ClearedRoute {
        let RouteFound { journey, legs: found, search } = found;
        let mut room = if self.trip.told.is_some() { Room::default() } else { self.room() };
        let mut given = room.given(&found, &self.world.obstacles);
        if let PlanTask::Detour { departure, .. } = task {
            // A body that rounds corners comes closer to what is behind them.
            let least = self.world.body.walker.clearance.radius + self.settings().arms;
            for _ in 0..self.settings().corner_rounds {
                let places = courses(departure, &given);
                if !room.keep(&places, least, &self.world.obstacles) {
                    break;
                }
                given = room.given(&found, &self.world.obstacles);
            }
        }
        ClearedRoute { legs: given, found, room, journey, search }
    }

    /// What a body takes on its way where it can have it: room for arms, and as much for hips that sway.
    fn room(&self) -> Room {
        Room::around(
            self.world.blocking.iter().copied(),
            self.world.body.walker.clearance.radius + 2.0 * self.settings().arms,
            self.settings(),
        )
    }

    fn route(
        &self,
        network: &Network,
        start: Spot,
        goal: Spot,
    ) -> Result<route::RouteJourney, PlanFailure> {
        let person = RouteOptions::person(self.world.body.walker.height);
        let options = RouteOptions { method: self.trip.route, ..person };
        network.find(start, goal, &options).map_err(|none| {
            // Whoever tries a network of its own does not ask why.
            if !self.world.is_narrow(network) {
                return none.into();
            }
            self.world.why([start, goal], &options, none)
        })
    }
}

/// Where a body is on its way from a departure on.
fn courses(departure: &steps::Departure, legs: &[steps::StepLeg]) -> Vec<Vec2> {
    let first = [departure.from.position, departure.at.position];
    let courses = legs.iter().enumerate().filter_map(|(index, leg)| match leg {
        steps::StepLeg::Walk(places) if index == 0 => {
            Some(steps::rounded(&[&first, &places[..]].concat()))
        }
        steps::StepLeg::Walk(places) => Some(steps::rounded(places)),
        steps::StepLeg::Jump(_) => None,
    });
    courses.flatten().collect()
}

/// The place, or the nearest beside what has come to stand there.
fn freed(network: &Network, place: Vec2, height: Option<f32>) -> Vec2 {
    let level = network.places().level_at(place, height);
    let free = level.and_then(|level| network.places().walls(level).nearest_free(place));
    free.unwrap_or(place)
}

/// All legs as one line.
pub(crate) fn places_of(legs: &[steps::StepLeg]) -> Vec<Vec2> {
    let mut places = Vec::new();
    for leg in legs {
        match leg {
            steps::StepLeg::Walk(walk) => places.extend_from_slice(walk),
            steps::StepLeg::Jump(jump) => places.extend([jump.from, jump.to]),
        }
    }
    places
}

/// Headings along the first and the last part of the way.
pub(crate) fn headings(legs: &[steps::StepLeg]) -> (f32, f32) {
    let walks = || {
        legs.iter().filter_map(|leg| match leg {
            steps::StepLeg::Walk(places) if places.len() > 1 => Some(places),
            _ => None,
        })
    };
    let heading = |pair: Option<(Vec2, Vec2)>| {
        pair.map_or(0.0, |(from, to)| libm::atan2f(to.x - from.x, to.y - from.y))
    };
    let first = walks().next().map(|places| (places[0], places[1]));
    let last =
        walks().next_back().map(|places| (places[places.len() - 2], places[places.len() - 1]));
    (heading(first), heading(last))
}
