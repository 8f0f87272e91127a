//! What can be done by key, by button and by name.

use crate::room::StudioRoom;
use crate::view::ViewSide;
use eframe::egui::{Key, KeyboardShortcut, Modifiers};

/// Something to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StudioAction {
    /// Go to a room.
    Enter(StudioRoom),
    /// A project with nothing of one's own.
    NewProject,
    /// Open a project or any file, by its path.
    Open,
    /// Save the project where it was, or somewhere.
    Save,
    /// Save the project elsewhere.
    SaveAs,
    /// Go back an edit.
    Undo,
    /// Do again what was undone.
    Redo,
    /// Look for something to do by its name.
    Palette,
    /// Light or dark.
    SwitchLight,
    /// Let time pass, or stop it.
    PlayOrPause,
    /// A frame on or back.
    Step(i32),
    /// To the beginning.
    ToStart,
    /// Begin anew at the end, or not.
    Loop,
    /// From the front, the side or the top.
    LookFrom(ViewSide),
    /// Show all of what is chosen, or of everything.
    FrameView,
    /// Stay with what is chosen.
    FollowView,
    /// Put a box into the world.
    AddBox,
    /// Put ground, or a lamp, into the world.
    AddGround(GroundKind),
    /// Leave out what hides the chosen character, or not.
    CutAway,
    /// Move what is chosen with the mouse.
    Grab,
    /// Turn it.
    Rotate,
    /// Make it larger or smaller.
    Scale,
    /// Take away what is chosen.
    Delete,
    /// Lead the chosen character by the keys W, A, S and D, or not.
    Steer,
    /// Write what was played to files.
    Export,
    /// Have what was played checked.
    Check,
    /// Keep what was played as a take.
    Keep,
    /// See takes beside each other, or the stage again.
    Takes,
}

/// The kind of ground that the world can be made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroundKind {
    /// Level ground with an edge.
    Platform,
    /// Hills.
    Terrain,
    /// A flight of steps.
    Stairs,
    /// A round column.
    Column,
    /// A lamp.
    Lamp,
}

/// An action with its name and its key.
pub struct ActionEntry {
    /// What it is.
    pub action: StudioAction,
    /// What it is called.
    pub name: &'static str,
    /// The key, if it has one.
    pub shortcut: Option<KeyboardShortcut>,
    /// The room it belongs to; everywhere if none.
    pub room: Option<StudioRoom>,
}

const fn key(key: Key) -> Option<KeyboardShortcut> {
    Some(KeyboardShortcut::new(Modifiers::NONE, key))
}

const fn command(key: Key) -> Option<KeyboardShortcut> {
    Some(KeyboardShortcut::new(Modifiers::COMMAND, key))
}

const fn entry(
    action: StudioAction,
    name: &'static str,
    shortcut: Option<KeyboardShortcut>,
    room: Option<StudioRoom>,
) -> ActionEntry {
    ActionEntry { action, name, shortcut, room }
}

const STAGE: Option<StudioRoom> = Some(StudioRoom::Stage);

/// Everything that can be done. Of two with one key, the first one's modifiers are the more.
pub const ACTIONS: &[ActionEntry] = &[
    entry(StudioAction::Enter(StudioRoom::Welcome), "Go to Welcome", None, None),
    entry(StudioAction::Enter(StudioRoom::Stage), "Go to Stage", None, None),
    entry(StudioAction::Enter(StudioRoom::Motion), "Go to Motion", None, None),
    entry(StudioAction::Enter(StudioRoom::Creature), "Go to Creature", None, None),
    entry(StudioAction::Enter(StudioRoom::Physics), "Go to Physics", None, None),
    entry(StudioAction::NewProject, "New project", command(Key::N), None),
    entry(StudioAction::Open, "Open …", command(Key::O), None),
    entry(
        StudioAction::SaveAs,
        "Save as …",
        Some(KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::S)),
        None,
    ),
    entry(StudioAction::Save, "Save", command(Key::S), None),
    entry(
        StudioAction::Redo,
        "Redo",
        Some(KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Z)),
        None,
    ),
    entry(StudioAction::Redo, "Redo", command(Key::Y), None),
    entry(StudioAction::Undo, "Undo", command(Key::Z), None),
    entry(StudioAction::Palette, "Commands …", command(Key::K), None),
    entry(StudioAction::SwitchLight, "Light or dark", None, None),
    entry(StudioAction::PlayOrPause, "Play or pause", key(Key::Space), None),
    entry(StudioAction::Step(-1), "One frame back", key(Key::ArrowLeft), None),
    entry(StudioAction::Step(1), "One frame on", key(Key::ArrowRight), None),
    entry(StudioAction::ToStart, "To the beginning", key(Key::Home), None),
    entry(StudioAction::Loop, "Loop", key(Key::L), STAGE),
    entry(StudioAction::LookFrom(ViewSide::Front), "View from the front", key(Key::Num1), None),
    entry(StudioAction::LookFrom(ViewSide::Side), "View from the side", key(Key::Num3), None),
    entry(StudioAction::LookFrom(ViewSide::Top), "View from above", key(Key::Num7), None),
    entry(StudioAction::FrameView, "Frame", key(Key::F), None),
    entry(StudioAction::FollowView, "Follow", key(Key::C), STAGE),
    entry(StudioAction::AddBox, "Add a box", key(Key::B), STAGE),
    entry(StudioAction::AddGround(GroundKind::Platform), "Add a platform", None, STAGE),
    entry(StudioAction::AddGround(GroundKind::Terrain), "Add terrain", None, STAGE),
    entry(StudioAction::AddGround(GroundKind::Stairs), "Add stairs", None, STAGE),
    entry(StudioAction::AddGround(GroundKind::Column), "Add a column", None, STAGE),
    entry(StudioAction::AddGround(GroundKind::Lamp), "Add a lamp", None, STAGE),
    entry(StudioAction::CutAway, "Cut away what hides who is chosen", key(Key::X), STAGE),
    entry(StudioAction::Grab, "Move with the mouse", key(Key::G), STAGE),
    entry(StudioAction::Rotate, "Turn with the mouse", key(Key::R), STAGE),
    entry(StudioAction::Scale, "Scale with the mouse", key(Key::S), STAGE),
    entry(StudioAction::Delete, "Delete what is chosen", key(Key::Delete), STAGE),
    entry(StudioAction::Steer, "Steer with W A S D", key(Key::T), STAGE),
    entry(StudioAction::Export, "Export what was played …", command(Key::E), STAGE),
    entry(StudioAction::Check, "Check what was played", None, STAGE),
    entry(StudioAction::Keep, "Keep what was played as a take", None, STAGE),
    entry(StudioAction::Takes, "Takes beside each other, or the stage", None, STAGE),
];

impl ActionEntry {
    /// True if all words of a question are in its name, in any order.
    pub fn matches(&self, question: &str) -> bool {
        let name = self.name.to_lowercase();
        question.to_lowercase().split_whitespace().all(|word| name.contains(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_means_two_things_in_one_room() {
        for (index, one) in ACTIONS.iter().enumerate() {
            for other in &ACTIONS[..index] {
                let apart = one.room.is_some() && other.room.is_some() && one.room != other.room;
                assert!(
                    apart || one.shortcut.is_none() || one.shortcut != other.shortcut,
                    "{}",
                    one.name
                );
            }
        }
    }

    #[test]
    fn actions_are_found_by_words_in_any_order() {
        let found = |question: &str| ACTIONS.iter().filter(|entry| entry.matches(question)).count();
        assert_eq!(found("front view"), 1);
        assert!(found("") == ACTIONS.len() && found("sandwich") == 0);
    }
}
