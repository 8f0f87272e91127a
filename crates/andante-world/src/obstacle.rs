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

    /// Distance of a point from its surface; negative inside.
    pub fn distance(&self, point: Vec3) -> f32 {
        self.solid().distance(point)
    }

    /// Distance from a tapered capsule, given as the middles and radii of its ends; negative if they overlap.
    pub fn distance_to_capsule(&self, ends: [Vec3; 2], radii: [f32; 2]) -> f32 {
        self.solid().distance_to_capsule(ends, radii)
    }

    /// The same thing for whoever asks it for many distances.
    pub fn solid(&self) -> Solid {
        let (sin, cos) = self.heading.sin_cos();
        let up = 0.5 * (self.top() - self.bottom());
        let half = match self.shape {
            Shape::Box(size) => 0.5 * size,
            Shape::Cylinder { radius, .. } => Vec3::new(radius, up, f32::INFINITY),
        };
        Solid { middle: self.at + up * Vec3::Y, half, sin, cos }
    }

    /// How far a place `(x, z)` is from the ground it covers or hangs over; 0 on it.
    pub fn distance_beside(&self, place: Vec2) -> f32 {
        self.solid().distance_beside(place)
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

/// An obstacle with its angles worked out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    middle: Vec3,
    /// Half the sides of a box; radius and half the height of a cylinder, whose depth has no end.
    half: Vec3,
    sin: f32,
    cos: f32,
}

impl Solid {
    /// How far from its middle a point is in the directions of its sides.
    fn across(&self, point: Vec3) -> Vec3 {
        let from = point - self.middle;
        if self.half.z.is_finite() {
            let aside = self.cos * from.x - self.sin * from.z;
            let ahead = self.sin * from.x + self.cos * from.z;
            Vec3::new(aside.abs(), from.y.abs(), ahead.abs())
        } else {
            Vec3::new(Vec2::new(from.x, from.z).length(), from.y.abs(), 0.0)
        }
    }

    /// Distance of a point from its surface; negative inside.
    pub fn distance(&self, point: Vec3) -> f32 {
        // How far the point is beyond each pair of opposite sides.
        let beyond = self.across(point) - self.half;
        beyond.max(Vec3::ZERO).length() + beyond.max_element().min(0.0)
    }

    /// How far a place `(x, z)` is from the ground it covers or hangs over; 0 on it.
    pub fn distance_beside(&self, place: Vec2) -> f32 {
        let level = Vec3::new(place.x, self.middle.y, place.y);
        (self.across(level) - self.half).max(Vec3::ZERO).length()
    }

    /// Distance from a tapered capsule, given as the middles and radii of its ends; negative if they overlap.
    ///
    /// The distance from a convex thing is convex along a line, and stays so when a linear radius is taken off: halving
    /// the search finds the least.
    pub fn distance_to_capsule(&self, [a, b]: [Vec3; 2], radii: [f32; 2]) -> f32 {
        const GOLDEN: f32 = 0.618_034;
        let at =
            |part: f32| self.distance(a.lerp(b, part)) - (radii[0] + part * (radii[1] - radii[0]));
        let (mut low, mut high) = (0.0f32, 1.0f32);
        let mut inner = [1.0 - GOLDEN, GOLDEN];
        let mut values = inner.map(at);
        // 20 cuts leave less than a ten-thousandth of the capsule.
        for _ in 0..20 {
            if values[0] < values[1] {
                high = inner[1];
                inner = [high - GOLDEN * (high - low), inner[0]];
                values = [at(inner[0]), values[0]];
            } else {
                low = inner[0];
                inner = [inner[1], low + GOLDEN * (high - low)];
                values = [values[1], at(inner[1])];
            }
        }
        values[0].min(values[1]).min(at(0.0)).min(at(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
        assert_eq!(bar.distance_beside(Vec2::new(2.5, 2.05)), 0.0);
        assert!((bar.distance_beside(Vec2::new(3.3, 2.5)) - 0.5).abs() < 1e-5);
    }

    fn point() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-3.0f32..3.0).prop_map(Vec3::from)
    }

    fn obstacle() -> impl Strategy<Value = Obstacle> {
        let shape = prop_oneof![
            prop::array::uniform3(0.1f32..2.0).prop_map(|size| Shape::Box(Vec3::from(size))),
            (0.1f32..1.0, 0.1f32..2.0)
                .prop_map(|(radius, height)| Shape::Cylinder { radius, height }),
        ];
        (shape, point(), -3.0f32..3.0).prop_map(|(shape, at, heading)| Obstacle {
            name: "it".into(),
            shape,
            at,
            heading,
        })
    }

    proptest! {
        /// The oracle tries many places along the capsule, and parry measures each.
        #[test]
        fn a_capsule_is_as_far_from_an_obstacle_as_the_nearest_of_its_balls(
            obstacle in obstacle(), a in point(), b in point(), radii in prop::array::uniform2(0.02f32..0.4),
        ) {
            use parry3d::math::Pose3;
            use parry3d::query::PointQuery;
            let (rotation, up) = (glam::Quat::from_rotation_y(obstacle.heading), 0.5 * (obstacle.top() - obstacle.bottom()));
            let pose = Pose3::from_parts(obstacle.at + up * Vec3::Y, rotation);
            let distance = |point: Vec3| match obstacle.shape {
                Shape::Box(size) => parry3d::shape::Cuboid::new(0.5 * size).distance_to_point(&pose, point, false),
                Shape::Cylinder { radius, .. } => {
                    parry3d::shape::Cylinder::new(up, radius).distance_to_point(&pose, point, false)
                }
            };
            let least = (0..=400).map(|step| step as f32 / 400.0)
                .map(|part| distance(a.lerp(b, part)) - radii[0] - part * (radii[1] - radii[0]))
                .fold(f32::MAX, f32::min);
            let found = obstacle.distance_to_capsule([a, b], radii);
            prop_assert!(found <= least + 1e-3 && found > least - 0.02, "{found} {least}");
        }
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
