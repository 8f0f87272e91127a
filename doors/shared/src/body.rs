//! A body that forces move.

use crate::error::{DoorError, DoorErrorKind, within};
use andante_body::{
    Body, BodyCondition, BodyModel, Physique, Push, PushError, RecoveryController, RecoveryOptions,
    creature, read_body,
};
use andante_dynamics::{ContactTerrain, JointState, PhysicsSettings, Simulation, Vec3, vec3};
use andante_skeleton::Transform;
use glam::{DMat3, DQuat, DVec3};

/// The condition of a simulated body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Nothing drives it but its springs.
    Limp,
    /// It keeps its balance.
    Balance,
    /// It falls so that its head is spared.
    Fall,
    /// It lies.
    Lie,
    /// It gets up.
    GetUp,
    /// It is on its feet and comes upright.
    Stand,
}

/// A body in a simulation, and what keeps it on its feet.
#[derive(Clone, Debug)]
pub struct SimulatedBody {
    body: Body,
    simulation: Simulation<f64>,
    start: JointState<f64>,
    driven: Option<Driven>,
    push: Option<Push>,
    /// Seconds that are too few to be a step yet.
    owed: f64,
    placed: Vec<Transform>,
}

#[derive(Clone, Debug)]
struct Driven {
    physique: Physique,
    controller: RecoveryController,
}

impl Driven {
    fn new(physique: Physique) -> Result<Self, DoorError> {
        let controller = RecoveryController::new(&physique, RecoveryOptions::default())?;
        Ok(Self { physique, controller })
    }
}

/// Steps a second with which controllers are at ease, and those of bodies that hang in their springs.
const DRIVEN_STEP: f64 = 1.0 / 240.0;
const LIMP_STEP: f64 = 0.002;

/// The longest time that passes at once, in seconds.
const LONGEST_TIME: f32 = 1.0;

impl SimulatedBody {
    /// A built-in body on level ground. With `balances` its muscles keep it on its feet, and get it up again; without, it hangs
    /// in its springs.
    pub fn creature(name: &str, balances: bool) -> Result<Self, DoorError> {
        Self::new(creature(name)?, balances)
    }

    /// The same of a body file's text.
    pub fn read(text: &str, balances: bool) -> Result<Self, DoorError> {
        Self::new(read_body(text)?, balances)
    }

    fn new(body: Body, balances: bool) -> Result<Self, DoorError> {
        let step = if balances { DRIVEN_STEP } else { LIMP_STEP };
        let settings = PhysicsSettings { step, ..PhysicsSettings::default() };
        let pose = &body.poses()[0];
        let terrain = ContactTerrain::level();
        let (mut simulation, start, driven) = if balances {
            let driven = Driven::new(Physique::new(&body, pose, &settings)?)?;
            let start = driven.physique.stand_on(&terrain, [0.0; 2], 0.0);
            let model = driven.physique.model.clone();
            (Simulation::new(model, terrain, settings)?, start, Some(driven))
        } else {
            let model = std::sync::Arc::new(BodyModel::new(&body, pose, &settings)?.model);
            let start = JointState::rest(&model);
            (Simulation::new(model, terrain, settings)?, start, None)
        };
        simulation.set_state(&start)?;
        let mut own =
            Self { body, simulation, start, driven, push: None, owed: 0.0, placed: Vec::new() };
        own.place();
        Ok(own)
    }

    /// Puts it back to where it began, as it was, higher by so many metres.
    pub fn reset(&mut self, higher: f32) -> Result<(), DoorError> {
        within("higher", higher, 0.0..=100.0, " m")?;
        let mut state = self.start.clone();
        state.q[1] += f64::from(higher);
        self.simulation.set_state(&state)?;
        if let Some(driven) = &mut self.driven {
            *driven = Driven::new(driven.physique.clone())?;
        }
        (self.push, self.owed) = (None, 0.0);
        self.place();
        Ok(())
    }

    /// Lets time pass, at most a second at once, in steps of the simulation.
    pub fn step(&mut self, dt: f32) -> Result<(), DoorError> {
        within("dt", dt, 0.0..=1e3, " s")?;
        self.owed += f64::from(dt.min(LONGEST_TIME));
        let step = self.simulation.settings().step;
        while self.owed >= step {
            self.owed -= step;
            if let Some(driven) = &mut self.driven {
                if let Some(push) = &self.push {
                    push.apply(&driven.physique, &mut self.simulation);
                }
                driven.controller.drive(&driven.physique, &mut self.simulation);
            }
            if self.simulation.step().quarantined != 0 {
                self.owed = 0.0;
                self.place();
                let why = self.simulation.quarantine(0).map(|why| format!("{why:?}"));
                let message = format!("stopped: {}", why.unwrap_or_default());
                return Err(DoorError::new(DoorErrorKind::Refused, message));
            }
        }
        self.place();
        Ok(())
    }

    /// Shoves the trunk for a tenth of a second, from now on: an impulse in N·s towards a heading.
    pub fn push(&mut self, impulse: f32, direction: f32) -> Result<(), DoorError> {
        let mut push = Push::new(f64::from(impulse), f64::from(direction));
        push.at = self.simulation.time();
        if !(0.0..=1e4).contains(&push.impulse) {
            return Err(PushError::Impulse(push.impulse).into());
        }
        if !push.direction.is_finite() {
            return Err(PushError::Number.into());
        }
        if self.driven.is_some() {
            self.push = Some(push);
            return Ok(());
        }
        let torso = self.body.torso();
        let at = self.position(torso);
        let towards = DQuat::from_rotation_y(push.direction) * DVec3::Z * push.impulse;
        self.simulation.apply_impulse(torso, vector(towards), at);
        Ok(())
    }

    /// An impulse in N·s on a segment, at a point in the world.
    pub fn impulse(
        &mut self,
        segment: usize,
        impulse: [f32; 3],
        at: [f32; 3],
    ) -> Result<(), DoorError> {
        if segment >= self.segments() {
            let count = self.segments();
            return Err(DoorError::argument(format!(
                "there is no segment {segment}; there are {count}"
            )));
        }
        for value in impulse {
            within("impulse", value, -1e4..=1e4, " N·s")?;
        }
        for value in at {
            within("at", value, -1e4..=1e4, " m")?;
        }
        let [impulse, at] = [impulse, at].map(|v| vector(glam::Vec3::from(v).as_dvec3()));
        self.simulation.apply_impulse(segment, impulse, at);
        Ok(())
    }

    /// How it is.
    pub fn condition(&self) -> Condition {
        match self.driven.as_ref().map(|driven| driven.controller.condition()) {
            None => Condition::Limp,
            Some(BodyCondition::Balance) => Condition::Balance,
            Some(BodyCondition::Fall) => Condition::Fall,
            Some(BodyCondition::Lie) => Condition::Lie,
            Some(BodyCondition::GetUp { .. }) => Condition::GetUp,
            Some(BodyCondition::Stand) => Condition::Stand,
        }
    }

    /// What it is made of.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// Number of its segments.
    pub fn segments(&self) -> usize {
        self.body.segments().len()
    }

    /// Every segment in the world.
    pub fn placed(&self) -> &[Transform] {
        &self.placed
    }

    /// Seconds that were simulated.
    pub fn time(&self) -> f64 {
        self.simulation.time()
    }

    /// Its centre of mass.
    pub fn centre_of_mass(&self) -> [f32; 3] {
        let at = self.simulation.centre_of_mass(0);
        [at.x, at.y, at.z].map(|value| value as f32)
    }

    fn position(&self, link: usize) -> Vec3<f64> {
        self.simulation.kinematics().position(self.simulation.model(), link)
    }

    fn place(&mut self) {
        self.placed.clear();
        for link in 0..self.body.segments().len() {
            let turn = self.simulation.kinematics().rotation(link);
            let column = |axis: Vec3<f64>| {
                let v = turn * axis;
                DVec3::new(v.x, v.y, v.z)
            };
            let axes = [vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0), vec3(0.0, 0.0, 1.0)].map(column);
            let rotation = DQuat::from_mat3(&DMat3::from_cols(axes[0], axes[1], axes[2]));
            let at = self.position(link);
            let at = DVec3::new(at.x, at.y, at.z).as_vec3();
            self.placed.push(Transform::new(rotation.normalize().as_quat(), at));
        }
    }
}

fn vector(v: DVec3) -> Vec3<f64> {
    vec3(v.x, v.y, v.z)
}
