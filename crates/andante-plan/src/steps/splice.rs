//! Performances put together from parts of others.

use super::StepError;
use super::footprint::{PlanarPrint, PlannedFootprint, StanceFrames};
use super::planned_motion::PlannedMotion;
use super::planner::{Record, contacts};
use super::plot::Plot;
use super::score::FPS;
use andante_skeleton::Clip;
use std::ops::Range;

/// What an old performance becomes: kept up to a frame, then new, then perhaps kept again.
pub(super) struct SplicedMotion<'a> {
    pub before: &'a PlannedMotion,
    /// Frames that are kept at first.
    pub cut: usize,
    pub after: &'a PlannedMotion,
    /// A frame of the new part, and the frame of the old performance that is the same moment.
    pub again: Option<[usize; 2]>,
}

/// A contact with its footprints.
#[derive(Clone, Copy)]
struct SplicedContact {
    stance: StanceFrames,
    played: PlanarPrint,
    desired: PlanarPrint,
    footprint: PlannedFootprint,
}

impl SplicedContact {
    fn all(performance: &PlannedMotion) -> impl Iterator<Item = Self> {
        let Plot { stances, played, desired, .. } = &performance.record.plot;
        let prints = played.iter().zip(desired).zip(&performance.footprints);
        stances.iter().zip(prints).map(|(stance, ((played, desired), footprint))| Self {
            stance: *stance,
            played: *played,
            desired: *desired,
            footprint: *footprint,
        })
    }

    /// What is left of it from a frame on, if anything is.
    fn since_frame(mut self, first: usize) -> Option<Self> {
        let later = |[from, to]: [usize; 2]| (to >= first).then_some([from.max(first), to]);
        let StanceFrames { frames, heel, ball, .. } = &mut self.stance;
        *frames = later(*frames)?;
        (*heel, *ball) = (heel.and_then(later), ball.and_then(later));
        self.footprint.landing = self.footprint.landing.max(first as f32 / FPS);
        Some(self.moved(first, 0))
    }

    /// The same at another time.
    fn moved(mut self, from: usize, to: usize) -> Self {
        let later = |frames: [usize; 2]| frames.map(|frame| (frame + to).saturating_sub(from));
        let StanceFrames { frames, heel, ball, .. } = &mut self.stance;
        *frames = later(*frames);
        (*heel, *ball) = (heel.map(later), ball.map(later));
        let seconds = (to as f32 - from as f32) / FPS;
        self.footprint.landing += seconds;
        self.footprint.take_off += seconds;
        self
    }

    fn is_down(&self, foot: usize, frame: usize) -> bool {
        let [first, last] = self.stance.frames;
        self.stance.foot == foot && first <= frame && frame <= last
    }

    /// A contact that was under way already at a frame, and goes on as this one.
    fn since(mut self, was: &Self, frame: usize) -> Self {
        let longer = |own: Option<[usize; 2]>, was: Option<[usize; 2]>| match (own, was) {
            (Some([_, last]), Some([first, _])) => Some([first, last]),
            (None, Some([first, last])) => Some([first, last.min(frame.saturating_sub(1))]),
            (own, None) => own,
        };
        self.stance.frames[0] = was.stance.frames[0];
        self.stance.heel = longer(self.stance.heel, was.stance.heel);
        self.stance.ball = longer(self.stance.ball, was.stance.ball);
        self.footprint.landing = was.footprint.landing;
        self
    }
}

impl PlannedMotion {
    /// The same motion from a frame on, for who goes on and on and does not need to know how it began; none if nothing can be left
    /// out.
    pub fn since(&self, frame: usize) -> Option<Self> {
        let end = self.body.len();
        if frame == 0 || frame + 1 >= end {
            return None;
        }
        let clip = Clip::joined(self.clip.name(), &[(&self.clip, frame..end)]).ok()?;
        let mut plot = Plot { settings: self.record.plot.settings, ..Plot::default() };
        let mut footprints = Vec::new();
        for contact in SplicedContact::all(self).filter_map(|contact| contact.since_frame(frame)) {
            plot.stances.push(contact.stance);
            plot.played.push(contact.played);
            plot.desired.push(contact.desired);
            footprints.push(contact.footprint);
        }
        let Record { beats, jumps, .. } = &self.record;
        Some(Self {
            contacts: contacts(&plot),
            footprints,
            body: self.body[frame..].to_vec(),
            curvature: self.curvature[frame..].to_vec(),
            running: self.running[frame..].to_vec(),
            speed: self.speed[frame..].to_vec(),
            pose_change_deg_mean: self.pose_change_deg_mean,
            clips_root_accel_max: self.clips_root_accel_max,
            timings: self.timings,
            record: Record { beats: beats[frame..].to_vec(), jumps: jumps.clone(), plot },
            clip,
        })
    }
}

impl SplicedMotion<'_> {
    /// The frames of the whole that are new.
    pub fn changed(&self) -> [usize; 2] {
        let new = self.again.map_or(self.after.body.len(), |[until, _]| until);
        [self.cut, self.cut + new]
    }

    /// What is kept at first, what is new, and what is kept then.
    fn parts(&self) -> [Range<usize>; 3] {
        let end = self.before.body.len();
        let [until, from] = self.again.unwrap_or([self.after.body.len(), end]);
        [0..self.cut, 0..until, from..end]
    }

    /// The first part, then the new one, then the rest of the first.
    fn joined<T: Clone>(&self, before: &[T], after: &[T]) -> Vec<T> {
        let [first, new, rest] = self.parts();
        [&before[first], &after[new], &before[rest]].concat()
    }

    fn contacts(&self) -> Vec<SplicedContact> {
        let Self { before, cut, after, again } = *self;
        let until = again.map_or(usize::MAX, |[until, _]| cut + until);
        let mut all: Vec<SplicedContact> =
            SplicedContact::all(before).filter(|contact| contact.stance.frames[1] < cut).collect();
        let rest: Vec<SplicedContact> = again.map_or(Vec::new(), |[_, from]| {
            SplicedContact::all(before).map(|contact| contact.moved(from, until)).collect()
        });
        for contact in SplicedContact::all(after) {
            let mut contact = contact.moved(0, cut);
            let foot = contact.stance.foot;
            if contact.stance.frames[0] >= until {
                continue;
            }
            // A foot that was down already has been for longer.
            if contact.stance.frames[0] == cut
                && let Some(was) = SplicedContact::all(before)
                    .find(|old| cut > 0 && old.is_down(foot, cut) && old.is_down(foot, cut - 1))
            {
                contact = contact.since(&was, cut);
            }
            // And one that is still down stays as long as it did.
            if contact.stance.frames[1] >= until {
                match rest.iter().find(|old| old.is_down(foot, until)) {
                    Some(old) => contact = old.since(&contact, until),
                    None => {
                        let ends = |[first, last]: [usize; 2]| {
                            (first < until).then_some([first, last.min(until - 1)])
                        };
                        let stance = &mut contact.stance;
                        stance.frames[1] = until - 1;
                        stance.heel = stance.heel.and_then(ends);
                        stance.ball = stance.ball.and_then(ends);
                    }
                }
            }
            all.push(contact);
        }
        all.extend(rest.into_iter().filter(|contact| contact.stance.frames[0] > until));
        all.sort_by_key(|contact| (contact.stance.frames[1], contact.stance.frames[0]));
        all
    }

    /// The performance that comes out.
    pub fn performance(&self) -> Result<PlannedMotion, StepError> {
        let Self { before, after, .. } = *self;
        let [first, new, rest] = self.parts();
        let parts = [(&before.clip, first), (&after.clip, new), (&before.clip, rest)];
        let clip =
            Clip::joined("performance", &parts).map_err(|_| StepError::NonFinite("a pose"))?;
        let mut plot = Plot { settings: self.before.record.plot.settings, ..Plot::default() };
        let mut footprints = Vec::new();
        for contact in self.contacts() {
            plot.stances.push(contact.stance);
            plot.played.push(contact.played);
            plot.desired.push(contact.desired);
            footprints.push(contact.footprint);
        }
        let (old, new) = (&before.record, &after.record);
        let mut jumps = old.jumps.clone();
        let known = jumps.len();
        jumps.extend(new.jumps.iter().cloned());
        let mut beats = self.joined(&old.beats, &new.beats);
        let [from, to] = self.changed();
        for act in beats[from..to].iter_mut().filter_map(|beat| beat.act.as_mut()) {
            act.jump += known;
        }
        let share = (to - from) as f32 / clip.frame_count().max(1) as f32;
        Ok(PlannedMotion {
            contacts: contacts(&plot),
            footprints,
            body: self.joined(&before.body, &after.body),
            curvature: self.joined(&before.curvature, &after.curvature),
            running: self.joined(&before.running, &after.running),
            speed: self.joined(&before.speed, &after.speed),
            pose_change_deg_mean: (1.0 - share) * before.pose_change_deg_mean
                + share * after.pose_change_deg_mean,
            clips_root_accel_max: before.clips_root_accel_max.max(after.clips_root_accel_max),
            timings: after.timings,
            record: Record { beats, jumps, plot },
            clip,
        })
    }
}
