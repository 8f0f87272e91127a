//! Where a new way comes back to an old one, so that the rest of what was planned can stay.

use super::StepGround;
use super::course::SampledCourse;
use super::itinerary::forward;
use super::planner::Record;
use super::score::{TimelineStep, smootherstep};
use super::vocabulary::{ActionMoment, Vocabulary};
use andante_skeleton::Planar;
use glam::Vec2;

/// Frames from the next landing after a meeting to where the old performance is taken up again, and those that are
/// looked at beyond that: what is mixed and smoothed there must not feel the end.
const INTO_STANCE: usize = 12;
const BEYOND: usize = 45;

/// Frames from the meeting to the next landing at least, so that it comes when it did.
const SETTLED: usize = 14;

/// How far beside the old way the new one may be where they meet, in metres, and the cosine of the angle between them.
const NEAR: f32 = 0.12;
const ALONG: f32 = 0.95;

/// Over this length the new way goes over into the old one, in metres, and how far they are apart there at most.
const MERGE: f32 = 1.4;
const APART: f32 = 0.45;

/// Cycles of the gait there must be before a meeting, so that it can be met on the right foot.
const CYCLES: f32 = 4.0;

/// Nobody meets an old way under something low, in metres.
const FREE: f32 = 1.0;

/// Distance between the places of the old way that are kept, in metres.
const SPACING: f32 = 0.05;

/// A frame of an old performance that a new one leads to.
pub(super) struct Meeting {
    pub frame: usize,
    /// Where the old performance is taken up again, and how far it is looked at.
    pub again: usize,
    pub end: usize,
    /// The old course there.
    pub at: Planar,
    pub moment: ActionMoment,
    /// Where the old course has been at equal distances before, backwards.
    behind: Vec<Vec2>,
}

impl Meeting {
    /// The first step of the old performance from a frame on, that a way passes as the old one did.
    pub fn find(
        record: &Record,
        after: usize,
        way: &[Vec2],
        vocabulary: &Vocabulary,
        world: &StepGround,
    ) -> Option<Self> {
        let mut landings: Vec<usize> =
            record.plot.stances.iter().map(|stance| stance.frames[0]).collect();
        landings.sort_unstable();
        let next = |frame: usize| landings.iter().find(|&&later| later >= frame + SETTLED);
        landings.iter().filter(|&&frame| frame >= after).find_map(|&frame| {
            let again = next(frame)? + INTO_STANCE;
            let end = again + BEYOND;
            let ahead = record.beats.get(frame..=end)?;
            let walks =
                |beat: &TimelineStep| beat.act.is_none() && !beat.stands && beat.rest < 1e-3;
            let at = ahead[0].course;
            let is_open = world.overhead.iter().all(|low| low.distance_beside(at.position) > FREE);
            if !(is_open && ahead.iter().all(walks)) {
                return None;
            }
            let (place, gone, direction) = nearest(way, at.position)?;
            let speed = ahead[0].speed;
            let least = (CYCLES * speed / vocabulary.cadence(speed)).max(2.0 * MERGE);
            let meets = place.distance(at.position) < NEAR
                && direction.dot(forward(at.heading)) > ALONG
                && gone > least;
            let behind = meets.then(|| behind(&record.beats[..=frame]))?;
            let first = *behind.get((MERGE / SPACING) as usize)?;
            let (from, ..) = nearest(way, first)?;
            let moment = ActionMoment { speed, cycles: Some(ahead[0].cycles.rem_euclid(1.0)) };
            (from.distance(first) < APART).then_some(Self { frame, again, end, at, moment, behind })
        })
    }

    /// Leads a course over into the old one and ends it there. None if it does not come near.
    pub fn lead(&self, course: &SampledCourse) -> Option<SampledCourse> {
        let apart = |place: &Vec2| place.distance_squared(self.at.position);
        let places = course.places.iter().enumerate();
        let (last, _) = places.min_by(|a, b| apart(a.1).total_cmp(&apart(b.1)))?;
        let mut places = course.places[..=last].to_vec();
        for (index, place) in places.iter_mut().enumerate() {
            let left = (last - index) as f32 * course.spacing;
            if left < MERGE {
                let old =
                    self.behind[((left / SPACING).round() as usize).min(self.behind.len() - 1)];
                *place = place.lerp(old, smootherstep(1.0 - left / MERGE));
            }
        }
        SampledCourse::through(&places)
    }
}

/// The place of a way that is nearest to another place, how far along the way it is, and the direction there.
fn nearest(way: &[Vec2], to: Vec2) -> Option<(Vec2, f32, Vec2)> {
    let mut gone = 0.0;
    let mut found: Option<(f32, (Vec2, f32, Vec2))> = None;
    for pair in way.windows(2) {
        let (from, along) = (pair[0], pair[1] - pair[0]);
        let length = along.length();
        if length > 0.0 {
            let part = ((to - from).dot(along) / (length * length)).clamp(0.0, 1.0);
            let place = from + part * along;
            let apart = place.distance_squared(to);
            if found.is_none_or(|(least, _)| apart < least) {
                found = Some((apart, (place, gone + part * length, along / length)));
            }
        }
        gone += length;
    }
    found.map(|(_, found)| found)
}

/// Where a course has been, backwards from its last frame, at equal distances.
fn behind(beats: &[TimelineStep]) -> Vec<Vec2> {
    let count = (MERGE / SPACING) as usize + 1;
    let mut places = Vec::with_capacity(count);
    let mut gone = 0.0;
    let mut later: Option<Vec2> = None;
    for beat in beats.iter().rev() {
        let place = beat.course.position;
        let from = later.unwrap_or(place);
        let step = from.distance(place);
        while places.len() < count && places.len() as f32 * SPACING <= gone + step {
            let part = (places.len() as f32 * SPACING - gone) / step.max(1e-6);
            places.push(from.lerp(place, part.clamp(0.0, 1.0)));
        }
        if places.len() == count || beat.stands {
            break;
        }
        gone += step;
        later = Some(place);
    }
    places
}
