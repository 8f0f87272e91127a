//! Trees that touch nothing keep their momentum.

use crate::inverse::{solve_symmetric, tree_momentum};
use crate::math::{Sym3, Vec3, vec3};
use crate::real::Real;
use crate::simulation::Simulation;
use crate::spatial::Force;

/// Momentum of the flying trees at the start of a step, to be had again at its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlightMomentum<R: Real> {
    /// Centre of mass at the end of the step.
    pub centre: Vec3<R>,
    /// Linear momentum at the end of the step.
    pub linear: Vec3<R>,
    /// Angular momentum about the centre of mass at the end of the step.
    pub angular: Vec3<R>,
    /// Lanes without contact.
    pub free: R::Mask,
}

impl<R: Real> FlightMomentum<R> {
    /// Nothing flies.
    pub fn none() -> Self {
        let zero = Vec3::zero();
        FlightMomentum { centre: zero, linear: zero, angular: zero, free: R::mask_all(false) }
    }
}

impl<R: Real> Simulation<R> {
    /// What momentum each flying tree must have at the end of the step.
    pub(crate) fn prepare_flight(&mut self) {
        let h = R::splat(self.settings.step);
        for (tree, &root) in self.model.roots.iter().enumerate() {
            let mut free = R::mask_all(self.model.nodes[root].joint.floats());
            for found in &self.points.found {
                let slot = &self.points.slots[found.slot];
                let touched = self.model.tree(slot.link) == tree
                    || slot.other.is_some_and(|other| self.model.tree(other) == tree);
                if touched {
                    free = R::and_not(free, found.active);
                }
            }
            self.flights[tree].free = free;
            if !R::any(free) {
                continue;
            }
            let (inertia, momentum) = tree_momentum(&self.model, &self.kin, tree);
            let mut external = Force::zero();
            for (link, force) in self.external.iter().enumerate() {
                if self.model.tree(link) == tree {
                    external += *force;
                }
            }
            let centre = inertia.moment * (R::one() / inertia.mass);
            let weight = Vec3::splat(self.settings.gravity) * inertia.mass;
            let linear = momentum.f + (external.f + weight) * h;
            self.flights[tree] = FlightMomentum {
                centre: self.kin.reference[tree] + centre + linear * (h / inertia.mass),
                linear,
                angular: momentum.moment_about(centre) + external.moment_about(centre) * h,
                free,
            };
        }
    }

    /// Moves and turns flying trees as a whole so that they have the momentum they must have.
    ///
    /// The new velocities were found in the old pose; in the new one they have a momentum that is off by the square of
    /// the step.
    pub(crate) fn finish_flight(&mut self) {
        let mut corrected = false;
        for (tree, &root) in self.model.roots.iter().enumerate() {
            let flight = self.flights[tree];
            if !R::any(flight.free) {
                continue;
            }
            corrected = true;
            let node = &self.model.nodes[root];
            let (inertia, momentum) = tree_momentum(&self.model, &self.kin, tree);
            let per_mass = R::one() / inertia.mass;
            let centre = inertia.moment * per_mass;
            let own = Sym3::point_mass(-inertia.mass, centre) + inertia.about;
            let turn = solve_symmetric(&own, flight.angular - momentum.moment_about(centre));
            let shift = (flight.linear - momentum.f) * per_mass - turn.cross(centre);
            let place = flight.centre - centre;
            for k in 0..3 {
                let (q, w, v) = (node.q + k, node.v + k, node.v + 3 + k);
                let state = &mut self.state;
                state.q[q] = R::select(flight.free, place[k], state.q[q]);
                state.v[w] = R::select(flight.free, state.v[w] + turn[k], state.v[w]);
                state.v[v] = R::select(flight.free, state.v[v] + shift[k], state.v[v]);
            }
            self.kin.reference[tree] =
                vec3(self.state.q[node.q], self.state.q[node.q + 1], self.state.q[node.q + 2]);
        }
        if corrected {
            self.kin.set_velocities(&self.model, &self.state.v);
        }
    }
}
