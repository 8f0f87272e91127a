//! Where and when the foot in the air is to land.

use andante_dynamics::{Kinematics, Vec3, vec3};

use super::WalkController;
use super::turning::turned;
use crate::physique::Physique;
use crate::walk::course::StepCourse;

/// Paces that a step is tried with.
const PACES: usize = 6;

impl WalkController {
    /// Where the swinging foot is to land: beside the walk's place by what the capture point will be off.
    pub(super) fn place_foot(
        &mut self,
        physique: &Physique,
        kin: &Kinematics<f64>,
        [error, moved]: [[f64; 2]; 2],
        step: f64,
    ) {
        let foot = 1 - self.lead;
        let standing = self.cycle.standing[foot];
        if self.feet[foot].planted || standing.swung(self.phase) > 0.9 {
            return;
        }
        let options = &self.options;
        let swing = self.cycle.swing(self.phase);
        let stance = physique.sole_at(kin, self.lead);
        let round = (self.phase + standing.until_strike(self.phase) - standing.strike).round();
        let way = vec3(0.0, 0.0, self.cycle.stride * round);
        let place = turned(self.in_world(self.cycle.strikes[foot] + way) - stance, -self.heading);
        let goal = self.in_world(self.cycle.captures[foot] + way);
        let strike = self.cycle.swing(self.phase + standing.until_strike(self.phase));
        let growth = strike.growth - swing.growth;
        // Where the walk's own capture point is, and the pressure that takes it to the strike's.
        let (centre, velocity) = (self.senses.centre, self.senses.velocity);
        let capture = [centre.x + velocity.x * swing.lead, centre.z + velocity.z * swing.lead];
        let grow = libm::exp(growth);
        let goal = [goal.x, goal.z];
        let flies = self.cycle.flies;
        let pressure = [0, 1].map(|k| {
            let own = (goal[k] - (capture[k] - error[k]) * grow) / (1.0 - grow).min(-1e-6);
            own + moved[k]
        });
        let outwards = physique.soles[foot].outwards;
        let nearest = (options.apart - place.x * outwards).min(0.0);
        let (mut best, mut least) = ((Vec3::default(), 1.0), f64::INFINITY);
        // In the air nothing can be hurried.
        for k in 0..if flies { 1 } else { PACES } {
            let pace = 1.0 + (options.hurry - 1.0) * k as f64 / (PACES - 1) as f64;
            let grow = libm::exp(growth / pace);
            let end = [0, 1].map(|k| {
                if flies {
                    moved[k] + (error[k] - moved[k]) * grow
                } else {
                    pressure[k] + (capture[k] - pressure[k]) * grow - goal[k]
                }
            });
            // In the body's own axes.
            let own = turned(vec3(end[0], 0.0, end[1]) * options.placement, -self.heading);
            let across = (own.x * outwards).clamp(nearest, options.aside) * outwards;
            let found = vec3(across, 0.0, own.z.clamp(-options.reach, options.reach));
            let haste = options.haste * 10.0 * (pace - 1.0);
            let cost =
                (own - found).length_squared() * 25.0 + found.length_squared() + haste * haste;
            if cost < least {
                (best, least) = ((turned(found, self.heading), pace), cost);
            }
        }
        let [aside, ahead] = self.course.as_ref().map_or([0.0; 2], StepCourse::stretch);
        best.0 += turned(vec3(aside, 0.0, ahead), self.heading);
        let follow = (25.0 * step).min(1.0);
        let land = &mut self.feet[foot].land;
        *land += (best.0 - *land) * follow;
        self.pace += (best.1 - self.pace) * follow;
    }
}
