//! A physical character, ready to be simulated.

use std::ops::Range;

use andante_dynamics::{
    CollisionForm, CollisionShape, JointAxis, LinkJoint, Model, ModelError, ModelLink,
    PhysicsSettings, Quat, Sym3, Vec3, vec3,
};
use glam::{DMat3, DQuat, DVec3};

use crate::{Body, BodyJoint, Geometry, RestPose};

/// A [`Body`] as a model: link `i` is segment `i`, in the same frame.
#[derive(Clone, Debug)]
pub struct BodyModel {
    /// Links, joints and shapes.
    pub model: Model,
    /// Which of the model's shapes are a segment's; none for the segment of a foot that is disregarded.
    pub shapes: Vec<Range<usize>>,
    /// For each foot the shapes that are the spheres at toe and heel; `None` if it is disregarded.
    pub feet: Vec<Option<[usize; 2]>>,
}

/// An error that keeps a body from being simulated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CharacterError {
    /// The pose is another body's.
    #[error("the rest pose has {found} rotations and the body {expected} segments")]
    Pose {
        /// Of the pose.
        found: usize,
        /// Of the body.
        expected: usize,
    },
    /// The model refuses it.
    #[error(transparent)]
    Model(#[from] ModelError),
}

fn vector(v: DVec3) -> Vec3<f64> {
    vec3(v.x, v.y, v.z)
}

fn rotation(q: DQuat) -> Quat<f64> {
    Quat { x: q.x, y: q.y, z: q.z, w: q.w }
}

fn symmetric(m: DMat3) -> Sym3<f64> {
    Sym3 {
        xx: m.x_axis.x,
        yy: m.y_axis.y,
        zz: m.z_axis.z,
        xy: m.y_axis.x,
        xz: m.z_axis.x,
        yz: m.z_axis.y,
    }
}

fn form(geometry: Geometry) -> CollisionForm {
    match geometry {
        Geometry::Box { half } => CollisionForm::Box { half: vector(half) },
        Geometry::Capsule { radius, half_length } if half_length > 0.0 => {
            CollisionForm::Capsule { half_length, radius }
        }
        Geometry::Capsule { radius, .. } | Geometry::Sphere { radius } => {
            CollisionForm::Sphere { radius }
        }
    }
}

impl BodyModel {
    /// A body that stands in a rest pose, towards which its springs pull.
    ///
    /// ```
    /// use andante_body::{BodyModel, creature};
    /// use andante_dynamics::{ContactTerrain, PhysicsSettings, Simulation};
    ///
    /// let (dog, settings) = (creature("dog")?, PhysicsSettings::default());
    /// let character = BodyModel::new(&dog, &dog.poses()[0], &settings)?;
    /// let mut simulation =
    ///     Simulation::<f64>::new(character.model.into(), ContactTerrain::level(), settings)?;
    /// assert_eq!(simulation.step().quarantined, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Every shape has the friction and restitution of the settings. Feet get a sphere each at toe and heel besides the shapes of
    /// their segment.
    pub fn new(
        body: &Body,
        pose: &RestPose,
        settings: &PhysicsSettings,
    ) -> Result<Self, CharacterError> {
        let expected = body.segments().len();
        if pose.rotations.len() != expected {
            return Err(CharacterError::Pose { found: pose.rotations.len(), expected });
        }
        let root = body.stand(pose)[0];
        let links = body
            .segments()
            .iter()
            .map(|segment| {
                let mut link = match &segment.joint {
                    None => ModelLink::new(
                        &segment.name,
                        None,
                        LinkJoint::Floating,
                        segment.mass.mass,
                        Vec3::default(),
                    )
                    .at(vector(root.translation))
                    .turned(rotation(root.rotation)),
                    Some(joint) => joint_link(&segment.name, joint, segment.mass.mass)
                        .at(vector(segment.anchor)),
                };
                link.centre = vector(segment.mass.center);
                link.inertia = symmetric(segment.mass.inertia);
                link
            })
            .collect();
        let (shapes, ranges, feet) = shapes(body, settings);
        let mut model = Model::new(links, shapes)?;
        let rest = rest(&model, body, pose);
        model.set_rest(&rest)?;
        Ok(BodyModel { model, shapes: ranges, feet })
    }
}

fn joint_link(name: &str, joint: &BodyJoint, mass: f64) -> ModelLink {
    let kind = joint.kind.link_joint();
    let mut link = ModelLink::new(name, Some(joint.parent), kind, mass, Vec3::default());
    // The segment's axes are its parent's in the design pose, whatever the joint's are.
    link.rotation = rotation(joint.frame);
    link.inner = rotation(joint.frame);
    for (k, axis) in link.axes.iter_mut().enumerate() {
        *axis = JointAxis {
            stiffness: joint.stiffness[k],
            damping: joint.damping[k],
            torque_limit: joint.torque_limit[k],
            ..JointAxis::default()
        };
        if let Some(limits) = joint.limits.filter(|_| k < joint.dof()) {
            (axis.lower, axis.upper) = (limits.lower[k], limits.upper[k]);
        }
    }
    if let Some(limits) = joint.limits {
        (link.stop_stiffness, link.stop_damping) = (limits.stiffness, limits.damping);
    }
    link
}

type Shapes = (Vec<CollisionShape>, Vec<Range<usize>>, Vec<Option<[usize; 2]>>);

fn shapes(body: &Body, settings: &PhysicsSettings) -> Shapes {
    let (friction, restitution) = (settings.friction, settings.restitution);
    let mut shapes = Vec::new();
    let mut ranges = Vec::with_capacity(body.segments().len());
    for (link, segment) in body.segments().iter().enumerate() {
        let first = shapes.len();
        if !body.feet().iter().any(|foot| foot.disregarded && foot.segment == link) {
            shapes.extend(segment.shapes.iter().map(|shape| {
                CollisionShape::new(link, form(shape.geometry))
                    .at(vector(shape.center))
                    .turned(rotation(shape.rotation))
                    .surface(friction, restitution)
            }));
        }
        ranges.push(first..shapes.len());
    }
    let feet = body.feet().iter().map(|foot| {
        if foot.disregarded {
            return None;
        }
        let first = shapes.len();
        for point in [foot.toe, foot.heel] {
            let centre = vector(point + DVec3::Y * foot.radius);
            let sphere =
                CollisionShape::new(foot.segment, CollisionForm::Sphere { radius: foot.radius });
            shapes.push(sphere.at(centre).surface(friction, restitution));
        }
        Some([first, first + 1])
    });
    let feet = feet.collect();
    (shapes, ranges, feet)
}

/// The pose as coordinates of the model: rotations about the joints' own axes.
fn rest(model: &Model, body: &Body, pose: &RestPose) -> Vec<f64> {
    let mut rest = model.rest().to_vec();
    for ((index, segment), turn) in body.segments().iter().enumerate().zip(&pose.rotations) {
        let Some(joint) = &segment.joint else { continue };
        let own = (joint.frame.conjugate() * *turn * joint.frame).normalize();
        joint.kind.set_coordinates(own, &mut rest[model.coordinate_range(index)]);
    }
    rest
}
