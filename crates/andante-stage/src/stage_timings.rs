//! What planning on a stage costs.

use crate::character_plan::PlanTimings;
use andante_plan::steps::Timings;

/// Milliseconds of planning, summed over everybody; zero without a clock ([`PlayOptions::clock`](crate::PlayOptions)).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StageTimings {
    /// The floors of the world and what stands on them; once for a world and a body.
    pub preparation: f64,
    /// The search for ways, with the meshes and jumps of the floors that it is the first to look at.
    pub search: f64,
    /// Ways and motions made anew to keep bodies off obstacles.
    pub corrections: f64,
    /// Footsteps and all that follows from them.
    pub steps: Timings,
}

impl StageTimings {
    /// Adds what a plan cost, but for the preparation of its world.
    pub(crate) fn add(&mut self, plan: &PlanTimings, steps: &Timings) {
        self.search += plan.search;
        self.corrections += plan.corrections;
        let (sum, own) = (&mut self.steps, steps);
        for (sum, own) in [
            (&mut sum.scoring, own.scoring),
            (&mut sum.smoothing, own.smoothing),
            (&mut sum.refinement, own.refinement),
            (&mut sum.body_trajectory, own.body_trajectory),
            (&mut sum.blend_groups, own.blend_groups),
            (&mut sum.inverse_kinematics, own.inverse_kinematics),
            (&mut sum.total, own.total),
        ] {
            *sum += own;
        }
    }

    /// Every stage by its name, in order.
    pub fn rows(&self) -> [(&'static str, f64); 10] {
        let steps = &self.steps;
        [
            ("preparation", self.preparation),
            ("search", self.search),
            ("corrections", self.corrections),
            ("scoring", steps.scoring),
            ("smoothing", steps.smoothing),
            ("refinement", steps.refinement),
            ("body_trajectory", steps.body_trajectory),
            ("blend_groups", steps.blend_groups),
            ("inverse_kinematics", steps.inverse_kinematics),
            ("after_search", steps.total),
        ]
    }
}
