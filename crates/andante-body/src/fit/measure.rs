//! How large the parts of a mesh are.

use super::bone_frame;
use super::group::Groups;
use crate::RigidPlacement;
use crate::symmetry::{reflect, reflect_rotation};
use andante_skeleton::{Character, Skeleton, SkinnedMesh};
use glam::{DMat3, DQuat, DVec3, Mat4, Vec3};

/// A piece of skin: where it is at rest, how large, and the joint that carries most of it.
#[derive(Clone, Copy)]
pub(super) struct SkinPatch {
    pub center: DVec3,
    pub area: f64,
    pub joint: usize,
}

/// A box around the skin of a segment, in the model.
#[derive(Clone, Copy)]
pub(super) struct SkinBox {
    pub center: DVec3,
    pub half: DVec3,
    pub rotation: DQuat,
}

impl SkinBox {
    pub fn volume(&self) -> f64 {
        8.0 * self.half.x * self.half.y * self.half.z
    }
}

/// The triangles of a mesh that was checked against the skeleton, in the rest pose.
pub(super) fn surface(skeleton: &Skeleton, mesh: &SkinnedMesh) -> Vec<SkinPatch> {
    let skins: Vec<Mat4> = skeleton
        .rest_models()
        .iter()
        .zip(&mesh.inverse_binds)
        .map(|(rest, bind)| {
            Mat4::from_rotation_translation(rest.rotation, rest.translation) * *bind
        })
        .collect();
    let mut patches = Vec::new();
    for primitive in &mesh.primitives {
        let vertices = &primitive.vertices;
        let place = |vertex: usize| -> DVec3 {
            let carried = vertices.joints[vertex].iter().zip(&vertices.weights[vertex]);
            let sum: Vec3 = carried
                .map(|(joint, weight)| {
                    skins[usize::from(*joint)].transform_point3(vertices.positions[vertex])
                        * *weight
                })
                .sum();
            sum.as_dvec3()
        };
        let places: Vec<DVec3> = (0..vertices.positions.len()).map(place).collect();
        for triangle in primitive.indices.chunks_exact(3) {
            let corners = [triangle[0], triangle[1], triangle[2]].map(|index| index as usize);
            let [a, b, c] = corners.map(|corner| places[corner]);
            let area = 0.5 * (b - a).cross(c - a).length();
            if !(area > 0.0 && area.is_finite()) {
                continue;
            }
            patches.push(SkinPatch {
                center: (a + b + c) / 3.0,
                area,
                joint: strongest(
                    corners.map(|corner| (vertices.joints[corner], vertices.weights[corner])),
                ),
            });
        }
    }
    patches
}

/// The joint with the largest weight over the corners of a triangle.
fn strongest(corners: [([u16; 4], [f32; 4]); 3]) -> usize {
    let all = || corners.iter().flat_map(|(joints, weights)| joints.iter().zip(weights));
    let total = |joint: u16| -> f32 {
        all().filter(|(other, _)| **other == joint).map(|(_, weight)| *weight).sum()
    };
    let best = all()
        .map(|(joint, _)| *joint)
        .max_by(|a, b| total(*a).total_cmp(&total(*b)).then(b.cmp(a)));
    best.map_or(0, usize::from)
}

/// A box for each segment: as long as its skin along the bone; across it as wide as a box of the volume of an
/// elliptic cylinder with the same mean distances.
pub(super) fn boxes(
    character: &Character,
    rest: &[RigidPlacement],
    surface: &[SkinPatch],
    groups: &Groups,
) -> Vec<SkinBox> {
    let mut patches: Vec<Vec<SkinPatch>> = vec![Vec::new(); groups.joints.len()];
    for patch in surface {
        patches[groups.of_joint[patch.joint]].push(*patch);
    }
    let feet: Vec<usize> =
        character.rig.feet.iter().map(|foot| groups.of_joint[foot.ankle()]).collect();
    let size = groups.size;
    let fit = |(segment, patches): (usize, &Vec<SkinPatch>)| {
        let origin = rest[groups.joints[segment]].translation;
        let Some(mean) = mean(patches) else {
            // Nothing to measure: a ball of a bone.
            let half = DVec3::splat(0.02 * size);
            return SkinBox { center: origin, half, rotation: DQuat::IDENTITY };
        };
        let along = bone_box(patches, mean, bone_frame(mean - origin), size);
        if !feet.contains(&segment) {
            return along;
        }
        // Feet stand on the ground: their boxes are level, unless a foot is the end of a slanting leg.
        let level = level_box(patches, size);
        if level.volume() < 1.5 * along.volume() { level } else { along }
    };
    patches.iter().enumerate().map(fit).collect()
}

fn mean(patches: &[SkinPatch]) -> Option<DVec3> {
    let area: f64 = patches.iter().map(|patch| patch.area).sum();
    let sum: DVec3 = patches.iter().map(|patch| patch.center * patch.area).sum();
    (area > 0.0).then(|| sum / area)
}

/// As long as the skin along the bone, which is the rotation's y.
fn bone_box(patches: &[SkinPatch], mean: DVec3, rotation: DQuat, size: f64) -> SkinBox {
    let turn = DMat3::from_quat(rotation).transpose();
    let local = || patches.iter().map(|patch| (turn * (patch.center - mean), patch.area));
    let area: f64 = patches.iter().map(|patch| patch.area).sum();
    let low = local().fold(DVec3::MAX, |low, (p, _)| low.min(p));
    let high = local().fold(DVec3::MIN, |high, (p, _)| high.max(p));
    let squares: DVec3 = local().map(|(p, area)| p * p * area).sum::<DVec3>() / area;
    let extent = 0.5 * (high - low);
    let wide = std::f64::consts::FRAC_PI_2.sqrt();
    let across = |square: f64, extent: f64| (wide * square.sqrt()).min(extent);
    let half = DVec3::new(across(squares.x, extent.x), extent.y, across(squares.z, extent.z));
    let middle = DVec3::Y * 0.5 * (low.y + high.y);
    SkinBox {
        center: mean + rotation * middle,
        half: half.max(DVec3::splat(1e-3 * size)),
        rotation,
    }
}

/// All of the skin, along the axes of the world.
fn level_box(patches: &[SkinPatch], size: f64) -> SkinBox {
    let low = patches.iter().fold(DVec3::MAX, |low, patch| low.min(patch.center));
    let high = patches.iter().fold(DVec3::MIN, |high, patch| high.max(patch.center));
    let half = (0.5 * (high - low)).max(DVec3::splat(1e-3 * size));
    SkinBox { center: 0.5 * (low + high), half, rotation: DQuat::IDENTITY }
}

/// Boxes that are nearly mirror images become exactly so: how a surface is cut into triangles is not anatomy.
pub(super) fn symmetrise(boxes: &mut [SkinBox], partners: &[usize], size: f64) {
    for own in 0..boxes.len() {
        let other = partners[own];
        let (a, b) = (boxes[own], boxes[other]);
        let seen = reflect(b.center);
        let near = |a: DVec3, b: DVec3| a.distance(b) < 0.03 * size;
        if other < own || !near(a.center, seen) || !near(a.half, b.half) {
            continue;
        }
        let center = 0.5 * (a.center + seen);
        let half = 0.5 * (a.half + b.half);
        let mut rotation = a.rotation;
        if own == other {
            // Only turns about x look the same in the mirror.
            rotation = DQuat::from_xyzw(rotation.x, 0.0, 0.0, rotation.w).normalize();
        }
        boxes[own] = SkinBox { center, half, rotation };
        boxes[other] =
            SkinBox { center: reflect(center), half, rotation: reflect_rotation(rotation) };
    }
}
