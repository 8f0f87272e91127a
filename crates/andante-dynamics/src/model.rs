//! What is simulated: trees of links, their joints, masses, springs and collision shapes.

use crate::link::{ModelLink, check_link, unit};
use crate::link_joint::LinkJoint;
use crate::math::{Mat3, Quat, Sym3, Vec3};
use crate::shape::{CollisionShape, check_shape};

/// An error that keeps a model from being simulated.
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
pub(crate) struct ModelNode {
    pub parent: Option<usize>,
    pub joint: LinkJoint,
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
    links: Vec<ModelLink>,
    shapes: Vec<CollisionShape>,
    pub(crate) nodes: Vec<ModelNode>,
    /// Root link of each tree.
    pub(crate) roots: Vec<usize>,
    /// For each link: itself and its ancestors up to the root.
    pub(crate) chains: Vec<Vec<usize>>,
    rest: Vec<f64>,
    coordinates: usize,
    freedoms: usize,
}

impl Model {
    /// The same with stops that do not spin what they stop; see [`ModelLink::stop_spin`].
    pub fn with_stop_spin(mut self, seconds: f64) -> Self {
        self.links.iter_mut().for_each(|link| link.stop_spin = seconds.max(0.0));
        self
    }

    /// Checks and compiles links and shapes.
    pub fn new(links: Vec<ModelLink>, shapes: Vec<CollisionShape>) -> Result<Self, ModelError> {
        let (mut nodes, mut roots, mut chains) =
            (Vec::<ModelNode>::new(), Vec::new(), Vec::<Vec<usize>>::new());
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
            nodes.push(ModelNode {
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
            rest.extend(link.joint.rest(link.origin, link.rotation));
            q += link.joint.coordinates();
            v += link.joint.freedoms();
        }
        for (index, shape) in shapes.iter().enumerate() {
            check_shape(index, shape, links.len())?;
        }
        Ok(Model { links, shapes, nodes, roots, chains, rest, coordinates: q, freedoms: v })
    }

    /// The links, parents first.
    pub fn links(&self) -> &[ModelLink] {
        &self.links
    }

    /// The collision shapes.
    pub fn shapes(&self) -> &[CollisionShape] {
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

    /// The range of a link's coordinates in a vector of coordinates.
    pub fn coordinate_range(&self, link: usize) -> std::ops::Range<usize> {
        let node = &self.nodes[link];
        node.q..node.q + node.joint.coordinates()
    }

    /// The range of a link's velocities in a vector of velocities.
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
            let turn = node.joint.quaternion().map(|first| Quat::read(&own[first..]));
            if turn.is_some_and(|turn| !unit(&turn)) {
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
    use crate::math::vec3;
    use crate::shape::CollisionForm;

    fn one() -> ModelLink {
        ModelLink::new("one", None, LinkJoint::Floating, 1.0, vec3(1.0, 1.0, 1.0))
    }

    #[test]
    fn a_model_that_cannot_move_is_refused_with_the_links_name() {
        let refuse =
            |link: ModelLink| Model::new(vec![one(), link], vec![]).unwrap_err().to_string();
        let hang = |joint| ModelLink::new("two", Some(0), joint, 1.0, vec3(1.0, 1.0, 1.0));
        assert_eq!(refuse(hang(LinkJoint::Floating)), "link two: only a root can float");
        assert_eq!(
            refuse(ModelLink { parent: Some(1), ..hang(LinkJoint::Ball) }),
            "link two: its parent must be added before it"
        );
        assert_eq!(
            refuse(hang(LinkJoint::Hinge(vec3(f64::NAN, 0.0, 0.0)))),
            "link two: the hinge's axis must be a unit vector"
        );
        assert_eq!(
            refuse(ModelLink { mass: f64::NAN, ..hang(LinkJoint::Ball) }),
            "link two: the mass must be positive"
        );
        assert_eq!(
            refuse(ModelLink { inertia: Sym3::default(), ..hang(LinkJoint::Ball) }),
            "link two: the inertia must be positive definite"
        );
        assert!(refuse(hang(LinkJoint::Ball).sprung(-1.0, 0.0)).contains("stiffness"));
        assert!(refuse(hang(LinkJoint::Ball).limited(1.0, 0.0)).contains("range"));
        let sphere = CollisionShape::new(3, CollisionForm::Sphere { radius: 1.0 });
        assert!(Model::new(vec![one()], vec![sphere]).is_err());
        let flat = CollisionShape::new(0, CollisionForm::Box { half: vec3(1.0, 0.0, 1.0) });
        assert!(Model::new(vec![one()], vec![flat]).is_err());
    }

    #[test]
    fn numbers_of_a_link_follow_those_of_the_links_before() {
        let hinge = ModelLink::new(
            "h",
            Some(0),
            LinkJoint::Hinge(vec3(1.0, 0.0, 0.0)),
            1.0,
            vec3(1.0, 1.0, 1.0),
        );
        let ball = ModelLink::new("b", Some(1), LinkJoint::Ball, 1.0, vec3(1.0, 1.0, 1.0));
        let model = Model::new(vec![one(), hinge, ball], vec![]).unwrap();
        assert_eq!((model.coordinates(), model.freedoms()), (12, 10));
        assert_eq!((model.coordinate_range(2), model.freedom_range(2)), (8..12, 7..10));
        assert_eq!(model.chains[2], [2, 1, 0]);
        assert_eq!(model.find("b"), Some(2));
    }

    #[test]
    fn a_rest_pose_must_be_complete_and_unit() {
        let ball = ModelLink::new("b", Some(0), LinkJoint::Ball, 1.0, vec3(1.0, 1.0, 1.0));
        let mut model = Model::new(vec![one(), ball], vec![]).unwrap();
        let mut rest = model.rest().to_vec();
        assert!(model.set_rest(&rest).is_ok());
        assert!(model.set_rest(&rest[..9]).is_err());
        rest[10] = 0.5;
        assert!(model.set_rest(&rest).is_err());
    }
}
