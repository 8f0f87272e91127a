//! The one way to the content of a file, whatever its format.
//!
//! Only regular files are opened, so that no pipe blocks and no device goes on for ever, and none that is larger than
//! [`ReadLimits`] allows. A path that stands inside a file is confined to the folder of that file
//! ([`ReadLimits::outside`] opens it), after links are followed. Errors about such a file never quote its lines: who
//! wrote the path may not be who reads the message.

use crate::inputs;
use crate::text::shown;
use crate::{ReadError, ReadLimits};
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The folder of what came through a pipe.
static PIPED: OnceLock<PathBuf> = OnceLock::new();

/// The bytes that come through a pipe, at most [`ReadLimits::file`] of them, in a file without a name: whoever ends the
/// process meanwhile leaves nothing behind.
pub fn spool(pipe: impl Read, limits: &ReadLimits) -> Result<File, ReadError> {
    let path = Path::new("stdin");
    let fail = |error| ReadError::io(path, error);
    let mut file = tempfile::tempfile().map_err(fail)?;
    let count = io::copy(&mut pipe.take(limits.file.saturating_add(1)), &mut file).map_err(fail)?;
    within(count, limits.file, path)?;
    file.rewind().map_err(fail)?;
    Ok(file)
}

/// Gives what came through a pipe a name. Nothing that it names is looked for in its folder from then on; a process does this once.
pub fn settle(mut spooled: File, path: &Path) -> Result<(), ReadError> {
    let fail = |error| ReadError::io(path, error);
    let _ = PIPED.set(path.parent().unwrap_or(Path::new("")).to_path_buf());
    let mut file = File::create_new(path).map_err(fail)?;
    io::copy(&mut spooled, &mut file).map_err(fail)?;
    Ok(())
}

/// Opens a regular file of any size, for formats that are read piece by piece.
pub fn open_file(path: &Path) -> Result<File, ReadError> {
    let fail = |error| ReadError::io(path, error);
    // Asked before opening, which would wait for the other end of a pipe, and again of what was opened.
    let regular = |file: bool| match file {
        true => Ok(()),
        false => Err(ReadError::file("cannot be read: it is not a regular file").in_file(path)),
    };
    regular(std::fs::metadata(path).map_err(fail)?.is_file())?;
    let file = File::open(path).map_err(fail)?;
    regular(file.metadata().map_err(fail)?.is_file())?;
    inputs::note(path);
    Ok(file)
}

/// All bytes of a file of motions, meshes or numbers: at most [`ReadLimits::file`].
pub fn read_bytes(path: &Path, limits: &ReadLimits) -> Result<Vec<u8>, ReadError> {
    read_at_most(path, limits.file)
}

/// The text of a file that people write: at most [`ReadLimits::document`].
pub fn read_text(path: &Path, limits: &ReadLimits) -> Result<String, ReadError> {
    let bytes = read_at_most(path, limits.document)?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        ReadError::file(format!("is not text in UTF-8 (byte {at})")).in_file(path)
    })
}

fn read_at_most(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let bytes = read_start(path, limit.saturating_add(1))?;
    within(bytes.len() as u64, limit, path)?;
    Ok(bytes)
}

fn within(count: u64, limit: u64, path: &Path) -> Result<(), ReadError> {
    if count <= limit {
        return Ok(());
    }
    let message = format!("is larger than the {limit} bytes that are read of such a file");
    Err(ReadError::file(message).in_file(path))
}

/// The first bytes of a file.
pub(crate) fn read_start(path: &Path, count: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    let read = open_file(path)?.take(count).read_to_end(&mut bytes);
    read.map_err(|error| ReadError::io(path, error))?;
    Ok(bytes)
}

/// The path that a path written in a file of `folder` leads to: below that folder, unless the limits let it leave.
pub fn path_in(folder: &Path, named: &str, limits: &ReadLimits) -> Result<PathBuf, ReadError> {
    let refuse = |why: &str| ReadError::file(format!("`{}` {why}", shown(named.as_bytes())));
    if PIPED.get().is_some_and(|piped| folder.join(named).starts_with(piped)) {
        return Err(refuse("is a file beside this one, and what comes through a pipe has none"));
    }
    if limits.outside {
        return Ok(folder.join(named));
    }
    if named.starts_with(['/', '\\']) || named.contains(':') || named.contains('\0') {
        return Err(refuse("is not in the folder of the file that names it"));
    }
    let mut path = PathBuf::new();
    for part in named.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => return Err(refuse("leads out of the folder of the file that names it")),
            part => path.push(part),
        }
    }
    if path.as_os_str().is_empty() {
        return Err(refuse("names no file"));
    }
    let path = folder.join(path);
    let home = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    // What is not there leads nowhere; opening it tells.
    if let (Ok(real), Ok(home)) = (path.canonicalize(), home.canonicalize())
        && !real.starts_with(home)
    {
        return Err(refuse("is a link that leads out of the folder of the file that names it"));
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_files_stay_in_the_folder() {
        let limits = ReadLimits::default();
        let bad = [
            "/etc/passwd",
            "../x.bin",
            "a/../../x",
            "C:\\x",
            "\\\\host\\x",
            "file:///x",
            "http://host/x.bin",
            "a\\..\\x",
            "",
            ".",
            "a\0b",
        ];
        for bad in bad {
            assert!(path_in(Path::new("f"), bad, &limits).is_err(), "{bad}");
        }
        for (good, expected) in
            [("x.bin", "f/x.bin"), ("./a/x", "f/a/x"), ("a\\b.png", "f/a/b.png")]
        {
            assert_eq!(path_in(Path::new("f"), good, &limits).unwrap(), Path::new(expected));
        }
        let outside = ReadLimits { outside: true, ..ReadLimits::default() };
        let there = path_in(Path::new("f"), "../x.bin", &outside).unwrap();
        assert_eq!(there, Path::new("f/../x.bin"));
    }

    #[cfg(unix)]
    #[test]
    fn links_out_of_the_folder_are_refused() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("scene");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(place.path().join("secret.obj"), "secret").unwrap();
        std::fs::write(folder.join("own.obj"), "own").unwrap();
        std::os::unix::fs::symlink("../secret.obj", folder.join("link.obj")).unwrap();
        std::os::unix::fs::symlink("own.obj", folder.join("near.obj")).unwrap();
        let limits = ReadLimits::default();
        let error = path_in(&folder, "link.obj", &limits).unwrap_err().to_string();
        assert!(error.contains("leads out"), "{error}");
        assert!(path_in(&folder, "near.obj", &limits).is_ok());
        assert!(path_in(&folder, "missing.obj", &limits).is_ok());
        let outside = ReadLimits { outside: true, ..ReadLimits::default() };
        assert!(path_in(&folder, "link.obj", &outside).is_ok());
    }

    #[test]
    fn only_regular_files_of_a_sensible_size_are_read() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("words.toml");
        std::fs::write(&path, "twelve bytes").unwrap();
        let limits = |document| ReadLimits { document, ..ReadLimits::default() };
        assert_eq!(read_text(&path, &limits(12)).unwrap(), "twelve bytes");
        let error = read_text(&path, &limits(11)).unwrap_err().to_string();
        assert!(error.contains("larger than the 11 bytes"), "{error}");
        let error = read_bytes(place.path(), &ReadLimits::default()).unwrap_err().to_string();
        assert!(error.contains("not a regular file"), "{error}");
        std::fs::write(&path, b"\xff").unwrap();
        assert!(read_text(&path, &limits(12)).unwrap_err().to_string().contains("UTF-8"));
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_not_read() {
        let error = read_bytes(Path::new("/dev/zero"), &ReadLimits::default()).unwrap_err();
        assert!(error.to_string().contains("not a regular file"), "{error}");
    }
}
