//! Riding on a platform that moves.
//!
//! Who stands on one is simulated as if it had stayed where it began: what is under the feet does not move then, and balance
//! is kept as on the ground. What the platform does is felt as a push, as in a train.

use super::episode::PhysicsEpisode;
use super::physical_body::vector;
use crate::moving_platform::{Carriage, MovingPlatform};
use andante_body::Prop;
use andante_dynamics::{Quat as Turn, Vec3 as Vector, vec3};
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// A platform and who it carries.
#[derive(Clone, Debug)]
pub(crate) struct RidingFrame {
    pub platforms: Arc<[MovingPlatform]>,
    pub which: usize,
}

impl RidingFrame {
    /// The carriage of the ride: where it has carried things to.
    pub fn carriage(&self, time: f64) -> Option<Carriage> {
        self.platforms.get(self.which).map(|platform| Carriage::new(platform, time))
    }
}

fn glam(v: Vector<f64>) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

fn own(v: DVec3) -> Vector<f64> {
    vec3(v.x, v.y, v.z)
}

fn turned(prop: &Prop, by: DQuat) -> Turn<f64> {
    let t = prop.turned;
    let t = by * DQuat::from_xyzw(t.x, t.y, t.z, t.w);
    Turn { x: t.x, y: t.y, z: t.z, w: t.w }.normalized()
}

impl Carriage {
    /// A prop of the world as it would be if the platform had stayed.
    pub fn bring_back(&self, prop: &Prop) -> Prop {
        let (place, v) = (glam(prop.place), glam(prop.velocity));
        let spin = glam(prop.spin) - DVec3::Y * self.now().spin;
        Prop {
            place: own(self.back(place)),
            turned: turned(prop, DQuat::from_rotation_y(-self.turned)),
            velocity: own(self.direction_back(v - self.now().velocity_at(place))),
            spin: own(self.direction_back(spin)),
            ..prop.clone()
        }
    }

    /// A prop on the platform as it is in the world.
    pub fn carry(&self, prop: &Prop) -> Prop {
        let place = self.place(glam(prop.place));
        let v = self.direction(glam(prop.velocity)) + self.now().velocity_at(place);
        let spin = self.direction(glam(prop.spin)) + DVec3::Y * self.now().spin;
        Prop {
            place: own(place),
            turned: turned(prop, DQuat::from_rotation_y(self.turned)),
            velocity: own(v),
            spin: own(spin),
            ..prop.clone()
        }
    }
}

/// Seconds since the stage began.
pub(super) fn clock(episode: &PhysicsEpisode) -> f64 {
    episode.began + episode.simulation.time()
}

/// Where the platform it rides on has carried it to.
pub(super) fn carriage(episode: &PhysicsEpisode) -> Option<Carriage> {
    episode.ride.as_ref()?.carriage(clock(episode))
}

/// Whether its feet, whose height is given, are below the platform that carried it: it has fallen off.
pub(super) fn is_off_deck(episode: &PhysicsEpisode, feet: f64) -> bool {
    let platform = episode.ride.as_ref().and_then(|ride| ride.platforms.get(ride.which));
    let below = episode.flesh.settings.physical.off_deck;
    platform.is_some_and(|platform| feet < f64::from(platform.top()) - below)
}

/// Puts the ground where it is in the next step, and lets everything be pushed as the platform that carries it does.
pub(super) fn feel_ground(episode: &mut PhysicsEpisode) {
    let time = clock(episode);
    if let Some(terrain) = episode.below.moved(time) {
        // It is ground of the same kind.
        let _ = episode.simulation.move_terrain(terrain);
    }
    let half = 0.5 * episode.simulation.settings().step;
    let Some(carriage) = episode.ride.as_ref().and_then(|ride| ride.carriage(time + half)) else {
        return;
    };
    let turn = DQuat::from_rotation_y(f64::from(episode.frame.heading));
    let origin =
        glam(vector(glam::Vec3::new(episode.frame.position.x, 0.0, episode.frame.position.y)));
    let push = |at: Vector<f64>, v: Vector<f64>| {
        turn.conjugate() * carriage.push(origin + turn * glam(at), turn * glam(v))
    };
    let (momentum, _) = episode.simulation.momentum(0);
    let mean =
        push(episode.simulation.centre_of_mass(0), momentum * (1.0 / episode.flesh.physique.mass));
    // All of it is felt alike but for what turning adds here and there.
    let gravity = episode.flesh.physique.physics.gravity;
    let _ = episode.simulation.set_gravity(gravity + own(mean));
    if carriage.now().spin == 0.0 && carriage.now().spin_rate == 0.0 {
        return;
    }
    for link in 0..episode.simulation.model().links().len() {
        let (mass, centre) = {
            let link = &episode.simulation.model().links()[link];
            (link.mass, link.centre)
        };
        let kin = episode.simulation.kinematics();
        let at = kin.point(episode.simulation.model(), link, centre);
        let v = kin.velocity_at(episode.simulation.model(), link, at);
        let force = (push(at, v) - mean) * mass;
        episode.simulation.apply_force(link, own(force), at);
    }
}
