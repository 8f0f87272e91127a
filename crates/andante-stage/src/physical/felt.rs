//! What a body that forces move feels of them, in the world.

use super::episode::PhysicsEpisode;
use super::ride;
use glam::{DVec3, Vec3};

/// What somebody whom forces move feels of them; not finite where there is nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FeltForces {
    /// Where the centre of mass would come to rest if the pressure were there, on the floor.
    pub capture: Vec3,
    /// Where the force of the ground acts, on the floor.
    pub pressure: Vec3,
    /// The force of the ground, N.
    pub force: Vec3,
}

impl FeltForces {
    /// Nothing at all.
    pub const NONE: Self = Self { capture: Vec3::NAN, pressure: Vec3::NAN, force: Vec3::NAN };

    /// The forces on somebody now.
    pub fn of(episode: &PhysicsEpisode) -> Self {
        if episode.is_out() {
            return Self::NONE;
        }
        let senses = episode.driver.senses();
        let placed = episode.frame.to_transform();
        let carriage = ride::carriage(episode);
        let shown = |at: Vec3| {
            let at = placed.transform_point(at);
            carriage.map_or(at, |own| own.place(at.as_dvec3()).as_vec3())
        };
        let floor = senses.centre.y - senses.height;
        let on_floor = |[x, z]: [f64; 2]| shown(DVec3::new(x, floor, z).as_vec3());
        let own = episode.flesh.physique.model.links().len();
        let ground = episode.simulation.contacts(0);
        let ground = ground.filter(|contact| contact.link < own && contact.other.is_none());
        let force = ground.fold(DVec3::ZERO, |sum, contact| {
            sum + DVec3::new(contact.force.x, contact.force.y, contact.force.z)
        });
        let force = placed.rotation * force.as_vec3();
        let force = carriage.map_or(force, |own| own.direction(force.as_dvec3()).as_vec3());
        let (pressure, force) = match senses.pressure {
            Some(pressure) => (on_floor(pressure), force),
            None => (Vec3::NAN, Vec3::NAN),
        };
        Self { capture: on_floor(senses.capture_point()), pressure, force }
    }
}
