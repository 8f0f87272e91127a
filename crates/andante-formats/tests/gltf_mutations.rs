//! Damaged files are read or refused; nothing else happens.

#![allow(clippy::unwrap_used)]

#[path = "support/seeds.rs"]
mod seeds;
#[path = "support/small.rs"]
mod small;

use andante_formats::gltf::{self, GltfWriteOptions};
use andante_formats::{ErrorPlace, ReadOptions};
use proptest::prelude::*;

fn read_and_write(bytes: &[u8]) {
    let Ok(asset) = gltf::read(bytes, None, "file", &ReadOptions::default()) else { return };
    gltf::write_glb(&asset, &GltfWriteOptions::default()).unwrap();
}

#[test]
fn a_file_cut_off_anywhere_is_refused() {
    let whole = small::swinging_pole("LINEAR", &[0.0, 1.0]).glb();
    for length in 0..whole.len() {
        let error =
            gltf::read(&whole[..length], None, "file", &ReadOptions::default()).unwrap_err();
        assert_eq!(error.place, ErrorPlace::File, "{length}: {error}");
    }
}

#[test]
fn every_single_changed_byte_is_survived() {
    let whole = small::swinging_pole("LINEAR", &[0.0, 1.0]).glb();
    for at in 0..whole.len() {
        for change in [1, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] ^= change;
            read_and_write(&bytes);
        }
    }
}

#[test]
fn rates_and_scales_that_are_none_are_refused() {
    let bytes = small::pole().glb();
    for value in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        for options in [
            ReadOptions { scale: Some(value), ..Default::default() },
            ReadOptions { fps: Some(value), ..Default::default() },
        ] {
            assert!(gltf::read(&bytes, None, "file", &options).is_err());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn random_changes_are_survived(
        file in any::<prop::sample::Index>(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0u8..4), 1..12),
    ) {
        let good = seeds::good().into_iter().map(|(_, bytes)| bytes);
        let files: Vec<_> = good.chain(seeds::bad().into_iter().map(|(_, bytes, _)| bytes)).collect();
        let mut bytes = file.get(&files).clone();
        for (place, value, kind) in changes {
            if bytes.is_empty() {
                bytes.push(value);
            }
            let at = place.index(bytes.len());
            match kind {
                0 => bytes[at] = value,
                1 => bytes.insert(at, value),
                2 => drop(bytes.remove(at)),
                // Digits, where most of the numbers that matter are.
                _ => {
                    if let Some(digit) = bytes[at..].iter_mut().find(|byte| byte.is_ascii_digit()) {
                        *digit = b'0' + value % 10;
                    }
                }
            }
        }
        read_and_write(&bytes);
    }
}
