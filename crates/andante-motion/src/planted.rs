//! Feet of captured clips, planted before anything else is done with them.

use crate::analysis::ClipAnalysis;
use crate::edit::{EditError, GroundLevel, PlantOptions, PlantReport, placement, plant_feet};
use crate::synth::SynthClip;
use andante_play::{
    Contacts, FootContacts, GroundClip, GroundClipError, Interval, samples_per_frame,
};
use andante_skeleton::{Character, Clip, ClipError, Planar, Rig, Skeleton, Transform, rotation};
use std::sync::Arc;
use thiserror::Error;

/// An error that keeps a captured clip from being put on the ground.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum PlantedError {
    /// Its feet cannot be planted.
    #[error(transparent)]
    Planting(#[from] EditError),
    /// It does not fit its character.
    #[error(transparent)]
    Ground(#[from] GroundClipError),
    /// Its frames do not make a clip once it is off its treadmill.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

/// A captured or drawn clip whose feet slide, ready for the ground: they are planted on the level first, on the
/// height its analysis found.
pub fn planted_ground_clip(
    character: &Arc<Character>,
    clip: &Clip,
    analysis: &ClipAnalysis,
) -> Result<GroundClip, PlantedError> {
    let height = analysis.ground.height;
    let planted = planted(character, clip, analysis)?;
    Ok(GroundClip::new(character, planted, &analysis.contacts, analysis.cyclic, height)?)
}

impl SynthClip {
    /// The clip ready for the ground; it was made on the plane y = 0.
    pub fn ground_clip(&self, character: &Arc<Character>) -> Result<GroundClip, GroundClipError> {
        GroundClip::new(character, self.clip.clone(), &self.contacts, self.cyclic, 0.0)
    }
}

/// Rounds of a repeating clip that are planted together; the middle one is kept.
const ROUNDS: usize = 5;

/// Takes the slide out of a clip's feet; a clip in place is taken off its treadmill. A clip that repeats does
/// so afterwards: a stance that lasts from one round to the next is one.
fn planted(
    character: &Character,
    clip: &Clip,
    analysis: &ClipAnalysis,
) -> Result<Clip, PlantedError> {
    let (skeleton, rig) = (&character.skeleton, &character.rig);
    let clip = match &analysis.belt {
        Some(belt) => belt.walked_off(skeleton, clip)?,
        None => clip.clone(),
    };
    // A foot is where it was planted at frames. Between those that are far apart joints turn evenly, and feet go astray.
    let times = samples_per_frame(&clip);
    let ground = GroundLevel::Flat(analysis.ground.height);
    let options = PlantOptions { ground, ..PlantOptions::default() };
    if !analysis.cyclic || clip.frame_count() == 1 {
        let finer = if times == 1 { clip } else { clip.resampled(times as f32 * clip.fps())? };
        return Ok(plant_feet(skeleton, rig, &finer, &analysis.contacts, &options)?.0);
    }
    Ok(plant_repeating(skeleton, rig, (&clip, times), &analysis.contacts, &options)?.0)
}

/// Plants the feet of a clip that repeats, with so many samples for each of its frames: a stance that lasts from one round to
/// the next is one, and what planting changes leads from the end to the beginning.
pub(crate) fn plant_repeating(
    skeleton: &Skeleton,
    rig: &Rig,
    (clip, times): (&Clip, usize),
    contacts: &Contacts,
    options: &PlantOptions,
) -> Result<(Clip, PlantReport), EditError> {
    let last = clip.frame_count() - 1;
    let placed = |frame: usize| placement(skeleton, clip.frame(frame));
    let (first, end) = (placed(0), placed(last));
    let heading = first.heading + rotation::wrap_angle(end.heading - first.heading);
    let round = Planar::new(end.position, heading).then(&first.inverse()).to_transform();
    let mut transforms = Vec::with_capacity((ROUNDS * last + 1) * skeleton.len());
    let mut carried = Transform::IDENTITY;
    for count in 0..ROUNDS {
        let frames = if count + 1 < ROUNDS { last } else { last + 1 };
        for pose in clip.frames().take(frames) {
            let start = transforms.len();
            transforms.extend_from_slice(pose);
            transforms[start] = carried * transforms[start];
        }
        carried = round * carried;
    }
    let long = Clip::new(clip.name(), skeleton, clip.fps(), transforms)?;
    let long = if times == 1 { long } else { long.resampled(times as f32 * clip.fps())? };
    let rounds = (0..ROUNDS).map(|round| round as f32 * clip.duration());
    let near = 1.5 / clip.fps();
    let contacts = in_rounds(contacts, rounds, |end, start| start - end <= near);
    let (long, report) = plant_feet(skeleton, rig, &long, &contacts, options)?;
    let back = (0..ROUNDS / 2).fold(Transform::IDENTITY, |back, _| round.inverse() * back);
    let frames = last * times;
    let mut transforms = long.transforms()[ROUNDS / 2 * frames * skeleton.len()..]
        [..(frames + 1) * skeleton.len()]
        .to_vec();
    for pose in transforms.chunks_exact_mut(skeleton.len()) {
        pose[0] = back * pose[0];
    }
    Ok((Clip::new(clip.name(), skeleton, long.fps(), transforms)?, report))
}

/// Contacts in several rounds that begin at given times, so that none begins or ends where a round does: `joins` tells of the
/// end of one and the beginning of the next whether they are one.
pub(crate) fn in_rounds(
    contacts: &Contacts,
    rounds: impl Iterator<Item = f32> + Clone,
    joins: impl Fn(f32, f32) -> bool,
) -> Contacts {
    let list = |intervals: &[Interval]| {
        let mut all: Vec<Interval> = Vec::new();
        for shift in rounds.clone() {
            for interval in intervals {
                let next = Interval::new(interval.start + shift, interval.end + shift);
                match all.last_mut() {
                    Some(last) if joins(last.end, next.start) => last.end = next.end,
                    _ => all.push(next),
                }
            }
        }
        all
    };
    let foot = |foot: &FootContacts| FootContacts { heel: list(&foot.heel), toe: list(&foot.toe) };
    Contacts { feet: contacts.feet.iter().map(foot).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{AnalysisOptions, analyse};
    use crate::synth;
    use andante_skeleton::{Pose, Wrap, humanoid};

    /// Hooves of a drawn clip slid a millimetre and sank three: it was planted at its frames, and joints turn evenly
    /// from one to the next.
    #[test]
    fn feet_stay_planted_between_frames_far_apart() {
        let human = humanoid();
        let skeleton = &human.skeleton;
        let walk = synth::clip(&human, "walk").unwrap().clip;
        let times = (walk.fps() / 15.0).round() as usize;
        let few: Vec<_> = walk.frames().step_by(times).flatten().copied().collect();
        let few = Clip::new("few", skeleton, walk.fps() / times as f32, few).unwrap();
        let analysis = analyse(skeleton, &human.rig, &few, &AnalysisOptions::default()).unwrap();
        let planted = planted(&human, &few, &analysis).unwrap();
        let (mut pose, mut models) = (Pose::rest(skeleton), Pose::rest(skeleton));
        let (mut farthest, mut flat) = (0.0f32, 0);
        for (foot, contacts) in human.rig.feet.iter().zip(&analysis.contacts.feet) {
            let mut landed = None;
            for step in 0..=500 {
                let time = planted.duration() * step as f32 / 500.0;
                if !(contacts.heel_down(time) && contacts.toe_down(time)) {
                    landed = None;
                    continue;
                }
                planted.sample(time, Wrap::Clamp, &mut pose);
                skeleton.local_to_model(&pose, &mut models);
                let ball = foot.ball.position(&models);
                farthest = farthest.max(ball.distance(*landed.get_or_insert(ball)));
                flat += 1;
            }
        }
        assert!(flat > 100, "{flat}");
        assert!(farthest < 2e-4, "{farthest}");
    }

    #[test]
    fn a_contact_that_a_clip_cuts_in_two_is_one_in_endless_rounds() {
        let foot = FootContacts {
            heel: vec![Interval::new(0.0, 0.1), Interval::new(0.5, 1.0)],
            toe: Vec::new(),
        };
        let endless = in_rounds(
            &Contacts { feet: vec![foot] },
            [-1.0, 0.0, 1.0].into_iter(),
            |end, start| start <= end + 1e-3,
        );
        let starts: Vec<f32> = endless.feet[0].heel.iter().map(|i| i.start).collect();
        let ends: Vec<f32> = endless.feet[0].heel.iter().map(|i| i.end).collect();
        assert_eq!(starts, [-1.0, -0.5, 0.5, 1.5]);
        assert_eq!(ends, [-0.9, 0.1, 1.1, 2.0]);
    }
}
