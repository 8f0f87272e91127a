//! Sketches drawn at random: whatever comes out of them is a style that nobody thought of.

use crate::search::random::mix;
use crate::sketch::gait_sketch::{GaitSketch, PhaseSketch};
use andante_body::Body;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

andante_skeleton::settings! {
    /// The distribution of random sketches, as published (U5): for flights and for stances. Usually the first of the
    /// published ones.
    pub struct Draw: Copy {
        /// How many modes get priority.
        priority: [usize; 2] = [3, 4];
        /// How many modes there are with those that are allowed.
        all: [usize; 2] = [8, 8];
        /// Only so many of the slowest modes are drawn: faster ones move a body too little to be seen.
        among: usize = 15;
        /// Of modes with priority; signs are drawn.
        amplitude: f64 = 0.4, 0.0..;
    }
}

impl GaitSketch {
    /// A sketch with the feet and times of another one and modes drawn at random, the same for the same seed. Modes of the
    /// other sketch that are not drawn stay allowed, those first that had priority, then the slowest of all, up to the wanted number.
    ///
    /// ```
    /// use andante_gait::{Draw, GaitSketch};
    /// let base = GaitSketch::built_in("basic-run")?;
    /// let body = andante_body::creature(&base.character)?;
    /// let drawn = GaitSketch::random(&body, &base, &Draw::default(), 7);
    /// assert_eq!(drawn, GaitSketch::random(&body, &base, &Draw::default(), 7));
    /// let ground = &drawn.steps[0].ground;
    /// assert_eq!((ground.priority.len(), ground.allowed.len()), (4, 4));
    /// # Ok::<(), andante_formats::ReadError>(())
    /// ```
    pub fn random(body: &Body, base: &Self, draw: &Draw, seed: u64) -> Self {
        let mut rng = Pcg64Mcg::seed_from_u64(mix(seed, 0));
        let mut sketch = base.clone();
        let [air, ground] = draw.priority;
        sketch.name = format!("{}-random-{seed}", body.name());
        sketch.about = format!(
            "modes drawn at random: {air} in the air, {ground} on the ground, amplitudes of {}",
            draw.amplitude
        );
        for step in &mut sketch.steps {
            for (phase, part) in [&mut step.air, &mut step.ground].into_iter().zip(0..2) {
                *phase = draw_phase(body.internal_dof(), phase, draw, part, &mut rng);
            }
        }
        sketch
    }
}

/// The modes of one phase.
fn draw_phase(
    count: usize,
    base: &PhaseSketch,
    draw: &Draw,
    part: usize,
    rng: &mut Pcg64Mcg,
) -> PhaseSketch {
    let mut pool: Vec<usize> = (0..draw.among.min(count)).collect();
    let mut priority = Vec::new();
    while priority.len() < draw.priority[part] && !pool.is_empty() {
        let mode = pool.swap_remove(rng.random_range(0..pool.len()));
        let sign = if rng.random_range(0..2) == 0 { 1.0 } else { -1.0 };
        priority.push((mode, sign * draw.amplitude));
    }
    priority.sort_by_key(|(mode, _)| *mode);
    let mut allowed = Vec::new();
    let liked = base.priority.iter().map(|(mode, _)| *mode).chain(base.allowed.iter().copied());
    for mode in liked.chain(0..count) {
        let known = allowed.contains(&mode) || priority.iter().any(|(other, _)| *other == mode);
        if !known && priority.len() + allowed.len() < draw.all[part] {
            allowed.push(mode);
        }
    }
    allowed.sort_unstable();
    PhaseSketch { priority, allowed }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GaitProblem, ProblemOptions};
    use proptest::prelude::*;

    fn drawn(base: &str, draw: &Draw, seed: u64) -> (Body, GaitSketch) {
        let base = GaitSketch::built_in(base).unwrap();
        let body = andante_body::creature(&base.character).unwrap();
        let sketch = GaitSketch::random(&body, &base, draw, seed);
        (body, sketch)
    }

    #[test]
    fn the_first_built_in_random_sketch_is_the_third_draw() {
        let (_, third) = drawn("basic-run", &Draw::default(), 3);
        let built_in = GaitSketch::built_in("random-1").unwrap();
        assert_eq!(built_in, GaitSketch { name: "random-1".into(), ..third });
    }

    #[test]
    fn every_mode_and_sign_is_drawn_sooner_or_later() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..200 {
            let (_, sketch) = drawn("basic-run", &Draw::default(), seed);
            seen.extend(sketch.steps[0].ground.priority.iter().map(|(mode, a)| (*mode, *a > 0.0)));
        }
        assert_eq!(seen.len(), 30, "{seen:?}");
    }

    #[test]
    fn modes_of_the_base_that_are_not_drawn_stay_allowed() {
        for seed in 0..20 {
            let (_, sketch) = drawn("basic-run", &Draw::default(), seed);
            let air = &sketch.steps[0].air;
            // Five modes of the base fit beside the three that are drawn.
            for mode in [1, 2, 6, 8, 11] {
                let named = air.priority.iter().any(|(drawn, _)| *drawn == mode);
                assert!(named || air.allowed.contains(&mode), "{mode} of {air:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn draws_are_sketches_of_the_wanted_size(
            seed: u64,
            base in prop::sample::select(vec!["basic-run", "kangaroo-hop", "dog-trot"]),
            priority in [0usize..7, 1usize..7],
            more in [0usize..9, 0usize..9],
            amplitude in 0.05..1.0,
        ) {
            let all = [priority[0] + more[0], priority[1] + more[1]];
            let draw = Draw { priority, all, amplitude, ..Draw::default() };
            let (body, sketch) = drawn(base, &draw, seed);
            for step in &sketch.steps {
                for (phase, part) in [&step.air, &step.ground].into_iter().zip(0..2) {
                    prop_assert_eq!(phase.priority.len(), priority[part]);
                    prop_assert_eq!(phase.priority.len() + phase.allowed.len(), all[part]);
                    prop_assert!(phase.priority.iter().all(|(mode, a)| *mode < 15 && a.abs() == amplitude));
                }
            }
            prop_assert!(GaitProblem::new(&body, &sketch, &ProblemOptions::default()).is_ok());
        }
    }
}
