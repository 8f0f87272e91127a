//! A body for any skeleton, from nothing but its rest pose.

mod anatomy;
mod details;
mod envelope;
mod hull;
mod knots;
mod parts;
mod settings;
mod surface;

use crate::{Material, Primitive, Side, Skeleton, SkinnedMesh};
use anatomy::Anatomy;
use glam::Mat4;
use surface::GrowingMesh;

pub use envelope::{BodyCapsules, body_capsules};
pub use settings::CapsuleSettings;

/// All sides, in the order of their numbers.
const SIDES: [Side; 3] = [Side::Left, Side::Right, Side::Middle];

/// A mannequin: rounded, tapered parts around the bones of the rest pose.
///
/// Limbs get thinner outwards. Where several bones meet, one part spans them all, so that hips,
/// chest, palms and feet are solid. Parts are stiff, each carried by the joint at its upper end, and
/// meet in spheres around the joints, so that no gap opens when these bend.
///
/// The surface is smooth; left and right are tinted a little, for the eye to tell them apart. The
/// mesh is in the space of the rest pose. Any skeleton has a body, also a single joint.
pub fn capsule_body(skeleton: &Skeleton) -> SkinnedMesh {
    CapsuleSettings::default().body(skeleton)
}

/// The same with a quarter of the triangles, for machines without a graphics card.
pub fn light_capsule_body(skeleton: &Skeleton) -> SkinnedMesh {
    body(skeleton, GrowingMesh::LIGHT, &CapsuleSettings::default())
}

fn body(skeleton: &Skeleton, detail: [usize; 2], shape: &CapsuleSettings) -> SkinnedMesh {
    let anatomy = Anatomy::new(skeleton, shape);
    let detail = if skeleton.len() > shape.coarse_above { GrowingMesh::COARSE } else { detail };
    let mut surfaces = SIDES.map(|_| GrowingMesh::new(detail));
    for part in anatomy.parts() {
        surfaces[part.side as usize].add(&part.balls);
    }
    let mut mesh = SkinnedMesh::default();
    for (side, surface) in SIDES.into_iter().zip(surfaces) {
        if !surface.indices.is_empty() {
            let material = Some(mesh.materials.len());
            mesh.materials.push(material_of(side));
            let GrowingMesh { vertices, indices, .. } = surface;
            mesh.primitives.push(Primitive { vertices, indices, material });
        }
    }
    mesh.inverse_binds = skeleton
        .rest_models()
        .iter()
        .map(|rest| {
            let inverse = rest.inverse();
            Mat4::from_rotation_translation(inverse.rotation, inverse.translation)
        })
        .collect();
    mesh
}

fn material_of(side: Side) -> Material {
    let (name, [r, g, b]) = match side {
        Side::Middle => ("body", [0.62, 0.60, 0.57]),
        Side::Left => ("left", [0.43, 0.55, 0.66]),
        Side::Right => ("right", [0.66, 0.53, 0.42]),
    };
    Material {
        name: name.to_owned(),
        base_color: [r, g, b, 1.0],
        roughness: 0.7,
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Joint, Transform};
    use glam::{Quat, Vec3};
    use proptest::prelude::*;

    /// Name, parent and position in the world.
    type Plan<'a> = &'a [(&'a str, usize, [f32; 3])];

    fn skeleton(plan: Plan, scale: f32) -> Skeleton {
        let place = |index: usize| Vec3::from(plan[index].2) * scale;
        let joints = plan.iter().enumerate().map(|(index, &(name, parent, _))| match index {
            0 => Joint::new(name, None, place(0)),
            _ => Joint::new(name, Some(parent), place(index) - place(parent)),
        });
        Skeleton::new(joints.collect()).unwrap()
    }

    /// With joints at one place, as captured skeletons have them.
    const PERSON: Plan = &[
        ("hips", 0, [0.0, 1.0, 0.0]),
        ("hip_l", 0, [0.0, 1.0, 0.0]),
        ("thigh_l", 1, [0.1, 0.9, 0.0]),
        ("shin_l", 2, [0.1, 0.5, 0.0]),
        ("foot_l", 3, [0.1, 0.08, 0.0]),
        ("toe_l", 4, [0.1, 0.02, 0.15]),
        ("hip_r", 0, [0.0, 1.0, 0.0]),
        ("thigh_r", 6, [-0.1, 0.9, 0.0]),
        ("shin_r", 7, [-0.1, 0.5, 0.0]),
        ("foot_r", 8, [-0.1, 0.08, 0.0]),
        ("toe_r", 9, [-0.1, 0.02, 0.15]),
        ("back", 0, [0.0, 1.15, 0.0]),
        ("chest", 11, [0.0, 1.35, 0.0]),
        ("collar_l", 12, [0.05, 1.45, 0.0]),
        ("arm_l", 13, [0.18, 1.45, 0.0]),
        ("forearm_l", 14, [0.45, 1.45, 0.0]),
        ("hand_l", 15, [0.7, 1.45, 0.0]),
        ("finger_l", 16, [0.85, 1.45, 0.0]),
        ("collar_r", 12, [-0.05, 1.45, 0.0]),
        ("arm_r", 18, [-0.18, 1.45, 0.0]),
        ("forearm_r", 19, [-0.45, 1.45, 0.0]),
        ("hand_r", 20, [-0.7, 1.45, 0.0]),
        ("finger_r", 21, [-0.85, 1.45, 0.0]),
        ("neck", 12, [0.0, 1.5, 0.0]),
        ("head", 23, [0.0, 1.6, 0.0]),
    ];

    /// How often the surface goes round a point: 0 outside. The sum of the solid angles of the
    /// triangles (Van Oosterom and Strackee, 1983) over 4π.
    fn winding(mesh: &SkinnedMesh, point: Vec3) -> f32 {
        let mut sum = 0.0;
        for part in &mesh.primitives {
            for triangle in part.indices.chunks_exact(3) {
                let [a, b, c] = [0, 1, 2].map(|corner| {
                    (part.vertices.positions[triangle[corner] as usize] - point).as_dvec3()
                });
                let (la, lb, lc) = (a.length(), b.length(), c.length());
                let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
                sum += 2.0 * a.dot(b.cross(c)).atan2(below);
            }
        }
        (sum / (4.0 * std::f64::consts::PI)) as f32
    }

    /// Distance from a point of a body to the skin along a direction, in steps of a millimetre.
    fn depth(mesh: &SkinnedMesh, point: [f32; 3], direction: Vec3) -> f32 {
        let at = |step: u32| Vec3::from(point) + direction * (step as f32 * 1e-3);
        let steps = (0..1000).find(|&step| winding(mesh, at(step)) < 0.5);
        steps.unwrap_or(1000) as f32 * 1e-3
    }

    #[test]
    fn trunk_of_a_person_is_solid_and_thicker_than_limbs() {
        let body = capsule_body(&skeleton(PERSON, 1.0));
        // Between the hips and between the shoulders, where bones leave gaps.
        for point in [[0.0, 0.93, 0.0], [0.05, 1.1, 0.0], [0.0, 1.42, 0.0], [0.1, 1.4, 0.0]] {
            assert!(winding(&body, Vec3::from(point)) > 0.5, "{point:?}");
        }
        let thickness = |point: [f32; 3]| depth(&body, point, Vec3::Z);
        let waist = thickness([0.0, 1.15, 0.0]);
        let thigh = thickness([0.1, 0.75, 0.0]);
        let shin = thickness([0.1, 0.25, 0.0]);
        let arm = thickness([0.3, 1.45, 0.0]);
        let wrist = thickness([0.69, 1.45, 0.0]);
        let finger = thickness([0.84, 1.45, 0.0]);
        assert!(waist > thigh && thigh > shin && shin > finger, "{waist} {thigh} {shin} {finger}");
        assert!(thigh > arm && arm > wrist && wrist > finger, "{thigh} {arm} {wrist} {finger}");
        assert!((0.07..0.14).contains(&waist) && finger < 0.025, "{waist} {finger}");
        let wide = depth(&body, [0.0, 1.35, 0.0], Vec3::X);
        assert!(wide > 1.4 * thickness([0.0, 1.35, 0.0]), "a chest is wider than deep");
    }

    #[test]
    fn left_and_right_are_mirror_images_in_different_tints() {
        let body = capsule_body(&skeleton(PERSON, 1.0));
        let names: Vec<_> = body.materials.iter().map(|material| material.name.as_str()).collect();
        assert_eq!(names, ["left", "right", "body"]);
        let bounds = |part: usize| {
            let positions = &body.primitives[part].vertices.positions;
            let low = positions.iter().copied().reduce(Vec3::min).unwrap();
            (low, positions.iter().copied().reduce(Vec3::max).unwrap())
        };
        let ((low_l, high_l), (low_r, high_r)) = (bounds(0), bounds(1));
        assert!(low_l.x > 0.0 && high_r.x < 0.0);
        assert!((low_l.x + high_r.x).abs() < 2e-3 && (high_l.x + low_r.x).abs() < 2e-3);
    }

    #[test]
    fn size_of_the_body_follows_the_skeleton() {
        let small = capsule_body(&skeleton(PERSON, 1.0));
        let large = capsule_body(&skeleton(PERSON, 100.0));
        for (a, b) in small.primitives.iter().zip(&large.primitives) {
            let pairs = a.vertices.positions.iter().zip(&b.vertices.positions);
            let off = pairs.filter(|(a, b)| a.distance(**b / 100.0) > 1e-3).count();
            assert!(off * 100 < a.vertices.positions.len(), "{off}");
        }
    }

    #[test]
    fn a_root_on_the_ground_is_not_a_bone() {
        let mut plan = vec![("root", 0, [0.0, 0.0, 0.0])];
        plan.extend(PERSON.iter().enumerate().map(|(index, &(name, parent, place))| {
            (name, if index == 0 { 0 } else { parent + 1 }, place)
        }));
        let body = capsule_body(&skeleton(&plan, 1.0));
        assert!(winding(&body, Vec3::new(0.0, 0.4, 0.0)) < 0.5);
        assert!(body.primitives.iter().all(|p| p.vertices.joints.iter().all(|j| j[0] != 0)));
        let pole = skeleton(&[("base", 0, [0.0; 3]), ("top", 0, [0.0, 1.0, 0.0])], 1.0);
        assert!(winding(&capsule_body(&pole), Vec3::new(0.0, 0.4, 0.0)) > 0.5);
    }

    #[test]
    fn bending_a_knee_leaves_no_gap() {
        let skeleton = skeleton(PERSON, 1.0);
        let mut body = capsule_body(&skeleton);
        let mut pose = crate::Pose::rest(&skeleton);
        pose[3] = Transform { rotation: Quat::from_rotation_x(1.8), ..pose[3] };
        let mut models = skeleton.rest_models();
        skeleton.local_to_model(&pose, &mut models);
        let posed: Vec<Vec<Vec3>> = body
            .primitives
            .iter()
            .map(|p| {
                (0..p.vertices.positions.len())
                    .map(|v| body.skin(&p.vertices, v, &models))
                    .collect()
            })
            .collect();
        for (part, positions) in body.primitives.iter_mut().zip(posed) {
            part.vertices.positions = positions;
        }
        assert!(winding(&body, models[3].translation + Vec3::Z * 0.03) > 0.5);
    }

    #[test]
    fn odd_skeletons_have_bodies() {
        let chain = |count: usize, step: f32| {
            let joints = (0..count).map(|index| {
                let parent = index.checked_sub(1);
                Joint::new(format!("j{index}"), parent, Vec3::Y * step)
            });
            Skeleton::new(joints.collect()).unwrap()
        };
        let star = |count: usize| {
            let spokes = (1..count).map(|index| {
                let (s, c) = (index as f32).sin_cos();
                Joint::new(format!("j{index}"), Some(0), Vec3::new(c, 0.1, s))
            });
            let hub = Joint::new("hub", None, Vec3::ZERO);
            Skeleton::new(std::iter::once(hub).chain(spokes).collect()).unwrap()
        };
        let skeletons =
            [chain(1, 1.0), chain(5, 0.0), chain(300, 0.05), chain(300, 1e-6), star(9), star(2000)];
        for skeleton in skeletons {
            let body = capsule_body(&skeleton);
            body.validate(&skeleton).unwrap();
            assert!(!body.primitives.is_empty(), "{} joints", skeleton.len());
        }
    }

    proptest! {
        #[test]
        fn any_skeleton_has_a_valid_body_around_it(
            plan in proptest::collection::vec((0usize..40, (-4i8..5, -4i8..5, -4i8..5), 0u8..4), 1..40),
        ) {
            // Depth first: each joint hangs on some joint of the chain before it.
            let mut joints = Vec::new();
            let mut chain = Vec::new();
            for (index, &(up, (x, y, z), kind)) in plan.iter().enumerate() {
                chain.truncate(chain.len().saturating_sub(up % 4).max(1));
                let offset = Vec3::new(x.into(), y.into(), z.into()) * 0.1;
                let name = ["head", "LeftArm", "x", "neck_r"][usize::from(kind)];
                let mut joint = Joint::new(format!("{name}{index}"), chain.last().copied(), offset);
                joint.tip = (kind == 2).then_some(offset);
                joints.push(joint);
                chain.push(index);
            }
            let skeleton = Skeleton::new(joints).unwrap();
            let body = capsule_body(&skeleton);
            prop_assert_eq!(body.validate(&skeleton), Ok(()));
            let (low, high) = skeleton.rest_bounds();
            let size = (high - low).max_element().max(0.5);
            for part in &body.primitives {
                for (position, normal) in part.vertices.positions.iter().zip(&part.vertices.normals) {
                    prop_assert!(normal.is_normalized());
                    prop_assert!(position.cmpge(low - size * 0.3).all());
                    prop_assert!(position.cmple(high + size * 0.3).all());
                }
            }
        }
    }
}
