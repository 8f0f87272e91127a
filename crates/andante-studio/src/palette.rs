//! Everything that can be done, found by its name.

use crate::action::{ACTIONS, ActionEntry, StudioAction};
use crate::room::StudioRoom;
use eframe::egui::{self, Key, RichText};

/// A list of everything that can be done, with a line to look for it.
#[derive(Default)]
pub struct CommandPalette {
    question: Option<String>,
    chosen: usize,
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
    pub fn show(&mut self, context: &egui::Context, room: StudioRoom) -> Option<StudioAction> {
        let mut question = self.question.take()?;
        let here = |entry: &&ActionEntry| entry.room.is_none_or(|own| own == room);
        let mut picked = None;
        let modal = egui::Modal::new(egui::Id::unique("palette")).show(context, |ui| {
            ui.set_width(420.0);
            let line = egui::TextEdit::singleline(&mut question)
                .hint_text("What do you want to do?")
                .desired_width(f32::INFINITY);
            let line = ui.add(line);
            line.widget_info(|| {
                egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Look for a command")
            });
            if line.changed() {
                self.chosen = 0;
            }
            line.request_focus();
            let found: Vec<&ActionEntry> =
                ACTIONS.iter().filter(here).filter(|entry| entry.matches(&question)).collect();
            let (up, down, enter) = ui.input(|input| {
                (
                    input.key_pressed(Key::ArrowUp),
                    input.key_pressed(Key::ArrowDown),
                    input.key_pressed(Key::Enter),
                )
            });
            if down {
                self.chosen += 1;
            }
            if up {
                self.chosen = self.chosen.saturating_sub(1);
            }
            self.chosen = self.chosen.min(found.len().saturating_sub(1));
            egui::ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
                for (index, entry) in found.iter().enumerate() {
                    ui.horizontal(|ui| {
                        let row = ui.selectable_label(index == self.chosen, entry.name);
                        if let Some(keys) = &entry.shortcut {
                            ui.label(
                                RichText::new(ui.ctx().format_shortcut(keys)).weak().monospace(),
                            );
                        }
                        if row.clicked() || (enter && index == self.chosen) {
                            picked = Some(entry.action);
                        }
                    });
                }
                if found.is_empty() {
                    ui.label("Nothing is called that.");
                }
            });
        });
        if picked.is_none() && !modal.should_close() {
            self.question = Some(question);
        }
        picked
    }
}
