//! The scenes that come with the program.

use crate::{Scene, read_scene};
use andante_formats::ReadError;

/// A scene that is part of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// Its name, as typed on a command line.
    pub name: &'static str,
    /// The text of its file.
    pub text: &'static str,
}

macro_rules! scenes {
    ($($name:literal),+) => {
        &[$(BuiltIn { name: $name, text: include_str!(concat!("../scenes/", $name, ".toml")) }),+]
    };
}

const SCENES: &[BuiltIn] = scenes![
    "demo",
    "jumps",
    "turns",
    "parking",
    "house",
    "sheep-pen",
    "hills",
    "stairs",
    "stepping-stones",
    "pushes",
    "ferry",
    "meeting",
    "crowd"
];

/// Every built-in scene, simple ones first.
pub fn built_in_scenes() -> &'static [BuiltIn] {
    SCENES
}

impl Scene {
    /// The built-in scene of this name.
    pub fn built_in(name: &str) -> Result<Self, ReadError> {
        match SCENES.iter().find(|scene| scene.name == name) {
            Some(scene) => read_scene(scene.text),
            None => {
                let names: Vec<_> = SCENES.iter().map(|scene| scene.name).collect();
                Err(ReadError::file(format!(
                    "there is no built-in scene `{name}`; there are {}",
                    names.join(", ")
                )))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_scene_reads_and_is_called_what_its_file_is() {
        for scene in built_in_scenes() {
            let read =
                read_scene(scene.text).unwrap_or_else(|error| panic!("{}: {error}", scene.name));
            assert_eq!(read.name, scene.name);
            assert!(!read.about.is_empty() && !read.characters.is_empty());
        }
    }

    #[test]
    fn an_unknown_scene_is_told_what_there_is() {
        let error = Scene::built_in("jumpz").unwrap_err().to_string();
        assert!(error.contains("jumpz") && error.contains("jumps, turns"), "{error}");
    }
}
