//! The scenes that come with the program.

use crate::{
    BodyDrive, CharacterSpec, Command, Cue, FootstepMethod, Order, Scene, StageSettings, Waypoint,
    read_scene,
};
use andante_formats::ReadError;
use andante_plan::route::RouteMethod;
use andante_world::{GroundPatch, Platform};
use glam::Vec2;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

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

    /// So many people on open ground of 200 by 200 metres, each of whom walks to and fro between two places that are 30 to
    /// 80 metres apart: what crowds are measured with.
    pub fn crowd_of(people: usize, seed: u64) -> Self {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let half = 100.0f32;
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let outline = corners.map(|corner| half * Vec2::from(corner)).to_vec();
        let mut starts: Vec<Vec2> = Vec::with_capacity(people);
        let mut characters = Vec::with_capacity(people);
        let mut orders = Vec::with_capacity(people);
        for who in 0..people {
            let mut within = |far: f32| random.random_range(-far..far);
            let start = loop {
                let start = Vec2::new(within(half - 2.0), within(half - 2.0));
                if starts.iter().all(|other| other.distance(start) > 1.0) {
                    break start;
                }
            };
            starts.push(start);
            let goal = loop {
                let goal = Vec2::new(within(half - 2.0), within(half - 2.0));
                if (30.0..=80.0).contains(&goal.distance(start)) {
                    break goal;
                }
            };
            let (start, goal) = (Waypoint::at(start), Waypoint::at(goal));
            characters.push(CharacterSpec {
                name: (who + 1).to_string(),
                character: "humanoid".into(),
                repertoire: None,
                height: None,
                start,
                goal,
                run: false,
                jump: false,
                nature: BodyDrive::Kinematic,
                route: RouteMethod::default(),
                footsteps: FootstepMethod::default(),
            });
            let command = Command::Patrol(vec![goal, start]);
            orders.push(Order { name: None, who, cue: Cue::Next, command });
        }
        let platform = Platform::level("ground", outline, 0.0);
        Self {
            name: format!("crowd of {people}"),
            about: "People who walk to and fro on open ground.".into(),
            ground: vec![GroundPatch { platform, terrain: None }],
            obstacles: Vec::new(),
            moving: Vec::new(),
            characters,
            orders,
            settings: StageSettings::default(),
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
