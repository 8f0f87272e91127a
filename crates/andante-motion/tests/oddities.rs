//! Oddities of real recordings.
#![allow(clippy::unwrap_used)]

use andante_formats::{Asset, ReadOptions, acclaim, bvh};
use andante_motion::oddities;
use andante_skeleton::Clip;
use std::path::PathBuf;

fn read(path: &PathBuf) -> Asset {
    let bytes = std::fs::read(path).unwrap();
    let options = ReadOptions::default();
    match path.extension().unwrap().to_str().unwrap() {
        "bvh" => bvh::read(&bytes, "clip", &options).unwrap(),
        _ => {
            let asf = std::fs::read(path.with_extension("asf")).unwrap();
            acclaim::read(&asf, bytes.as_slice(), "clip", &options).unwrap()
        }
    }
}

fn acclaim_files() -> Vec<PathBuf> {
    let Some(directory) = andante_testdata::mocap("asf-amc") else { return Vec::new() };
    let files = andante_testdata::files(&directory, "amc");
    assert!(!files.is_empty());
    files
}

#[test]
fn converted_recordings_have_a_t_pose_in_front_until_it_is_cut() {
    for path in andante_testdata::cmu() {
        let Asset { skeleton, clips, .. } = read(&path);
        // Some files let go of an arm later than of the rest.
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let late = [("16_15", 3), ("16_23", 4), ("16_28", 7)];
        let added = late.iter().find(|(own, _)| *own == name).map_or(1, |(_, count)| *count);
        let path = path.display();
        assert_eq!(oddities::added_frames(&skeleton, &clips[0]), added, "{path}");
        let cut = oddities::without_added_frames(&skeleton, &clips[0], 0).unwrap();
        assert_eq!(oddities::added_frames(&skeleton, &cut), 0, "{path}");
        // Some files hold it for longer.
        let pose = &clips[0].transforms()[..skeleton.len()];
        let longer = [&pose.repeat(2), clips[0].transforms()].concat();
        let longer = Clip::new("longer", &skeleton, clips[0].fps(), longer).unwrap();
        assert_eq!(oddities::added_frames(&skeleton, &longer), 2 + added, "{path}");
    }
}

/// Frame 51 is where an arm that was lost is found again; fingers that turn over are the most of other jumps.
#[test]
fn joints_that_jump_in_recordings_are_found() {
    let Some(path) = andante_testdata::mocap("cmu/03/03_02.bvh") else { return };
    let Asset { skeleton, clips, .. } = read(&path);
    let arm = skeleton.find("RightArm").unwrap();
    let jumps = oddities::joint_jumps(&skeleton, &clips[0]);
    let found = jumps.iter().find(|jump| (jump.joint, jump.frame) == (arm, 51)).unwrap();
    assert!((found.turn.to_degrees() - 90.1).abs() < 0.5, "{found:?}");
}

#[test]
fn one_of_our_own_files_has_a_t_pose_in_front() {
    for (name, t_pose) in [("walk_metres.bvh", 0), ("run_centimetres.bvh", 1), ("leap.amc", 0)] {
        let Asset { skeleton, clips, .. } = read(&andante_testdata::own(name));
        assert_eq!(oddities::added_frames(&skeleton, &clips[0]), t_pose, "{name}");
        assert_eq!(oddities::dropouts(&skeleton, &clips[0]), [], "{name}");
        assert_eq!(oddities::frozen_stretches(&clips[0]).len(), 0, "{name}");
    }
}

#[test]
fn original_recordings_have_no_t_pose_in_front() {
    for path in acclaim_files() {
        let asset = read(&path);
        assert_eq!(oddities::added_frames(&asset.skeleton, &asset.clips[0]), 0);
    }
}

/// The recordings have a few real dropouts, mostly of thumbs and toes, and one gap that was filled. More
/// would be false alarms: all that are found were looked at.
#[test]
fn few_frames_of_real_recordings_are_odd() {
    let paths = [andante_testdata::cmu(), acclaim_files()].concat();
    if paths.is_empty() {
        return;
    }
    let (mut frames, mut odd, mut frozen) = (0, 0, 0);
    for path in &paths {
        let asset = read(path);
        frames += asset.clips[0].frame_count();
        let dropouts = oddities::dropouts(&asset.skeleton, &asset.clips[0]);
        let mut starts: Vec<_> = dropouts.iter().map(|dropout| dropout.frames.start).collect();
        starts.dedup();
        odd += starts.len();
        frozen += oddities::frozen_stretches(&asset.clips[0]).len();
    }
    assert_eq!((odd, frozen), (17, 1), "in {frames} frames");
}

#[test]
fn a_dropout_planted_in_a_recording_is_found() {
    let real = andante_testdata::mocap("cmu/16/16_16.bvh").map(|path| (path, "LeftLeg", 200));
    let own = (andante_testdata::own("walk_metres.bvh"), "LeftLowerLeg", 40);
    for (path, knee, frame) in real.into_iter().chain([own]) {
        let Asset { skeleton, clips, .. } = read(&path);
        let mut transforms = clips[0].transforms().to_vec();
        let knee = skeleton.find(knee).unwrap();
        transforms[frame * skeleton.len() + knee].rotation *= glam::Quat::from_rotation_x(0.7);
        let broken = Clip::new("broken", &skeleton, clips[0].fps(), transforms).unwrap();
        let expected = oddities::Dropout { joint: knee, frames: frame..frame + 1 };
        assert_eq!(oddities::dropouts(&skeleton, &broken), [expected]);
    }
}
