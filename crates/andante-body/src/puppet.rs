//! A physical character as a skeleton with a skin, so that its motion can be kept and shown like any other.

use crate::{Body, BodySegment, Geometry, RigidPlacement, SolidShape, creature};
use andante_skeleton::{
    Character, Joint, Material, Primitive, Skeleton, SkeletonError, SkinnedMesh, Transform,
    Vertices,
};
use glam::{DVec3, Mat4, Quat, Vec3};

/// A skeleton whose joints are the segments of a body, and a skin made of their shapes.
#[derive(Clone, Debug)]
pub struct RigidPartsMesh {
    /// One joint per segment, at rest in the design pose.
    pub skeleton: Skeleton,
    /// The shapes.
    pub skin: SkinnedMesh,
    /// The segment of each joint: joints come depth first, segments in any order.
    pub segments: Vec<usize>,
}

/// Corners around a capsule or a sphere, and rings in each of its hemispheres.
const AROUND: usize = 16;
const RINGS: usize = 4;

impl RigidPartsMesh {
    /// The puppet of a body.
    pub fn new(body: &Body) -> Result<Self, SkeletonError> {
        let parents: Vec<Option<usize>> = body.parents().collect();
        let mut segments = Vec::with_capacity(parents.len());
        let mut waiting = vec![0];
        while let Some(next) = waiting.pop() {
            segments.push(next);
            waiting.extend((0..parents.len()).rev().filter(|&child| parents[child] == Some(next)));
        }
        let joint_of = |segment: usize| segments.iter().position(|&other| other == segment);
        let joint = |&index: &usize| {
            let segment = &body.segments()[index];
            Joint::new(&segment.name, parents[index].and_then(joint_of), segment.anchor.as_vec3())
        };
        let skeleton = Skeleton::new(segments.iter().map(joint).collect())?;
        let models = skeleton.rest_models();
        let mut primitive = Primitive { material: Some(0), ..Primitive::default() };
        for (joint, &segment) in segments.iter().enumerate() {
            let segment: &BodySegment = &body.segments()[segment];
            for shape in &segment.shapes {
                let bone = PuppetBone { joint: joint as u16, model: models[joint], shape };
                bone.cover(&mut primitive.vertices, &mut primitive.indices);
            }
        }
        let bind = |model: &Transform| {
            Mat4::from_rotation_translation(model.rotation, model.translation).inverse()
        };
        let material = Material {
            name: "body".into(),
            base_color: [0.62, 0.55, 0.47, 1.0],
            ..Material::default()
        };
        let skin = SkinnedMesh {
            primitives: vec![primitive],
            materials: vec![material],
            inverse_binds: models.iter().map(bind).collect(),
        };
        Ok(Self { skeleton, skin, segments })
    }

    /// The pose of the skeleton when the segments are placed so.
    ///
    /// # Panics
    /// If there are fewer placements than segments.
    pub fn pose(&self, placed: &[RigidPlacement]) -> Vec<Transform> {
        let local = |joint: usize| {
            let place = placed[self.segments[joint]];
            let place = match self.skeleton.parent(joint) {
                Some(parent) => placed[self.segments[parent]].inverse() * place,
                None => place,
            };
            let rotation = place.rotation.normalize();
            Transform::new(rotation.as_quat().normalize(), place.translation.as_vec3())
        };
        (0..self.segments.len()).map(local).collect()
    }
}

/// The skin of a character that is the puppet of a body that comes with the program; none for everybody else.
///
/// Repertoires and takes carry skeletons but no skins. This is how a kangaroo gets its own body back from them.
pub fn creature_skin(character: &Character) -> Option<SkinnedMesh> {
    let puppet = RigidPartsMesh::new(&creature(&character.name).ok()?).ok()?;
    let own = character.skeleton.joints();
    let alike = |(a, b): (&Joint, &Joint)| {
        a.name == b.name
            && a.parent == b.parent
            && a.rest.translation.abs_diff_eq(b.rest.translation, 1e-4)
    };
    let same =
        own.len() == puppet.skeleton.len() && own.iter().zip(puppet.skeleton.joints()).all(alike);
    same.then_some(puppet.skin)
}

/// One shape on one joint.
struct PuppetBone<'a> {
    joint: u16,
    model: Transform,
    shape: &'a SolidShape,
}

impl PuppetBone<'_> {
    fn cover(&self, vertices: &mut Vertices, indices: &mut Vec<u32>) {
        match self.shape.geometry {
            Geometry::Box { half } => self.cuboid(half, vertices, indices),
            Geometry::Capsule { radius, half_length } => {
                self.capsule(radius, half_length, vertices, indices);
            }
            Geometry::Sphere { radius } => self.capsule(radius, 0.0, vertices, indices),
        }
    }

    fn push(&self, vertices: &mut Vertices, point: DVec3, normal: DVec3) -> u32 {
        let turn: Quat = self.shape.rotation.as_quat();
        let local = self.shape.center.as_vec3() + turn * point.as_vec3();
        vertices.positions.push(self.model.transform_point(local));
        vertices
            .normals
            .push((self.model.rotation * turn * normal.as_vec3()).normalize_or(Vec3::Y));
        vertices.joints.push([self.joint, 0, 0, 0]);
        vertices.weights.push([1.0, 0.0, 0.0, 0.0]);
        vertices.positions.len() as u32 - 1
    }

    fn cuboid(&self, half: DVec3, vertices: &mut Vertices, indices: &mut Vec<u32>) {
        for side in [DVec3::X, DVec3::Y, DVec3::Z] {
            for sign in [-1.0, 1.0] {
                let normal = sign * side;
                // Two directions along the face that turn right-handed about its normal.
                let along = DVec3::new(normal.z, normal.x, normal.y);
                let across = normal.cross(along);
                let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
                let [a, b, c, d] = corners.map(|(u, v)| {
                    self.push(vertices, half * (normal + u * along + v * across), normal)
                });
                indices.extend([a, b, c, a, c, d]);
            }
        }
    }

    fn capsule(
        &self,
        radius: f64,
        half_length: f64,
        vertices: &mut Vertices,
        indices: &mut Vec<u32>,
    ) {
        let rows = 2 * (RINGS + 1);
        let mut first = Vec::with_capacity(rows);
        for row in 0..rows {
            // The lower hemisphere, then the upper one: both have a ring at the equator.
            let (ring, end) = if row <= RINGS { (row, -1.0) } else { (row - RINGS - 1, 1.0) };
            let part = ring as f64 / RINGS as f64 * std::f64::consts::FRAC_PI_2;
            let slope = if end < 0.0 { part - std::f64::consts::FRAC_PI_2 } else { part };
            first.push(vertices.positions.len() as u32);
            for corner in 0..AROUND {
                let turn = std::f64::consts::TAU * corner as f64 / AROUND as f64;
                let normal = DVec3::new(
                    libm::cos(slope) * libm::sin(turn),
                    libm::sin(slope),
                    libm::cos(slope) * libm::cos(turn),
                );
                self.push(vertices, radius * normal + end * half_length * DVec3::Y, normal);
            }
        }
        for pair in first.windows(2) {
            for corner in 0..AROUND as u32 {
                let next = (corner + 1) % AROUND as u32;
                let (a, b, c, d) =
                    (pair[0] + corner, pair[0] + next, pair[1] + next, pair[1] + corner);
                indices.extend([a, b, c, a, c, d]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CREATURES;
    use andante_skeleton::{Rig, humanoid};

    #[test]
    fn a_puppet_in_the_pose_of_its_body_has_its_segments_where_they_are() {
        for (name, _) in CREATURES {
            let body = creature(name).unwrap();
            let puppet = RigidPartsMesh::new(&body).unwrap();
            let placed = body.stand(&body.poses()[0]);
            let mut models = puppet.pose(&placed);
            let pose = models.clone();
            puppet.skeleton.local_to_model(&pose, &mut models);
            for (model, &segment) in models.iter().zip(&puppet.segments) {
                let expected = placed[segment].translation.as_vec3();
                assert!(model.translation.abs_diff_eq(expected, 1e-5), "{name}");
            }
            puppet.skin.validate(&puppet.skeleton).unwrap();
        }
    }

    #[test]
    fn characters_that_are_puppets_get_their_skin_back_and_others_do_not() {
        let puppet = RigidPartsMesh::new(&creature("kangaroo").unwrap()).unwrap();
        let rig =
            Rig { hips: 0, spine: Vec::new(), head: None, feet: Vec::new(), arms: Vec::new() };
        let skeleton = puppet.skeleton.clone();
        let kangaroo =
            Character { name: "kangaroo".into(), description: String::new(), skeleton, rig };
        assert_eq!(creature_skin(&kangaroo), Some(puppet.skin));
        assert_eq!(creature_skin(&humanoid()), None);
        assert_eq!(creature_skin(&Character { name: "dog".into(), ..kangaroo }), None);
    }

    /// The divergence theorem: faces that look outwards enclose a positive volume, the shapes' own.
    #[test]
    fn faces_look_outwards_and_enclose_the_shapes() {
        let body = creature("dog").unwrap();
        let puppet = RigidPartsMesh::new(&body).unwrap();
        let part = &puppet.skin.primitives[0];
        let corner = |index: u32| part.vertices.positions[index as usize].as_dvec3();
        let volume: f64 = part
            .indices
            .chunks_exact(3)
            .map(|face| corner(face[0]).dot(corner(face[1]).cross(corner(face[2]))) / 6.0)
            .sum();
        let shapes = body.segments().iter().flat_map(|segment| &segment.shapes);
        let exact: f64 = shapes.map(|shape| shape.geometry.volume()).sum();
        assert!((0.9..1.01).contains(&(volume / exact)), "{volume} of {exact}");
    }
}
