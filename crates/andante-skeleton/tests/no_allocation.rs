//! What runs once a frame allocates nothing.

use andante_skeleton::{
    BlendLayer, Clip, CompactClip, Inertializer, MirrorTable, Pose, RootMotion, Transform, Wrap,
    add_layer, additive_delta, blend, humanoid, rotation,
};
use glam::Vec3;

#[test]
fn nothing_allocates_per_frame() {
    let human = humanoid();
    let skeleton = &human.skeleton;
    let rest = Pose::rest(skeleton);
    let mut transforms = Vec::new();
    for frame in 0..30 {
        for (index, joint) in skeleton.joints().iter().enumerate() {
            let turn = rotation::exp(Vec3::splat(0.3) * (frame as f32 * 0.1 + index as f32).sin());
            transforms.push(Transform::new(turn, joint.rest.translation));
        }
    }
    let raw = Clip::new("test", skeleton, 30.0, transforms).expect("finite");
    let compact = CompactClip::new(&raw);
    let (_, travel) = RootMotion::extract(skeleton, &raw).expect("finite");
    let mirror = MirrorTable::new(skeleton);
    let mut inertia = Inertializer::new(skeleton.len(), 0.1);
    let mask = vec![0.5; skeleton.len()];
    let (mut a, mut b, mut out, mut models) =
        (rest.clone(), rest.clone(), rest.clone(), rest.clone());

    let counted = allocation_counter::measure(|| {
        for frame in 0..10 {
            let time = frame as f32 * 0.05;
            raw.sample(time, Wrap::Loop, &mut a);
            compact.sample(time + 0.4, Wrap::Loop, &mut b);
            blend(&rest, &[BlendLayer::new(&a, 0.4), BlendLayer::new(&b, 0.6)], &mut out);
            blend(&rest, &[BlendLayer::masked(&a, 0.4, &mask), BlendLayer::new(&b, 0.6)], &mut out);
            additive_delta(&a, &rest, &mut models);
            add_layer(&models, 0.5, Some(&mask), &mut out);
            inertia.switch(&a, &b, 0.05);
            inertia.apply(&mut out, 0.05);
            mirror.mirror(&out, &mut a);
            skeleton.local_to_model(&a, &mut models);
            std::hint::black_box(travel.delta(time, time + 0.05, Wrap::Loop));
        }
    });
    assert_eq!(counted.count_total, 0);
}
