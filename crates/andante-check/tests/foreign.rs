//! Captured people and foreign skeletons on level ground: what they do is possible, since somebody did it.
#![allow(clippy::unwrap_used)]

mod made;

use andante_check::{Severity, Verdict, Violation, ViolationKind};
use andante_formats::ReadOptions;
use andante_motion::{analysis, rig};
use andante_skeleton::{Character, Clip};
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

fn of(verdict: &Verdict, severity: Severity) -> Vec<&Violation> {
    verdict.violations.iter().filter(|violation| violation.severity() == severity).collect()
}

#[test]
fn captured_walks_and_runs_are_not_called_wrong() {
    for path in andante_testdata::cmu() {
        let take = take(&path, Some(SCALE), true).unwrap();
        let found = made::verdict(&take, None);
        for violation in &found.violations {
            println!("{violation}");
        }
    }
}

#[test]
fn foreign_skeletons_are_judged_by_their_own_size() {
    for path in andante_testdata::animated_gltf() {
        let Some(take) = take(&path, None, false) else { continue };
        let found = made::verdict(&take, None);
        for violation in &found.violations {
            println!("{violation}");
        }
        assert!(found.frames > 0);
        assert!(of(&found, Severity::Wrong).iter().all(|v| v.kind != ViolationKind::NotFinite));
    }
}
