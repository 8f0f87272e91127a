//! What a type of joint is: its coordinates and velocities, how they place and move a link, and how far apart two of its
//! positions are. Its part in forward dynamics is in `joint_factor`, its springs and motors in `joint_forces`.

use crate::math::{Mat3, Quat, Vec3, vec3};
use crate::real::{Real, sin_versine};
use crate::spatial::{Force, MotionVector};

/// The joint between a link and its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LinkJoint {
    /// Free in space. Only for roots. Seven coordinates (position; quaternion `x, y, z, w`) and six velocities: the
    /// angular one, then the linear one of the link's origin, both in world axes.
    Floating,
    /// A ball. Four coordinates, the quaternion from the joint's frame, and three velocities: the angular velocity
    /// relative to the parent, in the joint's frame, which is fixed to the parent.
    Ball,
    /// A hinge about a unit axis of the joint's frame. One angle, one velocity.
    Hinge(Vec3<f64>),
    /// Welded. No coordinate.
    Fixed,
}

impl LinkJoint {
    /// Number of coordinates.
    pub fn coordinates(&self) -> usize {
        match self {
            LinkJoint::Floating => 7,
            LinkJoint::Ball => 4,
            LinkJoint::Hinge(_) => 1,
            LinkJoint::Fixed => 0,
        }
    }

    /// Number of velocities: the degrees of freedom.
    pub fn freedoms(&self) -> usize {
        match self {
            LinkJoint::Floating => 6,
            LinkJoint::Ball => 3,
            LinkJoint::Hinge(_) => 1,
            LinkJoint::Fixed => 0,
        }
    }

    /// True if nothing holds the link: no spring, stop or motor acts on such a joint, and it has no range.
    pub fn floats(&self) -> bool {
        *self == LinkJoint::Floating
    }

    /// Number of velocities that springs, stops and motors act on: the joint's axes.
    pub fn axes(&self) -> usize {
        if self.floats() { 0 } else { self.freedoms() }
    }

    /// The index of the first number of a quaternion among its coordinates, if it has one.
    pub fn quaternion(&self) -> Option<usize> {
        match self {
            LinkJoint::Floating => Some(3),
            LinkJoint::Ball => Some(0),
            LinkJoint::Hinge(_) | LinkJoint::Fixed => None,
        }
    }

    /// What is wrong with its numbers, if anything is.
    pub(crate) fn flaw(&self) -> Option<&'static str> {
        let LinkJoint::Hinge(axis) = self else { return None };
        let near = (axis.length() - 1.0).abs() < 1e-6;
        (!near).then_some("the hinge's axis must be a unit vector")
    }

    /// Its coordinates where the link was placed; for a floating one that is `origin` and `rotation`.
    pub(crate) fn rest(&self, origin: Vec3<f64>, rotation: Quat<f64>) -> Vec<f64> {
        let mut rest = vec![0.0; self.coordinates()];
        if self.floats() {
            rest[..3].copy_from_slice(&origin.to_array());
        }
        if let Some(first) = self.quaternion() {
            let turn = if self.floats() { rotation } else { Quat::identity() };
            turn.write(&mut rest[first..]);
        }
        rest
    }

    /// Rotation of the link, given the joint's frame in the world. The frame becomes the one in which the joint's velocity
    /// is given: for a hinge, its axis is the first column. A floating link takes the reference of its tree along.
    #[inline(always)]
    pub(crate) fn rotation<R: Real>(
        &self,
        q: &[R],
        frame: &mut Mat3<R>,
        reference: &mut Vec3<R>,
    ) -> Mat3<R> {
        match self {
            LinkJoint::Floating => {
                *reference = vec3(q[0], q[1], q[2]);
                *frame = Mat3::identity();
                Quat::read(&q[3..7]).matrix()
            }
            LinkJoint::Ball => *frame * Quat::read(q).matrix(),
            LinkJoint::Hinge(axis) => {
                let axis = Vec3::splat(*axis);
                let turned = *frame * turned_about(axis, q[0]);
                frame.x = *frame * axis;
                turned
            }
            LinkJoint::Fixed => *frame,
        }
    }

    /// Motion relative to the parent for these joint velocities (or accelerations).
    #[inline(always)]
    pub(crate) fn motion<R: Real>(
        &self,
        frame: &Mat3<R>,
        place: Vec3<R>,
        v: &[R],
    ) -> MotionVector<R> {
        match self {
            LinkJoint::Floating => {
                MotionVector { w: vec3(v[0], v[1], v[2]), v: vec3(v[3], v[4], v[5]) }
            }
            LinkJoint::Ball => MotionVector::turning(*frame * vec3(v[0], v[1], v[2]), place),
            LinkJoint::Hinge(_) => MotionVector::turning(frame.x * v[0], place),
            LinkJoint::Fixed => MotionVector::zero(),
        }
    }

    /// The part of the link's acceleration that comes from its velocity: `d/dt` of the joint's axes times velocity.
    #[inline(always)]
    pub(crate) fn drift<R: Real>(
        &self,
        velocity: MotionVector<R>,
        relative: MotionVector<R>,
    ) -> MotionVector<R> {
        match self {
            // The reference stands still for the instant, while the root's origin moves through it.
            LinkJoint::Floating => {
                MotionVector { w: Vec3::zero(), v: relative.v.cross(relative.w) }
            }
            LinkJoint::Ball | LinkJoint::Hinge(_) => velocity.cross(relative),
            LinkJoint::Fixed => MotionVector::zero(),
        }
    }

    /// What a force on the link does at the joint: the joint's axes times the force.
    #[inline(always)]
    pub(crate) fn along_axes<R: Real>(
        &self,
        frame: &Mat3<R>,
        place: Vec3<R>,
        force: Force<R>,
        out: &mut [R],
    ) {
        match self {
            LinkJoint::Floating => {
                force.n.write(out);
                force.f.write(&mut out[3..]);
            }
            LinkJoint::Ball => frame.transpose_mul(force.moment_about(place)).write(out),
            LinkJoint::Hinge(_) => out[0] = frame.x.dot(force.moment_about(place)),
            LinkJoint::Fixed => {}
        }
    }

    /// Moves its coordinates along constant velocities for `h` seconds.
    #[inline(always)]
    pub(crate) fn advance<R: Real>(&self, q: &mut [R], v: &[R], h: R) {
        match self {
            LinkJoint::Floating => {
                for k in 0..3 {
                    q[k] += h * v[3 + k];
                }
                turn(&mut q[3..7], vec3(v[0], v[1], v[2]) * h);
            }
            LinkJoint::Ball => turn(&mut q[..4], vec3(v[0], v[1], v[2]) * h),
            LinkJoint::Hinge(_) => q[0] += h * v[0],
            LinkJoint::Fixed => {}
        }
    }

    /// The velocities that lead from one position to another in a second; entries beyond the joint's own are zero.
    #[inline(always)]
    pub fn difference<R: Real>(&self, from: &[R], to: &[R]) -> [R; 6] {
        let zero = R::zero();
        let between = |k: usize| (Quat::read(&to[k..]) * Quat::read(&from[k..]).conjugate()).log();
        match self {
            LinkJoint::Floating => {
                let turn = between(3);
                let [x, y, z] = [0, 1, 2].map(|k| to[k] - from[k]);
                [turn.x, turn.y, turn.z, x, y, z]
            }
            LinkJoint::Ball => {
                let turn = between(0);
                [turn.x, turn.y, turn.z, zero, zero, zero]
            }
            LinkJoint::Hinge(_) => [to[0] - from[0], zero, zero, zero, zero, zero],
            LinkJoint::Fixed => [zero; 6],
        }
    }

    /// Scales its quaternion, if it has one, to unit length. Gives how long it was.
    pub fn normalize(&self, q: &mut [f64]) -> f64 {
        let Some(first) = self.quaternion() else { return 1.0 };
        let turn = &mut q[first..first + 4];
        let length = turn.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-9);
        turn.iter_mut().for_each(|x| *x /= length);
        length
    }

    /// Its velocities from the derivative of its coordinates by a phase that goes on at this rate; with an order of 2, its
    /// accelerations from the second derivative. A quaternion need not be of unit length.
    pub fn rates(&self, q: &[f64], derivative: &[f64], rate: f64, order: usize) -> [f64; 6] {
        let mut rates = [0.0; 6];
        let timed = |x: f64| (0..order).fold(x, |x, _| x * rate);
        let line = if self.floats() { 3 } else { 0 };
        if let Some(first) = self.quaternion() {
            let mut own = [0.0; 7];
            own[..q.len()].copy_from_slice(q);
            let length = self.normalize(&mut own);
            let ([x, y, z, w], d) = ([0, 1, 2, 3].map(|k| own[first + k]), &derivative[first..]);
            // 2 d q*, vector part.
            let spin = [
                2.0 * (-d[3] * x + d[0] * w - d[1] * z + d[2] * y),
                2.0 * (-d[3] * y + d[1] * w - d[2] * x + d[0] * z),
                2.0 * (-d[3] * z + d[2] * w - d[0] * y + d[1] * x),
            ];
            rates[..3].copy_from_slice(&spin.map(|spin| timed(spin) / length));
            (0..line).for_each(|k| rates[3 + k] = timed(derivative[k]));
        } else {
            derivative.iter().zip(&mut rates).for_each(|(x, rate)| *rate = timed(*x));
        }
        rates
    }

    /// The angle about each of its [`axes`](Self::axes), which its range is about: a ball's rotation vector, a hinge's angle.
    #[inline(always)]
    pub fn angles<R: Real>(&self, q: &[R]) -> Vec3<R> {
        match self {
            LinkJoint::Hinge(_) => vec3(q[0], R::zero(), R::zero()),
            LinkJoint::Ball => Quat::read(q).log(),
            LinkJoint::Floating | LinkJoint::Fixed => Vec3::zero(),
        }
    }

    /// Its turn as a rotation vector in the joint's frame; none for one that floats.
    pub fn turn(&self, q: &[f64]) -> Vec3<f64> {
        match self {
            LinkJoint::Hinge(axis) => *axis * q[0],
            _ => self.angles(q),
        }
    }

    /// Sets its coordinates to a turn given as a rotation vector in the joint's frame, or what it lets through of it. One
    /// that floats is left alone.
    pub fn set_turn(&self, turn: Vec3<f64>, q: &mut [f64]) {
        match self {
            LinkJoint::Hinge(axis) => q[0] = axis.dot(turn),
            LinkJoint::Ball => Quat::exp(turn).write(q),
            LinkJoint::Floating | LinkJoint::Fixed => {}
        }
    }
}

/// Turns a quaternion by a rotation vector in the frame it turns from.
#[inline(always)]
fn turn<R: Real>(q: &mut [R], by: Vec3<R>) {
    (Quat::exp(by) * Quat::read(q)).normalized().write(q);
}

/// Rotation about a unit axis by an angle of any size (Rodrigues).
#[inline(always)]
fn turned_about<R: Real>(a: Vec3<R>, angle: R) -> Mat3<R> {
    let (s, k) = sin_versine(angle);
    let i = R::one();
    let (xy, xz, yz) = (a.x * a.y * k, a.x * a.z * k, a.y * a.z * k);
    Mat3 {
        x: vec3(i - (a.y * a.y + a.z * a.z) * k, xy + a.z * s, xz - a.y * s),
        y: vec3(xy - a.z * s, i - (a.x * a.x + a.z * a.z) * k, yz + a.x * s),
        z: vec3(xz + a.y * s, yz - a.x * s, i - (a.x * a.x + a.y * a.y) * k),
    }
}
