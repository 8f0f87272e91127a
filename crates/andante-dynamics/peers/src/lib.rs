//! The built-in humanoid in Rapier.

use std::error::Error;
use std::sync::Arc;

use andante_body::{BodyModel, creature};
use andante_dynamics::{
    CollisionForm, ContactTerrain, LinkJoint, Model, PhysicsSettings, Quat, Simulation, Vec3,
};
use rapier3d::prelude::*;

/// The built-in humanoid, as both sides step it.
pub fn humanoid() -> Result<Arc<Model>, Box<dyn Error>> {
    let body = creature("humanoid")?;
    Ok(Arc::new(BodyModel::new(&body, &body.poses()[0], &PhysicsSettings::default())?.model))
}

/// How Rapier is to hold the links together.
#[derive(Clone, Copy, Debug)]
pub enum Joints {
    /// Reduced coordinates.
    Multibody,
    /// Impulses, in maximal coordinates.
    Impulse,
}

fn vector(v: Vec3<f64>) -> Vector {
    Vector::new(v.x as f32, v.y as f32, v.z as f32)
}

fn rotation(q: Quat<f64>) -> Rotation {
    Rotation::from_xyzw(q.x as f32, q.y as f32, q.z as f32, q.w as f32)
}

fn pose(place: Vec3<f64>, turn: Rotation) -> Pose {
    Pose::from_parts(vector(place), turn)
}

/// The built-in humanoid standing on level ground: same masses, inertias, springs, dampers, shapes and step.
/// Its shapes touch the ground and not each other.
pub fn standing(joints: Joints) -> Result<PhysicsWorld, Box<dyn Error>> {
    let model = humanoid()?;
    let rest = Simulation::<f64>::new(Arc::clone(&model), ContactTerrain::level(), PhysicsSettings::default())?;
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::new(0.0, PhysicsSettings::default().gravity.y as f32, 0.0);
    world.integration_parameters.dt = 0.002;
    let (floor, limb) = (Group::GROUP_1, Group::GROUP_2);
    let groups = |own, with| InteractionGroups::new(own, with, InteractionTestMode::And);
    world.insert_collider(
        ColliderBuilder::cuboid(50.0, 1.0, 50.0)
            .translation(Vector::new(0.0, -1.0, 0.0))
            .friction(0.8)
            .collision_groups(groups(floor, limb)),
        None,
    );
    let mut handles = Vec::new();
    for (index, link) in model.links().iter().enumerate() {
        let turned = rest.kinematics().rotation(index);
        let axes = [turned.x, turned.y, turned.z].map(vector);
        let turned = Rotation::from_mat3(&Matrix::from_cols(axes[0], axes[1], axes[2]));
        let (i, place) = (&link.inertia, rest.kinematics().position(&model, index));
        let column = |x: f64, y: f64, z: f64| vector(Vec3 { x, y, z });
        let inertia = Matrix::from_cols(
            column(i.xx, i.xy, i.xz),
            column(i.xy, i.yy, i.yz),
            column(i.xz, i.yz, i.zz),
        );
        let mass =
            MassProperties::with_inertia_matrix(vector(link.centre), link.mass as f32, inertia);
        let body = RigidBodyBuilder::dynamic()
            .pose(pose(place, turned))
            .additional_mass_properties(mass)
            .can_sleep(false);
        let handle = world.insert_body(body);
        if let Some(parent) = link.parent {
            assert!(link.joint == LinkJoint::Ball, "all joints of the humanoid are balls");
            // Springs pull towards the rest pose: there the two frames coincide.
            let own = Quat::read(&model.rest()[model.coordinate_range(index)]);
            let mut joint = SphericalJointBuilder::new()
                .local_frame1(pose(link.origin, rotation(link.rotation * own)))
                .local_frame2(pose(Vec3::default(), rotation(link.inner)))
                .contacts_enabled(false);
            for (axis, spring) in
                [JointAxis::AngX, JointAxis::AngY, JointAxis::AngZ].into_iter().zip(&link.axes)
            {
                joint = joint.motor_model(axis, MotorModel::ForceBased).motor_position(
                    axis,
                    0.0,
                    spring.stiffness as f32,
                    spring.damping as f32,
                );
            }
            match joints {
                Joints::Multibody => {
                    world.insert_multibody_joint(handles[parent], handle, joint);
                }
                Joints::Impulse => {
                    world.insert_impulse_joint(handles[parent], handle, joint);
                }
            }
        }
        handles.push(handle);
    }
    for shape in model.shapes() {
        let collider = match shape.form {
            CollisionForm::Sphere { radius } => ColliderBuilder::ball(radius as f32),
            CollisionForm::Capsule { half_length, radius } => {
                ColliderBuilder::capsule_y(half_length as f32, radius as f32)
            }
            CollisionForm::Box { half } => {
                ColliderBuilder::cuboid(half.x as f32, half.y as f32, half.z as f32)
            }
        };
        let collider = collider
            .position(pose(shape.origin, rotation(shape.rotation)))
            .density(0.0)
            .friction(shape.friction as f32)
            .collision_groups(groups(limb, floor));
        world.insert_collider(collider, Some(handles[shape.link]));
    }
    Ok(world)
}
