//! Bodies in their poses, which the graphics card bends: a frame sends joints, and no corners.

use andante_skeleton::{SkinnedMesh, Transform};
use eframe::egui::Color32;
use glam::{Mat3, Mat4, Vec3};
use std::sync::Arc;

/// The bodies of everybody in a picture.
#[derive(Clone, Debug, Default)]
pub struct ViewBodies {
    all: Vec<ViewBody>,
    /// What each joint does to what it carries: the three upper rows of a matrix, joint by joint, body by body.
    rows: Vec<[f32; 4]>,
}

/// A body in a pose.
#[derive(Clone, Debug)]
pub struct ViewBody {
    /// What it looks like.
    pub skin: Arc<SkinnedMesh>,
    /// The number of its first joint among those of everybody.
    pub first: usize,
    /// What its own colours are dyed with.
    pub dye: Color32,
}

impl ViewBodies {
    /// Adds a body in a pose. Its own colours are dyed.
    pub fn add(&mut self, skin: &Arc<SkinnedMesh>, models: &[Transform], dye: Color32) {
        let first = self.rows.len() / 3;
        let joints = models.iter().zip(&skin.inverse_binds);
        self.rows.extend(joints.flat_map(|(joint, bind)| carried(joint, bind)));
        self.all.push(ViewBody { skin: Arc::clone(skin), first, dye });
    }

    /// The bodies of everybody.
    pub fn all(&self) -> &[ViewBody] {
        &self.all
    }

    /// Three rows for each joint of everybody.
    pub fn rows(&self) -> &[[f32; 4]] {
        &self.rows
    }

    /// A point that a joint of everybody carries.
    pub fn carry(&self, joint: usize, point: Vec3) -> Vec3 {
        let row = |axis: usize| {
            let [x, y, z, by] = self.rows[3 * joint + axis];
            Vec3::new(x, y, z).dot(point) + by
        };
        Vec3::new(row(0), row(1), row(2))
    }

    /// The factor by which what a joint carries is longer than at binding, along the axis of the mesh where it is most.
    pub fn stretch(&self, joint: usize) -> f32 {
        let rows = &self.rows[3 * joint..3 * joint + 3];
        let axis = |axis: usize| rows.iter().map(|row| row[axis] * row[axis]).sum::<f32>();
        libm::sqrtf(axis(0).max(axis(1)).max(axis(2)))
    }
}

/// The upper rows of what takes a point from the mesh at binding into the world.
fn carried(joint: &Transform, bind: &Mat4) -> [[f32; 4]; 3] {
    let turn = Mat3::from_quat(joint.rotation) * Mat3::from_mat4(*bind);
    let moved = joint.rotation * bind.w_axis.truncate() + joint.translation;
    [0, 1, 2].map(|axis| {
        let row = turn.row(axis);
        [row.x, row.y, row.z, moved[axis]]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_skeleton::{capsule_body, humanoid, light_capsule_body};
    use glam::{Quat, vec3};

    /// Where the graphics card puts a corner of the body with a number.
    fn shown(bodies: &ViewBodies, number: usize, part: usize, vertex: usize) -> Vec3 {
        let body = &bodies.all()[number];
        let vertices = &body.skin.primitives[part].vertices;
        let joints = vertices.joints[vertex].iter().zip(vertices.weights[vertex]);
        joints
            .map(|(joint, weight)| {
                let joint = body.first + usize::from(*joint);
                weight * bodies.carry(joint, vertices.positions[vertex])
            })
            .sum()
    }

    #[test]
    fn everybody_is_where_the_skin_says_in_any_pose() {
        let human = humanoid();
        let skins = [capsule_body(&human.skeleton), light_capsule_body(&human.skeleton)];
        let skins = skins.map(Arc::new);
        let mut bodies = ViewBodies::default();
        let mut poses = Vec::new();
        for (number, skin) in skins.iter().cycle().take(5).enumerate() {
            let mut models = human.skeleton.rest_models();
            for (joint, model) in models.iter_mut().enumerate() {
                let angle = (0.7 * number as f32 + 0.3 * joint as f32).sin();
                model.rotation *= Quat::from_rotation_x(angle) * Quat::from_rotation_y(0.5 * angle);
                model.translation += vec3(number as f32, 0.1 * angle, -2.0);
            }
            bodies.add(skin, &models, Color32::WHITE);
            poses.push(models);
        }
        for (number, models) in poses.iter().enumerate() {
            let skin = Arc::clone(&bodies.all()[number].skin);
            for (part, primitive) in skin.primitives.iter().enumerate() {
                for vertex in 0..primitive.vertices.positions.len() {
                    let expected = skin.skin(&primitive.vertices, vertex, models);
                    let off = shown(&bodies, number, part, vertex).distance(expected);
                    assert!(off < 1e-4, "{number} {part} {vertex}: {off}");
                }
            }
        }
    }

    #[test]
    fn what_is_carried_is_stretched_as_much_as_it_says() {
        let mut bodies = ViewBodies::default();
        let scale = Mat4::from_scale(vec3(0.5, 2.0, 1.0));
        let skin = SkinnedMesh { inverse_binds: vec![scale], ..SkinnedMesh::default() };
        let turned = Transform::new(Quat::from_rotation_z(0.8), vec3(1.0, 2.0, 3.0));
        bodies.add(&Arc::new(skin), &[turned], Color32::WHITE);
        let longest = bodies.carry(0, Vec3::Y).distance(bodies.carry(0, Vec3::ZERO));
        assert!((longest - 2.0).abs() < 1e-5);
        assert!((bodies.stretch(0) - longest).abs() < 1e-5, "{}", bodies.stretch(0));
    }
}
