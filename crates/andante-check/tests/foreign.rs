//! Captured people and foreign skeletons on level ground: what they do is possible, since somebody did it.
#![allow(clippy::unwrap_used)]

use andante_check::{CheckSettings, ViolationKind, check};
use andante_formats::ReadOptions;
use andante_motion::{analysis, rig};
use andante_play::{Contacts, FootContacts, Interval};
use andante_skeleton::{Character, Clip, Transform};
use andante_take::Take;
use std::path::Path;
use std::sync::Arc;

/// Units of the recordings are inches, and they were scaled by 0.45.
const SCALE: f32 = 0.056444;

/// The first clip of a file on level ground, without the T-pose that recordings begin with, in some for several frames.
fn take(path: &Path, scale: Option<f32>, is_captured: bool) -> Option<Take> {
    let options = ReadOptions { scale, ..ReadOptions::default() };
    let asset = andante_formats::read_file(path, &options, None).unwrap();
    let clip = asset.clips.first()?;
    let joints = asset.skeleton.len();
    let skipped = if is_captured { (0.1 * clip.fps()) as usize } else { 0 };
    let first = skipped * joints;
    let transforms = clip.transforms()[first..].to_vec();
    let clip = Clip::new(clip.name(), &asset.skeleton, clip.fps(), transforms).unwrap();
    let rig = rig::detect(&asset.skeleton, &asset.clips).ok()?;
    let analysed = analysis::analyse(&asset.skeleton, &rig, &clip, &Default::default()).ok()?;
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    let skeleton = asset.skeleton.clone();
    let character = Character { name, description: String::new(), skeleton, rig };
    let mut take = Take::of_clip(&character, &clip, analysed.contacts, None);
    take.tracks[0].mesh = asset.mesh.map(Arc::new);
    Some(take)
}

/// Markers shake by centimetres, and soles skate over the floor with them.
fn of_recordings() -> CheckSettings {
    CheckSettings {
        contact_gap_m: 0.08,
        foot_depth_m: 0.06,
        slide_m: 0.12,
        ..CheckSettings::default()
    }
}

#[test]
fn captured_people_on_level_ground_are_not_called_wrong_and_most_are_natural() {
    let (mut all, mut odd) = (0, 0);
    for path in andante_testdata::cmu() {
        let take = take(&path, Some(SCALE), true).unwrap();
        let found = check(&take, None, &of_recordings()).unwrap();
        let wrong: Vec<_> = found.wrong(None).map(ToString::to_string).collect();
        if path.parent().unwrap().ends_with("03") {
            // These walk over uneven ground.
            assert!(!wrong.is_empty(), "{}", path.display());
            continue;
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
        found.violations.iter().for_each(|violation| println!("{violation}"));
        (all, odd) = (all + 1, odd + usize::from(!found.is_ok()));
    }
    assert!(odd * 4 <= all, "{odd} of {all} people move like nobody does");
}

#[test]
fn foreign_bodies_stand_on_the_ground_and_not_above_it() {
    for path in andante_testdata::animated_gltf() {
        let asset = andante_formats::read_file(&path, &ReadOptions::default(), None).unwrap();
        let Ok(rig) = rig::detect(&asset.skeleton, &asset.clips) else { continue };
        let skeleton = asset.skeleton;
        let rest: Vec<Transform> = skeleton.joints().iter().map(|joint| joint.rest).collect();
        let clip = Clip::new("rest", &skeleton, 30.0, rest.repeat(60)).unwrap();
        let always = FootContacts { heel: Vec::new(), toe: vec![Interval::new(0.0, 10.0)] };
        let contacts = Contacts { feet: vec![always; rig.feet.len()] };
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let character = Character { name, description: String::new(), skeleton, rig };
        let mut take = Take::of_clip(&character, &clip, contacts, None);
        if character.rig.feet.is_empty() {
            continue;
        }
        // Not all feet are equally low in every rest pose: their mean is where the ground is.
        let found = check(&take, None, &of_recordings()).unwrap();
        let wrong: Vec<_> = found.wrong(None).map(ToString::to_string).collect();
        // At rest the fox and the spider have joints below their soles.
        if !["Fox", "spider-animations"].contains(&character.name.as_str()) {
            assert!(wrong.is_empty(), "{}: {wrong:#?}", path.display());
        }
        let (low, high) = character.skeleton.rest_bounds();
        take.head.ground[0].platform.height -= 0.2 * (high - low).max_element();
        let floats = check(&take, None, &of_recordings()).unwrap();
        assert!(
            floats.wrong(None).any(|one| one.kind == ViolationKind::ContactInAir),
            "{floats:?}"
        );
    }
}
