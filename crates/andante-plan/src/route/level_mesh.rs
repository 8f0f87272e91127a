//! Levels made of triangles: what of them is walked on, and what stands in the way.

use super::NavAgent;
use super::facet::{OVERLAP, PIECE, SPECK};
use super::floor::polygon;
use andante_world::{GroundPatch, Platform, Terrain};
use geo::{Area, BooleanOps, Polygon};
use glam::{Vec2, Vec3};

/// A triangle on a platform as a platform of its own; none if it is a wall.
pub(super) fn flat_triangle([a, b, c]: [Vec3; 3], on: &Platform) -> Option<Platform> {
    let flat = |at: Vec3| Vec2::new(at.x, at.z);
    let (ab, ac) = (flat(b - a), flat(c - a));
    let area = ab.perp_dot(ac);
    if area.abs() < 1e-6 {
        return None;
    }
    let (up_b, up_c) = (b.y - a.y, c.y - a.y);
    let slope = Vec2::new(up_b * ac.y - up_c * ab.y, up_c * ab.x - up_b * ac.x) / area + on.slope;
    let height = on.height_at(flat(a)) + a.y - slope.dot(flat(a));
    let outline = vec![flat(a), flat(b), flat(c)];
    Some(Platform { name: on.name.clone(), outline, height, slope })
}

/// What of a triangle lies on a platform.
pub(super) fn clipped(triangle: Platform, on: &Platform) -> impl Iterator<Item = Platform> {
    let whole = triangle.outline.iter().all(|corner| on.contains(*corner));
    let outlines = if whole {
        vec![triangle.outline.clone()]
    } else {
        let shape = |outline: &[Vec2]| polygon(outline.iter().copied());
        let pieces = shape(&triangle.outline).intersection(&shape(&on.outline));
        let corners = |piece: &Polygon<f32>| {
            let ring = piece.exterior().0.iter().skip(1);
            ring.map(|corner| Vec2::new(corner.x, corner.y)).collect()
        };
        pieces.iter().filter(|piece| piece.unsigned_area() > SPECK).map(corners).collect()
    };
    outlines.into_iter().map(move |outline| Platform { outline, ..triangle.clone() })
}

/// A piece of a triangle that is too steep to be walked on, seen from above.
#[derive(Clone, Debug)]
pub(super) struct SteepPiece {
    pub outline: Vec<Vec2>,
    pub bottom: f32,
    pub top: f32,
}

/// What is too steep of levels made of triangles: it stands in the way.
pub(super) fn steep_pieces(ground: &[GroundPatch], walker: &NavAgent) -> Vec<SteepPiece> {
    let mut found = Vec::new();
    for patch in ground {
        let Some(Terrain::Mesh(mesh)) = &patch.terrain else { continue };
        let surface = mesh.mesh();
        for triangle in 0..surface.triangles.len() {
            let lift = |at: Vec3| at + Vec3::Y * patch.platform.height_at(Vec2::new(at.x, at.z));
            let corners = surface.corners(triangle).map(lift);
            let walked = flat_triangle(surface.corners(triangle), &patch.platform)
                .is_some_and(|platform| platform.slope.length() <= walker.slope);
            if !walked {
                found.extend(cut(corners));
            }
        }
    }
    found
}

/// A triangle in pieces that are short in plan, so that each is about as high everywhere.
fn cut(corners: [Vec3; 3]) -> Vec<SteepPiece> {
    let flat = |at: Vec3| Vec2::new(at.x, at.z);
    let sides = [[0, 1], [1, 2], [2, 0]].map(|ends| ends.map(|end| corners[end]));
    let long = |side: &[Vec3; 2]| flat(side[0]).distance(flat(side[1]));
    let Some(longest) = sides.iter().max_by(|a, b| long(a).total_cmp(&long(b))) else {
        return Vec::new();
    };
    let from = flat(longest[0]);
    let along = (flat(longest[1]) - from).normalize_or(Vec2::X);
    let count = (long(longest) / (3.0 * PIECE)).ceil().clamp(1.0, 10_000.0);
    let at = |place: Vec3| (flat(place) - from).dot(along);
    let piece = |index: usize| {
        let [low, high] = [0.0, 1.0].map(|end| long(longest) * (index as f32 + end) / count);
        let mut kept: Vec<Vec3> = corners.to_vec();
        for (bound, sign) in [(low, 1.0), (high, -1.0)] {
            let inside = |place: Vec3| sign * (at(place) - bound);
            let before = std::mem::take(&mut kept);
            for here in 0..before.len() {
                let (a, b) = (before[here], before[(here + 1) % before.len()]);
                let (p, q) = (inside(a), inside(b));
                if p >= 0.0 {
                    kept.push(a);
                }
                if p * q < 0.0 {
                    kept.push(a.lerp(b, p / (p - q)));
                }
            }
        }
        let heights = || kept.iter().map(|place| place.y);
        let (bottom, top) = (heights().reduce(f32::min)?, heights().reduce(f32::max)?);
        let across = |place: &Vec3| (flat(*place) - from).perp_dot(along);
        let wide = kept.iter().map(across);
        let [near, far] = [f32::min, f32::max].map(|far| wide.clone().reduce(far).unwrap_or(0.0));
        let corner = |way: f32, aside: f32| from + way * along - aside * along.perp();
        let (near, far) = (near - OVERLAP, far + OVERLAP);
        let outline =
            vec![corner(low, near), corner(high, near), corner(high, far), corner(low, far)];
        Some(SteepPiece { outline, bottom, top })
    };
    (0..count as usize).filter_map(piece).collect()
}
