//! Ground that is the same all along one horizontal direction: a line drawn from the side.

use crate::triangle::against;
use crate::{Area, ClosestPoint, Hit, MeshError, Ray, TriangleMesh};
use glam::{Vec2, Vec3};

/// Places farther away than this have no ground: rounding would eat the steps.
const FARTHEST: f32 = 1e6;

/// Whether a distance is a number and not absurd.
pub(crate) fn is_near(distance: f32) -> bool {
    distance.abs() <= FARTHEST
}

/// The way along which an outline is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct OutlinePath {
    /// Unit vector `(x, z)`.
    pub direction: Vec2,
    /// Where along it distances begin.
    pub offset: f32,
}

impl OutlinePath {
    pub const ALONG_Z: Self = Self { direction: Vec2::Y, offset: 0.0 };

    pub fn distance(&self, place: Vec2) -> f32 {
        place.dot(self.direction) - self.offset
    }

    /// Horizontal unit vector to the left of the way.
    fn across(&self) -> Vec2 {
        Vec2::new(self.direction.y, -self.direction.x)
    }

    /// A point from distance, place across and height.
    fn point(&self, distance: f32, across: f32, height: f32) -> Vec3 {
        let place = (distance + self.offset) * self.direction + across * self.across();
        Vec3::new(place.x, height, place.y)
    }

    /// A vector of the drawing, `(along, up)`, in space.
    fn vector(&self, v: Vec2) -> Vec3 {
        Vec3::new(v.x * self.direction.x, v.y, v.x * self.direction.y)
    }
}

/// A line of segments in order of distance; vertical ones are steps.
pub(crate) trait DrawnOutline {
    fn way(&self) -> OutlinePath;

    /// The highest point at a distance.
    fn height(&self, distance: f32) -> f32;

    /// Rise per metre at a distance.
    fn slope(&self, distance: f32) -> f32;

    /// Whether it is drawn as a smooth curve.
    fn is_smooth(&self) -> bool;

    /// Calls `visit` with the ends of the segments between two distances, curves in pieces of at most `cell`.
    fn segments(&self, from: f32, to: f32, cell: f32, visit: &mut dyn FnMut(Vec2, Vec2));
}

/// Pieces of curves for rays and nearest points: the error is far below a millimetre on walkable ground.
const PIECE: f32 = 0.02;

pub(crate) fn probe(outline: &impl DrawnOutline, from: Vec3, depth: f32) -> Option<Hit> {
    let height = height(outline, from, depth)?;
    let way = outline.way();
    let slope = outline.slope(way.distance(Vec2::new(from.x, from.z)));
    let normal = way.vector(Vec2::new(-slope, 1.0)).normalize();
    Some(Hit { point: Vec3::new(from.x, height, from.z), normal })
}

#[inline]
pub(crate) fn height(outline: &impl DrawnOutline, from: Vec3, depth: f32) -> Option<f32> {
    let distance = outline.way().distance(Vec2::new(from.x, from.z));
    if !is_near(distance) {
        return None;
    }
    let height = outline.height(distance);
    (height <= from.y && height >= from.y - depth).then_some(height)
}

pub(crate) fn ray(outline: &impl DrawnOutline, ray: &Ray) -> Option<ClosestPoint> {
    let way = outline.way();
    let start = Vec2::new(way.distance(Vec2::new(ray.origin().x, ray.origin().z)), ray.origin().y);
    let along = ray.direction().x * way.direction.x + ray.direction().z * way.direction.y;
    let speed = Vec2::new(along, ray.direction().y);
    let end = start + speed * ray.length();
    if !is_near(start.x) {
        return None;
    }
    let mut best: Option<ClosestPoint> = None;
    // A little more on both sides, because a ray may go straight down a step.
    let (from, to) = (start.x.min(end.x) - PIECE, start.x.max(end.x) + PIECE);
    outline.segments(from, to, PIECE, &mut |a, b| {
        let edge = b - a;
        let cross = speed.perp_dot(edge);
        if cross == 0.0 {
            return;
        }
        let distance = (a - start).perp_dot(edge) / cross;
        let part = (a - start).perp_dot(speed) / cross;
        let met = (0.0..=ray.length()).contains(&distance) && (-1e-5..=1.0 + 1e-5).contains(&part);
        if met && best.is_none_or(|best| distance < best.distance) {
            let normal = way.vector(edge.perp()).normalize_or(Vec3::Y);
            let normal = against(normal, ray.direction());
            best = Some(ClosestPoint { point: ray.at(distance), normal, distance });
        }
    });
    best
}

pub(crate) fn closest(
    outline: &impl DrawnOutline,
    point: Vec3,
    within: f32,
) -> Option<ClosestPoint> {
    let way = outline.way();
    let at = Vec2::new(way.distance(Vec2::new(point.x, point.z)), point.y);
    if !(is_near(at.x) && is_near(at.y)) {
        return None;
    }
    // The ground straight below or above is never nearer than the nearest.
    let reach = within.min((at.y - outline.height(at.x)).abs());
    let mut best: Option<(f32, Vec2, Vec2)> = None;
    outline.segments(at.x - reach - PIECE, at.x + reach + PIECE, PIECE, &mut |a, b| {
        let edge = b - a;
        let squared = edge.length_squared();
        let part = if squared > 0.0 { (at - a).dot(edge) / squared } else { 0.0 };
        let nearest = a + part.clamp(0.0, 1.0) * edge;
        let distance = nearest.distance(at);
        if distance <= within && best.is_none_or(|(best, ..)| distance < best) {
            best = Some((distance, nearest, edge));
        }
    });
    let (distance, nearest, edge) = best?;
    let to = way.vector(nearest - at);
    let normal = against(way.vector(edge.perp()).normalize_or(Vec3::Y), to);
    Some(ClosestPoint { point: point + to, normal, distance })
}

/// The line drawn across an area, or across the smallest turned rectangle around it.
pub(crate) fn mesh(
    outline: &impl DrawnOutline,
    area: &Area,
    cell: f32,
) -> Result<TriangleMesh, MeshError> {
    const MOST: usize = 4_000_000;
    let way = outline.way();
    let span = |value: &dyn Fn(Vec2) -> f32| {
        let values = area.corners().map(value);
        let low = values.into_iter().fold(f32::MAX, f32::min);
        [low, values.into_iter().fold(f32::MIN, f32::max)]
    };
    let [from, to] = span(&|place| way.distance(place));
    let [right, left] = span(&|place| place.dot(way.across()));
    let mut mesh = TriangleMesh::default();
    let mut count = 0usize;
    outline.segments(from, to, cell, &mut |a, b| {
        count += 1;
        if count > MOST {
            return;
        }
        let first = mesh.positions.len() as u32;
        let flat = (b - a).perp().normalize_or(Vec2::Y);
        for end in [a, b] {
            let normal = if outline.is_smooth() && a.x < b.x {
                Vec2::new(-outline.slope(end.x), 1.0).normalize()
            } else {
                flat
            };
            for side in [right, left] {
                mesh.positions.push(way.point(end.x, side, end.y));
                mesh.normals.push(way.vector(normal));
            }
        }
        mesh.triangles.push([first, first + 2, first + 3]);
        mesh.triangles.push([first, first + 3, first + 1]);
    });
    if count > MOST {
        return Err(MeshError::TooFine(count as f64 * 4.0));
    }
    Ok(mesh)
}
