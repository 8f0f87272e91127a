//! A take from beginning to end, everybody at once.

use crate::clearance::between;
use crate::tally;
use crate::track::TrackCheck;
use crate::world::World;
use crate::{CheckSettings, Demand, Verdict, Violation, ViolationKind};
use andante_skeleton::parallel;
use andante_take::{TakeFileError, TakeSource, Track};

/// Frames that are looked at together: memory holds no more of a take.
const TOGETHER: usize = 128;

/// Looks at every frame of a take. With a demand the world, starts and goals are those that were asked for; without one
/// they are those the take says.
pub fn check(
    take: &dyn TakeSource,
    demand: Option<&Demand>,
    settings: &CheckSettings,
) -> Result<Verdict, TakeFileError> {
    let mut world = World::new(take, demand);
    let parts = demand.map_or(&[][..], |demand| &demand.parts);
    for spot in parts.iter().flat_map(|part| [part.start, part.goal]).flatten() {
        world.prepare(spot.place);
    }
    let fps = take.head().fps;
    let count = take.names().len();
    let mut checks: Vec<Option<TrackCheck>> = (0..count).map(|_| None).collect();
    for from in (0..take.frames()).step_by(TOGETHER) {
        let mut together: Vec<(usize, Track)> = Vec::with_capacity(count);
        for index in 0..count {
            let until = (from + TOGETHER).min(take.frames_of(index));
            if from < until {
                together.push((index, take.part(index, from..until)?));
            }
        }
        for (index, track) in &together {
            TrackCheck::places(track).for_each(|place| world.prepare(place));
            let part = demand.map(|_| parts.get(*index).cloned().unwrap_or_default());
            checks[*index].get_or_insert_with(|| TrackCheck::new(track, part, fps));
        }
        let mut here = together.iter().peekable();
        let mut pairs: Vec<(&Track, &mut TrackCheck)> = Vec::with_capacity(together.len());
        for (index, check) in checks.iter_mut().enumerate() {
            match (here.next_if(|(next, _)| *next == index), check) {
                (Some((_, track)), Some(check)) => pairs.push((track, check)),
                (None, Some(check)) => check.placed.clear(),
                _ => {}
            }
        }
        let world = &world;
        parallel::for_each(&mut pairs, |(track, check)| check.part(track, from, world, settings));
        others(&mut pairs, from, settings, fps);
        for (index, track) in &together {
            if let Some(check) =
                checks[*index].as_mut().filter(|_| from + TOGETHER >= take.frames_of(*index))
            {
                check.finish(track, world, take.things(), settings);
            }
        }
    }
    let checks = checks.into_iter().flatten();
    let mut verdict = Verdict::default();
    for check in checks {
        verdict.frames += check.frames;
        verdict.violations.extend(check.tally.into_violations());
    }
    // Who was asked for and is not there, or there and not asked for.
    let names = take.names();
    for (index, part) in parts.iter().enumerate().skip(names.len()) {
        let who = part.name.clone().unwrap_or_else(|| format!("number {}", index + 1));
        verdict.violations.push(absent(who, "nobody is there"));
    }
    for name in names.iter().skip(parts.len()).filter(|_| demand.is_some()) {
        verdict.violations.push(absent((*name).into(), "nobody asked for it"));
    }
    tally::sort(&mut verdict.violations);
    Ok(verdict)
}

fn absent(who: String, what: &str) -> Violation {
    let kind = ViolationKind::Cast;
    Violation { kind, who, what: what.into(), time_s: 0.0, value: 1.0, limit: 0.0, frames: 1 }
}

/// Notes who is inside whom.
fn others(
    pairs: &mut [(&Track, &mut TrackCheck)],
    from: usize,
    settings: &CheckSettings,
    fps: f32,
) {
    for b in 1..pairs.len() {
        let (before, rest) = pairs.split_at_mut(b);
        let (other_track, other) = &mut rest[0];
        for (track, one) in before {
            let frames = one.placed.len().min(other.placed.len());
            for frame in 0..frames {
                let (Some(a), Some(b)) = (&one.placed[frame], &other.placed[frame]) else {
                    continue;
                };
                let Some((depth, [own, met])) = between((&one.volume, a), (&other.volume, b))
                else {
                    continue;
                };
                let limit = settings.other_depth_m * one.scale.min(other.scale);
                let time = (from + frame) as f32 / fps;
                let names = [&one.volume.capsules[own].name, &other.volume.capsules[met].name];
                let what = |own: &str, whose: &str, met: &str| format!("{own} in {whose}'s {met}");
                let kind = ViolationKind::ThroughOther;
                one.tally
                    .note(kind, time, depth, limit, || what(names[0], &other_track.name, names[1]));
                other
                    .tally
                    .note(kind, time, depth, limit, || what(names[1], &track.name, names[0]));
            }
        }
    }
}
