//! Triangles to pixels: which one is nearest where.

use glam::Vec2;
use rayon::prelude::*;

/// A triangle on the picture. The depth is linear across it; the larger, the nearer.
#[derive(Clone, Copy, Debug)]
pub(super) struct RasterTriangle {
    pub corners: [Vec2; 3],
    pub depth: [f32; 3],
}

/// No triangle.
pub(super) const NOTHING: u32 = u32::MAX;

/// For each pixel the nearest triangle.
#[derive(Clone, Debug)]
pub(super) struct Raster {
    pub depth: Vec<f32>,
    pub nearest: Vec<u32>,
}

/// Rows that one thread draws at a time.
const BAND: usize = 32;

impl Raster {
    pub fn new(width: usize, height: usize, facets: &[RasterTriangle]) -> Self {
        let count = width * height;
        let mut raster =
            Self { depth: vec![f32::NEG_INFINITY; count], nearest: vec![NOTHING; count] };
        let bands = raster.depth.par_chunks_mut(BAND * width);
        bands.zip(raster.nearest.par_chunks_mut(BAND * width)).enumerate().for_each(
            |(band, (depth, nearest))| {
                for (index, facet) in facets.iter().enumerate() {
                    fill(facet, index as u32, width, band * BAND, depth, nearest);
                }
            },
        );
        raster
    }
}

/// Draws one triangle into the rows of a band, the first of which is `top`.
fn fill(
    facet: &RasterTriangle,
    index: u32,
    width: usize,
    top: usize,
    depth: &mut [f32],
    nearest: &mut [u32],
) {
    let [a, b, c] = facet.corners;
    let area = (b - a).perp_dot(c - a);
    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
    let rows = depth.len() / width;
    // Pixels whose middle may be inside. Numbers that are none give an empty range.
    let first = Vec2::new((low.x - 0.5).ceil().max(0.0), (low.y - 0.5).ceil().max(top as f32));
    let last = Vec2::new(
        (high.x - 0.5).floor().min(width as f32 - 1.0),
        (high.y - 0.5).floor().min((top + rows) as f32 - 1.0),
    );
    if !(area.abs() > 1e-9 && first.x <= last.x && first.y <= last.y) {
        return;
    }
    let inverse = area.recip();
    // Shares of the second and the third corner, and how they grow from pixel to pixel.
    let step = Vec2::new(c.y - a.y, a.y - b.y) * inverse;
    for y in first.y as usize..=last.y as usize {
        let start = Vec2::new(first.x + 0.5, y as f32 + 0.5) - a;
        let mut share = Vec2::new(start.perp_dot(c - a), (b - a).perp_dot(start)) * inverse;
        for x in first.x as usize..=last.x as usize {
            if share.x >= 0.0 && share.y >= 0.0 && share.x + share.y <= 1.0 {
                let [p, q, r] = facet.depth;
                let found = p + share.x * (q - p) + share.y * (r - p);
                let pixel = (y - top) * width + x;
                if found > depth[pixel] {
                    depth[pixel] = found;
                    nearest[pixel] = index;
                }
            }
            share += step;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn inside([a, b, c]: [Vec2; 3], p: Vec2) -> bool {
        let sides = [(a, b), (b, c), (c, a)].map(|(from, to)| (to - from).perp_dot(p - from));
        sides.iter().all(|side| *side > 1e-2) || sides.iter().all(|side| *side < -1e-2)
    }

    fn corner() -> impl Strategy<Value = Vec2> {
        (-40.0f32..110.0, -40.0f32..110.0).prop_map(|(x, y)| Vec2::new(x, y))
    }

    proptest! {
        #[test]
        fn a_pixel_belongs_to_the_triangle_its_middle_is_in(a in corner(), b in corner(), c in corner()) {
            let facet = RasterTriangle { corners: [a, b, c], depth: [1.0, 2.0, 3.0] };
            let raster = Raster::new(70, 67, &[facet]);
            for y in 0..67 {
                for x in 0..70 {
                    let middle = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                    let drawn = raster.nearest[y * 70 + x] == 0;
                    if inside([a, b, c], middle) && (b - a).perp_dot(c - a).abs() > 1.0 {
                        prop_assert!(drawn, "{middle} in {a} {b} {c}");
                    }
                    if drawn {
                        let grown = [a, b, c].map(|corner| corner + 0.02 * (corner - (a + b + c) / 3.0));
                        let wide = (0.1 / (b - a).perp_dot(c - a).abs()).max(0.0);
                        prop_assert!(wide > 1e-4 || inside(grown, middle), "{middle} out of {a} {b} {c}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_nearest_triangle_is_seen_in_whatever_order() {
        let corners = [Vec2::new(0.0, 0.0), Vec2::new(20.0, 0.0), Vec2::new(0.0, 20.0)];
        let (near, far) = (
            RasterTriangle { corners, depth: [2.0; 3] },
            RasterTriangle { corners, depth: [1.0; 3] },
        );
        assert_eq!(Raster::new(10, 10, &[near, far]).nearest[33], 0);
        assert_eq!(Raster::new(10, 10, &[far, near]).nearest[33], 1);
        let odd = RasterTriangle { corners: [Vec2::NAN; 3], depth: [f32::NAN; 3] };
        assert!(Raster::new(10, 10, &[odd]).nearest.iter().all(|found| *found == NOTHING));
    }
}
