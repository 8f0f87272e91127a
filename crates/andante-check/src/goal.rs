//! Whether a character begins and ends where it was asked to.

use crate::tally::Tally;
use crate::world::{Moment, World};
use crate::{CheckSettings, DemandedSpot, ViolationKind};
use andante_skeleton::rotation::{heading, wrap_angle};
use andante_skeleton::{Foot, Rig, Transform};
use andante_take::RigidTrack;
use glam::{Quat, Vec2, Vec3};

/// Where a body is: in plan, the levels it stands on, and where it faces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BodyPlace {
    pub place: Vec2,
    /// What is below its hips.
    pub level: Option<f32>,
    /// The lowest and the highest of its soles, if they bear it.
    pub soles: Option<[f32; 2]>,
    pub heading: f32,
}

/// Hips, and heights of the lowest and the highest sole if they bear the body.
pub(crate) type HipsAndSoles = (Transform, Option<[f32; 2]>);

/// The heights of the lowest and of the highest foot on which a posed body stands, by the lowest point of each sole: of all
/// of them if none is down, and none without feet.
pub(crate) fn soles(
    rig: &Rig,
    models: &[Transform],
    down: impl Fn(usize) -> bool,
) -> Option<[f32; 2]> {
    let height = |foot: &Foot| {
        let points = [foot.heel, foot.ball].map(|point| point.position(models).y);
        points.into_iter().fold(f32::INFINITY, f32::min)
    };
    let feet = || rig.feet.iter().enumerate();
    let any = feet().any(|(index, _)| down(index));
    let heights = || feet().filter(|(index, _)| !any || down(*index)).map(|(_, foot)| height(foot));
    Some([heights().reduce(f32::min)?, heights().reduce(f32::max)?])
}

impl BodyPlace {
    /// By its hips and its soles.
    pub fn new((hips, soles): HipsAndSoles, rest: Quat, world: &World, moment: Moment) -> Self {
        let place = Vec2::new(hips.translation.x, hips.translation.z);
        let level = world.highest(place, hips.translation.y, Some(moment));
        Self { place, level, soles, heading: Self::heading(hips.rotation, rest) }
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
    let asked = level(spot, world, moment);
    let body = BodyPlace { soles: body.soles.filter(|_| settings.start_by_soles), ..*body };
    storey(ViolationKind::StartStorey, &body, (spot, asked), moment, settings, tally);
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
    storey(ViolationKind::GoalStorey, body, (spot, storey_m), moment, settings, tally);
}

fn storey(
    kind: ViolationKind,
    body: &BodyPlace,
    (spot, asked): (&DemandedSpot, Option<f32>),
    moment: Moment,
    settings: &CheckSettings,
    tally: &mut Tally,
) {
    let stands = stands_on(body.level, body.soles.filter(|_| spot.height.is_some()));
    let words =
        |level: Option<f32>| level.map_or("nothing".into(), |level| format!("{level:.2} m"));
    tally.note(kind, moment.time, off(stands, asked), settings.storey_m, || {
        format!("on {} instead of {}", words(stands.map(|[low, _]| low)), words(asked))
    });
}

/// The lowest and the highest level that somebody stands on. Where a height was asked for, soles decide: beside an edge what is
/// below the hips is not what it stands on. A spot without one may be on a tread of stairs, with feet on the next.
pub(crate) fn stands_on(below: Option<f32>, soles: Option<[f32; 2]>) -> Option<[f32; 2]> {
    soles.or(below.map(|level| [level; 2]))
}

/// The distance from the level that was asked for, in metres; none if nothing was asked for that could be missed.
pub(crate) fn off(stands: Option<[f32; 2]>, asked: Option<f32>) -> f32 {
    match (stands, asked) {
        (Some([low, high]), Some(asked)) => (low - asked).max(asked - high).max(0.0),
        (_, None) => 0.0,
        (None, Some(_)) => f32::INFINITY,
    }
}
