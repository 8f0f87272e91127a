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

    /// The largest distance from its centre along any of its axes, in metres.
    pub fn extent(&self) -> f64 {
        match *self {
            Self::Box { half } => half.max_element(),
            Self::Capsule { radius, half_length } => radius + half_length,
            Self::Sphere { radius } => radius,
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

    /// True if all lengths are finite and positive (a capsule may have no cylinder).
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
pub struct SolidShape {
    /// What it is.
    pub geometry: Geometry,
    /// Its centre in the segment's frame.
    pub center: DVec3,
    /// From its own axes to the segment's.
    pub rotation: DQuat,
}

impl SolidShape {
    /// The shape's share of a segment's mass.
    pub fn mass(&self, mass: f64) -> Mass {
        let turn = DMat3::from_quat(self.rotation);
        let inertia = turn * DMat3::from_diagonal(self.geometry.inertia(mass)) * turn.transpose();
        Mass { mass, center: self.center, inertia }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Volume and moments by adding up small cubes.
    fn counted(inside: impl Fn(DVec3) -> bool, reach: DVec3) -> (f64, DVec3) {
        const STEPS: i32 = 60;
        let cell = reach * 2.0 / f64::from(STEPS);
        let (mut volume, mut moments) = (0.0, DVec3::ZERO);
        let at = |i: i32, axis: usize| -reach[axis] + (f64::from(i) + 0.5) * cell[axis];
        for (x, y, z) in
            (0..STEPS.pow(3)).map(|n| (n % STEPS, n / STEPS % STEPS, n / STEPS / STEPS))
        {
            let p = DVec3::new(at(x, 0), at(y, 1), at(z, 2));
            if inside(p) {
                volume += cell.x * cell.y * cell.z;
                let s = p * p;
                moments += DVec3::new(s.y + s.z, s.x + s.z, s.x + s.y);
            }
        }
        (volume, moments * (cell.x * cell.y * cell.z) / volume)
    }

    #[test]
    fn volumes_and_moments_are_those_of_small_cubes_added_up() {
        let (radius, half_length) = (0.1, 0.15);
        let in_capsule = |p: DVec3| {
            let nearest = DVec3::Y * p.y.clamp(-half_length, half_length);
            p.distance(nearest) < radius
        };
        let half = DVec3::new(0.1, 0.2, 0.05);
        let cases: [(Geometry, (f64, DVec3)); 3] = [
            (
                Geometry::Capsule { radius, half_length },
                counted(in_capsule, DVec3::new(radius, half_length + radius, radius)),
            ),
            (Geometry::Sphere { radius }, counted(|p| p.length() < radius, DVec3::splat(radius))),
            (Geometry::Box { half }, counted(|_| true, half)),
        ];
        for (geometry, (volume, moments)) in cases {
            assert!((geometry.volume() / volume - 1.0).abs() < 0.01, "{geometry:?}");
            let ratio = geometry.inertia(1.0) / moments;
            assert!(ratio.abs_diff_eq(DVec3::ONE, 0.01), "{geometry:?}: {ratio}");
        }
    }
}
