//! What leads down from the rims of platforms: risers and the edges of slabs.

use andante_world::GroundPatch;
use glam::{Vec2, Vec3};

/// Whatever lies lower than this below a rim, in metres, is not joined to it by a wall: one may walk below.
const TALLEST: f32 = 0.45;

/// How thick ground is where nothing is close below its rim, in metres.
const SLAB: f32 = 0.05;

/// How long the pieces of a wall are, in metres.
const PIECE: f32 = 0.25;

/// Walls of a patch. `below` is the highest ground at a place that is not above a height.
pub(crate) fn triangles(
    patch: &GroundPatch,
    below: impl Fn(Vec2, f32) -> Option<f32>,
) -> Vec<[Vec3; 3]> {
    let outline = &patch.platform.outline;
    let mut found = Vec::new();
    let height = |place: Vec2| {
        let above = patch.terrain.as_ref().and_then(|terrain| terrain.height_at(place));
        patch.platform.height_at(place) + above.unwrap_or(0.0)
    };
    for (index, &a) in outline.iter().enumerate() {
        let b = outline[(index + 1) % outline.len()];
        let out = (b - a).perp().normalize_or_zero() * 0.01;
        let pieces = (a.distance(b) / PIECE).ceil().clamp(1.0, 4096.0) as usize;
        for piece in 0..pieces {
            let [from, to] =
                [piece, piece + 1].map(|piece| a.lerp(b, piece as f32 / pieces as f32));
            let middle = from.midpoint(to);
            let rim = height(middle);
            // The ground beside the rim: on the side where this patch is not.
            let beside =
                if patch.platform.contains(middle + out) { middle - out } else { middle + out };
            let drop = below(beside, rim + 0.005).map_or(f32::INFINITY, |level| rim - level);
            if drop < 0.005 {
                continue;
            }
            let drop = if drop <= TALLEST { drop } else { SLAB };
            let at = |place: Vec2, down: f32| Vec3::new(place.x, height(place) - down, place.y);
            let [high, low] = [0.0, drop].map(|down| [at(from, down), at(to, down)]);
            found.extend([[high[0], high[1], low[1]], [high[0], low[1], low[0]]]);
        }
    }
    found
}
