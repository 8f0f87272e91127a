//! Smooth surfaces around a few spheres.

use super::hull::{Hull, UnitSphere};
use crate::Vertices;
use glam::Vec3;
use std::f32::consts::{PI, TAU};

/// A sphere that a joint carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ball {
    pub center: Vec3,
    pub radius: f32,
    pub joint: usize,
}

/// A growing mesh of parts, each the convex hull of its balls.
pub(super) struct GrowingMesh {
    pub vertices: Vertices,
    pub indices: Vec<u32>,
    sphere: UnitSphere,
    /// Corners around a limb.
    corners: usize,
}

impl GrowingMesh {
    /// Fine enough for pictures that are looked at closely.
    pub const FINE: [usize; 2] = [8, 18];
    /// A quarter of the triangles.
    pub const LIGHT: [usize; 2] = [4, 10];
    /// For skeletons with very many joints.
    pub const COARSE: [usize; 2] = [3, 8];

    /// Divisions of a sphere and corners around a limb.
    pub fn new([divisions, corners]: [usize; 2]) -> Self {
        let sphere = UnitSphere::new(divisions);
        Self { vertices: Vertices::default(), indices: Vec::new(), sphere, corners }
    }

    /// Adds the hull of these balls.
    pub fn add(&mut self, balls: &[Ball]) {
        match *balls {
            [] => {}
            [a, b] => self.add_capsule(a, b),
            _ => self.add_hull(balls),
        }
    }

    fn add_hull(&mut self, balls: &[Ball]) {
        let base = self.vertices.positions.len() as u32;
        let Hull { vertices, indices, .. } = Hull::new(balls, &self.sphere);
        vertices.into_iter().for_each(|(ball, normal)| self.push(&balls[ball], normal));
        self.indices.extend(indices.into_iter().map(|index| base + index));
    }

    /// Two balls: rings around their axis, of which the middle two are where the cone between them
    /// touches.
    fn add_capsule(&mut self, a: Ball, b: Ball) {
        let axis = b.center - a.center;
        let length = axis.length();
        let taper = a.radius - b.radius;
        if length <= taper.abs() || length <= 1e-9 {
            // One is inside the other.
            return self.add_hull(&[if taper > 0.0 { a } else { b }]);
        }
        let axis = axis / length;
        let (u, v) = axis.any_orthonormal_pair();
        // The angle from the axis to the normals of the cone.
        let touch = libm::acosf(taper / length);
        let steps = self.corners.div_ceil(4);
        let base = self.vertices.positions.len() as u32;
        let mut rings = 0;
        for (ball, from, to) in [(b, 0.0, touch), (a, touch, PI)] {
            for step in 0..=steps {
                let angle = from + (to - from) * step as f32 / steps as f32;
                let (sine, cosine) = libm::sincosf(angle);
                for corner in 0..self.corners {
                    let (s, c) = libm::sincosf(TAU * corner as f32 / self.corners as f32);
                    let normal = (axis * cosine + (u * c + v * s) * sine).normalize();
                    self.push(&ball, normal);
                }
                rings += 1;
            }
        }
        let corners = self.corners as u32;
        for ring in 0..rings - 1 {
            for corner in 0..corners {
                let next = (corner + 1) % corners;
                let [p, q] = [corner, next].map(|corner| base + ring * corners + corner);
                let [r, s] = [p + corners, q + corners];
                // The first and last ring are single points.
                if ring + 2 < rings {
                    self.indices.extend([p, r, s]);
                }
                if ring > 0 {
                    self.indices.extend([p, s, q]);
                }
            }
        }
    }

    fn push(&mut self, ball: &Ball, normal: Vec3) {
        let vertices = &mut self.vertices;
        vertices.positions.push(ball.center + normal * ball.radius);
        vertices.normals.push(normal);
        vertices.joints.push([ball.joint as u16, 0, 0, 0]);
        vertices.weights.push([1.0, 0.0, 0.0, 0.0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball(x: f32, y: f32, z: f32, radius: f32) -> Ball {
        Ball { center: Vec3::new(x, y, z), radius, joint: 0 }
    }

    fn volume(surface: &GrowingMesh) -> f32 {
        let at = |index: u32| surface.vertices.positions[index as usize];
        let triangles = surface.indices.chunks_exact(3);
        triangles.map(|t| at(t[0]).dot(at(t[1]).cross(at(t[2]))) / 6.0).sum()
    }

    #[test]
    fn surfaces_are_closed_and_face_outwards() {
        let sphere = |r: f32| 4.0 / 3.0 * PI * r.powi(3);
        let cylinder = PI * 0.3 * 0.3 * 2.0;
        for (balls, expected) in [
            (vec![ball(1.0, 2.0, 3.0, 0.5)], sphere(0.5)),
            (vec![ball(0.0, 0.0, 0.0, 0.3), ball(0.0, 2.0, 0.0, 0.3)], sphere(0.3) + cylinder),
            (vec![ball(0.0, 0.0, 0.0, 0.5), ball(0.1, 0.0, 0.0, 0.2)], sphere(0.5)),
            // The same capsule as a hull, with a ball inside it.
            (
                vec![ball(0.0, 0.0, 0.0, 0.3), ball(0.0, 2.0, 0.0, 0.3), ball(0.0, 1.0, 0.0, 0.3)],
                sphere(0.3) + cylinder,
            ),
        ] {
            let mut surface = GrowingMesh::new(GrowingMesh::FINE);
            surface.add(&balls);
            let found = volume(&surface);
            assert!((found / expected - 1.0).abs() < 0.05, "{balls:?}: {found} {expected}");
        }
    }

    #[test]
    fn no_vertex_lies_inside_a_ball_of_its_part() {
        let balls = [ball(0.0, 0.0, 0.0, 0.4), ball(1.0, 0.2, 0.0, 0.3), ball(0.3, 0.9, 0.5, 0.1)];
        for balls in [&balls[..], &balls[..2], &balls[1..]] {
            let mut surface = GrowingMesh::new(GrowingMesh::FINE);
            surface.add(balls);
            for position in &surface.vertices.positions {
                for ball in balls {
                    assert!(position.distance(ball.center) > ball.radius - 1e-5);
                }
            }
        }
    }
}
