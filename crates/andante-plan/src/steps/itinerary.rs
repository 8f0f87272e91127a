//! From a journey to a score.

use super::course::SampledCourse;
use super::meeting::Meeting;
use super::score::{PlacedAction, Timeline, WalkJoins};
use super::vocabulary::{Action, ActionMoment, Vocabulary};
use super::{Jump, StepError, StepGround, StepJourney, StepLeg, StepOptions};
use andante_skeleton::{Planar, Polyline, rotation};
use glam::Vec2;
use std::f32::consts::FRAC_PI_2;

/// How a way ends.
pub(super) enum Arrival<'a> {
    /// Standing somewhere.
    Rest(Planar),
    /// In the midst of another walk.
    Meeting(&'a Meeting),
}

impl Arrival<'_> {
    fn heading(&self) -> f32 {
        match self {
            Self::Rest(goal) => goal.heading,
            Self::Meeting(meeting) => meeting.at.heading,
        }
    }
}

/// Writes the score of a journey from rest to rest.
pub(super) fn compose<'a>(
    vocabulary: &'a Vocabulary,
    journey: &StepJourney,
    world: &StepGround<'a>,
    options: &StepOptions,
) -> Result<Timeline<'a>, StepError> {
    let mut score = Timeline::new(vocabulary, world, options);
    check(journey)?;
    score.hold(journey.start, vocabulary.settings.timeline.hold_before)?;
    go(&mut score, journey, ActionMoment::REST)?;
    score.hold(journey.goal, vocabulary.settings.timeline.hold_after)?;
    score.finish();
    Ok(score)
}

/// Goes a journey from a moment on, to rest.
pub(super) fn go(
    score: &mut Timeline,
    journey: &StepJourney,
    entry: ActionMoment,
) -> Result<(), StepError> {
    check(journey)?;
    let (stretches, leaps) = split(score.vocabulary, journey, &score.options)?;
    travel(score, journey.start, &stretches, leaps, &Arrival::Rest(journey.goal), entry)?;
    Ok(())
}

/// Goes along stretches with jumps between them, and faces the goal. Says whether it arrives as it was to.
pub(super) fn travel(
    score: &mut Timeline,
    start: Planar,
    stretches: &[Vec<Vec2>],
    leaps: Vec<PlacedAction>,
    arrival: &Arrival,
    entry: ActionMoment,
) -> Result<bool, StepError> {
    let settings = score.vocabulary.settings.timeline;
    let mut place = start;
    let mut moment = entry;
    let whole: f32 = stretches.iter().flat_map(|s| s.windows(2)).map(|p| p[0].distance(p[1])).sum();
    let seconds = whole / score.pace();
    if seconds.is_nan() || seconds > settings.longest {
        return Err(StepError::TooLong(seconds));
    }
    if let Arrival::Rest(goal) = *arrival
        && leaps.is_empty()
        && entry.cycles.is_none()
        && whole < settings.sidle
    {
        sidle(score, place, goal)?;
        return Ok(true);
    }
    let StepOptions { hairpin, hairpin_length, other_foot, .. } = score.options;
    // Corners that nobody walks round are stood at and turned round on the spot.
    let pieces: Vec<(bool, Vec<Vec2>)> = stretches
        .iter()
        .flat_map(|stretch| {
            let pieces = between_hairpins(stretch, hairpin, hairpin_length);
            let last = pieces.len().saturating_sub(1);
            pieces.into_iter().enumerate().map(move |(index, piece)| (index == last, piece))
        })
        .collect();
    let last = pieces.len() - 1;
    let mut leaps = leaps.into_iter();
    for (index, (is_end, stretch)) in pieces.iter().enumerate() {
        let leap = is_end.then(|| leaps.next()).flatten();
        let nowhere = StepError::NoRunUp { room: 0.0, needed: 0.0, from: 0.0, to: 0.0 };
        let mut course = SampledCourse::along(stretch).ok_or(nowhere)?;
        let meeting = match arrival {
            Arrival::Meeting(meeting) if index == last => Some(meeting),
            _ => None,
        };
        if let Some(meeting) = meeting {
            let Some(led) = meeting.lead(&course) else { return Ok(false) };
            course = led;
        }
        if moment.cycles.is_none() {
            let turn = rotation::wrap_angle(course.headings[0] - place.heading);
            if turn.abs() > settings.turn_at_start {
                let goes_on = index > 0 && !pieces[index - 1].0;
                if goes_on {
                    place = score.turn_round(place, turn)?;
                } else {
                    place = score.turn(place, turn)?;
                    score.hold(place, 0.05)?;
                }
            }
        }
        course.face(place.heading, true, 0.8);
        let exit = match (&leap, meeting) {
            (Some(leap), _) => score.vocabulary.actions[leap.action].entry,
            (None, Some(meeting)) => meeting.moment,
            (None, None) => ActionMoment::REST,
        };
        if index == last {
            face_end(&mut course, arrival.heading(), settings.turn_at_goal);
        }
        let early = course.at(0.9).heading - course.at(0.0).heading;
        let foot = usize::from((early <= 1e-3) != other_foot);
        let ends = WalkJoins { entry: moment, exit, exact: meeting.is_some() };
        let swapped = score.walk(&course, ends, foot, 2.0)?;
        if meeting.is_some() {
            return Ok(!swapped);
        }
        place = course.at(course.length());
        if !is_end {
            moment = ActionMoment::REST;
        }
        if let Some(mut leap) = leap {
            let action = &score.vocabulary.actions[leap.action];
            leap.mirrored = swapped;
            moment = if swapped { action.exit.swapped() } else { action.exit };
            place = leap.ends[1];
            score.jump(leap)?;
        }
    }
    if let Arrival::Rest(goal) = arrival {
        let turn = rotation::wrap_angle(goal.heading - place.heading);
        if turn.abs() > 1e-3 {
            score.hold(place, 0.1)?;
            score.turn(place, turn)?;
        }
    }
    Ok(true)
}

/// The parts of a line between corners that turn by more than an angle, in radians, however finely it was drawn: over so
/// many metres before and after them.
pub fn between_hairpins(places: &[Vec2], angle: f32, near: f32) -> Vec<Vec<Vec2>> {
    let line = Polyline::through(places.to_vec());
    let mut corners: Vec<(usize, f32, f32)> = Vec::new();
    let mut along = 0.0;
    for corner in 1..places.len().saturating_sub(1) {
        along += places[corner - 1].distance(places[corner]);
        // What is shorter than its sides are long is no corner.
        if along.min(line.length() - along) < 0.5 * near {
            continue;
        }
        let [before, after] = [along - near, along + near].map(|at| line.place(at));
        let (sides, turn) = {
            let (a, b) = (places[corner] - before, after - places[corner]);
            (a.length() + b.length(), a.angle_to(b).abs())
        };
        if turn.is_nan() || turn <= angle {
            continue;
        }
        // Where a line leads back on itself, all places beside the corner turn back as it does, but farther on is less of it.
        let turn = turn * sides;
        match corners.last_mut() {
            // Of those that are close together the sharpest is the corner.
            Some(known) if along - known.2 <= near => {
                if turn > known.1 {
                    *known = (corner, turn, along);
                }
            }
            _ => corners.push((corner, turn, along)),
        }
    }
    let mut from = 0;
    let ends = corners.iter().map(|(corner, ..)| *corner).chain([places.len().saturating_sub(1)]);
    ends.map(|to| {
        let piece = places[from..places.len().min(to + 1)].to_vec();
        from = to;
        piece
    })
    .collect()
}

/// Faces the way it is to arrive, if its last steps can take that in.
fn face_end(course: &mut SampledCourse, heading: f32, most: f32) {
    let turn = rotation::wrap_angle(heading - course.headings[course.places.len() - 1]);
    if turn.abs() <= most {
        course.face(heading, false, 1.0);
    }
}

/// A short way, forwards, backwards or sideways, as it comes.
fn sidle(score: &mut Timeline, mut place: Planar, goal: Planar) -> Result<(), StepError> {
    let turn = rotation::wrap_angle(goal.heading - place.heading);
    let way = place.position.distance(goal.position);
    if turn.abs() > FRAC_PI_2 || (way < 0.02 && turn.abs() > 0.02) {
        place = score.turn(place, turn)?;
        score.hold(place, 0.1)?;
    }
    if way < 1e-3 {
        return Ok(());
    }
    let course = SampledCourse::sidling(place, goal);
    let aside = place.to(&goal);
    let left = aside.position.x + 0.2 * rotation::wrap_angle(aside.heading) > 1e-3;
    // Sideways a foot must not step across the other one.
    let steps = (way / 0.35).max(aside.position.x.abs() / 0.14).ceil() + 1.0;
    let ends = WalkJoins { entry: ActionMoment::REST, exit: ActionMoment::REST, exact: false };
    score.walk(&course, ends, usize::from(!left), steps)?;
    Ok(())
}

fn check(journey: &StepJourney) -> Result<(), StepError> {
    let finite = |place: &Planar| place.position.is_finite() && place.heading.is_finite();
    if !finite(&journey.start) {
        return Err(StepError::NonFinite("the start"));
    }
    if !finite(&journey.goal) {
        return Err(StepError::NonFinite("the goal"));
    }
    let leg_is_finite = |leg: &StepLeg| match leg {
        StepLeg::Walk(places) => places.iter().all(|place| place.is_finite()),
        StepLeg::Jump(jump) => jump.from.is_finite() && jump.to.is_finite(),
    };
    if journey.legs.iter().all(leg_is_finite) {
        Ok(())
    } else {
        Err(StepError::NonFinite("a place of the route"))
    }
}

/// The stretches that are walked and the jumps between them.
fn split(
    vocabulary: &Vocabulary,
    journey: &StepJourney,
    options: &StepOptions,
) -> Result<(Vec<Vec<Vec2>>, Vec<PlacedAction>), StepError> {
    let straight = vocabulary.settings.timeline.run_in;
    let mut stretches = vec![vec![journey.start.position]];
    let mut leaps: Vec<PlacedAction> = Vec::new();
    // How much of the next leg a jump has covered already.
    let mut covered = 0.0;
    for leg in &journey.legs {
        match leg {
            StepLeg::Walk(places) => {
                let rest = without_first(places, covered);
                covered = 0.0;
                if let Some(stretch) = stretches.last_mut() {
                    stretch.extend(rest);
                }
            }
            StepLeg::Jump(jump) => {
                let leap = leap(vocabulary, jump, options)?;
                if let Some(stretch) = stretches.last_mut() {
                    run_in(stretch, leap.ends[0], straight);
                }
                let ahead = forward(leap.ends[1].heading);
                covered = leap.ends[1].position.distance(jump.to) + straight;
                let begin = leap.ends[1].position;
                stretches.push(vec![begin, begin + 0.5 * straight * ahead]);
                leaps.push(leap);
            }
        }
    }
    if let Some(stretch) = stretches.last_mut() {
        let last = stretch[stretch.len() - 1];
        if last.distance(journey.goal.position) > 1e-6 {
            stretch.push(journey.goal.position);
        }
    }
    Ok((stretches, leaps))
}

/// Ends a stretch with a straight run towards a jump.
fn run_in(stretch: &mut Vec<Vec2>, jump: Planar, straight: f32) {
    let ahead = forward(jump.heading);
    let beside = |place: Vec2| (jump.position - place).dot(ahead);
    // Places beside or beyond the run-in are left out, but never the first.
    while stretch.len() > 1 && beside(stretch[stretch.len() - 1]) < 1.4 * straight {
        stretch.pop();
    }
    let room = beside(stretch[stretch.len() - 1]);
    let straight = straight.min(0.5 * room);
    if straight > 0.05 {
        stretch.push(jump.position - straight * ahead);
    }
    stretch.push(jump.position);
}

fn without_first(places: &[Vec2], covered: f32) -> Vec<Vec2> {
    let Some(&first) = places.first() else { return Vec::new() };
    let mut walked = 0.0;
    let mut before = first;
    let mut rest = Vec::with_capacity(places.len());
    for &place in places {
        walked += before.distance(place);
        before = place;
        if covered <= 0.0 || walked > covered {
            rest.push(place);
        }
    }
    rest
}

pub(super) fn forward(heading: f32) -> Vec2 {
    Vec2::new(libm::sinf(heading), libm::cosf(heading))
}

/// Chooses and places a jump.
fn leap(
    vocabulary: &Vocabulary,
    jump: &Jump,
    options: &StepOptions,
) -> Result<PlacedAction, StepError> {
    let gap = jump.from.distance(jump.to);
    let needed = gap + 2.0 * options.margin.max(0.0);
    let named = |action: &Action| {
        let name = vocabulary.repertoire.clips()[action.clip].name();
        jump.clip.as_deref().is_none_or(|wanted| wanted == name)
    };
    let of_name = || vocabulary.actions.iter().enumerate().filter(|(_, a)| named(a));
    let stretch = vocabulary.settings.timeline.stretch;
    let reaches = |action: &Action| stretch * action.reach() >= needed;
    let longest = of_name().map(|(_, a)| stretch * a.reach()).fold(0.0, f32::max);
    let wanted = || jump.clip.clone().unwrap_or_default();
    let (index, action) = match of_name().find(|(_, action)| reaches(action)) {
        Some(found) => found,
        None if longest > 0.0 => {
            return Err(StepError::GapTooWide { gap, needed, reach: longest });
        }
        None => return Err(StepError::NoSuchJump(wanted())),
    };
    let ahead = (jump.to - jump.from).normalize_or(Vec2::Y);
    let longer = (needed - action.reach()).max(0.0);
    let slack = 0.5 * (action.reach() + longer - gap);
    let heading = libm::atan2f(ahead.x, ahead.y);
    let start = jump.from - ahead * (action.tip + slack);
    let end = start + ahead * (action.length() + longer);
    let ends = [Planar::new(start, heading), Planar::new(end, heading)];
    Ok(PlacedAction { action: index, mirrored: false, longer, ends })
}
