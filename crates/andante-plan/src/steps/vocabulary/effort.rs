//! How hard clips move the body.

use crate::steps::score::FPS;
use andante_play::repertoire::{Repertoire, RepertoireClip};
use andante_skeleton::Transform;
use glam::Vec3;

/// Rounds of a cycle that are looked at.
const ROUNDS: f32 = 2.0;

/// The largest acceleration of the root in each clip, in m/s²: by differences at the rate of performances, so
/// that both can be compared.
pub(in crate::steps) fn root_accelerations(repertoire: &Repertoire) -> Vec<f32> {
    let joints = repertoire.character().skeleton.len();
    let mut pose = vec![Transform::IDENTITY; joints];
    let mut of = |clip: &RepertoireClip| {
        let rounds = if clip.is_cyclic() { ROUNDS } else { 1.0 };
        let frames = (rounds * clip.period() * FPS) as usize;
        let path: Vec<Vec3> = (0..=frames)
            .map(|frame| {
                let cycles = frame as f32 / (FPS * clip.period());
                let phase = if clip.is_cyclic() {
                    cycles.floor() + clip.map().phase(cycles.fract() * clip.period())
                } else {
                    cycles
                };
                clip.sample_but(&(1..joints), phase, &mut pose);
                (clip.travel(phase).to_transform() * pose[0]).translation
            })
            .collect();
        let bends = path.windows(3).map(|p| (p[0] - 2.0 * p[1] + p[2]).length());
        FPS * FPS * bends.fold(0.0, f32::max)
    };
    repertoire.clips().iter().map(&mut of).collect()
}
