//! What is simulated: trees of links, their joints, masses, springs and collision shapes.

use crate::math::{Mat3, Quat, Sym3, Vec3, vec3};

/// How a link hangs on its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Joint {
    /// Free in space. Only for roots. Seven coordinates (position; quaternion `x, y, z, w`) and six velocities: the
    /// angular one, then the linear one of the link's origin, both in world axes.
    Floating,
    /// A ball. Four coordinates, the quaternion from the joint's frame, and three velocities: the angular velocity
    /// relative to the parent, in the joint's frame, which is fixed to the parent.
    Ball,
    /// A hinge about a unit axis of the joint's frame. One angle, one velocity.
    Hinge(Vec3<f64>),
    /// Welded. No coordinate.
    Fixed,
}

impl Joint {
    /// Number of coordinates.
    pub fn coordinates(&self) -> usize {
        match self {
            Joint::Floating => 7,
            Joint::Ball => 4,
            Joint::Hinge(_) => 1,
            Joint::Fixed => 0,
        }
    }

    /// Number of velocities: the degrees of freedom.
    pub fn freedoms(&self) -> usize {
        match self {
            Joint::Floating => 6,
            Joint::Ball => 3,
            Joint::Hinge(_) => 1,
            Joint::Fixed => 0,
        }
    }
}

/// The passive behaviour of one axis of a joint. A hinge uses the first of the three.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// Spring towards the rest pose, N m/rad. Any size is stable: springs are integrated implicitly.
    pub stiffness: f64,
    /// Damper, N m s/rad. Any size is stable.
    pub damping: f64,
    /// Lower end of the admissible range, rad. For a ball, of this component of the rotation vector.
    pub lower: f64,
    /// Upper end of the admissible range, rad.
    pub upper: f64,
    /// Largest active torque, N m. Springs, dampers and stops are passive and not limited.
    pub torque_limit: f64,
}

impl Default for Axis {
    /// A free axis: no spring, no damper, no end.
    fn default() -> Self {
        Axis {
            stiffness: 0.0,
            damping: 0.0,
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            torque_limit: f64::INFINITY,
        }
    }
}

/// One rigid body and the joint that carries it.
///
/// The origin of the link's frame is the pivot, and its axes are the joint's after the joint has turned (unless
/// [`inner`](Self::inner) says otherwise).
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// What it is called in reports.
    pub name: String,
    /// The link it hangs on, added before; `None` for the world.
    pub parent: Option<usize>,
    /// How it hangs.
    pub joint: Joint,
    /// Where the joint's frame is in the parent's.
    pub origin: Vec3<f64>,
    /// How the joint's frame is turned in the parent's.
    pub rotation: Quat<f64>,
    /// How the joint's frame, carried along by the joint's turning, is turned in the link's. Usually the identity; a link
    /// whose axes are its parent's at zero coordinates has here the same as in `rotation`.
    pub inner: Quat<f64>,
    /// Mass, kg.
    pub mass: f64,
    /// Centre of mass in the link's frame.
    pub centre: Vec3<f64>,
    /// Rotational inertia about the centre of mass, in the link's axes.
    pub inertia: Sym3<f64>,
    /// Passive behaviour per axis.
    pub axes: [Axis; 3],
    /// Spring of the soft stops beyond the ends of the ranges, N m/rad.
    pub stop_stiffness: f64,
    /// Damper of the soft stops, N m s/rad.
    pub stop_damping: f64,
}

impl Link {
    /// A link with its centre of mass at its origin, hanging at the parent's origin.
    pub fn new(
        name: &str,
        parent: Option<usize>,
        joint: Joint,
        mass: f64,
        inertia: Vec3<f64>,
    ) -> Self {
        Link {
            name: name.to_owned(),
            parent,
            joint,
            origin: vec3(0.0, 0.0, 0.0),
            rotation: Quat::identity(),
            inner: Quat::identity(),
            mass,
            centre: vec3(0.0, 0.0, 0.0),
            inertia: Sym3::diagonal(inertia),
            axes: [Axis::default(); 3],
            stop_stiffness: 1000.0,
            stop_damping: 20.0,
        }
    }

    /// A solid box of this mass and these full extents.
    pub fn solid_box(
        name: &str,
        parent: Option<usize>,
        joint: Joint,
        mass: f64,
        size: Vec3<f64>,
    ) -> Self {
        let k = mass / 12.0;
        let (x, y, z) = (size.x * size.x, size.y * size.y, size.z * size.z);
        Link::new(name, parent, joint, mass, vec3(k * (y + z), k * (x + z), k * (x + y)))
    }

    /// Puts the joint here in the parent's frame.
    pub fn at(mut self, origin: Vec3<f64>) -> Self {
        self.origin = origin;
        self
    }

    /// Turns the joint's frame in the parent's.
    pub fn turned(mut self, rotation: Quat<f64>) -> Self {
        self.rotation = rotation;
        self
    }

    /// Puts the centre of mass here in the link's frame.
    pub fn centred(mut self, centre: Vec3<f64>) -> Self {
        self.centre = centre;
        self
    }

    /// The same spring and damper on every axis.
    pub fn sprung(mut self, stiffness: f64, damping: f64) -> Self {
        for axis in &mut self.axes {
            axis.stiffness = stiffness;
            axis.damping = damping;
        }
        self
    }

    /// The same range on every axis.
    pub fn limited(mut self, lower: f64, upper: f64) -> Self {
        for axis in &mut self.axes {
            axis.lower = lower;
            axis.upper = upper;
        }
        self
    }
}

/// The form of a collision shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// A ball.
    Sphere {
        /// Its radius.
        radius: f64,
    },
    /// All points within `radius` of a segment of the shape's y axis.
    Capsule {
        /// Half the segment's length.
        half_length: f64,
        /// Distance from the segment to the surface.
        radius: f64,
    },
    /// A box.
    Box {
        /// Half its extents.
        half: Vec3<f64>,
    },
}

/// A collision shape on a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// The link that carries it.
    pub link: usize,
    /// What it looks like.
    pub form: Form,
    /// Its centre in the link's frame.
    pub origin: Vec3<f64>,
    /// How it is turned in the link's frame.
    pub rotation: Quat<f64>,
    /// Coulomb friction. Two surfaces in contact have the geometric mean of theirs.
    pub friction: f64,
    /// Speed after an impact over speed before, 0 to 1. Two surfaces in contact have the larger of theirs.
    pub restitution: f64,
}

impl Shape {
    /// A shape at a link's origin, with friction 0.8 and no restitution.
    pub fn new(link: usize, form: Form) -> Self {
        Shape {
            link,
            form,
            origin: vec3(0.0, 0.0, 0.0),
            rotation: Quat::identity(),
            friction: 0.8,
            restitution: 0.0,
        }
    }

    /// Puts its centre here in the link's frame.
    pub fn at(mut self, origin: Vec3<f64>) -> Self {
        self.origin = origin;
        self
    }

    /// Turns it in the link's frame.
    pub fn turned(mut self, rotation: Quat<f64>) -> Self {
        self.rotation = rotation;
        self
    }

    /// Sets friction and restitution.
    pub fn surface(mut self, friction: f64, restitution: f64) -> Self {
        self.friction = friction;
        self.restitution = restitution;
        self
    }

    /// Radius of the ball about its centre that holds all of it.
    pub fn reach(&self) -> f64 {
        match self.form {
            Form::Sphere { radius } => radius,
            Form::Capsule { half_length, radius } => half_length + radius,
            Form::Box { half } => half.length(),
        }
    }
}

/// Why a model cannot be simulated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// A link hangs on one that does not come before it.
    #[error("link {link}: its parent must be added before it")]
    Parent {
        /// The link's name.
        link: String,
    },
    /// Something floats that is not a root.
    #[error("link {link}: only a root can float")]
    Floating {
        /// The link's name.
        link: String,
    },
    /// A mass, inertia, place or gain is no number, or has the wrong sign.
    #[error("link {link}: {what}")]
    Number {
        /// The link's name.
        link: String,
        /// What is wrong.
        what: &'static str,
    },
    /// A shape is on no link or has no size.
    #[error("shape {shape}: {what}")]
    Shape {
        /// Its index.
        shape: usize,
        /// What is wrong.
        what: &'static str,
    },
}

/// A link ready to be simulated: where its numbers are in the state.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub parent: Option<usize>,
    pub joint: Joint,
    pub origin: Vec3<f64>,
    /// `None` for the identity, which is most of them.
    pub rotation: Option<Mat3<f64>>,
    /// The inverse of the link's inner rotation; `None` for the identity.
    pub outwards: Option<Mat3<f64>>,
    pub mass: f64,
    pub centre: Vec3<f64>,
    pub inertia: Sym3<f64>,
    /// First coordinate and first velocity.
    pub q: usize,
    pub v: usize,
    pub tree: usize,
}

/// A forest of articulated characters and free props.
///
/// Links keep the order in which they were given, parents before children.
#[derive(Clone, Debug)]
pub struct Model {
    links: Vec<Link>,
    shapes: Vec<Shape>,
    pub(crate) nodes: Vec<Node>,
    /// Root link of each tree.
    pub(crate) roots: Vec<usize>,
    /// For each link: itself and its ancestors up to the root.
    pub(crate) chains: Vec<Vec<usize>>,
    rest: Vec<f64>,
    coordinates: usize,
    freedoms: usize,
}

fn positive_definite(m: &Sym3<f64>) -> bool {
    let d2 = m.xx * m.yy - m.xy * m.xy;
    let d3 = m.xx * (m.yy * m.zz - m.yz * m.yz) - m.xy * (m.xy * m.zz - m.yz * m.xz)
        + m.xz * (m.xy * m.yz - m.yy * m.xz);
    m.xx > 0.0 && d2 > 0.0 && d3 > 0.0 && m.xx.is_finite() && d2.is_finite() && d3.is_finite()
}

fn unit(q: &Quat<f64>) -> bool {
    (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1.0).abs() < 1e-6
}

fn check_link(index: usize, link: &Link) -> Result<(), ModelError> {
    let wrong = |what| Err(ModelError::Number { link: link.name.clone(), what });
    if link.parent.is_some_and(|p| p >= index) {
        return Err(ModelError::Parent { link: link.name.clone() });
    }
    if link.joint == Joint::Floating && link.parent.is_some() {
        return Err(ModelError::Floating { link: link.name.clone() });
    }
    if !(link.origin.is_finite() && link.centre.is_finite()) {
        return wrong("places must be finite");
    }
    if !(unit(&link.rotation) && unit(&link.inner)) {
        return wrong("the rotation must be a unit quaternion");
    }
    if let Joint::Hinge(axis) = link.joint
        && (axis.length() - 1.0).abs().partial_cmp(&1e-6) != Some(std::cmp::Ordering::Less)
    {
        return wrong("the hinge's axis must be a unit vector");
    }
    if !(link.mass > 0.0 && link.mass.is_finite()) {
        return wrong("the mass must be positive");
    }
    if !positive_definite(&link.inertia) {
        return wrong("the inertia must be positive definite");
    }
    let gain = |g: f64| g >= 0.0 && g.is_finite();
    for axis in &link.axes {
        if !(gain(axis.stiffness) && gain(axis.damping)) {
            return wrong("stiffness and damping must be finite and not negative");
        }
        if axis.lower.is_nan() || axis.upper.is_nan() || axis.lower > axis.upper {
            return wrong("a range must have its lower end below its upper");
        }
        if axis.torque_limit.is_nan() || axis.torque_limit < 0.0 {
            return wrong("a torque limit cannot be negative");
        }
    }
    if !(gain(link.stop_stiffness) && gain(link.stop_damping)) {
        return wrong("stops must have finite gains that are not negative");
    }
    Ok(())
}

fn check_shape(index: usize, shape: &Shape, links: usize) -> Result<(), ModelError> {
    let wrong = |what| Err(ModelError::Shape { shape: index, what });
    if shape.link >= links {
        return wrong("it is on a link that does not exist");
    }
    let size = |s: f64| s > 0.0 && s.is_finite();
    let sized = match shape.form {
        Form::Sphere { radius } => size(radius),
        Form::Capsule { half_length, radius } => size(half_length) && size(radius),
        Form::Box { half } => size(half.x) && size(half.y) && size(half.z),
    };
    if !sized {
        return wrong("its extents must be positive");
    }
    if !(shape.origin.is_finite() && unit(&shape.rotation)) {
        return wrong("its place must be finite and its rotation a unit quaternion");
    }
    if !(shape.friction >= 0.0
        && shape.friction.is_finite()
        && (0.0..=1.0).contains(&shape.restitution))
    {
        return wrong("friction cannot be negative, and restitution is from 0 to 1");
    }
    Ok(())
}

impl Model {
    /// Checks and compiles links and shapes.
    pub fn new(links: Vec<Link>, shapes: Vec<Shape>) -> Result<Self, ModelError> {
        let (mut nodes, mut roots, mut chains) =
            (Vec::<Node>::new(), Vec::new(), Vec::<Vec<usize>>::new());
        let (mut q, mut v) = (0, 0);
        let mut rest = Vec::new();
        for (index, link) in links.iter().enumerate() {
            check_link(index, link)?;
            let tree = match link.parent {
                Some(parent) => nodes[parent].tree,
                None => {
                    roots.push(index);
                    roots.len() - 1
                }
            };
            let matrix = |q: Quat<f64>| (q != Quat::identity()).then(|| q.normalized().matrix());
            nodes.push(Node {
                parent: link.parent,
                joint: link.joint,
                origin: link.origin,
                rotation: matrix(link.rotation),
                outwards: matrix(link.inner.conjugate()),
                mass: link.mass,
                centre: link.centre,
                inertia: link.inertia,
                q,
                v,
                tree,
            });
            let mut chain = vec![index];
            if let Some(parent) = link.parent {
                chain.extend_from_slice(&chains[parent]);
            }
            chains.push(chain);
            match link.joint {
                Joint::Floating => {
                    let (p, r) = (link.origin, link.rotation);
                    rest.extend([p.x, p.y, p.z, r.x, r.y, r.z, r.w]);
                }
                Joint::Ball => rest.extend([0.0, 0.0, 0.0, 1.0]),
                Joint::Hinge(_) => rest.push(0.0),
                Joint::Fixed => {}
            }
            q += link.joint.coordinates();
            v += link.joint.freedoms();
        }
        for (index, shape) in shapes.iter().enumerate() {
            check_shape(index, shape, links.len())?;
        }
        Ok(Model { links, shapes, nodes, roots, chains, rest, coordinates: q, freedoms: v })
    }

    /// The links, parents first.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The collision shapes.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// The root link of each tree.
    pub fn roots(&self) -> &[usize] {
        &self.roots
    }

    /// The tree a link belongs to.
    pub fn tree(&self, link: usize) -> usize {
        self.nodes[link].tree
    }

    /// Length of a vector of coordinates.
    pub fn coordinates(&self) -> usize {
        self.coordinates
    }

    /// Length of a vector of velocities, accelerations or torques.
    pub fn freedoms(&self) -> usize {
        self.freedoms
    }

    /// Where a link's coordinates are in a vector of coordinates.
    pub fn coordinate_range(&self, link: usize) -> std::ops::Range<usize> {
        let node = &self.nodes[link];
        node.q..node.q + node.joint.coordinates()
    }

    /// Where a link's velocities are in a vector of velocities.
    pub fn freedom_range(&self, link: usize) -> std::ops::Range<usize> {
        let node = &self.nodes[link];
        node.v..node.v + node.joint.freedoms()
    }

    /// The coordinates the springs pull towards. The ranges of the joints count from zero coordinates instead, so they
    /// stay where they are when the rest pose changes.
    ///
    /// A floating root rests where its link was placed.
    pub fn rest(&self) -> &[f64] {
        &self.rest
    }

    /// Changes the pose the springs pull towards. Fails if a number is not finite or a quaternion not of unit length.
    pub fn set_rest(&mut self, rest: &[f64]) -> Result<(), ModelError> {
        for (node, link) in self.nodes.iter().zip(&self.links) {
            let wrong = |what| Err(ModelError::Number { link: link.name.clone(), what });
            let Some(own) = rest.get(node.q..node.q + node.joint.coordinates()) else {
                return wrong("the rest pose is too short");
            };
            if own.iter().any(|x| !x.is_finite()) {
                return wrong("the rest pose must be finite");
            }
            let turn = match node.joint {
                Joint::Floating => Some(&own[3..7]),
                Joint::Ball => Some(own),
                Joint::Hinge(_) | Joint::Fixed => None,
            };
            if turn.is_some_and(|t| !unit(&Quat::read(t))) {
                return wrong("the rest pose's quaternions must be of unit length");
            }
        }
        self.rest.clear();
        self.rest.extend_from_slice(&rest[..self.coordinates]);
        Ok(())
    }

    /// The link of this name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.links.iter().position(|link| link.name == name)
    }

    /// Mass of everything.
    pub fn mass(&self) -> f64 {
        self.links.iter().map(|link| link.mass).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one() -> Link {
        Link::new("one", None, Joint::Floating, 1.0, vec3(1.0, 1.0, 1.0))
    }

    #[test]
    fn a_model_that_cannot_move_is_refused_with_the_links_name() {
        let refuse = |link: Link| Model::new(vec![one(), link], vec![]).unwrap_err().to_string();
        let hang = |joint| Link::new("two", Some(0), joint, 1.0, vec3(1.0, 1.0, 1.0));
        assert_eq!(refuse(hang(Joint::Floating)), "link two: only a root can float");
        assert_eq!(
            refuse(Link { parent: Some(1), ..hang(Joint::Ball) }),
            "link two: its parent must be added before it"
        );
        assert_eq!(
            refuse(hang(Joint::Hinge(vec3(f64::NAN, 0.0, 0.0)))),
            "link two: the hinge's axis must be a unit vector"
        );
        assert_eq!(
            refuse(Link { mass: f64::NAN, ..hang(Joint::Ball) }),
            "link two: the mass must be positive"
        );
        assert_eq!(
            refuse(Link { inertia: Sym3::default(), ..hang(Joint::Ball) }),
            "link two: the inertia must be positive definite"
        );
        assert!(refuse(hang(Joint::Ball).sprung(-1.0, 0.0)).contains("stiffness"));
        assert!(refuse(hang(Joint::Ball).limited(1.0, 0.0)).contains("range"));
        let sphere = Shape::new(3, Form::Sphere { radius: 1.0 });
        assert!(Model::new(vec![one()], vec![sphere]).is_err());
        let flat = Shape::new(0, Form::Box { half: vec3(1.0, 0.0, 1.0) });
        assert!(Model::new(vec![one()], vec![flat]).is_err());
    }

    #[test]
    fn numbers_of_a_link_follow_those_of_the_links_before() {
        let hinge =
            Link::new("h", Some(0), Joint::Hinge(vec3(1.0, 0.0, 0.0)), 1.0, vec3(1.0, 1.0, 1.0));
        let ball = Link::new("b", Some(1), Joint::Ball, 1.0, vec3(1.0, 1.0, 1.0));
        let model = Model::new(vec![one(), hinge, ball], vec![]).unwrap();
        assert_eq!((model.coordinates(), model.freedoms()), (12, 10));
        assert_eq!((model.coordinate_range(2), model.freedom_range(2)), (8..12, 7..10));
        assert_eq!(model.chains[2], [2, 1, 0]);
        assert_eq!(model.find("b"), Some(2));
    }

    #[test]
    fn a_rest_pose_must_be_complete_and_unit() {
        let ball = Link::new("b", Some(0), Joint::Ball, 1.0, vec3(1.0, 1.0, 1.0));
        let mut model = Model::new(vec![one(), ball], vec![]).unwrap();
        let mut rest = model.rest().to_vec();
        assert!(model.set_rest(&rest).is_ok());
        assert!(model.set_rest(&rest[..9]).is_err());
        rest[10] = 0.5;
        assert!(model.set_rest(&rest).is_err());
    }
}
