//! What a clip does on the ground, found out once and shared by everyone who plays it.

use crate::curve::{smooth, spline};
use crate::leg::Leg;
use crate::path::Path;
use crate::sole::{FootSample, FootTrack, Sole};
use andante_motion::analysis::ClipAnalysis;
use andante_motion::edit::EditError;
use andante_motion::metrics::model_frames;
use andante_motion::synth::SynthClip;
use andante_motion::{Contacts, FootContacts, Interval};
use andante_skeleton::{Character, Clip, ClipError, Planar, Transform, rotation};
use glam::{Quat, Vec2, Vec3};
use std::sync::Arc;
use thiserror::Error;

/// Why a clip cannot be put on the ground.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum GroundClipError {
    /// The clip belongs to another skeleton.
    #[error("clip `{clip}` has {found} joints a frame, the skeleton has {expected}")]
    Clip {
        /// Name of the clip.
        clip: String,
        /// Joints per frame of the clip.
        found: usize,
        /// Joints of the skeleton.
        expected: usize,
    },
    /// The rig has no feet.
    #[error("character `{0}` has no feet")]
    NoFeet(String),
    /// The rig names joints that the skeleton does not have, or a leg without joints.
    #[error("the rig of character `{0}` does not fit its skeleton")]
    Rig(String),
    /// There is not one entry of contacts per foot.
    #[error("contacts of {found} feet for a character with {expected}")]
    Contacts {
        /// Entries found.
        found: usize,
        /// Feet of the rig.
        expected: usize,
    },
    /// A foot never touches the ground, so that nothing tells where it belongs.
    #[error("clip `{clip}`: {foot} is never on the ground")]
    NeverDown {
        /// Name of the clip.
        clip: String,
        /// Name of the foot.
        foot: String,
    },
    /// A leg has no two bones that could bend.
    #[error("{foot}: its leg has no knee to bend")]
    NoLeg {
        /// Name of the foot.
        foot: String,
    },
    /// The clip is said to repeat, but its last pose is not its first.
    #[error(
        "clip `{clip}` does not repeat: joint `{joint}` ends {degrees:.0}° from where it began"
    )]
    NotCyclic {
        /// Name of the clip.
        clip: String,
        /// The joint that differs most.
        joint: String,
        /// By how much.
        degrees: f32,
    },
    /// The height of the ground is no number.
    #[error("the height of the clip's ground is not a finite number")]
    Height,
    /// Feet that cannot be planted.
    #[error(transparent)]
    Planting(#[from] EditError),
    /// A treadmill clip that cannot be taken off its belt.
    #[error(transparent)]
    Belt(#[from] ClipError),
}

/// One stay of a foot on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stance {
    /// When it lands, in seconds of the clip.
    pub start: f32,
    /// When it leaves; infinite if it does not.
    pub end: f32,
    /// Halfway between.
    pub middle: f32,
    /// Where the flat foot is, seen from above.
    pub print: Planar,
}

/// Parts of a swing for which it is known how much of a turn belongs before them.
pub(crate) const TURNS: usize = 24;

/// A clip with everything about it that adapting it to the ground needs. Immutable; characters share it.
#[derive(Clone, Debug)]
pub struct GroundClip {
    character: Arc<Character>,
    clip: Clip,
    cyclic: bool,
    pub(crate) height: f32,
    pub(crate) path: Path,
    pub(crate) feet: Vec<FootTrack>,
    pub(crate) legs: Vec<Leg>,
    /// Mean length of the legs: the unit of every distance.
    pub(crate) unit: f32,
    /// Middle of the feet's homes.
    pub(crate) centre: Vec2,
    /// Height of the hips above the ground.
    pub(crate) hip_height: f32,
}

/// How quickly feet may turn at any time, in radians per second: 6° a sixtieth of a second.
const QUICK: f32 = std::f32::consts::TAU;
/// Contacts this close to the end of a clip, in frames, touch it.
const TOUCHES: f32 = 1.5;
/// Seconds that a foot in the air at the end of a clip is taken to stand before it, or after.
const BEYOND: f32 = 0.4;
/// Joints that end farther from where they began than this do not repeat.
const SAME_POSE: f32 = 0.3;

impl GroundClip {
    /// Finds out where feet stand in a clip, given when they do.
    ///
    /// `cyclic` clips repeat: their last frame is the first one again, farther on. `height` is that of the
    /// plane the clip was made on.
    pub fn new(
        character: &Arc<Character>,
        clip: Clip,
        contacts: &Contacts,
        cyclic: bool,
        height: f32,
    ) -> Result<Self, GroundClipError> {
        let (skeleton, rig) = (&character.skeleton, &character.rig);
        if clip.joint_count() != skeleton.len() {
            let (found, expected) = (clip.joint_count(), skeleton.len());
            return Err(GroundClipError::Clip { clip: clip.name().into(), found, expected });
        }
        check_rig(character)?;
        let (found, expected) = (contacts.feet.len(), rig.feet.len());
        if found != expected {
            return Err(GroundClipError::Contacts { found, expected });
        }
        if !height.is_finite() {
            return Err(GroundClipError::Height);
        }
        if cyclic {
            check_cyclic(character, &clip)?;
        }
        let cyclic = cyclic && clip.frame_count() > 1;
        let models = model_frames(skeleton, &clip);
        let mut legs = Vec::with_capacity(found);
        for foot in &rig.feet {
            let no_leg = || GroundClipError::NoLeg { foot: foot.name.clone() };
            legs.push(Leg::new(skeleton, foot, &clip).ok_or_else(no_leg)?);
        }
        let unit = legs.iter().map(|leg| leg.length).sum::<f32>() / legs.len() as f32;
        let mut intervals = Vec::with_capacity(found);
        for (foot, contacts) in rig.feet.iter().zip(&contacts.feet) {
            let stances = stances(contacts, &clip, cyclic);
            if stances.is_empty() {
                let (clip, foot) = (clip.name().to_owned(), foot.name.clone());
                return Err(GroundClipError::NeverDown { clip, foot });
            }
            intervals.push(stances);
        }
        let stride = stride_frames(&intervals, &clip, cyclic);
        let path = Path::new(skeleton, rig.hips, &models, cyclic, stride);
        let hip_height = models.iter().map(|frame| frame[rig.hips].translation.y).sum::<f32>()
            / models.len() as f32
            - height;
        let mut result = Self {
            character: Arc::clone(character),
            clip,
            cyclic,
            height,
            path,
            feet: Vec::with_capacity(found),
            legs,
            unit,
            centre: Vec2::ZERO,
            hip_height,
        };
        for (index, intervals) in intervals.into_iter().enumerate() {
            let track = result.track(index, &models, &intervals, &contacts.feet[index]);
            result.feet.push(track);
        }
        result.centre =
            result.feet.iter().map(|foot| foot.home).sum::<Vec2>() / result.feet.len() as f32;
        Ok(result)
    }

    /// A clip as its analysis sees it. Clips in place are taken off their treadmill first.
    pub fn from_analysis(
        character: &Arc<Character>,
        clip: &Clip,
        analysis: &ClipAnalysis,
    ) -> Result<Self, GroundClipError> {
        let clip = match &analysis.belt {
            Some(belt) => belt.walked_off(&character.skeleton, clip)?,
            None => clip.clone(),
        };
        let height = analysis.ground.height;
        Self::new(character, clip, &analysis.contacts, analysis.cyclic, height)
    }

    /// A captured or drawn clip whose feet slide: they are planted on the level first, on the height its
    /// analysis found.
    pub fn planted(
        character: &Arc<Character>,
        clip: &Clip,
        analysis: &ClipAnalysis,
    ) -> Result<Self, GroundClipError> {
        let height = analysis.ground.height;
        let planted = crate::planted::planted(character, clip, analysis)?;
        Self::new(character, planted, &analysis.contacts, analysis.cyclic, height)
    }

    /// A built-in clip, made on the plane y = 0.
    pub fn from_synth(
        character: &Arc<Character>,
        synth: &SynthClip,
    ) -> Result<Self, GroundClipError> {
        Self::new(character, synth.clip.clone(), &synth.contacts, synth.cyclic, 0.0)
    }

    /// Whose clip it is.
    pub fn character(&self) -> &Arc<Character> {
        &self.character
    }

    /// The clip as it is played: on ground that stays.
    pub fn clip(&self) -> &Clip {
        &self.clip
    }

    /// Whether it repeats.
    pub fn cyclic(&self) -> bool {
        self.cyclic
    }

    /// Height of the plane it was made on.
    pub fn height(&self) -> f32 {
        self.height
    }

    /// Whether no foot ever leaves the ground.
    pub fn idle(&self) -> bool {
        self.feet.iter().all(|foot| foot.always_down)
    }

    /// Where the body is at a time of the clip, and which way it faces: the start that plays the clip where
    /// it was made.
    pub fn placement(&self, time: f32) -> Planar {
        let (within, round) = self.within(time);
        let placed = self.path.at(within * self.clip.fps());
        round.map_or(placed, |round| round.then(&placed))
    }

    /// The stays of a foot on the ground in one round, in order.
    pub fn stances(&self, foot: usize) -> &[Stance] {
        &self.feet[foot].stances
    }

    /// A time at which a walk is best begun from standing: a foot is about to leave the ground and all are on it.
    pub fn good_start(&self) -> f32 {
        let leaving = |foot: &FootTrack| foot.stances.first().map(|stance| stance.end);
        let duration = self.clip.duration();
        let down = |time: f32| {
            let on = |foot: usize| {
                self.stance_at(foot, time).is_some_and(|(_, stance)| time <= stance.end)
            };
            (0..self.feet.len()).filter(|&foot| on(foot)).count()
        };
        let times = self.feet.iter().filter_map(leaving).filter(|end| end.is_finite());
        let times = times.map(|end| if self.cyclic { end.rem_euclid(duration) } else { end });
        times.max_by_key(|&time| down(time)).unwrap_or(0.0)
    }

    pub(crate) fn duration(&self) -> f32 {
        self.clip.duration()
    }

    /// A time of the repeating clip as time within one round and what leads to that round.
    fn within(&self, time: f32) -> (f32, Option<Planar>) {
        let duration = self.clip.duration();
        let Some(round) = self.path.round.filter(|_| !(0.0..=duration).contains(&time)) else {
            return (time, None);
        };
        let rounds = (time / duration).floor();
        let within = (time - rounds * duration).clamp(0.0, duration);
        (within, Some(power(&round, rounds as i32)))
    }

    /// A foot at any time, in the clip's space.
    pub(crate) fn sample(&self, foot: usize, time: f32) -> FootSample {
        let (within, round) = self.within(time);
        let samples = &self.feet[foot].samples;
        let last = samples.len() - 1;
        let at = (within * self.clip.fps()).max(0.0).min(last as f32);
        let index = (at as usize).min(last);
        let sample = samples[index].lerp(&samples[(index + 1).min(last)], at - index as f32);
        round.map_or(sample, |round| sample.carried(&round.to_transform()))
    }

    /// A stance by its number; numbers go on over the rounds of a clip that repeats.
    pub(crate) fn stance(&self, foot: usize, number: i32) -> Option<Stance> {
        let track = &self.feet[foot];
        let count = track.stances.len() as i32;
        match self.path.round {
            Some(round) if !track.always_down => {
                let rounds = number.div_euclid(count);
                let mut stance = track.stances[number.rem_euclid(count) as usize];
                let shift = rounds as f32 * self.duration();
                stance.start += shift;
                stance.end += shift;
                stance.middle += shift;
                if rounds != 0 {
                    stance.print = power(&round, rounds).then(&stance.print);
                }
                Some(stance)
            }
            _ => usize::try_from(number).ok().and_then(|n| track.stances.get(n)).copied(),
        }
    }

    /// The last stance of a foot that has begun by a time.
    pub(crate) fn stance_at(&self, foot: usize, time: f32) -> Option<(i32, Stance)> {
        let track = &self.feet[foot];
        let count = track.stances.len() as i32;
        let (first, last) = if self.cyclic && !track.always_down {
            let rounds = (time / self.duration()).floor() as i32;
            ((rounds - 1) * count, (rounds + 1) * count)
        } else {
            (0, count - 1)
        };
        (first..=last)
            .rev()
            .filter_map(|number| Some((number, self.stance(foot, number)?)))
            .find(|(_, stance)| stance.start <= time)
    }

    /// Whether heel and toes are down at a time of the clip.
    pub(crate) fn down(&self, foot: usize, time: f32) -> [bool; 2] {
        let (within, _) = self.within(time);
        let contacts = &self.feet[foot].contacts;
        [contacts.heel_down(within), contacts.toe_down(within)]
    }

    fn track(
        &self,
        index: usize,
        models: &[Vec<Transform>],
        intervals: &[Interval],
        contacts: &FootContacts,
    ) -> FootTrack {
        let foot = &self.character.rig.feet[index];
        let [hip, _, end] = self.legs[index].joints;
        let samples: Vec<FootSample> = models
            .iter()
            .map(|models| FootSample {
                ankle: models[foot.ankle()],
                heel: foot.heel.position(models),
                ball: foot.ball.position(models),
                tip: foot.tip.position(models),
                hip: models[hip].translation,
                end: models[end].translation,
            })
            .collect();
        let always_down = intervals.len() == 1 && intervals[0].end.is_infinite() && self.cyclic;
        let blank = Sole { heel: Vec2::ZERO, ball: Vec2::ZERO, tip: Vec2::ZERO, half_width: 0.0 };
        let mut track = FootTrack {
            stances: Vec::new(),
            turns: Vec::new(),
            always_down,
            samples,
            sole: blank,
            home: Vec2::ZERO,
            contacts: contacts.clone(),
        };
        let at = |time: f32| {
            let (within, round) = self.within(time);
            let frame = (within * self.clip.fps()).round().max(0.0) as usize;
            let sample = track.samples[frame.min(track.samples.len() - 1)];
            round.map_or(sample, |round| sample.carried(&round.to_transform()))
        };
        let mut stances = Vec::with_capacity(intervals.len());
        let mut homes = Vec2::ZERO;
        let mut sole = blank;
        for interval in intervals {
            let end = if interval.end.is_finite() {
                interval.end
            } else {
                self.duration().max(interval.start + BEYOND)
            };
            let middle = 0.5 * (interval.start + end);
            let flat = self.flat_time(contacts, &Interval::new(interval.start, end));
            let sample = at(flat);
            let under = 0.5 * (sample.heel + sample.ball);
            let along = sample.ball - sample.heel;
            let along = Vec2::new(along.x, along.z);
            let heading = if along.length() > 0.02 * self.unit {
                along.x.atan2(along.y)
            } else {
                self.placement(flat).heading
            };
            let print = Planar::new(Vec2::new(under.x, under.z), heading);
            homes += self.placement(middle).to(&print).position;
            // A foot is longest where it is flat.
            let seen = Sole::new(&sample, &print, self.unit);
            if stances.is_empty() || seen.length() > sole.length() {
                sole = seen;
            }
            stances.push(Stance { start: interval.start, end: interval.end, middle, print });
        }
        track.turns = self.turns(&track.samples, &stances);
        track.home = homes / stances.len().max(1) as f32;
        track.sole = sole;
        track.stances = stances;
        track
    }

    /// How a foot is best turned during each swing: most where it turns least in the clip, so that the two do
    /// not add up.
    fn turns(&self, samples: &[FootSample], stances: &[Stance]) -> Vec<[f32; TURNS + 1]> {
        let fps = self.clip.fps();
        let last = samples.len() - 1;
        let rotation_at = |time: f32| {
            let (within, round) = self.within(time);
            let at = (within * fps).max(0.0).min(last as f32);
            let index = (at as usize).min(last);
            let (a, b) = (&samples[index], &samples[(index + 1).min(last)]);
            let turned = a.lerp(b, at - index as f32).ankle.rotation;
            round.map_or(turned, |round| Quat::from_rotation_y(round.heading) * turned)
        };
        let swing = |index: usize| {
            let start = stances[index].end;
            let next = stances.get(index + 1).map(|next| next.start);
            let again = stances[0].start + self.duration();
            let end = next.unwrap_or(if self.cyclic { again } else { start });
            let mut speeds = [0.0f32; TURNS];
            if start.is_finite() && end > start {
                for (part, speed) in speeds.iter_mut().enumerate() {
                    let at = |part: usize| start + (end - start) * part as f32 / TURNS as f32;
                    let (a, b) = (rotation_at(at(part)), rotation_at(at(part + 1)));
                    *speed = rotation::angle_between(a, b) * TURNS as f32 / (end - start);
                }
            }
            let fastest = speeds.iter().copied().fold(QUICK, f32::max);
            let room = |part: usize| {
                let u = (part as f32 + 0.5) / TURNS as f32;
                let ends = smooth(5.0 * u) * smooth(5.0 * (1.0 - u));
                ends * (1.05 * fastest - speeds[part])
            };
            let total: f32 = (0..TURNS).map(room).sum();
            let mut turned = [0.0f32; TURNS + 1];
            for part in 0..TURNS {
                turned[part + 1] = turned[part] + room(part) / total;
            }
            // Beginning and end are exact, with slope and curvature.
            (turned[1], turned[TURNS - 1], turned[TURNS]) = (0.0, 1.0, 1.0);
            turned
        };
        (0..stances.len()).map(swing).collect()
    }

    /// How much of the turn from print to print belongs before a part of the swing after a stance.
    pub(crate) fn turned(&self, foot: usize, number: i32, u: f32) -> f32 {
        let turns = &self.feet[foot].turns;
        let Some(turns) = turns.get(number.rem_euclid(turns.len() as i32) as usize) else {
            return smooth(u);
        };
        let at = (u * TURNS as f32).clamp(0.0, TURNS as f32);
        let index = (at as usize).min(TURNS - 1);
        let control = |offset: usize| match (index + offset).checked_sub(1) {
            None => 0.0,
            Some(at) => turns.get(at).copied().unwrap_or(1.0),
        };
        spline([control(0), control(1), control(2), control(3)], at - index as f32)
    }

    /// The middle of the longest stretch in which heel and toes are down together, or of the stance.
    fn flat_time(&self, contacts: &FootContacts, stance: &Interval) -> f32 {
        let duration = self.duration();
        let mut best = Interval::new(0.0, 0.0);
        for heel in &contacts.heel {
            for toe in &contacts.toe {
                for shift in [0.0, duration] {
                    let start = heel.start.max(toe.start) + shift;
                    let end = heel.end.min(toe.end) + shift;
                    let inside = start >= stance.start - 1e-3 && end <= stance.end + 1e-3;
                    if inside && end - start > best.length() {
                        best = Interval::new(start, end);
                    }
                }
            }
        }
        let chosen = if best.length() > 0.0 { best } else { *stance };
        0.5 * (chosen.start + chosen.end)
    }
}

/// `round` made `count` times.
fn power(round: &Planar, count: i32) -> Planar {
    let step = if count < 0 { round.inverse() } else { *round };
    let mut result = Planar::IDENTITY;
    // Times are kept within a round or two of the clip; more is a caller who asks for the placement
    // after many.
    for _ in 0..count.unsigned_abs().min(10_000) {
        result = result.then(&step);
    }
    result
}

/// When a foot is down, as times that go on past the end of a clip that repeats.
fn stances(contacts: &FootContacts, clip: &Clip, cyclic: bool) -> Vec<Interval> {
    let (duration, near) = (clip.duration(), TOUCHES / clip.fps());
    let usable = |interval: &Interval| interval.start.is_finite() && interval.end.is_finite();
    let mut list: Vec<Interval> = contacts
        .stance()
        .into_iter()
        .filter(usable)
        .map(|stance| Interval::new(stance.start.max(0.0), stance.end.min(duration)))
        .filter(|stance| stance.end > stance.start || duration <= 0.0)
        .collect();
    let Some(last) = list.len().checked_sub(1) else { return list };
    let (begins, ends) = (list[0].start <= near, list[last].end >= duration - near);
    if !cyclic {
        // A foot that is in the air when the clip begins or ends comes from, or goes to, the ground below it.
        if ends {
            list[last].end = f32::INFINITY;
        } else {
            list.push(Interval::new(duration, f32::INFINITY));
        }
        if !begins {
            list.insert(0, Interval::new(-BEYOND, 0.0));
        }
    } else if begins && ends {
        if last == 0 {
            list[0] = Interval::new(0.0, f32::INFINITY);
        } else {
            list[last].end = duration + list[0].end;
            list.remove(0);
        }
    }
    list
}

/// Frames of a stride: the middle of the times between landings of the same foot.
fn stride_frames(feet: &[Vec<Interval>], clip: &Clip, cyclic: bool) -> usize {
    let duration = clip.duration();
    let mut gaps: Vec<f32> = Vec::new();
    for stances in feet {
        gaps.extend(stances.windows(2).map(|pair| pair[1].start - pair[0].start));
        if let (true, [first, .., last]) = (cyclic, stances.as_slice()) {
            gaps.push(first.start + duration - last.start);
        } else if let (true, [only]) = (cyclic, stances.as_slice())
            && only.end.is_finite()
        {
            gaps.push(duration);
        }
    }
    gaps.sort_by(f32::total_cmp);
    let stride = gaps.get(gaps.len() / 2).copied().unwrap_or(0.5 * duration);
    (stride * clip.fps()).round().max(1.0) as usize
}

fn check_rig(character: &Character) -> Result<(), GroundClipError> {
    let (count, rig) = (character.skeleton.len(), &character.rig);
    if rig.feet.is_empty() {
        return Err(GroundClipError::NoFeet(character.name.clone()));
    }
    let fits = rig.hips < count
        && rig.spine.iter().all(|&joint| joint < count)
        && rig.feet.iter().all(|foot| {
            let points = [foot.heel, foot.ball, foot.tip];
            !foot.leg.is_empty()
                && foot.leg.iter().chain(&foot.toes).all(|&joint| joint < count)
                && points.iter().all(|point| point.joint < count && point.offset.is_finite())
        });
    if fits { Ok(()) } else { Err(GroundClipError::Rig(character.name.clone())) }
}

fn check_cyclic(character: &Character, clip: &Clip) -> Result<(), GroundClipError> {
    let (first, last) = (clip.frame(0), clip.frame(clip.frame_count() - 1));
    let mut worst = (0, 0.0f32);
    for (joint, (a, b)) in first.iter().zip(last).enumerate().skip(1) {
        let angle = rotation::angle_between(a.rotation, b.rotation);
        if angle > worst.1 {
            worst = (joint, angle);
        }
    }
    if worst.1 <= SAME_POSE {
        return Ok(());
    }
    Err(GroundClipError::NotCyclic {
        clip: clip.name().into(),
        joint: character.skeleton.joint(worst.0).name.clone(),
        degrees: worst.1.to_degrees(),
    })
}

/// The placement of a planar map in space.
pub(crate) fn lifted(map: &Planar, point: Vec2) -> Vec2 {
    map.then(&Planar::new(point, 0.0)).position
}

/// Seen from above.
pub(crate) fn flat(point: Vec3) -> Vec2 {
    Vec2::new(point.x, point.z)
}
