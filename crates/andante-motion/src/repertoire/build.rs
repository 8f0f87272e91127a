//! From clips to a repertoire.

use super::align::StrikePhases;
use super::bake::{self, Baker, CycleTravel};
use super::stride::{ClipStride, FootEvents};
use super::{BuildError, BuildSettings};
use crate::analysis::{ClipAnalysis, MotionClass};
use andante_play::repertoire::{
    ClipClass, FootSpans, PHASES, PhaseMap, RepertoireClip, Travel, Twist,
};
use andante_play::{Contacts, FootContacts, Interval};
use andante_skeleton::{Character, Clip, ClipError, Skeleton, parallel};

/// A clip to learn from: what was recorded or generated, and when its feet are down.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipSource {
    /// The motion, with its travel.
    pub clip: Clip,
    /// When heels and toes are down.
    pub contacts: Contacts,
    /// Whether the last frame is the first one again, farther on: one cycle, to be taken whole. Of
    /// other clips with steps the best stride is cut out.
    pub cyclic: bool,
    /// Its kind, if it is known; otherwise it is told from the motion.
    pub class: Option<ClipClass>,
}

impl ClipSource {
    /// A recorded clip and what [`analyse`](crate::analysis::analyse) found out about it. Walks and
    /// runs are cut into cycles; starts, stops, turns and jumps are played once.
    pub fn analysed(
        skeleton: &Skeleton,
        clip: &Clip,
        analysis: &ClipAnalysis,
    ) -> Result<Self, ClipError> {
        let class = match analysis.class {
            MotionClass::Stand => Some(ClipClass::Stand),
            MotionClass::Walk | MotionClass::Run | MotionClass::Climb => None,
            _ => Some(ClipClass::Action),
        };
        // Without a first frame that does not belong to the motion.
        // A motion in place is made to travel.
        let walked_off = analysis.belt.map(|belt| belt.walked_off(skeleton, clip)).transpose()?;
        let clip = walked_off.as_ref().unwrap_or(clip);
        let first = analysis.frames.start.min(clip.frame_count() - 1);
        let frames = clip.transforms()[first * clip.joint_count()..].to_vec();
        let used = Clip::new(clip.name(), skeleton, clip.fps(), frames)?;
        let skipped = clip.frame_time(first);
        let earlier = |intervals: &[Interval]| {
            let kept = intervals.iter().filter(|interval| interval.end > skipped);
            let moved = |i: &Interval| Interval::new((i.start - skipped).max(0.0), i.end - skipped);
            kept.map(moved).collect()
        };
        let foot = |foot: &FootContacts| FootContacts {
            heel: earlier(&foot.heel),
            toe: earlier(&foot.toe),
        };
        let contacts = Contacts { feet: analysis.contacts.feet.iter().map(foot).collect() };
        Ok(Self { clip: used, contacts, cyclic: analysis.cyclic, class })
    }

    /// A clip of which nothing else is known.
    pub fn new(clip: Clip, contacts: Contacts) -> Self {
        Self { clip, contacts, cyclic: false, class: None }
    }
}

/// A source and the stretch of it that is used.
struct Chosen<'a> {
    source: &'a ClipSource,
    stride: ClipStride<'a>,
    class: ClipClass,
    events: Vec<FootEvents>,
}

/// Builds all clips of a repertoire; phases are aligned within walks and within runs.
pub(super) fn build(
    character: &Character,
    sources: &[ClipSource],
    settings: &BuildSettings,
) -> Result<Vec<RepertoireClip>, BuildError> {
    let mut chosen = Vec::with_capacity(sources.len());
    for source in sources {
        let clip = || source.clip.name().to_owned();
        if source.clip.joint_count() != character.skeleton.len() {
            return Err(BuildError::Joints {
                clip: clip(),
                joints: source.clip.joint_count(),
                expected: character.skeleton.len(),
            });
        }
        if source.contacts.feet.len() != character.rig.feet.len() {
            return Err(BuildError::Feet {
                clip: clip(),
                feet: source.contacts.feet.len(),
                expected: character.rig.feet.len(),
            });
        }
        chosen.push(choose(character, source, settings)?);
    }
    let schedule = |runs: bool| {
        let gaits: Vec<Vec<FootEvents>> = chosen
            .iter()
            .filter(|c| is_gait(c.class) && (c.class == ClipClass::Run) == runs)
            .map(|c| c.events.clone())
            .collect();
        StrikePhases::of(&gaits, settings)
    };
    let (walks, runs) = (schedule(false), schedule(true));
    let baked = parallel::map(&chosen, |c| {
        let schedule = if c.class == ClipClass::Run { &runs } else { &walks };
        bake_one(character, c, schedule, settings)
    });
    baked.into_iter().collect()
}

fn is_gait(class: ClipClass) -> bool {
    !matches!(class, ClipClass::Stand | ClipClass::Action)
}

/// Finds the part of a source that is used, and its kind.
fn choose<'a>(
    character: &Character,
    source: &'a ClipSource,
    settings: &BuildSettings,
) -> Result<Chosen<'a>, BuildError> {
    let (skeleton, rig) = (&character.skeleton, &character.rig);
    let whole = |class: ClipClass| {
        let mut stride = ClipStride::whole(&source.clip, &source.contacts);
        if class == ClipClass::Stand {
            stride.range.end = stride.range.end.min(settings.longest_stand);
        }
        Chosen { source, stride, class, events: Vec::new() }
    };
    match source.class {
        Some(class @ (ClipClass::Stand | ClipClass::Action)) => return Ok(whole(class)),
        None if source.clip.duration() < 0.2 => return Ok(whole(ClipClass::Stand)),
        _ => {}
    }
    let steps = source.contacts.feet.iter().any(|foot| foot.stance().len() > 1);
    let stride = if source.cyclic && (steps || source.class.is_some() || !stays_down(source)) {
        Some(ClipStride::cyclic(skeleton, rig, &source.clip, &source.contacts))
    } else {
        ClipStride::best(&source.clip, &source.contacts)
    };
    let Some(stride) = stride else {
        if let Some(class) = source.class {
            let clip = source.clip.name().to_owned();
            return Err(BuildError::NoCycle { clip, class: class.name() });
        }
        let class = if stays_down(source) { ClipClass::Stand } else { ClipClass::Action };
        return Ok(whole(class));
    };
    let events = stride.events();
    let class = match source.class {
        Some(class) => class,
        None => classify(character, &stride, settings),
    };
    Ok(Chosen { source, stride, class, events })
}

/// Whether every foot is down from beginning to end.
fn stays_down(source: &ClipSource) -> bool {
    let duration = source.clip.duration();
    source.contacts.feet.iter().all(|foot| {
        matches!(foot.stance()[..], [stance] if stance.start < 0.1 && stance.end > duration - 0.1)
    })
}

/// The kind of a stride, from its speed and its contacts.
fn classify(character: &Character, stride: &ClipStride, settings: &BuildSettings) -> ClipClass {
    let still = settings.still;
    let period = stride.range.length();
    let baker = Baker { character, name: "", stride, ground: 0.0, straight: settings.straight };
    let round = baker.round(&PhaseMap::linear(period), PHASES, CycleTravel::Steady);
    let v = round.velocity / period;
    let turn = round.turn / period;
    if v.x.abs() > 0.5 * v.y.abs() && v.length() > still {
        return ClipClass::Side;
    }
    if v.y < -still {
        return ClipClass::Back;
    }
    if v.length() < still && turn.abs() < still && stays_in_contact(stride) {
        return ClipClass::Stand;
    }
    if flight(stride) > settings.flight { ClipClass::Run } else { ClipClass::Walk }
}

fn stays_in_contact(stride: &ClipStride) -> bool {
    stride.contacts.feet.iter().all(|foot| {
        foot.stance().iter().any(|s| s.start <= stride.range.start && s.end >= stride.range.end)
    })
}

/// Part of a stride without any foot down.
fn flight(stride: &ClipStride) -> f32 {
    const STEPS: usize = 256;
    let airborne = |step: &usize| {
        let time = stride.range.start + stride.range.length() * *step as f32 / STEPS as f32;
        let down = |i: &Interval| i.contains(time);
        let feet = &stride.contacts.feet;
        !feet.iter().any(|foot| foot.heel.iter().any(down) || foot.toe.iter().any(down))
    };
    (0..STEPS).filter(airborne).count() as f32 / STEPS as f32
}

/// Bakes a clip such that the soles that are down are on the ground on average.
fn bake_one(
    character: &Character,
    chosen: &Chosen,
    schedule: &StrikePhases,
    settings: &BuildSettings,
) -> Result<RepertoireClip, BuildError> {
    let clip = bake_above(character, chosen, schedule, (0.0, settings))?;
    match clip.ground_height() {
        Some(height) if height.abs() > settings.level => {
            bake_above(character, chosen, schedule, (height, settings))
        }
        _ => Ok(clip),
    }
}

fn bake_above(
    character: &Character,
    chosen: &Chosen,
    schedule: &StrikePhases,
    (ground, settings): (f32, &BuildSettings),
) -> Result<RepertoireClip, BuildError> {
    let Chosen { source, stride, class, events } = chosen;
    let period = stride.range.length();
    let spans = |map: &PhaseMap, cyclic: bool| -> Vec<FootSpans> {
        let to_phase = |time: f32| map.phase(time - stride.range.start).clamp(0.0, 1.0);
        let feet = stride.contacts.feet.iter();
        feet.map(|foot| FootSpans::from_contacts(foot, stride.range, cyclic, to_phase)).collect()
    };
    let baker =
        Baker { character, name: source.clip.name(), stride, ground, straight: settings.straight };
    let (clip, map, travel, feet) = match class {
        ClipClass::Action => {
            let (clip, places) = baker.once(&source.clip)?;
            let map = PhaseMap::linear(period);
            let feet = spans(&map, false);
            (clip, map, Travel::Recorded(places), feet)
        }
        ClipClass::Stand => {
            let map = PhaseMap::linear(period);
            let baked = baker.cycle(&map, bake::slow_samples(period), CycleTravel::Nowhere)?;
            let feet = vec![FootSpans::standing(); character.rig.feet.len()];
            (baked.clip, map, Travel::Round(Twist::default()), feet)
        }
        _ => {
            let map = schedule.map(events, period);
            let baked = baker.cycle(&map, PHASES, CycleTravel::Steady)?;
            let feet = spans(&map, true);
            (baked.clip, map, Travel::Round(baked.round), feet)
        }
    };
    Ok(RepertoireClip::new(character, *class, clip, map, travel, feet))
}
