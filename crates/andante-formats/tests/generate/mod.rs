//! Random skeletons and clips for property tests.
#![allow(dead_code, clippy::unwrap_used)]

use andante_skeleton::{Clip, Joint, Skeleton, Transform, rotation};
use glam::Vec3;
use proptest::prelude::*;

pub fn vector(size: f32) -> impl Strategy<Value = Vec3> {
    // Zeros and round numbers are where branches are.
    let component = prop_oneof![4 => -size..size, 1 => Just(0.0f32), 1 => Just(size)];
    proptest::array::uniform3(component).prop_map(Vec3::from_array)
}

pub fn transform() -> impl Strategy<Value = Transform> {
    (vector(2.0), vector(0.5)).prop_map(|(turn, place)| Transform::new(rotation::exp(turn), place))
}

/// Up to eight joints, each hung anywhere on the chain of the one before, with rest rotations and tips.
pub fn skeleton() -> impl Strategy<Value = Skeleton> {
    let joint = (any::<prop::sample::Index>(), transform(), proptest::option::of(vector(0.3)));
    proptest::collection::vec(joint, 1..8).prop_map(|joints| {
        let mut chain: Vec<usize> = Vec::new();
        let mut list = Vec::new();
        for (index, (parent, rest, tip)) in joints.into_iter().enumerate() {
            if index > 0 {
                chain.truncate(parent.index(chain.len()) + 1);
            }
            let parent = chain.last().copied();
            list.push(Joint {
                rest,
                tip,
                ..Joint::new(format!("joint {index}"), parent, Vec3::ZERO)
            });
            chain.push(index);
        }
        Skeleton::new(list).unwrap()
    })
}

/// A skeleton and a clip in which all joints turn and some move.
pub fn skeleton_and_clip() -> impl Strategy<Value = (Skeleton, Clip)> {
    (skeleton(), 1usize..4).prop_flat_map(|(skeleton, frames)| {
        let count = skeleton.len();
        let moves = proptest::collection::vec(proptest::bool::weighted(0.3), count);
        let transforms = proptest::collection::vec(transform(), count * frames);
        (Just(skeleton), moves, transforms, 1u16..240).prop_map(
            |(skeleton, moves, mut all, fps)| {
                for (index, local) in all.iter_mut().enumerate() {
                    let joint = index % skeleton.len();
                    if joint > 0 && !moves[joint] {
                        local.translation = skeleton.joint(joint).rest.translation;
                    }
                }
                let clip = Clip::new("clip", &skeleton, f32::from(fps), all).unwrap();
                (skeleton, clip)
            },
        )
    })
}

/// Where the joints and tips of a pose are.
pub fn places(skeleton: &Skeleton, frame: &[Transform]) -> Vec<(Vec3, Option<Vec3>)> {
    let mut models = frame.to_vec();
    skeleton.local_to_model(frame, &mut models);
    let place = |(joint, model): (&Joint, &Transform)| {
        (model.translation, joint.tip.map(|tip| model.transform_point(tip)))
    };
    skeleton.joints().iter().zip(&models).map(place).collect()
}

/// The rest pose, then every frame of the clip.
pub fn poses(skeleton: &Skeleton, clip: &Clip) -> Vec<Vec<Transform>> {
    let rest = skeleton.joints().iter().map(|joint| joint.rest).collect();
    std::iter::once(rest).chain(clip.frames().map(<[Transform]>::to_vec)).collect()
}
