//! Everything that can be done, found by its name, with the command line that would do the same.

use crate::action::{ACTIONS, ActionEntry, StudioAction};
use crate::command_lines::{COMMAND_LINES, CommandLine};
use crate::look::command_line;
use crate::project::StudioProject;
use crate::room::StudioRoom;
use eframe::egui::{self, Key, RichText};

/// A list of everything that can be done, with a line to look for it.
#[derive(Default)]
pub struct CommandPalette {
    question: Option<String>,
    chosen: usize,
}

/// Something to be found.
enum PaletteRow {
    Action(&'static ActionEntry),
    Line(&'static CommandLine),
}

impl PaletteRow {
    fn name(&self) -> String {
        match self {
            Self::Action(entry) => entry.name.to_owned(),
            Self::Line(entry) => format!("andante {}: {}", entry.name, entry.about),
        }
    }

    /// What happens if it is chosen.
    fn action(&self) -> Option<StudioAction> {
        match self {
            Self::Action(entry) => Some(entry.action),
            Self::Line(entry) => entry.room.map(StudioAction::Enter),
        }
    }

    /// The same from a command line, if there is such a thing.
    fn line(&self, project: &StudioProject) -> Option<String> {
        let of = |name: &str| {
            let entry = COMMAND_LINES.iter().find(|entry| entry.name == name);
            entry.map(|entry| (entry.line)(project))
        };
        match self {
            Self::Line(entry) => Some((entry.line)(project)),
            Self::Action(entry) => match entry.action {
                StudioAction::Enter(room) => {
                    Some(format!("andante studio --room {}", room.name().to_lowercase()))
                }
                StudioAction::Open => of("studio"),
                StudioAction::Export | StudioAction::Keep => of("run"),
                StudioAction::Check => of("check"),
                _ => None,
            },
        }
    }
}

/// What a question finds in a room.
fn found(question: &str, room: StudioRoom) -> Vec<PaletteRow> {
    let here = |entry: &&ActionEntry| entry.room.is_none_or(|own| own == room);
    let actions = ACTIONS.iter().filter(here).filter(|entry| entry.matches(question));
    let lines = COMMAND_LINES.iter().map(PaletteRow::Line).filter(|row| {
        let name = row.name().to_lowercase();
        question.to_lowercase().split_whitespace().all(|word| name.contains(word))
    });
    actions.map(PaletteRow::Action).chain(lines).collect()
}

impl CommandPalette {
    /// Asks.
    pub fn open(&mut self) {
        self.question = Some(String::new());
        self.chosen = 0;
    }

    /// True while the palette is open.
    pub fn is_open(&self) -> bool {
        self.question.is_some()
    }

    /// Shows it, if it is open; what was chosen.
    pub fn show(
        &mut self,
        context: &egui::Context,
        room: StudioRoom,
        project: &StudioProject,
    ) -> Option<StudioAction> {
        let mut question = self.question.take()?;
        let mut picked = None;
        let modal = egui::Modal::new(egui::Id::unique("palette")).show(context, |ui| {
            ui.set_width(520.0);
            let line = egui::TextEdit::singleline(&mut question)
                .hint_text("What do you want to do?")
                .desired_width(f32::INFINITY);
            let line = ui.add(line);
            line.widget_info(|| {
                egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Look for a command")
            });
            line.request_focus();
            if line.changed() {
                self.chosen = 0;
            }
            let found = found(&question, room);
            picked = self.rows(ui, &found);
            ui.separator();
            match found.get(self.chosen).map(|row| row.line(project)) {
                Some(Some(line)) => command_line(ui, &line),
                Some(None) => drop(ui.weak("This is in the studio alone.")),
                None => drop(ui.label("Nothing is called that.")),
            }
        });
        if picked.is_none() && !modal.should_close() {
            self.question = Some(question);
        }
        picked
    }

    /// The rows; what was chosen.
    fn rows(&mut self, ui: &mut egui::Ui, found: &[PaletteRow]) -> Option<StudioAction> {
        let pressed = |key: Key| ui.input(|input| input.key_pressed(key));
        let (up, down, enter) =
            (pressed(Key::ArrowUp), pressed(Key::ArrowDown), pressed(Key::Enter));
        self.chosen = match (up, down) {
            (true, _) => self.chosen.saturating_sub(1),
            (_, true) => self.chosen + 1,
            _ => self.chosen,
        };
        self.chosen = self.chosen.min(found.len().saturating_sub(1));
        let mut picked = None;
        egui::ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
            for (index, entry) in found.iter().enumerate() {
                ui.horizontal(|ui| {
                    let row = ui.selectable_label(index == self.chosen, entry.name());
                    if (up || down) && index == self.chosen {
                        row.scroll_to_me(None);
                    }
                    if let PaletteRow::Action(ActionEntry { shortcut: Some(keys), .. }) = entry {
                        let keys = ui.ctx().format_shortcut(keys);
                        ui.label(RichText::new(keys).weak().monospace());
                    }
                    let taken = row.clicked() || (enter && index == self.chosen);
                    // What is nowhere in the studio is shown, and stays.
                    match entry.action().filter(|_| taken) {
                        Some(action) => picked = Some(action),
                        None if taken => self.chosen = index,
                        None => {}
                    }
                });
            }
        });
        picked
    }
}
