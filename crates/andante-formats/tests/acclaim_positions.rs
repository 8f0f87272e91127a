//! Bone ends of our own and of real files, against an independent computation and after a round trip.
#![allow(clippy::unwrap_used)]

mod oracle;

use andante_formats::{Asset, ReadOptions, acclaim, bvh};
use andante_skeleton::{Skeleton, Transform};
use glam::{DVec3, Vec3};
use std::path::PathBuf;

/// Every joint must be within this many metres of where it should be.
const TOLERANCE: f64 = 1e-4;

fn pairs() -> Vec<(PathBuf, PathBuf)> {
    let mut skeletons = vec![andante_testdata::own("leap.asf")];
    if let Some(directory) = andante_testdata::mocap("asf-amc") {
        let real = andante_testdata::files(&directory, "asf");
        assert!(!real.is_empty());
        skeletons.extend(real);
    }
    skeletons.into_iter().map(|asf| (asf.clone(), asf.with_extension("amc"))).collect()
}

fn models(skeleton: &Skeleton, frame: &[Transform]) -> Vec<Transform> {
    let mut models = frame.to_vec();
    skeleton.local_to_model(frame, &mut models);
    models
}

fn read(asf: &str, amc: &str) -> Asset {
    acclaim::read(asf.as_bytes(), amc.as_bytes(), "clip", &ReadOptions::default()).unwrap()
}

#[test]
fn bone_ends_of_files_are_where_double_precision_matrices_put_them() {
    for (asf, amc) in pairs() {
        let asf = std::fs::read_to_string(asf).unwrap();
        let amc = std::fs::read_to_string(amc).unwrap();
        let asset = read(&asf, &amc);
        assert_eq!(asset.warnings, []);
        let expected = oracle::acclaim(&asf, &amc);
        let (skeleton, clip) = (&asset.skeleton, &asset.clips[0]);
        assert_eq!(clip.fps(), 120.0);
        assert_eq!(clip.frame_count(), expected.len());
        let scale = 0.0254 / 0.45;
        for (frame, expected) in clip.frames().zip(&expected) {
            let models = models(skeleton, frame);
            let mut compared = 0;
            for (index, joint) in skeleton.joints().iter().enumerate() {
                // A bone ends where its children start, or at the tip.
                let found = match skeleton.children(index).next() {
                    Some(child) => models[child].translation,
                    None => models[index].transform_point(joint.tip.unwrap()),
                };
                let error =
                    found.as_dvec3().distance(DVec3::from_array(expected[&joint.name]) * scale);
                assert!(error < TOLERANCE, "{}: {error} m", joint.name);
                compared += 1;
            }
            assert_eq!(compared, expected.len());
        }
    }
}

/// Positions of the joints of one skeleton, found by name in another that has further joints.
fn compare(first: &Asset, second: &Asset) {
    let (a, b) = (&first.clips[0], &second.clips[0]);
    assert_eq!((a.frame_count(), a.fps()), (b.frame_count(), b.fps()));
    let counterparts: Vec<usize> = first
        .skeleton
        .joints()
        .iter()
        .enumerate()
        .map(
            |(index, joint)| {
                if index == 0 { 0 } else { second.skeleton.find(&joint.name).unwrap() }
            },
        )
        .collect();
    let mut worst: f32 = 0.0;
    let mut check = |a: &[Transform], b: &[Transform]| {
        let (a, b) = (models(&first.skeleton, a), models(&second.skeleton, b));
        for (index, joint) in first.skeleton.joints().iter().enumerate() {
            let other = counterparts[index];
            worst = worst.max(a[index].translation.distance(b[other].translation));
            if first.skeleton.children(index).next().is_none() {
                let tip = |t: Option<Vec3>| t.unwrap_or(Vec3::ZERO);
                let end = b[other].transform_point(tip(second.skeleton.joint(other).tip));
                worst = worst.max(a[index].transform_point(tip(joint.tip)).distance(end));
            }
        }
    };
    let rest = |asset: &Asset| -> Vec<Transform> {
        asset.skeleton.joints().iter().map(|joint| joint.rest).collect()
    };
    check(&rest(first), &rest(second));
    for (a, b) in a.frames().zip(b.frames()) {
        check(a, b);
    }
    assert!(f64::from(worst) < TOLERANCE, "{worst} m");
}

fn through_acclaim(asset: &Asset) -> Asset {
    let files = acclaim::write(&asset.skeleton, &asset.clips[0], &Default::default());
    let read = read(&files.asf, &files.amc);
    assert_eq!(read.warnings, []);
    read
}

#[test]
fn joints_of_acclaim_files_survive_being_written_and_read() {
    for (asf, amc) in pairs() {
        let asf = std::fs::read_to_string(asf).unwrap();
        let amc = std::fs::read_to_string(amc).unwrap();
        let first = read(&asf, &amc);
        let second = through_acclaim(&first);
        // No gaps in, no bones to bridge them out.
        assert_eq!(second.skeleton.len(), first.skeleton.len());
        compare(&first, &second);
    }
}

#[test]
fn joints_of_bvh_files_survive_being_written_and_read_as_acclaim_files() {
    let real = ["cmu/16/16_15.bvh", "cmu/other/69_16.bvh"];
    let real = real.iter().filter_map(|name| andante_testdata::mocap(name));
    for path in real.chain([andante_testdata::own("walk_metres.bvh")]) {
        let bytes = std::fs::read(path).unwrap();
        let first = bvh::read(&bytes, "clip", &ReadOptions::default()).unwrap();
        compare(&first, &through_acclaim(&first));
    }
}
