//! Springs, dampers, stops and active torques of the joints, made implicit.
//!
//! A torque `t(q, v)` that opposes displacement with stiffness `K` and velocity with damping `D` is evaluated at the
//! end of the step: `t(q, v) - (h K + D) v - (h D + h^2 K) a`. The part with the acceleration `a` goes to the left-hand
//! side, where it is a diagonal added to the joint's inertia (Baraff & Witkin 1998, in joint coordinates). Stiffness
//! then never limits the step, however light the link.

use crate::link::{JointAxis, ModelLink};
use crate::link_joint::LinkJoint;
use crate::math::{Quat, Vec3, vec3};
use crate::model::Model;
use crate::real::Real;
use crate::state::Controls;

/// Torques of all joints, and what to add to their inertia.
#[derive(Clone, Debug)]
pub(crate) struct JointForces<R> {
    /// Torque per velocity.
    pub torque: Vec<R>,
    /// `h D + h^2 K` per velocity.
    pub augment: Vec<R>,
}

/// Gradient of the potential `V(log q)` as a torque: `J^-T g`, with `J` the left Jacobian of the rotation vector `r`.
///
/// Taking `K r` itself as the torque would not be the gradient of any potential unless `K` is isotropic, and a spring
/// that has no potential can be cycled to gain energy.
#[inline(always)]
fn torque_of_gradient<R: Real>(r: Vec3<R>, g: Vec3<R>) -> Vec3<R> {
    // J^-T = 1 + [r]/2 + c [r]^2, c = (1 - (t/2) cot(t/2)) / t^2, by its series in t^2 with |B_2k|/(2k)! as
    // coefficients; t <= pi.
    const C: [f64; 12] = [
        1.0 / 12.0,
        1.0 / 720.0,
        1.0 / 30240.0,
        1.0 / 1209600.0,
        1.0 / 47900160.0,
        691.0 / 1307674368000.0,
        1.0 / 74724249600.0,
        3617.0 / 10670622842880000.0,
        43867.0 / 5109094217170944000.0,
        174611.0 / 802857662698291200000.0,
        77683.0 / 14101100039391805440000.0,
        236364091.0 / 1693824136731743669452800000.0,
    ];
    let t2 = r.length_squared();
    let mut c = R::splat(C[11]);
    for k in (0..11).rev() {
        c = c * t2 + R::splat(C[k]);
    }
    let rg = r.cross(g);
    g + rg * R::splat(0.5) + r.cross(rg) * c
}

/// How far an angle is outside its range: positive above, negative below.
#[inline(always)]
fn excess<R: Real>(axis: &JointAxis, angle: R) -> R {
    let (zero, lower, upper) = (R::zero(), R::splat(axis.lower), R::splat(axis.upper));
    (angle - upper).max(zero) + (angle - lower).min(zero)
}

fn has_range(link: &ModelLink) -> bool {
    link.axes.iter().any(|a| a.lower.is_finite() || a.upper.is_finite())
}

/// The gain where the angle is outside its range, else zero.
#[inline(always)]
fn engaged<R: Real>(excess: R, gain: f64) -> R {
    R::select(R::lt(R::zero(), excess.abs()), R::splat(gain), R::zero())
}

/// Active torque of one axis at the end of the step, and its stiffness and damping: none once the limit is reached.
#[inline(always)]
fn active<R: Real>(h: R, error: R, v: R, drive: [R; 3], limit: f64) -> (R, R) {
    let [torque, gain, rate] = drive;
    let wanted = torque - gain * error - (rate + h * gain) * v;
    let limit = R::splat(limit);
    let held = wanted.min(limit).max(-limit);
    let free = R::lt(wanted.abs(), limit);
    (held, R::select(free, h * (rate + h * gain), R::zero()))
}

impl<R: Real> JointForces<R> {
    pub fn new(model: &Model) -> Self {
        let zero = vec![R::zero(); model.freedoms()];
        JointForces { torque: zero.clone(), augment: zero }
    }

    /// Everything the joints do over a step of `h`; with `h` zero, what they do at this instant.
    pub fn set(&mut self, model: &Model, q: &[R], v: &[R], controls: &Controls<R>, h: R) {
        for (node, link) in model.nodes.iter().zip(model.links()) {
            match node.joint {
                LinkJoint::Floating => {
                    for k in node.v..node.v + 6 {
                        self.torque[k] = R::zero();
                        self.augment[k] = R::zero();
                    }
                }
                LinkJoint::Fixed => {}
                LinkJoint::Hinge(_) => {
                    self.set_hinge(link, node.q, node.v, model, q, v, controls, h)
                }
                LinkJoint::Ball => self.set_ball(link, node.q, node.v, model, q, v, controls, h),
            }
        }
    }

    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn set_hinge(
        &mut self,
        link: &ModelLink,
        qi: usize,
        vi: usize,
        model: &Model,
        q: &[R],
        v: &[R],
        controls: &Controls<R>,
        h: R,
    ) {
        let axis = &link.axes[0];
        let (angle, rate) = (q[qi], v[vi]);
        let over = excess(axis, angle);
        let stiffness = R::splat(axis.stiffness);
        let stop = engaged(over, link.stop_stiffness);
        let damping = R::splat(axis.damping) + engaged(over, link.stop_damping);
        let both = stiffness + stop;
        let passive = -(stiffness * (angle - R::splat(model.rest()[qi])))
            - stop * over
            - (damping + h * both) * rate;
        let drive = [controls.torque[vi], controls.gain[vi], controls.rate_gain[vi]];
        let (active, extra) =
            active(h, angle - controls.target[qi], rate, drive, axis.torque_limit);
        self.torque[vi] = passive + active;
        self.augment[vi] = h * (damping + h * both) + extra;
    }

    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn set_ball(
        &mut self,
        link: &ModelLink,
        qi: usize,
        vi: usize,
        model: &Model,
        q: &[R],
        v: &[R],
        controls: &Controls<R>,
        h: R,
    ) {
        let turn = Quat::read(&q[qi..]);
        let rate = vec3(v[vi], v[vi + 1], v[vi + 2]);
        let mut stiffness = link.axes.map(|a| R::splat(a.stiffness));
        let mut damping = link.axes.map(|a| R::splat(a.damping));
        let mut torque = Vec3::zero();
        let r = &model.rest()[qi..qi + 4];
        let (sprung, ranged) = (link.axes.iter().any(|a| a.stiffness > 0.0), has_range(link));
        // Springs and stops are mostly counted from the same pose, and then share the work.
        let shared = sprung && ranged && r == [0.0, 0.0, 0.0, 1.0];
        let mut gradient = Vec3::zero();
        if sprung {
            let rest =
                Quat { x: R::splat(r[0]), y: R::splat(r[1]), z: R::splat(r[2]), w: R::splat(r[3]) };
            let off = if shared { turn.log() } else { (turn * rest.conjugate()).log() };
            gradient = vec3(stiffness[0] * off.x, stiffness[1] * off.y, stiffness[2] * off.z);
            if !shared {
                torque -= torque_of_gradient(off, gradient);
                gradient = Vec3::zero();
            }
        }
        if ranged {
            let off = turn.log();
            for k in 0..3 {
                let over = excess(&link.axes[k], off[k]);
                let stop = engaged(over, link.stop_stiffness);
                gradient[k] += stop * over;
                stiffness[k] += stop;
                damping[k] += engaged(over, link.stop_damping);
            }
            let pull = torque_of_gradient(off, gradient);
            torque -= pull;
            if link.stop_spin > 0.0 {
                for k in 0..3 {
                    damping[k] += (pull[k] - gradient[k]).abs() * R::splat(link.stop_spin);
                }
            }
        }
        let driven = (0..3).any(|k| {
            let zero = R::zero();
            R::any(R::lt(zero, controls.gain[vi + k].abs()))
        });
        let error = if driven {
            (turn * Quat::read(&controls.target[qi..]).conjugate()).log()
        } else {
            Vec3::zero()
        };
        for k in 0..3 {
            let implicit = damping[k] + h * stiffness[k];
            let drive =
                [controls.torque[vi + k], controls.gain[vi + k], controls.rate_gain[vi + k]];
            let (active, extra) = active(h, error[k], rate[k], drive, link.axes[k].torque_limit);
            self.torque[vi + k] = torque[k] - implicit * rate[k] + active;
            self.augment[vi + k] = h * implicit + extra;
        }
    }
}

/// Energy stored in the springs and stops of the joints.
pub(crate) fn elastic_energy<R: Real>(model: &Model, q: &[R]) -> R {
    let half = R::splat(0.5);
    let mut energy = R::zero();
    let stops = |link: &ModelLink, k: usize, angle: R| {
        let over = excess(&link.axes[k], angle);
        half * R::splat(link.stop_stiffness) * over * over
    };
    for (node, link) in model.nodes.iter().zip(model.links()) {
        let own = node.q..node.q + node.joint.coordinates();
        let mut rest = [R::zero(); 7];
        for (to, from) in rest.iter_mut().zip(&model.rest()[own.clone()]) {
            *to = R::splat(*from);
        }
        let (off, angles) =
            (node.joint.difference(&rest, &q[own.clone()]), node.joint.angles(&q[own]));
        for k in 0..node.joint.axes() {
            energy += half * R::splat(link.axes[k].stiffness) * off[k] * off[k];
            energy += stops(link, k, angles[k]);
        }
    }
    energy
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_balls_spring_and_stops_are_the_gradient_of_their_energy() {
        let mut ball =
            ModelLink::new("b", None, LinkJoint::Ball, 1.0, vec3(1.0, 1.0, 1.0)).limited(-0.5, 0.7);
        for (axis, k) in ball.axes.iter_mut().zip([10.0, 35.0, 80.0]) {
            axis.stiffness = k;
        }
        let mut model = Model::new(vec![ball], vec![]).unwrap();
        let rest: Quat<f64> = Quat::exp(vec3(0.2, -0.1, 0.3));
        model.set_rest(&[rest.x, rest.y, rest.z, rest.w]).unwrap();
        let controls = Controls::none(&model);
        let mut forces = JointForces::new(&model);
        for i in 0..50 {
            let t = i as f64;
            let at = Quat::exp(vec3(2.0 * t.sin(), 1.5 * (1.7 * t).cos(), 0.9 * (0.3 * t).sin()));
            let mut q = [0.0; 4];
            at.write(&mut q);
            forces.set(&model, &q, &[0.0; 3], &controls, 0.0);
            for k in 0..3 {
                let e = 1e-6;
                let mut by = vec3(0.0, 0.0, 0.0);
                by[k] = e;
                let energy = |by| {
                    let mut q = [0.0; 4];
                    (Quat::exp(by) * at).write(&mut q);
                    elastic_energy(&model, &q)
                };
                let slope = (energy(by) - energy(-by)) / (2.0 * e);
                assert!((forces.torque[k] + slope).abs() < 1e-5 * (1.0 + slope.abs()), "{i} {k}");
            }
        }
    }

    #[test]
    fn a_stop_does_not_spin_a_joint_about_the_axes_that_are_within_their_ranges() {
        let mut ball = ModelLink::new("foot", None, LinkJoint::Ball, 1.0, vec3(0.01, 0.01, 0.01));
        ball.stop_spin = 0.005;
        let fast = 1.0 / ball.stop_spin;
        let model = Model::new(vec![ball.limited(-0.5, 0.5)], vec![]).unwrap();
        let controls = Controls::none(&model);
        let mut forces = JointForces::new(&model);
        // Far beyond one range, at the ends of the others, as fast as a foot that is let go must not become.
        let mut q = [0.0; 4];
        Quat::<f64>::exp(vec3(0.499, 0.499, -0.9)).write(&mut q);
        forces.set(&model, &q, &[0.0; 3], &controls, 0.0);
        let still = forces.torque.clone();
        let v = [0, 1].map(|k| fast * still[k].signum());
        forces.set(&model, &q, &[v[0], v[1], 0.0], &controls, 1.0 / 240.0);
        for k in 0..2 {
            assert!(still[k].abs() > 1.0, "the stop turns axis {k}");
            assert!(forces.torque[k] * v[k] < 1e-9 * still[k].abs() * fast, "{k}: {forces:?}");
            assert!(forces.augment[k] > 0.0);
        }
    }

    #[test]
    fn active_torque_stays_within_its_limit() {
        let mut hinge = ModelLink::new(
            "h",
            None,
            LinkJoint::Hinge(vec3(1.0, 0.0, 0.0)),
            1.0,
            vec3(1.0, 1.0, 1.0),
        );
        hinge.axes[0].torque_limit = 5.0;
        let model = Model::new(vec![hinge], vec![]).unwrap();
        let mut controls = Controls::none(&model);
        controls.gain_mut()[0] = 100.0;
        controls.target_mut()[0] = 1.0;
        let mut forces = JointForces::new(&model);
        forces.set(&model, &[0.0], &[0.0], &controls, 0.01);
        assert_eq!((forces.torque[0], forces.augment[0]), (5.0, 0.0));
        forces.set(&model, &[0.99], &[0.0], &controls, 0.01);
        assert!((forces.torque[0] - 1.0).abs() < 1e-12);
        assert!((forces.augment[0] - 0.01).abs() < 1e-15);
    }
}
