//! Whether a character begins and ends where it was asked to.

use crate::tally::Tally;
use crate::world::{Moment, World};
use crate::{CheckSettings, DemandedSpot, ViolationKind};
use andante_skeleton::rotation::{heading, wrap_angle};
use andante_skeleton::{Character, Foot, Transform};
use andante_take::RigidTrack;
use glam::{Quat, Vec2, Vec3};

/// Where a body is: in plan, the levels it stands on, and where it faces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BodyPlace {
    pub place: Vec2,
    /// The lowest and the highest.
    pub levels: Option<[f32; 2]>,
    pub heading: f32,
}

/// The heights of the lowest and of the highest foot of a posed body, by the lowest point of each sole; none without feet.
pub(crate) fn soles(character: &Character, models: &[Transform]) -> Option<[f32; 2]> {
    let height = |foot: &Foot| {
        let points = [foot.heel, foot.ball].map(|point| point.position(models).y);
        points.into_iter().fold(f32::INFINITY, f32::min)
    };
    let heights = || character.rig.feet.iter().map(height);
    Some([heights().reduce(f32::min)?, heights().reduce(f32::max)?])
}

impl BodyPlace {
    /// By its hips, and by its soles if they bear it: beside an edge what is below the hips is not what it stands on.
    pub fn new(
        (hips, soles): (Transform, Option<[f32; 2]>),
        rest: Quat,
        world: &World,
        moment: Moment,
    ) -> Self {
        let place = Vec2::new(hips.translation.x, hips.translation.z);
        let below = || world.highest(place, hips.translation.y, Some(moment)).map(|own| [own; 2]);
        Self { place, levels: soles.or_else(below), heading: Self::heading(hips.rotation, rest) }
    }

    /// The heading of hips, relative to how they are at rest.
    pub fn heading(hips: Quat, rest: Quat) -> f32 {
        heading(hips * rest.conjugate())
    }
}

/// A spot on something that moves, where it is in a frame: it is told by where it was in the first.
pub(crate) fn carried(
    spot: DemandedSpot,
    thing: Option<&RigidTrack>,
    frame: usize,
) -> DemandedSpot {
    let Some((first, now)) = thing.and_then(|thing| thing.at(0).zip(thing.at(frame))) else {
        return spot;
    };
    let moved = now * first.inverse();
    let place = moved.transform_point(Vec3::new(spot.place.x, first.translation.y, spot.place.y));
    let turned = heading(moved.rotation);
    DemandedSpot {
        place: Vec2::new(place.x, place.z),
        height: spot.height.map(|height| height + now.translation.y - first.translation.y),
        heading: spot.heading.map(|heading| heading + turned),
    }
}

/// The level a spot is on.
pub(crate) fn level(spot: &DemandedSpot, world: &World, moment: Moment) -> Option<f32> {
    let from = spot.height.map_or(f32::MAX, |height| height + 0.1);
    world.highest(spot.place, from, Some(moment))
}

/// Notes where a body begins.
pub(crate) fn start(
    body: &BodyPlace,
    (spot, by_forces): (&DemandedSpot, bool),
    world: &World,
    settings: &CheckSettings,
    tally: &mut Tally,
) {
    let moment = Moment { frame: 0, time: 0.0 };
    let [near_m, near_deg] = if by_forces { settings.goal_by_forces } else { settings.start };
    let far = body.place.distance(spot.place);
    tally.note(ViolationKind::StartPlace, 0.0, far, near_m, String::new);
    if let Some(heading) = spot.heading {
        let turned = wrap_angle(body.heading - heading).abs().to_degrees();
        tally.note(ViolationKind::StartHeading, 0.0, turned, near_deg, String::new);
    }
    storey(ViolationKind::StartStorey, body, level(spot, world, moment), moment, settings, tally);
}

/// Notes where a body ends.
pub(crate) fn end(
    body: &BodyPlace,
    (spot, storey_m): (&DemandedSpot, Option<f32>),
    moment: Moment,
    by_forces: bool,
    settings: &CheckSettings,
    tally: &mut Tally,
) {
    let [near_m, near_deg] = if by_forces { settings.goal_by_forces } else { settings.goal };
    let far = body.place.distance(spot.place);
    tally.note(ViolationKind::GoalPlace, moment.time, far, near_m, String::new);
    if let Some(heading) = spot.heading {
        let turned = wrap_angle(body.heading - heading).abs().to_degrees();
        tally.note(ViolationKind::GoalHeading, moment.time, turned, near_deg, String::new);
    }
    storey(ViolationKind::GoalStorey, body, storey_m, moment, settings, tally);
}

fn storey(
    kind: ViolationKind,
    body: &BodyPlace,
    asked: Option<f32>,
    moment: Moment,
    settings: &CheckSettings,
    tally: &mut Tally,
) {
    let off = match (body.levels, asked) {
        (Some([low, high]), Some(asked)) => (low - asked).max(asked - high).max(0.0),
        // Nothing was asked for that could be missed.
        (_, None) => return,
        (None, Some(_)) => f32::INFINITY,
    };
    let words =
        |level: Option<f32>| level.map_or("nothing".into(), |level| format!("{level:.2} m"));
    tally.note(kind, moment.time, off, settings.storey_m, || {
        format!("on {} instead of {}", words(body.levels.map(|[low, _]| low)), words(asked))
    });
}
