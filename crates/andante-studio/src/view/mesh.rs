//! Triangles to be seen.

use andante_skeleton::Transform;
use andante_world::TriangleMesh;
use eframe::egui::Color32;
use glam::{Quat, Vec3, vec3};
use std::f32::consts::TAU;
use std::sync::Arc;

/// Triangles with smooth normals and colours.
#[derive(Clone, Debug, Default)]
pub struct ViewMesh {
    /// Where corners are.
    pub positions: Vec<Vec3>,
    /// Which way their surface faces; of any length.
    pub normals: Vec<Vec3>,
    /// What colour they have.
    pub colors: Vec<[u8; 4]>,
    /// Three corners for each triangle, counter-clockwise seen from outside.
    pub indices: Vec<u32>,
}

/// A mesh that stays as it is, so that it is sent to the graphics card once.
pub type SolidMesh = Arc<ViewMesh>;

/// Corners around a thing that is round.
const ROUND: usize = 20;

/// A point of the level circle of radius 1.
fn on_circle(angle: f32) -> Vec3 {
    let (sin, cos) = libm::sincosf(angle);
    vec3(cos, 0.0, sin)
}

impl ViewMesh {
    /// Nothing is left of it, but the memory.
    pub fn clear(&mut self) {
        self.positions.clear();
        self.normals.clear();
        self.colors.clear();
        self.indices.clear();
    }

    /// The same, turned about the origin.
    pub fn turned(&self, turn: Quat) -> Self {
        let all = |vectors: &[Vec3]| vectors.iter().map(|vector| turn * *vector).collect();
        let (positions, normals) = (all(&self.positions), all(&self.normals));
        Self { positions, normals, colors: self.colors.clone(), indices: self.indices.clone() }
    }

    /// True if there is nothing to see.
    pub fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    /// The box around it; none around nothing.
    pub fn bounds(&self) -> Option<[Vec3; 2]> {
        let first = *self.positions.first()?;
        let grow = |[low, high]: [Vec3; 2], at: &Vec3| [low.min(*at), high.max(*at)];
        Some(self.positions.iter().fold([first, first], grow))
    }

    /// Adds a corner.
    fn corner(&mut self, at: Vec3, normal: Vec3, color: Color32) -> u32 {
        self.positions.push(at);
        self.normals.push(normal);
        self.colors.push(color.to_array());
        (self.positions.len() - 1) as u32
    }

    /// Adds a mesh that was moved.
    pub fn add_mesh(&mut self, mesh: &TriangleMesh, placement: &Transform, color: Color32) {
        let base = self.positions.len() as u32;
        let smooth = if mesh.normals.len() == mesh.positions.len() {
            None
        } else {
            Some(mesh.smooth_normals())
        };
        let normals = smooth.as_ref().unwrap_or(&mesh.normals);
        for (at, normal) in mesh.positions.iter().zip(normals) {
            self.corner(placement.transform_point(*at), placement.rotation * *normal, color);
        }
        self.indices.extend(mesh.triangles.iter().flatten().map(|corner| base + corner));
    }

    /// Adds a flat disc that faces a direction.
    pub fn add_disc(&mut self, at: Vec3, normal: Vec3, radius: f32, color: Color32) {
        let turn = Quat::from_rotation_arc(Vec3::Y, normal.normalize_or(Vec3::Y));
        let middle = self.corner(at, normal, color);
        for side in 0..ROUND {
            let angle = TAU * side as f32 / ROUND as f32;
            let rim = at + radius * (turn * on_circle(angle));
            self.corner(rim, normal, color);
        }
        for side in 0..ROUND as u32 {
            let next = (side + 1) % ROUND as u32;
            self.indices.extend([middle, middle + 1 + next, middle + 1 + side]);
        }
    }

    /// Adds a flat ring around a place.
    pub fn add_ring(&mut self, at: Vec3, radii: [f32; 2], color: Color32) {
        let base = self.positions.len() as u32;
        let sides = 2 * ROUND;
        for side in 0..sides {
            let angle = TAU * side as f32 / sides as f32;
            let way = on_circle(angle);
            self.corner(at + radii[0] * way, Vec3::Y, color);
            self.corner(at + radii[1] * way, Vec3::Y, color);
        }
        for side in 0..sides as u32 {
            let [a, b] = [2 * side, 2 * ((side + 1) % sides as u32)];
            self.indices.extend([a, b + 1, a + 1, a, b, b + 1].map(|corner| base + corner));
        }
    }

    /// Adds a flat ribbon along places.
    pub fn add_ribbon(&mut self, places: &[Vec3], width: f32, color: Color32) {
        for pair in places.windows(2) {
            let along = pair[1] - pair[0];
            let aside = 0.5 * width * along.cross(Vec3::Y).normalize_or(Vec3::X);
            let corners = [pair[0] - aside, pair[0] + aside, pair[1] + aside, pair[1] - aside];
            let base = corners.map(|at| self.corner(at, Vec3::Y, color))[0];
            self.indices.extend([0, 1, 2, 0, 2, 3].map(|corner| base + corner));
        }
    }

    /// Adds a rod from one place to another.
    pub fn add_rod(&mut self, ends: [Vec3; 2], radii: [f32; 2], color: Color32) {
        let along = (ends[1] - ends[0]).normalize_or(Vec3::Y);
        let turn = Quat::from_rotation_arc(Vec3::Y, along);
        let base = self.positions.len() as u32;
        for side in 0..ROUND {
            let angle = TAU * side as f32 / ROUND as f32;
            let way = turn * on_circle(angle);
            for end in 0..2 {
                self.corner(ends[end] + radii[end] * way, way, color);
            }
        }
        for side in 0..ROUND as u32 {
            let [a, b] = [2 * side, 2 * ((side + 1) % ROUND as u32)];
            self.indices.extend([a, a + 1, b + 1, a, b + 1, b].map(|corner| base + corner));
        }
    }

    /// Adds an arrow.
    pub fn add_arrow(&mut self, from: Vec3, to: Vec3, radius: f32, color: Color32) {
        let length = from.distance(to);
        if length < 1e-4 {
            return;
        }
        let head = (4.0 * radius).min(0.5 * length);
        let neck = to - head * (to - from) / length;
        self.add_rod([from, neck], [radius; 2], color);
        self.add_rod([neck, to], [2.4 * radius, 0.0], color);
        self.add_disc(neck, from - to, 2.4 * radius, color);
    }

    /// Adds a ball.
    pub fn add_ball(&mut self, at: Vec3, radius: f32, color: Color32) {
        let mesh = andante_take::ball_mesh(radius);
        self.add_mesh(&mesh, &Transform::from_translation(at), color);
    }

    /// Adds a flag on a pole.
    pub fn add_flag(&mut self, at: Vec3, color: Color32) {
        let top = at + 1.5 * Vec3::Y;
        self.add_rod([at, top], [0.018; 2], Color32::from_gray(90));
        let base = self.positions.len() as u32;
        for corner in [top, top - 0.32 * Vec3::Y, top + vec3(0.42, -0.16, 0.0)] {
            self.corner(corner, Vec3::Z, color);
        }
        self.indices.extend([0, 1, 2, 0, 2, 1].map(|corner| base + corner));
        self.add_ring(at + 0.012 * Vec3::Y, [0.22, 0.28], color);
    }
}

/// A level floor of tiles of a metre, so many to each side.
pub fn floor(tiles: i32) -> SolidMesh {
    let mut mesh = ViewMesh::default();
    for (x, z) in (-tiles..tiles).flat_map(|x| (-tiles..tiles).map(move |z| (x, z))) {
        let tone = if (x + z) % 2 == 0 { 0xa8 } else { 0x9e };
        let color = Color32::from_rgb(tone, tone - 3, tone - 12);
        let [x, z] = [x as f32 + 0.5, z as f32];
        mesh.add_ribbon(&[vec3(x, 0.0, z), vec3(x, 0.0, z + 1.0)], 1.0, color);
    }
    Arc::new(mesh)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six times the volume, by the divergence theorem: positive where faces look outwards.
    fn volume(mesh: &ViewMesh) -> f32 {
        let corner = |index: u32| mesh.positions[index as usize];
        let part = |f: &[u32]| corner(f[0]).dot(corner(f[1]).cross(corner(f[2])));
        mesh.indices.chunks_exact(3).map(part).sum()
    }

    #[test]
    fn what_is_drawn_faces_outwards() {
        let mut arrow = ViewMesh::default();
        arrow.add_arrow(vec3(0.1, 0.0, 0.2), vec3(1.0, 1.0, 0.0), 0.05, Color32::RED);
        assert!(volume(&arrow) > 0.0);
        let mut ball = ViewMesh::default();
        ball.add_ball(vec3(3.0, 1.0, 0.0), 0.5, Color32::RED);
        let expected = 6.0 * 4.0 / 3.0 * std::f32::consts::PI * 0.125;
        assert!((volume(&ball) / expected - 1.0).abs() < 0.2);
        let mut disc = ViewMesh::default();
        disc.add_disc(Vec3::Y, Vec3::Y, 1.0, Color32::RED);
        assert!(volume(&disc) > 0.0, "seen from above");
    }
}
