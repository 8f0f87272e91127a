//! Joint positions of our own and of real files, against an independent computation and after a round trip.
#![allow(clippy::unwrap_used)]

mod oracle;

use andante_formats::{Asset, ReadOptions, RotationOrder, UpAxis, bvh};
use andante_skeleton::{Skeleton, Transform};
use glam::{DVec3, Vec3};
use std::path::PathBuf;

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

/// A BVH file and what is known about it.
struct Recording {
    path: PathBuf,
    up: UpAxis,
    metres_per_unit: f64,
    fps: f32,
}

impl Recording {
    fn read(&self, text: &str) -> Asset {
        let options = ReadOptions { up: self.up, ..ReadOptions::default() };
        bvh::read(text.as_bytes(), "clip", &options).unwrap()
    }
}

/// Our own files, and the real ones where they are.
fn recordings() -> Vec<Recording> {
    let own = [(UpAxis::Y, 1.0, 30.0), (UpAxis::Y, 0.01, 60.0), (UpAxis::Z, 1.0, 30.0)];
    let own =
        andante_testdata::OWN_BVH.iter().zip(own).map(|(name, (up, metres_per_unit, fps))| {
            Recording { path: andante_testdata::own(name), up, metres_per_unit, fps }
        });
    let cmu = andante_testdata::mocap("cmu").map(|cmu| andante_testdata::files(&cmu, "bvh"));
    let real = cmu.into_iter().flatten().map(|path| Recording {
        path,
        up: UpAxis::Y,
        metres_per_unit: 0.0254 / 0.45,
        fps: 120.0,
    });
    own.chain(real).collect()
}

#[test]
fn joints_of_every_file_are_where_double_precision_matrices_put_them() {
    for recording in recordings() {
        let path = &recording.path;
        let text = std::fs::read_to_string(path).unwrap();
        let asset = recording.read(&text);
        assert_eq!(asset.warnings, [], "{}", path.display());
        assert_eq!(asset.clips[0].fps(), recording.fps);
        let expected = oracle::bvh(&text);
        let scale = recording.metres_per_unit;
        assert!((f64::from(asset.units.scale) - scale).abs() < 1e-8, "{}", path.display());
        assert_eq!(asset.clips[0].frame_count(), expected.frames.len());
        let mut worst: f64 = 0.0;
        for (frame, expected) in asset.clips[0].frames().zip(&expected.frames) {
            let found = positions(&asset.skeleton, frame);
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(expected) {
                let [x, y, z] = *expected;
                let expected = match recording.up {
                    UpAxis::Y => DVec3::new(x, y, z) * scale,
                    UpAxis::Z => DVec3::new(x, z, -y) * scale,
                };
                worst = worst.max(found.as_dvec3().distance(expected));
            }
        }
        assert!(worst < TOLERANCE, "{}: {worst} m", path.display());
    }
}

#[test]
fn joints_of_every_file_survive_being_written_and_read() {
    for (index, recording) in recordings().iter().enumerate() {
        let path = &recording.path;
        let first = recording.read(&std::fs::read_to_string(path).unwrap());
        let order = RotationOrder::ALL[index % 6];
        let scale = [1.0f32, 100.0, 39.37][index % 3];
        let options = bvh::BvhWriteOptions { order, scale, ..Default::default() };
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
