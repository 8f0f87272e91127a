//! Clips that are played once: jumps.

use super::rest::print_of;
use super::{Vocabulary, rest};
use andante_play::repertoire::{ClipClass, RepertoireClip};
use andante_skeleton::{Planar, Transform, rotation};
use glam::Vec2;

/// Where in a gait something begins or ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::steps) struct ActionMoment {
    /// In m/s.
    pub speed: f32,
    /// Cycles of the gait since the strike of the left foot; `None` at rest.
    pub cycles: Option<f32>,
}

impl ActionMoment {
    pub const REST: Self = Self { speed: 0.0, cycles: None };

    /// The same with left and right exchanged.
    pub fn swapped(&self) -> Self {
        Self { cycles: self.cycles.map(|cycles| (cycles + 0.5).rem_euclid(1.0)), ..*self }
    }
}

/// A jump.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::steps) struct Action {
    pub clip: usize,
    pub seconds: f32,
    pub entry: ActionMoment,
    pub exit: ActionMoment,
    /// Course of the gait before and after, seen from the clip's first placement.
    pub courses: [Planar; 2],
    /// Unit vector from the one to the other.
    pub ahead: Vec2,
    /// From and to which part of the clip it is in the air.
    pub flight: [f32; 2],
    /// How far ahead of the course's start the tip is that leaves the ground last, and the heel that
    /// comes down first.
    pub tip: f32,
    pub heel: f32,
}

impl Action {
    /// Metres from the tip at take-off to the heel at landing.
    pub fn reach(&self) -> f32 {
        self.heel - self.tip
    }

    /// The distance that the course has gone ahead at the end.
    pub fn length(&self) -> f32 {
        self.courses[0].position.distance(self.courses[1].position)
    }
}

/// Steps in which a clip is looked through.
const STEPS: usize = 240;

/// All jumps of a repertoire, the shortest first.
pub(super) fn actions(vocabulary: &Vocabulary) -> Vec<Action> {
    let clips = vocabulary.repertoire.clips();
    let mut found: Vec<Action> = (0..clips.len())
        .filter(|&clip| clips[clip].class() == ClipClass::Action && !clips[clip].is_cyclic())
        .filter_map(|clip| action(vocabulary, clip))
        .collect();
    found.sort_by(|a, b| a.reach().total_cmp(&b.reach()));
    found
}

fn action(vocabulary: &Vocabulary, index: usize) -> Option<Action> {
    let clip = &vocabulary.repertoire.clips()[index];
    let flight = flight(clip)?;
    let seconds = clip.period();
    let pace = |from: f32, to: f32| {
        let way = clip.travel(to).position.distance(clip.travel(from).position);
        way / ((to - from) * seconds)
    };
    let tenth = (0.15 / seconds).clamp(0.02, 0.5);
    let entry = moment(vocabulary, clip, 0.0, pace(0.0, tenth));
    let exit = moment(vocabulary, clip, 1.0, pace(1.0 - tenth, 1.0));
    // The clip's placements are those of its hips: the course is where a gait has it.
    let course = |at: f32, moment: &ActionMoment| {
        let run = f32::from(moment.speed > vocabulary.border);
        let hips = moment.cycles.map_or(Planar::IDENTITY, |cycles| {
            vocabulary.hips(vocabulary.phase(cycles, run), moment.speed)
        });
        clip.travel(at).then(&hips.inverse())
    };
    let courses = [course(0.0, &entry), course(1.0, &exit)];
    let ahead = (courses[1].position - courses[0].position).try_normalize()?;
    let along = |point: Vec2| (point - courses[0].position).dot(ahead);
    // Footprints of the last stance before the flight and the first after it.
    let (mut tip, mut heel) = (f32::NEG_INFINITY, f32::INFINITY);
    for foot in 0..2 {
        let shape = &vocabulary.rest.shapes[foot];
        let near = 0.08 / seconds;
        for (at, leaves) in [(flight[0], true), (flight[1], false)] {
            let Some(print) = print_near(clip, foot, at, near, leaves) else { continue };
            let direction = Vec2::new(libm::sinf(print.heading), libm::cosf(print.heading));
            let point = |offset: f32| along(print.position + direction * offset);
            if leaves {
                tip = tip.max(point(shape.tip));
            } else {
                heel = heel.min(point(shape.heel));
            }
        }
    }
    let action = Action { clip: index, seconds, entry, exit, courses, ahead, flight, tip, heel };
    (tip.is_finite() && heel.is_finite() && action.reach() > 0.2).then_some(action)
}

/// The longest stretch with no foot down.
fn flight(clip: &RepertoireClip) -> Option<[f32; 2]> {
    let down = |step: usize| {
        let phase = step as f32 / STEPS as f32;
        clip.feet().iter().any(|foot| foot.down(phase).contains(&true))
    };
    let (mut best, mut since) = (None, None);
    for step in 0..=STEPS {
        match (down(step), since) {
            (false, None) => since = Some(step),
            (true, Some(from)) => {
                let longer = best.is_none_or(|[a, b]: [usize; 2]| step - from > b - a);
                // In the middle: what is cut off at an end is no jump.
                if from > 0 && longer {
                    best = Some([from, step]);
                }
                since = None;
            }
            _ => {}
        }
    }
    best.map(|[from, to]| [(from as f32 - 0.5) / STEPS as f32, to as f32 / STEPS as f32])
}

/// The footprint of a foot that leaves the ground, or comes down, close to a moment.
fn print_near(
    clip: &RepertoireClip,
    foot: usize,
    at: f32,
    near: f32,
    leaves: bool,
) -> Option<Planar> {
    let spans = &clip.feet()[foot];
    let stance = spans.stances().into_iter().find(|span| {
        let edge = if leaves { span.end } else { span.start };
        (edge - at).abs() <= near + 1.5 / STEPS as f32
    })?;
    let mut sum: Option<(Planar, f32)> = None;
    for step in 0..=24 {
        let phase = (stance.start + (stance.end - stance.start) * step as f32 / 24.0).min(1.0);
        let down = spans.down(phase);
        let weight = if down == [true; 2] { 1.0 } else { 0.01 };
        let sole = clip.tracks()[foot].at(phase);
        let place = clip.travel(phase);
        let world = |point| place.then(&Planar::new(rest::flat(point), 0.0)).position;
        let print = print_of(world(sole.heel), world(sole.ball));
        sum = Some(match sum {
            None => (print, weight),
            Some((mean, total)) => {
                let share = weight / (total + weight);
                let turn = rotation::wrap_angle(print.heading - mean.heading);
                let position = mean.position.lerp(print.position, share);
                (Planar::new(position, mean.heading + share * turn), total + weight)
            }
        });
    }
    sum.map(|(print, _)| print)
}

/// The moment of a gait that is most like a clip at one of its ends.
fn moment(vocabulary: &Vocabulary, clip: &RepertoireClip, at: f32, speed: f32) -> ActionMoment {
    if speed < vocabulary.settings.mix.still {
        return ActionMoment::REST;
    }
    let joints = vocabulary.character().skeleton.len();
    let mut own = vec![Transform::IDENTITY; joints];
    clip.sample(at, &mut own);
    let (mut scratch, mut voices) = (Vec::new(), Vec::new());
    let run = f32::from(speed > vocabulary.border);
    let rest = vocabulary.mix(speed, 0.0, run, &mut scratch, &mut voices);
    let (mut pose, mut sample) = (own.clone(), own.clone());
    let steps = 64;
    let mut best = (f32::INFINITY, 0.0);
    for step in 0..steps {
        let phase = step as f32 / steps as f32;
        super::mix_pose(vocabulary, phase, rest, &voices, &mut sample, &mut pose);
        let unlike: f32 = pose
            .iter()
            .zip(&own)
            .skip(1)
            .map(|(a, b)| rotation::angle_between(a.rotation, b.rotation).powi(2))
            .sum();
        if unlike < best.0 {
            best = (unlike, phase);
        }
    }
    ActionMoment { speed, cycles: Some(vocabulary.cycles(best.1, run > 0.5)) }
}
