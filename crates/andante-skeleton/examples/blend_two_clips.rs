//! Two clips blended, with their root motion: a character that bows while it drifts to the left.
//!
//! ```sh
//! cargo run -p andante-skeleton --example blend_two_clips
//! ```
#![allow(clippy::print_stdout)]

use andante_skeleton::{
    BlendLayer, Clip, ClipError, CompactClip, Planar, Pose, RootMotion, Skeleton, Wrap, blend,
    humanoid,
};
use glam::{Quat, Vec3};

fn main() -> Result<(), ClipError> {
    let human = humanoid();
    let skeleton = &human.skeleton;
    let rest = Pose::rest(skeleton);

    let bow = make_clip(skeleton, "bow", |pose, t| {
        pose[human.rig.spine[0]].rotation =
            Quat::from_rotation_x(0.5 * (1.0 - (t * std::f32::consts::TAU).cos()));
    })?;
    let drift = make_clip(skeleton, "drift", |pose, t| pose[0].translation += Vec3::X * t)?;

    // The travelling part comes out of the poses, so that both blend without pulling at each other.
    let (bow, bow_travel) = RootMotion::extract(skeleton, &bow)?;
    let (drift, drift_travel) = RootMotion::extract(skeleton, &drift)?;
    let clips = [CompactClip::new(&bow), CompactClip::new(&drift)];

    let mut place = Planar::IDENTITY;
    let (mut a, mut b, mut pose, mut models) =
        (rest.clone(), rest.clone(), rest.clone(), rest.clone());
    let dt = 1.0 / 4.0;
    for step in 0..8 {
        let time = step as f32 * dt;
        clips[0].sample(time, Wrap::Loop, &mut a);
        clips[1].sample(time, Wrap::Loop, &mut b);
        blend(&rest, &[BlendLayer::new(&a, 0.5), BlendLayer::new(&b, 0.5)], &mut pose);
        skeleton.local_to_model(&pose, &mut models);
        let head = place.to_transform() * models[human.rig.head.unwrap_or(0)];
        println!(
            "{time:4.2} s  head at {:.2} {:.2} {:.2}",
            head.translation.x, head.translation.y, head.translation.z
        );
        let deltas = [&bow_travel, &drift_travel]
            .map(|travel| (travel.delta(time, time + dt, Wrap::Loop), 0.5));
        place = place.then(&RootMotion::blend(deltas));
    }
    Ok(())
}

/// One second of a motion given as a change to the rest pose.
fn make_clip(
    skeleton: &Skeleton,
    name: &str,
    change: impl Fn(&mut Pose, f32),
) -> Result<Clip, ClipError> {
    let mut transforms = Vec::new();
    for frame in 0..=30 {
        let mut pose = Pose::rest(skeleton);
        change(&mut pose, frame as f32 / 30.0);
        transforms.extend_from_slice(&pose);
    }
    Clip::new(name, skeleton, 30.0, transforms)
}
