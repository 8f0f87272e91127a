//! Joint positions of real files, against an independent computation and after a round trip.
#![allow(clippy::unwrap_used)]

mod oracle;

use andante_formats::{Asset, ReadOptions, RotationOrder, bvh};
use andante_skeleton::{Skeleton, Transform};
use glam::{DVec3, Vec3};

/// Every joint must be within this many metres of where it should be.
const TOLERANCE: f64 = 1e-4;

/// Joints and tips in depth-first order, as a BVH file lists them.
fn positions(skeleton: &Skeleton, frame: &[Transform]) -> Vec<Vec3> {
    let mut models = frame.to_vec();
    skeleton.local_to_model(frame, &mut models);
    let mut places = Vec::new();
    for (joint, model) in skeleton.joints().iter().zip(&models) {
        places.push(model.translation);
        places.extend(joint.tip.map(|tip| model.transform_point(tip)));
    }
    places
}

fn read(bytes: &[u8]) -> Asset {
    bvh::read(bytes, "clip", &ReadOptions::default()).unwrap()
}

#[test]
fn joints_of_every_real_file_are_where_double_precision_matrices_put_them() {
    let Some(directory) = andante_testdata::mocap("cmu") else { return };
    let files = andante_testdata::files(&directory, "bvh");
    assert!(!files.is_empty());
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let asset = read(text.as_bytes());
        assert_eq!(asset.warnings, [], "{}", path.display());
        assert_eq!(asset.clips[0].fps(), 120.0);
        let expected = oracle::bvh(&text);
        let scale = 0.0254 / 0.45;
        assert!((f64::from(asset.units.scale) - scale).abs() < 1e-8, "{}", path.display());
        assert_eq!(asset.clips[0].frame_count(), expected.frames.len());
        let mut worst: f64 = 0.0;
        for (frame, expected) in asset.clips[0].frames().zip(&expected.frames) {
            let found = positions(&asset.skeleton, frame);
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(expected) {
                let expected = DVec3::from_array(*expected) * scale;
                worst = worst.max(found.as_dvec3().distance(expected));
            }
        }
        assert!(worst < TOLERANCE, "{}: {worst} m", path.display());
    }
}

#[test]
fn joints_of_every_real_file_survive_being_written_and_read() {
    let Some(directory) = andante_testdata::mocap("cmu") else { return };
    for (index, path) in andante_testdata::files(&directory, "bvh").iter().enumerate() {
        let first = read(&std::fs::read(path).unwrap());
        let order = RotationOrder::ALL[index % 6];
        let scale = [1.0f32, 100.0, 39.37][index % 3];
        let options = bvh::BvhWriteOptions { order, scale };
        let text = bvh::write(&first.skeleton, &first.clips[0], &options);
        let read_options = ReadOptions { scale: Some(1.0 / scale), ..Default::default() };
        let second = bvh::read(text.as_bytes(), "clip", &read_options).unwrap();
        assert_eq!(second.warnings, []);
        assert_eq!(second.clips[0].fps(), first.clips[0].fps());
        let names = |asset: &Asset| -> Vec<String> {
            asset.skeleton.joints().iter().map(|joint| joint.name.clone()).collect()
        };
        assert_eq!(names(&first), names(&second));
        assert_eq!(first.clips[0].frame_count(), second.clips[0].frame_count());
        let mut worst: f32 = 0.0;
        for (a, b) in first.clips[0].frames().zip(second.clips[0].frames()) {
            let (a, b) = (positions(&first.skeleton, a), positions(&second.skeleton, b));
            assert_eq!(a.len(), b.len());
            for (a, b) in a.iter().zip(&b) {
                worst = worst.max(a.distance(*b));
            }
        }
        assert!(f64::from(worst) < TOLERANCE, "{}: {worst} m", path.display());
    }
}
