//! Left for right, in joint coordinates (K3).

use crate::Layout;
use andante_body::{Body, RestPose};
use glam::{DQuat, DVec3};

/// Exchanges the sides of a body: across the plane x = 0, in which it is symmetric.
///
/// Positions and velocities are polar vectors: x changes sign. Turns, angular velocities and torques are axial:
/// y and z do. Joint frames of partners are mirror images, so that the latter holds in them too.
#[derive(Clone, Debug, PartialEq)]
pub struct Mirror {
    partners: Vec<usize>,
    /// For each internal coordinate which one it comes from and with what sign.
    sources: Vec<(usize, f64)>,
}

impl Mirror {
    /// Of a body; `None` if it is not symmetric.
    pub fn new(body: &Body) -> Option<Self> {
        let partners = body.partners()?.to_vec();
        let layout = Layout::new(body);
        let mut sources = Vec::with_capacity(layout.dof());
        for &partner in &partners {
            let from = layout.range(partner);
            sources.extend(from.enumerate().map(|(axis, from)| (from, [1.0, -1.0, -1.0][axis])));
        }
        Some(Self { partners, sources })
    }

    /// Joint deflections, their rates or torques, in the order of [`Layout`].
    ///
    /// # Panics
    /// If `values` is shorter than the body has joint angles.
    pub fn joints(&self, values: &[f64]) -> Vec<f64> {
        self.sources.iter().map(|&(from, sign)| sign * values[from]).collect()
    }

    /// A position or a velocity.
    pub fn polar(v: DVec3) -> DVec3 {
        DVec3::new(-v.x, v.y, v.z)
    }

    /// An angular velocity, a torque or a rotation vector.
    pub fn axial(v: DVec3) -> DVec3 {
        DVec3::new(v.x, -v.y, -v.z)
    }

    /// An orientation.
    pub fn rotation(q: DQuat) -> DQuat {
        DQuat::from_xyzw(q.x, -q.y, -q.z, q.w)
    }

    /// The rotations of a pose: the root's, then every segment's relative to its parent.
    ///
    /// # Panics
    /// If there are fewer rotations than segments.
    pub fn rotations(&self, rotations: &[DQuat]) -> Vec<DQuat> {
        self.partners.iter().map(|&from| Self::rotation(rotations[from])).collect()
    }

    /// Whether a pose is its own mirror image.
    pub fn is_symmetric(&self, pose: &RestPose) -> bool {
        let mirrored = self.rotations(&pose.rotations);
        mirrored.iter().zip(&pose.rotations).all(|(a, b)| a.dot(*b).abs() > 1.0 - 1e-9)
    }

    /// The segment on the other side.
    pub fn partner(&self, segment: usize) -> usize {
        self.partners[segment]
    }
}
