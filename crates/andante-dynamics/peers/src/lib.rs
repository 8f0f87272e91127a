//! The sample humanoid in Rapier.

use andante_dynamics::samples::humanoid;
use andante_dynamics::{Form, ModelError, Quat, Vec3};
use rapier3d::prelude::*;

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

/// The humanoid of the samples standing on level ground: same masses, inertias, springs, dampers, shapes and step.
/// Its shapes touch the ground and not each other.
pub fn standing(joints: Joints) -> Result<PhysicsWorld, ModelError> {
    let model = humanoid()?;
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::new(0.0, -9.81, 0.0);
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
    let mut places: Vec<Vec3<f64>> = Vec::new();
    for link in model.links() {
        let parent = link.parent.map(|p| places[p]).unwrap_or_default();
        let place = parent + link.origin;
        places.push(place);
        let moments = Vec3 { x: link.inertia.xx, y: link.inertia.yy, z: link.inertia.zz };
        let mass = MassProperties::new(vector(link.centre), link.mass as f32, vector(moments));
        let body = RigidBodyBuilder::dynamic()
            .translation(vector(place))
            .additional_mass_properties(mass)
            .can_sleep(false);
        let handle = world.insert_body(body);
        if let Some(parent) = link.parent {
            let mut joint = SphericalJointBuilder::new()
                .local_anchor1(vector(link.origin))
                .local_anchor2(Vector::ZERO)
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
        assert!(shape.rotation == Quat::identity(), "the humanoid's shapes are not turned");
        let collider = match shape.form {
            Form::Sphere { radius } => ColliderBuilder::ball(radius as f32),
            Form::Capsule { half_length, radius } => {
                ColliderBuilder::capsule_y(half_length as f32, radius as f32)
            }
            Form::Box { half } => {
                ColliderBuilder::cuboid(half.x as f32, half.y as f32, half.z as f32)
            }
        };
        let collider = collider
            .translation(vector(shape.origin))
            .density(0.0)
            .friction(shape.friction as f32)
            .collision_groups(groups(limb, floor));
        world.insert_collider(collider, Some(handles[shape.link]));
    }
    Ok(world)
}
