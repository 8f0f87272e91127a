//! Asks where something is, or where it is to go.

use eframe::egui::{self, Key};
use std::path::{Path, PathBuf};

/// A question for a path.
pub struct PathPrompt {
    saves: bool,
    text: String,
    /// What is in the folder that was looked at last.
    listed: Option<(PathBuf, Vec<ListedPath>)>,
}

/// Something in a folder.
struct ListedPath {
    name: String,
    path: PathBuf,
    folder: bool,
}

/// Files with these endings can be opened.
const ENDINGS: [&str; 10] =
    ["toml", "bvh", "amc", "glb", "gltf", "vrm", "fbx", "npz", "take", "asf"];

impl PathPrompt {
    /// A question for a file to open.
    pub fn open() -> Self {
        Self { saves: false, text: String::new(), listed: None }
    }

    /// A question for a file to save to.
    pub fn save(name: &str) -> Self {
        Self { saves: true, text: name.to_owned(), listed: None }
    }

    /// True if something is to be saved.
    pub fn saves(&self) -> bool {
        self.saves
    }

    /// Shows it. Once it is answered: the path, or none if nothing is wanted any more.
    pub fn show(&mut self, context: &egui::Context) -> Option<Option<PathBuf>> {
        let mut answer = None;
        let modal = egui::Modal::new(egui::Id::unique("path")).show(context, |ui| {
            ui.set_width(520.0);
            let (title, button) = match self.saves {
                true => ("Save the project to this folder", "Save here"),
                false => ("Open a project, a scene, a motion, a take or a body", "Open this"),
            };
            ui.heading(title);
            let line =
                ui.add(egui::TextEdit::singleline(&mut self.text).desired_width(f32::INFINITY));
            line.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Path"));
            if !line.has_focus() && !line.lost_focus() {
                line.request_focus();
            }
            let enter = line.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            if cfg!(not(target_arch = "wasm32"))
                && let Some(chosen) = self.list(ui)
            {
                match chosen.folder {
                    // A project is a folder that can be opened.
                    true if !self.saves && chosen.path.join("project.toml").is_file() => {
                        answer = Some(Some(chosen.path));
                    }
                    // A project is saved to a folder of its own in it.
                    true if self.saves => {
                        let (_, name) = meant(&self.text);
                        self.text = chosen.path.join(name).display().to_string();
                    }
                    true => self.text = format!("{}/", chosen.path.display()),
                    false => answer = Some(Some(chosen.path)),
                }
            }
            let text = self.text.trim();
            ui.horizontal(|ui| {
                let go = ui.add_enabled(!text.is_empty(), egui::Button::new(button));
                if go.clicked() || (enter && !text.is_empty()) {
                    answer = Some(Some(PathBuf::from(text)));
                }
                if ui.button("Never mind").clicked() {
                    answer = Some(None);
                }
            });
            if !self.saves {
                ui.weak("Files can also be dropped onto the window.");
            }
        });
        if answer.is_none() && modal.should_close() {
            answer = Some(None);
        }
        answer
    }

    /// The folder that is meant so far, and what is in it; what was clicked.
    fn list(&mut self, ui: &mut egui::Ui) -> Option<ListedPath> {
        let (folder, begun) = meant(&self.text);
        if self.listed.as_ref().is_none_or(|(own, _)| *own != folder) {
            self.listed = Some((folder.clone(), entries(&folder)));
        }
        let (_, entries) = self.listed.as_ref()?;
        ui.weak(format!("in {}", folder.display()));
        let mut clicked = None;
        egui::ScrollArea::vertical().max_height(260.0).auto_shrink([false, true]).show(ui, |ui| {
            if let Some(above) = folder.parent()
                && ui.selectable_label(false, "the folder above").clicked()
            {
                let path = above.to_path_buf();
                clicked = Some(ListedPath { name: String::new(), path, folder: true });
            }
            let begun = begun.to_lowercase();
            let fits = |entry: &&ListedPath| {
                let named = entry.name.to_lowercase().starts_with(&begun);
                if self.saves { entry.folder } else { named }
            };
            for entry in entries.iter().filter(fits) {
                let name = match entry.folder {
                    true => format!("{}/", entry.name),
                    false => entry.name.clone(),
                };
                if ui.selectable_label(false, name).clicked() {
                    let (name, path) = (entry.name.clone(), entry.path.clone());
                    clicked = Some(ListedPath { name, path, folder: entry.folder });
                }
            }
        });
        clicked
    }
}

/// The folder that a text names, and the beginning of a name in it.
fn meant(text: &str) -> (PathBuf, String) {
    let path = Path::new(text.trim());
    let whole = std::path::absolute(path).unwrap_or_default();
    if path.as_os_str().is_empty() {
        return (std::env::current_dir().unwrap_or_default(), String::new());
    }
    if text.trim().ends_with('/') || text.trim().ends_with(std::path::MAIN_SEPARATOR) {
        return (whole, String::new());
    }
    let name = whole.file_name().unwrap_or_default().to_string_lossy().into_owned();
    (whole.parent().map(Path::to_path_buf).unwrap_or_default(), name)
}

/// Folders, and files that can be opened, by name.
fn entries(folder: &Path) -> Vec<ListedPath> {
    let read = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut listed: Vec<ListedPath> = read
        .map(|entry| {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            ListedPath { folder: path.is_dir(), name, path }
        })
        .filter(|entry| !entry.name.starts_with('.'))
        .filter(|entry| {
            let end = entry.path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
            entry.folder || ENDINGS.contains(&end.as_str())
        })
        .collect();
    listed.sort_by(|a, b| b.folder.cmp(&a.folder).then_with(|| a.name.cmp(&b.name)));
    // Nobody reads more.
    listed.truncate(300);
    listed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_means_a_folder_and_the_beginning_of_a_name() {
        assert_eq!(meant("/a/b/wal"), ("/a/b".into(), "wal".into()));
        assert_eq!(meant("/a/b/"), ("/a/b".into(), String::new()));
        assert_eq!(meant(" "), (std::env::current_dir().unwrap(), String::new()));
    }

    #[test]
    fn folders_come_first_and_files_that_cannot_be_opened_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["walk.bvh", "A.GLB", "notes.txt", ".hidden.toml"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        std::fs::create_dir(folder.path().join("more")).unwrap();
        let names: Vec<String> =
            entries(folder.path()).into_iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["more", "A.GLB", "walk.bvh"]);
        assert!(entries(&folder.path().join("nowhere")).is_empty());
    }
}
