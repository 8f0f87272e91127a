//! Any bytes as an Acclaim motion of a small skeleton.

use andante_formats::{Asset, ReadOptions, acclaim};

/// Every kind of bone: rigid, turning about one, two or three axes in an order of its own, moving,
/// changing its length.
const SKELETON: &str = ":version 1.10
:name tripod
:units
  mass 1
  length 0.45
  angle deg
:root
  order RZ TX RX TY RY TZ
  axis XYZ
  position 0 0 0
  orientation 0 30 0
:bonedata
  begin
    id 1 name hip direction 1 0 0 length 2 axis 0 0 0 XYZ
  end
  begin
    id 2 name leg direction 0 -1 0 length 5 axis 0 0 20 XYZ
    dof rx limits (-10 inf)
  end
  begin
    id 3 name foot direction 0 0 1 length 1.5 axis 90 10 20 ZYX
    dof rz rx
  end
  begin
    id 4 name spine direction 0 1 0 length 4 axis 0 0 0 XYZ
    dof ry rz rx l
  end
  begin
    id 5 name head direction 0 1 0 length 1 axis 0 45 0 XYZ
    dof tx ty tz rx ry rz
  end
:hierarchy
  begin
    root hip spine
    hip leg
    leg foot
    spine head
  end
";

/// Reads the bytes; what can be read must survive being written and read again.
pub fn check(bytes: &[u8]) {
    let options = ReadOptions::default();
    match acclaim::read(SKELETON.as_bytes(), bytes, "clip", &options) {
        Ok(asset) => round_trip(&asset),
        Err(error) => {
            let _ = (error.to_string(), error.detail());
            assert!(acclaim::read_asf(SKELETON.as_bytes(), &options).is_ok());
        }
    }
}

fn round_trip(asset: &Asset) {
    let Some(clip) = asset.clips.first() else { return };
    let far = |reach: f32| reach.is_nan() || reach > 1e30;
    if clip.transforms().iter().any(|local| far(local.translation.length())) {
        return;
    }
    let files = acclaim::write(&asset.skeleton, clip, &Default::default());
    let options = ReadOptions { fps: Some(clip.fps()), ..Default::default() };
    let again = acclaim::read(files.asf.as_bytes(), files.amc.as_bytes(), "clip", &options);
    let again = match again {
        Ok(again) => again,
        Err(error) => panic!("what was written cannot be read: {error}"),
    };
    let names = asset.skeleton.joints().iter().map(|joint| again.skeleton.find(&joint.name));
    let counterparts: Vec<usize> = names.map(|found| found.unwrap_or(usize::MAX)).collect();
    assert_eq!(again.clips[0].frame_count(), clip.frame_count());
    let mut models = vec![Default::default(); asset.skeleton.len()];
    let mut models_again = vec![Default::default(); again.skeleton.len()];
    for (frame, frame_again) in clip.frames().zip(again.clips[0].frames()) {
        let reach: f32 = frame.iter().map(|local| local.translation.length()).sum();
        asset.skeleton.local_to_model(frame, &mut models);
        again.skeleton.local_to_model(frame_again, &mut models_again);
        for (a, &other) in models.iter().zip(&counterparts) {
            let distance = a.translation.distance(models_again[other].translation);
            assert!(distance <= 1e-5 + reach * 1e-5, "{distance} m of {reach} m");
        }
    }
}
