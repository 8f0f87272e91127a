//! Things that bodies meet: thrown, lying about, bumped into.
//!
//! A prop is a tree of its own in the model of a simulation, behind the links of a body: the body's own numbers stay where
//! they are, so that what balances it does not know about props, only feels them.

use andante_dynamics::{
    CollisionForm, CollisionShape, ContactTerrain, JointState, LinkJoint, Model, ModelError,
    ModelLink, PhysicsSettings, Quat, Simulation, Vec3, vec3,
};

/// The form of a prop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PropForm {
    /// A ball.
    Ball {
        /// Its radius, m.
        radius: f64,
    },
    /// A cube.
    Cube {
        /// The length of its sides, m.
        side: f64,
    },
}

impl PropForm {
    /// The radius of the ball that holds all of it, m.
    pub fn reach(&self) -> f64 {
        match *self {
            PropForm::Ball { radius } => radius,
            PropForm::Cube { side } => 0.5 * side * 3f64.sqrt(),
        }
    }

    fn size(&self) -> f64 {
        match *self {
            PropForm::Ball { radius } => radius,
            PropForm::Cube { side } => side,
        }
    }
}

/// A thing that moves by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Prop {
    /// What it is called.
    pub name: String,
    /// What it looks like.
    pub form: PropForm,
    /// kg.
    pub mass: f64,
    /// Coulomb friction of its surface; usually 0.3 to 1.2. With 0 it slides for ever.
    pub friction: f64,
    /// Restitution of its surface, 0 to 1: the part of an impact's speed that comes back.
    pub restitution: f64,
    /// Where its middle is.
    pub place: Vec3<f64>,
    /// How it is turned.
    pub turned: Quat<f64>,
    /// How fast it goes, m/s.
    pub velocity: Vec3<f64>,
    /// How fast it spins, rad/s.
    pub spin: Vec3<f64>,
}

/// An error in the description of a prop.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PropError {
    /// A mass that nothing has.
    #[error("{0}: a mass of {1} kg is out of range: 0.001 to 10000")]
    Mass(String, f64),
    /// A size that nothing has.
    #[error("{0}: a size of {1} m is out of range: 0.005 to 20")]
    Size(String, f64),
    /// It is nowhere, or faster than anything.
    #[error("{0}: places must be finite and speeds below 500 m/s")]
    Number(String),
    /// It would begin inside of something.
    #[error("{0} is inside of what stands or lies there, by {1:.3} m")]
    Inside(String, f64),
    /// It is no part of a simulation.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// How deep a prop may begin in the ground, m.
const DEEP: f64 = 0.01;

impl Prop {
    /// The usual friction, of wood or leather.
    pub const FRICTION: f64 = 0.6;
    /// The usual restitution, of something that hardly bounces.
    pub const RESTITUTION: f64 = 0.2;

    /// A prop that rests in the air.
    pub fn new(name: impl Into<String>, form: PropForm, mass: f64, place: Vec3<f64>) -> Self {
        let none = Vec3::default();
        let turned = Quat::identity();
        Prop {
            name: name.into(),
            form,
            mass,
            friction: Self::FRICTION,
            restitution: Self::RESTITUTION,
            place,
            turned,
            velocity: none,
            spin: none,
        }
    }

    /// The prop, thrown.
    pub fn thrown(mut self, velocity: Vec3<f64>) -> Self {
        self.velocity = velocity;
        self
    }

    /// Refuses what is no prop, or would begin inside of something.
    pub fn check(&self, terrain: &ContactTerrain) -> Result<(), PropError> {
        let name = || self.name.clone();
        if !(1e-3..=1e4).contains(&self.mass) {
            return Err(PropError::Mass(name(), self.mass));
        }
        let size = self.form.size();
        if !(5e-3..=20.0).contains(&size) {
            return Err(PropError::Size(name(), size));
        }
        let finite = self.place.is_finite() && self.velocity.is_finite() && self.spin.is_finite();
        let t = self.turned;
        let quat = t.x * t.x + t.y * t.y + t.z * t.z + t.w * t.w;
        let fastest = PhysicsSettings::SPEED_LIMIT;
        let slow = self.velocity.length() < fastest && self.spin.length() < fastest;
        if !(finite && slow && (quat - 1.0).abs() < 1e-6) {
            return Err(PropError::Number(name()));
        }
        let reach = match self.form {
            PropForm::Ball { radius } => radius,
            PropForm::Cube { side } => 0.5 * side,
        };
        match terrain.at(self.place, reach) {
            Some(at) if at.distance < reach - DEEP => {
                Err(PropError::Inside(name(), reach - at.distance))
            }
            _ => Ok(()),
        }
    }

    fn link(&self) -> ModelLink {
        let solid = match self.form {
            PropForm::Ball { radius } => {
                let i = 0.4 * self.mass * radius * radius;
                ModelLink::new(&self.name, None, LinkJoint::Floating, self.mass, vec3(i, i, i))
            }
            PropForm::Cube { side } => ModelLink::solid_box(
                &self.name,
                None,
                LinkJoint::Floating,
                self.mass,
                vec3(side, side, side),
            ),
        };
        solid.at(self.place).turned(self.turned)
    }

    fn shape(&self, link: usize) -> CollisionShape {
        let form = match self.form {
            PropForm::Ball { radius } => CollisionForm::Sphere { radius },
            PropForm::Cube { side } => CollisionForm::Box { half: vec3(side, side, side) * 0.5 },
        };
        CollisionShape::new(link, form).surface(self.friction, self.restitution)
    }

    /// Takes over where the prop of a simulation is, whose link is given.
    pub fn read(&mut self, simulation: &Simulation<f64>, link: usize) {
        let model = simulation.model();
        let (q, v) = (model.coordinate_range(link), model.freedom_range(link));
        let (q, v) = (&simulation.state().q[q], &simulation.state().v[v]);
        self.place = vec3(q[0], q[1], q[2]);
        self.turned = Quat::read(&q[3..7]).normalized();
        self.spin = vec3(v[0], v[1], v[2]);
        self.velocity = vec3(v[3], v[4], v[5]);
    }
}

/// The model of a body and what it meets: the links of the body, then one for each prop, in order.
pub fn with_props(body: Option<&Model>, props: &[Prop]) -> Result<Model, ModelError> {
    let mut links = body.map_or(Vec::new(), |body| body.links().to_vec());
    let mut shapes = body.map_or(Vec::new(), |body| body.shapes().to_vec());
    for prop in props {
        shapes.push(prop.shape(links.len()));
        links.push(prop.link());
    }
    let mut model = Model::new(links, shapes)?;
    if let Some(body) = body {
        let mut rest = model.rest().to_vec();
        rest[..body.coordinates()].copy_from_slice(body.rest());
        model.set_rest(&rest)?;
    }
    Ok(model)
}

/// The state of a body and of what it meets, for a model that [`with_props`] made.
pub fn state_with_props(body: &JointState<f64>, props: &[Prop]) -> JointState<f64> {
    let mut state = body.clone();
    for prop in props {
        let t = prop.turned;
        state.q.extend([prop.place.x, prop.place.y, prop.place.z, t.x, t.y, t.z, t.w]);
        for v in [prop.spin, prop.velocity] {
            state.v.extend(v.to_array());
        }
    }
    state
}

/// The velocity with which something thrown from one place comes to another at about a speed, under gravity along -y: the
/// flatter of the two ways there. `None` if it is too slow to get there.
pub fn aim(from: Vec3<f64>, to: Vec3<f64>, speed: f64, gravity: f64) -> Option<Vec3<f64>> {
    let way = to - from;
    let far = libm::hypot(way.x, way.z);
    let (square, drop) = (speed * speed, way.y);
    if far < 1e-6 {
        return None;
    }
    // tan of the angle: far² g / (2 v²) (1 + tan²) - far tan + drop = 0.
    let a = gravity * far * far / (2.0 * square);
    let root = far * far - 4.0 * a * (a + drop);
    if !(root >= 0.0 && a.is_finite()) {
        return None;
    }
    let tan = if a > 1e-12 { (far - root.sqrt()) / (2.0 * a) } else { drop / far };
    let along = speed / (1.0 + tan * tan).sqrt();
    Some(vec3(way.x / far * along, along * tan, way.z / far * along))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ball(mass: f64, place: Vec3<f64>) -> Prop {
        Prop::new("ball", PropForm::Ball { radius: 0.1 }, mass, place)
    }

    #[test]
    fn what_is_no_prop_is_refused_by_name() {
        let up = vec3(0.0, 1.0, 0.0);
        let refuse = |prop: Prop| prop.check(&ContactTerrain::level()).unwrap_err().to_string();
        for mass in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e9] {
            assert!(refuse(ball(mass, up)).starts_with("ball: a mass of"), "{mass}");
        }
        for side in [0.0, f64::NAN, f64::INFINITY, -2.0] {
            let cube = Prop::new("crate", PropForm::Cube { side }, 1.0, up);
            assert!(refuse(cube).starts_with("crate: a size of"), "{side}");
        }
        assert!(refuse(ball(1.0, vec3(0.0, f64::NAN, 0.0))).contains("finite"));
        assert!(refuse(ball(1.0, up).thrown(vec3(1e9, 0.0, 0.0))).contains("500 m/s"));
        assert!(refuse(ball(1.0, vec3(0.0, -0.5, 0.0))).starts_with("ball is inside"));
        assert!(ball(1.0, up).check(&ContactTerrain::level()).is_ok());
        assert!(ball(1.0, vec3(0.0, 0.1, 0.0)).check(&ContactTerrain::level()).is_ok());
    }

    proptest! {
        #[test]
        fn what_is_aimed_comes_there(
            x in -8.0f64..8.0, y in -1.0f64..2.0, z in -8.0f64..8.0, speed in 0.5f64..40.0,
        ) {
            let (from, to) = (vec3(0.3, 1.2, -0.2), vec3(0.3 + x, 1.2 + y, -0.2 + z));
            if let Some(v) = aim(from, to, speed, 9.80665) {
                prop_assert!((v.length() - speed).abs() < 1e-6 * speed);
                let time = x.hypot(z) / v.x.hypot(v.z);
                let end = from + v * time - vec3(0.0, 0.5 * 9.80665 * time * time, 0.0);
                prop_assert!((end - to).length() < 1e-6, "{end:?} {to:?}");
            }
        }
    }
}
