//! What a clip does on the ground, found out once and shared by everyone who plays it.

use crate::feet::leg::LegChain;
use crate::feet::sole::{FootSample, SoleOutline, SoleTrack};
use crate::ground::error::{GroundClipError, check_cyclic, check_rig};
use crate::ground::path::CarriedPath;
use crate::ground::stances::{BEYOND, stances, stride_frames};
use crate::{Contacts, FootContacts, Interval};
use andante_skeleton::{Character, Clip, Planar, Pose, Wrap, model_frames};
use glam::{Vec2, Vec3};
use std::sync::Arc;

/// Frames of a stance that are looked at for how far a foot rolls.
const ROLL_FRAMES: f32 = 1000.0;

/// Samples of feet per second, at least: hooves turn so quickly that between the frames of a drawn clip a straight
/// line is centimetres off.
const SAMPLES: f32 = 120.0;
/// The most samples per frame.
const MOST_SAMPLES: f32 = 16.0;

/// The largest acceleration along a way, over a thirtieth of a second.
fn hardest(places: impl Iterator<Item = Vec3>, fps: f32) -> f32 {
    let places: Vec<Vec3> = places.collect();
    let span = ((fps / 30.0).round() as usize).max(1);
    let seconds = span as f32 / fps;
    let bends = (2 * span..places.len())
        .map(|at| places[at] - 2.0 * places[at - span] + places[at - 2 * span]);
    bends.map(|bend| bend.length() / (seconds * seconds)).fold(0.0, f32::max)
}

/// The number of samples per frame of a clip at which feet are looked at.
pub fn samples_per_frame(clip: &Clip) -> usize {
    (SAMPLES / clip.fps()).ceil().clamp(1.0, MOST_SAMPLES) as usize
}

/// One stay of a foot on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundStance {
    /// When it lands, in seconds of the clip.
    pub start: f32,
    /// When it leaves; infinite if it does not.
    pub end: f32,
    /// Halfway between.
    pub middle: f32,
    /// Where the flat foot is, seen from above.
    pub print: Planar,
}

/// A clip with everything about it that adapting it to the ground needs. Immutable; characters share it.
#[derive(Clone, Debug)]
pub struct GroundClip {
    character: Arc<Character>,
    clip: Clip,
    cyclic: bool,
    pub(crate) height: f32,
    pub(crate) path: CarriedPath,
    pub(crate) feet: Vec<SoleTrack>,
    /// Samples of feet per second.
    pub(crate) sample_rate: f32,
    pub(crate) legs: Vec<LegChain>,
    /// Mean length of the legs: the unit of every distance.
    pub(crate) unit: f32,
    /// Middle of the feet's homes.
    pub(crate) centre: Vec2,
    /// Height of the hips above the ground.
    pub(crate) hip_height: f32,
    /// How hard the hips are accelerated at most, in m/s².
    pub(crate) hardest: f32,
}

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
            legs.push(LegChain::new(skeleton, foot, &clip).ok_or_else(no_leg)?);
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
        let path = CarriedPath::new(skeleton, rig.hips, &models, cyclic, stride);
        let hip_height = models.iter().map(|frame| frame[rig.hips].translation.y).sum::<f32>()
            / models.len() as f32
            - height;
        let hardest = hardest(models.iter().map(|frame| frame[0].translation), clip.fps());
        let per_frame = samples_per_frame(&clip);
        let mut result = Self {
            character: Arc::clone(character),
            sample_rate: per_frame as f32 * clip.fps(),
            clip,
            cyclic,
            height,
            path,
            feet: Vec::with_capacity(found),
            legs,
            unit,
            centre: Vec2::ZERO,
            hip_height,
            hardest,
        };
        let samples = result.samples(per_frame);
        for (index, (intervals, samples)) in intervals.into_iter().zip(samples).enumerate() {
            let track = result.track(index, samples, &intervals, &contacts.feet[index]);
            result.feet.push(track);
        }
        result.centre =
            result.feet.iter().map(|foot| foot.home).sum::<Vec2>() / result.feet.len() as f32;
        Ok(result)
    }

    /// The character whose clip it is.
    pub fn character(&self) -> &Arc<Character> {
        &self.character
    }

    /// The clip as it is played: on ground that stays.
    pub fn clip(&self) -> &Clip {
        &self.clip
    }

    /// True if it repeats.
    pub fn cyclic(&self) -> bool {
        self.cyclic
    }

    /// The placement that leads from one round of a repeating clip to the next.
    pub fn round(&self) -> Option<Planar> {
        self.path.round
    }

    /// Mean length of the legs, in metres.
    pub fn leg_length(&self) -> f32 {
        self.unit
    }

    /// Height of the plane it was made on.
    pub fn height(&self) -> f32 {
        self.height
    }

    /// True if no foot ever leaves the ground.
    pub fn idle(&self) -> bool {
        self.feet.iter().all(|foot| foot.always_down)
    }

    /// The placement of the body at a time of the clip: the start that plays the clip where it was made.
    pub fn placement(&self, time: f32) -> Planar {
        let (within, round) = self.within(time);
        let placed = self.path.at(within * self.clip.fps());
        round.map_or(placed, |round| round.then(&placed))
    }

    /// The stays of a foot on the ground in one round, in order.
    pub fn stances(&self, foot: usize) -> &[GroundStance] {
        &self.feet[foot].stances
    }

    /// A time at which a walk is best begun from standing: a foot is about to leave the ground and all are on it.
    pub fn good_start(&self) -> f32 {
        let leaving = |foot: &SoleTrack| foot.stances.first().map(|stance| stance.end);
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
    pub(crate) fn within(&self, time: f32) -> (f32, Option<Planar>) {
        let (within, rounds) = self.rounds(time);
        let round = self.path.round.as_ref().filter(|_| rounds != 0);
        (within, round.map(|round| power(round, rounds)))
    }

    /// A time of the repeating clip as time within one round and the number of that round.
    #[inline]
    fn rounds(&self, time: f32) -> (f32, i32) {
        let duration = self.clip.duration();
        if self.path.round.is_none() || (0.0..=duration).contains(&time) {
            return (time, 0);
        }
        let rounds = (time / duration).floor();
        ((time - rounds * duration).clamp(0.0, duration), rounds as i32)
    }

    /// A foot at any time, in the clip's space.
    pub(crate) fn sample(&self, foot: usize, time: f32) -> FootSample {
        let (within, rounds) = self.rounds(time);
        let samples = &self.feet[foot].samples;
        let last = samples.len() - 1;
        let at = (within * self.sample_rate).max(0.0).min(last as f32);
        let index = (at as usize).min(last);
        let sample = samples[index].lerp(&samples[(index + 1).min(last)], at - index as f32);
        match (rounds, &self.path.round) {
            (0, _) | (_, None) => sample,
            (1, _) => sample.carried(&self.path.carry),
            (rounds, Some(round)) => sample.carried(&power(round, rounds).to_transform()),
        }
    }

    /// A stance by its number; numbers go on over the rounds of a clip that repeats.
    pub(crate) fn stance(&self, foot: usize, number: i32) -> Option<GroundStance> {
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
    pub(crate) fn stance_at(&self, foot: usize, time: f32) -> Option<(i32, GroundStance)> {
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

    /// Every foot throughout the clip.
    fn samples(&self, per_frame: usize) -> Vec<Vec<FootSample>> {
        let (skeleton, feet) = (&self.character.skeleton, &self.character.rig.feet);
        let count = (self.clip.frame_count() - 1) * per_frame + 1;
        let mut samples = vec![Vec::with_capacity(count); feet.len()];
        let (mut pose, mut models) = (Pose::rest(skeleton), Pose::rest(skeleton));
        for index in 0..count {
            self.clip.sample(index as f32 / self.sample_rate, Wrap::Clamp, &mut pose);
            skeleton.local_to_model(&pose, &mut models);
            for ((samples, foot), leg) in samples.iter_mut().zip(feet).zip(&self.legs) {
                let [hip, _, end] = leg.joints;
                let ball = foot.ball.position(&models);
                samples.push(FootSample {
                    ankle: models[foot.ankle()],
                    heel: foot.heel.position(&models),
                    ball,
                    tip: foot.tip.position(&models),
                    toe: foot.toes.map_or(ball, |toes| models[toes].translation),
                    hip: models[hip].translation,
                    end: models[end].translation,
                });
            }
        }
        samples
    }

    fn track(
        &self,
        index: usize,
        samples: Vec<FootSample>,
        intervals: &[Interval],
        contacts: &FootContacts,
    ) -> SoleTrack {
        let foot = &self.character.rig.feet[index];
        let always_down = intervals.len() == 1 && intervals[0].end.is_infinite() && self.cyclic;
        let blank = SoleOutline::default();
        let below_ankle =
            |&toes: &usize| self.character.skeleton.parent(toes) == Some(foot.ankle());
        let toes = foot.toes.filter(below_ankle);
        let mut track = SoleTrack {
            stances: Vec::new(),
            spins: Vec::new(),
            toes,
            always_down,
            samples,
            sole: blank,
            home: Vec2::ZERO,
            contacts: contacts.clone(),
        };
        let at = |time: f32| {
            let (within, round) = self.within(time);
            let nearest = (within * self.sample_rate).round().max(0.0) as usize;
            let sample = track.samples[nearest.min(track.samples.len() - 1)];
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
                libm::atan2f(along.x, along.y)
            } else {
                self.placement(flat).heading
            };
            let print = Planar::new(Vec2::new(under.x, under.z), heading);
            homes += self.placement(middle).to(&print).position;
            // A foot is longest where it is flat.
            let seen = SoleOutline::new(&sample, &print, self.unit, toes.is_some());
            if stances.is_empty() || seen.length() > sole.length() {
                sole = seen;
            }
            stances.push(GroundStance { start: interval.start, end: interval.end, middle, print });
        }
        for stance in &stances {
            let until = if stance.end.is_finite() { stance.end } else { stance.start };
            let frames = ((until - stance.start) * self.clip.fps()).clamp(0.0, ROLL_FRAMES);
            for frame in 0..=frames as usize {
                sole.rolls(&at(stance.start + frame as f32 / self.clip.fps()), &stance.print);
            }
        }
        track.spins = self.spins(&track.samples, &stances, toes.is_some());
        track.home = homes / stances.len().max(1) as f32;
        track.sole = sole;
        track.stances = stances;
        track
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
    if count == 1 {
        return *round;
    }
    let step = if count < 0 { round.inverse() } else { *round };
    let mut result = Planar::IDENTITY;
    // Times are kept within a round or two of the clip; more is a caller who asks for the placement
    // after many.
    for _ in 0..count.unsigned_abs().min(10_000) {
        result = result.then(&step);
    }
    result
}

/// The placement of a planar map in space.
pub(crate) fn lifted(map: &Planar, point: Vec2) -> Vec2 {
    map.then(&Planar::new(point, 0.0)).position
}

/// Seen from above.
pub(crate) fn flat(point: Vec3) -> Vec2 {
    Vec2::new(point.x, point.z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_motion::synth;
    use andante_skeleton::humanoid;

    /// Hooves of a drawn clip went into risers: between two frames a foot was taken to be on the straight line from
    /// one to the next, while its joints turn.
    #[test]
    fn between_frames_far_apart_a_foot_is_where_its_joints_put_it() {
        let human = Arc::new(humanoid());
        let walk = synth::clip(&human, "walk").unwrap();
        let few: Vec<_> = walk.clip.frames().step_by(6).flatten().copied().collect();
        let fps = walk.clip.fps() / 6.0;
        let clip = Clip::new("few", &human.skeleton, fps, few).unwrap();
        let feet = walk.contacts.feet.iter().map(|foot| FootContacts {
            heel: foot.heel.iter().map(|span| Interval::new(span.start, span.end)).collect(),
            toe: foot.toe.iter().map(|span| Interval::new(span.start, span.end)).collect(),
        });
        let contacts = Contacts { feet: feet.collect() };
        let ground = GroundClip::new(&human, clip.clone(), &contacts, false, 0.0).unwrap();
        let (mut pose, mut models) = (Pose::rest(&human.skeleton), Pose::rest(&human.skeleton));
        let mut farthest_from_a_line = 0.0f32;
        for step in 0..200 {
            let time = clip.duration() * step as f32 / 200.0;
            clip.sample(time, Wrap::Clamp, &mut pose);
            human.skeleton.local_to_model(&pose, &mut models);
            for (index, foot) in human.rig.feet.iter().enumerate() {
                let tip = foot.tip.position(&models);
                let sample = ground.sample(index, time);
                assert!(sample.tip.distance(tip) < 1e-3, "{time}: {}", sample.tip.distance(tip));
                let frame = (time * fps).floor();
                let [before, after] = [frame, frame + 1.0].map(|at| ground.sample(index, at / fps));
                let line = before.tip.lerp(after.tip, time * fps - frame);
                farthest_from_a_line = farthest_from_a_line.max(line.distance(tip));
            }
        }
        assert!(farthest_from_a_line > 5e-3, "{farthest_from_a_line}");
    }
}
