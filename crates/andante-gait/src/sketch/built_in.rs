//! Sketches that need no file.

use crate::held::found_gait::FoundGait;
use crate::sketch::gait_sketch::GaitSketch;
use crate::sketch::sketch_file::read_sketch;
use andante_formats::ReadError;

/// Name and text of every built-in sketch.
pub const SKETCHES: [(&str, &str); 17] = [
    ("basic-run", include_str!("../../sketches/basic-run.toml")),
    ("lateral-sway", include_str!("../../sketches/lateral-sway.toml")),
    ("yaw-run", include_str!("../../sketches/yaw-run.toml")),
    ("skipping", include_str!("../../sketches/skipping.toml")),
    ("random-1", include_str!("../../sketches/random-1.toml")),
    ("random-2", include_str!("../../sketches/random-2.toml")),
    ("crouched-run", include_str!("../../sketches/crouched-run.toml")),
    ("legs-apart-run", include_str!("../../sketches/legs-apart-run.toml")),
    ("one-foot-hop", include_str!("../../sketches/one-foot-hop.toml")),
    ("monster-run", include_str!("../../sketches/monster-run.toml")),
    ("monster-crossed-arms", include_str!("../../sketches/monster-crossed-arms.toml")),
    ("kangaroo-hop", include_str!("../../sketches/kangaroo-hop.toml")),
    ("dog-trot", include_str!("../../sketches/dog-trot.toml")),
    ("dog-gallop", include_str!("../../sketches/dog-gallop.toml")),
    ("horse-walk", include_str!("../../sketches/horse-walk.toml")),
    ("hexapod-tripod", include_str!("../../sketches/hexapod-tripod.toml")),
    ("ostrich-run", include_str!("../../sketches/ostrich-run.toml")),
];

/// Name of its sketch and text of every gait that was found before, so that it can be played at once.
pub const GAITS: [(&str, &str); 17] = [
    ("basic-run", include_str!("../../results/basic-run.toml")),
    ("lateral-sway", include_str!("../../results/lateral-sway.toml")),
    ("yaw-run", include_str!("../../results/yaw-run.toml")),
    ("skipping", include_str!("../../results/skipping.toml")),
    ("random-1", include_str!("../../results/random-1.toml")),
    ("random-2", include_str!("../../results/random-2.toml")),
    ("crouched-run", include_str!("../../results/crouched-run.toml")),
    ("legs-apart-run", include_str!("../../results/legs-apart-run.toml")),
    ("one-foot-hop", include_str!("../../results/one-foot-hop.toml")),
    ("monster-run", include_str!("../../results/monster-run.toml")),
    ("monster-crossed-arms", include_str!("../../results/monster-crossed-arms.toml")),
    ("kangaroo-hop", include_str!("../../results/kangaroo-hop.toml")),
    ("dog-trot", include_str!("../../results/dog-trot.toml")),
    ("dog-gallop", include_str!("../../results/dog-gallop.toml")),
    ("horse-walk", include_str!("../../results/horse-walk.toml")),
    ("hexapod-tripod", include_str!("../../results/hexapod-tripod.toml")),
    ("ostrich-run", include_str!("../../results/ostrich-run.toml")),
];

impl FoundGait {
    /// The gait that was found for a built-in sketch; `None` if there is none to play at once.
    ///
    /// ```
    /// let run = andante_gait::FoundGait::built_in("basic-run")?.ok_or("not there")?;
    /// assert!(run.valid && run.speed >= 2.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn built_in(name: &str) -> Result<Option<Self>, ReadError> {
        let found = GAITS.iter().find(|(known, _)| *known == name);
        found.map(|(_, text)| Self::from_toml(text)).transpose()
    }
}

impl GaitSketch {
    /// The built-in sketch of this name.
    ///
    /// ```
    /// let run = andante_gait::GaitSketch::built_in("basic-run")?;
    /// assert_eq!(run.character, "humanoid");
    /// # Ok::<(), andante_formats::ReadError>(())
    /// ```
    pub fn built_in(name: &str) -> Result<Self, ReadError> {
        match SKETCHES.iter().find(|(known, _)| *known == name) {
            Some((_, text)) => read_sketch(text),
            None => {
                let names = SKETCHES.map(|(name, _)| name).join(", ");
                Err(ReadError::file(format!(
                    "there is no built-in sketch `{name}`; there are {names}"
                )))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GaitCycle, GaitProblem, ProblemOptions};

    #[test]
    fn every_built_in_sketch_makes_a_search() {
        for (name, _) in SKETCHES {
            let sketch =
                GaitSketch::built_in(name).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(sketch.name, name);
            assert!(!sketch.about.is_empty());
            let body = andante_body::creature(&sketch.character).unwrap();
            let problem = GaitProblem::new(&body, &sketch, &ProblemOptions::default());
            let problem = problem.unwrap_or_else(|error| panic!("{name}: {error}"));
            let priority =
                sketch.steps.iter().map(|step| step.ground.priority.len()).sum::<usize>();
            assert!(priority > 0, "{name} has a style");
            assert!(problem.start().iter().all(|unit| (0.0..=1.0).contains(unit)));
        }
    }

    /// The search spaces of the published experiments (table 4.1: priority and allowed modes in the air and on the ground).
    #[test]
    fn the_published_gaits_have_search_spaces_of_the_published_size() {
        for (name, priority, allowed) in [
            ("basic-run", [3, 4], [5, 7]),
            ("lateral-sway", [3, 3], [5, 6]),
            ("yaw-run", [3, 4], [5, 7]),
            ("skipping", [3, 8], [5, 10]),
            ("random-1", [3, 4], [8, 8]),
            ("random-2", [2, 3], [6, 7]),
            ("crouched-run", [3, 5], [5, 8]),
            ("legs-apart-run", [3, 4], [5, 7]),
            ("one-foot-hop", [2, 5], [6, 8]),
            ("monster-run", [3, 4], [5, 7]),
            ("monster-crossed-arms", [3, 4], [5, 7]),
            ("kangaroo-hop", [1, 3], [4, 6]),
        ] {
            let sketch = GaitSketch::built_in(name).unwrap();
            let step = &sketch.steps[0];
            let of = [&step.air, &step.ground];
            assert_eq!(of.map(|phase| phase.priority.len()), priority, "{name}");
            let all = of.map(|phase| phase.priority.len() + phase.allowed.len());
            assert_eq!(all, allowed, "{name}");
        }
    }

    /// Whatever a change of the simulation does to them, what is shipped is valid and keeps the style of its sketch.
    #[test]
    fn every_gait_found_before_is_still_valid() {
        for (name, _) in GAITS {
            let gait = FoundGait::built_in(name).unwrap().unwrap();
            let sketch = GaitSketch::built_in(name).unwrap();
            let body = andante_body::creature(&sketch.character).unwrap();
            let options = gait.options();
            let problem = std::sync::Arc::new(GaitProblem::new(&body, &sketch, &options).unwrap());
            let candidate = gait.candidate(&problem).unwrap();
            let evaluator = crate::Evaluator::new(std::sync::Arc::clone(&problem), 1).unwrap();
            let trial = &evaluator.try_out(std::slice::from_ref(&candidate))[0];
            assert!(problem.is_valid(trial), "{name}: {:?}", problem.complaints(trial));
            assert!(trial.velocity[2] >= sketch.speed, "{name}");
            assert!(gait.made_by.contains("--seed"), "{name}");
            if sketch.aerial {
                assert!(GaitCycle::new(&problem, &candidate).aerial_fraction() > 0.0, "{name}");
            }
            for (sketched, found) in sketch.steps.iter().zip(&candidate.steps) {
                let phases = [(&sketched.air, &found.air), (&sketched.ground, &found.ground)];
                for (sketched, found) in phases {
                    for ((_, wanted), amplitude) in sketched.priority.iter().zip(&found.amplitudes)
                    {
                        assert!(amplitude * wanted.signum() >= wanted.abs() - 1e-9, "{name}");
                    }
                }
            }
        }
    }
}
