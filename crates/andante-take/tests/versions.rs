//! Files of every version since the first streamed one stay readable.

#![allow(clippy::unwrap_used)]

use andante_take::{TakeFile, TakeSource};

#[test]
fn files_of_every_earlier_version_are_read() {
    let files: [(u8, &[u8]); 3] = [
        (4, include_bytes!("data/version_4.take")),
        (5, include_bytes!("data/version_5.take")),
        (6, include_bytes!("data/version_6.take")),
    ];
    for (version, bytes) in files {
        assert_eq!(bytes[8..10], [version, 0]);
        let take = TakeFile::from_bytes(bytes.to_vec()).unwrap();
        let frames = take.frames();
        assert!(frames > 10);
        let track = take.track(0).unwrap();
        assert_eq!(track.clip.frame_count(), frames);
        assert_eq!((track.contacts.feet.len(), track.curve("speed").len()), (2, frames));
        let part = take.part(0, 3..7).unwrap();
        assert_eq!(part.clip.frame(0), track.clip.frame(3));
        // They do not say what they were made under.
        assert!(take.head().conditions.is_empty() && track.drive.is_none());
        // Written again it is of the newest version, and the same take.
        let again = TakeFile::from_bytes(take.load().unwrap().to_bytes().unwrap()).unwrap();
        assert_eq!(*again.track(0).unwrap(), *track);
    }
}
