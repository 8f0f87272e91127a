//! Where the studio keeps what it has to remember: recent projects, and what would be lost in a crash.

use crate::project::{ProjectFiles, StudioProject};
use crate::room::StudioRoom;
use andante_formats::ReadError;
use std::path::{Path, PathBuf};

/// Where the studio keeps things between two starts.
#[derive(Clone, Debug, Default)]
pub struct StudioHome {
    /// A page has none.
    #[cfg_attr(target_arch = "wasm32", allow(dead_code))]
    folder: Option<PathBuf>,
}

/// So many projects are remembered.
#[cfg(not(target_arch = "wasm32"))]
const RECENT: usize = 12;

#[cfg(not(target_arch = "wasm32"))]
#[derive(Default, serde::Serialize, serde::Deserialize)]
struct RecentTable {
    projects: Vec<PathBuf>,
}

impl StudioHome {
    /// A folder of one's own.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()) }
    }

    /// Nothing is remembered.
    pub fn nowhere() -> Self {
        Self::default()
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl StudioHome {
    /// That of whoever runs the program: `ANDANTE_STUDIO_HOME`, or a folder among the data of programs.
    pub fn of_user() -> Self {
        let folder =
            |key: &str| std::env::var_os(key).filter(|path| !path.is_empty()).map(PathBuf::from);
        let own = folder("ANDANTE_STUDIO_HOME");
        let data = || folder("XDG_DATA_HOME").or_else(|| folder("LOCALAPPDATA"));
        let home = || folder("HOME").map(|home| home.join(".local/share"));
        Self {
            folder: own.or_else(|| data().or_else(home).map(|data| data.join("andante-studio"))),
        }
    }

    /// Projects that were opened or saved, the last one first. Those that are gone are left out.
    pub fn recent(&self) -> Vec<PathBuf> {
        let limits = andante_formats::ReadLimits::default();
        let read = |folder: &PathBuf| {
            andante_formats::gate::read_text(&folder.join("recent.toml"), &limits).ok()
        };
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

    /// Keeps a project in case that it is lost.
    pub fn autosave(&self, files: &ProjectFiles) -> Result<(), String> {
        self.folder.as_ref().map_or(Ok(()), |folder| write_project(&folder.join("autosave"), files))
    }

    /// What was kept, if anything was.
    pub fn autosaved(&self) -> Option<Result<(StudioProject, StudioRoom), ReadError>> {
        let folder = self.folder.as_ref()?.join("autosave");
        let kept = folder.join("project.toml").is_file().then(|| read_project(&folder));
        // It is kept for a crash there, not saved.
        kept.map(|kept| {
            kept.map(|(project, room)| (StudioProject { folder: None, ..project }, room))
        })
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

/// Reads the project in a folder.
#[cfg(not(target_arch = "wasm32"))]
pub fn read_project(folder: &Path) -> Result<(StudioProject, StudioRoom), ReadError> {
    let limits = andante_formats::ReadLimits::default();
    let first = folder.join("project.toml");
    StudioProject::from_files(|name| {
        let path = folder.join(name);
        if !path.is_file() {
            return Ok(None);
        }
        andante_formats::gate::read_text(&path, &limits).map(Some)
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

    /// What was kept, if anything was.
    pub fn autosaved(&self) -> Option<Result<(StudioProject, StudioRoom), ReadError>> {
        let storage = Self::storage()?;
        let read = |name: &str| storage.get_item(&format!("andante-studio/{name}")).ok().flatten();
        read("project.toml")?;
        Some(StudioProject::from_files(|name| Ok(read(name))))
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
        assert!(home.autosaved().is_none());
        let mut project = StudioProject::default();
        for edit in 0..3 {
            project.name = format!("edit {edit}");
            home.autosave(&project.to_files(StudioRoom::Stage).unwrap()).unwrap();
        }
        assert_eq!(home.autosaved().unwrap().unwrap().0.name, "edit 2");
    }

    #[test]
    fn a_damaged_project_is_refused_with_file_line_and_column() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("project.toml"), "version = 1\nname = 3\n").unwrap();
        let error = read_project(folder.path()).unwrap_err().to_string();
        assert!(error.contains("project.toml") && error.contains('2'), "{error}");
    }
}
