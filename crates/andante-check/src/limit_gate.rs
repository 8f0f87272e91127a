//! Joints that are within their limits beyond doubt, told without an arc tangent.

use andante_skeleton::{Joint, JointLimit};
use glam::{Quat, Vec3};
use std::f32::consts::PI;

/// Tells most rotations that are no farther beyond the limit of a joint than is allowed. Of the others the angle is taken.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LimitGate {
    /// Nothing is ever beyond.
    Open,
    /// Nothing is told.
    Shut,
    /// Turned by less than an angle from a rotation: the rest, and the square of the cosine of half the angle.
    Near { rest: Quat, cosine2: f32 },
    /// About an axis between two angles, by the tangents of their halves, and hardly across it, by the square of the sine
    /// of half the angle.
    About { rest: Quat, axis: Vec3, tangents: [f32; 2], across2: f32 },
}

impl LimitGate {
    /// For rotations that may be beyond the limit by so much, in degrees.
    pub fn new(joint: &Joint, allowed_deg: f32) -> Self {
        // Some of it is kept free for rounding.
        let (rest, allowed) = (joint.rest.rotation, 0.9 * allowed_deg.to_radians() - 0.02);
        if allowed.is_nan() || allowed <= 0.0 {
            return Self::Shut;
        }
        let near = |angle: f32| {
            let cosine = libm::cosf(0.5 * angle);
            // Beyond half a turn the cosine says nothing.
            if angle > 0.0 && angle < 3.0 {
                Self::Near { rest, cosine2: cosine * cosine }
            } else {
                Self::Shut
            }
        };
        match joint.limit {
            JointLimit::Free => Self::Open,
            JointLimit::Fixed => near(allowed),
            JointLimit::Hinge { axis, range: [low, high] } => {
                if !axis.is_normalized() || low > high {
                    return Self::Shut;
                }
                // Half of what is allowed along, and half across.
                let half = 0.5 * allowed;
                // Turns that are nearer to half a turn are not told of.
                let tangent = |angle: f32| match angle.abs() < PI - 2e-3 {
                    true => libm::tanf(0.5 * angle),
                    false => angle.signum() * f32::INFINITY,
                };
                let across = libm::sinf(0.5 * half);
                Self::About {
                    rest,
                    axis,
                    tangents: [tangent(low - half), tangent(high + half)],
                    across2: across * across,
                }
            }
            JointLimit::Ball { twist_axis, swing_axis, twist, swing_a, swing_b } => {
                let is_square = twist_axis.is_normalized()
                    && swing_axis.is_normalized()
                    && twist_axis.dot(swing_axis).abs() < 1e-3;
                if !is_square || twist[0] > twist[1] {
                    return Self::Shut;
                }
                // Neither swing nor twist is more than the whole angle, and what is beyond of each adds up at most.
                let turns = twist[1].min(-twist[0]);
                let swings = [-swing_a[0], swing_a[1], -swing_b[0], swing_b[1]];
                let leans = swings.into_iter().fold(f32::INFINITY, f32::min).max(0.0);
                let (less, more) = (turns.min(leans), turns.max(leans));
                let both = 0.5 * (allowed + less + more);
                near(if less + allowed <= more { less + allowed } else { both })
            }
        }
    }

    /// True if a rotation is not farther beyond the limit than is allowed; false if that is not known.
    #[inline]
    pub fn passes(&self, local: Quat) -> bool {
        match *self {
            Self::Open => true,
            Self::Shut => false,
            Self::Near { rest, cosine2 } => is_nearer(rest, local, cosine2),
            Self::About { rest, axis, tangents: [low, high], across2 } => {
                let q = rest.conjugate() * local;
                let (along, w) = (q.xyz().dot(axis), q.w);
                let (along, w) = if w < 0.0 { (-along, -w) } else { (along, w) };
                let across = q.xyz().length_squared() - along * along;
                // A half turn has no tangent, and is not told.
                let is_turned = w > 1e-3 && along >= w * low && along <= w * high;
                is_turned && across <= across2 * q.length_squared()
            }
        }
    }
}

/// True if two rotations are less than an angle apart, given by the square of the cosine of its half, however long they
/// are as quaternions.
#[inline]
pub(crate) fn is_nearer(a: Quat, b: Quat, cosine2: f32) -> bool {
    let dot = a.dot(b);
    dot * dot >= cosine2 * (a.length_squared() * b.length_squared())
}

#[cfg(test)]
mod tests {
    use super::*;
    use andante_skeleton::{humanoid, rotation};
    use proptest::prelude::*;

    fn vectors(size: f32) -> impl Strategy<Value = Vec3> {
        let all = || -size..size;
        (all(), all(), all()).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    fn limits() -> impl Strategy<Value = JointLimit> {
        let end = || -1.5f32..1.5;
        let ends = || (end(), 0.0f32..2.0).prop_map(|(low, more)| [low, low + more]);
        let sides = || (-1.5f32..0.0, 0.0f32..1.5).prop_map(|(low, high)| [low, high]);
        let axes = (vectors(1.0), vectors(1.0)).prop_filter_map("no axes", |(a, b)| {
            let twist_axis = a.try_normalize()?;
            Some((twist_axis, b.cross(twist_axis).try_normalize()?))
        });
        (axes, ends(), ends(), sides(), sides()).prop_flat_map(
            |((twist_axis, swing_axis), range, twist, swing_a, swing_b)| {
                let ball = JointLimit::Ball { twist_axis, swing_axis, twist, swing_a, swing_b };
                let hinge = JointLimit::Hinge { axis: twist_axis, range };
                prop_oneof![
                    Just(ball),
                    Just(hinge),
                    Just(JointLimit::Fixed),
                    Just(JointLimit::Free)
                ]
            },
        )
    }

    fn beyond(joint: &Joint, local: Quat) -> f32 {
        let held = joint.limit.clamp(joint.rest.rotation, local);
        if held == local { 0.0 } else { rotation::angle_between(held, local).to_degrees() }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn what_passes_is_not_beyond_what_is_allowed(
            limit in limits(),
            rest in vectors(1.7),
            turn in vectors(1.7),
            small in 0.0f32..1.0,
            length in 0.999f32..1.001,
            allowed in 1.0f32..30.0,
        ) {
            let human = humanoid();
            let mut joint = human.skeleton.joint(1).clone();
            joint.rest.rotation = rotation::exp(rest);
            joint.limit = limit;
            let gate = LimitGate::new(&joint, allowed);
            // Many near rest, where gates pass.
            for turn in [turn, small * turn, small * small * turn] {
                let local = joint.rest.rotation * rotation::exp(turn) * length;
                if gate.passes(local) {
                    let beyond = beyond(&joint, local);
                    prop_assert!(beyond <= allowed, "{beyond} of {allowed} by {gate:?}");
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn a_hinge_that_is_bent_by_almost_half_a_turn_passes_only_where_it_may(
            axis in vectors(1.0).prop_filter_map("no axis", Vec3::try_normalize),
            end in 2.7f32..3.13,
            turn in 2.9f32..PI,
            across in vectors(0.05),
            allowed in 1.0f32..30.0,
            backwards: bool,
        ) {
            let way = if backwards { -1.0 } else { 1.0 };
            let range = if backwards { [-end, 0.0] } else { [0.0, end] };
            let mut joint = humanoid().skeleton.joint(1).clone();
            joint.limit = JointLimit::Hinge { axis, range };
            let gate = LimitGate::new(&joint, allowed);
            let bent = rotation::exp(way * turn * axis);
            for local in [bent, bent * rotation::exp(across)] {
                let local = joint.rest.rotation * local;
                if gate.passes(local) {
                    let beyond = beyond(&joint, local);
                    prop_assert!(beyond <= allowed, "{beyond} of {allowed} by {gate:?}");
                }
            }
        }
    }

    #[test]
    fn joints_of_a_person_at_rest_pass() {
        for joint in humanoid().skeleton.joints() {
            let gate = LimitGate::new(joint, 10.0);
            assert!(gate.passes(joint.rest.rotation), "{}", joint.name);
        }
    }
}
