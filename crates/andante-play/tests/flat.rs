//! On the plane a clip was made on, the result is the clip.
#![allow(clippy::unwrap_used)]

#[path = "../examples/common/mod.rs"]
mod common;

use andante_motion::adapt::{Adapted, Extent, TakeOptions, adapt_clip};
use andante_play::GroundClip;
use andante_skeleton::model_frames;
use andante_skeleton::rotation;
use andante_world::HeightFunction;
use common::{built_in, captured, horse};
use std::sync::Arc;

fn on_its_own_plane(clip: &Arc<GroundClip>, extent: Extent) -> Adapted {
    let height = clip.height();
    let plane = HeightFunction::new(move |_| height);
    adapt_clip(clip, &plane, &TakeOptions { extent, ..TakeOptions::default() }).unwrap()
}

/// Largest distance of a joint, in metres, and largest turn, in radians, between a take and its source.
fn difference(clip: &GroundClip, take: &Adapted) -> (f32, f32) {
    let skeleton = &clip.character().skeleton;
    let frames = model_frames(skeleton, &take.clip);
    let sources = model_frames(skeleton, &take.source);
    let pairs = frames.iter().flatten().zip(sources.iter().flatten());
    pairs.fold((0.0f32, 0.0f32), |(moved, turned), (a, b)| {
        let distance = a.translation.distance(b.translation);
        (moved.max(distance), turned.max(rotation::angle_between(a.rotation, b.rotation)))
    })
}

#[test]
fn built_in_clips_are_themselves_on_the_level() {
    for name in andante_motion::synth::NAMES {
        let clip = built_in(name);
        let extent = if clip.cyclic() { Extent::Rounds(3) } else { Extent::Once };
        let (moved, turned) = difference(&clip, &on_its_own_plane(&clip, extent));
        assert!(moved < 1e-5 && turned < 1e-5, "{name}: {moved} m, {turned} rad");
    }
}

#[test]
fn captured_walks_are_themselves_on_the_level() {
    for take in ["15", "21", "11", "35"] {
        let Some(case) = captured(&format!("cmu/16/16_{take}.bvh")) else { return };
        let (moved, turned) = difference(&case.clip, &on_its_own_plane(&case.clip, case.extent));
        assert!(moved < 1e-5 && turned < 1e-5, "{take}: {moved} m, {turned} rad");
    }
}

#[test]
fn a_horse_is_itself_on_the_level() {
    let Some(case) = horse("Walk") else { return };
    let (moved, turned) = difference(&case.clip, &on_its_own_plane(&case.clip, Extent::Rounds(2)));
    assert!(moved < 1e-5 && turned < 1e-5, "{moved} m, {turned} rad");
}
