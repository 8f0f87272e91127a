//! What is worked on: plain data and files that other programs read too.

use crate::motion_plan::MotionPlan;
use crate::room::StudioRoom;
use crate::scene_move::SceneThing;
use crate::scene_text::SceneText;
use andante_formats::ReadError;
use andante_stage::{BuiltIn, Scene};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A project: everything that can be edited, saved, undone.
#[derive(Clone, Debug, PartialEq)]
pub struct StudioProject {
    /// What it is called.
    pub name: String,
    /// Where it is saved, if it is.
    pub folder: Option<PathBuf>,
    /// Where the files are that its scene names: meshes and repertoires.
    pub scene_folder: Option<PathBuf>,
    /// Seed of everything random.
    pub seed: u64,
    /// The motion that is worked on.
    pub motion: MotionPlan,
    /// Takes to be seen beside each other.
    pub takes: Vec<PathBuf>,
    /// The lights of the stage.
    pub light: StageLight,
    /// Files with the bodies of characters, by the names of their repertoires.
    pub skins: BTreeMap<String, PathBuf>,
    /// The scene file: what `andante run` plays.
    pub scene: String,
    /// The character file of the creature: what `andante modes` reads.
    pub body: String,
    /// The sketch of its gait: what `andante gait` searches with.
    pub sketch: String,
}

/// The light of the stage; it is seen here alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageLight {
    /// Where the sun is: degrees from +Z towards +X, and above the horizon.
    pub sun: [f32; 2],
    /// How bright it is; 1 is a clear day.
    pub strength: f32,
    /// Lamps, by their places.
    #[serde(default)]
    pub lamps: Vec<[f32; 3]>,
}

impl Default for StageLight {
    fn default() -> Self {
        Self { sun: [50.0, 60.0], strength: 1.0, lamps: Vec::new() }
    }
}

/// The files of a project. Each is whole in itself.
const FILES: [&str; 4] = ["project.toml", "scene.toml", "body.toml", "sketch.toml"];

/// The table of a project: what is in none of the other files.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProjectTable {
    version: u32,
    name: String,
    room: StudioRoom,
    seed: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scene_folder: Option<PathBuf>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    takes: Vec<PathBuf>,
    #[serde(default)]
    motion: MotionPlan,
    #[serde(default)]
    light: StageLight,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    skins: BTreeMap<String, PathBuf>,
}

/// The files of a project, by name.
pub type ProjectFiles = Vec<(&'static str, String)>;

impl Default for StudioProject {
    fn default() -> Self {
        let scene = andante_stage::built_in_scenes().iter().find(|scene| scene.name == "jumps");
        Self {
            name: "untitled".into(),
            folder: None,
            scene_folder: None,
            motion: MotionPlan::default(),
            takes: Vec::new(),
            light: StageLight::default(),
            skins: BTreeMap::new(),
            seed: 1,
            scene: scene.map(|scene| scene.text.to_owned()).unwrap_or_default(),
            body: body_text("humanoid").unwrap_or_default(),
            sketch: sketch_text("basic-run").unwrap_or_default(),
        }
    }
}

/// The text of a built-in creature's file.
pub fn body_text(name: &str) -> Option<String> {
    let known = andante_body::CREATURES.iter().find(|(known, _)| *known == name);
    known.map(|(_, text)| (*text).to_owned())
}

/// The text of a built-in sketch.
pub fn sketch_text(name: &str) -> Option<String> {
    let known = andante_gait::SKETCHES.iter().find(|(known, _)| *known == name);
    known.map(|(_, text)| (*text).to_owned())
}

impl StudioProject {
    /// Reads the scene file of the project.
    pub fn read_scene(&self) -> Result<Scene, ReadError> {
        let folder = self.scene_folder.as_deref().or(self.folder.as_deref());
        andante_stage::read_scene_in(folder.unwrap_or(Path::new("")), &self.scene)
    }

    /// The same with a built-in scene. A body of one's own that plays the first part plays it there too.
    pub fn in_scene(&self, scene: &BuiltIn) -> Self {
        let part = SceneThing::Start(0);
        let cast = SceneText::new(&self.scene).ok();
        let cast = cast.and_then(|mut text| text.word(&part, "repertoire"));
        let cast = cast.filter(|file| self.skins.contains_key(file)).and_then(|file| {
            let mut text = SceneText::new(scene.text).ok()?;
            text.set_word(&part, "repertoire", &file)?;
            text.set_word(&part, "height", "")?;
            Some(text.finish())
        });
        let folder = self.scene_folder.clone().or_else(|| self.folder.clone());
        let scene_folder = folder.filter(|_| cast.is_some());
        let (name, text) = (scene.name.to_owned(), cast.unwrap_or_else(|| scene.text.to_owned()));
        Self { name, scene: text, scene_folder, folder: None, ..self.clone() }
    }

    /// Its files, and the room it was left in.
    pub fn to_files(&self, room: StudioRoom) -> Result<ProjectFiles, toml::ser::Error> {
        let (name, scene_folder) = (self.name.clone(), self.scene_folder.clone());
        let (seed, takes) = (self.seed, self.takes.clone());
        let (motion, light, skins) = (self.motion.clone(), self.light.clone(), self.skins.clone());
        let table = ProjectTable {
            version: 1,
            name,
            room,
            seed,
            scene_folder,
            takes,
            motion,
            light,
            skins,
        };
        let texts =
            [toml::to_string(&table)?, self.scene.clone(), self.body.clone(), self.sketch.clone()];
        Ok(FILES.into_iter().zip(texts).collect())
    }

    /// From its files; `read` gives the text of a name. Files other than the first may be missing: then they are those of
    /// a new project. What is wrong inside of those is told where they are used, and nothing of them is lost.
    pub fn from_files(
        mut read: impl FnMut(&str) -> Result<Option<String>, ReadError>,
    ) -> Result<(Self, StudioRoom), ReadError> {
        let [first, scene, body, sketch] = FILES;
        let missing =
            || ReadError::file(format!("there is no {first}: this is no project of the studio"));
        let text = read(first)?.ok_or_else(missing)?;
        let table: ProjectTable = toml::from_str(&text).map_err(|error| match error.span() {
            Some(span) => ReadError::at(text.as_bytes(), span.start, error.message()),
            None => ReadError::file(error.message()),
        })?;
        if table.version != 1 {
            let message =
                format!("version {} is not known; this program reads version 1", table.version);
            return Err(ReadError::file(message));
        }
        let ProjectTable { name, seed, scene_folder, takes, motion, light, skins, .. } = table;
        let mut project =
            Self { name, seed, scene_folder, takes, motion, light, skins, ..Self::default() };
        let parts =
            [(scene, &mut project.scene), (body, &mut project.body), (sketch, &mut project.sketch)];
        for (name, part) in parts {
            if let Some(text) = read(name)? {
                *part = text;
            }
        }
        Ok((project, table.room))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_back(files: &ProjectFiles) -> Result<(StudioProject, StudioRoom), ReadError> {
        StudioProject::from_files(|name| {
            Ok(files.iter().find(|(known, _)| *known == name).map(|(_, text)| text.clone()))
        })
    }

    #[test]
    fn a_project_is_read_as_it_was_written() {
        let mut project =
            StudioProject { seed: 7, name: "a \"walk\"".into(), ..Default::default() };
        project.scene.push_str("# mine\n");
        let files = project.to_files(StudioRoom::Stage).unwrap();
        assert_eq!(read_back(&files).unwrap(), (project, StudioRoom::Stage));
    }

    #[test]
    fn what_is_wrong_with_a_project_is_told_with_its_place() {
        let mut files = StudioProject::default().to_files(StudioRoom::Stage).unwrap();
        files[0].1 = "version = 1\nname = \"x\"\nroom = \"kitchen\"\nseed = 1\n".into();
        let error = read_back(&files).unwrap_err().to_string();
        assert!(error.contains("line 3") && error.contains("kitchen"), "{error}");
        assert!(read_back(&vec![]).unwrap_err().to_string().contains("project.toml"));
    }

    #[test]
    fn a_new_project_has_a_scene_a_body_and_a_sketch_that_can_be_used() {
        let project = StudioProject::default();
        andante_stage::read_scene(&project.scene).unwrap();
        andante_body::read_body(&project.body).unwrap();
        andante_gait::read_sketch(&project.sketch).unwrap();
    }
}
