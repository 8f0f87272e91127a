//! The walk as it would be where the body is: its cycle moved to the foot that leads.

use andante_dynamics::{Quat, Vec3, vec3};

use super::WalkController;
use super::turning::turned;
use crate::control::tracker::Reference;
use crate::physique::Physique;
use crate::walk::cycle::Momenta;

/// For how long the motion ahead is looked at to know its accelerations, s.
pub(super) const AHEAD: f64 = 1e-3;

impl WalkController {
    /// A place of the cycle in the world.
    pub(super) fn in_world(&self, place: Vec3<f64>) -> Vec3<f64> {
        self.print[1] + turned(place - self.print[0], self.heading)
    }

    /// The walk now and a moment later.
    pub(super) fn look(&mut self, physique: &Physique) {
        let model = &*physique.model;
        let later = self.phase + self.pace * AHEAD / self.cycle.period;
        self.cycle.at(physique, self.phase, self.pace, &mut self.now);
        self.cycle.at(physique, later, self.pace, &mut self.soon);
        for early in [true, false] {
            let mut reference = std::mem::replace(
                if early { &mut self.now } else { &mut self.soon },
                Reference::pose(&[], 0),
            );
            self.move_root(&mut reference);
            let kin = if early { &mut self.kin } else { &mut self.next };
            kin.set_positions(model, &reference.q);
            kin.set_velocities(model, &reference.v);
            *(if early { &mut self.now } else { &mut self.soon }) = reference;
        }
    }

    pub(super) fn move_root(&self, reference: &mut Reference) {
        let q = &mut reference.q;
        let place = self.in_world(vec3(q[0], q[1], q[2]));
        q[..3].copy_from_slice(&place.to_array());
        let about = Quat::exp(vec3(0.0, self.heading, 0.0));
        (about * Quat::read(&q[3..7])).write(&mut q[3..7]);
        for rates in [&mut reference.v, &mut reference.a] {
            for k in [0, 3] {
                let v = turned(vec3(rates[k], rates[k + 1], rates[k + 2]), self.heading);
                rates[k..k + 3].copy_from_slice(&v.to_array());
            }
        }
    }

    pub(super) fn momenta(&self) -> Momenta {
        // However much in a hurry the feet are: the body moves as the pendulum it is.
        let m = self.cycle.momenta(self.phase, 1.0);
        let turn = |v: Vec3<f64>| turned(v, self.heading);
        Momenta {
            centre: [self.in_world(m.centre[0]), turn(m.centre[1]), turn(m.centre[2])],
            spin: [turn(m.spin[0]), turn(m.spin[1])],
            pressure: self.in_world(m.pressure),
        }
    }
}
