//! Same input, same bits: sampling and blending are pinned by a hash.
//!
//! The same on every platform: vectors are added number by number, and `.ci/same-bits` compares the rest.
#![allow(clippy::expect_used)]

use andante_skeleton::{
    BlendLayer, Clip, CompactClip, Pose, Skeleton, Transform, Wrap, blend, humanoid,
};
use glam::{Quat, Vec3};

/// FNV-1a over the bits of every number.
#[derive(Clone, Copy)]
struct Hash(u64);

impl Hash {
    fn add(&mut self, poses: &[Transform]) {
        for transform in poses {
            let rotation = transform.rotation.to_array();
            for value in rotation.iter().chain(&transform.translation.to_array()) {
                for byte in value.to_bits().to_le_bytes() {
                    self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
                }
            }
        }
    }
}

fn clip(skeleton: &Skeleton, seed: f32) -> Clip {
    let mut transforms = Vec::new();
    for frame in 0..=60 {
        let x = frame as f32 / 30.0 - 1.0;
        for (index, joint) in skeleton.joints().iter().enumerate() {
            let k = seed + index as f32 * 0.1;
            let turn =
                Quat::from_xyzw(0.3 * x, k * 0.1 * x * x, 0.2 - 0.2 * x * k, 1.0).normalize();
            let travel = if index == 0 { Vec3::Z * x } else { Vec3::ZERO };
            transforms.push(Transform::new(turn, joint.rest.translation + travel));
        }
    }
    Clip::new("golden", skeleton, 60.0, transforms).expect("finite")
}

#[test]
fn sampling_blending_and_model_transforms_give_the_same_bits() {
    let skeleton = humanoid().skeleton;
    let rest = Pose::rest(&skeleton);
    let raw = clip(&skeleton, 0.5);
    let compact = CompactClip::new(&clip(&skeleton, 1.5));
    let (mut a, mut b, mut out, mut models) =
        (rest.clone(), rest.clone(), rest.clone(), rest.clone());
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    for step in 0..200 {
        let time = step as f32 * 0.0137;
        raw.sample(time, Wrap::Loop, &mut a);
        compact.sample(time, Wrap::Clamp, &mut b);
        blend(&rest, &[BlendLayer::new(&a, 0.3), BlendLayer::new(&b, 0.7)], &mut out);
        skeleton.local_to_model(&out, &mut models);
        hash.add(&models);
    }
    assert_eq!(format!("{:016x}", hash.0), "f2d21f20cdb65a9c");
}
