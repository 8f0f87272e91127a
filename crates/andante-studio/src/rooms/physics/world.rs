//! A body that keeps its balance, and what it meets.

use super::following::{ClipFollowing, ClipToFollow};
use andante_body::{
    BalanceOptions, Body, BodyCondition, BodySense, Equilibrium, Physique, Prop, PropForm, Push,
    RecoveryController, RecoveryOptions, RigidPartsMesh, state_with_props, with_props,
};
use andante_dynamics::{ContactTerrain, JointState, PhysicsSettings, Simulation, vec3};
use andante_skeleton::{SkinnedMesh, Transform};
use glam::{Mat3, Quat, Vec2, Vec3};
use std::sync::Arc;

/// Seconds that a step of the simulation takes.
const STEP: f64 = 1.0 / 240.0;
/// So many seconds of curves are kept.
const MEMORY: f64 = 12.0;
/// So many things lie about at most; then the oldest goes.
const MOST_THINGS: usize = 12;

/// A sample of the body's balance at a moment.
#[derive(Clone, Copy, Debug)]
pub struct BalanceSample {
    /// Seconds.
    pub time: f64,
    /// How far the centre of mass is within the support, in metres; negative outside.
    pub centre: f32,
    /// The same for the capture point.
    pub capture: f32,
    /// Weight on each sole, N.
    pub load: [f32; 2],
    /// Height of the centre of mass, in metres.
    pub height: f32,
    /// How well segments hold each other over the feet: below about a half balance is lost.
    pub equilibrium: f32,
}

/// The trouble that is made: by the ground, and by an invisible hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundTrouble {
    /// How far the ground leans, in degrees.
    pub tilt: f32,
    /// Towards where it goes down, in degrees from +Z towards +X.
    pub towards: f32,
    /// How far it is shaken, in metres to each side.
    pub shake: f32,
    /// How often, in Hz.
    pub rate: f32,
    /// How much of the balance an invisible hand keeps, from 0 to 1.
    pub assist: f32,
}

impl Default for GroundTrouble {
    fn default() -> Self {
        Self { tilt: 0.0, towards: 0.0, shake: 0.0, rate: 1.5, assist: 0.0 }
    }
}

/// A physical human on level ground, and things.
pub struct PushWorld {
    physique: Physique,
    /// What it looks like, and which segment each of its joints is.
    skin: Arc<SkinnedMesh>,
    segments: Vec<usize>,
    simulation: Simulation<f64>,
    recovery: RecoveryController,
    props: Vec<Prop>,
    pushes: Vec<Push>,
    /// Where the chest is pulled to, and how strongly, in N/m.
    pub pull: Option<(Vec3, f32)>,
    /// What was felt lately.
    pub samples: Vec<BalanceSample>,
    thrown: usize,
    equilibrium: Equilibrium,
    /// What is done to the ground.
    pub trouble: GroundTrouble,
    /// How far the ground leans now, along x and z, in radians: it goes there bit by bit.
    lean: Vec2,
    assisted: f32,
    /// The clip that it follows, as long as it does.
    following: Option<ClipFollowing>,
    /// Whether numbers went out of bounds.
    pub broken: bool,
}

impl PushWorld {
    /// A world in which a body stands. Only bodies with two legs and two arms can.
    pub fn new(body: &Body) -> Result<Self, String> {
        let settings = PhysicsSettings { step: STEP, ..PhysicsSettings::default() };
        let physique =
            Physique::new(body, &body.poses()[0], &settings).map_err(|error| error.to_string())?;
        let RigidPartsMesh { skin, segments, .. } =
            RigidPartsMesh::new(body).map_err(|error| error.to_string())?;
        let simulation = Simulation::new(physique.model.clone(), ContactTerrain::level(), settings);
        let recovery = RecoveryController::new(&physique, RecoveryOptions::default());
        let equilibrium = Equilibrium::new(body, &physique, 0.002);
        Ok(Self {
            equilibrium,
            trouble: GroundTrouble::default(),
            lean: Vec2::ZERO,
            assisted: 0.0,
            simulation: simulation.map_err(|error| error.to_string())?,
            recovery: recovery.map_err(|error| error.to_string())?,
            physique,
            skin: Arc::new(skin),
            segments,
            props: Vec::new(),
            pushes: Vec::new(),
            pull: None,
            samples: Vec::new(),
            thrown: 0,
            following: None,
            broken: false,
        })
    }

    /// A world in which a body follows a clip, from the beginning of that.
    pub fn follow(clip: Arc<ClipToFollow>, assist: f32) -> Result<Self, String> {
        let mut world = Self::new(&clip.fit.body)?;
        let first = clip.first(&world.physique);
        world.simulation.set_state(&first).map_err(|error| error.to_string())?;
        world.following = Some(ClipFollowing::new(clip, &world.physique, assist));
        Ok(world)
    }

    /// The clip that it follows, as long as it does.
    pub fn following(&self) -> Option<&ClipFollowing> {
        self.following.as_ref()
    }

    /// What the body feels.
    fn senses(&self) -> &BodySense {
        match &self.following {
            Some(following) => &following.senses,
            None => self.recovery.senses(),
        }
    }

    /// Seconds since it was put down.
    pub fn time(&self) -> f64 {
        self.simulation.time()
    }

    /// The condition of the body.
    pub fn condition(&self) -> BodyCondition {
        self.recovery.condition()
    }

    /// The number of falls so far.
    pub fn falls(&self) -> usize {
        self.recovery.falls()
    }

    /// The body as it is drawn.
    pub fn skin(&self) -> &Arc<SkinnedMesh> {
        &self.skin
    }

    /// Things that lie about: what they are and where.
    pub fn things(&self) -> impl Iterator<Item = (PropForm, Transform)> {
        self.props.iter().map(|prop| {
            let (at, t) = (prop.place, prop.turned);
            let turn = Quat::from_xyzw(t.x as f32, t.y as f32, t.z as f32, t.w as f32).normalize();
            (prop.form, Transform::new(turn, point(at)))
        })
    }

    /// Every joint of the skin in the world.
    pub fn models(&self) -> Vec<Transform> {
        let (kin, model) = (self.simulation.kinematics(), self.simulation.model());
        let place = |segment: &usize| {
            let turn = kin.rotation(*segment);
            let column = |unit: [f64; 3]| point(turn * vec3(unit[0], unit[1], unit[2]));
            let columns =
                [column([1.0, 0.0, 0.0]), column([0.0, 1.0, 0.0]), column([0.0, 0.0, 1.0])];
            let turn = Mat3::from_cols(columns[0], columns[1], columns[2]);
            Transform::new(Quat::from_mat3(&turn).normalize(), point(kin.position(model, *segment)))
        };
        self.segments.iter().map(place).collect()
    }

    /// The place of the chest.
    pub fn chest(&self) -> Vec3 {
        let kin = self.simulation.kinematics();
        point(kin.point(&self.physique.model, self.physique.torso, self.physique.chest))
    }

    /// The centre of mass, the capture point and the corners of the support, on the ground.
    pub fn balance(&self) -> (Vec3, Vec2, Vec<Vec2>) {
        let sense = self.senses();
        let flat = |[x, z]: [f64; 2]| Vec2::new(x as f32, z as f32);
        let support = sense.support.corners().iter().map(|corner| flat(*corner)).collect();
        (point(sense.centre), flat(sense.capture_point()), support)
    }

    /// The centre of pressure, if the ground carries anything.
    pub fn pressure(&self) -> Option<Vec2> {
        self.senses().pressure.map(|[x, z]| Vec2::new(x as f32, z as f32))
    }

    /// Pushes the chest, for a tenth of a second, by so many N·s along the ground.
    pub fn push(&mut self, impulse: Vec2) {
        let direction = libm::atan2(f64::from(impulse.x), f64::from(impulse.y));
        let strength = f64::from(impulse.length()).min(400.0);
        self.pushes.push(Push { impulse: strength, direction, at: self.time(), duration: 0.1 });
    }

    /// Lets it fall.
    pub fn let_fall(&mut self) {
        self.following = None;
        self.recovery.fall(&self.physique, &self.simulation);
    }

    /// Puts a thing into the world.
    pub fn throw(
        &mut self,
        form: PropForm,
        mass: f64,
        from: Vec3,
        velocity: Vec3,
    ) -> Result<(), String> {
        self.thrown += 1;
        let at = vec3(f64::from(from.x), f64::from(from.y), f64::from(from.z));
        let way = vec3(f64::from(velocity.x), f64::from(velocity.y), f64::from(velocity.z));
        let prop = Prop::new(format!("thing {}", self.thrown), form, mass, at).thrown(way);
        prop.check(self.simulation.terrain()).map_err(|error| error.to_string())?;
        self.props.push(prop);
        if self.props.len() > MOST_THINGS {
            self.props.remove(0);
        }
        let state = self.simulation.state();
        let own = &self.physique.model;
        let body = JointState {
            q: state.q[..own.coordinates()].to_vec(),
            v: state.v[..own.freedoms()].to_vec(),
        };
        let model = with_props(Some(own), &self.props).map_err(|error| error.to_string())?;
        let state = state_with_props(&body, &self.props);
        let made = self.simulation.with_model(Arc::new(model), &state);
        self.simulation = made.map_err(|error| error.to_string())?;
        Ok(())
    }

    /// Lets time pass.
    pub fn advance(&mut self, seconds: f32) {
        let steps = (f64::from(seconds.clamp(0.0, 0.1)) / STEP).round() as usize;
        for _ in 0..steps {
            self.step();
        }
    }

    /// The way up from the ground.
    pub fn ground_normal(&self) -> Vec3 {
        let [x, z] = self.lean.to_array().map(libm::tanf);
        Vec3::new(x, 1.0, z).normalize()
    }

    /// The displacement of the ground as it is shaken.
    pub fn shaken(&self) -> f32 {
        let angle = std::f64::consts::TAU * f64::from(self.trouble.rate) * self.time();
        self.trouble.shake * libm::sin(angle) as f32
    }

    /// The body, as it was put down.
    pub fn physique(&self) -> &Physique {
        &self.physique
    }

    /// The ground does what it is told, and so does the invisible hand.
    fn disturb(&mut self) -> Result<(), String> {
        let trouble = self.trouble;
        let (sin, cos) = libm::sincosf(trouble.towards.to_radians());
        let wanted = trouble.tilt.to_radians() * Vec2::new(sin, cos);
        if wanted != self.lean {
            // Five degrees a second: faster is a blow.
            let most = 5.0f32.to_radians() * STEP as f32;
            self.lean += (wanted - self.lean).clamp_length_max(most);
            let normal = self.ground_normal();
            let normal = vec3(f64::from(normal.x), f64::from(normal.y), f64::from(normal.z));
            let plane = ContactTerrain::plane(normal, 0.0).map_err(|error| error.to_string())?;
            self.simulation.move_terrain(plane).map_err(|error| error.to_string())?;
        }
        // On ground that is shaken everything feels the opposite of how that is accelerated.
        let rate = std::f64::consts::TAU * f64::from(trouble.rate);
        let pull = rate * rate * f64::from(self.shaken());
        let gravity = PhysicsSettings::default().gravity;
        let felt = vec3(gravity.x + pull, gravity.y, gravity.z);
        self.simulation.set_gravity(felt).map_err(|error| error.to_string())?;
        if trouble.assist != self.assisted && self.condition() == BodyCondition::Balance {
            let usual = RecoveryOptions::default();
            let balance = BalanceOptions { assist: f64::from(trouble.assist), ..usual.balance };
            let options = RecoveryOptions { balance, ..usual };
            let made = RecoveryController::new(&self.physique, options);
            self.recovery = made.map_err(|error| error.to_string())?;
            self.assisted = trouble.assist;
        }
        Ok(())
    }

    /// Sets what joints do in the next step. Who cannot follow any more lets go, falls and gets up.
    fn drive(&mut self) {
        if let Some(following) = &mut self.following
            && !following.drive(&self.physique, &mut self.simulation, self.trouble.assist)
        {
            self.let_fall();
        }
        if self.following.is_none() {
            self.recovery.drive(&self.physique, &mut self.simulation);
        }
    }

    fn step(&mut self) {
        if self.broken || self.disturb().is_err() {
            self.broken = true;
            return;
        }
        self.drive();
        let time = self.time();
        self.pushes.retain(|push| push.at + push.duration > time - STEP);
        for push in &self.pushes {
            push.apply(&self.physique, &mut self.simulation);
        }
        if let Some((to, stiffness)) = self.pull {
            let chest = self.chest();
            let force = (stiffness * (to - chest)).clamp_length_max(600.0);
            let [force, at] =
                [force, chest].map(|v| vec3(f64::from(v.x), f64::from(v.y), f64::from(v.z)));
            self.simulation.apply_force(self.physique.torso, force, at);
        }
        self.broken = self.simulation.step().quarantined > 0;
        let first = self.physique.model.links().len();
        for (index, prop) in self.props.iter_mut().enumerate() {
            prop.read(&self.simulation, first + index);
        }
        if self.simulation.steps().is_multiple_of(4) {
            self.feel();
        }
    }

    fn feel(&mut self) {
        let time = self.time();
        let sense = match &self.following {
            Some(following) => &following.senses,
            None => self.recovery.senses(),
        };
        let depth = |at: [f64; 2]| match sense.support.corners().len() {
            0..=2 => 0.0,
            _ => sense.support.depth(at) as f32,
        };
        let sample = BalanceSample {
            time,
            centre: depth([sense.centre.x, sense.centre.z]),
            capture: depth(sense.capture_point()),
            load: sense.load.map(|load| load as f32),
            height: sense.height as f32,
            equilibrium: self.equilibrium.feel(&self.physique, &self.simulation, sense) as f32,
        };
        self.samples.push(sample);
        self.samples.retain(|sample| sample.time > time - MEMORY);
    }
}

fn point(at: andante_dynamics::Vec3<f64>) -> Vec3 {
    Vec3::new(at.x as f32, at.y as f32, at.z as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world() -> PushWorld {
        PushWorld::new(&andante_body::creature("humanoid").unwrap()).unwrap()
    }

    #[test]
    fn a_light_push_is_withstood_and_a_strong_one_is_not() {
        let mut light = world();
        light.advance(0.1);
        light.push(Vec2::new(0.0, 12.0));
        let mut strong = world();
        strong.push(Vec2::new(90.0, 0.0));
        for _ in 0..30 {
            light.advance(0.1);
            strong.advance(0.1);
        }
        assert_eq!((light.falls(), light.condition()), (0, BodyCondition::Balance));
        assert!(strong.falls() > 0);
        assert!(!light.broken && !strong.broken);
    }

    #[test]
    fn somebody_who_stands_has_centre_of_mass_and_capture_point_over_the_feet() {
        let mut world = world();
        for _ in 0..20 {
            world.advance(0.1);
        }
        let last = world.samples.last().unwrap();
        assert!(last.centre > 0.0 && last.capture > 0.0, "{last:?}");
        let weight = last.load[0] + last.load[1];
        let mass = andante_body::creature("humanoid").unwrap().total_mass() as f32;
        assert!((weight / (mass * 9.81) - 1.0).abs() < 0.05, "{weight}");
    }

    #[test]
    fn a_cube_that_is_dropped_falls_and_stays() {
        let mut world = world();
        world
            .throw(PropForm::Cube { side: 0.3 }, 4.0, Vec3::new(1.0, 2.0, 0.0), Vec3::ZERO)
            .unwrap();
        for _ in 0..25 {
            world.advance(0.1);
        }
        let (_, place) = world.things().next().unwrap();
        assert!((place.translation.y - 0.15).abs() < 0.02, "{place:?}");
        assert_eq!(world.condition(), BodyCondition::Balance);
    }

    #[test]
    fn ground_that_leans_and_shakes_a_little_is_withstood_and_soles_stay_on_it() {
        let mut world = world();
        world.trouble = GroundTrouble { tilt: 5.0, shake: 0.01, ..GroundTrouble::default() };
        for _ in 0..80 {
            world.advance(0.1);
        }
        assert!(!world.broken);
        assert_eq!(world.falls(), 0);
        let normal = world.ground_normal();
        assert!((normal.angle_between(Vec3::Y).to_degrees() - 5.0).abs() < 0.1 && normal.z > 0.05);
        for foot in 0..2 {
            let sole = point(world.physique.sole_at(world.simulation.kinematics(), foot));
            assert!(sole.dot(normal).abs() < 0.03, "{sole}");
        }
    }

    #[test]
    fn equilibrium_is_felt_and_lost_in_a_fall() {
        let mut world = world();
        for _ in 0..10 {
            world.advance(0.1);
        }
        let stands = world.samples.last().unwrap().equilibrium;
        world.push(Vec2::new(0.0, 120.0));
        for _ in 0..15 {
            world.advance(0.1);
        }
        let falls = world.samples.last().unwrap().equilibrium;
        assert!(stands.is_finite() && falls.is_finite() && falls < stands, "{stands} {falls}");
    }

    #[test]
    fn the_puppet_is_where_the_simulation_is() {
        let world = world();
        let models = world.models();
        let body = andante_body::creature("humanoid").unwrap();
        let placed = body.stand(&body.poses()[0]);
        for (joint, segment) in models.iter().zip(&world.segments) {
            let at = placed[*segment].translation.as_vec3();
            assert!(joint.translation.distance(at) < 0.05, "{} {}", joint.translation, at);
        }
    }
}
