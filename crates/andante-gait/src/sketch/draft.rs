//! From a gait that was found without modes to the modes that make it up: a sketch to begin with.

use crate::problem::gait_problem::GaitProblem;
use crate::problem::problem_error::ProblemError;
use crate::problem::pulse_controller::{PulseController, PulsePhase};
use crate::sketch::gait_sketch::{GaitSketch, PhaseSketch};
use crate::{Basis, Modes, PinnedPoint};

andante_skeleton::settings! {
    /// Options of drafting a sketch from a gait.
    pub struct DraftOptions: Copy {
        /// The part of what a gait has of a mode that its draft asks for: more than that is for the search to find.
        /// With 1 nothing is left to find.
        least: f64 = 0.5, 0.0..=1.0;
        /// Amplitudes of a draft are multiples of this.
        round: f64 = 0.05, 0.0..;
    }
}

/// The share of a mode in the torques of a phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModeShare {
    /// Counted from zero.
    pub mode: usize,
    /// −1 to 1 as in a sketch, or beyond.
    pub amplitude: f64,
    /// The part of the energy that the springs would hold if they gave way to the torques; all modes make one.
    pub share: f64,
}

impl GaitProblem {
    /// The modes that make up the torques of every step's flight and stance, those that matter most first.
    pub fn mode_shares(
        &self,
        candidate: &PulseController,
    ) -> Result<Vec<[Vec<ModeShare>; 2]>, ProblemError> {
        let air = Modes::find(self.body(), self.pose(), &[])?;
        let mut all = Vec::with_capacity(candidate.steps.len());
        for step in &candidate.steps {
            let pins: Vec<PinnedPoint> =
                step.feet.iter().map(|&foot| PinnedPoint::toe(&self.body().feet()[foot])).collect();
            let ground = Modes::find(self.body(), self.pose(), &pins)?;
            all.push([self.shares_of(&air, &step.air), self.shares_of(&ground, &step.ground)]);
        }
        Ok(all)
    }

    fn shares_of(&self, modes: &Modes, phase: &PulsePhase) -> Vec<ModeShare> {
        let full = modes.full_amplitudes(self.body(), Basis::Static);
        let forces = modes.forces(&phase.torques);
        let energy = |(mode, force): (&crate::VibrationMode, &f64)| force * force / mode.stiffness;
        let energies: Vec<f64> = modes.modes.iter().zip(&forces).map(energy).collect();
        let whole = energies.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let mut shares: Vec<ModeShare> = (0..energies.len())
            .map(|mode| ModeShare {
                mode,
                amplitude: forces[mode] / (modes.modes[mode].stiffness * full[mode].max(1e-12)),
                share: energies[mode] / whole,
            })
            .collect();
        shares.sort_by(|a, b| b.share.total_cmp(&a.share));
        shares
    }

    /// The sketch that a gait found without modes could have come from: its times, its signs, and as many modes of each class as
    /// this problem's sketch has. Worth a search of its own, and a second look: what matters to the springs need not
    /// matter to the eye.
    pub fn draft(
        &self,
        candidate: &PulseController,
        options: &DraftOptions,
    ) -> Result<GaitSketch, ProblemError> {
        let mut sketch = self.sketch().clone();
        sketch.basis = Basis::Static;
        let parts = sketch.steps.len() * if sketch.mirrored { 2 } else { 1 };
        let length = candidate.length() / candidate.steps.len().max(1) as f64;
        sketch.period = hundredths(length * parts as f64);
        let shares = self.mode_shares(candidate)?;
        for ((step, plan), [air, ground]) in
            sketch.steps.iter_mut().zip(&candidate.steps).zip(shares)
        {
            step.air_fraction = hundredths(plan.air.length / plan.length());
            step.air_pulse = hundredths(plan.air.pulse);
            step.ground_pulse = hundredths(plan.ground.pulse);
            step.air = drafted(&step.air, &air, options);
            step.ground = drafted(&step.ground, &ground, options);
        }
        Ok(sketch)
    }
}

fn hundredths(value: f64) -> f64 {
    (100.0 * value).round() / 100.0
}

/// As many modes of each class as another phase has.
fn drafted(like: &PhaseSketch, shares: &[ModeShare], options: &DraftOptions) -> PhaseSketch {
    let DraftOptions { least, round } = *options;
    let (first, rest) = shares.split_at(like.priority.len().min(shares.len()));
    let amplitude = |share: &ModeShare| {
        let rounded = (least * share.amplitude.abs() / round).round() * round;
        let size = (100.0 * rounded).round() / 100.0;
        (share.mode, size.clamp(round, 1.0).copysign(share.amplitude))
    };
    let mut priority: Vec<(usize, f64)> = first.iter().map(amplitude).collect();
    let mut allowed: Vec<usize> =
        rest.iter().take(like.allowed.len()).map(|share| share.mode).collect();
    priority.sort_by_key(|(mode, _)| *mode);
    allowed.sort_unstable();
    PhaseSketch { priority, allowed }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FoundGait, ProblemOptions};

    /// What was made of modes falls apart into the same modes.
    #[test]
    fn the_modes_of_a_sketch_are_found_in_its_torques() {
        let sketch = GaitSketch::built_in("basic-run").unwrap();
        let body = andante_body::creature(&sketch.character).unwrap();
        let problem = GaitProblem::new(&body, &sketch, &ProblemOptions::default()).unwrap();
        // Amplitudes as sketched add up to less than one, so that no joint reaches its limit.
        let candidate = problem.decode(&problem.start());
        let shares = problem.mode_shares(&candidate).unwrap();
        let draft = problem.draft(&candidate, &DraftOptions::default()).unwrap();
        let (step, drafted) = (&sketch.steps[0], &draft.steps[0]);
        let phases = [(&step.air, &drafted.air), (&step.ground, &drafted.ground)];
        for ((sketched, drafted), shares) in phases.into_iter().zip(&shares[0]) {
            for (mode, amplitude) in &sketched.priority {
                let share = shares.iter().find(|share| share.mode == *mode).unwrap();
                assert!((share.amplitude - amplitude).abs() < 1e-6, "{share:?} {amplitude}");
            }
            assert!((shares.iter().map(|share| share.share).sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(shares.is_sorted_by(|a, b| a.share >= b.share));
            let half: Vec<(usize, f64)> = sketched
                .priority
                .iter()
                .map(|(mode, amplitude)| (*mode, 0.5 * amplitude))
                .collect();
            assert_eq!(drafted.priority, half);
            assert_eq!(drafted.allowed.len(), sketched.allowed.len());
        }
        assert!((draft.period - sketch.period).abs() < 1e-9);
    }

    /// Joints may be at their limits: what is left of the modes is a sketch nevertheless.
    #[test]
    fn a_draft_of_a_found_gait_makes_a_search() {
        let sketch = GaitSketch::built_in("kangaroo-hop").unwrap();
        let body = andante_body::creature(&sketch.character).unwrap();
        let problem = GaitProblem::new(&body, &sketch, &ProblemOptions::default()).unwrap();
        let gait = FoundGait::built_in("kangaroo-hop").unwrap().unwrap();
        let draft =
            problem.draft(&gait.candidate(&problem).unwrap(), &DraftOptions::default()).unwrap();
        assert!(GaitProblem::new(&body, &draft, &ProblemOptions::default()).is_ok());
    }
}
