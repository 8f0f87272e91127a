//! Things that lie about or fly, while nobody is near them.

use super::footing::MovingGround;
use crate::{StageSettings, ThingSettings};
use andante_body::{Prop, state_with_props, with_props};
use andante_dynamics::{JointState, Simulation, vec3};
use andante_skeleton::Transform;
use glam::{DQuat, DVec3, Vec3};
use std::sync::Arc;

/// Slows the spin of a prop, whose link is given, in the next step.
pub(super) fn slow_roll(simulation: &mut Simulation<f64>, link: usize, settings: &ThingSettings) {
    let model = simulation.model();
    let (inertia, v) = (model.links()[link].inertia, model.freedom_range(link));
    let v = &simulation.state().v[v];
    let least = inertia.xx.min(inertia.yy).min(inertia.zz);
    simulation.apply_torque(link, vec3(v[0], v[1], v[2]) * (-settings.rolls_out * least));
}

/// A prop on a stage.
#[derive(Clone, Debug)]
pub(crate) struct StageProp {
    pub prop: Prop,
    /// Whom it was thrown at.
    pub target: Option<usize>,
    /// In whose simulation it is.
    pub owner: Option<usize>,
    /// Whether it has touched anybody.
    pub struck: bool,
    /// Seconds since it was thrown.
    pub age: f64,
}

impl StageProp {
    /// The placement of the thing.
    pub fn transform(&self) -> Transform {
        let (at, t) = (self.prop.place, self.prop.turned);
        let turned = DQuat::from_xyzw(t.x, t.y, t.z, t.w).as_quat();
        Transform::new(turned.normalize(), DVec3::new(at.x, at.y, at.z).as_vec3())
    }

    pub fn place(&self) -> Vec3 {
        self.transform().translation
    }

    pub fn velocity(&self) -> Vec3 {
        let v = self.prop.velocity;
        DVec3::new(v.x, v.y, v.z).as_vec3()
    }

    /// True if it may still hit somebody.
    pub fn is_flying(&self, settings: &ThingSettings) -> bool {
        !self.struck
            && self.age < settings.patience
            && self.prop.velocity.length() > settings.rests
            && self.prop.place.y > settings.deep
    }
}

/// What nobody has near: its simulation, the numbers of the things in it, and the ground.
#[derive(Clone, Debug)]
struct Free {
    simulation: Simulation<f64>,
    own: Vec<usize>,
    below: MovingGround,
    /// When the simulation began.
    began: f64,
}

/// Everything that was thrown, and a simulation of what nobody has near.
#[derive(Clone, Debug, Default)]
pub(crate) struct Things {
    pub all: Vec<StageProp>,
    free: Option<Free>,
    left: f64,
}

impl Things {
    /// Something has come or gone: the simulation of the rest is made anew.
    pub fn changed(&mut self) {
        self.free = None;
    }

    /// Lets what is free move until a time.
    pub fn advance(
        &mut self,
        dt: f32,
        time: f64,
        settings: &StageSettings,
        ground: impl Fn() -> MovingGround,
    ) {
        let step = settings.physical.step;
        for thing in &mut self.all {
            thing.age += f64::from(dt);
        }
        let own: Vec<usize> = (0..self.all.len())
            .filter(|&index| {
                let thing = &self.all[index];
                thing.owner.is_none() && thing.prop.place.y > settings.things.deep
            })
            .collect();
        if own.is_empty() {
            self.free = None;
            return;
        }
        if self.free.as_ref().is_none_or(|free| free.own != own) {
            let props: Vec<Prop> = own.iter().map(|&index| self.all[index].prop.clone()).collect();
            let options = settings.physics.with_step(step);
            // Props are checked when they come, so this is a simulation.
            let (below, began) = (ground(), time - f64::from(dt) - self.left);
            let first = below.at(began);
            self.free = with_props(None, &props)
                .ok()
                .and_then(|model| Simulation::new(Arc::new(model), first, options).ok())
                .and_then(|mut simulation| {
                    let nobody = JointState { q: Vec::new(), v: Vec::new() };
                    simulation.set_state(&state_with_props(&nobody, &props)).ok()?;
                    Some(Free { simulation, own, below, began })
                });
        }
        self.left += f64::from(dt);
        let Some(Free { simulation, own, below, began }) = &mut self.free else { return };
        while self.left > step - 1e-6 {
            self.left -= step;
            for link in 0..own.len() {
                slow_roll(simulation, link, &settings.things);
            }
            if let Some(terrain) = below.moved(*began + simulation.time()) {
                // It is ground of the same kind.
                let _ = simulation.move_terrain(terrain);
            }
            simulation.step();
        }
        for (link, &index) in own.iter().enumerate() {
            self.all[index].prop.read(simulation, link);
        }
    }
}
