//! What a segment is made of.

use crate::Mass;
use glam::{DMat3, DQuat, DVec3};
use std::f64::consts::PI;

/// A solid about its own centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Geometry {
    /// A cuboid.
    Box {
        /// Half of its edges.
        half: DVec3,
    },
    /// A cylinder along y with a hemisphere at each end.
    Capsule {
        /// Of the cylinder and the hemispheres.
        radius: f64,
        /// Half of the cylinder's length, without the hemispheres.
        half_length: f64,
    },
    /// A ball.
    Sphere {
        /// From the centre to the surface.
        radius: f64,
    },
}

impl Geometry {
    /// In cubic metres.
    pub fn volume(&self) -> f64 {
        match *self {
            Self::Box { half } => 8.0 * half.x * half.y * half.z,
            Self::Capsule { radius, half_length } => {
                PI * radius * radius * (2.0 * half_length + radius * 4.0 / 3.0)
            }
            Self::Sphere { radius } => 4.0 / 3.0 * PI * radius.powi(3),
        }
    }

    /// Moments of inertia about the shape's own axes for a mass spread evenly.
    pub fn inertia(&self, mass: f64) -> DVec3 {
        match *self {
            Self::Box { half } => {
                let s = half * half;
                DVec3::new(s.y + s.z, s.x + s.z, s.x + s.y) * (mass / 3.0)
            }
            Self::Capsule { radius, half_length } => {
                let (r, h) = (radius, 2.0 * half_length);
                let volume = self.volume();
                let cylinder = mass * PI * r * r * h / volume;
                // Both hemispheres together.
                let caps = mass - cylinder;
                let along = cylinder * r * r / 2.0 + caps * r * r * 0.4;
                let across = cylinder * (h * h / 12.0 + r * r / 4.0)
                    + caps * (0.4 * r * r + h * h / 4.0 + 3.0 * h * r / 8.0);
                DVec3::new(across, along, across)
            }
            Self::Sphere { radius } => DVec3::splat(0.4 * mass * radius * radius),
        }
    }

    /// Whether all lengths are finite and positive (a capsule may have no cylinder).
    pub fn is_valid(&self) -> bool {
        let positive = |x: f64| x.is_finite() && x > 0.0;
        match *self {
            Self::Box { half } => half.to_array().into_iter().all(positive),
            Self::Capsule { radius, half_length } => {
                positive(radius) && half_length.is_finite() && half_length >= 0.0
            }
            Self::Sphere { radius } => positive(radius),
        }
    }
}

/// A solid in a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// What it is.
    pub geometry: Geometry,
    /// Its centre in the segment's frame.
    pub center: DVec3,
    /// From its own axes to the segment's.
    pub rotation: DQuat,
}

impl Shape {
    /// The shape's share of a segment's mass.
    pub fn mass(&self, mass: f64) -> Mass {
        let turn = DMat3::from_quat(self.rotation);
        let inertia = turn * DMat3::from_diagonal(self.geometry.inertia(mass)) * turn.transpose();
        Mass { mass, center: self.center, inertia }
    }
}
