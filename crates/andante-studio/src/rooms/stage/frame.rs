//! A moment of a stage, to be shown again.

use andante_body::creature_skin;
use andante_skeleton::{Character, SkinnedMesh, Transform, capsule_body, light_capsule_body};
use andante_stage::{PropForm, Stage};
use andante_world::Obstacle;
use glam::Vec3;
use std::sync::Arc;

/// The frame of a moment: everything on the stage.
pub struct StageFrame {
    /// Every joint of everybody in the world.
    pub models: Vec<Vec<Transform>>,
    /// Who is not there any more.
    pub gone: Vec<bool>,
    /// Whether heel and ball of each foot of everybody are down.
    pub contacts: Vec<Vec<[bool; 2]>>,
    /// Things that fall and roll.
    pub props: Vec<(PropForm, Transform)>,
    /// Platforms that move.
    pub platforms: Vec<Transform>,
    /// What stands in the way.
    pub obstacles: Arc<Vec<Obstacle>>,
    /// How many feet had come down until then.
    pub prints: usize,
    /// What everybody does, in words.
    pub doing: Vec<String>,
    /// What happened, in words.
    pub events: Vec<String>,
}

/// The print of a foot that came down.
#[derive(Clone, Copy, Debug)]
pub struct StagePrint {
    /// Whose it is.
    pub who: usize,
    /// Its number in the rig.
    pub foot: usize,
    /// Where the sole is.
    pub at: Vec3,
    /// The way up from the ground.
    pub normal: Vec3,
    /// Where it points.
    pub ahead: Vec3,
}

impl StageFrame {
    /// A stage as it is now, with so many footprints.
    pub fn of(stage: &Stage, obstacles: &Arc<Vec<Obstacle>>, prints: usize) -> Self {
        let actors = stage.actors();
        let feet = |actor: &andante_stage::Actor| {
            (0..actor.character().rig.feet.len()).map(|foot| actor.contact(foot)).collect()
        };
        let time = stage.time() as f32;
        let names = |track: Option<usize>| track.map_or("world", |who| actors[who].name());
        let event = |event: &andante_stage::Event| {
            format!("{:.1} s  {}: {}", event.time, names(event.track), event.describe(&[]))
        };
        Self {
            models: actors.iter().map(|actor| actor.models().to_vec()).collect(),
            gone: actors.iter().map(|actor| actor.is_gone()).collect(),
            contacts: actors.iter().map(feet).collect(),
            props: stage.props().map(|(_, form, place)| (form, place)).collect(),
            platforms: stage.platforms().iter().map(|platform| platform.at(time)).collect(),
            obstacles: Arc::clone(obstacles),
            prints,
            doing: actors.iter().map(|actor| actor.doing().to_owned()).collect(),
            events: stage.events().iter().map(event).collect(),
        }
    }

    /// The number of joints in the frame.
    pub fn joints(&self) -> usize {
        self.models.iter().map(Vec::len).sum()
    }
}

impl StagePrint {
    /// Feet that came down in the last step.
    pub fn landed(stage: &Stage) -> impl Iterator<Item = Self> {
        stage.footfalls().iter().filter_map(|fall| {
            let who = fall.who.number();
            let actor = stage.actors().get(who)?;
            let foot = actor.character().rig.feet.get(fall.foot)?;
            let [heel, tip] = [foot.heel, foot.tip].map(|point| point.position(actor.models()));
            let ahead = (tip - heel).reject_from_normalized(fall.normal).normalize_or(Vec3::Z);
            let at = (0.5 * (heel + tip)).with_y(fall.place.y);
            Some(Self { who, foot: fall.foot, at, normal: fall.normal, ahead })
        })
    }
}

/// The mesh that a character is drawn with.
pub fn skin_of(character: &Character, light: bool) -> SkinnedMesh {
    creature_skin(character).unwrap_or_else(|| match light {
        true => light_capsule_body(&character.skeleton),
        false => capsule_body(&character.skeleton),
    })
}
