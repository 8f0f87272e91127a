//! What the body is to do next: the walk, and what brings it back to it.

use andante_dynamics::{Kinematics, Simulation};

use super::WalkController;
use super::turning::slope;
use crate::control::motion_aim::{AimedFoot, MotionAim, bear};
use crate::physique::Physique;
use crate::walk::cycle::Momenta;

impl WalkController {
    /// Which corners of the standing feet bear: those the walk rolls over.
    pub(super) fn bear(&mut self, physique: &Physique, kin: &Kinematics<f64>) {
        let planted = self.feet.map(|foot| foot.planted);
        let felt = (&mut self.senses, &mut self.support);
        bear(physique, [&self.kin, kin], planted, self.options.bears, felt);
    }

    /// Turns the walk and what differs from it into tasks. Gives the error of the capture point and what the pressure does
    /// against it.
    pub(super) fn aim(
        &mut self,
        physique: &Physique,
        simulation: &Simulation<f64>,
        walk: &Momenta,
    ) -> [[f64; 2]; 2] {
        let feet = [0, 1].map(|foot| self.aimed(foot));
        let swing = self.cycle.swing(self.phase);
        let aim = MotionAim {
            options: &self.options,
            senses: &self.senses,
            support: &self.support,
            now: &self.now,
            kin: &self.kin,
            next: &self.next,
            momenta: walk,
            lead: swing.lead,
            square: swing.square,
            gain: 1.0 + self.options.centring / self.cycle.rate,
        };
        let found = aim.set(physique, simulation.kinematics(), feet, &mut self.tasks);
        self.error = found[0];
        found
    }

    fn aimed(&self, foot: usize) -> AimedFoot {
        let (own, standing) = (&self.feet[foot], self.cycle.standing[foot]);
        let swung = standing.swung(self.phase);
        let lasts = self.cycle.period * (1.0 - standing.lasts) / self.pace;
        let rate = slope(swung) / lasts;
        AimedFoot {
            planted: own.planted,
            left: own.left,
            land: own.land,
            yaw: own.yaw,
            swung,
            rate,
        }
    }
}
