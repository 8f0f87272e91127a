//! Feet that strike and leave the ground, and where they are to land.

use andante_dynamics::{Kinematics, Simulation, Vec3, vec3};

use super::{ClipController, TrackedFoot};
use crate::physique::Physique;
use crate::walk::walk_controller::turning::{ease, turned, wrap};

impl ClipController {
    /// Goes on in the clip; feet strike and leave the ground.
    pub(super) fn advance(&mut self, physique: &Physique, simulation: &Simulation<f64>, step: f64) {
        self.time += self.pace * step;
        let kin = simulation.kinematics();
        for foot in 0..2 {
            let (swung, _) = self.plan.swung(foot, self.time);
            if self.feet[foot].early {
                // It came down before its time, and stays.
                if swung <= 0.0 {
                    self.strike(physique, kin, foot);
                }
                continue;
            }
            if self.feet[foot].planted {
                let other = 1 - foot;
                let flies = self.plan.stance(other, self.time).is_none();
                if swung > 0.0 && (flies || self.feet[other].planted) {
                    self.look(physique);
                    let off = physique.sole_at(kin, foot) - physique.sole_at(&self.kin, foot);
                    self.feet[foot] = TrackedFoot {
                        planted: false,
                        early: false,
                        left: off,
                        land: Vec3::default(),
                        yaw: self.yaw_off(physique, kin, foot),
                    };
                }
                continue;
            }
            let late = swung <= 0.0;
            let loaded = self.senses.load[foot] > self.gait().strike_load;
            let heavy = self.options.heavy * physique.mass * simulation.settings().gravity.length();
            let near =
                || self.senses.corners[foot].iter().any(|corner| corner.gap < self.options.lands);
            if late && (loaded || near()) {
                self.strike(physique, kin, foot);
            } else if self.senses.load[foot] > heavy && swung > 0.75 || loaded && swung > 0.95 {
                (self.feet[foot].planted, self.feet[foot].early) = (true, true);
                self.feet[foot].yaw = self.yaw_off(physique, kin, foot);
            } else if late && let Some(stance) = self.plan.stance(foot, self.time) {
                // The clip waits for the foot.
                self.time = self.time.min(stance.from + 0.02);
            }
        }
    }

    /// A foot has come down: the plan goes on from where it is.
    fn strike(&mut self, physique: &Physique, kin: &Kinematics<f64>, foot: usize) {
        let other = 1 - foot;
        self.look(physique);
        let before = physique.sole_at(&self.kin, other) + self.aside(other);
        let found = self.plan.stance(foot, self.time).or(self.plan.next(foot, self.time));
        let Some(&stance) = found else { return };
        self.pace = 1.0;
        self.steps += 1;
        let at = physique.sole_at(kin, foot);
        let off = at - stance.print;
        self.offset = vec3(off.x, self.ground(foot), off.z);
        (self.feet[foot].planted, self.feet[foot].early) = (true, false);
        self.look(physique);
        self.feet[foot].yaw = self.yaw_off(physique, kin, foot);
        if !self.feet[other].planted {
            // The other foot is in the air already, and stays on its way.
            let jump = before - physique.sole_at(&self.kin, other) - self.aside(other);
            let left = 1.0 - ease(self.plan.swung(other, self.time).0);
            self.feet[other].left += jump * (1.0 / left.max(0.2));
        }
    }

    /// How far beside the plan's a foot in the air is to be.
    fn aside(&self, foot: usize) -> Vec3<f64> {
        let own = &self.feet[foot];
        let to = ease(self.plan.swung(foot, self.time).0);
        own.left * (1.0 - to) + own.land * to
    }

    /// Height of the ground under a foot.
    fn ground(&self, foot: usize) -> f64 {
        let corners = self.senses.corners[foot].iter().filter(|c| c.gap.is_finite());
        let (sum, count) =
            corners.fold((0.0, 0.0), |(sum, n), c| (sum + c.point.y - c.gap, n + 1.0));
        if count > 0.0 { sum / count } else { 0.0 }
    }

    /// By how much the heading of a foot differs from the plan's.
    fn yaw_off(&self, physique: &Physique, kin: &Kinematics<f64>, foot: usize) -> f64 {
        let link = physique.soles[foot].link;
        let (own, plan) = (kin.rotation(link).z, self.kin.rotation(link).z);
        wrap(libm::atan2(own.x, own.z) - libm::atan2(plan.x, plan.z))
    }

    /// Where the feet in the air are to land: beside the plan's place by what the capture point will be off.
    pub(super) fn place_feet(
        &mut self,
        physique: &Physique,
        kin: &Kinematics<f64>,
        excess: [[f64; 2]; 2],
        step: f64,
    ) {
        let strike = |foot: usize| match self.feet[foot].planted {
            true => f64::INFINITY,
            false => self.plan.next(foot, self.time).map_or(f64::INFINITY, |s| s.from),
        };
        let strikes = [strike(0), strike(1)];
        let mut pace = 1.0;
        for foot in 0..2 {
            let first = strikes[foot] < strikes[1 - foot] + 0.1;
            if strikes[foot].is_finite() && first && self.plan.swung(foot, self.time).0 <= 0.9 {
                pace = self.place_foot(physique, kin, foot, excess, step);
            }
        }
        self.pace += (pace - self.pace) * (25.0 * step).min(1.0);
    }

    /// Places one foot; gives the pace that suits it.
    fn place_foot(
        &mut self,
        physique: &Physique,
        kin: &Kinematics<f64>,
        foot: usize,
        [error, moved]: [[f64; 2]; 2],
        step: f64,
    ) -> f64 {
        let Some(&stance) = self.plan.next(foot, self.time) else { return 1.0 };
        let options = *self.gait();
        let heading = self.heading(physique);
        let swing = self.plan.swing(self.time);
        let other = physique.sole_at(kin, 1 - foot);
        let place = turned(stance.print + self.offset - other, -heading);
        let goal = stance.capture + self.offset;
        let growth = self.plan.swing(stance.from).growth - swing.growth;
        let (centre, velocity) = (self.senses.centre, self.senses.velocity);
        let capture = [centre.x + velocity.x * swing.lead, centre.z + velocity.z * swing.lead];
        let grow = libm::exp(growth);
        let goal = [goal.x, goal.z];
        let flies = self.plan.bounces(self.time);
        let pressure = [0, 1].map(|k| {
            let own = (goal[k] - (capture[k] - error[k]) * grow) / (1.0 - grow).min(-1e-6);
            own + moved[k]
        });
        let outwards = physique.soles[foot].outwards;
        let nearest = if self.feet[1 - foot].planted {
            (options.apart - place.x * outwards).min(0.0)
        } else {
            -options.aside
        };
        let (mut best, mut least) = ((Vec3::default(), 1.0), f64::INFINITY);
        let paces = 6;
        // In the air nothing can be hurried.
        for k in 0..if flies { 1 } else { paces } {
            let pace = 1.0 + (options.hurry - 1.0) * f64::from(k) / f64::from(paces - 1);
            let grow = libm::exp(growth / pace);
            let end = [0, 1].map(|k| {
                if flies {
                    moved[k] + (error[k] - moved[k]) * grow
                } else {
                    pressure[k] + (capture[k] - pressure[k]) * grow - goal[k]
                }
            });
            // In the body's own axes.
            let own = turned(vec3(end[0], 0.0, end[1]) * options.placement, -heading);
            let across = (own.x * outwards).clamp(nearest, options.aside) * outwards;
            let found = vec3(across, 0.0, own.z.clamp(-options.reach, options.reach));
            let haste = options.haste * 10.0 * (pace - 1.0);
            let cost =
                (own - found).length_squared() * 25.0 + found.length_squared() + haste * haste;
            if cost < least {
                (best, least) = ((turned(found, heading), pace), cost);
            }
        }
        let follow = (25.0 * step).min(1.0);
        let land = &mut self.feet[foot].land;
        *land += (best.0 - *land) * follow;
        best.1
    }

    /// Where the plan's hips face.
    fn heading(&self, physique: &Physique) -> f64 {
        let ahead = self.kin.rotation(physique.torso).z;
        libm::atan2(ahead.x, ahead.z)
    }
}
