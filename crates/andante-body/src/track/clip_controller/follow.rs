//! What the body is to do next: the plan, and what brings it back to it.

use andante_dynamics::{Kinematics, Simulation};

use super::ClipController;
use crate::control::motion_aim::{AimedFoot, MotionAim, bear};
use crate::physique::Physique;
use crate::walk::cycle::Momenta;
use crate::walk::walk_controller::turning::slope;

impl ClipController {
    /// Which corners of the standing feet bear: those the plan rolls over.
    pub(super) fn bear(&mut self, physique: &Physique, kin: &Kinematics<f64>) {
        let planted = self.feet.map(|foot| foot.planted);
        let felt = (&mut self.senses, &mut self.support);
        bear(physique, [&self.kin, kin], planted, self.options.bears, felt);
    }

    /// Turns the plan and what differs from it into tasks. Gives the error of the capture point and what the pressure does
    /// against it.
    pub(super) fn aim(
        &mut self,
        physique: &Physique,
        simulation: &Simulation<f64>,
        plan: &Momenta,
    ) -> [[f64; 2]; 2] {
        let feet = [0, 1].map(|foot| self.aimed(foot));
        let (options, swing) = (*self.gait(), self.plan.swing(self.time));
        let aim = MotionAim {
            options: &options,
            senses: &self.senses,
            support: &self.support,
            now: &self.now,
            kin: &self.kin,
            next: &self.next,
            momenta: plan,
            lead: swing.lead,
            square: swing.square,
            gain: 1.0 + options.centring * swing.lead,
        };
        let found = aim.set(physique, simulation.kinematics(), feet, &mut self.tasks);
        self.error = found[0];
        found
    }

    fn aimed(&self, foot: usize) -> AimedFoot {
        let own = &self.feet[foot];
        let (swung, seconds) = self.plan.swung(foot, self.time);
        let rate = slope(swung) * self.pace / seconds.max(0.1);
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
