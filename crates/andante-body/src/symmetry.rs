//! Whether the sides of a body are mirror images.

use crate::{BodyError, BodyJoint, BodyParts, BodySegment};
use glam::{DMat3, DQuat, DVec3};

/// Partners are mutual, hang on partners, and are mirror images in mass, place and joint. A segment in
/// the middle is its own mirror image. Mirrored motion is exact because this is.
pub(crate) fn check(parts: &BodyParts) -> Result<(), BodyError> {
    let Some(partners) = &parts.partners else { return Ok(()) };
    let name = |segment: usize| match parts.segments.get(segment) {
        Some(segment) => segment.name.clone(),
        None => segment.to_string(),
    };
    for (index, segment) in parts.segments.iter().enumerate() {
        let wrong = |other: usize, what| Err(BodyError::Pair(name(index), name(other), what));
        let Some(&partner) = partners.get(index) else {
            return wrong(index, "the table of partners is too short");
        };
        let Some(other) = parts.segments.get(partner) else {
            return wrong(partner, "one of them does not exist");
        };
        if partners.get(partner) != Some(&index) {
            return wrong(partner, "not mutually");
        }
        if let (Some(a), Some(b)) = (&segment.joint, &other.joint)
            && partners.get(a.parent) != Some(&b.parent)
        {
            return wrong(partner, "their parents are not");
        }
        if let Some(what) = difference(segment, other) {
            return wrong(partner, what);
        }
    }
    Ok(())
}

/// The vector seen in the mirror.
pub(crate) fn reflect(v: DVec3) -> DVec3 {
    DVec3::new(-v.x, v.y, v.z)
}

/// The rotation seen in the mirror.
pub(crate) fn reflect_rotation(q: DQuat) -> DQuat {
    DQuat::from_xyzw(q.x, -q.y, -q.z, q.w)
}

fn difference(a: &BodySegment, b: &BodySegment) -> Option<&'static str> {
    let mirror = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
    let inertia = mirror * a.mass.inertia * mirror - b.mass.inertia;
    let scale = a.mass.inertia.x_axis.x + a.mass.inertia.y_axis.y + a.mass.inertia.z_axis.z;
    if !near(a.mass.mass, b.mass.mass) {
        Some("their masses differ")
    } else if !reflect(a.anchor).abs_diff_eq(b.anchor, 1e-6) {
        Some("their joints are not mirror images")
    } else if !reflect(a.mass.center).abs_diff_eq(b.mass.center, 1e-6) {
        Some("their centres of mass are not mirror images")
    } else if inertia.to_cols_array().iter().any(|d| d.abs() > 1e-6 * scale) {
        Some("their inertias are not mirror images")
    } else {
        match (&a.joint, &b.joint) {
            (Some(a), Some(b)) => joint_difference(a, b),
            (None, None) => None,
            _ => Some("one of them has no joint"),
        }
    }
}

fn joint_difference(a: &BodyJoint, b: &BodyJoint) -> Option<&'static str> {
    let frame = reflect_rotation(a.frame);
    if a.kind != b.kind || frame.dot(b.frame).abs() < 1.0 - 1e-9 {
        return Some("their joint frames are not mirror images");
    }
    let alike = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).all(|(a, b)| near(*a, *b));
    if !alike(&a.stiffness, &b.stiffness)
        || !alike(&a.damping, &b.damping)
        || !alike(&a.torque_limit, &b.torque_limit)
    {
        return Some("stiffness, damping or torque limits of their joints differ");
    }
    let limits = match (&a.limits, &b.limits) {
        (None, None) => true,
        // Turns about x look the same in the mirror, those about y and z go the other way.
        (Some(p), Some(q)) => {
            let lower = [p.lower[0], -p.upper[1], -p.upper[2]];
            let upper = [p.upper[0], -p.lower[1], -p.lower[2]];
            let dof = a.dof();
            (0..dof)
                .all(|axis| near(lower[axis], q.lower[axis]) && near(upper[axis], q.upper[axis]))
                && near(p.stiffness, q.stiffness)
                && near(p.damping, q.damping)
        }
        _ => false,
    };
    if limits { None } else { Some("the limits of their joints are not mirror images") }
}

fn near(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-6 * (1.0 + a.abs())
}
