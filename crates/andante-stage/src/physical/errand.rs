//! Ways that somebody goes by its own torques.

use super::condition::PhysicalCondition;
use super::episode::{Driver, PhysicsEpisode, survivor};
use super::footing::MovingGround;
use super::framing::seen_from_point;
use super::gait::Cycles;
use super::ride;
use andante_body::{WalkController, WalkOptions};
use andante_dynamics::vec3;
use andante_skeleton::{Planar, rotation};
use glam::Vec2;

impl PhysicsEpisode {
    /// Sets off to a place in the world by its own torques, if it stands, faces it more or less, it is far enough and it has
    /// not been tried too often. `ground` makes the ground for a frame.
    pub fn set_off(
        &mut self,
        cycles: &mut Cycles,
        place: Vec2,
        speed: f32,
        ground: impl Fn(Planar) -> MovingGround,
    ) -> bool {
        let settings = self.flesh.settings.torque_walk;
        let tries =
            self.errand.filter(|(before, _)| *before == place).map_or(0, |(_, tries)| tries);
        if self.condition() != PhysicalCondition::Stands || tries >= settings.tries {
            return false;
        }
        let physique = &self.flesh.physique;
        let to = seen_from_point(self.frame, place);
        let goal = vec3(f64::from(to.x), 0.0, f64::from(to.y));
        let kin = self.simulation.kinematics();
        let ahead = kin.rotation(physique.torso).z;
        let facing = libm::atan2(ahead.x, ahead.z);
        let way = goal - kin.position(&physique.model, physique.torso);
        let off = rotation::wrap_angle((libm::atan2(way.x, way.z) - facing) as f32);
        if libm::hypot(way.x, way.z) < settings.short || off.abs() > settings.askew {
            return false;
        }
        let Some(ladder) = cycles.ladder(&self.flesh, speed) else { return false };
        let below = ground(self.frame);
        let Ok(simulation) = self.simulation.with_terrain(below.at(ride::clock(self))) else {
            return false;
        };
        self.simulation = simulation;
        self.below = below;
        let options = WalkOptions { turn: settings.turn, ..WalkOptions::default() };
        let walker =
            WalkController::set_off(physique, &self.simulation, &ladder, facing, goal, options);
        self.driver = Driver::Walk(Box::new(walker));
        self.unsafe_at = self.simulation.time();
        self.errand = Some((place, tries + 1));
        true
    }

    /// True if it walks on as it was led before something touched it.
    pub fn walks_on(&self) -> bool {
        matches!(self.driver, Driver::Walk(_)) && self.errand.is_none()
    }

    /// Leads who walks on as before to a place ahead on its way, until that `ends`.
    pub fn lead_on(&mut self, to: Vec2, ends: bool) {
        self.ends = ends;
        if let Driver::Walk(walker) = &mut self.driver {
            let to = seen_from_point(self.frame, to);
            walker.set_goal(vec3(f64::from(to.x), 0.0, f64::from(to.y)));
        }
    }

    /// The place in the world that it walks to by itself.
    pub fn goes_to(&self) -> Option<Vec2> {
        let walks = matches!(self.driver, Driver::Walk(_));
        self.errand.filter(|_| walks).map(|(place, _)| place)
    }

    /// True if it set off to a place by itself.
    pub fn went_to(&self, place: Vec2) -> bool {
        self.errand.is_some_and(|(errand, _)| errand == place)
    }

    /// Is where it set off to.
    pub fn arrive(&mut self) {
        self.errand = None;
    }

    /// Comes to a stand before it is where it set off to, and leaves the rest of its way to motion.
    pub fn stop(&mut self) {
        if let Some((_, tries)) = &mut self.errand {
            *tries = usize::MAX;
        }
        if let Driver::Walk(walker) = &mut self.driver {
            walker.stop();
        }
    }

    /// Stops walking and stands.
    pub(super) fn halt(&mut self) {
        let Driver::Walk(walker) = &self.driver else { return };
        let Ok(mut own) = survivor(&self.flesh) else { return };
        if self.errand.is_some() {
            own.balancer_mut().halt(walker.heading(), walker.lead(), self.simulation.time());
        }
        self.driver = Driver::Stand(Box::new(own));
    }
}
