//! Files appear whole or not at all.

use std::io::{self, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// Writes `bytes` under a temporary name beside `path` and renames it: a reader never sees half a
/// file, and a failure leaves an older file as it was.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_all_atomically(&[(path, bytes)])
}

/// The same for files that belong together: all of them are complete before the first one appears.
pub fn write_all_atomically(files: &[(&Path, &[u8])]) -> io::Result<()> {
    let complete: io::Result<Vec<_>> =
        files.iter().map(|(path, bytes)| prepare(path, bytes)).collect();
    for (file, (path, _)) in complete?.into_iter().zip(files) {
        file.persist(path).map_err(|error| error.error)?;
    }
    Ok(())
}

fn prepare(path: &Path, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    // The temporary name in the error means nothing to anybody.
    let unnamed = |error: io::Error| io::Error::from(error.kind());
    let mut file =
        tempfile::Builder::new().prefix(".andante-").tempfile_in(directory).map_err(unnamed)?;
    file.write_all(bytes).map_err(unnamed)?;
    file.as_file().sync_all()?;
    make_readable(file.as_file())?;
    Ok(file)
}

/// Temporary files are private to their owner; results are not.
#[cfg(unix)]
pub fn make_readable(file: &std::fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
pub fn make_readable(_: &std::fs::File) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_older_file_and_no_litter() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("take.bvh");
        write_atomically(&path, b"first").unwrap();
        write_atomically(&path, b"second").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"second");
        assert!(write_atomically(&path.join("below-a-file"), b"x").is_err());
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}
