//! Things that stand in the way, or hang over it.

use crate::TriangleMesh;
use glam::{Vec2, Vec3, Vec3Swizzles};
use std::f32::consts::TAU;

/// Sides of a cylinder that is drawn.
const ROUND: usize = 24;

/// A thing one cannot walk through.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// What it is called in a scene.
    pub name: String,
    /// Its form.
    pub shape: Shape,
    /// The middle of its underside.
    pub at: Vec3,
    /// How it is turned about the vertical.
    pub heading: f32,
}

/// The form of an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// Width along x, height, depth along z.
    Box(Vec3),
    /// An upright cylinder.
    Cylinder {
        /// Radius of its circle.
        radius: f32,
        /// From its underside to its top.
        height: f32,
    },
}

/// An obstacle seen from above, as `(x, z)`.
#[derive(Clone, Debug, PartialEq)]
pub enum Footprint {
    /// Corners in order.
    Outline(Vec<Vec2>),
    /// A circle.
    Disc {
        /// Its middle.
        at: Vec2,
        /// Its radius.
        radius: f32,
    },
}

impl Obstacle {
    /// Height of its top.
    pub fn top(&self) -> f32 {
        self.at.y
            + match self.shape {
                Shape::Box(size) => size.y,
                Shape::Cylinder { height, .. } => height,
            }
    }

    /// Height of its underside.
    pub fn bottom(&self) -> f32 {
        self.at.y
    }

    /// The ground it covers or hangs over.
    pub fn footprint(&self) -> Footprint {
        let at = Vec2::new(self.at.x, self.at.z);
        match self.shape {
            Shape::Cylinder { radius, .. } => Footprint::Disc { at, radius },
            Shape::Box(size) => {
                // A heading turns z towards x.
                let (sin, cos) = self.heading.sin_cos();
                let (right, ahead) =
                    (Vec2::new(cos, -sin) * (0.5 * size.x), Vec2::new(sin, cos) * (0.5 * size.z));
                Footprint::Outline(vec![
                    at - right - ahead,
                    at + right - ahead,
                    at + right + ahead,
                    at - right + ahead,
                ])
            }
        }
    }

    /// Its surface as triangles, flat ones with corners of their own, for files and pictures.
    pub fn mesh(&self) -> TriangleMesh {
        let corners = match self.footprint() {
            Footprint::Outline(corners) => corners,
            Footprint::Disc { at, radius } => {
                let corner = |turn: usize| {
                    // From x to z is clockwise seen from above, as the corners of boxes run.
                    at + radius * Vec2::from_angle(turn as f32 * TAU / ROUND as f32)
                };
                (0..ROUND).map(corner).collect()
            }
        };
        let mut mesh = TriangleMesh::default();
        let mut push = |corners: [Vec3; 3]| {
            let first = mesh.positions.len() as u32;
            let [a, b, c] = corners;
            mesh.positions.extend(corners);
            mesh.normals.extend([(b - a).cross(c - a).normalize_or(Vec3::Y); 3]);
            mesh.triangles.push([first, first + 1, first + 2]);
        };
        let low = |corner: usize| corners[corner].extend(self.bottom()).xzy();
        let high = |corner: usize| corners[corner].extend(self.top()).xzy();
        for here in 0..corners.len() {
            let next = (here + 1) % corners.len();
            push([low(here), high(here), high(next)]);
            push([low(here), high(next), low(next)]);
            if here > 0 && next > 0 {
                push([high(0), high(next), high(here)]);
                push([low(0), low(here), low(next)]);
            }
        }
        mesh
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turned_box_points_its_depth_along_its_heading() {
        let bar = Obstacle {
            name: "bar".into(),
            shape: Shape::Box(Vec3::new(0.2, 0.1, 4.0)),
            at: Vec3::new(1.0, 1.5, 2.0),
            heading: std::f32::consts::FRAC_PI_2,
        };
        assert!((bar.top() - 1.6).abs() < 1e-6 && bar.bottom() == 1.5);
        let Footprint::Outline(corners) = bar.footprint() else { panic!("a box has corners") };
        let far = corners.iter().map(|corner| corner.x).fold(f32::MIN, f32::max);
        assert!((far - 3.0).abs() < 1e-5, "towards +x, {corners:?}");
    }

    #[test]
    fn the_surface_of_an_obstacle_is_closed_and_faces_outwards() {
        let round = Shape::Cylinder { radius: 0.4, height: 2.0 };
        for (shape, volume) in [(Shape::Box(Vec3::new(1.0, 2.0, 3.0)), 6.0), (round, 1.0)] {
            let at = Vec3::new(2.0, 1.0, -3.0);
            let mesh = Obstacle { name: "it".into(), shape, at, heading: 0.4 }.mesh();
            mesh.validate().unwrap();
            // By the divergence theorem; a cylinder of 24 sides is a little smaller than a round one.
            let measured: f32 = (0..mesh.triangles.len())
                .map(|triangle| mesh.corners(triangle))
                .map(|[a, b, c]| a.dot(b.cross(c)) / 6.0)
                .sum();
            assert!((measured / volume - 1.0).abs() < 0.01, "{measured}");
        }
    }
}
