//! What a step asks of everybody one after the other, side by side: to look for it in each actor would take most of the time
//! of a crowd, since so many actors do not fit into what a core has at hand.

use crate::live::actor::Actor;
use glam::Vec2;

/// A note of somebody in a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StepNote {
    pub gone: bool,
    /// The number of its kind, and the moving platform it is on.
    pub kind: usize,
    pub deck: Option<usize>,
    /// The place of its hips before the step, and the height of the ground it stands on.
    pub hips: Vec2,
    pub floor: f32,
    /// Where its disc is.
    pub place: Vec2,
    /// How far the disc would move, and how far the hips are shown to.
    pub moves: Vec2,
    pub sways: Vec2,
    /// Share of the time that passed for it in the step before.
    pub rate: f32,
    pub is_physical: bool,
    pub is_moved: bool,
    pub minds_walls: bool,
    /// Whether every step it makes is planned.
    pub is_bound: bool,
    /// Whether a foot came down, and whether it is time to say why it does not get ahead.
    pub steps: bool,
    pub says: bool,
}

impl StepNote {
    /// Notes who is there.
    pub fn begin(&mut self, actor: &Actor) {
        (self.gone, self.kind, self.deck) = (actor.gone, actor.kind, actor.deck());
        self.hips = actor.body.hips_place();
        self.place = actor.body.disc.place.position;
        (self.steps, self.says) = (false, false);
    }

    /// Notes what somebody has decided to do.
    pub fn decided(&mut self, actor: &Actor, dt: f32) {
        let body = &actor.body;
        self.place = body.disc.place.position;
        (self.moves, self.sways) = (body.would_move(dt), body.drift * dt);
        (self.rate, self.floor) = (body.rate, body.floor());
        (self.is_physical, self.is_moved) = (body.is_physical(), body.is_moved());
        self.minds_walls = actor.minds_walls();
    }

    /// Notes where somebody has come to.
    pub fn animated(&mut self, actor: &Actor) {
        self.place = actor.body.disc.place.position;
        self.is_bound = actor.is_bound();
    }

    /// Notes what there is to tell.
    pub fn ended(&mut self, actor: &Actor) {
        self.place = actor.body.disc.place.position;
        self.steps = actor.watched.iter().any(|foot| foot.fell.is_some());
        self.says = actor.still.says.is_some();
    }
}
