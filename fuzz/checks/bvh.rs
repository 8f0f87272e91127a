//! Any bytes as a BVH file.

use andante_formats::{Asset, ReadOptions, UpAxis, bvh};

/// Reads the bytes; what can be read must survive being written and read again.
pub fn check(bytes: &[u8]) {
    for up in [UpAxis::Y, UpAxis::Z] {
        let options = ReadOptions { up, ..Default::default() };
        match bvh::read(bytes, "clip", &options) {
            Ok(asset) => round_trip(&asset),
            Err(error) => {
                let _ = (error.to_string(), error.detail());
            }
        }
    }
}

fn round_trip(asset: &Asset) {
    let Some(clip) = asset.clips.first() else { return };
    let text = bvh::write(&asset.skeleton, clip, &bvh::BvhWriteOptions::default());
    let options = ReadOptions { scale: Some(1.0), ..Default::default() };
    let again = match bvh::read(text.as_bytes(), "clip", &options) {
        Ok(again) => again,
        Err(error) => panic!("what was written cannot be read: {error}"),
    };
    assert_eq!(again.skeleton.len(), asset.skeleton.len());
    assert_eq!(again.clips[0].frame_count(), clip.frame_count());
    let mut models = vec![Default::default(); asset.skeleton.len()];
    let mut models_again = models.clone();
    for (frame, frame_again) in clip.frames().zip(again.clips[0].frames()) {
        let reach: f32 = frame.iter().map(|local| local.translation.length()).sum();
        asset.skeleton.local_to_model(frame, &mut models);
        again.skeleton.local_to_model(frame_again, &mut models_again);
        for (a, b) in models.iter().zip(&models_again) {
            let distance = a.translation.distance(b.translation);
            // Rounding errors grow with the size of the skeleton and its number of joints.
            let allowed = 1e-5 + reach * 1e-6 * (8 + models.len()) as f32;
            assert!(distance <= allowed || !allowed.is_finite(), "{distance} m of {reach} m");
        }
    }
}
