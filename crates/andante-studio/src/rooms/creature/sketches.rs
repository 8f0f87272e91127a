//! The sketch as it stands, in motion: without gravity and with it.

use super::desk::CreatureDesk;
use andante_body::RigidPlacement;
use andante_dynamics::{PhysicsSettings, vec3};
use andante_gait::{GaitProblem, PulseMotion};
use std::sync::Arc;

/// Two bodies that do what a sketch says.
#[derive(Default)]
pub struct LiveSketches {
    problem: Option<Arc<GaitProblem>>,
    motions: [Option<PulseMotion>; 2],
    /// Seconds after which it begins anew.
    lasts: f64,
    time: f64,
    /// Who is lower than this has fallen, in metres.
    least: f64,
}

impl LiveSketches {
    /// Of what is on a desk.
    pub fn new(desk: &CreatureDesk) -> Self {
        let problem = desk.problem.as_ref().ok().cloned();
        let lasts = (4.0 * desk.sketch.period).clamp(1.0, 6.0);
        let mut made =
            Self { problem, motions: [None, None], lasts, time: 0.0, least: 0.45 * desk.root().y };
        made.begin();
        made
    }

    fn begin(&mut self) {
        self.time = 0.0;
        let Some(problem) = &self.problem else { return };
        let weightless =
            PhysicsSettings { gravity: vec3(0.0, 0.0, 0.0), ..PhysicsSettings::default() };
        self.motions = [weightless, problem.options().physics.clone()].map(|physics| {
            let mut motion = PulseMotion::new(problem.body(), problem.pose(), &physics).ok()?;
            motion.drive(problem.sketched()).ok()?;
            Some(motion)
        });
    }

    /// Lets time pass.
    pub fn advance(&mut self, seconds: f64) {
        self.time += seconds;
        if self.time > self.lasts {
            self.begin();
        }
        for motion in self.motions.iter_mut().flatten() {
            motion.run_until(self.time);
        }
        // Whoever has fallen, feet alone touch the ground, has shown what there is to see.
        let lost =
            |motion: &PulseMotion| motion.state().position.y < self.least || motion.has_failed();
        if self.motions[1].as_ref().is_some_and(lost) {
            self.begin();
        }
    }

    /// The placements of every segment, without gravity and with it.
    pub fn placed(&self) -> [Option<Vec<RigidPlacement>>; 2] {
        [0, 1].map(|which| self.motions[which].as_ref().map(PulseMotion::placed))
    }
}
