//! The weighted mean of clips at one phase.

use crate::repertoire::{ClipClass, PHASES, RepertoireClip, Sole, Twist};
use andante_skeleton::{Transform, rotation};
use glam::{Quat, Vec3};

/// Weights below this leave a clip out.
pub(super) const SILENT: f32 = 1e-5;

/// Phases over which a contact becomes firm.
pub(super) const RAMP: f32 = 0.04;

/// Share of gaits below which standing decides what is down.
const STANDING: f32 = 0.05;

/// Most of a round that passes in one step.
const MOST_PHASES: f32 = 0.5;

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

/// Heel and ball of a foot: whether they are down, and how much they count as a hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Contact {
    pub down: [bool; 2],
    pub firm: [f32; 2],
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

    /// Whether the heel and ball of a foot are down, and how firmly. Most of the gaits decide;
    /// somebody who stands, and has no part in a gait, stands on everything.
    pub fn contact(&self, foot: usize) -> Contact {
        let (mut down, mut firm, mut total) = ([0.0; 2], [0.0; 2], 0.0);
        for (clip, weight) in self.active() {
            if clip.class() != ClipClass::Stand && weight > 0.0 {
                let spans = &clip.feet()[foot];
                let (is_down, is_firm) = (spans.down(self.phase), spans.weights(self.phase, RAMP));
                for point in 0..2 {
                    down[point] += if is_down[point] { weight } else { 0.0 };
                    firm[point] += is_firm[point] * weight;
                }
                total += weight;
            }
        }
        if total <= SILENT {
            return Contact { down: [true; 2], firm: [1.0; 2] };
        }
        let stands = (1.0 - total / STANDING).max(0.0);
        let agreed = down.map(|down| stands + (1.0 - stands) * (2.0 * down / total - 1.0));
        let point = |point: usize| {
            let firm = stands + (1.0 - stands) * firm[point] / total;
            firm * agreed[point].clamp(0.0, 1.0)
        };
        Contact { down: agreed.map(|agreed| agreed > 0.0), firm: [point(0), point(1)] }
    }

    /// The phases that pass in a time.
    pub fn phases(&self, seconds: f32, resting_period: f32) -> f32 {
        let time = |phases: f32| -> f32 {
            let passed = |(clip, weight): (&RepertoireClip, f32)| {
                let map = clip.map();
                let standing = clip.class() == ClipClass::Stand;
                let passed = if standing {
                    resting_period * phases
                } else {
                    map.seconds(self.phase + phases) - map.seconds(self.phase)
                };
                weight * passed
            };
            self.active().map(passed).sum()
        };
        // Time passes unevenly over the phase: a guess at the mean tempo, corrected once.
        const PROBE: f32 = 1.0 / PHASES as f32;
        let guess = (seconds * PROBE / time(PROBE).max(1e-3)).min(MOST_PHASES);
        if guess <= 0.0 {
            return 0.0;
        }
        (guess * seconds / time(guess).max(1e-3 * guess)).min(MOST_PHASES)
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
