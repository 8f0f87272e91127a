//! What things look like, for pictures and files.

use super::{PlatformTrack, PropTrack};
use crate::PropForm;
use andante_formats::Asset;
use andante_skeleton::{
    Clip, Joint, Material, Primitive, Skeleton, SkinnedMesh, Transform, Vertices,
};
use andante_world::TriangleMesh;
use glam::{Mat4, Vec3};
use std::f32::consts::{PI, TAU};

/// Corners around a ball, and rings from pole to pole.
const AROUND: u32 = 20;
const RINGS: u32 = 10;

/// Linear colour of things.
const PAINT: [f32; 4] = [0.72, 0.16, 0.08, 1.0];

impl PropTrack {
    /// Where it is in a frame of the take: nowhere before it comes.
    pub fn at(&self, frame: usize) -> Option<Transform> {
        let since = frame.checked_sub(self.from)?;
        self.places.get(since).or(self.places.last()).copied()
    }

    /// Its surface, around its middle.
    pub fn mesh(&self) -> TriangleMesh {
        match self.form {
            PropForm::Ball { radius } => ball(radius as f32),
            PropForm::Cube { side } => cube(0.5 * side as f32),
        }
    }
}

impl PlatformTrack {
    /// It as a thing with one joint and one motion of so many frames. Before it comes it waits where it will come from.
    pub(super) fn asset(&self, frames: usize, fps: f32) -> Option<Asset> {
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
        let paint = Material { name: "prop".into(), base_color: PAINT, ..Material::default() };
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

fn ball(radius: f32) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    for ring in 0..=RINGS {
        let (sin, cos) = (PI * ring as f32 / RINGS as f32).sin_cos();
        for corner in 0..AROUND {
            let (x, z) = (TAU * corner as f32 / AROUND as f32).sin_cos();
            let normal = Vec3::new(sin * x, cos, sin * z);
            mesh.positions.push(radius * normal);
            mesh.normals.push(normal);
        }
    }
    for ring in 0..RINGS {
        for corner in 0..AROUND {
            let next = (corner + 1) % AROUND;
            let [a, b] = [corner, next].map(|corner| ring * AROUND + corner);
            let [c, d] = [a, b].map(|above| above + AROUND);
            mesh.triangles.extend([[a, c, d], [a, d, b]]);
        }
    }
    mesh
}

fn cube(half: f32) -> TriangleMesh {
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
        for (mesh, exact) in [(cube(0.15), cubic), (ball(0.2), round)] {
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
