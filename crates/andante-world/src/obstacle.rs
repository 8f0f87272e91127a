//! Things that stand in the way, or hang over it.

use crate::{MeshError, MeshShape, Platform, TriangleMesh, hull};
use glam::{Affine3A, Quat, Vec2, Vec3};
use std::f32::consts::TAU;
use std::sync::Arc;

/// Sides of a cylinder that is drawn, and of a disc that is an outline.
const ROUND: usize = 24;

/// A thing one cannot walk through.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// What it is called in a scene.
    pub name: String,
    /// Its form.
    pub shape: ObstacleShape,
    /// The middle of its underside; of triangles, where their origin is.
    pub at: Vec3,
    /// How it is turned about the vertical.
    pub heading: f32,
}

/// The form of an obstacle.
#[derive(Clone, Debug, PartialEq)]
pub enum ObstacleShape {
    /// Width along x, height, depth along z.
    Box(Vec3),
    /// An upright cylinder.
    Cylinder {
        /// Radius of its circle.
        radius: f32,
        /// From its underside to its top.
        height: f32,
    },
    /// Triangles, and the prism around them.
    Mesh(Arc<MeshShape>),
}

impl ObstacleShape {
    /// The farthest it reaches from its upright axis.
    pub fn reach(&self) -> f32 {
        match self {
            Self::Box(size) => 0.5 * libm::hypotf(size.x, size.z),
            Self::Cylinder { radius, .. } => *radius,
            Self::Mesh(mesh) => mesh.outline().iter().map(|at| at.length()).fold(0.0, f32::max),
        }
    }
}

/// An obstacle seen from above, as `(x, z)`.
#[derive(Clone, Debug, PartialEq)]
pub enum ObstacleOutline {
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

impl ObstacleOutline {
    /// Its corners in order; a circle has as many as it is drawn with.
    pub fn corners(self) -> Vec<Vec2> {
        match self {
            Self::Outline(corners) => corners,
            Self::Disc { at, radius } => {
                let corner = |turn: usize| {
                    // From x to z is clockwise seen from above, as the corners of boxes run.
                    at + radius * Vec2::from_angle(turn as f32 * TAU / ROUND as f32)
                };
                (0..ROUND).map(corner).collect()
            }
        }
    }
}

impl Obstacle {
    /// A thing of triangles, one obstacle for each piece that hangs together: between the legs of a table there is room.
    ///
    /// Each piece is walked around as the upright prism that fits around it. The mesh is placed with its origin at `at`;
    /// several pieces are numbered after the name.
    pub fn of_mesh(
        name: &str,
        mesh: &TriangleMesh,
        at: Vec3,
        heading: f32,
    ) -> Result<Vec<Self>, MeshError> {
        let pieces = MeshShape::pieces(mesh)?;
        let (count, turn) = (pieces.len(), Quat::from_rotation_y(heading));
        let piece = |(index, (origin, shape)): (usize, (Vec3, MeshShape))| Self {
            name: if count == 1 { name.into() } else { format!("{name}, piece {}", index + 1) },
            shape: ObstacleShape::Mesh(Arc::new(shape)),
            at: at + turn * origin,
            heading,
        };
        Ok(pieces.into_iter().enumerate().map(piece).collect())
    }

    /// Height of its top.
    pub fn top(&self) -> f32 {
        self.at.y
            + match &self.shape {
                ObstacleShape::Box(size) => size.y,
                ObstacleShape::Cylinder { height, .. } => *height,
                ObstacleShape::Mesh(mesh) => mesh.top(),
            }
    }

    /// Height of its underside.
    pub fn bottom(&self) -> f32 {
        match &self.shape {
            ObstacleShape::Box(_) | ObstacleShape::Cylinder { .. } => self.at.y,
            ObstacleShape::Mesh(mesh) => self.at.y + mesh.bottom(),
        }
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
        let (sin, cos) = libm::sincosf(self.heading);
        let up = 0.5 * (self.top() - self.bottom());
        let (half, mesh) = match &self.shape {
            ObstacleShape::Box(size) => (0.5 * size, None),
            ObstacleShape::Cylinder { radius, .. } => (Vec3::new(*radius, up, f32::INFINITY), None),
            ObstacleShape::Mesh(mesh) => (Vec3::new(0.0, up, f32::INFINITY), Some(mesh.clone())),
        };
        Solid { middle: self.at.with_y(self.bottom() + up), half, sin, cos, mesh }
    }

    /// The horizontal distance of a place `(x, z)` from the ground it covers or hangs over; 0 on it.
    pub fn distance_beside(&self, place: Vec2) -> f32 {
        self.solid().distance_beside(place)
    }

    /// The ground it covers or hangs over.
    pub fn footprint(&self) -> ObstacleOutline {
        let at = Vec2::new(self.at.x, self.at.z);
        // A heading turns z towards x.
        let (sin, cos) = libm::sincosf(self.heading);
        let (right, ahead) = (Vec2::new(cos, -sin), Vec2::new(sin, cos));
        match &self.shape {
            ObstacleShape::Cylinder { radius, .. } => ObstacleOutline::Disc { at, radius: *radius },
            ObstacleShape::Mesh(mesh) => {
                let corner = |corner: &Vec2| at + corner.x * right + corner.y * ahead;
                ObstacleOutline::Outline(mesh.outline().iter().map(corner).collect())
            }
            ObstacleShape::Box(size) => {
                let (right, ahead) = (right * (0.5 * size.x), ahead * (0.5 * size.z));
                ObstacleOutline::Outline(vec![
                    at - right - ahead,
                    at + right - ahead,
                    at + right + ahead,
                    at - right + ahead,
                ])
            }
        }
    }

    /// Its top as ground, if it is flat.
    pub fn top_platform(&self) -> Option<Platform> {
        let outline = match (&self.shape, self.footprint()) {
            (ObstacleShape::Mesh(_), _) => return None,
            (_, ObstacleOutline::Outline(corners)) => corners,
            (_, ObstacleOutline::Disc { at, radius }) => {
                let turn = |corner: usize| corner as f32 * TAU / 24.0;
                (0..24).map(|corner| at + radius * Vec2::from_angle(turn(corner))).collect()
            }
        };
        Some(Platform::level(self.name.clone(), outline, self.top()))
    }

    /// Its surface as triangles, for files and pictures.
    pub fn mesh(&self) -> TriangleMesh {
        if let ObstacleShape::Mesh(mesh) = &self.shape {
            let turn = Quat::from_rotation_y(self.heading);
            return mesh.surface().transformed(&Affine3A::from_rotation_translation(turn, self.at));
        }
        TriangleMesh::prism(&self.footprint().corners(), [self.bottom(), self.top()])
    }
}

/// An obstacle with its angles worked out.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    middle: Vec3,
    /// Half the sides of a box; radius and half the height of a cylinder, whose depth has no end. A prism is a cylinder of
    /// no radius: its outline comes first.
    half: Vec3,
    sin: f32,
    cos: f32,
    mesh: Option<Arc<MeshShape>>,
}

impl Solid {
    /// How far from its middle a point is in the directions of its sides.
    #[inline]
    fn across(&self, point: Vec3) -> Vec3 {
        let from = point - self.middle;
        let turned = || {
            let aside = self.cos * from.x - self.sin * from.z;
            Vec2::new(aside, self.sin * from.x + self.cos * from.z)
        };
        if self.half.z.is_finite() {
            let Vec2 { x: aside, y: ahead } = turned().abs();
            Vec3::new(aside, from.y.abs(), ahead)
        } else if let Some(mesh) = &self.mesh {
            Vec3::new(hull::distance(mesh.outline(), turned()), from.y.abs(), 0.0)
        } else {
            Vec3::new(Vec2::new(from.x, from.z).length(), from.y.abs(), 0.0)
        }
    }

    /// Distance of a point from its surface; negative inside.
    #[inline]
    pub fn distance(&self, point: Vec3) -> f32 {
        // How far the point is beyond each pair of opposite sides.
        let beyond = self.across(point) - self.half;
        beyond.max(Vec3::ZERO).length() + beyond.max_element().min(0.0)
    }

    /// The horizontal distance of a place `(x, z)` from the ground it covers or hangs over; 0 on it.
    #[inline]
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
            shape: ObstacleShape::Box(Vec3::new(0.2, 0.1, 4.0)),
            at: Vec3::new(1.0, 1.5, 2.0),
            heading: std::f32::consts::FRAC_PI_2,
        };
        assert!((bar.top() - 1.6).abs() < 1e-6 && bar.bottom() == 1.5);
        let ObstacleOutline::Outline(corners) = bar.footprint() else {
            panic!("a box has corners")
        };
        let far = corners.iter().map(|corner| corner.x).fold(f32::MIN, f32::max);
        assert!((far - 3.0).abs() < 1e-5, "towards +x, {corners:?}");
        assert_eq!(bar.distance_beside(Vec2::new(2.5, 2.05)), 0.0);
        assert!((bar.distance_beside(Vec2::new(3.3, 2.5)) - 0.5).abs() < 1e-5);
    }

    fn point() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-3.0f32..3.0).prop_map(Vec3::from)
    }

    /// Triangles from point to point.
    fn strip(positions: Vec<Vec3>) -> TriangleMesh {
        let triangles = (2..positions.len() as u32).map(|last| [last - 2, last - 1, last]);
        TriangleMesh { triangles: triangles.collect(), positions, normals: Vec::new() }
    }

    fn obstacle() -> impl Strategy<Value = Obstacle> {
        let shape = prop_oneof![
            prop::array::uniform3(0.1f32..2.0)
                .prop_map(|size| ObstacleShape::Box(Vec3::from(size))),
            (0.1f32..1.0, 0.1f32..2.0)
                .prop_map(|(radius, height)| ObstacleShape::Cylinder { radius, height }),
            prop::collection::vec(point(), 3..12).prop_map(|points| ObstacleShape::Mesh(Arc::new(
                MeshShape::new(strip(points)).unwrap()
            ))),
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
            let pose = Pose3::from_parts(obstacle.at.with_y(obstacle.bottom() + up), rotation);
            let shape: Box<dyn PointQuery> = match &obstacle.shape {
                ObstacleShape::Box(size) => Box::new(parry3d::shape::Cuboid::new(0.5 * size)),
                ObstacleShape::Cylinder { radius, .. } => Box::new(parry3d::shape::Cylinder::new(up, *radius)),
                ObstacleShape::Mesh(mesh) => {
                    let ends = |at: &Vec3| [at.with_y(-up), at.with_y(up)];
                    let points: Vec<Vec3> = mesh.triangles().positions.iter().flat_map(ends).collect();
                    Box::new(parry3d::shape::ConvexPolyhedron::from_convex_hull(&points).unwrap())
                }
            };
            let distance = |point: Vec3| shape.distance_to_point(&pose, point, false);
            let least = (0..=400).map(|step| step as f32 / 400.0)
                .map(|part| distance(a.lerp(b, part)) - radii[0] - part * (radii[1] - radii[0]))
                .fold(f32::MAX, f32::min);
            let found = obstacle.distance_to_capsule([a, b], radii);
            prop_assert!(found <= least + 1e-3 && found > least - 0.02, "{found} {least}");
        }
    }

    /// The same box as a mesh.
    fn as_mesh(obstacle: &Obstacle) -> Obstacle {
        let standing = Obstacle { at: Vec3::ZERO, heading: 0.0, ..obstacle.clone() };
        let Obstacle { name, at, heading, .. } = obstacle;
        let pieces = Obstacle::of_mesh(name, &standing.mesh(), *at, *heading).unwrap();
        let [piece] = <[Obstacle; 1]>::try_from(pieces).unwrap();
        piece
    }

    proptest! {
        #[test]
        fn a_box_of_triangles_is_a_box(
            size in prop::array::uniform3(0.1f32..2.0), at in point(), heading in -3.0f32..3.0, place in point(),
        ) {
            let block = Obstacle { name: "it".into(), shape: ObstacleShape::Box(Vec3::from(size)), at, heading };
            let mesh = as_mesh(&block);
            prop_assert_eq!(&mesh.name, "it");
            prop_assert!((mesh.bottom() - block.bottom()).abs() < 1e-5 && (mesh.top() - block.top()).abs() < 1e-5);
            prop_assert!((mesh.shape.reach() - block.shape.reach()).abs() < 1e-5);
            prop_assert!((mesh.distance(place) - block.distance(place)).abs() < 1e-5);
            let beside = Vec2::new(place.x, place.z);
            prop_assert!((mesh.distance_beside(beside) - block.distance_beside(beside)).abs() < 1e-5);
            let (ObstacleOutline::Outline(a), ObstacleOutline::Outline(b)) = (mesh.footprint(), block.footprint()) else { panic!() };
            prop_assert_eq!(a.len(), b.len());
            prop_assert!(a.iter().zip(&b).all(|(a, b)| a.distance(*b) < 1e-5), "{:?} {:?}", a, b);
            let drawn = (mesh.mesh(), block.mesh());
            prop_assert_eq!(drawn.0.triangles.len(), drawn.1.triangles.len());
            prop_assert!(drawn.0.positions.iter().zip(&drawn.1.positions).all(|(a, b)| a.distance(*b) < 1e-5));
        }

        #[test]
        fn no_triangles_cause_a_panic(
            points in prop::collection::vec(prop::array::uniform3(prop_oneof![any::<f32>(), -1.0f32..1.0, Just(0.0)]), 0..8),
            triangles in prop::collection::vec(prop::array::uniform3(0u32..8), 0..8), place in point(),
        ) {
            let positions = points.into_iter().map(Vec3::from).collect();
            let mesh = TriangleMesh { positions, normals: Vec::new(), triangles };
            for piece in Obstacle::of_mesh("it", &mesh, Vec3::ZERO, 0.5).unwrap_or_default() {
                prop_assert!(piece.distance(place).is_finite());
                prop_assert!(piece.mesh().validate().is_ok());
            }
        }
    }

    #[test]
    fn pieces_that_do_not_touch_leave_room_between_them() {
        let leg = |x: f32| Obstacle {
            name: "leg".into(),
            shape: ObstacleShape::Box(Vec3::new(0.1, 0.7, 0.1)),
            at: Vec3::new(x, 0.0, 0.0),
            heading: 0.0,
        };
        let mut table = leg(-1.0).mesh();
        table.append(&leg(1.0).mesh());
        // A line is nothing to run into.
        table.append(&TriangleMesh {
            positions: vec![Vec3::ZERO, Vec3::Y, 2.0 * Vec3::Y],
            normals: vec![Vec3::Y; 3],
            triangles: vec![[0, 1, 2]],
        });
        let at = Vec3::new(5.0, 0.2, 5.0);
        let legs = Obstacle::of_mesh("table", &table, at, std::f32::consts::FRAC_PI_2).unwrap();
        let names: Vec<&str> = legs.iter().map(|leg| leg.name.as_str()).collect();
        assert_eq!(names, ["table, piece 1", "table, piece 2"]);
        // What was at -x is at +z.
        assert!(legs[0].at.distance(Vec3::new(5.0, 0.2, 6.0)) < 1e-5, "{}", legs[0].at);
        assert!(legs.iter().all(|leg| (leg.distance(at) - 0.95).abs() < 1e-5));
    }

    #[test]
    fn triangles_that_are_none_are_refused() {
        let refused = |positions: &[[f32; 3]], triangle: [u32; 3]| {
            let positions = positions.iter().copied().map(Vec3::from).collect();
            let mesh = TriangleMesh { positions, normals: Vec::new(), triangles: vec![triangle] };
            Obstacle::of_mesh("it", &mesh, Vec3::ZERO, 0.0).unwrap_err()
        };
        let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        assert_eq!(
            refused(&corners, [0, 1, 3]),
            MeshError::Index { triangle: 0, vertex: 3, count: 3 }
        );
        assert_eq!(refused(&corners, [0, 1, 1]), MeshError::NoArea);
        assert_eq!(
            refused(&[[f32::NAN, 0.0, 0.0], [0.0; 3], [1.0; 3]], [0, 1, 2]),
            MeshError::Vertex(0)
        );
        let none = TriangleMesh::default();
        assert_eq!(Obstacle::of_mesh("it", &none, Vec3::ZERO, 0.0), Err(MeshError::Empty));
    }

    #[test]
    fn a_sheet_is_thick_enough_to_be_run_into() {
        let sheet = strip(vec![Vec3::ZERO, Vec3::Z, Vec3::Y, Vec3::new(0.0, 1.0, 1.0)]);
        let fence = &Obstacle::of_mesh("fence", &sheet, Vec3::ZERO, 0.0).unwrap()[0];
        assert!(fence.distance(Vec3::new(0.0, 0.5, 0.5)) < 0.0);
        let cloth = strip(vec![Vec3::ZERO, Vec3::Z, Vec3::X]);
        let cloth = &Obstacle::of_mesh("cloth", &cloth, 1.5 * Vec3::Y, 0.0).unwrap()[0];
        assert!(cloth.bottom() == 1.5 && cloth.top() > 1.5 && cloth.top() < 1.502);
    }

    #[test]
    fn the_surface_of_an_obstacle_is_closed_and_faces_outwards() {
        let round = ObstacleShape::Cylinder { radius: 0.4, height: 2.0 };
        let wide = as_mesh(&Obstacle {
            name: "it".into(),
            shape: ObstacleShape::Box(Vec3::new(0.8, 2.0, 2.8)),
            at: Vec3::ZERO,
            heading: 0.0,
        });
        let ObstacleShape::Mesh(mesh) = &wide.shape else { panic!("it is made of triangles") };
        let grown = ObstacleShape::Mesh(Arc::new(mesh.grown(0.1)));
        let block = ObstacleShape::Box(Vec3::new(1.0, 2.0, 3.0));
        for (shape, volume) in [(block, 6.0), (round, 1.0), (grown, 6.0)] {
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
