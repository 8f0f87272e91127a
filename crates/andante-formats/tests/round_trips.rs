//! Random skeletons and motions, written and read back.
#![allow(clippy::unwrap_used)]

mod generate;
mod oracle;

use andante_formats::{ReadOptions, RotationOrder, acclaim, bvh};
use generate::{places, poses, skeleton_and_clip};
use glam::{DVec3, Vec3};
use proptest::prelude::*;
use std::fmt::Write;

const TOLERANCE: f32 = 1e-4;

proptest! {
    #[test]
    fn joints_and_tips_survive_bvh(
        (skeleton, clip) in skeleton_and_clip(),
        order in proptest::sample::select(&RotationOrder::ALL[..]),
        scale in proptest::sample::select(&[1.0f32, 100.0, 1000.0, 0.01][..]),
    ) {
        let text = bvh::write(&skeleton, &clip, &bvh::BvhWriteOptions { order, scale, ..Default::default() });
        let options = ReadOptions { scale: Some(1.0 / scale), ..Default::default() };
        let read = bvh::read(text.as_bytes(), "clip", &options).unwrap();
        prop_assert_eq!(&read.warnings, &[]);
        prop_assert_eq!(read.clips[0].fps(), clip.fps());
        prop_assert_eq!(read.clips[0].frame_count(), clip.frame_count());
        for (a, b) in skeleton.joints().iter().zip(read.skeleton.joints()) {
            prop_assert_eq!((&a.name, a.parent), (&b.name, b.parent));
        }
        for (a, b) in poses(&skeleton, &clip).iter().zip(&poses(&read.skeleton, &read.clips[0])) {
            for (a, b) in places(&skeleton, a).iter().zip(&places(&read.skeleton, b)) {
                prop_assert!(a.0.distance(b.0) < TOLERANCE);
                let distance = a.1.unwrap_or(Vec3::ZERO).distance(b.1.unwrap_or(Vec3::ZERO));
                prop_assert!(distance < TOLERANCE && a.1.is_some() == b.1.is_some());
            }
        }
    }

    #[test]
    fn joints_and_tips_survive_acclaim((skeleton, clip) in skeleton_and_clip()) {
        let files = acclaim::write(&skeleton, &clip, &Default::default());
        let options = ReadOptions::default();
        let (asf, amc) = (files.asf.as_bytes(), files.amc.as_bytes());
        let read = acclaim::read(asf, amc, "clip", &options).unwrap();
        prop_assert_eq!(read.clips[0].fps(), clip.fps());
        prop_assert_eq!(read.clips[0].frame_count(), clip.frame_count());
        let counterpart = |index: usize| match index {
            0 => Some(0),
            _ => read.skeleton.find(&skeleton.joint(index).name.replace(' ', "_")),
        };
        for (a, b) in poses(&skeleton, &clip).iter().zip(&poses(&read.skeleton, &read.clips[0])) {
            let (a, b) = (places(&skeleton, a), places(&read.skeleton, b));
            for (index, a) in a.iter().enumerate() {
                let other = b[counterpart(index).unwrap()];
                prop_assert!(a.0.distance(other.0) < TOLERANCE);
                let leaf = index > 0 && skeleton.children(index).next().is_none();
                if leaf && let Some(tip) = a.1 {
                    // A tip at the joint itself is none.
                    prop_assert!(tip.distance(other.1.unwrap_or(other.0)) < TOLERANCE);
                }
            }
        }
    }

    #[test]
    fn any_channels_are_read_as_double_precision_matrices_have_it(file in any_channels()) {
        let read = bvh::read(file.as_bytes(), "clip", &ReadOptions { scale: Some(1.0), ..Default::default() });
        let read = read.unwrap();
        let expected = oracle::bvh(&file);
        prop_assert_eq!(expected.frames.len(), read.clips[0].frame_count());
        for (frame, expected) in read.clips[0].frames().zip(&expected.frames) {
            let found = places(&read.skeleton, frame);
            let found = found.iter().flat_map(|(joint, tip)| std::iter::once(*joint).chain(*tip));
            prop_assert_eq!(found.clone().count(), expected.len());
            for (found, expected) in found.zip(expected) {
                prop_assert!(found.as_dvec3().distance(DVec3::from_array(*expected)) < 1e-4);
            }
        }
    }
}

/// A chain of joints with any rotations and positions in any order, and two frames.
fn any_channels() -> impl Strategy<Value = String> {
    let rotation = proptest::sample::select(&["Xrotation", "Yrotation", "Zrotation"][..]);
    let rotations = proptest::collection::vec(rotation, 0..5);
    let positions =
        proptest::sample::subsequence(&["Xposition", "Yposition", "Zposition"][..], 0..=3);
    let joint = (rotations, positions, any::<bool>(), proptest::array::uniform3(-50i32..50));
    let joints = proptest::collection::vec(joint, 1..6);
    (joints, proptest::collection::vec(-7200i32..7200, 2 * 5 * 7)).prop_map(|(joints, values)| {
        let mut out = String::from("HIERARCHY\n");
        let mut columns = Vec::new();
        for (index, (rotations, positions, positions_first, offset)) in joints.iter().enumerate() {
            let [x, y, z] = offset.map(|value| f64::from(value) / 100.0);
            let kind = if index == 0 { "ROOT" } else { "JOINT" };
            let _ = write!(out, "{kind} j{index}\n{{\nOFFSET {x} {y} {z}\n");
            let channels = if *positions_first || index == 0 {
                [positions.clone(), rotations.clone()].concat()
            } else {
                [rotations.clone(), positions.clone()].concat()
            };
            // The root always has one, so that there are frames.
            let channels =
                if index == 0 { [vec!["Yrotation"], channels].concat() } else { channels };
            let _ = writeln!(out, "CHANNELS {} {}", channels.len(), channels.join(" "));
            columns.extend(channels);
        }
        out.push_str("End Site\n{\nOFFSET 0.1 0.2 0.3\n}\n");
        out.push_str(&"}\n".repeat(joints.len()));
        out.push_str("MOTION\nFrames: 2\nFrame Time: 0.01\n");
        let mut values = values.iter().cycle();
        for _ in 0..2 {
            for column in &columns {
                let value = f64::from(*values.next().unwrap()) / 10.0;
                let value = if column.ends_with("position") { value / 1000.0 } else { value };
                let _ = write!(out, "{value} ");
            }
            out.push('\n');
        }
        out
    })
}
