//! What is said of hips is measured at the hips, wherever they are in the skeleton.
#![allow(clippy::unwrap_used)]

use andante_play::measure::{MeasureSettings, MotionCurves, measure_motion};
use andante_play::{Contacts, FootContacts};
use andante_skeleton::{Clip, HeightFunction, Transform, humanoid};
use glam::Vec3;

#[test]
fn hips_that_are_not_the_root_are_measured() {
    let human = humanoid();
    let mut rig = human.rig.clone();
    // The root stays where it is, and what is called the hips sways.
    rig.hips = rig.spine[0];
    let (fps, frames, beat, far) = (60.0, 120, 6.0f32, 0.05f32);
    let rest: Vec<Transform> = human.skeleton.joints().iter().map(|joint| joint.rest).collect();
    let pose = |frame: usize| {
        let mut pose = rest.clone();
        pose[rig.hips].translation += far * (beat * frame as f32 / fps).sin() * Vec3::X;
        pose
    };
    let poses = (0..frames).flat_map(pose).collect();
    let clip = Clip::new("sways", &human.skeleton, fps, poses).unwrap();
    let settings = MeasureSettings::default();
    let curve = MotionCurves::new(&human.skeleton, &rig, &clip, &settings).hips_accel;
    let most = curve.into_iter().fold(0.0, f32::max);
    let contacts = Contacts { feet: vec![FootContacts::default(); rig.feet.len()] };
    let level = HeightFunction::new(|_| 0.0);
    let told = measure_motion(&human.skeleton, &rig, &clip, &contacts, &level, &settings);
    let wanted = far * beat * beat;
    for (what, found) in [("curve", most), ("figure", told.hips_accel_max)] {
        assert!((found - wanted).abs() < 0.1 * wanted, "{what}: {found} m/s², not {wanted}");
    }
}
