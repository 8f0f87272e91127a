//! What synthesised clips promise.
#![allow(clippy::unwrap_used, clippy::panic)]

mod anatomy;
mod connections;
mod feet;
mod limits;
mod range;
mod steady;

use andante_motion::synth::{self, SynthClip, angles::LegAngles, angles::leg_angles};
use andante_skeleton::model_frames;
use andante_skeleton::{Character, Planar, RootMotion, Transform};

fn made(character: &Character, name: &str) -> SynthClip {
    synth::clip(character, name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The angles of one leg in degrees, frame by frame.
fn angles(character: &Character, clip: &SynthClip, foot: usize) -> Vec<LegAngles> {
    let degrees = |angles: LegAngles| LegAngles {
        hip: angles.hip.to_degrees(),
        knee: angles.knee.to_degrees(),
        ankle: angles.ankle.to_degrees(),
        foot: angles.foot.to_degrees(),
    };
    model_frames(&character.skeleton, &clip.clip)
        .iter()
        .map(|models| degrees(leg_angles(&character.rig, &character.rig.feet[foot], models)))
        .collect()
}

/// The travel of a clip's root from its first frame to its last.
fn travel(character: &Character, clip: &SynthClip) -> Planar {
    RootMotion::extract(&character.skeleton, &clip.clip).unwrap().1.total()
}

fn smallest(values: impl IntoIterator<Item = f32>) -> f32 {
    values.into_iter().fold(f32::INFINITY, f32::min)
}

fn largest(values: impl IntoIterator<Item = f32>) -> f32 {
    values.into_iter().fold(f32::NEG_INFINITY, f32::max)
}

/// A pose as it would be if its root were above the origin and faced +Z.
fn in_place(pose: &[Transform]) -> Vec<Transform> {
    let mut pose = pose.to_vec();
    pose[0] = Planar::from_transform(&pose[0]).to_transform().inverse() * pose[0];
    pose
}
