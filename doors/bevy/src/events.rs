//! What happens to characters, and what is done to them.

use crate::AndanteError;
use andante_stage::Command;
use bevy::prelude::*;

/// A foot of a character that came down.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Reflect)]
pub struct Footfall {
    /// Whose it is.
    pub entity: Entity,
    /// Its number in the rig: 0 is left, 1 right.
    pub foot: usize,
    /// Where its sole met the ground.
    pub place: Vec3,
    /// How fast the sole was, in m/s.
    pub speed: f32,
    /// The way up from the ground there.
    pub normal: Vec3,
    /// The entity it came down on, if it is ground of Bevy's.
    pub ground: Option<Entity>,
}

/// A character came to where it was sent.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Reflect)]
pub struct Arrived {
    /// Who.
    pub entity: Entity,
}

/// A character does not get ahead, or has given up.
#[derive(EntityEvent, Clone, Debug, PartialEq, Reflect)]
pub struct Blocked {
    /// Who.
    pub entity: Entity,
    /// Why.
    pub reason: String,
    /// Whether it has given up; otherwise it goes on as soon as it can.
    pub gave_up: bool,
}

/// Anything that happened to a character, in the words of the stage: every event that the stage tells.
#[derive(EntityEvent, Clone, Debug, PartialEq)]
pub struct Happened {
    /// To whom.
    pub entity: Entity,
    /// What.
    pub event: andante_stage::Event,
}

/// Something that was asked for is not done. It is logged, too.
#[derive(EntityEvent, Clone, Debug)]
pub struct Refused {
    /// Whom or what it is about.
    pub entity: Entity,
    /// Why.
    pub error: AndanteError,
}

/// A push, to be triggered: a [`PhysicalBody`](crate::PhysicalBody) keeps its balance, steps, or falls and gets up.
#[derive(EntityEvent, Clone, Copy, Debug, PartialEq, Reflect)]
pub struct Push {
    /// Who is pushed.
    pub entity: Entity,
    /// Force times time in N·s, as `(x, z)`.
    pub impulse: Vec2,
    /// How high above the ground it lands, in metres; at the chest if it is not given.
    pub height: Option<f32>,
    /// How long it lasts, in seconds.
    pub seconds: f32,
}

impl Push {
    /// A shove of a tenth of a second at the chest, of so many N·s along the ground.
    pub fn new(entity: Entity, impulse: Vec3) -> Self {
        Self { entity, impulse: Vec2::new(impulse.x, impulse.z), height: None, seconds: 0.1 }
    }
}

/// Any command of the stage, to be triggered: patrols, jumps, looks, throws. It takes the place of what the components
/// [`GoTo`](crate::GoTo), [`Steer`](crate::Steer) and [`Wait`](crate::Wait) asked for, unless it can be done beside it.
#[derive(EntityEvent, Clone, Debug, PartialEq)]
pub struct Order {
    /// Who is told.
    pub entity: Entity,
    /// What.
    pub command: Command,
}
