//! A stage whose people are plain numbers.

use crate::character::SharedCharacter;
use crate::error::DoorError;
use andante_skeleton::PlannedFootprint;
use andante_stage::{
    Actor, ActorId, CharacterSpec, Command, EventKind, Footfall, Scene, Stage, Waypoint, read_scene,
};
use glam::Vec3;
use std::ops::Range;

/// A stage on which everybody has a number that is never another's: those of the scene 0, 1, 2… in its order, and whoever comes
/// later the next one.
#[derive(Clone, Debug)]
pub struct DoorStage {
    stage: Stage,
    ids: Vec<ActorId>,
}

/// Something that happened in the last step.
#[derive(Clone, Debug, PartialEq)]
pub struct StageEvent {
    /// Seconds from the beginning.
    pub time: f32,
    /// Whom it is about; nobody if it is about the world.
    pub actor: Option<u32>,
    /// Who else it is about.
    pub other: Option<u32>,
    /// One word for it, such as `arrived`.
    pub word: &'static str,
    /// A short sentence without its subject.
    pub text: String,
}

/// What somebody would do to get somewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedWay {
    /// How long it takes, in seconds.
    pub seconds: f32,
    /// How far from the goal it ends, in metres.
    pub goal_error: f32,
    /// Where its feet would stand, in the order in which they leave the ground.
    pub footprints: Vec<PlannedFootprint>,
    /// Where its hips would be, 60 times a second.
    pub line: Vec<Vec3>,
}

impl DoorStage {
    /// A stage from the text of a scene file.
    pub fn read(text: &str, seed: u64) -> Result<Self, DoorError> {
        Self::new(&read_scene(text)?, seed)
    }

    /// A stage of a built-in scene.
    pub fn built_in(name: &str, seed: u64) -> Result<Self, DoorError> {
        Self::new(&Scene::built_in(name)?, seed)
    }

    /// A stage of a scene.
    pub fn new(scene: &Scene, seed: u64) -> Result<Self, DoorError> {
        let stage = Stage::new(scene, seed)?;
        let ids = stage.actors().iter().map(Actor::id).collect();
        Ok(Self { stage, ids })
    }

    /// The stage itself.
    pub fn stage(&self) -> &Stage {
        &self.stage
    }

    /// The stage itself, to be changed in any way but by people who come: those need a number.
    pub fn stage_mut(&mut self) -> &mut Stage {
        &mut self.stage
    }

    /// Lets somebody come on.
    pub fn spawn(
        &mut self,
        part: &CharacterSpec,
        character: Option<&SharedCharacter>,
    ) -> Result<u32, DoorError> {
        let id = match character {
            Some(character) => self.stage.spawn_with(part, character.repertoire())?,
            None => self.stage.spawn(part)?,
        };
        self.ids.push(id);
        Ok((self.ids.len() - 1) as u32)
    }

    /// Takes somebody away.
    pub fn despawn(&mut self, who: u32) -> Result<(), DoorError> {
        Ok(self.stage.despawn(self.id(who))?)
    }

    /// Who has a number. Whose number nobody has ever had is nobody: there are never more places than numbers.
    pub fn id(&self, who: u32) -> ActorId {
        self.ids.get(who as usize).copied().unwrap_or(ActorId::from(who as usize))
    }

    /// The number of somebody.
    pub fn number(&self, id: ActorId) -> Option<u32> {
        self.ids.iter().rposition(|own| *own == id).map(|at| at as u32)
    }

    /// The numbers that have been given so far; not all of them are still on the stage.
    pub fn numbers(&self) -> Range<u32> {
        0..self.ids.len() as u32
    }

    /// Somebody.
    pub fn actor(&self, who: u32) -> Result<&Actor, DoorError> {
        Ok(self.stage.actor(self.id(who))?)
    }

    /// Tells somebody what to do.
    pub fn command(&mut self, who: u32, command: Command) -> Result<(), DoorError> {
        Ok(self.stage.command(self.id(who), command)?)
    }

    /// What happened in the last step.
    pub fn events(&self) -> impl Iterator<Item = StageEvent> {
        let names: Vec<&str> = match self.stage.events() {
            [] => Vec::new(),
            _ => self.stage.actors().iter().map(Actor::name).collect(),
        };
        let who =
            |track: usize| self.stage.actors().get(track).and_then(|actor| self.number(actor.id()));
        self.stage.events().iter().map(move |event| StageEvent {
            time: event.time,
            actor: event.track.and_then(who),
            other: match event.kind {
                EventKind::Near(other) => who(other),
                _ => None,
            },
            word: event.word(),
            text: event.describe(&names),
        })
    }

    /// Feet that came down in the last step, and whose.
    pub fn footfalls(&self) -> impl Iterator<Item = (u32, &Footfall)> {
        let who = |fall: &Footfall| self.number(fall.who);
        self.stage.footfalls().iter().filter_map(move |fall| who(fall).map(|who| (who, fall)))
    }

    /// The plan of a way from where somebody is to a place; nobody goes anywhere.
    pub fn plan(&mut self, who: u32, to: Waypoint, run: bool) -> Result<PlannedWay, DoorError> {
        let id = self.id(who);
        let hips = self.stage.actor(id)?.character().rig.hips;
        let plan = self.stage.plan(id, to, run)?;
        let character = self.stage.actor(id)?.character();
        let mut models = character.skeleton.rest_models();
        let mut line = Vec::with_capacity(plan.performance.clip.frame_count());
        for frame in plan.performance.clip.frames() {
            character.skeleton.local_to_model(frame, &mut models);
            line.push(models[hips].translation);
        }
        Ok(PlannedWay {
            seconds: plan.performance.seconds(),
            goal_error: plan.metrics.goal_error_m,
            footprints: plan.performance.footprints.clone(),
            line,
        })
    }
}
