//! What can be read off a simulation: contacts, energies, momenta.

use crate::contact::SlotKind;
use crate::inverse::tree_momentum;
use crate::joint_forces::elastic_energy;
use crate::math::Vec3;
use crate::real::Real;
use crate::simulation::Simulation;

/// A contact of the last step in one lane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactReading {
    /// The shape.
    pub shape: usize,
    /// Its link.
    pub link: usize,
    /// The other shape; `None` for the terrain.
    pub other: Option<usize>,
    /// Where, in the world.
    pub point: Vec3<f64>,
    /// Unit normal, towards the shape.
    pub normal: Vec3<f64>,
    /// Gap before the step; negative for an overlap.
    pub distance: f64,
    /// Mean force on the shape over the step, N.
    pub force: Vec3<f64>,
}

impl<R: Real> Simulation<R> {
    /// The contacts of the last step in one lane, in a fixed order; none if the lane is quarantined.
    pub fn contacts(&self, lane: usize) -> impl Iterator<Item = ContactReading> + '_ {
        let rate = 1.0 / self.settings.step;
        let well = !self.is_quarantined(lane);
        let all = self.contacts.places.iter().enumerate();
        all.filter(move |(_, place)| well && R::test(place.found.active, lane)).map(
            move |(contact, place)| {
                let slot = &self.points.slots[place.found.slot];
                let other = match slot.kind {
                    SlotKind::Terrain { .. } => None,
                    SlotKind::Pair { other } => Some(other),
                };
                ContactReading {
                    shape: slot.shape,
                    link: slot.link,
                    other,
                    point: place.point.lane(lane),
                    normal: place.found.normal.lane(lane),
                    distance: place.found.distance.lane(lane),
                    force: self.contacts.impulse(contact).lane(lane) * rate,
                }
            },
        )
    }

    /// The residual of the last step's impulses against the laws of contact (nothing sinks in, nothing pulls, friction
    /// stays in its cone and opposes what slides), m/s: the worst of all contacts, in each lane.
    pub fn contact_residual(&self) -> R {
        self.contacts.residual()
    }

    /// Energy of motion.
    pub fn kinetic_energy(&self) -> R {
        let mut sum = R::zero();
        for (inertia, &velocity) in self.kin.inertia.iter().zip(&self.kin.velocity) {
            sum += velocity.dot(inertia.mul(velocity));
        }
        sum * R::splat(0.5)
    }

    /// Energy of height, zero at the world's origin.
    pub fn potential_energy(&self) -> R {
        let mut sum = R::zero();
        for (link, inertia) in self.kin.inertia.iter().enumerate() {
            let reference = self.kin.reference[self.model.tree(link)];
            sum -=
                (inertia.moment + reference * inertia.mass).dot(Vec3::splat(self.settings.gravity));
        }
        sum
    }

    /// Energy in the springs and stops of the joints.
    pub fn elastic_energy(&self) -> R {
        elastic_energy(&self.model, &self.state.q)
    }

    /// Centre of mass of a tree.
    pub fn centre_of_mass(&self, tree: usize) -> Vec3<R> {
        let (inertia, _) = tree_momentum(&self.model, &self.kin, tree);
        self.kin.reference[tree] + inertia.moment * (R::one() / inertia.mass)
    }

    /// Linear momentum of a tree, and its angular momentum about its centre of mass.
    pub fn momentum(&self, tree: usize) -> (Vec3<R>, Vec3<R>) {
        let (inertia, momentum) = tree_momentum(&self.model, &self.kin, tree);
        (momentum.f, momentum.moment_about(inertia.moment * (R::one() / inertia.mass)))
    }

    /// The torque of a link's joint in the last step, its springs, dampers and stops included, N·m: the torque of a
    /// hinge, the size of the torque of a ball.
    ///
    /// # Panics
    /// If there is no such link.
    pub fn joint_torque(&self, link: usize) -> R {
        let at = |k: usize| self.torque_at(k);
        let freedoms = self.model.freedom_range(link);
        match self.model.links()[link].joint.axes() {
            0 => R::zero(),
            1 => at(freedoms.start),
            _ => freedoms.map(|k| at(k) * at(k)).fold(R::zero(), |sum, square| sum + square).sqrt(),
        }
    }

    /// The work of a link's joint in the last step, its springs, dampers and stops included, J: positive where it drives,
    /// negative where it brakes.
    ///
    /// # Panics
    /// If there is no such link.
    pub fn joint_work(&self, link: usize) -> R {
        let half = R::splat(0.5 * self.settings.step);
        let freedoms = match self.model.links()[link].joint.axes() {
            0 => 0..0,
            _ => self.model.freedom_range(link),
        };
        freedoms.fold(R::zero(), |sum, k| {
            sum + self.torque_at(k) * (self.state.v[k] + self.before.v[k]) * half
        })
    }

    /// The torque along one velocity of a joint, as it is at the end of the step.
    fn torque_at(&self, k: usize) -> R {
        let rate = R::splat(1.0 / self.settings.step);
        let change = (self.state.v[k] - self.before.v[k]) * rate;
        self.joints.torque[k] - self.joints.augment[k] * change
    }
}
