//! Platforms that move, and those who ride on them.
//!
//! Who begins on a platform lives on it as if it had stayed where it began, and is shown where it has been carried to.

use super::actor::Actor;
use super::disc::Disc;
use super::floor::Surroundings;
use crate::moving_platform::{Carriage, MovingPlatform};
use crate::physical::RidingFrame;
use crate::{CharacterSpec, Scene};
use andante_plan::route::FloorError;
use andante_skeleton::{Planar, Transform};
use glam::Vec2;
use std::sync::Arc;

/// Every moving platform, and the world of those on it.
#[derive(Clone, Debug)]
pub(crate) struct Decks {
    pub platforms: Arc<[MovingPlatform]>,
    worlds: Vec<Surroundings>,
}

/// Somebody who is carried, as it is shown.
#[derive(Clone, Debug)]
pub(crate) struct PlatformRide {
    pub ride: RidingFrame,
    pose: Vec<Transform>,
    models: Vec<Transform>,
    disc: Disc,
}

impl Decks {
    pub fn new(scene: &Scene, kinds: usize) -> Result<Self, FloorError> {
        let worlds = (0..scene.moving.len())
            .map(|platform| Surroundings::new(&scene.on_deck(platform), kinds));
        Ok(Self {
            platforms: scene.moving.clone().into(),
            worlds: worlds.collect::<Result<_, _>>()?,
        })
    }

    /// The world of somebody: that of its platform, or the one around.
    pub fn world<'a>(&'a self, around: &'a Surroundings, deck: Option<usize>) -> &'a Surroundings {
        deck.and_then(|deck| self.worlds.get(deck)).unwrap_or(around)
    }

    pub fn world_mut<'a>(
        &'a mut self,
        around: &'a mut Surroundings,
        deck: Option<usize>,
    ) -> &'a mut Surroundings {
        deck.and_then(|deck| self.worlds.get_mut(deck)).unwrap_or(around)
    }

    /// Milliseconds that their worlds took.
    pub fn preparation(&self) -> f64 {
        self.worlds.iter().map(|world| world.preparation).sum()
    }

    pub fn set_clock(&mut self, clock: crate::Clock) {
        self.worlds.iter_mut().for_each(|world| world.clock = clock);
    }

    /// Makes room for bodies of a kind that has come.
    pub fn admit(&mut self, kind: usize) {
        self.worlds.iter_mut().for_each(|world| world.admit(kind));
    }

    /// The decks there are, after the ground.
    pub fn all(&self) -> impl Iterator<Item = Option<usize>> + use<> {
        std::iter::once(None).chain((0..self.worlds.len()).map(Some))
    }

    /// The ride of a character that is carried from the beginning.
    pub fn ride(&self, scene: &Scene, part: &CharacterSpec) -> Option<PlatformRide> {
        let ride =
            RidingFrame { platforms: Arc::clone(&self.platforms), which: scene.rides(part)? };
        Some(PlatformRide { ride, pose: Vec::new(), models: Vec::new(), disc: Disc::default() })
    }
}

impl PlatformRide {
    pub fn pose(&self) -> &[Transform] {
        &self.pose
    }

    pub fn models(&self) -> &[Transform] {
        &self.models
    }

    pub fn disc(&self) -> &Disc {
        &self.disc
    }
}

impl Actor {
    /// The number of the platform it rides on.
    pub(crate) fn deck(&self) -> Option<usize> {
        self.riding.as_ref().map(|riding| riding.ride.which)
    }

    /// Where it has been carried to.
    pub(crate) fn carriage(&self, time: f64) -> Option<Carriage> {
        self.riding.as_ref()?.ride.carriage(time)
    }

    /// Is shown where it has been carried to.
    pub(crate) fn be_carried(&mut self, time: f64) {
        let Some(carriage) = self.carriage(time) else { return };
        let Some(riding) = &mut self.riding else { return };
        let by = carriage.transform();
        riding.pose.clear();
        riding.pose.extend_from_slice(self.body.pose());
        if let Some(root) = riding.pose.first_mut() {
            *root = by * *root;
        }
        riding.models.clear();
        riding.models.extend(self.body.models().iter().map(|model| by * *model));
        let own = self.body.disc;
        let place = own.place.position;
        let at = by.transform_point(glam::Vec3::new(place.x, 0.0, place.y));
        let heading = own.place.heading + carriage.turned as f32;
        let place = Planar::new(Vec2::new(at.x, at.z), heading);
        riding.disc = Disc { place, ..own };
    }
}
