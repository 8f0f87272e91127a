//! The clips as the score has them: what is mixed, and where its feet come down.

use super::footprint::{PlanarPrint, StanceFrames};
use super::planner::TOGETHER;
use super::score::{FPS, Timeline, TimelineStep, mirrored_sole};
use super::vocabulary::{MixedClip, Vocabulary, mix_pose};
use super::vocabulary::{flat, lerp_pose, mix_sole, print_of};
use andante_skeleton::{Planar, Transform, parallel, rotation};
use glam::Vec2;

/// The mix of every frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Mixes {
    pub frames: Vec<Mixed>,
    voices: Vec<MixedClip>,
}

/// The mix of one frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mixed {
    pub phase: f32,
    /// Walking is 0, running 1.
    pub run: f32,
    /// Share of standing.
    pub rest: f32,
    first: u32,
    count: u32,
}

impl Mixes {
    /// The mixes of a score; `turns` are the turn rates to mix for.
    pub fn new(score: &Timeline, turns: &[f32]) -> Self {
        let (runs, count) = (runs(score), score.beats.len());
        let clips = score.vocabulary.repertoire.clips().len();
        // What each of a few frames is mixed of, with the share of standing as if it were one more clip.
        let mixed = |(part, beats): (usize, &[TimelineStep])| {
            let (mut scratch, mut voices) = (Vec::new(), Vec::new());
            let mut found: Vec<(usize, MixedClip)> = Vec::with_capacity(4 * beats.len());
            for (frame, beat) in (part * TOGETHER..).zip(beats) {
                let mut rest = 1.0;
                if beat.rest < 1.0 {
                    voices.clear();
                    let speed = beat.speed.max(beat.least);
                    let (turn, run) = (turns[frame], runs[frame]);
                    let own = score.vocabulary.mix(speed, turn, run, &mut scratch, &mut voices);
                    rest = beat.rest + (1.0 - beat.rest) * own;
                    let share = |voice: &MixedClip| (1.0 - beat.rest) * voice.weight;
                    let heard =
                        voices.iter().map(|voice| MixedClip { weight: share(voice), ..*voice });
                    found.extend(heard.map(|voice| (frame, voice)));
                }
                found.push((frame, MixedClip { clip: clips as u32, weight: rest }));
            }
            found
        };
        let parts = parallel::map(score.beats.chunks(TOGETHER).enumerate(), mixed);
        // One column of weights over time for each clip, and one for standing.
        let mut columns: Vec<Vec<f32>> = vec![Vec::new(); clips + 1];
        for (frame, MixedClip { clip, weight }) in parts.into_iter().flatten() {
            let column = &mut columns[clip as usize];
            if column.is_empty() {
                column.resize(count, 0.0);
            }
            column[frame] += weight;
        }
        // A mix changes its direction where a demand passes from some clips to others; the body must
        // not feel that.
        let spread = score.vocabulary.settings.mix.spread;
        parallel::for_each(&mut columns, |column| {
            if !column.is_empty() {
                *column = running_mean(&running_mean(column, spread), spread);
            }
        });
        let mut mixes = Self { frames: Vec::with_capacity(count), voices: Vec::new() };
        for (frame, beat) in score.beats.iter().enumerate() {
            let run = runs[frame];
            let phase = score.vocabulary.phase(beat.cycles.rem_euclid(1.0), run);
            let first = mixes.voices.len();
            let mut rest = columns[clips][frame];
            if beat.stands {
                rest = 1.0;
            } else {
                for (clip, column) in columns[..clips].iter().enumerate() {
                    if let Some(&weight) = column.get(frame).filter(|weight| weight.abs() > 1e-4) {
                        mixes.voices.push(MixedClip { clip: clip as u32, weight });
                    }
                }
            }
            let count = (mixes.voices.len() - first) as u32;
            mixes.frames.push(Mixed { phase, run, rest, first: first as u32, count });
        }
        mixes
    }

    /// The hardest that the usual walk and any clip which has a say move their roots, in m/s².
    pub fn root_acceleration(&self, score: &Timeline) -> f32 {
        let own = &score.vocabulary.root_accelerations;
        let heard = score.vocabulary.settings.mix.heard;
        let voices = self.voices.iter().filter(|voice| voice.weight > heard);
        let gaits = voices.map(|voice| own[voice.clip as usize]);
        let jumps = score.jumps.iter().map(|leap| own[score.vocabulary.actions[leap.action].clip]);
        gaits.chain(jumps).fold(own[score.vocabulary.usual], f32::max)
    }

    fn voices(&self, frame: usize) -> &[MixedClip] {
        let Mixed { first, count, .. } = self.frames[frame];
        &self.voices[first as usize..(first + count) as usize]
    }

    /// Writes the pose of a frame, with its root where the clips have it.
    pub fn pose(
        &self,
        score: &Timeline,
        frame: usize,
        scratch: &mut [Vec<Transform>; 2],
        pose: &mut [Transform],
    ) {
        let (beat, mixed) = (&score.beats[frame], &self.frames[frame]);
        let vocabulary = score.vocabulary;
        let [sample, other] = scratch;
        let act = beat.act.filter(|act| act.weight > 0.0);
        if act.is_none_or(|act| act.weight < 1.0) {
            let voices = self.voices(frame);
            mix_pose(vocabulary, mixed.phase, mixed.rest, voices, sample, pose);
            pose[0] = beat.course.to_transform() * pose[0];
        }
        if let Some(act) = act {
            let jump = &score.jumps[act.jump];
            let clip = &vocabulary.repertoire.clips()[vocabulary.actions[jump.action].clip];
            clip.sample(act.at, sample);
            let own: &mut [Transform] = if jump.mirrored {
                vocabulary.mirror.mirror(sample, other);
                other
            } else {
                sample
            };
            own[0] = act.hips.to_transform() * own[0];
            if act.weight < 1.0 {
                lerp_pose(pose, own, act.weight);
            } else {
                pose.copy_from_slice(own);
            }
        }
    }

    /// Where heel and ball of a foot are on the ground, and whether they are down.
    fn sole(&self, score: &Timeline, frame: usize, foot: usize) -> ([Vec2; 2], [bool; 2]) {
        let (beat, mixed) = (&score.beats[frame], &self.frames[frame]);
        let vocabulary = score.vocabulary;
        let clips = vocabulary.repertoire.clips();
        let standing = &vocabulary.rest.soles[foot];
        let (mut sole, shares) = mix_sole(clips, mixed.phase, self.voices(frame), foot);
        sole.heel += standing.heel * mixed.rest;
        sole.ball += standing.ball * mixed.rest;
        let slant = (sole.heel.y - standing.heel.y) - (sole.ball.y - standing.ball.y);
        let risen_by = vocabulary.settings.mix.risen;
        let risen = [slant, -slant].map(|by| by > risen_by * standing.heel.distance(standing.ball));
        let mut down = [0, 1].map(|k| shares[k] > 0.5 && (shares[k] > 0.999 || !risen[k]));
        let world = |place: &Planar, point| place.then(&Planar::new(flat(point), 0.0)).position;
        let mut points = [world(&beat.course, sole.heel), world(&beat.course, sole.ball)];
        if beat.stands || self.voices(frame).is_empty() {
            down = [true; 2];
        }
        if let Some(act) = beat.act {
            let jump = &score.jumps[act.jump];
            let clip = &clips[vocabulary.actions[jump.action].clip];
            let own = if jump.mirrored {
                mirrored_sole(clip.tracks()[1 - foot].at(act.at))
            } else {
                clip.tracks()[foot].at(act.at)
            };
            let which = if jump.mirrored { 1 - foot } else { foot };
            down = clip.feet()[which].down(act.at.min(0.9999));
            let own = [own.heel, own.ball].map(|point| world(&act.hips, point));
            points = [0, 1].map(|k| points[k].lerp(own[k], act.weight));
        }
        (points, down)
    }

    /// Every contact of every foot, with the footprint the clips make: first to leave first.
    pub fn stances(&self, score: &Timeline) -> Vec<(StanceFrames, PlanarPrint)> {
        let of_foot = |foot: usize| {
            let frames: Vec<([Vec2; 2], [bool; 2])> =
                (0..score.beats.len()).map(|frame| self.sole(score, frame, foot)).collect();
            let landed = self.landed(score, foot, &frames);
            let settings = &score.vocabulary.settings.footprints;
            let stances = StanceFrames::all(foot, &landed, settings);
            let printed = |stance: StanceFrames| {
                let print = print(score.vocabulary, &score.beats, &stance, &frames);
                (stance, print)
            };
            stances.into_iter().map(printed).collect::<Vec<_>>()
        };
        let feet: [_; 2] = parallel::join(|| of_foot(0), || of_foot(1)).into();
        let mut found = feet.concat();
        found.sort_by_key(|(stance, _)| (stance.frames[1], stance.frames[0]));
        found
    }
}

impl Mixes {
    /// Which points are down. A gait that becomes another one while a foot swings may have it down at
    /// that phase; but a foot comes down when it strikes, or not at all.
    fn landed(
        &self,
        score: &Timeline,
        foot: usize,
        frames: &[([Vec2; 2], [bool; 2])],
    ) -> Vec<[bool; 2]> {
        let (strike, near) = (0.5 * foot as f32, score.vocabulary.settings.mix.strike);
        let mut was_down = true;
        frames
            .iter()
            .enumerate()
            .map(|(frame, &(_, down))| {
                let beat = &score.beats[frame];
                let since = (self.frames[frame].phase - strike).rem_euclid(1.0);
                let strikes = !(near..=1.0 - near).contains(&since);
                let lands = was_down || strikes || beat.stands || beat.act.is_some();
                was_down = lands && down.contains(&true);
                if lands { down } else { [false; 2] }
            })
            .collect()
    }
}

/// The mean of where a sole is during a contact; frames in which it is flat count, and those in
/// which the body rests even more.
fn print(
    vocabulary: &Vocabulary,
    beats: &[TimelineStep],
    stance: &StanceFrames,
    frames: &[([Vec2; 2], [bool; 2])],
) -> PlanarPrint {
    let shape = &vocabulary.rest.shapes[stance.foot];
    let [first, last] = stance.frames;
    let mut mean: Option<(Planar, f32)> = None;
    for frame in first..=last {
        let (points, down) = frames[frame];
        let mut place = print_of(points[0], points[1]);
        let ahead = Vec2::new(libm::sinf(place.heading), libm::cosf(place.heading));
        match down {
            [true, false] => place.position = points[0] - shape.heel * ahead,
            [false, true] => place.position = points[1] - shape.ball * ahead,
            _ => {}
        }
        let weight = match down {
            _ if beats[frame].stands => 1e4,
            [true, true] => 1.0,
            _ => 0.05,
        };
        mean = Some(match mean {
            None => (place, weight),
            Some((mean, total)) => {
                let share = weight / (total + weight);
                let turn = rotation::wrap_angle(place.heading - mean.heading);
                let position = mean.position.lerp(place.position, share);
                (Planar::new(position, mean.heading + share * turn), total + weight)
            }
        });
    }
    let place = mean.map_or(Planar::IDENTITY, |(place, _)| place);
    let at_rest = first == 0 || last + 1 == beats.len();
    let jumps = (first..=last).any(|frame| beats[frame].act.is_some());
    PlanarPrint { foot: stance.foot, place, fixed: at_rest || jumps }
}

/// How much of a run each frame is: a cross-fade about the moment the speed asks for it.
fn runs(score: &Timeline) -> Vec<f32> {
    let border = score.vocabulary.border;
    let wanted: Vec<f32> =
        score.beats.iter().map(|beat| f32::from(beat.speed > border && beat.rest < 1.0)).collect();
    // Twice a running mean: a bell of the length of the fade.
    let half = (0.25 * score.vocabulary.settings.mix.fade * FPS).round() as usize;
    running_mean(&running_mean(&wanted, half), half)
}

/// The mean of the values around each.
pub(super) fn running_mean(values: &[f32], half: usize) -> Vec<f32> {
    let mut means = vec![0.0; values.len()];
    let is_something = |value: &f32| *value != 0.0;
    // Far from all that is not 0 every mean is.
    let first = values.iter().position(is_something).unwrap_or(values.len());
    let last = values.iter().rposition(is_something).unwrap_or(0);
    let from = first.saturating_sub(half);
    let end = (last + half + 1).min(values.len());
    let mut sums = Vec::with_capacity(end.saturating_sub(from) + 1);
    let mut sum = 0.0f64;
    sums.push(sum);
    for value in values.get(from..end).unwrap_or_default() {
        sum += f64::from(*value);
        sums.push(sum);
    }
    let sum_before = |index: usize| sums[index.clamp(from, end) - from];
    for (index, mean) in means.iter_mut().enumerate().take(end).skip(from) {
        let reach = half.min(index).min(values.len() - 1 - index);
        let (a, b) = (index - reach, index + reach + 1);
        *mean = ((sum_before(b) - sum_before(a)) / (b - a) as f64) as f32;
    }
    means
}

/// The highest of the values around each, and 0.
pub(super) fn highest_around(values: &[f32], half: usize) -> Vec<f32> {
    let near = |k: usize| &values[k.saturating_sub(half)..(k + half + 1).min(values.len())];
    (0..values.len()).map(|k| near(k).iter().copied().fold(0.0, f32::max)).collect()
}

/// The mean of the values around each, the first and the last going on for ever: what begins or ends in the midst of
/// something does so gently.
pub(super) fn steady_mean(values: &[f32], half: usize) -> Vec<f32> {
    let last = values.len().saturating_sub(1);
    let at = |index: usize| f64::from(values[index.saturating_sub(half).min(last)]);
    let count = 2 * half + 1;
    let mut sum: f64 = if values.is_empty() { 0.0 } else { (0..count).map(at).sum() };
    (0..values.len())
        .map(|index| {
            let mean = sum / count as f64;
            sum += at(index + count) - at(index);
            mean as f32
        })
        .collect()
}
#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn running_means_are_the_means_of_as_many_values_on_either_side(
            values in prop::collection::vec(-2.0f32..2.0, 0..30), zeros in [0usize..20, 0usize..20], half in 0usize..9,
        ) {
            let values = [vec![0.0; zeros[0]], values, vec![0.0; zeros[1]]].concat();
            let found = running_mean(&values, half);
            prop_assert_eq!(found.len(), values.len());
            for (index, mean) in found.iter().enumerate() {
                let reach = half.min(index).min(values.len() - 1 - index);
                let near = &values[index - reach..=index + reach];
                let wanted = near.iter().sum::<f32>() / near.len() as f32;
                prop_assert!((mean - wanted).abs() < 1e-5, "{} {}", mean, wanted);
            }
        }

        #[test]
        fn steady_means_are_the_means_of_values_that_go_on(values in prop::collection::vec(-2.0f32..2.0, 0..40), half in 0usize..9) {
            let found = steady_mean(&values, half);
            prop_assert_eq!(found.len(), values.len());
            for (index, mean) in found.iter().enumerate() {
                let near = (0..=2 * half).map(|k| {
                    values[(index + k).saturating_sub(half).min(values.len() - 1)]
                });
                let wanted = near.sum::<f32>() / (2 * half + 1) as f32;
                prop_assert!((mean - wanted).abs() < 1e-4, "{} {}", mean, wanted);
            }
        }
    }
}
