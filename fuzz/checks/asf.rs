//! Any bytes as an Acclaim skeleton.

use andante_formats::{ReadOptions, UpAxis, acclaim};
use andante_skeleton::Skeleton;

/// Reads the bytes; what can be read must survive being written and read again.
pub fn check(bytes: &[u8]) {
    for up in [UpAxis::Y, UpAxis::Z] {
        let options = ReadOptions { up, ..Default::default() };
        let file = match acclaim::read_asf(bytes, &options) {
            Ok(file) => file,
            Err(error) => {
                let _ = (error.to_string(), error.detail());
                continue;
            }
        };
        match file.to_skeleton() {
            Ok((skeleton, _, _)) => round_trip(&skeleton),
            Err(error) => panic!("what was read is no skeleton: {error}"),
        }
        // A motion of this skeleton that has nothing but a frame number.
        let _ = acclaim::read(bytes, &b"1\n2\n"[..], "clip", &options);
    }
}

fn round_trip(skeleton: &Skeleton) {
    let tips = skeleton.joints().iter().filter_map(|joint| joint.tip);
    let offsets = skeleton.joints().iter().map(|joint| joint.rest.translation);
    let reach: f32 = offsets.chain(tips).map(|vector| vector.length()).sum();
    // The format's unit is smaller than a metre: what is near the limit of a number is beyond it there.
    if reach.is_nan() || reach > 1e30 {
        return;
    }
    let text = acclaim::write_asf(skeleton, &Default::default());
    let again =
        acclaim::read_asf(text.as_bytes(), &Default::default()).and_then(|file| file.to_skeleton());
    let (again, _, _) = match again {
        Ok(again) => again,
        Err(error) => panic!("what was written cannot be read: {error}"),
    };
    // Names change, but joints keep their order; bones that bridge gaps are in between.
    let (places, places_again) = (skeleton.rest_models(), again.rest_models());
    let mut found = 0;
    for place in &places {
        let allowed = 1e-5 + reach * 1e-6 * (8 + places.len()) as f32;
        let matches =
            |other: &usize| places_again[*other].translation.distance(place.translation) <= allowed;
        match (found..again.len()).find(matches) {
            Some(other) => found = other + 1,
            None => panic!("no bone starts at {}", place.translation),
        }
    }
}
