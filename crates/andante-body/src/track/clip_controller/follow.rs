//! What the body is to do next: the plan, and what brings it back to it.

use andante_dynamics::{Kinematics, Simulation, Vec3, vec3};

use super::{AHEAD, ClipController};
use crate::balance::balance_controller::within;
use crate::body_sense::{BodySense, Corner};
use crate::control::whole_body::FootTask;
use crate::physique::Physique;
use crate::walk::cycle::Momenta;
use crate::walk::walk_controller::turning::{ease, rotation_error, slope};

impl ClipController {
    /// Which corners of the standing feet bear: those the plan rolls over.
    pub(super) fn bear(&mut self, physique: &Physique, kin: &Kinematics<f64>) {
        let bears = self.options.bears;
        for (foot, sole) in physique.soles.iter().enumerate() {
            let edges = sole.edges();
            let heights = edges.map(|edge| self.kin.point(&physique.model, sole.link, edge).y);
            let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
            let flat = heights.iter().all(|y| y - low < bears);
            for (k, corner) in self.senses.corners[foot].iter_mut().enumerate() {
                if flat {
                    continue;
                }
                if heights[k] - low < bears {
                    let point = kin.point(&physique.model, sole.link, edges[k]);
                    let gap = corner.gap + (point.y - corner.point.y);
                    *corner = Corner { point, gap, ..*corner };
                } else {
                    corner.gap = f64::INFINITY;
                }
            }
        }
        let planted = [self.feet[0].planted, self.feet[1].planted];
        let corners = self.senses.corners.iter().enumerate().filter(|(foot, _)| planted[*foot]);
        let bearing =
            corners.flat_map(|(_, corners)| corners.iter().filter(|c| BodySense::carries(c)));
        self.support.set_hull(bearing.map(|corner| [corner.point.x, corner.point.z]));
    }

    /// Turns the plan and what differs from it into tasks. Gives the error of the capture point and what the pressure does
    /// against it.
    pub(super) fn aim(
        &mut self,
        physique: &Physique,
        simulation: &Simulation<f64>,
        plan: &Momenta,
    ) -> [[f64; 2]; 2] {
        let options = *self.gait();
        let senses = &self.senses;
        let swing = self.plan.swing(self.time);
        let kin = simulation.kinematics();
        let off = senses.centre - plan.centre[0];
        let slip = senses.velocity - plan.centre[1];
        let error = [off.x + slip.x * swing.lead, off.z + slip.z * swing.lead];
        let gain = 1.0 + options.centring * swing.lead;
        let wanted = [plan.pressure.x + gain * error[0], plan.pressure.z + gain * error[1]];
        let held = self.support.clamp(wanted);
        let moved = [held[0] - plan.pressure.x, held[1] - plan.pressure.z];
        let over = [wanted[0] - held[0], wanted[1] - held[1]];
        let far = libm::hypot(over[0], over[1]).max(1e-9);
        let part = far.min(options.hip_reach) / far;
        let felt = [moved[0] + over[0] * part, moved[1] + over[1] * part];
        let square = swing.square;
        let k = options.height_stiffness;
        let up = plan.centre[2].y - k * off.y - 2.0 * k.sqrt() * slip.y;
        self.tasks.force = vec3(
            plan.centre[2].x + square * (off.x - felt[0]),
            up.max(plan.centre[2].y.min(-7.0)),
            plan.centre[2].z + square * (off.z - felt[1]),
        ) * physique.mass;
        self.error = error;

        let torso = physique.torso;
        let lean = rotation_error(&self.kin, kin, torso);
        let spin = self.kin.velocity(torso).0 - kin.velocity(torso).0;
        let ahead = (self.next.velocity(torso).0 - self.kin.velocity(torso).0) * (1.0 / AHEAD);
        let k = options.trunk_stiffness;
        self.tasks.torso = ahead + lean * k + spin * (2.0 * k.sqrt());
        let inertia = 0.12 * physique.mass * physique.height * physique.height;
        let decay = options.spin_decay;
        let back = (plan.spin[0] - senses.spin) * decay + lean * (inertia * decay * decay * 0.5);
        self.tasks.moment = plan.spin[1] + within(back, options.moment);
        for foot in 0..2 {
            self.tasks.feet[foot] = self.foot_task(physique, kin, foot);
        }
        self.tasks.posture.q.copy_from_slice(&self.now.q);
        self.tasks.posture.v.copy_from_slice(&self.now.v);
        self.tasks.posture.a.copy_from_slice(&self.now.a);
        [error, moved]
    }

    fn foot_task(&self, physique: &Physique, kin: &Kinematics<f64>, foot: usize) -> FootTask {
        let (model, sole, own) = (&*physique.model, &physique.soles[foot], &self.feet[foot]);
        let link = sole.link;
        let (swung, seconds) = self.plan.swung(foot, self.time);
        let faded = if own.planted { 1.0 } else { 1.0 - ease(swung) };
        let turn = rotation_error(&self.kin, kin, link) + vec3(0.0, own.yaw * faded, 0.0);
        let spin = self.kin.velocity(link).0 - kin.velocity(link).0;
        let ahead = (self.next.velocity(link).0 - self.kin.velocity(link).0) * (1.0 / AHEAD);
        let k = self.gait().swing_stiffness;
        let angular = within(ahead + turn * k + spin * (2.0 * k.sqrt()), 400.0);
        if own.planted {
            let bearing = self.senses.corners[foot].iter().filter(|c| c.gap.is_finite());
            let (sum, gap, count) = bearing.fold((Vec3::default(), 0.0, 0.0), |(p, g, n), c| {
                (p + c.point, g + c.gap.clamp(-0.02, 0.05), n + 1.0)
            });
            let at = if count > 0.0 { sum * (1.0 / count) } else { physique.sole_at(kin, foot) };
            let down = vec3(0.0, gap / f64::max(count, 1.0) * 900.0, 0.0);
            let velocity = kin.velocity_at(model, link, at);
            return FootTask { planted: true, angular, at, linear: velocity * -60.0 - down };
        }
        let at = physique.sole_at(kin, foot);
        let wish = physique.sole_at(&self.kin, foot);
        let (speed, later) = (
            self.kin.velocity_at(model, link, wish),
            self.next.velocity_at(model, link, physique.sole_at(&self.next, foot)),
        );
        let late = swung <= 0.0;
        let to = if late { 1.0 } else { ease(swung) };
        let off = own.left * (1.0 - to) + own.land * to;
        let rate = if late { 0.0 } else { slope(swung) * self.pace / seconds.max(0.1) };
        let drift = (own.land - own.left) * rate;
        let seek = if late { vec3(0.0, -0.3, 0.0) } else { Vec3::default() };
        let acceleration = (later - speed) * (1.0 / AHEAD);
        let velocity = kin.velocity_at(model, link, at);
        let linear = acceleration
            + (wish + off - at) * k
            + (speed + drift + seek - velocity) * (2.0 * k.sqrt());
        FootTask { planted: false, angular, at, linear: within(linear, 150.0) }
    }
}
