//! Running a check on the seeds of its format.

use std::path::Path;

/// Runs a check on every seed of a format, and names the one that fails.
pub fn replay(format: &str, check: fn(&[u8])) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(format);
    let mut count = 0;
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        if std::panic::catch_unwind(|| check(&bytes)).is_err() {
            panic!("{}", path.display());
        }
        count += 1;
    }
    assert!(count > 0);
}
