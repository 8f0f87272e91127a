//! Tasks of a body that follows a moving reference: the reference, and what brings the body back to it.
//!
//! The capture point is compared with the reference's. Pressure below the soles corrects what it can, and turning the trunk
//! a little of the rest (Pratt et al. 2006; Englsberger et al. 2015).

use andante_dynamics::{Kinematics, Vec3, vec3};

use super::tracker::Reference;
use super::whole_body::{FootTask, Tasks};
use crate::balance::balance_controller::within;
use crate::body_sense::{BodySense, Corner};
use crate::physique::Physique;
use crate::support_polygon::SupportPolygon;
use crate::walk::cycle::Momenta;
use crate::walk::options::WalkOptions;
use crate::walk::walk_controller::turning::{ease, rotation_error};

/// For how long the motion ahead is looked at to know its accelerations, s.
pub(crate) const AHEAD: f64 = 1e-3;

/// The reference motion at a moment, and how a body is brought back to it.
pub(crate) struct MotionAim<'a> {
    pub options: &'a WalkOptions,
    pub senses: &'a BodySense,
    pub support: &'a SupportPolygon,
    /// The reference now, and [`AHEAD`] later.
    pub now: &'a Reference,
    pub kin: &'a Kinematics<f64>,
    pub next: &'a Kinematics<f64>,
    pub momenta: &'a Momenta,
    /// Seconds by which the capture point is ahead of the centre of mass, and the square of the rate at which it goes away.
    pub lead: f64,
    pub square: f64,
    /// How much farther than the capture point the pressure is put.
    pub gain: f64,
}

/// A foot of a body that follows a reference.
#[derive(Clone, Copy)]
pub(crate) struct AimedFoot {
    pub planted: bool,
    /// How far it was from the reference's when it left the ground, and is to be when it lands.
    pub left: Vec3<f64>,
    pub land: Vec3<f64>,
    /// By how much its heading differs from the reference's.
    pub yaw: f64,
    /// Share of the swing that is over, none or less where the reference stands already; and how fast the foot goes over
    /// from one to the other.
    pub swung: f64,
    pub rate: f64,
}

/// Finds which corners of the standing feet bear: those the reference rolls over, no higher than this above its lowest.
pub(crate) fn bear(
    physique: &Physique,
    [reference, kin]: [&Kinematics<f64>; 2],
    planted: [bool; 2],
    bears: f64,
    (senses, support): (&mut BodySense, &mut SupportPolygon),
) {
    for (foot, sole) in physique.soles.iter().enumerate() {
        let edges = sole.edges();
        let heights = edges.map(|edge| reference.point(&physique.model, sole.link, edge).y);
        let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let flat = heights.iter().all(|y| y - low < bears);
        for (k, corner) in senses.corners[foot].iter_mut().enumerate() {
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
    let corners = senses.corners.iter().enumerate().filter(|(foot, _)| planted[*foot]);
    let bearing = corners.flat_map(|(_, corners)| corners.iter().filter(|c| BodySense::carries(c)));
    support.set_hull(bearing.map(|corner| [corner.point.x, corner.point.z]));
}

impl MotionAim<'_> {
    /// Sets the tasks. Gives the error of the capture point and what the pressure does against it.
    pub fn set(
        &self,
        physique: &Physique,
        kin: &Kinematics<f64>,
        feet: [AimedFoot; 2],
        tasks: &mut Tasks,
    ) -> [[f64; 2]; 2] {
        let (options, senses, goal) = (self.options, self.senses, self.momenta);
        let off = senses.centre - goal.centre[0];
        let slip = senses.velocity - goal.centre[1];
        let error = [off.x + slip.x * self.lead, off.z + slip.z * self.lead];
        let wanted =
            [goal.pressure.x + self.gain * error[0], goal.pressure.z + self.gain * error[1]];
        let held = self.support.clamp(wanted);
        let moved = [held[0] - goal.pressure.x, held[1] - goal.pressure.z];
        let over = [wanted[0] - held[0], wanted[1] - held[1]];
        let far = libm::hypot(over[0], over[1]).max(1e-9);
        let part = far.min(options.hip_reach) / far;
        let felt = [moved[0] + over[0] * part, moved[1] + over[1] * part];
        let square = self.square;
        let k = options.height_stiffness;
        let up = goal.centre[2].y - k * off.y - 2.0 * k.sqrt() * slip.y;
        tasks.force = vec3(
            goal.centre[2].x + square * (off.x - felt[0]),
            up.max(goal.centre[2].y.min(-7.0)),
            goal.centre[2].z + square * (off.z - felt[1]),
        ) * physique.mass;
        self.turn_trunk(physique, kin, tasks);
        for (foot, own) in feet.into_iter().enumerate() {
            tasks.feet[foot] = self.foot_task(physique, kin, foot, &own);
        }
        tasks.posture.q.copy_from_slice(&self.now.q);
        tasks.posture.v.copy_from_slice(&self.now.v);
        tasks.posture.a.copy_from_slice(&self.now.a);
        [error, moved]
    }

    fn turn_trunk(&self, physique: &Physique, kin: &Kinematics<f64>, tasks: &mut Tasks) {
        let (options, torso) = (self.options, physique.torso);
        let lean = rotation_error(self.kin, kin, torso);
        let spin = self.kin.velocity(torso).0 - kin.velocity(torso).0;
        let ahead = (self.next.velocity(torso).0 - self.kin.velocity(torso).0) * (1.0 / AHEAD);
        let k = options.trunk_stiffness;
        tasks.torso = ahead + lean * k + spin * (2.0 * k.sqrt());
        let inertia = 0.12 * physique.mass * physique.height * physique.height;
        let decay = options.spin_decay;
        let [wanted, rate] = self.momenta.spin;
        let back = (wanted - self.senses.spin) * decay + lean * (inertia * decay * decay * 0.5);
        tasks.moment = rate + within(back, options.moment);
    }

    fn foot_task(
        &self,
        physique: &Physique,
        kin: &Kinematics<f64>,
        foot: usize,
        own: &AimedFoot,
    ) -> FootTask {
        let (model, sole) = (&*physique.model, &physique.soles[foot]);
        let link = sole.link;
        let faded = if own.planted { 1.0 } else { 1.0 - ease(own.swung) };
        let turn = rotation_error(self.kin, kin, link) + vec3(0.0, own.yaw * faded, 0.0);
        let spin = self.kin.velocity(link).0 - kin.velocity(link).0;
        let ahead = (self.next.velocity(link).0 - self.kin.velocity(link).0) * (1.0 / AHEAD);
        let k = self.options.swing_stiffness;
        let angular = within(ahead + turn * k + spin * (2.0 * k.sqrt()), 400.0);
        if own.planted {
            let bearing = self.senses.corners[foot].iter().filter(|c| c.gap.is_finite());
            let (sum, gap, count) = bearing.fold((Vec3::default(), 0.0, 0.0), |(p, g, n), c| {
                (p + c.point, g + c.gap.clamp(-0.02, 0.05), n + 1.0)
            });
            let share = if count > 0.0 { 1.0 / count } else { 0.0 };
            let at = if count > 0.0 { sum * share } else { physique.sole_at(kin, foot) };
            let velocity = kin.velocity_at(model, link, at);
            let down = vec3(0.0, 900.0 * gap * share, 0.0);
            return FootTask { planted: true, angular, at, linear: velocity * -60.0 - down };
        }
        let at = physique.sole_at(kin, foot);
        let wish = physique.sole_at(self.kin, foot);
        let (speed, later) = (
            self.kin.velocity_at(model, link, wish),
            self.next.velocity_at(model, link, physique.sole_at(self.next, foot)),
        );
        let late = own.swung <= 0.0;
        let to = if late { 1.0 } else { ease(own.swung) };
        let off = own.left * (1.0 - to) + own.land * to;
        let rate = if late { 0.0 } else { own.rate };
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
