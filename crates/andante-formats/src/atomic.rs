//! Files and folders appear whole or not at all.
//!
//! What is being written has a temporary name beside where it will be, locked by who writes it. What a process left that
//! was killed is unlocked: the next one that writes there takes it away.

use crate::{foreign, inputs};
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::{Builder, NamedTempFile, TempDir};

/// What temporary names begin and end with.
const PREFIX: &str = ".andante-";
const SUFFIX: &str = ".part";

/// Links that lead to links are followed so often at most.
const MOST_LINKS: usize = 40;

/// Writes `bytes` under a temporary name beside `path` and renames it: a reader never sees half a
/// file, and a failure leaves an older file as it was. A link is written through.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_all_atomically(&[(path, bytes)])
}

/// The same for files that belong together: all of them are complete before the first one appears.
pub fn write_all_atomically(files: &[(&Path, &[u8])]) -> io::Result<()> {
    let whole = |(path, bytes): &(&Path, &[u8])| -> io::Result<AtomicFile> {
        let mut file = AtomicFile::new(path)?;
        file.write_all(bytes).map_err(unnamed)?;
        file.complete()?;
        Ok(file)
    };
    let complete: Vec<AtomicFile> = files.iter().map(whole).collect::<io::Result<_>>()?;
    complete.into_iter().try_for_each(AtomicFile::commit)
}

/// A file that is written bit by bit and appears under its name when it is complete.
#[derive(Debug)]
pub struct AtomicFile {
    file: BufWriter<NamedTempFile>,
    path: PathBuf,
}

impl AtomicFile {
    /// Begins a file. Readers see nothing of it, or the older one, until it is committed.
    pub fn new(path: &Path) -> io::Result<Self> {
        inputs::refuse(path)?;
        let path = followed(path);
        foreign::refuse_foreign(&path)?;
        let folder = folder_of(&path);
        let file = prepared(folder, 0o666, |builder| {
            let file = builder.tempfile_in(folder)?;
            // Where files cannot be locked nobody takes unlocked ones away.
            let _ = file.as_file().try_lock();
            Ok(file)
        })?;
        if let Ok(old) = fs::metadata(&path) {
            file.as_file().set_permissions(old.permissions())?;
        }
        Ok(Self { file: BufWriter::new(file), path })
    }

    /// Brings everything to the disk, and sees whether it may have its name.
    fn complete(&mut self) -> io::Result<()> {
        self.file.flush().map_err(unnamed)?;
        self.file.get_ref().as_file().sync_all()?;
        inputs::refuse(&self.path)?;
        foreign::refuse(self.file.get_ref().path(), &self.path)
    }

    /// The file, complete and under its name.
    pub fn commit(mut self) -> io::Result<()> {
        self.complete()?;
        let file = self.file.into_inner().map_err(|error| unnamed(error.into_error()))?;
        file.persist(&self.path).map_err(|error| error.error)?;
        sync_folder(folder_of(&self.path))
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Files that belong together, written into a folder aside. They appear all at once: a folder that is not there or is
/// empty is that one; one with files in it is exchanged for it, with what else was in it. Where that cannot be, as in
/// folders with folders in them, files appear one by one when all are complete.
#[derive(Debug)]
pub struct ResultFolder {
    aside: TempDir,
    /// Holds the lock.
    _lock: Option<File>,
    target: PathBuf,
    /// Files of an earlier set that go with it.
    outdated: Vec<OsString>,
}

impl ResultFolder {
    /// Begins the content of a folder. The folders above are made.
    pub fn new(target: &Path) -> io::Result<Self> {
        let target = followed(target);
        let beside = folder_of(&target).to_path_buf();
        fs::create_dir_all(&beside)?;
        if target.exists() && !target.is_dir() {
            return Err(io::Error::from(io::ErrorKind::NotADirectory));
        }
        let begun = |folder: &Path| {
            prepared(folder, 0o777, |builder| {
                let aside = builder.tempdir_in(folder)?;
                let lock = File::open(aside.path()).ok().filter(|lock| lock.try_lock().is_ok());
                Ok((aside, lock))
            })
        };
        // The folder above may be another disk, or not ours.
        let within = target.is_dir() && !same_disk(&target, &beside);
        let (aside, lock) = match begun(if within { &target } else { &beside }) {
            Err(error) if within || !target.is_dir() => return Err(error),
            Err(_) => begun(&target)?,
            Ok(begun) => begun,
        };
        Ok(Self { aside, _lock: lock, target, outdated: Vec::new() })
    }

    /// Files of an earlier set in the folder: those that are not made again go when these appear.
    pub fn outdate(&mut self, names: impl IntoIterator<Item = String>) {
        self.outdated.extend(names.into_iter().map(OsString::from));
    }

    /// The path of the files until they are complete.
    pub fn path(&self) -> &Path {
        self.aside.path()
    }

    /// All files, under their names.
    pub fn commit(mut self) -> io::Result<()> {
        let mut names = Vec::new();
        for entry in fs::read_dir(self.path())? {
            let entry = entry?;
            let place = self.target.join(entry.file_name());
            inputs::refuse(&place)?;
            foreign::refuse(&entry.path(), &place)?;
            File::open(entry.path())?.sync_all()?;
            names.push(entry.file_name());
        }
        let target = self.target.clone();
        self.outdated.retain(|name| {
            let place = target.join(name);
            !inputs::is_input(&place) && foreign::may_remove(&place)
        });
        sync_folder(self.path())?;
        let (beside, is_within) = (folder_of(&self.target), self.path().starts_with(&self.target));
        // A folder takes the place of one that is not there or empty.
        if !is_within && !is_current(&self.target) {
            if fs::rename(self.path(), &self.target).is_ok() {
                return sync_folder(beside);
            }
            if self.exchanged(&names) {
                return sync_folder(beside);
            }
        }
        for name in &names {
            let path = followed(&self.target.join(name));
            fs::rename(self.path().join(name), &path)?;
        }
        for name in self.outdated.iter().filter(|name| !names.contains(name)) {
            match fs::remove_file(self.target.join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        sync_folder(&self.target)
    }

    /// Whether the folder was exchanged for the one of the target. What else was there is in both before, so that
    /// nothing is lost whenever the process ends.
    fn exchanged(&self, names: &[OsString]) -> bool {
        let replaced = [names, &self.outdated[..]].concat();
        let Some(others) = others(&self.target, &replaced) else { return false };
        let Ok(old) = fs::metadata(&self.target) else { return false };
        let link = |name: &OsString| fs::hard_link(self.target.join(name), self.path().join(name));
        let ready = fs::set_permissions(self.path(), old.permissions()).is_ok()
            && others.iter().all(|name| link(name).is_ok());
        if ready && exchange(self.path(), &self.target).is_ok() {
            return true;
        }
        for name in &others {
            let _ = fs::remove_file(self.path().join(name));
        }
        false
    }
}

/// Everything in a folder but some names; nothing where something is no plain file.
fn others(folder: &Path, names: &[OsString]) -> Option<Vec<OsString>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).ok()? {
        let entry = entry.ok()?;
        if !entry.file_type().ok()?.is_file() {
            return None;
        }
        if !names.contains(&entry.file_name()) {
            found.push(entry.file_name());
        }
    }
    Some(found)
}

/// Two folders take each other's place.
#[cfg(target_os = "linux")]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(target_os = "linux"))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

/// Whether somebody who works in the folder would be left in one that is gone.
fn is_current(folder: &Path) -> bool {
    let here = std::env::current_dir().and_then(fs::canonicalize);
    here.is_ok_and(|here| fs::canonicalize(folder).is_ok_and(|folder| here.starts_with(folder)))
}

fn is_ours(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// Makes something with a temporary name, while nobody takes away what was left there, and takes that away once. `mode`
/// is who may use it, before the user's mask.
fn prepared<T>(
    folder: &Path,
    mode: u32,
    make: impl FnOnce(&mut Builder) -> io::Result<T>,
) -> io::Result<T> {
    static SWEPT: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);
    // A folder aside is locked by ourselves, and nothing was left there.
    let open = || File::open(folder).ok().filter(|gate| gate.lock().is_ok());
    let gate = if folder.file_name().is_some_and(is_ours) { None } else { open() };
    if gate.is_some() {
        let mut swept = SWEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if swept.get_or_insert_default().insert(folder.into()) {
            sweep(folder);
        }
    }
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    #[cfg(not(unix))]
    let _ = mode;
    // The temporary name in the error means nothing to anybody.
    make(&mut builder).map_err(unnamed)
}

/// Takes away what was left by a process that was killed.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if !is_ours(&entry.file_name()) {
            continue;
        }
        let Ok(left) = File::open(entry.path()) else { continue };
        if left.try_lock().is_err() {
            continue;
        }
        let _ = match entry.file_type() {
            Ok(kind) if kind.is_dir() => fs::remove_dir_all(entry.path()),
            _ => fs::remove_file(entry.path()),
        };
    }
}

/// What a path leads to if it is a link, even to nothing.
fn followed(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&path) else { break };
        path = folder_of(&path).join(next);
    }
    path
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn unnamed(error: io::Error) -> io::Error {
    io::Error::from(error.kind())
}

#[cfg(unix)]
fn same_disk(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let disk = |path: &Path| fs::metadata(path).map(|about| about.dev()).ok();
    disk(one) == disk(other)
}

#[cfg(not(unix))]
fn same_disk(_: &Path, _: &Path) -> bool {
    true
}

/// Brings names to the disk, where folders can be opened.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// A set of two files of the same content.
    fn set(target: &Path, content: &str) -> io::Result<()> {
        let folder = ResultFolder::new(target)?;
        fs::write(folder.path().join("a"), content)?;
        fs::write(folder.path().join("b"), content)?;
        folder.commit()
    }

    #[test]
    fn a_failed_write_leaves_the_older_file_and_no_litter() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("take.bvh");
        write_atomically(&path, b"first").unwrap();
        write_atomically(&path, b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert!(write_atomically(&path.join("below-a-file"), b"x").is_err());
        assert!(set(&path, "x").is_err() && set(&path.join("below"), "x").is_err());
        assert_eq!(names(directory.path()), ["take.bvh"]);
    }

    #[test]
    fn what_a_killed_process_left_is_taken_away_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        fs::write(at(".andante-aaaaaa.part"), b"half").unwrap();
        fs::create_dir(at(".andante-bbbbbb.part")).unwrap();
        fs::write(at(".andante-bbbbbb.part").join("report.html"), b"half").unwrap();
        fs::write(at(".andante-notes"), b"mine").unwrap();
        let busy = ResultFolder::new(&at("busy")).unwrap();
        // Another process would come here for the first time.
        sweep(directory.path());
        assert!(busy.path().exists());
        drop(busy);
        assert_eq!(names(directory.path()), [".andante-notes"]);
    }

    #[test]
    fn a_set_replaces_an_older_one_and_leaves_what_else_is_there() {
        let directory = tempfile::tempdir().unwrap();
        let target = directory.path().join("above/set");
        for content in ["first", "second"] {
            set(&target, content).unwrap();
            fs::write(target.join("notes"), "mine").unwrap();
        }
        set(&target, "third").unwrap();
        assert_eq!(fs::read(target.join("a")).unwrap(), b"third");
        assert_eq!(fs::read(target.join("notes")).unwrap(), b"mine");
        // With a folder in it files come one by one.
        fs::create_dir(target.join("more")).unwrap();
        set(&target, "fourth").unwrap();
        assert_eq!(fs::read(target.join("b")).unwrap(), b"fourth");
        assert_eq!(names(&target), ["a", "b", "more", "notes"]);
        assert_eq!(names(target.parent().unwrap()), ["set"]);
    }

    #[test]
    fn what_an_earlier_set_had_and_this_one_has_not_goes_with_it() {
        for with_folder in [false, true] {
            let directory = tempfile::tempdir().unwrap();
            let target = directory.path().join("set");
            set(&target, "first").unwrap();
            fs::write(target.join("notes"), "mine").unwrap();
            if with_folder {
                fs::create_dir(target.join("more")).unwrap();
            }
            let mut folder = ResultFolder::new(&target).unwrap();
            folder.outdate(["a", "b", "never-there"].map(String::from));
            fs::write(folder.path().join("a"), "second").unwrap();
            // Until then everything is there.
            assert_eq!(fs::read(target.join("b")).unwrap(), b"first");
            folder.commit().unwrap();
            let left: &[&str] = if with_folder { &["a", "more", "notes"] } else { &["a", "notes"] };
            assert_eq!(names(&target), left);
            assert_eq!(fs::read(target.join("a")).unwrap(), b"second");
        }
    }

    #[test]
    fn a_set_that_is_given_up_leaves_the_older_one() {
        let directory = tempfile::tempdir().unwrap();
        let target = directory.path().join("set");
        set(&target, "first").unwrap();
        let folder = ResultFolder::new(&target).unwrap();
        fs::write(folder.path().join("a"), "second").unwrap();
        drop(folder);
        assert_eq!(fs::read(target.join("a")).unwrap(), b"first");
        assert_eq!(names(directory.path()), ["set"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_written_through_and_masks_hold() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        symlink("real", at("link")).unwrap();
        symlink("there", at("folder")).unwrap();
        write_atomically(&at("link"), b"content").unwrap();
        set(&at("folder"), "content").unwrap();
        assert_eq!(fs::read(at("real")).unwrap(), b"content");
        assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
        assert_eq!(names(&at("there")), ["a", "b"]);
        // Files in a set may be links, too.
        fs::remove_file(at("there").join("a")).unwrap();
        symlink("../real", at("there").join("a")).unwrap();
        set(&at("folder"), "newer").unwrap();
        assert_eq!(fs::read(at("real")).unwrap(), b"newer");

        let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode();
        fs::write(at("plain"), b"").unwrap();
        fs::create_dir(at("plain-folder")).unwrap();
        assert_eq!((mode("real"), mode("there")), (mode("plain"), mode("plain-folder")));
        fs::set_permissions(at("real"), fs::Permissions::from_mode(0o600)).unwrap();
        write_atomically(&at("link"), b"private").unwrap();
        assert_eq!(mode("real") & 0o777, 0o600);
    }
}
