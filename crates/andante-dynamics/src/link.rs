//! Links and the joints they hang on.

use crate::link_joint::LinkJoint;
use crate::math::{Quat, Sym3, Vec3, vec3};
use crate::model::ModelError;

/// The passive behaviour of one axis of a joint. A hinge uses the first of the three.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointAxis {
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

impl Default for JointAxis {
    /// A free axis: no spring, no damper, no end.
    fn default() -> Self {
        JointAxis {
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
pub struct ModelLink {
    /// What it is called in reports.
    pub name: String,
    /// The link it hangs on, added before; `None` for the world.
    pub parent: Option<usize>,
    /// How it hangs.
    pub joint: LinkJoint,
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
    pub axes: [JointAxis; 3],
    /// Spring of the soft stops beyond the ends of the ranges, N m/rad.
    pub stop_stiffness: f64,
    /// Damper of the soft stops, N m s/rad.
    pub stop_damping: f64,
    /// Stops of one axis of a ball turn the others too; they turn by no more than one radian in so many seconds. With none
    /// they may spin a link that has little inertia.
    pub stop_spin: f64,
}

impl ModelLink {
    /// A link with its centre of mass at its origin, hanging at the parent's origin.
    pub fn new(
        name: &str,
        parent: Option<usize>,
        joint: LinkJoint,
        mass: f64,
        inertia: Vec3<f64>,
    ) -> Self {
        ModelLink {
            name: name.to_owned(),
            parent,
            joint,
            origin: vec3(0.0, 0.0, 0.0),
            rotation: Quat::identity(),
            inner: Quat::identity(),
            mass,
            centre: vec3(0.0, 0.0, 0.0),
            inertia: Sym3::diagonal(inertia),
            axes: [JointAxis::default(); 3],
            stop_stiffness: 1000.0,
            stop_damping: 20.0,
            stop_spin: 0.0,
        }
    }

    /// A solid box of this mass and these full extents.
    pub fn solid_box(
        name: &str,
        parent: Option<usize>,
        joint: LinkJoint,
        mass: f64,
        size: Vec3<f64>,
    ) -> Self {
        let k = mass / 12.0;
        let (x, y, z) = (size.x * size.x, size.y * size.y, size.z * size.z);
        ModelLink::new(name, parent, joint, mass, vec3(k * (y + z), k * (x + z), k * (x + y)))
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

fn positive_definite(m: &Sym3<f64>) -> bool {
    let d2 = m.xx * m.yy - m.xy * m.xy;
    let d3 = m.xx * (m.yy * m.zz - m.yz * m.yz) - m.xy * (m.xy * m.zz - m.yz * m.xz)
        + m.xz * (m.xy * m.yz - m.yy * m.xz);
    m.xx > 0.0 && d2 > 0.0 && d3 > 0.0 && m.xx.is_finite() && d2.is_finite() && d3.is_finite()
}

pub(crate) fn unit(q: &Quat<f64>) -> bool {
    (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1.0).abs() < 1e-6
}

pub(crate) fn check_link(index: usize, link: &ModelLink) -> Result<(), ModelError> {
    let wrong = |what| Err(ModelError::Number { link: link.name.clone(), what });
    if link.parent.is_some_and(|p| p >= index) {
        return Err(ModelError::Parent { link: link.name.clone() });
    }
    if link.joint.floats() && link.parent.is_some() {
        return Err(ModelError::Floating { link: link.name.clone() });
    }
    if !(link.origin.is_finite() && link.centre.is_finite()) {
        return wrong("places must be finite");
    }
    if !(unit(&link.rotation) && unit(&link.inner)) {
        return wrong("the rotation must be a unit quaternion");
    }
    if let Some(what) = link.joint.flaw() {
        return wrong(what);
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
