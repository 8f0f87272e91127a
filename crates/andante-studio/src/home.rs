//! Where the studio keeps what it has to remember: recent projects, and what would be lost in a crash.

use crate::project::{ProjectFiles, StudioProject};
use crate::room::StudioRoom;
use andante_formats::{ReadError, ReadLimits, gate};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

/// The folder in which the studio keeps things between two starts.
#[derive(Clone, Debug, Default)]
pub struct StudioHome {
    /// A page has none.
    #[cfg(not(target_arch = "wasm32"))]
    folder: Option<PathBuf>,
    /// What this start keeps for a crash: earlier ones, and studios that are open beside it, have their own.
    #[cfg(not(target_arch = "wasm32"))]
    own: std::sync::Arc<std::sync::OnceLock<PathBuf>>,
    /// Files that were dropped and have no path, by their names.
    dropped: DroppedContents,
}

/// The content of files that were dropped, by name.
type DroppedContents = std::sync::Arc<std::sync::Mutex<HashMap<PathBuf, std::sync::Arc<Vec<u8>>>>>;

/// A project that was kept for a crash with the room it was left in, or why it cannot be read.
pub type KeptProject = Result<(StudioProject, StudioRoom), ReadError>;

/// So many projects are remembered.
#[cfg(not(target_arch = "wasm32"))]
const RECENT: usize = 12;

#[cfg(not(target_arch = "wasm32"))]
#[derive(Default, serde::Serialize, serde::Deserialize)]
struct RecentTable {
    projects: Vec<PathBuf>,
}

impl StudioHome {
    /// Nothing is remembered.
    pub fn nowhere() -> Self {
        Self::default()
    }

    /// Takes in a file that has no path.
    pub fn take_in(&self, name: &Path, bytes: Vec<u8>) {
        let mut dropped = self.dropped.lock().unwrap_or_else(PoisonError::into_inner);
        dropped.insert(name.to_path_buf(), std::sync::Arc::new(bytes));
    }

    /// The content of a file that was dropped, or that is there.
    pub fn content(&self, path: &Path, limits: &ReadLimits) -> Result<Vec<u8>, ReadError> {
        match self.dropped(path) {
            Some(bytes) => Ok(bytes.to_vec()),
            None => gate::read_bytes(path, limits),
        }
    }

    /// The content of a file that was dropped and has no path.
    pub fn dropped(&self, path: &Path) -> Option<std::sync::Arc<Vec<u8>>> {
        self.dropped.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned()
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl StudioHome {
    /// A folder of one's own.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()), ..Self::default() }
    }

    /// That of whoever runs the program: `ANDANTE_STUDIO_HOME`, or a folder among the data of programs.
    pub fn of_user() -> Self {
        let folder =
            |key: &str| std::env::var_os(key).filter(|path| !path.is_empty()).map(PathBuf::from);
        let own = folder("ANDANTE_STUDIO_HOME");
        let data = || folder("XDG_DATA_HOME").or_else(|| folder("LOCALAPPDATA"));
        let home = || folder("HOME").map(|home| home.join(".local/share"));
        let folder = own.or_else(|| data().or_else(home).map(|data| data.join("andante-studio")));
        Self { folder, ..Self::default() }
    }

    /// Projects that were opened or saved, the last one first. Those that are gone are left out.
    pub fn recent(&self) -> Vec<PathBuf> {
        let limits = ReadLimits::default();
        let read = |folder: &PathBuf| gate::read_text(&folder.join("recent.toml"), &limits).ok();
        let text = self.folder.as_ref().and_then(read);
        let table: RecentTable =
            text.and_then(|text| toml::from_str(&text).ok()).unwrap_or_default();
        table.projects.into_iter().filter(|path| path.join("project.toml").is_file()).collect()
    }

    /// Remembers a project.
    pub fn remember(&self, project: &Path) -> Result<(), String> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let project = std::path::absolute(project).unwrap_or_else(|_| project.to_path_buf());
        let mut projects = self.recent();
        projects.retain(|other| *other != project);
        projects.insert(0, project);
        projects.truncate(RECENT);
        let text = toml::to_string(&RecentTable { projects }).map_err(|error| error.to_string())?;
        let path = folder.join("recent.toml");
        let written = std::fs::create_dir_all(folder)
            .and_then(|()| andante_formats::write_atomically(&path, text.as_bytes()));
        written.map_err(|error| format!("{}: {error}", path.display()))
    }

    /// A folder for what was found for a project that is not saved yet.
    pub fn found(&self, name: &str) -> Result<PathBuf, String> {
        match &self.folder {
            Some(folder) => Ok(folder.join("found").join(andante_take::slug(name))),
            None => {
                tempfile::tempdir().map(tempfile::TempDir::keep).map_err(|error| error.to_string())
            }
        }
    }

    /// A folder for takes that are kept of a project that is not saved yet.
    pub fn takes(&self) -> Result<PathBuf, String> {
        self.found("takes")
    }

    /// Keeps a project in case that it is lost. Every start has a place of its own, so that nothing that was kept before is
    /// written over.
    pub fn autosave(&self, files: &ProjectFiles) -> Result<(), String> {
        let Some(folder) = self.folder.as_ref().map(|folder| folder.join("kept")) else {
            return Ok(());
        };
        if self.own.get().is_none() {
            let claimed = claim(&folder).map_err(|error| format!("{}: {error}", folder.display()));
            let _ = self.own.set(claimed?);
        }
        self.own.get().map_or(Ok(()), |own| write_project(own, files))
    }

    /// The projects kept by earlier starts and by those that are open beside this one, the last one first.
    pub fn autosaved(&self) -> Vec<KeptProject> {
        let Some(folder) = self.folder.as_ref().map(|folder| folder.join("kept")) else {
            return Vec::new();
        };
        let kept = |number: u32| {
            let own = folder.join(number.to_string());
            own.join("project.toml").is_file().then(|| read_project(&own))
        };
        // It is kept for a crash there, not saved.
        let unsaved = |kept: KeptProject| {
            kept.map(|(project, room)| (StudioProject { folder: None, ..project }, room))
        };
        numbers(&folder).into_iter().rev().filter_map(kept).map(unsaved).collect()
    }
}

/// So many starts are kept for a crash.
#[cfg(not(target_arch = "wasm32"))]
const STARTS: usize = 20;

/// The numbers of all starts that kept something, in order.
#[cfg(not(target_arch = "wasm32"))]
fn numbers(folder: &Path) -> Vec<u32> {
    let names = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut numbers: Vec<u32> =
        names.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    numbers.sort_unstable();
    numbers
}

/// A folder that nobody else has, with the next number; those long before it go.
#[cfg(not(target_arch = "wasm32"))]
fn claim(folder: &Path) -> std::io::Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    let before = numbers(folder);
    for old in before.iter().rev().skip(STARTS) {
        std::fs::remove_dir_all(folder.join(old.to_string()))?;
    }
    let mut next = before.last().map_or(1, |last| last + 1);
    loop {
        let own = folder.join(next.to_string());
        match std::fs::create_dir(&own) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => next += 1,
            made => return made.map(|()| own),
        }
    }
}

/// Writes all files of a project or none.
#[cfg(not(target_arch = "wasm32"))]
pub fn write_project(folder: &Path, files: &ProjectFiles) -> Result<(), String> {
    let write = || {
        let aside = andante_formats::ResultFolder::new(folder)?;
        for (name, text) in files {
            std::fs::write(aside.path().join(name), text)?;
        }
        aside.commit()
    };
    write().map_err(|error: std::io::Error| format!("{}: {error}", folder.display()))
}

/// Saves a project to a folder, with copies of the files that its scene names, so that the folder is all that is needed.
/// Those that cannot be copied stay where they are, and the project remembers that.
#[cfg(not(target_arch = "wasm32"))]
pub fn save_project(
    folder: &Path,
    project: &mut StudioProject,
    room: StudioRoom,
) -> Result<(), String> {
    let from = project.scene_folder.clone().or_else(|| project.folder.clone());
    let mut all_there = true;
    for name in from.iter().flat_map(|_| crate::scene_text::named_files(&project.scene)) {
        let (source, copy) = (from.clone().unwrap_or_default().join(&name), folder.join(&name));
        if source == copy {
            continue;
        }
        let copied = gate::read_bytes(&source, &ReadLimits::default()).is_ok_and(|bytes| {
            let above = copy.parent().map_or(Ok(()), std::fs::create_dir_all);
            above.and_then(|()| andante_formats::write_atomically(&copy, &bytes)).is_ok()
        });
        all_there &= copied;
    }
    let scene_folder = if all_there { None } else { from };
    let saved = StudioProject { scene_folder, ..project.clone() };
    let files = saved.to_files(room).map_err(|error| error.to_string())?;
    write_project(folder, &files)?;
    project.scene_folder = saved.scene_folder;
    Ok(())
}

/// Reads the project in a folder.
#[cfg(not(target_arch = "wasm32"))]
pub fn read_project(folder: &Path) -> Result<(StudioProject, StudioRoom), ReadError> {
    let limits = ReadLimits::default();
    let first = folder.join("project.toml");
    StudioProject::from_files(|name| {
        let path = folder.join(name);
        if !path.is_file() {
            return Ok(None);
        }
        gate::read_text(&path, &limits).map(Some)
    })
    .map(|(project, room)| {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
        (StudioProject { folder: Some(folder), ..project }, room)
    })
    .map_err(|error| if error.path.is_some() { error } else { error.in_file(&first) })
}

/// In a browser: its storage for pages.
#[cfg(target_arch = "wasm32")]
impl StudioHome {
    /// The browser's storage.
    pub fn of_user() -> Self {
        Self::default()
    }

    fn storage() -> Option<web_sys::Storage> {
        web_sys::window()?.local_storage().ok().flatten()
    }

    /// A page has no folders.
    pub fn recent(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// A page has no folders.
    pub fn found(&self, _: &str) -> Result<PathBuf, String> {
        Err("a page has no folder to keep a gait in".into())
    }

    /// A page has no folders.
    pub fn remember(&self, _: &Path) -> Result<(), String> {
        Ok(())
    }

    /// Keeps a project in case that it is lost.
    pub fn autosave(&self, files: &ProjectFiles) -> Result<(), String> {
        let Some(storage) = Self::storage() else { return Ok(()) };
        for (name, text) in files {
            let kept = storage.set_item(&format!("andante-studio/{name}"), text);
            kept.map_err(|_| "the browser keeps nothing more for this page".to_owned())?;
        }
        Ok(())
    }

    /// The kept project, if there is one.
    pub fn autosaved(&self) -> Vec<KeptProject> {
        let Some(storage) = Self::storage() else { return Vec::new() };
        let read = |name: &str| storage.get_item(&format!("andante-studio/{name}")).ok().flatten();
        let kept = read("project.toml").map(|_| StudioProject::from_files(|name| Ok(read(name))));
        kept.into_iter().collect()
    }

    /// A page has no folders.
    pub fn takes(&self) -> Result<PathBuf, String> {
        Ok(PathBuf::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projects_are_saved_whole_and_remembered_the_last_one_first() {
        let folder = tempfile::tempdir().unwrap();
        let home = StudioHome::at(folder.path().join("home"));
        let project = StudioProject::default();
        let files = project.to_files(StudioRoom::Creature).unwrap();
        for name in ["a", "b", "a"] {
            let path = folder.path().join(name);
            write_project(&path, &files).unwrap();
            home.remember(&path).unwrap();
        }
        let names: Vec<_> =
            home.recent().iter().map(|path| path.file_name().unwrap().to_owned()).collect();
        assert_eq!(names, ["a", "b"]);
        let path = folder.path().join("b");
        let saved = StudioProject { folder: Some(path.clone()), ..project };
        assert_eq!(read_project(&path).unwrap(), (saved, StudioRoom::Creature));
        std::fs::remove_dir_all(folder.path().join("a")).unwrap();
        assert_eq!(home.recent().len(), 1);
    }

    #[test]
    fn what_was_kept_for_a_crash_is_there_at_the_next_start() {
        let folder = tempfile::tempdir().unwrap();
        let home = StudioHome::at(folder.path());
        assert!(home.autosaved().is_empty());
        let mut project = StudioProject::default();
        for edit in 0..3 {
            project.name = format!("edit {edit}");
            home.autosave(&project.to_files(StudioRoom::Stage).unwrap()).unwrap();
        }
        assert_eq!(home.autosaved()[0].as_ref().unwrap().0.name, "edit 2");
        // The next start writes over nothing, and what cannot be read any more is told and stays.
        std::fs::write(folder.path().join("kept/1/project.toml"), "version = ").unwrap();
        let next = StudioHome::at(folder.path());
        project.name = "another".into();
        next.autosave(&project.to_files(StudioRoom::Stage).unwrap()).unwrap();
        let kept = next.autosaved();
        assert_eq!(kept[0].as_ref().unwrap().0.name, "another");
        assert!(kept[1].as_ref().unwrap_err().to_string().contains("project.toml"));
    }

    #[test]
    fn a_damaged_project_is_refused_with_file_line_and_column() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("project.toml"), "version = 1\nname = 3\n").unwrap();
        let error = read_project(folder.path()).unwrap_err().to_string();
        assert!(error.contains("project.toml") && error.contains('2'), "{error}");
    }
}
