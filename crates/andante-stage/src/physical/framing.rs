//! From the world into the frame of a simulation, which is turned about y and moved along the floor, and back.

use super::flesh::vector;
use andante_body::Prop;
use andante_dynamics::{Vec3 as Vector, vec3};
use andante_skeleton::{Planar, Transform};
use glam::{Vec2, Vec3};

/// Joints as they are seen from a frame.
pub(super) fn seen_from(frame: Planar, models: &[Transform]) -> Vec<Transform> {
    let back = frame.inverse().to_transform();
    models.iter().map(|model| back * *model).collect()
}

pub(super) fn seen_from_point(frame: Planar, point: Vec2) -> Vec2 {
    let at = frame.inverse().to_transform().transform_point(Vec3::new(point.x, 0.0, point.y));
    Vec2::new(at.x, at.z)
}

fn turned(v: Vector<f64>, by: f32) -> Vector<f64> {
    let v = glam::DQuat::from_rotation_y(f64::from(by)) * glam::DVec3::new(v.x, v.y, v.z);
    vec3(v.x, v.y, v.z)
}

fn moved(frame: Planar, prop: &Prop) -> Prop {
    let by = frame.heading;
    let about = glam::DQuat::from_rotation_y(f64::from(by));
    let t = prop.turned;
    let t = about * glam::DQuat::from_xyzw(t.x, t.y, t.z, t.w);
    let at = turned(prop.place, by);
    let shift = vector(Vec3::new(frame.position.x, 0.0, frame.position.y));
    Prop {
        place: at + shift,
        turned: andante_dynamics::Quat { x: t.x, y: t.y, z: t.z, w: t.w }.normalized(),
        velocity: turned(prop.velocity, by),
        spin: turned(prop.spin, by),
        ..prop.clone()
    }
}

pub(super) fn into_frame(frame: Planar, prop: &Prop) -> Prop {
    moved(frame.inverse(), prop)
}

pub(super) fn out_of_frame(frame: Planar, prop: &Prop) -> Prop {
    moved(frame, prop)
}
