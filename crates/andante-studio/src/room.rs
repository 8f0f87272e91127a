//! Where one is in the studio.

use serde::{Deserialize, Serialize};

/// A room of the studio.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StudioRoom {
    /// Examples, recent projects, and a place to drop a file.
    #[default]
    Welcome,
    /// A world and its characters.
    Stage,
    /// Clips.
    Motion,
    /// Bodies and their natural vibrations.
    Creature,
    /// Forces.
    Physics,
}

impl StudioRoom {
    /// All of them, in the order of their tabs.
    pub const ALL: [Self; 5] =
        [Self::Welcome, Self::Stage, Self::Motion, Self::Creature, Self::Physics];

    /// The name on its tab, which `--room` takes in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Welcome => "Welcome",
            Self::Stage => "Stage",
            Self::Motion => "Motion",
            Self::Creature => "Creature",
            Self::Physics => "Physics",
        }
    }

    /// The purpose of the room in a sentence.
    pub fn about(self) -> &'static str {
        match self {
            Self::Welcome => "Examples, recent projects and files",
            Self::Stage => "Send characters through a world, and change it while they walk",
            Self::Motion => "Play, cut, turn, mirror and mix clips",
            Self::Creature => "Shape a body, choose its vibrations, and search for a gait",
            Self::Physics => "Push, pull and hit somebody who keeps its balance",
        }
    }

    /// The room of this name, in any case.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|room| room.name().eq_ignore_ascii_case(name))
    }
}
