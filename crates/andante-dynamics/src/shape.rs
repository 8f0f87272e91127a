//! What links touch with.

use crate::link::unit;
use crate::math::{Quat, Vec3, vec3};
use crate::model::ModelError;
use crate::physics_settings::PhysicsSettings;

/// The form of a collision shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CollisionForm {
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
pub struct CollisionShape {
    /// The link that carries it.
    pub link: usize,
    /// What it looks like.
    pub form: CollisionForm,
    /// Its centre in the link's frame.
    pub origin: Vec3<f64>,
    /// How it is turned in the link's frame.
    pub rotation: Quat<f64>,
    /// Coulomb friction. Two surfaces in contact have the geometric mean of theirs.
    pub friction: f64,
    /// Speed after an impact over speed before, 0 to 1. Two surfaces in contact have the larger of theirs.
    pub restitution: f64,
}

impl CollisionShape {
    /// A shape at a link's origin, with the friction and restitution of [`PhysicsSettings::default`].
    pub fn new(link: usize, form: CollisionForm) -> Self {
        let settings = PhysicsSettings::default();
        CollisionShape {
            link,
            form,
            origin: vec3(0.0, 0.0, 0.0),
            rotation: Quat::identity(),
            friction: settings.friction,
            restitution: settings.restitution,
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
            CollisionForm::Sphere { radius } => radius,
            CollisionForm::Capsule { half_length, radius } => half_length + radius,
            CollisionForm::Box { half } => half.length(),
        }
    }
}

pub(crate) fn check_shape(
    index: usize,
    shape: &CollisionShape,
    links: usize,
) -> Result<(), ModelError> {
    let wrong = |what| Err(ModelError::Shape { shape: index, what });
    if shape.link >= links {
        return wrong("it is on a link that does not exist");
    }
    let size = |s: f64| s > 0.0 && s.is_finite();
    let sized = match shape.form {
        CollisionForm::Sphere { radius } => size(radius),
        CollisionForm::Capsule { half_length, radius } => size(half_length) && size(radius),
        CollisionForm::Box { half } => size(half.x) && size(half.y) && size(half.z),
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
