//! Settings of the physics of a scene.

use andante_body::Prop;
use andante_dynamics::{PhysicsSettings, vec3};
use andante_take::TakeCondition;
use serde::Deserialize;

andante_skeleton::settings! {
    /// Settings of the physics of a scene: gravity, what surfaces are like, and how contacts are solved. They hold for
    /// everything that forces move: bodies, things, and what rides on platforms. Motion that is played is as it was made.
    #[serde(default, deny_unknown_fields)]
    pub struct ScenePhysicsSettings: Copy, Deserialize {
        /// Gravity downwards, in m/s²: 1.62 on the moon. More falls faster; controllers are tuned for the earth's.
        gravity: f64 = PhysicsSettings::STANDARD_GRAVITY, 0.1..=100.0;
        /// Coulomb friction of bodies on the ground and on each other. 0.05 is ice; with 0 nothing holds on to the ground.
        friction: f64 = 0.8, 0.0..=5.0;
        /// Restitution of bodies: the part of an impact's speed that comes back. 0 does not bounce, 1 for ever.
        restitution: f64 = 0.0, 0.0..=1.0;
        /// Coulomb friction of things. Less slides farther.
        thing_friction: f64 = Prop::FRICTION, 0.0..=5.0;
        /// Restitution of things. More bounces higher.
        thing_restitution: f64 = Prop::RESTITUTION, 0.0..=1.0;
        /// Distance at which a contact begins to be watched, in metres. More costs time.
        margin: f64 = 0.002, 0.0..=0.1;
        /// Overlap that is left alone, in metres, so that resting contacts stay contacts. More lets feet sink in.
        slop: f64 = 0.0005, 0.0..=0.1;
        /// Part of the remaining overlap that is pushed out per step. Above 0.5 stacks may jump.
        correction: f64 = 0.2, 0.0..=1.0;
        /// Greatest speed of pushing out, in m/s.
        push_speed: f64 = 1.0, 0.0..=100.0;
        /// Slower impacts than this do not bounce, in m/s.
        bounce_speed: f64 = 0.1, 0.0..=100.0;
        /// Most sweeps of the contact solver per step. Few let contacts slide and sink, more costs time.
        sweeps: usize = 30, 1..=10000;
        /// Change of velocity at which the sweeps stop, in m/s. Less costs time.
        tolerance: f64 = 1e-5, 0.0..=0.1;
        /// Contacts that are still as far from their laws as this after the last sweep, in m/s, contradict each other, as
        /// when a limb is caught between two solids, and begin anew in each step. Much lets impulses grow that throw
        /// bodies off.
        contradiction: f64 = 0.01, 0.0..=10.0;
        /// A simulation in which anything gets faster than this is stopped, in m/s and rad/s.
        speed_limit: f64 = PhysicsSettings::SPEED_LIMIT, 500.0..=10000.0;
    }
}

impl ScenePhysicsSettings {
    /// The settings of a simulation with steps of so many seconds.
    pub fn with_step(&self, step: f64) -> PhysicsSettings {
        PhysicsSettings {
            gravity: vec3(0.0, -self.gravity, 0.0),
            friction: self.friction,
            restitution: self.restitution,
            step,
            margin: self.margin,
            slop: self.slop,
            correction: self.correction,
            push_speed: self.push_speed,
            bounce_speed: self.bounce_speed,
            sweeps: self.sweeps,
            tolerance: self.tolerance,
            contradiction: self.contradiction,
            speed_limit: self.speed_limit,
            self_collisions: Vec::new(),
        }
    }

    /// They as conditions of a take, by their names in scenes.
    pub fn conditions(&self) -> Vec<TakeCondition> {
        let Self { gravity, friction, restitution, thing_friction, thing_restitution, .. } = *self;
        let Self { margin, slop, correction, push_speed, bounce_speed, .. } = *self;
        let Self { sweeps, tolerance, contradiction, speed_limit, .. } = *self;
        let numbers = [
            (TakeCondition::GRAVITY, gravity),
            ("friction", friction),
            ("restitution", restitution),
            ("thing_friction", thing_friction),
            ("thing_restitution", thing_restitution),
            ("margin", margin),
            ("slop", slop),
            ("correction", correction),
            ("push_speed", push_speed),
            ("bounce_speed", bounce_speed),
            ("sweeps", sweeps as f64),
            ("tolerance", tolerance),
            ("contradiction", contradiction),
            ("speed_limit", speed_limit),
        ];
        numbers.map(|(name, value)| TakeCondition::new(name, value)).into()
    }

    /// A thing with the surface that things have.
    pub(crate) fn surfaced(&self, mut prop: Prop) -> Prop {
        (prop.friction, prop.restitution) = (self.thing_friction, self.thing_restitution);
        prop
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_physics_of_a_scene_is_the_usual_one_unless_told_otherwise() {
        let usual = PhysicsSettings::default();
        assert_eq!(ScenePhysicsSettings::default().with_step(usual.step), usual);
    }
}
