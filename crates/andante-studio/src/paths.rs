//! Asks where something is, or where it is to go.

use eframe::egui::{self, Key};
use std::path::PathBuf;

/// A question for a path.
pub struct PathPrompt {
    saves: bool,
    text: String,
}

impl PathPrompt {
    /// A question for a file to open.
    pub fn open() -> Self {
        Self { saves: false, text: String::new() }
    }

    /// A question for a file to save to.
    pub fn save(name: &str) -> Self {
        Self { saves: true, text: name.to_owned() }
    }

    /// True if something is to be saved.
    pub fn saves(&self) -> bool {
        self.saves
    }

    /// Shows it. Once it is answered: the path, or none if nothing is wanted any more.
    pub fn show(&mut self, context: &egui::Context) -> Option<Option<PathBuf>> {
        let mut answer = None;
        let modal = egui::Modal::new(egui::Id::unique("path")).show(context, |ui| {
            ui.set_width(460.0);
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
}
