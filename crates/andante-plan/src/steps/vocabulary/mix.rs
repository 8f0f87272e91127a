//! Gaits in proportion.

use super::Vocabulary;
use andante_play::repertoire::{ClipClass, Repertoire, RepertoireClip, SolePhase};
use andante_skeleton::{Planar, Transform, rotation};
use glam::{Quat, Vec2};

/// A clip that takes part, and how much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::steps) struct MixedClip {
    pub clip: u32,
    pub weight: f32,
}

/// Weights below this leave a clip out.
const SILENT: f32 = 1e-4;

/// A family of gaits, and what its clips can do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gaits {
    /// Index of the family.
    family: usize,
    /// Whether standing is one of them.
    stands: bool,
    /// Speeds ahead.
    slowest: f32,
    fastest: f32,
    /// The largest curvature, to either side.
    sharpest: f32,
}

impl Gaits {
    pub fn new(repertoire: &Repertoire, family: usize) -> Self {
        let members = repertoire.families()[family].members();
        let clips = || members.iter().map(|&clip| &repertoire.clips()[clip]);
        let ahead = || clips().filter(|clip| clip.velocity().y > 0.2);
        Self {
            family,
            stands: clips().any(|clip| clip.class() == ClipClass::Stand),
            slowest: ahead().map(|clip| clip.velocity().y).fold(9.0, f32::min),
            fastest: repertoire.families()[family].speed_range()[1].max(0.2),
            sharpest: ahead().map(|clip| clip.curvature().abs()).fold(0.0, f32::max),
        }
    }
}

impl Vocabulary {
    /// The clips for a speed and a turn rate, of which the weights sum to 1 with what is returned:
    /// the share of standing. `run` goes from walking, 0, to running, 1.
    pub fn mix(
        &self,
        speed: f32,
        turn: f32,
        run: f32,
        scratch: &mut Vec<f32>,
        voices: &mut Vec<MixedClip>,
    ) -> f32 {
        let run = match (&self.walk, &self.run) {
            (Some(_), None) => 0.0,
            (None, Some(_)) => 1.0,
            _ => run,
        };
        let mut rest = 0.0;
        for (gaits, share) in [(&self.walk, 1.0 - run), (&self.run, run)] {
            let Some(gaits) = gaits.as_ref().filter(|_| share > SILENT) else { continue };
            let family = &self.repertoire.families()[gaits.family];
            let clips = self.repertoire.clips();
            let &Gaits { stands, slowest: least, fastest, sharpest, .. } = gaits;
            // Without a clip of standing, what is slower than the slowest gait is part of it.
            let part = if stands { 1.0 } else { (speed / least).clamp(0.0, 1.0) };
            rest += share * (1.0 - part);
            let share = share * part;
            let speed = speed.clamp(if stands { 0.0 } else { least }, 1.2 * fastest);
            // Bends sharper than any clip's are left to the footprints: mixes that are far outside
            // the clips sway.
            let most = self.settings.mix.sharper * speed * sharpest;
            let asked = Vec2::new(speed, turn.clamp(-most, most));
            scratch.clear();
            scratch.resize(family.members().len(), 0.0);
            if family.space().weights(asked, scratch).is_none() {
                continue;
            }
            for (&clip, &weight) in family.members().iter().zip(scratch.iter()) {
                if clips[clip].class() == ClipClass::Stand {
                    rest += share * weight;
                } else if weight.abs() > SILENT {
                    voices.push(MixedClip { clip: clip as u32, weight: share * weight });
                }
            }
        }
        rest
    }

    /// Cycles per second such that the mix has the speed, within what its tempo allows.
    pub fn natural_cadence(&self, speed: f32) -> f32 {
        let (mut scratch, mut voices) = (Vec::new(), Vec::new());
        let run = f32::from(speed > self.border);
        let speed = speed.max(0.5 * self.slowest);
        self.mix(speed, 0.0, run, &mut scratch, &mut voices);
        let (mut way, mut seconds, mut total) = (0.0, 0.0, 0.0);
        for voice in &voices {
            let clip = &self.repertoire.clips()[voice.clip as usize];
            way += voice.weight * clip.twist().velocity.y;
            seconds += voice.weight * clip.period();
            total += voice.weight;
        }
        let own = if seconds > 0.1 { total / seconds } else { 1.0 };
        let wanted = if way > 0.05 { speed / way } else { own };
        let tempo = self.settings.mix.tempo;
        wanted.clamp((1.0 - tempo) * own, (1.0 + tempo) * own)
    }

    /// The place of the hips of a steady gait ahead at a phase, seen from its course.
    pub fn hips(&self, phase: f32, speed: f32) -> Planar {
        let (mut scratch, mut voices) = (Vec::new(), Vec::new());
        let run = f32::from(speed > self.border);
        let rest = self.mix(speed, 0.0, run, &mut scratch, &mut voices);
        let joints = self.character().skeleton.len();
        let mut pose = vec![Transform::IDENTITY; joints];
        let mut sample = pose.clone();
        mix_pose(self, phase, rest, &voices, &mut sample, &mut pose);
        hips_placement(self.character(), &pose)
    }
}

/// Where the hips of a pose are and face, seen from above.
pub(in crate::steps) fn hips_placement(
    character: &andante_skeleton::Character,
    pose: &[Transform],
) -> Planar {
    let (mut model, mut rest) = (Transform::IDENTITY, Transform::IDENTITY);
    for joint in character.skeleton.ancestors(character.rig.hips) {
        model = pose[joint] * model;
        rest = character.skeleton.joint(joint).rest * rest;
    }
    let turned = model.rotation * rest.rotation.conjugate();
    Planar::from_transform(&Transform::new(turned, model.translation))
}

/// Writes the weighted mean of clips at a phase, in place, with a share of standing.
pub(in crate::steps) fn mix_pose(
    vocabulary: &Vocabulary,
    phase: f32,
    rest: f32,
    voices: &[MixedClip],
    sample: &mut [Transform],
    pose: &mut [Transform],
) {
    let clips = vocabulary.repertoire.clips();
    let standing = &vocabulary.rest.pose;
    for (out, from) in pose.iter_mut().zip(standing) {
        out.translation = from.translation * rest;
        out.rotation = from.rotation * rest;
    }
    for voice in voices {
        clips[voice.clip as usize].sample(phase, sample);
        for ((out, from), reference) in pose.iter_mut().zip(sample.iter()).zip(standing) {
            let near = from.rotation.dot(reference.rotation) >= 0.0;
            out.translation += from.translation * voice.weight;
            out.rotation += from.rotation * if near { voice.weight } else { -voice.weight };
        }
    }
    for (out, reference) in pose.iter_mut().zip(standing) {
        let squared = out.rotation.length_squared();
        out.rotation =
            if squared > 1e-8 { out.rotation * squared.sqrt().recip() } else { reference.rotation };
    }
}

/// The mean of where heel and ball of a foot are, in place, and the part of the clips that have them down.
pub(in crate::steps) fn mix_sole(
    clips: &[RepertoireClip],
    phase: f32,
    voices: &[MixedClip],
    foot: usize,
) -> (SolePhase, [f32; 2]) {
    let mut sum = SolePhase { rotation: Quat::IDENTITY, ..SolePhase::default() };
    let (mut total, mut down) = (0.0, [0.0; 2]);
    for voice in voices {
        let clip = &clips[voice.clip as usize];
        let sole = clip.tracks()[foot].at(phase);
        sum.heel += sole.heel * voice.weight;
        sum.ball += sole.ball * voice.weight;
        let is_down = clip.feet()[foot].down(phase);
        for point in 0..2 {
            down[point] += if is_down[point] { voice.weight } else { 0.0 };
        }
        total += voice.weight;
    }
    (sum, down.map(|down| if total > 0.0 { down / total } else { 0.0 }))
}

/// Interpolates poses: rotations on the short way.
pub(in crate::steps) fn lerp_pose(pose: &mut [Transform], to: &[Transform], share: f32) {
    for (out, to) in pose.iter_mut().zip(to) {
        out.translation = out.translation.lerp(to.translation, share);
        out.rotation = rotation::nlerp(out.rotation, to.rotation, share);
    }
}
