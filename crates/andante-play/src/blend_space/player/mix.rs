//! The weighted mean of clips at one phase.

use super::PlayerOptions;
use crate::repertoire::{ClipClass, PHASES, RepertoireClip, SolePhase, Twist};
use andante_skeleton::{Transform, rotation};
use glam::{Quat, Vec2, Vec3};
use std::ops::Range;

/// Weights below this leave a clip out.
pub(super) const SILENT: f32 = 1e-5;

/// A clip that is heard.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlayingClip {
    pub clip: usize,
    pub weight: f32,
    /// Whether it stands, and keeps its own time.
    pub stands: bool,
}

/// Lists the clips that are heard.
pub(super) fn voices(clips: &[RepertoireClip], weights: &[f32], heard: &mut Vec<PlayingClip>) {
    heard.clear();
    for (clip, &weight) in weights.iter().enumerate() {
        if weight.abs() > SILENT {
            let stands = clips[clip].class() == ClipClass::Stand;
            heard.push(PlayingClip { clip, weight, stands });
        }
    }
}

/// Clips and their weights, of which the sum is 1, at one phase.
#[derive(Clone, Copy)]
pub(super) struct Mix<'a> {
    pub clips: &'a [RepertoireClip],
    pub voices: &'a [PlayingClip],
    /// The phase of all gaits, in [0, 1).
    pub phase: f32,
    /// Seconds that somebody standing has stood; the phase of gaits does not hurry a breath.
    pub standing: f32,
}

/// Heel and ball of a foot: whether they are down, and how much they count as a hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FootHold {
    pub down: [bool; 2],
    pub firm: [f32; 2],
}

/// What gaits say about one point of a foot, summed with their weights.
#[derive(Clone, Copy, Default)]
struct Agreement {
    down: f32,
    firm: f32,
    height: f32,
    height_down: f32,
}

impl Agreement {
    fn add(&mut self, down: bool, firm: f32, height: f32, weight: f32) {
        self.firm += firm * weight;
        self.height += height * weight;
        if down {
            self.down += weight;
            self.height_down += height * weight;
        }
    }

    /// From 1, all have it down, over 0, as many as not, to −1.
    fn agreed(&self, total: f32, lifted: f32) -> f32 {
        let most = 2.0 * self.down / total - 1.0;
        if most <= 0.0 {
            return most;
        }
        let raised = self.height / total - self.height_down / self.down;
        most.min(1.0 - raised / lifted)
    }
}

impl Mix<'_> {
    #[inline]
    fn clip(&self, voice: &PlayingClip) -> &RepertoireClip {
        &self.clips[voice.clip]
    }

    #[inline]
    fn phase_of(&self, voice: &PlayingClip) -> f32 {
        if voice.stands { (self.standing / self.clip(voice).period()).fract() } else { self.phase }
    }

    /// Writes the pose but for the joints of a range, which stay as they are. Rotations go to the hemisphere of the first
    /// clip's; weights may be negative.
    pub fn pose(
        &self,
        left_out: &Range<usize>,
        scratch: &mut [Vec<Transform>; 2],
        pose: &mut [Transform],
    ) {
        let [reference, sample] = scratch;
        let Some((first, others)) = self.voices.split_first() else { return };
        let weight = first.weight;
        let parts = [0..left_out.start, left_out.end..pose.len()];
        self.clip(first).sample_but(left_out, self.phase_of(first), reference);
        for part in parts.clone() {
            for (out, from) in pose[part.clone()].iter_mut().zip(&reference[part]) {
                out.translation = from.translation * weight;
                out.rotation = from.rotation * weight;
            }
        }
        for voice in others {
            let weight = voice.weight;
            self.clip(voice).sample_but(left_out, self.phase_of(voice), sample);
            for part in parts.clone() {
                let clips = sample[part.clone()].iter().zip(&reference[part.clone()]);
                for (out, (from, reference)) in pose[part].iter_mut().zip(clips) {
                    let signed =
                        if from.rotation.dot(reference.rotation) < 0.0 { -weight } else { weight };
                    out.translation += from.translation * weight;
                    out.rotation += from.rotation * signed;
                }
            }
        }
        for part in parts {
            for (out, reference) in pose[part.clone()].iter_mut().zip(&reference[part]) {
                let squared = out.rotation.length_squared();
                out.rotation = if squared > 1e-8 {
                    out.rotation * squared.sqrt().recip()
                } else {
                    reference.rotation
                };
            }
        }
    }

    /// The mean of where a foot's soles are. Weights may be negative; no point goes deeper than the
    /// deepest of the clips.
    pub fn sole(&self, foot: usize) -> SolePhase {
        let mut sum =
            SolePhase { rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), ..SolePhase::default() };
        let mut first: Option<Quat> = None;
        let mut low = [f32::INFINITY; 2];
        for voice in self.voices {
            let weight = voice.weight;
            let sole = self.clip(voice).tracks()[foot].at(self.phase_of(voice));
            let reference = *first.get_or_insert(sole.rotation);
            sum.rotation += rotation::nearest_sign(sole.rotation, reference) * weight;
            sum.heel += sole.heel * weight;
            sum.ball += sole.ball * weight;
            low = [low[0].min(sole.heel.y), low[1].min(sole.ball.y)];
        }
        let reference = first.unwrap_or(Quat::IDENTITY);
        let squared = sum.rotation.length_squared();
        sum.rotation =
            if squared > 1e-8 { sum.rotation * squared.sqrt().recip() } else { reference };
        sum.heel.y = sum.heel.y.max(low[0]);
        sum.ball.y = sum.ball.y.max(low[1]);
        sum
    }

    /// The hold of a foot: whether its heel and ball are down, and how firmly. Most of the gaits decide, unless the
    /// others lift the point by more than `lifted` metres; somebody who stands, and has no part in a gait, stands on
    /// everything.
    pub fn contact(&self, foot: usize, lifted: f32, options: &PlayerOptions) -> FootHold {
        let mut total = 0.0;
        let mut points = [Agreement::default(); 2];
        for voice in self.voices.iter().filter(|voice| !voice.stands && voice.weight > 0.0) {
            let clip = self.clip(voice);
            let (spans, heights) = (&clip.feet()[foot], clip.tracks()[foot].heights(self.phase));
            let (down, firm) = (spans.down(self.phase), spans.weights(self.phase, options.firming));
            for (point, height) in heights.into_iter().enumerate() {
                points[point].add(down[point], firm[point], height, voice.weight);
            }
            total += voice.weight;
        }
        if total <= SILENT {
            return FootHold { down: [true; 2], firm: [1.0; 2] };
        }
        let stands = (1.0 - total / options.stands_below).max(0.0);
        let agreed = points.map(|point| stands + (1.0 - stands) * point.agreed(total, lifted));
        let firm = |point: usize| {
            let firm = stands + (1.0 - stands) * points[point].firm / total;
            firm * agreed[point].clamp(0.0, 1.0)
        };
        FootHold { down: agreed.map(|agreed| agreed > 0.0), firm: [firm(0), firm(1)] }
    }

    /// The time that some phases take.
    pub fn seconds(&self, phases: f32, resting_period: f32) -> f32 {
        let passed = |voice: &PlayingClip| {
            let map = self.clip(voice).map();
            let passed = if voice.stands {
                resting_period * phases
            } else {
                map.seconds(self.phase + phases) - map.seconds(self.phase)
            };
            voice.weight * passed
        };
        self.voices.iter().map(passed).sum()
    }

    /// The phases that pass in a time, `most` at most.
    pub fn phases(&self, seconds: f32, resting_period: f32, most: f32) -> f32 {
        let time = |phases: f32| self.seconds(phases, resting_period);
        // Time passes unevenly over the phase: a guess at the mean tempo, corrected once.
        const PROBE: f32 = 1.0 / PHASES as f32;
        let guess = (seconds * PROBE / time(PROBE).max(1e-3)).min(most);
        if guess <= 0.0 {
            return 0.0;
        }
        (guess * seconds / time(guess).max(1e-3 * guess)).min(most)
    }

    /// The travel over some phases, up to a whole round.
    pub fn travel(&self, phases: f32) -> Twist {
        let mut sum = Twist::default();
        for voice in self.voices {
            let (clip, weight) = (self.clip(voice), voice.weight);
            let map = clip.map();
            let part = (map.seconds(self.phase + phases) - map.seconds(self.phase)) / map.period();
            let twist = clip.twist();
            sum.velocity += twist.velocity * (weight * part);
            sum.turn += twist.turn * (weight * part);
        }
        sum
    }

    /// The playback rate at which the mix has the speed it stands for: the product of mean stride and mean cadence is not
    /// the mean speed.
    pub fn tempo(&self, resting_period: f32) -> f32 {
        let (mut meant, mut way, mut seconds) = (Vec2::ZERO, Vec2::ZERO, 0.0);
        for voice in self.voices {
            let (clip, weight) = (self.clip(voice), voice.weight);
            let twist = clip.twist();
            let round = Vec2::new(twist.velocity.y, twist.turn);
            meant += round * (weight / clip.period());
            way += round * weight;
            seconds += weight * if voice.stands { resting_period } else { clip.period() };
        }
        let is = way / seconds.max(0.1);
        let still = 1e-3;
        (meant.dot(is) + still) / (is.length_squared() + still)
    }
}

/// Heel and ball of a sole as the character sees them from above.
#[inline]
pub(super) fn flat(point: Vec3) -> Vec2 {
    Vec2::new(point.x, point.z)
}
