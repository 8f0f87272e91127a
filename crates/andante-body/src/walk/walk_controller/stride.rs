//! Feet that strike and leave the ground, and where the walk goes.

use andante_dynamics::{Kinematics, Simulation, Vec3, vec3};

use super::turning::{ease, wrap};
use super::{WalkController, WalkingFoot};
use crate::physique::Physique;

impl WalkController {
    /// Goes on in the cycle; feet strike and leave the ground.
    pub(super) fn advance(&mut self, physique: &Physique, simulation: &Simulation<f64>, step: f64) {
        self.phase += self.pace * step / self.cycle.period;
        let kin = simulation.kinematics();
        for foot in 0..2 {
            let standing = self.cycle.standing[foot];
            let own = self.feet[foot];
            if own.planted {
                if standing.swung(self.phase) > 0.0 && (self.cycle.flies || foot != self.lead) {
                    self.look(physique);
                    let off = physique.sole_at(kin, foot) - physique.sole_at(&self.kin, foot);
                    self.feet[foot] = WalkingFoot {
                        planted: false,
                        left: off,
                        land: Vec3::default(),
                        yaw: self.yaw_off(physique, kin, foot),
                    };
                }
                continue;
            }
            let swung = standing.swung(self.phase);
            let late = swung <= 0.0;
            if self.senses.load[foot] > self.options.strike_load && (swung > 0.6 || late) {
                self.strike(physique, kin, foot);
            } else if late {
                // The cycle waits for the foot.
                let over = (self.phase - standing.strike).rem_euclid(1.0);
                self.phase -= (over - 0.02).max(0.0);
            }
        }
    }

    /// A foot has come down: the walk goes on from where it is.
    pub(super) fn strike(&mut self, physique: &Physique, kin: &Kinematics<f64>, foot: usize) {
        let other = 1 - foot;
        self.look(physique);
        let before = physique.sole_at(&self.kin, other) + self.aside(other);
        let standing = self.cycle.standing[foot];
        let round = (self.phase - standing.strike).round();
        self.phase = standing.strike + round;
        self.pace = 1.0;
        self.steps += 1;
        let at = physique.sole_at(kin, foot);
        if let Some(course) = &mut self.course {
            course.strike(at, foot, self.heading, &mut self.cycle);
            self.phase = self.cycle.standing[foot].strike + round;
        }
        let way = vec3(0.0, 0.0, self.cycle.stride * round);
        let place = self.cycle.strikes[foot] + way;
        let level = self.ground(foot);
        self.print = [place, vec3(at.x, level + place.y, at.z)];
        self.lead = foot;
        self.feet[foot].planted = true;
        self.look(physique);
        self.feet[foot].yaw = self.yaw_off(physique, kin, foot);
        if !self.feet[other].planted {
            // The other foot is in the air already, and stays on its way.
            let jump = before - physique.sole_at(&self.kin, other) - self.aside(other);
            let left = 1.0 - ease(self.cycle.standing[other].swung(self.phase));
            self.feet[other].left += jump * (1.0 / left.max(0.2));
        }
    }

    /// How far beside the cycle's a foot in the air is to be.
    pub(super) fn aside(&self, foot: usize) -> Vec3<f64> {
        let own = &self.feet[foot];
        let to = ease(self.cycle.standing[foot].swung(self.phase));
        own.left * (1.0 - to) + own.land * to
    }

    /// Height of the ground under a foot.
    pub(super) fn ground(&self, foot: usize) -> f64 {
        let corners = self.senses.corners[foot].iter().filter(|c| c.gap.is_finite());
        let (sum, count) =
            corners.fold((0.0, 0.0), |(sum, n), c| (sum + c.point.y - c.gap, n + 1.0));
        if count > 0.0 { sum / count } else { 0.0 }
    }

    /// By how much the heading of a foot differs from the walk's.
    pub(super) fn yaw_off(&self, physique: &Physique, kin: &Kinematics<f64>, foot: usize) -> f64 {
        let link = physique.soles[foot].link;
        let (own, walk) = (kin.rotation(link).z, self.kin.rotation(link).z);
        wrap(libm::atan2(own.x, own.z) - libm::atan2(walk.x, walk.z))
    }

    /// Turns slowly to the goal.
    pub(super) fn turn(&mut self, step: f64) {
        let way = self.goal - self.senses.centre;
        if libm::hypot(way.x, way.z) > 1.0 {
            let off = wrap(libm::atan2(way.x, way.z) - self.heading);
            let most = self.options.turn * step;
            self.heading += off.clamp(-most, most);
        }
    }
}
