//! Who is on the stage, and what they are told.

use crate::AndanteCharacter;
use andante_stage::{ActorId, Waypoint};
use bevy::prelude::*;

/// An entity that walks. It comes on the stage where its [`Transform`] is, on the ground below, facing along its +Z, and leaves
/// with the entity. From then on the stage moves the transform; whoever writes it puts the character elsewhere.
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Default)]
#[require(Transform, AndantePose)]
pub struct Locomotion {
    /// Who it is.
    pub character: Walks,
    /// Whether it may jump over gaps when it runs.
    pub jumps: bool,
}

/// The character that an entity is.
#[derive(Clone, Debug, PartialEq, Reflect)]
pub enum Walks {
    /// The built-in human.
    Human {
        /// How tall, in metres; as it is if it is not given.
        height: Option<f32>,
    },
    /// The character of a file. If the same file's scene hangs on the entity, its joints are driven.
    File(Handle<AndanteCharacter>),
    /// Whoever the scene has it be that it came with: see [`AndanteSceneRoot`](crate::AndanteSceneRoot).
    Scene,
}

impl Default for Walks {
    fn default() -> Self {
        Self::Human { height: None }
    }
}

impl Locomotion {
    /// The built-in human, so many metres tall.
    pub fn human(height: f32) -> Self {
        Self { character: Walks::Human { height: Some(height) }, jumps: false }
    }

    /// The character of a file.
    pub fn file(character: Handle<AndanteCharacter>) -> Self {
        Self { character: Walks::File(character), jumps: false }
    }
}

/// A place to go to. It is removed on arrival, or when it is given up; removing it earlier lets the character stop.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component)]
pub struct GoTo {
    /// Where, as `(x, z)`.
    pub place: Vec2,
    /// Height of the ground there, to within a step; the highest ground if it is not given.
    pub height: Option<f32>,
    /// Where to face, from +Z towards +X, in radians. Free to choose if it is not given.
    pub heading: Option<f32>,
    /// Whether to run.
    pub run: bool,
}

impl GoTo {
    /// A walk to a point on the ground.
    pub fn point(at: Vec3) -> Self {
        Self { place: Vec2::new(at.x, at.z), height: Some(at.y), heading: None, run: false }
    }

    /// A walk to the highest ground at `(x, z)`.
    pub fn place(place: Vec2) -> Self {
        Self { place, height: None, heading: None, run: false }
    }

    /// The same at a run.
    pub fn running(self) -> Self {
        Self { run: true, ..self }
    }

    pub(crate) fn waypoint(&self) -> Waypoint {
        Waypoint { place: self.place, height: self.height, heading: self.heading }
    }
}

/// A character that is led by hand, as from a gamepad. It keeps on until this is removed.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Default)]
pub struct Steer {
    /// Speed ahead, in m/s.
    pub speed: f32,
    /// To the left, in rad/s.
    pub turn_rate: f32,
}

/// Seconds to stand. It is removed when they are over.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Default)]
pub struct Wait(pub f32);

/// A body that forces can move: without it a character cannot be pushed.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default)]
pub enum PhysicalBody {
    /// Motion, and forces from when something touches it until it stands or walks safely again.
    #[default]
    WhenTouched,
    /// Forces also whenever it has nothing to do.
    Always,
}

/// Every joint of a character in the world, as it is after the step.
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Default)]
pub struct AndantePose {
    /// What the joints are called.
    pub names: Vec<String>,
    /// The joint that each hangs on.
    pub parents: Vec<Option<usize>>,
    /// Where each is and how it is turned, without scale.
    pub joints: Vec<Isometry3d>,
    /// Whether heel and ball of each foot are down, left before right.
    pub contacts: Vec<[bool; 2]>,
    /// The velocity over the ground, as `(x, z)` in m/s.
    pub velocity: Vec2,
}

impl AndantePose {
    /// The joint of a name.
    pub fn joint(&self, name: &str) -> Option<Isometry3d> {
        let index = self.names.iter().position(|own| own == name)?;
        self.joints.get(index).copied()
    }
}

/// The place of an entity on the stage; it is there while the entity is.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, from_reflect = false)]
pub struct AndanteActor {
    #[reflect(ignore)]
    pub(crate) id: ActorId,
    /// What it was told last.
    #[reflect(ignore)]
    pub(crate) told: Told,
    /// The transform as the stage wrote it last.
    pub(crate) shown: Transform,
}

impl AndanteActor {
    /// Its id on the stage.
    pub fn id(&self) -> ActorId {
        self.id
    }
}

/// What somebody was told last by a component.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Told {
    #[default]
    Nothing,
    Go,
    Steer,
    Wait,
}

/// Ground to walk on: what faces up of the entity's `Mesh3d`, wherever it is. Parents and scale count. As
/// `Propagate(AndanteGround)` it holds for everything below the entity, a scene from a file say.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default)]
pub struct AndanteGround;

/// Something to walk around: the entity's `Mesh3d`, each piece that hangs together as the upright prism that fits around it.
/// As `Propagate(AndanteObstacle)` it holds for everything below the entity.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default)]
pub struct AndanteObstacle;

/// The triangles of ground or of an obstacle as seen from the entity, instead of those of its `Mesh3d`: counter-clockwise as seen from
/// outside. [`AndanteColliderPlugin`](crate::AndanteColliderPlugin) makes them of colliders.
#[derive(Component, Clone, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Default)]
#[require(Transform)]
pub struct AndanteShape {
    /// The corners.
    pub positions: Vec<Vec3>,
    /// Three corners each.
    pub triangles: Vec<[u32; 3]>,
}

/// The eye that looks on, a camera say: whoever is far from it is animated less often.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Default)]
#[require(Transform)]
pub struct AndanteViewer;
