//! The convex hull of spheres as a mesh.

use super::surface::Ball;
use glam::Vec3;
use std::collections::HashMap;

/// Triangles of the unit sphere.
pub(super) struct UnitSphere {
    directions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl UnitSphere {
    /// An octahedron whose edges are divided into `divisions`, blown up.
    pub fn new(divisions: usize) -> Self {
        let mut places: HashMap<[i32; 3], u32> = HashMap::new();
        let mut directions = Vec::new();
        let mut triangles = Vec::new();
        let n = divisions as i32;
        for signs in 0..8 {
            let [x, y, z] = [0, 1, 2].map(|axis| if signs >> axis & 1 == 0 { 1 } else { -1 });
            let mut vertex = |i: i32, j: i32| {
                let place = [x * i, y * j, z * (n - i - j)];
                *places.entry(place).or_insert_with(|| {
                    directions.push(Vec3::from(place.map(|value| value as f32)).normalize());
                    directions.len() as u32 - 1
                })
            };
            // Odd numbers of negative axes turn triangles inside out.
            let mut add = |a: u32, b: u32, c: u32| {
                triangles.push(if x * y * z > 0 { [a, b, c] } else { [a, c, b] });
            };
            for i in 0..n {
                for j in 0..n - i {
                    add(vertex(i, j), vertex(i + 1, j), vertex(i, j + 1));
                    if i + j < n - 1 {
                        add(vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1));
                    }
                }
            }
        }
        Self { directions, triangles }
    }
}

/// A hull while it is built.
///
/// The surface of a hull of spheres is known by its normals: the point with normal `n` is that of
/// the sphere that reaches farthest along `n`. So a mesh of the unit sphere, every vertex moved to
/// that point, is the hull. Triangles whose corners go to different spheres are cut where two spheres
/// reach equally far, and a strip from one to the other is put into the cut; its normals are exact on
/// both sides, which makes coarse meshes look smooth.
pub(super) struct Hull<'a> {
    balls: &'a [Ball],
    sphere: &'a UnitSphere,
    /// Ball of each direction.
    owners: Vec<usize>,
    /// Ball and normal of each vertex; the first ones belong to the directions of the sphere.
    pub vertices: Vec<(usize, Vec3)>,
    /// Triangles.
    pub indices: Vec<u32>,
    /// Vertices on cuts, by the edge of the sphere that is cut and the ball they are on.
    cuts: HashMap<(u32, u32, usize), u32>,
}

impl<'a> Hull<'a> {
    /// The hull of at least one ball.
    pub fn new(balls: &'a [Ball], sphere: &'a UnitSphere) -> Self {
        let farthest = |normal: Vec3| {
            let reach = |ball: &Ball| ball.center.dot(normal) + ball.radius;
            let first_best = |best: usize, other: usize| {
                if reach(&balls[other]) > reach(&balls[best]) { other } else { best }
            };
            (1..balls.len()).fold(0, first_best)
        };
        let owners: Vec<_> = sphere.directions.iter().map(|&normal| farthest(normal)).collect();
        let vertices = owners.iter().copied().zip(sphere.directions.iter().copied()).collect();
        let cuts = HashMap::new();
        let mut hull = Self { balls, sphere, owners, vertices, indices: Vec::new(), cuts };
        for &[p, q, s] in &sphere.triangles {
            let [a, b, c] = [p, q, s].map(|corner| hull.owners[corner as usize]);
            match (a == b, b == c, c == a) {
                (true, true, _) => hull.indices.extend([p, q, s]),
                (true, ..) => hull.cut_off(p, q, s),
                (_, true, _) => hull.cut_off(q, s, p),
                (.., true) => hull.cut_off(s, p, q),
                _ => hull.cut_apart(p, q, s),
            }
        }
        hull
    }

    /// A triangle with `p` and `q` on one ball and `s` on another.
    fn cut_off(&mut self, p: u32, q: u32, s: u32) {
        let [near_p, far_p] = self.cut(p, s);
        let [near_q, far_q] = self.cut(q, s);
        self.indices.extend([p, q, near_q, p, near_q, near_p]);
        self.indices.extend([near_p, near_q, far_q, near_p, far_q, far_p]);
        self.indices.extend([far_p, far_q, s]);
    }

    /// A triangle with each corner on a ball of its own: the flat face between three balls.
    fn cut_apart(&mut self, p: u32, q: u32, s: u32) {
        let corners = [p, q, s];
        let cuts = [[p, q], [q, s], [s, p]].map(|[from, to]| self.cut(from, to));
        let normals = cuts.map(|[vertex, _]| self.vertices[vertex as usize].1);
        let middle = normals.iter().sum::<Vec3>().normalize_or(normals[0]);
        let face = corners.map(|corner| {
            self.vertices.push((self.owners[corner as usize], middle));
            self.vertices.len() as u32 - 1
        });
        for side in 0..3 {
            let next = (side + 1) % 3;
            let [here, there] = cuts[side];
            let [_, before] = cuts[(side + 2) % 3];
            let corner = corners[side];
            self.indices.extend([corner, here, face[side], corner, face[side], before]);
            self.indices.extend([face[side], here, there, face[side], there, face[next]]);
        }
        self.indices.extend(face);
    }

    /// The vertices on both balls where an edge of the sphere passes from one to the other: the one
    /// on the ball of `from`, then the one on the ball of `to`.
    fn cut(&mut self, from: u32, to: u32) -> [u32; 2] {
        let edge = (from.min(to), from.max(to));
        let [first, second] = [edge.0, edge.1].map(|end| self.owners[end as usize]);
        let normal = match self.cuts.get(&(edge.0, edge.1, first)) {
            Some(&vertex) => self.vertices[vertex as usize].1,
            None => self.common_normal(edge, &self.balls[first], &self.balls[second]),
        };
        [from, to].map(|end| {
            let owner = self.owners[end as usize];
            *self.cuts.entry((edge.0, edge.1, owner)).or_insert_with(|| {
                self.vertices.push((owner, normal));
                self.vertices.len() as u32 - 1
            })
        })
    }

    /// The direction on an edge in which two balls reach equally far.
    fn common_normal(&self, edge: (u32, u32), first: &Ball, second: &Ball) -> Vec3 {
        let [start, end] = [edge.0, edge.1].map(|end| self.sphere.directions[end as usize]);
        let offset = first.center - second.center;
        let lead = |normal: Vec3| normal.dot(offset) + first.radius - second.radius;
        let at = |share: f32| start.lerp(end, share).normalize();
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..20 {
            let middle = 0.5 * (low + high);
            if lead(at(middle)) > 0.0 { low = middle } else { high = middle }
        }
        at(0.5 * (low + high))
    }
}
