//! Things that move and are nobody: what was thrown, and platforms.

use andante_formats::Asset;
use andante_skeleton::{
    Clip, Joint, Material, Primitive, Skeleton, SkinnedMesh, Transform, Vertices,
};
use andante_world::TriangleMesh;
use glam::{Mat4, Vec2, Vec3};
use std::f32::consts::{PI, TAU};

/// The track of a rigid thing.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct RigidTrack {
    /// What it is called.
    pub name: String,
    /// Its surface, around its origin.
    pub mesh: TriangleMesh,
    /// Where it is drawn on a map, from above: a platform at each of its stops.
    pub outlines: Vec<Vec<Vec2>>,
    /// The frame from which on it is there.
    pub from: usize,
    /// Where it is in each frame since then.
    pub places: Vec<Transform>,
}

impl RigidTrack {
    /// A thing that is not there so far.
    pub fn new(name: &str, mesh: TriangleMesh) -> Self {
        Self { name: name.into(), mesh, ..Self::default() }
    }

    /// The place of the thing in a frame of the take; none before it comes.
    pub fn at(&self, frame: usize) -> Option<Transform> {
        let since = frame.checked_sub(self.from)?;
        self.places.get(since).or(self.places.last()).copied()
    }

    /// It as a thing with one joint and one motion of so many frames. Before it comes it waits where it will come from.
    pub(crate) fn asset(&self, frames: usize, fps: f32, paint: [f32; 4]) -> Option<Asset> {
        let first = *self.places.first()?;
        let skeleton = Skeleton::new(vec![Joint::new(&self.name, None, Vec3::ZERO)]).ok()?;
        let places = (0..frames).map(|frame| self.at(frame).unwrap_or(first)).collect();
        let clip = Clip::new(&self.name, &skeleton, fps, places).ok()?;
        let mesh = &self.mesh;
        let count = mesh.positions.len();
        let normals =
            if mesh.normals.is_empty() { mesh.smooth_normals() } else { mesh.normals.clone() };
        let vertices = Vertices {
            normals,
            joints: vec![[0; 4]; count],
            weights: vec![[1.0, 0.0, 0.0, 0.0]; count],
            positions: mesh.positions.clone(),
            ..Vertices::default()
        };
        let indices = mesh.triangles.as_flattened().to_vec();
        let paint = Material { name: "prop".into(), base_color: paint, ..Material::default() };
        let skin = SkinnedMesh {
            primitives: vec![Primitive { vertices, indices, material: Some(0) }],
            materials: vec![paint],
            inverse_binds: vec![Mat4::IDENTITY],
        };
        let mut asset = Asset::new(skeleton, vec![clip]);
        asset.mesh = Some(skin);
        Some(asset)
    }
}

/// A ball around the origin, of twenty corners around and ten rings from pole to pole.
pub fn ball_mesh(radius: f32) -> TriangleMesh {
    let (around, rings) = (20u32, 10u32);
    let mut mesh = TriangleMesh::default();
    for ring in 0..=rings {
        let (sin, cos) = libm::sincosf(PI * ring as f32 / rings as f32);
        for corner in 0..around {
            let (x, z) = libm::sincosf(TAU * corner as f32 / around as f32);
            let normal = Vec3::new(sin * x, cos, sin * z);
            mesh.positions.push(radius * normal);
            mesh.normals.push(normal);
        }
    }
    for ring in 0..rings {
        for corner in 0..around {
            let next = (corner + 1) % around;
            let [a, b] = [corner, next].map(|corner| ring * around + corner);
            let [c, d] = [a, b].map(|above| above + around);
            mesh.triangles.extend([[a, c, d], [a, d, b]]);
        }
    }
    mesh
}

/// A cube around the origin, by half the length of its sides.
pub fn cube_mesh(half: f32) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        for sign in [-1.0, 1.0] {
            let normal = sign * axis;
            let along = Vec3::new(normal.z, normal.x, normal.y);
            let across = normal.cross(along);
            let first = mesh.positions.len() as u32;
            for (u, v) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                mesh.positions.push(half * (normal + u * along + v * across));
                mesh.normals.push(normal);
            }
            mesh.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
        }
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The divergence theorem: faces that look outwards enclose a positive volume.
    #[test]
    fn faces_of_things_look_outwards_and_enclose_them() {
        let cubic = 0.3f32.powi(3);
        let round = 4.0 / 3.0 * PI * 0.2f32.powi(3);
        for (mesh, exact) in [(cube_mesh(0.15), cubic), (ball_mesh(0.2), round)] {
            let corner = |index: u32| mesh.positions[index as usize];
            let volume: f32 = mesh
                .triangles
                .iter()
                .map(|&[a, b, c]| corner(a).dot(corner(b).cross(corner(c))) / 6.0)
                .sum();
            assert!((0.9..1.001).contains(&(volume / exact)), "{volume} of {exact}");
        }
    }
}
