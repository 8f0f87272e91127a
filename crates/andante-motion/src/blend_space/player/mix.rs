//! The weighted mean of clips at one phase.

use crate::repertoire::{ClipClass, RepertoireClip, Sole, Twist};
use andante_skeleton::{Transform, rotation};
use glam::{Quat, Vec3};

/// Weights below this leave a clip out.
pub(super) const SILENT: f32 = 1e-5;

/// Phases over which a contact becomes firm.
pub(super) const RAMP: f32 = 0.04;

/// Share of gaits below which standing decides what is down.
const STANDING: f32 = 0.05;

/// Clips and their weights, of which the sum is 1, at one phase.
#[derive(Clone, Copy)]
pub(super) struct Mix<'a> {
    pub clips: &'a [RepertoireClip],
    pub weights: &'a [f32],
    /// The phase of all gaits, in [0, 1).
    pub phase: f32,
    /// Seconds that somebody standing has stood; the phase of gaits does not hurry a breath.
    pub standing: f32,
}

impl Mix<'_> {
    fn active(&self) -> impl Iterator<Item = (&RepertoireClip, f32)> {
        let weighted = self.clips.iter().zip(self.weights.iter().copied());
        weighted.filter(|(_, weight)| weight.abs() > SILENT)
    }

    fn phase_of(&self, clip: &RepertoireClip) -> f32 {
        if clip.class() == ClipClass::Stand {
            (self.standing / clip.period()).fract()
        } else {
            self.phase
        }
    }

    /// Writes the pose. Rotations go to the hemisphere of the first clip's; weights may be negative.
    pub fn pose(&self, scratch: &mut [Vec<Transform>; 2], pose: &mut [Transform]) {
        let [reference, sample] = scratch;
        let mut active = self.active();
        let Some((first, weight)) = active.next() else { return };
        first.sample(self.phase_of(first), reference);
        for (out, from) in pose.iter_mut().zip(reference.iter()) {
            out.translation = from.translation * weight;
            out.rotation = from.rotation * weight;
        }
        for (clip, weight) in active {
            clip.sample(self.phase_of(clip), sample);
            for ((out, from), reference) in pose.iter_mut().zip(sample.iter()).zip(reference.iter())
            {
                let signed =
                    if from.rotation.dot(reference.rotation) < 0.0 { -weight } else { weight };
                out.translation += from.translation * weight;
                out.rotation += from.rotation * signed;
            }
        }
        for (out, reference) in pose.iter_mut().zip(reference.iter()) {
            let squared = out.rotation.length_squared();
            out.rotation = if squared > 1e-8 {
                out.rotation * squared.sqrt().recip()
            } else {
                reference.rotation
            };
        }
    }

    /// The mean of where a foot's soles are. Weights may be negative; no point goes deeper than the
    /// deepest of the clips.
    pub fn sole(&self, foot: usize) -> Sole {
        let mut sum = Sole { rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), ..Sole::default() };
        let mut first: Option<Quat> = None;
        let mut low = [f32::INFINITY; 2];
        for (clip, weight) in self.active() {
            let sole = clip.tracks()[foot].at(self.phase_of(clip));
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

    /// How firmly the heel and ball of a foot are down. Gaits decide; somebody who stands, and is
    /// no part of a gait, stands on everything.
    pub fn contact(&self, foot: usize) -> [f32; 2] {
        let (mut sum, mut total) = ([0.0; 2], 0.0);
        for (clip, weight) in self.active() {
            if clip.class() != ClipClass::Stand && weight > 0.0 {
                let [heel, ball] = clip.feet()[foot].weights(self.phase, RAMP);
                sum = [sum[0] + heel * weight, sum[1] + ball * weight];
                total += weight;
            }
        }
        let stands = (1.0 - total / STANDING).max(0.0);
        if total <= SILENT {
            return [1.0; 2];
        }
        // A point that most of the clips have in the air is in the air.
        sum.map(|sum| stands + (1.0 - stands) * ((2.0 * sum / total) - 1.0).max(0.0))
    }

    /// Seconds per phase.
    pub fn seconds_per_phase(&self, resting_period: f32) -> f32 {
        let seconds = |(clip, weight): (&RepertoireClip, f32)| {
            let standing = clip.class() == ClipClass::Stand;
            weight * if standing { resting_period } else { clip.map().slope(self.phase) }
        };
        self.active().map(seconds).sum::<f32>().max(0.1)
    }

    /// The travel over some phases, up to a whole round.
    pub fn travel(&self, phases: f32) -> Twist {
        let mut sum = Twist::default();
        for (clip, weight) in self.active() {
            let map = clip.map();
            let part = (map.seconds(self.phase + phases) - map.seconds(self.phase)) / map.period();
            let twist = clip.twist();
            sum.velocity += twist.velocity * (weight * part);
            sum.turn += twist.turn * (weight * part);
        }
        sum
    }

    /// Velocity ahead and turn rate of the mix per round, over the seconds a round takes.
    pub fn pace(&self, resting_period: f32) -> glam::Vec2 {
        let (mut way, mut seconds) = (glam::Vec2::ZERO, 0.0);
        for (clip, weight) in self.active() {
            let twist = clip.twist();
            way += glam::Vec2::new(twist.velocity.y, twist.turn) * weight;
            let standing = clip.class() == ClipClass::Stand;
            seconds += weight * if standing { resting_period } else { clip.period() };
        }
        way / seconds.max(0.1)
    }
}

/// Heel and ball of a sole as the character sees them from above.
pub(super) fn flat(point: Vec3) -> glam::Vec2 {
    glam::Vec2::new(point.x, point.z)
}
