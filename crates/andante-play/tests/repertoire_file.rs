//! Repertoires as files.
#![allow(clippy::unwrap_used, clippy::panic)]

use andante_motion::repertoire::{ClipSource, from_clips};
use andante_motion::synth::{self, GaitRequest};
use andante_play::archive::{ArchiveError, ArchiveKind};
use andante_play::repertoire::{ClipClass, Repertoire, RepertoireFileError};
use andante_skeleton::humanoid;
use proptest::prelude::*;
use std::sync::OnceLock;

fn small() -> &'static (Repertoire, Vec<u8>) {
    static SMALL: OnceLock<(Repertoire, Vec<u8>)> = OnceLock::new();
    SMALL.get_or_init(|| {
        let human = humanoid();
        let mut sources = Vec::new();
        for (name, speed) in [("slow", 0.8), ("fast", 1.5)] {
            let made = synth::locomotion(&human, &GaitRequest::ahead(speed)).unwrap();
            let clip = made.clip.renamed(name);
            sources.push(ClipSource { clip, contacts: made.contacts, cyclic: true, class: None });
        }
        let mut once = sources[0].clone();
        once.clip = once.clip.renamed("once");
        once.class = Some(ClipClass::Action);
        sources.push(once);
        let repertoire = from_clips(&human, &sources).unwrap();
        let bytes = repertoire.to_bytes();
        (repertoire, bytes)
    })
}

#[test]
fn what_is_written_is_read_and_written_again_the_same() {
    let (repertoire, bytes) = small();
    let back = Repertoire::from_bytes(bytes).unwrap();
    assert_eq!(back, *repertoire);
    assert_eq!(back.to_bytes(), *bytes);
}

#[test]
fn a_cycle_takes_a_few_bytes_per_joint_and_phase() {
    let (_, bytes) = small();
    assert!(bytes.len() < 3 * 16_000 + 8_000, "{} bytes", bytes.len());
}

#[test]
fn foreign_newer_short_long_and_damaged_files_are_told_apart() {
    let (_, bytes) = small();
    let refused = |bytes: &[u8]| match Repertoire::from_bytes(bytes) {
        Err(RepertoireFileError::File(error)) => error,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(b""), ArchiveError::Foreign("repertoire"));
    assert_eq!(refused(b"glTF binary"), ArchiveError::Foreign("repertoire"));
    let mut newer = bytes.clone();
    newer[8] = 9;
    let version = ArchiveError::Version { name: "repertoire", found: 9, known: 1 };
    assert_eq!(refused(&newer), version);
    assert!(matches!(refused(&bytes[..bytes.len() - 1]), ArchiveError::Length { .. }));
    assert!(matches!(refused(&bytes[..9]), ArchiveError::Cut { .. }));
    let mut long = bytes.clone();
    long.push(0);
    assert!(matches!(refused(&long), ArchiveError::Length { .. }));
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 4;
    assert_eq!(refused(&damaged), ArchiveError::Damaged("repertoire"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn no_forged_byte_makes_a_reader_panic(at in any::<usize>(), value in any::<u8>()) {
        let (_, bytes) = small();
        if let Ok(read) = Repertoire::from_bytes(&ArchiveKind::forge(bytes, at, value)) {
            let mut pose = vec![Default::default(); read.character().skeleton.len()];
            for clip in read.clips() {
                clip.sample(0.3, &mut pose);
                prop_assert!(clip.velocity().is_finite());
            }
        }
    }

    #[test]
    fn no_forged_start_makes_a_reader_panic(at in 0usize..4000, value in any::<u8>()) {
        // The character, where a byte is a count or an index more often.
        let (_, bytes) = small();
        let _ = Repertoire::from_bytes(&ArchiveKind::forge(bytes, at, value));
    }

    #[test]
    fn no_truncation_makes_a_reader_panic(length in any::<usize>()) {
        let (_, bytes) = small();
        prop_assert!(Repertoire::from_bytes(&bytes[..length % bytes.len()]).is_err());
    }
}
