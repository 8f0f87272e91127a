//! Which way knees bend, as the gaits show it.

use super::{ClipClass, PHASES, RepertoireClip};
use andante_skeleton::TwoBone;
use andante_skeleton::{Character, Pose};
use glam::Vec3;

/// A solver for the last three joints of each leg; `None` for legs that have fewer.
pub(super) fn legs(character: &Character, clips: &[RepertoireClip]) -> Vec<Option<TwoBone>> {
    let skeleton = &character.skeleton;
    let rest = skeleton.rest_models();
    let mut bends = vec![Vec3::ZERO; character.rig.feet.len()];
    let mut pose = Pose::rest(skeleton);
    let mut models = pose.clone();
    let upper_body = character.upper_body();
    // What is played once need not be there. Where nothing else is, it shows as much.
    let is_once = |clip: &RepertoireClip| clip.class() == ClipClass::Action;
    let all_once = clips.iter().all(is_once);
    for clip in clips.iter().filter(|clip| all_once || !is_once(clip)) {
        for step in 0..PHASES / 4 {
            clip.sample_but(&upper_body, step as f32 / (PHASES / 4) as f32, &mut pose);
            skeleton.local_to_model_but(&upper_body, &pose, &mut models);
            for (bend, foot) in bends.iter_mut().zip(&character.rig.feet) {
                if let [.., hip, knee, ankle] = foot.leg[..] {
                    let at = |joint: usize| models[joint].translation;
                    let across = (at(knee) - at(hip)).cross(at(ankle) - at(knee));
                    // As if the knee were at rest.
                    *bend += rest[knee].rotation * (models[knee].rotation.conjugate() * across);
                }
            }
        }
    }
    let leg = |(foot, bend): (&andante_skeleton::Foot, &Vec3)| {
        let joints = *foot.leg.last_chunk::<3>()?;
        // A leg that never bends: knees of what faces +Z bend about +X.
        let axis = bend.try_normalize().filter(|_| bend.length() > 1e-3).unwrap_or(Vec3::X);
        TwoBone::new(skeleton, joints, axis).ok()
    };
    character.rig.feet.iter().zip(&bends).map(leg).collect()
}
