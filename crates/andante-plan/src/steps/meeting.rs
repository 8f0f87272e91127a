//! Where a new way comes back to an old one, so that the rest of what was planned can stay.

use super::StepGround;
use super::course::{SPACING, SampledCourse};
use super::itinerary::forward;
use super::planner::Record;
use super::score::{TimelineStep, smootherstep};
use super::vocabulary::{ActionMoment, Vocabulary};
use andante_skeleton::Planar;
use glam::Vec2;

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
    /// Over this length a new course goes over into it.
    merge: f32,
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
        let settings = &vocabulary.settings.repair.meeting;
        let mut landings: Vec<usize> =
            record.plot.stances.iter().map(|stance| stance.frames[0]).collect();
        landings.sort_unstable();
        let next = |frame: usize| landings.iter().find(|&&later| later >= frame + settings.settled);
        landings.iter().filter(|&&frame| frame >= after).find_map(|&frame| {
            let again = next(frame)? + settings.into_stance;
            let end = again + settings.beyond;
            let ahead = record.beats.get(frame..=end)?;
            let walks =
                |beat: &TimelineStep| beat.act.is_none() && !beat.stands && beat.rest < 1e-3;
            let at = ahead[0].course;
            let is_open =
                world.overhead.iter().all(|low| low.distance_beside(at.position) > settings.free);
            if !(is_open && ahead.iter().all(walks)) {
                return None;
            }
            let (place, gone, direction) = nearest(way, at.position)?;
            let speed = ahead[0].speed;
            let least =
                (settings.cycles * speed / vocabulary.cadence(speed)).max(2.0 * settings.merge);
            let meets = place.distance(at.position) < settings.near
                && direction.dot(forward(at.heading)) > settings.along
                && gone > least;
            let behind = meets.then(|| behind(&record.beats[..=frame], settings.merge))?;
            let first = *behind.get((settings.merge / SPACING) as usize)?;
            let (from, ..) = nearest(way, first)?;
            let moment = ActionMoment { speed, cycles: Some(ahead[0].cycles.rem_euclid(1.0)) };
            let merge = settings.merge;
            let meeting = Self { frame, again, end, at, moment, behind, merge };
            (from.distance(first) < settings.apart).then_some(meeting)
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
            if left < self.merge {
                let old =
                    self.behind[((left / SPACING).round() as usize).min(self.behind.len() - 1)];
                *place = place.lerp(old, smootherstep(1.0 - left / self.merge));
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
fn behind(beats: &[TimelineStep], merge: f32) -> Vec<Vec2> {
    let count = (merge / SPACING) as usize + 1;
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
